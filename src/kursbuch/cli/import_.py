"""`kursbuch import`: convert games of other programs to records."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, NamedTuple

import click

import kursbuch
from kursbuch.cli.common import (
    common_options,
    emit_json,
    error_json,
    progress,
    read_bytes,
    record_option,
    write_file,
)
from kursbuch.core.errors import KursbuchError
from kursbuch.core.game import Game
from kursbuch.core.processes import Failure, Limits, Sandbox
from kursbuch.core.registry import Imported, Importer, OtherGame, Progress, importers
from kursbuch.core.replay_cache import pack, unpack
from kursbuch.core.words import Words

#: Limits on reading a file; the longest game takes some seconds.
LIMITS = Limits(seconds=60.0, clock=600.0, memory=1_000_000_000)


@click.command("import")
@click.argument("file")
@record_option
@click.option(
    "--partial", is_flag=True, help="Import up to the first action that cannot be imported."
)
@common_options
def command(file: str, output: str, partial: bool, as_json: bool, words: Words) -> None:
    """Convert a game of another program into a record.

    Options that allow more than the rulebook are set only if the game needs them. The actions that need
    them are listed, numbered from 0 as in the file.
    """
    data = read_bytes(file)
    with progress(words._("Importing")) as advance:
        found = imported(Path(file).suffix.lower(), data, partial, advance)
    record = found.game.record().encode()
    if output == "-":
        sys.stdout.buffer.write(record)
        for line in lines(output, found, words):
            print(line, file=sys.stderr)
        return
    write_file(output, record)
    if as_json:
        emit_json(summary(output, found, words))
        return
    for line in lines(output, found, words):
        print(line)


def imported(suffix: str, data: bytes, partial: bool, advance: Progress) -> Imported:
    """Import a file by the first importer that accepts it."""
    readers = importers().get(suffix, {})
    if not readers:
        raise KursbuchError(
            "Files ending in {ending} cannot be imported; possible are: {known}.",
            ending=suffix or "-",
            known=", ".join(sorted(importers())) or "-",
        )
    with Sandbox() as sandbox:
        try:
            found, game = sandbox.run(read, readers, data, partial, limits=LIMITS, progress=advance)
        except Failure as failure:
            raise KursbuchError("This file cannot be read.") from failure
    return found.of(unpack(kursbuch.title(found.title), game))


class Found(NamedTuple):
    """An `Imported` result without its game."""

    title: str
    rest: dict[str, Any]

    def of(self, game: Game) -> Imported:
        """The result with its game."""
        return Imported(game=game, **self.rest)


def read(
    readers: dict[str, Importer], data: bytes, partial: bool, *, progress: Progress
) -> tuple[Found, bytes]:
    """Read a file in a child process: the findings and the game (`pack`)."""
    other: OtherGame | None = None
    for title, reader in readers.items():
        try:
            found = reader(kursbuch.title(title), data, partial=partial, progress=progress)
        except OtherGame as error:
            other = other or error
        else:
            rest = found._asdict()
            del rest["game"]
            return Found(title, rest), pack(found.game)
    assert other is not None
    raise other


def summary(output: str, found: Imported, words: Words) -> dict[str, object]:
    """The result as JSON."""
    game = found.game
    return {
        "file": output,
        "title": game.title.id,
        "players": game.names,
        "options": game.options,
        "actions": found.actions,
        "imported": found.done,
        "moves": len(game.moves),
        "over": game.over,
        "remarks": [
            {"actions": remark.actions, "text": remark.text(words)} for remark in found.remarks
        ],
        "stopped": None if found.stopped is None else error_json(found.stopped, words),
    }


def lines(output: str, found: Imported, words: Words) -> list[str]:
    """The result as text."""
    game = found.game
    told = [
        words._(
            "{file}: {done} of {actions} actions as {moves} moves of {title}.",
            file=output,
            done=found.done,
            actions=found.actions,
            moves=len(game.moves),
            title=game.title.name,
        )
    ]
    for option in game.title.options:
        if game.options[option.name] != option.values[0]:
            value = option.labels[option.values.index(game.options[option.name])]
            told.append(
                words._(
                    "Option {name}: {label}, {value}.",
                    name=option.name,
                    label=words._(option.label),
                    value=words._(value),
                )
            )
    told += [remark.text(words) for remark in found.remarks]
    if found.stopped is not None:
        told.append(found.stopped.text(words))
    return told
