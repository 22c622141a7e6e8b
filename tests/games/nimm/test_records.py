"""Games that were kept are replayed as they were.

`open`, `rounds`, `sealed` and `turn` are whole games played before target tiles could be handed in
ahead of the price of locomotives passed on; together they have all types of auction. In `bonus-pays`
that is what the last move does.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import kursbuch
from kursbuch import bots
from kursbuch.core.verification import differences
from kursbuch.games.nimm import TITLE
from kursbuch.games.nimm import events as happened
from kursbuch.games.nimm.actions import UseTarget
from kursbuch.games.nimm.components import AUCTIONS
from tests.happened import every, only
from tests.records import unchained

RECORDS = Path(__file__).parent / "records"
WHOLE = ("open", "rounds", "sealed", "turn")


def text(name: str) -> str:
    return (RECORDS / f"{name}.txt").read_text("utf-8")


@pytest.mark.parametrize("name", WHOLE)
def test_older_games_are_replayed_as_they_were(name: str) -> None:
    game = kursbuch.load(text(name))
    assert game.over
    assert not list(differences(game))
    assert unchained(game.record()) == text(name)


def test_they_have_all_types_of_auction() -> None:
    seen = set()
    for name in WHOLE:
        events = [event for _, event in kursbuch.load(text(name)).events()]
        seen |= {event.auction for event in every(events, happened.RoundBegan)}
        assert every(events, happened.TurnedDown)
        assert every(events, happened.SparesReceived)
        assert every(events, happened.CardsReplaced)
    assert seen == set(AUCTIONS)


@pytest.mark.rule("nimm:target-use-1", "nimm:target-14", "nimm:auction-pass-6")
def test_a_game_in_which_a_bonus_pays_for_locomotives() -> None:
    game = kursbuch.load(text("bonus-pays"))
    events = game.moves[-1].events
    assert only(events, happened.TargetUsed).tile == "target-14"
    paid = every(events, happened.DraftPaid)[0]
    assert paid.seat == only(events, happened.TargetUsed).seat
    game.undo()
    assert game.pending[0].step == "too-dear"
    seat = game.pending[0].seat
    assert bots.make("greedy", 1).choose(game.view(seat)) == UseTarget(seat, "target-14")
    turned = [choice.action for choice in game.legal_actions(seat)][-1]
    assert TITLE.format(turned).startswith("turns down")
    game.apply(turned)
    assert kursbuch.load(game.record(reveal=True)).state == game.state
