"""What a title can do in another way without steps of its own: the verbs of the parts and the triggers,
shown by the toy title of docs/adding-an-18xx.md."""

from __future__ import annotations

import random
from collections.abc import Collection, Sequence
from types import ModuleType
from typing import Any

import pytest
from msgspec.structs import replace

from kursbuch.core.errors import IllegalAction
from kursbuch.core.game import Game
from kursbuch.core.play import Play
from kursbuch.core.state import Step
from kursbuch.games.g18xx.actions import (
    BuyShare,
    BuyTrain,
    Dividend,
    Done,
    LayTile,
    OfferTrain,
    PlaceStation,
)
from kursbuch.games.g18xx.components import BANK, BOX, PLAYERS, POOL, STACK
from kursbuch.games.g18xx.map.revenue import Obligation
from kursbuch.games.g18xx.map.tiles import Fit
from kursbuch.games.g18xx.map.track import Laid, Layout
from kursbuch.games.g18xx.rules import emergency_buy
from kursbuch.games.g18xx.rules.builder import Builder
from kursbuch.games.g18xx.rules.depot import Depot, Offer
from kursbuch.games.g18xx.rules.director import Control
from kursbuch.games.g18xx.rules.shares import Shares
from kursbuch.games.g18xx.rules.stock_market import StockMarket
from kursbuch.games.g18xx.ruleset import Ruleset, Triggers
from kursbuch.games.g18xx.state import (
    BuyTrains,
    EndGame,
    EndStockRound,
    Pay,
    PlaceToken,
    RaiseMoney,
    Run,
    StockTurn,
)
from tests.games.g18xx.toy import ENGLISH, begun, data_of, everything, new, play, read, ruleset, say


def title(
    shuttle: ModuleType,
    kind: type[Ruleset[Any]] = Ruleset,
    parts: dict[str, Any] | None = None,
    **policy: Any,
) -> Any:
    """Shuttle with other parts and another policy."""
    components = shuttle.TITLE.ruleset.components
    made = kind(components, replace(shuttle.POLICY, **policy), **(parts or {}))

    class Other(shuttle.Shuttle):  # type: ignore[name-defined, misc]
        def __init__(self) -> None:
            super(shuttle.Shuttle, self).__init__(made)

    return Other()


def ask(game: Game, step: Step) -> None:
    """A step of N begins."""
    game.state.agenda.append(step)
    game.position.run(play(game))


def rule(game: Game, action: Any) -> str:
    problem = game.position.problem(action)
    return "" if problem is None else problem.rule


def line(game: Game, *trains: str) -> None:
    """Track from North over A3 and A5 to South, and trains for N."""
    game.state.layout = Layout({"A3": Laid("9", 0), "A5": Laid("8", 1)}, game.state.layout.stations)
    for train in trains:
        game.state.ledger.move(f"train:{train}", STACK, "N")


# ---- building


class Territory(Builder[Any]):
    def cost(self, state: Any, company: str, hex: str, tile: str) -> int:
        return 50 if tile == "9" else 0

    def tile_problem(self, state: Any, company: str, hex: str, fit: Fit) -> IllegalAction | None:
        return IllegalAction("tile-lays", "Not there.") if hex == "B2" else None

    def station_problem(
        self, state: Any, company: str, hex: str, stop: int
    ) -> IllegalAction | None:
        return IllegalAction("one-station", "Not there.") if hex == "B6" else None


class Poor(Ruleset[Any]):
    def purse(self, state: Any, company: str) -> int:
        return 49


def lays(game: Game) -> set[tuple[str, str]]:
    return {
        (choice.action.hex, choice.action.tile)
        for choice in game.legal_actions(0)
        if isinstance(choice.action, LayTile)
    }


def test_a_title_says_where_else_no_tile_may_be_laid_and_what_tiles_cost(
    shuttle: ModuleType,
) -> None:
    plain = begun(shuttle.TITLE)
    assert lays(plain) == {("A3", "8"), ("A3", "9"), ("B2", "8")}
    game = begun(title(shuttle, parts={"builder": Territory}))
    assert lays(game) == {("A3", "8"), ("A3", "9")}
    on_b2 = next(
        choice.action
        for choice in plain.legal_actions(0)
        if isinstance(choice.action, LayTile) and choice.action.hex == "B2"
    )
    assert str(game.position.problem(on_b2)) == "Not there."
    before = ruleset(game).money(game.state, "N")
    say(game, "Anna lays 9 on A3 turned 0")
    assert before - ruleset(game).money(game.state, "N") == 50
    poor = begun(title(shuttle, Poor, {"builder": Territory}))
    assert lays(poor) == {("A3", "8")}


