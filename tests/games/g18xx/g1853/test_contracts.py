"""The contracts of 1853: which cities can be written, and when a contract is fulfilled."""

from __future__ import annotations

import pytest

from kursbuch.core.events import visible_to
from kursbuch.games.g18xx.g1853 import TITLE, contracts
from kursbuch.games.g18xx.g1853.components import standard
from kursbuch.games.g18xx.g1853.events import CityNoted, ContractComplete, ContractShown, ShareTaken
from kursbuch.games.g18xx.g1853.state import Contract
from kursbuch.games.g18xx.state import Build
from tests.games.g18xx.g1853.table import Scene, listing, sell_out
from tests.happened import every, only

VALLEY = ("Cawnpore", "Lucknow", "Allahabad", "Benares", "Patna")


def writing(players: int, bond: int, *cities: str, **options: str) -> Scene:
    """A has the highest bond and has written these cities ("Delhi NWR", or "Patna" with the first
    company of the city); it is his turn again. The others have written as many cities of 20."""
    others = 80 if players == 3 else 60
    scene = listing(players, bond, *(others for _ in range(players - 1)), **options)
    for city in cities:
        pair = city.split()
        company = pair[1] if len(pair) == 2 else standard().cities[pair[0]].companies[0]
        scene.do(f"A writes {pair[0]} for {company}")
        while scene.deciders() != "A":
            name = scene.deciders()
            line = "is done" if "is done" in scene.can(name) else cheap(scene, name)
            scene.do(f"{name} {line}")
    return scene


def cheap(scene: Scene, name: str) -> str:
    """A line for a player who shall write some city of 20 that leaves everything open."""
    far = ("Multan", "Nagpur", "Ahmadabad", "Mysore", "Jaipur", "Bangalore")
    return next(line for line in scene.can(name) if line.split()[1] in far)


def cities(scene: Scene, name: str = "A") -> set[str]:
    """The cities a player may write now."""
    return {line.split()[1] for line in scene.can(name) if line.startswith("writes")}


def may_pass(scene: Scene, name: str = "A") -> bool:
    return "is done" in scene.can(name)


# ---- the course of the second phase


@pytest.mark.rule("1853:2.5.4", "1853:example-2.5.4-a", "1853:2.5.1")
def test_the_example_of_writing_in_turn() -> None:
    scene = listing(3, 100, 90, 130)
    events = scene.do("C writes Calcutta for EIR")
    taken, noted = only(events, ShareTaken), only(events, CityNoted)
    assert (taken.seat, taken.company, noted.city) == (2, "EIR", "Calcutta")
    for seat in (0, 1, None):
        seen = [event for event in events if visible_to(event, seat)]
        assert every(seen, ShareTaken)
        assert not every(seen, CityNoted)
    assert scene.deciders() == "A"
    scene.do("A writes Bombay for BBCI", "B writes Lahore for NWR", "C writes Patna for EIR")
    assert (scene.held("C", "EIR"), scene.held("A", "BBCI"), scene.held("B", "NWR")) == (2, 1, 1)
    assert scene.deciders() == "A"
    for line in ("A writes Jaipur for BBCI", "B writes Multan for NWR", "C writes Nagpur for BNR"):
        assert scene.refused(f"{line[0]} is done") == "2.5.6"
        scene.do(line)
    assert [scene.has(name) for name in "ABC"] == [630, 640, 600], "shares are paid later"


@pytest.mark.rule("1853:2.5.4")
def test_only_who_is_in_turn_writes() -> None:
    scene = listing(3, 100, 90, 130)
    assert scene.refused("A writes Patna for EIR") == "2.5.4"
    assert scene.refused("C writes a bond of 100") == "2.5.4"


@pytest.mark.rule("1853:2.5.4")
def test_with_100_of_130_used_one_may_pass() -> None:
    """The example of the rule."""
    scene = writing(4, 130, "Calcutta EIR", "Madras", "Lahore")
    assert may_pass(scene)
    assert cities(scene) <= {city.name for city in standard().cities.values() if city.value <= 30}


