"""Packages that the documents write out, block by block, made importable."""

from __future__ import annotations

import re
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from kursbuch.core.title import Title

DOCS = Path(__file__).parents[1] / "docs"


def write(document: str, folder: Path) -> list[Path]:
    """Write the files a document contains; returns where they are."""
    text = (DOCS / document).read_text(encoding="utf-8")
    written = []
    for name, content in re.findall(r"^```\w+ file=(\S+)\n(.*?)^```$", text, re.M | re.S):
        path = folder / name
        path.parent.mkdir(exist_ok=True, parents=True)
        path.write_text(content, encoding="utf-8")
        written.append(path)
    return written


def coal(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Title[Any]:
    """The game of the worked example, whose package is written to a folder."""
    assert len(write("adding-a-game.md", folder)) == 9
    monkeypatch.syspath_prepend(folder)
    for name in [name for name in sys.modules if name.partition(".")[0] == "coal"]:
        monkeypatch.delitem(sys.modules, name)
    title: Title[Any] = import_module("coal").TITLE
    return title
