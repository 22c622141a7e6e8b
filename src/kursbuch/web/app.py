"""The application: everything put together."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec
from jinja2 import BytecodeCache, Environment, FileSystemLoader, StrictUndefined
from jinja2.bccache import Bucket
from litestar import Litestar, Request, Response
from litestar.channels import ChannelsPlugin
from litestar.config.compression import CompressionConfig
from litestar.connection import ASGIConnection
from litestar.exceptions import HTTPException
from litestar.file_system import BaseLocalFileSystem
from litestar.handlers.base import BaseRouteHandler
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
from kursbuch.core.keeping import program
from kursbuch.core.words import N_, Words
from kursbuch.web import (
    contexts,
    doorways,
    environment,
    filling,
    forms,
    health,
    live,
    moderating,
    pages,
    planner,
    records,
    reviewing,
    slow_games,
    talk,
)
from kursbuch.web.administration import handlers as administration
from kursbuch.web.administration.standing import Standing
from kursbuch.web.api import ROUTER
from kursbuch.web.clock import Clock
from kursbuch.web.database import Database
from kursbuch.web.errors import retry_after
from kursbuch.web.front import RETRY_AFTER, UNASKED, Front
from kursbuch.web.games import MEMORY
from kursbuch.web.gate import pass_gate, refusal_of_stray, stop_stray
from kursbuch.web.hosts import Hosts
from kursbuch.web.limits import Limiter, limits_of
from kursbuch.web.live import Announcement
from kursbuch.web.messages import handlers as messages
from kursbuch.web.messages.post import Post, PostSettings
from kursbuch.web.metrics import ERRORS, REFUSALS
from kursbuch.web.models import Table
from kursbuch.web.opponents import SLOW, UNWATCHED, Opponents
from kursbuch.web.parts import Lines, Parts
from kursbuch.web.people import accounts, sessions
from kursbuch.web.people.forms import HANDLERS as OF_ACCOUNTS
from kursbuch.web.people.pages import HANDLERS as OF_PEOPLE
from kursbuch.web.policies import MOST_OPEN
from kursbuch.web.presence import Presence
from kursbuch.web.pushing import Sent
from kursbuch.web.readers import Readers
from kursbuch.web.requests import language_of, wants_page
from kursbuch.web.reviews import Reviews
from kursbuch.web.security import before_send, check_origin
from kursbuch.web.supervised import end_with_supervisor
from kursbuch.web.tables import Tables
from kursbuch.web.thinkers import Thinkers

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
    """How a server runs. `secret` signs the cookies; without one it is kept in the database. Of
    several, separated by spaces, the first one signs and all are read.
    `prefix` tells apart servers that share a Redis without sharing a database. `most_open` is how many
    games that are not over a visitor may have opened. `address` is for the links of those who came to
    the server by a name that only their own device knows, such as localhost. `hosts` are the names the server
    answers to (`Hosts`), `limits` is how much may be asked of it (`limits_of`). `unwatched` says how the
    computer plays where nobody sits and nobody looks on (`opponents.UNWATCHED`), `thinking` how many seconds a
    minute it may think for the tables of one owner. `memory` is for games that are kept ready, in megabytes.
    `post` is how letters are sent. `accounts` says who may have one: anybody who registers ("open"), who is
    invited ("invitation"), for whom an administrator makes one ("closed"), or nobody ("off")."""

    database: str | None = None
    redis: str | None = None
    secret: str | None = None
    prefix: str = "kursbuch"
    bot_processes: int | None = None
    most_open: int = MOST_OPEN
    address: str = ""
    unwatched: str = SLOW
    thinking: float | None = None
    memory: int = MEMORY
    post: PostSettings = PostSettings()
    hosts: str = ""
    limits: str = ""
    accounts: str = accounts.OPEN

    @classmethod
    def from_environment(cls) -> Settings:
        """The settings in the variables KURSBUCH_DATABASE, _REDIS, _SECRET, _PREFIX, _BOT_PROCESSES,
        _TABLES, _ADDRESS, _HOSTS, _LIMITS, _UNWATCHED, _THINKING, _MEMORY and _ACCOUNTS, and those of
        `PostSettings`."""
        return cls(
            database=environment.text("KURSBUCH_DATABASE") or None,
            redis=environment.text("KURSBUCH_REDIS") or None,
            secret=environment.text("KURSBUCH_SECRET") or None,
            prefix=environment.text("KURSBUCH_PREFIX") or "kursbuch",
            bot_processes=environment.number("KURSBUCH_BOT_PROCESSES") or None,
            most_open=environment.number("KURSBUCH_TABLES") or MOST_OPEN,
            address=environment.address("KURSBUCH_ADDRESS"),
            hosts=environment.text("KURSBUCH_HOSTS"),
            limits=environment.text("KURSBUCH_LIMITS"),
            unwatched=environment.word("KURSBUCH_UNWATCHED", UNWATCHED),
            thinking=environment.number("KURSBUCH_THINKING") or None,
            memory=environment.number("KURSBUCH_MEMORY") or MEMORY,
            post=PostSettings.from_environment(),
            accounts=accounts.registration(environment.text("KURSBUCH_ACCOUNTS")),
        )


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


class _Compiled(BytecodeCache):
    """Every template is compiled once, however many applications a process has."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], Any] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        bucket.code = self._known.get((bucket.key, bucket.checksum))

    def dump_bytecode(self, bucket: Bucket) -> None:
        self._known[bucket.key, bucket.checksum] = bucket.code


_COMPILED = _Compiled()


