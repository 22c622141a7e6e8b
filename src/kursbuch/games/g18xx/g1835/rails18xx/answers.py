"""Answers to what a game asks, from the actions of Rails-18xx: stock rounds, company turns, and
the forming of Prussia."""

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
from kursbuch.games.g18xx.g1835.rails18xx.course import Course, other_begins, sell_short
from kursbuch.games.g18xx.g1835.rails18xx.terms import BAVARIA, unknown
from kursbuch.games.g18xx.g1835.ruleset import OPENER, PRUSSIA
from kursbuch.games.g18xx.g1835.state import (
    FREE_REVENUE,
    MINORS_NEED_BAVARIA,
    Folding,
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


def packet(course: Course, step: PacketTurn) -> None:
    """A paper of the start packet, or a pass."""
    act = course.next()
    course.memory.fresh = False
    if act.kind == "BuyStartItem" and act.seat == step.seat:
        paper = course.terms.id(act["startItemName"], act)
        course.take([course.head], BuyPaper(step.seat, paper))
    elif act.kind == "NullAction" and act.seat == step.seat:
        course.take([course.head], Done(step.seat))
    else:
        course.done()


def stock(course: Course, step: StockTurn) -> None:
    """A purchase, a sale, or the end of the turn."""
    act, fresh = course.next(), course.memory.fresh
    course.memory.fresh = False
    if fresh and other_begins(course, step):
        return
    if act.seat != step.seat:
        # That program lets players pass by themselves.
        course.done()
    elif act.kind == "NullAction":
        course.take([course.head], Done(step.seat))
    elif act.kind in ("BuyCertificate", "StartCompany"):
        course.take([course.head], course.terms.purchase(act))
    elif act.kind == "SellShares":
        sell(course)
    else:
        course.done()


def sell(course: Course) -> None:
    """A sale. The file has percentages; which certificates they are is an open point, the director's last.
    Some versions sell certificates of the size named only, but have all paid."""
    act, seat = course.next(), course.decider()
    ways = course.terms.sales(act, seat)
    if ways and not course.terms.as_named(act, ways[0]) and act.number not in course.overruled:
        # Perhaps the seller has others.
        raise course.not_whole(act)
    short = bool(course.terms.short(act, seat))
    if len(ways) > 1 or short:
        ways = [way for way in ways if course.possible(way)] or ways[:1]
    if not ways and not short:
        course.overruling_sale(act, seat)
        return
    taken = course.pick(course.terms.company(act), len(ways) + short)
    if taken < len(ways):
        course.take([course.head], ways[taken])
    else:
        sell_short(course, act, seat)


def swap(course: Course, step: Swap) -> None:
    """What the old director gets is not in the file: that program gives the fewest certificates, older
    versions of it gave small ones."""
    seat = course.decider()
    ways = course.ruleset.control.swaps(course.state, step.company, PLAYERS[step.new])
    course.choose(step.company, [ChooseSwap(seat, step.company, way) for way in ways])


#: What the dividend is: the whole revenue, half of it, or another word for nothing.
PAYOUT, SPLIT = 2, 1

#: A home station.
HOME_CITY = 3
EARNED_LESS = N_(
    "In action {actions} {company} earns {recorded}, less than its best runs bring ({best}): {runs}. "
    "The amount is taken over; the book would have the highest."
)
EARNED_MORE = N_(
    "In action {actions} {company} earns {recorded}, more than any runs by the book bring ({best}): "
    "{runs}. The amount is taken over."
)


def build(course: Course, step: Build) -> None:
    """A tile, a free marker, or the end of building."""
    if _early(course, step.company):
        raise Needs(MINORS_NEED_BAVARIA)
    _on_the_map(course, step.company, placing=False)


def place(course: Course, step: PlaceToken) -> None:
    """A marker, or none."""
    _on_the_map(course, step.company, placing=True)


def _early(course: Course, company: str) -> bool:
    """Whether a minor is about to act that has to wait for Bavaria."""
    return (
        MINORS_NEED_BAVARIA in course.may
        and not course.state.house.minors_need_bavaria
        and course.ruleset.is_minor(company)
        and not course.state.companies[BAVARIA].operating
    )


def _on_the_map(course: Course, company: str, *, placing: bool) -> None:
    """A step of a company's turn in which it may build or place markers, or go on."""
    actions, places = course.actions, course.own(company)
    wanted = _wanted(course, places, placing=placing)
    if wanted >= 0:
        # A step skipped before this one is over in our game already.
        skipped = [p for p in places if p < wanted and actions[p].kind == "NullAction"]
        if skipped:
            course.take(skipped[:1])
        elif actions[wanted].kind == "LayTile":
            course.take([wanted], course.terms.building(actions[wanted], course.decider()))
        else:
            ways = course.terms.places(actions[wanted], course.decider())
            if len(ways) > 1:
                ways = [way for way in ways if course.possible(way)] or ways[:1]
            course.take([wanted], ways[course.pick(company, len(ways))])
    elif places and actions[places[0]].kind == "NullAction":
        skips = 0
        for other in places:
            if actions[other].kind != "NullAction":
                break
            skips += 1
        if skips > 1 and placing:
            course.take(places[:1])
        else:
            course.take(places[:1], Done(course.decider()))
    else:
        course.done()


def _wanted(course: Course, places: list[int], *, placing: bool) -> int:
    """Which of these a company does next when it builds, or places a marker; -1: none. Markers
    by the right of a private railway may come before tiles."""
    ordinary = False
    for place in places:
        act = course.actions[place]
        if act.kind == "LayTile" and not placing:
            return place
        if act.kind == "LayBaseToken":
            through = course.terms.through(act)
            if placing or (through and not ordinary):
                return place
            ordinary = ordinary or not through
    return -1


def home(course: Course, step: Home) -> None:
    """The city is named with the tile that was just laid, or chosen by itself."""
    company, terms, seat = step.company, course.terms, course.decider()
    hex = step.hex
    name = next(name for name, ours in terms.names.items() if ours == company)
    for place in range(course.head - 1, max(course.head - 3, -1), -1):
        act = course.actions[place]
        if act.kind == "LayTile" and act["chosenHexName"] == hex:
            for entry in str(act["relaidBaseTokensString"] or "").split(","):
                who, _, station = entry.partition(":")
                if who == name and station.isdigit():
                    course.insert(ChooseHome(seat, company, terms.stop(hex, int(station))))
                    return
    for place in course.rest():
        act = course.actions[place]
        if act.kind == "LayBaseToken" and act.company == name and act["chosenHexName"] == hex:
            choice = ChooseHome(seat, company, terms.stop(hex, int(act["chosenStation"] or 1)))
            if act["type"] == HOME_CITY:
                course.take([place], choice)
            else:
                course.insert(choice)
            return
    # It stands in the first of that program's cities from the beginning.
    first = ChooseHome(seat, company, terms.stop(hex, 1))
    choices = [choice.action for choice in course.game.legal_actions(seat)]
    course.choose(company, [first, *(other for other in choices if other != first)])


def pay(course: Course, step: Pay) -> None:
    """What is done with the revenue, and how much it is."""
    seat, places = course.decider(), course.own(step.company)
    place = next((p for p in places if course.actions[p].kind == "SetDividend"), -1)
    minor = course.ruleset.is_minor(step.company)
    if place < 0 and not step.revenue:
        # That program does not ask what is done with nothing.
        course.insert(Dividend(seat, minor))
        return
    if place < 0:
        raise course.unfit(course.next())
    skipped = [p for p in places if p < place]
    if skipped:
        course.take(skipped[:1])
        return
    act = course.actions[place]
    recorded = int(act["actualRevenue"] or 0)
    pays = minor or (recorded > 0 and act["revenueAllocation"] in (PAYOUT, SPLIT))
    if recorded == step.revenue:
        course.take([place], Dividend(seat, pays))
        return
    if not course.state.house.free_revenue:
        raise Needs(FREE_REVENUE)
    course.memory.revenues.append(
        Remark(
            (act.number,),
            EARNED_LESS if recorded < step.revenue else EARNED_MORE,
            {
                "option": FREE_REVENUE,
                "company": course.ruleset.label(step.company),
                "recorded": recorded,
                "best": step.revenue,
                "runs": course.terms.best_runs(step.company) or "–",
            },
        )
    )
    course.take([place], EnterRevenue(seat, pays, recorded))


def trains(course: Course, step: BuyTrains) -> None:
    """A train, or the end of the turn."""
    act = course.next()
    places = course.own(step.company)
    bought = next((p for p in places if course.actions[p].kind == "BuyTrain"), -1)
    if act.kind == "NullAction" and act.mode == "DONE":
        course.memory.open.clear()
        course.take([course.head], Done(course.decider()))
    elif bought >= 0 and places[0] < bought:
        # Steps skipped before are over in our game already.
        course.take(places[:1])
    elif bought >= 0:
        again = _again(course, step.company, bought)
        made = course.actions[again[-1]]
        course.take(again, course.terms.train_purchase(made, course.decider()))
        course.terms.trains[str(made["trainUniqueId"])] = step.company
    else:
        course.done()


def _again(course: Course, company: str, bought: int) -> list[int]:
    """The places at which a purchase stands: after forced sales it may stand again, perhaps with
    another train. The last is the one that was made."""
    found, sold = [bought], False
    for place in course.rest():
        act = course.actions[place]
        if place <= bought:
            continue
        if act.kind == "SellShares":
            sold = True
        elif sold and act.kind == "BuyTrain" and course.terms.names.get(act.company) == company:
            found.append(place)
            sold = False
        else:
            break
    return found


def offer(course: Course, step: TrainOffer) -> None:
    """Only trains that were sold stand in the file."""
    course.insert(Answer(course.decider(), True))


def raise_money(course: Course, step: RaiseMoney) -> None:
    """A forced sale."""
    act = course.next()
    if act.kind != "SellShares":
        raise course.unfit(act)
    sell(course)


def _near(course: Course, kind: str) -> Iterator[int]:
    """The places of actions of a kind before the turn goes on."""
    for place in course.rest():
        if course.actions[place].kind == kind:
            yield place
        elif course.actions[place].kind not in ("DiscardTrain", "FoldIntoPrussian"):
            return


def surplus(course: Course, step: Surplus) -> None:
    """The trains a company hands in."""
    company, state, terms = step.companies[0], course.state, course.terms
    count = len(course.ruleset.trains(state, company)) - course.ruleset.depot.train_limit(
        state, company
    )
    places = [
        place
        for place in _near(course, "DiscardTrain")
        if terms.names.get(course.actions[place].company) == company
        and course.actions[place]["discardedTrainUniqueId"]
    ][:count]
    if len(places) < count:
        raise course.unfit(course.next())
    names = [str(course.actions[place]["discardedTrainUniqueId"]) for place in places]
    course.memory.trains |= dict.fromkeys(names, POOL)
    trains = [terms.train(name) for name in names]
    for place, train in zip(places, trains, strict=True):
        if train not in course.ruleset.components.train_order:
            raise unknown(course.actions[place]["discardedTrainUniqueId"], course.actions[place])
    trains.sort(key=course.ruleset.components.train_order.index)
    course.take(places, Discard(course.decider(), company, tuple(trains)))


def prussia(course: Course, step: PrussiaOffer) -> None:
    """Whether Prussia opens."""
    for place in _near(course, "FoldIntoPrussian"):
        act = course.actions[place]
        foldable = str(act["foldableCompanyNames"] or "").split(",")
        if OPENER in (course.terms.names.get(name) for name in foldable):
            papers = course.terms.folded(act)
            # What else is exchanged with it counts when its owner is asked.
            course.memory.also = [paper for paper in papers if paper != OPENER]
            course.take([place], OpenPrussia(course.decider(), OPENER in papers))
            return
    seat = course.decider()
    course.choose(PRUSSIA, [OpenPrussia(seat, False), OpenPrussia(seat, True)])


def folding(course: Course, step: Folding) -> None:
    """What a player exchanges."""
    seat, memory = course.decider(), course.memory
    for place in _near(course, "FoldIntoPrussian"):
        act = course.actions[place]
        if act.seat == seat:
            course.take([place], Exchange(seat, tuple(course.terms.folded(act))))
            return
    own = [paper for paper in memory.also if course.ruleset.owner(course.state, paper) == seat]
    first = Exchange(seat, tuple(own))
    choices = [choice.action for choice in course.game.legal_actions(seat)]
    course.choose(PRUSSIA, [first, *(other for other in choices if other != first)])
