"""Drawings as PNG, in the typeface of the pages."""

from __future__ import annotations

from pathlib import Path

import resvg_py

#: Written by `hatch_build.py`.
TYPEFACE = Path(__file__).parent / "typeface"


def png(svg: str, width: int, background: str | None = None) -> bytes:
    """Render a drawing; without a background it is transparent."""
    files = sorted(map(str, TYPEFACE.glob("*.ttf")))
    return bytes(
        resvg_py.svg_to_bytes(svg_string=svg, width=width, background=background, font_files=files)
    )