def test_what_a_company_may_spend_can_be_less_than_it_has(shuttle: ModuleType) -> None:
    game = begun(title(shuttle, Poor))
    line(game)
    ask(game, PlaceToken("N"))
    assert not isinstance(game.state.agenda[-1], PlaceToken), "the station costs 60"
    poor = begun(title(shuttle, Poor, train_duty=False))
    poor.state.agenda.append(BuyTrains("N", asked=True))
    assert rule(poor, BuyTrain(0, "2")) == "trains-1"
    assert [one.action for one in poor.legal_actions(0)] == [Done(0)]


def test_a_title_says_where_else_no_station_may_be_placed(shuttle: ModuleType) -> None:
    for builder, allowed in ((Builder, True), (Territory, False)):
        game = begun(title(shuttle, parts={"builder": builder}))
        line(game)
        game.state.agenda.append(PlaceToken("N", asked=True))
        problem = game.position.problem(PlaceStation(0, "B6", 0))
        assert (problem is None) == allowed
        stations = [one for one in game.legal_actions(0) if isinstance(one.action, PlaceStation)]
        assert bool(stations) == allowed


# ---- shares


class OneCompany(Shares[Any]):
    """No one may have more than 30 percent of a company."""

    def companies_with_room(self, state: Any, seat: int) -> Collection[str]:
        return [
            company
            for company in self.lookup.public
            if self.lookup.percent(state, PLAYERS[seat], company) < 30
        ]

    def over_limit(self, state: Any, seat: int) -> IllegalAction | None:
        if self.lookup.percent(state, PLAYERS[seat], "S") < 40:
            return None
        return IllegalAction("sell-down-to-limit", "Too many shares of S.")


def test_limits_may_be_counted_by_company(shuttle: ModuleType) -> None:
    game = new(title(shuttle, parts={"shares": OneCompany}))
    game.state.ledger.move("N:20P", STACK, PLAYERS[0])
    game.state.ledger.move("N:10", STACK, PLAYERS[0])
    companies = {
        choice.action.company
        for choice in game.legal_actions(0)
        if isinstance(choice.action, BuyShare)
    }
    assert companies == {"S"}
    assert rule(game, BuyShare(0, "N", "10")) == "shares-2"
    assert rule(game, BuyShare(0, "S", "20P")) == ""
    game.state.ledger.move("S:20P", STACK, PLAYERS[0])
    game.state.ledger.move("S:20", STACK, PLAYERS[0])
    problem = game.position.problem(BuyShare(0, "S", "10"))
    assert str(problem) == "Too many shares of S."


# ---- runs


def test_one_train_carries_the_mail_for_the_treasury(shuttle: ModuleType) -> None:
    """The run from North to South earns 70, and as much for the mail; that is no dividend."""
    game = begun(title(shuttle, mail=True))
    line(game, "2")
    before = ruleset(game).money(game.state, "N")
    ask(game, Run("N"))
    step = game.state.agenda[-1]
    assert isinstance(step, Pay)
    assert step.revenue == 70
    prompt = game.title.voice(ENGLISH).prompt(game.state, game.pending[0])
    assert prompt.endswith("£70 for the mail. Pay the £70 out or withhold it?")
    assert game.title.voice(ENGLISH).compose(game.state, Dividend(0, True)) is None
    assert ruleset(game).money(game.state, "N") - before == 70
    say(game, "Anna pays out")
    assert ruleset(game).money(game.state, "N") - before == 70


class Lenient(Control[Any]):
    def payout_problem(self, state: Any, company: str) -> IllegalAction | None:
        return None


def test_what_a_debtor_earns_pays_off_its_debt(shuttle: ModuleType) -> None:
    """The mail brings 70, the share in the pool 7."""
    game = begun(
        title(shuttle, parts={"control": Lenient}, mail=True, runs="any", pool_earns="company")
    )
    state = game.state
    line(game, "2")
    state.ledger.move("N:10", PLAYERS[0], POOL)
    state.companies["N"].debt = 75
    before = ruleset(game).money(state, "N")
    ask(game, Run("N"))
    say(game, "Anna pays out")
    assert state.companies["N"].debt == 0
    assert ruleset(game).money(state, "N") - before == 2


