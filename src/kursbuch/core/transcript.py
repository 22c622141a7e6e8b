"""Writing records: one text file per game, which is save file, export and mail attachment.

The format is described in docs/records.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from kursbuch.core.title import Result

HEADING = "Kursbuch record 1"


class Copied(msgspec.Struct, frozen=True):
    """A game begins with moves of another one: the first so many, whose draws come from the seed with
    this hash, as far as they were not copied there already."""

    moves: int
    seed_hash: str


class Header(msgspec.Struct):
    """What stands before the moves. A record that names no edition of the rules is of the first.
    `copied` says from which games the first moves were copied, from the earliest on."""

    title: str
    names: list[str]
    options: dict[str, str]
    data: str
    seed_hash: str
    seed: str | None
    edition: int
    copied: Sequence[Copied] = ()


Draws = Sequence[tuple[int, int]]


def write(
    header: Header,
    opening: Draws,
    moves: Iterable[tuple[str, Draws, int]],
    result: Result | None,
) -> str:
    """The record of a game: the draws of its opening, and of each move its line, its draws and the
    edition of the rules by which it was made."""
    lines = [HEADING, f"title: {header.title}"]
    if header.edition > 1:
        lines.append(f"edition: {header.edition}")
    lines += [f"option {name}: {value}" for name, value in header.options.items()]
    lines += [f"seat {number}: {name}" for number, name in enumerate(header.names, 1)]
    lines += [f"data: {header.data}", f"seed hash: {header.seed_hash}"]
    if header.seed is not None:
        lines.append(f"seed: {header.seed}")
    lines += [f"copied: {part.moves} {part.seed_hash}" for part in header.copied]
    lines.append("")
    lines += _draws(opening)
    edition = header.edition
    for number, (line, draws, made_by) in enumerate(moves, 1):
        if made_by != edition:
            edition = made_by
            lines.append(f"edition {edition}")
        lines.append(f"{number}. {line}")
        lines += _draws(draws)
    if result is not None:
        lines.append(f"result: {format_result(result, header.names)}")
    return "\n".join(lines) + "\n"


def _draws(draws: Draws) -> list[str]:
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
