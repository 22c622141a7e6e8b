"""What the others are asked for: one thing, whether it is to take back or to end the game."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import NamedTuple, cast

import pytest
import pytest_asyncio
from sqlalchemy import Connection

import kursbuch
from kursbuch.core.game import Game
from kursbuch.web.db.database import Database
from kursbuch.web.db.models import Seat, Table
from kursbuch.web.http.errors import Conflict
from kursbuch.web.tables import votes
from kursbuch.web.tables.store import TableStore
from kursbuch.web.tables.votes import END, UNDO
from tests.web.answers import fix_seed
from tests.web.stored import as_stored_before, insert
from tests.web.tables.test_vetoes import offered
from tests.web.visitors import Browser, choose, seated, seen

pytestmark = pytest.mark.asyncio(loop_scope="module")


class Asked(NamedTuple):
    """A table at which `objection_texts` would like move number `at` to be taken back, and `mover` has to move."""

    table: str
    asking: Browser
    mover: Browser
    other: Browser
    at: int


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
    tables = TableStore(database)
    found = await tables.load("t1")
    assert {wish.kind: (wish.seat, wish.target) for wish in found.consents.values()} == {
        UNDO: (0, 1),
        END: (0, None),
    }
    await votes.answer(tables, "t1", "bernd", kind, True, found.table.version)
    after = (await tables.load("t1")).table
    assert (after.number, after.status) == {UNDO: (1, "running"), END: (2, "closed")}[kind]
    with pytest.raises(Conflict):
        await votes.answer(tables, "t1", "bernd", kind, True)
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


async def whose_turn(table: str, people: Sequence[Browser]) -> Browser:
    """The player to move."""
    [mover, *_] = [person for person in people if (await person.game(table))["choices"]]
    return mover


async def turn(table: str, people: Sequence[Browser]) -> Browser:
    """The player to move does, until it is another player's turn."""
    mover = await whose_turn(table, people)
    while (game := await mover.game(table))["choices"]:
        await mover.move(table, choose(game, "take-token", "extend-line"))
    return mover


@pytest_asyncio.fixture(loop_scope="module")
async def asked(anna: Browser, bernd: Browser, clara: Browser) -> Asked:
    """A table at which anyone who had the first turn has asked to take the last move back."""
    table = await anna.open("me Anna", "open", "open", undo="ask")
    people = (anna, bernd, clara)
    await seated(table, bernd, clara)
    asking = await turn(table, people)
    at = (await asking.game(table))["number"]
    await asking.done(f"{table}/undo")
    mover = await whose_turn(table, people)
    other = next(person for person in people if person not in (asking, mover))
    return Asked(table, asking, mover, other, at)


async def test_others_go_on_while_somebody_waits_for_taking_back(asked: Asked) -> None:
    table, asking, mover, other, at = asked
    before = await other.game(table)
    await turn(table, [mover])
    number = (await other.game(table))["number"]
    page = await other.page(table)
    assert f"would like to take back {number - at + 1} moves" in page
    assert "Moves made in the meantime are taken back too." in page
    assert "If you make a move, you withdraw the request." in await asking.page(table)
    # Who answers the question as it was before the others went on means the same position.
    await other.done(f"{table}/undo/answer", **seen(before), answer="yes")
    assert "You have agreed" in await other.page(table)
    await mover.done(f"{table}/undo/answer", **seen(await mover.game(table)), answer="yes")
    assert (await other.game(table))["number"] == at - 1


async def test_who_agrees_and_moves_on_has_still_agreed(asked: Asked) -> None:
    table, _, mover, other, at = asked
    await mover.done(f"{table}/undo/answer", answer="yes")
    await turn(table, [mover])
    assert "You have agreed" in await mover.page(table)
    await other.done(f"{table}/undo/answer", answer="yes")
    assert (await mover.game(table))["number"] == at - 1


async def test_who_has_agreed_can_still_refuse(asked: Asked) -> None:
    table, asking, mover, other, at = asked
    # Who is asked is told so on the start page, too; who asks is not.
    for one in (mover, other, asking):
        assert ("asks you something" in await one.page("/")) is (one is not asking)
    await other.done(f"{table}/undo/answer", answer="yes")
    form = (await other.page(table)).split('id="undo-answer"')[1].split("</form>")[0]
    assert 'value="no"' in form
    assert 'value="yes"' not in form
    await other.done(f"{table}/undo/answer", **seen(await other.game(table)), answer="no")
    await mover.refused(409, f"{table}/undo/answer", answer="yes")
    game = await asking.game(table)
    assert game["number"] == at
    assert game["notes"][-1]["text"].endswith("does not agree to take moves back.")
    assert "asks you something" not in await mover.page("/")


