"""Ratings: of rated tables that are over, once, taken back with the end."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from pathlib import Path

import pytest
from sqlalchemy import select

import kursbuch
from kursbuch.core.game import Game
from kursbuch.core.title import Result
from kursbuch.web.accounts import ratings
from kursbuch.web.accounts.models import Account, RatedGame, Rating
from kursbuch.web.accounts.service import create
from kursbuch.web.db.database import Database
from kursbuch.web.db.models import Seat
from kursbuch.web.tables.store import TableStore
from tests.web.db.test_servers import postgres_schema
from tests.web.registration import register
from tests.web.stored import put
from tests.web.visitors import HTML, Browser, Server


async def rated(database: Database) -> dict[str, tuple[float, float, int, int]]:
    """The ratings by name."""
    query = select(Account.name, Rating).join(Rating, Rating.account_id == Account.id)
    async with database.reading() as session:
        return {
            name: (row.mu, row.sigma, row.games, row.won)
            for name, row in await session.execute(query.order_by(Account.name))
        }


async def people(database: Database, *names: str) -> list[str]:
    async with database.writing() as session:
        return [(await create(session, name, None)).id for name in names]


async def ended(tables: TableStore, owners: Sequence[str], result: Result) -> str:
    """A rated table at which a game has just ended so."""
    names = [f"P{number}" for number in range(len(owners))]
    game = Game(kursbuch.title("rocket"), names, seed="1")
    table_id = await put(tables, game, owners, rated=True)
    async with tables.changing(table_id, replayed=False) as change:
        await ratings.rate_game(change.session, change.table, change.seats, result)
    return table_id


async def taken_back(tables: TableStore, table_id: str) -> None:
    async with tables.changing(table_id, replayed=False) as change:
        await ratings.revoke_game(change.session, change.table)


def over(names: Sequence[str]) -> Game:
    """A game that has been played to its end."""
    game, chance = Game(kursbuch.title("rocket"), names, seed="2"), random.Random(2)
    while not game.over:
        choice = chance.choice(game.legal_actions(game.pending[0].seat))
        game.apply(choice.action)
    return game


def test_places_are_those_of_accounts_with_one_seat() -> None:
    def places(owners: Sequence[str | None], *result: Sequence[int]) -> list[tuple[str, int]]:
        seats = [Seat(number=number, owner=owner) for number, owner in enumerate(owners)]
        return ratings.places_of(seats, Result(tuple(result[0]), tuple(result[1])))

    a, b, c = "account-a", "account-b", "account-c"
    assert places([a, b, c], (5, 9, 5), (1,)) == [(a, 2), (b, 1), (c, 2)]
    # Who won won, also by a rule that is not in the scores.
    assert places([a, b, c], (9, 9, 5), (1,)) == [(a, 2), (b, 1), (c, 3)]
    # Browsers, computers and someone with two seats are not rated, but keep their places.
    assert places([a, "browser", None], (5, 9, 7), (1,)) == [(a, 3)]
    assert places([a, a, b], (5, 9, 7), (1,)) == [(b, 2)]


@pytest.mark.asyncio
async def test_a_rated_game_counts_once_and_can_be_taken_back(tmp_path: Path) -> None:
    await rate_and_take_back(str(tmp_path / "tables.sqlite3"))


@pytest.mark.asyncio
async def test_the_same_on_postgresql(postgres_url: str) -> None:
    async with postgres_schema(postgres_url) as url:
        await rate_and_take_back(url)


async def rate_and_take_back(place: str) -> None:
    database = Database(place)
    await database.start()
    tables = TableStore(database)
    ada, bob, cid = await people(database, "Ada", "Bob", "Cid")
    first = await ended(tables, [ada, bob, cid], Result((9, 5, 5), (0,)))
    after = await rated(database)
    assert after["Ada"][0] > 25 > after["Bob"][0] == after["Cid"][0]
    assert [row[2:] for row in after.values()] == [(1, 1), (1, 0), (1, 0)]

    # Again, also by several at once: nothing changes.
    async def again() -> None:
        async with tables.changing(first, replayed=False) as change:
            result = Result((5, 9, 5), (1,))
            await ratings.rate_game(change.session, change.table, change.seats, result)

    await asyncio.gather(*(again() for _ in range(3)))
    assert await rated(database) == after

    # Games of one title that end at the same time do not forget each other.
    async with asyncio.TaskGroup() as group:
        for _ in range(4):
            group.create_task(ended(tables, [bob, cid], Result((9, 5), (0,))))
    assert [row[2:] for row in (await rated(database)).values()] == [(1, 1), (5, 4), (5, 0)]
    last = await ended(tables, [cid, ada], Result((1, 2), (1,)))
    # Without the first one the others count as if it had never been.
    await taken_back(tables, first)
    without = await rated(database)
    assert [row[2:] for row in without.values()] == [(1, 1), (4, 4), (5, 0)]
    usual = {name: ratings.PlayerRating(25.0, 25.0 / 3) for name in (ada, bob, cid)}
    for _ in range(4):
        usual |= ratings.ratings_after(usual, [(bob, 1), (cid, 2)])
    usual |= ratings.ratings_after(usual, [(cid, 2), (ada, 1)])
    for name, account in (("Ada", ada), ("Bob", bob), ("Cid", cid)):
        assert without[name][0] == pytest.approx(usual[account].mu)
        assert without[name][1] == pytest.approx(usual[account].sigma)
    # An account that is no more leaves the others what they won of it.
    async with database.writing() as session:
        await session.delete(await session.get(Account, cid))
    await taken_back(tables, last)
    assert set(await rated(database)) == {"Bob"}
    assert (await rated(database))["Bob"][2:] == (4, 4)
    await database.stop()


@pytest.mark.asyncio(loop_scope="module")
async def test_a_rated_table_is_for_accounts_and_its_end_is_rated(
    server: Server, anna: Browser, bernd: Browser, clara: Browser
) -> None:
    wanted = {
        "title": "rocket",
        "rated": True,
        "seats": [{"kind": "me", "name": "Anna"}, {"kind": "open"}],
    }
    assert await anna.refused(403, "/api/tables", **wanted)
    assert "rated" not in await anna.page("/new?title=rocket")
    await register(anna, "Anna")
    await register(bernd, "Bernd")
    assert 'name="rated"' in await anna.page("/new?title=rocket")
    for other in ({"kind": "bot", "bot": "random"}, {"kind": "hotseat", "name": "B"}):
        seats = [wanted["seats"][0], other]  # type: ignore[index]
        assert await anna.refused(422, "/api/tables", **{**wanted, "seats": seats})
    table = (await anna.done("/api/tables", **wanted)).json()["url"]
    assert await clara.refused(403, f"{table}/join", seat=1, name="Clara")
    assert await anna.refused(409, f"{table}/join", seat=1, name="Anna too")
    # Whom it would be refused is not asked to sit down.
    assert 'id="join-1"' in await bernd.page(table)
    assert 'id="join-1"' not in await anna.page(table)
    page = await clara.page(table)
    assert 'id="join-1"' not in page
    assert f'"/login?next={table}"' in page.partition("<main")[2]
    await bernd.done(f"{table}/join", seat=1, name="Bernd")
    link = (await bernd.done(f"{table}/hand-on", seat=1)).json()["link"]
    assert await clara.refused(403, link.removeprefix(bernd.url))
    await bernd.done(f"{table}/start")

    # The end comes by a move, and the rating with it.
    tables: TableStore = server.app.state.tables
    owners = [str(seat.owner) for seat in (await tables.load(table[3:])).seats]
    game = over(["Anna", "Bernd"])
    last = game.moves[-1].action
    game.rewind(len(game.moves) - 1)
    near = await put(tables, game, owners, rated=True)
    assert await rated(tables.database) == {}
    mover = (anna, bernd)[last.seat]
    await mover.move(f"/t/{near}", game.title.action_to_json(last))
    result = (await anna.game(f"/t/{near}"))["winners"]
    ratings_now = await rated(tables.database)
    assert [row[2] for row in ratings_now.values()] == [1, 1]
    assert [row[3] for row in ratings_now.values()] == [int(n in result) for n in range(2)]
    # Everybody sees what it changed: two who had none are as far above as below what all begin with.
    moved = next(iter(ratings_now.values()))[0] * 60 - 1500
    for seen in (await anna.page(f"/t/{near}"), await clara.page(f"/t/{near}")):
        for gained in (abs(moved), -abs(moved)):
            sign = "+" if gained > 0 else "−"
            assert f"Rating {1500 + gained:.0f} ({sign}{abs(gained):.0f})" in seen
    assert "Rating 1" not in await anna.page(table)
    await anna.done(f"/t/{near}/again")
    again = (await tables.load(str((await tables.load(near)).table.again))).table
    assert again.rated
    profile = await clara.page("/people/bernd")
    assert "Stephenson" in profile
    assert "±" in profile
    # Who looks on with a delay does not learn the result there, either; who plays knows it.
    async with tables.changing(near, replayed=False) as change:
        change.table.delay_minutes = 30
    hidden, known = await clara.page("/people/bernd"), await anna.page("/people/bernd")
    assert "±" not in hidden
    assert "±" in known
    told = f"/t/{near}"
    assert told not in hidden
    assert told in known
    finished = (await clara.client.get("/api/tables")).json()["finished"]
    assert near not in [one["id"] for one in finished]
    async with tables.database.reading() as session:
        (counted,) = await session.scalars(select(RatedGame))
    assert [account for account, _ in counted.places] == owners
    assert (await clara.client.get("/people/nobody", headers=HTML)).status_code == 404
