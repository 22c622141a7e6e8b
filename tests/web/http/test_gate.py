"""What a request has to pass: the name it came to, how much was asked, how long it took; what answers tell
browsers."""

from __future__ import annotations

import asyncio
import os
import secrets
import stat
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
import uvicorn

from kursbuch.web.app import create_app
from kursbuch.web.http import overload, rate_limits
from kursbuch.web.http.rate_limits import Limiter, OwnCounts, SharedCounts, limits_of
from kursbuch.web.settings import Settings
from tests.web.visitors import HTML, Browser, Server, free_port, seen

pytestmark = pytest.mark.asyncio(loop_scope="module")


@asynccontextmanager
async def served(folder: Path, **chosen: Any) -> AsyncIterator[Server]:
    """A server with settings of its own."""
    settings = Settings(database=str(folder / "tables.sqlite3"), bot_processes=1, **chosen)
    async with Server(settings) as running:
        yield running


@asynccontextmanager
async def listening(folder: Path) -> AsyncIterator[int]:
    """The port of a server with connections as `kursbuch serve` has them."""
    port = free_port()
    server = uvicorn.Server(
        uvicorn.Config(
            create_app(Settings(database=str(folder / "tables.sqlite3"), bot_processes=1)),
            port=port,
            http=overload.Connection,
            log_level="error",
            timeout_graceful_shutdown=1,
        )
    )
    task = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.01)
    try:
        yield port
    finally:
        server.should_exit = True
        await task


async def test_only_names_nobody_else_can_have_are_answered(server: Server, anna: Browser) -> None:
    async def status(host: str, **headers: str) -> int:
        return (await anna.client.get("/api/titles", headers={"host": host, **headers})).status_code

    for host in ("localhost:8000", "192.168.1.5", "[::1]:80", "kitchen", "kitchen.local:81"):
        assert await status(host) == 200, host
    for host in ("evil.example", "localhost.evil.example", "127.0.0.1.evil.example", ""):
        assert await status(host) == 421, host
    # A page whose name was made to point here can say so itself.
    assert await status("evil.example", **{"x-forwarded-proto": "https"}) == 421
    answer = await anna.client.post(
        "/api/tables", json={"title": "rocket", "seats": []}, headers={"host": "evil.example"}
    )
    assert answer.status_code == 421
    assert "evil.example" in answer.json()["error"]
    assert (await anna.client.get("/health", headers={"host": "evil.example"})).text == "ok"


async def test_what_is_not_found_passes_the_gate_as_well(
    server: Server, anna: Browser, bernd: Browser
) -> None:
    foreign = {"host": "evil.example"}
    for method, path in (
        ("GET", "/nope"),
        ("HEAD", "/nope"),
        ("POST", "/nope"),
        ("OPTIONS", "/nope"),
        ("DELETE", "/api/titles"),
        ("GET", "/t/%00"),
        ("GET", "/t/nothere?x=%00"),
    ):
        answer = await anna.client.request(method, path)
        assert answer.status_code == (405 if method == "DELETE" else 404), (method, path)
        answer = await anna.client.request(method, path, headers=foreign)
        assert answer.status_code == 421, (method, path)
    answer = await anna.client.delete("/api/titles", headers=foreign)
    assert set(answer.json()) == {"error", "rule", "rule_name"}
    assert "evil.example" in answer.json()["error"]
    assert "allow" not in answer.headers
    page = await bernd.client.get("/nope", headers={**HTML, **foreign})
    assert page.status_code == 421
    assert "evil.example" in page.text
    assert page.text.startswith("<!doctype html>")


