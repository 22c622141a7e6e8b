"""The bonds of 1853: how much, who sits where, who has the elephant."""

from __future__ import annotations

import pytest

from kursbuch.core.events import visible_to
from kursbuch.games.g18xx.g1853.events import BondNoted, BondsShown, BondWritten
from tests.games.g18xx.g1853.table import Scene, bidding
from tests.games.g18xx.scene import NAMES
from tests.happened import every, only


def written(scene: Scene, *bonds: int) -> Scene:
    """Everybody writes a bond, in the order of the letters."""
    scene.do(*(f"{NAMES[seat]} writes a bond of {bond}" for seat, bond in enumerate(bonds)))
    return scene


def seating(scene: Scene) -> str:
    return "".join(NAMES[seat] for seat in scene.state.seating)


@pytest.mark.rule("1853:2.3", "1853:table-3", "1853:1-money")
@pytest.mark.parametrize(
    ("players", "cash", "bank"),
    [(3, 730, 12810), (4, 570, 12720), (5, 570, 12150), (6, 510, 11940)],
)
def test_the_money_at_the_start(players: int, cash: int, bank: int) -> None:
    scene = bidding(players)
    assert [scene.has(name) for name in NAMES[:players]] == [cash] * players
    assert scene.has("bank") == bank


@pytest.mark.rule("1853:1-flow-a", "1853:2.5.1", "1853:2.5.2")
def test_the_game_begins_with_all_writing_a_bond_at_the_same_time() -> None:
    scene = bidding(4)
    assert (scene.step(), scene.deciders()) == ("write-bonds", "ABCD")
    scene.do("C writes a bond of 60")
    assert (scene.step(), scene.deciders()) == ("write-bonds", "ABD")
    assert scene.refused("C writes a bond of 70") == "2.5.2"
    assert scene.refused("A is done") == "2.5.2"


@pytest.mark.rule("1853:2.5.2")
def test_the_example_of_four_bonds() -> None:
    for bond in (50, 580):
        assert bidding(4).refused(f"A writes a bond of {bond}") == "2.5.2"
    for bond in (60, 570):
        assert every(bidding(4).do(f"A writes a bond of {bond}"), BondWritten)


@pytest.mark.rule("1853:2.5.2", "1853:table-3")
@pytest.mark.parametrize(("players", "least"), [(3, 80), (4, 60), (5, 60), (6, 60)])
def test_the_smallest_bond_pays_the_fewest_cities(players: int, least: int) -> None:
    assert bidding(players).refused(f"B writes a bond of {least - 10}") == "2.5.2"
    bidding(players).do(f"B writes a bond of {least}")


@pytest.mark.rule("1853:2.5.2", "1853:2.3")
def test_bonds_are_multiples_of_ten() -> None:
    for bond in (65, 61, 69):
        assert bidding(4).refused(f"A writes a bond of {bond}") == "2.5.2"


@pytest.mark.rule("1853:2.5.2")
def test_with_the_option_bonds_are_whole_pounds() -> None:
    for bond in (60, 61, 570):
        bidding(4, bond_step="1").do(f"A writes a bond of {bond}")
    for bond in (59, 571):
        assert bidding(4, bond_step="1").refused(f"A writes a bond of {bond}") == "2.5.2"


@pytest.mark.rule("1853:2.5.3", "1853:1-elephant")
def test_the_highest_bond_sits_first_and_has_the_elephant() -> None:
    scene = written(bidding(4), 100, 140, 90, 60)
    assert (seating(scene), scene.elephant()) == ("BACD", "B")
    assert (scene.step(), scene.deciders()) == ("bid", "B")


@pytest.mark.rule("1853:2.5.3")
@pytest.mark.parametrize(("draw", "order"), [(0, "BACD"), (1, "BCAD")])
def test_lots_decide_between_equals(draw: int, order: str) -> None:
    scene = written(bidding(4).draws((draw, 2)), 100, 140, 100, 60)
    assert seating(scene) == order


@pytest.mark.rule("1853:2.5.3")
def test_lots_between_three_settle_all_their_seats() -> None:
    assert seating(written(bidding(4).draws((2, 3), (1, 2)), 60, 90, 90, 90)) == "DCBA"
    assert seating(written(bidding(4).draws((1, 3), (0, 2)), 90, 90, 90, 60)) == "BACD"


@pytest.mark.rule("1853:2.5.2", "1853:2.5.3", "1853:2.8.1")
def test_seating_ties_and_the_elephant() -> None:
    """Question 1."""
    assert bidding(4).refused("D writes a bond of 50") == "2.5.2"
    scene = written(bidding(4).draws((1, 2)), 140, 160, 160, 60)
    assert (seating(scene), scene.elephant()) == ("CBAD", "C")
    asked = []
    while scene.step() == "bid":
        name = scene.deciders()
        asked.append(name)
        # Cities of 20 with a company of their own, and a pass as soon as there may be one.
        lines = [line for line in scene.can(name) if "Multan" in line or "Mysore" in line]
        lines += [line for line in scene.can(name) if "Nagpur" in line]
        scene.do(
            f"{name} {'is done' if 'is done' in scene.can(name) else (lines or scene.can(name))[0]}"
        )
    assert "".join(asked[:8]) == "CBADCBAD"
    assert scene.step() == "stock-turn"
    assert scene.deciders() == "C"


@pytest.mark.rule("1853:2.5.3", "1853:2.5.11", "1853:example-2.5.2-a", "1853:example-2.5.3-a")
def test_the_example_of_three_bonds() -> None:
    """All are allowed, C has the elephant, then A and B; the money is no one's until it is repaid."""
    scene = bidding(3)
    scene.do("A writes a bond of 100", "B writes a bond of 90")
    events = scene.do("C writes a bond of 130")
    shown = only(events, BondsShown)
    assert shown.bonds == (100, 90, 130)
    assert shown.seating == (2, 0, 1)
    assert shown.amounts == (-100, -90, -130)
    assert (seating(scene), scene.elephant()) == ("CAB", "C")
    assert [scene.has(name) for name in "ABC"] == [630, 640, 600]
    assert [scene.bond(name) for name in "ABC"] == [100, 90, 130]
    assert scene.has("bank") == 15000 - 3 * 730


@pytest.mark.rule("1853:2.5.2")
def test_only_the_writer_is_told_the_amount_at_first() -> None:
    scene = bidding(3)
    events = scene.do("B writes a bond of 90")
    assert only(events, BondNoted).bond == 90
    told = [[type(event) for event in events if visible_to(event, seat)] for seat in (0, 1, None)]
    assert told == [[BondWritten], [BondWritten, BondNoted], [BondWritten]]
