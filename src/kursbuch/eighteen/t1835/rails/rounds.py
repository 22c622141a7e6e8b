"""What is asked in stock rounds, answered from the actions of Rails-18xx."""

from __future__ import annotations

from kursbuch.eighteen.actions import BuyPaper, ChooseSwap, Done
from kursbuch.eighteen.pieces import PLAYERS
from kursbuch.eighteen.state import StockTurn, Swap
from kursbuch.eighteen.t1835.rails.course import Course
from kursbuch.eighteen.t1835.state import PacketTurn


def packet(course: Course, step: PacketTurn) -> None:
    """A paper of the start packet, or a pass."""
    act = course.next()
    if act.kind == "BuyStartItem" and act.seat == step.seat:
        paper = course.terms.id(act["startItemName"], act)
        course.take([course.head], BuyPaper(step.seat, paper))
    elif act.kind == "NullAction" and act.seat == step.seat:
        course.take([course.head], Done(step.seat))
    else:
        course.done()


def stock(course: Course, step: StockTurn) -> None:
    """A purchase, a sale, or the end of the turn."""
    act = course.next()
    if act.seat != step.seat:
        # That program lets players pass by themselves.
        course.done()
    elif act.kind == "NullAction":
        course.take([course.head], Done(step.seat))
    elif act.kind in ("BuyCertificate", "StartCompany"):
        course.take([course.head], course.terms.purchase(act))
    elif act.kind == "SellShares":
        course.take([course.head], course.terms.sale(act, step.seat))
    else:
        course.done()


def swap(course: Course, step: Swap) -> None:
    """What the old director gets is not in the file: that program gives the fewest certificates, older
    versions of it gave small ones."""
    seat = course.decider()
    ways = course.book.control.swaps(course.state, step.company, PLAYERS[step.new])
    course.choose(step.company, [ChooseSwap(seat, step.company, way) for way in ways])
