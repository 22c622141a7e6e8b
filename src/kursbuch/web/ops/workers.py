"""Reports of the server's processes about their load and errors, stored where every process finds them."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import os
import socket
import time
from collections import deque
from collections.abc import Sequence
from datetime import datetime, timedelta
from importlib.metadata import version
from typing import NamedTuple

import msgspec
from prometheus_client.metrics import MetricWrapperBase
from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncSession

from kursbuch.core.errors import KursbuchError
from kursbuch.web.background import Background, noting
from kursbuch.web.db.database import Database, upsert
from kursbuch.web.db.models import STATUS_PREFIX, Setting, now
from kursbuch.web.live.streams import check_redis
from kursbuch.web.ops.logs import without_secrets
from kursbuch.web.ops.metrics import QUEUED, REQUESTS, STREAMS, THOUGHTS

#: Interval of the reports, in seconds.
INTERVAL = 20.0

#: Age from which a report counts as that of a process that has ended.
SILENT = timedelta(seconds=90)

#: How long the report of an ended process is kept, for its errors.
KEPT = timedelta(days=1)

#: Number of reports that the load is measured over: five minutes.
WINDOW = 16

#: Time limit for an answer of Redis, in seconds.
REDIS_TIMEOUT = 2.0

#: Maximum numbers of counted and of described errors, and maximum length of a description.
MAX_COUNTED, MAX_DESCRIBED, MAX_LENGTH = 1000, 10, 300

#: Answers slower than this are counted as slow, in seconds; a bucket of `REQUESTS`.
SLOW = 1.0

#: Kinds of requests that say nothing of the load.
_LIGHT = ("health", "static")
_PREFIX = f"{STATUS_PREFIX}worker "

#: Loggers whose errors are reported.
_LOGGERS = ("kursbuch", "uvicorn")
log = logging.getLogger(__name__)


class LoggedError(msgspec.Struct, frozen=True):
    """An error in the log, in one line without secrets."""

    at: datetime
    text: str


class WorkerReport(msgspec.Struct, frozen=True, kw_only=True):
    """What a server process says of itself.

    Requests are those of the last `seconds`: their number, the sum of their times, and how many were
    slow or refused because of overload. `processor` is the share of a core. `redis` is None without
    Redis, else whether it answers. `address` and `channels` are settings: whether links have an
    address, and how messages are sent."""

    host: str
    process: int
    program: str
    started_at: datetime
    at: datetime
    seconds: float = 0.0
    requests: int = 0
    request_seconds: float = 0.0
    slow: int = 0
    refused: int = 0
    processor: float = 0.0
    streams: int = 0
    thinking: int = 0
    waiting: dict[str, int] = {}
    errors_in_hour: int = 0
    errors: list[LoggedError] = []
    redis: bool | None = None
    address: bool = False
    channels: list[str] = []

    @property
    def is_running(self) -> bool:
        """Whether the process still runs, as far as one can tell from here."""
        if now() - self.at > SILENT:
            return False
        return self.host != socket.gethostname() or process_lives(self.process)


def process_lives(process: int) -> bool:
    """Tell whether a process of this machine lives."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


