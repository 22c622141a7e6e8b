"""The first stock round of 1853: paying for the shares of contracts, selling them, and its end."""

from __future__ import annotations

import pytest

from kursbuch.core.events import Event
from kursbuch.games.g18xx import events as happened
from kursbuch.games.g18xx.g1853.events import (
    FormFixed,
    Founded,
    SharesPaid,
    SharesRedeemed,
    TrainsAdded,
)
from kursbuch.games.g18xx.g1853.state import PayShares
from kursbuch.games.g18xx.state import StockRound
from tests.games.g18xx.g1853.table import Scene, listing
from tests.happened import every, only


def with_contracts(players: int = 4, **shares: dict[str, int]) -> Scene:
    """Players have taken shares for their contracts: `A={"EIR": 2}`; the first stock round begins."""
    scene = Scene(players)
    for name, held in shares.items():
        for company, count in held.items():
            scene.shares(company, **{name: count})
    return scene.first_round()


def finish(scene: Scene) -> list[Event]:
    """No one does anything any more; returns what happens."""
    events: list[Event] = []
    while scene.step() == "stock-turn":
        events += scene.do(f"{scene.deciders()} is done")
    return events


# ---- paying


def paying(cash: int, **shares: int) -> Scene:
    """A has so much money and these shares of his contract, which are paid now."""
    scene = Scene(4).money(A=cash)
    for company, count in shares.items():
        scene.shares(company, A=count)
        scene.state.drawn[0][company] = count
    return scene.on(StockRound(1), PayShares())


@pytest.mark.rule("1853:2.7", "1853:2.7.1", "1853:2.7.2", "1853:2.7.3")
def test_paying_for_contract_shares() -> None:
    """Question 4: 360 for one share each of six companies; payment stops at the first that is too dear."""
    scene = listing(4, 210, 60, 60, 60)
    for city in ("Calcutta EIR", "Bombay GIP", "Delhi NWR", "Madras MSM", "Waltair ECR"):
        scene.do(f"A writes {city.replace(' ', ' for ')}")
        while scene.deciders() != "A":
            name = scene.deciders()
            lines = [
                line
                for line in scene.can(name)
                if line.split()[1] in ("Multan", "Nagpur", "Jaipur")
            ]
            scene.do(f"{name} {'is done' if 'is done' in scene.can(name) else lines[0]}")
    before = scene.has("bank")
    events = scene.do("A writes Trichinopoly for SIR")
    events += [] if scene.step() != "bid" else scene.do("A is done")
    paid = every(events, SharesPaid)
    assert [event.seat for event in paid] == [0, 1, 2, 3]
    assert paid[0].amounts == (-288, 0, 0, 0)
    assert paid[0].unredeemed == (("MSM", 1), ("SIR", 1), ("ECR", 1))
    assert paid[0].rule == "2.7.3"
    assert paid[1].rule == "2.7.2"
    assert scene.has("A") == 72
    assert scene.has("bank") == before - sum(sum(event.amounts) for event in paid)
    assert scene.state.unredeemed[0] == {"MSM": 1, "SIR": 1, "ECR": 1}
    assert sum(scene.held("A", company) for company in scene.ruleset.public) == 6
    for company in ("MSM", "SIR", "ECR"):
        assert scene.held("A", company) == 1
        assert scene.refused(f"A sells {company} 10") == "2.7.4"
        assert scene.ruleset.market.dividend_percent(scene.state, company, 0) == 0
    assert scene.ruleset.market.dividend_percent(scene.state, "NWR", 0) == 10


@pytest.mark.rule("1853:2.7.2")
@pytest.mark.parametrize(
    ("cash", "left", "unredeemed"),
    [
        (272, 0, {}),
        (271, 87, {"BNR": 1}),
        (184, 0, {"BNR": 1}),
        (183, 91, {"NWR": 1, "BNR": 1}),
        (91, 91, {"NWR": 2, "BNR": 1}),
    ],
)
def test_company_by_company(cash: int, left: int, unredeemed: dict[str, int]) -> None:
    """Two shares at 92 and one at 88 (A took the cheaper one first)."""
    scene = paying(cash, BNR=1, NWR=2)
    assert scene.has("A") == left
    assert scene.state.unredeemed[0] == unredeemed


