"""What strangers send cannot stop the server: it is refused with a sentence, and others go on meanwhile."""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import httpx
import pytest
import pytest_asyncio

import kursbuch
from kursbuch.games.g18xx.g1835.components import standard_data as of_1835
from kursbuch.games.rocket.components import standard_data
from kursbuch.web.http.fair_scheduler import FairScheduler
from kursbuch.web.uploads import parser_pool, parsers
from kursbuch.web.uploads.parser_pool import LIMITS, UploadParserPool
from tests import bombs
from tests.web.visitors import HTML, PATIENCE, Browser, Server

pytestmark = pytest.mark.asyncio(loop_scope="module")

#: Memory the server may need beyond what it has when idle.
MOST_MORE = 2.0

TOO_MUCH = "Reading this file takes too much time or memory"

#: What `slow_record` reads for ever.
SLOW = b"for ever"

_record = parsers.record


def slow_record(content: bytes, suffix: str, data: bytes | None) -> parsers.ParsedRecord:
    """Reads records, and one of them for ever."""
    while content == SLOW:
        pass
    return _record(content, suffix, data)


def greedy_record(content: bytes, suffix: str, data: bytes | None) -> parsers.ParsedRecord:
    """Needs all memory for a record."""
    held = []
    while True:
        held.append(bytes(10_000_000))


def broken_record(content: bytes, suffix: str, data: bytes | None) -> parsers.ParsedRecord:
    """Our own fault."""
    raise LookupError("a fault")


def good() -> dict[str, tuple[str, bytes]]:
    """A record that can be read."""
    game = kursbuch.new("rocket", players=["Ada", "Ben"], seed="5")
    return {"file": ("game.txt", game.record().encode())}


def table_of(title: str, seats: int) -> dict[str, str]:
    """The fields of a form for a table."""
    fields = {"title": title, "seats": str(seats)}
    for seat in range(seats):
        fields |= {f"seat{seat}_kind": "hotseat", f"seat{seat}_name": f"P{seat}"}
    return fields


async def goes_on(other: Browser) -> None:
    """Another visitor opens a record."""
    answer = await other.client.post("/open", files=good(), headers=HTML)
    assert answer.status_code == 200, answer.text
    assert "Ada" in answer.text


def one_sentence(answer: httpx.Response, name: str) -> None:
    """An answer refuses what was sent."""
    assert 400 <= answer.status_code < 500, f"{name}: {answer.status_code} {answer.text[:500]}"
    error = answer.json()["error"]
    assert re.fullmatch(r"[A-Z][^\n]*[.!?]", error), f"{name}: {error}"
    assert "Traceback" not in error


def memory(field: str) -> int:
    """What this process, in which the server runs, has of memory, in kB."""
    found = re.search(rf"{field}:\s+(\d+) kB", Path("/proc/self/status").read_text())
    assert found is not None
    return int(found[1])


@pytest_asyncio.fixture(loop_scope="module")
async def steady(bernd: Browser) -> AsyncIterator[None]:
    """The memory of the server stays below twice what it is."""
    await goes_on(bernd)
    if not sys.platform.startswith("linux"):
        yield
        return
    Path("/proc/self/clear_refs").write_text("5")  # the most so far is forgotten
    idle = memory("VmRSS")
    yield
    assert memory("VmHWM") < MOST_MORE * idle
    await goes_on(bernd)


@pytest.mark.usefixtures("steady")
async def test_save_files(anna: Browser) -> None:
    for name, make in bombs.JAVA.items():
        answer = await anna.client.post("/open", files={"file": ("game.rails", make())})
        one_sentence(answer, name)


@pytest.mark.usefixtures("steady")
async def test_records(anna: Browser) -> None:
    for name, make in bombs.RECORDS.items():
        text = make()
        one_sentence(await anna.send("/open", text=text), name)
        wish = {"text": text, "number": 0, "players": ["me", "me", "me"], "private": True}
        one_sentence(await anna.send("/api/records", **wish), name)
    page = await anna.client.post("/open", data={"text": text}, headers=HTML)
    assert page.status_code == 422


async def test_a_record_of_ten_million_moves_is_too_large(anna: Browser) -> None:
    line = b"2. Ada passes\n"

    async def lines() -> AsyncIterator[bytes]:
        for _ in range(100):
            yield line * 100_000

    headers = {
        "content-type": "application/x-www-form-urlencoded",
        "content-length": str(len(line) * 10_000_000),
    }
    try:
        answer = await anna.client.post("/open", content=lines(), headers=headers)
    except httpx.TransportError:
        return  # the server has read enough, and closed the connection
    one_sentence(answer, "10 million moves")
    assert answer.status_code == 413


@pytest.mark.usefixtures("steady")
async def test_component_data(anna: Browser) -> None:
    for name, (title, make) in bombs.DATA.items():
        data = make()
        sent = table_of(title, 2)
        answer = await anna.client.post("/tables", data=sent, files={"data": ("x.json", data)})
        one_sentence(answer, name)
        game = kursbuch.new(title, players=["Ada", "Ben"], seed="5").record()
        text = re.sub(r"(?m)^data: .*$", f"data: {'0' * 64}", game).encode()
        files = {"file": ("game.txt", text), "data": ("x.json", data)}
        one_sentence(await anna.client.post("/open", files=files), name)


