"""The ladder: neighbours meet in every block, guests meet all, and ratings fit what happened."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, pairwise
from pathlib import Path

import pytest

import kursbuch
from benchmarks.ladder import PAGE, Ladder, levels, markdown, rungs, table, written
from kursbuch.bots import Bot, Ranked
from kursbuch.bots.match import Match, Outcome, Results, elo, play, played
from kursbuch.bots.worker_pool import LocalPool
from kursbuch.core.errors import KursbuchError
from kursbuch.core.game import View

ROCKET = kursbuch.title("rocket")
LEVELS = ["random", "careless:75", "careless", "greedy"]


class First(Bot):
    """Takes the first action."""

    def rank(self, view: View) -> list[Ranked]:
        return [Ranked(choice.action, 0.0) for choice in view.legal_actions()]


class Unready:
    """Is no bot."""

    def __init__(self, name: str, seed: int) -> None:
        pass


MINE = f"{First.__module__}:{First.__qualname__}"


def outcome(bots: str, *scores: int) -> Outcome:
    winners = tuple(seat for seat, score in enumerate(scores) if score == max(scores))
    zeros = (0,) * len(scores)
    return Outcome(0, tuple(bots), 1, scores, winners, zeros, tuple(map(float, zeros)))


@pytest.mark.parametrize(("name", "players"), [("rocket", 2), ("rocket", 3), ("1835", 3)])
def test_neighbours_meet_in_every_block(name: str, players: int) -> None:
    ladder = Ladder(kursbuch.title(name), LEVELS, players)
    blocks = [ladder.block(number) for number in range(2 * len(ladder.skipping))]
    assert {len(block) for block in blocks} == {ladder.size}
    numbers = [task.number for block in blocks for task in block]
    assert numbers == [*range(len(numbers))]
    met = Counter(
        frozenset(pair) for block in blocks for task in block for pair in combinations(task.bots, 2)
    )
    near = [met[frozenset(pair)] for pair in pairwise(LEVELS)]
    assert min(near) >= len(blocks) * players
    assert sum(near) > sum(met.values()) / 2
    seats = Counter((bot, seat) for task in blocks[0] for seat, bot in enumerate(task.bots))
    for bot in LEVELS:
        assert len({seats[bot, seat] for seat in range(players)}) == 1


def test_a_guest_meets_all_levels() -> None:
    block = Ladder(ROCKET, LEVELS, 2, guests=[MINE]).block(0)
    assert {bot for task in block if MINE in task.bots for bot in task.bots} == {*LEVELS, MINE}


def test_a_bot_of_ones_own_plays_a_match() -> None:
    with Results() as results:
        found = play(Match(ROCKET, [MINE, "random"]), 2, LocalPool(1), results)
    assert [standing.bot for standing in found.bots] == [MINE, "random"]
    assert found.errors == 0


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        (f"{__name__}:Unready", "is no subclass of"),
        (f"{__name__}:Nothing", "cannot be created: module"),
        ("nowhere:First", "cannot be created: No module named 'nowhere'"),
    ],
)
def test_what_is_no_bot_is_told(spec: str, said: str) -> None:
    with pytest.raises(KursbuchError, match=said):
        Match(ROCKET, [spec, "random"])


def test_ratings_are_against_one_and_only_those_who_met_drew() -> None:
    """Each wins 300 of 300 against the next; with the draw that is added, 300.5 against 0.5."""
    blocks = [[outcome("ab", 2, 1), outcome("bc", 2, 1)] for _ in range(300)]
    found = [rating for rating in elo("abc", blocks, "b") if rating is not None]
    assert found[1].value == found[1].reach == 0
    assert 10 ** (found[0].value / 400) == pytest.approx(601, rel=1e-4)
    assert found[2].value == pytest.approx(-found[0].value)
    assert found[0].reach == pytest.approx(found[2].reach)
    # Half a game lost in 301: the standard error is about the unit of Elo times the root of two.
    assert found[0].reach == pytest.approx(1.96 * 173.7 * 2**0.5, rel=0.01)


def test_a_ladder_is_resumed_and_shown(tmp_path: Path) -> None:
    ladder = Ladder(ROCKET, ["random", "careless:99", "greedy"], 2)
    path = str(tmp_path / "rocket.sqlite")
    for games in (6, 12):
        with Results(path) as results:
            blocks, failed = played(ladder, games, LocalPool(1), results)
    assert [len(block) for block in blocks] == [6, 6]
    assert not failed
    rows = table(rungs(ladder, blocks))
    assert [row[0] for row in rows[1:]] == ["random", "careless:99", "greedy"]
    assert rows[-1][1] == "0"
    shown = markdown(ROCKET, 2, rows, "the command")
    assert shown[0].startswith("**Stephenson's Rocket**, 2 players (`the command`; commit ")
    assert all(line.count("|") == 6 for line in shown[2:])


@pytest.mark.parametrize("name", sorted(kursbuch.titles()))
def test_every_title_has_its_place_on_the_page(name: str) -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert written(written(page, name, ["new"]), name, ["new"]).count("\nnew\n") == 1
    assert len(levels(kursbuch.title(name), 8)) > kursbuch.title(name).seats[0]
    with pytest.raises(KursbuchError, match="no marks"):
        written("", name, [])
