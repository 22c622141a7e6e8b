"""The year change, the end of the game and the winner."""

from __future__ import annotations

import pytest

from kursbuch.core.title import Result
from kursbuch.games.dice import TITLE
from kursbuch.games.dice import events as happened
from kursbuch.games.dice.actions import TakeIncome
from kursbuch.games.dice.geography import chains, station_places
from kursbuch.games.dice.steps import winners
from tests.games.dice.scenario import Scene
from tests.games.dice.test_components import changed
from tests.happened import every, only

RED, YELLOW = "bergtal", "insel"


def chain(scene: Scene, company: str) -> int:
    return chains(station_places(scene.state), scene.company(company))


# ---- passengers


@pytest.mark.rule("dice:passenger-1", "dice:passenger-2", "dice:passenger-example")
@pytest.mark.parametrize(
    ("more", "red"),
    [
        ([], 2),
        ([(0, 2)], 4),
        ([(1, 0)], 3),
        ([(1, 2)], 2),
        ([(0, 2), (1, 2)], 5),
    ],
)
def test_the_figure_of_chains(more: list[tuple[int, int]], red: int) -> None:
    example = {"red": [(0, 0), (0, 1), (0, 3)], "yellow": [(0, 3), (1, 3)]}
    scene = Scene(4)
    for row, column in [*example["red"], *more]:
        scene.moved_station(RED, row, column)
    for row, column in example["yellow"]:
        scene.moved_station(YELLOW, row, column)
    assert (chain(scene, RED), chain(scene, YELLOW)) == (red, 2)


@pytest.mark.rule("dice:passenger-1", "dice:passenger-2")
def test_a_chain_over_a_tile_in_play() -> None:
    """Scenario 14: the tile in play is at (1, 2)."""
    scene = Scene(4)
    for row, column in ((0, 0), (0, 1), (1, 1), (2, 2)):
        scene.moved_station(RED, row, column)
    assert chain(scene, RED) == 3, "diagonal contact does not count"
    scene.place(0, 2, "meadow")
    scene.state.landscape[0].row, scene.state.landscape[0].column = 9, 9
    scene.place(0, 0, "meadow")
    scene.state.landscape[-1].stations = scene.state.landscape[0].stations
    scene.state.landscape[0].stations = 0
    scene.state.landscape[0].row, scene.state.landscape[0].column = 1, 2
    scene.line("A", "e4 > E").station("A", RED, "f4", "meadow", 3)
    assert chain(scene, RED) == 5
    scene.director("C", RED).end_turns(4)
    assert scene.counters() == [0, 0, 5, 0]


@pytest.mark.rule("dice:passenger-3", "dice:passenger-4", "dice:passenger-5")
def test_directors_receive_passengers_for_each_company() -> None:
    scene = Scene(3).director("B", RED, YELLOW).shares(RED, B=2, C=1).shares(YELLOW, B=1, A=1)
    for place in ((0, 0), (0, 1)):
        scene.moved_station(RED, *place)
    scene.moved_station(YELLOW, 0, 1).moved_station(YELLOW, 0, 0).moved_station("weiden", 0, 0)
    events = scene.end_turns(3)
    assert scene.counters() == [0, 4, 0]
    carried = every(events, happened.PassengersCarried)
    assert [(event.company, event.amounts) for event in carried] == [
        (YELLOW, (0, 2, 0)),
        (RED, (0, 2, 0)),
    ]
    counted = every(events, happened.ChainCounted)
    assert ("weiden", 1, None) in [(event.company, event.length, event.seat) for event in counted]


@pytest.mark.rule("dice:passenger-3", "dice:year-1")
def test_passengers_before_directors() -> None:
    scene = Scene(2).director("A", RED).shares(RED, A=1, B=2).moved_station(RED, 0, 0)
    events = scene.end_turns(2)
    assert scene.counters() == [1, 0]
    assert scene.director_of(RED) == "B"
    kinds = [type(event) for event in events]
    carried = kinds.index(happened.PassengersCarried)
    appointed = kinds.index(happened.DirectorAppointed)
    assert carried < appointed < kinds.index(happened.YearBegun)


