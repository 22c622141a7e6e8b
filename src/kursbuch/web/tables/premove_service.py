"""Adding, reordering and withdrawing premoves."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, func, select

from kursbuch.core.actions import Action
from kursbuch.core.game import View
from kursbuch.core.position import Position
from kursbuch.core.state import Decision
from kursbuch.core.voice import Voice
from kursbuch.core.words import LANGUAGES, N_, Words
from kursbuch.web.db.models import Premove, now
from kursbuch.web.http.errors import NotFound, Refused
from kursbuch.web.tables.policies import RUNNING
from kursbuch.web.tables.premoves import (
    ASK,
    NEXT,
    PASS,
    Act,
    BidUpTo,
    Object,
    PassUntil,
    Plan,
    passing,
    subject_of,
)
from kursbuch.web.tables.store import TableStore
from kursbuch.web.tables.transaction import TableTransaction

#: So many plans a seat may have at once.
MOST_PLANS = 40


class PremoveRequest(msgspec.Struct, frozen=True):
    """What is to be planned, by `kind`: "act" an `action` in the kind of decision `step` about `subject` (None: the
    first in which it is possible), `later` than in the present turn; with what happens `otherwise` (ask, pass, next)
    and whether the turn `ends` with it; "pass" in such decisions `until` something; "bid" up to `most`; "object"
    `always` or never."""

    kind: str
    step: str = ""
    subject: str | None = None
    later: bool = False
    action: dict[str, Any] | None = None
    amount: int | None = None
    otherwise: str = ASK
    ends: bool = False
    until: str = ""
    most: int = 0
    always: bool = False


class _NoChance:
    def draw(self, counter: int, sides: int) -> int:
        raise AssertionError("nothing is played here")


def situations(view: View) -> Iterator[tuple[Decision, Position[Any]]]:
    """The decisions of the viewer that can be foreseen, the present one first, each with the position in which
    it is asked."""
    title, seat = view.title, view.seat
    if seat is None or not view.state.agenda:
        return
    known = []
    here = Position(title, view.state, _NoChance())
    yield from ((decision, here) for decision in here.pending() if decision.seat == seat)
    for state in title.ahead.situations(view.state, seat):
        position = Position(title, state, _NoChance())
        for decision in position.pending():
            if decision.seat == seat and (decision, state.agenda[-1]) not in known:
                known.append((decision, state.agenda[-1]))
                yield decision, position


def is_present(view: View, position: Position[Any]) -> bool:
    """Whether a decision is the one that is to be made now, and not one that is foreseen."""
    return position.state is view.state


def _meant(view: View, wanted: PremoveRequest) -> Iterator[tuple[Decision, Position[Any]]]:
    """The decisions that something may be planned for."""
    for decision, position in situations(view):
        fits = decision.step == wanted.step and wanted.subject in (None, subject_of(position))
        if fits and not (wanted.later and is_present(view, position)):
            yield decision, position


async def fix(
    tables: TableStore,
    table_id: str,
    visitor: str,
    number: int,
    wanted: PremoveRequest,
    instead: int | None = None,
) -> None:
    """Plan a move of one's seat ahead of time, as the last one or `instead` of another, in its place. If its moment is
    now, it is made at once."""
    async with tables.changing(table_id) as change:
        change.require(RUNNING)
        change.own_seat(number, visitor)
        mine = (Premove.table_id == table_id) & (Premove.seat == number)
        assert change.game is not None
        plan = msgspec.to_builtins(as_plan(change.game.view(number), wanted))
        if instead is not None:
            row = await _planned(change, mine, instead)
            row.plan, row.dropped, row.made_at = plan, "", now()
        else:
            held = select(func.count()).select_from(Premove)
            if (await change.session.scalar(held.where(mine)) or 0) >= MOST_PLANS:
                raise Refused(N_("You have planned so many moves ahead that no more are possible."))
            change.session.add(
                Premove(table_id=table_id, seat=number, plan=plan, dropped="", made_at=now())
            )
        await change.session.flush()
        await change.carry_out_ahead()
        # Nobody else is to know of it before it is carried out.
        change.silent = not change.actions


async def advance(tables: TableStore, table_id: str, visitor: str, number: int, row: int) -> None:
    """Put a plan of one's seat before the one it follows."""
    async with tables.changing(table_id) as change:
        change.require(RUNNING)
        change.own_seat(number, visitor)
        mine = (Premove.table_id == table_id) & (Premove.seat == number)
        moved = await _planned(change, mine, row)
        earlier = select(Premove).where(mine, Premove.dropped == "", Premove.id < row)
        found = await change.session.scalars(earlier.order_by(Premove.id.desc()).limit(1))
        before = found.first()
        if before is not None:
            moved.plan, before.plan = before.plan, moved.plan
            moved.made_at, before.made_at = before.made_at, moved.made_at
            await change.session.flush()
            await change.carry_out_ahead()
        change.silent = not change.actions


