"""Setting up, and the sale of the start packet."""

from __future__ import annotations

from collections import Counter

import pytest

from kursbuch.core.play import Play
from kursbuch.core.words import Words
from kursbuch.games.g18xx import events as happened
from kursbuch.games.g18xx.components import BANK, PACKET, STACK
from kursbuch.games.g18xx.g1835 import TITLE, prussia
from kursbuch.games.g18xx.g1835.components import standard
from kursbuch.games.g18xx.g1835.start_packet import paper_price
from kursbuch.games.g18xx.g1835.state import PacketTurn
from kursbuch.games.g18xx.map.track import Station
from kursbuch.games.g18xx.state import StockRound
from tests.games.g18xx.g1835.table import Scene
from tests.games.g18xx.scene import NAMES
from tests.happened import every, only

ORDER = ["NF", "1", "LD", "2", "3", "4", "BY-director", "BS", "HA", "5", "6", "OB", "PF"]


def begin(players: int = 4, **options: str) -> Scene:
    """The first stock round."""
    return Scene(players, **options).on(StockRound(1))


def left(*papers: str, turn: str = "A", players: int = 4, **options: str) -> Scene:
    """A turn of the first stock round, only these papers of the packet being unsold. Bavarian shares
    that come with sold papers are with no one."""
    scene = Scene(players, **options)
    ledger, packet = scene.state.ledger, scene.ruleset.components.packet
    for name, paper in packet.items():
        if name in papers:
            continue
        ledger.move(paper.item, PACKET, STACK if paper.company else "box")
        if paper.free:
            company, certificate = paper.free
            ledger.move(f"{company}:{certificate}", PACKET, STACK)
    return scene.on(PacketTurn(NAMES.index(turn)))


def offer(scene: Scene) -> list[str]:
    """The papers the player in turn may buy."""
    name = scene.deciders()
    *papers, last = scene.can(name)
    assert last == "is done"
    return [text.removeprefix("buys ") for text in papers]


def buyers(scene: Scene, turns: int) -> str:
    """Who has the next turns, when everybody buys what he can."""
    found = ""
    for _ in range(turns):
        name = scene.deciders()
        found += name
        scene.do(f"{name} buys {offer(scene)[0]}")
    return found


# ---- setting up


@pytest.mark.rule("1835:setup-1")
@pytest.mark.rule("1835:2.1")
def test_the_first_player_has_the_priority_marker_and_begins() -> None:
    scene = Scene(5).on(StockRound(1))
    assert scene.state.priority == 0
    assert scene.deciders() == "A"


@pytest.mark.rule("1835:setup-2")
@pytest.mark.rule("1835:table-start-capital")
@pytest.mark.rule("1835:material-1")
@pytest.mark.parametrize(
    ("players", "capital", "limit"),
    [(3, 600, 19), (4, 475, 15), (5, 390, 12), (6, 340, 11), (7, 310, 9)],
)
def test_starting_capital_and_paper_limit(players: int, capital: int, limit: int) -> None:
    scene = Scene(players)
    assert [scene.has(name) for name in NAMES[:players]] == [capital] * players
    assert scene.has(BANK) == 12000 - players * capital
    assert scene.ruleset.shares.certificate_limit(scene.state, 0) == limit


@pytest.mark.rule("1835:setup-3")
@pytest.mark.rule("1835:table-start-packet")
def test_the_start_packet_lies_in_four_rows() -> None:
    rows = [[(paper.id, paper.price) for paper in row] for row in standard().rows]
    assert rows == [
        [("NF", 100)],
        [("1", 80), ("LD", 190), ("2", 170)],
        [("3", 80), ("4", 160), ("BY-director", 184), ("BS", 130)],
        [("HA", 160), ("5", 80), ("6", 80), ("OB", 120), ("PF", 150)],
    ]
    assert sum(price for row in rows for _, price in row) == 1684


@pytest.mark.rule("1835:setup-4")
@pytest.mark.rule("1835:3.1.2c")
def test_what_lies_under_privates() -> None:
    free = {name: paper.free for name, paper in standard().packet.items() if paper.free}
    assert free == {
        "NF": ("BY", "10"),
        "LD": ("SX", "20P"),
        "OB": ("BY", "10"),
        "PF": ("BY", "10"),
    }


