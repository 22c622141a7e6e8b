"""The yardstick from people: what was done beside what an opponent thinks."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import kursbuch
from benchmarks.people import KINDS, Decided, beside, chosen, decisions, is_aside, table
from kursbuch.bots import Ranked, make
from kursbuch.games.g18xx.actions import AskPrice, Done, OfferTrain

GAMES = Path(__file__).parents[1] / "browser" / "games"


def test_decisions_of_a_recorded_game() -> None:
    game = kursbuch.load((GAMES / "1835.txt").read_text("utf-8"))
    found = list(islice(decisions(game, make("greedy", 1)), 20))
    assert found[0].kind == "packet"
    for each in found:
        assert each.kind in KINDS
        assert each.options >= 2
        assert each.place is not None
        assert each.place < each.options
        assert each.loss is not None
        assert (each.loss == 0) or each.place > 0
    rows = list(table(found))
    assert rows[-1].startswith(f"| all | {len(found)} |")


def test_a_choice_counts_once_whatever_its_amount() -> None:
    def offer(price: int) -> OfferTrain:
        return OfferTrain(0, "BY", "2", price)

    ranking = [
        Ranked(offer(1), 10.0),
        Ranked(offer(100), 8.0),
        Ranked(Done(0), 5.0),
        Ranked(offer(300), 1.0),
    ]
    assert beside(ranking, offer(120)) == (0, 2.0)
    assert beside(ranking, Done(0)) == (1, 5.0)
    assert beside(ranking, AskPrice(0, 50)) == (None, None)


def test_games_kept_aside() -> None:
    paths = [Path(f"{name}.rails") for name in "abcdef"]
    aside = chosen(paths, "aside")
    assert aside == [path for path in paths if is_aside(path)]
    assert sorted(aside + chosen(paths, "open")) == chosen(paths, "all") == paths


def test_what_is_not_considered_counts_as_missed() -> None:
    rows = list(table([Decided("sells", None, 4, None), Decided("sells", 0, 2, 0.0)]))
    assert rows[2] == "| sells | 2 | 50 %, 9 % to 91 % (38 %) | 50 %, 9 % to 91 % (88 %) | 0 |"
