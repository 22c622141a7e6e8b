"""A title that answers every question of the kernel in another way. Whatever is said of a position or a choice is held
against what then happens: texts, cards and sheets must ask the part that decides."""

from __future__ import annotations

import inspect
import random
import re
from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import Any

import pytest
from msgspec.structs import replace

from kursbuch.core.actions import Choice
from kursbuch.core.corrections import NOBODY, Correct
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
    PlaceStation,
    SellShares,
)
from kursbuch.games.g18xx.components import BANK, PLAYERS, STACK, HomeRecord
from kursbuch.games.g18xx.rules.builder import Builder
from kursbuch.games.g18xx.rules.depot import Depot
from kursbuch.games.g18xx.rules.director import Control
from kursbuch.games.g18xx.rules.float import Float
from kursbuch.games.g18xx.rules.shares import Shares
from kursbuch.games.g18xx.rules.stock_market import StockMarket
from kursbuch.games.g18xx.ruleset import Ruleset, Triggers
from kursbuch.games.g18xx.state import EndGame, OperatingRound, Pay, StockRound, StockTurn
from tests.games.g18xx.toy import ENGLISH, buy, data_of, everything, new, read, ruleset


class OtherMarket(StockMarket[Any]):
    """Par is chosen: the rows of the chart change it. Prices move by two fields, or none."""

    def par(self, state: Any, company: str) -> int:
        return 90 if company == "N" else 80

    def start_cell(self, state: Any, company: str) -> str:
        return "E1" if company == "N" else "D1"

    def final_price(self, state: Any, company: str) -> int:
        return self.price(state, company) + 3

    def income(self, state: Any, private: str) -> int:
        return 7 + int(state.phase)

    def dividend_percent(self, state: Any, company: str, seat: int) -> int:
        return min(40, super().dividend_percent(state, company, seat))

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

    def operator(self, state: Any, company: str) -> int | None:
        return super().operator(state, company)

    def order(self, state: Any) -> list[str]:
        return super().order(state)


class OtherFloat(Float[Any]):
    """Companies float early, with half of their capital and a gift for every player."""

    def float_percent(self, state: Any) -> int:
        return 30

    def paid_percent(self, state: Any, company: str) -> int:
        return 50 + int(state.seats)


class OtherShares(Shares[Any]):
    """Every purchase has a fee, every sale a loss; limits are other ones."""

    def count_certificates(self, state: Any, seat: int) -> int:
        return super().count_certificates(state, seat) + 1

    def certificate_limit(self, state: Any, seat: int) -> int:
        return super().certificate_limit(state, seat) + 2

    def has_room(self, state: Any, seat: int, papers: int = 1) -> bool:
        return self.count_certificates(state, seat) + papers <= self.certificate_limit(state, seat)

    def over_limit(self, state: Any, seat: int) -> None:
        return None

    def purchase_price(self, state: Any, company: str, certificate: str, source: str) -> int:
        return super().purchase_price(state, company, certificate, source) + 4

    def sale_price(self, state: Any, company: str, prices: Any) -> int:
        return super().sale_price(state, company, prices) - 10

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

    def running_trains(self, state: Any, company: str) -> list[str]:
        return super().running_trains(state, company)[:1]


class OtherBuilder(Builder[Any]):
    """Tiles cost by their number, tokens by their hex."""

    def allowed(self, state: Any, company: str) -> int:
        return 3

    def cost(self, state: Any, company: str, hex: str, tile: str) -> int:
        return int(tile or 0) + (5 if hex == "A3" else 0)

    def homes(self, state: Any, company: str) -> tuple[HomeRecord, ...]:
        return super().homes(state, company)

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


PARTS: Mapping[str, type[Any]] = {
    "market": OtherMarket,
    "control": OtherControl,
    "float": OtherFloat,
    "shares": OtherShares,
    "depot": OtherDepot,
    "builder": OtherBuilder,
}

#: What follows from other answers, forbids something with a sentence of its own, or carries out what has been decided:
#: no text has to know it.
DERIVED = {
    OtherMarket: "price value final_percents worth wealth unsettled after_dividend after_withholding after_sale "
    "after_stock_round place_price take_price move_price",
    OtherControl: "director decider manager payout_problem acts settle_director challenger note_holders swaps "
    "replace_director change_director",
    OtherFloat: "floats issued needed float_company settle",
    OtherShares: "top offered not_offered has_to_sell for_sale not_saleable companies_with_room no_room "
    "too_many_certificates too_dear nationalisation_price purchase_problem nationalisation_problem no_means cost "
    "purchases share_purchases nationalisations carry_out_purchase carry_out_nationalisation strongest_other "
    "sale_problem proceeds cell_after_sale sales each_sale carry_out_sale",
    OtherDepot: "offers train_limit above_limit must_buy payer transfer_problem by_hand duties duty_at aim best_runs "
    "picked_runs give_train give_back",
    OtherBuilder: "sites fits least_cost payable site_problem tile_problem replaces connected_by_hex connected "
    "is_connected connection_rule reach_problem connection_problem homes_to_come home_stop place_homes home_is_free "
    "reserves spare_tokens vacant no_city cityless no_stop full reserved station_problem distance tile_rights "
    "no_tile_right no_station_right station_rights",
    OtherTriggers: "first_turn stock_round_began stock_round_over priority_moved after_stock_round "
    "operating_round_began round_corrected tile_laid station_placed free_station_placed train_bought phase_began "
    "player_left",
}


