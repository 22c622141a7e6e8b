"""Premoves: what a seat has planned, and whether it is due."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, ClassVar

import msgspec

from kursbuch.core.actions import Action
from kursbuch.core.errors import KursbuchError
from kursbuch.core.position import Position
from kursbuch.core.state import Decision, tag_of
from kursbuch.core.title import ROUND

#: What is done instead of an action that is not possible any more: ask the player and forget what comes
#: after it, pass, or go on with the next plan.
ASK, PASS, NEXT = "ask", "pass", "next"

#: Why a plan was not carried out, or ended.
IMPOSSIBLE, CHANGED, HAPPENED, OUTBID, AFTER, UNDONE = (
    "impossible",
    "changed",
    "happened",
    "outbid",
    "after",
    "undone",
)


class Act(msgspec.Struct, frozen=True, tag="act"):
    """An action, in a decision of the kind `step` about `subject` (`Premoves.subject`; None in older ones: about any);
    `terms` is what it depended on when it was planned. `ends`: the seat passes or ends its turn after it. `label` says
    it in words, by language; older ones in one only. `later`: not in the turn that is under way, because it was planned
    in that or the game went back to it."""

    step: str
    action: dict[str, Any]
    terms: str
    otherwise: str
    ends: bool
    label: dict[str, str] | str
    subject: str | None = None
    later: bool = False


class Ending(msgspec.Struct, frozen=True, tag="ending"):
    """End the turn that an action was made in, if that is still to be decided."""

    step: str
    subject: str | None = None
    later: ClassVar[bool] = False


class PassUntil(msgspec.Struct, frozen=True, tag="pass"):
    """Pass in decisions of the kind `step` about `subject`, until one of these has happened (`Premoves.triggers`).
    `where` says in words, by language, where that is if the seat decides for several."""

    step: str
    until: str
    subject: str | None = None
    later: bool = False
    where: dict[str, str] = {}


class BidUpTo(msgspec.Struct, frozen=True, tag="bid"):
    """Bid the least that is possible for this lot, up to `most`; then let others have it."""

    lot: str
    most: int
    later: bool = False


class Object(msgspec.Struct, frozen=True, tag="object"):
    """Always object, or never, whatever it is about."""

    always: bool
    later: bool = False


Plan = Act | Ending | PassUntil | BidUpTo | Object


class Verdict(msgspec.Struct, frozen=True):
    """What becomes of a plan whose moment has come: an action is made, the plan is `used` up, or dropped for a
    reason (`dropped`), and with it all actions planned after it (`breaks`)."""

    action: Action | None = None
    used: bool = False
    dropped: str = ""
    breaks: bool = False
    then: Plan | None = None


def read_plan(data: object) -> Plan:
    """A plan as it is stored."""
    plan: Plan = msgspec.convert(data, Plan)
    return plan


def subject_of(position: Position[Any]) -> str:
    """What is decided about, where a player decides for several."""
    return position.title.ahead.subject(position.state.agenda[-1])


def is_asked(plan: Act | Ending | PassUntil, position: Position[Any], decision: Decision) -> bool:
    """Whether this is the decision that a plan is about, be it in this turn or a later one."""
    return plan.step == decision.step and plan.subject in (None, subject_of(position))


def is_due(plan: Plan, position: Position[Any], seat: int) -> bool:
    """Whether what a plan is about is for its seat to decide in the turn that is under way, even if others are asked
    something in between."""
    title, state = position.title, position.state
    match plan:
        case BidUpTo(lot=lot):
            return seat in position.deciders() and title.ahead.lot(state, seat) == lot
        case Object():
            asked = (one for one in position.pending() if one.seat == seat)
            return any(title.standing_refusal(state, one) is not None for one in asked)
        case _:
            return any(
                plan.step == tag_of(step)
                and plan.subject in (None, title.ahead.subject(step))
                and seat in title.steps[type(step)].deciders(state, step)
                for step in state.agenda
            )


def goes_on(plan: Ending, position: Position[Any]) -> bool:
    """Whether the turn that is to be ended is still under way."""
    return any(
        plan.step == tag_of(step) and plan.subject in (None, position.title.ahead.subject(step))
        for step in position.state.agenda
    )


def verdict(plan: Plan, position: Position[Any], decision: Decision) -> Verdict | None:
    """What becomes of a plan now that its seat has this to decide; None if it is not about that."""
    if plan.later:
        return None
    match plan:
        case Act() | Ending() | PassUntil() if not is_asked(plan, position, decision):
            return None
        case Act():
            return _act(plan, position, decision)
        case Ending():
            return Verdict(passing(decision, position), used=True)
        case PassUntil():
            passes = passing(decision, position)
            return None if passes is None else Verdict(passes)
        case BidUpTo():
            return _bid(plan, position, decision)
        case Object(always):
            refusal = position.title.standing_refusal(position.state, decision)
            if refusal is None:
                return None
            objection = position.title.ahead.objecting(position.state, decision)
            action = objection if always else refusal[1]
            return None if action is None else Verdict(action)


def _act(plan: Act, position: Position[Any], decision: Decision) -> Verdict:
    title, why = position.title, ""
    try:
        action = title.action_from_json(plan.action)
    except KursbuchError:
        return Verdict(dropped=IMPOSSIBLE, breaks=True)
    if position.problem(action) is not None:
        why = IMPOSSIBLE
    elif title.ahead.terms(position.state, action) != plan.terms:
        why = CHANGED
    if not why:
        then = Ending(plan.step, subject_of(position)) if plan.ends else None
        return Verdict(action, used=True, then=then)
    passes = passing(decision, position) if plan.otherwise == PASS else None
    return Verdict(passes, dropped=why, breaks=plan.otherwise == ASK)


def _bid(plan: BidUpTo, position: Position[Any], decision: Decision) -> Verdict | None:
    ahead, state = position.title.ahead, position.state
    if ahead.lot(state, decision.seat) != plan.lot:
        return None
    for choice in position.legal_actions(decision.seat):
        if choice.amount is not None and choice.amount.low <= plan.most:
            return Verdict(choice.with_amount(choice.amount.low))
    return Verdict(passing(decision, position), dropped=OUTBID)


def passing(decision: Decision, position: Position[Any]) -> Action | None:
    """The action by which one would pass there."""
    action = position.title.ahead.passing(position.state, decision)
    return None if action is None or position.problem(action) is not None else action


def over(plan: Plan, happened: Collection[str], lot: str) -> str | None:
    """Why a plan that goes on is over, by what has happened since and what is auctioned now: empty if that goes
    without saying, None while it is not over."""
    match plan:
        case PassUntil(step, until):
            ends = {until, f"{until}:{step}"} if until == ROUND else {until}
            return HAPPENED if ends.intersection(happened) else None
        case BidUpTo(lot=meant):
            return None if meant == lot else ""
    return None
