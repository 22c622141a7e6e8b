"""Answers to the steps of a game from the actions of Rails-18xx: stock rounds, company turns, and
the formation of Prussia."""

from __future__ import annotations

from collections.abc import Iterator

from kursbuch.core.registry import Remark
from kursbuch.core.words import N_
from kursbuch.games.g18xx.actions import (
    Answer,
    BuyPaper,
    ChooseHome,
    ChooseSwap,
    Discard,
    Dividend,
    Done,
    EnterRevenue,
    Exchange,
)
from kursbuch.games.g18xx.components import PLAYERS, POOL
from kursbuch.games.g18xx.g1835.rails18xx.replay import Replay, other_begins, sell_short
from kursbuch.games.g18xx.g1835.rails18xx.terms import BAVARIA, unknown
from kursbuch.games.g18xx.g1835.ruleset import OPENER, PRUSSIA
from kursbuch.games.g18xx.g1835.state import (
    FREE_REVENUE,
    MINORS_NEED_BAVARIA,
    ExchangeOffer,
    OpenPrussia,
    PacketTurn,
    PrussiaOffer,
)
from kursbuch.games.g18xx.rails18xx import Needs
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


def packet(replay: Replay, step: PacketTurn) -> None:
    """Buy a paper of the start packet, or pass."""
    act = replay.next()
    replay.memory.fresh = False
    if act.kind == "BuyStartItem" and act.seat == step.seat:
        paper = replay.terms.id(act["startItemName"], act)
        replay.take([replay.head], BuyPaper(step.seat, paper))
    elif act.kind == "NullAction" and act.seat == step.seat:
        replay.take([replay.head], Done(step.seat))
    else:
        replay.done()


def stock(replay: Replay, step: StockTurn) -> None:
    """Buy, sell, or end the turn."""
    act, fresh = replay.next(), replay.memory.fresh
    replay.memory.fresh = False
    if fresh and other_begins(replay, step):
        return
    if act.seat != step.seat:
        # Rails passes automatically.
        replay.done()
    elif act.kind == "NullAction":
        replay.take([replay.head], Done(step.seat))
    elif act.kind in ("BuyCertificate", "StartCompany"):
        replay.take([replay.head], replay.terms.purchase(act))
    elif act.kind == "SellShares":
        sell(replay)
    else:
        replay.done()


def sell(replay: Replay) -> None:
    """Sell shares. The file gives percentages; the choice of certificates is an open point, the
    director's last. Some versions sell only certificates of the named size but pay for all."""
    act, seat = replay.next(), replay.decider()
    ways = replay.terms.sales(act, seat)
    if ways and not replay.terms.as_named(act, ways[0]) and act.number not in replay.overruled:
        # Another choice may give the seller matching certificates.
        raise replay.not_whole(act)
    short = bool(replay.terms.short(act, seat))
    if len(ways) > 1 or short:
        ways = [way for way in ways if replay.possible(way)] or ways[:1]
    if not ways and not short:
        replay.overruling_sale(act, seat)
        return
    taken = replay.pick(replay.terms.company(act), len(ways) + short)
    if taken < len(ways):
        replay.take([replay.head], ways[taken])
    else:
        sell_short(replay, act, seat)


def swap(replay: Replay, step: Swap) -> None:
    """Choose what the old director gets, which the file does not say: Rails gives the fewest
    certificates, older versions small ones."""
    seat = replay.decider()
    ways = replay.ruleset.control.swaps(replay.state, step.company, PLAYERS[step.new])
    replay.choose(step.company, [ChooseSwap(seat, step.company, way) for way in ways])


#: Values of `revenueAllocation` for full and half dividends; others withhold.
PAYOUT, SPLIT = 2, 1

#: Type of a home token.
HOME_CITY = 3
EARNED_LESS = N_(
    "In action {actions} {company} earns {recorded}, less than its best runs bring ({best}): {runs}. "
    "The amount is taken over; the book would have the highest."
)
EARNED_MORE = N_(
    "In action {actions} {company} earns {recorded}, more than any runs by the book bring ({best}): "
    "{runs}. The amount is taken over."
)


def build(replay: Replay, step: Build) -> None:
    """Lay a tile, place a free token, or finish laying track."""
    if _early(replay, step.company):
        raise Needs(MINORS_NEED_BAVARIA)
    _on_the_map(replay, step.company, placing=False)


def place(replay: Replay, step: PlaceToken) -> None:
    """Place a token, or none."""
    _on_the_map(replay, step.company, placing=True)


