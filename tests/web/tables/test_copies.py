"""Tables from tables: playing on from a move at one of one's own, and again with the same people."""

from __future__ import annotations

import asyncio
import random
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import delete, func, select, text

import kursbuch
from kursbuch.core.game import Game
from kursbuch.web.admin import tables as administration
from kursbuch.web.admin.audit import Actor
from kursbuch.web.db.models import Seat, Table
from kursbuch.web.http.errors import Conflict, Forbidden, Refused
from kursbuch.web.settings import Settings
from kursbuch.web.tables import copies, votes
from kursbuch.web.tables.snapshot import Seen
from kursbuch.web.tables.store import TableStore
from kursbuch.web.tables.votes import UNDO
from tests.web.stored import put
from tests.web.tables.test_undo import database, two
from tests.web.visitors import Browser, Server, choose, seated, seen

pytestmark = pytest.mark.asyncio(loop_scope="module")


@cache
def played(title: str, moves: int = 10_000, players: int = 3) -> Game:
    """A game in which random moves were made, to its end if they are enough."""
    rng = random.Random(5)
    game = kursbuch.new(title, ["Anna", "Bernd", "Clara"][:players], 7)
    while len(game.moves) < moves and not game.over:
        decision = rng.choice(game.pending)
        choice = rng.choice(game.legal_actions(decision.seat))
        game.apply(rng.choice(list(choice.actions())))
    return game


async def rows(tables: TableStore, kind: type[Any]) -> int:
    async with tables.database.reading() as session:
        return int(await session.scalar(select(func.count()).select_from(kind)) or 0)


def field(page: str, name: str) -> str:
    """The chosen value of a select of the form."""
    part = page.split(f'name="{name}"')[1].split("</select>")[0]
    (value,) = re.findall(r'value="([^"]*)" selected', part)
    return str(value)


# ---- playing on from a move


async def test_a_table_of_ones_own(anna: Browser, bernd: Browser, clara: Browser) -> None:
    table, mover, other = await two(anna, bernd, undo="none", help=False, objection=30)
    for person in (mover, mover, other):
        await person.move(table, choose(await person.game(table), "take-token"))
    before = await mover.game(table)
    me = before["my_seats"][0]
    page = await mover.page(f"{table}?move=2")
    assert "Play on after move 2" in page
    assert [field(page, f"seat{seat}") == "me" for seat in range(2)] == [me == 0, me == 1]
    players = {f"seat{seat}": "me" if seat == me else "random" for seat in range(2)}
    answer = await mover.done(f"{table}/copy", number=2, version=before["version"], **players)
    copy = answer.json()["url"]
    game = await mover.game(copy)
    assert game["my_seats"] == [me]
    assert [seat["kind"] for seat in game["seats"]] == [
        "person" if seat == me else "bot" for seat in range(2)
    ]
    assert [seat["name"] for seat in game["seats"]] == [seat["name"] for seat in before["seats"]]
    assert game["copied"] == 2
    assert game["log"][:3] == before["log"][:3]
    assert game["options"] == before["options"]
    # It is no one else's, and the other table does not know of it.
    for person in (bernd, clara):
        lists = (await person.client.get("/api/tables")).json()
        own = [each["id"] for each in lists.pop("mine")]
        shown = [each["id"] for listed in lists.values() for each in listed]
        assert copy[3:] not in [*(own if person is not mover else []), *shown]
    assert await mover.game(table) == before
    # Where it comes from is for those who may know that table, as is everything else of it.
    assert f'href="{table}?move=2"' in await mover.page(copy)
    assert "Copied from another table after move 2." in await clara.page(copy)
    # The copied moves stay; there is another seed.
    assert game["seed_hash"] != before["seed_hash"]
    await mover.refused(403, f"{copy}/undo", to=1)
    assert "Take back to here" not in await mover.page(f"{copy}?move=1")


async def test_an_unlisted_table_is_not_told_of(anna: Browser, clara: Browser) -> None:
    table = await anna.open("me Anna", "hotseat Bernd", listed=False)
    answer = await anna.done(f"{table}/copy", number=0, seat0="me", seat1="me")
    copy = answer.json()["url"]
    assert f'href="{table}?move=0"' in await anna.page(copy)
    for path in (copy, f"{copy}/live", f"{copy}?log=all"):
        assert table[3:] not in await clara.page(path)
    assert table[3:] not in str(await clara.game(copy))