@pytest.mark.rule("dice:passenger-1", "dice:passenger-3")
def test_a_long_chain_carries_as_many_passengers() -> None:
    scene = Scene(2).director("A", RED).shares(RED, A=1)
    for column in range(9):
        scene.moved_station(RED, 0, column)
    scene.end_turns(2)
    assert scene.counters() == [9, 0]


@pytest.mark.rule("dice:passenger-6")
def test_counters_cannot_run_out() -> None:
    scene = Scene(2).director("A", RED).shares(RED, A=1).passengers(A=150).moved_station(RED, 0, 0)
    scene.end_turns(2)
    assert scene.counters() == [151, 0]
    assert TITLE.board.economy.passengers_per_station == 1000


# ---- directors


@pytest.mark.rule("dice:director-1")
def test_a_single_share_is_enough() -> None:
    scene = Scene(4).shares(RED, C=1)
    event = only(scene.end_turns(4), happened.DirectorAppointed)
    assert (event.company, event.seat, event.previous) == (RED, 2, None)


@pytest.mark.rule("dice:director-2")
@pytest.mark.parametrize(
    ("held", "present", "new"),
    [
        ({"A": 2, "B": 3, "D": 3}, "A", "B"),
        ({"A": 3, "B": 3, "D": 3}, "A", "A"),
        ({"A": 3, "B": 3, "D": 1}, "C", "A"),
        ({"B": 2, "D": 2, "C": 1}, "C", "D"),
        ({"B": 2, "A": 2}, "D", "A"),
    ],
)
def test_equal_shares(held: dict[str, int], present: str, new: str) -> None:
    scene = Scene(4).shares(RED, **held).director(present, RED)
    scene.end_turns(4)
    assert scene.director_of(RED) == new


@pytest.mark.rule("dice:director-2")
@pytest.mark.parametrize(
    ("held", "start", "new"),
    [
        ({"C": 2, "D": 2}, "A", "C"),
        ({"C": 2, "A": 2}, "A", "A"),
        ({"C": 2, "A": 2}, "B", "C"),
        ({"A": 1, "B": 1}, "D", "A"),
    ],
)
def test_equal_shares_without_a_director(held: dict[str, int], start: str, new: str) -> None:
    """Scenario 15."""
    scene = Scene(4, year=1).turn(start, first=start).shares(RED, **held)
    scene.end_turns(4)
    assert scene.director_of(RED) == new


@pytest.mark.rule("dice:director-3")
def test_no_shares_no_director() -> None:
    scene = Scene(2).shares(RED, A=1).line("A", "e4 > E").front("A", question=5)
    scene.end_turns(2)
    assert [scene.director_of(company.id) for company in TITLE.board.companies] == [
        "", "", "", "", "A"
    ]  # fmt: skip
    scene.end_turns(1)
    assert scene.on_turn() == "A"
    assert scene.refused("A builds weiden meadow 3 at A") == "station-1"


# ---- the end


def last_station(players: int = 4, bank: int | None = None) -> Scene:
    """C, third in turn, can build the last station of Weiden Express."""
    scene = Scene(players).turn("C").director("C", "weiden").shares("weiden", C=1)
    scene.built("weiden", "meadow", 3, 4).built("weiden", "meadow", 5, 3)
    scene.line("A", "e4 > E").front("C", question=3)
    return scene if bank is None else scene.bank(bank)


@pytest.mark.rule("dice:end-1", "dice:end-5")
def test_the_last_station() -> None:
    """Scenario 13."""
    scene = last_station(bank=0)
    events = scene.do("C builds weiden meadow 3 at A")
    assert only(events, happened.EndCaused).company == "weiden"
    assert every(events, happened.PremiumTaken) == []
    assert scene.faces("C") == {}
    scene.do("C ends turn")
    assert scene.choices("D", TakeIncome) == []
    assert scene.refused("D takes income") == "end-5"
    events = scene.do("D ends turn")
    assert scene.game.over
    assert every(events, happened.DirectorAppointed) == []
    assert every(events, happened.YearBegun) == []
    assert scene.counters() == [0, 0, 1, 0]
    assert scene.game.result == Result((0, 0, 1, 0), (2,))


