"""Tables go on when a rule is corrected: those of an older database are of the first edition."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, select, text

import kursbuch.web
from kursbuch.core.chance import commitment
from kursbuch.core.errors import IllegalAction
from kursbuch.core.game import Game
from kursbuch.web.database import Database
from kursbuch.web.models import Move, Table
from kursbuch.web.tables import NewSeat, NewTable, Seen, Tables
from kursbuch.web.thinking import title_with_data
from tests.core.corrected import CORRECTED

SEED = "7"
MIGRATIONS = Path(kursbuch.web.__file__).parent / "migrations"


@pytest.fixture(autouse=True)
def corrected(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Stephenson's Rocket is the title with two corrections."""
    monkeypatch.setattr("kursbuch.title", lambda _: CORRECTED)
    title_with_data.cache_clear()
    yield
    title_with_data.cache_clear()


def older() -> Game:
    game = Game(CORRECTED, ["Anna", "Bernd"], seed=SEED, edition=1)
    for line in ("Anna takes London", "Anna takes Manchester", "Bernd builds K16"):
        game.replay(game.parse(line), 1)
    return game


def as_stored_before(connection: Connection, game: Game) -> None:
    """A database of the version before editions, with a table where this game is played."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = connection
    command.upgrade(config, "0002")
    insert(
        connection,
        "game_table",
        {
            "id": "t1",
            "title": "rocket",
            "options": json.dumps(game.options),
            "seed": SEED,
            "seed_hash": commitment(SEED),
            "status": "running",
            "language": "",
            "undo": "free",
            "help": True,
            "listed": True,
            "pace": 0.0,
            "creator": "anna",
            "version": 4,
            "revision": 4,
            "number": len(game.moves),
            "turn": json.dumps([decision.seat for decision in game.pending]),
            "bots_due": False,
            "created_at": "2026-11-01 12:00:00",
            "updated_at": "2026-11-01 12:00:00",
        },
    )
    for seat, name in enumerate(game.names):
        row = {"table_id": "t1", "number": seat, "kind": "person", "name": name, "bot": ""}
        insert(connection, "seat", {**row, "owner": name.lower(), "facing": True})
    for number, move in enumerate(game.moves, 1):
        insert(
            connection,
            "move",
            {
                "table_id": "t1",
                "number": number,
                "seat": move.action.seat,
                "action": json.dumps(CORRECTED.action_to_json(move.action)),
                "draws": "[]",
                "automatic": False,
                "made_at": "2026-11-01 12:00:00",
            },
        )


def insert(connection: Connection, table: str, row: dict[str, Any]) -> None:
    columns, values = ", ".join(row), ", ".join(f":{name}" for name in row)
    connection.execute(text(f"INSERT INTO {table} ({columns}) VALUES ({values})"), row)


async def editions(database: Database) -> list[int]:
    async with database.reading() as session:
        query = select(Move.edition).where(Move.table_id == "t1").order_by(Move.number)
        return list(await session.scalars(query))


@pytest.mark.asyncio
async def test_a_table_of_an_older_database_goes_on(tmp_path: Path) -> None:
    database = Database(str(tmp_path / "tables.sqlite3"))
    game = older()
    async with database.engine.begin() as connection:
        await connection.run_sync(as_stored_before, game)
    await database.start()
    assert await editions(database) == [1, 1, 1]
    tables = Tables(database)
    found = (await tables.load("t1")).game
    assert found is not None
    game.come_over()
    assert found.state == game.state
    assert (found.edition, found.position.edition) == (1, 3)

    manchester = {"action": "take-token", "seat": 1, "metropolis": "Manchester"}
    with pytest.raises(IllegalAction, match="closed"):
        await tables.move("t1", "bernd", Seen(3), manchester)
    await tables.move("t1", "bernd", Seen(3), {**manchester, "metropolis": "London"})
    assert await editions(database) == [1, 1, 1, 3]

    # Another worker replays it from the database, the first goes on with what it has.
    again = (await Tables(database).load("t1")).game
    kept = (await tables.load("t1")).game
    assert again is not None
    assert kept is not None
    assert again.state == kept.state
    assert again.record() == kept.record()
    assert "\nedition 3\n4. Bernd takes London\n" in kept.record()

    # What is taken back is played by the newest edition.
    assert await tables.undo("t1", "bernd")
    assert await tables.undo("t1", "bernd")
    seen = Seen(2, (await tables.load("t1")).table.version)
    await tables.move("t1", "bernd", seen, {"action": "place-station", "seat": 1, "hex": "K16"})
    assert await editions(database) == [1, 1, 3]
    again = (await Tables(database).load("t1")).game
    assert again is not None
    assert [decision.seat for decision in again.pending] == [0]
    await database.stop()


@pytest.mark.asyncio
async def test_a_new_table_is_of_the_newest_edition(tmp_path: Path) -> None:
    database = Database(str(tmp_path / "tables.sqlite3"))
    await database.start()
    tables = Tables(database)
    seats = [NewSeat(kind="hotseat", name=name) for name in ("Anna", "Bernd")]
    slug = await tables.open(NewTable("rocket", seats), "anna")
    async with database.reading() as session:
        table = await session.get(Table, slug)
        assert table is not None
        assert (table.status, table.edition) == ("running", 3)
    await database.stop()