async def test_a_move_of_whoever_asks_to_take_back_withdraws_it(asked: Asked) -> None:
    table, asking, mover, other, _ = asked
    await turn(table, [mover])
    await turn(table, [other])
    assert "would like to take back" in await mover.page(table)
    game = await asking.game(table)
    await asking.move(table, choose(game, "take-token", "extend-line"))
    assert "would like to take back" not in await mover.page(table)
    await mover.refused(409, f"{table}/undo/answer", answer="yes")


async def test_who_has_agreed_is_asked_anew_when_something_was_turned_up(
    anna: Browser, bernd: Browser, clara: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    seeds = (number for number in count() if _first_auction(number) == "sealed")
    fix_seed(monkeypatch, str(next(seeds)))
    table = await anna.open("me Anna", "open", "open", undo="ask", title="nimm")
    people = (anna, bernd, clara)
    await seated(table, bernd, clara)
    starter = await whose_turn(table, people)
    await starter.move(table, choose(await starter.game(table), "offer"))
    await anna.move(table, choose(await anna.game(table), "bid"))
    await anna.done(f"{table}/undo")
    await clara.done(f"{table}/undo/answer", answer="yes")
    await clara.move(table, choose(await clara.game(table), "bid"))
    assert "You have agreed" in await clara.page(table)
    before = await clara.game(table)
    # With the last bid all are turned up.
    await bernd.move(table, choose(await bernd.game(table), "bid"))
    form = (await clara.page(table)).split('id="undo-answer"')[1].split("</form>")[0]
    assert 'value="yes"' in form
    await clara.refused(409, f"{table}/undo/answer", **seen(before), answer="yes")
    for person in (clara, bernd):
        await person.done(f"{table}/undo/answer", **seen(await person.game(table)), answer="yes")
    assert (await anna.game(table))["number"] == 1


def _first_auction(seed: int) -> str:
    return str(kursbuch.new("nimm", ["Anna", "Guest 1", "Guest 2"], seed).state.auction)


class Costly:
    """A game of which no position may be asked for."""

    moves: Sequence[object] = ()

    def at(self, number: int) -> object:
        raise AssertionError(number)


async def test_whether_offers_were_declined_is_asked_only_where_it_matters() -> None:
    table = Table(status="running", undo="own")
    seats = [Seat(number=number, owner=owner) for number, owner in enumerate("ab")]
    game = Costly()
    game.moves = [SimpleNamespace(action=None)] * 4
    by_hand = [(0, False), (1, True), (1, True), (1, False)]
    assert not votes.may_go_back(table, seats, by_hand, "a", 0, cast(Game, game))
    own = [(0, False), (0, True)]
    assert votes.may_go_back(table, seats, own, "a", 0, cast(Game, game))
    with pytest.raises(AssertionError):
        votes.may_go_back(table, seats, [(0, False), (1, True)], "a", 0, cast(Game, game))


async def test_a_wish_about_many_moves_is_shown(anna: Browser, bernd: Browser) -> None:
    """Its target is a number of moves, more than there are seats; one that is not possible is said."""
    table = await anna.open("me Anna", "open", undo="ask")
    await seated(table, bernd)
    people = [anna, bernd]
    for _ in range(6):
        game = await anna.game(table)
        seat = next(one["number"] for one in game["seats"] if one["turn"])
        await people[seat].move(table)
    api = table.replace("/t/", "/api/tables/")
    number = (await anna.game(table))["number"]
    for wrong in (number, 999):
        refused = await anna.refused(422, f"{api}/undo", to=wrong)
        assert f"from 0 to {number - 1}" in refused
    assert "Send the number" in await anna.refused(422, f"{api}/undo", version=1)
    await anna.done(f"{api}/undo", to=4)
    for person in people:
        game = await person.game(table)
        assert [wish["kind"] for wish in game["wishes"]] == ["undo"]
        assert "would like to take back" in await bernd.page(table)
    await bernd.done(f"{api}/answer/undo", answer="yes")
    after = await anna.game(table)
    assert after["number"] == 4
    assert after["rewound"] == after["version"] > game["rewound"]


async def test_programs_read_what_a_table_is_like(anna: Browser, bernd: Browser) -> None:
    """And until when there is time to object."""
    table = await anna.open(
        "me Anna", "open", objection=300, moderation="players", language_note="auch deutsch"
    )
    await seated(table, bernd)
    game = await bernd.game(table)
    told = {"moderation": "players", "objection": 300, "language_note": "auch deutsch"}
    assert told.items() <= game["settings"].items()
    assert game["may_correct"]
    await offered(table, anna, bernd)
    game = await anna.game(table)
    asked = game["pending"][0]["seat"]
    assert game["pending"][0]["step"] == "objection"
    due = [one["due"] for one in game["seats"]]
    assert due[asked] is not None
    assert due[1 - asked] is None
