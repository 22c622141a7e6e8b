"""Fair scheduling of long work among owners."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

#: Every fifth turn goes to one that is not urgent, so that tables without people advance.
TURN_OF_OTHERS = 5


class _Waiting:
    def __init__(
        self, owner: str, subject: str, cost: float, urgent: Callable[[], bool], number: int
    ) -> None:
        self.owner = owner
        self.subject = subject
        self.cost = cost
        self.urgent = urgent
        self.number = number
        self.called: asyncio.Future[None] = asyncio.get_running_loop().create_future()


class FairScheduler:
    """Shares long work fairly among owners, and among the subjects (tables) of each owner. Urgent
    work comes first, then whatever has cost its owner least so far.

    Newcomers start at the lowest cost of those waiting, so no owner can save up turns. `allowance`
    limits each owner to a number of seconds a minute, even if no one waits. `each` limits the places an
    owner holds at a time.
    """

    def __init__(
        self,
        places: int,
        allowance: float | None = None,
        clock: Callable[[], float] = time.monotonic,
        each: int | None = None,
    ) -> None:
        self._places = places
        self._each = each
        self._allowance = allowance
        self._clock = clock
        self._waiting: list[_Waiting] = []
        self._running: list[_Waiting] = []
        #: Cost of the work of each owner, and of each of its subjects.
        self._owners: dict[str, float] = {}
        self._subjects: dict[tuple[str, str], float] = {}
        #: Seconds each owner may still use, and when they were computed.
        self._left: dict[str, tuple[float, float]] = {}
        self._count = 0
        self._others = 0
        self._timer: asyncio.TimerHandle | None = None

    @property
    def waiting(self) -> int:
        """Number of those who wait."""
        return len(self._waiting)

    @asynccontextmanager
    async def turn(
        self, owner: str, subject: str, cost: float, urgent: Callable[[], bool]
    ) -> AsyncIterator[None]:
        """Hold a turn for work that costs about `cost` seconds. `urgent` is asked again at each choice."""
        self._count += 1
        one = _Waiting(owner, subject, cost, urgent, self._count)
        self._enter(one)
        self._waiting.append(one)
        self._call()
        try:
            await one.called
        except asyncio.CancelledError:
            if one in self._waiting:
                self._waiting.remove(one)
            else:
                self._end(one, 0.0)
            raise
        started = self._clock()
        try:
            yield
        finally:
            self._end(one, self._clock() - started)

    def _enter(self, one: _Waiting) -> None:
        present = {other.owner for other in (*self._waiting, *self._running)}
        if one.owner not in present:
            least = min((self._owners[owner] for owner in present), default=0.0)
            self._owners[one.owner] = max(self._owners.get(one.owner, 0.0), least)
        key = (one.owner, one.subject)
        own = [
            self._subjects[other.owner, other.subject]
            for other in (*self._waiting, *self._running)
            if other.owner == one.owner
        ]
        self._subjects[key] = max(self._subjects.get(key, 0.0), min(own, default=0.0))

    def _call(self) -> None:
        """Start those whose turn it is while places are free."""
        while self._waiting and len(self._running) < self._places:
            free = [one for one in self._waiting if self._has_room(one.owner)]
            if not free:
                return
            able = [one for one in free if self._may_use(one.owner) > 0]
            if not able:
                self._look_again()
                return
            one = self._next(able)
            self._waiting.remove(one)
            self._running.append(one)
            # Charged at once, so that two places do not go to the same owner.
            self._charge(one, one.cost)
            if not one.called.done():
                one.called.set_result(None)

    def _has_room(self, owner: str) -> bool:
        """Tell whether an owner may hold another place."""
        if self._each is None:
            return True
        return sum(one.owner == owner for one in self._running) < self._each

    def _next(self, able: list[_Waiting]) -> _Waiting:
        urgent = [one for one in able if one.urgent()]
        if urgent and len(urgent) < len(able):
            self._others += 1
            if self._others % TURN_OF_OTHERS == 0:
                urgent = [one for one in able if one not in urgent]
        return min(
            urgent or able,
            key=lambda one: (
                self._owners[one.owner],
                self._subjects[one.owner, one.subject],
                one.number,
            ),
        )

    def _end(self, one: _Waiting, took: float) -> None:
        self._running.remove(one)
        self._charge(one, took - one.cost)
        self._call()
        self._forget()

    def _charge(self, one: _Waiting, cost: float) -> None:
        self._owners[one.owner] += cost
        self._subjects[one.owner, one.subject] += cost
        if self._allowance is not None:
            self._left[one.owner] = (self._may_use(one.owner) - cost, self._clock())

    def _may_use(self, owner: str) -> float:
        """Return the seconds an owner may still use now."""
        if self._allowance is None:
            return 1.0
        left, then = self._left.get(owner, (self._allowance, self._clock()))
        return min(self._allowance, left + (self._clock() - then) * self._allowance / 60)

    def _look_again(self) -> None:
        """Schedule another look for when an owner that waits has seconds left."""
        assert self._allowance is not None
        if self._timer is not None:
            self._timer.cancel()
        missing = min(-self._may_use(one.owner) for one in self._waiting)
        wait = max(0.01, missing * 60 / self._allowance)
        self._timer = asyncio.get_running_loop().call_later(wait, self._call)

    def _forget(self) -> None:
        """Reset all costs when the scheduler is idle, so that nothing grows for ever."""
        if self._waiting or self._running:
            return
        self._owners.clear()
        self._subjects.clear()
        if self._allowance is not None:
            self._left = {
                owner: left
                for owner, left in self._left.items()
                if self._may_use(owner) < self._allowance
            }