@pytest.mark.rule("1853:2.5.4", "1853:2.5.6")
def test_forced_to_go_on() -> None:
    """Question 3."""
    scene = writing(4, 150, "Calcutta", "Bombay", "Lahore")
    assert scene.refused("A is done") == "2.5.4"
    values = {standard().cities[name].value for name in cities(scene)}
    assert values == {20, 30, 40}
    scene = writing(4, 150, "Calcutta", "Bombay", "Lahore", "Jaipur")
    assert may_pass(scene)
    assert {standard().cities[name].value for name in cities(scene)} == {20}


@pytest.mark.rule("1853:2.5.4")
@pytest.mark.parametrize(("bond", "passes"), [(99, True), (100, False), (101, False)])
def test_forty_unused_force_a_player_on(bond: int, passes: bool) -> None:
    scene = writing(4, bond, "Multan", "Jaipur", "Nagpur", bond_step="1")
    assert may_pass(scene) == passes


@pytest.mark.rule("1853:2.5.4")
def test_a_pass_is_final() -> None:
    scene = listing(4, 90, 80, 70, 60)
    for _ in range(3):
        for name in "ABCD":
            scene.do(f"{name} {cheap(scene, name)}")
    complete = only(scene.do("A is done"), ContractComplete)
    assert (complete.seat, complete.cities, complete.passed) == (0, 3, True)
    assert scene.deciders() == "B"
    scene.do(f"B {cheap(scene, 'B')}")
    scene.do("C is done", "D is done")
    assert scene.deciders() == "B", "A has passed and is not asked again"


@pytest.mark.rule("1853:2.5.4", "1853:2.5.6", "1853:table-3")
@pytest.mark.parametrize(("players", "least", "most"), [(3, 4, 6), (4, 3, 6), (5, 3, 5), (6, 3, 4)])
def test_the_number_of_cities(players: int, least: int, most: int) -> None:
    """A writes cities of 20 as long as he is asked; he may pass at the least number, if less than 40
    are unused, and is not asked at the most."""
    scene = listing(players, 20 * most + 19, *[80] * (players - 1), bond_step="1")
    count = 0
    passed: list[int] = []
    while scene.step() == "bid":
        name = scene.deciders()
        if name == "A":
            if may_pass(scene):
                passed.append(count)
            elif count < least:
                assert scene.refused("A is done") == "2.5.6"
            count += 1
            scene.do(f"A {cheap(scene, 'A')}")
        else:
            scene.do(f"{name} {'is done' if may_pass(scene, name) else cheap(scene, name)}")
    assert count == most
    assert passed == list(range(max(least, most - 1), most))
    assert scene.state.contracts[0].complete
    assert len(scene.state.contracts[1].cities) >= least


@pytest.mark.rule("1853:2.5.6")
def test_the_least_number_of_cities_is_paid_before_dear_ones() -> None:
    """With a bond of 60 nothing but three cities of 20; with 80 one of 40 and two of 20."""
    scene = writing(4, 60, bond_step="1")
    assert {standard().cities[name].value for name in cities(scene)} == {20}
    assert scene.refused("A writes Madras for MSM") == "2.5.6"
    assert {standard().cities[name].value for name in cities(writing(4, 80))} == {20, 30, 40}
    assert "Calcutta" not in cities(writing(4, 89, bond_step="1"))
    assert "Calcutta" in cities(writing(4, 90))
    assert "Waltair" in cities(writing(4, 80, "Madras", "Multan"))
    assert "Waltair" not in cities(writing(4, 79, "Madras", "Multan", bond_step="1"))


# ---- which cities, and which shares