async def _planned(change: TableTransaction, mine: ColumnElement[bool], row: int) -> Premove:
    """A plan of a seat that waits."""
    query = select(Premove).where(mine, Premove.id == row, Premove.dropped == "")
    found = (await change.session.scalars(query)).first()
    if found is None:
        raise NotFound(N_("This move is not planned any more."))
    return found


async def withdraw(
    tables: TableStore, table_id: str, visitor: str, number: int, row: int | None
) -> None:
    """Take a plan of one's seat back, or what was said about one that was not carried out; without a `row` all
    of that."""
    async with tables.changing(table_id) as change:
        change.own_seat(number, visitor)
        change.silent = True
        mine = (Premove.table_id == table_id) & (Premove.seat == number)
        which = Premove.dropped != "" if row is None else Premove.id == row
        found = list(await change.session.scalars(select(Premove).where(mine, which)))
        if row is not None and not found:
            raise NotFound(N_("This move is not planned any more."))
        for one in found:
            await change.session.delete(one)


def as_plan(view: View, wanted: PremoveRequest) -> Plan:
    """What is planned by that, refused where it cannot be."""
    title, seat = view.title, view.seat
    assert seat is not None
    match wanted.kind:
        case "act":
            return _act(view, wanted)
        case "pass":
            places = [one for one in _meant(view, wanted) if passing(*one) is not None]
            if not places:
                raise Refused(N_("Passing there cannot be planned ahead."))
            if wanted.until not in title.ahead.triggers(view.state, seat):
                raise Refused(N_("That cannot be waited for."))
            decision, position = places[0]
            subject = subject_of(position)
            voices = {lang: voice_of(view, lang) for lang in LANGUAGES} if subject else {}
            where = {lang: task(voice, position, decision) for lang, voice in voices.items()}
            return PassUntil(
                wanted.step, wanted.until, subject, not is_present(view, position), where
            )
        case "bid":
            lot = title.ahead.lot(view.state, seat)
            if not lot:
                raise Refused(N_("You can bid for nothing at the moment."))
            if not 0 < wanted.most < 10**9:
                raise Refused(N_("Say how much you would bid at most."))
            return BidUpTo(lot, wanted.most)
        case "object" if title.ahead.objects:
            return Object(wanted.always)
    raise Refused(N_("It is not clear what is to be planned ahead."))


def _act(view: View, wanted: PremoveRequest) -> Act:
    title = view.title
    action = title.action_from_json(wanted.action)
    if wanted.amount is not None and action.AMOUNT:
        action = title.action_from_json({**(wanted.action or {}), action.AMOUNT: wanted.amount})
    if wanted.otherwise not in (ASK, PASS, NEXT):
        raise Refused(N_("It is not clear what is to be done if the move is not possible."))
    if action.seat != view.seat:
        raise Refused(N_("This seat is not yours."))
    problem = None
    for decision, position in _meant(view, wanted):
        problem = position.problem(action)
        if problem is None:
            return Act(
                step=wanted.step,
                action=title.action_to_json(action),
                terms=title.ahead.terms(position.state, action),
                otherwise=wanted.otherwise,
                ends=wanted.ends and action != title.ahead.passing(position.state, decision),
                label={
                    lang: label(voice_of(view, lang), position, decision, action)
                    for lang in LANGUAGES
                },
                subject=subject_of(position),
                later=not is_present(view, position),
            )
    if problem is not None:
        problem.name_players(view.names)
        raise problem
    raise Refused(N_("This decision cannot be foreseen."))


def voice_of(view: View, language: str) -> Voice[Any]:
    """What the title says in a language."""
    return view.title.voice(Words(language, view.names))


def label(voice: Voice[Any], position: Position[Any], decision: Decision, action: Action) -> str:
    """An action in words, with its amount, and with what it is done for if that may be another one."""
    text = voice.pick(position.state, action).label
    if action.AMOUNT:
        text = f"{text}: {getattr(action, action.AMOUNT)}"
    return f"{task(voice, position, decision)}: {text}" if subject_of(position) else text


def task(voice: Voice[Any], position: Position[Any], decision: Decision) -> str:
    """What there is to decide, in words that begin a line."""
    text = voice.task(position.state, decision)
    return text[:1].upper() + text[1:]
