"""Computer opponents for 1835: action values, the evaluator, playouts, and plans worth comparing."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from copy import copy
from functools import lru_cache
from importlib import resources
from itertools import islice

import msgspec
from msgspec.structs import replace

from kursbuch.core.actions import Action, Choice, Range
from kursbuch.core.evaluator import Plan
from kursbuch.core.play import Play
from kursbuch.games.g18xx.actions import (
    Answer,
    AskPrice,
    BuyPaper,
    BuyShare,
    Dividend,
    Done,
    EnterRevenue,
    Nationalise,
    OfferTrain,
    SellShares,
)
from kursbuch.games.g18xx.components import BANK, PERCENT, PLAYERS, POOL
from kursbuch.games.g18xx.evaluation import (
    EighteenEvaluator,
    Prospects,
    ScriptedPolicy,
    tracks,
)
from kursbuch.games.g18xx.g1835.evaluation import PACE, SOON, TREASURY_PART, Appraisal, relative
from kursbuch.games.g18xx.g1835.ruleset import PRUSSIA, Ruleset1835
from kursbuch.games.g18xx.g1835.start_packet import next_seat, paper_price
from kursbuch.games.g18xx.g1835.state import (
    ExchangeOffer,
    Formed,
    OpenPrussia,
    PacketTurn,
    PrussiaOffer,
    State1835,
)
from kursbuch.games.g18xx.plans import (
    Sale,
    SaleForPurchase,
    SaleForTaking,
    by_company,
    by_gain,
    plain,
)
from kursbuch.games.g18xx.state import (
    Build,
    BuyTrains,
    Home,
    Pay,
    PlaceToken,
    RaiseMoney,
    StockTurn,
    Surplus,
    Swap,
    TrainOffer,
)

#: Cost of a turn without a purchase. A player who can pay does not wait when the pass would end the
#: round with papers unsold, or when something on offer is this `TEMPTING`; otherwise all would wait
#: for each other.
WAITING = 15.0
NEVER = 100.0
TEMPTING = 200.0

#: Maximum number of positions when playing out the packet; beyond it each player takes the best
#: paper.
MAX_POSITIONS = 8_000

#: Standard deviation of a player's opinion of a paper, so that packets differ.
OPINION_SPREAD = 60.0


@lru_cache
def worths(players: int) -> Mapping[str, float]:
    """Value of each paper beyond its price, as measured for the nearest number of players."""
    data = (resources.files("kursbuch.games.g18xx.g1835") / "draft.json").read_bytes()
    known = msgspec.json.decode(data, type=dict[int, dict[str, tuple[float, float]]])
    nearest = min(known, key=lambda number: (abs(number - players), number))
    return {paper: worth for paper, (worth, _) in known[nearest].items()}


#: Papers left, seat to play, turns so far, turns since a purchase, and all players' cash.
_Place = tuple[tuple[tuple[int, ...], ...], int, int, int, tuple[int, ...]]


class Draft:
    """The rest of the start packet. With `rng`, it is seen by a player with individual opinions of
    the papers."""

    def __init__(
        self, ruleset: Ruleset1835, state: State1835, rng: random.Random | None = None
    ) -> None:
        self.state = state
        self.seats = state.seats
        known = worths(state.seats)
        rows = [
            [paper for paper in row if ruleset.in_packet(state, paper)]
            for row in ruleset.components.rows
        ]
        papers = [paper for row in rows for paper in row]
        self.numbers = {paper.id: number for number, paper in enumerate(papers)}
        self.prices = [paper_price(ruleset, state, paper) for paper in papers]
        # A discount adds to a paper's worth; papers of a corrected file are worth nothing extra.
        self.worth = [
            known.get(paper.id, 0.0) + paper.price - price
            for paper, price in zip(papers, self.prices, strict=True)
        ]
        if rng is not None:
            self.worth = [rng.gauss(worth, OPINION_SPREAD) for worth in self.worth]
        self.rows = tuple(tuple(self.numbers[paper.id] for paper in row) for row in rows if row)
        self.all_at_once = state.house.packet == "clemens"
        # The seat for each number of turns, where turns do not simply go round.
        self.order = [
            self._turn(state, ruleset, turns)
            for turns in range(state.packet_turns, state.packet_turns + 3 * state.seats)
        ]
        self.known: dict[_Place, tuple[float, ...]] = {}
        #: Seats that search the packet, and the number of positions at which the search ends.
        self.minds: set[int] = set()
        self.most = MAX_POSITIONS
        self.cash = tuple(ruleset.cash(state, seat) for seat in range(state.seats))

    def _turn(self, state: State1835, ruleset: Ruleset1835, turns: int) -> int | None:
        if state.round.number != 1 or state.house.packet == "standard":
            return None
        before, state.packet_turns = state.packet_turns, turns
        try:
            return next_seat(ruleset, state, 0)
        finally:
            state.packet_turns = before

    def gains(self, seat: int, actions: Sequence[Action]) -> list[float]:
        """Value of each action for a seat relative to the other seats' mean."""
        place: _Place = (self.rows, seat, 0, len(self.state.round.passed), self.cash)
        self.known.clear()
        self.minds = {seat}
        found = []
        for action in actions:
            number = self.numbers[action.paper] if isinstance(action, BuyPaper) else None
            found.append(self._ahead(self._after(place, number), seat))
        if not self._waits(place):
            least = min(found) - NEVER
            found = [
                gain if isinstance(action, BuyPaper) else least
                for action, gain in zip(actions, found, strict=True)
            ]
        return found

    def prospects(self, seat: int, most: int) -> tuple[float, ...]:
        """What every seat gets if all of them search the packet, within `most` positions; it is the
        turn of `seat`."""
        self.known.clear()
        self.minds = set(range(self.seats))
        self.most = most
        return self._played((self.rows, seat, 0, len(self.state.round.passed), self.cash))

    def _able(self, place: _Place) -> list[int]:
        """Papers on offer that the player can pay for."""
        rows, seat, _, _, cash = place
        return [number for number in self._offered(rows) if self.prices[number] <= cash[seat]]

    def _waits(self, place: _Place) -> bool:
        """Whether waiting is an option."""
        rows, seat, _, idle, cash = place
        able = self._able(place)
        if not able:
            return True
        least = min(self.prices[number] for number in self._offered(rows))
        others = [cash[(seat + turn) % self.seats] for turn in range(1, self.seats - idle)]
        last = all(money < least for money in others)
        return not last and max(self.worth[number] for number in able) <= TEMPTING

    def _ahead(self, values: Sequence[float], seat: int) -> float:
        others = sum(values) - values[seat]
        return values[seat] - others / max(len(values) - 1, 1)

    def _offered(self, rows: tuple[tuple[int, ...], ...]) -> Sequence[int]:
        if self.all_at_once:
            return [number for row in rows for number in row]
        below = rows[1][:1] if len(rows[0]) == 1 and len(rows) > 1 else ()
        return (*rows[0], *below)

    def _after(self, place: _Place, number: int | None) -> tuple[float, ...]:
        """What all seats get from a purchase or pass and what follows."""
        rows, seat, turns, idle, cash = place
        gained, price = -WAITING, 0
        if number is not None:
            gained, price, idle = self.worth[number], self.prices[number], 0
            left = (tuple(one for one in row if one != number) for row in rows)
            rows = tuple(row for row in left if row)
        else:
            idle += 1
        if not rows:
            rest: tuple[float, ...] = (0.0,) * self.seats
        elif idle >= self.seats:
            rest = (0.0,) * self.seats
        else:
            paid = (*cash[:seat], cash[seat] - price, *cash[seat + 1 :])
            turns += 1
            following = self.order[turns] if turns < len(self.order) else None
            if following is None:
                following = (seat + 1) % self.seats
            rest = self._played((rows, following, min(turns, len(self.order)), idle, paid))
        return (*rest[:seat], rest[seat] + gained, *rest[seat + 1 :])

    def _played(self, place: _Place) -> tuple[float, ...]:
        """What all seats get from the rest of the packet."""
        found = self.known.get(place)
        if found is not None:
            return found
        seat, able = place[1], self._able(place)
        waits = self._waits(place)
        if seat not in self.minds or len(self.known) > self.most:
            best = max(able, key=self.worth.__getitem__) if able else None
            chosen = (
                best if best is not None and not (waits and self.worth[best] < -WAITING) else None
            )
            result = self._after(place, chosen)
        else:
            tried = [self._after(place, number) for number in able]
            if waits:
                tried.append(self._after(place, None))
            result = max(tried, key=lambda values: self._ahead(values, seat))
        self.known[place] = result
        return result


