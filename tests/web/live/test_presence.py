"""Who looks at which table: each server knows it of all, and no one is kept for ever."""

from __future__ import annotations

import asyncio

import pytest
from litestar.channels import ChannelsPlugin
from litestar.channels.backends.memory import MemoryChannelsBackend

from kursbuch.web.live import presence
from kursbuch.web.live.presence import Presence, spectator

pytestmark = pytest.mark.asyncio


async def test_servers_tell_each_other_who_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(presence, "TELL", 0.01)
    channels = ChannelsPlugin(backend=MemoryChannelsBackend(), arbitrary_channels_allowed=True)
    now = [0.0]
    async with channels:
        sent: list[object] = []
        publish = channels.wait_published

        async def note(data: bytes, channel: str) -> None:
            sent.append(data)
            await publish(data, channel)

        monkeypatch.setattr(channels, "wait_published", note)
        one, two, alone = (
            Presence(channels, "one", lambda: now[0]),
            Presence(channels, "one", lambda: now[0]),
            Presence(channels, "other", lambda: now[0]),
        )
        came: list[str] = []
        two.listeners.append(came.append)
        for each in (one, two, alone):
            await each.start()
        await asyncio.sleep(0.02)
        # Four hundred who come back at once are one message.
        for number in range(400):
            one.touch("table", f"owner {number % 4}")
        async with asyncio.timeout(10):
            while not two.looking("table", "owner 3"):
                await asyncio.sleep(0.01)
        assert len(sent) == 1
        assert came == ["table"] * 4
        assert two.watched("table")
        assert not alone.watched("table")
        assert not two.watched("another table")
        now[0] += 100
        assert not one.watched("table")
        assert not two.looking("table", "owner 3")
        async with asyncio.timeout(10):
            while one._seen or two._seen:
                await asyncio.sleep(0.01)
        for each in (one, two, alone):
            await each.stop()


async def test_who_looks_on_is_counted_and_stays_unknown() -> None:
    now = [0.0]
    presence = Presence(clock=lambda: now[0])
    came: list[str] = []
    presence.listeners.append(came.append)
    presence.touch("table", "owner")
    for visitor in ("x", "y", "x"):
        presence.touch("table", spectator(visitor))
    assert presence.spectators("table") == 2
    assert presence.spectators("another table") == 0
    # Who plays is told of at once; one more of those who look on is not.
    assert came == ["table"]
    presence.touch("watched", spectator("x"))
    assert came == ["table", "watched"]
    # Who has sat down looks on no more.
    presence.touch("table", "x")
    assert presence.spectators("table") == 1
    now[0] += 100
    assert presence.spectators("table") == 0
