"""Premoves: what they are, when they are due, and their queue at a table."""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any, ClassVar

import msgspec

from kursbuch.core.actions import Action
from kursbuch.core.errors import KursbuchError
from kursbuch.core.events import Event, visible_to
from kursbuch.core.game import View
from kursbuch.core.position import Position
from kursbuch.core.state import Decision, tag_of
from kursbuch.core.title import ROUND
from kursbuch.core.voice import Voice
from kursbuch.core.words import Words
from kursbuch.web.background import failed
from kursbuch.web.db.models import Premove

#: Fallbacks for an action that is no longer legal: ask the player and drop later premoves, pass, or go on with the
#: next premove.
ASK, PASS, NEXT = "ask", "pass", "next"

#: Why a premove was dropped or ended.
IMPOSSIBLE, CHANGED, HAPPENED, OUTBID, AFTER, UNDONE = (
    "impossible",
    "changed",
    "happened",
    "outbid",
    "after",
    "undone",
)


#: Kind of premoves that let turns run by themselves, and of their notes in the log.
ROUTINE = "routine"


class Act(msgspec.Struct, frozen=True, tag="act"):
    """An action in a decision of the kind `step` about `subject` (`Premoves.subject`; None in older ones: any);
    `terms` is what it depended on when added. `ends`: the seat passes or ends its turn after it. `label` is its
    description by language; older ones have only one. `later`: not in the present turn, because it was added during
    that turn or the game went back to it."""

    step: str
    action: dict[str, Any]
    terms: str
    otherwise: str
    ends: bool
    label: dict[str, str] | str
    subject: str | None = None
    later: bool = False


class Ending(msgspec.Struct, frozen=True, tag="ending"):
    """End the turn of an action, if that is still open."""

    step: str
    subject: str | None = None
    later: ClassVar[bool] = False


class PassUntil(msgspec.Struct, frozen=True, tag="pass"):
    """Pass decisions of the kind `step` about `subject` until one of these events (`Premoves.triggers`). `where`
    describes the decision by language if the seat decides for several companies."""

    step: str
    until: str
    subject: str | None = None
    later: bool = False
    where: dict[str, str] = {}


class BidUpTo(msgspec.Struct, frozen=True, tag="bid"):
    """Bid the minimum for this lot, up to `most`; then drop out."""

    lot: str
    most: int
    later: bool = False


class Object(msgspec.Struct, frozen=True, tag="object"):
    """Always object, or never."""

    always: bool
    later: bool = False


class Routine(msgspec.Struct, frozen=True, tag=ROUTINE):
    """Let the turns of `subject` run by themselves (`Premoves.routine`) until `terms` change."""

    subject: str
    terms: str
    later: bool = False


Plan = Act | Ending | PassUntil | BidUpTo | Object | Routine


class Verdict(msgspec.Struct, frozen=True):
    """The fate of a due premove: an action is made, the premove is `used` up, or it is `dropped` for a reason;
    `breaks` drops all later actions too."""

    action: Action | None = None
    used: bool = False
    dropped: str = ""
    breaks: bool = False
    then: Plan | None = None


def read_plan(data: object) -> Plan:
    """Read a stored premove."""
    plan: Plan = msgspec.convert(data, Plan)
    return plan


def subject_of(position: Position[Any]) -> str:
    """The subject of a decision, where a player decides for several companies."""
    return position.title.premoves.subject(position.state.agenda[-1])


def is_asked(plan: Act | Ending | PassUntil, position: Position[Any], decision: Decision) -> bool:
    """Whether this is the decision of a premove, in this turn or a later one."""
    return plan.step == decision.step and plan.subject in (None, subject_of(position))


def is_due(plan: Plan, position: Position[Any], seat: int) -> bool:
    """Whether the seat has the decision of a premove in the present turn, even if others are asked in between."""
    title, state = position.title, position.state
    match plan:
        case BidUpTo(lot=lot):
            return seat in position.deciders() and title.premoves.lot(state, seat) == lot
        case Object():
            asked = (one for one in position.pending() if one.seat == seat)
            return any(title.standing_refusal(state, one) is not None for one in asked)
        case Routine(subject=subject):
            return any(
                title.premoves.subject(step) == subject
                and seat in title.steps[type(step)].deciders(state, step)
                for step in state.agenda
            )
        case _:
            return any(
                plan.step == tag_of(step)
                and plan.subject in (None, title.premoves.subject(step))
                and seat in title.steps[type(step)].deciders(state, step)
                for step in state.agenda
            )


def goes_on(plan: Ending, position: Position[Any]) -> bool:
    """Whether the turn to be ended is still going on."""
    return any(
        plan.step == tag_of(step) and plan.subject in (None, position.title.premoves.subject(step))
        for step in position.state.agenda
    )