def test_picked_runs_carry_the_mail_as_well(shuttle: ModuleType) -> None:
    game = begun(title(shuttle, mail=True, runs="any"))
    line(game, "2")
    before = ruleset(game).money(game.state, "N")
    ask(game, Run("N"))
    game.apply(Dividend(0, True, (("A1/0", "B6/0"),)))
    assert ruleset(game).money(game.state, "N") - before == 70


@pytest.mark.parametrize(("runs", "rule_"), [("most", "runs-1"), ("any", "")])
def test_runs_may_earn_less_where_the_policy_says_so(
    shuttle: ModuleType, runs: str, rule_: str
) -> None:
    game = begun(title(shuttle, runs=runs))
    line(game, "2")
    ask(game, Run("N"))
    stays = Dividend(0, False, ((),))
    assert rule(game, stays) == rule_
    if not rule_:
        assert game.title.voice(ENGLISH).compose(game.state, stays) is not None
        assert rule(game, Dividend(0, True, ((),))) == "runs-1", "nothing earned is saved"
        before = ruleset(game).money(game.state, "N")
        game.apply(stays)
        assert ruleset(game).money(game.state, "N") == before
        assert game.state.companies["N"].revenue == 0


class NothingPaid(Control[Any]):
    def payout_problem(self, state: Any, company: str) -> IllegalAction | None:
        return IllegalAction("withholding", "Managers pay nothing.")


@pytest.mark.parametrize("runs", ["most", "any"])
def test_a_title_says_who_may_pay_nothing(shuttle: ModuleType, runs: str) -> None:
    game = begun(title(shuttle, parts={"control": NothingPaid}, runs=runs))
    line(game, "2")
    before = ruleset(game).money(game.state, "N")
    ask(game, Run("N"))
    if runs == "any":
        assert str(game.position.problem(Dividend(0, True))) == "Managers pay nothing."
        assert [choice.action for choice in game.legal_actions(0)] == [Dividend(0, False)]
        say(game, "Anna saves")
    assert not isinstance(game.state.agenda[-1], Pay)
    assert ruleset(game).money(game.state, "N") - before == 70


class HasToRun(Depot[Any]):
    duty = Obligation("B4", by=(("A1", 0),))

    def duties(self, state: Any, company: str) -> Sequence[Obligation]:
        return (self.duty,)


def test_trains_run_where_they_have_to(shuttle: ModuleType) -> None:
    """Two lines lead from North: one to South, one to a town."""
    for depot, revenue in ((Depot, 70), (HasToRun, 40)):
        game = begun(title(shuttle, parts={"depot": depot}, runs="any"))
        line(game, "2")
        game.state.layout = Layout(
            {**game.state.layout.tiles, "B2": Laid("8", 4), "B4": Laid("4", 0)},
            game.state.layout.stations,
        )
        assert ruleset(game).depot.best_runs(game.state, "N").revenue == revenue
        ask(game, Run("N"))
        south = Dividend(0, True, (("A1/0", "B6/0"),))
        assert rule(game, south) == ("" if depot is Depot else "run-duty")
        assert rule(game, Dividend(0, True, (("A1/0", "B4/0"),))) == ""
        assert rule(game, Dividend(0, True)) == ""


@pytest.mark.parametrize(
    ("depot", "legend"), [(Depot, "2: 70 + 70 mail"), (HasToRun, "2: 40 + 40 mail")]
)
def test_the_runs_that_are_drawn_are_those_that_are_asked_about(
    shuttle: ModuleType, depot: type[Depot[Any]], legend: str
) -> None:
    made = title(shuttle, parts={"depot": depot}, runs="any", mail=True)
    game = begun(made)
    line(game, "2")
    game.state.layout = Layout(
        {**game.state.layout.tiles, "B2": Laid("8", 4), "B4": Laid("4", 0)},
        game.state.layout.stations,
    )
    ask(game, Run("N"))
    assert legend in made.draw(game.state, ENGLISH)
    say(game, "Anna pays out")
    happened = [event for _, event in game.events()]
    assert legend in made.draw(game.state, ENGLISH, made.marks(happened))
    assert legend not in made.draw(game.state, ENGLISH)


# ---- trains


