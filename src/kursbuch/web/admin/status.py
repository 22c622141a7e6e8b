"""The state of a server: what it does, what is wrong, and what to do about it."""

from __future__ import annotations

import asyncio
import logging
import os
import shutil
import socket
from collections.abc import Sequence
from datetime import datetime, timedelta
from importlib.metadata import version
from pathlib import Path

import msgspec
from sqlalchemy import exists, func, select, text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncSession

from kursbuch.core.errors import KursbuchError, Label, Plural
from kursbuch.core.words import N_
from kursbuch.web.backup.dump import LastBackup, last_backup
from kursbuch.web.db.database import Database, cause
from kursbuch.web.db.migrations import is_known, migrated_to, newest_migration
from kursbuch.web.db.models import Seat, Table, now
from kursbuch.web.http.errors import Unavailable
from kursbuch.web.labels import format_time
from kursbuch.web.notifications.models import Message, PausedAddress
from kursbuch.web.notifications.outbox import MAIL
from kursbuch.web.ops.logs import without_secrets
from kursbuch.web.ops.workers import SILENT, LoggedError, WorkerReport, worker_reports
from kursbuch.web.tables.policies import CLOSED, FINISHED, LOBBY, RUNNING

#: Time limit for the database, and for the disks, in seconds.
LIMIT = 3.0

#: Age from which a backup is too old, and a database without one is noted.
BACKUP_DUE = timedelta(days=2)

#: Time after which a due bot counts as late.
BOT_LATE = timedelta(minutes=1)

#: Time after which an unsent mail counts as stuck.
MAIL_STUCK = timedelta(minutes=30)

#: Period over which undelivered messages are counted.
GIVEN_UP_WITHIN = timedelta(days=7)

#: Free space below which a disk is nearly full, in bytes; a larger database needs its own size.
MIN_FREE = 1_000_000_000

#: Share of slow answers, and of a processor core, from which a process is overloaded.
MAX_SLOW, MAX_PROCESSOR = 0.05, 0.9

#: Number of requests from which the share of slow answers says something.
MIN_REQUESTS = 20

#: Maximum number of errors shown.
MAX_ERRORS = 10

#: Period over which the processor share says something, in seconds.
MIN_SECONDS = 60.0
log = logging.getLogger(__name__)


class Problem(msgspec.Struct, frozen=True):
    """Something that is wrong, with what to do about it in one sentence."""

    code: str
    sentence: KursbuchError


class TableCounts(msgspec.Struct, frozen=True):
    """Tables by status, those where a bot has to move, and those where people wait for it too long."""

    by_status: dict[str, int]
    bots_due: int
    bots_late: int


class OutboxState(msgspec.Struct, frozen=True):
    """Messages of all channels that wait, have failed and are tried again, or were given up in a week.

    `oldest` is the time of the oldest due mail, `sent` that of the last one sent, and `error` the last
    failure of a mail. No notifications go to `paused` addresses."""

    waiting: int = 0
    failing: int = 0
    given_up: int = 0
    oldest: datetime | None = None
    sent: datetime | None = None
    error: str = ""
    paused: int = 0

    @property
    def is_stuck(self) -> bool:
        """Whether mails wait, and no later one got through."""
        if self.oldest is None or now() - self.oldest < MAIL_STUCK:
            return False
        return self.sent is None or self.sent < self.oldest


class DatabaseState(msgspec.Struct, frozen=True):
    """The database: `revision` is its migration, `expected` that of this program."""

    kind: str
    revision: str
    expected: str
    bytes: int = 0
    #: Whether there are games old enough to need a backup.
    used: bool = False


class Disk(msgspec.Struct, frozen=True):
    """The disk with a folder, and its free space in bytes."""

    path: str
    free: int
    total: int


class ServerStatus(msgspec.Struct, frozen=True, kw_only=True):
    """The state of a server. What the database knows is None while it does not answer."""

    at: datetime
    program: str
    problems: list[Problem] = []
    workers: list[WorkerReport] = []
    errors: list[LoggedError] = []
    errors_in_hour: int = 0
    database: DatabaseState | None = None
    tables: TableCounts | None = None
    messages: OutboxState | None = None
    backup: LastBackup | None = None
    disks: list[Disk] = []


