"""Fair scheduling of work among owners."""

from __future__ import annotations

import asyncio
import time
from collections import Counter, defaultdict, deque
from collections.abc import Callable
from math import inf
from typing import Any, NamedTuple

from kursbuch.web.http.errors import overloaded

#: Every fifth turn goes to one that is not urgent, so that tables without people advance.
TURN_OF_OTHERS = 5

#: Number of owners and subjects above which those that no longer matter are forgotten.
MOST_REMEMBERED = 2000


class Share(NamedTuple):
    """The seconds an owner may use: `most` at once, and `rate` each second. Without them a `strict` share
    lets it wait; otherwise it is served after the others."""

    rate: float
    most: float
    strict: bool = False


class Turn:
    """Work of a task that waits for its turn, or has it: a context that is entered when the turn comes."""

    # A stream keeps its turn for hours.
    __slots__ = (
        "_has_ended",
        "_turns",
        "began",
        "called",
        "cost",
        "has_begun",
        "has_place",
        "number",
        "owner",
        "spent",
        "subject",
        "task",
        "urgent",
    )

    def __init__(
        self,
        turns: FairScheduler,
        owner: str,
        subject: str,
        cost: float,
        urgent: Callable[[], bool],
        number: int,
    ) -> None:
        self._turns = turns
        self.owner = owner
        self.subject = subject
        #: Expected cost, which is charged until the work has ended.
        self.cost = cost
        self.urgent = urgent
        self.number = number
        self.task: asyncio.Task[Any] | None = None
        self.called: asyncio.Future[None] | None = None
        #: Measured cost; None if the time that passes is the cost.
        self.spent: float | None = None
        self.began = 0.0
        self.has_begun = False
        self.has_place = False
        self._has_ended = False

    async def begin(self) -> Turn:
        """Wait for the turn, which then has to be ended."""
        self.task = asyncio.current_task()
        await self._turns._wait(self)
        return self

    async def __aenter__(self) -> Turn:
        return await self.begin()

    async def __aexit__(self, *error: object) -> None:
        self.end()

    @property
    def key(self) -> tuple[str, str]:
        """The owner and the subject."""
        return self.owner, self.subject

    def spend(self, seconds: float) -> None:
        """Add to the measured cost."""
        self.spent = (self.spent or 0.0) + seconds
        if self._has_ended:
            self._turns._charge(self, seconds)

    def leave(self) -> bool:
        """Let others have the place while the task waits for something. Return whether there was one to leave;
        other tasks cannot leave it."""
        if not self.has_place or asyncio.current_task() is not self.task:
            return False
        self._turns._free(self)
        return True

    def resume(self) -> None:
        """Take a place again, even if none is free."""
        if not self._has_ended:
            self._turns._place(self)

    async def rejoin(self) -> None:
        """Wait for a place again."""
        await self._turns._wait(self)

    def end(self) -> None:
        """Give the turn to others."""
        if self._has_ended:
            return
        self._has_ended = True
        spent = self._turns._clock() - self.began if self.spent is None else self.spent
        self._turns._charge(self, spent - self.cost)
        if self.has_place:
            self._turns._free(self)


