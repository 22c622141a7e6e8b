"""The JSON interface, so that programs can play. Described under /schema."""

from __future__ import annotations

from typing import Any

import msgspec
from litestar import Router, get, post
from litestar.params import FromPath, JSONBody

import kursbuch
from kursbuch.web.deeds import consents, lobby, playing
from kursbuch.web.deeds.consents import UNDO
from kursbuch.web.deeds.lobby import NewTable
from kursbuch.web.forms import LARGE_BODY
from kursbuch.web.pages import viewer
from kursbuch.web.present.happened import log
from kursbuch.web.present.history import check_page
from kursbuch.web.present.start import table_line
from kursbuch.web.present.turn import choices, prompt
from kursbuch.web.present.viewer import HIDDEN, Viewer
from kursbuch.web.requests import AnyRequest, read, tables_of, who, words_for
from kursbuch.web.snapshot import Seen


class ApiTable(msgspec.Struct, frozen=True):
    """A table in a list."""

    id: str
    title: str
    status: str
    players: list[str]
    free_seats: int
    moves: int
    my_turn: bool


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
    """A seat. `score` is None where the caller may not know it."""

    number: int
    name: str
    kind: str
    free: bool
    mine: bool
    turn: bool
    score: int | None


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


class ApiGame(msgspec.Struct, frozen=True):
    """A table as the caller may see it; `number` is how many moves were made, `version` grows with
    every change. Both have to be sent along with the next move."""

    id: str
    title: str
    options: dict[str, str]
    status: str
    version: int
    number: int
    seats: list[ApiSeat]
    seed_hash: str
    seed: str | None
    my_seats: list[int]
    acting: int | None
    pending: list[ApiDecision]
    prompt: str
    choices: list[ApiChoice]
    state: dict[str, Any] | None
    log: list[ApiEvent]
    winners: list[int] | None


class SeatWish(msgspec.Struct, frozen=True):
    """Where to sit down, and under which name."""

    seat: int
    name: str


class MoveWish(msgspec.Struct, frozen=True):
    """A move: `number` and `version` of the table as the caller has seen it, and the action (one of the
    choices). Without `version` it is refused once moves have been taken back at the table."""

    number: int
    action: dict[str, Any]
    version: int | None = None


class Moved(msgspec.Struct, frozen=True):
    """A move has been stored; `number` is its number."""

    number: int


class CheckedSeed(msgspec.Struct, frozen=True):
    """The seed of a finished game, and whether every draw comes from it."""

    seed: str
    seed_hash: str
    draws: int
    passed: bool
    sentence: str


class TitleInfo(msgspec.Struct, frozen=True):
    """A game that can be played here."""

    id: str
    name: str
    least: int
    most: int
    options: dict[str, list[str]]


@get("/titles")
async def titles() -> list[TitleInfo]:
    """The games that can be played here."""
    return [
        TitleInfo(
            title.id,
            title.name,
            title.seats[0],
            title.seats[-1],
            {option.name: list(option.values) for option in title.options},
        )
        for title in kursbuch.titles().values()
    ]


@get("/tables")
async def table_lists(request: AnyRequest) -> ApiLists:
    """Tables: the caller's own, and those listed publicly."""
    visitor = who(request).id
    words = words_for(request)
    lists = await tables_of(request).lists(visitor)

    def lines(name: str) -> list[ApiTable]:
        found = (table_line(words, table, seats, visitor) for table, seats in lists[name])
        return [
            ApiTable(
                line.id,
                line.title,
                line.status,
                line.players,
                line.free_seats,
                line.moves,
                line.my_turn,
            )
            for line in found
        ]

    return ApiLists(lines("mine"), lines("waiting"), lines("running"), lines("finished"))


@post("/tables", request_max_body_size=LARGE_BODY)
async def open_table(request: AnyRequest, data: JSONBody[NewTable]) -> Opened:
    """Open a table. It starts at once when no seat is `open`."""
    table_id = await lobby.open_table(tables_of(request), data, who(request).id)
    return Opened(table_id, f"/t/{table_id}")


async def shown_to_programs(request: AnyRequest, table_id: str) -> Viewer:
    """A table without the curtain between people at one device: a program plays all of its seats."""
    return await viewer(request, table_id, curtain=False)


@get("/tables/{table_id:str}")
async def table(request: AnyRequest, table_id: FromPath[str]) -> ApiGame:
    """A table as the caller may see it."""
    return game(await shown_to_programs(request, table_id))


def game(shown: Viewer) -> ApiGame:
    """A table as data."""
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
        events = shown.events()
        for line, (_, event) in zip(log(shown, events), events, strict=True):
            happened.append(ApiEvent(line.number, line.text, line.rule, msgspec.to_builtins(event)))
    possible = [
        ApiChoice(
            choice["action"],
            choice["label"],
            ApiAmount(**choice["amount"]) if choice["amount"] else None,
        )
        for choice in choices(shown)
    ]
    return ApiGame(
        id=row.id,
        title=row.title,
        options=row.options,
        status=row.status,
        version=row.version,
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
            )
            for seat in shown.seats
        ],
        seed_hash=row.seed_hash,
        seed=row.seed if row.status == "finished" else None,
        my_seats=shown.own,
        acting=shown.acting,
        pending=pending if row.status == "running" else [],
        prompt=prompt(shown),
        choices=possible,
        state=state,
        log=happened,
        winners=list(row.result["winners"]) if row.result else None,
    )


@post("/tables/{table_id:str}/join", status_code=200)
async def join(request: AnyRequest, table_id: FromPath[str], data: JSONBody[SeatWish]) -> ApiGame:
    """Sit down on a free seat."""
    await lobby.join(tables_of(request), table_id, who(request).id, data.seat, data.name)
    return game(await shown_to_programs(request, table_id))


@post("/tables/{table_id:str}/start", status_code=200)
async def start(request: AnyRequest, table_id: FromPath[str]) -> ApiGame:
    """Begin the game."""
    await lobby.start(tables_of(request), table_id, who(request).id)
    return game(await shown_to_programs(request, table_id))


@post("/tables/{table_id:str}/move", status_code=200)
async def move(request: AnyRequest, table_id: FromPath[str], data: JSONBody[MoveWish]) -> Moved:
    """Make a move. It is on disk when the answer arrives."""
    seen = Seen(data.number, data.version)
    number = await playing.move(tables_of(request), table_id, who(request).id, seen, data.action)
    return Moved(number)


@post("/tables/{table_id:str}/undo", status_code=200)
async def undo(request: AnyRequest, table_id: FromPath[str]) -> ApiGame:
    """Take the last move back, or ask the others for it. With the fields `number` and `version` of the
    table as the caller has seen it, only the move that was the last one then."""
    seen = (await read(request)).seen()
    await consents.ask(tables_of(request), table_id, who(request).id, UNDO, seen)
    return game(await shown_to_programs(request, table_id))


@get("/tables/{table_id:str}/check")
async def check(request: AnyRequest, table_id: FromPath[str]) -> CheckedSeed:
    """The seed of a finished game, checked."""
    found = check_page(await shown_to_programs(request, table_id))
    return CheckedSeed(found.seed, found.seed_hash, found.draws, found.passed, found.sentence)


ROUTER = Router(
    "/api",
    route_handlers=[
        titles,
        table_lists,
        open_table,
        table,
        join,
        start,
        move,
        undo,
        check,
    ],
    tags=["tables"],
)
