"""The state of a server in words, for the page and the command line."""

from __future__ import annotations

from typing import Any

import msgspec

from kursbuch.core.words import N_, Words
from kursbuch.web.admin.status import DatabaseState, OutboxState, ServerStatus, TableCounts
from kursbuch.web.ai.scheduler import ASKED, LONG, QUICK, REVIEWED
from kursbuch.web.labels import Fact, ago, format_size, format_time
from kursbuch.web.ops.workers import WorkerReport
from kursbuch.web.tables.policies import CLOSED, FINISHED, LOBBY, RUNNING

LANES = {
    QUICK: N_("quick moves"),
    LONG: N_("long moves"),
    ASKED: N_("hints and best trains"),
    REVIEWED: N_("reviews"),
}
CHANNELS = {"mail": N_("mail"), "push": "Web Push", "webhook": N_("webhooks")}


class StatusGroup(msgspec.Struct, frozen=True):
    """Facts under one heading."""

    name: str
    facts: list[Fact]


def groups(status: ServerStatus, words: Words) -> list[StatusGroup]:
    """Return the state in groups of facts."""
    found = [StatusGroup(words._("Load"), _load(status, words))]
    if status.tables is not None:
        found.append(StatusGroup(words._("Tables"), _tables(status.tables, words)))
    if status.messages is not None:
        found.append(StatusGroup(words._("Messages"), _messages(status, status.messages, words)))
    storage = _storage(status, words)
    return [
        *found,
        StatusGroup(words._("Storage"), storage),
        StatusGroup(words._("Program"), _program(status, words)),
    ]


def _load(status: ServerStatus, words: Words) -> list[Fact]:
    workers = status.workers
    requests = sum(one.requests for one in workers)
    seconds = sum(one.request_seconds for one in workers)
    period = max((one.seconds for one in workers), default=0.0)
    told = words._("none")
    if requests:
        told = words._(
            "{rate} a minute, {time} ms on average, {slow} slower than a second",
            rate=words.number(round(requests * 60 / max(period, 1))),
            time=words.number(round(seconds * 1000 / requests)),
            slow=words.number(sum(one.slow for one in workers)),
        )
    lanes = {
        words._(name): sum(one.waiting.get(lane, 0) for one in workers)
        for lane, name in LANES.items()
    }
    waiting = ", ".join(f"{name} {count}" for name, count in lanes.items() if count)
    thinking = sum(one.thinking for one in workers)
    return [
        Fact(words._("Requests, last minutes"), told),
        Fact(words._("Requests put off"), str(sum(one.refused for one in workers))),
        Fact(words._("Open live streams"), str(sum(one.streams for one in workers))),
        Fact(words._("Bot jobs"), str(thinking)),
        Fact(words._("Bot jobs waiting"), waiting or "0"),
        Fact(words._("Errors in the last hour"), str(status.errors_in_hour)),
    ]


def _tables(tables: TableCounts, words: Words) -> list[Fact]:
    counts = tables.by_status
    due = str(tables.bots_due)
    if tables.bots_late:
        due = words._("{n}, {late} for too long", n=tables.bots_due, late=tables.bots_late)
    return [
        Fact(words._("Games in progress"), words.number(counts[RUNNING])),
        Fact(words._("Tables waiting for players"), words.number(counts[LOBBY])),
        Fact(words._("Finished games"), words.number(counts[FINISHED])),
        Fact(words._("Closed tables"), words.number(counts[CLOSED])),
        Fact(words._("Tables where a bot has to move"), due),
    ]


def _messages(status: ServerStatus, messages: OutboxState, words: Words) -> list[Fact]:
    channels = {name for one in status.workers for name in one.channels}
    ways = [words._(label) for name, label in CHANNELS.items() if name in channels]
    oldest = ago(words, messages.oldest) if messages.oldest else words._("none")
    return [
        Fact(words._("Sent by"), ", ".join(ways) or words._("nothing is set up")),
        Fact(words._("Waiting messages"), words.number(messages.waiting)),
        Fact(words._("Oldest due mail"), oldest),
        Fact(words._("Failed, tried again"), words.number(messages.failing)),
        Fact(words._("Given up within a week"), words.number(messages.given_up)),
        Fact(words._("Paused addresses"), words.number(messages.paused)),
    ]


def _storage(status: ServerStatus, words: Words) -> list[Fact]:
    made, facts = status.backup, []
    if made is not None:
        told = words._(
            "{time} ({ago}), {size}, {path} on {host}",
            time=format_time(made.at),
            ago=ago(words, made.at),
            size=format_size(made.bytes, words),
            path=made.path,
            host=made.host,
        )
        facts.append(Fact(words._("Last backup"), told))
    elif status.database is not None:
        facts.append(Fact(words._("Last backup"), words._("none known")))
    if status.database is not None:
        facts.append(_database_fact(status.database, words))
    for disk in status.disks:
        told = words._(
            "{free} of {total} free",
            free=format_size(disk.free, words),
            total=format_size(disk.total, words),
        )
        facts.append(Fact(words._("Disk of {path}", path=disk.path), told))
    return facts


def _database_fact(state: DatabaseState, words: Words) -> Fact:
    size = f", {format_size(state.bytes, words)}" if state.bytes else ""
    version = words._("version {version}", version=state.revision) if state.revision else "?"
    return Fact(words._("Database"), f"{state.kind}, {version}{size}")


def _program(status: ServerStatus, words: Words) -> list[Fact]:
    answers = {one.redis for one in status.workers}
    redis = words._("not used")
    if False in answers:
        redis = words._("does not answer")
    elif True in answers:
        redis = words._("answers")
    return [
        Fact(words._("Version"), status.program),
        Fact("Redis", redis),
        *(_worker(one, words) for one in status.workers),
    ]


def _worker(one: WorkerReport, words: Words) -> Fact:
    told = words._(
        "since {time}, processor {share} %", time=format_time(one.started_at), share=_percent(one)
    )
    name = words._("Process {number} on {host}", number=one.process, host=one.host)
    return Fact(name, told)


def _percent(one: WorkerReport) -> int:
    return round(one.processor * 100)


def error_lines(status: ServerStatus) -> list[str]:
    """Return the last errors, the newest first."""
    return [f"{format_time(one.at)}  {one.text}" for one in status.errors]


def lines(status: ServerStatus, words: Words) -> list[str]:
    """Return the state as lines of text."""
    said = [f"! {problem.sentence.text(words)}" for problem in status.problems]
    found = said or [words._("Everything is in order.")]
    shown = groups(status, words)
    width = max(len(fact.label) for group in shown for fact in group.facts)
    for group in shown:
        found += ["", group.name]
        found += [f"  {fact.label:<{width}}  {fact.value}" for fact in group.facts]
    if status.errors:
        found += ["", words._("Last errors"), *(f"  {line}" for line in error_lines(status))]
    return found


def status_json(status: ServerStatus, words: Words) -> dict[str, Any]:
    """Return the state as data for programs."""
    problems = [{"code": one.code, "sentence": one.sentence.text(words)} for one in status.problems]
    rest = msgspec.structs.asdict(msgspec.structs.replace(status, problems=[]))
    return {**rest, "problems": problems}
