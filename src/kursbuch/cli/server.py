"""`kursbuch serve`, `static-folder`, `mail`, `backup` and `restore`: the server and its database."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
from collections.abc import Awaitable, Callable
from importlib import resources
from pathlib import Path
from typing import Any, TypeVar

import click

from kursbuch.cli.common import LATER, common_options, emit_json, one_line, print_report, progress
from kursbuch.core.errors import KursbuchError, NotNow
from kursbuch.core.words import Words

ResultT = TypeVar("ResultT")
FAILED = 1
database_option = click.option(
    "--database",
    metavar="URL",
    envvar="KURSBUCH_DATABASE",
    help="SQLAlchemy URL or SQLite file. [default: kursbuch.sqlite3]",
)


def with_database(
    given: str | None, work: Callable[[Any], Awaitable[ResultT]], *, new: bool = False
) -> ResultT:
    """Run work on a database, which must exist unless `new`."""
    # imported here since only the server needs it
    from sqlalchemy.exc import SQLAlchemyError

    from kursbuch.web.db.database import Database, failure

    async def run() -> ResultT:
        database = Database(given)
        try:
            file = database.engine.url.database
            if database.is_sqlite and not new and file and not Path(file).exists():
                raise KursbuchError("There is no file {path}.", path=file)
            return await work(database)
        except (SQLAlchemyError, OSError) as error:
            if isinstance(error, OSError) and error.filename:
                raise
            raise failure(database.name, error) from error
        finally:
            await database.stop()

    return asyncio.run(run())


@click.command("backup")
@click.argument("file")
@database_option
@click.option("--replace", is_flag=True, help="Overwrite an existing file.")
@click.option(
    "--keep",
    type=click.IntRange(1),
    metavar="N",
    help="If FILE is a folder, keep only its newest N backups and the last one whose games all resume.",
)
@click.option("--quick", is_flag=True, help="Skip the check that its games can resume.")
@common_options
def backup(
    file: str,
    database: str | None,
    replace: bool,
    keep: int | None,
    quick: bool,
    as_json: bool,
    words: Words,
) -> int:
    """Back up the database to a file, even while the server runs.

    The file is read back, and its games are resumed in a copy. If FILE is a folder, the backup is named
    after the current time.
    """
    from kursbuch.web.backup import dump

    path = dump.target(file, replace)
    if keep is not None and not Path(file).is_dir():
        raise KursbuchError("--keep needs a folder, not a file.")
    with progress(words._("Backup")) as show:
        head = with_database(database, lambda found: dump.write(found, path, show))
    report: dict[str, Any] = {"file": str(path), "bytes": os.path.getsize(path), **_head_json(head)}
    sentence = words.ngettext(
        "{path}: {n} row, read again and complete.",
        "{path}: {n} rows, read again and complete.",
        head.total,
        path=str(path),
    )
    lines = [sentence]
    stuck = 0
    with_database(database, lambda found: dump.note_backup(found, path, head))
    if not quick:
        try:
            stuck, found, told = _check_games(path, words)
        except KursbuchError:
            if keep is not None:
                dump.forget_old(path.parent, keep, doubtful=True)
            raise
        with_database(database, lambda found: dump.note_backup(found, path, head, stuck))
        report |= found
        lines += told
        if not stuck and Path(file).is_dir():
            dump.note_whole(path)
    if keep is not None:
        gone = dump.forget_old(path.parent, keep, doubtful=bool(stuck))
        report["deleted"] = [str(old) for old in gone]
        lines += [words._("Deleted: {path}", path=str(old)) for old in gone]
    print_report(as_json, report, lines)
    return FAILED if stuck else 0


@click.command("restore")
@click.argument("file")
@database_option
@click.option("--replace", is_flag=True, help="Replace the content of the database.")
@click.option("--check", is_flag=True, help="Only check the backup, in a temporary database.")
@common_options
def restore(
    file: str, database: str | None, replace: bool, check: bool, as_json: bool, words: Words
) -> int:
    """Restore a database from a backup of any database kind and version.

    Nothing changes unless everything can be restored. Running servers release the database meanwhile and
    continue with the restored data.
    """
    from kursbuch.web.backup import archive
    from kursbuch.web.backup import restore as restoring

    if check:
        with progress(words._("Reading")) as show:
            head = archive.check(file, show)
        stuck, found, lines = _check_games(Path(file), words)
        print_report(as_json, {"file": file, **_head_json(head), **found}, lines)
        return FAILED if stuck else 0
    with progress(words._("Restoring")) as show:
        head = with_database(
            database,
            lambda found: restoring.restore(file, found, replace=replace, progress=show),
            new=True,
        )
    sentence = words.ngettext(
        "{path} from {time} has been restored: {n} row, checked against the backup.",
        "{path} from {time} has been restored: {n} rows, checked against the backup.",
        head.total,
        path=file,
        time=f"{head.made_at:%Y-%m-%d %H:%M} UTC",
    )
    print_report(as_json, {"file": file, **_head_json(head)}, [sentence])
    return 0


def _head_json(head: Any) -> dict[str, Any]:
    return {
        "made_at": head.made_at,
        "program": head.program,
        "revision": head.revision,
        "rows": head.rows,
    }


def _check_games(path: Path, words: Words) -> tuple[int, dict[str, Any], list[str]]:
    """Check the games of a backup: the number of broken ones, and a report as data and text."""
    from sqlalchemy.exc import SQLAlchemyError

    from kursbuch.web.backup.restore import stuck_games

    try:
        with progress(words._("Trying out the games")) as show:
            running, stuck = asyncio.run(stuck_games(path, show))
    except (SQLAlchemyError, OSError) as error:
        why = getattr(error, "orig", None) or error
        raise KursbuchError(
            "{path} is complete, but its games could not be tried: {why}.",
            path=str(path),
            why=why,
        ) from None
    lines = [
        words.ngettext(
            "{n} game is in progress; a copy was made, and it can be continued there.",
            "{n} games are in progress; a copy was made, and all can be continued there.",
            running,
        )
    ]
    if stuck:
        lines = [
            words.ngettext(
                "{n} game cannot be continued, here or in the database itself:",
                "{n} games cannot be continued, here or in the database itself:",
                len(stuck),
            ),
            *(f"  {one.table} ({one.title}): {one.why.text(words)}" for one in stuck),
        ]
    told = [{"table": one.table, "error": one.why.text(words)} for one in stuck]
    return len(stuck), {"running": running, "stuck": told}, lines


@click.command("serve")
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    help="Address to listen on; 0.0.0.0 for all networks.",
)
@click.option(
    "--port",
    type=click.IntRange(1, 65535),
    default=8000,
    show_default=True,
    help="Port to listen on.",
)
@click.option(
    "--database", metavar="URL", help="SQLAlchemy URL of the database. [default: an SQLite file]"
)
@click.option(
    "--redis", metavar="URL", help="Send live updates through Redis, for several workers."
)
@click.option(
    "--workers",
    type=click.IntRange(1, 64),
    default=1,
    show_default=True,
    help="Number of worker processes.",
)
@click.option(
    "--tables",
    type=click.IntRange(1, 100_000),
    metavar="N",
    help="Maximum number of open tables per visitor. [default: 30]",
)
@click.option(
    "--accounts",
    type=click.Choice(["open", "invitation", "closed", "off"]),
    help="Who may register an account. [default: open]",
)
@click.option(
    "--open/--no-open",
    "open_browser",
    default=False,
    help="Open the start page in a browser.",
)
@click.option(
    "--metrics",
    metavar="HOST:PORT",
    help="Serve Prometheus metrics at this address, such as 127.0.0.1:9100.",
)
@click.option(
    "--log",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="Log format.",
)
@common_options
def serve_command(
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
    """Start the web server."""
    check_free(host, port)
    from kursbuch import web  # only the server needs it

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


@click.command("static-folder")
@common_options
def static_folder(as_json: bool, words: Words) -> None:
    """Print the folder of the static files, for a proxy that serves them itself."""
    folder = str(resources.files("kursbuch") / "web" / "static")
    if as_json:
        emit_json({"folder": folder})
    else:
        print(folder)


def check_free(host: str, port: int) -> None:
    """Raise `KursbuchError` if the server cannot listen there."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, UnicodeError):
        raise KursbuchError("There is no host {host}.", host=repr(host[:80])) from None
    family, kind, protocol, _, address = found[0]
    with socket.socket(family, kind, protocol) as probe:
        # As the server does: a port with closing connections is free.
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
    """Handle replies to the mails of the server."""


@mail.command("receive")
@database_option
@common_options
def receive(database: str | None, as_json: bool, words: Words) -> int | None:
    """Receive one mail from standard input, as the pipe of a mail server.

    The running server processes it.
    """
    content = sys.stdin.buffer.read()
    if not content.strip():
        raise KursbuchError("There is no mail on standard input.")
    try:
        new = with_database(database, lambda found: _received(found, content))
    except (KursbuchError, OSError) as error:
        # The mail must not be lost, whatever the error.
        said = error.text(words) if isinstance(error, KursbuchError) else str(error)
        print(one_line(said), file=sys.stderr)
        return LATER
    if as_json:
        emit_json({"new": new})
    return None


async def _received(database: Any, content: bytes) -> bool:
    from kursbuch.web.backup.schema import require_current
    from kursbuch.web.notifications import mail_replies

    # The mail waits while servers migrate the database.
    await require_current(database)
    return await mail_replies.receive(database, content)