def _early(replay: Replay, company: str) -> bool:
    """Whether a minor that must wait for Bavaria is about to act."""
    return (
        MINORS_NEED_BAVARIA in replay.may
        and not replay.state.house.minors_need_bavaria
        and replay.ruleset.is_minor(company)
        and not replay.state.companies[BAVARIA].operating
    )


def _on_the_map(replay: Replay, company: str, *, placing: bool) -> None:
    """Answer a track or token step: lay, place, or finish."""
    actions, places = replay.actions, replay.own(company)
    wanted = _wanted(replay, places, placing=placing)
    if wanted >= 0:
        # Our game has passed the steps skipped before it.
        skipped = [p for p in places if p < wanted and actions[p].kind == "NullAction"]
        if skipped:
            replay.take(skipped[:1])
        elif actions[wanted].kind == "LayTile":
            replay.take([wanted], replay.terms.building(actions[wanted], replay.decider()))
        else:
            ways = replay.terms.places(actions[wanted], replay.decider())
            if len(ways) > 1:
                ways = [way for way in ways if replay.possible(way)] or ways[:1]
            replay.take([wanted], ways[replay.pick(company, len(ways))])
    elif places and actions[places[0]].kind == "NullAction":
        skips = 0
        for other in places:
            if actions[other].kind != "NullAction":
                break
            skips += 1
        if skips > 1 and placing:
            replay.take(places[:1])
        else:
            replay.take(places[:1], Done(replay.decider()))
    else:
        replay.done()


def _wanted(replay: Replay, places: list[int], *, placing: bool) -> int:
    """Index of the company's next tile or token, -1 if there is none. Free tokens of privates may
    come before tiles."""
    ordinary = False
    for place in places:
        act = replay.actions[place]
        if act.kind == "LayTile" and not placing:
            return place
        if act.kind == "LayBaseToken":
            through = replay.terms.through(act)
            if placing or (through and not ordinary):
                return place
            ordinary = ordinary or not through
    return -1


def home(replay: Replay, step: Home) -> None:
    """Choose the home city, named with the tile just laid or in an action of its own."""
    company, terms, seat = step.company, replay.terms, replay.decider()
    hex = step.hex
    name = next(name for name, ours in terms.names.items() if ours == company)
    for place in range(replay.head - 1, max(replay.head - 3, -1), -1):
        act = replay.actions[place]
        if act.kind == "LayTile" and act["chosenHexName"] == hex:
            for entry in str(act["relaidBaseTokensString"] or "").split(","):
                who, _, station = entry.partition(":")
                if who == name and station.isdigit():
                    replay.insert(ChooseHome(seat, company, terms.stop(hex, int(station))))
                    return
    for place in replay.rest():
        act = replay.actions[place]
        if act.kind == "LayBaseToken" and act.company == name and act["chosenHexName"] == hex:
            choice = ChooseHome(seat, company, terms.stop(hex, int(act["chosenStation"] or 1)))
            if act["type"] == HOME_CITY:
                replay.take([place], choice)
            else:
                replay.insert(choice)
            return
    # Rails puts the token in its first city from the start.
    first = ChooseHome(seat, company, terms.stop(hex, 1))
    choices = [choice.action for choice in replay.game.legal_actions(seat)]
    replay.choose(company, [first, *(other for other in choices if other != first)])


def pay(replay: Replay, step: Pay) -> None:
    """Pay out or withhold, at the recorded revenue."""
    seat, places = replay.decider(), replay.own(step.company)
    place = next((p for p in places if replay.actions[p].kind == "SetDividend"), -1)
    minor = replay.ruleset.is_minor(step.company)
    if place < 0 and not step.revenue:
        # Rails does not ask about a revenue of 0.
        replay.insert(Dividend(seat, minor))
        return
    if place < 0:
        raise replay.unfit(replay.next())
    skipped = [p for p in places if p < place]
    if skipped:
        replay.take(skipped[:1])
        return
    act = replay.actions[place]
    recorded = int(act["actualRevenue"] or 0)
    pays = minor or (recorded > 0 and act["revenueAllocation"] in (PAYOUT, SPLIT))
    if recorded == step.revenue:
        replay.take([place], Dividend(seat, pays))
        return
    if not replay.state.house.free_revenue:
        raise Needs(FREE_REVENUE)
    replay.memory.revenues.append(
        Remark(
            (act.number,),
            EARNED_LESS if recorded < step.revenue else EARNED_MORE,
            {
                "option": FREE_REVENUE,
                "company": replay.ruleset.label(step.company),
                "recorded": recorded,
                "best": step.revenue,
                "runs": replay.terms.best_runs(step.company) or "–",
            },
        )
    )
    replay.take([place], EnterRevenue(seat, pays, recorded))


