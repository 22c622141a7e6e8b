"""Child processes: sandbox with limits of time and memory, exit with the parent, garbage collector tuning."""

from __future__ import annotations

import gc
import math
import multiprocessing
import os
import pickle
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from typing import Any, NamedTuple, Self, TypeVar

from kursbuch.core.errors import KursbuchError
from kursbuch.core.words import N_

#: Number of new objects that triggers a collection; a move creates a few thousand.
GC_THRESHOLD = 20_000


def tune_garbage_collector() -> None:
    """Collect less often, and exclude long-lived objects such as titles and templates, which take longer to scan than
    a move. Calling it again first frees what is no longer used."""
    gc.unfreeze()
    gc.collect()
    gc.freeze()
    gc.set_threshold(GC_THRESHOLD, *gc.get_threshold()[1:])


ResultT = TypeVar("ResultT")

#: Called with the amount done and the total.
Progress = Callable[[int, int], None]

#: Maximum seconds until a process is ready.
START_SECONDS = 120.0


class Limits(NamedTuple):
    """Resource limits of one call."""

    #: CPU seconds.
    seconds: float = 60.0
    #: Wall-clock seconds.
    clock: float = 300.0
    #: Bytes of additional memory.
    memory: int = 1_000_000_000
    #: Bytes of the result.
    result: int = 50_000_000


class LimitReached(KursbuchError):
    """A call exceeded its limits, or its process died."""

    def __init__(self) -> None:
        super().__init__(N_("Reading this takes too much time or memory."))


class Failure(Exception):
    """An unexpected exception in a call; the text is its traceback."""


class Sandbox:
    """A process that runs one call at a time. It is gone after `LimitReached`.

    It is spawned, since a fork would copy locks in any state. `prepare` runs in it first.
    """

    def __init__(self, prepare: Callable[[], object] | None = None) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs, prepare), daemon=True)
        with signals_blocked():
            self._process.start()
        theirs.close()
        self._ready = False
        self._ending = threading.Lock()
        #: Number of calls run.
        self.calls = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    @property
    def pid(self) -> int | None:
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        return self._process.is_alive()

    def wait(self) -> None:
        """Wait until the process is ready."""
        if not self._ready:
            self._receive(time.monotonic() + START_SECONDS, Limits().result)
            self._ready = True

    def run(
        self,
        function: Callable[..., ResultT],
        *args: object,
        limits: Limits | None = None,
        progress: Progress | None = None,
    ) -> ResultT:
        """Call a module-level function in the process. With `progress`, the function receives a callback as its
        keyword `progress`. Raises its `KursbuchError`, `LimitReached` or `Failure`."""
        chosen = limits or Limits()
        self.wait()
        self.calls += 1
        try:
            self._pipe.send((function, args, chosen, progress is not None))
        except OSError:
            self.kill()
            raise LimitReached from None
        end = time.monotonic() + chosen.clock
        while True:
            kind, content = self._receive(end, chosen.result)
            if kind == "progress" and progress is not None:
                progress(*content)
            elif kind == "result":
                return content  # type: ignore[no-any-return]
            elif kind == "refused":
                raise content
            elif kind == "failed":
                raise Failure(content)

    def _receive(self, end: float, most: int) -> tuple[str, Any]:
        """Receive the next message; kill the process if it is late or too long."""
        try:
            if not self._pipe.poll(max(0.0, end - time.monotonic())):
                raise TimeoutError
            kind, content = pickle.loads(self._pipe.recv_bytes(most))
        except (EOFError, OSError):
            self.kill()
            raise LimitReached from None
        if kind == "limit":
            self.kill()
            raise LimitReached
        return kind, content

    def kill(self) -> None:
        """Kill the process; another thread may be waiting for it."""
        with self._ending:
            self._process.kill()
            self._process.join()


@contextmanager
def signals_blocked() -> Iterator[None]:
    """Keep processes started in the block from receiving Ctrl-C."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # starting it changes the mask
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@cache
def exit_with_parent(ending: signal.Signals | None = None) -> None:
    """Exit when the parent process dies: at once, or by a signal to this process."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def wait() -> None:
        parent.join()
        if ending is None:
            os._exit(0)
        os.kill(os.getpid(), ending)

    threading.Thread(target=wait, daemon=True).start()


def _serve(pipe: Connection, prepare: Callable[[], object] | None) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Do not inherit the parent's shutdown handler.
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    exit_with_parent()
    if prepare is not None:
        prepare()
    _send(pipe, "ready", None)
    while True:
        try:
            function, args, limits, watched = pipe.recv()
        except EOFError:
            return
        message = _called(pipe, function, args, limits, watched)
        with suppress(BrokenPipeError):
            pipe.send_bytes(message)


def _called(
    pipe: Connection, function: Callable[..., object], args: Any, limits: Limits, watched: bool
) -> bytes:
    """Run a call and encode its outcome."""

    def progress(done: int, total: int) -> None:
        _send(pipe, "progress", (done, total))

    outcome: tuple[str, object]
    try:
        with _limited(limits):
            try:
                more = {"progress": progress} if watched else {}
                outcome = ("result", function(*args, **more))
            except KursbuchError as error:
                outcome = ("refused", error)
            except (MemoryError, RecursionError):
                raise MemoryError from None  # its memory is free again
            except Exception:
                outcome = ("failed", traceback.format_exc(limit=-20)[-5000:])
            message = pickle.dumps(outcome, pickle.HIGHEST_PROTOCOL)
    except MemoryError:
        message = b""
    if not message or len(message) > limits.result:
        return pickle.dumps(("limit", None))
    return message


def _send(pipe: Connection, kind: str, content: object) -> None:
    pipe.send_bytes(pickle.dumps((kind, content)))


@contextmanager
def _limited(limits: Limits) -> Iterator[None]:
    """Set the system's limits on this process, where supported. Elsewhere the parent kills it by the clock."""
    if sys.platform == "win32":
        yield
        return
    import resource

    used = _memory_in_use()
    wanted = {resource.RLIMIT_CPU: math.ceil(time.process_time() + limits.seconds)}
    for kind, bytes_used in zip((resource.RLIMIT_AS, resource.RLIMIT_DATA), used, strict=False):
        wanted[kind] = bytes_used + limits.memory
    before = {kind: resource.getrlimit(kind) for kind in wanted}
    for kind, most in wanted.items():
        _, hardest = before[kind]
        if hardest != resource.RLIM_INFINITY:
            most = min(most, hardest)
        with suppress(ValueError, OSError):
            resource.setrlimit(kind, (most, hardest))
    try:
        yield
    finally:
        for kind, old in before.items():
            with suppress(ValueError, OSError):
                resource.setrlimit(kind, old)


def _memory_in_use() -> tuple[int, ...]:
    """Address space and data size of this process in bytes; empty if unknown."""
    try:
        with open("/proc/self/statm") as file:
            pages = file.read().split()
    except OSError:
        return ()
    size = os.sysconf("SC_PAGE_SIZE")
    return int(pages[0]) * size, int(pages[5]) * size
