"""A picture of every game, drawn by its own board."""

from __future__ import annotations

import hashlib
import re
from functools import lru_cache
from typing import Any
from xml.etree import ElementTree

import msgspec

import kursbuch
from kursbuch.core.title import Title
from kursbuch.core.words import Words

SVG = "http://www.w3.org/2000/svg"

#: The colours that a page offers to a drawing, as in `table/board.css`; a picture is a document of its own.
GROUND = {"light": "#cfe0e6", "dark": "#10202a"}
ON_MAP = {"light": "#1d1a16", "dark": "#f3efe2"}
THEMES = ("light", "dark")


@lru_cache(maxsize=64)
def picture(title_id: str, language: str, theme: str) -> str:
    """The first sheet of the board as an SVG of its own, in the colours of a theme; empty for a title
    without a specimen."""
    title = kursbuch.title(title_id)
    if not title.specimen:
        return ""
    game = kursbuch.load(title.specimen)
    drawn = title.draw(game.view(None).state, Words(language, game.names))
    return framed(title, drawn, theme)


def framed(title: Title[Any], drawn: str, theme: str) -> str:
    """The first sheet of a drawing as an SVG of its own, in the colours of a theme."""
    ElementTree.register_namespace("", SVG)
    root = ElementTree.fromstring(drawn)
    frames = msgspec.json.decode(root.get("data-sheets", "[]"))
    if frames:
        width, height = frames[0]["wide"]
        root.set("viewBox", f"0 0 {width} {height}")
        for part in root.findall(f"{{{SVG}}}g[@data-part]"):
            if part.get("data-part") != frames[0]["name"]:
                root.remove(part)
    left, top, width, height = root.get("viewBox", "0 0 1 1").split()
    root.set("width", width)
    root.set("height", height)
    ground = ElementTree.Element(
        f"{{{SVG}}}rect", x=left, y=top, width=width, height=height, style="fill: var(--ground)"
    )
    root.insert(0, ground)
    style = ElementTree.Element(f"{{{SVG}}}style")
    style.text = (
        f"svg {{ color-scheme: {theme}; --ground: {GROUND[theme]}; --ink-on-map: {ON_MAP[theme]}; }}\n"
        f"{title.style}"
    )
    root.insert(0, style)
    _without_notes(root)
    return ElementTree.tostring(root, encoding="unicode")


def picture_url(title: Title[Any], language: str) -> str:
    """The address of the picture of a title, empty without one; it changes with what is drawn."""
    if not title.specimen:
        return ""
    stamp = hashlib.sha256((title.specimen + title.style).encode()).hexdigest()[:12]
    return f"/titles/{title.id}/picture.svg?language={language}&v={stamp}"


def _without_notes(root: ElementTree.Element) -> None:
    """Nobody points at a picture: without the titles and keys of its elements it is a third smaller."""
    for parent in root.iter():
        for child in list(parent):
            if child.tag == f"{{{SVG}}}title":
                parent.remove(child)
        for name in [name for name in parent.attrib if re.match(r"data-(?!title)", name)]:
            del parent.attrib[name]