@pytest.mark.rule("1835:setup-5")
@pytest.mark.rule("1835:table-certificates")
def test_certificates_and_the_order_of_new_shares() -> None:
    stacks = {name: public.stack for name, public in standard().public.items()}
    tens = ("10",)
    assert stacks == {
        "BY": tens * 5,
        "SX": tens * 8,
        "BA": ("20P", *tens * 6, "20"),
        "WT": ("20P", *tens * 6, "20"),
        "HE": ("20P", *tens * 6, "20"),
        "PR": tens * 4,
        "MS": ("20P", "20", "20", *tens * 4),
        "OL": ("20P", "20", "20", *tens * 4),
    }
    given = Counter(standard().public["PR"].given.values())
    assert given == {"10P": 1, "10": 3, "5": 4}


@pytest.mark.rule("1835:material-1")
def test_the_box_holds_68_shares_6_privates_33_trains_and_14_sheets() -> None:
    components = standard()
    totals = Scene(4).state.ledger.totals()
    shares = sum(count for item, count in totals.items() if item.split(":")[0] in components.public)
    trains = sum(count for item, count in totals.items() if item.startswith("train:"))
    assert (shares, trains, totals["money"]) == (68, 33, 12000)
    assert (len(components.privates), len(components.public), len(components.minors)) == (6, 8, 6)


@pytest.mark.rule("1835:setup-6")
def test_the_pool_is_empty_at_the_start() -> None:
    scene = Scene(4)
    assert not any("pool" in row for row in scene.state.ledger.items.values())


@pytest.mark.rule("1835:setup-7")
def test_the_2_trains_are_on_sale_first_and_each_type_after_the_one_before() -> None:
    scene = Scene(4)
    sold = []
    while new := scene.ruleset.depot.new_trains(scene.state):
        (train,) = new
        sold.append(train)
        scene.trains("box", train)
    assert sold == [
        *["2"] * 9,
        *["2+2"] * 4,
        *["3"] * 4,
        *["3+3"] * 3,
        *["4"] * 3,
        "4+4",
        *["5"] * 2,
        "5+5",
        *["6"] * 2,
        *["6+6"] * 4,
    ]


@pytest.mark.rule("1835:setup-8")
def test_a_company_has_its_own_money_and_nothing_is_hidden() -> None:
    scene = begin()
    scene.do("A buys 1")
    assert (scene.has("A"), scene.has("1")) == (395, 80)
    assert TITLE.view(scene.state, 2) is scene.state
    assert scene.ruleset.phase(scene.state).tiles == ["yellow"]


@pytest.mark.rule("1835:3-intro")
@pytest.mark.rule("1835:3.1.1")
@pytest.mark.rule("1835:terms-1")
def test_privates_minors_and_share_companies() -> None:
    components = standard()
    marks = {name: private.colour for name, private in components.privates.items()}
    assert marks == {
        "NF": "blue",
        "LD": "red",
        "BS": "black",
        "HA": "black",
        "OB": "blue",
        "PF": "blue",
    }
    assert list(components.minors) == ["1", "2", "3", "4", "5", "6"]
    assert list(components.public) == ["BY", "SX", "BA", "WT", "HE", "PR", "MS", "OL"]


# ---- what is on offer


@pytest.mark.rule("1835:2.5.1")
def test_the_first_turn_offers_nf_and_the_1() -> None:
    assert offer(begin()) == ["NF", "1"]


@pytest.mark.rule("1835:2.5.1")
def test_the_topmost_row_and_of_the_next_one_only_its_leftmost() -> None:
    """Question 1."""
    assert offer(left("NF", "LD", "2", *ORDER[4:])) == ["NF", "LD"]
    assert offer(left("LD", *ORDER[4:])) == ["LD", "3"]
    assert offer(left("LD", "2", *ORDER[4:])) == ["LD", "2"]
    assert left("NF", "LD", "2").refused("A buys 2") == "2.5.1"


@pytest.mark.rule("1835:2.5.1-ex2")
def test_a_row_is_never_skipped() -> None:
    """Question 1."""
    assert offer(left("NF", *ORDER[4:])) == ["NF"]


@pytest.mark.rule("1835:2.5.1")
def test_what_is_sold_or_unknown_is_not_on_offer() -> None:
    scene = begin()
    scene.do("A buys NF")
    assert scene.refused("B buys NF") == "2.5.1"
    assert scene.refused("B buys XY") == "2.5.1"


@pytest.mark.rule("1835:2.4")
@pytest.mark.rule("1835:1.2.1")
def test_nothing_else_can_be_done_before_the_packet_is_sold() -> None:
    scene = left("BS", "PF").shares("BY", A="10")
    for move in ("buys BY 10", "sells BY 10", "nationalises BY 10 of player 2"):
        assert scene.refused(f"A {move}") == "2.4"


