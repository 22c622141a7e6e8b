"""Pages name only files that exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [*sorted((ROOT / "docs").glob("*.md")), ROOT / "README.md"]
#: Projects that these pages write as examples, and parts of names.
EXAMPLE = re.compile(r"(coal|shuttle)/|^X?_")


def files() -> set[str]:
    """The paths of all files of the project, each with all its ends: `b.py` and `a/b.py` for `a/b.py`."""
    places = ("src", "tests", "frontend", "benchmarks", "examples", "deploy")
    found = [*ROOT.glob("*"), *(path for place in places for path in (ROOT / place).rglob("*.*"))]
    parts = (path.relative_to(ROOT).parts for path in found)
    return {"/".join(path[start:]) for path in parts for start in range(len(path))}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_files_exist(page: Path) -> None:
    named = re.findall(r"`([\w/.-]*\w\.(?:py|ts|css|html))`", page.read_text("utf-8"))
    known = files()
    assert not [path for path in named if not EXAMPLE.search(path) and path not in known]
