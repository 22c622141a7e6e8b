"""Buying and selling shares: what is allowed, what it costs, and how it is carried out.

Every `…_problem` names the rule that forbids something, or is None; the lists beside them hold
exactly what has no problem. Selling is the same in a stock round and when a director has to raise
money [sale, forced-sale].
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

from kursbuch.core.errors import IllegalAction
from kursbuch.core.play import Play
from kursbuch.eighteen import events as happened
from kursbuch.eighteen.actions import BuyShare, Nationalise
from kursbuch.eighteen.kernel import Kernel
from kursbuch.eighteen.pieces import BANK, PERCENT, PLAYERS, POOL, STACK
from kursbuch.eighteen.state import EighteenState

Game = Kernel[Any, Any]
State = EighteenState[Any]

#: The prices at which shares of companies have been sold in a turn.
Prices = dict[str, int]

#: The pool never takes more than this percentage of a company [pool-limit].
POOL_LIMIT = 50


# ---- buying


def has_room(game: Game, state: State, seat: int, papers: int = 1) -> bool:
    """Whether a player may take so many papers more, judged by his limit before it
    [certificate-limit, certificate-limit-raised]."""
    return game.count_papers(state, seat) + papers <= game.paper_limit(state, seat)


def too_many_papers(game: Game, state: State, seat: int) -> IllegalAction:
    """The refusal when there is no room."""
    return IllegalAction(
        "certificate-limit",
        "You have {count} papers, and {limit} are allowed.",
        count=game.count_papers(state, seat),
        limit=game.paper_limit(state, seat),
    )


def too_dear(price: int, cash: int) -> IllegalAction:
    """The refusal when there is not enough money."""
    return IllegalAction(
        "pay-in-full", "It costs {price}, and you have {cash}.", price=price, cash=cash
    )


def purchase_price(game: Game, state: State, company: str, certificate: str, source: str) -> int:
    """What a certificate costs: a new one its part of the issue price, an old one its part of the
    market price [new-share, pool-share]. Before a company is in operation that is the price at which it
    will begin."""
    price = game.price(state, company) if source == POOL else 0
    return PERCENT[certificate] * (price or game.public[company].par) // 10


def nationalisation_price(game: Game, state: State, company: str, certificate: str) -> int:
    """One and a half times the market value, rounded up [nationalisation]."""
    threefold = 3 * game.value(state, company, certificate)
    return threefold // 2 if game.as_rails(state) else -(-threefold // 2)


def purchase_problem(
    game: Game, state: State, seat: int, company: str, certificate: str, source: str
) -> IllegalAction | None:
    """Why a player may not buy a certificate of the new shares or the pool."""
    if company not in game.public or source not in (STACK, POOL):
        return IllegalAction(
            "one-certificate", "Only shares, new ones or from the pool, can be bought."
        )
    if company in state.round.sold[seat]:
        return _has_sold(company)
    if source == STACK:
        if (company, certificate) not in game.offered(state):
            return game.not_offered(state, company, certificate)
    elif not game.certificates(state, POOL, company).get(certificate):
        return IllegalAction(
            "pool-share",
            "There is no certificate {certificate} of {company} in the pool.",
            certificate=certificate,
            company=company,
        )
    price = purchase_price(game, state, company, certificate, source)
    return _no_means(game, state, seat, price)


def nationalisation_problem(
    game: Game, state: State, seat: int, company: str, certificate: str, other: int
) -> IllegalAction | None:
    """Why a player may not take a certificate from another [nationalisation]."""
    if (
        company not in game.public
        or not game.nationalise_from
        or game.percent(state, PLAYERS[seat], company) < game.nationalise_from
    ):
        return IllegalAction(
            "nationalisation",
            "Only who holds at least {percent} percent of a company may nationalise shares of it.",
            percent=game.nationalise_from,
        )
    if not state.companies[company].operating:
        return IllegalAction("nationalisation", "{company} is not in operation.", company=company)
    if (
        other == seat
        or other not in range(state.seats)
        or not game.certificates(state, PLAYERS[other], company).get(certificate)
    ):
        return IllegalAction(
            "nationalised-certificate",
            "This player has no certificate {certificate} of {company}.",
            certificate=certificate,
            company=company,
        )
    if company in state.round.sold[seat]:
        return _has_sold(company)
    return _no_means(game, state, seat, nationalisation_price(game, state, company, certificate))


def _has_sold(company: str) -> IllegalAction:
    return IllegalAction(
        "no-buying-back",
        "You have sold shares of {company} in this stock round and may not buy any in it.",
        company=company,
    )


def _no_means(game: Game, state: State, seat: int, price: int) -> IllegalAction | None:
    if not has_room(game, state, seat):
        return too_many_papers(game, state, seat)
    cash = game.cash(state, seat)
    return too_dear(price, cash) if price > cash else None


def purchases(game: Game, state: State, seat: int) -> Iterator[BuyShare | Nationalise]:
    """Everything a player who may buy can buy: new shares, the pool, other players' shares."""
    if not has_room(game, state, seat):
        return
    cash, sold = game.cash(state, seat), state.round.sold[seat]
    for company, certificate in game.offered(state):
        price = purchase_price(game, state, company, certificate, STACK)
        if price <= cash and company not in sold:
            yield BuyShare(seat, company, certificate, STACK)
    for company in game.public:
        if company in sold:
            continue
        for certificate in game.certificates(state, POOL, company):
            if purchase_price(game, state, company, certificate, POOL) <= cash:
                yield BuyShare(seat, company, certificate, POOL)
        if (
            game.nationalise_from
            and state.companies[company].operating
            and game.percent(state, PLAYERS[seat], company) >= game.nationalise_from
        ):
            for other in range(state.seats):
                if other == seat:
                    continue
                for certificate in game.certificates(state, PLAYERS[other], company):
                    if nationalisation_price(game, state, company, certificate) <= cash:
                        yield Nationalise(seat, company, certificate, other)


