"""What our game has done by itself, so that the action of the file is passed over."""

from __future__ import annotations

from kursbuch.core.state import Step
from kursbuch.games.g18xx.g1835.book import PRUSSIA
from kursbuch.games.g18xx.g1835.house import FREE_REVENUE
from kursbuch.games.g18xx.g1835.rails.corrections import CORRECTIONS, MODES
from kursbuch.games.g18xx.g1835.rails.course import COMPANY_KINDS, Course
from kursbuch.games.g18xx.g1835.state import Folding, PacketTurn, PrussiaOffer
from kursbuch.games.g18xx.rails.save import Act
from kursbuch.games.g18xx.rails.search import CannotTake, Needs
from kursbuch.games.g18xx.state import (
    Build,
    BuyTrains,
    EndTurn,
    Pay,
    Place,
    StockTurn,
    Surplus,
    Swap,
)

#: The kinds of actions that occur in games of this family.
KINDS = {
    "BuyCertificate",
    "BuyStartItem",
    "DiscardTrain",
    "FoldIntoPrussian",
    "NullAction",
    "SellShares",
    "StartCompany",
    *COMPANY_KINDS,
}

#: Steps that come up when Prussia is formed or trains are surplus.
_FORMING = (PrussiaOffer, Folding, Swap, Surplus)


def known(act: Act) -> None:
    """Raise unless an action is of a kind that can occur."""
    if act.kind not in (*KINDS, *CORRECTIONS, *MODES):
        raise CannotTake(
            "Action {number} is of a kind that cannot be imported: {kind}.",
            number=act.number,
            kind=act.kind,
        )


def after_end(course: Course) -> None:
    """Pass over what our game has done by itself before it ended."""
    act = course.next()
    known(act)
    idle = act.kind == "NullAction" or (act.kind == "SetDividend" and _earned(course, act, None))
    if not idle:
        raise course.cannot("Action {number} ({kind}) comes after the end of the game.")
    course.take([course.head])


def happened(course: Course, step: Step) -> bool:
    """Pass over the next action if it has happened in our game already."""
    memory, state = course.memory, course.state
    act = course.next()
    known(act)
    match act.kind:
        case "NullAction" if act.mode in ("PASS", "AUTOPASS"):
            while memory.passed:
                if memory.passed.pop(0) == act.seat:
                    course.take([course.head])
                    return True
            return _superfluous(course, act, step)
        case "NullAction" if act.mode == "DONE":
            done = _ahead(course) and not (isinstance(step, StockTurn) and step.acted)
        case "NullAction":
            done = _skipped(course, step)
        case "SetDividend":
            done = _earned(course, act, step)
        case "DiscardTrain":
            company = course.terms.company(act)
            # What is exchanged may still bring Prussia more trains than it may have.
            waits = company == PRUSSIA and isinstance(step, _FORMING)
            trains = len(course.book.trains(state, company))
            done = not waits and trains <= course.book.depot.train_limit(state, company)
        case "FoldIntoPrussian":
            papers = course.terms.folded(act)
            done = not isinstance(step, _FORMING) and all(
                course.book.owner(state, paper) is None for paper in papers
            )
        case "BuyTrain":
            # After a forced sale the purchase may stand there a second time.
            company = course.terms.company(act)
            done = memory.trains.get(str(act["trainUniqueId"])) == company
        case "LayTile" | "LayBaseToken":
            _check_missed(course, act, step)
            done = False
        case _:
            done = False
    if act.kind in COMPANY_KINDS and (company := course.terms.company(act)) in memory.open:
        del memory.open[: memory.open.index(company)]
    elif act.kind in ("BuyCertificate", "BuyStartItem", "StartCompany"):
        memory.open.clear()
        memory.passed.clear()
    if done:
        course.take([course.head])
        if act.mode == "DONE" and memory.open:
            memory.open.pop(0)
    return done


def _superfluous(course: Course, act: Act, step: Step) -> bool:
    """Whether a pass decides nothing: an open point, since the game may not have come so far yet. It is asked
    once."""
    memory = course.memory
    if memory.pass_asked == act.number or (
        isinstance(step, PacketTurn | StockTurn) and step.seat == act.seat
    ):
        return False
    taken = course.pick("", 2)
    memory.pass_asked = act.number
    if taken:
        course.take([course.head])
    return bool(taken)


def _check_missed(course: Course, act: Act, step: Step) -> None:
    """Raise if our game has left out a step because nothing was allowed in it."""
    company = course.terms.company(act)
    if company not in course.memory.open or (
        getattr(step, "company", company) == company and not isinstance(step, Pay | BuyTrains)
    ):
        return
    raise course.unfit(act)


def _ahead(course: Course) -> bool:
    """Whether a turn has ended in our game that has not in the file."""
    return len(course.memory.open) > 1 or not any(
        isinstance(below, EndTurn) for below in course.state.agenda
    )


def _skipped(course: Course, step: Step) -> bool:
    """Whether the step skipped is one that our game has left already."""
    if isinstance(step, PacketTurn | StockTurn):
        return True
    for place in course.rest():
        act = course.actions[place]
        if act.kind == "NullAction" and act.mode == "SKIP":
            continue
        if act.kind == "NullAction" and act.mode == "DONE":
            return _ahead(course)
        return act.kind == "SetDividend" and _earned(course, act, step, check=False)
    return False


def _earned(course: Course, act: Act, step: Step | None, *, check: bool = True) -> bool:
    """Whether the company has its revenue already: minors share it by themselves, and without
    any there is no question."""
    memory = course.memory
    company = course.terms.company(act)
    if company not in memory.earned or company not in memory.open:
        return False
    if isinstance(step, Build | Place | Pay) and step.company == company:
        return False
    recorded = int(act["actualRevenue"] or 0)
    ran = company in course.state.round.acted or getattr(step, "company", "") == company
    if recorded != memory.earned[company] and not ran:
        # It may be what the company earned in the round before.
        return False
    if check and memory.earned.pop(company) != recorded:
        raise Needs(FREE_REVENUE)
    return True
