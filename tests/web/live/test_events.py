"""Live updates by server-sent events."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest
from litestar.channels import ChannelsPlugin
from litestar.channels.backends.memory import MemoryChannelsBackend
from sqlalchemy import Executable

from kursbuch.web.db.models import Premove
from kursbuch.web.http.errors import Unavailable
from kursbuch.web.live import streams
from kursbuch.web.live.presence import Presence
from kursbuch.web.live.streams import Announcement, Live
from kursbuch.web.tables.store import TableStore
from tests.web.visitors import PATIENCE, Browser, Server, choose, seated

pytestmark = pytest.mark.asyncio(loop_scope="module")

Visit = Callable[..., Browser]


class Listener:
    """A browser that keeps its connection open."""

    def __init__(self, browser: Browser, table: str) -> None:
        self.seen: list[dict[str, Any]] = []
        self._arrived = asyncio.Event()
        self._task = asyncio.create_task(self._listen(browser, table))

    async def _listen(self, browser: Browser, table: str) -> None:
        async for event in browser.events(table):
            self.seen.append(event)
            self._arrived.set()

    async def until(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The first event of which something holds."""
        async with asyncio.timeout(PATIENCE):
            while True:
                for event in self.seen:
                    if wanted(event):
                        return event
                self._arrived.clear()
                await self._arrived.wait()

    async def ended(self) -> None:
        """Wait until the server ends it."""
        await self._task

    async def stop(self) -> None:
        """Lose the connection."""
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)


async def test_everybody_hears_of_a_move(visit: Visit) -> None:
    anna, bernd, watcher = visit(), visit(), visit()
    table = await anna.open("me Anna", "open")
    people = (anna, bernd, watcher)
    listeners = [Listener(person, table) for person in people]
    for listener in listeners:
        first = await listener.until(lambda event: True)
        assert first["number"] == 0
        assert first["id"] == first["version"]
    await seated(table, bernd)
    games = [await person.game(table) for person in (anna, bernd)]
    mover = 0 if games[0]["choices"] else 1
    for seat, listener in enumerate(listeners):
        event = await listener.until(lambda event: event["version"] >= games[0]["version"])
        assert event["turn"] is (seat == mover)
    for _ in range(2):
        game = await people[mover].game(table)
        await people[mover].move(table, choose(game, "take-token"))
    for seat, listener in enumerate(listeners):
        event = await listener.until(lambda event: event["number"] == 2)
        assert event["turn"] is (seat == 1 - mover)
        versions = [event["version"] for event in listener.seen]
        assert versions == sorted(set(versions))
        await listener.stop()


async def test_a_lost_connection_misses_nothing(visit: Visit) -> None:
    anna, watcher = visit(), visit()
    table = await anna.open("me Anna", "hotseat Bernd")
    listener = Listener(watcher, table)
    await listener.until(lambda event: True)
    await listener.stop()
    for _ in range(3):
        await anna.move(table)
    version = (await anna.game(table))["version"]
    again = Listener(watcher, table)
    event = await again.until(lambda event: True)
    assert (event["version"], event["number"]) == (version, 3)
    await anna.move(table)
    await again.until(lambda event: event["number"] == 4)
    await again.stop()


async def test_chat_joining_and_taking_back_are_heard_of(visit: Visit) -> None:
    anna, bernd = visit(), visit()
    table = await anna.open("me Anna", "open", undo="free")
    listener = Listener(bernd, table)
    known = (await listener.until(lambda event: True))["version"]
    for path, fields in (
        ("chat", {"text": "Hello"}),
        ("rename", {"seat": 0, "name": "Annette"}),
    ):
        await anna.done(f"{table}/{path}", **fields)
        known = (await listener.until(partial(_is_newer, known)))["version"]
    await listener.stop()


def _is_newer(known: int, event: dict[str, Any]) -> bool:
    return bool(event["version"] > known)


