"""Health checks and the metrics exporter."""

from __future__ import annotations

import asyncio
import logging
import os
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from litestar import get
from prometheus_client import CollectorRegistry, ProcessCollector, start_http_server
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead
from prometheus_client.registry import Collector
from sqlalchemy import func, select

from kursbuch.core.errors import KursbuchError, NotNow
from kursbuch.core.words import N_
from kursbuch.web.db.database import Database
from kursbuch.web.db.models import Table
from kursbuch.web.http.errors import Unavailable
from kursbuch.web.http.requests import AnyRequest, tables_of
from kursbuch.web.live.streams import check_redis
from kursbuch.web.notifications.models import Message
from kursbuch.web.ops.logs import ThrottledLog
from kursbuch.web.ops.metrics import COUNTS
from kursbuch.web.ops.workers import process_lives
from kursbuch.web.tables.policies import CLOSED, FINISHED, LOBBY, RUNNING

#: Environment variable for the folder of the workers' metrics files.
METRICS_FOLDER = "PROMETHEUS_MULTIPROC_DIR"

#: Time limit of the database query, in seconds.
COLLECT_TIMEOUT = 5.0


class DatabaseCollector(Collector):
    """Metrics from the database."""

    def __init__(self, database: str | None) -> None:
        self._database = database

    def collect(self) -> Iterable[Metric]:
        """Query the database."""
        up = GaugeMetricFamily("kursbuch_database_up", "Whether the database answers.")
        tables = GaugeMetricFamily("kursbuch_tables", "Tables by status.", labels=["status"])
        try:
            found = asyncio.run(asyncio.wait_for(_read(self._database), COLLECT_TIMEOUT))
        except Exception:  # reported to Prometheus; the server logs the reason
            up.add_metric([], 0)
            return [up]
        up.add_metric([], 1)
        for status in (LOBBY, RUNNING, FINISHED, CLOSED):
            tables.add_metric([status], found.tables.get(status, 0))
        return [
            up,
            tables,
            GaugeMetricFamily(
                "kursbuch_letters_waiting", "Messages that have not been sent.", found.waiting
            ),
            GaugeMetricFamily(
                "kursbuch_bots_due_tables", "Tables at which a bot has to move.", found.due
            ),
            GaugeMetricFamily(
                "kursbuch_database_bytes", "Size of the database on disk.", found.bytes
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
    """Metrics of several workers; gauges count live workers only."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._collector = MultiProcessCollector(None, path=folder)  # type: ignore[no-untyped-call]

    def collect(self) -> Iterable[Metric]:
        """Return the sums."""
        for path in Path(self._folder).glob("gauge_live*.db"):
            number = path.stem.rpartition("_")[2]
            if number.isdecimal() and not process_lives(int(number)):
                mark_process_dead(int(number), self._folder)  # type: ignore[no-untyped-call]
        found: Iterable[Metric] = self._collector.collect()  # type: ignore[no-untyped-call]
        return found


def metrics_address(given: str) -> tuple[str, int]:
    """Split an address into host and port.

    >>> metrics_address("127.0.0.1:9100"), metrics_address("[::1]:9100")
    (('127.0.0.1', 9100), ('::1', 9100))
    """
    host, colon, port = given.rpartition(":")
    if not colon or not host or not port.isdecimal() or not 0 < int(port) < 65536:
        raise KursbuchError("The metrics address must be HOST:PORT, not {text}.", text=given)
    return host.strip("[]"), int(port)


@contextmanager
def export_metrics(given: str, database: str | None) -> Iterator[None]:
    """Serve metrics to Prometheus while the block runs."""
    host, port = metrics_address(given)
    registry = CollectorRegistry()
    registry.register(DatabaseCollector(database))
    folder = os.environ.get(METRICS_FOLDER)
    if folder:
        registry.register(WorkerCollector(folder))
    else:
        registry.register(COUNTS)
        ProcessCollector(registry=registry)
    try:
        server, thread = start_http_server(port, host, registry)
    except OSError as error:
        raise NotNow(
            "The metrics address {address} cannot be used: {why}.",
            address=given,
            why=error.strerror or str(error),
        ) from None
    try:
        yield
    finally:
        threading.Thread(target=server.shutdown, daemon=True).start()
        thread.join(2)
        server.server_close()


#: Time limit for answers of the database and Redis, in seconds.
READY_TIMEOUT = 3.0
seldom = ThrottledLog(logging.getLogger(__name__))


@get("/health", include_in_schema=False, media_type="text/plain")
async def health() -> str:
    """Answer while the process lives, whatever other services do."""
    return "ok"


@get("/ready", include_in_schema=False, media_type="text/plain")
async def ready(request: AnyRequest) -> str:
    """Answer if requests can be served; 503 unless Redis and an up-to-date database answer."""
    try:
        async with asyncio.timeout(READY_TIMEOUT):
            tables = tables_of(request)
            async with tables.refusing():
                current = await tables.database.is_current()
            if not current:
                raise Unavailable(N_("The database belongs to another version of the program."))
            if request.app.state.redis:
                await check_redis(request.app.state.redis)
    except TimeoutError:
        raise Unavailable(N_("A service did not answer in time. Please try again.")) from None
    except Unavailable:
        raise
    except KursbuchError as error:
        # The address of Redis is not shown.
        seldom.write("redis", "%s", error)
        raise Unavailable(N_("Redis does not answer.")) from None
    return "ready"
