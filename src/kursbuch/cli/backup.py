"""`kursbuch backup` and `kursbuch restore`: a database in one file, and back."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from kursbuch.cli.common import common_options, emit_json, progress
from kursbuch.core.errors import KursbuchError
from kursbuch.core.words import Words

ResultT = TypeVar("ResultT")

FAILED = 1

database_option = click.option(
    "--database",
    metavar="URL",
    envvar="KURSBUCH_DATABASE",
    help="An SQLAlchemy URL, or an SQLite file; else kursbuch.sqlite3 in this folder.",
)


def with_database(
    given: str | None, work: Callable[[Any], Awaitable[ResultT]], *, new: bool = False
) -> ResultT:
    """What is done with a database, which must be there already unless it may be `new`."""
    # Only here: no other command needs the server.
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
@click.option("--replace", is_flag=True, help="Replace a file that is there already.")
@click.option(
    "--keep",
    type=click.IntRange(1),
    metavar="N",
    help="With a folder: delete all but the newest N backups in it, and the last whose games can all go on.",
)
@click.option("--quick", is_flag=True, help="Do not try whether its games can go on.")
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
    """Write everything in the database into a file, also while the server runs.

    The file is read again, and its games are tried in a copy. If FILE is a folder, the backup in it is named
    after the time.
    """
    from kursbuch.web.backup import dump

    path = dump.target(file, replace)
    if keep is not None and not Path(file).is_dir():
        raise KursbuchError("--keep needs a folder instead of a file.")
    with progress(words._("Backup")) as show:
        head = with_database(database, lambda found: dump.write(found, path, show))
    report: dict[str, Any] = {"file": str(path), "bytes": os.path.getsize(path), **_told(head)}
    sentence = words.ngettext(
        "{path}: {n} row, read again and complete.",
        "{path}: {n} rows, read again and complete.",
        head.total,
        path=str(path),
    )
    lines = [sentence]
    stuck = 0
    if not quick:
        try:
            stuck, found, told = _tried(path, words)
        except KursbuchError:
            if keep is not None:
                dump.forget_old(path.parent, keep, doubtful=True)
            raise
        report |= found
        lines += told
        if not stuck and Path(file).is_dir():
            dump.note_whole(path)
    if keep is not None:
        gone = dump.forget_old(path.parent, keep, doubtful=bool(stuck))
        report["deleted"] = [str(old) for old in gone]
        lines += [words._("Deleted: {path}", path=str(old)) for old in gone]
    _say(as_json, report, lines)
    return FAILED if stuck else 0


@click.command("restore")
@click.argument("file")
@database_option
@click.option("--replace", is_flag=True, help="Replace what is in the database.")
@click.option("--check", is_flag=True, help="Only try the backup in a temporary place.")
@common_options
def restore(
    file: str, database: str | None, replace: bool, check: bool, as_json: bool, words: Words
) -> int:
    """Make a database from a backup, of whichever kind and version the one was that it was made from.

    Nothing is changed unless all of it can be restored. Servers that use the database let go of it meanwhile, and go
    on with what was restored.
    """
    from kursbuch.web.backup import archive
    from kursbuch.web.backup import restore as restoring

    if check:
        with progress(words._("Reading")) as show:
            head = archive.check(file, show)
        stuck, found, lines = _tried(Path(file), words)
        _say(as_json, {"file": file, **_told(head), **found}, lines)
        return FAILED if stuck else 0
    with progress(words._("Restoring")) as show:
        head = with_database(
            database,
            lambda found: restoring.restore(file, found, replace=replace, progress=show),
            new=True,
        )
    sentence = words.ngettext(
        "{path} of {time} is restored: {n} row, compared with the backup.",
        "{path} of {time} is restored: {n} rows, compared with the backup.",
        head.total,
        path=file,
        time=f"{head.made_at:%Y-%m-%d %H:%M} UTC",
    )
    _say(as_json, {"file": file, **_told(head)}, [sentence])
    return 0


def _told(head: Any) -> dict[str, Any]:
    return {
        "made_at": head.made_at,
        "program": head.program,
        "revision": head.revision,
        "rows": head.rows,
    }


def _tried(path: Path, words: Words) -> tuple[int, dict[str, Any], list[str]]:
    """Try the games of a backup: how many cannot go on, and this as data and in words."""
    from sqlalchemy.exc import SQLAlchemyError

    from kursbuch.web.backup.restore import stuck_games

    try:
        with progress(words._("Trying the games")) as show:
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
            "{n} game is going on; a copy was made and it can go on there.",
            "{n} games are going on; a copy was made and all can go on there.",
            running,
        )
    ]
    if stuck:
        lines = [
            words.ngettext(
                "{n} game cannot go on, here or in the database itself:",
                "{n} games cannot go on, here or in the database itself:",
                len(stuck),
            ),
            *(f"  {one.table} ({one.title}): {one.why.text(words)}" for one in stuck),
        ]
    told = [{"table": one.table, "error": one.why.text(words)} for one in stuck]
    return len(stuck), {"running": running, "stuck": told}, lines


def _say(as_json: bool, report: dict[str, Any], lines: list[str]) -> None:
    if as_json:
        emit_json(report)
    else:
        print("\n".join(lines))