async def collect_status(database: Database, own: WorkerReport | None = None) -> ServerStatus:
    """Collect the state of a server within seconds, whatever answers. `own` is the report of this
    process, if it is one of the server's."""
    status = ServerStatus(at=now(), program=version("kursbuch"))
    found = await _within_limit(database, status)
    if found is None:
        away = KursbuchError(
            "The database does not answer: check `KURSBUCH_DATABASE`, and whether PostgreSQL runs or the disk "
            "with the file works."
        )
        found = msgspec.structs.replace(status, problems=[Problem("database-away", away)])
    running = [report for report in found.workers if report.is_running]
    if own is not None:
        others = [one for one in running if (one.host, one.process) != (own.host, own.process)]
        running = [own, *others]
    ended = [report for report in found.workers if report not in running]
    errors = sorted(
        (error for report in [*running, *ended] for error in report.errors),
        key=lambda error: error.at,
        reverse=True,
    )
    hour = now() - timedelta(hours=1)
    found = msgspec.structs.replace(
        found,
        workers=sorted(running, key=lambda report: (report.host, report.process)),
        errors=errors[:MAX_ERRORS],
        errors_in_hour=sum(one.errors_in_hour for one in running)
        + sum(error.at > hour for one in ended for error in one.errors),
        disks=await _disks(database, found.backup),
    )
    return msgspec.structs.replace(found, problems=[*found.problems, *problems_of(found)])


async def _within_limit(database: Database, status: ServerStatus) -> ServerStatus | None:
    """Return the status with what the database says, None if it does not say so in time."""
    found: list[ServerStatus] = []

    async def look() -> None:
        try:
            async with database.reading() as session:
                found.append(await _read(session, database, status))
        except Unavailable:
            pass  # in the log already
        except (SQLAlchemyError, OSError) as error:
            log.warning("The state of the database could not be read: %s", cause(error))

    # Not cancelled and waited for: a query that hangs may take long to end.
    task = database.beside(look())
    await asyncio.wait([task], timeout=LIMIT)
    task.cancel()
    return found[0] if found else None


async def _read(session: AsyncSession, database: Database, status: ServerStatus) -> ServerStatus:
    if not database.is_sqlite:
        await session.execute(text(f"SET LOCAL statement_timeout = {int(LIMIT * 1000)}"))
    connection = await session.connection()
    kind = "SQLite" if database.is_sqlite else "PostgreSQL"
    revision = await connection.run_sync(migrated_to)
    state = DatabaseState(kind, revision or "", newest_migration())
    if state.revision != state.expected:
        return msgspec.structs.replace(status, database=state)
    backup = await last_backup(session)
    due = now() - BACKUP_DUE
    used = select(exists().where(Table.created_at < due)) if backup is None else None
    state = msgspec.structs.replace(
        state,
        bytes=int(await session.scalar(database.size_query) or 0),
        used=used is not None and bool(await session.scalar(used)),
    )
    return msgspec.structs.replace(
        status,
        database=state,
        workers=await worker_reports(session),
        tables=await _tables(session),
        messages=await _messages(session),
        backup=backup,
    )


async def _tables(session: AsyncSession) -> TableCounts:
    counted = await session.execute(select(Table.status, func.count()).group_by(Table.status))
    counts = {row.status: int(row[-1]) for row in counted}
    people = exists().where(Seat.table_id == Table.id, Seat.owner.is_not(None))
    late = (Table.updated_at < now() - BOT_LATE) & people
    query = select(func.count(), func.count().filter(late))
    due = (await session.execute(query.where(Table.status == RUNNING, Table.bots_due))).one()
    statuses = (LOBBY, RUNNING, FINISHED, CLOSED)
    return TableCounts({name: counts.get(name, 0) for name in statuses}, due[0], due[1])


async def _messages(session: AsyncSession) -> OutboxState:
    waits, of_mail = Message.due_at.is_not(None), Message.channel == MAIL
    begun = waits & ((Message.attempts > 0) | (Message.due_at <= now()))
    # The index of the sent ones leads to the few that are not.
    unsent = Message.sent_at.is_(None)
    row = (
        await session.execute(
            select(
                func.count().filter(waits),
                func.count().filter(waits & (Message.error != "")),
                func.count().filter(Message.failed_at > now() - GIVEN_UP_WITHIN),
                func.min(Message.made_at).filter(begun & of_mail),
            ).where(unsent)
        )
    ).one()
    last = Message.sent_at.is_not(None) & of_mail
    sent = select(Message.sent_at).where(last).order_by(Message.sent_at.desc()).limit(1)
    failed = unsent & waits & of_mail & (Message.error != "")
    error = select(Message.error).where(failed).order_by(Message.id.desc()).limit(1)
    return OutboxState(
        waiting=row[0],
        failing=row[1],
        given_up=row[2],
        oldest=row[3],
        sent=await session.scalar(sent),
        error=without_secrets(await session.scalar(error) or "")[:200].rstrip(". "),
        paused=await session.scalar(select(func.count()).select_from(PausedAddress)) or 0,
    )