async def test_draws_go_on_by_another_seed(tmp_path: Path) -> None:
    tables = await database(tmp_path)
    game = played("dice")
    assert game.over
    table_id = await put(tables, game, ["anna", None, None])
    at = len(game.moves) // 2
    copy_id = await copies.copy(tables, table_id, "anna", Seen(at), ["me", "me", "me"])
    snapshot = await tables.load(copy_id)
    copy = snapshot.game
    assert copy is not None
    assert copy.state == game.at(at).state
    assert (snapshot.table.status, snapshot.table.undo) == ("running", "free")
    assert snapshot.table.seed != game.seed
    # As another worker has it, and as its record says.
    again = (await TableStore(tables.database).load(copy_id)).game
    assert again is not None
    assert again.record(reveal=True) == copy.record(reveal=True)
    loaded = kursbuch.load(copy.record(reveal=True))
    assert loaded.copied == copy.copied == (kursbuch.Copied(at, game.seed_hash),)
    # A game that hides something has no copy of the copy either while it goes on.
    with pytest.raises(Conflict):
        await copies.copy(tables, copy_id, "anna", Seen(at), ["random", "me", "me"])
    await tables.database.stop()


async def test_the_check_of_a_copy(server: Server, anna: Browser) -> None:
    tables: TableStore = server.app.state.tables
    game = played("dice")
    table_id = await put(tables, game, [None, None, None], pace=0.0)
    at = len(game.moves) - 12
    answer = await anna.done(
        f"/t/{table_id}/copy", number=at, seat0="random", seat1="random", seat2="random"
    )
    copy = answer.json()["url"]
    await anna.until(copy, lambda game: game["status"] == "finished")
    page = await anna.page(f"{copy}/check")
    assert "Every draw since the game was copied comes from the seed." in page
    assert game.seed_hash in page
    found = (await anna.client.get(f"/api/tables{copy[2:]}/check")).json()
    assert found["passed"]
    record = kursbuch.load((await anna.client.get(f"{copy}/record")).text)
    assert record.over
    assert found["draws"] == len(record.draws()) - record.copied_draws()


@pytest.mark.parametrize("title", ["nimm", "dice", "1853"])
async def test_a_copy_tells_no_secrets(tmp_path: Path, title: str) -> None:
    tables = await database(tmp_path)
    game = played(title, 40)
    assert not game.over
    table_id = await put(tables, game, ["anna", "bernd", None])
    held = await rows(tables, Table)
    for number in (0, 17, 40):
        for visitor in ("anna", "clara"):
            with pytest.raises(Conflict, match="when the game is over"):
                await copies.copy(tables, table_id, visitor, Seen(number), ["me"] * 3)
    assert await rows(tables, Table) == held
    await tables.database.stop()


async def test_the_page_says_why_there_is_no_copy(server: Server, clara: Browser) -> None:
    tables: TableStore = server.app.state.tables
    table_id = await put(tables, played("nimm", 40), ["anna", "bernd", "clara"])
    page = await clara.page(f"/t/{table_id}?move=9")
    assert "you can play on from here when the game is over." in page
    assert 'id="copy"' not in page
    await clara.refused(409, f"/api/tables/{table_id}/copy", number=9, seats=["me", "me", "me"])
    # Where nothing is hidden, or everything is known, it may be copied.
    for game in (played("1835", 30), played("nimm")):
        other = await put(tables, game, ["anna", "bernd", "clara"])
        answer = await clara.done(f"/api/tables/{other}/copy", number=9, seats=["me", "me", "me"])
        found = await clara.game(answer.json()["url"])
        assert found["number"] == 9
        assert found["status"] == "running"


async def test_copies_that_cannot_be(tmp_path: Path) -> None:
    tables = await database(tmp_path)
    game = played("rocket", players=2)
    over = await put(tables, game, ["anna", "bernd"])
    running = await put(tables, played("rocket", 30, 2), ["anna", "bernd"])
    with pytest.raises(Conflict, match="over after this move"):
        await copies.copy(tables, over, "anna", Seen(len(game.moves)), ["me", "me"])
    for number in (-1, 31):
        with pytest.raises(Refused, match="no move number"):
            await copies.copy(tables, running, "anna", Seen(number), ["me", "me"])
    for players in ([], ["me"], ["me"] * 3, ["me", "Deep Blue"], ["", "me"]):
        with pytest.raises(Refused):
            await copies.copy(tables, running, "anna", Seen(5), players)
    # What was seen of a table where moves have been taken back since may be another game by now.
    before = (await tables.load(running)).table.version
    await votes.ask(tables, running, "anna", UNDO, target=10)
    with pytest.raises(Conflict, match="moved on"):
        await copies.copy(tables, running, "anna", Seen(5, before), ["me", "me"])
    assert await rows(tables, Table) == 2
    tables.most_open = 1
    assert await copies.copy(tables, running, "anna", Seen(5), ["me", "me"])
    with pytest.raises(Conflict, match="open tables"):
        await copies.copy(tables, running, "anna", Seen(5), ["me", "me"])
    await tables.database.stop()


async def test_a_copy_stays_when_its_table_goes(tmp_path: Path) -> None:
    tables = await database(tmp_path)
    table_id = await put(tables, played("rocket", 30, 2), ["anna", "bernd"])
    copy_id = await copies.copy(tables, table_id, "clara", Seen(20), ["me", "random"])
    assert (await tables.load(copy_id)).source is not None
    await administration.delete_one(tables, Actor("", "root"), table_id)
    snapshot = await tables.load(copy_id)
    assert (snapshot.source, snapshot.table.copied) == (None, 20)
    assert snapshot.game is not None
    assert len(snapshot.game.moves) == 20
    await tables.database.stop()


