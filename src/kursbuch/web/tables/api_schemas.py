"""Request and response schemas of the JSON API."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

import msgspec
from litestar.openapi.datastructures import ResponseSpec

#: A number such as databases keep.
Number = Annotated[int, msgspec.Meta(ge=-(2**31), le=2**31 - 1)]


class ApiError(msgspec.Struct, frozen=True):
    """Why something was not done: one sentence, and the rule of the game that forbids it, or ""."""

    error: str
    rule: str


class ApiTable(msgspec.Struct, frozen=True):
    """A table in a list; whether it is rated, and whether its game begins with a position that was set up."""

    id: str
    title: str
    status: str
    players: list[str]
    free_seats: int
    moves: int
    my_turn: bool
    rated: bool
    set_up: bool


class ApiLists(msgspec.Struct, frozen=True):
    """The tables of the caller, and those that are listed publicly."""

    mine: list[ApiTable]
    waiting: list[ApiTable]
    running: list[ApiTable]
    finished: list[ApiTable]


class Opened(msgspec.Struct, frozen=True):
    """A table that has been opened."""

    id: str
    url: str


class ApiSeat(msgspec.Struct, frozen=True):
    """A seat. `score` is None where the caller may not know it. The seat has time until `due` while it has to decide or
    may object; `late` says that this is over. Its player is `away` until then."""

    number: int
    name: str
    kind: str
    free: bool
    mine: bool
    turn: bool
    score: int | None
    due: datetime | None
    late: bool
    away: datetime | None


class ApiAmount(msgspec.Struct, frozen=True):
    """The amounts an action can have, in a field of the action."""

    field: str
    low: int
    high: int
    step: int


class ApiChoice(msgspec.Struct, frozen=True):
    """Something the caller may do. With an `amount`, any of these amounts may stand in its field."""

    action: dict[str, Any]
    text: str
    amount: ApiAmount | None


class ApiDecision(msgspec.Struct, frozen=True):
    """A seat that has to decide, and in which kind of step."""

    seat: int
    step: str


class ApiEvent(msgspec.Struct, frozen=True):
    """Something that happened: the number of its move, in words, under which rule, and as data."""

    number: int
    text: str
    rule: str
    event: dict[str, Any]


class ApiCourse(msgspec.Struct, frozen=True):
    """Going back to so many moves (`to`), or on to as many: how many moves that concerns, whose in words, and
    whether the others are asked first."""

    to: int
    moves: int
    text: str
    asks: bool


class ApiNote(msgspec.Struct, frozen=True):
    """Something that happened at the table after so many moves and is none itself: moves were taken back."""

    number: int
    text: str
    url: str


class ApiWish(msgspec.Struct, frozen=True):
    """What somebody asks the others for, by `kind` ("undo", "redo", "end", "replace"), in words; whether it was the
    caller, and whether the caller still has to answer."""

    kind: str
    text: str
    mine: bool
    may_answer: bool


class ApiSettings(msgspec.Struct, frozen=True):
    """What a table is like: the fields with which it was opened, and the seats of those who moderate it besides whoever
    opened it."""

    undo: str
    help: bool
    listed: bool
    objection: int | None
    slow: bool
    move_hours: int | None
    overrun: str
    vacation: int
    language_note: str
    entry: str
    watching: str
    delay_moves: int
    delay_minutes: int
    moderation: str
    moderators: list[int]


class ApiGame(msgspec.Struct, frozen=True):
    """A table as the caller may see it; `number` is how many moves were made, `version` grows with
    every change. Both have to be sent along with the next move. `undo` and `redo` are what the caller may
    take back and do again, or ask the others for; `wishes` what somebody has asked them for. `copied` is how many
    moves come from another table. The game begins with the corrections `set_up`, each as a line of text. `rewound` is
    the version in which moves were taken back last: until it changes, a number of moves stands for the same
    position. `head` is that of the chain of hashes after the last move, None before the game."""

    id: str
    title: str
    options: dict[str, str]
    rated: bool
    set_up: list[str]
    settings: ApiSettings
    may_correct: bool
    status: str
    version: int
    rewound: int
    number: int
    seats: list[ApiSeat]
    seed_hash: str
    seed: str | None
    head: str | None
    my_seats: list[int]
    acting: int | None
    pending: list[ApiDecision]
    prompt: str
    choices: list[ApiChoice]
    state: dict[str, Any] | None
    log: list[ApiEvent]
    notes: list[ApiNote]
    undo: list[ApiCourse]
    redo: list[ApiCourse]
    wishes: list[ApiWish]
    copied: int | None
    winners: list[int] | None


class SeatWish(msgspec.Struct, frozen=True):
    """Where to sit down, and under which name."""

    seat: Number
    name: str


class JoinWish(SeatWish, frozen=True):
    """Where to sit down, under which name, and the password of the table if it has one."""

    password: str = ""


class SeatNumber(msgspec.Struct, frozen=True):
    """A seat of the caller."""

    seat: Number


class SeatSecret(msgspec.Struct, frozen=True):
    """The secret part of a link by which a seat is handed on: what stands after `/seat/`."""

    token: str


class MoveWish(msgspec.Struct, frozen=True):
    """A move: `number` and `version` of the table as the caller has seen it, and the action (one of the
    choices). Without `version` it is refused once moves have been taken back at the table."""

    number: Number
    action: dict[str, Any]
    version: Number | None = None


class SeenWish(msgspec.Struct, frozen=True):
    """The table as the caller has seen it; without a number, however it is."""

    number: Number | None = None
    version: Number | None = None


class UndoWish(msgspec.Struct, frozen=True):
    """The table as the caller has seen it, and to how many moves it is to go back (`to`); without that, the
    last move is taken back."""

    number: Number | None = None
    version: Number | None = None
    to: Number | None = None


class AnswerWish(msgspec.Struct, frozen=True):
    """Whether the caller agrees to what another one asks for; `version` is that of the table as the caller
    has seen it, so that no other wish is meant."""

    answer: Literal["yes", "no"]
    version: Number | None = None


class ReadWish(msgspec.Struct, frozen=True):
    """The last message the caller has read, by its `id`."""

    last: Number


class ApiNotes(msgspec.Struct, frozen=True):
    """What the caller has written down at a table; nobody else ever sees it."""

    text: str


class NotesWish(msgspec.Struct, frozen=True):
    """What the caller wants to have written down. `seen` is the text the caller has read before: what was written
    elsewhere since then is kept below the new text. Without it the text is replaced, whatever it is."""

    text: str
    seen: str | None = None


class ChatWish(msgspec.Struct, frozen=True):
    """A message to everybody at the table."""

    text: str


class RefusalWish(msgspec.Struct, frozen=True):
    """Whether never to be asked about a subject again, for one of the caller's seats."""

    subject: str
    on: bool = True
    seat: Number | None = None


