"""Set-up, rounds, their preparation, and the end of the game."""

from __future__ import annotations

from collections import Counter

import pytest

import kursbuch
from kursbuch.games.nimm import TITLE
from kursbuch.games.nimm import events as happened
from kursbuch.games.nimm.components import AUCTIONS, KINDS
from kursbuch.games.nimm.state import (
    NimmState,
    Reckoning,
    auction_item,
    card_item,
    loco_item,
    owner,
    target_item,
)
from tests.games.nimm.randomplay import finished, new_game
from tests.games.nimm.scenario import NAMES, Scene
from tests.happened import every, only

CARDS = TITLE.cards


def in_use(state: NimmState) -> int:
    """The locomotives of a round: those still to be drawn, and those that were."""
    items = state.ledger.items
    drawn = ["unseen" not in items[loco_item(loco.id)] for loco in CARDS.locomotives]
    return state.unseen + sum(drawn)


@pytest.mark.rule("nimm:setup-1", "nimm:wagon-1", "nimm:wagon-2", "nimm:loco-1")
def test_the_cards() -> None:
    assert Counter(loco.drive for loco in CARDS.locomotives) == {
        "steam": 7,
        "diesel": 6,
        "electric": 5,
    }
    counts = {record.kind: record.count for record in CARDS.file.wagons}
    assert counts == dict(zip(KINDS, (25, 19, 15, 11, 7, 5), strict=True))
    assert sum(CARDS.counts.values()) == 87
    assert [CARDS.special[id_].count for id_ in CARDS.special] == [1] * 5
    assert all(50 <= wagon.value <= 500 for wagon in CARDS.wagons.values())
    assert {loco.multiplier for loco in CARDS.locomotives} == {1, 2, 3, 4, 5}
    assert len({loco.speed for loco in CARDS.locomotives}) == 18
    components = {component.id: component for component in TITLE.rules.components}
    for kind, count in counts.items():
        assert components[kind].count == count
        assert components[kind].part_of == "wagon-card"


@pytest.mark.rule("nimm:setup-2", "nimm:next-1")
@pytest.mark.parametrize(("seats", "used"), [(2, 6), (3, 9), (4, 12), (5, 15), (6, 18)])
def test_so_many_locomotives_are_used(seats: int, used: int) -> None:
    assert CARDS.used(seats) == used
    for seed in range(12):
        assert in_use(kursbuch.new("nimm", NAMES[:seats], seed=seed).state) == used
    # All of them are used again, whatever the round before has left.
    scene = Scene(seats).own(A="E3 D5 S5", B="D6 -").new_round(2)
    assert in_use(scene.state) == used


@pytest.mark.rule("nimm:setup-3", "nimm:setup-4", "nimm:setup-5", "nimm:setup-7")
def test_the_opening() -> None:
    starts = set()
    for seed in range(30):
        game = kursbuch.new("nimm", ["A", "B", "C", "D"], seed=seed)
        state: NimmState = game.state
        starts.add(state.start)
        items = state.ledger.items
        assert [state.ledger.held("money", owner(seat)) for seat in range(4)] == [5000] * 4
        assert state.tiles == [3] * 4
        held = Counter(next(iter(items[target_item(tile)])) for tile in CARDS.targets)
        assert held == {"0": 3, "1": 3, "2": 3, "3": 3, "pool": 6}
        dealt = every(game.opening, happened.TargetsDealt)
        assert [event.secret_to for event in dealt] == [(0,), (1,), (2,), (3,)]
        assert only(game.opening, happened.RoundBegan).seat == state.start
        assert [auction for auction in AUCTIONS if "table" in items[auction_item(auction)]] == [
            state.auction
        ]
    assert starts == {0, 1, 2, 3}


