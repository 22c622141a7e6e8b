"""`kursbuch serve` and `kursbuch mail`: the server, and the mails it receives."""

from __future__ import annotations

import socket
import sys
from typing import Any

import click

from kursbuch.cli.backup import database_option, with_database
from kursbuch.cli.common import LATER, common_options, emit_json, one_line
from kursbuch.core.errors import KursbuchError, NotNow
from kursbuch.core.words import Words


@click.command("serve")
@click.option("--host", default="127.0.0.1", show_default=True, help="0.0.0.0 for every network.")
@click.option("--port", type=click.IntRange(1, 65535), default=8000, show_default=True)
@click.option("--database", metavar="URL", help="An SQLAlchemy URL; else a file of your own.")
@click.option("--redis", metavar="URL", help="Live updates over Redis, for several workers.")
@click.option("--workers", type=click.IntRange(1, 64), default=1, show_default=True)
@click.option(
    "--tables",
    type=click.IntRange(1, 100_000),
    metavar="N",
    help="Open tables a visitor may have at once; else 30.",
)
@click.option(
    "--accounts",
    type=click.Choice(["open", "invitation", "closed", "off"]),
    help="Who may have an account; else everybody who registers.",
)
@click.option(
    "--open/--no-open",
    "open_browser",
    default=False,
    help="Open the start page in the browser, or do not.",
)
@click.option(
    "--metrics", metavar="HOST:PORT", help="Answer Prometheus there, such as 127.0.0.1:9100."
)
@click.option(
    "--log",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="Lines for people, or JSON for machines.",
)
@common_options
def command(
    host: str,
    port: int,
    database: str | None,
    redis: str | None,
    workers: int,
    tables: int | None,
    accounts: str | None,
    open_browser: bool,
    metrics: str | None,
    log: str,
    as_json: bool,
    words: Words,
) -> None:
    """Open the table for browsers."""
    check_free(host, port)
    from kursbuch import web  # only here: no other command needs the server

    if as_json:
        emit_json({"url": f"http://{f'[{host}]' if ':' in host else host}:{port}/"})
    web.serve(
        host=host,
        port=port,
        database=database,
        redis=redis,
        workers=workers,
        tables=tables,
        accounts=accounts,
        open_browser=open_browser,
        metrics=metrics,
        log=log,
    )


def check_free(host: str, port: int) -> None:
    """Raise `KursbuchError` if the server could not listen there."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, UnicodeError):
        raise KursbuchError("There is no host {host}.", host=repr(host[:80])) from None
    family, kind, protocol, _, address = found[0]
    with socket.socket(family, kind, protocol) as probe:
        # As the server does: a port whose last connections are still closing is free.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(address)
        except PermissionError:
            raise KursbuchError("Port {port} may not be used here.", port=port) from None
        except OSError as error:
            raise NotNow(
                "Port {port} of {host} is in use or not available: {why}.",
                port=port,
                host=host,
                why=error.strerror,
            ) from None


@click.group("mail")
def mail() -> None:
    """Answers to the mails of the web table."""


@mail.command("receive")
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
