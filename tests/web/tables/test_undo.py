"""The course of a table: what is taken back is said before and after, and can be done again."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

import kursbuch
from kursbuch.core.errors import KursbuchError
from kursbuch.web.db.database import Database
from kursbuch.web.http.errors import Conflict, Forbidden
from kursbuch.web.settings import Settings
from kursbuch.web.tables import moves as table_moves
from kursbuch.web.tables import votes
from kursbuch.web.tables.snapshot import Seen
from kursbuch.web.tables.store import TableStore
from kursbuch.web.tables.votes import REDO, UNDO
from tests.web.stored import as_stored_before, put
from tests.web.visitors import Browser, Server, browsers, choose, seated, seen

pytestmark = pytest.mark.asyncio(loop_scope="module")

LINES = (
    "Anna takes London",
    "Anna takes Manchester",
    "Bernd takes Sheffield",
    "Bernd takes London",
    "Anna takes Sheffield",
)


def rocket(moves: int = 5, *names: str) -> kursbuch.Game:
    """A game in which Anna and Bernd have taken tokens."""
    game = kursbuch.new("rocket", names or ("Anna", "Bernd"), 7)
    for line in LINES[:moves]:
        game.apply(game.parse(line))
    return game


async def database(folder: Path) -> TableStore:
    found = Database(str(folder / "tables.sqlite3"))
    await found.start()
    return TableStore(found)


async def numbers(tables: TableStore, table_id: str) -> tuple[int, int]:
    """How many moves there are, and how many can be done again next."""
    snapshot = await tables.load(table_id)
    assert snapshot.game is not None
    assert len(snapshot.game.moves) == snapshot.table.number == len(snapshot.moves)
    return snapshot.table.number, len(snapshot.redo.seats)


async def two(anna: Browser, bernd: Browser, **fields: Any) -> tuple[str, Browser, Browser]:
    """A table of two, who moves first, and the other one."""
    table = await anna.open("me Anna", "open", **fields)
    await seated(table, bernd)
    if (await anna.game(table))["choices"]:
        return table, anna, bernd
    return table, bernd, anna


async def token(person: Browser, table: str) -> None:
    await person.move(table, choose(await person.game(table), "take-token"))


# ---- what goes is said


async def test_the_computers_moves_are_named_before_they_go(anna: Browser) -> None:
    table = await anna.open("me Anna", "bot random", "bot random", undo="ask")
    game = await anna.until(table, lambda game: bool(game["choices"]))
    await token(anna, table)
    while (game := await anna.game(table))["choices"]:
        await token(anna, table)
    start = game["number"]
    game = await anna.until(
        table, lambda game: bool(game["choices"]) and game["number"] > start + 1
    )
    (offer,) = game["undo"]
    gone = game["number"] - offer["to"]
    assert offer["moves"] == gone > 2
    said = f"{gone} moves (1 of yours and {gone - 1} by the computer)"
    assert offer["text"] == f"This takes back {said}."
    page = await anna.page(table)
    assert 'popovertarget="undo-offers"' in page
    assert offer["text"] in page
    await anna.done(f"{table}/undo", **seen(game), to=offer["to"])
    # Everybody sees it, also later.
    after = await anna.game(table)
    said = f"{gone} moves (1 of their own and {gone - 1} by the computer)"
    (note,) = after["notes"]
    assert (note["number"], note["text"]) == (offer["to"], f"Anna takes back {said}.")
    assert (await anna.page(table)).count(note["text"]) == 2  # in the log, and beside what is due
    await token(anna, table)
    assert (await anna.page(table)).count(note["text"]) == 1


async def test_ones_own_last_move_goes_at_once(anna: Browser, bernd: Browser) -> None:
    table, mover, other = await two(anna, bernd, undo="free")
    await token(mover, table)
    assert 'popovertarget="undo-offers"' not in await mover.page(table)
    assert "This takes back a move of yours." in await mover.page(table)
    # What another one did is read first.
    page = await other.page(table)
    assert 'popovertarget="undo-offers"' in page
    name = (await mover.game(table))["seats"][(await mover.game(table))["my_seats"][0]]["name"]
    assert f"This takes back a move by {name}." in page
    assert "The first of them is move 1:" in page


async def test_my_last_move_beside_the_last_move(anna: Browser, bernd: Browser) -> None:
    table, mover, other = await two(anna, bernd, undo="ask")
    for _ in range(2):
        await token(mover, table)
    await token(other, table)
    offers = (await mover.game(table))["undo"]
    assert [(offer["to"], offer["moves"], offer["asks"]) for offer in offers] == [
        (2, 1, True),
        (1, 2, True),
    ]
    page = await mover.page(table)
    assert "Ask to take back the last move" in page
    assert "Ask to take back my last move" in page
    assert [offer["to"] for offer in (await other.game(table))["undo"]] == [2]
    await mover.done(f"{table}/undo", **seen(await mover.game(table)), to=1)
    # The others are asked in the same words.
    asked = await other.page(table)
    game = await mover.game(table)
    name = game["seats"][game["my_seats"][0]]["name"]
    assert f"{name} would like to take back 2 moves (1 of yours and 1 by {name})." in asked
    await other.done(f"{table}/undo/answer", answer="yes", **seen(await other.game(table)))
    assert (await other.game(table))["number"] == 1


async def test_back_to_a_line_of_the_log(anna: Browser, bernd: Browser) -> None:
    table, mover, other = await two(anna, bernd, undo="ask")
    for person in (mover, mover, other, other):
        await token(person, table)
    page = await mover.page(f"{table}?move=1")
    assert "Ask to go back to here" in page
    assert "This takes back 3 moves (1 of yours and 2 by " in page
    assert "Ask to go back" not in await anna.page(table)
    await mover.done(f"{table}/undo", **seen(await mover.game(table)), to=1)
    assert (await mover.game(table))["number"] == 4
    # One question for all of it; no one asks for something else meanwhile.
    assert "Ask to go back to here" not in await other.page(f"{table}?move=2")
    await other.refused(409, f"{table}/undo", to=2)
    await other.done(f"{table}/undo/answer", answer="yes")
    assert (await mover.game(table))["number"] == 1


@pytest.mark.parametrize("target", [-1, 3, 4])
async def test_only_back(anna: Browser, target: int) -> None:
    table = await anna.open("me Anna", "hotseat Bernd", undo="free")
    for _ in range(3):
        await token(anna, table)
    await anna.refused(422, f"{table}/undo", to=target)
    assert (await anna.game(table))["number"] == 3


async def test_only_own_moves_where_only_those_may_go(tmp_path: Path) -> None:
    tables = await database(tmp_path)
    table_id = await put(tables, rocket(5), ["anna", "bernd"], undo="own")
    with pytest.raises(Forbidden):
        await votes.ask(tables, table_id, "anna", UNDO, target=3)
    with pytest.raises(Forbidden):
        await votes.ask(tables, table_id, "bernd", UNDO)
    assert await votes.ask(tables, table_id, "anna", UNDO)
    assert await votes.ask(tables, table_id, "bernd", UNDO, target=2)
    assert await numbers(tables, table_id) == (2, 2)
    # What was taken back is done again by whom it belongs to.
    with pytest.raises(Forbidden):
        await votes.ask(tables, table_id, "anna", REDO)
    assert await votes.ask(tables, table_id, "bernd", REDO)
    assert await numbers(tables, table_id) == (4, 1)
    with pytest.raises(Forbidden):
        await votes.ask(tables, table_id, "bernd", REDO)
    assert await votes.ask(tables, table_id, "anna", REDO)
    assert await numbers(tables, table_id) == (5, 0)
    await tables.database.stop()


# ---- doing it again


async def test_again_until_another_move_is_made(tmp_path: Path) -> None:
    tables = await database(tmp_path)
    table_id = await put(tables, rocket(5), ["anna", "bernd"])
    kept = (await tables.load(table_id)).game
    assert kept is not None
    state = kept.title.clone(kept.state)
    for target in (4, 1, 0):
        assert await votes.ask(tables, table_id, "anna", UNDO, target=target)
    steps = [await numbers(tables, table_id)]
    for _ in range(3):
        assert await votes.ask(tables, table_id, "bernd", REDO)
        steps.append(await numbers(tables, table_id))
    assert steps == [(0, 1), (1, 3), (4, 1), (5, 0)]
    again = (await tables.load(table_id)).game
    replayed = (await TableStore(tables.database).load(table_id)).game
    assert again is not None
    assert replayed is not None
    assert again.state == replayed.state == state
    with pytest.raises(Forbidden):
        await votes.ask(tables, table_id, "bernd", REDO)
    # Another move is another course.
    for target in (4, 3):
        await votes.ask(tables, table_id, "anna", UNDO, target=target)
    seen_now = Seen(3, (await tables.load(table_id)).table.version)
    action = {"action": "take-token", "seat": 1, "metropolis": "Manchester"}
    await table_moves.move(tables, table_id, "bernd", seen_now, action)
    assert await numbers(tables, table_id) == (4, 0)
    with pytest.raises(Forbidden):
        await votes.ask(tables, table_id, "anna", REDO)
    await tables.database.stop()


async def test_draws_are_the_same_again(anna: Browser) -> None:
    table = await anna.open("me Anna", "hotseat Bernd", undo="free", title="dice")
    for _ in range(3):
        await anna.move(table)
    before = await anna.game(table)
    await anna.done(f"{table}/undo", to=0)
    game = await anna.game(table)
    assert [(one["to"], one["moves"]) for one in game["redo"]] == [(3, 3)]
    await anna.done(f"/api/tables/{table[3:]}/redo", **seen(game))
    after = await anna.game(table)
    assert (after["state"], after["log"]) == (before["state"], before["log"])
    assert [note["text"].split()[1:3] for note in after["notes"]] == [
        ["takes", "back"],
        ["redoes", "3"],
    ]


@pytest.mark.parametrize("policy", ["ask", "free"])
async def test_whoever_had_to_agree_to_the_one_has_to_agree_to_the_other(
    anna: Browser, bernd: Browser, policy: str
) -> None:
    table, mover, other = await two(anna, bernd, undo=policy, title="dice")
    await mover.move(table, choose(await mover.game(table), "roll"))
    log = (await mover.game(table))["log"]
    await mover.done(f"{table}/undo")
    await other.done(f"{table}/undo/answer", answer="yes")
    assert (await other.game(table))["number"] == 0
    for person in (mover, other):
        page = await person.page(table)
        assert "Ask to redo" in page
        # How many moves of whom, and nothing else.
        assert all(event["text"] not in page for event in log if event["number"])
    await mover.done(f"{table}/redo")
    assert (await other.game(table))["number"] == 0
    assert "would like to redo a move of their own." in await other.page(table)
    await other.refused(409, f"{table}/redo")
    await mover.refused(403, f"{table}/redo/answer", answer="yes")
    await other.done(f"{table}/redo/answer", answer="no")
    await other.refused(409, f"{table}/redo/answer", answer="yes")
    await other.done(f"{table}/redo")
    await mover.done(f"{table}/redo/answer", answer="yes", **seen(await mover.game(table)))
    assert (await mover.game(table))["log"] == log


async def test_never_means_never_again(tmp_path: Path) -> None:
    tables = await database(tmp_path)
    table_id = await put(tables, rocket(3), ["anna", "bernd"])
    await votes.ask(tables, table_id, "anna", UNDO)
    for visitor in ("clara", "anna"):
        async with tables.database.writing() as session:
            row: Any = await session.get(type((await tables.load(table_id)).table), table_id)
            row.undo = "none" if visitor == "anna" else "free"
        with pytest.raises(Forbidden):
            await votes.ask(tables, table_id, visitor, REDO)
    await tables.database.stop()


async def test_a_wish_for_a_table_that_has_gone_on(anna: Browser, bernd: Browser) -> None:
    table, mover, other = await two(anna, bernd, undo="free")
    for _ in range(2):
        await token(mover, table)
    await mover.done(f"{table}/undo")
    old = await mover.game(table)
    await mover.done(f"{table}/redo", **seen(old))
    # A second click, or one on a page that has not heard of it.
    await mover.refused(409, f"{table}/redo", **seen(old))
    await other.refused(409, f"{table}/undo", **seen(old), to=0)
    assert (await mover.game(table))["number"] == 2


async def test_undo_and_redo_at_once_at_two_servers(tmp_path: Path) -> None:
    settings = Settings(database=str(tmp_path / "tables.sqlite3"))
    async with Server(settings) as one, Server(settings) as two, browsers(one, 1) as (anna,):
        table = await anna.open("me Anna", "hotseat Bernd", undo="free")
        for _ in range(4):
            await token(anna, table)
        elsewhere = Browser(two.url)
        elsewhere.client.cookies = anna.client.cookies
        before = await elsewhere.game(table)
        for kind, left in ((UNDO, 3), (REDO, 4), (UNDO, 3), (UNDO, 2), (REDO, 3), (REDO, 4)):
            game = await anna.game(table)
            answers = await asyncio.gather(
                *(browser.send(f"{table}/{kind}", **seen(game)) for browser in (anna, elsewhere))
            )
            assert sorted(answer.status_code for answer in answers) == [204, 409]
            for browser in (anna, elsewhere):
                found = await browser.game(table)
                assert found["number"] == left
                assert found["version"] == game["version"] + 1
        assert (await anna.game(table))["state"] == before["state"]
        await elsewhere.client.aclose()


async def test_a_move_and_doing_again_at_once(tmp_path: Path) -> None:
    tables = await database(tmp_path)
    table_id = await put(tables, rocket(4), ["anna", "bernd"])
    await votes.ask(tables, table_id, "anna", UNDO, target=3)
    now = Seen(3, (await tables.load(table_id)).table.version)
    action = {"action": "take-token", "seat": 1, "metropolis": "Manchester"}
    done = await asyncio.gather(
        table_moves.move(tables, table_id, "bernd", now, action),
        votes.ask(tables, table_id, "anna", REDO, now),
        return_exceptions=True,
    )
    assert sum(isinstance(each, KursbuchError) for each in done) == 1
    assert await numbers(tables, table_id) == (4, 0)
    await tables.database.stop()


async def test_tables_of_an_older_database(tmp_path: Path) -> None:
    game = rocket(3)
    old = Database(str(tmp_path / "tables.sqlite3"))
    async with old.engine.begin() as connection:
        await connection.run_sync(as_stored_before, game)
    await old.start()
    tables = TableStore(old)
    snapshot = await tables.load("t1")
    assert (snapshot.notes, snapshot.redo.seats, snapshot.source) == ([], (), None)
    assert await votes.ask(tables, "t1", "anna", UNDO, target=1)
    assert await votes.ask(tables, "t1", "bernd", REDO)
    assert await numbers(tables, "t1") == (3, 0)
    again = (await TableStore(old).load("t1")).game
    assert again is not None
    assert again.state == game.state
    await old.stop()


async def test_a_wish_ends_with_what_it_was_about(tmp_path: Path) -> None:
    tables = await database(tmp_path)
    table_id = await put(tables, rocket(5), ["anna", "bernd"], undo="ask")
    assert not await votes.ask(tables, table_id, "anna", UNDO, target=3)
    await votes.answer(tables, table_id, "bernd", UNDO, True)
    assert not await votes.ask(tables, table_id, "anna", REDO)
    assert not await votes.ask(tables, table_id, "bernd", UNDO)
    await votes.answer(tables, table_id, "bernd", REDO, True)
    assert await numbers(tables, table_id) == (5, 0)
    with pytest.raises(Conflict):
        await votes.answer(tables, table_id, "anna", UNDO, True)
    await tables.database.stop()