async def test_too_much_that_is_not_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limits, "clock", lambda: 1e9)
    async with served(tmp_path, limits="public cheap=2 doing=2") as server:

        async def answer(method: str, path: str, **headers: str) -> httpx.Response:
            """What someone without a cookie is told, from one address."""
            headers = {"x-forwarded-for": "203.0.113.7", **headers}
            async with httpx.AsyncClient(base_url=server.url, headers=headers) as client:
                return await client.request(method, path)

        # Looking for what is there counts once, and together with what is not.
        for path in ("/api/titles",) * 4 + ("/nope", "/api/nope") * 3:
            assert (await answer("GET", path)).status_code in (200, 404), path
        for method in ("GET", "HEAD", "OPTIONS"):
            for path in ("/api/titles", "/nope", "/t/%00"):
                assert (await answer(method, path)).status_code == 429, (method, path)
        for path in ("/api/titles", "/nope") * 5:
            assert (await answer("DELETE", path)).status_code in (404, 405), path
        refused = await answer("DELETE", "/api/titles")
        assert refused.status_code == 429
        assert 1 <= int(refused.headers["retry-after"]) <= 60
        assert set(refused.json()) == {"error", "rule", "rule_name"}
        assert refused.json()["error"].startswith("Too many requests")
        page = await answer("GET", "/nope", **HTML)
        assert page.status_code == 429
        assert "Too many requests" in page.text
        # Others are not concerned, nor is whether the server is well.
        assert (
            await answer("GET", "/nope", **{"x-forwarded-for": "203.0.113.8"})
        ).status_code == 404
        assert (await answer("GET", "/health")).text == "ok"
        # Who has a cookie is counted by that, too.
        anna = Browser(server.url)
        found = [(await anna.client.get("/nope")).status_code for _ in range(4)]
        assert found == [404] * 3 + [429]
        await anna.client.aclose()


