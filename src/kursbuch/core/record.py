"""Reader of records and of positions set up by corrections."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from kursbuch.core.chance import ContinuedChance, RecordedChance, WrongDraw
from kursbuch.core.corrections import Correct
from kursbuch.core.errors import KursbuchError, RecordError
from kursbuch.core.game import MAX_LINE, Game, check_edition, check_names, check_seed, refusal
from kursbuch.core.record_format import (
    HEADING,
    Checks,
    Copied,
    Former,
    Header,
    format_result,
    salt_for,
)
from kursbuch.core.title import Title

MAX_LINES = 100_000

#: Header lines that occur at most once.
_KEYS = ("title", "edition", "data", "seed hash", "seed", "salt")
_CHAIN = re.compile(r"(\d{1,6}) ([0-9a-f]{64})", re.ASCII)
_CHECK = re.compile(r"check (header|\d{1,6}): (.+)", re.ASCII)
_CHECKED = re.compile(r"(.+) ([0-9a-f]{4})")
_CHECKS = re.compile(r"[0-9a-f]{4}( [0-9a-f]{4})*")
_COPIED = re.compile(r"(\d{1,6}) ([0-9a-f]{64})", re.ASCII)
_DRAW = re.compile(r"draw (\d{1,9}) of (\d{1,9})")
_EDITION = re.compile(r"edition (\d{1,4})")
_MOVE = re.compile(r"(\d{1,6})\. (.+)")
_HASH = re.compile(r"[0-9a-f]{64}")
_NUMBER = re.compile(r"\d{1,4}", re.ASCII)

#: Header line with a former name of a seat.
FORMER = re.compile(r"seat ([1-9]\d?) until (0|[1-9]\d{0,5})", re.ASCII)
_SEAT = re.compile(r"seat (\d{1,2})")


def read(
    text: str, find: Callable[[str], Title[Any]], progress: Callable[[int, int], None] | None = None
) -> Game:
    """Replay a record. `find` returns the title for an id.

    `RecordError` names the line, and the rule if a move breaks one.
    """
    record = Record(text, find)
    record.replay(progress)
    return record.game


class Record:
    """A record with its header read and its moves not yet replayed."""

    def __init__(self, text: str, find: Callable[[str], Title[Any]]) -> None:
        lines = self._lines = text.removeprefix("\ufeff").splitlines()
        if len(lines) > MAX_LINES:
            raise _malformed(MAX_LINES, "The record has more than {most} lines.", most=MAX_LINES)
        if not lines or lines[0].strip() != HEADING:
            raise _malformed(
                1, 'Line 1 is not "{heading}": this is not a Kursbuch record.', heading=HEADING
            )
        for number, line in enumerate(lines, 1):
            if len(line) > MAX_LINE:
                raise _malformed(
                    number, "Line {line} has more than {most} characters.", most=MAX_LINE
                )
        #: The checks of its hash chain.
        self.checks = Checks()
        header, self._where, self._body = _read_header(lines, self.checks)
        _read_checks(lines, self._body, self.checks)
        title = _title(header, self._where, self._body, find)
        # Line number of each draw.
        draws = {
            number: (int(found[1]) - 1, int(found[2]))
            for number, line in enumerate(lines[self._body :], self._body + 1)
            if (found := _DRAW.fullmatch(line.strip()))
        }
        self._drawn = [*draws]
        try:
            self.game = Game(
                title,
                header.names,
                header.options,
                seed=header.seed,
                seed_hash=header.seed_hash,
                chance=RecordedChance([*draws.values()]),
                edition=header.edition,
                copied=header.copied,
                salt=header.salt,
                former=header.former,
            )
        except KursbuchError as error:
            raise _at(_faulty(error, self._body + 1, self._drawn), error) from None
        if header.seed is not None and self.game.seed_hash != header.seed_hash:
            raise _malformed(
                self._where["seed"],
                "The seed in the record does not match its seed hash.",
            )

    def replay(self, progress: Callable[[int, int], None] | None = None) -> None:
        """Replay the moves."""
        game = self.game
        _read_moves(game, self._lines, self._body, self._drawn, progress)
        if game.copied and game.copied[-1].moves > len(game.moves):
            raise _malformed(
                self._where["copied"],
                "The header says that {copied} moves were copied, but the record has only {moves}.",
                copied=game.copied[-1].moves,
                moves=len(game.moves),
            )
        _verify_draws(game, self._drawn)
        if game.seed is not None:
            # An unfinished game continues with draws from the seed.
            copied = game.draws()[: game.copied_draws()]
            game.position.chance = ContinuedChance(copied, game.seed)
        game.adopt_newest_edition()


def _malformed(line: int, template: str, /, **params: object) -> RecordError:
    """The error for a malformed line."""
    return RecordError(line, "", template, line=line, **params)


def _at(line: int, error: KursbuchError) -> RecordError:
    rule = refusal(error)
    if rule:
        return RecordError(
            line, rule, "Line {line}: {why} (rule {rule})", line=line, why=error, rule=rule
        )
    return _malformed(line, "Line {line}: {why}", why=error)


@contextmanager
def _line(number: int) -> Iterator[None]:
    """Attach this line number to errors."""
    try:
        yield
    except KursbuchError as error:
        raise _at(number, error) from None


def _title(
    header: Header, where: dict[str, int], body: int, find: Callable[[str], Title[Any]]
) -> Title[Any]:
    """The title of a record; each header line is checked separately."""
    with _line(where["title"]):
        title = find(header.title)
    with _line(where["data"]):
        if title.data_hash != header.data:
            raise KursbuchError(
                "The record was played with component data other than that given here."
            )
    with _line(where.get("edition", body)):
        check_edition(title, header.edition)
    for number in range(1, min(len(header.names), title.seats[-1]) + 1):
        with _line(where[f"seat {number}"]):
            check_names(header.names[:number])
    with _line(where.get(f"seat {len(header.names)}", body)):
        title.check_seats(len(header.names))
    for name, value in header.options.items():
        with _line(where[f"option {name}"]):
            title.option_values({name: value})
    if header.seed is not None:
        with _line(where["seed"]):
            check_seed(header.seed)
    return title


def _faulty(error: KursbuchError, line: int, draws: Sequence[int]) -> int:
    """The line to blame if the draws after this one do not fit: a wrong draw, or this line if a draw is missing after
    it."""
    if isinstance(error, WrongDraw) and error.number < len(draws):
        place = draws[error.number]
        if set(range(line + 1, place)) <= {*draws}:
            return place
    return line


def _verify_draws(game: Game, draws: Sequence[int]) -> None:
    """Refuse draws that do not come from the seed, if known; draw *n* is on line `draws[n]`."""
    if game.seed is not None:
        try:
            game.verify_seed(game.seed)
        except WrongDraw as error:
            raise _at(draws[error.number], error) from None


def _read_header(lines: list[str], checks: Checks) -> tuple[Header, dict[str, int], int]:
    """The header, the line of each key, and the index of the line after it; the chain's checks go to `checks`."""
    where: dict[str, int] = {}
    values: dict[str, str] = {}
    options: dict[str, str] = {}
    names: list[str] = []
    copied: list[Copied] = []
    former: list[Former] = []
    end = len(lines)
    for index, line in enumerate(lines[1:], 1):
        if not line.strip():
            end = index
            break
        key, colon, value = line.partition(": ")
        seat = _SEAT.fullmatch(key)
        if not colon or not value.strip():
            raise _malformed(
                index + 1, 'Line {line} of the header is not of the form "key: value".'
            )
        value = value.strip()
        where[f"seat {int(seat[1])}" if seat else key] = index + 1
        if seat:
            if int(seat[1]) != len(names) + 1:
                raise _malformed(index + 1, "Line {line}: the seats are not numbered in order.")
            names.append(value)
        elif key.startswith("option ") and key.removeprefix("option ") not in options:
            options[key.removeprefix("option ")] = value
        elif key == "copied":
            copied.append(_copied(index + 1, value, copied))
        elif found := FORMER.fullmatch(key):
            former.append(_former(index + 1, found, value, former))
        elif key == "chain" and checks.head is None:
            checks.moves, checks.head = _chain(index + 1, value)
        elif key in _KEYS and key not in values:
            values[key] = value
        else:
            raise _malformed(
                index + 1, "Line {line}: the header cannot have {key} here.", key=repr(key)
            )
    for key in ("title", "data", "seed hash"):
        if key not in values:
            raise _malformed(end, 'The header has no line "{key}: …".', key=key)
    if not _HASH.fullmatch(values["seed hash"]):
        raise _malformed(where["seed hash"], "The hash of a seed has 64 digits from 0 to f.")
    edition = values.get("edition", "1")
    if not _NUMBER.fullmatch(edition):
        raise _malformed(
            where["edition"],
            "The edition of the rules must be a number, not {edition}.",
            edition=repr(edition),
        )
    salt = values.get("salt")
    if salt is not None and not _HASH.fullmatch(salt):
        raise _malformed(where["salt"], "The salt of a chain has 64 digits from 0 to f.")
    if salt is not None and "seed" in values and salt != salt_for(values["seed"]):
        raise _malformed(where["salt"], "This is not the salt that comes from the seed.")
    for one in former:
        if one.seat >= len(names):
            key = f"seat {one.seat + 1} until {one.moves}"
            raise _malformed(
                where[key], "There is no seat {number} in this game.", number=one.seat + 1
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
        salt=salt,
        former=former,
    )
    return header, where, end


