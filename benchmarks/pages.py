"""Page performance on a phone: time to interactive, display of others' moves, download size.

The table is a late game of 1835. Chromium emulates a phone: a CPU four times slower and Lighthouse's "fast 3G". A
page is interactive once its script shows the choices, and a move is shown with the next painted frame. Baselines are
the start page on the same phone, the refreshed fragment without a browser, and the size limits.

Cold: empty browser cache. Warm: the bundle is cached. The server has the table in memory in both cases, and others'
moves are shown on an open page.
"""

from __future__ import annotations

import gzip
import os
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from statistics import median
from typing import Any

import httpx
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from benchmarks.common import Measurement, shorter
from benchmarks.server import serving
from kursbuch.web.http.security import COOKIE, Signer
from tests.browser.positions import PLAYER, place, sit_down, whole_game

TITLE, MOMENT = "1835", "late"
RUNS = 5
MOVES = 8
SLOWER = 4
#: Bytes per second down and up, and round trip in milliseconds.
FAST_3G = {
    "offline": False,
    "downloadThroughput": 1.6e6 / 8,
    "uploadThroughput": 0.75e6 / 8,
    "latency": 150,
}
#: Maximum bytes of the compressed bundle; enforced by a test.
HEAVIEST = {"main.js": 40_000, "style.css": 20_000}

#: Page script that records when choices appear and when each move is painted.
WATCH = """
window.seen = {};
const painted = then => requestAnimationFrame(() => setTimeout(then));
const now = () => performance.timeOrigin + performance.now();
new MutationObserver(() => {
  const number = document.getElementById("live")?.dataset.number;
  if (number && !(number in seen)) { seen[number] = 0; painted(() => { seen[number] = now(); }); }
  if (!window.usable && document.querySelector("#choice-list [data-entry], #action-bar button")) {
    window.usable = performance.now();
  }
}).observe(document, { attributes: true, childList: true, subtree: true });
"""
LOADED = "() => performance.getEntriesByType('navigation')[0].loadEventEnd"


def run() -> list[Measurement]:
    """Times in milliseconds and sizes in bytes."""
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder) / "tables.sqlite3"
        with serving(str(database)) as (port, _), sync_playwright() as playwright:
            address = f"http://127.0.0.1:{port}"
            path = place(database, TITLE, MOMENT)
            found = Path(os.environ.get("CHROMIUM") or shutil.which("chromium") or "")
            browser = playwright.chromium.launch(
                executable_path=found if found.is_file() else None, args=["--no-sandbox"]
            )
            try:
                figures = [*opening(browser, address, database, path)]
                for slower in (1, SLOWER):
                    figures.append(hearing(browser, address, database, path, slower))
            finally:
                browser.close()
    return figures + list(weights())


def phone(browser: Browser, address: str) -> BrowserContext:
    """A new browser context of a phone."""
    context = browser.new_context(
        base_url=address, viewport={"width": 390, "height": 844}, has_touch=True, locale="en"
    )
    context.add_init_script(WATCH)
    return context


def slow(page: Page, slower: float, line: dict[str, Any] | None = None) -> None:
    """Slow down a page's CPU and network."""
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": slower})
    if line:
        session.send("Network.enable")
        session.send("Network.emulateNetworkConditions", line)


def opening(browser: Browser, address: str, database: Path, path: str) -> Iterator[Measurement]:
    """Time to interactive for the player to move: cold, and with the bundle cached."""
    first: list[float] = []
    again: list[float] = []
    start: list[float] = []
    httpx.get(address + path, timeout=60)  # build the table on the server
    for _ in range(RUNS):
        context = phone(browser, address)
        page = context.new_page()
        page.goto("/health")
        sit_down(page, database, "/health")
        slow(page, SLOWER, FAST_3G)
        for times in (first, again):
            page.goto(path, wait_until="commit")
            times.append(page.wait_for_function("() => window.usable").json_value())
            page.wait_for_load_state()
        page.goto("/")
        start.append(page.wait_for_function(LOADED).json_value())
        context.close()
    base = median(start)
    yield shorter("page usable on a phone, cold, median", median(first), "ms", "start page", base)
    yield shorter("page usable on a phone, warm, median", median(again), "ms", "start page", base)
    yield shorter("page usable on a phone, warm, worst", max(again), "ms", "start page", base)


def hearing(
    browser: Browser, address: str, database: Path, path: str, slower: float
) -> Measurement:
    """Time until a spectator sees a move, over the next recorded moves."""
    game = whole_game(TITLE)
    with sqlite3.connect(database, timeout=60) as connection:
        owners = dict(
            connection.execute("SELECT number, owner FROM seat WHERE table_id = ?", [path[3:]])
        )
        (secret,) = connection.execute("SELECT value FROM setting WHERE key = 'secret'").fetchone()
        (number,) = connection.execute(
            "SELECT number FROM game_table WHERE id = ?", [path[3:]]
        ).fetchone()
    assert PLAYER in owners.values()
    context = phone(browser, address)
    page = context.new_page()
    slow(page, slower)
    page.goto(path)
    shown, fetched = [], []
    with httpx.Client(base_url=address, timeout=60) as client:
        for move in game.moves[number : number + MOVES]:
            page.wait_for_function("wanted => seen[wanted]", arg=str(number))
            cookie = {"cookie": f"{COOKIE}={Signer([secret]).write(owners[move.action.seat])}"}
            action = game.title.action_to_json(move.action)
            started = time.time()
            answer = client.post(
                f"{path}/move", json={"number": number, "action": action}, headers=cookie
            )
            assert answer.status_code == 204, answer.text
            number += 1
            seen = page.wait_for_function("wanted => seen[wanted]", arg=str(number))
            shown.append(seen.json_value() - started * 1000)
            plain = time.perf_counter()
            client.get(f"{path}/live", headers=cookie)
            fetched.append((time.perf_counter() - plain) * 1000)
    context.close()
    name = "move of another shown, warm" + (f", processor {slower} × slower" if slower > 1 else "")
    return shorter(name, median(shown), "ms", "fetching", median(fetched))


def weights() -> Iterator[Measurement]:
    """Compressed sizes of the bundle."""
    for name, most in HEAVIEST.items():
        yield shorter(f"{name}, packed", weight(name), "bytes", "allowed", most)


def weight(name: str) -> int:
    """Compressed size of a bundle file."""
    content = (resources.files("kursbuch") / "web" / "static" / "dist" / name).read_bytes()
    return len(gzip.compress(content, 5))
