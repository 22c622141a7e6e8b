"""Processes that play matches end with whoever started them."""

from __future__ import annotations

import multiprocessing
import os
import signal
from concurrent.futures import Future, ProcessPoolExecutor
from typing import Any

import pytest

from kursbuch.bots import workers


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="needs signals that can wait")
def test_an_interrupt_while_processes_start_ends_them(monkeypatch: pytest.MonkeyPatch) -> None:
    before = set(multiprocessing.active_children())
    submit = ProcessPoolExecutor.submit

    def interrupted(self: ProcessPoolExecutor, *given: Any) -> Future[Any]:
        os.kill(os.getpid(), signal.SIGINT)
        return submit(self, *given)

    monkeypatch.setattr(ProcessPoolExecutor, "submit", interrupted)
    with pytest.raises(KeyboardInterrupt), workers._pool(2):
        pytest.fail("it was not interrupted")
    assert set(multiprocessing.active_children()) <= before
