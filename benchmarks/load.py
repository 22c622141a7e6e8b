"""Load test: many tables of mixed, half-played games with two browsers each; moves are sent and updates pushed to
both.

Tables continue as recorded. `free` is the maximum rate of moves, each table continuing once both pages show its
move; `calm` is the pace of live players (`CALM`). The baseline is the time to load a small file from the idle
server. The first page of a table is cold (the game is replayed), everything else warm.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import random
import secrets
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median, quantiles

from sqlalchemy import text
from sqlalchemy.ext.asyncio import create_async_engine

from benchmarks.common import Measurement
from benchmarks.server import serving
from benchmarks.tables import MIXED, fill, owner
from benchmarks.traffic import Line, Page
from kursbuch.core.game import Game
from tests import services

#: Seconds between moves at each table: half the average of an evening of 1835 (450 moves in six hours), for brisk
#: players.
CALM = 25.0

Made = tuple[str, Game, int]


class Club:
    """A server with tables and two browsers at each."""

    def __init__(self, port: int, made: Sequence[Made]) -> None:
        self.port = port
        self.tables = {name: (game, number) for name, game, number in made}
        self.pages: dict[str, list[Page]] = {}
        self.first: list[float] = []
        #: Seconds from the click to the others' update, and to the response.
        self.shown: list[float] = []
        self.answered: list[float] = []
        self.failed = 0

    async def come(self, at_once: int = 10) -> None:
        """Load all pages, noting the time of each table's first one."""
        places = asyncio.Semaphore(at_once)

        async def one(name: str, number: int) -> None:
            async with places:
                line = Line(self.port, owner(name, 0))
                began = time.perf_counter()
                await line.ask("GET", f"/t/{name}", more="accept: text/html\r\n")
                self.first.append(time.perf_counter() - began)
                line.close()
                self.pages[name] = [
                    Page(self.port, owner(name, seat), f"/t/{name}") for seat in (0, 1)
                ]
                for page in self.pages[name]:
                    await page.until(number)

        await asyncio.gather(*(one(name, number) for name, (_, number) in self.tables.items()))

    async def go(self) -> None:
        """Disconnect all browsers."""
        await asyncio.gather(*(page.close() for pages in self.pages.values() for page in pages))

    async def play(self, seconds: float, every: float = 0.0) -> float:
        """Make moves at all tables for some time; return the rate per second."""
        self.shown.clear()
        self.answered.clear()
        began = time.perf_counter()
        counts = await asyncio.gather(
            *(self._moves(name, began + seconds, every) for name in self.tables)
        )
        return sum(counts) / (time.perf_counter() - began)

    async def _moves(self, name: str, end: float, every: float) -> int:
        rng, made, lines = random.Random(name), 0, dict[int, Line]()
        await asyncio.sleep(rng.random() * every)
        while time.perf_counter() < end:
            game, number = self.tables[name]
            if number + 1 >= len(game.moves):
                break
            action = game.moves[number].action
            line = lines.setdefault(action.seat, Line(self.port, owner(name, action.seat)))
            body = json.dumps({"number": number, "action": game.title.action_to_json(action)})
            began, wait = time.perf_counter(), 1.0
            try:
                status, headers, answer = await line.ask("POST", f"/t/{name}/move", body.encode())
                if status != 204:
                    wait = float(headers.get("retry-after", 1))
                    raise OSError(f"{status} {answer[:200]!r}")
                self.answered.append(time.perf_counter() - began)
                number += 1
                self.tables[name] = (game, number)
                for page in self.pages[name]:
                    await page.until(number)
                    self.shown.append(page.shown[number] - began)
            except (OSError, TimeoutError, asyncio.IncompleteReadError) as error:
                self.failed += 1
                print(f"{name}: {error!r}", file=sys.stderr)
                await asyncio.sleep(wait)
                continue
            made += 1
            pause = rng.expovariate(1 / every) if every else 0.0
            await asyncio.sleep(max(0.0, min(pause, end - time.perf_counter())))
        for line in lines.values():
            line.close()
        return made

    async def file(self, times: int = 30) -> float:
        """Median time to load a small file."""
        line, took = Line(self.port, "somebody"), []
        for _ in range(times):
            began = time.perf_counter()
            status, _, _ = await line.ask("GET", "/static/push.js")
            assert status == 200
            took.append(time.perf_counter() - began)
        line.close()
        return median(took)