def create_app(settings: Settings | None = None) -> Litestar:
    """The application, ready for an ASGI server."""
    chosen = settings or Settings.from_environment()
    database = Database(chosen.database)
    channels = ChannelsPlugin(
        backend=live.make_backend(chosen.redis), arbitrary_channels_allowed=True
    )
    presence = Presence(channels if chosen.redis else None, chosen.prefix)
    tables = Tables(database, chosen.most_open, presence, chosen.memory)
    updates = live.Live(channels, presence, chosen.prefix)
    thinkers = Thinkers(chosen.bot_processes, chosen.thinking)
    opponents = Opponents(tables, thinkers, chosen.unwatched)
    reviews = Reviews(tables, thinkers)
    readers = Readers()
    clock = Clock(tables)
    limiter = Limiter(limits_of(chosen.limits), chosen.redis, chosen.prefix)
    standing = Standing(tables, (chosen.secret or "").split())
    templates = _templates()
    post = Post(tables, chosen.post, templates, chosen.address)
    templates.globals["tells"] = bool(post.channels)
    room = chosen.memory * 1e6
    templates.globals["part"] = Parts(templates, room / 8)
    templates.globals["lines"] = Lines(templates, room / 8)

    async def announce(table: Table, announcement: Announcement) -> None:
        await updates.announce(table.id, announcement)

    tables.listeners += [announce, clock.on_change, opponents.on_change]
    presence.listeners += [updates.on_arrival, opponents.on_arrival]

    @asynccontextmanager
    async def running(app: Litestar) -> AsyncIterator[None]:
        # Loading titles and templates takes a second, which nobody is to wait for.
        for title in kursbuch.titles().values():
            program(title)
        for name in templates.list_templates():
            templates.get_template(name)
        async with AsyncExitStack() as stack:
            # Whatever one of them raises, the others stop as well.
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
            ):
                stack.push_async_callback(stop)
            stack.callback(updates.close)
            await database.start()
            await standing.start()
            await presence.start()
            await clock.start()
            await opponents.start()
            await post.start()
            end_with_supervisor()
            with live.closing_on_signals(updates):
                yield

    app = Front(
        route_handlers=[
            *administration.HANDLERS,
            *health.HANDLERS,
            *pages.HANDLERS,
            *forms.HANDLERS,
            *doorways.HANDLERS,
            *records.HANDLERS,
            *reviewing.HANDLERS,
            *talk.HANDLERS,
            *OF_PEOPLE,
            *OF_ACCOUNTS,
            *planner.HANDLERS,
            *messages.HANDLERS,
            *slow_games.HANDLERS,
            *moderating.HANDLERS,
            ROUTER,
            _static_files(),
        ],
        plugins=[channels],
        lifespan=[running],
        guards=[guard],
        template_config=TemplateConfig(instance=JinjaTemplateEngine.from_environment(templates)),
        compression_config=CompressionConfig(
            backend="gzip", gzip_compress_level=5, exclude=["/events$", "/live$"]
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
            # Pages that show it would load scripts from elsewhere.
            render_plugins=[JsonRenderPlugin(path="/openapi.json")],
        ),
        before_send=[before_send],
        after_exception=[stop_stray],
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
            "accounts": chosen.accounts,
            "hosts": Hosts(chosen.hosts, chosen.address),
            "limiter": limiter,
            "live": updates,
            "sent": Sent(room / 4),
            "presence": presence,
            "signer": standing.signer,
            "standing": standing,
            "redis": chosen.redis,
            "post": post,
            "templates": templates,
            "thinkers": thinkers,
            "readers": readers,
            "reviews": reviews,
            "assets": Assets(STATIC / "dist"),
        }
    )
    return app


async def guard(connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler) -> None:
    """Find out who asks, and refuse what comes from another site, to a foreign name, or too often."""
    if connection.scope["path"].startswith(UNASKED):
        return
    try:
        if not await sessions.identify(connection, connection.app.state.tables):
            check_origin(connection)
    finally:
        # What is refused there counts as well.
        await pass_gate(connection, handler)


def _templates() -> Environment:
    templates = Environment(
        loader=FileSystemLoader(HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        # Templates do not change while a server runs; looking for that costs with each of them.
        auto_reload=False,
        bytecode_cache=_COMPILED,
    )
    # The choices of a move can be long; the usual encoder takes five times as long for them.
    templates.policies["json.dumps_function"] = _json
    return templates


def _json(value: object, **options: Any) -> str:
    return msgspec.json.encode(value).decode()


class _Files(BaseLocalFileSystem):
    """Files, of which those that cannot be are not there."""

    async def info(self, path: Any, **options: Any) -> FileInfo:
        """What is known of a file."""
        try:
            return await super().info(path, **options)
        except (
            OSError,
            ValueError,
        ) as error:  # below a file, too long, with characters that no name has
            raise FileNotFoundError(path) from error


def _static_files() -> Any:
    return create_static_files_router(
        path="/static",
        directories=[STATIC],
        file_system=_Files(),
        include_in_schema=False,
    )


def refuse(request: Request[Any, Any, Any], error: Exception) -> Response[Any]:
    """One sentence with the right status: a page for browsers, JSON for everybody else."""
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
        content = {"error": sentence, "rule": rule}
        return Response(content, status_code=status, headers=headers)
    url = f"/rules/{title}/{rule.partition(':')[2]}" if title and rule else ""
    page = contexts.ErrorPage(status, sentence, rule, url)
    shown = filling.page(request, "error.html", page, words, status)
    shown.headers.update(headers)
    return shown