async def _disks(database: Database, backup: LastBackup | None) -> list[Disk]:
    file = database.engine.url.database if database.is_sqlite else None
    folders = [Path(file or ".").absolute().parent if file else Path.cwd()]
    if backup is not None and backup.host == socket.gethostname():
        folders.append(Path(backup.path).parent)
    try:
        async with asyncio.timeout(LIMIT):
            return await asyncio.to_thread(_free, folders)
    except TimeoutError:
        return []


def _free(folders: Sequence[Path]) -> list[Disk]:
    found: dict[int, Disk] = {}
    for folder in folders:
        try:
            usage, device = shutil.disk_usage(folder), os.stat(folder).st_dev
        except OSError:
            continue
        found.setdefault(device, Disk(str(folder), usage.free, usage.total))
    return list(found.values())


def problems_of(status: ServerStatus) -> list[Problem]:
    """Return what is wrong."""
    state = status.database
    if state is not None and state.revision != state.expected:
        return [Problem("database-version", _version_sentence(state))]
    found = [*_load_problems(status), *_disk_problems(status)]
    if state is None:
        return found
    return [*_server_problems(status), *_backup_problems(status), *_mail_problems(status), *found]


def _version_sentence(state: DatabaseState) -> KursbuchError:
    if not state.revision:
        return KursbuchError(
            "This database is empty: check `KURSBUCH_DATABASE`, or start the server once with `systemctl start "
            "kursbuch`."
        )
    if is_known(state.revision):
        return KursbuchError(
            "The database is of an older version ({found}) than this program ({expected}): `systemctl restart "
            "kursbuch` updates it.",
            found=state.revision,
            expected=state.expected,
        )
    return KursbuchError(
        "The database is of a newer version ({found}) than this program ({expected}): update the program, then "
        "`systemctl restart kursbuch`.",
        found=state.revision,
        expected=state.expected,
    )


def _server_problems(status: ServerStatus) -> list[Problem]:
    found, workers = [], status.workers
    if not workers:
        sentence = KursbuchError(
            "No server has used this database for {n} seconds: start it with `systemctl start kursbuch`, or check "
            "`KURSBUCH_DATABASE`.",
            n=int(SILENT.total_seconds()),
        )
        found.append(Problem("no-server", sentence))
    programs = sorted({one.program for one in workers} | {status.program})
    if len(programs) > 1:
        sentence = KursbuchError(
            "Different versions of the program are in use ({versions}): restart the server on every machine with "
            "`systemctl restart kursbuch`.",
            versions=", ".join(programs),
        )
        found.append(Problem("versions", sentence))
    if len(workers) > 1 and any(one.redis is None for one in workers):
        sentence = KursbuchError(
            "Several server processes share this database without Redis, so pages learn of moves up to 15 seconds "
            "late: set `KURSBUCH_REDIS`."
        )
        found.append(Problem("no-redis", sentence))
    if any(one.redis is False for one in workers):
        sentence = KursbuchError(
            "Redis does not answer, so pages learn of moves up to 15 seconds late: check `systemctl status "
            "redis-server` and `KURSBUCH_REDIS`."
        )
        found.append(Problem("redis-away", sentence))
    return found


def _backup_problems(status: ServerStatus) -> list[Problem]:
    made, state = status.backup, status.database
    if made is None:
        if state is None or not state.used:
            return []
        sentence = KursbuchError(
            "No backup of this database is known: make one every night with `systemctl enable --now "
            "kursbuch-backup.timer`, or now with `kursbuch backup FILE`."
        )
        return [Problem("no-backup", sentence)]
    found = []
    if now() - made.at > BACKUP_DUE:
        sentence = KursbuchError(
            "The last backup is {days} days old: check `systemctl status kursbuch-backup`, or make one with "
            "`kursbuch backup FILE`.",
            days=(now() - made.at).days,
        )
        found.append(Problem("old-backup", sentence))
    if made.stuck:
        sentence = KursbuchError(
            Plural(
                "{n} game of the last backup cannot go on: `kursbuch restore --check {path}` names it.",
                "{n} games of the last backup cannot go on: `kursbuch restore --check {path}` names them.",
            ),
            n=made.stuck,
            path=made.path,
        )
        found.append(Problem("stuck-games", sentence))
    return found


