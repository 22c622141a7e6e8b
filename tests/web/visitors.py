"""Servers to test, and browsers that visit them."""

from __future__ import annotations

import asyncio
import json
import socket
import ssl
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from types import TracebackType
from typing import Any, Protocol

import httpx
import uvicorn
from litestar import Litestar

from kursbuch.web.app import create_app
from kursbuch.web.asgi import ReloadingApp
from kursbuch.web.settings import Settings

HTML = {"accept": "text/html"}

#: Nothing is encrypted here: what certificates the machine trusts need not be read for every browser.
WITHOUT_TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)

#: How long to wait for something that should happen soon, in seconds.
PATIENCE = 120.0


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class SetClock:
    """A clock that stands still until it is set on: a test puts it in the place of `models.clock`."""

    def __init__(self) -> None:
        self.moment = datetime(2031, 3, 3, 12, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.moment

    def on(self, **units: float) -> datetime:
        """Let time go by: `days=1, hours=2`."""
        self.moment += timedelta(**units)
        return self.moment


class Reachable(Protocol):
    """A server that browsers can talk to."""

    url: str


class Server:
    """A running server within the test process; `renewed` as it is when it is served (`Renewed`)."""

    def __init__(self, settings: Settings, *, renewed: bool = False) -> None:
        self._made: list[Litestar] = []
        self._settings = settings
        served = ReloadingApp(self._make) if renewed else self._make()
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._server = uvicorn.Server(
            uvicorn.Config(
                served,
                host="127.0.0.1",
                port=self.port,
                log_level="warning",
                lifespan="on",
                timeout_graceful_shutdown=1,
            )
        )
        self._task: asyncio.Task[None] | None = None

    def _make(self) -> Litestar:
        self._made.append(create_app(self._settings))
        return self.app

    @property
    def app(self) -> Litestar:
        """The application that answers, or will."""
        return self._made[-1]

    async def __aenter__(self) -> Server:
        self._task = asyncio.create_task(self._server.serve())
        while not self._server.started:
            if self._task.done():
                self._task.result()
                raise AssertionError("the server did not start")
            await asyncio.sleep(0.01)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.app.state.live.close()
        self._server.should_exit = True
        assert self._task is not None
        await self._task


class Browser:
    """A visitor with cookies of their own."""

    def __init__(self, url: str, language: str = "en") -> None:
        self.client = httpx.AsyncClient(
            base_url=url,
            headers={"accept-language": language},
            timeout=PATIENCE,
            verify=WITHOUT_TLS,
        )
        self.url = url

    async def page(self, path: str, status: int = 200) -> str:
        """The text of a page, which must have that status."""
        answer = await self.client.get(path, headers=HTML)
        assert answer.status_code == status, answer.text
        return answer.text

    async def send(self, path: str, /, **fields: Any) -> httpx.Response:
        """Post JSON, as the page's script does."""
        return await self.client.post(path, json=fields)

    async def done(self, path: str, /, **fields: Any) -> httpx.Response:
        """Post JSON that must be accepted."""
        answer = await self.send(path, **fields)
        assert answer.status_code in (200, 201, 204), answer.text
        return answer

    async def refused(self, status: int, path: str, /, **fields: Any) -> str:
        """Post JSON that must be refused with that status; returns the sentence."""
        answer = await self.send(path, **fields)
        assert answer.status_code == status, answer.text
        data = answer.json()
        assert set(data) == {"error", "rule", "rule_name"}
        assert data["error"].endswith((".", "!", "?")) or data["rule"]
        return str(data["error"])

    async def open(self, *seats: str | dict[str, str], **fields: Any) -> str:
        """Open a table of Stephenson's Rocket and return its path. A seat is a kind, or a kind and
        a name ("hotseat Bernd"), or `bot SPEC`."""
        wanted = []
        for number, seat in enumerate(seats):
            if isinstance(seat, dict):
                wanted.append(seat)
                continue
            kind, _, rest = seat.partition(" ")
            key = "bot" if kind == "bot" else "name"
            usual = "random" if kind == "bot" else f"Player {number}"
            wanted.append({"kind": kind, key: rest or usual})
        answer = await self.send(
            "/api/tables", **{"title": "rocket", "seats": wanted, "pace": 0, **fields}
        )
        assert answer.status_code == 201, answer.text
        return str(answer.json()["url"])

    async def game(self, table: str) -> dict[str, Any]:
        """The table as data."""
        answer = await self.client.get("/api/tables" + table.removeprefix("/t"))
        assert answer.status_code == 200, answer.text
        data: dict[str, Any] = answer.json()
        return data

    async def move(self, table: str, action: dict[str, Any] | None = None) -> dict[str, Any]:
        """Make a move (the first possible one), which must be accepted."""
        game = await self.game(table)
        chosen = action or game["choices"][0]["action"]
        await self.done(f"{table}/move", **seen(game), action=chosen)
        return dict(chosen)

    async def until(self, table: str, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The table as soon as something holds of it."""
        async with asyncio.timeout(PATIENCE):
            while True:
                game = await self.game(table)
                if wanted(game):
                    return game
                await asyncio.sleep(0.03)

    async def events(self, table: str) -> AsyncIterator[dict[str, Any]]:
        """The live updates of the table: the data of every change, with its id."""
        async for event in self.stream(table):
            if event["event"] == "changed":
                yield {**event["data"], "id": int(event["id"])}

    async def stream(self, table: str) -> AsyncIterator[dict[str, Any]]:
        """Everything that is said of a table, as it happens."""
        async with self.client.stream("GET", f"{table}/events") as answer:
            assert answer.status_code == 200
            fields: dict[str, Any] = {}
            async for line in answer.aiter_lines():
                if line:
                    name, _, value = line.partition(": ")
                    fields[name] = value
                else:
                    if fields.get("data"):
                        yield {**fields, "data": json.loads(fields["data"])}
                    fields = {}


def seen(game: dict[str, Any]) -> dict[str, int]:
    """What is sent along with a move decided on this table."""
    return {"number": game["number"], "version": game["version"]}


def choose(game: dict[str, Any], *kinds: str) -> dict[str, Any]:
    """The first choice of one of these kinds."""
    for kind in kinds:
        for choice in game["choices"]:
            if choice["action"]["action"] == kind:
                return dict(choice["action"])
    raise AssertionError(f"none of {kinds} is possible")


@asynccontextmanager
async def browsers(server: Reachable, count: int) -> AsyncIterator[Sequence[Browser]]:
    """Several browsers."""
    found = [Browser(server.url) for _ in range(count)]
    try:
        yield found
    finally:
        for browser in found:
            await browser.client.aclose()


async def seated(table: str, *players: Browser) -> None:
    """Let players take the free seats of a table in order, and begin."""
    game = await players[0].game(table)
    free = [seat["number"] for seat in game["seats"] if seat["free"]]
    for number, player in zip(free, players, strict=True):
        await player.done(f"{table}/join", seat=number, name=f"Guest {number}")
    await players[-1].done(f"{table}/start")