@pytest.mark.rule("1853:2.7.1", "1853:2.7.2", "1853:3.1.3", "1853:2.7.6", "1853:2.8.1")
def test_from_the_bids_to_the_first_stock_round() -> None:
    """Each has one share for each city: they are paid, and their companies are the first group."""
    scene = listing(4, 60, 60, 60, 60)
    for city in ("Lahore", "Multan", "Karachi"):
        scene.do(f"A writes {city} for NWR")
        scene.do(*(f"{name} writes {city} for NWR" for name in "B"))
        other = {"Lahore": "Nagpur", "Multan": "Hyderabad", "Karachi": "Jaipur"}[city]
        company = "BBCI" if other == "Jaipur" else "BNR"
        scene.do(*(f"{name} writes {other} for {company}" for name in "CD"))
    for name in "ABCD":
        if scene.step() == "bid":
            scene.do(f"{name} is done")
    assert (scene.step(), scene.deciders()) == ("stock-turn", "A")
    assert scene.state.first_group == ["NWR", "BNR", "BBCI"]
    assert scene.state.drawn == [{"NWR": 3}, {"NWR": 3}, *[{"BNR": 2, "BBCI": 1}] * 2]
    assert [scene.has(name) for name in "ABCD"] == [510 - 3 * 92] * 2 + [510 - 2 * 88 - 84] * 2
    assert scene.state.founded == ["NWR"]
    assert {line.split()[1] for line in scene.can("A") if line.startswith("buys")} == {
        "NWR",
        "BNR",
        "BBCI",
    }


@pytest.mark.rule("1853:2.7.3", "1853:3.1.2")
def test_unredeemed_shares_count_for_the_limits() -> None:
    scene = Scene(6).fill("A", 11).unredeemed("A", ECR=2).stock("A")
    assert scene.ruleset.shares.count_certificates(scene.state, 0) == 11
    assert not scene.ruleset.shares.has_room(scene.state, 0)


@pytest.mark.rule("1853:2.7.3")
def test_dividends_come_only_for_paid_shares_of_a_directors_paper() -> None:
    """Two of three shares are unredeemed, and the three make a director."""
    scene = Scene().shares("NWR", A=3).unredeemed("A", NWR=2).operating("NWR")
    assert scene.director("NWR") == "A"
    assert scene.ruleset.market.dividend_percent(scene.state, "NWR", 0) == 10


@pytest.mark.rule("1853:2.7.6", "1853:3.1.3")
def test_shares_of_companies_without_a_contract_are_set_aside() -> None:
    scene = with_contracts(A={"EIR": 2}, B={"SIR": 1})
    assert scene.state.first_group == ["EIR", "SIR"]
    bought = {line.split()[1] for line in scene.can("A") if line.startswith("buys")}
    assert bought == {"EIR", "SIR"}
    assert scene.refused("A buys GIP 10") == "3.1.3"


# ---- the round


@pytest.mark.rule("1853:2.8", "1853:2.8.1", "1853:2.8.2", "1853:1-round-marker")
def test_the_holder_of_the_elephant_begins_the_first_round() -> None:
    scene = Scene().shares("EIR", A=2, B=2)
    scene.state.priority = 2
    scene.state.seating = [2, 0, 3, 1]
    scene.first_round()
    assert (scene.state.round.number, scene.state.round.part) == (1, 0)
    order = ""
    for _ in range(4):
        order += scene.deciders()
        scene.do(f"{scene.deciders()} is done")
    assert order == "CADB"


@pytest.mark.rule("1853:2.8.3", "1853:3.1.7", "1853:3.1.9")
def test_the_example_of_95_and_100() -> None:
    """A sells a share of a company that is not founded, B buys it."""
    scene = with_contracts(A={"EIR": 2}).money(A=0, B=100)
    sold = only(scene.do("A sells EIR 10"), happened.SharesSold)
    assert (sold.proceeds, scene.has("A"), scene.pool("EIR")) == (95, 95, 1)
    scene.do("A is done")
    bought = only(scene.do("B buys EIR 10 from the pool"), happened.ShareBought)
    assert (bought.price, scene.has("B")) == (100, 0)


