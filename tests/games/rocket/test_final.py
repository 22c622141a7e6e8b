"""The final scoring, and how majorities are paid. A's LBSC to N19 ends the game."""

from __future__ import annotations

import pytest

from kursbuch.core.events import Event
from kursbuch.games.rocket.events import KindScored, SharesScored, StationsScored, TokensReturned
from kursbuch.games.rocket.state import prizes
from tests.games.rocket.scenario import LINES, Scene, kinds
from tests.happened import every, only


def ending(**options: str) -> Scene:
    return Scene(options=options).line("LBSC", "O22 N21")


def end(scene: Scene) -> list[Event]:
    return scene.tiles(1).extend("A extends LBSC to N19")


def kind_paid(events: list[Event], kind: str) -> tuple[int, ...]:
    (found,) = (event for event in every(events, KindScored) if event.kind == kind)
    return found.amounts


def shares_paid(events: list[Event], line: str) -> SharesScored:
    (found,) = (event for event in every(events, SharesScored) if event.line == line)
    return found


@pytest.mark.rule("rocket:final-1")
def test_tokens_of_unconnected_metropolises_go_back() -> None:
    scene = ending().tokens("Exeter", A=2, B=1).tokens("Norwich", B=1).connect("GER", "Norwich")
    events = end(scene)
    returned = {
        (event.seat, event.metropolis): event.count for event in every(events, TokensReturned)
    }
    assert returned == {(0, "Exeter"): 2, (1, "Exeter"): 1}
    assert scene.held("token:Exeter", "A") == 0
    assert scene.supply("token:Exeter", "map") == 3
    assert kind_paid(events, "textile") == (0, 6000, 0, 0)
    tags = kinds(events)
    assert tags.index("tokens-returned") < tags.index("kind-scored")


@pytest.mark.rule("rocket:final-1", "rocket:final-2")
def test_scenario_13_tokens_of_an_unconnected_metropolis() -> None:
    scene = ending().tokens("Exeter", A=2).tokens("Norwich", A=1).tokens("Manchester", B=2)
    scene.connect("GER", "Norwich").connect("LMR", "Manchester")
    assert kind_paid(end(scene), "textile") == (3000, 6000, 0, 0)


@pytest.mark.rule("rocket:final-1", "rocket:merge-10")
def test_a_metropolis_connected_by_a_dissolved_line_counts() -> None:
    scene = ending().tokens("Exeter", A=1).connect("LMR", "Exeter").dissolve("LMR", into="YNM")
    assert kind_paid(end(scene), "textile") == (6000, 0, 0, 0)


@pytest.mark.rule("rocket:final-2")
def test_example_beer() -> None:
    scene = ending().tokens("Burton upon Trent", A=2, B=1).tokens("Reading", A=1, C=2)
    scene.tokens("Dorchester", B=1).connect("LMR", "Burton upon Trent", "Reading")
    events = end(scene)
    assert only(events, TokensReturned).seat == 1
    assert kind_paid(events, "beer") == (6000, 0, 3000, 0)


@pytest.mark.rule("rocket:final-2")
def test_five_kinds() -> None:
    scene = ending().passengers(B=2, C=1).tokens("London", C=1).connect("GER", "London")
    scene.tokens("Chatham", D=1).connect("GER", "Chatham")
    events = end(scene)
    assert [event.kind for event in every(events, KindScored)] == [
        "steel",
        "textile",
        "beer",
        "leather",
        "passengers",
    ]
    assert kind_paid(events, "passengers") == (0, 6000, 3000, 0)
    assert kind_paid(events, "leather") == (0, 0, 6000, 0)
    assert kind_paid(events, "steel") == (0, 0, 0, 6000)
    assert kind_paid(events, "textile") == kind_paid(events, "beer") == (0, 0, 0, 0)


@pytest.mark.rule("rocket:final-3")
def test_stations_of_every_line() -> None:
    scene = ending().line("GWR", "L9 L11 K12 K14").stations("B", "L11 K14").stations("C", "K12")
    scene.line("GER", "J27 J25").stations("D", "J25")
    scored = {event.line: event for event in every(end(scene), StationsScored)}
    assert scored["GWR"].towns == 3
    assert scored["GWR"].amounts == (0, 3000, 2000, 0)
    assert scored["GER"].amounts == (0, 0, 0, 1000)
    assert scored["LMR"].amounts == (0, 0, 0, 0)


@pytest.mark.rule("rocket:final-4", "rocket:def-share")
def test_shares_of_every_line_with_supplementary_ones() -> None:
    scene = ending().connect("GWR", "Oxford", "Worcester", "Reading").shares("GWR", B=3, C=2)
    scored = shares_paid(end(scene.supplementary("GWR", C=2)), "GWR")
    assert (scored.towns, scored.counts) == (4, (0, 3, 4, 0))
    assert scored.amounts == (0, 2000, 4000, 0)
    assert scored.final