def carry_out_purchase(game: Game, play: Play[Any], action: BuyShare) -> None:
    """A certificate for its price. A company in operation gets the price of its new shares, the bank
    that of all others [new-share, pool-share]."""
    state = play.state
    seat, company, certificate, source = (
        action.seat,
        action.company,
        action.certificate,
        action.source,
    )
    holder = PLAYERS[seat]
    price = purchase_price(game, state, company, certificate, source)
    receiver = company if source == STACK and state.companies[company].operating else BANK
    if receiver == BANK:
        state.ledger.move("money", holder, BANK, price)
    else:
        game.pay_company(play, holder, company, price)
    state.ledger.move(f"{company}:{certificate}", source, holder)
    rule = (
        "pool-share"
        if source == POOL
        else "new-share"
        if receiver == BANK
        else "new-share-paid-to-company"
    )
    play.emit(
        happened.ShareBought(
            rule=rule,
            amounts=game.amounts(state, (seat, -price)),
            seat=seat,
            company=company,
            certificate=certificate,
            source=source,
            price=price,
            receiver=receiver,
        )
    )
    game.settle(play, company)


def carry_out_nationalisation(game: Game, play: Play[Any], action: Nationalise) -> None:
    """A certificate changes hands; the market price stays [nationalisation]."""
    state = play.state
    company, certificate = action.company, action.certificate
    buyer, owner = PLAYERS[action.seat], PLAYERS[action.player]
    price = nationalisation_price(game, state, company, certificate)
    state.ledger.move("money", buyer, owner, price)
    state.ledger.move(f"{company}:{certificate}", owner, buyer)
    play.emit(
        happened.Nationalised(
            rule="nationalisation",
            amounts=game.amounts(state, (action.seat, -price), (action.player, price)),
            seat=action.seat,
            company=company,
            certificate=certificate,
            player=action.player,
            price=price,
        )
    )
    game.settle_director(play, company)


# ---- selling


def percent_of(certificates: Sequence[str]) -> int:
    """The percentage of some certificates together; names of none count nothing."""
    return sum(PERCENT.get(name, 0) for name in certificates)


def strongest_other(game: Game, state: State, seat: int, company: str) -> int:
    """The highest percentage of another player who is able to be director, 0 if nobody is."""
    return max(
        (
            game.percent(state, PLAYERS[other], company)
            for other in range(state.seats)
            if other != seat and game.swaps(state, company, PLAYERS[other])
        ),
        default=0,
    )


def sale_problem(
    game: Game,
    state: State,
    seat: int,
    company: str,
    certificates: Sequence[str],
    *,
    keep: str = "",
    needed: int = 0,
    prices: Prices | None = None,
) -> IllegalAction | None:
    """Why a player may not sell these certificates of one company in one action.

    For forced sales: he must stay director of `keep`, and no certificate may be in the sale that is
    not needed to reach `needed` Marks (0: no matter) [forced-sale]; `prices` as in `carry_out_sale`.
    """
    if company not in game.public:
        return IllegalAction("sale", "Only shares can be sold.")
    held = game.certificates(state, PLAYERS[seat], company)
    total, percent = game.percent(state, PLAYERS[seat], company), percent_of(certificates)
    if not certificates or any(
        certificates.count(name) > held.get(name, 0) for name in certificates
    ):
        if 0 < percent <= total:
            return IllegalAction(
                "whole-certificates",
                "Certificates are sold whole, and you do not have these of {company}.",
                company=company,
            )
        return IllegalAction("sale", "You do not have these shares of {company}.", company=company)
    order = list(held)
    if sorted(certificates, key=order.index) != list(certificates):
        return IllegalAction(
            "sale", "Name the director's certificate first, then the others from large to small."
        )
    if not game.saleable(state, company):
        return IllegalAction(
            "saleable",
            "Shares of {company} cannot be sold before the company has worked once.",
            company=company,
        )
    if game.percent(state, POOL, company) + percent > POOL_LIMIT:
        return IllegalAction(
            "pool-limit",
            "The pool would hold more than {limit} percent of {company}.",
            limit=POOL_LIMIT,
            company=company,
        )
    leads = game.public[company].director in certificates
    if leads and strongest_other(game, state, seat, company) <= total - percent:
        return IllegalAction(
            "sale-of-director",
            "The director's certificate of {company} can be sold only if another player then holds "
            "more than you and enough to be director.",
            company=company,
        )
    if company == keep and (leads or strongest_other(game, state, seat, company) > total - percent):
        return IllegalAction(
            "forced-sale", "You have to stay director of {company}.", company=company
        )
    price = sale_price(game, state, company, prices)
    if needed and _superfluous(certificates, price, needed):
        return IllegalAction("forced-sale", "Not all of these certificates are needed.")
    return None


