"""The names of rules that the code of the 18xx family cites."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from kursbuch import titles
from kursbuch.games import g18xx

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


def cited(path: Path) -> Iterator[str]:
    """The names of rules that a file cites in refusals, events and calls with `rule`."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if not isinstance(node, ast.Call):
            continue
        places = [keyword.value for keyword in node.keywords if keyword.arg == "rule"]
        name = getattr(node.func, "id", getattr(node.func, "attr", ""))
        if name == "IllegalAction":
            places.append(node.args[0])
        for place in places:
            for leaf in ast.walk(place):
                # The condition of `a if b else c` is no name.
                if not isinstance(leaf, ast.Constant) or is_condition(place, leaf):
                    continue
                if isinstance(leaf.value, str) and leaf.value:
                    yield leaf.value


def is_condition(place: ast.expr, leaf: ast.Constant) -> bool:
    return any(
        leaf in list(ast.walk(node.test)) for node in ast.walk(place) if isinstance(node, ast.IfExp)
    )


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
    found = {name for path in FILES for name in cited(path)}
    for path in FILES:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Constant) and node.value in stated:
                found.add(str(node.value))
    return found