@pytest.mark.parametrize(("adds", "allowed"), [("duty", False), ("any", True)])
def test_a_director_may_add_money_to_any_train(
    shuttle: ModuleType, adds: str, allowed: bool
) -> None:
    game = begun(title(shuttle, train_duty=False, director_adds=adds))
    state = game.state
    state.ledger.move("money", "N", BANK, ruleset(game).money(state, "N") - 10)
    state.ledger.move("train:3", STACK, "S")
    state.phase = 1
    cash = ruleset(game).cash(state, 0)
    ask(game, BuyTrains("N"))
    assert (BuyTrain(0, "2") in [one.action for one in game.legal_actions(0)]) == allowed
    assert rule(game, BuyTrain(0, "2")) == ("" if allowed else "trains-1")
    most = 10 + cash if allowed else 10
    offers = [one for one in game.legal_actions(0) if isinstance(one.action, OfferTrain)]
    assert [one.amount.high for one in offers if one.amount] == [most]
    assert rule(game, OfferTrain(0, "S", "3", most + 1)) == "trains-1"
    if allowed:
        say(game, "Anna buys train 2")
        assert ruleset(game).money(state, "N") == 0
        assert ruleset(game).cash(state, 0) == cash - 50
        state.ledger.move("money", PLAYERS[0], BANK, ruleset(game).cash(state, 0))
        assert rule(game, BuyTrain(0, "2")) == "trains-1"


def needy(made: Any) -> Game:
    """Anna has a share of S, which has worked, and no money; N must buy a train for 60."""
    game = begun(made)
    state = game.state
    state.companies["S"].worked = True
    state.ledger.move("money", PLAYERS[0], BANK, ruleset(game).cash(state, 0))
    state.ledger.move("S:10", STACK, PLAYERS[0])
    ruleset(game).control.settle_director(play(game), "S")
    return game


def test_what_a_company_may_spend_counts_when_shares_have_to_be_sold(shuttle: ModuleType) -> None:
    game = needy(title(shuttle, Poor))
    before = ruleset(game).money(game.state, "N")
    ask(game, BuyTrains("N"))
    say(game, "Anna buys train 2")
    assert game.pending[0].step == "raise-money"
    price = ruleset(game).market.price(game.state, "S")
    say(game, "Anna sells S 10")
    assert ruleset(game).trains(game.state, "N") == ["2"]
    assert ruleset(game).money(game.state, "N") == before - 49
    assert ruleset(game).cash(game.state, 0) == price - 11


def test_what_a_company_may_not_spend_is_kept_in_a_bankruptcy(shuttle: ModuleType) -> None:
    game = begun(title(shuttle, Poor))
    state = game.state
    state.ledger.move("money", PLAYERS[0], BANK, ruleset(game).cash(state, 0))
    before = ruleset(game).money(state, "N")
    ask(game, BuyTrains("N"))
    say(game, "Anna buys train 2")
    assert state.out == [0]
    assert ruleset(game).money(state, "N") == before - 49
    assert state.companies["N"].debt == 11


def test_looking_at_sales_changes_nothing(shuttle: ModuleType) -> None:
    """What Anna has of S is looked at as if she had sold it; she stays in front of Bernd there."""
    game = needy(shuttle.TITLE)
    state = game.state
    state.ledger.move("money", "N", BANK, ruleset(game).money(state, "N"))
    state.companies["N"].worked = True
    state.companies["S"].holders = [0, 1]
    ruleset(game).market.move_price(play(game), "S", "A2", "sold", "sale")
    assert ruleset(game).market.price(state, "S") < 60, "she needs more than that"
    state.agenda.append(RaiseMoney("N", "2", BANK))
    assert game.legal_actions(0)
    assert state.companies["S"].holders == [0, 1]


def test_who_sells_a_train_pays_off_what_it_owes(shuttle: ModuleType) -> None:
    game = begun(shuttle.TITLE)
    state = game.state
    state.phase = 1
    state.ledger.move("train:2", STACK, "S")
    state.companies["S"].debt = 15
    before = ruleset(game).money(state, "S")
    ask(game, BuyTrains("N"))
    say(game, "Anna offers 40 for train 2 of S", "Bernd accepts")
    assert state.companies["S"].debt == 0
    assert ruleset(game).money(state, "S") - before == 25