@pytest.mark.rule("1853:2.5.7", "1853:2.5.4")
def test_the_ganges_trap_of_three_cities() -> None:
    """Question 2."""
    scene = writing(4, 60, "Allahabad")
    assert "Patna" not in cities(scene)
    assert scene.refused("A writes Patna for EIR") == "2.5.7"
    scene = writing(4, 80, "Allahabad", "Patna", "Lahore")
    assert scene.refused("A is done") == "2.5.7"
    assert {standard().cities[name].value for name in cities(scene)} == {20}
    scene = writing(4, 90, "Allahabad", "Calcutta", "Lahore")
    assert scene.state.contracts[0].cities == ["Allahabad", "Calcutta", "Lahore"]
    assert len(scene.state.contracts[1].cities) == 3, "the round is over, A has nothing left"


@pytest.mark.rule("1853:2.5.7")
def test_which_lists_the_ganges_allows() -> None:
    """The example of the rule."""

    def legal(*names: str) -> bool:
        companies = [standard().cities[name].companies[0] for name in names]
        bond = contracts.spent(standard(), names)
        return contracts.legal(standard(), 4, Contract(bond, list(names), companies))

    assert not legal("Patna", "Benares", "Lahore")
    assert legal("Patna", "Calcutta", "Lahore")
    assert legal("Patna", "Benares", "Lahore", "Jaipur")
    assert not legal("Patna", "Benares", "Calcutta", "Lahore")
    assert not legal("Patna", "Benares", "Lucknow", "Lahore")


@pytest.mark.rule("1853:2.5.7", "1853:example-2.5.7-a")
def test_no_third_city_on_the_ganges() -> None:
    """The example: Calcutta and Patna are written; Delhi and Jaipur complete a list of 130."""
    scene = writing(3, 130, "Calcutta", "Patna")
    assert not cities(scene) & {*VALLEY}
    for city in ("Cawnpore GIP", "Lucknow EIR", "Allahabad GIP", "Benares EIR"):
        assert scene.refused(f"A writes {city.replace(' ', ' for ')}") == "2.5.7"
    scene.do("A writes Delhi for EIR")
    assert scene.held("A", "EIR") == 3
    scene = writing(3, 130, "Calcutta", "Patna", "Delhi", "Jaipur")
    contract = scene.state.contracts[0]
    assert contracts.legal(standard(), 3, contract)
    assert contract.companies == ["EIR", "EIR", "EIR", "BBCI"]


@pytest.mark.rule("1853:2.5.7")
def test_two_cities_of_the_valley_leave_no_room_for_calcutta() -> None:
    scene = writing(4, 200, "Patna", "Benares")
    assert scene.refused("A writes Calcutta for BNR") == "2.5.7"
    scene = writing(4, 200, "Calcutta", "Lahore", "Patna")
    assert scene.refused("A writes Benares for EIR") == "2.5.7"


@pytest.mark.rule("1853:2.5.7", "1853:2.5.6")
def test_with_six_players_two_cities_of_the_valley_need_all_four() -> None:
    assert "Benares" in cities(writing(6, 80, "Patna"))
    assert "Benares" not in cities(writing(6, 79, "Patna", bond_step="1"))


@pytest.mark.rule("1853:2.5.8", "1853:1-map")
def test_towns_cannot_be_written() -> None:
    scene = writing(4, 100)
    assert len(cities(scene)) == 23
    assert scene.refused("A writes Madurai for SIR") == "2.5.8"


@pytest.mark.rule("1853:2.5.8", "1853:2.5.6")
def test_never_more_than_six_and_no_further_limit() -> None:
    """Any combination within the limits: the dearest list of all is allowed."""
    dear = ("Calcutta", "Bombay", "Delhi", "Madras", "Waltair", "Patna")
    scene = listing(4, 210, 60, 60, 60)
    while not scene.state.contracts[0].complete:
        name = scene.deciders()
        if name == "A":
            city = dear[len(scene.state.contracts[0].cities)]
            scene.do(f"A writes {city} for {standard().cities[city].companies[0]}")
        else:
            scene.do(f"{name} {'is done' if may_pass(scene, name) else cheap(scene, name)}")
    assert scene.state.contracts[0].cities == [*dear]
    assert contracts.unused(standard(), scene.state.contracts[0]) == 0


