"""The code that 18xx titles share names no title and no rule number: it cites names, and the index of
every title says which of its rules states each."""

from __future__ import annotations

import re

import pytest

from kursbuch.core.title import Title
from kursbuch.games.g18xx.components import Components
from kursbuch.games.g18xx.rules import track_step
from tests.games.g18xx.citations import FAMILY, FILES, TITLES, bracketed, family_names

EACH = pytest.mark.parametrize("title", TITLES, ids=lambda title: title.id)


def test_there_are_names() -> None:
    assert len(family_names()) > 75


@EACH
def test_every_cited_name_is_stated_or_never_comes_up(title: Title[object]) -> None:  # type: ignore[type-var]
    index = title.rules
    unstated = set(index.game.unstated)
    assert not unstated & set(index.stated)
    assert family_names() <= unstated | set(index.stated)


def test_every_name_in_a_docstring_is_stated_somewhere() -> None:
    stated = {name for title in TITLES for name in title.rules.stated}
    for path in FILES:
        assert bracketed(path) <= stated, path.name


@EACH
def test_first_tiles_are_stated(title: Title[object]) -> None:  # type: ignore[type-var]
    components: Components = title.ruleset.components  # type: ignore[attr-defined]
    for face, record in zip(components.board.printed, components.board.records, strict=True):
        if record.first_phase is not None:
            assert track_step._first_tile_rule(face) in title.rules.stated, record.id


def test_no_title_is_named() -> None:
    """Outside their folders nothing knows the titles, nor the numbers of their rules."""
    numbers = {rule.id for title in TITLES for rule in title.rules if rule.id.count(".") > 1}
    for path in FILES:
        text = path.read_text("utf-8")
        assert not re.search(r"\b18(35|53)\b|\bg18\d\d\b", text), path.name
        assert not [number for number in numbers if number in text], path.name


def test_titles_do_not_name_each_other() -> None:
    folders = [path for path in FAMILY.iterdir() if re.fullmatch(r"g\d+", path.name)]
    assert folders
    others = re.compile(r"\bkursbuch\.games\.g18xx\.(g\d+)")
    for folder in folders:
        for path in folder.rglob("*.py"):
            assert set(others.findall(path.read_text("utf-8"))) <= {folder.name}, path
