"""CPU time of a move on the server: sent, stored, and shown on two pages; and of opening a long game.

The tables are those of `load.py` and three of 1835 at early, middle and late stages. Moves are made one at a time at
each table in turn; only CPU time of the server's threads counts. Moves are warm: the first at each table do not count,
and none is repeated. Openings are cold: no table was shown before, nor is any game cached in the database; the first
does not count, because it loads the title. `CHECKOUT` is the folder of another version, set up by its own `run.py`,
which does the same alternately.

    python -m benchmarks.moves --rounds 30 --beside CHECKOUT
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import subprocess
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import mean, median

from benchmarks.common import Measurement, reference, seconds, shorter
from benchmarks.server import form_of, python_of, serving
from benchmarks.tables import MIXED, chosen, fill, owner
from benchmarks.traffic import Line, Page
from kursbuch.core.game import Game

#: Unmeasured moves per table, then measured ones.
WARM_UP = 4
ROUNDS = 30

#: Stages of the 1835 tables in moves.
LENGTHS = (50, 250, 490)
TABLES: tuple[tuple[str, float | int], ...] = (*MIXED, *(("1835", number) for number in LENGTHS))

#: Tables that are only opened.
OPENED: tuple[tuple[str, float | int], ...] = (("1835", 490),) * 6


#: Port, process and format of updates of a server, and its tables.
Served = tuple[int, int, int, list[tuple[str, Game, int]]]


class Server:
    """A server with its tables, two pages at each, and measured costs."""

    def __init__(
        self, port: int, process: int, form: int, made: list[tuple[str, Game, int]]
    ) -> None:
        self.port = port
        self.form = form
        self.process = process
        self.tables = made[: len(TABLES)]
        self.unopened = [name for name, _, _ in made[len(TABLES) :]]
        self.pages: dict[str, list[Page]] = {}
        self.lines: dict[str, Line] = {}
        #: CPU milliseconds of moves by table, and of openings.
        self.costs: dict[str, list[float]] = defaultdict(list)
        self.opened: list[float] = []

    async def open(self, name: str) -> None:
        """Open a table for the first time."""
        line = Line(self.port, owner(name, 0))
        before = used(self.process)
        status, _, _ = await line.ask("GET", f"/t/{name}")
        assert status == 200
        # The server writes the game to its cache afterwards.
        await asyncio.sleep(0.3)
        self.opened.append((used(self.process) - before) / 1e6)
        line.close()

    async def ready(self) -> None:
        """Open two pages at each table, and wait until they show it."""
        for name, _, _ in self.tables:
            self.pages[name] = [
                Page(self.port, owner(name, seat), f"/t/{name}", self.form) for seat in (0, 1)
            ]
        for name, _, number in self.tables:
            for page in self.pages[name]:
                await page.until(number)

    async def move(self, place: int) -> float | None:
        """Make the next recorded move at a table; return CPU milliseconds, None at the end of the game."""
        name, game, number = self.tables[place]
        if number + 1 >= len(game.moves):
            return None
        action = game.moves[number].action
        who = owner(name, action.seat)
        line = self.lines.setdefault(who, Line(self.port, who))
        body = json.dumps({"number": number, "action": game.title.action_to_json(action)})
        before = used(self.process)
        status, _, answer = await line.ask("POST", f"/t/{name}/move", body.encode())
        assert status == 204, answer
        for page in self.pages[name]:
            await page.until(number + 1)
        # Work after the response is part of the move.
        await asyncio.sleep(0.01)
        self.tables[place] = name, game, number + 1
        return (used(self.process) - before) / 1e6

    async def close(self) -> None:
        """Disconnect all browsers."""
        for line in self.lines.values():
            line.close()
        await asyncio.gather(*(page.close() for pages in self.pages.values() for page in pages))


def used(process: int) -> int:
    """CPU nanoseconds of a process's threads."""
    threads = Path(f"/proc/{process}/task").iterdir()
    return sum(int((thread / "schedstat").read_text().split()[0]) for thread in threads)


def measured(rounds: int, *checkouts: str) -> list[Server]:
    """Make moves alternately at servers of these checkouts (empty: this one)."""
    with contextlib.ExitStack() as stack:
        wanted = (*TABLES, *OPENED)
        places = [stack.enter_context(served(checkout, wanted)) for checkout in checkouts]
        return asyncio.run(_play(rounds, places))


@contextlib.contextmanager
def served(checkout: str, wanted: Sequence[tuple[str, float | int]]) -> Iterator[Served]:
    """A server of a checkout (empty: this one) with tables of these titles."""
    with tempfile.TemporaryDirectory() as folder:
        database = f"{folder}/tables.sqlite3"
        if checkout:
            # Each version makes its own database.
            program = f"import asyncio; from benchmarks.tables import fill; asyncio.run(fill({database!r}, {wanted!r}))"
            subprocess.run([python_of(checkout), "-c", program], cwd=checkout, check=True)
            made = chosen(wanted)
        else:
            made = asyncio.run(fill(database, wanted))
        with serving(database, checkout=checkout) as (port, process):
            yield port, process, form_of(checkout), made


async def _play(rounds: int, places: list[Served]) -> list[Server]:
    servers = [Server(*place) for place in places]
    # What a server does after its start is no part of an opening.
    await asyncio.sleep(5)
    for names in zip(*(server.unopened for server in servers), strict=True):
        for server, name in zip(servers, names, strict=True):
            await server.open(name)
    for server in servers:
        await server.ready()
    for count in range(WARM_UP + rounds):
        for place in range(len(TABLES)):
            for server in servers[:: 1 if count % 2 else -1]:
                name = server.tables[place][0]
                cost = await server.move(place)
                if cost is not None and count >= WARM_UP:
                    server.costs[name].append(cost)
    for server in servers:
        await server.close()
    return servers


def figures(server: Server) -> dict[str, float]:
    """Median milliseconds of an opening and, by title and stage, of a move; and the mean over titles."""
    costs: dict[str, list[float]] = defaultdict(list)
    for name, game, _ in server.tables[: len(MIXED)]:
        costs[game.title.id] += server.costs[name]
    found = {"opening 1835 after 490 moves, cold, median": median(server.opened[1:])}
    a_move = "a move, two pages, warm:"
    for title, values in costs.items():
        found[f"{a_move} {title}, median"] = median(values)
    found[f"{a_move} all titles, mean"] = mean(mean(values) for values in costs.values())
    for number, (name, _, _) in zip(LENGTHS, server.tables[len(MIXED) :], strict=True):
        found[f"{a_move} 1835 after {number} moves, median"] = median(server.costs[name])
    return found


def run(rounds: int = ROUNDS, beside: str | None = None) -> list[Measurement]:
    """Milliseconds by title, compared with the reference or another version."""
    before = seconds(reference, 9) * 1e3
    servers = measured(rounds, "", *([beside] if beside else []))
    base = (before + seconds(reference, 9) * 1e3) / 2
    bases = figures(servers[1]) if beside else {}
    return [
        shorter(f"processor of {name}", value, "ms", beside or "reference", bases.get(name, base))
        for name, value in figures(servers[0]).items()
    ]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.moves", description=__doc__)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--beside", help="the folder of another version, measured in turn")
    given = parser.parse_args()
    for each in run(given.rounds, given.beside):
        print(
            f"{each.name:<68}{each.value:>8.2f} ms"
            f"{each.baseline_value:>10.2f} ms {each.baseline}{each.ratio:>8.2f} ×"
        )


if __name__ == "__main__":
    main()
