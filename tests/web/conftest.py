"""A server with a database of its own for every file of tests, and browsers for every test."""

from __future__ import annotations

import itertools
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest
import pytest_asyncio
from argon2 import PasswordHasher

from kursbuch.web.accounts import credentials
from kursbuch.web.db import migrations, models
from kursbuch.web.notifications import message_text
from kursbuch.web.settings import Settings
from kursbuch.web.tables import store
from kursbuch.web.uploads import parser_pool
from tests.seeds import Seeds
from tests.web.mailbox import Mailbox, mailbox
from tests.web.migrated import Migrated
from tests.web.visitors import PATIENCE, Browser, Server, SetClock


@pytest.fixture(scope="session", autouse=True)
def quickly_migrated() -> Iterator[None]:
    """The migrations run once for all the empty databases of these tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(migrations, "migrate", Migrated(migrations.migrate))
        yield


@pytest.fixture(scope="session", autouse=True)
def cheap_hashes() -> Iterator[None]:
    """Hash passwords quickly: none of these needs to withstand guessing."""
    with pytest.MonkeyPatch.context() as patch:
        hasher = PasswordHasher(time_cost=1, memory_cost=64, parallelism=1)
        patch.setattr(credentials, "_HASHER", hasher)
        yield


@pytest.fixture(autouse=True)
def small_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Boards in mails are small: drawing one takes longer than anything else about a mail."""
    monkeypatch.setattr(message_text, "PICTURE_WIDTH", 40)


@pytest.fixture(autouse=True)
def patient_readers(monkeypatch: pytest.MonkeyPatch) -> None:
    """What visitors send may be read slowly, on a machine that has much else to do."""
    monkeypatch.setattr(parser_pool, "PATIENCE", PATIENCE)


@pytest.fixture(autouse=True)
def same_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tables of a test have the same seeds in every run, each its own."""
    seeds = (f"{number:032x}" for number in itertools.count(1))
    monkeypatch.setattr(store, "secrets", Seeds(seeds))


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