@pytest.mark.rule("1853:2.5.9")
def test_the_values_of_the_cities() -> None:
    values = {name: city.value for name, city in standard().cities.items()}
    dear = {name: value for name, value in values.items() if value != 20}
    assert dear == {"Calcutta": 50, "Bombay": 40, "Delhi": 40, "Madras": 30, "Waltair": 30}
    assert len(values) == 23


@pytest.mark.rule("1853:2.5.9", "1853:example-2.5.9-a")
def test_the_example_that_uses_up_the_bond() -> None:
    scene = writing(3, 130, "Calcutta", "Patna", "Delhi")
    assert scene.refused("A writes Madras for MSM") == "2.5.9"
    short = writing(4, 79, "Multan", "Jaipur", "Nagpur", bond_step="1")
    assert short.refused("A writes Lahore for NWR") == "2.5.9"
    scene.do("A writes Jaipur for BBCI")
    assert contracts.spent(standard(), scene.state.contracts[0].cities) == 130
    assert contracts.unused(standard(), scene.state.contracts[0]) == 0


@pytest.mark.rule("1853:2.5.5", "1853:2.5.10", "1853:example-2.5.10-a")
def test_a_city_gives_one_share_of_one_of_its_companies() -> None:
    """The example: for Delhi one of four companies, whichever he likes; and only of these."""
    scene = writing(4, 200, "Calcutta", "Patna")
    offered = {line.split()[3] for line in scene.can("A") if line.startswith("writes Delhi ")}
    assert offered == {"EIR", "GIP", "NWR", "BBCI"}
    assert scene.refused("A writes Delhi for BNR") == "2.5.5"
    assert scene.refused("A writes Delhi for XYZ") == "2.5.5"
    before = sum(scene.held("A", company) for company in scene.ruleset.public)
    scene.do("A writes Delhi for GIP")
    assert scene.held("A", "GIP") == 1
    assert sum(scene.held("A", company) for company in scene.ruleset.public) == before + 1


@pytest.mark.rule("1853:2.5.10")
def test_no_city_twice_but_several_players_may_write_the_same() -> None:
    scene = listing(4, 90, 80, 70, 60)
    for name in "ABCD":
        scene.do(f"{name} writes Multan for NWR")
    assert scene.held("stack", "NWR") == 6
    assert scene.refused("A writes Multan for NWR") == "2.5.10"


@pytest.mark.rule("1853:2.5.10", "1853:1-shares")
def test_only_the_eight_single_papers_are_taken() -> None:
    scene = listing(4, 90, 80, 70, 60).shares("NWR", pool=7)
    scene.do("A writes Multan for NWR")
    assert scene.refused("B writes Lahore for NWR") == "2.5.10"
    assert not cities(scene, "B") & {"Lahore", "Multan", "Peshawar", "Rawalpindi", "Karachi"}
    assert {line for line in scene.can("B") if "Delhi" in line} == {
        "writes Delhi for EIR",
        "writes Delhi for GIP",
        "writes Delhi for BBCI",
    }


@pytest.mark.rule("1853:2.5.4")
def test_who_can_neither_write_nor_pass_is_passed_over() -> None:
    """When no single paper of any company is left."""
    scene = listing(4, 90, 80, 70, 60)
    for company in scene.ruleset.public:
        scene.shares(company, pool=7 if company == "NWR" else 8)
    events = scene.do("A writes Multan for NWR")
    assert [event.passed for event in every(events, ContractComplete)] == [False] * 4
    assert scene.step() == "stock-turn"