def verdict(plan: Plan, position: Position[Any], decision: Decision) -> Verdict | None:
    """Decide a premove now that its seat has a decision; None if it is about another one."""
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
        case Routine():
            return _routine(plan, position, decision)
        case Object(always):
            refusal = position.title.standing_refusal(position.state, decision)
            if refusal is None:
                return None
            objection = position.title.premoves.objecting(position.state, decision)
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
    elif title.premoves.terms(position.state, action) != plan.terms:
        why = CHANGED
    if not why:
        then = Ending(plan.step, subject_of(position)) if plan.ends else None
        return Verdict(action, used=True, then=then)
    passes = passing(decision, position) if plan.otherwise == PASS else None
    return Verdict(passes, dropped=why, breaks=plan.otherwise == ASK)


def _routine(plan: Routine, position: Position[Any], decision: Decision) -> Verdict | None:
    premoves, state = position.title.premoves, position.state
    if subject_of(position) != plan.subject:
        return None
    action = routine_action(position, decision)
    if action is None:
        return None
    if premoves.routine_terms(state, plan.subject) != plan.terms:
        return Verdict(dropped=HAPPENED)
    return Verdict(action)


def routine_action(position: Position[Any], decision: Decision) -> Action | None:
    """The action of a decision in a turn that runs by itself, if it is legal."""
    action = position.title.premoves.routine(position.state, decision)
    return None if action is None or position.problem(action) is not None else action


def _bid(plan: BidUpTo, position: Position[Any], decision: Decision) -> Verdict | None:
    premoves, state = position.title.premoves, position.state
    if premoves.lot(state, decision.seat) != plan.lot:
        return None
    for choice in position.legal_actions(decision.seat):
        if choice.amount is not None and choice.amount.low <= plan.most:
            return Verdict(choice.with_amount(choice.amount.low))
    return Verdict(passing(decision, position), dropped=OUTBID)


def passing(decision: Decision, position: Position[Any]) -> Action | None:
    """The action that passes a decision."""
    action = position.title.premoves.passing(position.state, decision)
    return None if action is None or position.problem(action) is not None else action


def over(plan: Plan, happened: Collection[str], lot: str) -> str | None:
    """Why a lasting premove is over, by the events since and the present lot: empty if that needs no explanation,
    None while it goes on."""
    match plan:
        case PassUntil(step, until):
            ends = {until, f"{until}:{step}"} if until == ROUND else {until}
            return HAPPENED if ends.intersection(happened) else None
        case BidUpTo(lot=meant):
            return None if meant == lot else ""
    return None


log = logging.getLogger(__name__)


