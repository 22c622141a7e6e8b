"""Reviews of finished games: service and routes."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, cast

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath
from litestar.response import Template
from sqlalchemy import CursorResult, Delete, delete, insert, update

from kursbuch.bots.review import BUDGETS, Budget, Examination, budget_of
from kursbuch.bots.review.games import AnyTask
from kursbuch.core.words import N_
from kursbuch.web.ai import jobs as bot_jobs
from kursbuch.web.ai.scheduler import AiScheduler
from kursbuch.web.background import break_off, failed
from kursbuch.web.db.models import StoredReview, now
from kursbuch.web.http.admission import in_thread
from kursbuch.web.http.errors import Conflict, Forbidden, Unavailable
from kursbuch.web.http.operations import done
from kursbuch.web.http.rate_limits import COSTLY
from kursbuch.web.http.requests import AnyRequest, read
from kursbuch.web.http.templating import page
from kursbuch.web.reviews.views import may_stop, review_page
from kursbuch.web.tables.policies import CLOSED
from kursbuch.web.tables.snapshot import Snapshot
from kursbuch.web.tables.store import TableStore
from kursbuch.web.tables.viewer import viewer

#: Maximum number of simultaneous reviews.
AT_ONCE = 4

#: Interval at which progress is stored, in seconds, and partial results.
WRITTEN_EVERY = 2.0

#: Time without progress after which a review counts as abandoned.
GIVEN_UP = timedelta(minutes=3)
log = logging.getLogger(__name__)


def position_of(snapshot: Snapshot) -> str:
    """Return the name of the final position of a finished or closed table; refuse others."""
    game = snapshot.game
    if game is None or not (game.over or snapshot.table.status == CLOSED):
        raise Conflict(N_("Only a finished game can be reviewed."))
    return f"{snapshot.table.rewound}.{len(game.moves)}"


class Reviews:
    """Reviews of all tables. Those in progress on this server are cancelled when it stops."""

    def __init__(self, tables: TableStore, thinkers: AiScheduler) -> None:
        self._tables = tables
        self._thinkers = thinkers
        self._under_way: dict[str, asyncio.Task[None]] = {}

    async def stop(self) -> None:
        """Cancel all reviews in progress."""
        await break_off(*self._under_way.values())

    async def find(self, snapshot: Snapshot) -> StoredReview | None:
        """Return the review of a table, finished or not; None if its final position has none."""
        position = position_of(snapshot)
        async with self._tables.database.reading() as session:
            found = await session.get(StoredReview, snapshot.table.id)
        if found is None or found.position != position or found.depth not in BUDGETS:
            return None  # of another position, or by an earlier version
        late = found.running and found.updated_at < now() - GIVEN_UP
        if late and found.table_id not in self._under_way:
            # The server stopped: what was found until then stays.
            return None if found.content is None else _stopped(found)
        return found

    async def begin(self, snapshot: Snapshot, name: str) -> None:
        """Start the review of a finished table, unless one is in progress."""
        position, table_id = position_of(snapshot), snapshot.table.id
        budget = budget_of(name)
        assert snapshot.game is not None
        game = snapshot.game.branch(len(snapshot.game.moves))
        found = await self.find(snapshot)
        order = list(BUDGETS)
        if found is not None and (
            found.running
            or (found.done >= found.total and order.index(found.depth) >= order.index(budget.name))
        ):
            return  # never replaces a more thorough one
        if len(self._under_way) >= AT_ONCE:
            raise Unavailable(N_("The computer is reviewing other games. Please try again later."))
        # A running review without a row was cancelled on another server.
        await self._break_off(table_id)
        data = await self._tables.component_data(snapshot.table)
        examination = Examination(game, budget, data)
        async with self._tables.database.writing() as session:
            await session.execute(_forget(table_id))
            begun = now()
            row = {
                "table_id": table_id,
                "position": position,
                "depth": budget.name,
                "begun_at": begun,
                "running": True,
                "total": _total(budget),
            }
            await session.execute(insert(StoredReview).values(**row, content=None))
        task = asyncio.create_task(self._review(table_id, begun, examination))
        self._under_way[table_id] = task
        task.add_done_callback(lambda _: self._ended(table_id, task))

    def _ended(self, table_id: str, task: asyncio.Task[None]) -> None:
        if self._under_way.get(table_id) is task:
            del self._under_way[table_id]

    async def give_up(self, snapshot: Snapshot) -> None:
        """Stop the review of a table, on any server; what it has found stays."""
        table_id = snapshot.table.id
        mine = StoredReview.table_id == table_id
        async with self._tables.database.writing() as session:
            await session.execute(_forget(table_id).where(StoredReview.content.is_(None)))
            await session.execute(update(StoredReview).where(mine).values(running=False))
        await self._break_off(table_id)

    async def _break_off(self, table_id: str) -> None:
        """Break off what is under way on this server for a table."""
        task = self._under_way.get(table_id)
        if task is not None:
            await break_off(task)

    async def _review(self, table_id: str, begun: datetime, examination: Examination) -> None:
        told = False
        try:
            waves = examination.waves()
            while (wave := await in_thread(next, waves, None)) is not None:
                await self._weigh(table_id, begun, examination, wave)
                found = await in_thread(examination.review)
                await self._write(
                    table_id,
                    begun,
                    content=msgspec.to_builtins(found),
                    **_progress(examination),
                )
                if found.turns and not told:
                    told = True
                    await self._tell(table_id)
            found = await in_thread(examination.review)
            await self._write(
                table_id,
                begun,
                content=msgspec.to_builtins(found),
                running=False,
                **_progress(examination),
            )
            await self._tell(table_id)
        except* _BrokenOff:
            pass
        except* Exception:
            failed(log, "The review of table %s failed.", table_id)
            async with self._tables.database.writing() as session:
                await session.execute(_forget(table_id).where(StoredReview.begun_at == begun))

    async def _tell(self, table_id: str) -> None:
        """Let open pages of the table say what turned the game."""
        async with self._tables.changing(table_id, replayed=False):
            pass

    async def _weigh(
        self, table_id: str, begun: datetime, examination: Examination, wave: Sequence[AnyTask]
    ) -> None:
        """Do the tasks of a wave in parallel, as far as the budget goes."""
        tasks = iter(wave)
        written = time.monotonic()

        async def weigher() -> None:
            nonlocal written
            for task in tasks:
                examination.take(await self._thinkers.think(bot_jobs.weigh, task))
                if examination.share >= 1:
                    return
                if time.monotonic() - written >= WRITTEN_EVERY:
                    written = time.monotonic()
                    await self._write(table_id, begun, **_progress(examination))

        async with asyncio.TaskGroup() as group:
            for _ in range(self._thinkers.reviewers):
                group.create_task(weigher())

    async def _write(self, table_id: str, begun: datetime, **values: object) -> None:
        """Store what has been found or done, unless the review was stopped."""
        async with self._tables.database.writing() as session:
            mine = (
                (StoredReview.table_id == table_id)
                & (StoredReview.begun_at == begun)
                & StoredReview.running
            )
            changed = update(StoredReview).where(mine).values(updated_at=now(), **values)
            kept = cast("CursorResult[Any]", await session.execute(changed)).rowcount
        if not kept:
            raise _BrokenOff


def _stopped(found: StoredReview) -> StoredReview:
    """Return a review whose server stopped, as what it is."""
    found.running = False
    return found


def _total(budget: Budget) -> int:
    """Return the whole of a budget."""
    return round(budget.seconds or budget.playouts or 0)


def _progress(examination: Examination) -> dict[str, int]:
    """Return the part of the budget used."""
    return {"done": round(examination.share * _total(examination.budget))}


class _BrokenOff(Exception):
    """The review was cancelled, perhaps on another server."""


def _forget(table_id: str) -> Delete:
    return delete(StoredReview).where(StoredReview.table_id == table_id)


@get("/t/{table_id:str}/review", include_in_schema=False)
async def table_review(request: AnyRequest, table_id: FromPath[str]) -> Template:
    """The review, how far it is, or the offer to make one."""
    shown = await viewer(request, table_id, curtain=False)
    reviews: Reviews = request.app.state.reviews
    found = await reviews.find(shown.snapshot)
    return page(request, "review.html", review_page(shown, found), shown.words)


@post("/t/{table_id:str}/review", include_in_schema=False, opt={"cost": COSTLY})
async def begin_review(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """Begin to make a review."""
    shown = await viewer(request, table_id, curtain=False)
    sent = await read(request)
    reviews: Reviews = request.app.state.reviews
    await reviews.begin(shown.snapshot, sent.text("budget", "30s"))
    return done(request, f"/t/{table_id}/review")


@post("/t/{table_id:str}/review/stop", include_in_schema=False)
async def stop_review(request: AnyRequest, table_id: FromPath[str]) -> Response[Any]:
    """Break a review off."""
    shown = await viewer(request, table_id, curtain=False)
    if not may_stop(shown):
        raise Forbidden(N_("Only players of this table can cancel its review."))
    reviews: Reviews = request.app.state.reviews
    await reviews.give_up(shown.snapshot)
    return done(request, f"/t/{table_id}/review")