def _former(line: int, key: re.Match[str], value: str, before: Sequence[Former]) -> Former:
    """Read a former name of a seat."""
    one = Former(int(key[1]) - 1, int(key[2]), value)
    known = (one.seat, one.moves) in ((other.seat, other.moves) for other in before)
    if known or (before and one.moves < before[-1].moves):
        raise _malformed(
            line,
            (
                "Line {line}: earlier names of seats must be in the order in which they "
                "were replaced."
            ),
        )
    with _line(line):
        check_names([value])
    return one


def _chain(line: int, value: str) -> tuple[int, str]:
    """Read the head of the chain."""
    found = _CHAIN.fullmatch(value)
    if not found:
        raise _malformed(line, "Line {line}: a chain is a number of moves and a hash of 64 digits.")
    return int(found[1]), found[2]


def _read_checks(lines: list[str], body: int, checks: Checks) -> None:
    """Read the check lines after the header."""
    states: dict[int, str] = {}
    for index, line in enumerate(lines[body:], body + 1):
        found = _CHECK.fullmatch(line.strip())
        if not found:
            continue
        try:
            if found[1] == "header":
                if checks.fields is not None:
                    raise ValueError
                checks.fields = dict(_checked(one) for one in found[2].split(", "))
                continue
            digits = found[2].split(" ")
            numbers = range(int(found[1]), int(found[1]) + len(digits))
            if not _CHECKS.fullmatch(found[2]) or states.keys() & {*numbers}:
                raise ValueError
            states.update(zip(numbers, digits, strict=True))
        except ValueError:
            raise _malformed(index, "Line {line} cannot be read as checks of the chain.") from None
    checks.states = states


