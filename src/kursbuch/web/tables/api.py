"""The JSON API: request and response schemas, and tables as data."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime
from typing import Any, Literal

import msgspec
from litestar import Response

from kursbuch.core.corrections import Correct, written
from kursbuch.web.db.models import Seat, Table
from kursbuch.web.http.operations import Number, Operation, done, operation
from kursbuch.web.http.requests import AnyRequest
from kursbuch.web.tables.access import is_moderator
from kursbuch.web.tables.decision_view import Vote, choices, prompt, votes
from kursbuch.web.tables.decision_view import redo as redo_wish
from kursbuch.web.tables.decision_view import undo as undo_wish
from kursbuch.web.tables.history_view import log, notes
from kursbuch.web.tables.policies import GRACE, RUNNING
from kursbuch.web.tables.viewer import HIDDEN, Viewer, viewer


class ApiTable(msgspec.Struct, frozen=True):
    """A table in a list: whether it is rated, and whether its game begins with a set-up position."""

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
    """A table that was opened."""

    id: str
    url: str


class ApiSeat(msgspec.Struct, frozen=True):
    """A seat. `score` is None where the caller may not know it. `due` is the deadline of its decision or objection; a
    seat that missed it is `late`. Its player is `away` until then."""

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
    """The amounts possible in a field of an action."""

    field: str
    low: int
    high: int
    step: int


class ApiChoice(msgspec.Struct, frozen=True):
    """A legal action. With an `amount`, its field takes any of these amounts."""

    action: dict[str, Any]
    text: str
    amount: ApiAmount | None


class ApiDecision(msgspec.Struct, frozen=True):
    """A seat that has to decide, and its kind of step."""

    seat: int
    step: str


class ApiEvent(msgspec.Struct, frozen=True):
    """An event: the number of its move, its sentence, its rule, and its data."""

    number: int
    text: str
    rule: str
    event: dict[str, Any]


class ApiCourse(msgspec.Struct, frozen=True):
    """A possible undo or redo to `to` moves: how many `moves` it concerns, in words whose, and whether the others are
    asked first."""

    to: int
    moves: int
    text: str
    asks: bool


class ApiNote(msgspec.Struct, frozen=True):
    """A note after the move `number` that is no move itself, such as an undo."""

    number: int
    text: str
    url: str


class ApiWish(msgspec.Struct, frozen=True):
    """A vote by `kind` ("undo", "redo", "end", "replace"), in words; whether the caller asked for it (`mine`), and
    whether the caller still has to answer."""

    kind: str
    text: str
    mine: bool
    may_answer: bool


class ApiSettings(msgspec.Struct, frozen=True):
    """The settings of a table, and the seats of its moderators besides the opener."""

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
    """A table as the caller may see it. `number` is the number of moves, `version` grows with every change; send both
    with the next move. `undo` and `redo` are what the caller may take back and redo, or ask the others for; `wishes`
    are the open votes. `copied` is the number of moves from another table. The game begins with the corrections
    `set_up`, each a line of text. `rewound` is the version of the last undo: until it changes, a number of moves
    stands for the same position. `head` is the last link of the hash chain, None before the game."""

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
    """A seat, and the name to play under."""

    seat: Number
    name: str


class JoinWish(SeatWish, frozen=True):
    """A seat, the name to play under, and the password of the table if it has one."""

    password: str = ""


class SeatNumber(msgspec.Struct, frozen=True):
    """A seat of the caller."""

    seat: Number


class SeatSecret(msgspec.Struct, frozen=True):
    """The token of a link that hands a seat on: the part after `/seat/`."""

    token: str


class MoveWish(msgspec.Struct, frozen=True):
    """A move: the `number` and `version` of the table as the caller saw it, and the action (one of the choices).
    Without `version`, the move is refused after an undo."""

    number: Number
    action: dict[str, Any]
    version: Number | None = None


class SeenWish(msgspec.Struct, frozen=True):
    """The table as the caller saw it; without a number, in any state."""

    number: Number | None = None
    version: Number | None = None


class UndoWish(msgspec.Struct, frozen=True):
    """The table as the caller saw it, and the number of moves to go back `to`; without it, the last move is taken
    back."""

    number: Number | None = None
    version: Number | None = None
    to: Number | None = None


class AnswerWish(msgspec.Struct, frozen=True):
    """The answer to a vote; `version` is that of the table as the caller saw it, so that no other vote is meant."""

    answer: Literal["yes", "no"]
    version: Number | None = None


class ReadWish(msgspec.Struct, frozen=True):
    """The last message that the caller has read, by its `id`."""

    last: Number


class ApiNotes(msgspec.Struct, frozen=True):
    """The private notes of the caller."""

    text: str


class NotesWish(msgspec.Struct, frozen=True):
    """New private notes. `seen` is the text that the caller edited: what was written elsewhere since is kept below
    the new text. Without it, the text is replaced."""

    text: str
    seen: str | None = None


class ChatWish(msgspec.Struct, frozen=True):
    """A chat message."""

    text: str


class RefusalWish(msgspec.Struct, frozen=True):
    """Whether never to be asked about a subject again, for one of the caller's seats."""

    subject: str
    on: bool = True
    seat: Number | None = None