@pytest.mark.rule("1853:2.8.3")
def test_the_loss_is_only_of_the_first_round() -> None:
    scene = Scene().shares("EIR", A=2).stock("A", number=2).money(A=0)
    scene.do("A sells EIR 10")
    assert scene.has("A") == 100


@pytest.mark.rule("1853:2.7.5", "1853:2.8.3", "1853:3.1.7", "1853:3.1.9", "1853:3.1.10")
def test_selling_contract_shares_of_a_founded_company() -> None:
    """Question 6."""
    scene = with_contracts(A={"EIR": 3}, B={"EIR": 2}, C={"SIR": 1}).money(A=500, B=0, C=500)
    assert scene.state.founded == ["EIR"]
    scene.do("A buys EIR 10", "A is done")
    scene.do("B sells EIR 10, 10")
    assert scene.has("B") == 190
    assert scene.refused("B buys EIR 10") == "3.1.9"
    assert scene.refused("B buys EIR 10 from the pool") == "3.1.9"
    scene.do("B is done")
    assert scene.has("C") == 500
    scene.do("C buys EIR 10 from the pool", "C is done")
    assert scene.has("C") == 400
    scene.do("D is done")
    assert scene.refused("A sells EIR 10") == "2.8.3"
    assert not any("sells EIR" in line for line in scene.can("A"))
    scene.do("A is done", "B buys SIR 10", "B is done")
    assert scene.refused("C sells EIR 10") == "2.8.3"
    # SIR is not founded: contract shares and bought ones are sold at any time.
    scene.do("C sells SIR 10")
    assert scene.has("C") == 470
    scene.do("C is done", "D is done", "A is done")
    scene.do("B sells SIR 10")
    assert scene.has("B") == 185
    assert "EIR" in scene.state.founded, "five shares are issued, also those in the pool"


@pytest.mark.rule("1853:2.8.3")
def test_at_the_first_opportunity_only_shares_of_the_contract_are_sold() -> None:
    """A has two shares of his contract and has bought one; then the company is founded."""
    scene = with_contracts(A={"NWR": 2}, B={"NWR": 1}).money(A=500, B=500, C=500)
    scene.do("A buys NWR 10", "A is done")
    founded = only(scene.do("B buys NWR 10"), Founded)
    assert founded.company == "NWR"
    assert scene.refused("B sells NWR 10") == "3.1.9", "not in the turn of the purchase"
    scene.do("B is done", "C is done", "D is done")
    assert [line for line in scene.can("A") if line.startswith("sells")] == [
        "sells NWR 10",
        "sells NWR 10, 10",
    ]
    assert scene.refused("A sells NWR 10, 10, 10") == "2.8.3"
    scene.do("A sells NWR 10")
    assert scene.refused("A sells NWR 10, 10") == "2.8.3", "one share of the contract is left"
    scene.do("A sells NWR 10")
    assert scene.refused("A sells NWR 10") == "2.8.3"
    assert (scene.held("A", "NWR"), scene.state.drawn[0]["NWR"]) == (1, 0)


@pytest.mark.rule("1853:2.8.3")
def test_the_first_opportunity_is_a_turn_that_begins_after_the_founding() -> None:
    """A founds the company himself, by a purchase: his next turn is the first one after that."""
    scene = with_contracts(A={"NWR": 2}, B={"NWR": 2}).money(A=500, B=500)
    assert scene.state.founded == []
    scene.do("A buys NWR 10")
    assert scene.state.founded == ["NWR"]
    assert scene.refused("A sells NWR 10") == "3.1.9"
    scene.do("A is done", "B is done", "C is done", "D is done")
    assert "sells NWR 10, 10" in scene.can("A")
    scene.do("A sells NWR 10, 10")
    assert scene.has("A") == 500 - 92 + 2 * 87


@pytest.mark.rule("1853:2.8.3")
def test_the_opportunity_passes_also_for_who_does_something_else() -> None:
    scene = with_contracts(A={"EIR": 3}, B={"EIR": 2, "SIR": 1}).money(A=300, B=500)
    scene.do("A is done", "B buys SIR 10", "B is done", "C is done", "D is done", "A is done")
    assert scene.deciders() == "B"
    assert scene.refused("B sells EIR 10") == "2.8.3"