@pytest.mark.rule("dice:end-1", "dice:end-2")
def test_the_end_is_caused_once() -> None:
    scene = last_station()
    scene.state.ending = "tiles"
    events = scene.do("C builds weiden meadow 3 at A")
    assert every(events, happened.EndCaused) == []
    assert scene.state.ending == "tiles"


@pytest.mark.rule("dice:end-5")
def test_the_rest_of_the_last_year() -> None:
    scene = last_station().front("D", question=2, share=1).behind("D", 3)
    for company in ("insel", "bergtal", "eisberg"):
        scene.shares(company, A=10)
    scene.shares("weiden", B=8).director("B", "ueberall").shares("ueberall", B=1)
    scene.shares("weiden", C=1)
    scene.do("C builds weiden meadow 3 at A", "C ends turn")
    before = scene.supply()
    scene.do("D buys ueberall from director")
    assert scene.hidden("B") == 1
    event = only(scene.do("D rolls 3 and 2 ?"), happened.Rolled)
    assert (event.bonus, sum(event.faces)) == (0, 5)
    assert scene.supply() == before
    # The final count replaces the year change: the majority that has moved appoints no one.
    events = scene.do("D ends turn")
    assert scene.game.over
    assert every(events, happened.DirectorAppointed) == []
    assert scene.director_of("ueberall") == "B"


@pytest.mark.rule("dice:end-2", "dice:end-5", "dice:ban-5", "dice:tile-10", "dice:tile-3")
def test_the_last_small_tile() -> None:
    """Scenario 16."""
    scene = Scene(2).line("A", "e4 f4 > E").line("B", "c4 b4 a4 > W").front("A", straight=2)
    scene.cross("B", "meadow", "g4 f4 > W")
    scene.tiles(meadow=1, lake=0, mountain2=0, mountain3=0)
    events = scene.do("A lays A g4 to E", "A opens meadow", "A lays A a4 to E")
    assert only(events, happened.EndCaused).company == ""
    assert only(events, happened.TileCleared).dice == 7
    assert every(events, happened.PremiumTaken) == []
    assert not scene.game.over
    scene.end_turns(2)
    assert scene.game.over


@pytest.mark.rule("dice:end-2", "dice:end-3", "dice:tile-9")
def test_both_ends_have_no_way_off() -> None:
    scene = Scene(2).line("A", "e4 f4 > E").line("B", "c4 b4 a4 > W").front("A", straight=3)
    scene.cross("B", "meadow", "g4 f4 > W")
    for row, column in ((0, -2), (1, -1), (-1, -1), (0, 2), (1, 1)):
        scene.place(row, column, "meadow")
    # Beyond the eastern edge only the north is free; a fitting tile there is left.
    scene.do("A lays A g4 to E", "A opens meadow", "A lays A a4 to E")
    assert scene.state.ending == ""
    other = Scene(2).line("A", "e4 f4 > E").line("B", "c4 b4 a4 > W").front("A", straight=3)
    other.cross("B", "meadow", "g4 f4 > W")
    for row, column in ((0, -2), (1, -1), (-1, -1), (0, 2), (1, 1), (-1, 1)):
        other.place(row, column, "meadow")
    events = other.do("A lays A g4 to E", "A opens meadow", "A lays A a4 to E")
    assert only(events, happened.EndCaused).rule == "end-2"
    assert other.state.ending == "tiles"
    # Pieces can still be laid, though not against the edge.
    other.do("A lays A b4 to E")


