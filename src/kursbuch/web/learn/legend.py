"""The legend of a board."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import msgspec
from markupsafe import Markup

import kursbuch
from kursbuch.core.title import LegendPart, Title
from kursbuch.core.words import N_, Words
from kursbuch.web.http.errors import NotFound


def legend_url(title: Title[Any]) -> str:
    """Where the signs are explained, empty if the drawing explains itself."""
    return f"/legend/{title.id}" if _parts(title.id, "en") else ""


class Sign(msgspec.Struct, frozen=True):
    """A sign of a drawing and what it means."""

    svg: Markup
    meaning: str


class LegendSection(msgspec.Struct, frozen=True):
    """Signs that belong together."""

    heading: str
    signs: list[Sign]


class LegendPage(msgspec.Struct, frozen=True):
    """legend.html, legend_card.html: what the signs of a drawing mean, and the `marks` of choices by their
    class."""

    title: str
    title_name: str
    parts: list[LegendSection]
    marks: dict[str, str]
    rules_url: str


def legend_page(words: Words, title: Title[Any]) -> LegendPage:
    """The signs of a title under headings."""
    parts = _parts(title.id, words.language)
    if not parts:
        raise NotFound(N_("The drawing of {title} has no legend."), title=title.name)
    return LegendPage(
        title=title.id,
        title_name=title.name,
        parts=[
            LegendSection(
                part.heading,
                [Sign(Markup(sign.drawing), sign.meaning) for sign in part.signs],
            )
            for part in parts
        ],
        marks=_marks(words),
        rules_url=f"/rules/{title.id}",
    )


@lru_cache(maxsize=32)
def _parts(title: str, language: str) -> tuple[LegendPart, ...]:
    return tuple(kursbuch.titles()[title].legend(Words(language)))


def _marks(words: Words) -> dict[str, str]:
    """The marks of choices as `board.css` calls them, and what they mean."""
    return {
        "faint": words._("can be chosen; what cannot steps back"),
        "target": words._("can be chosen now that something has been begun"),
        "picked": words._("has been chosen"),
        "hint": words._("the hint, or the entry of a list that is pointed at"),
    }