def _checked(text: str) -> tuple[str, str]:
    """A header line's name and check."""
    found = _CHECKED.fullmatch(text)
    if not found:
        raise ValueError
    return found[1], found[2]


def _copied(line: int, value: str, before: Sequence[Copied]) -> Copied:
    """Read a copy line."""
    found = _COPIED.fullmatch(value)
    if not found or (before and int(found[1]) <= before[-1].moves):
        raise _malformed(
            line,
            "Line {line}: a copy is given as a number of moves, higher than the one "
            "before, and the hash of a seed.",
        )
    return Copied(int(found[1]), found[2])


def _read_moves(
    game: Game,
    lines: list[str],
    body: int,
    drawn: Sequence[int],
    progress: Callable[[int, int], None] | None,
) -> None:
    ended = False
    draws = 0
    edition = game.edition
    for index, raw in enumerate(lines[body:], body + 1):
        line = raw.strip()
        if not line or _CHECK.fullmatch(line):
            continue
        if ended:
            raise _malformed(index, "Line {line} comes after the result.")
        if _DRAW.fullmatch(line):
            draws += 1
            if draws > game.state.draws:
                raise _malformed(index, "Line {line}: the game makes no draw here.")
            continue
        if draws < game.state.draws:
            raise _malformed(index, "Line {line} should be draw number {number}.", number=draws + 1)
        if line.startswith("result: "):
            ended = True
            if game.result is None:
                raise _malformed(index, "Line {line} gives a result, but the game is not over.")
            expected = format_result(game.result, game.names)
            if line.removeprefix("result: ") != expected:
                raise _malformed(
                    index, "Line {line}: the result of these moves is {result}.", result=expected
                )
            continue
        if found := _EDITION.fullmatch(line):
            with _line(index):
                edition = check_edition(game.title, int(found[1]))
            continue
        found = _MOVE.fullmatch(line)
        if not found:
            raise _malformed(index, "Line {line} is neither a move nor a draw nor the result.")
        if int(found[1]) != len(game.moves) + 1:
            raise _malformed(
                index, "Line {line} should be move number {number}.", number=len(game.moves) + 1
            )
        try:
            game.replay(game.parse(found[2]), edition)
        except KursbuchError as error:
            # An earlier draw may be the cause.
            _verify_draws(game, drawn)
            raise _at(_faulty(error, index, drawn), error) from None
        if progress is not None:
            progress(index, len(lines))
    if game.over and not ended:
        raise _malformed(len(lines) + 1, "The game is over, but the record has no result.")
    if draws < game.state.draws:
        raise _malformed(
            len(lines) + 1, "The record ends before draw number {number}.", number=draws + 1
        )


