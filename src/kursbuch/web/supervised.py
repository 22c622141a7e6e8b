"""What a worker owes the process that started it."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from functools import cache


@cache  # once is enough for a process
def end_with_supervisor() -> None:
    """Have a worker end when the process that started it is no more: nobody else would end it."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def wait() -> None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=wait, daemon=True).start()