#: Expected part of a train's shortfall that the director pays.
DUTY = 0.9

#: Expected part of the best runs that is paid out.
PAID = 0.85

#: Minimum weight of a dividend for the director, as a part of their own share of it.
ALIKE = 0.2

#: Minimum gain that moves a train between companies.
TRANSFER_COST = 10


def owned_part(appraisal: Appraisal, seat: int, company: str) -> float:
    """A player's part of a company beyond the other players' mean."""
    ruleset, state = appraisal.ruleset, appraisal.state
    if ruleset.is_minor(company):
        return 0.5
    shares = [ruleset.percent(state, holder, company) / 100 for holder in PLAYERS[: state.seats]]
    return relative(shares, seat)


def train_value(
    appraisal: Appraisal, seat: int, company: str, trains: Sequence[str], money: int, added: int = 0
) -> float:
    """Remaining value of a company to a player, given its trains and money: its runs, its next
    train once it has none, and who pays for it."""
    minor = appraisal.ruleset.is_minor(company)
    share = owned_part(appraisal, seat, company)
    left, runs, now = appraisal.runs(company, trains)
    duty = 0.0
    if not minor and left > now:
        train, price = appraisal.later_train(PACE * now)
        if train:
            lacking = max(price - money, 0)
            duty = DUTY * lacking * min(1.0, SOON / (SOON + now))
            money = max(money - price, 0)
            # The train is bought at the end of a turn without a run.
            runs += max(left - now - 1, 0.0) * appraisal.revenue(company, [train])
    keeps = owned_part(appraisal, seat, PRUSSIA) if minor else share
    return share * PAID * runs + max(keeps, 0.05) * TREASURY_PART * money - duty - added