class Correction(msgspec.Struct, frozen=True):
    """Something to be corrected: its `kind` with the `values` of its fields, or its `line` of text. `number` and
    `version` are what the caller has seen of the table; without them it is corrected as it is."""

    kind: str = ""
    values: list[str] = []
    line: str = ""
    number: Number | None = None
    version: Number | None = None


class RewindWish(msgspec.Struct, frozen=True):
    """To how many moves a moderator goes back; `number` and `version` are what the caller has seen of the table."""

    to: Number
    number: Number | None = None
    version: Number | None = None


class ModeratorsWish(msgspec.Struct, frozen=True):
    """Who may correct something: "none", "opener" (and those on the `seats` named), or "players"."""

    moderation: str
    seats: list[int] = []


class ReplaceWish(msgspec.Struct, frozen=True):
    """Whose seat is to be given to the computer of the strength `by`, or without it to somebody else."""

    seat: Number
    by: str = ""


class AwayWish(msgspec.Struct, frozen=True):
    """Until when the player of a seat is away: with the day (`until`, like 2031-12-24) that day too, where UTC is
    `offset` minutes ahead of the caller."""

    seat: Number
    until: str
    offset: Number = 0


class Corrected(msgspec.Struct, frozen=True):
    """A correction was made."""

    number: int


class CopyWish(msgspec.Struct, frozen=True):
    """After how many moves to play on, and who plays each seat: "me", or a strength of the computer."""

    number: Number
    seats: list[str]
    version: Number | None = None


class SeatLink(msgspec.Struct, frozen=True):
    """A link that gives a seat to whoever opens it, once."""

    link: str


class ApiMessage(msgspec.Struct, frozen=True):
    """A chat message; `name` is that of the seat when it was written, `mentions` are the seats it calls by @name."""

    id: int
    seat: int
    name: str
    text: str
    sent_at: datetime
    mentions: list[int]


class Moved(msgspec.Struct, frozen=True):
    """A move has been stored; `number` is its number."""

    number: int


class CheckedSeed(msgspec.Struct, frozen=True):
    """The seed of a finished game, and whether every draw comes from it; the last head of its chain of hashes."""

    seed: str
    seed_hash: str
    draws: int
    passed: bool
    sentence: str
    head: str


class TitleInfo(msgspec.Struct, frozen=True):
    """A game that can be played here."""

    id: str
    name: str
    least: int
    most: int
    options: dict[str, list[str]]


_MEANINGS = {
    400: "The request cannot be read.",
    401: "The token is none.",
    403: "The caller may not do that.",
    404: "There is no such thing.",
    409: "The table is no longer as the caller saw it, or does not stand where this is possible.",
    413: "The request is too large.",
    415: "What was sent is of the wrong type.",
    421: "The server does not go by the name it was asked by.",
    422: "The rules or the table do not allow that.",
    429: "Too many requests: the header `Retry-After` says after how many seconds to try again.",
    503: "The server cannot do that just now: the header `Retry-After` says when to try again.",
}


def _refusing(*statuses: int) -> dict[int, ResponseSpec]:
    return {
        status: ResponseSpec(ApiError, description=_MEANINGS[status], generate_examples=False)
        for status in statuses
    }


#: What may come of asking.
READING = _refusing(400, 401, 403, 404, 409, 421, 422, 429, 503)

#: What may come of doing something.
DOING = _refusing(*_MEANINGS)
