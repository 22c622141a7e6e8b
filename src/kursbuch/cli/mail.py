"""`kursbuch mail`: mails that the mail server hands over."""

from __future__ import annotations

import asyncio
import os
import sys

import click

from kursbuch.cli.common import common_options, emit_json
from kursbuch.core.errors import KursbuchError
from kursbuch.core.words import Words

#: Tells a mail server to try again later (EX_TEMPFAIL).
LATER = 75


@click.group("mail")
def command() -> None:
    """Answers to the mails of the web table."""


@command.command("receive")
@click.option("--database", metavar="URL", help="As for serve; else KURSBUCH_DATABASE.")
@common_options
def receive(database: str | None, as_json: bool, words: Words) -> int | None:
    """Take in one mail from standard input, for the pipe of a mail server. The running server reads it."""
    content = sys.stdin.buffer.read()
    if not content.strip():
        raise KursbuchError("There is no mail on standard input.")
    try:
        new = asyncio.run(_receive(database or os.environ.get("KURSBUCH_DATABASE"), content))
    except KursbuchError as error:
        # Whatever is wrong here, the mail must not be lost.
        print(error.text(words), file=sys.stderr)
        return LATER
    if as_json:
        emit_json({"new": new})
    return None


async def _receive(given: str | None, content: bytes) -> bool:
    from sqlalchemy.exc import SQLAlchemyError

    from kursbuch.web.database import Database
    from kursbuch.web.messages import incoming

    database = Database(given)
    try:
        await database.start()
        return await incoming.receive(database, content)
    except (SQLAlchemyError, OSError) as error:
        raise KursbuchError(
            "The mail could not be stored: {why}.", why=str(error).partition("\n")[0].rstrip(".")
        ) from error
    finally:
        await database.stop()
