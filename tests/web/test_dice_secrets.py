"""What lies behind the screens of Railroad Dice reaches nobody else, on no way out of the server.

A game is played once and then shown by servers for which the same moves left other things behind the
screens. Whoever may not know them must get the same bytes from all of these servers.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from kursbuch.dice import RailroadDice
from kursbuch.dice.state import BEHIND, SEATS, DiceState
from kursbuch.web import pages, present, thinking
from kursbuch.web.app import Settings
from tests.web.visitors import Browser, Server, seated

pytestmark = pytest.mark.asyncio

Secret = Callable[[DiceState], None]
#: So many moves are made at least.
MOVES = 45


def dice_behind(bernd: int, clara: int) -> Secret:
    """So many more dice behind the screens of two players, from the bank."""

    def change(state: DiceState) -> None:
        state.ledger.move("die", "supply", BEHIND[1], bernd)
        state.ledger.move("die", "supply", BEHIND[2], clara)

    return change


def counters(bernd: int, clara: int) -> Secret:
    """So many more passenger counters behind the screens of two players."""

    def change(state: DiceState) -> None:
        dice_behind(3, 3)(state)
        state.ledger.move("passengers", "bank", SEATS[1], bernd)
        state.ledger.move("passengers", "bank", SEATS[2], clara)

    return change


class House:
    """Servers on one database that differ in what lies behind the screens."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.settings = Settings(database=str(folder / "tables.sqlite3"), bot_processes=1)
        self.monkeypatch = monkeypatch
        self.setup = RailroadDice.setup
        self.jobs: list[thinking.Job] = []

    def server(self, secret: Secret) -> Server:
        """A server that remembers nothing of the others."""
        real, jobs = self.setup, self.jobs
        jobs.clear()

        def setup(title: RailroadDice, seats: int, options: Mapping[str, str]) -> DiceState:
            state = real(title, seats, options)
            secret(state)
            return state

        async def think(_: Any, function: Any, job: thinking.Job) -> Any:
            jobs.append(job)
            return [(thinking.any_move(job.view()), 1.0)]

        self.monkeypatch.setattr(RailroadDice, "setup", setup)
        self.monkeypatch.setattr("kursbuch.web.opponents.Thinkers.think", think)
        self.monkeypatch.setattr(present, "BOARDS", present.Boards())
        self.monkeypatch.setattr(pages, "FRAGMENTS", pages.Fragments())
        self.monkeypatch.setattr(present, "ago", lambda words, moment: "")
        self.monkeypatch.setattr("kursbuch.web.tables.secrets.token_hex", lambda _: "secrets")
        self.monkeypatch.setattr("kursbuch.web.thinking.random.choice", lambda found: found[0])
        return Server(self.settings)


async def play(table: str, players: list[Browser]) -> int:
    """Play for some years, until it is Anna's turn; nobody uses the dice that will be elsewhere.
    Returns the number of moves."""
    rng = random.Random(4)
    number = 0
    while True:
        games = [await player.game(table) for player in players]
        on_turn = next(seat for seat, game in enumerate(games) if game["choices"])
        if number >= MOVES and on_turn == 0:
            return number
        kinds: dict[str, list[dict[str, Any]]] = {}
        for choice in games[on_turn]["choices"]:
            kinds.setdefault(choice["action"]["action"], []).append(choice)
        # Whoever rolls, rolls one die: the others stay behind the screen.
        action = dict(rng.choice(kinds[rng.choice(list(kinds))])["action"])
        await players[on_turn].done(f"{table}/move", number=number, action=action)
        number += 1


async def everything(house: House, table: str, browser: Browser, moves: int) -> dict[str, str]:
    """All a visitor can get about a table."""
    name = table.rsplit("/", 1)[1]
    found = {}
    paths = [table, f"{table}/live", f"{table}/live?log=all", f"{table}/board.svg"]
    paths += [f"/api/tables/{name}", "/api/tables", f"{table}/record", "/"]
    for number in (0, 7, 30, moves - 1, moves):
        paths += [f"{table}/at/{number}", f"{table}/board.svg?move={number}"]
    for path in paths:
        for language in ("en", "de"):
            answer = await browser.client.get(path, headers={"accept-language": language})
            assert answer.status_code == 200, path
            found[f"{path} {language}"] = answer.text
    house.jobs.clear()
    hint = await browser.client.post(f"{table}/hint")
    found["hint"] = hint.text
    found["thinking"] = repr([job.state for job in house.jobs])
    for path in (f"{table}/move", f"/api/tables/{name}/move"):
        wrong = {"action": "roll", "seat": 0, "behind": 99, "questions": 0}
        refused = await browser.send(path, number=moves, action=wrong)
        found[f"refused {path}"] = refused.text
    async for event in browser.events(table):
        found["event"] = repr(sorted(event.items()))
        break
    # Every server has a port of its own.
    return {key: text.replace(browser.url, "") for key, text in found.items()}


@pytest.mark.parametrize("secret", [dice_behind, counters])
async def test_what_lies_behind_a_screen_stays_there(
    secret: Callable[[int, int], Secret], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = House(tmp_path, monkeypatch)
    cookies: list[Any] = []
    table, moves = "", 0
    shown: list[list[dict[str, str]]] = []
    for bernd, clara in ((6, 3), (3, 6)):
        async with house.server(secret(bernd, clara)) as server:
            people = [Browser(server.url) for _ in range(4)]
            anna, *others, _ = people
            if not table:
                table = await anna.open("me Anna", "open", "open", title="dice")
                await seated(table, *others)
                moves = await play(table, [anna, *others])
                for person in people:
                    await person.page(table)
                cookies = [dict(person.client.cookies) for person in people]
            for person, kept in zip(people, cookies, strict=True):
                person.client.cookies.update(kept)
            assert (await anna.game(table))["number"] == moves
            shown.append([await everything(house, table, person, moves) for person in people])
            for person in people:
                await person.client.aclose()
    (anna_first, bernd_first, clara_first, watcher_first) = shown[0]
    (anna_then, bernd_then, clara_then, watcher_then) = shown[1]
    assert anna_first["thinking"] != "[]"
    for first, then in ((anna_first, anna_then), (watcher_first, watcher_then)):
        assert first.keys() == then.keys()
        for key, text in first.items():
            assert text == then[key], key
    # The secret was indeed another one, and its owners see it.
    for first, then in ((bernd_first, bernd_then), (clara_first, clara_then)):
        for path in (table, f"{table}/live", f"/api/tables/{table.rsplit('/', 1)[1]}"):
            assert first[f"{path} en"] != then[f"{path} en"]