def offer_value(appraisal: Appraisal, seat: int, action: OfferTrain, whole: bool) -> float:
    """Value of a train offer: only between a player's own companies, where train and money are
    worth more on the other side; unless judged as `whole` turns, only for a company without
    trains."""
    ruleset, state = appraisal.ruleset, appraisal.state
    step = state.agenda[-1]
    assert isinstance(step, BuyTrains)
    company, owner = step.company, action.company
    if ruleset.control.decider(state, owner) != seat:
        return -1.0
    if ruleset.is_last_round(state) and not ruleset.depot.must_buy(state, company):
        # The train would never run.
        return -1.0
    money, trains = ruleset.money(state, company), appraisal.trains(company)
    added = max(0, action.price - money)
    if (trains and not whole) or added > ruleset.cash(state, seat):
        return -1.0
    gain = train_value(
        appraisal, seat, company, [*trains, action.train], max(money - action.price, 0), added
    )
    if ruleset.depot.must_buy(state, company):
        # Compare with the train it would buy instead.
        instead, train, price = max(
            (appraisal.train_gain(seat, company, train, price), train, price)
            for train, _, price in ruleset.depot.offers(state, company)
        )
        left, paid = max(money - price, 0), max(price - money, 0)
        gain += instead - train_value(appraisal, seat, company, [train], left, paid)
    else:
        gain -= train_value(appraisal, seat, company, trains, money)
    kept = appraisal.trains(owner)
    rest = kept.copy()
    rest.remove(action.train)
    treasury = ruleset.money(state, owner)
    gain += train_value(appraisal, seat, owner, rest, treasury + action.price)
    gain -= train_value(appraisal, seat, owner, kept, treasury)
    if owner not in state.round.acted:
        # Neither company runs the train this round.
        less = appraisal.revenue(owner, kept) - appraisal.revenue(owner, rest)
        gain -= owned_part(appraisal, seat, owner) * less
    if not rest and not ruleset.is_minor(owner):
        # A round without a run costs about two cells of share price.
        gain -= owned_part(appraisal, seat, owner) * 1.6 * ruleset.market.price(state, owner)
    return gain - TRANSFER_COST


def offer_prices(
    ruleset: Ruleset1835, state: State1835, action: OfferTrain, allowed: Range
) -> list[int]:
    """Prices of a train worth considering: the extremes; between a player's own companies the
    least, what the seller needs for as many trains as it has room for, and that amount limited to
    what the buyer can spare."""
    if ruleset.control.decider(state, action.company) != action.seat:
        return sorted({allowed.low, allowed.high})
    step = state.agenda[-1]
    assert isinstance(step, BuyTrains)
    next_price = min(map(ruleset.depot.price, ruleset.depot.new_trains(state)), default=0)
    owner = action.company
    room = ruleset.depot.train_limit(state, owner) - len(ruleset.trains(state, owner)) + 1
    most = min(room * next_price - ruleset.money(state, owner), allowed.high)
    found = {
        next_price - ruleset.money(state, owner),
        ruleset.money(state, step.company) - next_price,
    }
    return sorted({allowed.low, *(max(min(price, most), allowed.low) for price in (*found, most))})


