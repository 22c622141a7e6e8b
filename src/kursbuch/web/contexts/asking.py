"""What somebody is asked beside the course of play: to agree, to object, to take the device."""

from __future__ import annotations

import msgspec

from kursbuch.web.contexts.common import FieldChoice
from kursbuch.web.contexts.slow import Moment


class Course(msgspec.Struct, frozen=True):
    """Going back to `target` moves, or on to as many: the text of the button, how many moves of whom are
    concerned, and what the `first` of them was. `asks`: others have to agree; `confirm`: it is more than
    one's own last move, and should be read first."""

    target: int
    moves: int
    label: str
    sentence: str
    first: str
    asks: bool
    confirm: bool


class Wish(msgspec.Struct, frozen=True):
    """What the visitor may ask the others for: to take moves back, to do them again, to end the game
    without a result, to replace a player. `kind` is undo, redo, end or replace, as in the addresses. `asks`
    says that there are others who have to agree; `pending` that somebody has asked and waits for answers. Who
    `has_agreed` may still refuse. `offers` are the ways to go back or on. Who says nothing `until` then agrees."""

    kind: str
    allowed: bool
    asks: bool
    pending: bool
    sentence: str
    may_answer: bool
    has_agreed: bool
    is_mine: bool
    offers: list[Course] = []
    until: Moment | None = None


class CopySeat(msgspec.Struct, frozen=True):
    """Who can play a seat of a copy: the field `seat{n}`."""

    number: int
    name: str
    players: list[FieldChoice]


class Copying(msgspec.Struct, frozen=True):
    """Playing on after `number` moves at a table of one's own, or why that is not possible. The form for
    POST /copy: number, version, seat{n} ("me" or a strength of the computer)."""

    number: int
    refusal: str
    seats: list[CopySeat]


class CurtainSeat(msgspec.Struct, frozen=True):
    """Somebody who may be in front of a shared device; `is_due` if it is that player's turn."""

    seat: int
    label: str
    is_due: bool


class Curtain(msgspec.Struct, frozen=True):
    """A shared device is being handed over: who takes it? The page shows what everybody may know
    until then. `is_due` says that it is somebody's turn."""

    sentence: str
    people: list[CurtainSeat]
    is_due: bool


class Refusal(msgspec.Struct, frozen=True):
    """A standing "never ask me about this" of one of the visitor's seats."""

    seat: int
    name: str
    subject: str
    sentence: str


class Objection(msgspec.Struct, frozen=True):
    """The offer to object that is open now, if one is.

    `seconds_left` is None without a time limit. `mine` says whether the visitor is asked; `subject`
    is what POST /never-ask names, `never` the text of that button. `calls` are called out in the last
    seconds, the last one first.
    """

    is_offer: bool
    mine: bool
    subject: str
    never: str
    seconds_left: float | None
    calls: list[str]
    sentence: str
    standing: list[Refusal]