class PremoveQueue:
    """The premoves at a table, in order. `gone` are the rows done with."""

    def __init__(self, rows: Iterable[Premove]) -> None:
        self._rows: list[tuple[Premove, Plan]] = []
        self.gone: list[Premove] = []
        for row in rows:
            plan = _read(row.plan)
            if plan is None:
                row.dropped = IMPOSSIBLE
            else:
                self._rows.append((row, plan))

    def hear(self, position: Position[Any], events: Sequence[tuple[int, Event]]) -> None:
        """End premoves that waited for an event; `events` come with the seats that caused them. Own acts do not
        count, except for triggers that may also happen by themselves (`Premoves.by_any_seat`)."""
        premoves, state = position.title.premoves, position.state
        going = bool(state.agenda)
        self._turn_over(position)
        for row, plan in list(self._rows):
            names = {
                name
                for seat, event in events
                if visible_to(event, row.seat)
                for name in premoves.happened(event)
                if seat != row.seat or name.partition(":")[0] in premoves.by_any_seat
            }
            why = over(plan, names, premoves.lot(state, row.seat) if going else "")
            if why is not None:
                self._take_off(row, why)

    def _turn_over(self, position: Position[Any]) -> None:
        """Update premoves when a turn is over: those for a later turn may be due next, and its `Ending` is dropped."""
        for row, plan in list(self._rows):
            if isinstance(plan, Ending):
                if not goes_on(plan, position):
                    self._take_off(row, "")
            elif plan.later and not is_due(plan, position, row.seat):
                self._replace(row, msgspec.structs.replace(plan, later=False))

    def go_back(
        self, position: Position[Any], taken: Iterable[tuple[Position[Any], int, Any]]
    ) -> list[tuple[int, Plan]]:
        """Update premoves after an undo. `taken` are the undone moves: the position before, the seat, and the premove
        if there was one; returns the dropped ones with their seats. A pending premove has passed these decisions by,
        so it is meant for a later turn: it waits until the present one is over, or is dropped if it would meet
        another of them."""
        met: dict[int, list[Plan | None]] = {row.id: [] for row, _ in self._rows}
        done = list[tuple[int, Plan]]()
        for before, seat, data in taken:
            made = None if data is None else _read(data)
            if made is not None:
                done.append((seat, made))
            for row, plan in self._rows:
                if row.seat == seat and is_due(plan, before, seat):
                    met[row.id].append(made)
        for row, plan in list(self._rows):
            acts = any(isinstance(one, Act) for one in met[row.id])
            if isinstance(plan, Act | Ending) and acts:
                self._take_off(row, AFTER)
            elif isinstance(plan, Ending):
                continue
            elif is_due(plan, position, row.seat):
                self._replace(row, msgspec.structs.replace(plan, later=True))
            elif acts or None in met[row.id] or (isinstance(plan, Act) and met[row.id]):
                self._take_off(row, AFTER)
        bids = {(row.seat, plan.lot) for row, plan in self._rows if isinstance(plan, BidUpTo)}
        lost = list[tuple[int, Plan]]()
        for seat, plan in done:
            if isinstance(plan, BidUpTo) and (seat, plan.lot) not in bids:
                bids.add((seat, plan.lot))
                lost.append((seat, plan))
            elif isinstance(plan, Act | Ending):
                lost.append((seat, plan))
        return lost

    def _replace(self, row: Premove, plan: Plan) -> None:
        row.plan = msgspec.to_builtins(plan)
        self._rows = [(one, plan if one is row else other) for one, other in self._rows]

    def next(
        self, position: Position[Any], seats: Iterable[int]
    ) -> tuple[Action, Plan | None] | None:
        """The next due action of these seats, with the premove that led to it."""
        wanted = set(seats)
        for decision in position.pending():
            if decision.seat in wanted:
                found = self._of(position, decision)
                if found is not None:
                    return found
        return None

    def _of(self, position: Position[Any], decision: Decision) -> tuple[Action, Plan | None] | None:
        for row, plan in [one for one in self._rows if one[0].seat == decision.seat]:
            if all(other is not row for other, _ in self._rows):
                continue  # dropped with one before it
            try:
                found = verdict(plan, position, decision)
            except Exception:
                # A broken premove must not make the moves of others fail.
                failed(log, "A move ahead of time could not be looked at: %s", plan)
                found = Verdict(dropped=IMPOSSIBLE)
            if found is None:
                continue
            action = found.action
            if action is not None and position.problem(action) is not None:
                found, action = Verdict(dropped=IMPOSSIBLE), None
            self._note(row, found)
            if action is not None:
                return action, None if found.dropped else plan
        return None

    def keep_ending(self, position: Position[Any], seat: int) -> None:
        """After an action of a seat: drop its `Ending` if the turn ends by itself."""
        if seat not in position.deciders():
            for row, plan in list(self._rows):
                if row.seat == seat and isinstance(plan, Ending):
                    self._take_off(row, "")

    def _note(self, row: Premove, found: Verdict) -> None:
        if found.then is not None:
            self._replace(row, found.then)
        elif found.used or found.dropped:
            self._take_off(row, found.dropped)
        if found.breaks:
            later = [
                one for one, plan in self._rows if one.seat == row.seat and isinstance(plan, Act)
            ]
            for one in later:
                self._take_off(one, AFTER)

    def _take_off(self, row: Premove, why: str) -> None:
        self._rows = [one for one in self._rows if one[0] is not row]
        if why:
            row.dropped = why
        else:
            self.gone.append(row)


def _read(data: object) -> Plan | None:
    """Read a stored premove; None if another version of the program wrote it."""
    try:
        return read_plan(data)
    except msgspec.ValidationError:
        return None


class _NoChance:
    def draw(self, counter: int, sides: int) -> int:
        raise AssertionError("nothing is played here")


def situations(view: View) -> Iterator[tuple[Decision, Position[Any]]]:
    """The foreseeable decisions of the viewer, the present one first, each with its position."""
    title, seat = view.title, view.seat
    if seat is None or not view.state.agenda:
        return
    known = []
    here = Position(title, view.state, _NoChance())
    yield from ((decision, here) for decision in here.pending() if decision.seat == seat)
    for state in title.premoves.situations(view.state, seat):
        position = Position(title, state, _NoChance())
        for decision in position.pending():
            if decision.seat == seat and (decision, state.agenda[-1]) not in known:
                known.append((decision, state.agenda[-1]))
                yield decision, position


def is_present(view: View, position: Position[Any]) -> bool:
    """Whether a decision is the present one, and not a foreseen one."""
    return position.state is view.state


def voice_of(view: View, language: str) -> Voice[Any]:
    """The title's voice in a language."""
    return view.title.voice(Words(language, view.names))


def label(voice: Voice[Any], position: Position[Any], decision: Decision, action: Action) -> str:
    """An action in words with its amount, and with the decision if that may be unclear."""
    text = voice.pick(position.state, action).label
    if action.AMOUNT:
        text = f"{text}: {getattr(action, action.AMOUNT)}"
    return f"{task(voice, position, decision)}: {text}" if subject_of(position) else text


def task(voice: Voice[Any], position: Position[Any], decision: Decision) -> str:
    """The task of a decision, capitalised."""
    text = voice.task(position.state, decision)
    return text[:1].upper() + text[1:]
