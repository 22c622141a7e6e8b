"""The application as it is served, made anew whenever what is in its database was replaced."""

from __future__ import annotations

import asyncio
import logging
import traceback
from collections.abc import Callable
from contextlib import AsyncExitStack
from typing import Any

from litestar import Litestar
from sqlalchemy.exc import SQLAlchemyError

from kursbuch.core.errors import KursbuchError
from kursbuch.web import making_room
from kursbuch.web.background import failed
from kursbuch.web.database import Database
from kursbuch.web.front import put_off
from kursbuch.web.recent import forget_everything

#: How long requests may take that are being answered when the application is to end, in seconds.
GRACE = 10.0

#: So many seconds later an application that could not start is tried again.
AGAIN = 3.0

log = logging.getLogger(__name__)


class Renewed:
    """What `make` makes, for an ASGI server. While somebody wants the database for himself (`making_room`) there is no
    application, and whoever comes is put off; afterwards there is a new one, which knows nothing of what was in the
    database before."""

    def __init__(self, make: Callable[[], Litestar]) -> None:
        self._make = make
        # Here, so that whoever starts a server is told what is wrong with its settings.
        self._next = make()
        self._app: Litestar | None = None
        self._answering = 0

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer a request, or live as long as the server does."""
        if scope["type"] == "lifespan":
            await self._live(receive, send)
        elif self._app is not None:
            self._answering += 1
            try:
                await self._app(scope, receive, send)
            finally:
                self._answering -= 1
        elif scope["path"] == "/health":
            await _say_ok(send)
        else:
            await put_off(scope, send, making_room.REPLACED)

    async def _live(self, receive: Any, send: Any) -> None:
        await receive()
        ending = asyncio.create_task(receive())
        started = False
        try:
            while not ending.done():
                async with AsyncExitStack() as stack:
                    try:
                        await stack.enter_async_context(self._next.lifespan())
                    except Exception as error:
                        if not started:
                            raise
                        _note(error)
                        await asyncio.wait([ending], timeout=AGAIN)
                    else:
                        if not started:
                            await send({"type": "lifespan.startup.complete"})
                            started = True
                        await self._serve(ending)
                if not ending.done():
                    forget_everything()
                    self._next = self._make()
                    await _until(self._database, ending, wanted=False)
        except BaseException:
            kind = "shutdown" if started else "startup"
            await send({"type": f"lifespan.{kind}.failed", "message": traceback.format_exc()})
            raise
        await send({"type": "lifespan.shutdown.complete"})

    @property
    def _database(self) -> Database:
        database: Database = self._next.state.tables.database
        return database

    async def _serve(self, ending: asyncio.Task[Any]) -> None:
        """Answer until the server ends, or somebody wants the database and nobody is being answered any more."""
        app = self._app = self._next
        await _until(self._database, ending, wanted=True)
        if ending.done():
            return
        log.warning("A backup is to be restored, so this server lets go of its database.")
        self._app = None
        app.state.live.close()
        loop = asyncio.get_running_loop()
        until = loop.time() + GRACE
        while self._answering and loop.time() < until:
            await asyncio.sleep(0.02)


async def _until(database: Database, ending: asyncio.Task[Any], *, wanted: bool) -> None:
    """Wait until somebody wants the database for himself, or nobody does any more, or the server ends."""
    while not ending.done():
        await asyncio.wait([ending], timeout=making_room.EVERY)
        try:
            if ending.done() or await database.is_wanted() is wanted:
                return
        except (SQLAlchemyError, OSError):
            if not wanted:
                return  # why it cannot be used is found out by starting
        finally:
            if not wanted:
                await database.stop()


def _note(error: Exception) -> None:
    why: BaseException = error
    # The framework puts what went wrong at its start into a group.
    while isinstance(why, BaseExceptionGroup):
        why = why.exceptions[0]
    if isinstance(why, KursbuchError):
        log.error("The server cannot go on: %s", why)
    else:
        failed(log, "The server cannot go on.")


async def _say_ok(send: Any) -> None:
    headers = [(b"content-type", b"text/plain; charset=utf-8")]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": b"ok"})