@pytest.mark.rule("1853:2.5.11")
def test_a_finished_list_stays_as_it_is() -> None:
    scene = writing(4, 90, "Multan", "Jaipur")
    scene.do("A writes Calcutta for EIR")
    while scene.step() == "bid":
        name = scene.deciders()
        scene.do(f"{name} {'is done' if may_pass(scene, name) else cheap(scene, name)}")
    assert scene.state.contracts[0].cities == ["Multan", "Jaipur", "Calcutta"]
    assert scene.bond("A") == 90
    assert scene.refused("A writes Lahore for NWR") == "3.0"


# ---- illegal contracts


@pytest.mark.rule("1853:2.5.12")
def test_with_illegal_contracts_only_what_others_see_is_checked() -> None:
    """The same city twice, a share that does not belong to it, the values, the Ganges: all that is
    accepted, but not a town, a share that is not there or too few cities."""
    scene = listing(4, 60, 60, 60, 60, illegal_contracts="on")
    scene.do("A writes Calcutta for SIR", *(f"{name} writes Patna for EIR" for name in "BCD"))
    scene.do("A writes Calcutta for SIR", *(f"{name} writes Benares for EIR" for name in "BCD"))
    assert scene.refused("A is done") == "2.5.6"
    assert scene.refused("A writes Madurai for SIR") == "2.5.8"
    scene.do("A writes Delhi for MSM", "B writes Lucknow for EIR", "C writes Lucknow for EIR")
    assert scene.refused("D writes Lucknow for EIR") == "2.5.10"
    assert scene.state.contracts[0].cities == ["Calcutta", "Calcutta", "Delhi"]


@pytest.mark.rule("1853:2.5.12")
def test_with_illegal_contracts_there_is_no_duty_to_go_on() -> None:
    scene = writing(4, 300, "Multan", "Jaipur", "Nagpur", illegal_contracts="on")
    assert may_pass(scene)
    assert not contracts.legal(standard(), 4, Contract(60, ["Multan", "Jaipur"], ["NWR", "BBCI"]))


@pytest.mark.rule("1853:2.5.12", "1853:2.5.4")
@pytest.mark.parametrize(("bond", "fine"), [(90, True), (100, False), (300, False)])
def test_who_ends_his_list_too_early_has_an_illegal_contract(bond: int, fine: bool) -> None:
    scene = writing(4, bond, "Multan", "Jaipur", "Nagpur", illegal_contracts="on")
    scene.do("A is done")
    assert contracts.legal(standard(), 4, scene.state.contracts[0]) == fine


@pytest.mark.rule("1853:2.5.12", "1853:2.5.4")
@pytest.mark.parametrize(("left", "fine"), [("SIR MSM", False), ("SIR", True), ("", True)])
def test_who_could_write_nothing_more_has_a_legal_contract(left: str, fine: bool) -> None:
    """With £40 unused he has all cities of SIR; MSM has another one."""
    scene = writing(4, 110, "Mysore", "Trichinopoly", "Madras SIR", illegal_contracts="on")
    sell_out(scene, *(name for name in scene.ruleset.public if name not in left.split()))
    scene.do("A is done")
    contract = scene.state.contracts[0]
    assert contracts.legal(standard(), 4, contract) == fine
    assert not TITLE.view(scene.state, 1).contracts[0].stuck, "nobody else knows"


@pytest.mark.rule("1853:2.5.12")
@pytest.mark.parametrize(
    ("bond", "names", "companies"),
    [
        (90, "Calcutta Bombay Lahore", "EIR GIP NWR"),
        (200, "Lahore Lahore Delhi", "NWR NWR NWR"),
        (200, "Lahore Delhi Madras", "NWR NWR NWR"),
        (200, "Patna Benares Lahore", "EIR EIR NWR"),
        (200, "Lahore Delhi", "NWR NWR"),
        (500, "Lahore Delhi Multan Karachi Jaipur Ajmer Madras", "NWR NWR NWR NWR BBCI BBCI MSM"),
    ],
)
def test_what_makes_a_contract_illegal(bond: int, names: str, companies: str) -> None:
    contract = Contract(bond, names.split(), companies.split())
    assert not contracts.legal(standard(), 4, contract)


