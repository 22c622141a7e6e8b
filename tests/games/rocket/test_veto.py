"""The veto: who may call it, bids, their order, and what they cost.

GWR stands on L11 facing east: K12 is left, L13 straight on, M12 right.
"""

from __future__ import annotations

import pytest

from kursbuch.core.actions import Range
from kursbuch.games.rocket.actions import Bid, CallVeto, LetStand, PassVeto
from kursbuch.games.rocket.events import (
    BidPassed,
    LetStood,
    Merged,
    PassengerTaken,
    SharesReturned,
    SharesSwapped,
    VetoCalled,
    VetoDecided,
)
from tests.games.rocket.scenario import Scene, kinds
from tests.happened import every, only


def at_l11(players: int = 4, **shares: int) -> Scene:
    return Scene(players).line("GWR", "L9 L11").shares("GWR", **shares)


def bids(scene: Scene, player: str) -> dict[str, Range | None]:
    """The destinations a player may bid for with the amounts."""
    return {
        choice.action.hex: choice.amount
        for choice in scene.choices(player, Bid)
        if isinstance(choice.action, Bid)
    }


@pytest.mark.rule("rocket:veto-1")
def test_shareholders_of_the_line_may_object() -> None:
    scene = at_l11(B=1).shares("GER", C=3).supplementary("GWR", D=1)
    scene.do("A extends GWR to L13")
    assert scene.deciders() == ["B", "D"]
    assert scene.refused("C objects") == scene.refused("C agrees") == "veto-1"
    assert scene.refused("A objects") == "veto-2"
    assert at_l11().do("A extends GWR to L13")[-1].rule == "tile-1"  # no one to ask


@pytest.mark.rule("rocket:veto-2")
def test_everybody_is_asked_once_and_without_a_call_the_move_stands() -> None:
    scene = at_l11(B=1, C=1, D=1)
    scene.do("A extends GWR to L13")
    assert scene.deciders() == ["B", "C", "D"]
    assert {type(choice.action) for choice in scene.game.legal_actions(2)} == {LetStand, CallVeto}
    assert scene.refused("C bids 1 for K12") == "veto-2"
    assert scene.refused("C takes London") == "veto-2"
    assert only(scene.do("C agrees"), LetStood).seat == 2
    assert scene.deciders() == ["B", "D"]
    assert scene.refused("C agrees") == scene.refused("C objects") == "veto-2"
    assert scene.at("GWR") == "L11"
    events = scene.do("D agrees", "B agrees")
    assert scene.at("GWR") == "L13"
    assert every(events, VetoDecided) == []
    assert scene.real("GWR") == [1, 1, 1, 1]


@pytest.mark.rule("rocket:veto-2", "rocket:veto-7")
def test_a_call_needs_no_bid_and_consent_no_silence() -> None:
    scene = at_l11(B=2, C=2)
    scene.do("A extends GWR to L13", "B agrees")
    assert only(scene.do("C objects"), VetoCalled).seat == 2
    assert scene.deciders() == ["B"]  # who let the move stand may still bid in the round
    scene.do("B bids 1 for K12")
    assert scene.allowed("C passes")


@pytest.mark.rule("rocket:veto-3")
def test_one_bid_each_clockwise_and_the_active_player_last() -> None:
    scene = at_l11(A=3, B=4, C=4, D=4).turn("C")
    scene.do("C extends GWR to L13", "B objects")
    order = []
    for bid in ("bids 1 for K12", "passes", "bids 2 for M12", "passes"):
        order += scene.deciders()
        scene.do(f"{scene.deciders()[0]} {bid}")
    assert order == ["D", "A", "B", "C"]
    assert scene.at("GWR") == "M12"
    assert scene.deciders() == ["C"]


@pytest.mark.rule("rocket:veto-3")
def test_without_shares_there_is_nothing_to_bid() -> None:
    scene = at_l11(B=1, D=1)
    scene.do("A extends GWR to L13", "D objects")
    assert scene.deciders() == ["B"]
    scene.do("B passes")
    assert scene.deciders() == ["D"]


