"""A server with a database of its own for every file of tests, and browsers for every test."""

from __future__ import annotations

import itertools
import secrets
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from kursbuch.web import models, tables
from kursbuch.web.app import Settings
from tests.web.mailbox import Mailbox, mailbox
from tests.web.visitors import Browser, Server, SetClock


class Numbered:
    """Stands for the module `secrets` where a table is opened: the seeds are numbered."""

    def __init__(self) -> None:
        self._numbers = itertools.count(1)

    def token_hex(self, size: int) -> str:
        return f"{next(self._numbers):0{2 * size}x}"

    def __getattr__(self, name: str) -> Any:
        return getattr(secrets, name)


@pytest.fixture(autouse=True)
def same_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tables of a test have the same seeds in every run, each its own."""
    monkeypatch.setattr(tables, "secrets", Numbered())


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def server(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Server]:
    """A running server on SQLite."""
    folder: Path = tmp_path_factory.mktemp("server")
    settings = Settings(database=str(folder / "tables.sqlite3"), bot_processes=1)
    async with Server(settings) as running:
        yield running


@pytest_asyncio.fixture(loop_scope="module")
async def visit(server: Server) -> AsyncIterator[Callable[..., Browser]]:
    """Makes browsers that visit the server."""
    made: list[Browser] = []

    def make(language: str = "en") -> Browser:
        made.append(Browser(server.url, language))
        return made[-1]

    yield make
    for browser in made:
        await browser.client.aclose()


@pytest.fixture
def arrived() -> Iterator[Mailbox]:
    """What mails arrive at a server for them."""
    with mailbox() as found:
        yield found


@pytest.fixture
def anna(visit: Callable[..., Browser]) -> Browser:
    """A visitor."""
    return visit()


@pytest.fixture
def bernd(visit: Callable[..., Browser]) -> Browser:
    """Another visitor."""
    return visit()


@pytest.fixture
def clara(visit: Callable[..., Browser]) -> Browser:
    """A third visitor."""
    return visit()


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> SetClock:
    """The time, which goes on only when the test lets it."""
    told = SetClock()
    monkeypatch.setattr(models, "clock", told)
    return told