@pytest.mark.rule("rocket:final-3", "rocket:final-4", "rocket:final-5")
def test_only_lines_not_dissolved() -> None:
    scene = ending().line("YNM", "B17 A18 A20").isolate("YNM").stock("GER", 0)
    scene.dissolve("LMR", into="GWR")
    events = end(scene)
    living = [line for line in LINES if line != "LMR"]
    assert [event.line for event in every(events, StationsScored)] == living
    assert [event.line for event in every(events, SharesScored)] == living


@pytest.mark.rule("rocket:final-5")
def test_a_line_that_never_moved_has_one_town() -> None:
    scored = shares_paid(end(ending().shares("LBR", B=1)), "LBR")
    assert (scored.towns, scored.amounts) == (1, (0, 1000, 0, 0))
    sold_out = shares_paid(end(ending().shares("LBR", B=16)), "LBR")
    assert sold_out.amounts == (0, 1000, 0, 0)


@pytest.mark.rule("rocket:tie-1")
def test_example_half_of_seven_thousand() -> None:
    scene = ending().connect("GWR", "Oxford", "Reading", "London", "Dover", "Leeds", "Hull")
    assert shares_paid(end(scene.shares("GWR", B=2, C=1)), "GWR").amounts == (0, 7000, 4000, 0)
    exact = ending(halves="exact")
    exact.connect("GWR", "Oxford", "Reading", "London", "Dover", "Leeds", "Hull")
    assert shares_paid(end(exact.shares("GWR", B=2, C=1)), "GWR").amounts == (0, 7000, 3500, 0)


@pytest.mark.rule("rocket:tie-2")
def test_example_three_tied_for_first() -> None:
    scene = Scene().line("LMR", "D7 D9", connected=[]).tokens("Manchester", A=1, B=1, C=1)
    scene.do("A extends LMR to C10")
    assert scene.money() == [1000, 1000, 1000, 0]
    assert prizes((2, 2, 1, 0), 6000, 3000, 1, 1000) == (5000, 5000, 0, 0)  # 4500 each
    assert prizes((2, 2, 1, 1), 2000, 1000, 1, 1000) == (2000, 2000, 0, 0)
    assert prizes((2, 2), 2000, 1000, 1, 1) == (1500, 1500)


@pytest.mark.rule("rocket:tie-3")
def test_example_two_tied_for_second() -> None:
    scene = ending().tokens("Chatham", A=3).tokens("Sheffield", B=2).tokens("Coalbrookdale", C=2)
    scene.connect("GER", "Chatham", "Sheffield", "Coalbrookdale")
    assert kind_paid(end(scene), "steel") == (6000, 2000, 2000, 0)
    assert prizes((3, 1, 1, 1), 6000, 3000, 1, 1000) == (6000, 1000, 1000, 1000)


@pytest.mark.rule("rocket:tie-4")
def test_only_one_player_with_anything() -> None:
    scene = ending().passengers(D=4).shares("GWR", C=2)
    events = end(scene)
    assert kind_paid(events, "passengers") == (0, 0, 0, 6000)
    assert shares_paid(events, "GWR").amounts == (0, 0, 1000, 0)


@pytest.mark.rule("rocket:tie-1", "rocket:tie-2", "rocket:tie-3")
@pytest.mark.parametrize(
    ("held", "rounded", "exact"),
    [
        ((5, 5, 3), (6000, 6000, 0), (5250, 5250, 0)),
        ((5, 3, 3), (7000, 2000, 2000), (7000, 1750, 1750)),
    ],
)
def test_scenario_14_ties(
    held: tuple[int, int, int], rounded: tuple[int, ...], exact: tuple[int, ...]
) -> None:
    for halves, expected in (("rounded", rounded), ("exact", exact)):
        scene = ending(halves=halves)
        scene.connect("GWR", "Oxford", "Reading", "London", "Dover", "Leeds", "Hull")
        scene.shares("GWR", **dict(zip("ABC", held, strict=True)))
        scored = shares_paid(end(scene), "GWR")
        assert scored.towns == 7
        assert scored.amounts == (*expected, 0)


@pytest.mark.rule("rocket:goal-1")
def test_the_score_is_the_money_of_all_payments() -> None:
    scene = ending().passengers(B=1).shares("GWR", B=2, C=1).stations("D", "N21")
    events = end(scene)
    assert scene.game.result is not None
    sums = [
        sum(column) for column in zip(*(e.amounts for e in every(events, KindScored)), strict=True)
    ]
    for kind in (StationsScored, SharesScored):
        for event in every(events, kind):
            sums = [have + more for have, more in zip(sums, event.amounts, strict=True)]
    assert scene.game.result.scores == tuple(sums) == tuple(scene.money())
    assert scene.game.result.winners == (1,)