@pytest.mark.rule("rocket:veto-1", "rocket:veto-3", "rocket:veto-11")
def test_whoever_is_not_asked_in_a_veto_round_is_told_why() -> None:
    scene = at_l11(A=3, B=4, C=4)
    scene.do("A extends GWR to L13")
    assert scene.refused("D bids 1 for K12") == scene.refused("A passes") == "veto-2"
    scene.do("B objects")
    for text in ("C bids 1 for K12", "C passes", "A bids 1 for L13"):
        assert scene.refused(text) == "veto-3"
        assert "B must decide now" in scene.sentence(text)
    assert scene.refused("D bids 1 for K12") == "veto-1"
    assert "no share of GWR" in scene.sentence("D passes")
    assert scene.refused("C objects") == scene.refused("D agrees") == "veto-11"
    scene.do("B passes")
    assert scene.refused("B bids 1 for K12") == "veto-3"
    assert "one opportunity" in scene.sentence("B passes")


@pytest.mark.rule("rocket:turn-1", "rocket:turn-5")
@pytest.mark.parametrize("calls", [(), ("B objects",)])
def test_a_further_action_waits_until_the_move_is_settled(calls: tuple[str, ...]) -> None:
    scene = at_l11(B=1, C=1)
    scene.do("A extends GWR to L13", *calls)
    assert scene.refused("A takes London") == "turn-5"
    assert scene.refused("D takes London") == "turn-1"


@pytest.mark.rule("rocket:veto-4")
def test_a_bid_is_a_number_of_shares_and_a_destination() -> None:
    scene = at_l11(B=3)
    scene.do("A extends GWR to L13", "B objects")
    assert bids(scene, "B") == {hex_name: Range(1, 3) for hex_name in ("K12", "L13", "M12")}
    for other in ("B takes London", "B agrees", "B objects", "B extends GWR to K12"):
        assert scene.refused(other) == "veto-4"
    events = scene.do("B bids 2 for K12")
    decided = only(events, VetoDecided)
    assert (decided.seat, decided.hex, decided.shares) == (1, "K12", 2)


@pytest.mark.rule("rocket:veto-5")
def test_every_bid_is_higher_than_the_one_before() -> None:
    scene = at_l11(B=3, C=4, D=3)
    scene.do("A extends GWR to L13", "B objects")
    assert scene.refused("B bids 0 for K12") == "veto-5"
    scene.do("B bids 2 for K12")
    assert scene.refused("C bids 1 for M12") == "veto-5"
    assert scene.refused("C bids 2 for M12") == "veto-5"
    assert scene.refused("C bids 5 for M12") == "veto-12"
    assert bids(scene, "C")["M12"] == Range(3, 4)
    events = scene.do("C bids 3 for M12")
    # D has 3 shares and A 1: neither can bid more.
    assert [(event.seat, event.forced) for event in every(events, BidPassed)] == [
        (3, True),
        (0, True),
    ]
    assert scene.at("GWR") == "M12"


@pytest.mark.rule("rocket:veto-6")
def test_destinations_are_judged_from_before_the_move() -> None:
    scene = at_l11(B=3, C=3)
    scene.do("A extends GWR to L13", "B objects")
    assert set(bids(scene, "B")) == {"K12", "L13", "M12"}
    for name in ("L15", "K14", "K10", "M10", "L9", "J15"):
        assert scene.refused(f"B bids 1 for {name}") == "veto-6"
    assert scene.refused("B bids 1 for Z9") == "setup-1"
    scene.do("B bids 1 for K12")
    assert scene.allowed("C bids 2 for K12")  # supporting a bid
    assert scene.allowed("C bids 2 for L13")  # supporting the move
    assert scene.allowed("C bids 2 for M12")


@pytest.mark.rule("rocket:veto-6", "rocket:move-4")
def test_six_destinations_from_the_start_town() -> None:
    scene = Scene().shares("LBR", B=1)
    scene.do("A extends LBR to H13", "B objects")
    assert set(bids(scene, "B")) == {"H13", "I12", "I10", "H9", "G10", "G12"}


@pytest.mark.rule("rocket:veto-7")
def test_everybody_may_pass() -> None:
    scene = at_l11(A=1, B=1, C=2)
    scene.do("A extends GWR to L13", "B objects")
    assert only(scene.do("B passes"), BidPassed).rule == "veto-7"
    scene.do("C bids 1 for K12")
    scene.do("A passes")
    assert scene.at("GWR") == "K12"
    assert scene.real("GWR") == [2, 1, 1, 0]


