"""Benchmarks measure what they say: cold calls do all the work, and what is kept is called warm."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache, partial
from types import FrameType
from typing import Any

import pytest

import kursbuch
from benchmarks import common, eighteen, engine, routes
from benchmarks.common import Caches, timed
from kursbuch.games.g18xx.g1835 import components as components_1835
from kursbuch.games.g18xx.g1853 import components as components_1853
from tests.browser.positions import whole_game
from tests.games.g18xx import peer

#: The positions in which trains run, in all our own games.
cases = cache(lambda title: tuple(routes.of_games(title)))

COMPONENTS: dict[str, Any] = {"1835": components_1835, "1853": components_1853}


def calls(work: Callable[[], object]) -> float:
    """How many functions are called: what work costs, without a clock."""
    count = 0

    def called(frame: FrameType, event: str, argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(called)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


@pytest.fixture(autouse=True)
def _count(monkeypatch: pytest.MonkeyPatch) -> None:
    """Benchmarks count calls in the place of seconds."""
    monkeypatch.setattr(common, "once", calls)


@pytest.mark.parametrize("title", ["1835", "1853"])
def test_cold_searches_for_routes_do_the_same_work(title: str) -> None:
    """However often a search is timed, it searches; only the warm call looks its answer up."""
    components = COMPONENTS[title].standard()
    caches = Caches()
    for case in cases(title)[:: len(cases(title)) // 3]:
        question = routes.question(components, case, mail=title == "1853")
        question()  # what tiles mean on their hexes is worked out
        first, second, median = (timed(question, caches, runs) for runs in (1, 1, 3))
        assert first.cold == second.cold == median.cold, case.name
        assert first.warm == second.warm == median.warm < first.cold / 3, case.name


@pytest.mark.parametrize("title", sorted(kursbuch.titles()))
def test_cold_questions_do_the_same_work(title: str) -> None:
    """The same for the questions about positions of every title."""
    _, positions = engine.random_actions(title, 1)
    caches = Caches()
    for position in positions[:: max(1, len(positions) // 3)]:
        for question in engine.QUESTIONS.values():
            work = partial(question, position)
            work()
            first, second = timed(work, caches, 1), timed(work, caches, 1)
            assert first == second
            assert first.warm <= first.cold


@pytest.mark.parametrize("title", ["1835", "1853"])
def test_what_track_is_worth_is_found_out_again(title: str) -> None:
    """Evaluations of 18xx are mostly looked up, if they are not cold."""
    position = whole_game(title).at(200)
    times = timed(partial(engine.evaluation, position), Caches(), 1)
    assert times.warm < times.cold / 3


def test_replays_start_cold() -> None:
    """A game that is replayed again is as much work as before."""
    game, caches = engine.random_game("1853", 1), Caches()
    game.rewind(60)
    replay = partial(eighteen._replay, game, caches, legal=True)
    replay()
    assert calls(replay) == calls(replay)


@pytest.mark.parametrize("title", ["1835", "1853"])
def test_routes_are_measured_without_recorded_games(
    title: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Our own games are there, with positions of every phase; recorded ones are not needed."""
    monkeypatch.setattr(peer, "there", lambda: False)
    assert list(routes._recorded()) == []
    components = COMPONENTS[title].standard()
    assert {case.phase for case in cases(title)} == {one.number - 1 for one in components.phases}
    found = routes._figures(title, components, cases(title)[:5], mail=title == "1853")
    shown = {one.name.rpartition(", ")[2] for one in found if one.warm is not None}
    assert {"median", "99th percentile", "worst"} <= shown
