"""Contracts of 1853: bonds until all are written, and cities until they are connected, reach no one but
their owner. Of two games that differ in nothing else, everybody else gets the same bytes."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import pytest

import kursbuch
from kursbuch.bots import Advice
from kursbuch.core.actions import Action, Choice
from kursbuch.core.game import Game
from kursbuch.games.g18xx.g1853.actions import WriteBond
from kursbuch.games.g18xx.g1853.state import BidTurn
from kursbuch.web.ai import jobs as bot_jobs
from tests.web.answers import answers, at_table, forget, impossible
from tests.web.visitors import Browser, Server

pytestmark = pytest.mark.asyncio

NAMES = ("Anna", "Bernd", "Clara")

#: Who has written something else.
BERND = 1

#: A seed, what was done, and what was done in the other game.
Twins = tuple[str, list[Action], list[Action]]


def bonds(*amounts: int | None) -> list[Action]:
    """Bonds by seat; None writes none yet."""
    return [WriteBond(seat, bond) for seat, bond in enumerate(amounts) if bond]


def new(seed: str) -> Game:
    return kursbuch.new("1853", NAMES, seed)


def first_bonds() -> Twins:
    """Two have written their bonds, one of them another one."""
    return "1", bonds(None, 250, 300), bonds(None, 410, 300)


def drawn(rng: random.Random, choices: list[Choice]) -> Action:
    """Any action, of every kind alike."""
    kinds: dict[type, list[Choice]] = {}
    for choice in choices:
        kinds.setdefault(type(choice.action), []).append(choice)
    return rng.choice(kinds[rng.choice(list(kinds))]).action


def twins(reached: Callable[[Game], bool], first: int = 0) -> Twins:
    """Two games with one city in Bernd's contract that differs, up to a position where Anna has to decide.
    The shares taken are the same, and so is all else that anybody has done. Seeds are tried from the `first` on."""
    for number in count(first):
        found = _twins(str(number), reached)
        if found:
            return found
    raise AssertionError


def _twins(seed: str, reached: Callable[[Game], bool]) -> Twins | None:
    rng = random.Random(seed)
    one, two = games = new(seed), new(seed)
    for action in bonds(240, 230, 250):
        for game in games:
            game.apply(action)
    while one.pending and one.pending == two.pending:
        seat = one.pending[0].seat
        contract = one.state.contracts[BERND]
        differ = contract.cities != two.state.contracts[BERND].cities
        if contract.shown or two.state.contracts[BERND].shown:
            return None
        if differ and seat == 0 and reached(one) and len(one.legal_actions(0)) > 1:
            first, second = ([move.action for move in game.moves] for game in games)
            return seed, first, second
        offered = [game.legal_actions(seat) for game in games]
        if seat == BERND and not differ and isinstance(one.state.agenda[-1], BidTurn):
            pair = rng.sample([choice.action for choice in offered[0]], 2)
            companies = {getattr(action, "company", "") for action in pair}
            if len(companies) == 1:
                one.apply(pair[0])
                two.apply(pair[1])
            continue
        both = [choice for choice in offered[0] if choice in offered[1]]
        if not both:
            return None
        action = drawn(rng, both)
        for game in games:
            game.apply(action)
    return None


def during_bids() -> Twins:
    return twins(lambda game: not game.state.round.number)


def operating() -> Twins:
    """In an operating round, where tiles can be laid."""
    return twins(lambda game: game.state.round.number == 2 and game.state.round.part == 1, 3)


@pytest.mark.parametrize("made", [first_bonds, during_bids, operating])
@pytest.mark.rule("1853:2.5.2", "1853:2.5.4", "1853:2.5.1")
async def test_what_is_written_reaches_nobody_else(
    made: Callable[[], Twins], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seed, *ways = made()
    jobs: list[bytes] = []

    async def think(_: Any, function: Any, job: bot_jobs.Job) -> Any:
        jobs.append(job.state)
        return Advice(((bot_jobs.any_move(job.view()), 1.0),))

    monkeypatch.setattr("kursbuch.web.ai.scheduler.AiScheduler.think", think)
    monkeypatch.setattr("kursbuch.web.ai.jobs.random.choice", lambda found: found[0])
    monkeypatch.setattr("kursbuch.web.home.views.ago", lambda words, moment: "")

    async def seen(server: Server, table: str, person: Browser, seat: int) -> dict[str, str]:
        game: Game = server.app.state.tables.games.kept(table[3:])
        tried = impossible(game, [*ways[0], *ways[1]], 0) if seat == 0 else []
        found = await answers(server, table, person, tried)
        found["hint"] = (await person.send(f"{table}/hint")).text
        return found

    def own(table: str) -> list[str]:
        return [f"{path} en" for path in (table, f"{table}/live", f"/api/tables{table[2:]}")]

    found = []
    for number, actions in enumerate(ways):
        forget()
        async with at_table(tmp_path / str(number), monkeypatch, "1853", seed, actions) as (
            server,
            table,
            people,
        ):
            found.append(
                [await seen(server, table, person, seat) for seat, person in enumerate(people)]
            )
    assert len(jobs) % 2 == 0
    assert jobs[0] == jobs[len(jobs) // 2]
    for seat, (one, two) in enumerate(zip(*found, strict=True)):
        if seat == BERND:
            # It was indeed another secret, and its owner sees it.
            assert all(one[key] != two[key] for key in own(table))
            continue
        assert one.keys() == two.keys()
        for key, text in one.items():
            assert text == two[key], key