@pytest.mark.rule("1835:2.4c")
def test_a_paper_is_paid_in_full_at_once() -> None:
    scene = left("4", "BS").money(A=159)
    assert offer(scene) == ["BS"]
    assert scene.refused("A buys 4") == "2.4c"
    scene.do("A buys BS")
    assert scene.has("A") == 29


@pytest.mark.rule("1835:2.4b")
@pytest.mark.rule("1835:2.6.2.6")
def test_a_private_and_its_share_need_two_places() -> None:
    scene = left("OB", "6").fill("A", 14)
    assert scene.ruleset.shares.count_certificates(scene.state, 0) == 14
    assert offer(scene) == ["6"]
    assert scene.refused("A buys OB") == "2.6.2.6"


@pytest.mark.rule("1835:2.4b")
@pytest.mark.rule("1835:3.1.2c")
def test_the_free_share_comes_with_the_paper() -> None:
    scene = begin()
    bought = only(scene.do("A buys NF"), happened.PaperBought)
    assert (bought.price, bought.company, bought.free) == (100, "BY", "10")
    assert scene.held("A", "BY") == "10"
    assert (scene.has("A"), scene.deciders()) == (375, "B")


@pytest.mark.rule("1835:3.1.2c")
@pytest.mark.rule("1835:1.2.5")
def test_with_ld_comes_the_saxon_director() -> None:
    scene = left("LD", "2")
    scene.do("A buys LD")
    assert scene.held("A", "SX") == "20P"
    assert scene.ruleset.control.director(scene.state, "SX") == 0
    assert not scene.state.companies["SX"].operating


@pytest.mark.rule("1835:3.2.1")
@pytest.mark.rule("1835:3.2.2")
@pytest.mark.rule("1835:5.1")
@pytest.mark.parametrize(
    ("minor", "treasury", "hex", "stop", "share"),
    [
        ("1", 80, "H2", 0, "5"),
        ("2", 170, "E19", 0, "10P"),
        ("3", 80, "F14", 0, "5"),
        ("4", 160, "G5", 0, "10"),
        ("5", 80, "E19", 1, "5"),
        ("6", 80, "C11", 0, "5"),
    ],
)
def test_a_minor_goes_into_operation_when_it_is_bought(
    minor: str, treasury: int, hex: str, stop: int, share: str
) -> None:
    scene = left(minor, "BS")
    scene.do(f"A buys {minor}")
    assert scene.has(minor) == treasury == standard().packet[minor].price
    assert scene.state.companies[minor].operating
    assert scene.state.layout.stations == [Station(minor, hex, stop)]
    assert scene.director(minor) == "A"
    assert scene.cell(minor) == ""
    assert scene.ruleset.exchanges[minor] == share
    assert scene.ruleset.tokens(scene.state, minor) == 0


# ---- turns, the end of the round


@pytest.mark.rule("1835:2.2")
def test_turns_go_round_to_the_left() -> None:
    assert buyers(begin(), 6) == "ABCDAB"


@pytest.mark.rule("1835:2.3")
@pytest.mark.rule("1835:2.3b")
@pytest.mark.rule("1835:2.5.3")
def test_the_round_ends_when_all_have_passed_in_a_row() -> None:
    scene = begin()
    scene.do("A buys NF", "B is done", "C buys 1", "D is done", "A is done", "B is done")
    events = scene.do("C is done")
    assert only(events, happened.StockRoundEnded).seat == 3
    assert scene.state.priority == 3


@pytest.mark.rule("1835:2.3b")
def test_without_a_purchase_the_priority_marker_stays() -> None:
    scene = begin()
    scene.do("A is done", "B is done", "C is done")
    assert only(scene.do("D is done"), happened.StockRoundEnded).seat == 0


@pytest.mark.rule("1835:2.5.3")
def test_the_packet_goes_on_in_the_next_round() -> None:
    scene = left("BS", "PF")
    scene.state.agenda.clear()
    scene.state.priority = 2
    scene.on(StockRound(2))
    assert (scene.deciders(), offer(scene)) == ("C", ["BS", "PF"])


@pytest.mark.rule("1835:2.4")
def test_who_can_buy_nothing_is_passed_over() -> None:
    scene = left("4", "BS").money(B=100, C=129)
    events = scene.do("A is done")
    passed = every(events, happened.Passed)
    assert [(event.seat, event.able) for event in passed] == [(0, True), (1, False), (2, False)]
    assert scene.deciders() == "D"


@pytest.mark.rule("1835:2.3")
def test_players_passed_over_count_towards_the_end() -> None:
    scene = left("4", "BS").money(B=100, C=129, D=0)
    assert only(scene.do("A is done"), happened.StockRoundEnded).number == 1


# ---- the end of the packet