@pytest.mark.rule("rocket:veto-8")
def test_the_active_player_defends_only_his_own_choice() -> None:
    scene = at_l11(A=4, B=1)
    scene.do("A extends GWR to L13", "B objects", "B bids 1 for K12")
    assert bids(scene, "A") == {"L13": Range(1, 5)}
    for name in ("K12", "M12", "L15"):
        assert scene.refused(f"A bids 1 for {name}") == "veto-8"


@pytest.mark.rule("rocket:veto-9")
def test_example_equal_shares_win_for_the_active_player() -> None:
    scene = at_l11(A=2, B=2, C=3)
    scene.do("A extends GWR to L13", "B objects", "B bids 2 for K12", "C passes")
    assert scene.refused("A bids 1 for L13") == "veto-9"
    assert scene.allowed("A bids 3 for L13")
    scene.do("A bids 2 for L13")
    assert scene.at("GWR") == "L13"
    assert scene.real("GWR") == [1, 2, 3, 0]
    assert scene.left("GWR") == 16 - 6


@pytest.mark.rule("rocket:veto-10")
def test_example_only_the_last_bidder_pays() -> None:
    scene = at_l11(A=2, B=2, C=3, D=4)
    scene.do("A extends GWR to L13", "B objects", "B bids 1 for K12", "C bids 2 for K12")
    scene.do("D passes", "A passes")
    assert scene.at("GWR") == "K12"
    assert scene.real("GWR") == [3, 2, 1, 4]
    assert scene.step() == "turn"  # the destination was named with the bid


@pytest.mark.rule("rocket:veto-11")
def test_a_round_without_bids() -> None:
    scene = at_l11(A=2, B=2, C=2)
    scene.do("A extends GWR to L13", "C objects", "B passes")
    events = scene.do("C passes")
    assert only(events, VetoDecided).rule == "veto-11"
    assert every(events, SharesReturned) == []
    assert scene.at("GWR") == "L13"
    assert scene.real("GWR") == [3, 2, 2, 0]
    assert scene.step() == "turn"  # A need not bid, and there is no second round
    assert scene.deciders() == ["A"]


@pytest.mark.rule("rocket:veto-12")
def test_supplementary_shares_are_exchanged_clockwise_from_the_left() -> None:
    scene = at_l11(A=1, B=2, D=1).supplementary("GWR", C=5).turn("A")
    scene.do("A extends GWR to L13", "C objects", "B passes")
    assert bids(scene, "C")["K12"] == Range(1, 5)
    before = [
        real + extra for real, extra in zip(scene.real("GWR"), scene.extra("GWR"), strict=True)
    ]
    events = scene.do("C bids 4 for K12")
    assert scene.at("GWR") == "K12"
    swaps = [(event.other, event.shares) for event in every(events, SharesSwapped)]
    assert swaps == [(3, 1), (0, 2), (1, 1)]  # D, A, B
    after = [
        real + extra for real, extra in zip(scene.real("GWR"), scene.extra("GWR"), strict=True)
    ]
    assert after == [before[0], before[1], before[2] - 4, before[3]]
    assert scene.real("GWR") == [0, 1, 0, 0]
    assert scene.extra("GWR") == [2, 1, 1, 1]
    assert sum(scene.extra("GWR")) == 5


@pytest.mark.rule("rocket:veto-12")
def test_no_more_than_all_real_shares_of_the_players() -> None:
    scene = at_l11(B=1, C=1).stock("GWR", 0).supplementary("GWR", B=3)
    scene.do("A extends GWR to L13", "B objects")
    assert bids(scene, "B")["K12"] == Range(1, 2)
    assert scene.refused("B bids 3 for K12") == "veto-12"


@pytest.mark.rule("rocket:veto-13")
def test_returned_shares_can_be_taken_again() -> None:
    scene = at_l11(B=2).stock("GWR", 1)
    scene.do("A extends GWR to L13", "B objects")
    event = only(scene.do("B bids 2 for K12"), SharesReturned)
    assert (event.shares, event.gone) == (2, False)
    assert scene.left("GWR") == 2
    scene.do("A takes London", "B extends GWR to K14")
    assert scene.real("GWR") == [1, 1, 0, 0]


@pytest.mark.rule("rocket:veto-13", "rocket:iso-4")
def test_shares_of_an_isolated_line_leave_the_game() -> None:
    scene = at_l11(B=2).isolate("GWR")
    gone = scene.gone("GWR")
    scene.do("A extends GWR to L13", "B objects")
    event = only(scene.do("B bids 2 for K12"), SharesReturned)
    assert (event.shares, event.gone) == (2, True)
    assert (scene.left("GWR"), scene.gone("GWR")) == (0, gone + 2)


