"""The glossary names identifiers that exist, each in one row."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import kursbuch

PAGE = Path(__file__).parents[2] / "docs" / "glossary.md"
SOURCE = Path(kursbuch.__file__).parent

ROW = re.compile(
    r"^\| (?P<german>[^|]+) \| (?P<english>[^|]+) \| (?P<names>`[^|]+`) \|$", re.MULTILINE
)


def test_every_identifier_exists() -> None:
    words: set[str] = set()
    for path in SOURCE.rglob("*.py"):
        words.update(re.findall(r"\w+", path.read_text("utf-8")), path.parts, [path.stem])
    rows = ROW.findall(PAGE.read_text("utf-8"))
    assert len(rows) > 80
    named = {name for row in rows for name in re.findall(r"`(\w+)`", row[2])}
    assert not named - words


def test_every_term_has_one_row() -> None:
    terms = Counter(term for row in ROW.findall(PAGE.read_text("utf-8")) for term in row[:2])
    assert [term for term, count in terms.items() if count > 1] == []
