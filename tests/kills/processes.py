"""The processes of a server, each of which can be killed: itself, its workers, those that think for the computer,
PostgreSQL with those that serve its connections, and Redis. Letters are sent by the workers."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import httpx

from tests import services
from tests.kills.players import PATIENCE
from tests.services import Running
from tests.web.visitors import free_port

SERVER, WORKER, BOT = "server", "worker", "computer opponent"
POSTGRES, CONNECTION, REDIS = "PostgreSQL", "connection of PostgreSQL", "Redis"

#: Letters are looked for more often than usual, anyone who took one has less time for it, and no one counts as looking
#: at a table, so that they arrive within a moment and a killed sender is replaced within some.
SERVE = """
import sys
from datetime import timedelta
from multiprocessing import current_process
from kursbuch.web import serve
port, database, redis, workers = sys.argv[1:]
name = current_process().name
generation = 0 if name == "MainProcess" else name.count(":") + 1
if generation == (int(workers) > 1):
    from kursbuch.web.live import presence
    from kursbuch.web.notifications import composer, outbox
    presence.PRESENT = timedelta(0)
    outbox.LEASE = timedelta(seconds=4)
    outbox.POLL_INTERVAL = composer.POLL_INTERVAL = 0.2
if __name__ == "__main__":
    serve(port=int(port), database=database, redis=redis or None, workers=int(workers))
"""


#: Starts something on this machine; it can be killed, and is stopped when the stack is left.
Start = Callable[[str, ExitStack], tuple[str, Running]]


class Machine:
    """Everything that runs for a server, with one worker on SQLite, or several with PostgreSQL and Redis."""

    def __init__(
        self,
        folder: Path,
        mails: str,
        workers: int = 1,
        postgres: tuple[str, Running] | None = None,
        redis: tuple[str, Running] | None = None,
    ) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.database = postgres[0] if postgres else str(folder / "tables.sqlite3")
        self._workers = workers
        self._postgres = postgres and postgres[1]
        self._redis = redis and redis[1]
        self._program = folder / "serve.py"
        self._program.write_text(SERVE)
        self._given = [str(self.port), self.database, redis[0] if redis else "", str(workers)]
        self._log = folder / "log"
        self._chosen = {
            "KURSBUCH_SMTP": mails,
            "KURSBUCH_MAIL_FROM": "post@club.example",
            "KURSBUCH_NOTICE_PAUSE": "0",
            "KURSBUCH_ADDRESS": "https://club.example",
            "KURSBUCH_BOT_PROCESSES": "1",
        }
        self._server: subprocess.Popen[bytes]
        self._groups: list[int] = []

    @property
    def kinds(self) -> list[str]:
        """What can be killed."""
        found = [SERVER, BOT]
        if self._workers > 1:
            found.append(WORKER)
        if self._postgres is not None:
            found += [POSTGRES, CONNECTION]
        if self._redis is not None:
            found.append(REDIS)
        return found

    @property
    def log(self) -> str:
        """What the server has written."""
        return self._log.read_text(errors="replace")

    async def start(self) -> None:
        """Start the server, and wait until it is ready."""
        with self._log.open("ab") as log:
            self._server = subprocess.Popen(
                [sys.executable, str(self._program), *self._given],
                env={**os.environ, **self._chosen},
                start_new_session=True,
                stdout=log,
                stderr=log,
            )
        self._groups.append(self._server.pid)
        async with asyncio.timeout(PATIENCE), httpx.AsyncClient() as client:
            while True:
                assert self._server.poll() is None, f"The server did not start: {self.log}"
                try:
                    if (await client.get(f"{self.url}/ready")).status_code == 200:
                        return
                except httpx.TransportError:
                    pass
                await asyncio.sleep(0.02)

    async def stop(self) -> None:
        """Stop the server; nothing of it, or of those killed before, may be left."""
        self._server.send_signal(signal.SIGTERM)
        async with asyncio.timeout(PATIENCE):
            while self._server.poll() is None or any(map(_is_alive, self._groups)):
                await asyncio.sleep(0.02)

    def end(self) -> None:
        """End what is left, whatever became of it."""
        for group in filter(_is_alive, self._groups):
            os.killpg(group, signal.SIGKILL)

    async def kill(self, kind: str, chance: random.Random) -> bool:
        """Kill one process of a kind, and start it again unless the server sees to that itself. False if there is
        none just now."""
        match kind:
            case "server":
                # What runs it, such as systemd, ends what is left of its processes.
                self._server.kill() if self._workers == 1 else os.killpg(
                    self._server.pid, signal.SIGKILL
                )
                self._server.wait()
                await self.start()
            case "worker":
                return _kill_one(self._answering(), chance)
            case "computer opponent":
                found = [child for worker in self._answering() for child in _spawned(worker)]
                return _kill_one(found, chance)
            case "PostgreSQL":
                assert self._postgres is not None
                await asyncio.to_thread(_killed, self._postgres)
            case "connection of PostgreSQL":
                assert self._postgres is not None
                return _kill_one(_children(self._postgres.process.pid, "kursbuch"), chance)
            case "Redis":
                assert self._redis is not None
                await asyncio.to_thread(_killed, self._redis)
        return True

    def _answering(self) -> list[int]:
        """The processes that answer requests."""
        return [self._server.pid] if self._workers == 1 else _spawned(self._server.pid)


@contextmanager
def on_sqlite(folder: Path, mails: str) -> Iterator[Machine]:
    """A server of one process."""
    yield from _ended(Machine(folder, mails))


@contextmanager
def on_postgres(folder: Path, mails: str, workers: int = 2) -> Iterator[Machine]:
    """A server of several workers, with a PostgreSQL and a Redis of its own."""
    with ExitStack() as stack:

        def run(service: services.Service, start: Start) -> tuple[str, Running]:
            place = service.find()
            if place is None:
                raise services.Problem(services.lacking([service]))
            return start(place, stack)

        postgres = run(services.POSTGRES, services.run_postgres)
        redis = run(services.REDIS, services.run_redis)
        yield from _ended(Machine(folder, mails, workers, postgres, redis))


def _ended(machine: Machine) -> Iterator[Machine]:
    try:
        yield machine
    finally:
        machine.end()


def _killed(running: Running) -> None:
    running.process.kill()
    running.process.wait()
    running.again()


def _kill_one(processes: list[int], chance: random.Random) -> bool:
    if not processes:
        return False
    try:
        os.kill(chance.choice(processes), signal.SIGKILL)
    except ProcessLookupError:
        return False
    return True


def _spawned(parent: int) -> list[int]:
    return _children(parent, "spawn_main")


def _children(parent: int, word: str) -> list[int]:
    """The processes started by another one that have a word in their command."""
    found = []
    for listed in Path(f"/proc/{parent}/task").glob("*/children"):
        try:
            children = listed.read_text().split()
        except OSError:
            continue
        for child in children:
            try:
                command = Path(f"/proc/{child}/cmdline").read_bytes().decode(errors="replace")
            except OSError:
                continue
            if word in command:
                found.append(int(child))
    return found


def _is_alive(group: int) -> bool:
    """Whether a process of the group is left."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True