@pytest.mark.usefixtures("steady")
async def test_positions(anna: Browser) -> None:
    for name, make in bombs.POSITIONS.items():
        answer = await anna.client.post(
            "/routes/1835/import", files={"file": ("position.toml", make())}, headers=HTML
        )
        assert answer.status_code == 422, f"{name}: {answer.text[:500]}"


@pytest.mark.usefixtures("steady")
async def test_deep_json(anna: Browser) -> None:
    table = await anna.open("hotseat", "hotseat")
    deep = b"[" * 30_000 + b"]" * 30_000
    json = {"content-type": "application/json"}
    for path in (
        "/open",
        "/tables",
        f"{table}/move",
        f"/api{table.replace('/t/', '/tables/')}/move",
    ):
        for body in (deep, b'{"x": ' + deep + b"}", b'{"action": ' + deep + b', "number": 0}'):
            answer = await anna.client.post(path, content=body, headers=json)
            one_sentence(answer, path)
    one_sentence(await anna.send(f"{table}/move", action=deep.decode(), number=0), "in a text")


@pytest.fixture
def reader(server: Server, monkeypatch: pytest.MonkeyPatch) -> Iterator[UploadParserPool]:
    """Who reads at the server, by `slow_record`, without any hurry."""
    monkeypatch.setattr(parsers, "record", slow_record)
    monkeypatch.setattr(
        "kursbuch.web.tables.records.LIMITS", LIMITS._replace(seconds=1000, clock=1000)
    )
    found: UploadParserPool = server.app.state.readers
    yield found
    assert (found.busy, found.waiting) == (0, 0)


async def until(holds: Callable[[], bool]) -> None:
    """Wait for something that comes soon."""
    async with asyncio.timeout(PATIENCE):
        while not holds():
            await asyncio.sleep(0.01)


def send_slow(browser: Browser) -> asyncio.Task[httpx.Response]:
    return asyncio.create_task(browser.client.post("/open", files={"file": ("x.txt", SLOW)}))


async def test_others_go_on_meanwhile_and_who_goes_away_ends_it(
    reader: UploadParserPool, anna: Browser, bernd: Browser
) -> None:
    await goes_on(anna)  # so that the server knows who it is
    sent = [send_slow(anna) for _ in range(4)]
    await until(lambda: reader.busy == 1 and reader.waiting == 3)
    await goes_on(bernd)
    # One visitor has one process at a time.
    assert (reader.busy, reader.waiting) == (1, 3)
    assert not any(task.done() for task in sent)
    for task in sent:
        task.cancel()
    await asyncio.gather(*sent, return_exceptions=True)
    await until(lambda: reader.busy == reader.waiting == 0)
    await goes_on(anna)


@pytest.mark.skipif(sys.platform == "win32", reason="the system has no limits for processes")
@pytest.mark.usefixtures("reader")
async def test_who_needs_too_much_time_is_told_so(
    anna: Browser, visit: Callable[..., Browser], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "kursbuch.web.tables.records.LIMITS", LIMITS._replace(seconds=0.2, clock=1000)
    )
    answer = await send_slow(anna)
    one_sentence(answer, "slow")
    assert TOO_MUCH in answer.json()["error"]
    answer = await send_slow(visit("de"))
    assert "zu viel Zeit oder Speicher" in answer.json()["error"]
    monkeypatch.setattr("kursbuch.web.tables.records.LIMITS", LIMITS)
    await goes_on(anna)


@pytest.mark.usefixtures("reader")
async def test_the_answer_comes_in_time_by_the_clock(
    server: Server, anna: Browser, bernd: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    await goes_on(anna)
    with monkeypatch.context() as patch:
        patch.setattr(parser_pool, "PATIENCE", 0.2)
        answer = await send_slow(anna)
        assert answer.status_code == 422
        assert TOO_MUCH in answer.json()["error"]
        # Where too many wait already, anyone who comes now is told so at once.
        patch.setattr(server.app.state.readers, "_turns", FairScheduler(0, longest=0))
        assert (await send_slow(anna)).status_code == 503
    await goes_on(bernd)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems give memory")
async def test_who_needs_too_much_memory_is_told_so(
    anna: Browser, bernd: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(parsers, "record", greedy_record)
        answer = await anna.client.post("/open", files=good())
    one_sentence(answer, "greedy")
    assert TOO_MUCH in answer.json()["error"]
    await goes_on(bernd)


async def test_our_own_fault_is_one_sentence_too(
    anna: Browser, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(parsers, "record", broken_record)
    answer = await anna.client.post("/open", files=good())
    assert answer.status_code == 422
    assert answer.json()["error"] == "This file cannot be read."
    assert "a fault" in caplog.text


async def test_a_process_is_replaced_in_time(
    server: Server, anna: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parser_pool, "MOST_CALLS", 1)
    for _ in range(2):
        await goes_on(anna)
    assert server.app.state.readers.busy == 0


async def test_data_with_which_nothing_can_be_played(anna: Browser) -> None:
    data = dict(bombs.one_absurd(of_1835(), 10**9))[".setup.players.0.players"]
    answer = await anna.client.post(
        "/tables", data=table_of("1835", 3), files={"data": ("x.json", data)}
    )
    one_sentence(answer, "players")
    assert answer.json()["error"] == "The file does not cover a game for 3 players."
    sent = table_of("rocket", 2)
    usual = {"data": ("x.json", standard_data() + b" ")}
    answer = await anna.client.post("/tables", data=sent, files=usual, headers=HTML)
    assert answer.status_code == 303, answer.text
