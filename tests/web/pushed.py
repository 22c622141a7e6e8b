"""A page that is open, as its script keeps it up to date (`frontend/src/table/live.ts`)."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable, Sequence
from typing import Any

from kursbuch.web.live.fragments import FORM, SAME
from kursbuch.web.live.sections import PLACE
from kursbuch.web.tables.boards import CUT
from tests.web.visitors import HTML, PATIENCE, Browser


def patched(old: Sequence[str], script: Sequence[int | str], joint: str) -> list[str]:
    """The pieces of a text, made of those of an earlier one."""
    made: list[str] = []
    steps = iter(script)
    for step in steps:
        if isinstance(step, str):
            made += step.split(joint)
        else:
            count = next(steps)
            assert isinstance(count, int)
            assert 0 <= step < step + count <= len(old)
            made += old[step : step + count]
    return made


def stamp_in(html: str) -> str:
    """Which drawing a page has."""
    found = re.search('data-board="([^"]*)"', html)
    return found[1] if found else ""


def version_in(html: str) -> int:
    """Which version of the table a page shows."""
    found = re.search(r'data-version="(\d+)"', html)
    assert found is not None
    return int(found[1])


class Open:
    """A page of a table, with its stream. `fetched` counts what it had to ask for itself, `pushed` are the updates
    that came by themselves."""

    def __init__(self, browser: Browser, table: str, form: int = FORM) -> None:
        self.browser = browser
        self.table = table
        self.html = ""
        self.fetched = 0
        self.pushed: list[dict[str, Any]] = []
        self.ended = False
        #: Whether the stream has said anything.
        self.heard = False
        self._form = form
        self._lines: list[str] = []
        self._pieces: list[str] | None = None
        #: The drawing the page has as a text, wherever that came from.
        self._drawing = ""
        self._news = asyncio.Event()
        self._task = asyncio.create_task(self._listen())

    @property
    def version(self) -> int:
        """Which version of the table is shown; before anything is, 0."""
        return version_in(self.html) if self.html else 0

    async def fetch(self) -> str:
        """The refreshed part as it is sent to anyone who asks for all of it."""
        answer = await self.browser.client.get(f"{self.table}/live", headers=HTML)
        assert answer.status_code == 200
        return answer.text

    async def up_to_date(self) -> str:
        """What the page shows once it is of the same version as what would be sent now, which is returned too."""
        async with asyncio.timeout(PATIENCE):
            while True:
                now = await self.fetch()
                if self.version >= version_in(now):
                    return now
                await self._wait()

    async def until(self, wanted: Callable[[Open], bool]) -> None:
        """Wait until something holds of the page."""
        async with asyncio.timeout(PATIENCE):
            while not wanted(self):
                await self._wait()

    async def _wait(self) -> None:
        if self._task.done():
            self._task.result()
            raise AssertionError("the stream has ended")
        self._news.clear()
        await self._news.wait()

    async def close(self) -> None:
        """The page is left."""
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    async def _listen(self) -> None:
        self._show(await self.fetch())
        path = f"{self.table}/events?push={self._form}&board={stamp_in(self.html)}"
        try:
            async with self.browser.client.stream("GET", path) as answer:
                assert answer.status_code == 200
                event = ""
                async for line in answer.aiter_lines():
                    name, _, value = line.partition(": ")
                    if name == "event":
                        event = value
                    elif name == "data":
                        await self._hear(event, json.loads(value))
                        self.heard = True
                        self._news.set()
        finally:
            self.ended = True
            self._news.set()

    async def _hear(self, event: str, data: dict[str, Any]) -> None:
        if event == "changed" and data["version"] > self.version:
            self.fetched += 1
            self._show(await self.fetch())
        elif event == "page":
            self.pushed.append(data)
            self._lines = patched(self._lines, data["page"], "\n")
            if data["board"] is not None:
                self._pieces = patched(self._pieces or [], data["board"], CUT)
            html = "\n".join(self._lines)
            assert SAME not in html
            if stamp_in(html) != stamp_in(self.html):
                assert self._pieces is not None
                self._drawing = CUT.join(self._pieces)
            self._show(html.replace(PLACE, self._drawing))
            assert (data["version"], self.version) == (self.version, data["version"])

    def _show(self, html: str) -> None:
        self.html = html
        parts = html.split('<div id="board-now"')
        if len(parts) > 1:
            self._drawing = parts[1].partition(">")[2].partition("</div>")[0]
        self._news.set()
