"""What takes too much in a process of its own is ended there, and goes no further."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator

import pytest

from kursbuch.core.errors import KursbuchError, Money, RecordError
from kursbuch.core.processes import Failure, LimitReached, Limits, Sandbox
from kursbuch.core.words import N_

posix = pytest.mark.skipif(sys.platform == "win32", reason="the system has no limits for processes")

#: No test waits for these.
PLENTY = Limits(seconds=300, clock=300)


@pytest.fixture
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as found:
        yield found


def add(one: int, other: int) -> int:
    return one + other


def refuse(amount: int) -> None:
    raise RecordError(
        3, "1835:2", N_("{file} is larger than {most} bytes."), file=Money(5, "$"), most=amount
    )


def fail() -> None:
    raise LookupError("this is our own fault")


def end() -> None:
    os._exit(3)


def loop_for_ever() -> None:
    while True:
        pass


def loop_without_python() -> None:
    """One call that never comes back to the interpreter."""
    sum(iter(int, 1))


def hold_for_ever() -> None:
    """Whatever is raised here is ignored."""
    while True:
        try:
            loop_for_ever()
        except BaseException:
            continue


def grow() -> int:
    held = []
    while True:
        held.append(bytes(10_000_000))


def grow_in_small_pieces() -> int:
    held: list[object] = []
    while True:
        held.append([held])


def swallow_the_error() -> int:
    try:
        return len(bytearray(10**12))
    except MemoryError:
        return 7


def go_deep(levels: int) -> int:
    return go_deep(levels + 1) + 1


def long_answer() -> bytes:
    return bytes(2_000_000)


def count(most: int, progress: Callable[[int, int], None]) -> int:
    for number in range(most):
        progress(number, most)
    return most


def test_results_refusals_and_failures_come_back(sandbox: Sandbox) -> None:
    assert sandbox.run(add, 2, 3) == 5
    with pytest.raises(RecordError) as refused:
        sandbox.run(refuse, 7)
    # Also in the reader's language.
    assert str(refused.value) == "$5 is larger than 7 bytes."
    assert refused.value.template == "{file} is larger than {most} bytes."
    assert (refused.value.line, refused.value.rule) == (3, "1835:2")
    with pytest.raises(Failure, match="our own fault"):
        sandbox.run(fail)
    told: list[tuple[int, int]] = []
    assert sandbox.run(count, 3, progress=lambda *given: told.append(given)) == 3
    assert told == [(0, 3), (1, 3), (2, 3)]
    assert sandbox.is_alive
    assert sandbox.calls == 4


@posix
@pytest.mark.parametrize("function", [loop_for_ever, loop_without_python, hold_for_ever])
def test_what_takes_too_long_is_killed(function: Callable[[], None], sandbox: Sandbox) -> None:
    with pytest.raises(LimitReached, match="too much time or memory"):
        sandbox.run(function, limits=PLENTY._replace(seconds=0.2))
    assert not sandbox.is_alive


def test_the_clock_ends_it_where_nothing_else_does(sandbox: Sandbox) -> None:
    with pytest.raises(LimitReached):
        sandbox.run(time.sleep, 1000, limits=PLENTY._replace(clock=0.1))
    assert not sandbox.is_alive


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems give memory")
@pytest.mark.parametrize("function", [grow, grow_in_small_pieces])
def test_what_takes_too_much_memory_is_ended(function: Callable[[], int], sandbox: Sandbox) -> None:
    with pytest.raises(LimitReached):
        sandbox.run(function, limits=PLENTY._replace(memory=50_000_000))
    assert not sandbox.is_alive


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems give memory")
def test_limits_hold_for_one_call_only(sandbox: Sandbox) -> None:
    small = PLENTY._replace(memory=50_000_000)
    assert sandbox.run(swallow_the_error, limits=small) == 7
    assert len(sandbox.run(bytes, 1_000_000, limits=small)) == 1_000_000
    # What was used before does not count.
    for _ in range(3):
        sandbox.run(sum, range(10**6), limits=PLENTY._replace(seconds=5))
    assert sandbox.is_alive


def test_what_is_too_deep_or_too_long_or_ends_is_refused() -> None:
    for function, args in ((go_deep, (0,)), (long_answer, ()), (end, ())):
        with Sandbox() as sandbox:
            with pytest.raises(LimitReached):
                sandbox.run(function, *args, limits=PLENTY._replace(result=1_000_000))
            assert not sandbox.is_alive


def test_one_that_is_killed_meanwhile_raises_for_who_waits(sandbox: Sandbox) -> None:
    sandbox.wait()
    raised: list[BaseException] = []

    def wait() -> None:
        try:
            sandbox.run(loop_for_ever, limits=PLENTY)
        except LimitReached as error:
            raised.append(error)

    thread = threading.Thread(target=wait)
    thread.start()
    sandbox.kill()
    thread.join()
    assert len(raised) == 1


@posix
def test_ctrl_c_is_not_for_it(sandbox: Sandbox) -> None:
    sandbox.wait()
    assert sandbox.pid is not None
    os.kill(sandbox.pid, signal.SIGINT)
    assert sandbox.run(add, 1, 1) == 2


def test_errors_are_refusals() -> None:
    assert isinstance(LimitReached(), KursbuchError)
