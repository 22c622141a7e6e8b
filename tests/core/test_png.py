"""Drawings become PNG in the typeface of the pages, whatever the machine has."""

from __future__ import annotations

import struct

import kursbuch.core.png
from kursbuch.core.png import png


def drawing(family: str, weight: str = "normal") -> str:
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 40">'
        f'<text y="30" font-size="30" font-family="{family}" font-weight="{weight}">Mühle 12</text></svg>'
    )


def test_width_and_ground() -> None:
    picture = png(drawing("Barlow"), 300, "#ffffff")
    assert picture.startswith(b"\x89PNG")
    assert struct.unpack(">II", picture[16:24]) == (300, 60)
    assert picture != png(drawing("Barlow"), 300)


def test_typeface_in_both_weights() -> None:
    usual, bold = (png(drawing("Barlow", weight), 200) for weight in ("normal", "bold"))
    assert usual != bold
    assert usual != png(drawing("A typeface that no machine has"), 200)


def test_the_files_are_there() -> None:
    assert len(list(kursbuch.core.png.TYPEFACE.glob("*.ttf"))) == 2