class Correction(msgspec.Struct, frozen=True):
    """A correction: its `kind` with the `values` of its fields, or its `line` of text. With `number` and `version`,
    it is refused if the table has changed since."""

    kind: str = ""
    values: list[str] = []
    line: str = ""
    number: Number | None = None
    version: Number | None = None


class RewindWish(msgspec.Struct, frozen=True):
    """The number of moves a moderator goes back to; `number` and `version` are those of the table as the caller saw
    it."""

    to: Number
    number: Number | None = None
    version: Number | None = None


class ModeratorsWish(msgspec.Struct, frozen=True):
    """Who may correct the game: "none", "opener" (and those on the `seats` named), or "players"."""

    moderation: str
    seats: list[int] = []


class ReplaceWish(msgspec.Struct, frozen=True):
    """The seat to replace, by a bot of the level `by`, or by another person without it."""

    seat: Number
    by: str = ""


class AwayWish(msgspec.Struct, frozen=True):
    """The last day of a player's absence (`until`, such as 2031-12-24), where UTC is `offset` minutes ahead of the
    caller."""

    seat: Number
    until: str
    offset: Number = 0


class Corrected(msgspec.Struct, frozen=True):
    """The move number of a correction."""

    number: int


class CopyWish(msgspec.Struct, frozen=True):
    """The number of moves to copy, and the player of each seat: "me", or a bot level."""

    number: Number
    seats: list[str]
    version: Number | None = None


class SeatLink(msgspec.Struct, frozen=True):
    """A link that hands a seat to the first person who opens it."""

    link: str


class ApiMessage(msgspec.Struct, frozen=True):
    """A chat message; `name` is that of the seat when it was written, `mentions` are the seats that it names with @."""

    id: int
    seat: int
    name: str
    text: str
    sent_at: datetime
    mentions: list[int]


class Moved(msgspec.Struct, frozen=True):
    """The number of the stored move."""

    number: int


class CheckedSeed(msgspec.Struct, frozen=True):
    """The seed of a finished game, whether it explains every draw, and the last link of the hash chain."""

    seed: str
    seed_hash: str
    draws: int
    passed: bool
    sentence: str
    head: str


class TitleInfo(msgspec.Struct, frozen=True):
    """A title that this server offers."""

    id: str
    name: str
    least: int
    most: int
    options: dict[str, list[str]]


async def shown_to_programs(request: AnyRequest, table_id: str) -> Viewer:
    """A table without the curtain between players at one device: a program plays all of its seats."""
    return await viewer(request, table_id, curtain=False)


async def table_state(request: AnyRequest, result: object = None) -> ApiGame:
    """The table in the path as API response after an operation."""
    return game(await shown_to_programs(request, request.path_params["table_id"]))


