"""Processes that play matches end with the one who started them."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from typing import Any

import pytest

from kursbuch.bots import worker_pool


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Ctrl-C interrupts, whatever this process was started by."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
def test_an_interrupt_while_processes_start_ends_them(monkeypatch: pytest.MonkeyPatch) -> None:
    before = set(multiprocessing.active_children())
    begun = []
    submit = ProcessPoolExecutor.submit

    def interrupted(self: ProcessPoolExecutor, *given: Any) -> Future[Any]:
        signal.raise_signal(signal.SIGINT)
        future = submit(self, *given)
        begun.append(future.result())
        return future

    monkeypatch.setattr(ProcessPoolExecutor, "submit", interrupted)
    with pytest.raises(KeyboardInterrupt), worker_pool._pool(2):
        pytest.fail("it was not interrupted")
    assert begun == [0]
    assert set(multiprocessing.active_children()) <= before
