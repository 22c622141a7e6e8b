"""The application: routes, services and their lifetime."""

from __future__ import annotations

import asyncio
import logging
import signal
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

from litestar import Litestar, Request, Response
from litestar.config.compression import CompressionConfig
from litestar.exceptions import HTTPException
from litestar.file_system import BaseLocalFileSystem
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import Components, SecurityScheme
from litestar.plugins.jinja import JinjaTemplateEngine
from litestar.static_files import create_static_files_router
from litestar.status_codes import HTTP_503_SERVICE_UNAVAILABLE
from litestar.template import TemplateConfig
from litestar.types.file_types import FileInfo

import kursbuch
from kursbuch.core.errors import IllegalAction, KursbuchError
from kursbuch.core.processes import exit_with_parent
from kursbuch.core.replay_cache import program_id
from kursbuch.core.words import N_, Words
from kursbuch.web import routes
from kursbuch.web.accounts import sessions
from kursbuch.web.admin.bulletins import SiteState
from kursbuch.web.ai.opponents import Opponents
from kursbuch.web.ai.scheduler import AiScheduler
from kursbuch.web.db.database import Database
from kursbuch.web.http import templating
from kursbuch.web.http.admission import Admission
from kursbuch.web.http.errors import ErrorPage, retry_after
from kursbuch.web.http.overload import RETRY_AFTER, OverloadApp
from kursbuch.web.http.rate_limits import (
    Limiter,
    limits_of,
    refusal_of_stray,
    stop_stray,
)
from kursbuch.web.http.requests import language_of, wants_page
from kursbuch.web.http.security import Hosts, before_send
from kursbuch.web.http.templating import SectionCache
from kursbuch.web.labels import rule_name
from kursbuch.web.live import streams
from kursbuch.web.live.fragments import SentCache
from kursbuch.web.live.presence import Presence
from kursbuch.web.notifications.service import Notifications
from kursbuch.web.ops.metrics import ERRORS, REFUSALS
from kursbuch.web.ops.workers import WorkerReports
from kursbuch.web.reviews.routes import Reviews
from kursbuch.web.settings import Settings
from kursbuch.web.tables.deadlines import DeadlineWatcher
from kursbuch.web.tables.store import TableStore
from kursbuch.web.uploads.parser_pool import UploadParserPool

HERE = Path(__file__).parent
STATIC = HERE / "static"

#: Maximum size of a request body, in bytes; uploads set their own.
SMALL_BODY = 64 * 1024

#: Sentences for errors that the framework finds, by status.
SENTENCES = {
    400: N_("The request cannot be read."),
    404: N_("This page does not exist."),
    405: N_("This action is not available here."),
    413: N_("The request is too large."),
    415: N_("The request cannot be read."),
}
FAILURE = N_("Something went wrong on the server. Nothing was changed.")
log = logging.getLogger(__name__)


