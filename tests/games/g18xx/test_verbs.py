"""A title that answers every question of the kernel in another way. Whatever is said of a position or a choice is held
against what then happens: texts, cards and sheets must ask the part that decides."""

from __future__ import annotations

import inspect
import random
import re
import sys
from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import Any

import pytest
from msgspec.structs import replace

from kursbuch.core.actions import Choice
from kursbuch.core.corrections import NOBODY, Correct
from kursbuch.core.errors import IllegalAction
from kursbuch.core.events import Event
from kursbuch.core.game import Game
from kursbuch.core.play import Play
from kursbuch.core.state import Step
from kursbuch.core.voice import Card, Row
from kursbuch.games.g18xx import events as happened
from kursbuch.games.g18xx.actions import (
    BuyShare,
    BuyTrain,
    Dividend,
    LayTile,
    Nationalise,
    PlaceStation,
    SellShares,
)
from kursbuch.games.g18xx.components import BANK, PLAYERS, STACK
from kursbuch.games.g18xx.lookup import Policy
from kursbuch.games.g18xx.map.tiles import Fit
from kursbuch.games.g18xx.rules.builder import Builder, Site
from kursbuch.games.g18xx.rules.depot import Depot, Offer
from kursbuch.games.g18xx.rules.director import Control
from kursbuch.games.g18xx.rules.float import Float
from kursbuch.games.g18xx.rules.shares import Shares
from kursbuch.games.g18xx.rules.stock_market import StockMarket
from kursbuch.games.g18xx.ruleset import Ruleset, Triggers
from kursbuch.games.g18xx.state import (
    Build,
    BuyTrains,
    EndGame,
    OperatingRound,
    Pay,
    PlaceToken,
    Run,
    StockRound,
    StockTurn,
)
from tests.games.g18xx.toy import ENGLISH, buy, data_of, everything, new, read, ruleset


