"""How soon a move reaches the others at a table of four with three spectators.

A server runs in a process of its own. For every move, the time is taken from sending it until the
live update has arrived at each of the six other browsers and the refreshed part of the page has been
loaded there. The baseline is loading a small file from the same server, one at a time.
"""

from __future__ import annotations

import asyncio
import json
import random
import tempfile
import time
from collections.abc import AsyncIterator
from pathlib import Path
from statistics import median, quantiles
from typing import Any

import httpx

from benchmarks import load
from benchmarks.common import Measurement
from benchmarks.server import serving

MOVES = 80
WARM_UP = 10
PLAYERS = 4
SPECTATORS = 3


class Watcher:
    """A browser that refreshes its page when it hears of a change."""

    def __init__(self, client: httpx.AsyncClient, table: str) -> None:
        self.client = client
        self.table = table
        self.number = -1
        self.heard_at = 0.0
        self.refreshed_at = 0.0
        self.size = 0
        self._refreshed = asyncio.Event()
        self.task = asyncio.create_task(self._watch())

    async def _events(self) -> AsyncIterator[dict[str, Any]]:
        async with self.client.stream("GET", f"{self.table}/events", timeout=None) as answer:
            async for line in answer.aiter_lines():
                if line.startswith("data: "):
                    yield json.loads(line.removeprefix("data: "))

    async def _watch(self) -> None:
        async for event in self._events():
            heard_at = time.perf_counter()
            # As it comes over the wire: unpacking seven pages in one process would be measured too.
            async with self.client.stream("GET", f"{self.table}/live") as answer:
                assert answer.status_code == 200
                self.size = sum([len(part) async for part in answer.aiter_raw()])
            if event["number"] != self.number:
                self.heard_at = heard_at
                self.refreshed_at = time.perf_counter()
            self.number = event["number"]
            self._refreshed.set()

    async def until(self, number: int) -> None:
        """Wait until the page shows that move."""
        while self.number < number:
            self._refreshed.clear()
            await asyncio.wait_for(self._refreshed.wait(), 30)


async def measure(url: str) -> tuple[list[float], list[float], list[float], list[float]]:
    """The times (in seconds) until the answer, the live update and the refreshed page, and of the
    baseline."""
    clients = [httpx.AsyncClient(base_url=url, timeout=30) for _ in range(PLAYERS + SPECTATORS)]
    names = ["Anna", "Bernd", "Clara", "Dirk"]
    seats = [{"kind": "me", "name": names[0]}, *({"kind": "open"} for _ in names[1:])]
    opened = await clients[0].post("/api/tables", json={"title": "rocket", "seats": seats})
    path, table = f"/api/tables/{opened.json()['id']}", opened.json()["url"]
    for seat, name in enumerate(names[1:], 1):
        await clients[seat].post(f"{path}/join", json={"seat": seat, "name": name})
    await clients[0].post(f"{path}/start")
    watchers = [Watcher(client, table) for client in clients]
    for watcher in watchers:
        await watcher.until(0)
    rng = random.Random(1)
    answered, heard, refreshed, baseline = [], [], [], []
    for number in range(1, WARM_UP + MOVES + 1):
        games = [(await client.get(path)).json() for client in clients[:PLAYERS]]
        mover = next((seat for seat, game in enumerate(games) if game["choices"]), None)
        if mover is None:
            break
        actions = [choice["action"] for choice in games[mover]["choices"]]
        extend = [action for action in actions if action["action"] == "extend-line"]
        action = rng.choice(extend if extend and number % 2 else actions)
        await asyncio.sleep(0.05)
        started = time.perf_counter()
        answer = await clients[mover].post(
            f"{table}/move", json={"number": number - 1, "action": action}
        )
        moved = time.perf_counter()
        assert answer.status_code == 204, answer.text
        for watcher in watchers:
            await watcher.until(number)
        plain = time.perf_counter()
        (await clients[mover].get("/static/push.js")).raise_for_status()
        if number > WARM_UP:
            answered.append(moved - started)
            baseline.append(time.perf_counter() - plain)
            others = [watcher for seat, watcher in enumerate(watchers) if seat != mover]
            heard += [watcher.heard_at - started for watcher in others]
            refreshed += [watcher.refreshed_at - started for watcher in others]
    for watcher in watchers:
        watcher.task.cancel()
    await asyncio.gather(*(watcher.task for watcher in watchers), return_exceptions=True)
    for client in clients:
        await client.aclose()
    return answered, heard, refreshed, baseline


def run(long: bool = False) -> list[Measurement]:
    """One table in milliseconds, and many tables (`load.py`)."""
    return [*one_table(), *load.run(long)]


def one_table() -> list[Measurement]:
    """The figures of one table, in milliseconds."""
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(str(Path(folder) / "tables.sqlite3")) as (port, _),
    ):
        answered, heard, refreshed, baseline = asyncio.run(measure(f"http://127.0.0.1:{port}"))
    base = median(baseline) * 1000

    def figure(name: str, value: float) -> Measurement:
        return Measurement(name, value * 1000, "ms", "file", base, base / (value * 1000))

    return [
        figure("move stored and acknowledged, median", median(answered)),
        figure("move heard of by the others, median", median(heard)),
        figure("move shown to the others, median", median(refreshed)),
        figure("move shown to the others, 95 %", quantiles(refreshed, n=20)[-1]),
    ]