def create_app(settings: Settings | None = None) -> Litestar:
    """Create the application for an ASGI server."""
    chosen = settings or Settings.from_environment()
    database = Database(chosen.database)
    channels = streams.make_channels(chosen.redis) if chosen.redis else None
    presence = Presence(channels, chosen.prefix)
    tables = TableStore(database, chosen.most_open, presence, chosen.memory)
    updates = streams.Live(presence, channels, chosen.prefix)
    thinkers = AiScheduler(chosen.bot_processes, chosen.thinking)
    opponents = Opponents(tables, thinkers, chosen.unwatched)
    reviews = Reviews(tables, thinkers)
    readers = UploadParserPool()
    clock = DeadlineWatcher(tables)
    limiter = Limiter(limits_of(chosen.limits), chosen.redis, chosen.prefix)
    standing = SiteState(tables, (chosen.secret or "").split())
    templates = templating.make_environment()
    post = Notifications(tables, chosen.post, templates, chosen.address)
    templates.globals["tells"] = bool(post.channels)
    admission = Admission(database.is_full)
    reports = WorkerReports(database, chosen.redis, chosen.address, list(post.outbox.channels))
    room = chosen.memory * 1e6
    sections = SectionCache(templates, room / 8)
    templates.globals["part"] = sections.part

    tables.listeners += [updates.on_change, clock.on_change, opponents.on_change]
    presence.listeners += [updates.on_arrival, opponents.on_arrival]

    def warm_up() -> None:
        for title in kursbuch.titles().values():
            program_id(title)
        for name in templates.list_templates():
            templates.get_template(name)

    @asynccontextmanager
    async def running(app: Litestar) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            # Every service is stopped, even if another one raises.
            for stop in (
                database.close,
                standing.stop,
                presence.stop,
                limiter.close,
                clock.stop,
                opponents.stop,
                reviews.stop,
                readers.stop,
                post.stop,
                reports.stop,
            ):
                stack.push_async_callback(stop)
            stack.callback(updates.close)
            await database.start()
            await standing.start()
            await presence.start()
            await clock.start()
            await opponents.start()
            await post.start()
            await reports.start()
            exit_with_parent(signal.SIGTERM)
            # Titles and templates take a second: the server answers meanwhile.
            warming = asyncio.create_task(asyncio.to_thread(warm_up))
            stack.push_async_callback(asyncio.wait, [warming])
            with streams.closing_on_signals(updates):
                yield

    static_files = create_static_files_router(
        path="/static", directories=[STATIC], file_system=_Files(), include_in_schema=False
    )
    app = OverloadApp(
        route_handlers=[*routes.PAGES, routes.API, static_files],
        plugins=[channels] if channels else [],
        lifespan=[running],
        guards=[sessions.guard],
        template_config=TemplateConfig(instance=JinjaTemplateEngine.from_environment(templates)),
        compression_config=CompressionConfig(
            backend="gzip", gzip_compress_level=5, exclude=["/events$", "/live$", "/move$"]
        ),
        openapi_config=OpenAPIConfig(
            title="Kursbuch",
            version="1",
            description="Play railway board games by program. A token says who plays, or a cookie.",
            components=Components(
                security_schemes={"token": SecurityScheme(type="http", scheme="bearer")}
            ),
            security=[{"token": []}, {}],
            path="/schema",
            # No documentation pages: they would load scripts from other sites.
            render_plugins=[JsonRenderPlugin(path="/openapi.json")],
        ),
        before_send=[before_send],
        after_exception=[stop_stray],
        exception_handlers={KursbuchError: refuse, HTTPException: refuse, Exception: refuse},
        request_max_body_size=SMALL_BODY,
        logging_config=None,
        debug=False,
    )
    app.state.update(
        {
            "admission": admission,
            "tables": tables,
            "address": chosen.address,
            "accounts": chosen.accounts,
            "hosts": Hosts(chosen.hosts, chosen.address),
            "limiter": limiter,
            "live": updates,
            "sections": sections,
            "sent": SentCache(room / 4),
            "presence": presence,
            "signer": standing.signer,
            "standing": standing,
            "redis": chosen.redis,
            "notifications": post,
            "templates": templates,
            "thinkers": thinkers,
            "readers": readers,
            "reports": reports,
            "reviews": reviews,
            "assets": templating.Assets(STATIC / "dist"),
        }
    )
    return app


class _Files(BaseLocalFileSystem):
    """Static files; an impossible path counts as a missing file."""

    async def info(self, path: Any, **options: Any) -> FileInfo:
        """Return the metadata of a file."""
        try:
            return await super().info(path, **options)
        except (OSError, ValueError) as error:
            # Below a file, too long, or with impossible characters.
            raise FileNotFoundError(path) from error


def refuse(request: Request[Any, Any, Any], error: Exception) -> Response[Any]:
    """Answer an error with one sentence and the right status: a page for browsers, JSON for
    programs."""
    error = refusal_of_stray(request.scope) or error
    words = Words(language_of(request))
    rule, title = "", ""
    headers = retry_after(error)
    if isinstance(error, KursbuchError):
        status = getattr(error, "status", 422)
        sentence = error.text(words)
        if isinstance(error, IllegalAction):
            rule, title = error.reference, error.title
    elif isinstance(error, HTTPException) and error.status_code < 500:
        status = error.status_code
        sentence = words._(SENTENCES.get(status, SENTENCES[400]))
        headers = {"allow": allow} if (allow := (error.headers or {}).get("allow")) else {}
    elif isinstance(error, RecursionError):  # JSON that is nested too deeply
        status, sentence = 400, words._(SENTENCES[400])
    else:
        log.error("Unexpected error at %s", request.url.path, exc_info=error)
        ERRORS.inc()
        status, sentence = 500, words._(FAILURE)
    if status == HTTP_503_SERVICE_UNAVAILABLE:
        headers["retry-after"] = str(RETRY_AFTER)
    REFUSALS.labels(status).inc()
    if not wants_page(request):
        name = rule_name(rule, words.language)
        content = {"error": sentence, "rule": rule, "rule_name": name}
        return Response(content, status_code=status, headers=headers)
    url = f"/rules/{title}/{rule.partition(':')[2]}" if title and rule else ""
    page = ErrorPage(status, sentence, rule, url)
    shown = templating.page(request, "error.html", page, words, status)
    shown.headers.update(headers)
    return shown
