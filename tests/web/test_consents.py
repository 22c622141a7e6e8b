"""What the others are asked for: one thing, whether it is to take back or to end the game."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import Connection

import kursbuch
from kursbuch.core.game import Game
from kursbuch.web.database import Database
from kursbuch.web.deeds import consents
from kursbuch.web.deeds.consents import END, UNDO
from kursbuch.web.errors import Conflict
from kursbuch.web.tables import Tables
from tests.web.stored import as_stored_before, insert
from tests.web.visitors import Browser, choose, seated, seen

pytestmark = pytest.mark.asyncio(loop_scope="module")


def with_wishes(connection: Connection, game: Game) -> None:
    """A database in which taking back and ending are still asked for in tables of their own."""
    as_stored_before(connection, game)
    wish = {"table_id": "t1", "seat": 0, "agreed": "[]"}
    insert(connection, "undo_request", {**wish, "target": 1})
    insert(connection, "end_request", wish)


@pytest.mark.parametrize("kind", [UNDO, END])
async def test_what_is_asked_for_can_still_be_answered_after_an_update(
    tmp_path: Path, kind: str
) -> None:
    game = kursbuch.new("rocket", ["Anna", "Bernd"], 7)
    for line in ("Anna takes London", "Anna takes Manchester"):
        game.apply(game.parse(line))
    database = Database(str(tmp_path / "tables.sqlite3"))
    async with database.engine.begin() as connection:
        await connection.run_sync(with_wishes, game)
    await database.start()
    tables = Tables(database)
    found = await tables.load("t1")
    assert {wish.kind: (wish.seat, wish.target) for wish in found.consents.values()} == {
        UNDO: (0, 1),
        END: (0, None),
    }
    await consents.answer(tables, "t1", "bernd", kind, True, found.table.version)
    after = (await tables.load("t1")).table
    assert (after.number, after.status) == {UNDO: (1, "running"), END: (2, "closed")}[kind]
    with pytest.raises(Conflict):
        await consents.answer(tables, "t1", "bernd", kind, True)
    await database.stop()


@pytest.mark.parametrize("kind", [UNDO, END])
async def test_an_answer_is_for_the_wish_that_was_seen(
    anna: Browser, bernd: Browser, kind: str
) -> None:
    table = await anna.open("me Anna", "open", undo="ask")
    await seated(table, bernd)
    mover, other = (anna, bernd) if (await anna.game(table))["choices"] else (bernd, anna)
    await mover.move(table, choose(await mover.game(table), "take-token"))
    await mover.done(f"{table}/{kind}")
    asked = await other.game(table)
    await mover.done(f"{table}/{kind}/answer", answer="no")
    await mover.done(f"{table}/{kind}")
    for answer in ("yes", "no"):
        await other.refused(409, f"{table}/{kind}/answer", **seen(asked), answer=answer)
    again = await other.game(table)
    page = await other.page(table)
    form = page.split(f'id="{kind}-answer"')[1].split("</form>")[0]
    assert f'name="version" value="{again["version"]}"' in form
    await other.done(f"{table}/{kind}/answer", **seen(again), answer="yes")
    after = await other.game(table)
    assert (after["number"], after["status"]) == {UNDO: (0, "running"), END: (1, "closed")}[kind]