class ErrorLog(logging.Handler):
    """Remembers the last errors of the log."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self._times: deque[datetime] = deque(maxlen=MAX_COUNTED)
        self._last: deque[LoggedError] = deque(maxlen=MAX_DESCRIBED)

    def emit(self, record: logging.LogRecord) -> None:
        """Note an error with the kind and place of its exception, whose own text may be private."""
        self._times.append(now())
        said = " ".join(record.getMessage().split())
        if record.exc_info and record.exc_info[0] is not None:
            said = f"{said} ({record.exc_info[0].__name__}{_place(record)})"
        self._last.append(LoggedError(now(), without_secrets(said)[:MAX_LENGTH]))

    def since(self, moment: datetime) -> int:
        """Count the errors since a moment."""
        return sum(at >= moment for at in list(self._times))

    @property
    def last(self) -> list[LoggedError]:
        """The last errors, the oldest first."""
        return list(self._last)


def _place(record: logging.LogRecord) -> str:
    trace = record.exc_info[2] if record.exc_info else None
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None:
        return ""
    return f", {trace.tb_frame.f_globals.get('__name__', '?')}:{trace.tb_lineno}"


class _Counts(NamedTuple):
    """Counts since the process started, and the time used until then, in seconds."""

    at: float
    processor: float
    requests: int
    request_seconds: float
    slow: int
    refused: int


def _counts() -> _Counts:
    requests = quick = refused = 0
    seconds = 0.0
    for metric in REQUESTS.collect():
        for sample in metric.samples:
            if sample.labels["kind"] in _LIGHT:
                continue
            if sample.name.endswith("_sum"):
                seconds += sample.value
            elif sample.name.endswith("_count"):
                requests += int(sample.value)
                refused += int(sample.value) if sample.labels["status"] == "503" else 0
            elif sample.labels.get("le") == str(SLOW):
                quick += int(sample.value)
    slow = requests - quick
    return _Counts(time.monotonic(), time.process_time(), requests, seconds, slow, refused)


def _gauge(metric: MetricWrapperBase, label: str = "") -> dict[str, int]:
    return {
        sample.labels.get(label, ""): int(sample.value)
        for one in metric.collect()
        for sample in one.samples
    }


class WorkerReports(Background):
    """Reports on this process, and stores the reports in the database."""

    def __init__(
        self, database: Database, redis: str | None, address: str, channels: Sequence[str]
    ) -> None:
        self._database = database
        self._redis = redis
        self._address = bool(address)
        self._channels = list(channels)
        self._started_at = now()
        self._errors = ErrorLog()
        self._counted: deque[_Counts] = deque([_counts()], maxlen=WINDOW)
        self._host = socket.gethostname()
        place = hashlib.sha256(f"{self._host} {os.getpid()}".encode()).hexdigest()
        self._key = _PREFIX + place[:16]

    async def start(self) -> None:
        """Start reporting."""
        for name in _LOGGERS:
            logging.getLogger(name).addHandler(self._errors)
        self._begin()

    async def stop(self) -> None:
        """Stop reporting."""
        await super().stop()
        for name in _LOGGERS:
            logging.getLogger(name).removeHandler(self._errors)

    async def report(self) -> WorkerReport:
        """Return the present report."""
        first, last = self._counted[0], _counts()
        passed = max(last.at - first.at, 0.001)
        return WorkerReport(
            host=self._host,
            process=os.getpid(),
            program=version("kursbuch"),
            started_at=self._started_at,
            at=now(),
            seconds=round(passed, 1),
            requests=last.requests - first.requests,
            request_seconds=round(last.request_seconds - first.request_seconds, 3),
            slow=last.slow - first.slow,
            refused=last.refused - first.refused,
            processor=round((last.processor - first.processor) / passed, 3),
            streams=sum(_gauge(STREAMS).values()),
            thinking=sum(_gauge(THOUGHTS).values()),
            waiting=_gauge(QUEUED, "lane"),
            errors_in_hour=self._errors.since(now() - timedelta(hours=1)),
            errors=self._errors.last,
            redis=await self._redis_answers(),
            address=self._address,
            channels=self._channels,
        )

    async def _redis_answers(self) -> bool | None:
        if not self._redis:
            return None
        try:
            async with asyncio.timeout(REDIS_TIMEOUT):
                await check_redis(self._redis)
        except (TimeoutError, KursbuchError):
            return False
        return True

    async def _run(self) -> None:
        with noting(log, "Old reports could not be deleted."):
            await self._tidy()
        while True:
            with noting(log, "The report of this process could not be stored."):
                await self.store()
            await asyncio.sleep(INTERVAL)
            self._counted.append(_counts())

    async def store(self) -> None:
        """Store the present report."""
        value = msgspec.json.encode(await self.report()).decode()
        async with self._database.writing() as session:
            row = upsert(session, Setting).values(key=self._key, value=value)
            await session.execute(
                row.on_conflict_do_update(index_elements=["key"], set_={"value": value})
            )

    async def _tidy(self) -> None:
        async with self._database.reading() as session:
            found = await _stored(session)
        old = [key for key, report in found if report is None or now() - report.at > KEPT]
        if old:
            async with self._database.writing() as session:
                await session.execute(delete(Setting).where(Setting.key.in_(old)))


async def _stored(session: AsyncSession) -> list[tuple[str, WorkerReport | None]]:
    """Return the stored reports by key; None for those of another version that cannot be read."""
    query = select(Setting.key, Setting.value).where(Setting.key.startswith(_PREFIX))
    return [(key, _read(value)) for key, value in await session.execute(query)]


def _read(value: str) -> WorkerReport | None:
    try:
        return msgspec.json.decode(value, type=WorkerReport)
    except msgspec.DecodeError:
        return None


async def worker_reports(session: AsyncSession) -> list[WorkerReport]:
    """Return the reports of the last day, also those of processes that have ended."""
    found = [report for _, report in await _stored(session) if report is not None]
    return [report for report in found if now() - report.at < KEPT]
