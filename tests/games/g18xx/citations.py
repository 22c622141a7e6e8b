"""The names of rules that the code of the 18xx family cites."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from kursbuch import titles
from kursbuch.games import g18xx
from kursbuch.games.g18xx.title import cited_names

FAMILY = Path(g18xx.__file__).parent
TITLES = [title for title in titles().values() if title.package.startswith("kursbuch.games.g18xx.")]

#: The files outside the titles' folders.
FILES = sorted(
    path
    for path in FAMILY.rglob("*.py")
    if not re.fullmatch(r"g\d+", path.relative_to(FAMILY).parts[0])
)

#: What is written in brackets in a docstring or comment: names of rules.
BRACKETS = re.compile(r"(?<!ignore)\[([a-z][a-zA-Z]+(?:-[a-zA-Z]+)+(?:,\s+[a-z][a-zA-Z-]+)*)\]")


def bracketed(path: Path) -> set[str]:
    """The names of rules in the docstrings and comments of a file."""
    return {
        name
        for found in BRACKETS.findall(path.read_text("utf-8"))
        for name in re.split(r",\s+", found)
    }


def family_names() -> set[str]:
    """All names that the shared code can cite: those in refusals and events, and every other text in it
    that a title states."""
    stated = {name for title in TITLES for name in title.rules.stated}
    found = set(cited_names())
    for path in FILES:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Constant) and node.value in stated:
                found.add(str(node.value))
    return found
