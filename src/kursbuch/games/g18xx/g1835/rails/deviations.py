"""Where Rails-18xx has broken a rule: its result is taken over by corrections, and the rule is named.

Some versions move prices otherwise in some cases. Whether one did the file does not say, so that is an open
point (`Doubt`); what it leads to shows in the order of companies and in the prices that actions name. An
action that breaks a rule itself is carried out by corrections as that program did (`carry_out`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from kursbuch.core.actions import Action
from kursbuch.core.corrections import NOBODY, Correct, player
from kursbuch.core.registry import Remark
from kursbuch.core.words import N_
from kursbuch.games.g18xx.actions import (
    BuyShare,
    BuyTrain,
    LayTile,
    Nationalise,
    PlaceStation,
    SellShares,
)
from kursbuch.games.g18xx.components import BANK, BOX, EXCHANGE, PERCENT, POOL, STACK, train_item
from kursbuch.games.g18xx.g1835.ruleset import PRUSSIA
from kursbuch.games.g18xx.rails.save import Act
from kursbuch.games.g18xx.state import RaiseMoney, StockTurn

#: A course (`course.Course`), which carries out what is decided here and so imports this module.
Course = Any

#: The rules whose breach is taken over.
PRIORITY, SALE_MOVES_ONCE, SOLD_OUT = "1835:2.3b", "1835:2.6.3.3", "1835:2.6.3.4"
WHOLE_CERTIFICATES = "1835:2.6.3.2b"

EVERY_SHARE = N_(
    "In action {actions} Rails-18xx moves the price of {company} one row for every share, to {cell}; by rule "
    "{rule} the whole sale moves it once. The price is corrected."
)
NOT_SOLD_OUT = N_(
    "Before action {actions} Rails-18xx leaves the price of {company} on {cell}, because exchange shares are "
    "still unsold there; by rule {rule} it rises. The price is corrected."
)
OTHER_BEGINS = N_(
    "Before action {actions} Rails-18xx does not count the purchase of a director's certificate for the "
    "priority deal: {there} begins, by rule {rule} it would be {here}. The turn is corrected."
)
OTHER_PRICE = N_(
    "In action {actions} the price of {company} is {there}, by the rules it would be {here}. It is corrected; what "
    "moved it the file does not say."
)
PAID_FOR_MORE = N_(
    "In action {actions} {percent} percent of {company} are paid for, but only {moved} percent change hands; by "
    "rule {rule} only whole certificates are sold. What Rails-18xx made of it is taken over by corrections."
)
EMPTY = N_("Action {actions} decides nothing; it is passed over.")
OVERRULED = N_(
    "Action {actions} breaks rule {rule}: {why} What Rails-18xx made of it is taken over by corrections."
)


class Doubt(NamedTuple):
    """A price that some versions have moved otherwise: by which rule ours has moved it, by what action,
    and where it is there."""

    company: str
    rule: str
    number: int
    cell: str


def sale(course: Course, company: str, before: str, number: int, act: Act) -> Doubt | None:
    """Whether several shares in one sale may have moved the price several rows."""
    cell = before
    for _ in range(number):
        cell = course.book.chart.down[cell]
    here = course.state.companies[company].cell
    return Doubt(company, SALE_MOVES_ONCE, act.number, cell) if cell != here else None


def risen(course: Course, company: str, before: str, act: Act) -> Doubt | None:
    """Whether a company that is sold out may have stayed: Prussia, while papers wait for its shares."""
    if company != PRUSSIA or not course.book.percent(course.state, EXCHANGE, PRUSSIA):
        return None
    return Doubt(company, SOLD_OUT, act.number, before)


def settle(course: Course) -> None:
    """Decide the doubts there are, and correct prices as soon as that is possible."""
    memory = course.memory
    while memory.doubts:
        doubt = memory.doubts[0]
        # A version that has done so once does it again.
        again = doubt.rule in memory.habits
        taken = course.pick(doubt.company, 2)
        memory.doubts.pop(0)
        if bool(taken) != again:
            memory.habits.add(doubt.rule)
            memory.prices[doubt.company] = doubt
    if course.game.over or not correctable(course, "price"):
        return
    for train, place in memory.aside:
        if not _rusted(course, train):
            course.correct(Correct(NOBODY, "train", (train, BOX, place)))
    memory.aside.clear()
    for company, doubt in list(memory.prices.items()):
        del memory.prices[company]
        template = EVERY_SHARE if doubt.rule == SALE_MOVES_ONCE else NOT_SOLD_OUT
        params = {"company": company, "cell": doubt.cell, "rule": doubt.rule}
        move_price(course, company, doubt.cell)
        course.memory.audit.append(Remark((doubt.number,), template, params))


def correctable(course: Course, kind: str) -> bool:
    """Whether something of a kind can be corrected now."""
    title = course.game.title
    return title.uncorrectable(course.state, kind) is None


def move_price(course: Course, company: str, cell: str) -> None:
    """Correct a price, if it is another."""
    if course.state.companies[company].cell not in ("", cell):
        course.correct(Correct(NOBODY, "price", (company, cell)))


# ---- prices that actions name


def check_price(course: Course, action: Action, act: Act) -> None:
    """Raise if an action is at another price than here, or take that over."""
    named = act["price"]
    if not isinstance(named, int) or not named:
        return
    company, here = "", 0
    match action:
        case SellShares(company=company):
            step = course.state.agenda[-1]
            prices = step.prices if isinstance(step, StockTurn | RaiseMoney) else None
            here = course.book.shares.sale_price(course.state, company, prices)
            if company in course.memory.sold:
                return  # the option about a second sale looks after that
        case BuyShare(company=company, source="pool") | Nationalise(company=company):
            here = course.book.market.price(course.state, company)
        case _:
            return
    factor = 3 if isinstance(action, Nationalise) else 2
    unit = 5 if company == PRUSSIA else 10
    percent = PERCENT[action.certificate] if not isinstance(action, SellShares) else unit
    # A price is that of a unit or of the whole certificate, by version; halves are rounded either way.
    near = (abs(2 * named - factor * here * size / 10) for size in (unit, percent))
    if company in course.memory.prices or any(difference < 2 for difference in near):
        return
    there = round(2 * named / factor * 10 / unit)
    chart = course.book.chart
    cells = [cell for cell, price in chart.price.items() if price == there]
    known = bool(cells) and correctable(course, "price")
    if known and act.number in course.overruled:
        own = course.state.companies[company].cell
        cells.sort(key=lambda cell: cell[:1] != own[:1])
        move_price(course, company, cells[0])
        params = {"company": company, "there": there, "here": here}
        course.memory.audit.append(Remark((act.number,), OTHER_PRICE, params))
        return
    refusal = course.cannot(
        "In action {number} ({kind}) the price of {company} is {there}, by the rules it would be {here}.",
        act,
        company=company,
        there=there,
        here=here,
    )
    refusal.broken = SALE_MOVES_ONCE if known else ""
    raise refusal


# ---- who begins a stock round


def other_begins(course: Course, step: StockTurn) -> bool:
    """Let another player begin a stock round if that program did, because it did not count the purchase
    of a director's certificate."""
    memory, act = course.memory, course.next()
    buyer = memory.buyer
    if buyer is None or act.seat == step.seat or course.state.priority == act.seat:
        return False
    if course.book.left_of(course.state, buyer) != act.seat:
        return False
    names = course.game.names
    params = {"there": names[act.seat], "here": names[course.state.priority], "rule": PRIORITY}
    course.correct(Correct(NOBODY, "priority", (player(act.seat),)))
    number = str(course.state.round.number)
    course.correct(Correct(NOBODY, "stock-round", (player(act.seat), number)))
    memory.audit.append(Remark((act.number,), OTHER_BEGINS, params))
    return True