@pytest.mark.rule("rocket:veto-8", "rocket:veto-9", "rocket:veto-10")
def test_scenario_04_defending_with_equal_shares() -> None:
    scene = at_l11(A=2, B=3, C=3, D=4)
    scene.do("A extends GWR to M12", "B objects")
    scene.do("B bids 2 for K12", "C bids 3 for L13", "D passes")
    assert scene.choices("A", PassVeto)
    assert bids(scene, "A") == {"M12": Range(3, 3)}
    assert scene.refused("A bids 3 for K12") == "veto-8"
    assert scene.refused("A bids 3 for L13") == "veto-8"
    assert scene.refused("A bids 2 for M12") == "veto-9"
    scene.do("A bids 3 for M12")
    assert scene.at("GWR") == "M12"
    assert scene.real("GWR") == [0, 3, 3, 4]
    assert scene.left("GWR") == 6


@pytest.mark.rule("rocket:veto-6", "rocket:veto-10", "rocket:passenger-1")
def test_scenario_05_supporting_to_make_it_dear() -> None:
    scene = at_l11(B=2, C=2).stations("D", "L13")
    scene.do("A extends GWR to L13", "C objects", "B bids 1 for L13")
    assert scene.refused("C bids 1 for K12") == "veto-5"
    assert bids(scene, "C")["K12"] == Range(2, 2)
    scene.do("C passes")
    events = scene.do("A passes")
    assert scene.at("GWR") == "L13"
    assert scene.real("GWR") == [1, 1, 2, 0]
    assert only(events, PassengerTaken).seat == 0
    assert scene.held("passenger", "A") == 1


@pytest.mark.rule("rocket:passenger-1", "rocket:station-4")
def test_scenario_06_veto_and_passenger_token() -> None:
    scene = at_l11(B=1, C=2).stations("B", "K12").stations("D", "M12")
    scene.do("A extends GWR to K12", "B objects", "B passes")
    events = scene.do("C bids 2 for M12")
    assert every(events, PassengerTaken) == []
    assert scene.supply("passenger") == 9
    assert (scene.owner("M12"), scene.owner("K12")) == ("GWR", "")
    assert scene.turn("D").refused("D moves M12 to N19") == "station-4"
    assert scene.turn("B").allowed("B moves K12 to N19")


@pytest.mark.rule("rocket:veto-12")
def test_scenario_07_paying_with_supplementary_shares() -> None:
    scene = at_l11(B=1, C=4).supplementary("GWR", B=2)
    scene.do("A extends GWR to L13", "B objects")
    events = scene.do("B bids 3 for K12", "C passes")
    assert only(events, SharesSwapped).other == 2
    assert (scene.real("GWR")[1], scene.extra("GWR")[1]) == (0, 0)
    assert (scene.real("GWR")[2], scene.extra("GWR")[2]) == (2, 2)
    assert scene.real("GWR")[0] == 1
    short = at_l11(B=1, C=1).supplementary("GWR", B=2).stock("GWR", 0)
    short.do("A extends GWR to L13", "B objects")
    assert short.refused("B bids 3 for K12") == "veto-12"
    assert short.allowed("B bids 2 for K12")


@pytest.mark.rule("rocket:veto-10", "rocket:merge-1")
def test_a_veto_can_avoid_or_cause_a_merger() -> None:
    scene = at_l11(B=1).line("LSWR", "O16 N15 M14")
    scene.do("A extends GWR to L13", "B objects", "B bids 1 for K12")
    events = scene.do("A passes")
    assert every(events, Merged) == []
    assert scene.at("GWR") == "K12"
    scene = at_l11(B=1).line("LSWR", "O16 N15 M14")
    scene.do("A extends GWR to K12", "B objects", "B bids 1 for L13")
    assert only(scene.do("A passes"), Merged).into == "LSWR"


def test_what_a_veto_round_reports() -> None:
    scene = at_l11(B=1)
    events = scene.do("A extends GWR to L13", "B objects", "B bids 1 for K12", "A bids 1 for L13")
    assert kinds(events) == [
        "line-extended",
        "share-taken",
        "veto-called",
        "bid-made",
        "bid-made",
        "veto-decided",
        "shares-returned",
        "track-laid",
    ]
