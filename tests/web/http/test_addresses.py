"""Addresses that no one has in mind: whatever is asked for, no answer is a failure of the server."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterator, Sequence
from pathlib import Path

import httpx
import pytest
import pytest_asyncio
from litestar.routes import BaseRoute

from kursbuch.web.http import rate_limits
from kursbuch.web.settings import Settings
from tests.web.visitors import HTML, Browser, Server

pytestmark = pytest.mark.asyncio(loop_scope="module")

#: Parts of addresses as they are sent.
PARTS = (
    "%00",
    "a%00b",
    "%0a",
    "%7f",
    "a" * 255,
    "a" * 256,
    "a" * 5000,
    "%F0%9F%9A%82" * 64,
    ".",
    "..",
    "...",
    "%2e%2e",
    "%2f",
    "..%2f..%2fetc%2fpasswd",
    "%5c..%5c",
    "%ff%fe",
    "%c0%af",
    "%ed%a0%80",
    "%zz",
    "%",
    "%u0000",
    "C:",
    "con",
    "a:b",
    "*?<>|",
    "~",
    "0",
    "-1",
    "9" * 400,
    "9" * 5000,
    "%D9%A3",
    "1e999",
    "NaN",
    "a/" * 3000,
    "/" * 3000,
    "../" * 300,
)

#: What stands after the question mark.
QUERIES = (
    "%00",
    "x=%00",
    "=",
    "&&&",
    "&".join(f"a{n}" for n in range(2000)),
    "lang=%ed%a0%80",
    "lang=" + "de" * 5000,
    "{}=%ff%fe",
    "{}=%ed%a0%80",
    "{}=%00",
    "{}=-1",
    "{}=" + "9" * 5000,
    "{}=9223372036854775808",
    "{}=NaN",
    "{}=1e999",
    "{}=%D9%A3",
    "{}=..%2f",
    "{}=%0d%0ax:y",
    "{}=[]&{}={}",
    "{}=" + "%F0%9F%9A%82" * 400,
)

METHODS = ("GET", "HEAD", "POST", "OPTIONS", "PUT", "TRACE", "ODD")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def server(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Server]:
    """A server that stops no one, so that every address is really asked for."""
    file = tmp_path_factory.mktemp("odd") / "tables.sqlite3"
    async with Server(Settings(database=str(file), bot_processes=1, limits="off")) as running:
        yield running


def templates(routes: Sequence[BaseRoute]) -> Iterator[tuple[str, set[str]]]:
    """All addresses of an application and their methods."""
    for route in routes:
        yield route.path, set(getattr(route, "methods", METHODS))


async def status(
    client: httpx.AsyncClient, method: str, target: str, headers: dict[str, str] | None = None
) -> int:
    """What is answered to exactly that address; streams are not listened to."""
    body = b"{" if method in ("POST", "PUT") else None
    async with client.stream(
        method, "/", headers=headers, content=body, extensions={"target": target.encode()}
    ) as answer:
        return answer.status_code


def filled(template: str, part: str) -> str:
    return re.sub(r"\{[^}]*\}", lambda _: part, template)


async def test_no_odd_part_of_any_address_is_a_failure(
    server: Server, anna: Browser, caplog: pytest.LogCaptureFixture
) -> None:
    failed = []
    for place, (template, methods) in enumerate(templates(server.app.routes)):
        # Every part is tried on many addresses, and every address with several parts.
        few = PARTS[place % 9 :: 9]
        for method in sorted(methods - {"OPTIONS", "HEAD"}):
            for part in PARTS[place % 3 :: 3] if "{" in template and method == "GET" else few:
                address = filled(template, part) if "{" in template else f"{template}/{part}"
                found = await status(anna.client, method, address)
                if found >= 500:
                    failed.append((found, method, address[:60]))
    assert failed == []
    assert "Traceback" not in caplog.text


async def test_no_odd_query_of_any_address_is_a_failure(server: Server, anna: Browser) -> None:
    table = (await anna.open("me Anna", "hotseat Bernd"))[3:]
    known = {"table_id": table, "title": "rocket", "seat": "0", "number": "1", "name": "Anna"}
    names = ("at", "seat", "seats", "number", "log", "lang", "next", "from", "board", "q", "title")
    failed = []
    for template, methods in templates(server.app.routes):
        if "GET" not in methods:
            continue
        address = re.sub(
            r"\{(\w+):[^}]*\}", lambda found: known.get(found[1], "icon.svg"), template
        )
        for query in QUERIES:
            asked = "&".join(query.replace("{}", name) for name in names)
            found = await status(anna.client, "GET", f"{address}?{asked}", HTML)
            if found >= 500:
                failed.append((found, address, query[:60]))
    assert failed == []


async def test_no_method_is_a_failure(server: Server, anna: Browser) -> None:
    for template, _ in templates(server.app.routes):
        for method in METHODS:
            found = await status(anna.client, method, filled(template, "x"))
            assert found < 500, (method, template)


async def test_what_cannot_be_a_file_is_not_there(
    server: Server, anna: Browser, caplog: pytest.LogCaptureFixture
) -> None:
    for path in ("%00", "a" * 300, "a/" * 3000, "icon.svg/x", "dist", "..", "%2e%2e/app.py"):
        assert await status(anna.client, "GET", f"/static/{path}") == 404, path
    assert await status(anna.client, "GET", "/static/icon.svg") == 200
    assert not caplog.records


async def test_the_sentence_is_the_one_for_what_is_not_there(anna: Browser) -> None:
    page = await anna.client.get("/static/%00", headers=HTML)
    assert page.status_code == 404
    assert "This page does not exist." in page.text
    answer = await anna.client.get("/api/" + "a" * 300, headers=HTML)
    assert answer.status_code == 404
    assert answer.json() == {"error": "This page does not exist.", "rule": "", "rule_name": ""}


async def test_files_that_are_not_there_are_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rate_limits, "clock", lambda: 1e9)
    settings = Settings(
        database=str(tmp_path / "tables.sqlite3"), bot_processes=1, limits="public cheap=2"
    )
    async with (
        Server(settings) as server,
        httpx.AsyncClient(
            base_url=server.url, headers={"x-forwarded-for": "203.0.113.7"}
        ) as client,
    ):
        odd = ["/static/%00", "/static/" + "a" * 300, "/static/" + "a/" * 3000, "/static/nope"]
        found = []
        for path in odd * 3:
            client.cookies.clear()  # without one the address counts
            found.append(await status(client, "GET", path))
        assert found == [404] * 10 + [429] * 2
        foreign = {"host": "evil.example"}
        assert await status(client, "GET", "/static/nope", foreign) == 421
        # What is there is for everybody, however often.
        assert await status(client, "GET", "/static/icon.svg", foreign) == 200
        assert await status(client, "GET", "/health") == 200
