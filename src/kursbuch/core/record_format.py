"""The format of records: the header, the hash chain and the writer. docs/records.md describes it."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

import msgspec

from kursbuch.core.title import Result

#: What the first hash begins with: another way to make the chain would have another number.
CHAIN_HEADING = "Kursbuch chain 1"

#: Digits of a check: enough to locate a change. The head proves that there is one.
CHECK_DIGITS = 4

#: Minimum number of digits of a head: more than a forger can try.
LEAST_DIGITS = 16


def salt_for(seed: str) -> str:
    """The salt that comes from a seed. It does not tell the seed.

    >>> salt_for("7")[:16]
    '74920179f9342e92'
    """
    return hashlib.sha256(f"kursbuch salt {seed}".encode()).hexdigest()


def field_check(field: str, value: str) -> str:
    """The first digits of the hash of a line of a header."""
    return hashlib.sha256(f"{field}: {value}".encode()).hexdigest()[:CHECK_DIGITS]


class Chain:
    """The hashes of a game so far: after n moves it is `states[n]`. What is shown is not these, but heads."""

    def __init__(self, salt: str, beginning: str, states: Sequence[str] = ()) -> None:
        self._salt = salt.encode()
        self.states = list(states) or [self._next("", f"{CHAIN_HEADING}\n{beginning}")]

    def _next(self, before: str, text: str) -> str:
        return hmac.digest(self._salt, f"{before}\n{text}".encode(), "sha256").hex()

    def add(self, move: str) -> None:
        """Go on with the text of a move."""
        self.states.append(self._next(self.states[-1], move))

    def first(self, number: int) -> Chain:
        """The chain up to this number of moves."""
        chain = Chain.__new__(Chain)
        chain._salt = self._salt
        chain.states = self.states[: number + 1]
        return chain

    def head(self, number: int, names: Iterable[str], rewound: int = 0) -> str:
        """What is published after this number of moves, with the players' names. With `rewound` it is not the same as
        it was before moves were taken back, even if the same moves were made again."""
        text = "\n".join((f"kursbuch head {self.states[number]}", *names))
        if not rewound:
            return hashlib.sha256(text.encode()).hexdigest()
        digest = hashlib.sha256(f"{text}\nrewound {rewound}".encode()).hexdigest()
        return f"{digest}-{rewound}"

    def checks(self) -> list[str]:
        """The first digits of every hash."""
        return [state[:CHECK_DIGITS] for state in self.states]


def checks_of(fields: Mapping[str, str]) -> dict[str, str]:
    """The first digits of the hash of every line of a header."""
    return {field: field_check(field, value) for field, value in fields.items()}


HEADING = "Kursbuch record 1"

#: Number of checks on a line.
CHECKS_A_LINE = 20


class Copied(msgspec.Struct, frozen=True):
    """A game begins with the first `moves` moves of another one, whose draws come from the seed with
    this hash, as far as they were not copied there already."""

    moves: int
    seed_hash: str


class Former(msgspec.Struct, frozen=True):
    """A name a seat had for the first `moves` moves, before it got another."""

    seat: int
    moves: int
    name: str


class Checks(msgspec.Struct):
    """What a record says of its chain of hashes (`Chain`): the head after a number of moves, and the first digits
    of the hash of every line of the header, and of the chain after every number of moves. None and empty where
    the record does not say it."""

    moves: int | None = None
    head: str | None = None
    fields: Mapping[str, str] | None = None
    states: Mapping[int, str] = {}


class Header(msgspec.Struct):
    """What stands before the moves. A record that names no edition of the rules is of the first.
    `copied` says from which games the first moves were copied, from the earliest on. The `salt` of the chain
    is only needed without the seed, from which it comes; `former` are names in the order in which seats got
    others. `usual` names the options that have their usual value."""

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
        """What the chain of hashes begins with, by the names of its lines. Options that have their usual value
        are not in it: a title may get more of them."""
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
        """Everything it says, by the names of its lines."""
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
    """The record of a game: the draws of its opening, and of each move its line, its draws and the
    edition of the rules by which it was made."""
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
    """The lines by which a change can be found."""
    yield "check header: " + ", ".join(map(" ".join, (checks.fields or {}).items()))
    for first in range(0, len(checks.states), CHECKS_A_LINE):
        numbers = range(first, min(first + CHECKS_A_LINE, len(checks.states)))
        yield f"check {first}: " + " ".join(checks.states[number] for number in numbers)


def draw_lines(draws: Draws) -> list[str]:
    """A line for each draw."""
    return [f"draw {value + 1} of {sides}" for value, sides in draws]


def format_result(result: Result, names: Sequence[str]) -> str:
    """The result line: every player's score, winners marked.

    >>> format_result(Result((5, 3), (0,)), ("Anna", "Bernd"))
    'Anna 5 (winner), Bernd 3'
    """
    return ", ".join(
        f"{name} {score}{' (winner)' if seat in result.winners else ''}"
        for seat, (name, score) in enumerate(zip(names, result.scores, strict=True))
    )