# ---- connections


def joined(scene: Scene, *names: str) -> bool:
    return contracts.connected(scene.ruleset, scene.state, names)


@pytest.mark.rule("1853:2.5-network", "1853:4.3.1", "1853:4.2.5", "1853:2.5")
def test_a_contract_of_two_gauges() -> None:
    """Question 16: standard track from Lahore to one station of Delhi, metre track from another to
    Hyderabad, standard track to Madras; Jaipur on the way is full of others' markers."""
    scene = Scene().contract("A", 120, "Lahore", "Delhi", "Madras").tiles("O15:718:5")
    scene.track("standard", "C11", "D12", "E13", "F14")
    scene.track("metre", *["F14", "G13", "H14", "I15", "J16", "K15", "L16", "M17", "N16", "O15"])
    scene.track("standard", "P16", "Q17", "R18")
    scene.station("BBCI", "G13").station("GIP", "O15")
    scene.shares("MSM", D=3).operating("MSM").money(MSM=100, A=10)
    scene.bare("P16")
    assert not joined(scene, "Lahore", "Delhi", "Madras")
    scene.turn("MSM", Build)
    lay = next(
        line
        for line in scene.can("D")
        if line.startswith("lays 9 on P16") or line.startswith("lays 8 on P16")
        if completes(scene, line)
    )
    shown = only(scene.do(f"D {lay}"), ContractShown)
    assert (shown.seat, shown.bond, shown.legal) == (0, 120, True)
    assert shown.cities == ("Lahore", "Delhi", "Madras")
    assert (scene.has("A"), scene.bond("A")) == (130, 0)


def completes(scene: Scene, line: str) -> bool:
    """Whether a tile joins O15 and Q17."""
    _, tile, _, hex, _, rotation = line.split()
    board = scene.ruleset.components.board
    edges = board.tiles[tile].faces[int(rotation)].edges()
    beside = [board.names[place] for place in board.neighbours[board.number(hex)]]
    wanted = 1 << beside.index("O15") | 1 << beside.index("Q17")
    return edges & wanted == wanted


@pytest.mark.rule("1853:4.3.1")
def test_passengers_change_between_gauges_in_a_city() -> None:
    """The example: metre track from A to B, standard track from B to C."""
    scene = Scene().tiles("C11:716:0")
    scene.track("metre", "B10", "C11").track("standard", "B8", "B10")
    assert not joined(scene, "Peshawar", "Lahore"), "no track from B8 into the metre tile of B10"
    scene = Scene().tiles("B10:718:0")
    scene.track("standard", "B8", "B10").track("metre", "B10", "C11")
    assert joined(scene, "Peshawar", "Rawalpindi", "Lahore")


@pytest.mark.rule("1853:4.3.1", "1853:4.2.5")
def test_the_gauge_does_not_change_on_open_track() -> None:
    """Between the tiles of two cities lies plain dual track, or a junction, or nothing."""
    for tile in ("233:1", "107:1"):
        scene = Scene().tiles(f"D12:{tile}")
        scene.track("metre", "C11", "D12").track("metre", "E13", "D12").track(
            "standard", "F14", "E13"
        )
        assert not joined(scene, "Lahore", "Delhi")
    # A line of one gauge through both is whole.
    for tile in ("233:1", "107:1"):
        scene = Scene().tiles(f"D12:{tile}")
        scene.track("standard", "C11", "D12", "E13", "F14")
        assert joined(scene, "Lahore", "Delhi")
        scene.bare("C11")
        scene.track("metre", "C11", "D12")
        assert not joined(scene, "Lahore", "Delhi")


@pytest.mark.rule("1853:4.3.1")
def test_towns_are_stations_too() -> None:
    """Two lines meet in a town of one gauge; without it nothing is joined."""
    scene = Scene().track("standard", "C11", "D12", "E13", "F14")
    assert joined(scene, "Lahore", "Delhi")
    scene.bare("E13")
    assert not joined(scene, "Lahore", "Delhi")


