"""Reading records: a game is replayed from its text move by move, and checked.

The format is described in docs/records.md.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from kursbuch.core.chance import ContinuedChance, RecordedChance
from kursbuch.core.errors import KursbuchError, RecordError
from kursbuch.core.game import MAX_LINE, Game, refusal
from kursbuch.core.title import Title
from kursbuch.core.transcript import HEADING, Copied, Header, format_result

MAX_LINES = 100_000

_COPIED = re.compile(r"(\d{1,6}) ([0-9a-f]{64})", re.ASCII)
_DRAW = re.compile(r"draw (\d{1,9}) of (\d{1,9})")
_EDITION = re.compile(r"edition (\d{1,4})")
_MOVE = re.compile(r"(\d{1,6})\. (.+)")
_HASH = re.compile(r"[0-9a-f]{64}")
_NUMBER = re.compile(r"\d{1,4}", re.ASCII)
_SEAT = re.compile(r"seat (\d{1,2})")


def read(
    text: str, find: Callable[[str], Title[Any]], progress: Callable[[int, int], None] | None = None
) -> Game:
    """Replay a record move by move. `find` gives the title for an id.

    `RecordError` names the line, and the rule if a move breaks one.
    """
    lines = text.removeprefix("\ufeff").splitlines()
    if len(lines) > MAX_LINES:
        raise RecordError(MAX_LINES, "", "The record has more than {most} lines.", most=MAX_LINES)
    if not lines or lines[0].strip() != HEADING:
        raise RecordError(
            1, "", 'Line 1 is not "{heading}": this is not a Kursbuch record.', heading=HEADING
        )
    for number, line in enumerate(lines, 1):
        if len(line) > MAX_LINE:
            raise RecordError(
                number,
                "",
                "Line {line} has more than {most} characters.",
                line=number,
                most=MAX_LINE,
            )
    header, body = _read_header(lines)
    try:
        title = find(header.title)
        if title.data_hash != header.data:
            raise KursbuchError(
                "The record was played with other component data than those given here."
            )
        draws = [
            (int(found[1]) - 1, int(found[2]))
            for line in lines[body:]
            if (found := _DRAW.fullmatch(line.strip()))
        ]
        game = Game(
            title,
            header.names,
            header.options,
            seed=header.seed,
            seed_hash=header.seed_hash,
            chance=RecordedChance(draws),
            edition=header.edition,
            copied=header.copied,
        )
    except KursbuchError as error:
        raise _at(body, error) from None
    if header.seed is not None and game.seed_hash != header.seed_hash:
        raise RecordError(
            body, "", "The seed of the record does not have the seed hash of the record."
        )
    _read_moves(game, lines, body, progress)
    if game.copied and game.copied[-1].moves > len(game.moves):
        raise RecordError(
            body,
            "",
            "The header says that {copied} moves were copied, but the record has only {moves}.",
            copied=game.copied[-1].moves,
            moves=len(game.moves),
        )
    if header.seed is not None:
        try:
            game.verify_seed(header.seed)
        except KursbuchError as error:
            raise _at(len(lines), error) from None
        # An unfinished game can go on: later draws come from the seed.
        copied = game.draws()[: game.copied_draws()]
        game.position.chance = ContinuedChance(copied, header.seed)
    game.come_over()
    return game


def _at(line: int, error: KursbuchError) -> RecordError:
    rule = refusal(error)
    if rule:
        return RecordError(
            line, rule, "Line {line}: {why} (rule {rule})", line=line, why=error, rule=rule
        )
    return RecordError(line, "", "Line {line}: {why}", line=line, why=error)


def _read_header(lines: list[str]) -> tuple[Header, int]:
    """The header and the index of the first line after it."""
    values: dict[str, str] = {}
    options: dict[str, str] = {}
    names: list[str] = []
    copied: list[Copied] = []
    end = len(lines)
    for index, line in enumerate(lines[1:], 1):
        if not line.strip():
            end = index
            break
        key, colon, value = line.partition(": ")
        seat = _SEAT.fullmatch(key)
        if not colon or not value.strip():
            raise RecordError(
                index + 1,
                "",
                'Line {line} of the header is not of the form "key: value".',
                line=index + 1,
            )
        value = value.strip()
        if seat:
            if int(seat[1]) != len(names) + 1:
                raise RecordError(
                    index + 1,
                    "",
                    "Line {line}: the seats are not numbered in order.",
                    line=index + 1,
                )
            names.append(value)
        elif key.startswith("option ") and key.removeprefix("option ") not in options:
            options[key.removeprefix("option ")] = value
        elif key == "copied":
            copied.append(_copied(index + 1, value, copied))
        elif key in ("title", "edition", "data", "seed hash", "seed") and key not in values:
            values[key] = value
        else:
            raise RecordError(
                index + 1,
                "",
                "Line {line}: the header cannot have {key} here.",
                line=index + 1,
                key=repr(key),
            )
    for key in ("title", "data", "seed hash"):
        if key not in values:
            raise RecordError(end, "", 'The header has no line "{key}: …".', key=key)
    if not _HASH.fullmatch(values["seed hash"]):
        raise RecordError(end, "", "The hash of a seed has 64 digits from 0 to f.")
    edition = values.get("edition", "1")
    if not _NUMBER.fullmatch(edition):
        raise RecordError(
            end, "", "The edition of the rules is a number, not {edition}.", edition=repr(edition)
        )
    header = Header(
        title=values["title"],
        names=names,
        options=options,
        data=values["data"],
        seed_hash=values["seed hash"],
        seed=values.get("seed"),
        edition=int(edition),
        copied=copied,
    )
    return header, end


def _copied(line: int, value: str, before: Sequence[Copied]) -> Copied:
    """One line that says what was copied from which game."""
    found = _COPIED.fullmatch(value)
    if not found or (before and int(found[1]) <= before[-1].moves):
        raise RecordError(
            line,
            "",
            "Line {line}: what was copied is a number of moves, higher than the one before, and the "
            "hash of a seed.",
            line=line,
        )
    return Copied(int(found[1]), found[2])


def _read_moves(
    game: Game,
    lines: list[str],
    body: int,
    progress: Callable[[int, int], None] | None,
) -> None:
    ended = False
    draws = 0
    edition = game.edition
    for index, raw in enumerate(lines[body:], body + 1):
        line = raw.strip()
        if not line:
            continue
        if ended:
            raise RecordError(index, "", "Line {line} stands after the result.", line=index)
        if _DRAW.fullmatch(line):
            draws += 1
            if draws > game.state.draws:
                raise RecordError(
                    index, "", "Line {line}: the game makes no draw here.", line=index
                )
            continue
        if draws < game.state.draws:
            raise RecordError(
                index,
                "",
                "Line {line} should be draw number {number}.",
                line=index,
                number=draws + 1,
            )
        if line.startswith("result: "):
            ended = True
            if game.result is None:
                raise RecordError(
                    index, "", "Line {line} gives a result, but the game is not over.", line=index
                )
            expected = format_result(game.result, game.names)
            if line.removeprefix("result: ") != expected:
                raise RecordError(
                    index,
                    "",
                    "Line {line}: the result of these moves is {result}.",
                    line=index,
                    result=expected,
                )
            continue
        if found := _EDITION.fullmatch(line):
            edition = int(found[1])
            continue
        found = _MOVE.fullmatch(line)
        if not found:
            raise RecordError(
                index, "", "Line {line} is neither a move nor a draw nor the result.", line=index
            )
        if int(found[1]) != len(game.moves) + 1:
            raise RecordError(
                index,
                "",
                "Line {line} should be move number {number}.",
                line=index,
                number=len(game.moves) + 1,
            )
        try:
            game.replay(game.parse(found[2]), edition)
        except KursbuchError as error:
            raise _at(index, error) from None
        if progress is not None:
            progress(index, len(lines))
    if game.over and not ended:
        raise RecordError(len(lines), "", "The game is over, but the record has no result.")
    if draws < game.state.draws:
        raise RecordError(
            len(lines), "", "The record ends before draw number {number}.", number=draws + 1
        )