def dividend_value(appraisal: Appraisal, seat: int, pays: bool, revenue: int) -> float:
    """Paying out raises the price; withholding is right if no other way leads to a train. A minor
    always pays."""
    ruleset, state = appraisal.ruleset, appraisal.state
    step = state.agenda[-1]
    assert isinstance(step, Pay)
    company = step.company
    if ruleset.is_minor(company):
        return float(revenue)
    # A gain that all share alike is still better than none.
    mine = max(
        owned_part(appraisal, seat, company),
        ALIKE * ruleset.percent(state, PLAYERS[seat], company) / 100,
    )
    chart = ruleset.chart
    cell = state.companies[company].cell
    after = chart.right[cell] if pays else chart.left[cell]
    gain = mine * 10 * (chart.price[after] - chart.price[cell])
    if pays:
        return gain + mine * revenue
    if state.broken or revenue >= ruleset.money(state, BANK):
        # The company's last turn.
        return gain
    money, trains = ruleset.money(state, company), appraisal.trains(company)
    gain += mine * TREASURY_PART * revenue
    missing = appraisal.shortage(company)
    if missing > 0:
        # Otherwise the director pays the rest alone, if it comes to that before the end.
        gain += DUTY * min(missing, revenue) * min(1.0, appraisal.rounds_left / SOON)
    if len(trains) < ruleset.depot.train_limit(state, company):
        without = with_it = 0.0
        for train, _, price in ruleset.depot.offers(state, company):
            if price <= money + revenue:
                more = appraisal.train_gain(seat, company, train, price, money + revenue)
                with_it = max(with_it, more)
                if price <= money:
                    without = max(without, more)
        gain += with_it - without
    return gain


#: Minimum gain of a sale, and the extra gain required for losing a company.
SALE_COST = 12
LOST_COMPANY = 15

#: Weight of each further purchase in the round, and the maximum number considered.
LATER, MOST = 0.7, 4


def sale_gains(appraisal: Appraisal, seat: int, actions: Sequence[Action]) -> list[float]:
    """Value of each action of a turn: purchases with possible follow-ups, sales with the purchases
    they allow."""
    step = appraisal.state.agenda[-1]
    bought = not isinstance(step, StockTurn) or step.bought
    spending = {} if bought else _spending(appraisal, seat)
    found = []
    for action in actions:
        if isinstance(action, SellShares):
            found.append(sale_plan(appraisal, seat, action)[1])
        else:
            found.append(spending[action] if action in spending else appraisal.gain(seat, action))
    return found


def sale_plan(appraisal: Appraisal, seat: int, sale: SellShares) -> tuple[Sale, float]:
    """A sale with the best purchase it allows in the turn, if that gains, and the gain of both."""
    after, gain = raised(appraisal, seat, sale)
    step = appraisal.state.agenda[-1]
    if not isinstance(step, StockTurn) or step.bought:
        return Sale((sale,)), gain
    spending = _spending(after, seat)
    best = max(spending, key=spending.__getitem__, default=None)
    if best is None or spending[best] <= 0:
        return Sale((sale,)), gain
    kind = SaleForPurchase if isinstance(best, BuyShare) else SaleForTaking
    return kind((sale, best)), gain + spending[best]


def raised(appraisal: Appraisal, seat: int, action: SellShares) -> tuple[Appraisal, float]:
    """The state after a sale, and the gain of the sale alone."""
    after = _after(appraisal, action)
    return after, sale_value(appraisal, after, seat, action)


def _after(appraisal: Appraisal, action: SellShares) -> Appraisal:
    """Appraisal of the state after a sale."""
    ruleset, state = appraisal.ruleset, appraisal.state
    after = copy(state)
    after.agenda = []
    after.ledger = state.ledger.copy()
    after.companies = {**state.companies, action.company: copy(state.companies[action.company])}
    after.chart = {cell: list(stack) for cell, stack in state.chart.items()}
    after.round = replace(state.round, sold=[list(names) for names in state.round.sold])
    play = Play(after, None)  # type: ignore[arg-type]
    step = state.agenda[-1]
    assert isinstance(step, StockTurn | RaiseMoney)
    ruleset.shares.carry_out_sale(
        play, action.seat, action.company, action.certificates, dict(step.prices)
    )
    if after.agenda:
        swap = after.agenda[-1]
        assert isinstance(swap, Swap)
        names = ruleset.control.swaps(after, swap.company, PLAYERS[swap.new])[0]
        receiver = POOL if swap.to_pool else PLAYERS[swap.old]
        ruleset.control.change_director(play, swap.company, swap.old, swap.new, names, receiver)
    return appraisal.after(after, action.company)


