"""The code that 18xx titles share names no title and no rule number: it cites names, and the index of
every title says which of its rules states each."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from kursbuch import eighteen, titles
from kursbuch.core.title import Title
from kursbuch.eighteen.pieces import Components
from kursbuch.eighteen.rules import building

BOOK = Path(eighteen.__file__).parent
FILES = sorted(
    path
    for path in BOOK.rglob("*.py")
    if not re.fullmatch(r"t\d+", path.relative_to(BOOK).parts[0])
)
TITLES = [title for title in titles().values() if title.package.startswith("kursbuch.eighteen.")]
EACH = pytest.mark.parametrize("title", TITLES, ids=lambda title: title.id)

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


def test_there_are_names() -> None:
    assert len({name for path in FILES for name in cited(path)}) > 70


@EACH
def test_every_cited_name_is_stated(title: Title[object]) -> None:  # type: ignore[type-var]
    stated = title.rules.stated
    missing = {
        f"{path.name}: {name}" for path in FILES for name in cited(path) if name not in stated
    }
    assert not missing


def test_every_name_in_a_docstring_is_stated_somewhere() -> None:
    stated = {name for title in TITLES for name in title.rules.stated}
    for path in FILES:
        assert bracketed(path) <= stated, path.name


@EACH
def test_first_tiles_are_stated(title: Title[object]) -> None:  # type: ignore[type-var]
    components: Components = title.book.components  # type: ignore[attr-defined]
    for face, record in zip(components.board.printed, components.board.records, strict=True):
        if record.first_phase is not None:
            assert building._first_tile_rule(face) in title.rules.stated, record.id


def test_no_title_is_named() -> None:
    """Outside their folders nothing knows the titles, nor the numbers of their rules."""
    numbers = {rule.id for title in TITLES for rule in title.rules if rule.id.count(".") > 1}
    for path in FILES:
        text = path.read_text("utf-8")
        assert not re.search(r"\b18(35|53)\b|\bt18\d\d\b", text), path.name
        assert not [number for number in numbers if number in text], path.name