@pytest.mark.rule("1835:1.2-ex1")
@pytest.mark.rule("1835:2.5.2")
@pytest.mark.rule("1835:2.4")
def test_when_the_packet_is_sold_the_round_goes_on_with_trade() -> None:
    scene = left("6").shares("BY", A="20P 10", B="10", C="10")
    scene.do("A buys 6")
    assert scene.deciders() == "B"
    assert scene.can("B") == ["buys BY 10", "buys SX 10", "is done"]
    scene.do("B is done", "C is done", "D is done")
    assert only(scene.do("A is done"), happened.StockRoundEnded).seat == 1


@pytest.mark.rule("1835:3.3.6")
@pytest.mark.rule("1835:3.1.2c")
@pytest.mark.rule("1835:2.7.5")
@pytest.mark.rule("1835:3.3.8")
@pytest.mark.rule("1835:3.3.9")
def test_the_bavarian_director_comes_last() -> None:
    """Question 2."""
    scene = left("BY-director", turn="B")
    scene.papers(A="NF OB PF").shares("BY", A="10 10 10")
    scene.money(B=184, C=92)
    events = scene.do("B buys BY-director")
    assert scene.has("BY") == 460
    assert scene.held("A", "BY") == "20P 10"
    assert scene.held("B", "BY") == "10 10"
    assert scene.director("BY") == "A"
    kinds = [type(event) for event in events]
    assert kinds.index(happened.Floated) < kinds.index(happened.DirectorChanged)
    # Trade goes on with the next player; no Bavarian share can be sold yet.
    assert scene.deciders() == "C"
    scene.do("C buys BY 10", "C is done", "D is done")
    assert scene.refused("A sells BY 10") == "2.6.3.2c"


@pytest.mark.rule("1835:2.7.1")
@pytest.mark.rule("1835:2.7.5")
def test_bavaria_can_go_into_operation_with_a_free_share() -> None:
    scene = left("HA", "PF").shares("BY", B="20P 10", C="10")
    assert only(scene.do("A buys PF"), happened.Floated).treasury == 460
    assert scene.director("BY") == "B"
    # The packet is not sold out: the sale goes on.
    assert (scene.deciders(), offer(scene)) == ("B", ["HA"])


@pytest.mark.rule("1835:2.7.3")
@pytest.mark.rule("1835:2.7.4")
@pytest.mark.rule("1835:2.7.2")
def test_bavaria_begins_on_its_field_in_munich() -> None:
    scene = left("BY-director").shares("BY", B="10", C="10", D="10")
    scene.do("A buys BY-director")
    assert scene.cell("BY") == "C3"
    assert scene.state.layout.stations == [Station("BY", "O15", 0)]
    assert scene.ruleset.tokens(scene.state, "BY") == 4
    assert scene.director("BY") == "A"


@pytest.mark.rule("1835:3.1.3.2b")
def test_ob_bought_with_both_hexes_built_closes_at_once() -> None:
    scene = left("OB", "6").tiles("M15:58:0", "M17:9:0")
    closed = only(scene.do("A buys OB"), happened.PapersClosed)
    assert (closed.papers, closed.rule) == (("OB",), "3.1.3.2b")
    assert scene.held("A", "BY") == "10"
    scene = left("OB", "6").tiles("M15:58:0")
    scene.do("A buys OB")
    assert scene.ruleset.privates_and_minors(scene.state, 0) == ["OB"]


# ---- the optional rules and the variants


@pytest.mark.rule("1835:7-intro")
@pytest.mark.rule("1835:7.1")
def test_ld_pays_30_by_an_optional_rule() -> None:
    assert Scene().ruleset.market.income(Scene().state, "LD") == 20
    scene = Scene(ld_30="on")
    assert scene.ruleset.market.income(scene.state, "LD") == 30
    assert scene.ruleset.market.income(scene.state, "BS") == 25


@pytest.mark.rule("1835:7.2")
@pytest.mark.parametrize(("number", "price"), [(1, 150), (2, 135), (3, 120), (12, 0)])
def test_unsold_privates_become_cheaper_by_an_optional_rule(number: int, price: int) -> None:
    scene = Scene(cheaper_privates="on")
    scene.state.round.number = number
    packet = scene.ruleset.components.packet
    assert paper_price(scene.ruleset, scene.state, packet["PF"]) == price
    assert paper_price(scene.ruleset, scene.state, packet["5"]) == 80
    assert paper_price(scene.ruleset, scene.state, packet["BY-director"]) == 184


