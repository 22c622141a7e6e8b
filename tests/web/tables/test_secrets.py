"""Nimm den Zug at the table: what must stay secret, bids at the same time, auctions against the
clock, and what may be done although no one waits for it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from html import unescape
from itertools import count
from pathlib import Path
from typing import Any

import msgspec
import pytest

import kursbuch
from kursbuch.bots import make
from kursbuch.core.actions import Action
from kursbuch.core.events import Event
from kursbuch.core.game import Game, View
from kursbuch.core.words import Words
from kursbuch.games.nimm import TITLE
from kursbuch.games.nimm.events import TargetsDealt
from kursbuch.games.nimm.state import (
    ChoiceBids,
    Draft,
    NimmState,
    SealedBids,
    SealedRaises,
    SecondBids,
    Turn,
    owner,
    target_item,
)
from kursbuch.web.db.models import Seat, now
from kursbuch.web.settings import Settings
from tests.web.answers import answers, everywhere, fix_seed, forget, stay
from tests.web.visitors import Browser, Server, SetClock, choose, seated

pytestmark = pytest.mark.asyncio(loop_scope="module")

PLAYERS = 3
NAMES = ("Anna", "Bernd", "Clara")


def seed_for(auction: str) -> str:
    """A seed with which the first round has this type of auction."""
    for number in count():
        game = kursbuch.new("nimm", NAMES, number)
        if game.state.auction == auction:
            return str(number)
    raise AssertionError


@asynccontextmanager
async def at_table(
    folder: Path, monkeypatch: pytest.MonkeyPatch, seed: str, **fields: Any
) -> AsyncIterator[tuple[Server, str, list[Browser]]]:
    """A server with one table of three people, and someone who watches."""
    forget()
    fix_seed(monkeypatch, seed)
    stay(monkeypatch)
    folder.mkdir(exist_ok=True)
    async with Server(Settings(database=str(folder / "tables.sqlite3"))) as server:
        people = [Browser(server.url, language) for language in ("en", "en", "de", "en")]
        try:
            table = await people[0].open("me Anna", "open", "open", title="nimm", **fields)
            await seated(table, *people[1:PLAYERS])
            yield server, table, people
        finally:
            for person in people:
                await person.client.aclose()


async def pending(table: str, people: Sequence[Browser]) -> list[int]:
    game = await people[0].game(table)
    return [decision["seat"] for decision in game["pending"]]


async def others_see(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    seed: str,
    before: Callable[[str, list[Browser]], Any],
    secret: Callable[[dict[str, Any]], dict[str, Any]],
) -> tuple[list[dict[str, str]], dict[str, str]]:
    """What the others see of a game in which someone has decided something secret, and what he
    sees himself."""
    async with at_table(folder, monkeypatch, seed, undo="free") as (server, table, people):
        await before(table, people)
        seat = (await pending(table, people))[0]
        action = secret(await people[seat].game(table))
        await people[seat].move(table, action)
        assert len(await pending(table, people)) == PLAYERS - 1
        # Another player, and someone who watches.
        others = [people[(seat + 1) % PLAYERS], people[PLAYERS]]
        return [await answers(server, table, other) for other in others], await answers(
            server, table, people[seat]
        )


async def same_for_others(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    seed: str,
    before: Callable[[str, list[Browser]], Any],
    ways: Sequence[Callable[[dict[str, Any]], dict[str, Any]]],
) -> None:
    found = [
        await others_see(tmp_path / str(number), monkeypatch, seed, before, way)
        for number, way in enumerate(ways)
    ]
    (first, own), (second, other_own) = found
    for one, two in zip(first, second, strict=True):
        for path, text in one.items():
            assert text == two[path], path
    assert own != other_own


def bid(more: int) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """A bid of so much more than the lowest."""

    def way(game: dict[str, Any]) -> dict[str, Any]:
        action = choose(game, "bid")
        return {**action, "amount": action["amount"] + more}

    return way


def keep(number: int) -> Callable[[dict[str, Any]], dict[str, Any]]:
    def way(game: dict[str, Any]) -> dict[str, Any]:
        return dict(game["choices"][number]["action"])

    return way


async def offer(table: str, people: list[Browser]) -> None:
    """The starter puts a locomotive up for auction."""
    (seat,) = await pending(table, people)
    await people[seat].move(table, choose(await people[seat].game(table), "offer"))


async def second_bids(table: str, people: list[Browser]) -> None:
    await offer(table, people)
    for seat in range(PLAYERS):
        await people[seat].move(table, bid(0)(await people[seat].game(table)))


async def nothing(table: str, people: list[Browser]) -> None:
    return


async def first_bid(table: str, people: list[Browser]) -> None:
    (seat,) = await pending(table, people)
    await people[seat].move(table, choose(await people[seat].game(table), "bid"))


@pytest.mark.parametrize(
    ("auction", "before"),
    [("sealed", offer), ("double", offer), ("double", second_bids), ("choice", nothing)],
)
@pytest.mark.rule("nimm:auction-sealed-2", "nimm:auction-double-1", "nimm:auction-choice-2")
async def test_a_secret_bid_shows_to_nobody_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, auction: str, before: Any
) -> None:
    await same_for_others(tmp_path, monkeypatch, seed_for(auction), before, (bid(0), bid(150)))


@pytest.mark.rule("nimm:auction-pass-2")
async def test_a_kept_card_shows_to_nobody_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await same_for_others(tmp_path, monkeypatch, seed_for("pass"), nothing, (keep(0), keep(1)))


async def agreed(table: str, asking: Browser, others: Sequence[Browser], kind: str) -> None:
    """Do what the others have to agree to."""
    await asking.done(f"{table}/{kind}")
    for person in others:
        await person.done(f"{table}/{kind}/answer", answer="yes")


async def test_a_secret_bid_taken_back_shows_to_nobody_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = []
    for number, way in enumerate((bid(0), bid(150))):
        fields = {"undo": "ask"}
        async with at_table(tmp_path / str(number), monkeypatch, seed_for("sealed"), **fields) as (
            server,
            table,
            people,
        ):
            await offer(table, people)
            seat = (await pending(table, people))[0]
            await people[seat].move(table, way(await people[seat].game(table)))
            others = [person for other, person in enumerate(people) if other != seat]
            seeing = (others[0], people[PLAYERS])
            before = [await answers(server, table, other) for other in seeing]
            bids = await answers(server, table, people[seat])
            await agreed(table, people[seat], others[:-1], "undo")
            assert seat in await pending(table, people)
            taken_back = [await answers(server, table, other) for other in seeing]
            await agreed(table, people[seat], others[:-1], "redo")
            assert seat not in await pending(table, people)
            again = [await answers(server, table, other) for other in seeing]
            found.append(([*before, *taken_back, *again], bids))
    (first, own), (second, other_own) = found
    for one, two in zip(first, second, strict=True):
        for path, text in one.items():
            assert text == two[path], path
    assert own != other_own


async def test_lines_that_are_kept_for_one_seat_are_on_no_other_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with at_table(tmp_path, monkeypatch, seed_for("sealed")) as (server, table, people):
        kept: Any = server.app.state.tables
        game = (await kept.load(table[3:])).game
        secret = [event for event in everything(game) if event.secret_to is not None]
        assert {seat for event in secret for seat in event.secret_to or ()} == {0, 1, 2}
        # From the second time on nothing of the log is made again.
        for _ in range(2):
            for number, person in enumerate(people):
                voice = TITLE.voice(Words("de" if number == 2 else "en", game.names))
                page = unescape(await person.page(f"{table}/live?log=all"))
                for event in secret:
                    assert (voice.describe(event) in page) == (number in (event.secret_to or ()))


def everything(game: Game) -> list[Event]:
    """What happened, anyone who may know it."""
    return [*game.opening, *(event for move in game.moves for event in move.events)]


def hold(game: dict[str, Any]) -> dict[str, Any]:
    return choose(game, "hold")


@pytest.mark.rule("nimm:option-open")
async def test_a_secret_raise_shows_to_nobody_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = []
    for number, way in enumerate((hold, bid(50))):
        fields = {"options": {"open_auction": "rounds"}, "undo": "free"}
        async with at_table(tmp_path / str(number), monkeypatch, seed_for("open"), **fields) as (
            server,
            table,
            people,
        ):
            await first_bid(table, people)
            seat = (await pending(table, people))[0]
            await people[seat].move(table, way(await people[seat].game(table)))
            others = [person for other, person in enumerate(people) if other != seat]
            found.append([await answers(server, table, other) for other in others])
    assert found[0] == found[1]


@pytest.mark.rule("nimm:option-open")
async def test_a_secret_raise_looks_like_holding_and_leaves_the_time_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages_seen = []
    for number, way in enumerate((hold, bid(50))):
        fields = {"options": {"open_auction": "rounds"}, "objection": 3600}
        async with at_table(tmp_path / str(number), monkeypatch, seed_for("open"), **fields) as (
            server,
            table,
            people,
        ):
            await first_bid(table, people)
            kept: Any = server.app.state.tables
            before = (await kept.load(table[3:])).table.deadline
            seat = (await pending(table, people))[0]
            await people[seat].move(table, way(await people[seat].game(table)))
            assert (await kept.load(table[3:])).table.deadline == before
            watched = await people[3].game(table)
            # Who is asked has time, in either game until another moment.
            seats = [{**one, "due": one["due"] is not None} for one in watched["seats"]]
            pages_seen.append({**watched, "seats": seats, "head": ""})
    assert pages_seen[0] == pages_seen[1]


# ---- secrets that are dealt


def swap_tiles(state: NimmState, seat: int, tiles: tuple[str, str]) -> None:
    items = state.ledger.items
    one, two = (target_item(tile) for tile in tiles)
    items[one], items[two] = items[two], items[one]


@pytest.mark.rule("nimm:setup-4", "nimm:setup-5")
@pytest.mark.parametrize("secret", ["tiles", "money"])
async def test_target_tiles_and_money_show_to_nobody_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, secret: str
) -> None:
    async with at_table(tmp_path, monkeypatch, seed_for("sealed")) as (server, table, people):
        await second_bids(table, people)
        before = [await answers(server, table, person) for person in people]
        game: Game = server.app.state.tables.games.kept(table[3:])
        seat = 0

        if secret == "tiles":
            items = game.state.ledger.items
            mine = next(t for t in TITLE.cards.targets if owner(seat) in items[target_item(t)])
            pool = next(t for t in TITLE.cards.targets if "pool" in items[target_item(t)])
            everywhere(game, lambda state: swap_tiles(state, seat, (mine, pool)))
            game.opening = tuple(
                msgspec.structs.replace(
                    event, tiles=tuple(pool if tile == mine else tile for tile in event.tiles)
                )
                if isinstance(event, TargetsDealt)
                else event
                for event in game.opening
            )
        else:
            everywhere(game, lambda state: state.ledger.move("money", "bank", owner(seat), 350))
        forget()
        after = [await answers(server, table, person) for person in people]
    for viewer, (one, two) in enumerate(zip(before, after, strict=True)):
        if viewer == seat:
            assert one != two
            continue
        for path, text in one.items():
            assert text == two[path], path


async def test_nothing_is_hidden_once_all_have_ended_the_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, clock: SetClock
) -> None:
    secret = seed_for("sealed")
    async with at_table(tmp_path, monkeypatch, secret, delay_minutes=15) as (_, table, people):
        await second_bids(table, people)
        clock.on(minutes=20)
        player, watcher = people[1], people[3]
        before, seen = await player.game(table), await watcher.game(table)
        assert seen["number"] == before["number"]
        assert [seat["score"] is None for seat in before["seats"]] == [True, False, True]
        drawn = await watcher.page(f"{table}/board.svg")
        numbers = await watcher.page(f"{table}/numbers")
        page = await watcher.page(table)
        await people[0].done(f"{table}/end")
        for person in people[1:PLAYERS]:
            await person.done(f"{table}/end/answer", answer="yes")

        after = await player.game(table)
        assert after["status"] == "closed"
        scores = [seat["score"] for seat in after["seats"]]
        assert None not in scores
        assert "–</" not in await player.page(f"{table}/payments/0")
        assert after["state"] == (await people[0].game(table))["state"]
        assert len(after["log"]) > len(before["log"])
        assert "is secret" not in await player.page(f"{table}/numbers")
        early = await player.page(f"{table}?move=1")
        assert early != await player.page(table)

        # Those who look on do not know of it yet.
        still = await watcher.game(table)
        for part in ("status", "state", "log", "seats"):
            assert still[part] == seen[part], part
        assert await watcher.page(f"{table}/board.svg") == drawn
        assert await watcher.page(f"{table}/numbers") == numbers
        clock.on(minutes=16)
        late = await watcher.game(table)
        assert late["state"] == after["state"]
        assert late["log"] == after["log"]
        assert [seat["score"] for seat in late["seats"]] == scores
        assert await watcher.page(table) != page


async def test_hints_know_only_what_the_asking_player_knows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    jobs: list[bytes] = []

    def think(view: View, data: bytes | None, spec: str, seed: object) -> None:
        jobs.append(view.title.encode(view.state))
        raise kursbuch.KursbuchError("Not now.")

    monkeypatch.setattr("kursbuch.web.ai.jobs.make_job", think)
    async with at_table(tmp_path, monkeypatch, seed_for("sealed")) as (server, table, people):
        await offer(table, people)
        seat, asking, *_ = await pending(table, people)
        await people[seat].move(table, bid(50)(await people[seat].game(table)))
        await people[asking].send(f"{table}/hint")
        game: Game = server.app.state.tables.games.kept(table[3:])
        # The question is the one of before the other answered it.
        question = game.at(len(game.moves) - 1).state
        assert jobs == [game.title.encode(game.title.view(question, asking))]
        # Who only watches, or has answered, gets none.
        await people[3].refused(403, f"{table}/hint")
        await people[seat].refused(409, f"{table}/hint")


# ---- at the same time


@pytest.mark.rule("nimm:auction-sealed-4")
async def test_secret_bids_are_made_at_the_same_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with at_table(tmp_path, monkeypatch, seed_for("sealed")) as (_, table, people):
        await offer(table, people)
        games = [await person.game(table) for person in people[:PLAYERS]]
        number = games[0]["number"]
        answers = await asyncio.gather(
            *(
                person.send(f"{table}/move", number=number, action=bid(0)(game))
                for person, game in zip(people, games, strict=False)
            )
        )
        assert [answer.status_code for answer in answers] == [204] * PLAYERS
        after = await people[3].game(table)
        assert after["number"] == number + PLAYERS
        assert any(event["event"]["event"] == "bids-shown" for event in after["log"])


@pytest.mark.rule("nimm:auction-open-3")
async def test_calls_at_the_same_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with at_table(tmp_path, monkeypatch, seed_for("open")) as (_, table, people):
        await first_bid(table, people)
        one, two = await pending(table, people)
        games = [await people[seat].game(table) for seat in (one, two)]
        number, move = games[0]["number"], f"{table}/move"
        await people[one].done(move, number=number, action=bid(50)(games[0]))
        # Letting a bid stand does not let a higher one stand; outbidding both is meant all the same.
        await people[two].refused(409, move, number=number, action=choose(games[1], "hold"))
        await people[two].refused(422, move, number=number, action=bid(0)(games[1]))
        await people[two].done(move, number=number, action=bid(100)(games[1]))
        (event,) = [
            event for event in (await people[3].game(table))["log"] if event["number"] == number + 2
        ]
        assert event["event"]["seat"] == two
        # Who has let a bid stand may still raise it.
        first = (await pending(table, people))[0]
        await people[first].move(table, choose(await people[first].game(table), "hold"))
        game = await people[first].game(table)
        assert game["acting"] is None
        assert [choice["action"]["action"] for choice in game["choices"]] == ["bid"]
        await people[first].move(table, bid(0)(game))


# ---- the clock


@pytest.mark.rule("nimm:auction-open-4")
async def test_a_higher_bid_starts_the_time_anew_and_holding_does_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fields = {"objection": 1}
    async with at_table(tmp_path, monkeypatch, seed_for("open"), **fields) as (
        server,
        table,
        people,
    ):
        assert "Time to raise in an open auction" in await people[0].page(table)
        await first_bid(table, people)
        kept: Any = server.app.state.tables

        async def deadline() -> Any:
            return (await kept.load(table[3:])).table.deadline

        first = await deadline()
        one, two = await pending(table, people)
        for person in (people[one], people[3]):
            assert "data-seconds" in await person.page(table)
        await people[one].move(table, choose(await people[one].game(table), "hold"))
        assert await deadline() == first
        await people[two].move(table, bid(0)(await people[two].game(table)))
        assert await deadline() > first
        # A call that took its time on the way still counts.
        await asyncio.sleep(1.1)
        (slow,) = set(await pending(table, people)) - {one}
        assert 'data-seconds="0.0"' in await people[slow].page(table)
        two = slow
        await people[two].move(table, bid(0)(await people[two].game(table)))
        ends = await deadline()
        # No one says anything more: the bid wins, a moment after the time that is shown.
        number = (await people[0].game(table))["number"]
        sold = await people[0].until(table, lambda game: game["number"] == number + 2)
        event = next(event for event in sold["log"] if event["event"]["event"] == "loco-sold")
        assert event["event"]["seat"] == two
        assert now() >= ends


@pytest.mark.rule("nimm:auction-open-4")
async def test_leaving_the_bidding_for_good(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with at_table(tmp_path, monkeypatch, seed_for("open")) as (_, table, people):
        await first_bid(table, people)
        one, two = await pending(table, people)
        page = await people[one].page(table)
        subject = page.split('name="subject" value="')[1].split('"')[0]
        assert f"Let every bid for {subject.split('/')[0]} in round 1 stand" in page
        await people[one].done(f"{table}/never-ask", subject=subject, on="1")
        await people[two].move(table, bid(0)(await people[two].game(table)))
        assert one not in await pending(table, people)
        assert "You let every bid for" in await people[one].page(table)


# ---- volunteers


def until_volunteering(players: int) -> tuple[str, list[Action], int, Action]:
    """A game up to a moment when someone has a target tile to hand in though it is another's turn:
    its seed and actions, the seat and what it may do."""
    for seed in count():
        bot = make("random", seed)
        game = kursbuch.new("nimm", NAMES[:players], seed)
        while not game.over and len(game.moves) < 120:
            game.apply(bot.choose(game.view(game.pending[0].seat)))
            step = next(reversed(game.state.agenda), None)
            if not isinstance(step, Turn):
                continue
            for seat in game.position.volunteers():
                offered = game.legal_actions(seat)
                if offered:
                    return str(seed), [move.action for move in game.moves], seat, offered[0].action
    raise AssertionError


@pytest.mark.rule("nimm:target-use-1")
async def test_a_target_tile_in_another_players_turn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seed, actions, seat, tile = until_volunteering(PLAYERS)
    async with at_table(tmp_path, monkeypatch, seed) as (_, table, people):
        for number, action in enumerate(actions):
            person = people[action.seat]
            await person.done(f"{table}/move", number=number, action=TITLE.action_to_json(action))
        volunteer = people[seat]
        game = await volunteer.game(table)
        assert game["acting"] is None
        assert TITLE.action_to_json(tile) in [choice["action"] for choice in game["choices"]]
        page = await volunteer.page(table)
        language = "Du kannst außerdem:" if seat == 2 else "You may also:"
        assert language in page
        assert 'data-turn="false"' in page
        (deciding,) = await pending(table, people)
        for number, person in enumerate(people):
            if number != seat:
                assert "You may also" not in await person.page(table)
        # It does not get in the way of the one whose turn it is.
        turn = await people[deciding].game(table)
        await volunteer.move(table, TITLE.action_to_json(tile))
        await people[deciding].done(
            f"{table}/move", number=turn["number"], action=choose(turn, "pass")
        )


@pytest.mark.rule("nimm:target-use-1")
async def test_the_computer_hands_in_a_target_tile_in_anothers_turn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seed, actions, seat, _ = until_volunteering(PLAYERS)
    async with at_table(tmp_path, monkeypatch, seed, pace=0) as (server, table, people):
        for number, action in enumerate(actions):
            person = people[action.seat]
            await person.done(f"{table}/move", number=number, action=TITLE.action_to_json(action))
        # From here on the computer plays the seat that could hand one in.
        async with server.app.state.tables.database.writing() as session:
            row = await session.get(Seat, (table[3:], seat))
            row.kind, row.bot, row.owner = "bot", "greedy", None
        (deciding,) = await pending(table, people)
        assert deciding != seat
        await people[deciding].move(table, choose(await people[deciding].game(table), "pass"))
        game = await people[3].until(
            table, lambda game: any(e["event"]["event"] == "target-used" for e in game["log"])
        )
        used = [e["event"]["seat"] for e in game["log"] if e["event"]["event"] == "target-used"]
        assert used[0] == seat


async def test_the_steps_with_secrets_are_the_ones_tested() -> None:
    """Every kind of step whose state holds answers of single players."""
    hiding = {kind for kind in TITLE.steps if {"answers", "picks"} & {*kind.__struct_fields__}}
    assert hiding == {SealedBids, SecondBids, ChoiceBids, SealedRaises, Draft}