async def test_lost_announcements_are_made_up_for(
    server: Server, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, watcher = visit(), visit()
    table = await anna.open("me Anna", "hotseat Bernd")
    monkeypatch.setattr(streams, "HEARTBEAT", 0.2)
    listener = Listener(watcher, table)
    await listener.until(lambda event: True)
    monkeypatch.setattr(server.app.state.tables, "listeners", [])
    await anna.move(table)
    await listener.until(lambda event: event["number"] == 1)
    await listener.stop()


async def test_a_quiet_connection_has_a_heartbeat(
    visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna = visit()
    table = await anna.open("me Anna", "hotseat Bernd")
    monkeypatch.setattr(streams, "HEARTBEAT", 0.1)
    async with anna.client.stream("GET", f"{table}/events") as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        assert "content-encoding" not in answer.headers
        async for line in answer.aiter_lines():
            if line == "event: quiet":
                break


async def test_subscriptions_end_with_the_connection(visit: Visit) -> None:
    anna = visit()
    table = await anna.open("me Anna", "hotseat Bernd")
    before = len(asyncio.all_tasks())
    listeners = [Listener(anna, table) for _ in range(5)]
    for listener in listeners:
        await listener.until(lambda event: True)
    for listener in listeners:
        await listener.stop()
    async with asyncio.timeout(PATIENCE):
        while len(asyncio.all_tasks()) > before:
            await asyncio.sleep(0.05)


async def test_streams_of_a_table_share_what_another_server_announces() -> None:
    plugin = ChannelsPlugin(backend=MemoryChannelsBackend(), arbitrary_channels_allowed=True)
    table: Any = SimpleNamespace(id="t")
    heard: list[set[bytes]] = [set(), set()]

    async def look() -> Announcement:
        return Announcement(1, 0, ())

    async def until(holds: Callable[[], bool]) -> None:
        async with asyncio.timeout(PATIENCE):
            while not holds():
                await asyncio.sleep(0.01)

    async with plugin:
        here, there = (Live(Presence(), plugin) for _ in range(2))

        async def listen(number: int) -> None:
            async for event in here.events("t", f"{number}", look):
                heard[number].add(event.data)

        listening = [asyncio.create_task(listen(number)) for number in range(2)]
        subscribers = plugin._channels.setdefault("kursbuch-table-t", set())
        await until(lambda: bool(subscribers) and all(heard))
        assert len(subscribers) == 1
        await there.on_change(table, Announcement(2, 1, ()))
        await until(lambda: all(any(b'"version":2' in one for one in each) for each in heard))
        for task in listening:
            task.cancel()
        await asyncio.gather(*listening, return_exceptions=True)
        await until(lambda: not subscribers)


async def test_who_looks_on_is_told_and_never_announced(
    visit: Visit, monkeypatch: pytest.MonkeyPatch, server: Server
) -> None:
    anna, bernd = visit(), visit()
    table = await anna.open("me Anna", "open")
    await seated(table, bernd)
    presence = server.app.state.presence
    clock = 1000.0
    monkeypatch.setattr(presence, "_clock", lambda: clock)
    presence._seen.clear()
    version = (await bernd.game(table))["version"]
    told: list[tuple[int, ...]] = []

    async def listen() -> None:
        async for event in bernd.stream(table):
            if event["event"] == "present":
                told.append(tuple(event["data"]["seats"]))

    async def until(seats: tuple[int, ...]) -> None:
        async with asyncio.timeout(PATIENCE):
            while told[-1:] != [seats]:
                await asyncio.sleep(0.02)

    task = asyncio.create_task(listen())
    await until((1,))
    assert _away(await bernd.page(table), 0)
    listener = Listener(anna, table)
    await until((0, 1))
    assert not _away(await bernd.page(table), 0)
    # Coming and looking is no change of the table, however often it happens.
    announced: list[object] = []

    async def note(table: object, announcement: object) -> None:
        announced.append(announcement)

    server.app.state.tables.listeners.append(note)
    await listener.stop()
    clock += 100
    again = [Listener(person, table) for person in (anna, anna, bernd, visit(), visit())]
    for one in again:
        assert (await one.until(lambda event: True))["version"] == version
    assert not announced
    server.app.state.tables.listeners.remove(note)
    # Anyone who has not been heard of for a while is away.
    for one in again:
        await one.stop()
    clock += 100
    presence.touch(table[3:], (await _owner(server, table, 1)))
    assert _away(await bernd.page(table), 0)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


async def _owner(server: Server, table: str, seat: int) -> str:
    snapshot = await server.app.state.tables.load(table[3:])
    return str(snapshot.seats[seat].owner)


def _away(page: str, seat: int) -> bool:
    mark = page.split(f'data-away="{seat}"')[1].split("</span>")[0]
    return mark == ">away"


async def test_streams_outlive_a_database_that_does_not_answer(
    visit: Visit, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna = visit()
    table = await anna.open("me Anna", "hotseat Bernd")
    monkeypatch.setattr(streams, "HEARTBEAT", 0.05)
    monkeypatch.setattr(streams, "SECOND_LOOK", 0.05)
    listener = Listener(anna, table)
    await listener.until(lambda event: True)
    looked = []
    with monkeypatch.context() as patched:

        async def gone(table_id: str) -> None:
            looked.append(table_id)
            raise Unavailable("gone")

        patched.setattr(server.app.state.tables, "look", gone)
        async with asyncio.timeout(PATIENCE):
            while len(looked) < 3:
                await asyncio.sleep(0.01)
    await anna.move(table)
    await listener.until(lambda event: event["number"] == 1)
    await listener.stop()


async def begun(visit: Visit) -> tuple[str, Browser, Browser]:
    """A game of two: the table, who has to move, and the other."""
    anna, bernd = visit(), visit()
    table = await anna.open("me Anna", "open")
    await seated(table, bernd)
    if (await anna.game(table))["choices"]:
        return table, anna, bernd
    return table, bernd, anna


async def test_a_page_is_of_one_position(
    server: Server, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also if the other player moves while it is being made: anyone who is on turn by its number can move."""
    table, mover, other = await begun(visit)
    (seat,) = (await other.game(table))["my_seats"]
    # What is planned ahead of time is read while the page is being made.
    await other.done(f"{table}/ahead", seat=seat, kind="object", always="0")
    tables: TableStore = server.app.state.tables
    fixed, moving = tables.intentions, True

    async def intentions(table_id: str, seats: Sequence[int]) -> list[Premove]:
        nonlocal moving
        if moving:
            moving = False
            for _ in range(2):
                game = await mover.game(table)
                await mover.move(table, choose(game, "take-token"))
        return await fixed(table_id, seats)

    monkeypatch.setattr(tables, "intentions", intentions)
    found = await other.game(table)
    assert not moving
    assert (found["number"], bool(found["choices"])) in {(0, False), (2, True)}
    assert found == await other.game(table)


async def test_a_page_is_of_one_position_when_its_version_is_looked_up(
    server: Server, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also if the other player moves just after it was found that nothing has changed."""
    table, mover, other = await begun(visit)
    tables: TableStore = server.app.state.tables
    glance, moving = tables.database.glance, True

    async def glanced(statement: Executable, values: Any = None) -> Any:
        nonlocal moving
        found = await glance(statement, values)
        if moving and values == {"table": table.removeprefix("/t/")}:
            moving = False
            await mover.move(table, choose(await mover.game(table), "take-token"))
        return found

    monkeypatch.setattr(tables.database, "glance", glanced)
    found = await other.game(table)
    assert not moving
    assert found["number"] == 1
    assert found == await other.game(table)
    assert [offer["moves"] for offer in (await mover.game(table))["undo"]] == [1]
