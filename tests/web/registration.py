"""People with accounts, for tests."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
from sqlalchemy import delete, select

from kursbuch.web.accounts.models import Attempt
from kursbuch.web.notifications.models import Message
from kursbuch.web.settings import NotificationSettings, Settings
from tests.web.visitors import HTML, Browser, Server, free_port

PASSWORD = "a long enough one"


@asynccontextmanager
async def server_with_mail(folder: Path, accounts: str = "open") -> AsyncIterator[Server]:
    """A server that writes letters; the mail server it has been told of is not there, so they stay where they
    can be read."""
    post = NotificationSettings(smtp=f"smtp://127.0.0.1:{free_port()}", sender="club@example.org")
    settings = Settings(
        database=str(folder / "tables.sqlite3"), bot_processes=1, post=post, accounts=accounts
    )
    async with Server(settings) as server:
        yield server


async def submit(browser: Browser, path: str, **fields: str) -> httpx.Response:
    """Send a form, as a page without scripts does."""
    return await browser.client.post(path, data=fields, headers=HTML)


async def register(browser: Browser, name: str, email: str = "", password: str = PASSWORD) -> None:
    """Make an account."""
    answer = await submit(browser, "/register", name=name, email=email, password=password)
    assert answer.status_code == 303, answer.text


async def log_in(browser: Browser, name: str, password: str = PASSWORD) -> httpx.Response:
    """Try to log in."""
    return await submit(browser, "/login", name=name, password=password)


async def letters(server: Server, address: str) -> list[Message]:
    """The letters to an address, the oldest first."""
    async with server.app.state.tables.database.reading() as session:
        query = select(Message).where(Message.address == address).order_by(Message.id)
        return list(await session.scalars(query))


def code_in(letter: Message, path: str) -> str:
    """The code in the link of a letter."""
    found = re.search(rf"https?://127\.0\.0\.1:\d+{path}#(\S+)", letter.text)
    assert found is not None, letter.text
    return found[1]


async def forget_attempts(server: Server) -> None:
    """As if time had passed since anything was tried."""
    async with server.app.state.tables.database.writing() as session:
        await session.execute(delete(Attempt))
