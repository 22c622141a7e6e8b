"""Latency of a move at a table of four players with three spectators.

For each move, the time from the request until the update has arrived at the other six browsers is measured. The
baseline is loading a small file from the same server. All is warm: the table is in memory, and the first moves do
not count.
"""

from __future__ import annotations

import asyncio
import json
import random
import tempfile
import time
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from benchmarks import load
from benchmarks.common import Measurement
from benchmarks.server import serving
from benchmarks.tables import fill, owner
from benchmarks.traffic import Line, Page, unpacked

MOVES = 80
WARM_UP = 10
PLAYERS = 4
SPECTATORS = 3


async def measure(port: int) -> tuple[list[float], list[float], list[float]]:
    """Seconds until the response, until the others' updates, and of the baseline."""
    lines = [Line(port, owner("web", seat)) for seat in range(PLAYERS + SPECTATORS)]

    async def post(seat: int, path: str, /, **fields: Any) -> dict[str, Any]:
        status, headers, body = await lines[seat].ask("POST", path, json.dumps(fields).encode())
        assert status in (200, 201), body
        return dict(json.loads(unpacked(headers, body)))

    names = ["Anna", "Bernd", "Clara", "Dirk"]
    seats = [{"kind": "me", "name": names[0]}, *({"kind": "open"} for _ in names[1:])]
    opened = await post(0, "/api/tables", title="rocket", seats=seats)
    path, table = f"/api/tables/{opened['id']}", opened["url"]
    for seat, name in enumerate(names[1:], 1):
        await post(seat, f"{path}/join", seat=seat, name=name)
    await post(0, f"{path}/start")
    pages = [Page(port, owner("web", seat), table) for seat in range(len(lines))]
    for page in pages:
        await page.until(0)

    async def game(seat: int) -> dict[str, Any]:
        _, headers, body = await lines[seat].ask("GET", path)
        return dict(json.loads(unpacked(headers, body)))

    rng = random.Random(1)
    answered, shown, baseline = [], [], []
    for number in range(1, WARM_UP + MOVES + 1):
        games = [await game(seat) for seat in range(PLAYERS)]
        mover = next((seat for seat, game in enumerate(games) if game["choices"]), None)
        if mover is None:
            break
        actions = [choice["action"] for choice in games[mover]["choices"]]
        extend = [action for action in actions if action["action"] == "extend-line"]
        action = rng.choice(extend if extend and number % 2 else actions)
        await asyncio.sleep(0.05)
        body = json.dumps({"number": number - 1, "action": action}).encode()
        started = time.perf_counter()
        status, _, told = await lines[mover].ask("POST", f"{table}/move", body)
        moved = time.perf_counter()
        assert status == 204, told
        for page in pages:
            await page.until(number)
        plain = time.perf_counter()
        await lines[mover].ask("GET", "/static/push.js")
        if number > WARM_UP:
            answered.append(moved - started)
            baseline.append(time.perf_counter() - plain)
            shown += [
                page.shown[number] - started for seat, page in enumerate(pages) if seat != mover
            ]
    for page in pages:
        await page.close()
    for line in lines:
        line.close()
    return answered, shown, baseline


def run(long: bool = False) -> list[Measurement]:
    """One table in milliseconds, and many tables (`load.py`)."""
    return [*one_table(), *load.run(long)]


def one_table() -> list[Measurement]:
    """Figures of one table in milliseconds."""
    with tempfile.TemporaryDirectory() as folder:
        database = str(Path(folder) / "tables.sqlite3")
        asyncio.run(fill(database, []))
        with serving(database) as (port, _):
            answered, shown, baseline = asyncio.run(measure(port))
    base = median(baseline) * 1000

    def figure(name: str, value: float) -> Measurement:
        return Measurement(name, value * 1000, "ms", "file", base, base / (value * 1000))

    return [
        figure("move stored and acknowledged, warm, median", median(answered)),
        figure("move shown to the others, warm, median", median(shown)),
        figure("move shown to the others, warm, 95 %", quantiles(shown, n=20)[-1]),
    ]
