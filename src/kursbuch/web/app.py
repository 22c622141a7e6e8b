"""The application: everything put together."""

from __future__ import annotations

import hashlib
import logging
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from litestar import Litestar, Request, Response
from litestar.channels import ChannelsPlugin
from litestar.config.compression import CompressionConfig
from litestar.connection import ASGIConnection
from litestar.exceptions import HTTPException
from litestar.handlers.base import BaseRouteHandler
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.plugins.jinja import JinjaTemplateEngine
from litestar.static_files import create_static_files_router
from litestar.template import TemplateConfig

from kursbuch.core.errors import IllegalAction, KursbuchError
from kursbuch.core.words import N_, Words
from kursbuch.web import contexts, forms, live, pages, planner
from kursbuch.web.api import ROUTER
from kursbuch.web.clock import Clock
from kursbuch.web.database import Database
from kursbuch.web.live import Announcement
from kursbuch.web.models import Table
from kursbuch.web.opponents import Opponents, Thinkers
from kursbuch.web.policies import MOST_OPEN
from kursbuch.web.requests import language_of, wants_page
from kursbuch.web.security import Signer, before_send, check_origin
from kursbuch.web.tables import Tables

HERE = Path(__file__).parent
STATIC = HERE / "static"

#: Nothing but a file of component data is larger.
SMALL_BODY = 64 * 1024

#: For errors that the framework finds, by status.
SENTENCES = {
    400: N_("What was sent cannot be read."),
    404: N_("There is no such page."),
    405: N_("This cannot be done here."),
    413: N_("What was sent is too large."),
    415: N_("What was sent cannot be read."),
}
FAILURE = N_("Something went wrong on the server; nothing was changed.")

log = logging.getLogger(__name__)


class Settings(msgspec.Struct, frozen=True):
    """How a server runs. `secret` signs the cookies; without one it is kept in the database.
    `prefix` tells apart servers that share a Redis without sharing a database. `most_open` is how many
    games that are not over a visitor may have opened. `address` is for the links of those who came to
    the server by a name that only their own device knows, such as localhost."""

    database: str | None = None
    redis: str | None = None
    secret: str | None = None
    prefix: str = "kursbuch"
    bot_processes: int | None = None
    most_open: int = MOST_OPEN
    address: str = ""

    @classmethod
    def from_environment(cls) -> Settings:
        """The settings in the variables KURSBUCH_DATABASE, _REDIS, _SECRET, _PREFIX, _BOT_PROCESSES,
        _TABLES and _ADDRESS."""
        return cls(
            database=os.environ.get("KURSBUCH_DATABASE") or None,
            redis=os.environ.get("KURSBUCH_REDIS") or None,
            secret=os.environ.get("KURSBUCH_SECRET") or None,
            prefix=os.environ.get("KURSBUCH_PREFIX") or "kursbuch",
            bot_processes=_number("KURSBUCH_BOT_PROCESSES"),
            most_open=_number("KURSBUCH_TABLES") or MOST_OPEN,
            address=os.environ.get("KURSBUCH_ADDRESS", "").rstrip("/"),
        )


def _number(variable: str) -> int | None:
    """The number in a variable of the environment, None unless there is one above 0."""
    text = os.environ.get(variable, "")
    return (int(text) or None) if text.isdecimal() else None


class Assets:
    """The bundle's files; their addresses change with their content, so they can be kept for ever."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._stamp = lru_cache(self._read)

    def _read(self, name: str, changed: int) -> str:
        return hashlib.sha256((self._folder / name).read_bytes()).hexdigest()[:12]

    def url(self, name: str) -> str:
        """The address of a file."""
        try:
            stamp = self._stamp(name, (self._folder / name).stat().st_mtime_ns)
        except OSError:
            return f"/static/dist/{name}"
        return f"/static/dist/{name}?v={stamp}"


def create_app(settings: Settings | None = None) -> Litestar:
    """The application, ready for an ASGI server."""
    chosen = settings or Settings.from_environment()
    database = Database(chosen.database)
    channels = ChannelsPlugin(
        backend=live.make_backend(chosen.redis), arbitrary_channels_allowed=True
    )
    tables = Tables(database, chosen.most_open)
    updates = live.Live(channels, chosen.prefix)
    thinkers = Thinkers(chosen.bot_processes)
    opponents = Opponents(tables, thinkers)
    clock = Clock(tables)

    async def announce(table: Table, announcement: Announcement) -> None:
        await updates.announce(table.id, announcement)

    tables.listeners += [announce, clock.on_change, opponents.on_change]

    @asynccontextmanager
    async def running(app: Litestar) -> AsyncIterator[None]:
        await database.start()
        app.state.signer = Signer(chosen.secret or await database.secret())
        await clock.start()
        await opponents.start()
        try:
            with live.closing_on_signals(updates):
                yield
        finally:
            updates.close()
            await opponents.stop()
            await clock.stop()
            await database.stop()

    app = Litestar(
        route_handlers=[
            *pages.HANDLERS,
            *forms.HANDLERS,
            *planner.HANDLERS,
            ROUTER,
            _static_files(),
        ],
        plugins=[channels],
        lifespan=[running],
        guards=[guard],
        template_config=TemplateConfig(instance=JinjaTemplateEngine.from_environment(_templates())),
        compression_config=CompressionConfig(
            backend="gzip", gzip_compress_level=5, exclude=["/events$"]
        ),
        openapi_config=OpenAPIConfig(
            title="Kursbuch",
            version="1",
            description="Play railway board games by program. A cookie says who plays.",
            path="/schema",
            # Pages that show it would load scripts from elsewhere.
            render_plugins=[JsonRenderPlugin(path="/openapi.json")],
        ),
        before_send=[before_send],
        exception_handlers={
            KursbuchError: refuse,
            HTTPException: refuse,
            Exception: refuse,
        },
        request_max_body_size=SMALL_BODY,
        logging_config=None,
        debug=False,
    )
    app.state.update(
        {
            "tables": tables,
            "address": chosen.address,
            "live": updates,
            "thinkers": thinkers,
            "assets": Assets(STATIC / "dist"),
        }
    )
    return app


def guard(connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler) -> None:
    """Refuse what comes from another site."""
    check_origin(connection)


def _templates() -> Environment:
    return Environment(
        loader=FileSystemLoader(HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _static_files() -> Any:
    return create_static_files_router(
        path="/static",
        directories=[STATIC],
        include_in_schema=False,
    )


def refuse(request: Request[Any, Any, Any], error: Exception) -> Response[Any]:
    """One sentence with the right status: a page for browsers, JSON for everybody else."""
    words = Words(language_of(request))
    rule, title = "", ""
    if isinstance(error, KursbuchError):
        status = getattr(error, "status", 422)
        sentence = error.text(words)
        if isinstance(error, IllegalAction):
            rule, title = error.reference, error.title
    elif isinstance(error, HTTPException) and error.status_code < 500:
        status = error.status_code
        sentence = words._(SENTENCES.get(status, SENTENCES[400]))
    elif isinstance(error, RecursionError):  # JSON that is nested too deeply
        status, sentence = 400, words._(SENTENCES[400])
    else:
        log.error("Unexpected error at %s", request.url.path, exc_info=error)
        status, sentence = 500, words._(FAILURE)
    if not wants_page(request):
        return Response({"error": sentence, "rule": rule}, status_code=status)
    url = f"/rules/{title}/{rule.partition(':')[2]}" if title and rule else ""
    page = contexts.ErrorPage(status, sentence, rule, url)
    return pages.page(request, "error.html", page, words, status)