@pytest.mark.rule("1853:2.8.3")
def test_bought_shares_are_sold_before_those_of_the_contract() -> None:
    """Before the founding A sells one of three: it is the bought one, and both of the contract can
    still be sold at the first opportunity."""
    scene = with_contracts(A={"NWR": 2, "SIR": 1}, B={"NWR": 1}).money(A=500, B=500, C=500, D=500)
    scene.do("A buys NWR 10", "A is done", "B is done", "C is done", "D is done")
    scene.do("A sells NWR 10", "A buys SIR 10", "A is done")
    assert scene.state.drawn[0]["NWR"] == 2
    scene.do("B buys NWR 10", "B is done")
    assert "NWR" in scene.state.founded
    scene.do("C is done", "D is done")
    assert "sells NWR 10, 10" in scene.can("A")


@pytest.mark.rule("1853:2.8.3")
def test_sold_shares_of_the_contract_are_gone() -> None:
    """A sells one of his two contract shares before the founding, and buys none back in this round."""
    scene = with_contracts(A={"NWR": 2}, B={"NWR": 2})
    scene.do("A sells NWR 10")
    assert scene.state.drawn[0]["NWR"] == 1


@pytest.mark.rule("1853:2.8.3", "1853:2.7.3", "1853:2.7.4")
def test_unredeemed_shares_are_never_sold() -> None:
    """A has two shares of the founded company, one of them unredeemed; redeemed it can be sold."""
    scene = Scene().shares("EIR", A=2, B=3).unredeemed("A", EIR=1).money(A=100).first_round()
    assert scene.refused("A sells EIR 10, 10") == "2.7.4"
    assert [line for line in scene.can("A") if line.startswith("sells")] == ["sells EIR 10"]
    redeemed = only(scene.do("A redeems 1 of EIR"), SharesRedeemed)
    assert (redeemed.amounts, redeemed.count, redeemed.price) == ((-100, 0, 0, 0), 1, 100)
    scene.do("A sells EIR 10, 10")
    assert scene.has("A") == 190


@pytest.mark.rule("1853:2.7.5", "1853:table-3")
@pytest.mark.parametrize(("players", "needed"), [(3, 6), (4, 5), (5, 5), (6, 4)])
def test_how_many_issued_shares_found_a_company(players: int, needed: int) -> None:
    """Those of players, unredeemed ones too, and those in the pool."""
    scene = Scene(players).shares("ECR", A=1, B=1).unredeemed("B", ECR=1)
    scene.shares("ECR", pool=needed - 3).shares("SIR", A=1).first_round().money(A=700)
    assert scene.state.founded == []
    founded = only(scene.do("A buys ECR 10"), Founded)
    assert (founded.company, scene.state.founded) == ("ECR", ["ECR"])
    assert not scene.state.companies["ECR"].operating


@pytest.mark.rule("1853:3.1.3", "1853:1-shares")
def test_at_most_eight_shares_are_issued_before_there_is_a_director() -> None:
    """A founded company waits for the end of the round: the paper of two is not bought, and holds up
    the second group."""
    scene = with_contracts(A={"SIR": 1}, B={"SIR": 4}, C={"SIR": 3}).money(A=500)
    assert scene.state.founded == ["SIR"]
    assert scene.refused("A buys SIR 10") == "1-shares"
    assert scene.refused("A buys EIR 10") == "3.1.3"


@pytest.mark.rule("1853:2.7.5")
def test_a_company_founded_by_the_bids() -> None:
    scene = Scene().shares("EIR", A=3, B=2).shares("GIP", A=2, C=2)
    for seat, drawn in enumerate(scene.state.drawn):
        for company in ("EIR", "GIP"):
            drawn[company] = scene.ruleset.shares_of(scene.state, seat, company)
    scene.on(StockRound(1))
    assert scene.state.founded == ["EIR"]


# ---- its end