class OtherMarket(StockMarket[Any]):
    """Par is chosen: the rows of the chart change it. Prices move by two fields, or none."""

    def par(self, state: Any, company: str) -> int:
        return 90 if company == "N" else 80

    def start_cell(self, state: Any, company: str) -> str:
        return "E1" if company == "N" else "D1"

    def final_price(self, state: Any, company: str) -> int:
        return self.price(state, company) + 3

    def final_percents(self, state: Any, company: str) -> list[int]:
        return [percent + 10 * bool(percent) for percent in super().final_percents(state, company)]

    def unsettled(self, state: Any) -> list[int]:
        return [amount + 5 for amount in super().unsettled(state)]

    def income(self, state: Any, private: str) -> int:
        return 7 + int(state.phase)

    def dividend_percent(self, state: Any, company: str, seat: int) -> int:
        return min(20, super().dividend_percent(state, company, seat))

    def in_order(self, state: Any) -> list[str]:
        return super().in_order(state)[::-1]

    def cell_after_dividend(self, state: Any, company: str, revenue: int) -> str:
        cell = super().cell_after_dividend(state, company, revenue)
        return self.chart.right[cell] if revenue >= 60 else cell

    def cell_after_withholding(self, state: Any, company: str) -> str:
        return self.chart.down[super().cell_after_withholding(state, company)]

    def cell_after_sale(self, state: Any, company: str, percent: int) -> str:
        cell = state.companies[company].cell
        for _ in range(percent // 10):
            cell = self.chart.left[cell]
        return str(cell)

    def cell_after_stock_round(self, state: Any, company: str) -> str:
        return self.chart.right[state.companies[company].cell]


class OtherControl(Control[Any]):
    """Among equals the last in line directs."""

    def in_line(self, state: Any, company: str, old: int | None) -> list[int]:
        return super().in_line(state, company, old)[::-1]

    def order(self, state: Any) -> list[str]:
        return sorted(super().order(state), reverse=bool(state.round.number % 2))

    def payout_problem(self, state: Any, company: str) -> IllegalAction | None:
        if company == "S" and state.round.number % 2:
            return IllegalAction("bank-loan", "S never pays in odd rounds.")
        return super().payout_problem(state, company)


class OtherFloat(Float[Any]):
    """Companies float early, with half of their capital and a gift for every player."""

    def float_percent(self, state: Any) -> int:
        return 30

    def paid_percent(self, state: Any, company: str) -> int:
        return 50 + int(state.seats)

    def issued(self, state: Any, company: str) -> int:
        return min(100, super().issued(state, company) + 5)


class OtherShares(Shares[Any]):
    """Every purchase has a fee, every sale a loss; limits are other ones."""

    def count_certificates(self, state: Any, seat: int) -> int:
        return super().count_certificates(state, seat) + 1

    def certificate_limit(self, state: Any, seat: int) -> int:
        return super().certificate_limit(state, seat) + 2

    def over_limit(self, state: Any, seat: int) -> None:
        return None

    def to_sell(self, state: Any, seat: int) -> list[str]:
        return [*super().to_sell(state, seat), *self.lookup.public]

    def purchase_price(self, state: Any, company: str, certificate: str, source: str) -> int:
        return super().purchase_price(state, company, certificate, source) + 4

    def sale_price(self, state: Any, company: str, prices: Any) -> int:
        return super().sale_price(state, company, prices) - 10

    def proceeds(
        self, state: Any, company: str, certificates: Sequence[str], prices: Any = None
    ) -> int:
        return super().proceeds(state, company, certificates, prices) - 3

    def nationalisation_price(self, state: Any, company: str, certificate: str) -> int:
        return super().nationalisation_price(state, company, certificate) + 6

    def offered(self, state: Any) -> list[tuple[str, str]]:
        return super().offered(state)[::-1]

    def for_sale(self, state: Any, seat: int, company: str) -> dict[str, int]:
        return {name: min(2, n) for name, n in super().for_sale(state, seat, company).items()}

    def next_priority(self, state: Any) -> int:
        return (super().next_priority(state) + 1) % int(state.seats)


class OtherDepot(Depot[Any]):
    """Trains cost more, all kinds are on offer, and other companies own other numbers of them."""

    def price(self, train: str) -> int:
        return super().price(train) + 15

    def new_trains(self, state: Any, company: str = "") -> list[str]:
        items = state.ledger.items
        order = self.lookup.components.train_order
        return [train for train in order if items[f"train:{train}"].get(STACK)]

    def limit_in(self, row: int, company: str) -> int:
        return 3 - row

    def offers(self, state: Any, company: str) -> list[Offer]:
        return super().offers(state, company)[::-1]

    def must_buy(self, state: Any, company: str) -> bool:
        return company == "S" and super().must_buy(state, company)

    def payer(self, state: Any, company: str) -> int | None:
        return None if company == "S" else super().payer(state, company)

    def by_hand(self, state: Any) -> bool:
        return bool(state.round.part == 2)

    def running_trains(self, state: Any, company: str) -> list[str]:
        return super().running_trains(state, company)[:1]


class OtherBuilder(Builder[Any]):
    """Tiles cost by their number, tokens by their hex."""

    def allowed(self, state: Any, company: str) -> int:
        return 3

    def cost(self, state: Any, company: str, hex: str, tile: str) -> int:
        return int(tile or 0) + (5 if hex == "A3" else 0)

    def fits(self, state: Any, hex: str) -> tuple[Fit, ...]:
        return tuple(fit for fit in super().fits(state, hex) if fit.rotation != 1)

    def sites(self, state: Any, company: str) -> Sequence[Site]:
        return [*super().sites(state, company)][::-1]

    def spare_tokens(self, state: Any, company: str) -> int:
        return 0 if company == "N" else super().spare_tokens(state, company)

    def station_cost(self, state: Any, company: str, hex: str) -> int:
        return 33

    def needs_route(self, state: Any, hex: str) -> bool:
        return False


class OtherTriggers(Triggers[Any]):
    """The game ends after all operating rounds of its set; corrections are noted."""

    def __init__(self) -> None:
        self.corrected: list[str] = []

    def next_round(self, state: Any) -> Step:
        if state.round.part < state.round.parts:
            return OperatingRound(state.round.part + 1)
        return EndGame() if state.broken else StockRound(state.round.number + 1)

    def first_turn(self, state: Any) -> Step:
        return StockTurn((state.priority + 1) % state.seats)

    def after_stock_round(self, state: Any) -> Step:
        return StockRound(2) if state.round.number == 1 else OperatingRound(1)

    def company_corrected(self, state: Any, company: str) -> None:
        self.corrected.append(company)


class Other(Ruleset[Any]):
    """Privates belong to companies, and after a stock round there are always two operating rounds."""

    def items(self, seats: int) -> dict[str, dict[str, int]]:
        return super().items(seats) | {"paper:P": {"N": 1}, "paper:Q": {"p1": 1}}

    def operating_rounds(self, state: Any) -> int:
        return 2

    def phase_name(self, row: int) -> str:
        return "αβγ"[row]

    def purse(self, state: Any, company: str) -> int:
        return max(0, super().purse(state, company) - 20)

    def left_of(self, state: Any, seat: int) -> int:
        return (seat - 1) % int(state.seats)

    def around(self, state: Any, seat: int) -> list[int]:
        return [(seat - step) % state.seats for step in range(state.seats)]

    def mixes_gauges(self, state: Any) -> bool:
        return True


PARTS: Mapping[str, type[Any]] = {
    "market": OtherMarket,
    "control": OtherControl,
    "float": OtherFloat,
    "shares": OtherShares,
    "depot": OtherDepot,
    "builder": OtherBuilder,
}

PARTS_OTHERWISE = (*PARTS.values(), OtherTriggers, Other)

#: What is read off the ledger and the map, and what follows from other answers: no text has to know another one.
FOLLOWS = {
    "StockMarket": "price round_income value worth wealth",
    "Control": "director operator decider manager acts challenger swaps",
    "Float": "floats needed",
    "Shares": "top has_room cell_after_sale companies_with_room cost purchases share_purchases nationalisations sales "
    "each_sale strongest_other",
    "Depot": "train_limit above_limit best_runs earnings picked_runs aim duties duty_at give_train",
    "Builder": "connected destinations is_connected connection_rule distance home_is_free home_stop homes "
    "homes_to_come least_cost open_slots payable replaces reserved reserves site station_rights tile_rights vacant",
    "Ruleset": "amounts bearing_on_shares bearing_on_trains cash certificates companies face_values following "
    "holder is_last_round is_minor label last_round money new_shares noted owner percent percents phase position "
    "privates_and_minors station tokens trains unpaid unsold written",
}


def kernel(part: type[Any]) -> type[Any]:
    """The class whose answers a part of the test title replaces."""
    return next(one for one in part.__mro__[1:] if one.__module__.startswith("kursbuch."))


def answers(part: type[Any]) -> set[str]:
    """The verbs of the kernel that answer something: the others carry out what is decided, or forbid something in
    a sentence of their own."""
    found = set()
    for name, verb in inspect.getmembers(kernel(part), inspect.isfunction):
        signature = inspect.signature(verb)
        result = str(signature.return_annotation).strip("'")
        carries_out = "play" in signature.parameters or result == "None"
        if name[0] != "_" and not carries_out and "IllegalAction" not in result:
            found.add(name)
    return found


def own(part: type[Any]) -> set[str]:
    """The verbs that the test title answers itself."""
    return {
        name for name, verb in vars(part).items() if name[0] != "_" and inspect.isfunction(verb)
    }


@pytest.mark.parametrize("part", PARTS_OTHERWISE, ids=lambda part: part.__name__)
def test_every_verb_is_answered_in_another_way(part: type[Any]) -> None:
    """A new verb has to be overridden above, or named as one that follows from others."""
    follows = set(FOLLOWS.get(kernel(part).__name__, "").split())
    assert answers(part) - own(part) == follows
    assert own(part) <= {name for name, _ in inspect.getmembers(kernel(part))}


def test_every_policy_is_played_in_two_ways(shuttle: ModuleType) -> None:
    one, two = policies(shuttle)
    same = {name for name in one.__struct_fields__ if getattr(one, name) == getattr(two, name)}
    assert same == {"minor_turn", "minor_label", "minor_noun"}, "Shuttle has no minors"


def policies(shuttle: ModuleType) -> tuple[Policy, Policy]:
    """Two policies that have nothing in common."""
    one = replace(
        shuttle.POLICY,
        companies_own_privates=True,
        sale_lowers_price=False,
        order="price",
        nationalise_from=40,
        room_from=60,
    )
    two = replace(
        shuttle.POLICY,
        currency="$",
        turn=(Run, Build, PlaceToken, BuyTrains),
        order="data",
        float_percent=40,
        capital="sold",
        later_shares="company",
        ties="left",
        pool_limit=30,
        sold_out_raises_price=False,
        runs="any",
        mail=True,
        run_duty=True,
        pool_earns="company",
        train_duty=False,
        director_adds="any",
        least_price=1,
    )
    return one, two


def other(shuttle: ModuleType, policy: Policy | None = None) -> Any:
    """Shuttle with all of that, and two privates."""
    data = data_of(shuttle)
    data["companies"]["privates"] = [
        {"id": name, "name": f"Private {name}", "price": 20, "income": 1} for name in "PQ"
    ]
    data["setup"]["bank"] = 1300

    class OtherShuttle(shuttle.Shuttle):  # type: ignore[name-defined, misc]
        def __init__(self) -> None:
            made = Other(read(data), policy or policies(shuttle)[0], **PARTS)
            made.triggers = OtherTriggers()
            super(shuttle.Shuttle, self).__init__(made)

    return OtherShuttle()


def rows(card: Card | None) -> dict[str, Row]:
    assert card is not None
    return {row.label: row for row in card.rows}


def amount(text: str, pattern: str = r"for [£$](\d+)") -> int:
    """The amount that a label names; 0 if it names none."""
    found = re.search(pattern, text.replace(",", ""))
    return int(found.group(1)) if found else 0


def first(events: Sequence[Event], kind: type[Any]) -> Any:
    return next(event for event in events if isinstance(event, kind))


def price_of(game: Game, company: str) -> int:
    return ruleset(game).market.price(game.state, company)


class Held:
    """What is said before a move, held against what follows."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.voice: Any = game.title.voice(ENGLISH)
        self.seen: set[str] = set()
        self.broken = ""
        self.number = 0
        self.acting: list[str] = []

    def move(self, choice: Choice) -> Sequence[Event]:
        game, voice = self.game, self.voice
        action = choice.action if choice.amount is None else choice.with_amount(choice.amount.low)
        label = voice.pick(game.state, action).label
        step: Any = game.state.agenda[-1]
        self.acting = [one.company for one in game.state.agenda if hasattr(one, "company")]
        self.number = game.state.round.number
        follows, waiting = voice.what_follows(game.state), self.waiting()
        events = game.apply(action)
        self.seen.add(type(action).__name__)
        match action:
            case BuyShare():
                assert amount(label) == first(events, happened.ShareBought).price
            case SellShares(company=company):
                assert amount(label) == first(events, happened.SharesSold).proceeds
                after = re.search(r"price → (\d+)", label)
                moved = [
                    e for e in events if isinstance(e, happened.PriceMoved) and e.why == "sold"
                ]
                assert after is None or int(after.group(1)) == price_of(game, company)
                assert after is not None or not moved
            case Nationalise():
                assert amount(label) == first(events, happened.Nationalised).price
            case BuyTrain():
                bought = first(events, happened.TrainBought)
                assert amount(label) == bought.price
                assert amount(label, r"bank lends [£$](\d+)") == bought.lent
                assert bought.lent == 0 or bought.company == "S"
            case LayTile():
                assert amount(label) == first(events, happened.TileLaid).cost
            case PlaceStation():
                assert amount(label) == first(events, happened.StationPlaced).cost
            case Dividend(pays=pays) if not self.ended(events):
                moved = [
                    e
                    for e in events
                    if isinstance(e, happened.PriceMoved)
                    and (e.company, e.why) in ((step.company, "dividend"), (step.company, "saved"))
                ]
                said = re.search(r"price (\d+) → (\d+)", label)
                assert bool(said) == bool(moved), label
                if said:
                    assert int(said.group(2)) == moved[0].price
                    assert (moved[0].why == "dividend") == pays
        self.after(events, follows, waiting)
        return events

    def ended(self, events: Sequence[Event]) -> bool:
        return any(isinstance(event, happened.Ended) for event in events)

    def waiting(self) -> list[str]:
        """The companies still to act, as the status has it."""
        found = re.search(r"still to act: (.*); then", self.voice.status(self.game.state))
        return found.group(1).split(", ") if found else []

    def after(self, events: Sequence[Event], follows: str, waiting: list[str]) -> None:
        """What the events of a move say, and whether the next round or company is the one foretold."""
        rounds = (happened.OperatingRoundBegan, happened.StockRoundBegan, happened.Ended)
        broken = [event for event in events if isinstance(event, happened.BankBroken)]
        begun = [event for event in events if isinstance(event, (*rounds, happened.TurnBegan))]
        match begun[:1]:
            case [happened.TurnBegan(company=company)]:
                assert company == waiting[0 if waiting[0] not in self.acting else 1]
            case _ if broken:
                pass
            case [happened.OperatingRoundBegan(number=number, part=part)]:
                assert f"operating round {number}.{part}" in follows
                self.seen.add("operating round")
            case [happened.StockRoundBegan(number=number)]:
                assert follows == f"stock round {number}"
            case [happened.Ended()]:
                assert "the end of the game" in follows
        for event in events:
            sentence = self.voice.describe(event)
            match event:
                case happened.PhaseBegan():
                    assert "Phase β begins" in sentence
                case happened.BankBroken():
                    self.broken = sentence
                case happened.DividendPaid(company=company, revenue=revenue):
                    assert company == "N" or self.number % 2 == 0
                    assert self.voice.money(revenue) in sentence
                case happened.PrivatesPaid(incomes=incomes):
                    income = 7 + self.game.state.phase
                    assert [paid[:2] for paid in incomes] == [("P", "N"), ("Q", 1)]
                    assert f"N {self.voice.money(incomes[0][2])} (P)" in sentence
                    assert incomes[0][2] <= income
                    self.seen.add("income")


def checked(game: Game, voice: Any) -> None:
    """What cards and sheets say of a position."""
    state, book = game.state, ruleset(game)
    for company in book.public:
        price = book.market.price(state, company) or book.market.par(state, company)
        card = rows(voice.card(state, f"company:{company}"))
        assert card["Price"].value == voice.money(price)
        director = book.control.director(state, company)
        assert card["Director"].value == ("–" if director is None else ENGLISH.name(director))
        if state.companies[company].operating:
            assert card["Trains"].note == f"limit {book.depot.train_limit(state, company)}"
    assert (
        rows(voice.card(state, "company:N")).get("Privates") or not state.companies["N"].operating
    )
    assert rows(voice.card(state, "paper:P"))["Owner"].value == "N"
    assert rows(voice.card(state, "paper:Q"))["Owner"].value == "Bernd"
    assert not voice.card(state, "paper:P").notes
    for train in book.components.train_order:
        cost = rows(voice.card(state, f"train:{train}"))["Cost"].value
        assert cost == voice.money(book.depot.price(train))
    table = {row.label: row for row in voice.table_rows(state)}
    assert table["Phase"].value == "αβγ"[state.phase]
    assert f"train limit {3 - state.phase}" in table["Phase"].note
    assert [name for name, _ in voice.order(state)] == book.control.order(state)
    accounts, panels = voice.accounts(state, []), voice.panels(state)
    for seat, score in enumerate(game.title.scores(state)):
        assert sum(account.amounts[seat] for account in accounts) == score
        lines = {row.label: row.value for row in panels[seat].rows}
        assert lines["Shares at market price"] == voice.money(book.market.worth(state)[seat])
        assert lines["Without a market price, at cost"] == voice.money(
            book.market.unsettled(state)[seat]
        )
        count = book.shares.count_certificates(state, seat)
        limit = book.shares.certificate_limit(state, seat)
        assert lines["Certificates"] == f"{count} of {limit}"
    asked(game, voice)
    drawing = game.title.draw(state, ENGLISH)
    for company in book.public:
        if not state.companies[company].operating:
            par = book.market.par(state, company)
            sold = book.float.issued(state, company)
            assert f"issue price {par} · {sold}/30% sold" in drawing


def asked(game: Game, voice: Any) -> None:
    """What the player who decides is told, held against what is offered."""
    state, book, step = game.state, ruleset(game), game.state.agenda[-1]
    decision = game.pending[0]
    prompt = voice.prompt(state, decision)
    actions = [choice.action for choice in game.legal_actions(decision.seat)]
    match step:
        case Build():
            for hex in {action.hex for action in actions if isinstance(action, LayTile)}:
                fitting = rows(voice.card(state, f"hex:{hex}"))["May become"].value
                tiles = {a.tile for a in actions if isinstance(a, LayTile) and a.hex == hex}
                assert tiles <= set(re.findall(r"(\d+)\xa0×", fitting))
        case PlaceToken(company=company):
            assert f"It has {book.builder.spare_tokens(state, company)} left" in prompt
        case BuyTrains(company=company):
            assert ("it must buy one" in prompt) == book.depot.must_buy(state, company)
            new = [voice.new_train(state, train) for train in book.depot.new_trains(state, company)]
            assert all(train in prompt for train in new)
        case Pay(company=company):
            dividends = [action for action in actions if isinstance(action, Dividend)]
            assert {action.pays for action in dividends} <= {True, False}
            for action in dividends:
                by_hand = voice.compose(state, action)
                assert (by_hand is not None) == book.depot.by_hand(state)
                assert by_hand is None or by_hand.parts == tuple(
                    book.depot.running_trains(state, company)
                )


#: The answers of the test title that have been another one than the kernel's.
DIFFERENT: set[tuple[str, str]] = set()


def compared(part: type[Any]) -> type[Any]:
    """The same part, which notes when it answers in another way than the kernel."""
    inside = [False]

    def noting(name: str, mine: Any, theirs: Any) -> Any:
        def answer(self: Any, *args: Any, **named: Any) -> Any:
            found = mine(self, *args, **named)
            if not inside[0] and (part.__name__, name) not in DIFFERENT:
                inside[0] = True
                if found != theirs(self, *args, **named):
                    DIFFERENT.add((part.__name__, name))
                inside[0] = False
            return found

        return answer

    replaced = answers(part) & own(part)
    methods = {
        name: noting(name, vars(part)[name], getattr(kernel(part), name)) for name in replaced
    }
    return type(part.__name__, (part,), methods)


def test_every_answer_is_another_one(shuttle: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a few games every verb of the test title answers in another way than the kernel at least once."""
    monkeypatch.setattr(sys.modules[__name__], "PARTS", {k: compared(v) for k, v in PARTS.items()})
    monkeypatch.setattr(sys.modules[__name__], "OtherTriggers", compared(OtherTriggers))
    monkeypatch.setattr(sys.modules[__name__], "Other", compared(Other))
    wanted = {
        (part.__name__, name) for part in PARTS_OTHERWISE for name in answers(part) & own(part)
    }
    for seed in range(20):
        play(shuttle, seed)
        if wanted <= DIFFERENT:
            break
    assert wanted == DIFFERENT


@pytest.mark.parametrize("seed", range(8))
def test_what_is_said_comes_true(shuttle: ModuleType, seed: int) -> None:
    play(shuttle, seed)


def play(shuttle: ModuleType, seed: int) -> None:
    """A random game in which everything that is said is held against what happens."""
    rng = random.Random(seed)
    game = new(other(shuttle, policies(shuttle)[seed % 2]), rng.choice((2, 3)))
    held = Held(game)
    pieces = everything(game.position)
    while not game.over:
        checked(game, held.voice)
        last = ruleset(game).last_round(game.state)
        choices = game.legal_actions(game.pending[0].seat)
        kinds = sorted({type(choice.action).__name__ for choice in choices})
        kind = rng.choice(kinds)
        held.move(rng.choice([one for one in choices if type(one.action).__name__ == kind]))
        assert everything(game.position) == pieces
        assert len(game.moves) < 3000
    assert {"BuyShare", "LayTile", "operating round", "income"} <= held.seen
    if last is not None:
        assert last == (game.state.round.number, game.state.round.part)
        number, part = last
        assert (
            f"ends after operating round {number}.{part}." in held.broken
            or "ends after this operating round" in held.broken
            or "one more operating round" in held.broken
        )


def started(title: Any) -> Game:
    """Both companies have floated, and the priority has gone round."""
    game = new(title)
    for share in ("20P", "20P", "10", "10", "", ""):
        name, company = (("Anna", "N"), ("Bernd", "S"))[game.pending[0].seat]
        buy(game, f"{name} {company} {share}" if share else name)
    return game


@pytest.mark.parametrize("revenue", [10, 50, 60, 120])
@pytest.mark.parametrize("pays", [True, False])
def test_the_price_goes_where_the_choice_says(
    shuttle: ModuleType, revenue: int, pays: bool
) -> None:
    game = started(other(shuttle))
    game.state.agenda.append(Pay("N", revenue))
    held = Held(game)
    for choice in game.legal_actions(0):
        if isinstance(choice.action, Dividend) and choice.action.pays == pays:
            held.move(choice)
            return
    pytest.fail("no such choice")


def test_a_sale_brings_what_the_choice_says(shuttle: ModuleType) -> None:
    for number in range(2):
        game = started(other(shuttle))
        game.state.companies["N"].worked = True
        game.state.ledger.move("N:10", STACK, PLAYERS[0], 2)
        game.state.round.part, game.state.round.sold = 0, [[], []]
        game.state.agenda.append(StockTurn(0, asked=True))
        sales = [c for c in game.legal_actions(0) if isinstance(c.action, SellShares)]
        Held(game).move(sales[number])


def test_a_private_of_a_company_pays_it(shuttle: ModuleType) -> None:
    game = new(other(shuttle))
    book = ruleset(game)
    made = Play(game.state, game.position.chance)
    before = book.money(game.state, "N"), book.cash(game.state, 1)
    made.push(OperatingRound(1))
    game.position.run(made)
    assert (book.money(game.state, "N"), book.cash(game.state, 1)) == (before[0] + 7, before[1] + 7)


def test_a_correction_reaches_the_state_of_a_title(shuttle: ModuleType) -> None:
    game = new(other(shuttle))
    triggers: Any = ruleset(game).triggers
    game.apply(Correct(NOBODY, "company", ("S", "operates"), "Anna"))
    assert set(triggers.corrected) == {"S"}
    triggers.corrected.clear()
    assert game.state.companies["S"].cell == "D1"
    game.apply(Correct(NOBODY, "price", ("S", "A1"), "Anna"))
    assert set(triggers.corrected) == {"S"}
    game.apply(Correct(NOBODY, "paper", ("P", "N", "box"), "Anna"))
    card = game.title.voice(ENGLISH).card(game.state, "paper:P")
    assert card is not None
    assert card.notes == ("It is closed.",)


def test_the_bank_says_after_which_round_the_game_ends(shuttle: ModuleType) -> None:
    """Broken in the first operating round of two, or in a stock round before them."""
    for part, sentence in (
        (0, "The bank has no money left; the game ends after operating round 4.2."),
        (1, "The bank has no money left; the game ends after operating round 4.2."),
        (2, "The bank has no money left; the game ends after this operating round."),
    ):
        game = new(other(shuttle))
        state, book = game.state, ruleset(game)
        state.round = replace(state.round, number=4, part=part, parts=2)
        made = Play(state, game.position.chance)
        state.ledger.move("money", BANK, PLAYERS[0], book.money(state, BANK))
        book.watch_bank(made)
        (event,) = made.events
        voice: Any = game.title.voice(ENGLISH)
        assert voice.describe(event) == sentence
        note = "the game ends after this operating round"
        if part < 2:
            note = (
                "the game ends after "
                + ("the next operating round", "operating round 4.2")[not part]
            )
        assert voice.end_note(state) == note