@pytest.mark.parametrize("part", DERIVED, ids=lambda part: part.__name__)
def test_every_verb_is_answered_in_another_way(part: type[Any]) -> None:
    """A new verb has to be overridden above, or named as one that no text has to ask."""
    (kernel,) = (one for one in part.__mro__[1:] if one.__module__.startswith("kursbuch."))
    verbs = {name for name, _ in inspect.getmembers(kernel, inspect.isfunction) if name[0] != "_"}
    own = {name for name in vars(part) if name[0] != "_" and inspect.isfunction(vars(part)[name])}
    assert own | set(DERIVED[part].split()) == verbs
    assert not own & set(DERIVED[part].split())


def other(shuttle: ModuleType) -> Any:
    """Shuttle with all of that, and two privates."""
    data = data_of(shuttle)
    data["companies"]["privates"] = [
        {"id": name, "name": f"Private {name}", "price": 20, "income": 1} for name in "PQ"
    ]
    data["setup"]["bank"] = 1300
    policy = replace(
        shuttle.POLICY, companies_own_privates=True, sale_lowers_price=False, order="price"
    )

    class OtherShuttle(shuttle.Shuttle):  # type: ignore[name-defined, misc]
        def __init__(self) -> None:
            made = Other(read(data), policy, **PARTS)
            made.triggers = OtherTriggers()
            super(shuttle.Shuttle, self).__init__(made)

    return OtherShuttle()


def rows(card: Card | None) -> dict[str, Row]:
    assert card is not None
    return {row.label: row for row in card.rows}


def amount(text: str, pattern: str = r"for £(\d+)") -> int:
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
        self.acting: list[str] = []

    def move(self, choice: Choice) -> Sequence[Event]:
        game, voice = self.game, self.voice
        action = choice.action if choice.amount is None else choice.with_amount(choice.amount.low)
        label = voice.pick(game.state, action).label
        step: Any = game.state.agenda[-1]
        self.acting = [company] if (company := getattr(step, "company", "")) else []
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
                assert (int(after.group(1)) if after else 0) == (moved[0].price if moved else 0)
                assert not moved or moved[0].company == company
            case BuyTrain():
                assert amount(label) == first(events, happened.TrainBought).price
            case LayTile():
                assert amount(label) == first(events, happened.TileLaid).cost
            case PlaceStation():
                assert amount(label) == first(events, happened.StationPlaced).cost
            case Dividend(pays=pays) if not self.ended(events):
                moved = [
                    e
                    for e in events
                    if isinstance(e, happened.PriceMoved) and e.why in ("dividend", "saved")
                ]
                said = re.search(r"price (\d+) → (\d+)", label)
                assert bool(said) == bool(moved), label
                if said:
                    assert int(said.group(2)) == moved[0].price
                    assert moved[0].company == step.company
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
                case happened.PrivatesPaid(incomes=incomes):
                    income = 7 + self.game.state.phase
                    assert [paid[:2] for paid in incomes] == [("P", "N"), ("Q", 1)]
                    assert f"N £{incomes[0][2]} (P)" in sentence
                    assert incomes[0][2] <= income
                    self.seen.add("income")


def checked(game: Game, voice: Any) -> None:
    """What cards and sheets say of a position."""
    state, book = game.state, ruleset(game)
    for company in book.public:
        price = book.market.price(state, company) or book.market.par(state, company)
        card = rows(voice.card(state, f"company:{company}"))
        assert card["Price"].value == f"£{price}"
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
        assert (
            rows(voice.card(state, f"train:{train}"))["Cost"].value == f"£{book.depot.price(train)}"
        )
    table = {row.label: row for row in voice.table_rows(state)}
    assert table["Phase"].value == "αβγ"[state.phase]
    assert f"train limit {3 - state.phase}" in table["Phase"].note
    assert [name for name, _ in voice.order(state)] == book.control.order(state)
    for seat in range(state.seats):
        count = book.shares.count_certificates(state, seat)
        limit = book.shares.certificate_limit(state, seat)
        assert f"{count} of {limit}" in [row.value for row in voice.player_rows(state, seat)]
    drawing = game.title.draw(state, ENGLISH)
    for company in book.public:
        if not state.companies[company].operating:
            par = book.market.par(state, company)
            sold = book.float.issued(state, company)
            assert f"issue price {par} · {sold}/30% sold" in drawing


@pytest.mark.parametrize("seed", range(6))
def test_what_is_said_comes_true(shuttle: ModuleType, seed: int) -> None:
    rng = random.Random(seed)
    game = new(other(shuttle), rng.choice((2, 3)))
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
    buy(game, "Anna N 20P", "Bernd S 20P", "Anna N 10", "Bernd S 10", "Anna", "Bernd")
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
    for number in range(3):
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
