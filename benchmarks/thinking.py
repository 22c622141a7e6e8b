"""Response time of an easy bot while another visitor has thirty tables of strong ones.

The baseline is the time without those tables. All is warm: the bot processes are running.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from statistics import median

import httpx

from benchmarks.common import Measurement
from benchmarks.server import serving

#: Tables of strong bots, created by one visitor.
STRONG = 30
MOVES = 12


async def _answers(url: str) -> list[float]:
    """Response times of the easy bot after each move."""
    took: list[float] = []
    async with httpx.AsyncClient(base_url=url, timeout=120) as client:
        seats = [{"kind": "me", "name": "Ada"}, {"kind": "bot", "bot": "greedy"}]
        opened = await client.post(
            "/api/tables", json={"title": "rocket", "seats": seats, "pace": 0}
        )
        path = f"/api/tables/{opened.json()['id']}"
        moved: float | None = None
        while len(took) < MOVES:
            game = (await client.get(path)).json()
            if not game["choices"]:
                if game["status"] != "running":
                    break
                await asyncio.sleep(0.01)
                continue
            if moved is not None:
                took.append(time.perf_counter() - moved)
            seen = {"number": game["number"], "version": game["version"]}
            action = game["choices"][0]["action"]
            await client.post(f"{path}/move", json={**seen, "action": action})
            moved = time.perf_counter()
        await client.post(f"{path.replace('/api/tables', '/t')}/close")
    return took


async def _measured(url: str) -> tuple[list[float], list[float]]:
    await _answers(url)  # start the processes
    before = await _answers(url)
    async with httpx.AsyncClient(base_url=url, timeout=120) as greedy:
        seats = [{"kind": "bot", "bot": "mcts:1500ms"}] * 3
        table = {"title": "rocket", "seats": seats, "pace": 0, "listed": False}
        opened = [await greedy.post("/api/tables", json=table) for _ in range(STRONG)]

        async def look() -> None:
            # Watched tables have priority.
            while True:
                for one in opened:
                    await greedy.get(f"/api/tables/{one.json()['id']}", params={"since": 1000})
                await asyncio.sleep(5)

        looking = asyncio.create_task(look())
        await asyncio.sleep(3)
        among = await _answers(url)
        looking.cancel()
        await asyncio.gather(looking, return_exceptions=True)
    return before, among


def run() -> list[Measurement]:
    """Times in milliseconds."""
    with tempfile.TemporaryDirectory() as folder, serving(f"{folder}/tables.sqlite3") as (port, _):
        before, among = asyncio.run(_measured(f"http://127.0.0.1:{port}"))
    base = median(before) * 1000
    return [
        Measurement(
            f"easy opponent, warm, {what}", value * 1000, "ms", "alone", base, base / value / 1000
        )
        for what, value in (
            ("alone, median", median(before)),
            (f"beside {STRONG} strong tables, median", median(among)),
            (f"beside {STRONG} strong tables, worst", max(among)),
        )
    ]
