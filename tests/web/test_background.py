"""What a server does beside its requests ends when the server does."""

from __future__ import annotations

import asyncio

import pytest

from kursbuch.web import background
from kursbuch.web.background import break_off


async def test_who_misses_being_told_to_end_is_told_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(background, "AGAIN", 0.05)
    told = 0

    async def deaf() -> None:
        nonlocal told
        while told < 3:
            try:
                await asyncio.sleep(60)
            except asyncio.CancelledError:
                told += 1

    async def failing() -> None:
        raise ValueError

    tasks = [asyncio.create_task(deaf()), asyncio.create_task(failing())]
    await asyncio.sleep(0)
    async with asyncio.timeout(30):
        await break_off(*tasks)
    assert told == 3
    assert all(task.done() for task in tasks)
    await break_off()
