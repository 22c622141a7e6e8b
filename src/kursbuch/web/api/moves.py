"""What is done while the game goes on: move, take back, do again, ask the others."""

from __future__ import annotations

from typing import Literal

from litestar import post
from litestar.params import FromPath, JSONBody

from kursbuch.core.words import N_
from kursbuch.web.api.errors import DOING
from kursbuch.web.api.shapes import (
    AnswerWish,
    ApiGame,
    Moved,
    MoveWish,
    RefusalWish,
    SeenWish,
    UndoWish,
)
from kursbuch.web.api.shown import game, shown_to_programs
from kursbuch.web.deeds import consents, playing
from kursbuch.web.deeds.consents import END, REDO, UNDO
from kursbuch.web.errors import Refused
from kursbuch.web.requests import AnyRequest, carry_out
from kursbuch.web.snapshot import Seen


@post("/tables/{table_id:str}/move", status_code=200, responses=DOING)
async def move(request: AnyRequest, table_id: FromPath[str], data: JSONBody[MoveWish]) -> Moved:
    """Make a move. It is on disk when the answer arrives."""
    seen = Seen(data.number, data.version)
    number = await carry_out(request, playing.move, table_id, seen, data.action)
    return Moved(number)


@post("/tables/{table_id:str}/undo", status_code=200, responses=DOING)
async def undo(
    request: AnyRequest, table_id: FromPath[str], data: JSONBody[UndoWish | None] = None
) -> ApiGame:
    """Take the last move back, or ask the others for it. With the fields `number` and `version` of the
    table as the caller has seen it, only the move that was the last one then; with the field `to` all that
    were made after so many."""
    wish = data or UndoWish()
    await _ask(request, table_id, UNDO, wish.number, wish.version, wish.to)
    return game(await shown_to_programs(request, table_id))


@post("/tables/{table_id:str}/redo", status_code=200, responses=DOING)
async def redo(
    request: AnyRequest, table_id: FromPath[str], data: JSONBody[SeenWish | None] = None
) -> ApiGame:
    """Do again what was taken back last, or ask the others for it, until another move is made. With the
    fields `number` and `version` only as long as the table is as the caller has seen it."""
    wish = data or SeenWish()
    await _ask(request, table_id, REDO, wish.number, wish.version)
    return game(await shown_to_programs(request, table_id))


@post("/tables/{table_id:str}/end", status_code=200, responses=DOING)
async def end(request: AnyRequest, table_id: FromPath[str]) -> ApiGame:
    """End the game without a result, or ask the others for it."""
    await _ask(request, table_id, END)
    return game(await shown_to_programs(request, table_id))


async def _ask(
    request: AnyRequest,
    table_id: str,
    kind: str,
    number: int | None = None,
    version: int | None = None,
    target: int | None = None,
) -> None:
    if number is None and version is not None:
        raise Refused(N_("Send the number of moves along with the version."))
    seen = None if number is None else Seen(number, version)
    await carry_out(request, consents.ask, table_id, kind, seen, target)


@post("/tables/{table_id:str}/answer/{kind:str}", status_code=200, responses=DOING)
async def answer(
    request: AnyRequest,
    table_id: FromPath[str],
    kind: FromPath[Literal["undo", "redo", "end", "replace"]],
    data: JSONBody[AnswerWish],
) -> ApiGame:
    """Agree to what another player has asked for, or not; who has asked takes it back with "no"."""
    agree = data.answer == "yes"
    await carry_out(request, consents.answer, table_id, kind, agree, data.version)
    return game(await shown_to_programs(request, table_id))


@post("/tables/{table_id:str}/never-ask", status_code=200, responses=DOING)
async def never_ask(
    request: AnyRequest, table_id: FromPath[str], data: JSONBody[RefusalWish]
) -> ApiGame:
    """Never be asked about a subject again, or be asked again."""
    await carry_out(request, playing.never_ask, table_id, data.subject, data.on, data.seat)
    return game(await shown_to_programs(request, table_id))


HANDLERS = [move, undo, redo, end, answer, never_ask]