@pytest.mark.rule("1835:7.2")
def test_with_both_rules_ld_falls_by_30() -> None:
    scene = left("LD", cheaper_privates="on", ld_30="on")
    scene.state.round.number = 2
    bought = only(scene.do("A buys LD"), happened.PaperBought)
    assert (bought.price, bought.free, scene.has("A")) == (160, "20P", 315)


@pytest.mark.rule("1835:7.2")
def test_without_the_rule_prices_stay() -> None:
    scene = Scene()
    scene.state.round.number = 4
    assert paper_price(scene.ruleset, scene.state, scene.ruleset.components.packet["PF"]) == 150


@pytest.mark.rule("1835:7.3")
def test_waiting_minors_have_their_treasury_and_marker() -> None:
    scene = begin(minors_wait="on")
    scene.do("A buys 1")
    assert scene.has("1") == 80
    assert scene.state.layout.stations == [Station("1", "H2", 0)]


@pytest.mark.rule("1835:option-packet")
def test_snake_runs_the_second_round_of_turns_backwards() -> None:
    scene = begin(packet="snake")
    assert offer(scene) == ["NF", "1"]
    assert buyers(scene, 12) == "ABCDDCBAABCD"


@pytest.mark.rule("1835:option-packet")
def test_clemens_offers_all_and_runs_the_first_round_backwards() -> None:
    scene = begin(packet="clemens")
    assert offer(scene) == ORDER
    assert buyers(scene, 11) == "DCBAABCDABC"


@pytest.mark.rule("1835:option-packet")
@pytest.mark.rule("1835:2.3")
@pytest.mark.rule("1835:2.6.1.4")
def test_where_turns_go_backwards_everybody_must_have_passed() -> None:
    scene = begin(packet="snake")
    scene.do("A buys NF", "B buys 1", "C is done", "D is done", "D is done", "C is done")
    # B and A have not passed since B bought; the last buyer gets another turn.
    assert scene.deciders() == "B"
    scene.do("B is done")
    assert only(scene.do("A is done"), happened.StockRoundEnded).seat == 2


@pytest.mark.rule("1835:option-packet")
def test_variants_turn_no_later_round() -> None:
    for packet in ("snake", "clemens"):
        scene = Scene(packet=packet)
        scene.state.priority = 1
        scene.on(StockRound(2))
        assert buyers(scene, 6) == "BCDABC"


@pytest.mark.rule("1835:4.6")
def test_prussia_opens_with_the_late_purchase_of_the_2() -> None:
    scene = left("2", "BS").phase("4+4").shares("PR", B="10")
    scene.do("A buys 2")
    assert prussia.is_open(scene.state)
    assert (scene.has("PR"), scene.held("A", "PR")) == (154 + 170, "10P")
    assert scene.deciders() == "B"


@pytest.mark.rule("1835:5.5.4.14.4")
def test_what_is_bought_in_phase_3_is_exchanged_at_once() -> None:
    scene = left("2", "6").phase("5").papers(B="4")
    prussia.phase_three(scene.ruleset, Play(scene.state, scene.position.chance))
    assert not prussia.is_open(scene.state)
    scene.do("A buys 2")
    assert (scene.held("A", "PR"), scene.held("B", "PR")) == ("10P", "10")
    scene.do("B buys 6")
    assert (scene.held("A", "PR"), scene.held("B", "PR")) == ("10", "10P 5")


@pytest.mark.rule("1835:6.2.1")
def test_what_has_been_paid_for_counts_at_its_price_until_the_end() -> None:
    scene = begin()
    capital = scene.title.scores(scene.state)[0]
    scene.do("A buys NF", "B buys 1")
    # With NF came a share of Bavaria, which has no price yet: it counts at par.
    share = scene.ruleset.public["BY"].record.par
    assert scene.title.scores(scene.state) == (capital + share, capital, capital, capital)
    voice = scene.title.voice(Words("en", NAMES))
    (row,) = [one for one in voice.panels(scene.state)[0].rows if "Without a market" in one.label]
    assert row.value == voice.money(100 + share)
    assert "in the end only market prices count" in row.note
    # At the end only what has a price does.
    scene.state.agenda.clear()
    assert scene.title.scores(scene.state) == (capital - 100, capital - 80, capital, capital)
    result = scene.title.result(scene.state)
    assert result is not None
    assert result.scores == scene.title.scores(scene.state)


def test_the_packet_shows_who_has_bought_what() -> None:
    scene = begin()
    words = Words("en", ["Anna", "Bernd with a very long name", "Clara", "Dov"])
    assert "sold to" not in scene.title.draw(scene.state, words)
    scene.do("A buys NF", "B buys 1")
    drawn = scene.title.draw(scene.state, words)
    assert drawn.count("sold to") == 2
    assert "Bernd with a very…" in drawn