@pytest.mark.rule("1853:2.9", "1853:2.9.1", "1853:3.3.1", "1853:3.3.2", "1853:3.3.3", "1853:3.5")
def test_directors_are_determined_at_the_end() -> None:
    """EIR and MSM are founded during the round; only at its end someone directs them, and they get
    their money, homes and prices. GIP is not founded."""
    scene = with_contracts(A={"EIR": 3, "GIP": 1}, B={"EIR": 2}, C={"MSM": 5})
    assert scene.director("EIR") == ""
    assert (scene.price("EIR"), scene.has("EIR"), scene.state.layout.stations) == (0, 0, [])
    events = finish(scene)
    kinds = [
        type(event)
        for event in events
        if isinstance(
            event,
            happened.DirectorChanged
            | TrainsAdded
            | FormFixed
            | happened.Floated
            | happened.StationPlaced
            | happened.StockRoundEnded,
        )
    ]
    assert kinds == [
        *(happened.DirectorChanged, happened.DirectorChanged, TrainsAdded),
        *(happened.Floated, happened.StationPlaced, happened.StationPlaced),
        *(happened.Floated, happened.StationPlaced, happened.StockRoundEnded),
    ]
    assert (scene.director("EIR"), scene.director("MSM"), scene.director("GIP")) == ("A", "C", "")
    assert (scene.has("EIR"), scene.has("MSM"), scene.has("GIP")) == (1000, 800, 0)
    assert (scene.price("EIR"), scene.price("MSM"), scene.price("GIP")) == (100, 80, 0)
    homes = [
        (station.company, station.hex, station.stop) for station in scene.state.layout.stations
    ]
    assert homes == [("EIR", "J28", 0), ("EIR", "H24", 0), ("MSM", "R18", 0)]
    scene.do("A is done")
    assert scene.step() == "choose-right"
    assert scene.deciders() == "A"
    assert [name for name, found in scene.state.companies.items() if found.operating] == [
        "EIR",
        "MSM",
    ]


@pytest.mark.rule("1853:2.9.2", "1853:2.7.3", "1853:3.2.1")
def test_unredeemed_shares_count_for_the_director_and_longest_held_decides() -> None:
    """Question 8: A and B have three each; B took his first one before A did."""
    scene = Scene().shares("NWR", B=1, A=1).shares("NWR", A=2).shares("NWR", B=2)
    scene.unredeemed("B", NWR=2).money(B=0).first_round()
    assert scene.state.companies["NWR"].holders == [1, 0]
    finish(scene)
    assert scene.director("NWR") == "B"
    assert scene.ruleset.market.dividend_percent(scene.state, "NWR", 1) == 10


@pytest.mark.rule("1853:2.9.2")
def test_contract_shares_count_in_the_order_in_which_they_were_taken() -> None:
    """C takes the first NWR share, A one in the second circuit; both end with two."""
    scene = listing(4, 90, 80, 70, 60)
    scene.do("A writes Jaipur for BBCI", "B writes Nagpur for BNR", "C writes Lahore for NWR")
    scene.do("D writes Mysore for SIR", "A writes Lahore for NWR", "B writes Multan for NWR")
    assert scene.state.companies["NWR"].holders == [2, 0, 1]


@pytest.mark.rule("1853:2.9.2")
def test_who_sells_his_last_share_begins_anew() -> None:
    scene = with_contracts(A={"NWR": 1}, B={"NWR": 2}, C={"NWR": 2}, D={"SIR": 1})
    assert scene.state.companies["NWR"].holders == [0, 1, 2]
    scene.do("A sells NWR 10")
    assert scene.state.companies["NWR"].holders == [1, 2]
    finish(scene)
    assert scene.director("NWR") == "B"


@pytest.mark.rule("1853:2.8.4", "1853:1-trains", "1853:4.8.16")
def test_with_a_small_company_more_trains_join() -> None:
    """The example: EIR and MSM are founded."""
    scene = with_contracts(A={"EIR": 5}, B={"MSM": 5})
    added = only(finish(scene), TrainsAdded)
    assert sorted(added.trains) == ["2", "2M", "3M"]
    assert [scene.owns("stack").split().count(train) for train in ("2", "2M", "3M", "4M")] == [
        7,
        3,
        4,
        2,
    ]
    assert scene.state.small_founded


@pytest.mark.rule("1853:2.8.4", "1853:table-5")
def test_without_a_small_company_none_do() -> None:
    scene = with_contracts(A={"EIR": 5}, B={"MSM": 4})
    assert not every(finish(scene), TrainsAdded)
    assert [scene.owns("stack").split().count(train) for train in ("2", "2M", "3M", "1M")] == [
        6,
        2,
        3,
        0,
    ]
    assert not scene.state.small_founded