def trains(replay: Replay, step: BuyTrains) -> None:
    """Buy a train, or end the turn."""
    act = replay.next()
    places = replay.own(step.company)
    bought = next((p for p in places if replay.actions[p].kind == "BuyTrain"), -1)
    if act.kind == "NullAction" and act.mode == "DONE":
        replay.memory.open.clear()
        replay.take([replay.head], Done(replay.decider()))
    elif bought >= 0 and places[0] < bought:
        # Our game has passed the steps skipped before it.
        replay.take(places[:1])
    elif bought >= 0:
        again = _again(replay, step.company, bought)
        made = replay.actions[again[-1]]
        replay.take(again, replay.terms.train_purchase(made, replay.decider()))
        replay.terms.trains[str(made["trainUniqueId"])] = step.company
    else:
        replay.done()


def _again(replay: Replay, company: str, bought: int) -> list[int]:
    """Indices of a purchase and its repetitions after forced sales, perhaps with another train; the
    last one counts."""
    found, sold = [bought], False
    for place in replay.rest():
        act = replay.actions[place]
        if place <= bought:
            continue
        if act.kind == "SellShares":
            sold = True
        elif sold and act.kind == "BuyTrain" and replay.terms.names.get(act.company) == company:
            found.append(place)
            sold = False
        else:
            break
    return found


def offer(replay: Replay, step: TrainOffer) -> None:
    """Accept: the file records only completed sales."""
    replay.insert(Answer(replay.decider(), True))


def raise_money(replay: Replay, step: RaiseMoney) -> None:
    """Make a forced sale."""
    act = replay.next()
    if act.kind != "SellShares":
        raise replay.unfit(act)
    sell(replay)


def _near(replay: Replay, kind: str) -> Iterator[int]:
    """Indices of actions of a kind before the turn continues."""
    for place in replay.rest():
        if replay.actions[place].kind == kind:
            yield place
        elif replay.actions[place].kind not in ("DiscardTrain", "FoldIntoPrussian"):
            return


def surplus(replay: Replay, step: Surplus) -> None:
    """Discard surplus trains."""
    company, state, terms = step.companies[0], replay.state, replay.terms
    count = len(replay.ruleset.trains(state, company)) - replay.ruleset.depot.train_limit(
        state, company
    )
    places = [
        place
        for place in _near(replay, "DiscardTrain")
        if terms.names.get(replay.actions[place].company) == company
        and replay.actions[place]["discardedTrainUniqueId"]
    ][:count]
    if len(places) < count:
        raise replay.unfit(replay.next())
    names = [str(replay.actions[place]["discardedTrainUniqueId"]) for place in places]
    replay.memory.trains |= dict.fromkeys(names, POOL)
    trains = [terms.train(name) for name in names]
    for place, train in zip(places, trains, strict=True):
        if train not in replay.ruleset.components.train_order:
            raise unknown(replay.actions[place]["discardedTrainUniqueId"], replay.actions[place])
    trains.sort(key=replay.ruleset.components.train_order.index)
    replay.take(places, Discard(replay.decider(), company, tuple(trains)))


def prussia(replay: Replay, step: PrussiaOffer) -> None:
    """Open Prussia, or wait."""
    for place in _near(replay, "FoldIntoPrussian"):
        act = replay.actions[place]
        exchangeable = str(act["foldableCompanyNames"] or "").split(",")
        if OPENER in (replay.terms.names.get(name) for name in exchangeable):
            papers = replay.terms.folded(act)
            # Papers exchanged in the same action count when their owners are asked.
            replay.memory.also = [paper for paper in papers if paper != OPENER]
            replay.take([place], OpenPrussia(replay.decider(), OPENER in papers))
            return
    seat = replay.decider()
    replay.choose(PRUSSIA, [OpenPrussia(seat, False), OpenPrussia(seat, True)])


def exchange_offer(replay: Replay, step: ExchangeOffer) -> None:
    """Exchange a player's papers."""
    seat, memory = replay.decider(), replay.memory
    for place in _near(replay, "FoldIntoPrussian"):
        act = replay.actions[place]
        if act.seat == seat:
            replay.take([place], Exchange(seat, tuple(replay.terms.folded(act))))
            return
    own = [paper for paper in memory.also if replay.ruleset.owner(replay.state, paper) == seat]
    first = Exchange(seat, tuple(own))
    choices = [choice.action for choice in replay.game.legal_actions(seat)]
    replay.choose(PRUSSIA, [first, *(other for other in choices if other != first)])
