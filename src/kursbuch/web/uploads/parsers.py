"""Parsers of uploaded files. They run in child processes."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import NamedTuple

import kursbuch
from kursbuch.core.corrections import Correct
from kursbuch.core.errors import KursbuchError
from kursbuch.core.game import Game
from kursbuch.core.planner import Plan, PlanError, read_plan
from kursbuch.core.processes import tune_garbage_collector
from kursbuch.core.record import setup_position
from kursbuch.core.registry import OtherGame, Remark, importers, title_with_data
from kursbuch.core.replay_cache import pack
from kursbuch.core.words import N_, Words
from kursbuch.web.components.sheet import ComponentSheet, Edit, make_sheet
from kursbuch.web.http.errors import Refused

#: Nice level: pages come first.
NICE = 5


class ParsedRecord(NamedTuple):
    """A parsed record: title, game (`pack`) and remarks."""

    title: str
    game: bytes
    remarks: tuple[Remark, ...]


def record(content: bytes, suffix: str, data: bytes | None) -> ParsedRecord:
    """Parse a record; `suffix`, the file extension, names the program it comes from."""
    game, remarks = _game(content, suffix, data)
    if data is not None:
        with _playable():
            _try(game)
    return ParsedRecord(game.title.id, pack(game), remarks)


def _game(content: bytes, suffix: str, data: bytes | None) -> tuple[Game, tuple[Remark, ...]]:
    readers = importers().get(suffix)
    if readers is None:
        try:
            text = content.decode()
        except UnicodeDecodeError:
            raise Refused(N_("The record is not UTF-8 text.")) from None
        verified = kursbuch.verify(text, data=data)
        if verified.refusal is not None:
            raise verified.refusal
        remarks = [Remark((), change.template, change.params) for change in verified.changes]
        return verified.game, tuple(remarks)
    other: OtherGame | None = None
    for title, reader in readers.items():
        try:
            found = reader(title_with_data(title, data), content)
        except OtherGame as error:
            other = other or error
        except KursbuchError:
            raise
        except (ValueError, LookupError, TypeError, EOFError) as error:
            raise Refused(N_("This file cannot be read.")) from error
        else:
            return found.game, found.remarks
    assert other is not None
    raise other


def component_data(
    title: str, data: bytes, names: Sequence[str], options: Mapping[str, str]
) -> None:
    """Refuse component data with which no such game can start and be shown."""
    with _playable():
        _try(Game(title_with_data(title, data), names, options, seed="1"))


def components(title: str, draft: bytes, edit: Edit, language: str) -> ComponentSheet:
    """Edit a draft of component data, and show it."""
    with _playable():
        return make_sheet(title, draft, edit, language)


def set_up(
    title: str,
    data: bytes | None,
    names: Sequence[str],
    options: Mapping[str, str],
    text: str,
    language: str,
) -> list[Correct]:
    """Parse the corrections that set up a position."""
    game = Game(title_with_data(title, data), names, options, seed="1")
    return setup_position(game, text, language=language)


@contextmanager
def _playable() -> Iterator[None]:
    """Blame unexpected errors on component data that differ from those of the package."""
    try:
        yield
    except (KursbuchError, MemoryError, RecursionError):
        raise
    except Exception as error:
        raise Refused(N_("No game can be played with this component data.")) from error


def _try(game: Game) -> None:
    """Do with a game what a table does, to find faults in component data."""
    title = game.title
    title.encode(game.state)
    title.draw(game.state, Words("en", game.names))
    for decision in game.pending:
        game.legal_actions(decision.seat)


def position(title: str, content: bytes) -> Plan:
    """Parse a position file for the best-trains page."""
    planner = kursbuch.title(title).planner
    assert planner is not None
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        raise Refused(N_("The file is not a text file.")) from None
    try:
        return planner.check(read_plan(text))
    except PlanError as error:
        raise error.in_text(text) from None


def begin() -> None:
    """Initialise a process, so that the first call is not slower than others."""
    if hasattr(os, "nice"):
        os.nice(NICE)
    dict(kursbuch.titles())
    importers()
    tune_garbage_collector()
