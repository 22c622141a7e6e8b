"""Tables go on when a rule is corrected: those of an older database are of the first edition."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import select

from kursbuch.core.errors import IllegalAction
from kursbuch.core.game import Game
from kursbuch.web.db.database import Database
from kursbuch.web.db.models import StoredMove, Table
from kursbuch.web.tables import moves as table_moves
from kursbuch.web.tables import votes
from kursbuch.web.tables.lobby import NewSeat, NewTable, open_table
from kursbuch.web.tables.snapshot import Seen
from kursbuch.web.tables.store import TableStore
from kursbuch.web.tables.votes import UNDO
from tests.core.corrected import CORRECTED
from tests.web.stored import as_stored_before

SEED = "7"


@pytest.fixture(autouse=True)
def corrected(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stephenson's Rocket is the title with two corrections."""
    monkeypatch.setattr("kursbuch.core.registry.title", lambda _: CORRECTED)


def older() -> Game:
    game = Game(CORRECTED, ["Anna", "Bernd"], seed=SEED, edition=1)
    for line in ("Anna takes London", "Anna takes Manchester", "Bernd builds K16"):
        game.replay(game.parse(line), 1)
    return game


async def editions(database: Database) -> list[int]:
    async with database.reading() as session:
        query = (
            select(StoredMove.edition)
            .where(StoredMove.table_id == "t1")
            .order_by(StoredMove.number)
        )
        return list(await session.scalars(query))


@pytest.mark.asyncio
async def test_a_table_of_an_older_database_goes_on(tmp_path: Path) -> None:
    database = Database(str(tmp_path / "tables.sqlite3"))
    game = older()
    async with database.engine.begin() as connection:
        await connection.run_sync(as_stored_before, game)
    await database.start()
    assert await editions(database) == [1, 1, 1]
    tables = TableStore(database)
    found = (await tables.load("t1")).game
    assert found is not None
    game.adopt_newest_edition()
    assert found.state == game.state
    assert (found.edition, found.position.edition) == (1, 3)

    manchester = {"action": "take-token", "seat": 1, "metropolis": "Manchester"}
    with pytest.raises(IllegalAction, match="closed"):
        await table_moves.move(tables, "t1", "bernd", Seen(3), manchester)
    await table_moves.move(tables, "t1", "bernd", Seen(3), {**manchester, "metropolis": "London"})
    assert await editions(database) == [1, 1, 1, 3]

    # Another worker replays it from the database, the first goes on with what it has.
    again = (await TableStore(database).load("t1")).game
    kept = (await tables.load("t1")).game
    assert again is not None
    assert kept is not None
    assert again.state == kept.state
    assert again.record() == kept.record()
    assert "\nedition 3\n4. Bernd takes London\n" in kept.record()

    # What is taken back is played by the newest edition.
    assert await votes.ask(tables, "t1", "bernd", UNDO)
    assert await votes.ask(tables, "t1", "bernd", UNDO)
    seen = Seen(2, (await tables.load("t1")).table.version)
    await table_moves.move(
        tables, "t1", "bernd", seen, {"action": "place-station", "seat": 1, "hex": "K16"}
    )
    assert await editions(database) == [1, 1, 3]
    again = (await TableStore(database).load("t1")).game
    assert again is not None
    assert [decision.seat for decision in again.pending] == [0]
    await database.stop()


@pytest.mark.asyncio
async def test_a_new_table_is_of_the_newest_edition(tmp_path: Path) -> None:
    database = Database(str(tmp_path / "tables.sqlite3"))
    await database.start()
    tables = TableStore(database)
    seats = [NewSeat(kind="hotseat", name=name) for name in ("Anna", "Bernd")]
    slug = await open_table(tables, NewTable("rocket", seats), "anna")
    async with database.reading() as session:
        table = await session.get(Table, slug)
        assert table is not None
        assert (table.status, table.edition) == ("running", 3)
    await database.stop()