def memory(process: int) -> float:
    """Memory of a process and its children in megabytes."""
    children = Path(f"/proc/{process}/task/{process}/children")
    found = sum(memory(int(child)) for child in children.read_text().split())
    status = Path(f"/proc/{process}/status").read_text()
    return found + int(status.split("VmRSS:")[1].split()[0]) / 1024


def processor(process: int) -> float:
    """CPU seconds of a process and its children."""
    children = Path(f"/proc/{process}/task/{process}/children")
    found = sum(processor(int(child)) for child in children.read_text().split())
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return found + (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextlib.contextmanager
def databases(kind: str) -> Iterator[tuple[str, str, int]]:
    """An empty database, Redis, and the number of workers for "sqlite" or "postgres"."""
    if kind == "sqlite":
        with tempfile.TemporaryDirectory() as folder:
            yield f"{folder}/tables.sqlite3", "", 1
        return
    with services.POSTGRES.running() as postgres, services.REDIS.running() as redis:
        yield asyncio.run(_new_database(postgres)), redis, 2


async def _new_database(url: str) -> str:
    name = f"bench_{secrets.token_hex(4)}"
    engine = create_async_engine(url, isolation_level="AUTOCOMMIT")
    async with engine.connect() as connection:
        await connection.execute(text(f"CREATE DATABASE {name}"))
    await engine.dispose()
    return f"{url.rpartition('/')[0]}/{name}"


def figures(
    what: str, kind: str, wanted: Sequence[tuple[str, float | int]], seconds: float
) -> list[Measurement]:
    """Figures of these tables on a kind of database."""
    with databases(kind) as (database, redis, workers):
        made = asyncio.run(fill(database, wanted))
        with serving(database, redis, workers) as (port, process):
            empty = memory(process)
            return asyncio.run(_measured(f"{what}, {kind}", port, process, empty, made, seconds))


async def _measured(
    what: str, port: int, process: int, empty: float, made: Sequence[Made], seconds: float
) -> list[Measurement]:
    club = Club(port, made)
    base = await club.file()
    await club.come()
    found: list[Measurement] = []

    def took(name: str, value: float) -> None:
        ms, file = value * 1000, base * 1000
        found.append(Measurement(f"{what}: {name}", ms, "ms", "file", file, file / ms))

    took("first page, cold, median", median(club.first))
    await club.play(seconds, CALM)
    _times(took, "calm, warm", club)
    used = processor(process)
    rate = await club.play(seconds)
    used = processor(process) - used
    _times(took, "free, warm", club)
    if club.answered:
        # CPU time, unaffected by other programs on the machine.
        took("free, warm, processor of the server a move", used / len(club.answered))
    alone = 1 / base
    found.append(Measurement(f"{what}: free, warm", rate, "moves/s", "file", alone, rate / alone))
    if club.failed:
        found.append(Measurement(f"{what}: failed", club.failed, "moves", "none", 0.0, 0.0))
    grown = memory(process) - empty
    a_table = grown / len(made)
    found.append(Measurement(f"{what}: memory a table", a_table, "MB", "empty", empty, 0.0))
    sent = sum(page.bytes for pages in club.pages.values() for page in pages)
    loads = sum(page.loads for pages in club.pages.values() for page in pages)
    size = sent / max(1, loads) / 1000
    found.append(Measurement(f"{what}: sent a time", size, "kB", "", 0.0, 0.0))
    await club.go()
    return found


def _times(took: object, how: str, club: Club) -> None:
    assert callable(took)
    if len(club.shown) < 2:
        return
    parts = quantiles(club.shown, n=100)
    took(f"{how}, shown to others, median", median(club.shown))
    took(f"{how}, shown to others, 95 %", parts[94])
    took(f"{how}, shown to others, 99 %", parts[98])


def lengths(kind: str, seconds: float) -> list[Measurement]:
    """A game of 1835 after 50, 250 and 490 moves."""
    found = []
    for number in (50, 250, 490):
        found += figures(f"1835 after {number} moves", kind, [("1835", number)], seconds)
    return [each for each in found if "95" not in each.name and "99" not in each.name]


def run(long: bool = False) -> list[Measurement]:
    """All figures; the long form takes half an hour."""
    found: list[Measurement] = []
    for kind in ("sqlite", "postgres") if long else ("sqlite",):
        for count in (50, 200, 1000) if long else (50,):
            wanted = [MIXED[number % len(MIXED)] for number in range(count)]
            found += figures(f"{count} tables", kind, wanted, 60 if long else 15)
        found += lengths(kind, 10 if long else 4)
    return found
