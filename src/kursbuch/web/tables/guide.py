"""Guided first games: open, go back to the course, leave it."""

from __future__ import annotations

from contextlib import suppress

from sqlalchemy import delete, select

import kursbuch
from kursbuch.bots import usual_strength
from kursbuch.core.explain import guided_game
from kursbuch.core.words import N_
from kursbuch.web.db.models import StandingRefusal, Table
from kursbuch.web.http.errors import Conflict, Forbidden, NotFound
from kursbuch.web.tables import guide_course, lobby
from kursbuch.web.tables.lobby import NewSeat, NewTable
from kursbuch.web.tables.policies import FINISHED, GUIDED_PACE, RUNNING
from kursbuch.web.tables.store import TableStore
from kursbuch.web.tables.transaction import TableTransaction
from kursbuch.web.tables.votes import UNDO


async def open_guide(tables: TableStore, name: str, visitor: str, player: str) -> str:
    """Open a table for the guided game of a title and return its id. One that the visitor has left
    before its end is closed."""
    title = kursbuch.titles().get(name)
    found = None if title is None else guided_game(title)
    if title is None or found is None:
        raise NotFound(N_("There is no guided game of {name}."), name=name[:40])
    guide = found.guide
    await _close_others(tables, name, visitor)
    spec = usual_strength(title)
    seats = [NewSeat("me", player), *(NewSeat("bot", one, spec) for one in guide.players)]
    new = NewTable(
        title=name,
        seats=seats,
        options=guide.options,
        undo="free",
        listed=False,
        pace=GUIDED_PACE,
    )
    return await lobby.open_table(tables, new, visitor, guide=guide)


async def _close_others(tables: TableStore, name: str, visitor: str) -> None:
    query = select(Table.id).where(
        Table.creator == visitor, Table.title == name, Table.guided, Table.status == RUNNING
    )
    async with tables.refusing(), tables.database.reading() as session:
        left = list(await session.scalars(query))
    for table_id in left:
        # Somebody else may play it by now.
        with suppress(Forbidden, Conflict):
            await lobby.close(tables, table_id, visitor)


async def take_back(tables: TableStore, table_id: str, visitor: str) -> None:
    """Go back to where the game left the course of the guide."""
    async with tables.changing(table_id) as change:
        change.require(RUNNING)
        _require_guided(change, visitor)
        assert change.game is not None
        found = guide_course.course_of(change.table, change.game.title)
        if found is None:
            raise Conflict(N_("This is not a guided game."))
        target = found.followed([move.action for move in change.game.moves])
        if target == len(change.game.moves):
            raise Conflict(N_("There is nothing to take back here."))
        seat = change.any_own_seat(visitor)
        # Otherwise what is not to be asked is declined at once, and the guide is left again.
        own = StandingRefusal.table_id == table_id, StandingRefusal.seat == seat.number
        await change.session.execute(delete(StandingRefusal).where(*own))
        await change.note(UNDO, seat.number, await change.rewind(target))


async def jump(tables: TableStore, table_id: str, visitor: str) -> None:
    """Play what the guide leaves out, for everybody."""
    async with tables.changing(table_id) as change:
        change.require(RUNNING)
        _require_guided(change, visitor)
        assert change.game is not None
        made = [move.action for move in change.game.moves]
        found = guide_course.followed(change.table, change.game.title, made)
        left_out = found.jumped(len(made)) if found is not None else []
        if not left_out:
            raise Conflict(N_("There is nothing to go past here."))
        for action in left_out:
            change.play(action)


async def leave(tables: TableStore, table_id: str, visitor: str) -> None:
    """Go on without the guide."""
    async with tables.changing(table_id) as change:
        change.require(RUNNING, FINISHED)
        _require_guided(change, visitor)
        change.table.guided = False
        if change.table.status == RUNNING:
            await change.settle()


def _require_guided(change: TableTransaction, visitor: str) -> None:
    change.any_own_seat(visitor)
    if not change.table.guided:
        raise Conflict(N_("This is not a guided game."))
