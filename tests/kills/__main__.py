"""Kills processes of a server at any moment: `python -m tests.kills [--kills N] [--on sqlite|postgres]`.

People go on playing meanwhile, and send again what is not answered. In the end every table must hold the moves
they were told are made, once and in order; every turn must have been told by one mail. The same mail may arrive
twice where a process died between sending it and noting that; how often that happened is counted.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from sqlalchemy import func, select

from kursbuch.web.db.database import Database
from kursbuch.web.db.models import Table
from tests import services
from tests.kills.players import PATIENCE, PAUSE, Letters, Person, Play, Tally
from tests.kills.processes import BOT, Machine, on_postgres, on_sqlite

#: The longest time after something goes on again until the next kill, in seconds.
LONGEST = 1.0


class Run:
    """Some tables, and what is killed while people play there."""

    def __init__(
        self, machine: Machine, letters: Letters, kinds: Sequence[str], chance: random.Random
    ) -> None:
        self._kinds = kinds
        self.machine = machine
        self.letters = letters
        self.tally = Tally()
        self.killed: Counter[str] = Counter()
        self._chance = chance
        self._people = [
            Person(name, machine.url, letters, self.tally)
            for name in ("Anna", "Bernd", "Clara", "David", "Emma")
        ]
        anna, bernd, clara, david, emma = self._people
        self._plays = [
            Play((anna, bernd), 0, self.tally, chance),
            Play((clara, david), 0, self.tally, chance),
        ]
        if BOT in kinds:
            self._plays.append(Play((emma,), 2, self.tally, chance))

    async def go(self, until: float = float("inf")) -> None:
        """Kill these one after the other, as long as there is time, and see what is left."""
        await self._register()
        await self.machine.start()
        playing = [asyncio.create_task(play.go_on()) for play in self._plays]
        try:
            for kind in self._kinds:
                if time.monotonic() > until:
                    break
                await self._goes_on(playing)
                async with asyncio.timeout(PATIENCE):
                    while not await self.machine.kill(kind, self._chance):
                        _look_at(playing)
                        await asyncio.sleep(PAUSE)
                self.killed[kind] += 1
                if self.killed.total() % 50 == 0:
                    for play in self._plays:
                        await play.check()
                    print(self.report(), flush=True)
            await self._goes_on(playing)
            for play in self._plays:
                play.over = True
            await asyncio.gather(*playing)
        finally:
            for task in playing:
                task.cancel()
            await asyncio.gather(*playing, return_exceptions=True)
        for play in self._plays:
            await play.check()
        for person in self._people:
            await person.client.aclose()
        await self.machine.stop()
        await self._check()

    async def _register(self) -> None:
        database = Database(self.machine.database)
        await database.start()
        for person in self._people:
            await person.register(database)
        await database.stop()

    async def _goes_on(self, playing: Sequence[asyncio.Task[None]]) -> None:
        """Wait until moves are made again, and then for any moment: some time, or until a mail arrives."""
        before, mails = self.tally.moves, self.letters.copies.total()
        async with asyncio.timeout(PATIENCE):
            while self.tally.moves < before + 2:
                _look_at(playing)
                await asyncio.sleep(0.001)
        some_time = time.monotonic() + self._chance.uniform(0, LONGEST)
        mail = self._chance.random() < 0.5
        while time.monotonic() < some_time:
            if mail and self.letters.copies.total() > mails:
                return
            await asyncio.sleep(0.001)

    async def _check(self) -> None:
        wrong = self.tally.wrong
        for person in self._people:
            for kind, due in person.due.items():
                got = self.letters.different(person.address, kind)
                if got != due:
                    wrong.append(f"{person.name} was told {got} times instead of {due}: {kind}")
        database = Database(self.machine.database)
        [[kept]] = await database.glance(select(func.count()).select_from(Table))
        await database.stop()
        if kept != self.tally.tables:
            wrong.append(f"{self.tally.tables} tables were opened, {kept} are kept")
        if has_tracebacks(self.machine.log):
            wrong.append("There are tracebacks in the log.")

    @property
    def twice(self) -> int:
        """How many copies of a mail arrived that were sent again."""
        return self.letters.copies.total() - len(self.letters.copies)

    def report(self) -> str:
        """What happened, in a line."""
        kills = ", ".join(f"{kind} {count}" for kind, count in self.killed.items())
        tally = self.tally
        return (
            f"{self.killed.total()} kills ({kills}): {tally.moves} moves at {tally.tables} tables, "
            f"{tally.lost} requests without answer, {tally.refused} put off, "
            f"{len(self.letters.copies)} mails, {self.twice} of them sent twice, {len(tally.wrong)} wrong"
        )


def has_tracebacks(log: str) -> bool:
    """Whether a log holds tracebacks, other than that of a process that was just being started when the one that
    started it was killed: Python itself writes that.

    >>> has_tracebacks("Traceback (most recent call last):\\n  in spawn_main\\nEOFError: Ran out of input\\n")
    False
    >>> has_tracebacks("Traceback (most recent call last):\\n  in move\\nEOFError: Ran out of input\\n")
    True
    """
    tracebacks = log.split("Traceback (most recent call last):")[1:]
    return any("in spawn_main" not in one or "EOFError" not in one for one in tracebacks)


def _look_at(playing: Sequence[asyncio.Task[None]]) -> None:
    """Raise what has ended someone's play."""
    for task in playing:
        if task.done():
            task.result()


def run(
    kills: int | Sequence[str],
    on: str,
    folder: Path,
    seed: int = 1,
    until: float = float("inf"),
) -> Run:
    """Kill processes this number of times, or these, on SQLite or on PostgreSQL with Redis and two workers."""
    chance = random.Random(seed)
    letters = Letters()
    letters.start()
    try:
        place = on_sqlite if on == "sqlite" else on_postgres
        with services.sigterm_interrupts(), place(folder, letters.url) as machine:
            kinds = kills if not isinstance(kills, int) else chance.choices(machine.kinds, k=kills)
            found = Run(machine, letters, kinds, chance)
            try:
                asyncio.run(found.go(until))
            finally:
                if found.tally.wrong or has_tracebacks(machine.log):
                    print(machine.log[-6000:], file=sys.stderr)
    finally:
        letters.stop()
    return found


def main() -> int:
    """Run it long."""
    parser = argparse.ArgumentParser(prog="python -m tests.kills", description=__doc__)
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--on", choices=("sqlite", "postgres"), default="postgres")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=float("inf"), help="stop after so long")
    given = parser.parse_args()
    until = time.monotonic() + given.minutes * 60
    with tempfile.TemporaryDirectory() as folder:
        found = run(given.kills, given.on, Path(folder), given.seed, until)
    print(found.report())
    for sentence in found.tally.wrong:
        print(sentence)
    return 1 if found.tally.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
