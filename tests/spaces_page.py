"""The page docs/spaces.md, made from the encodings of the titles: `python -m tests.spaces_page` writes it
again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path

import kursbuch
from kursbuch.interop.encoding import Part
from kursbuch.interop.environment import Table

PAGE = Path(__file__).parents[1] / "docs" / "spaces.md"


def page() -> str:
    """The whole page."""
    head = (
        "# Observations and actions of every title\n\n"
        "This page is made from the encodings of the titles (`python -m tests.spaces_page`); "
        "[laboratory.md](laboratory.md) explains it. All numbers are those of a game with the fewest "
        "players and the usual options.\n"
    )
    return head + "".join(section(name) for name in kursbuch.titles())


def section(name: str) -> str:
    """One title."""
    table = Table(name)
    lines = [
        "",
        f"## {table.title.name}",
        "",
        f"{table.players} players: an observation has {table.size} numbers, "
        f"the alphabet {table.tokens} tokens.",
        "",
        "| from | numbers | part | what it holds |",
        "| ---: | ---: | --- | --- |",
        *rows(table.parts),
        "",
        "The kinds of steps, numbered from 1, and their fields:",
        "",
        "| | step | fields |",
        "| ---: | --- | --- |",
    ]
    for number, (tag, form) in enumerate(table.arrays.steps.items(), 1):
        lines.append(f"| {number} | `{tag}` | {form.text.strip('()')} |")
    tokens = [f"{number} {token}" for number, token in enumerate(table.spelling.tokens)]
    lines += ["", "The tokens:", "", "```", *wrapped(tokens), "```", ""]
    return "\n".join(lines)


def rows(parts: Sequence[Part]) -> Iterator[str]:
    """Parts of a kind that follow each other stand in one row."""
    for _, group in groupby(parts, lambda part: (part.name.split(":")[0], part.text)):
        same = list(group)
        name, size = same[0].name, str(same[0].size)
        if len(same) > 1:
            name = f"{name} … {same[-1].name.removeprefix('ledger ')}"
            size = f"{len(same)} × {size}"
        yield f"| {same[0].start} | {size} | {name} | {same[0].text} |"


def wrapped(tokens: Sequence[str], width: int = 110) -> Iterator[str]:
    """The tokens in lines."""
    line = ""
    for token in tokens:
        if len(line) + len(token) > width:
            yield line
            line = ""
        line += ("  " if line else "") + token
    yield line


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
