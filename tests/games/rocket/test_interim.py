"""Interim scoring: metropolises and railway towns."""

from __future__ import annotations

import pytest

from kursbuch.games.rocket.events import (
    Connected,
    Merged,
    MetropolisScored,
    SharesScored,
    StationsScored,
)
from tests.games.rocket.scenario import Scene, kinds, payments
from tests.happened import every, only


def everything_in_one_move() -> Scene:
    """LSWR is to move to K16, next to Reading, Oxford and a track tile of GWR on J17."""
    scene = Scene().line("GWR", "L9 K10 K12 J13 I14 I16 J17 K18", connected=["Worcester"])
    scene.line("LSWR", "O16 N15 M16 L15", connected=["Salisbury", "Dorchester"])
    scene.tokens("Reading", A=1, B=2).stations("A", "N15").stations("B", "M16 L15")
    return scene.stations("C", "K12 I14").shares("LSWR", A=3, B=3, C=1).shares("GWR", D=2)


@pytest.mark.rule("rocket:interim-1", "rocket:interim-2", "rocket:merge-1", "rocket:merge-4")
@pytest.mark.rule("rocket:merge-10")
def test_scenario_01_everything_in_one_move() -> None:
    scene = everything_in_one_move()
    events = scene.extend("A extends LSWR to K16")
    metropolis = only(events, MetropolisScored)
    stations = only(events, StationsScored)
    shares = only(events, SharesScored)
    merged = only(events, Merged)
    assert (metropolis.metropolis, metropolis.amounts) == ("Reading", (1000, 2000, 0, 0))
    assert (stations.line, stations.town, stations.towns) == ("LSWR", "Oxford", 5)
    assert stations.amounts == (3000, 5000, 0, 0)  # half of 5000, paid as 3000
    assert (shares.line, shares.towns, shares.counts) == ("LSWR", 5, (4, 3, 1, 0))
    assert shares.amounts == (5000, 3000, 0, 0)
    order = [metropolis, stations, merged, shares]
    assert [event for event in events if event in order] == order
    assert (merged.line, merged.into) == ("LSWR", "GWR")
    assert scene.towns("GWR") == {
        "Bristol",
        "Worcester",
        "Southampton",
        "Salisbury",
        "Dorchester",
        "Reading",
        "Oxford",
    }
    assert scene.money() == [9000, 10000, 0, 0]


@pytest.mark.rule("rocket:interim-1")
def test_the_order_of_payment() -> None:
    events = everything_in_one_move().extend("A extends LSWR to K16")
    tags = [tag for tag in kinds(events) if tag != "let-stood"]
    assert tags == [
        "line-extended",
        "share-taken",
        "track-laid",
        "connected",
        "connected",
        "metropolis-scored",
        "stations-scored",
        "merged",
        "shares-scored",
        "shares-exchanged",
        "shares-exchanged",
        "shares-exchanged",
    ]


@pytest.mark.rule("rocket:interim-2", "rocket:merge-4")
def test_every_new_town_counts_in_the_payments_of_the_move() -> None:
    scene = Scene().line("LMR", "D7 E8 F9", connected=[]).stations("B", "F9").shares("LMR", C=2)
    events = scene.extend("A extends LMR to G10")  # Coalbrookdale, Crewe, and into LBR
    assert only(events, StationsScored).towns == 3
    assert only(events, SharesScored).towns == 3


@pytest.mark.rule("rocket:metro-1")
def test_a_new_connection_is_scored() -> None:
    scene = Scene().line("LMR", "D7 E8").tokens("Manchester", B=1)
    events = scene.do("A extends LMR to E10")
    assert [event.metropolis for event in every(events, MetropolisScored)] == ["Manchester"]
    assert only(events, MetropolisScored).amounts == (0, 2000, 0, 0)


@pytest.mark.rule("rocket:metro-2")
def test_example_two_tokens_against_one() -> None:
    scene = Scene().line("LMR", "D7 E8").tokens("Manchester", A=2, B=1)
    scene.do("A extends LMR to E10")
    assert scene.money() == [2000, 1000, 0, 0]
    assert (scene.held("token:Manchester", "A"), scene.held("token:Manchester", "B")) == (2, 1)


@pytest.mark.rule("rocket:metro-3")
def test_once_for_every_line() -> None:
    scene = Scene().line("LMR", "D7 D9").line("YNM", "B17 C16 D15").tokens("Manchester", A=1)
    assert scene.towns("LMR") == {"Liverpool", "Manchester"}
    again = scene.do("A extends LMR to E10")
    assert every(again, MetropolisScored) == []
    second = scene.do("A extends YNM to D13")
    assert "Manchester" in [event.metropolis for event in every(second, MetropolisScored)]
    assert scene.money()[0] == 2000


@pytest.mark.rule("rocket:metro-4", "rocket:merge-10")
def test_example_an_inherited_metropolis_is_not_scored_again() -> None:
    """LSWR, connected to Reading, is merged into GWR, whose locomotive later comes to Reading."""
    scene = Scene().line("GWR", "L9 L11 L13").line("LSWR", "O16 N17 M16").tokens("Reading", A=3)
    assert "Reading" in scene.towns("LSWR")
    assert only(scene.do("A extends LSWR to L15"), Merged).into == "GWR"
    scene.extend("A extends GWR to K14")
    events = scene.turn("B").extend("B extends GWR to K16")
    assert every(events, MetropolisScored) == []
    assert scene.at("GWR") == "K16"
    new = Scene().line("GWR", "L9 L11 L13 K14").tokens("Reading", A=3)
    scored = only(new.do("A extends GWR to K16"), MetropolisScored)
    assert (scored.metropolis, scored.amounts) == ("Reading", (2000, 0, 0, 0))


