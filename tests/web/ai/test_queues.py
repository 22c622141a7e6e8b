"""Who comes next: in the order of coming, or shared out fairly. Orders are counted, not times."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import AsyncExitStack

import pytest

from kursbuch.web.http.errors import Unavailable
from kursbuch.web.http.fair_scheduler import TURN_OF_OTHERS, FairScheduler, Share

pytestmark = pytest.mark.asyncio


class Clock:
    """A time that goes on when it is told to."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


async def order(
    jobs: Sequence[tuple[str, str, float, bool]], places: int = 1
) -> list[tuple[str, str]]:
    """The order in which jobs are done that come at the same time: (owner, table, seconds, watched)."""
    clock = Clock()
    turns = FairScheduler(places, clock=clock)
    done: list[tuple[str, str]] = []

    async def work(owner: str, table: str, cost: float, watched: bool) -> None:
        async with turns.turn(owner, table, cost, lambda: watched):
            done.append((owner, table))
            await asyncio.sleep(0)
            clock.now += cost

    await asyncio.gather(*(work(*job) for job in jobs))
    assert turns.waiting == 0
    return done


async def test_one_owner_does_not_hold_up_the_others() -> None:
    # Thirty tables of strong computers are there before a table with one quick move.
    many = [("greedy owner", f"table {number}", 1.5, True) for number in range(30)]
    done = await order([*many, ("anna", "hers", 0.02, True)])
    # The one that had begun is finished; then it is hers.
    assert done.index(("anna", "hers")) == 1
    assert len(done) == 31


async def test_owners_get_as_much_of_the_time_and_not_as_many_moves() -> None:
    slow = [("slow", f"s{number % 3}", 3.0, True) for number in range(6)]
    quick = [("quick", "q", 1.0, True) for _ in range(12)]
    done = await order([*slow, *quick])
    assert [owner for owner, _ in done[:9]].count("quick") == 6
    # The tables of an owner take turns.
    assert [table for owner, table in done if owner == "slow"] == ["s0", "s1", "s2"] * 2


async def test_tables_with_people_come_first_but_not_for_ever() -> None:
    unwatched = [("a", f"u{number}", 1.0, False) for number in range(3)]
    watched = [("b", f"w{number}", 1.0, True) for number in range(12)]
    done = [table for _, table in await order([*unwatched, *watched])]
    assert done[0] == "u0"  # no one else was there yet
    assert all(table.startswith("w") for table in done[1:TURN_OF_OTHERS])
    assert done[TURN_OF_OTHERS] == "u1"
    assert done.index("u2") == 2 * TURN_OF_OTHERS


async def test_nobody_saves_up_turns() -> None:
    clock = Clock()
    turns = FairScheduler(1, clock=clock)
    done: list[str] = []

    async def work(owner: str) -> None:
        async with turns.turn(owner, owner, 1.0, lambda: True):
            done.append(owner)
            await asyncio.sleep(0)
            clock.now += 1.0

    early = [asyncio.create_task(work("early")) for _ in range(8)]
    while len(done) < 4:
        await asyncio.sleep(0)
    late = [asyncio.create_task(work("late")) for _ in range(4)]
    await asyncio.gather(*early, *late)
    # Anyone who comes late takes turns with the one who is there, and does not catch up.
    assert done[5:11].count("late") == 3


async def test_an_allowance_is_not_passed_even_when_nobody_else_waits() -> None:
    clock = Clock()
    turns = FairScheduler(2, Share(0.1, 6.0, strict=True), clock)
    async with AsyncExitStack() as held:
        for _ in range(2):
            await held.enter_async_context(turns.turn("a", "t", 3.0, lambda: True))
        clock.now += 4.0
    waiting = asyncio.create_task(turns.turn("a", "t", 1.0, lambda: True).__aenter__())
    await asyncio.sleep(0)
    assert turns.waiting == 1
    # Someone else is not concerned.
    async with turns.turn("b", "t", 1.0, lambda: True):
        pass
    turns._call()
    assert turns.waiting == 1
    clock.now += 20.0  # a third of a minute, and of the six seconds
    turns._call()
    await asyncio.wait_for(waiting, 1)


async def test_whoever_goes_away_leaves_the_place_to_others() -> None:
    turns = FairScheduler(1)
    async with turns.turn("a", "t", 1.0, lambda: True):
        gone = asyncio.create_task(turns.turn("b", "t", 1.0, lambda: True).__aenter__())
        await asyncio.sleep(0)
        gone.cancel()
        await asyncio.gather(gone, return_exceptions=True)
        assert turns.waiting == 0
    async with asyncio.timeout(1), turns.turn("c", "t", 1.0, lambda: True):
        pass


async def test_a_line_is_in_order_and_refuses_whom_it_cannot_serve() -> None:
    line = FairScheduler(1, patience=0.05, longest=2)
    done: list[int] = []

    async def stand(number: int) -> None:
        async with line.turn("a", "t", 1.0, lambda: True):
            done.append(number)

    async with line.turn("a", "t", 1.0, lambda: True):
        waiting = [asyncio.create_task(stand(number)) for number in range(2)]
        await asyncio.sleep(0)
        with pytest.raises(Unavailable, match="busy"):
            await stand(2)
    await asyncio.gather(*waiting)
    assert done == [0, 1]
    async with line.turn("a", "t", 1.0, lambda: True):
        with pytest.raises(Unavailable, match="busy"):
            await stand(3)
    await stand(4)
    assert done == [0, 1, 4]
