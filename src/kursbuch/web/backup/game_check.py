"""Whether the games of a backup can continue."""

from __future__ import annotations

import tempfile
from pathlib import Path

import msgspec
from sqlalchemy import select

from kursbuch.core.errors import KursbuchError
from kursbuch.web.backup.archive import Progress
from kursbuch.web.backup.dump import COPY, HIDDEN
from kursbuch.web.backup.restore import restore
from kursbuch.web.db.database import Database
from kursbuch.web.db.models import Table
from kursbuch.web.tables.policies import RUNNING
from kursbuch.web.tables.store import TableStore


class UnplayableTable(msgspec.Struct, frozen=True):
    """A table whose game cannot go on, and why."""

    table: str
    title: str
    why: KursbuchError


async def stuck_games(path: Path, progress: Progress) -> tuple[int, list[UnplayableTable]]:
    """How many games are going on in a backup, and those of them that cannot go on. The copy is made beside
    the backup, where there is room for such files."""
    with tempfile.TemporaryDirectory(dir=path.absolute().parent, prefix=HIDDEN) as folder:
        database = Database(str(Path(folder) / COPY))
        try:
            await restore(path, database, replace=False, progress=progress)
            return await _try_all(database, progress)
        finally:
            await database.stop()


async def _try_all(database: Database, progress: Progress) -> tuple[int, list[UnplayableTable]]:
    tables = TableStore(database)
    async with database.reading() as session:
        query = select(Table.id, Table.title).where(Table.status == RUNNING).order_by(Table.id)
        running = list((await session.execute(query)).all())
    stuck = []
    for done, (table_id, title) in enumerate(running, 1):
        try:
            await _try(tables, table_id)
        except KursbuchError as error:
            stuck.append(UnplayableTable(table_id, title, error))
        progress(done, len(running))
    return len(running), stuck


async def _try(tables: TableStore, table_id: str) -> None:
    snapshot = await tables.load(table_id)
    table, game = snapshot.table, snapshot.game
    assert game is not None
    if len(game.moves) != table.number:
        raise KursbuchError(
            "The table says {said} moves, but there are {found}.",
            said=table.number,
            found=len(game.moves),
        )
    if sorted(table.turn) != sorted(decision.seat for decision in game.pending):
        raise KursbuchError("Another player has to decide than the table says.")