@pytest.mark.rule("rocket:metro-3", "rocket:metro-4")
def test_scenario_02_twice_the_same_metropolis() -> None:
    """LMR, then YNM come to Manchester; YNM is merged into LMR, which passes Manchester again."""
    scene = Scene(2).line("YNM", "B17 C16 D15").tokens("Manchester", B=2)

    def manchester(line: str, *hexes: str) -> int:
        events = [
            event
            for name in hexes
            for event in scene.turn("A").extend(f"A extends {line} to {name}")
        ]
        return [event.metropolis for event in every(events, MetropolisScored)].count("Manchester")

    assert manchester("LMR", "D9") == 1
    assert manchester("YNM", "D13") == 1
    assert manchester("YNM", "E12", "E10") == 0
    assert (scene.at("YNM"), scene.owner("E12")) == ("", "LMR")
    assert manchester("LMR", "C10", "C12") == 0
    assert scene.money()[1] == 4000


@pytest.mark.rule("rocket:metro-5")
def test_two_metropolises_in_one_move() -> None:
    scene = Scene().line("LSWR", "O16 N17 M18", connected=[]).tokens("London", A=1, B=2)
    scene.tokens("Reading", C=1)
    events = scene.do("A extends LSWR to L19")
    scored = {event.metropolis: event.amounts for event in every(events, MetropolisScored)}
    assert scored == {"Reading": (0, 0, 2000, 0), "London": (1000, 2000, 0, 0)}


@pytest.mark.rule("rocket:metro-5")
def test_without_tokens_the_connection_is_made_all_the_same() -> None:
    scene = Scene().line("LMR", "D7 C8")
    events = scene.do("A extends LMR to C10")
    assert payments(events) == [(0, 0, 0, 0)]
    assert "Manchester" in scene.towns("LMR")
    scene.tokens("Manchester", A=1)
    assert scene.turn("B").refused("B extends LMR to D11") == "move-2"
    scene.extend("B extends LMR to C12")
    assert scene.money() == [0, 0, 0, 0]


@pytest.mark.rule("rocket:railtown-1")
def test_only_a_railway_town_scores_stations() -> None:
    scene = Scene().line("GWR", "L9 L11").stations("A", "L11")
    events = scene.do("A extends GWR to K12")  # Worcester, a metropolis
    assert every(events, StationsScored) == []
    events = scene.turn("A").do("A extends GWR to K14")  # Oxford
    assert only(events, StationsScored).town == "Oxford"
    start = Scene().line("LMR", "D7 E8 F9", connected=["Crewe", "Coalbrookdale"])
    start.stations("A", "F9")
    assert every(start.do("A extends LMR to G10"), StationsScored) == []


@pytest.mark.rule("rocket:railtown-2", "rocket:tie-1")
def test_example_three_towns_two_stations_against_one() -> None:
    scene = Scene().line("GWR", "L9 L11 K12").stations("A", "L11 K12").stations("B", "K14")
    scored = only(scene.do("A extends GWR to K14"), StationsScored)
    assert (scored.towns, scored.amounts) == (3, (3000, 2000, 0, 0))
    exact = Scene(options={"halves": "exact"}).line("GWR", "L9 L11 K12")
    exact.stations("A", "L11 K12").stations("B", "K14")
    assert only(exact.do("A extends GWR to K14"), StationsScored).amounts == (3000, 1500, 0, 0)


@pytest.mark.rule("rocket:railtown-3")
def test_stations_on_tiles_and_under_the_locomotive_count() -> None:
    scene = Scene().line("GWR", "L9 L11 K12").stations("A", "L11").stations("B", "K14")
    scene.stations("C", "N19").stations("D", "J17")
    scored = only(scene.do("A extends GWR to K14"), StationsScored)
    assert scored.counts == (1, 1, 0, 0)  # B's was reached by this move


@pytest.mark.rule("rocket:railtown-4")
def test_each_line_scores_a_railway_town_once() -> None:
    scene = Scene().line("GWR", "L9 L11 K12 K14").stations("A", "K14")
    assert every(scene.do("A extends GWR to K16"), StationsScored) == []
    other = Scene().line("LBR", "H11 H13").connect("GWR", "Oxford").stations("A", "H13")
    assert only(other.do("A extends LBR to I14"), StationsScored).town == "Oxford"
    heir = Scene().line("GWR", "L9 L11 K12").connect("LMR", "Oxford").dissolve("LMR", into="GWR")
    heir.stations("A", "K12")
    assert every(heir.do("A extends GWR to K14"), StationsScored) == []


@pytest.mark.rule("rocket:railtown-4", "rocket:interim-2")
def test_two_railway_towns_in_one_move() -> None:
    scene = Scene().line("YNM", "B17 C18 D17").stations("A", "D17").stations("B", "E18")
    before = len(scene.towns("YNM"))
    events = scene.do("A extends YNM to E18")  # Lincoln and Nottingham
    scored = every(events, StationsScored)
    assert {event.town for event in scored} == {"Lincoln", "Nottingham"}
    assert [event.towns for event in scored] == [before + 2] * 2
    assert len(every(events, Connected)) == 2
    part = -(-(before + 2) * 1500 // 2 // 1000) * 1000
    assert [event.amounts for event in scored] == [(part, part, 0, 0)] * 2
