"""What a server does beside its requests ends when the server does."""

from __future__ import annotations

import asyncio
import logging

import pytest

from kursbuch.web import background
from kursbuch.web.background import break_off, noting
from kursbuch.web.http.errors import Unavailable
from kursbuch.web.ops.metrics import COUNTS


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


def test_what_goes_wrong_beside_requests_is_counted(caplog: pytest.LogCaptureFixture) -> None:
    def errors() -> float:
        return COUNTS.get_sample_value("kursbuch_errors_total") or 0

    def fail(error: Exception) -> None:
        with noting(logging.getLogger(__name__), "%s could not be done.", "It"):
            raise error

    before = errors()
    fail(Unavailable("The database is away."))
    assert (errors(), caplog.messages) == (before, [])
    fail(ValueError())
    assert (errors(), caplog.messages) == (before + 1, ["It could not be done."])
