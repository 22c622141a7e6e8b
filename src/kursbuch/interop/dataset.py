"""Games between bots as Parquet, one row per small choice. Needs `kursbuch[dataset]`."""

from __future__ import annotations

import os
import secrets
from array import array
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq

from kursbuch.bots.match import Match, Task, derived_seed, make
from kursbuch.bots.worker_pool import WorkerPool
from kursbuch.core.errors import KursbuchError
from kursbuch.core.state import tag_of
from kursbuch.interop.environment import Environment, Table, cached_table

#: Key of the file metadata with the facts common to all rows, as JSON.
METADATA = b"kursbuch"


class Chosen(NamedTuple):
    """One small choice: seat, step, observation, legal tokens and the choice. `action` is the text of the action it
    completed, if any."""

    decision: int
    seat: int
    step: str
    observation: array[int]
    legal: tuple[int, ...]
    token: int
    action: str | None


class Written(NamedTuple):
    """The rows of one game; none if there is an `error`."""

    number: int
    rows: Any
    error: str = ""


def table_of(task: Task) -> Table:
    """The token table of a task."""
    options = tuple(sorted(task.options.items()))
    return cached_table(task.title, len(task.bots), options, data=task.data)


def choices(task: Task, environment: Environment) -> Iterator[Chosen]:
    """Play a game, yielding every choice."""
    bots = [make(spec, derived_seed(task.seed, seat)) for seat, spec in enumerate(task.bots)]
    names = tuple(f"{spec}-{seat}" for seat, spec in enumerate(task.bots, 1))
    title = environment.table.title
    while not environment.over:
        seat, number = environment.seat, environment.decisions
        view = environment.view(seat, names)
        bot = bots[seat]
        action = bot.volunteer(view) if environment.may_wait else bot.choose(view)
        step = tag_of(environment.position.state.agenda[-1])
        menu = environment.menu
        while menu is not None and not menu.done:
            observation, legal = environment.observe(seat), environment.legal
            token = environment.token_for(action)
            done = environment.choose(token)
            text = None if done is None else title.format(done)
            yield Chosen(number, seat, step, observation, legal, token, text)


def schema(table: Table) -> Any:
    """The columns (docs/laboratory.md)."""
    return pa.schema(
        [
            ("game", pa.int32()),
            ("choice", pa.int32()),
            ("decision", pa.int32()),
            ("seat", pa.int8()),
            ("bot", pa.dictionary(pa.int32(), pa.string())),
            ("step", pa.string()),
            ("observation", pa.list_(pa.int32(), table.size)),
            ("legal", pa.list_(pa.int16())),
            ("token", pa.int16()),
            ("action", pa.string()),
            ("score", pa.int32()),
            ("reward", pa.float32()),
        ]
    )


def play_rows(task: Task) -> Written:
    """Play a game; return its rows as an Arrow record batch."""
    try:
        table = table_of(task)
        environment = table.begin(task.seed)
        rows = list(choices(task, environment))
        if environment.broken_off:
            raise KursbuchError(
                "The game does not end: {moves} moves.", moves=environment.decisions
            )
    except Exception as error:
        # An error in one game must not stop the others; it is reported.
        return Written(
            task.number, None, f"game {task.number + 1}: {type(error).__name__}: {error}"
        )
    scores, returns = environment.scores(), environment.returns()
    numbers = array("i")
    for row in rows:
        numbers.extend(row.observation)
    columns = [
        [task.number] * len(rows),
        range(len(rows)),
        [row.decision for row in rows],
        [row.seat for row in rows],
        [task.bots[row.seat] for row in rows],
        [row.step for row in rows],
        pa.FixedSizeListArray.from_arrays(
            pa.Array.from_buffers(pa.int32(), len(numbers), [None, pa.py_buffer(numbers)]),
            table.size,
        ),
        [row.legal for row in rows],
        [row.token for row in rows],
        [row.action for row in rows],
        [scores[row.seat] for row in rows],
        [returns[row.seat] for row in rows],
    ]
    kinds = schema(table)
    made = [
        column if isinstance(column, pa.Array) else pa.array(column, field.type)
        for column, field in zip(columns, kinds, strict=True)
    ]
    return Written(task.number, pa.RecordBatch.from_arrays(made, schema=kinds))


def described(match: Match, table: Table) -> bytes:
    """File metadata common to all rows."""
    found = {
        **match.terms,
        "version": version("kursbuch"),
        "tokens": table.spelling.tokens,
        "words": list(table.arrays.encoding.words),
        "parts": table.parts,
        "steps": list(table.arrays.steps),
    }
    return msgspec.json.encode(found)


class Report(NamedTuple):
    """Summary of a written dataset."""

    games: int
    rows: int
    errors: int
    first_error: str | None


def write(
    path: str,
    match: Match,
    games: int,
    workers: WorkerPool,
    advance: Callable[[int, int], None] = lambda done, total: None,
) -> Report:
    """Write `games` games of a match in order, one row group each. The file appears when it is complete."""
    table = table_of(match.block(0)[0])
    kinds = schema(table).with_metadata({METADATA: described(match, table)})
    target = Path(os.path.realpath(path))
    if target.is_dir():
        raise KursbuchError("{path} is a directory, not a file.", path=path)
    if target.exists() and not target.is_file():
        # A device or a pipe cannot be replaced by the finished file.
        raise KursbuchError(
            "A data set needs a file of its own: {path} cannot be written to.", path=path
        )
    # A unique name, in case two processes write the same file.
    part = target.with_name(f".{target.name[:40]}.{secrets.token_hex(6)}.part")
    try:
        with open(part, "xb") as sink, pq.ParquetWriter(sink, kinds, compression="zstd") as file:
            report = _fill(file, match, games, workers, advance)
        os.replace(part, target)
    except OSError as error:
        why = error.strerror or str(error)
        raise KursbuchError("{path} cannot be written: {why}.", path=path, why=why) from None
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)
    return report


def _fill(
    file: Any, match: Match, games: int, workers: WorkerPool, advance: Callable[[int, int], None]
) -> Report:
    waiting: dict[int, Written] = {}
    following = rows = done = 0
    errors: list[str] = []
    advance(0, games)
    for written in workers.each(play_rows, _tasks(match, games)):
        done += 1
        advance(done, games)
        waiting[written.number] = written
        while following in waiting:
            ready = waiting.pop(following)
            following += 1
            if ready.error:
                errors.append(ready.error)
                continue
            file.write_batch(ready.rows)
            rows += ready.rows.num_rows
    if done == len(errors):
        raise KursbuchError("No game was finished: {error}.", error=errors[0])
    return Report(done - len(errors), rows, len(errors), errors[0] if errors else None)


def _tasks(match: Match, games: int) -> Iterator[Task]:
    """The first games of a match."""
    block = number = 0
    while number < games:
        for task in match.block(block)[: games - number]:
            yield task
            number += 1
        block += 1
