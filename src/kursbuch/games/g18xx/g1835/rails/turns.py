"""What is asked in the turn of a company, answered from the actions of Rails-18xx."""

from __future__ import annotations

from kursbuch.core.importers import Remark
from kursbuch.core.words import N_
from kursbuch.games.g18xx.actions import Answer, ChooseHome, Dividend, Done, EnterRevenue
from kursbuch.games.g18xx.g1835.house import FREE_REVENUE, MINORS_NEED_BAVARIA
from kursbuch.games.g18xx.g1835.rails.course import Course
from kursbuch.games.g18xx.g1835.rails.names import BAVARIA
from kursbuch.games.g18xx.g1835.rails.rounds import sell
from kursbuch.games.g18xx.rails.search import Needs
from kursbuch.games.g18xx.state import Build, BuyTrains, Home, Pay, Place, RaiseMoney, TrainOffer

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


# ---- tiles and markers


def build(course: Course, step: Build) -> None:
    """A tile, a free marker, or the end of building."""
    if _early(course, step.company):
        raise Needs(MINORS_NEED_BAVARIA)
    _on_the_map(course, step.company, placing=False)


def place(course: Course, step: Place) -> None:
    """A marker, or none."""
    _on_the_map(course, step.company, placing=True)


def _early(course: Course, company: str) -> bool:
    """Whether a minor is about to act that has to wait for Bavaria."""
    return (
        MINORS_NEED_BAVARIA in course.may
        and not course.state.house.minors_need_bavaria
        and course.book.is_minor(company)
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


# ---- revenue


def pay(course: Course, step: Pay) -> None:
    """What is done with the revenue, and how much it is."""
    seat, places = course.decider(), course.own(step.company)
    place = next((p for p in places if course.actions[p].kind == "SetDividend"), -1)
    minor = course.book.is_minor(step.company)
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
                "company": f"({step.company})" if minor else step.company,
                "recorded": recorded,
                "best": step.revenue,
                "runs": course.terms.best_runs(step.company) or "–",
            },
        )
    )
    course.take([place], EnterRevenue(seat, pays, recorded))


# ---- trains


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