class FairScheduler:
    """Shares work fairly among owners, and among the subjects (tables, browsers) of each owner. Urgent
    work comes first, then whatever has cost its owner least so far.

    Newcomers start at the lowest cost of those waiting, so no owner can save up turns. `share` limits
    what each owner may use, `each` the places it holds at a time. Owners over a share that is not strict
    are served one at a time, and only while no one else is. `spare` of the places are for urgent work only.

    Work that waits longer than `patience` seconds is refused. So is, when `longest` wait, the last of the
    owner with most waiting.
    """

    def __init__(
        self,
        places: int,
        share: Share | None = None,
        clock: Callable[[], float] = time.monotonic,
        *,
        each: int | None = None,
        spare: int = 0,
        patience: float | None = None,
        longest: int | None = None,
    ) -> None:
        self._places = places
        self._each = each
        self._share = share
        self._clock = clock
        self._spare = spare
        self._patience = patience
        self._longest = longest
        #: Those who wait, by owner and subject, in the order in which they came.
        self._lines: dict[tuple[str, str], deque[Turn]] = {}
        self._running: list[Turn] = []
        #: Cost of the work of each owner, and of each of its subjects.
        self._owners = defaultdict[str, float](float)
        self._subjects = defaultdict[tuple[str, str], float](float)
        #: Seconds each owner may still use, and when they were computed.
        self._left: dict[str, tuple[float, float]] = {}
        self._count = 0
        self._others = 0
        self._most_remembered = MOST_REMEMBERED
        self._timer: asyncio.TimerHandle | None = None

    @property
    def waiting(self) -> int:
        """Number of those who wait."""
        return sum(map(len, self._lines.values()))

    def is_full(self, owner: str) -> bool:
        """Whether a newcomer of this owner would be refused."""
        if self._longest is None or self.waiting < self._longest:
            return False
        waiting = self._waiting_by_owner()
        return waiting[owner] + 1 >= max(waiting.values(), default=0)

    def turn(self, owner: str, subject: str, cost: float, urgent: Callable[[], bool]) -> Turn:
        """A turn for work that costs about `cost` seconds. Before each choice the first of each subject that
        waits is asked whether it is `urgent`."""
        self._count += 1
        return Turn(self, owner, subject, cost, urgent, self._count)

    async def _wait(self, one: Turn) -> None:
        self._enter(one)
        self._lines.setdefault(one.key, deque()).append(one)
        self._call()
        if one.has_place:
            return
        one.called = asyncio.get_running_loop().create_future()
        try:
            if self._longest is not None and self.waiting > self._longest:
                self._refuse_one()
            async with asyncio.timeout(self._patience) as patience:
                await one.called
        except BaseException as error:
            if one in self._lines.get(one.key, ()):
                self._leave_line(one)
            elif one in self._running:
                # It was called, but is gone.
                one.spent = one.spent or 0.0
                one.end()
            if isinstance(error, TimeoutError) and patience.expired():
                raise overloaded() from None
            raise
        finally:
            one.called = None

    def _leave_line(self, one: Turn) -> None:
        line = self._lines[one.key]
        line.remove(one)
        if not line:
            del self._lines[one.key]

    def _refuse_one(self) -> None:
        """Refuse the last of those whose owner has most waiting."""
        [(most, _)] = self._waiting_by_owner().most_common(1)
        last = max(
            (line[-1] for (owner, _), line in self._lines.items() if owner == most),
            key=lambda one: one.number,
        )
        self._leave_line(last)
        if last.called is not None and not last.called.done():
            last.called.set_exception(overloaded())

    def _waiting_by_owner(self) -> Counter[str]:
        found = Counter[str]()
        for (owner, _), line in self._lines.items():
            found[owner] += len(line)
        return found

    def _present(self) -> set[tuple[str, str]]:
        """Return the owners with the subjects that wait or are served."""
        return {*self._lines, *(one.key for one in self._running)}

    def _enter(self, one: Turn) -> None:
        present = self._present()
        owners = {owner for owner, _ in present}
        if one.owner not in owners:
            least = min((self._owners[owner] for owner in owners), default=0.0)
            self._owners[one.owner] = max(self._owners[one.owner], least)
        if one.key not in present:
            costs = (self._subjects[key] for key in present if key[0] == one.owner)
            self._subjects[one.key] = max(self._subjects[one.key], min(costs, default=0.0))

    def _call(self) -> None:
        """Start those whose turn it is while places are free."""
        while self._lines and len(self._running) < self._places:
            owners = {owner for owner, _ in self._lines}
            over = {owner for owner in owners if self._may_use(owner) <= 0}
            first = [(line[0], line[0].urgent()) for line in self._lines.values()]
            able = [each for each in first if self._may_begin(*each, over)]
            if not able:
                if self._is_strict:
                    self._look_again()
                return
            one = self._next([each for each in able if each[0].owner not in over] or able)
            self._leave_line(one)
            self._place(one)
            if not one.has_begun:
                # Charged at once, so that two places do not go to the same owner.
                one.has_begun = True
                one.began = self._clock()
                self._charge(one, one.cost)
            if one.called is not None and not one.called.done():
                one.called.set_result(None)

    def _may_begin(self, one: Turn, urgent: bool, over: set[str]) -> bool:
        running = self._running
        if one.owner in over and (running or self._is_strict):
            return False
        if self._each is not None and sum(r.owner == one.owner for r in running) >= self._each:
            return False
        return urgent or sum(not r.urgent() for r in running) < self._places - self._spare

    @property
    def _is_strict(self) -> bool:
        return self._share is not None and self._share.strict

    def _next(self, able: list[tuple[Turn, bool]]) -> Turn:
        chosen = [one for one, urgent in able if urgent]
        others = [one for one, urgent in able if not urgent]
        if chosen and others:
            self._others += 1
        if not chosen or (others and self._others % TURN_OF_OTHERS == 0):
            chosen = others
        return min(
            chosen,
            key=lambda one: (self._owners[one.owner], self._subjects[one.key], one.number),
        )

    def _place(self, one: Turn) -> None:
        one.has_place = True
        self._running.append(one)

    def _free(self, one: Turn) -> None:
        """Take a place from its holder and give it to others."""
        one.has_place = False
        self._running.remove(one)
        self._call()
        self._forget()

    def _charge(self, one: Turn, cost: float) -> None:
        self._owners[one.owner] += cost
        self._subjects[one.key] += cost
        if self._share is not None:
            self._left[one.owner] = (self._may_use(one.owner) - cost, self._clock())

    def _may_use(self, owner: str) -> float:
        """Return the seconds an owner may still use now."""
        if self._share is None:
            return 1.0
        left, then = self._left.get(owner, (self._share.most, self._clock()))
        return min(self._share.most, left + (self._clock() - then) * self._share.rate)

    def _look_again(self) -> None:
        """Schedule another look for when an owner that waits has seconds left."""
        assert self._share is not None
        if self._timer is not None:
            self._timer.cancel()
        missing = min(-self._may_use(owner) for owner, _ in self._lines)
        wait = max(0.01, missing / self._share.rate)
        self._timer = asyncio.get_running_loop().call_later(wait, self._call)

    def _forget(self) -> None:
        """Forget costs that no longer make a difference, so that nothing grows for ever."""
        present = self._present()
        if not present:
            self._owners.clear()
            self._subjects.clear()
        elif len(self._owners) + len(self._subjects) > self._most_remembered:
            # An owner or subject that comes back starts at the lowest cost of those present.
            owners = {owner for owner, _ in present}
            least = min(self._owners[owner] for owner in owners)
            lowest = {
                owner: min(self._subjects[key] for key in present if key[0] == owner)
                for owner in owners
            }
            for owner, cost in list(self._owners.items()):
                if owner not in owners and cost <= least:
                    del self._owners[owner]
            for key, cost in list(self._subjects.items()):
                if key not in present and cost <= lowest.get(key[0], inf):
                    del self._subjects[key]
            self._most_remembered = 2 * (len(self._owners) + len(self._subjects)) + MOST_REMEMBERED
        if self._share is not None and (not present or len(self._left) > MOST_REMEMBERED):
            self._left = {
                owner: left
                for owner, left in self._left.items()
                if self._may_use(owner) < self._share.most
            }
