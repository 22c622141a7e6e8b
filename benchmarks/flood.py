"""Fairness under load: a player's page and move, and `/health`, at rest and while another client floods the server.

The player opens the page of a table and makes the recorded moves of its game; a second page of it is open. The
flood is a process with many connections that each load the page of another table again and again. The baseline
of each figure is the same at rest. Admission is the processor time of a turn without the request it is for.
"""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from types import SimpleNamespace

import msgspec
from litestar.datastructures import State

from benchmarks.common import Measurement, quantile, shorter
from benchmarks.server import serving
from benchmarks.tables import fill, owner
from benchmarks.traffic import Line, Page
from kursbuch.core.game import Game
from kursbuch.web.http.admission import Admission
from kursbuch.web.http.security import COOKIE, Signer

#: Connections of the flood, and the share of the game after which the player joins.
CONNECTIONS, PART = 300, 0.05

#: Moves at rest and during the flood, and the seconds between two: about ten seconds, and a minute.
SHORT, LONG = (60, 0.15), (200, 0.28)

#: Folder of the project.
ROOT = Path(__file__).parents[1]

HTML = "accept: text/html\r\n"


class Waits(msgspec.Struct):
    """Seconds until the answers to a player's requests, and the statuses of the answers to the flood."""

    page: list[float] = []
    move: list[float] = []
    shown: list[float] = []
    health: list[float] = []
    refused: int = 0
    flood: dict[str, int] = {}


class Player:
    """A player at a table that goes on as recorded."""

    def __init__(self, port: int, name: str, game: Game, number: int) -> None:
        self.port = port
        self.name = name
        self.game = game
        self.number = number
        self.other = Page(port, f"{name} other", f"/t/{name}")
        self.lines: dict[int | None, Line] = {}

    def line(self, seat: int | None = None) -> Line:
        """The connection of a seat."""
        who = "health" if seat is None else owner(self.name, seat)
        return self.lines.setdefault(seat, Line(self.port, who))

    async def play(self, moves: int, pause: float) -> Waits:
        """Open the page, move and ask for the health of the server again and again."""
        waits = Waits()
        for _ in range(moves):
            seat = self.game.moves[self.number].action.seat
            waits.page.append(await self._took(waits, seat, "GET", f"/t/{self.name}"))
            await asyncio.sleep(pause / 2)
            await self._move(waits)
            waits.health.append(await self._took(waits, None, "GET", "/health"))
            await asyncio.sleep(pause / 2)
        return waits

    async def _move(self, waits: Waits) -> None:
        action = self.game.moves[self.number].action
        wish = {"number": self.number, "action": self.game.title.action_to_json(action)}
        began = time.perf_counter()
        body = json.dumps(wish).encode()
        waits.move.append(
            await self._took(waits, action.seat, "POST", f"/t/{self.name}/move", body)
        )
        self.number += 1
        await self.other.until(self.number)
        waits.shown.append(self.other.shown[self.number] - began)

    async def _took(
        self, waits: Waits, seat: int | None, method: str, path: str, body: bytes = b""
    ) -> float:
        began = time.perf_counter()
        while True:
            status, headers, answer = await self.line(seat).ask(
                method, path, body, HTML if method == "GET" else ""
            )
            if status in (200, 204):
                return time.perf_counter() - began
            assert status == 503, answer
            waits.refused += 1
            await asyncio.sleep(float(headers["retry-after"]))

    async def close(self) -> None:
        """Leave the table."""
        await self.other.close()
        for line in self.lines.values():
            line.close()


async def compared(
    port: int, made: list[tuple[str, Game, int]], moves: int, pause: float
) -> tuple[Waits, Waits]:
    """What a player waits at the first table: at rest, and while another client floods the page of the second."""
    player = Player(port, *made[0])
    await player.other.until(player.number)
    await player.play(10, pause)  # to warm up
    rest = await player.play(moves, pause)
    flood = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "benchmarks.flood", str(port), f"/t/{made[1][0]}"),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        cwd=ROOT,
    )
    try:
        await asyncio.sleep(1.0)
        waits = await player.play(moves, pause)
    finally:
        told, _ = await flood.communicate(b"")
    waits.flood = json.loads(told)
    await player.close()
    return rest, waits


async def flooded(port: int, path: str) -> Counter[int]:
    """Send requests over many connections of one browser until the input ends; return the number of answers by
    status."""
    found = Counter[int]()

    async def ask() -> None:
        line = Line(port, "flood")
        while True:
            try:
                status, _, _ = await line.ask("GET", path, more=HTML)
                found[status] += 1
            except (OSError, TimeoutError, asyncio.IncompleteReadError):
                found[0] += 1

    asking = [asyncio.create_task(ask()) for _ in range(CONNECTIONS)]
    await asyncio.to_thread(sys.stdin.read)
    for task in asking:
        task.cancel()
    return found


def measured(folder: str, moves: int, pause: float) -> tuple[Waits, Waits]:
    """The waits at a server of its own."""
    database = f"{folder}/tables.sqlite3"
    made = asyncio.run(fill(database, [("1835", PART)] * 2))
    with serving(database) as (port, _):
        return asyncio.run(compared(port, made, moves, pause))


async def _admission(times: int = 5000) -> float:
    """Seconds of the processor to admit a request."""
    signer = Signer(["key"])
    cookie = f"{COOKIE}={signer.write('anna')}".encode()
    app = SimpleNamespace(state=State({"signer": signer}))
    admission = Admission(lambda owner, writing: False)
    began = time.process_time()
    for _ in range(times):
        scope = {
            "type": "http",
            "method": "GET",
            "path": "/t/b00000",
            "scheme": "http",
            "state": {},
            "headers": [(b"cookie", cookie)],
            "client": ("203.0.113.9", 1),
            "litestar_app": app,
        }
        async with admission.turn(scope) as turn:
            turn.spend(0.0)
    return (time.process_time() - began) / times


def run(long: bool = False) -> list[Measurement]:
    """Times in milliseconds."""
    with tempfile.TemporaryDirectory() as folder:
        rest, flood = measured(folder, *(LONG if long else SHORT))
    found = list(_figures(rest, flood))
    page, admission = median(rest.page) * 1000, asyncio.run(_admission()) * 1000
    return [*found, shorter("admission of a request", admission, "ms", "page", page)]


def _figures(rest: Waits, flood: Waits) -> Iterator[Measurement]:
    for name in ("page", "move", "shown", "health"):
        for label, share in (("median", 0.5), ("99 %", 0.99)):
            calm, under = (quantile(getattr(waits, name), share) * 1000 for waits in (rest, flood))
            yield shorter(f"{name} under a flood, {label}", under, "ms", "rest", calm)
    yield Measurement("refused of the player", flood.refused, "requests", "", 0.0, 0.0)
    for status, count in sorted(flood.flood.items()):
        yield Measurement(f"flood: answers {status}", count, "requests", "", 0.0, 0.0)


if __name__ == "__main__":
    print(json.dumps(asyncio.run(flooded(int(sys.argv[1]), sys.argv[2]))))