#: Maximum number of lines in a position.
MAX_CORRECTIONS = 1000

#: A comment: a line starting with `#`, or `#` as a separate word, since names may contain it.
_COMMENT = re.compile(r"^\s*#.*|\s#(?=\s|$).*")


def setup_position(game: Game, text: str, by: str = "", language: str = "en") -> list[Correct]:
    """Apply corrections in a language or in English, one per line; empty lines and `#` comments are skipped. Return
    them. `RecordError` names the first line that is unreadable or not possible.

    >>> import kursbuch
    >>> game = kursbuch.new("rocket", players=["Anna", "Bernd"], seed=7)
    >>> made = setup_position(game, "money 3000 from bank to Anna\\nturn of Bernd action 2  # after the break")
    >>> game.pending, len(game.moves)
    ((Decision(seat=1, step='turn'),), 2)
    >>> setup_position(game, "money 3000 from stock to Anna")
    Traceback (most recent call last):
        ...
    kursbuch.core.errors.RecordError: Line 1: 'stock' is not possible here; possible values: player 1, bank.
    """
    lines = text.removeprefix("\ufeff").splitlines()
    if len(lines) > MAX_CORRECTIONS:
        raise _malformed(
            MAX_CORRECTIONS, "The text has more than {most} lines.", most=MAX_CORRECTIONS
        )
    made: list[Correct] = []
    for number, raw in enumerate(lines, 1):
        line = _COMMENT.sub("", raw).strip()
        if not line:
            continue
        try:
            found = game.parse_correction(line, language)
            action = Correct(found.seat, found.kind, found.values, found.by or by)
            game.apply(action)
        except KursbuchError as error:
            raise _malformed(number, "Line {line}: {why}", why=error) from None
        made.append(action)
    return made
