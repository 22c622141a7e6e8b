"""Trains of the companies of one player in 1835: what a train is worth where, with what is paid for it, and
when revenue is kept for one."""

from __future__ import annotations

from collections.abc import Sequence

from kursbuch.core.actions import Range
from kursbuch.games.g18xx.actions import OfferTrain
from kursbuch.games.g18xx.g1835.book import PRUSSIA, Book1835
from kursbuch.games.g18xx.g1835.heuristics import PACE, SOON, TREASURY_PART, Appraisal, relative
from kursbuch.games.g18xx.g1835.state import State1835
from kursbuch.games.g18xx.pieces import BANK, PLAYERS
from kursbuch.games.g18xx.state import BuyTrains, Pay

#: The part of what a company lacks for a train that its director is taken to pay.
DUTY = 0.9

#: Dividends count for this much of the best runs.
PAID = 0.85

#: A dividend counts at least for this part of what the director gets of it.
ALIKE = 0.2

#: A train must be worth so much more elsewhere.
TROUBLE = 10


def part(appraisal: Appraisal, seat: int, company: str) -> float:
    """How much more of a company is a player's than the others' in the mean."""
    book, state = appraisal.book, appraisal.state
    if book.is_minor(company):
        return 0.5
    shares = [book.percent(state, holder, company) / 100 for holder in PLAYERS[: state.seats]]
    return relative(shares, seat)


def worth(
    appraisal: Appraisal, seat: int, company: str, trains: Sequence[str], money: int, added: int = 0
) -> float:
    """What a company of a player with these trains and this money is still worth to him: its runs, the next
    train when it has none any more, and who pays for it."""
    minor = appraisal.book.is_minor(company)
    share = part(appraisal, seat, company)
    left, runs, now = appraisal.runs(company, trains)
    duty = 0.0
    if not minor and left > now:
        train, price = appraisal.later_train(PACE * now)
        if train:
            lacking = max(price - money, 0)
            duty = DUTY * lacking * min(1.0, SOON / (SOON + now))
            money = max(money - price, 0)
            # It is bought at the end of a turn without a run.
            runs += max(left - now - 1, 0.0) * appraisal.revenue(company, [train])
    keeps = part(appraisal, seat, PRUSSIA) if minor else share
    return share * PAID * runs + max(keeps, 0.05) * TREASURY_PART * money - duty - added


def offer(appraisal: Appraisal, seat: int, action: OfferTrain, whole: bool) -> float:
    """Only between companies of one player: a train, and money for it, move where they are worth more; unless
    turns are judged `whole`, only for a company without trains."""
    book, state = appraisal.book, appraisal.state
    step = state.agenda[-1]
    assert isinstance(step, BuyTrains)
    company, owner = step.company, action.company
    if book.control.decider(state, owner) != seat:
        return -1.0
    money, trains = book.money(state, company), appraisal.trains(company)
    added = max(0, action.price - money)
    if (trains and not whole) or added > book.cash(state, seat):
        return -1.0
    gain = worth(
        appraisal, seat, company, [*trains, action.train], max(money - action.price, 0), added
    )
    if book.depot.must_buy(state, company):
        # Beside what it would buy instead.
        instead, train, price = max(
            (appraisal.train_gain(seat, company, train, price), train, price)
            for train, _, price in book.depot.offers(state, company)
        )
        left, paid = max(money - price, 0), max(price - money, 0)
        gain += instead - worth(appraisal, seat, company, [train], left, paid)
    else:
        gain -= worth(appraisal, seat, company, trains, money)
    kept = appraisal.trains(owner)
    rest = kept.copy()
    rest.remove(action.train)
    treasury = book.money(state, owner)
    gain += worth(appraisal, seat, owner, rest, treasury + action.price)
    gain -= worth(appraisal, seat, owner, kept, treasury)
    if owner not in state.round.acted:
        # Neither of the two runs it in this round.
        less = appraisal.revenue(owner, kept) - appraisal.revenue(owner, rest)
        gain -= part(appraisal, seat, owner) * less
    if not rest and not book.is_minor(owner):
        # A round without a run costs two fields.
        gain -= part(appraisal, seat, owner) * 1.6 * book.market.price(state, owner)
    return gain - TROUBLE


def prices(book: Book1835, state: State1835, action: OfferTrain, allowed: Range) -> list[int]:
    """The prices worth considering for a train: the least and the most; between companies of one player the
    least, what the seller lacks for as many trains as it will have room for, and that as far as it leaves the
    buyer money for one: more would lie idle."""
    if book.control.decider(state, action.company) != action.seat:
        return sorted({allowed.low, allowed.high})
    step = state.agenda[-1]
    assert isinstance(step, BuyTrains)
    next_price = min(map(book.depot.price, book.depot.new(state)), default=0)
    owner = action.company
    room = book.depot.train_limit(state, owner) - len(book.trains(state, owner)) + 1
    most = min(room * next_price - book.money(state, owner), allowed.high)
    found = {next_price - book.money(state, owner), book.money(state, step.company) - next_price}
    return sorted({allowed.low, *(max(min(price, most), allowed.low) for price in (*found, most))})


def dividend(appraisal: Appraisal, seat: int, pays: bool, revenue: int) -> float:
    """To pay is good for the price; to withhold is right when a train cannot be had otherwise. A minor always pays."""
    book, state = appraisal.book, appraisal.state
    step = state.agenda[-1]
    assert isinstance(step, Pay)
    company = step.company
    if book.is_minor(company):
        return float(revenue)
    # What all gain alike is still better had than not.
    mine = max(
        part(appraisal, seat, company), ALIKE * book.percent(state, PLAYERS[seat], company) / 100
    )
    chart = book.chart
    cell = state.companies[company].cell
    after = chart.right[cell] if pays else chart.left[cell]
    gain = mine * 10 * (chart.price[after] - chart.price[cell])
    if pays:
        return gain + mine * revenue
    if state.broken or revenue >= book.money(state, BANK):
        # It is the company's last turn.
        return gain
    money, trains = book.money(state, company), appraisal.trains(company)
    gain += mine * TREASURY_PART * revenue
    missing = appraisal.shortage(company)
    if missing > 0:
        # Otherwise the director pays it alone, if it comes to that before the end.
        gain += DUTY * min(missing, revenue) * min(1.0, appraisal.rounds_left() / SOON)
    if len(trains) < book.depot.train_limit(state, company):
        without = with_it = 0.0
        for train, _, price in book.depot.offers(state, company):
            if price <= money + revenue:
                more = appraisal.train_gain(seat, company, train, price, money + revenue)
                with_it = max(with_it, more)
                if price <= money:
                    without = max(without, more)
        gain += with_it - without
    return gain
