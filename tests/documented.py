"""Packages that the documents write out, block by block, made importable."""

from __future__ import annotations

import re
from pathlib import Path

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