def bbci(held: int, *cities: str, others: str = "BCD") -> Scene:
    """Six players; D holds this many BBCI shares, the others one each, and has these cities."""
    scene = Scene(6).shares("BBCI", D=held, **dict.fromkeys(others.replace("D", ""), 1))
    return scene.contract("D", 100, *cities).first_round()


@pytest.mark.rule("1853:2.6", "1853:2.6.1", "1853:2.6.3", "1853:2.8.4", "1853:3.2.2")
def test_bbci_led_by_a_manager_is_small() -> None:
    """Question 7: four players with one share each, D first of them, with Ajmer and Bombay."""
    scene = bbci(1, "Ajmer", "Bombay BBCI", "Lahore", others="DABC")
    events = finish(scene)
    assert (scene.director("BBCI"), scene.leads("BBCI")) == ("", "D")
    fixed = only(events, FormFixed)
    assert (fixed.large, fixed.shown) == (False, ())
    assert not scene.state.charters["BBCI"].large
    assert scene.state.charters["BBCI"].token
    assert scene.state.claimant is None
    assert [station.hex for station in scene.state.layout.stations] == ["H10"]
    assert [scene.owns("stack").split().count(train) for train in ("2", "2M", "3M")] == [7, 3, 4]
    assert scene.ruleset.builder.cost(scene.state, "BBCI", "H10", "6") == 140
    assert scene.ruleset.builder.cost(scene.state, "BBCI", "H10", "76") == 70


@pytest.mark.rule("1853:2.6.2", "1853:2.6", "1853:1-large-small", "1853:table-1")
def test_bbci_with_a_director_is_large() -> None:
    """Question 7: D holds two, so the BBCI is large; his other city stays secret. It stays large when
    he loses the post."""
    scene = bbci(2, "Ajmer", "Lahore", "Bombay BBCI", others="DABC")
    events = finish(scene)
    assert scene.director("BBCI") == "D"
    fixed = only(events, FormFixed)
    assert (fixed.large, fixed.shown) == (True, ("Ajmer", "Bombay"))
    assert scene.state.claimant == 3
    assert not scene.state.charters["BBCI"].token
    assert [(one.hex, one.stop) for one in scene.state.layout.stations] == [("H10", 0), ("M9", 0)]
    assert scene.ruleset.builder.cost(scene.state, "BBCI", "H10", "6") == 70
    assert scene.ruleset.builder.cost(scene.state, "BBCI", "H10", "76") == 70
    assert scene.ruleset.builder.cost(scene.state, "GIP", "H10", "6") == 140
    assert not every(events, TrainsAdded)
    seen = scene.title.view(scene.state, 0).contracts[3].cities
    assert seen == ["Ajmer", "", "Bombay"]
    later = scene.shares("BBCI", A=2).stock("B")
    later.do("B is done")
    assert later.state.charters["BBCI"].large


@pytest.mark.rule("1853:2.6.2", "1853:2.6.3")
@pytest.mark.parametrize(
    "cities", [("Ajmer", "Jaipur", "Lahore"), ("Bombay BBCI", "Jaipur", "Lahore"), ("Jaipur",)]
)
def test_bbci_needs_both_cities_in_the_contract_of_its_director(cities: tuple[str, ...]) -> None:
    scene = bbci(2, *cities, others="DABC").contract("A", 100, "Ajmer", "Bombay", "Lahore")
    fixed = only(finish(scene), FormFixed)
    assert (fixed.large, scene.state.charters["BBCI"].token) == (False, True)


@pytest.mark.rule("1853:2.6.3")
def test_bbci_founded_later_is_small() -> None:
    scene = bbci(2, "Ajmer", "Bombay BBCI", "Lahore", others="D").money(A=500)
    assert not every(finish(scene), FormFixed)
    charter = scene.state.charters["BBCI"]
    assert (charter.large, charter.token) == (False, True)
    scene.state.agenda.clear()
    scene.shares("BBCI", B=1).stock("A").do("A buys BBCI 10")
    assert scene.director("BBCI") == "D"
    assert not scene.state.charters["BBCI"].large
    assert [one.hex for one in scene.state.layout.stations] == ["H10"]
