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


def processes() -> set[int | None]:
    return {process.pid for process in multiprocessing.active_children()}


def test_processes_are_kept_between_calls() -> None:
    """In a `with` block; what is left of a call that was broken off ends with its processes."""
    before = processes()
    with worker_pool.LocalPool(2) as pool:
        assert sorted(pool.each(abs, [-1, -2])) == [1, 2]
        kept = processes() - before
        assert len(kept) == 2
        assert sorted(pool.each(abs, [-1, -2])) == [1, 2]
        assert processes() - before == kept
        broken_off = pool.each(abs, [-1, -2])
        next(broken_off)
        broken_off.close()  # type: ignore[attr-defined]
        assert not processes() & kept
        assert sorted(pool.each(abs, [-1, -2])) == [1, 2]
    assert processes() == before
