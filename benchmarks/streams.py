"""Memory of the streams of spectators, and CPU time while nothing happens.

The streams are opened by raw connections, all at two tables; the first ones do not count. `sent` is after three moves
at each table, which every stream has been sent.

    python -m benchmarks.streams --beside CHECKOUT
"""

from __future__ import annotations

import argparse
import asyncio

from benchmarks.common import Measurement, shorter
from benchmarks.load import memory
from benchmarks.moves import Served, Server, served, used
from benchmarks.tables import owner
from benchmarks.traffic import Line

TABLES: tuple[tuple[str, float | int], ...] = (("1835", 50), ("rocket", 0.5))

#: Streams at each table, those opened at a time, and those that do not count.
STREAMS, AT_ONCE, FIRST = 200, 20, 40

#: Moves at each table, and seconds of silence: more than a heartbeat.
MOVES, QUIET = 3, 32.0

NAMES = ("memory of a new stream", "memory of a stream, sent", "processor of a quiet stream")
UNITS = ("kB", "kB", "ms/s")


class Streams:
    """Open streams, of which nothing is read but to keep them going."""

    def __init__(self, port: int, form: int) -> None:
        self._port = port
        self._form = form
        self._reading: list[asyncio.Task[None]] = []

    async def come(self, table: str, first: int, count: int) -> None:
        """Open streams of spectators, numbered from `first`."""
        for begin in range(first, first + count, AT_ONCE):
            seats = range(begin, min(begin + AT_ONCE, first + count))
            await asyncio.gather(*(self._open(table, owner(table, seat)) for seat in seats))

    async def _open(self, table: str, visitor: str) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
        path = f"/t/{table}/events?push={self._form}"
        writer.write(f"GET {path} HTTP/1.1\r\n{Line(self._port, visitor).head}\r\n".encode())
        head = await reader.readuntil(b"\r\n\r\n")
        assert b" 200 " in head.split(b"\r\n", 1)[0], head
        self._reading.append(asyncio.create_task(self._read(reader, writer)))

    async def _read(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while await reader.read(65536):
                pass
        finally:
            writer.close()

    async def close(self) -> None:
        """Disconnect."""
        for task in self._reading:
            task.cancel()
        await asyncio.gather(*self._reading, return_exceptions=True)


async def _measured(place: Served) -> list[float]:
    port, process, form, made = place
    server, streams = Server(*place), Streams(port, form)
    # What a server does after its start does not count.
    await asyncio.sleep(5)
    await server.ready()

    async def move(times: int) -> None:
        for number in range(times * len(made)):
            await server.move(number % len(made))

    await move(MOVES)
    for name, _, _ in made:
        await streams.come(name, 1000, FIRST)
    await asyncio.sleep(2)
    before = memory(process)
    for name, _, _ in made:
        await streams.come(name, 2000, STREAMS)
    await asyncio.sleep(2)
    new = memory(process) - before
    await move(MOVES)
    await asyncio.sleep(2)
    sent = memory(process) - before
    spent = used(process)
    await asyncio.sleep(QUIET)
    spent = used(process) - spent
    await streams.close()
    await server.close()
    count = len(made) * STREAMS
    everyone = len(made) * (STREAMS + FIRST + 2)
    return [new * 1024 / count, sent * 1024 / count, spent / 1e6 / QUIET / everyone]


def figures(checkout: str) -> list[float]:
    """Figures of a checkout (empty: this one), as in `NAMES`."""
    with served(checkout, TABLES) as place:
        return asyncio.run(_measured(place))


def run(beside: str | None = None) -> list[Measurement]:
    """Memory and processor of a stream, compared with another version if there is one."""
    found = figures("")
    bases = figures(beside) if beside else found
    return [
        shorter(name, value, unit, beside or "itself", base)
        for name, value, unit, base in zip(NAMES, found, UNITS, bases, strict=True)
    ]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.streams", description=__doc__)
    parser.add_argument("--beside", help="the folder of another version")
    for each in run(parser.parse_args().beside):
        print(
            f"{each.name:<40}{each.value:>10.3f} {each.unit:<6}"
            f"{each.baseline_value:>10.3f} {each.baseline}{each.ratio:>8.2f} ×"
        )


if __name__ == "__main__":
    main()
