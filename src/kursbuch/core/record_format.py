"""The record format: header, hash chain and writer (docs/records.md)."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

import msgspec

from kursbuch.core.title import Result

#: Start of the first hash; the number is the version of the chain.
CHAIN_HEADING = "Kursbuch chain 1"

#: Digits of a check: enough to locate a change; the head proves it.
CHECK_DIGITS = 4

#: Minimum digits of a head, beyond brute force.
LEAST_DIGITS = 16


def salt_for(seed: str) -> str:
    """Salt derived from a seed; it does not reveal the seed.

    >>> salt_for("7")[:16]
    '74920179f9342e92'
    """
    return hashlib.sha256(f"kursbuch salt {seed}".encode()).hexdigest()


def field_check(field: str, value: str) -> str:
    """First digits of the hash of a header line."""
    return hashlib.sha256(f"{field}: {value}".encode()).hexdigest()[:CHECK_DIGITS]


class Chain:
    """The hash chain of a game; `states[n]` is the hash after n moves. Only heads are published."""

    def __init__(self, salt: str, beginning: str, states: Sequence[str] = ()) -> None:
        self._salt = salt.encode()
        self.states = list(states) or [self._next("", f"{CHAIN_HEADING}\n{beginning}")]

    def _next(self, before: str, text: str) -> str:
        return hmac.digest(self._salt, f"{before}\n{text}".encode(), "sha256").hex()

    def add(self, move: str) -> None:
        """Append the text of a move."""
        self.states.append(self._next(self.states[-1], move))

    def first(self, number: int) -> Chain:
        """The chain up to `number` moves."""
        chain = Chain.__new__(Chain)
        chain._salt = self._salt
        chain.states = self.states[: number + 1]
        return chain

    def head(self, number: int, names: Iterable[str], rewound: int = 0) -> str:
        """The published hash after `number` moves with the players' names. `rewound` changes it after moves are taken
        back, even if the same moves are repeated."""
        text = "\n".join((f"kursbuch head {self.states[number]}", *names))
        if not rewound:
            return hashlib.sha256(text.encode()).hexdigest()
        digest = hashlib.sha256(f"{text}\nrewound {rewound}".encode()).hexdigest()
        return f"{digest}-{rewound}"

    def checks(self) -> list[str]:
        """First digits of every hash."""
        return [state[:CHECK_DIGITS] for state in self.states]


def checks_of(fields: Mapping[str, str]) -> dict[str, str]:
    """First digits of the hash of every header line."""
    return {field: field_check(field, value) for field, value in fields.items()}


HEADING = "Kursbuch record 1"

#: Number of checks per line.
CHECKS_A_LINE = 20


class Copied(msgspec.Struct, frozen=True):
    """The first `moves` moves come from the game with this seed hash, apart from those it had copied itself."""

    moves: int
    seed_hash: str


class Former(msgspec.Struct, frozen=True):
    """The name of a seat for the first `moves` moves."""

    seat: int
    moves: int
    name: str


class Checks(msgspec.Struct):
    """Hash chain data of a record: the head after a number of moves, and the first digits of the hash of each header
    line and of the chain after each move. None or empty where missing."""

    moves: int | None = None
    head: str | None = None
    fields: Mapping[str, str] | None = None
    states: Mapping[int, str] = {}


class Header(msgspec.Struct):
    """Header of a record, before the moves. The default edition is 1. `copied` lists copied games, earliest first;
    `salt` is needed only without a seed; `former` lists former names in order of change; `usual` names the options
    with default values."""

    title: str
    names: list[str]
    options: dict[str, str]
    data: str
    seed_hash: str
    seed: str | None
    edition: int
    copied: Sequence[Copied] = ()
    salt: str | None = None
    former: Sequence[Former] = ()
    usual: Collection[str] = ()

    def beginning(self) -> dict[str, str]:
        """Header fields at the start of the hash chain. Options with default values are left out, so that a title may
        get new ones."""
        return {
            "title": self.title,
            **({"edition": str(self.edition)} if self.edition > 1 else {}),
            **{
                f"option {name}": value
                for name, value in self.options.items()
                if name not in self.usual
            },
            "data": self.data,
            "seed hash": self.seed_hash,
            **{f"copied {part.moves}": part.seed_hash for part in self.copied},
        }

    def fields(self) -> dict[str, str]:
        """All header fields by name."""
        found = self.beginning()
        found |= {f"seat {number}": name for number, name in enumerate(self.names, 1)}
        found |= {f"seat {one.seat + 1} until {one.moves}": one.name for one in self.former}
        if self.seed is not None:
            found["seed"] = self.seed
        elif self.salt is not None:
            found["salt"] = self.salt
        return found


Draws = Sequence[tuple[int, int]]


def write(
    header: Header,
    opening: Draws,
    moves: Iterable[tuple[str, Draws, int]],
    result: Result | None,
    checks: Checks | None = None,
) -> str:
    """Write a record: the set-up draws, and each move's line, draws and edition of the rules."""
    lines = [HEADING, f"title: {header.title}"]
    if header.edition > 1:
        lines.append(f"edition: {header.edition}")
    lines += [f"option {name}: {value}" for name, value in header.options.items()]
    lines += [f"seat {number}: {name}" for number, name in enumerate(header.names, 1)]
    lines += [f"seat {one.seat + 1} until {one.moves}: {one.name}" for one in header.former]
    lines += [f"data: {header.data}", f"seed hash: {header.seed_hash}"]
    if header.seed is not None:
        lines.append(f"seed: {header.seed}")
    elif header.salt is not None:
        lines.append(f"salt: {header.salt}")
    lines += [f"copied: {part.moves} {part.seed_hash}" for part in header.copied]
    if checks is not None:
        lines.append(f"chain: {checks.moves} {checks.head}")
    lines.append("")
    lines += draw_lines(opening)
    edition = header.edition
    for number, (line, draws, made_by) in enumerate(moves, 1):
        if made_by != edition:
            edition = made_by
            lines.append(f"edition {edition}")
        lines.append(f"{number}. {line}")
        lines += draw_lines(draws)
    if result is not None:
        lines.append(f"result: {format_result(result, header.names)}")
    if checks is not None:
        lines += _check_lines(checks)
    return "\n".join(lines) + "\n"


def _check_lines(checks: Checks) -> Iterator[str]:
    yield "check header: " + ", ".join(map(" ".join, (checks.fields or {}).items()))
    for first in range(0, len(checks.states), CHECKS_A_LINE):
        numbers = range(first, min(first + CHECKS_A_LINE, len(checks.states)))
        yield f"check {first}: " + " ".join(checks.states[number] for number in numbers)


def draw_lines(draws: Draws) -> list[str]:
    return [f"draw {value + 1} of {sides}" for value, sides in draws]


def format_result(result: Result, names: Sequence[str]) -> str:
    """The result line: each player's score, winners marked.

    >>> format_result(Result((5, 3), (0,)), ("Anna", "Bernd"))
    'Anna 5 (winner), Bernd 3'
    """
    return ", ".join(
        f"{name} {score}{' (winner)' if seat in result.winners else ''}"
        for seat, (name, score) in enumerate(zip(names, result.scores, strict=True))
    )
