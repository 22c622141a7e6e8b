"""A table as the JSON API shows it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

import msgspec
from litestar import Response

from kursbuch.core.corrections import Correct, written
from kursbuch.core.words import Words
from kursbuch.web.db.models import Seat, Table
from kursbuch.web.home.views import table_line
from kursbuch.web.http.operations import Operation, done, operation
from kursbuch.web.http.requests import AnyRequest
from kursbuch.web.tables.api_schemas import (
    ApiAmount,
    ApiChoice,
    ApiCourse,
    ApiDecision,
    ApiEvent,
    ApiGame,
    ApiMessage,
    ApiNote,
    ApiSeat,
    ApiSettings,
    ApiTable,
    ApiWish,
)
from kursbuch.web.tables.history_view import notes
from kursbuch.web.tables.log_view import log
from kursbuch.web.tables.mentions import mentioned
from kursbuch.web.tables.moderation import is_moderator
from kursbuch.web.tables.policies import GRACE, RUNNING
from kursbuch.web.tables.prompts import choices, prompt
from kursbuch.web.tables.viewer import HIDDEN, Viewer
from kursbuch.web.tables.visits import viewer
from kursbuch.web.tables.votes_view import Vote, votes
from kursbuch.web.tables.votes_view import redo as redo_wish
from kursbuch.web.tables.votes_view import undo as undo_wish


async def shown_to_programs(request: AnyRequest, table_id: str) -> Viewer:
    """A table without the curtain between people at one device: a program plays all of its seats."""
    return await viewer(request, table_id, curtain=False)


async def table_state(request: AnyRequest, result: object = None) -> ApiGame:
    """The table in the path, as the API shows it after an operation."""
    return game(await shown_to_programs(request, request.path_params["table_id"]))


def table_done(request: AnyRequest, result: object = None) -> Response[Any]:
    """Answer a form of the table in the path."""
    return done(request, f"/t/{request.path_params['table_id']}")


def table_operation(
    name: str, page_path: str | Mapping[str, Mapping[str, str]] = "", **options: Any
) -> Callable[[Callable[..., Awaitable[Any]]], Operation]:
    """An operation at a table. It answers with the page of the table, or with its state."""
    path = "/{table_id:str}/" + name
    chosen = {"done": table_done, "answer": table_state, **options}
    return operation(page_path or f"/t{path}", f"/tables{path}", **chosen)


def line(words: Words, table: Table, seats: Sequence[Seat], visitor: str) -> ApiTable:
    """A table in a list."""
    one = table_line(words, table, seats, visitor)
    return ApiTable(
        one.id,
        one.title,
        one.status,
        one.players,
        one.free_seats,
        one.moves,
        one.my_turn,
        table.rated,
        bool(table.set_up),
    )


def game(shown: Viewer, since: int = 0) -> ApiGame:
    """A table as data, with the log after so many moves."""
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
    """What a table is like."""
    names = {name: name for name in ApiSettings.__struct_fields__}
    names["objection"] = "objection_seconds"
    return ApiSettings(**{name: getattr(row, column) for name, column in names.items()})


def _due(shown: Viewer, seat: Seat) -> datetime | None:
    """Until when a seat has time: for its move, or to object."""
    deadline = shown.table.deadline
    if deadline is None or seat.number not in shown.deciding:
        return seat.due_at
    return min(filter(None, (seat.due_at, deadline - GRACE)))


def courses(wish: Vote) -> list[ApiCourse]:
    """Going back or on, as far as it can be asked for now, as data."""
    offers = wish.offers if wish.allowed else []
    return [ApiCourse(one.target, one.moves, one.sentence, one.asks) for one in offers]


def messages(shown: Viewer) -> list[ApiMessage]:
    """The last chat messages."""
    names = [seat.name for seat in shown.seats]
    return [
        ApiMessage(
            line.id,
            line.seat,
            line.name or names[line.seat],
            line.text,
            line.sent_at,
            mentioned(line.text, names),
        )
        for line in shown.snapshot.chat
    ]