@pytest.mark.parametrize(("kind", "added"), [(Ruleset, 0), (Poor, 10)])
def test_an_accepted_offer_is_paid_with_what_a_company_may_spend(
    shuttle: ModuleType, kind: Any, added: int
) -> None:
    game = begun(title(shuttle, kind))
    state = game.state
    state.phase = 1
    state.ledger.move("train:2", STACK, "S")
    cash = ruleset(game).cash(state, 0)
    ask(game, BuyTrains("N"))
    say(game, "Anna offers 59 for train 2 of S", "Bernd accepts")
    assert ruleset(game).cash(state, 0) == cash - added


def test_a_rich_company_may_pay_more_than_the_printed_price(shuttle: ModuleType) -> None:
    game = begun(shuttle.TITLE)
    game.state.phase = 1
    game.state.ledger.move("train:2", STACK, "S")
    assert ruleset(game).depot.must_buy(game.state, "N")
    assert emergency_buy.most_for_used(ruleset(game), game.state, "N", "2") == 600


def test_who_has_exactly_the_price_can_pay_it(shuttle: ModuleType) -> None:
    game = begun(title(shuttle, train_duty=False, director_adds="any"))
    state = game.state
    state.ledger.move("money", PLAYERS[0], BANK, ruleset(game).cash(state, 0) - 20)
    state.ledger.move("money", "N", BANK, ruleset(game).money(state, "N") - 40)
    ask(game, BuyTrains("N"))
    assert rule(game, BuyTrain(0, "2")) == ""


class TwoRows(Depot[Any]):
    """N may buy the next train already; trains of type 2 are not sold on."""

    def new_trains(self, state: Any, company: str = "") -> list[str]:
        found = super().new_trains(state, company)
        return ["2", "3"] if company == "N" and found == ["2"] else found

    def transfer_problem(
        self, state: Any, company: str, owner: str, train: str
    ) -> IllegalAction | None:
        return IllegalAction("train-of-company", "Not that one.") if train == "2" else None


def test_trains_on_offer_depend_on_the_buyer(shuttle: ModuleType) -> None:
    game = begun(title(shuttle, parts={"depot": TwoRows}))
    depot = ruleset(game).depot
    assert depot.offers(game.state, "N") == [Offer("2", BANK, 60), Offer("3", BANK, 100)]
    assert depot.offers(game.state, "S") == [Offer("2", BANK, 60)]
    game.state.ledger.move("train:2", STACK, "S")
    game.state.ledger.move("train:3", STACK, "S")
    game.state.phase = 1
    ask(game, BuyTrains("N"))
    assert rule(game, BuyTrain(0, "3")) == ""
    wares = {c.action.train for c in game.legal_actions(0) if isinstance(c.action, OfferTrain)}
    assert wares == {"3"}
    assert str(game.position.problem(OfferTrain(0, "S", "2", 20))) == "Not that one."


# ---- triggers


class Noting(Triggers[Any]):
    """A card of type 2 is also one of type 3; the game ends with a stock round in which
    no one founds N."""

    def __init__(self) -> None:
        self.seen: list[object] = []

    def train_bought(self, play: Play[Any], company: str, train: str, source: str) -> None:
        self.seen.append((company, train, source))
        if train == "2" and source == BANK:
            play.state.ledger.move("train:3", STACK, BOX)

    def stock_round_over(self, play: Play[Any]) -> None:
        if not play.state.companies["N"].operating:
            self.seen.append(("over", play.state.priority))

    def after_stock_round(self, state: Any) -> Step:
        return EndGame() if self.seen else super().after_stock_round(state)

    def priority_moved(self, play: Play[Any]) -> None:
        if self.seen:
            self.seen.append(("moved", play.state.priority))


def test_a_card_with_two_sides_is_taken_from_both_rows(shuttle: ModuleType) -> None:
    made = title(shuttle)
    made.ruleset.triggers = noting = Noting()
    game = begun(made)
    ask(game, BuyTrains("N"))
    say(game, "Anna buys train 2")
    assert noting.seen[-1] == ("N", "2", BANK)
    assert game.state.ledger.items["train:3"] == {STACK: 3, BOX: 1}


def test_a_title_acts_at_the_end_of_a_stock_round(shuttle: ModuleType) -> None:
    made = title(shuttle)
    made.ruleset.triggers = noting = Noting()
    game = new(made)
    game.state.round.buyer = 0
    ask(game, EndStockRound())
    assert noting.seen == [("over", 0), ("moved", 1)]
    assert game.over