@pytest.mark.rule("1853:4.3.1")
def test_nobody_turns_round_at_a_branch() -> None:
    """Two lines that run together into a green branch are not joined by it."""
    scene = Scene().track("standard", "C11", "D12")
    ground = scene.ruleset.components.board
    place = ground.number("D12")
    beside = [ground.names[other] if other >= 0 else "" for other in ground.neighbours[place]]
    to_lahore, to_delhi = beside.index("C11"), beside.index("E13")
    whole, forked = 0, 0
    for rotation in range(6):
        scene = Scene().tiles(f"D12:82:{rotation}")
        scene.track("standard", "C11", "D12").track("standard", "D12", "E13", "F14")
        edges = ground.tiles["82"].faces[rotation].edges()
        if edges >> to_lahore & 1 and edges >> to_delhi & 1:
            whole += joined(scene, "Lahore", "Delhi")
        else:
            forked += joined(scene, "Lahore", "Delhi")
    assert (whole, forked) == (2, 0)


@pytest.mark.rule("1853:4.3.1", "1853:4.2.12")
def test_a_rickshaw_joins_the_stations_of_a_city() -> None:
    """Lahore to one station of Delhi, Jaipur to another."""
    scene = Scene().track("standard", "C11", "D12", "E13", "F14").track("metre", "F14", "G13")
    assert joined(scene, "Lahore", "Jaipur")


@pytest.mark.rule("1853:4.3.1", "1853:2.5-network")
def test_large_stations_without_a_name_let_everybody_change() -> None:
    """On the way from Jaipur to Hyderabad two towns have become large stations, full of others'
    markers, and between these the gauge is another one."""
    scene = Scene().tiles("J16:102:0", "N16:102:0")
    for number, hex in enumerate(("J16", "N16")):
        place = scene.ruleset.components.board.number(hex)
        (stop,) = scene.ruleset.position(scene.state).grounds[place].face.stops
        for company in list(scene.ruleset.public)[number::2][: stop.slots]:
            scene.station(company, hex)
    scene.track("standard", "G13", "H14", "I15", "J16")
    scene.track("metre", "J16", "K15", "L16", "M17", "N16")
    scene.track("standard", "N16", "O15")
    assert joined(scene, "Jaipur", "Hyderabad")
    scene.bare("L16")
    assert not joined(scene, "Jaipur", "Hyderabad")


@pytest.mark.rule("1853:4.3.2")
def test_connected_contracts_are_shown_in_the_order_of_the_seats() -> None:
    """One tile fulfils two contracts; another stays sealed."""
    scene = Scene().contract("B", 60, "Peshawar", "Rawalpindi", "Lahore")
    scene.contract("C", 80, "Rawalpindi", "Lahore", "Peshawar").contract(
        "D", 60, "Lahore", "Multan"
    )
    scene.shares("NWR", A=3).operating("NWR").money(NWR=900, B=1, C=2, D=3)
    scene.tiles("B10:6:1").track("standard", "B8", "B10").turn("NWR", Build)
    scene.state.priority = 2
    lay = next(
        line
        for line in scene.can("A")
        if line.startswith("lays 5 on C11") and up_to_b10(scene, line)
    )
    shown = every(scene.do(f"A {lay}"), ContractShown)
    assert [event.seat for event in shown] == [2, 1]
    assert [scene.has(name) for name in "BCD"] == [61, 82, 3]
    assert [contract.shown for contract in scene.state.contracts] == [True, True, True, False]


def up_to_b10(scene: Scene, line: str) -> bool:
    board = scene.ruleset.components.board
    edges = board.tiles[line.split()[1]].faces[int(line.split()[5])].edges()
    beside = [board.names[place] for place in board.neighbours[board.number("C11")]]
    return bool(edges >> beside.index("B10") & 1)
