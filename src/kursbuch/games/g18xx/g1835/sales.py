"""Sales of shares in 1835 judged as what they are part of: what they bring and cost everybody, who has to
lead the company then, and what can be bought for the proceeds."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy

from msgspec.structs import replace

from kursbuch.core.actions import Action
from kursbuch.core.play import Play
from kursbuch.games.g18xx.actions import SellShares
from kursbuch.games.g18xx.g1835.book import Book1835
from kursbuch.games.g18xx.g1835.fleet import DUTY
from kursbuch.games.g18xx.g1835.heuristics import SOON, Appraisal, relative
from kursbuch.games.g18xx.g1835.state import State1835
from kursbuch.games.g18xx.pieces import PLAYERS, POOL
from kursbuch.games.g18xx.state import RaiseMoney, StockTurn, Swap

#: A sale must gain so much to be worth the trouble, and the loss of a company so much more.
TROUBLE = 12
LOST_COMPANY = 15

#: What each further purchase in the same round is worth of what it gains now, and how many purchases are looked at.
LATER, MOST = 0.7, 4


def gains(appraisal: Appraisal, seat: int, actions: Sequence[Action]) -> list[float]:
    """What each action of a turn gains for a player: purchases together with those that can follow, sales
    with the purchases they allow."""
    step = appraisal.state.agenda[-1]
    if not isinstance(step, StockTurn):
        return [
            raised(appraisal, seat, action)[1]
            if isinstance(action, SellShares)
            else appraisal.gain(seat, action)
            for action in actions
        ]
    spending = {} if step.bought else _spending(appraisal, seat)
    found = []
    for action in actions:
        if isinstance(action, SellShares):
            after, gain = raised(appraisal, seat, action)
            if not step.bought:
                gain += max(0.0, 0.0, *_spending(after, seat).values())
            found.append(gain)
        else:
            found.append(spending[action] if action in spending else appraisal.gain(seat, action))
    return found


def raised(appraisal: Appraisal, seat: int, action: SellShares) -> tuple[Appraisal, float]:
    """The state after a sale, and what the sale gains by itself."""
    after = _after(appraisal, action)
    return after, sale(appraisal, after, seat, action)


def best_after(appraisal: Appraisal, seat: int, action: SellShares) -> Action | None:
    """The best purchase that a sale allows, if any."""
    following = _spending(_after(appraisal, action), seat)
    return max(following, key=lambda purchase: following[purchase], default=None)


def _after(appraisal: Appraisal, action: SellShares) -> Appraisal:
    return appraisal.after(sold(appraisal.book, appraisal.state, action), action.company)


def sold(book: Book1835, state: State1835, action: SellShares) -> State1835:
    """The state after a sale."""
    after = copy(state)
    after.agenda = []
    after.ledger = state.ledger.copy()
    after.companies = {**state.companies, action.company: copy(state.companies[action.company])}
    after.chart = {cell: list(stack) for cell, stack in state.chart.items()}
    after.round = replace(state.round, sold=[list(names) for names in state.round.sold])
    play = Play(after, None)  # type: ignore[arg-type]
    step = state.agenda[-1]
    assert isinstance(step, StockTurn | RaiseMoney)
    book.shares.carry_out_sale(
        play, action.seat, action.company, action.certificates, dict(step.prices)
    )
    if after.agenda:
        swap = after.agenda[-1]
        assert isinstance(swap, Swap)
        names = book.control.swaps(after, swap.company, PLAYERS[swap.new])[0]
        receiver = POOL if swap.to_pool else PLAYERS[swap.old]
        book.control.change_director(play, swap.company, swap.old, swap.new, names, receiver)
    return after


def sale(appraisal: Appraisal, after: Appraisal, seat: int, action: SellShares) -> float:
    """What a sale by itself gains for a player, against what it gains for the others."""
    book, state, company = appraisal.book, appraisal.state, action.company
    before, now = appraisal.share_value(company, 10), after.share_value(company, 10)
    changes = [
        now * book.percent(after.state, PLAYERS[other], company) / 10
        - before * book.percent(state, PLAYERS[other], company) / 10
        for other in range(state.seats)
    ]
    cash = book.cash(state, seat)
    proceeds = book.cash(after.state, seat) - cash
    changes[seat] += proceeds - TROUBLE
    old, new = (book.control.director(each, company) for each in (state, after.state))
    if old == seat and new is not None and new != seat:
        duty = DUTY * appraisal.shortage(company) * min(1.0, appraisal.rounds_left() / SOON)
        changes[seat] += duty - LOST_COMPANY
        changes[new] -= duty - LOST_COMPANY
    missing = after.reserve(seat) - cash
    if isinstance(state.agenda[-1], StockTurn) and missing > 0:
        changes[seat] += 0.6 * min(missing, proceeds)
    return relative(changes, seat)


def _spending(appraisal: Appraisal, seat: int) -> dict[Action, float]:
    """What each purchase gains with those that the rest of the money and the limit of certificates allow in
    later turns."""
    book, state = appraisal.book, appraisal.state
    if book.shares.over_limit(state, seat):
        return {}
    offers = []
    for action in book.shares.purchases(state, seat):
        cost = book.shares.cost(state, action)
        offers.append((appraisal.gain(seat, action), cost, action))
    offers.sort(key=lambda offer: -offer[0])
    cash = book.cash(state, seat)
    room = sum(book.shares.has_room(state, seat, papers) for papers in range(1, MOST + 1))
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