async def test_too_many_wrong_tokens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They count by the address, and not as one visitor; a foreign name is told first."""
    monkeypatch.setattr(rate_limits, "clock", lambda: 1e9)
    async with served(tmp_path, limits="public cheap=1") as server:
        token = {"authorization": "Bearer nonsense"}
        for client in ("203.0.113.7", "203.0.113.8"):
            headers = {**token, "x-forwarded-for": client}
            async with httpx.AsyncClient(base_url=server.url, headers=headers) as one:
                found = [(await one.get("/api/tables/aaaaaaaaaa")).status_code for _ in range(7)]
            assert found == [401] * 5 + [429] * 2
        headers = {**token, "host": "evil.example"}
        async with httpx.AsyncClient(base_url=server.url, headers=headers) as one:
            assert (await one.get("/api/tables/aaaaaaaaaa")).status_code == 421


async def test_behind_a_proxy_a_certificate_proves_a_name(tmp_path: Path) -> None:
    async with (
        served(tmp_path, address="https://games.example") as server,
        httpx.AsyncClient(base_url=server.url) as client,
    ):
        for host, proto, status in (
            ("games.example", "https", 200),
            ("www.games.example", "https", 200),
            ("www.games.example", "http", 421),
        ):
            headers = {"host": host, "x-forwarded-proto": proto}
            answer = await client.get("/api/titles", headers=headers)
            assert answer.status_code == status, (host, proto)


async def test_the_names_can_be_set(tmp_path: Path) -> None:
    async with (
        served(tmp_path, hosts="games.example, .club.example") as server,
        httpx.AsyncClient(base_url=server.url) as client,
    ):
        for host, status in (
            ("games.example", 200),
            ("a.club.example:8443", 200),
            ("localhost", 200),
            ("kitchen.local", 421),
            ("xgames.example", 421),
        ):
            answer = await client.get("/api/titles", headers={"host": host})
            assert answer.status_code == status, host


async def test_head_and_options(server: Server, anna: Browser) -> None:
    table = await anna.open("me Anna", "hotseat Bernd")
    for path in ("/", table, f"{table}/events", f"/api/tables/{table[3:]}", "/health"):
        answer = await anna.client.head(path, headers=HTML)
        assert (answer.status_code, answer.content) == (200, b""), path
    assert (await anna.client.head("/t/nothere")).status_code == 404
    answer = await anna.client.options(f"/api/tables/{table[3:]}")
    assert (answer.status_code, answer.headers["allow"]) == (204, "GET, HEAD, OPTIONS")
    answer = await anna.client.options("/api/tables")
    assert answer.headers["allow"] == "GET, HEAD, OPTIONS, POST"
    for answer in (
        await anna.client.delete("/api/tables"),
        await anna.client.head(f"{table}/move"),
    ):
        assert answer.status_code == 405
    assert (await anna.client.delete("/api/tables")).headers["allow"] == "GET, HEAD, OPTIONS, POST"


async def test_tls_is_kept_to(anna: Browser) -> None:
    secure = {"x-forwarded-proto": "https"}
    assert "strict-transport-security" not in (await anna.client.get("/")).headers
    answer = await anna.client.get("/", headers=secure)
    assert answer.headers["strict-transport-security"].startswith("max-age=")
    assert "Secure" in answer.headers.get("set-cookie", "Secure")


async def test_too_many_requests(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limits, "clock", lambda: 1e9)
    async with served(tmp_path, limits="public doing=3 tables=2 streams=1") as server:
        anna, bernd = Browser(server.url), Browser(server.url)
        await anna.page("/")
        await bernd.page("/")
        table = await anna.open("me Anna", "hotseat Bernd")
        await anna.open("me Anna", "hotseat Bernd")
        answer = await anna.send("/api/tables", title="rocket", seats=[], pace=0)
        assert answer.status_code == 429
        assert 1 <= int(answer.headers["retry-after"]) <= 3600
        assert answer.json()["error"].startswith("Too many requests")
        game = await anna.game(table)
        answers = [
            await anna.send(f"{table}/move", **seen(game), action={"action": "nothing"})
            for _ in range(4)
        ]
        assert [answer.status_code == 429 for answer in answers] == [False] * 3 + [True]
        # Others are not concerned, and looking on is another matter.
        assert (await bernd.send(f"{table}/move", action={})).status_code != 429
        assert (await anna.game(table))["number"] == 0
        # One stream at a time.
        async with anna.client.stream("GET", f"{table}/events") as first:
            assert first.status_code == 200
            lines = first.aiter_lines()
            await anext(lines)
            assert (await anna.client.get(f"{table}/events")).status_code == 429
            async with bernd.client.stream("GET", f"{table}/events") as other:
                assert other.status_code == 200
        # When it is over, there may be another one.
        async with asyncio.timeout(30):
            while True:
                async with anna.client.stream("GET", f"{table}/events") as again:
                    if again.status_code == 200:
                        break
                await asyncio.sleep(0.1)
        for browser in (anna, bernd):
            await browser.client.aclose()


async def test_too_many_attempts_to_come_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rate_limits, "clock", lambda: 1e9)
    async with served(tmp_path, limits="public login=2") as server:
        anna, bernd = Browser(server.url), Browser(server.url)
        for browser in (anna, bernd):
            await browser.page("/")
        ways = ("/login", "/register", "/login/letter", "/login/code", "/login/reset")
        for path in ways[:2]:
            assert (await anna.client.post(path, data={}, headers=HTML)).status_code < 429, path
        for path in ways:
            answer = await anna.client.post(path, data={}, headers=HTML)
            assert answer.status_code == 429, path
            assert 1 <= int(answer.headers["retry-after"]) <= 600
        # Everything else goes on, and so do others.
        await anna.open("me Anna", "hotseat Bernd")
        assert (await bernd.client.post("/login", data={}, headers=HTML)).status_code < 429
        for browser in (anna, bernd):
            await browser.client.aclose()


async def test_too_many_streams_in_all(tmp_path: Path) -> None:
    async with served(tmp_path, limits="public all_streams=1") as server:
        anna, bernd = Browser(server.url), Browser(server.url)
        table = await anna.open("me Anna", "hotseat Bernd")
        async with anna.client.stream("GET", f"{table}/events") as first:
            lines = first.aiter_lines()
            await anext(lines)
            answer = await bernd.client.get(f"{table}/events")
            assert answer.status_code == 503
            assert int(answer.headers["retry-after"]) > 0
            assert "Too many spectators" in answer.text
            assert "Anna" in await bernd.page(table)
        for browser in (anna, bernd):
            await browser.client.aclose()


async def test_one_address_opens_only_so_many_connections(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(overload, "MOST_OPEN", 3)
    monkeypatch.setattr("kursbuch.web.http.overload.address_of", lambda host: host)
    async with listening(tmp_path) as port:

        async def begin() -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
            """Half a request."""
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(b"GET /health HTTP/1.1\r\n")
            return reader, writer

        async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
            """What comes for the rest of it; nothing where the connection has been cut off."""
            try:
                writer.write(b"Host: localhost\r\nConnection: close\r\n\r\n")
                async with asyncio.timeout(30):
                    return await reader.read()
            except ConnectionError:
                return b""

        held = [await begin() for _ in range(3)]
        assert await answer(*await begin()) == b""
        for one in held:
            assert (await answer(*one)).endswith(b"ok")
        # There is room again.
        while not (await answer(*await begin())).endswith(b"ok"):
            await asyncio.sleep(0.05)


async def test_those_without_a_cookie_are_counted_by_address(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rate_limits, "clock", lambda: 1e9)
    async with served(tmp_path, limits="public tables=1") as server:
        body = {"title": "rocket", "seats": [{"kind": "open"}] * 2}

        async def opened(address: str) -> int:
            headers = {"x-forwarded-for": address}
            async with httpx.AsyncClient(base_url=server.url, headers=headers) as client:
                return (await client.post("/api/tables", json=body)).status_code

        # What a client says itself stands before what the proxy adds, and is not believed.
        found = [await opened(f"198.51.100.{n}, 203.0.113.7") for n in range(7)]
        assert found == [201] * 5 + [429] * 2
        assert await opened("203.0.113.8") == 201


async def test_counts_are_shared_and_go_on_without_redis(
    redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    prefix = secrets.token_hex(4)
    first, second = (SharedCounts(redis_url, prefix) for _ in range(2))
    assert await first.add(["a", "b"], 3600) == [1, 1]
    assert await second.add(["a"], 3600) == [2]
    away = SharedCounts("redis://127.0.0.1:1/0", "gate")
    assert [await away.add(["a"], 3600) for _ in range(3)] == [[1], [2], [3]]
    for counts in (first, second, away):
        await counts.close()
    own = OwnCounts()
    monkeypatch.setattr(rate_limits, "clock", lambda: 1000.0)
    assert [await own.add(["a"], 60) for _ in range(2)] == [[1], [2]]
    monkeypatch.setattr(rate_limits, "clock", lambda: 1100.0)
    assert await own.add(["a"], 60) == [1]
    limiter = Limiter(limits_of("off"))
    for _ in range(100):
        await limiter.check("tables", "anna", "203.0.113.7")


async def test_whoever_does_not_say_what_is_wanted_is_disconnected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(overload, "HEAD_TIME", 0.5)
    monkeypatch.setattr(overload, "BODY_TIME", 0.5)
    async with listening(tmp_path) as port:
        await say_nothing(port)


async def say_nothing(port: int) -> None:
    head = b"GET /api/titles HTTP/1.1\r\nHost: localhost\r\n"
    post = b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n\r\n{"
    for sent in (b"", head, post, head + b"\r\n" + head):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(sent)
        # Nothing more comes; without the limit this would wait for ever.
        async with asyncio.timeout(30):
            try:
                while await reader.read(65536):
                    pass
            except ConnectionError:
                pass
        writer.close()
    # A stream may stay open as long as it likes.
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}") as client:
        seats = [{"kind": "me", "name": "Anna"}, {"kind": "hotseat", "name": "Bernd"}]
        opened = await client.post("/api/tables", json={"title": "rocket", "seats": seats})
        async with client.stream("GET", f"{opened.json()['url']}/events") as stream:
            lines = stream.aiter_lines()
            await anext(lines)
            await asyncio.sleep(0.8)
            await client.post(f"{opened.json()['url']}/chat", json={"text": "Hello"})
            async with asyncio.timeout(30):
                while "version" not in await anext(lines):
                    pass


@pytest.mark.skipif(os.name == "nt", reason="rights are not bits there")
async def test_nobody_else_reads_the_database(tmp_path: Path) -> None:
    file = tmp_path / "tables.sqlite3"
    file.touch(0o644)
    os.chmod(file, 0o644)
    async with served(tmp_path) as server, httpx.AsyncClient(base_url=server.url) as client:
        await client.post("/api/tables", json={"title": "rocket", "seats": [{"kind": "open"}] * 2})
        found = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.glob("tables*")}
    assert found.pop("tables.sqlite3") == 0o600
    assert found.keys() == {"tables.sqlite3-wal", "tables.sqlite3-shm"}
    assert set(found.values()) == {0o600}