def sale_value(appraisal: Appraisal, after: Appraisal, seat: int, action: SellShares) -> float:
    """Gain of a sale alone, relative to the other players."""
    ruleset, state, company = appraisal.ruleset, appraisal.state, action.company
    before, now = appraisal.share_value(company, 10), after.share_value(company, 10)
    changes = [
        now * ruleset.percent(after.state, PLAYERS[other], company) / 10
        - before * ruleset.percent(state, PLAYERS[other], company) / 10
        for other in range(state.seats)
    ]
    cash = ruleset.cash(state, seat)
    proceeds = ruleset.cash(after.state, seat) - cash
    changes[seat] += proceeds - SALE_COST
    old, new = (ruleset.control.director(each, company) for each in (state, after.state))
    if old == seat and new is not None and new != seat:
        duty = DUTY * appraisal.shortage(company) * min(1.0, appraisal.rounds_left / SOON)
        changes[seat] += duty - LOST_COMPANY
        changes[new] -= duty - LOST_COMPANY
    missing = after.reserve(seat) - cash
    if isinstance(state.agenda[-1], StockTurn) and missing > 0:
        changes[seat] += 0.6 * min(missing, proceeds)
    return relative(changes, seat)


def _spending(appraisal: Appraisal, seat: int) -> dict[Action, float]:
    """Value of each purchase, including later ones that money and certificate limit allow."""
    ruleset, state = appraisal.ruleset, appraisal.state
    if ruleset.shares.over_limit(state, seat):
        return {}
    offers = []
    for action in ruleset.shares.purchases(state, seat):
        cost = ruleset.shares.cost(state, action)
        offers.append((appraisal.gain(seat, action), cost, action))
    offers.sort(key=lambda offer: -offer[0])
    cash = ruleset.cash(state, seat)
    room = sum(ruleset.shares.has_room(state, seat, papers) for papers in range(1, MOST + 1))
    found: dict[Action, float] = {}
    for gain, cost, action in offers:
        left, bought, total = cash - cost, 1, gain
        for more, next_cost, other in offers:
            if more <= 0 or bought >= room:
                break
            if next_cost <= left and other is not action:
                total += LATER**bought * more
                left -= next_cost
                bought += 1
        found[action] = total
    return found


def gains(
    ruleset: Ruleset1835,
    prospects: Prospects,
    state: State1835,
    seat: int,
    actions: Sequence[Action],
    *,
    whole: bool = True,
) -> list[float]:
    """Value of each action for a player. With `whole`, judge complete turns; otherwise, in a fifth
    of the time, judge each purchase and sale alone, and trains of other companies only for
    companies without trains."""
    step = state.agenda[-1]
    if isinstance(step, PacketTurn):
        return Draft(ruleset, state).gains(seat, actions)
    appraisal = Appraisal(ruleset, prospects, state)
    if whole and isinstance(step, StockTurn | RaiseMoney):
        return sale_gains(appraisal, seat, actions)
    return [_gain(appraisal, seat, action, whole) for action in actions]


def _gain(appraisal: Appraisal, seat: int, action: Action, whole: bool) -> float:
    match action:
        case Dividend(pays=pays):
            step = appraisal.state.agenda[-1]
            assert isinstance(step, Pay)
            return dividend_value(appraisal, seat, pays, step.revenue)
        case EnterRevenue(pays=pays, revenue=revenue):
            return dividend_value(appraisal, seat, pays, revenue)
        case OfferTrain():
            return offer_value(appraisal, seat, action, whole)
    return appraisal.gain(seat, action)


class PlayoutPolicy1835(ScriptedPolicy[State1835]):
    """Playout policy of 1835, on scripted track."""

    def __init__(self, ruleset: Ruleset1835, prospects: Prospects, rng: random.Random) -> None:
        super().__init__(ruleset, tracks(__package__), rng)
        self.prospects = prospects

    def action_values(
        self, state: State1835, seat: int, actions: Sequence[Action]
    ) -> Sequence[float]:
        """Judge purchases and sales one by one: judging whole turns would take as long as the rest
        of the playout."""
        return gains(self.ruleset, self.prospects, state, seat, actions, whole=False)


