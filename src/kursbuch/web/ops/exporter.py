"""The metrics exporter."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from prometheus_client import CollectorRegistry, ProcessCollector, start_http_server
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead
from prometheus_client.registry import Collector
from sqlalchemy import func, select

from kursbuch.core.errors import KursbuchError, NotNow
from kursbuch.web.db.database import Database
from kursbuch.web.db.models import Table
from kursbuch.web.notifications.models import Message
from kursbuch.web.ops.metrics import COUNTS
from kursbuch.web.tables.policies import CLOSED, FINISHED, LOBBY, RUNNING

#: The variable that names the folder of the files of several workers.
FOLDER = "PROMETHEUS_MULTIPROC_DIR"

#: How long the database may take to answer when somebody asks, in seconds.
PATIENCE = 5.0


class DatabaseCollector(Collector):
    """What stands in the database."""

    def __init__(self, database: str | None) -> None:
        self._database = database

    def collect(self) -> Iterable[Metric]:
        """Read it anew."""
        up = GaugeMetricFamily("kursbuch_database_up", "Whether the database answers.")
        tables = GaugeMetricFamily("kursbuch_tables", "Tables by status.", labels=["status"])
        try:
            found = asyncio.run(asyncio.wait_for(_read(self._database), PATIENCE))
        except Exception:  # whatever it is, Prometheus is told, and the server says why in its log
            up.add_metric([], 0)
            return [up]
        up.add_metric([], 1)
        for status in (LOBBY, RUNNING, FINISHED, CLOSED):
            tables.add_metric([status], found.tables.get(status, 0))
        return [
            up,
            tables,
            GaugeMetricFamily(
                "kursbuch_letters_waiting", "Letters that have not been sent.", found.waiting
            ),
            GaugeMetricFamily(
                "kursbuch_bots_due_tables", "Tables at which the computer has to move.", found.due
            ),
            GaugeMetricFamily(
                "kursbuch_database_bytes", "What the database takes on the disk.", found.bytes
            ),
        ]


class _Found(NamedTuple):
    tables: dict[str, int]
    due: int
    waiting: int
    bytes: int


async def _read(given: str | None) -> _Found:
    database = Database(given)
    try:
        tables = await database.glance(select(Table.status, func.count()).group_by(Table.status))
        due = select(func.count()).where(Table.bots_due, Table.status == RUNNING)
        waiting = select(func.count()).where(Message.due_at.is_not(None))
        return _Found(
            {str(row[0]): int(row[-1]) for row in tables},
            int((await database.glance(due))[0][0]),
            int((await database.glance(waiting))[0][0]),
            await database.bytes(),
        )
    finally:
        await database.stop()


class WorkerCollector(Collector):
    """What several workers have counted; streams and thoughts only of those that live."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._collector = MultiProcessCollector(None, path=folder)  # type: ignore[no-untyped-call]

    def collect(self) -> Iterable[Metric]:
        """Add up."""
        for path in Path(self._folder).glob("gauge_live*.db"):
            number = path.stem.rpartition("_")[2]
            if number.isdecimal() and not _lives(int(number)):
                mark_process_dead(int(number), self._folder)  # type: ignore[no-untyped-call]
        found: Iterable[Metric] = self._collector.collect()  # type: ignore[no-untyped-call]
        return found


def _lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def address(given: str) -> tuple[str, int]:
    """The host and port of an address.

    >>> address("127.0.0.1:9100"), address("[::1]:9100")
    (('127.0.0.1', 9100), ('::1', 9100))
    """
    host, colon, port = given.rpartition(":")
    if not colon or not host or not port.isdecimal() or not 0 < int(port) < 65536:
        raise KursbuchError(
            "The address of the metrics is given as HOST:PORT; this is not: {text}.", text=given
        )
    return host.strip("[]"), int(port)


@contextmanager
def served(given: str, database: str | None) -> Iterator[None]:
    """Answer Prometheus at an address as long as the block runs."""
    host, port = address(given)
    registry = CollectorRegistry()
    registry.register(DatabaseCollector(database))
    folder = os.environ.get(FOLDER)
    if folder:
        registry.register(WorkerCollector(folder))
    else:
        registry.register(COUNTS)
        ProcessCollector(registry=registry)
    try:
        server, thread = start_http_server(port, host, registry)
    except OSError as error:
        raise NotNow(
            "The address {address} of the metrics cannot be used: {why}.",
            address=given,
            why=error.strerror or str(error),
        ) from None
    try:
        yield
    finally:
        threading.Thread(target=server.shutdown, daemon=True).start()
        thread.join(2)
        server.server_close()