class ForEachShare(StockMarket[Any]):
    def after_sale(self, play: Play[Any], company: str, percent: int) -> None:
        for _ in range(percent // 10):
            cell = self.chart.left[play.state.companies[company].cell]
            self.move_price(play, company, cell, "sold", "price-after-sale")


def test_a_price_may_fall_for_every_share_that_is_sold(shuttle: ModuleType) -> None:
    for market, cell in ((StockMarket, "D2"), (ForEachShare, "B1")):
        game = begun(title(shuttle, parts={"market": market}))
        state = game.state
        state.companies["N"].worked = True
        ruleset(game).market.move_price(play(game), "N", "D1", "sold", "sale")
        state.round.part, state.round.sold = 0, [[], []]
        state.agenda.append(StockTurn(0, asked=True))
        say(game, "Anna sells N 10, 10")
        assert state.companies["N"].cell == cell


# ---- all together


class MostShares(Control[Any]):
    """Companies have no director's certificate: who has most shares directs, at least two of them;
    managers pay nothing out."""

    def director(self, state: Any, company: str) -> int | None:
        held = [
            (self.lookup.percent(state, PLAYERS[seat], company), -place, seat)
            for place, seat in enumerate(self.in_line(state, company, None))
        ]
        most, _, seat = max(held, default=(0, 0, 0))
        return seat if most >= 20 else None

    def settle_director(self, play: Play[Any], company: str) -> None:
        self.note_holders(play.state, company)

    def payout_problem(self, state: Any, company: str) -> IllegalAction | None:
        if self.director(state, company) is not None:
            return super().payout_problem(state, company)
        return IllegalAction("withholding", "Managers pay nothing.")


class ByGauge(Depot[Any]):
    """Metre trains stand beside the others, for S alone."""

    def new_trains(self, state: Any, company: str = "") -> list[str]:
        items, order = state.ledger.items, self.lookup.components.train_order
        left = [train for train in order if items[f"train:{train}"].get(STACK)]
        standard = [train for train in left if not train.endswith("M")][:1]
        return standard + [train for train in left if train.endswith("M") and company == "S"]


@pytest.mark.parametrize("seed", range(6))
def test_a_title_of_another_kind_plays_to_its_end(shuttle: ModuleType, seed: int) -> None:
    """No director's certificates, metre trains, mail, free runs, gifts, no duty to own a train."""
    data = data_of(shuttle)
    for company in data["companies"]["public"]:
        company["certificates"] = 10 * [{"percent": 10, "where": "stack"}]
    for tile in data["tiles"]:
        tile["paths"] = [[*path, "dual"] for path in tile["paths"]]
    for hex in data["map"]["hexes"]:
        hex["paths"] = [[*path, "dual"] for path in hex.get("paths", [])]
    data["trains"].append(
        {"id": "2M", "count": 2, "price": 50, "gauge": "metre"}
        | {"range": {"any": 2, "towns": None}, "scrapped_by": "3"}
    )
    data["setup"]["bank"] = 4000
    policy = replace(
        shuttle.POLICY, train_duty=False, director_adds="any", runs="any", mail=True, pool_limit=100
    )
    made = Ruleset[Any](read(data), policy, control=MostShares, depot=ByGauge)

    class Other(shuttle.Shuttle):  # type: ignore[name-defined, misc]
        def __init__(self) -> None:
            super(shuttle.Shuttle, self).__init__(made)

    game = new(Other(), 3)
    rng = random.Random(seed)
    pieces = everything(game.position)
    voice = game.title.voice(ENGLISH)
    while not game.over:
        decision = game.pending[0]
        assert voice.prompt(game.state, decision)
        choice = rng.choice(game.legal_actions(decision.seat))
        action = choice.action if choice.amount is None else choice.with_amount(choice.amount.low)
        assert voice.pick(game.state, action).label
        assert game.parse(game.format(action)) == action
        game.apply(action)
        assert everything(game.position) == pieces
        assert len(game.moves) < 3000
    mail = [event for _, event in game.events() if getattr(event, "mail", 0)]
    assert "Its mail contract pays £" in voice.describe(mail[0])
    assert voice.panels(game.state)
    assert voice.tables(game.state)
    assert "South" in game.title.draw(game.state, ENGLISH)
