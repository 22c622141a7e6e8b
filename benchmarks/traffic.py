"""Lightweight browsers: the requests of a page without rendering, to spare the shared machine."""

from __future__ import annotations

import asyncio
import json
import time
import zlib
from contextlib import suppress
from typing import Any

from kursbuch.web.http.security import COOKIE, Signer
from kursbuch.web.live.fragments import FORM

#: Signing key of the browsers' cookies.
SECRET = "the secret of the benchmarks"

#: Timeout in seconds.
PATIENCE = 60.0

#: Seconds after which an idle connection is reopened.
QUIET = 3.0


class Line:
    """A connection for consecutive requests."""

    def __init__(self, port: int, visitor: str) -> None:
        self.port = port
        self.head = (
            f"host: 127.0.0.1:{port}\r\naccept-encoding: gzip\r\naccept-language: en\r\n"
            f"cookie: {COOKIE}={Signer([SECRET]).write(visitor)}\r\n"
        )
        self._lock = asyncio.Lock()
        self._used = 0.0
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(
        self, method: str, path: str, body: bytes = b"", more: str = ""
    ) -> tuple[int, dict[str, str], bytes]:
        """Status, headers and body of the response."""
        kind = "content-type: application/json\r\n" if body else ""
        request = f"{method} {path} HTTP/1.1\r\n{self.head}{more}{kind}content-length: {len(body)}\r\n\r\n"
        async with self._lock, asyncio.timeout(PATIENCE):
            # The server closes idle connections.
            if time.perf_counter() - self._used > QUIET:
                self.close()
            if self._streams is None:
                self._streams = await asyncio.open_connection("127.0.0.1", self.port, limit=2**22)
            reader, writer = self._streams
            try:
                writer.write(request.encode() + body)
                return await _answer(reader)
            except (OSError, asyncio.IncompleteReadError):
                self.close()
                raise
            finally:
                self._used = time.perf_counter()

    def close(self) -> None:
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None


async def _answer(reader: asyncio.StreamReader) -> tuple[int, dict[str, str], bytes]:
    lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    status = int(lines[0].split()[1])
    headers = {
        name.lower(): value for name, _, value in (line.partition(": ") for line in lines[1:])
    }
    body = b""
    if headers.get("transfer-encoding") == "chunked":
        while size := int(await reader.readline(), 16):
            body += await reader.readexactly(size)
            await reader.readline()
        await reader.readline()
    elif "content-length" in headers:
        body = await reader.readexactly(int(headers["content-length"]))
    return status, headers, body


def unpacked(headers: dict[str, str], body: bytes) -> bytes:
    """Decompress a response body."""
    packed = headers.get("content-encoding") == "gzip" and body
    return zlib.decompress(body, zlib.MAX_WBITS | 16) if packed else body


class Page:
    """A table in a browser: it listens for events, shows pushed updates, and reloads the fragment if only told of a
    change. `form` is the format of updates that the server knows."""

    def __init__(self, port: int, visitor: str, table: str, form: int = FORM) -> None:
        self.form = form
        self.line = Line(port, visitor)
        self.table = table
        self.number = -1
        self.version = -1
        self.board = ""
        self.tag = ""
        self.bytes = 0
        self.loads = 0
        self.failures = 0
        #: Time when each move was shown.
        self.shown: dict[int, float] = {}
        self._news = asyncio.Event()
        self._task = asyncio.create_task(self._listen())

    async def _listen(self) -> None:
        while True:
            with suppress(OSError, asyncio.IncompleteReadError, TimeoutError, ValueError):
                await self._stream()
            self.failures += 1
            await asyncio.sleep(0.5)

    async def _stream(self) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.line.port)
        try:
            path = f"{self.table}/events?push={self.form}&board={self.board}"
            writer.write(f"GET {path} HTTP/1.1\r\n{self.line.head}\r\n".encode())
            head = await reader.readuntil(b"\r\n\r\n")
            if b" 200 " not in head.split(b"\r\n", 1)[0]:
                raise OSError(head.split(b"\r\n", 1)[0].decode())
            packed = b"content-encoding: gzip" in head.lower()
            press = zlib.decompressobj(zlib.MAX_WBITS | 16)
            read = b""
            while size := int(await reader.readline(), 16):
                chunk = await reader.readexactly(size + 2)
                read += press.decompress(chunk[:-2]) if packed else chunk[:-2]
                *events, read = read.split(b"\r\n\r\n")
                for event in events:
                    await self._heard(event, size)
        finally:
            writer.close()

    async def _heard(self, event: bytes, size: int) -> None:
        lines = event.split(b"\r\n")
        data = next((line[6:] for line in lines if line.startswith(b"data: ")), b"")
        if b"event: changed" in lines:
            told = json.loads(data)
            if told["version"] > self.version:
                await self._load(told)
        elif b"event: page" in lines:
            # The first two fields are enough; parsing everything would cost more than sending it.
            version, number = (int(part.partition(b":")[2]) for part in data.split(b",", 2)[:2])
            self.bytes += size
            self._shows(version, number)

    async def _load(self, data: dict[str, Any]) -> None:
        board = f"?board={self.board}" if self.board else ""
        more = f"if-none-match: {self.tag}\r\n" if self.tag else ""
        path = f"{self.table}/live{board}"
        while True:
            status, headers, body = await self.line.ask("GET", path, more=more)
            if status != 503:
                break
            self.failures += 1
            await asyncio.sleep(float(headers["retry-after"]))
        if status not in (200, 304):
            self.failures += 1
            return
        self.tag = headers.get("etag", "")
        self._stamp(headers, body)
        self.bytes += len(body)
        self._shows(data["version"], data["number"])

    def _shows(self, version: int, number: int) -> None:
        self.loads += 1
        self.version, self.number = version, number
        self.shown[number] = time.perf_counter()
        self._news.set()

    def _stamp(self, headers: dict[str, str], body: bytes) -> None:
        """Note the drawing of the page."""
        found = unpacked(headers, body).partition(b'data-board="')[2][:18]
        if found:
            self.board = found.decode()

    async def until(self, number: int) -> None:
        """Wait until the page shows a move."""
        async with asyncio.timeout(PATIENCE):
            while self.number < number:
                self._news.clear()
                await self._news.wait()

    async def close(self) -> None:
        self._task.cancel()
        with suppress(asyncio.CancelledError):
            await self._task
        self.line.close()