def sale_price(game: Game, state: State, company: str, prices: Prices | None) -> int:
    """What 10 percent are sold for: the market price, or that of an earlier sale in the same turn
    where the table sells at one price."""
    price = game.price(state, company)
    return prices.get(company, price) if prices and game.one_price(state) else price


def _superfluous(certificates: Sequence[str], price: int, needed: int) -> bool:
    """Whether a sale would bring enough without its smallest certificate."""
    least = min(PERCENT[name] for name in certificates)
    return (percent_of(certificates) - least) * price // 10 >= needed


def sales(
    game: Game,
    state: State,
    seat: int,
    *,
    keep: str = "",
    needed: int = 0,
    prices: Prices | None = None,
) -> list[tuple[str, tuple[str, ...]]]:
    """All sales without a problem, as companies and certificates, small ones first."""
    return list(each_sale(game, state, seat, keep=keep, needed=needed, prices=prices))


def each_sale(
    game: Game,
    state: State,
    seat: int,
    *,
    keep: str = "",
    needed: int = 0,
    prices: Prices | None = None,
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The same one by one."""
    holder = PLAYERS[seat]
    for company, public in game.public.items():
        held = game.certificates(state, holder, company)
        if not held or not game.saleable(state, company):
            continue
        room = POOL_LIMIT - game.percent(state, POOL, company)
        total = sum(PERCENT[name] * count for name, count in held.items())
        leads = public.director in held
        other = strongest_other(game, state, seat, company) if leads else 0
        price = sale_price(game, state, company, prices)
        names = list(held)
        sizes = [PERCENT[name] for name in names]
        for counts in product(*(range(held[name] + 1) for name in names)):
            percent = 0
            for size, count in zip(sizes, counts, strict=True):
                percent += size * count
            if not 0 < percent <= room:
                continue
            with_director = leads and counts[0] > 0
            if with_director and other <= total - percent:
                continue
            if company == keep and (with_director or other > total - percent):
                continue
            certificates = tuple(
                name for name, count in zip(names, counts, strict=True) for _ in range(count)
            )
            if not (needed and _superfluous(certificates, price, needed)):
                yield company, certificates


def carry_out_sale(
    game: Game,
    play: Play[Any],
    seat: int,
    company: str,
    certificates: Sequence[str],
    prices: Prices | None = None,
) -> int:
    """Sell certificates of one company to the pool; returns what they bring.

    The bank pays the price before the sale, and the marker moves one row down [sale, price-after-sale].
    `prices` are those of earlier sales in the same turn, where the table sells at one price. Instead
    of the director's certificate the pool gets what the new director gives for it [sale-of-director].
    """
    state = play.state
    holder = PLAYERS[seat]
    price = sale_price(game, state, company, prices)
    moves = True
    if prices is not None and game.one_price(state):
        moves = company not in prices
        prices[company] = price
    proceeds = percent_of(certificates) * price // 10
    director = game.public[company].director
    for name in certificates:
        if name != director:
            state.ledger.move(f"{company}:{name}", holder, POOL)
    if not state.round.part and company not in state.round.sold[seat]:
        state.round.sold[seat].append(company)
    game.pay_out(
        play,
        happened.SharesSold(
            rule="sale",
            amounts=game.amounts(state, (seat, proceeds)),
            seat=seat,
            company=company,
            certificates=tuple(certificates),
            proceeds=proceeds,
        ),
        (holder, proceeds),
    )
    if moves:
        below = game.chart.down[state.companies[company].cell]
        game.move_price(play, company, below, "sold", "price-after-sale")
    if director in certificates:
        new = game.challenger(state, company, seat, given=PERCENT[director])
        game.replace_director(play, company, seat, new, to_pool=True)
    else:
        game.settle_director(play, company)
    return proceeds
