"""The premoves of one table during a change."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from kursbuch.core.actions import Action
from kursbuch.core.events import Event, visible_to
from kursbuch.core.position import Position
from kursbuch.core.state import Decision
from kursbuch.web.background import failed
from kursbuch.web.db.models import Premove
from kursbuch.web.tables.premoves import (
    AFTER,
    IMPOSSIBLE,
    Act,
    BidUpTo,
    Ending,
    Plan,
    Verdict,
    goes_on,
    is_due,
    over,
    read_plan,
    verdict,
)

log = logging.getLogger(__name__)


class PremoveQueue:
    """What the seats of a table have planned, in their order. `gone` are the rows that are done with."""

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
        """End what was to go on only until something that has happened; `events` come with the seats that
        caused them. What a seat does itself is not what it waits for, but for what may also follow by itself
        (`Premoves.by_anybody`)."""
        ahead, state = position.title.ahead, position.state
        going = bool(state.agenda)
        self._turn_over(position)
        for row, plan in list(self._rows):
            names = {
                name
                for seat, event in events
                if visible_to(event, row.seat)
                for name in ahead.happened(event)
                if seat != row.seat or name.partition(":")[0] in ahead.by_anybody
            }
            why = over(plan, names, ahead.lot(state, row.seat) if going else "")
            if why is not None:
                self._take_off(row, why)

    def _turn_over(self, position: Position[Any]) -> None:
        """What was planned for a later turn may come as soon as the present one is over; what was to end a turn that is
        over is forgotten."""
        for row, plan in list(self._rows):
            if isinstance(plan, Ending):
                if not goes_on(plan, position):
                    self._take_off(row, "")
            elif plan.later and not is_due(plan, position, row.seat):
                self._replace(row, msgspec.structs.replace(plan, later=False))

    def go_back(
        self, position: Position[Any], taken: Iterable[tuple[Position[Any], int, Any]]
    ) -> list[tuple[int, Plan]]:
        """After the game went back to a position. `taken` are the moves that are no more: the position before, the seat
        and what was planned if that led to it; returns what of that is not planned any more, with its seat. What still
        waits has let these decisions go by, so it was meant for a later turn: it waits until the present one is over,
        or is dropped if another of them is to come again."""
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
        """The next action that one of these seats has planned and that is due now, with what was planned if that led
        to it."""
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
                continue  # given up with one before it
            try:
                found = verdict(plan, position, decision)
            except Exception:
                # Whatever is wrong with a plan, the moves of the others must not fail for it.
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
        """After an action of a seat: that its turn is to end is forgotten if it ends by itself."""
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
    """A plan as it is stored; None if it is of another version of the program."""
    try:
        return read_plan(data)
    except msgspec.ValidationError:
        return None