async def test_moves_of_older_editions_stay_as_they_were(tmp_path: Path) -> None:
    tables = await database(tmp_path)
    game = played("rocket", 30, 2)
    table_id = await put(tables, game, ["anna", "bernd"])
    async with tables.database.writing() as session:
        await session.execute(text("UPDATE move SET edition = 1"))
        await session.execute(text("UPDATE game_table SET edition = 1"))
    copy_id = await copies.copy(tables, table_id, "anna", Seen(30), ["me", "me"])
    copy = (await TableStore(tables.database).load(copy_id)).game
    assert copy is not None
    assert (copy.edition, {move.edition for move in copy.moves}) == (1, {1})
    assert copy.position.edition == copy.title.edition
    await tables.database.stop()


# ---- again with the same people


async def test_the_same_people_once_more(
    server: Server, anna: Browser, bernd: Browser, clara: Browser
) -> None:
    table = await anna.open("me Anna", "open", "bot random", options={"money": "open"})
    await seated(table, bernd)
    await anna.refused(409, f"{table}/again")
    await anna.done(f"{table}/end")
    await bernd.done(f"{table}/end/answer", answer="yes")
    await clara.refused(403, f"{table}/again")
    opened = await asyncio.gather(*(person.done(f"{table}/again") for person in (anna, bernd)))
    urls = {answer.json()["url"] for answer in opened}
    (again,) = urls
    before, after = await anna.game(table), await anna.game(again)
    names = [seat["name"] for seat in before["seats"]]
    assert [seat["name"] for seat in after["seats"]] == [*names[1:], names[0]]
    assert [seat["kind"] for seat in after["seats"]] == ["person", "bot", "person"]
    assert after["status"] == "running"
    assert after["options"] == before["options"]
    assert after["my_seats"] == [2]
    assert (await bernd.game(again))["my_seats"] == [0]
    assert after["seed_hash"] != before["seed_hash"]
    mine = (await bernd.client.get("/api/tables")).json()["mine"]
    assert again[3:] in [each["id"] for each in mine]
    # The old table leads there.
    opener = before["notes"][-1]["text"].removesuffix(" opens a rematch.")
    assert opener in names
    for person in (anna, bernd):
        page = await person.page(table)
        assert f'href="{again}"' in page
        assert "Rematch" not in page
    # Others may watch where they may watch now.
    assert f'href="{again}"' in await clara.page(table)
    hidden = await anna.open("me Anna", "bot random", listed=False)
    await anna.done(f"{hidden}/end")
    other = (await anna.done(f"{hidden}/again")).json()["url"]
    assert f'href="{other}"' in await anna.page(hidden)
    assert other[3:] not in await clara.page(f"{hidden}?log=all")
    assert other[3:] not in str(await clara.game(hidden))


async def test_two_who_ask_at_once_come_to_the_same_table(tmp_path: Path) -> None:
    settings = Settings(database=str(tmp_path / "tables.sqlite3"))
    async with Server(settings) as one, Server(settings) as two:
        game = played("nimm")
        tables: TableStore = one.app.state.tables
        people = ["anna", "bernd", "bernd"]
        table_id = await put(tables, game, people)
        found = await asyncio.gather(
            *(
                copies.again(server.app.state.tables, table_id, visitor)
                for server in (one, two)
                for visitor in ("anna", "bernd")
            )
        )
        assert len(set(found)) == 1
        assert await rows(tables, Table) == 2
        snapshot = await tables.load(found[0])
        assert [seat.owner for seat in snapshot.seats] == ["bernd", "bernd", "anna"]
        assert [seat.name for seat in snapshot.seats] == ["Bernd", "Clara", "Anna"]
        with pytest.raises(Forbidden):
            await copies.again(tables, table_id, "dov")
        # When that table is gone, there can be another.
        async with tables.database.writing() as session:
            await session.execute(delete(Table).where(Table.id == found[0]))
        assert await copies.again(tables, table_id, "anna") != found[0]
        assert await rows(tables, Seat) == 6


async def test_playing_on_with_what_was_seen(anna: Browser) -> None:
    table = await anna.open("me Anna", "hotseat Bernd", undo="free")
    for _ in range(3):
        await anna.move(table, choose(await anna.game(table), "take-token"))
    game = await anna.game(table)
    await anna.done(f"{table}/undo")
    await anna.refused(409, f"{table}/copy", **seen(game), seat0="me", seat1="me")
    answer = await anna.client.post(
        f"{table}/copy",
        data={"number": "1", "seat0": "me", "seat1": "me"},
        headers={"accept": "text/html"},
    )
    assert answer.status_code == 303
    assert (await anna.game(answer.headers["location"]))["number"] == 1