@pytest.mark.rule("dice:end-4", "dice:end-6", "dice:roll-2")
def test_broken_by_a_roll() -> None:
    """Scenario 4."""
    scene = Scene(2).behind("A", 3).front("A", question=2).bank(1)
    scene.director("A", RED).moved_station(RED, 0, 0)
    events = scene.do("A rolls 3 and 2 ?")
    broken = only(events, happened.BankBroken)
    assert (broken.due, broken.left) == (2, 1)
    assert every(events, happened.Rolled) == []
    assert scene.game.moves[-1].draws == ()
    assert scene.game.over
    assert scene.counters() == [1, 0]
    for questions, left in ((1, 0), (0, 1)):
        again = Scene(2).behind("A", 3).front("A", question=2).bank(1)
        again.do(f"A rolls 3 and {questions} ?" if questions else "A rolls 3")
        assert again.supply() == left
        assert not again.game.over


@pytest.mark.rule("dice:end-4", "dice:end-6", "dice:turn-2", "dice:station-10")
def test_broken_by_income() -> None:
    """Scenario 18."""
    scene = Scene(2).director("A", "weiden").shares("weiden", A=1).line("A", "e4 > E")
    scene.behind("A", 3).bank(1)
    scene.do("A builds weiden meadow 3 at A paying 3 behind", "A ends turn")
    assert scene.supply() == 2
    assert scene.allowed("B ends turn")
    events = scene.do("B takes income")
    assert (only(events, happened.BankBroken).due, scene.hidden("B")) == (4, 0)
    assert scene.game.over
    assert scene.counters() == [1, 0]


@pytest.mark.rule("dice:end-4")
def test_the_very_last_die_does_not_break_the_bank() -> None:
    scene = Scene(2).bank(4)
    scene.do("A takes income")
    assert (scene.supply(), scene.game.over) == (0, False)


@pytest.mark.rule("dice:end-4", "dice:station-10")
def test_a_station_whose_premium_is_missing_counts() -> None:
    """Never with the printed premium of two: the price of three comes in before."""
    title = TITLE.with_data(changed(lambda data: data["economy"].update(premium_station=4)))
    scene = Scene(2, title=title).director("A", "weiden").line("A", "e4 > E")
    scene.front("A", question=3).bank(0)
    events = scene.do("A builds weiden meadow 3 at A")
    assert [type(event) for event in events[:2]] == [happened.StationBuilt, happened.BankBroken]
    broken = only(events, happened.BankBroken)
    assert (broken.due, broken.left, scene.supply()) == (4, 3, 3)
    assert not every(events, happened.PremiumTaken)
    carried = only(events, happened.PassengersCarried)
    assert (carried.company, carried.seat, carried.total) == ("weiden", 0, 1)
    assert scene.game.over


# ---- winner


@pytest.mark.rule("dice:win-1", "dice:intro-3")
def test_most_passengers_win() -> None:
    scene = last_station(3).passengers(A=4, B=7, C=5)
    scene.director("B", RED).moved_station(RED, 0, 0)
    events = scene.do("C builds weiden meadow 3 at A", "C ends turn")
    assert only(events, happened.ScreensLifted).passengers == (4, 8, 6)
    assert scene.game.result == Result((4, 8, 6), (1,))


@pytest.mark.rule("dice:win-2")
@pytest.mark.parametrize(
    ("questions", "hidden", "straights", "won"),
    [
        ({"A": 1, "B": 2}, {"A": 9}, {}, (1,)),
        ({"A": 2, "B": 2}, {"A": 1, "B": 3}, {"A": 1}, (1,)),
        ({"A": 2, "B": 2}, {"A": 1}, {"B": 2}, (1,)),
        ({"A": 2, "B": 2}, {"A": 1}, {"B": 1}, (0, 1)),
        ({"A": 1, "B": 1, "C": 5}, {"C": 9}, {}, (0, 1)),
    ],
)
def test_ties(
    questions: dict[str, int],
    hidden: dict[str, int],
    straights: dict[str, int],
    won: tuple[int, ...],
) -> None:
    scene = Scene(3).passengers(A=5, B=5, C=4)
    for player, count in questions.items():
        scene.front(player, question=count)
    for player, count in hidden.items():
        scene.behind(player, count)
    for player, count in straights.items():
        scene.front(player, straight=count)
    scene.state.agenda.clear()
    assert winners(scene.state) == won
    assert scene.game.result == Result((5, 5, 4), won)