# ---- actions that break a rule


def empty(course: Course) -> bool:
    """Pass over an action that decides nothing."""
    act = course.next()
    if act.kind != "NullAction" or act.number not in course.overruled:
        return False
    course.take([course.head])
    course.memory.audit.append(Remark((act.number,), EMPTY, {}))
    return True


def sell(course: Course, act: Act, seat: int, certificates: Mapping[str, int]) -> bool:
    """Sell these certificates by corrections, and pay for what an action says; False if that is not
    possible."""
    return bool(certificates) and _made(course, list(_sale(course, act, seat, certificates)))


def sell_short(course: Course, act: Act, seat: int) -> None:
    """Sell what there is of the size an action names, and pay for all."""
    if not _sell_less(course, act, seat, course.terms.short(act, seat)):
        raise course.not_whole(act)
    course.take([course.head])


def sell_what_there_is(course: Course, act: Act, seat: int) -> bool:
    """Sell as much as there is of what an action sells, and pay for all; False if that is not possible."""
    return _sell_less(course, act, seat, course.terms.most(act, seat))


def _sell_less(course: Course, act: Act, seat: int, certificates: Mapping[str, int]) -> bool:
    company, (_, percent) = course.terms.company(act), course.terms.percent(act)
    if not sell(course, act, seat, certificates):
        return False
    moved = sum(PERCENT[name] * count for name, count in certificates.items())
    params = {"company": company, "percent": percent, "moved": moved, "rule": WHOLE_CERTIFICATES}
    course.memory.audit.append(Remark((act.number,), PAID_FOR_MORE, params))
    return True


