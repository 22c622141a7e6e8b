"""`kursbuch mail`: mails that the mail server hands over."""

from __future__ import annotations

import sys
from typing import Any

import click

from kursbuch.cli.backup import database_option, with_database
from kursbuch.cli.common import LATER, common_options, emit_json, one_line
from kursbuch.core.errors import KursbuchError
from kursbuch.core.words import Words


@click.group("mail")
def command() -> None:
    """Answers to the mails of the web table."""


@command.command("receive")
@database_option
@common_options
def receive(database: str | None, as_json: bool, words: Words) -> int | None:
    """Take in one mail from standard input, for the pipe of a mail server. The running server reads it."""
    content = sys.stdin.buffer.read()
    if not content.strip():
        raise KursbuchError("There is no mail on standard input.")
    try:
        new = with_database(database, lambda found: _received(found, content))
    except (KursbuchError, OSError) as error:
        # Whatever is wrong here, the mail must not be lost.
        said = error.text(words) if isinstance(error, KursbuchError) else str(error)
        print(one_line(said), file=sys.stderr)
        return LATER
    if as_json:
        emit_json({"new": new})
    return None


async def _received(database: Any, content: bytes) -> bool:
    from kursbuch.web.backup.schema import require_current
    from kursbuch.web.notifications import mail_replies

    # While servers are brought up to date the mail waits: the database is theirs to change.
    await require_current(database)
    return await mail_replies.receive(database, content)