def _mail_problems(status: ServerStatus) -> list[Problem]:
    found, mail, workers = [], status.messages, status.workers
    if workers and not any(one.address for one in workers) and any(one.channels for one in workers):
        sentence = KursbuchError(
            "The server does not know its address, so links in mails cannot work and no messages about tables are "
            "sent: set `KURSBUCH_ADDRESS`."
        )
        found.append(Problem("no-address", sentence))
    if mail is None or not mail.is_stuck or not workers:
        return found
    since = format_time(mail.oldest) if mail.oldest else ""
    if not any(MAIL in one.channels for one in workers):
        sentence = KursbuchError(
            "Mails have been waiting since {time}, but no mail server is set: set `KURSBUCH_SMTP` and "
            "`KURSBUCH_MAIL_FROM`.",
            time=since,
        )
    else:
        sentence = KursbuchError(
            "Mail has been stuck since {time} ({error}): check `KURSBUCH_SMTP` and the log of the mail server.",
            time=since,
            error=mail.error or Label(N_("no error reported")),
        )
    found.append(Problem("mail-stuck", sentence))
    return found


def _load_problems(status: ServerStatus) -> list[Problem]:
    found, workers = [], status.workers
    requests, slow = sum(one.requests for one in workers), sum(one.slow for one in workers)
    refused = sum(one.refused for one in workers)
    if refused:
        sentence = KursbuchError(
            Plural(
                "{n} request of the last minutes was put off because of overload or an outage: the log says which, "
                "and `--workers` or `KURSBUCH_LIMITS=public` help against overload.",
                "{n} requests of the last minutes were put off because of overload or an outage: the log says which, "
                "and `--workers` or `KURSBUCH_LIMITS=public` help against overload.",
            ),
            n=refused,
        )
        found.append(Problem("refused", sentence))
    busy = any(one.processor > MAX_PROCESSOR and one.seconds >= MIN_SECONDS for one in workers)
    if busy or (requests >= MIN_REQUESTS and slow > requests * MAX_SLOW):
        sentence = KursbuchError(
            "The server is overloaded ({slow} of {requests} answers took more than a second): use more processes "
            "with `--workers`, on a machine with more processors if these are busy.",
            slow=slow,
            requests=requests,
        )
        found.append(Problem("overload", sentence))
    if status.tables is not None and status.tables.bots_late and workers:
        sentence = KursbuchError(
            Plural(
                "At {n} table people have waited for the computer for more than a minute: raise "
                "`KURSBUCH_BOT_PROCESSES` if processors are idle, or `KURSBUCH_THINKING` if it is set.",
                "At {n} tables people have waited for the computer for more than a minute: raise "
                "`KURSBUCH_BOT_PROCESSES` if processors are idle, or `KURSBUCH_THINKING` if it is set.",
            ),
            n=status.tables.bots_late,
        )
        found.append(Problem("bots-late", sentence))
    if status.errors_in_hour:
        sentence = KursbuchError(
            Plural(
                "{n} error was logged in the last hour: see below, or `journalctl -u kursbuch` for all of it.",
                "{n} errors were logged in the last hour: see below, or `journalctl -u kursbuch` for all of them.",
            ),
            n=status.errors_in_hour,
        )
        found.append(Problem("errors", sentence))
    return found


def _disk_problems(status: ServerStatus) -> list[Problem]:
    needed = max(MIN_FREE, status.database.bytes if status.database else 0)
    return [
        Problem(
            "disk",
            KursbuchError(
                "The disk of {path} is nearly full ({free} free): delete old tables with `kursbuch admin tables "
                "clean`, keep fewer backups with `--keep`, or make room otherwise.",
                path=disk.path,
                free=f"{disk.free // 1_000_000} MB",
            ),
        )
        for disk in status.disks
        if disk.free < needed
    ]
