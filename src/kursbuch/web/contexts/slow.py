"""Slow games: until when somebody has time, who is away, who may be replaced."""

from __future__ import annotations

import msgspec

from kursbuch.web.contexts.common import FieldChoice


class Moment(msgspec.Struct, frozen=True):
    """A moment as scripts read it, and in words for who has none; pages show it in the reader's time zone."""

    iso: str
    text: str


class SeatTimes(msgspec.Struct, frozen=True):
    """The time of a seat: `due` is until when it has to move, `late` that this is over, `away` until when its
    player is not there, `vacation` how many days of that are left. `may_replace` and `may_come_back` are what
    the visitor may do about it, `may_sit` that it is free."""

    due: Moment | None
    late: bool
    away: Moment | None
    vacation: int
    may_replace: bool
    may_come_back: bool
    may_sit: bool


class PlanLine(msgspec.Struct, frozen=True):
    """A move that is planned ahead of time, in words; or (`note`) why it was not made."""

    row: int
    text: str
    note: str = ""


class Situation(msgspec.Struct, frozen=True):
    """A decision that can be foreseen: what there is to do, and where what can be done is shown."""

    step: str
    label: str
    url: str
    chosen: bool


class Foreseeable(msgspec.Struct, frozen=True):
    """What could be done there, by groups: the value of a choice is the action as JSON. `low` and `high` are
    the amounts of those that need one, None if none does; `ends`: something else may follow in the same turn;
    `passes`: it can be passed there. `step`, `subject` and `later` say which decision it is."""

    step: str
    subject: str
    later: bool
    groups: list[tuple[str, list[FieldChoice]]]
    low: int | None
    high: int | None
    passes: bool


class AheadPage(msgspec.Struct, frozen=True):
    """ahead.html, ahead_card.html: moves ahead of time of one seat. `plans` are those that wait, `dropped` those
    that were not carried out; `instead` is the one that is changed. Forms for POST /ahead: seat, kind (act, pass, bid,
    object), step, action, amount, otherwise, ends, until, most, always, instead; for POST /ahead/withdraw: seat, row
    (missing: all that were dropped); for POST /ahead/advance: seat, row."""

    url: str
    table_url: str
    title_name: str
    seat: int
    name: str
    seats: list[FieldChoice]
    plans: list[PlanLine]
    dropped: list[PlanLine]
    situations: list[Situation]
    foreseen: Foreseeable | None
    triggers: list[FieldChoice]
    lot: str
    least: int
    may_object: bool
    error: str
    instead: PlanLine | None = None


class AheadInfo(msgspec.Struct, frozen=True):
    """Moves ahead of time on the page of a table: where they are planned, how many wait, and what was not carried
    out."""

    url: str
    waiting: int
    dropped: list[PlanLine]
    seat: int
