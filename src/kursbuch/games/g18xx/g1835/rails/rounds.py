"""What is asked in stock rounds, answered from the actions of Rails-18xx."""

from __future__ import annotations

from kursbuch.games.g18xx.actions import BuyPaper, ChooseSwap, Done
from kursbuch.games.g18xx.g1835.rails import deviations
from kursbuch.games.g18xx.g1835.rails.course import Course
from kursbuch.games.g18xx.g1835.state import PacketTurn
from kursbuch.games.g18xx.pieces import PLAYERS
from kursbuch.games.g18xx.state import StockTurn, Swap


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
    if fresh and deviations.other_begins(course, step):
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
        deviations.sell_short(course, act, seat)


def swap(course: Course, step: Swap) -> None:
    """What the old director gets is not in the file: that program gives the fewest certificates, older
    versions of it gave small ones."""
    seat = course.decider()
    ways = course.book.control.swaps(course.state, step.company, PLAYERS[step.new])
    course.choose(step.company, [ChooseSwap(seat, step.company, way) for way in ways])