def table_done(request: AnyRequest, result: object = None) -> Response[Any]:
    """Answer a form of the table in the path."""
    return done(request, f"/t/{request.path_params['table_id']}")


def table_operation(
    name: str, page_path: str | Mapping[str, Mapping[str, str]] = "", **options: Any
) -> Callable[[Callable[..., Awaitable[Any]]], Operation]:
    """Declare an operation at a table; it answers with the table page, or with the state of the table."""
    path = "/{table_id:str}/" + name
    chosen = {"done": table_done, "answer": table_state, **options}
    return operation(page_path or f"/t{path}", f"/tables{path}", **chosen)


def game(shown: Viewer, since: int = 0) -> ApiGame:
    """A table as data; the log begins after `since` moves."""
    row = shown.table
    title = shown.title
    state: dict[str, Any] | None = None
    happened: list[ApiEvent] = []
    pending: list[ApiDecision] = []
    scores: list[int | None] = [None] * len(shown.seats)
    if shown.view is not None:
        view = shown.view
        state = msgspec.to_builtins(view.state, str_keys=True)
        pending = [ApiDecision(decision.seat, decision.step) for decision in view.pending]
        scores = [
            None if shown.score(number) == HIDDEN else value
            for number, value in enumerate(title.scores(view.state))
        ]
        events = shown.events(since + 1 if since > 0 else 0)
        for line, (_, event) in zip(log(shown, events), events, strict=True):
            happened.append(ApiEvent(line.number, line.text, line.rule, msgspec.to_builtins(event)))
    possible = [
        ApiChoice(
            choice["action"],
            choice["label"],
            msgspec.convert(choice["amount"], ApiAmount | None),
        )
        for choice in choices(shown)
    ]
    return ApiGame(
        id=row.id,
        title=row.title,
        options=row.options,
        rated=row.rated,
        set_up=[
            written(title.corrections, made)
            for made in map(title.action_from_json, row.set_up or ())
            if isinstance(made, Correct)
        ],
        settings=settings(row),
        may_correct=row.status == RUNNING and is_moderator(row, shown.seats, shown.visitor),
        status=row.status,
        version=row.version,
        rewound=row.rewound,
        number=shown.number,
        seats=[
            ApiSeat(
                seat.number,
                seat.name,
                seat.kind,
                seat.is_free,
                seat.number in shown.own,
                seat.number in shown.deciding,
                scores[seat.number],
                _due(shown, seat),
                seat.late,
                seat.away_until,
            )
            for seat in shown.seats
        ],
        seed_hash=row.seed_hash,
        seed=row.seed if row.status == "finished" else None,
        head=shown.head() or None,
        my_seats=shown.own,
        acting=shown.acting,
        pending=pending if row.status == "running" else [],
        prompt=prompt(shown),
        choices=possible,
        state=state,
        log=happened,
        notes=[ApiNote(note.number, note.text, note.url) for note in notes(shown)],
        undo=courses(undo_wish(shown)),
        redo=courses(redo_wish(shown)),
        wishes=[
            ApiWish(one.kind, one.sentence, one.is_mine, one.may_answer) for one in votes(shown)
        ],
        copied=row.copied,
        winners=list(row.result["winners"]) if row.result else None,
    )


def settings(row: Table) -> ApiSettings:
    """The settings of a table."""
    names = {name: name for name in ApiSettings.__struct_fields__}
    names["objection"] = "objection_seconds"
    return ApiSettings(**{name: getattr(row, column) for name, column in names.items()})


def _due(shown: Viewer, seat: Seat) -> datetime | None:
    """Deadline of a seat: for its move, or to object."""
    deadline = shown.table.deadline
    if deadline is None or seat.number not in shown.deciding:
        return seat.due_at
    return min(filter(None, (seat.due_at, deadline - GRACE)))


def courses(wish: Vote) -> list[ApiCourse]:
    """Possible undos or redos as data."""
    offers = wish.offers if wish.allowed else []
    return [ApiCourse(one.target, one.moves, one.sentence, one.asks) for one in offers]