def carry_out(course: Course, action: Action, act: Act) -> bool:
    """Carry an action out by corrections; False if that is not possible."""
    if isinstance(action, SellShares):
        return sell(course, act, action.seat, course.terms.most(act, action.seat))
    return _made(course, list(_corrections(course, action)))


def _made(course: Course, steps: list[Action]) -> bool:
    """Make corrections; False if one is not possible."""
    step, moves = course.state.agenda[-1], len(course.game.moves)
    if steps and isinstance(step, RaiseMoney):
        # What is raised money for is begun again when the money is there.
        again = BuyTrain(course.decider(), step.train, step.source)
        steps = [Correct(NOBODY, "skip", ()), *steps, again]
    for found in steps:
        if course.game.position.problem(found) is not None:
            course.game.rewind(moves)
            course.memory.aside.clear()
            return False
        course.correct(found)
    return bool(steps)


def _rusted(course: Course, train: str) -> bool:
    """Whether trains of a type have left the game."""
    components = course.book.components
    last = components.train_records[train].scrapped_by
    return last is not None and components.phase_of[last] <= course.state.phase


def _sale(course: Course, act: Act, seat: int, certificates: Mapping[str, int]) -> Iterator[Action]:
    """The corrections that make a sale."""
    company, (_, percent) = course.terms.company(act), course.terms.percent(act)
    unit = int(act["shareUnit"] or 10)
    price = int(act["price"] or course.book.market.price(course.state, company) * unit // 10)
    for name, count in certificates.items():
        yield Correct(NOBODY, "share", (company, name, player(seat), POOL, str(count)))
    yield _money(BANK, player(seat), price * percent // unit)
    cell = course.state.companies[company].cell
    if course.book.chart.down[cell] != cell:
        yield Correct(NOBODY, "price", (company, course.book.chart.down[cell]))


def _corrections(course: Course, action: Action) -> Iterator[Action]:
    """The corrections that do what an action does."""
    state, book = course.state, course.book
    match action:
        case PlaceStation(hex=hex, stop=stop):
            company = course.turn()
            if not action.private and (cost := book.builder.station_cost(state, company, hex)):
                yield _money(company, BANK, cost)
            yield Correct(NOBODY, "station", (company, hex, str(stop + 1)))
        case LayTile(hex=hex, tile=tile, rotation=rotation):
            company = course.turn()
            if not action.private and (cost := book.builder.cost(state, company, hex, tile)):
                yield _money(company, BANK, cost)
            yield Correct(NOBODY, "tile", (hex, tile, str(rotation)))
        case BuyTrain(train=train, source=source):
            # Cheaper trains are put aside, as if there were none; `settle` brings them back.
            price = book.depot.price(train)
            company = course.turn()
            for offer in book.depot.offers(state, company):
                place = POOL if offer.source == POOL else STACK
                for _ in range(state.ledger.held(train_item(offer.train), place)):
                    if offer.price < price:
                        course.memory.aside.append((offer.train, offer.source))
                        yield Correct(NOBODY, "train", (offer.train, offer.source, BOX))
            yield BuyTrain(action.seat, train, source)
        case _:
            return


def _money(source: str, target: str, amount: int) -> Correct:
    return Correct(NOBODY, "money", (source, target, str(amount)))