@pytest.mark.rule(
    "nimm:setup-7", "nimm:round-1", "nimm:round-2", "nimm:auction-general-1", "nimm:next-2",
    "nimm:next-5", "nimm:goal-2",
)  # fmt: skip
@pytest.mark.parametrize("seats", [2, 3, 6])
def test_three_rounds_each_with_its_own_type_of_auction(seats: int) -> None:
    game = finished(seats, 4)
    rounds = every([event for _, event in game.events()], happened.RoundBegan)
    assert [event.round for event in rounds] == [1, 2, 3]
    assert len({event.auction for event in rounds}) == 3
    starts = [event.seat for event in rounds]
    assert starts == [(starts[0] + n) % seats for n in range(3)]
    paid = every([event for _, event in game.events()], happened.ProfitPaid)
    assert len(paid) == 3 * seats
    assert game.over
    items = game.state.ledger.items
    assert sum("pool" in items[auction_item(auction)] for auction in AUCTIONS) == 3


@pytest.mark.rule("nimm:next-1", "nimm:next-2", "nimm:next-3", "nimm:next-4", "nimm:setup-7")
def test_the_next_round_is_prepared() -> None:
    scene = Scene(2).own(A="E3 - S1", B="E1 D2 S2").load("A", 1, "food50 coal150")
    scene.open("coal200 cattle100 bonus").pile("discard", "oil200").pile("spent", "double")
    scene.pile("box", "bin").pile("table", "longer-train").tiles(A="1 5", B="9")
    scene.put("loco:E4", "aside")
    scene.state.longer = True
    scene.turn("A", "A B").money(A=700).do("A passes")
    scene.coming("sealed", "E5", "E4", "E2").new_round(2)
    state = scene.state
    assert state.start == 1
    assert state.auction == "sealed"
    assert state.ledger.held(auction_item("turn"), "box") == 1
    assert state.order == []
    assert state.trains == [[], []]
    assert not state.longer
    assert state.passes == 0
    assert scene.deciders() == "B"
    assert state.offer == ["E5", "E4", "E2"]
    assert len(scene.at("unseen")) == 15
    assert state.unseen == 3
    for card, count in CARDS.counts.items():
        gone = card in ("bin", "longer-train")
        assert state.ledger.items[card_item(card)] == {"box" if gone else "deck": count}
    assert scene.purse("A") == 700
    assert state.tiles == [2, 1]
    assert [state.ledger.held(target_item(f"target-{n}"), "0") for n in (1, 5)] == [1, 1]


@pytest.mark.rule("nimm:end-1", "nimm:goal-2", "nimm:next-5")
def test_after_the_third_round_the_most_money_wins() -> None:
    scene = Scene(3).own(A="E3 D5 S5", B="D6 E1 S1", C="E4 D4 S2").money(A=900, B=100, C=1000)
    scene.load("B", 1, "coal150 coal150")
    scene.state.round = 3
    events = scene.run(Reckoning()).events
    assert only(events, happened.GameEnded).money == (900, 1300, 1000)
    assert scene.game.over
    result = scene.game.result
    assert result is not None
    assert (result.scores, result.winners) == ((900, 1300, 1000), (1,))


@pytest.mark.rule("nimm:end-2")
@pytest.mark.parametrize(("used", "winners"), [([1, 2, 3], (1,)), ([2, 2, 0], (0, 1))])
def test_ties(used: list[int], winners: tuple[int, ...]) -> None:
    scene = Scene(3).own(A="- - -", B="- - -", C="- - -").money(A=1000, B=1000, C=900)
    scene.state.round, scene.state.used = 3, used
    scene.run(Reckoning())
    result = scene.game.result
    assert result is not None
    assert result.winners == winners


@pytest.mark.rule("nimm:goal-1")
def test_locomotives_are_bought_before_wagons_are_coupled() -> None:
    game = finished(3, 11)
    phases = [
        type(event)
        for _, event in game.events()
        if isinstance(event, happened.RoundBegan | happened.OrderSet | happened.RoundEnded)
    ]
    assert phases == [happened.RoundBegan, happened.OrderSet, happened.RoundEnded] * 3


def test_a_record_is_readable() -> None:
    game = new_game(2, {}, 3)
    assert "option open_auction: calls" in game.record()
    assert loco_item("E3") in game.state.ledger.items