#: Maximum number of papers of the start packet considered.
PAPERS = 4

#: Maximum number of purchases, nationalisations, and companies to sell considered.
PURCHASES = 3
TAKEN = 1
SALES = 3


def turn_plans(appraisal: Appraisal, seat: int, order: Sequence[Action]) -> list[Plan]:
    """Plans for a stock turn."""
    sales: list[SellShares] = []
    for offers in islice(by_company(order, SellShares).values(), SALES):
        # The best part, and all of it.
        sales += dict.fromkeys((offers[0], max(offers, key=_percent)))
    found = [
        *plain(order, 1, Done),
        *plain(order, PURCHASES, BuyShare),
        *plain(order, TAKEN, Nationalise),
    ]
    # Without the purchase, playouts would make it as well.
    return [*found, *(sale_plan(appraisal, seat, sale)[0] for sale in sales)]


def _percent(sale: SellShares) -> int:
    return sum(PERCENT[name] for name in sale.certificates)


class Evaluator1835(EighteenEvaluator[State1835]):
    """The evaluator of 1835."""

    questions = (PrussiaOffer, ExchangeOffer, Formed, TrainOffer)

    def __init__(self, ruleset: Ruleset1835) -> None:
        self.ruleset = ruleset
        self.prospects = Prospects(ruleset.components)

    def evaluate(self, state: State1835) -> list[float]:
        return Appraisal(self.ruleset, self.prospects, state).values()

    def action_values(self, state: State1835, seat: int, actions: Sequence[Action]) -> list[float]:
        return gains(self.ruleset, self.prospects, state, seat, actions)

    def debatable(self, state: State1835, gains: Mapping[Action, float]) -> Sequence[Action]:
        """Actions worth exploring: not track, which pays off beyond any search, nor the start
        packet, which is searched to its end already."""
        return () if isinstance(state.agenda[-1], Build | PlaceToken | PacketTurn) else list(gains)

    def varied(
        self, state: State1835, seat: int, actions: Sequence[Action], rng: random.Random
    ) -> Action | None:
        """Choose in the start packet by an individual opinion of the papers."""
        if not isinstance(state.agenda[-1], PacketTurn):
            return None
        gains = Draft(self.ruleset, state, rng).gains(seat, actions)
        return actions[max(range(len(actions)), key=gains.__getitem__)]

    def plans(self, state: State1835, seat: int, gains: Mapping[Action, float]) -> Sequence[Plan]:
        if isinstance(state.agenda[-1], PacketTurn):
            order = by_gain(gains)
            # A pass is last where all would wait for each other.
            return [*plain(order, PAPERS, BuyPaper), *plain(order[:-1], 1, Done)]
        return super().plans(state, seat, gains)

    def turn_plans(self, state: State1835, seat: int, order: Sequence[Action]) -> Sequence[Plan]:
        return turn_plans(Appraisal(self.ruleset, self.prospects, state), seat, order)

    def train_gain(
        self, state: State1835, seat: int, company: str, train: str, price: int
    ) -> float:
        return Appraisal(self.ruleset, self.prospects, state).train_gain(
            seat, company, train, price
        )

    def make_policy(self, rng: random.Random) -> PlayoutPolicy1835:
        return PlayoutPolicy1835(self.ruleset, self.prospects, rng)

    def lost_by_selling(self, state: State1835, step: TrainOffer, seat: int) -> float | None:
        return Appraisal(self.ruleset, self.prospects, state).lost_by_selling(step)

    def amounts(self, state: State1835, choice: Choice) -> Sequence[int]:
        if isinstance(choice.action, OfferTrain) and choice.amount is not None:
            return offer_prices(self.ruleset, state, choice.action, choice.amount)
        return super().amounts(state, choice)

    def unsettled(self, state: State1835) -> bool:
        """Whether a question interrupts a turn."""
        step = state.agenda[-1] if state.agenda else None
        return isinstance(
            step,
            Swap | Home | Surplus | RaiseMoney | TrainOffer | PrussiaOffer | ExchangeOffer | Formed,
        )

    def obvious(self, action: Action) -> bool:
        return isinstance(action, Answer | AskPrice | OpenPrussia)
