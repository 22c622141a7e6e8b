"""The colours of players: told apart by everybody, and not taken for those of lines and companies."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from kursbuch.games.dice.drawing.shapes import COMPANY_COLOURS
from kursbuch.games.rocket.drawing import LINES
from kursbuch.hexmap.svg import SEAT_COLOURS
from tests.colours import SIGHTS, closest, contrast, distance

STYLE = (Path(__file__).parent.parent / "frontend/src/css/base.css").read_text(encoding="utf-8")


def declared(rule: str) -> list[tuple[str, str]]:
    """The colours and inks that a rule of the style sheet gives to the seats."""
    body = next(
        body
        for selector, body in re.findall(r"^(:root[^{\n]*) \{\n(.*?)^\}", STYLE, re.M | re.S)
        if selector == rule and "--seat-0:" in body
    )
    found = dict(re.findall(r"--seat-(\d(?:-ink)?): (#[0-9a-f]{6});", body))
    return [(found[str(n)], found[f"{n}-ink"]) for n in range(len(found) // 2)]


USUAL, DISTINCT = declared(":root"), declared(':root[data-players="distinct"]')


def test_drawings_and_pages_have_the_same_colours() -> None:
    assert declared(":root") == list(SEAT_COLOURS)
    assert len(USUAL) == len(DISTINCT) == 8


@pytest.mark.parametrize("colours", [USUAL, DISTINCT], ids=["usual", "distinct"])
def test_players_are_told_apart(colours: list[tuple[str, str]]) -> None:
    fills = [fill for fill, _ in colours]
    assert closest(fills) >= 0.15
    assert closest(fills[:4]) >= 0.25
    for fill, ink in colours:
        assert contrast(fill, ink) >= 4.5, fill


@pytest.mark.parametrize("sight", SIGHTS)
def test_the_other_set_is_told_apart_by_everybody(sight: str) -> None:
    fills = [fill for fill, _ in DISTINCT]
    assert closest(fills, sight) >= 0.12
    assert closest(fills[:6], sight) >= 0.2
    # What the usual set cannot promise.
    assert sight == "everything" or closest([fill for fill, _ in USUAL], sight) < 0.12


@pytest.mark.parametrize("colours", [USUAL, DISTINCT], ids=["usual", "distinct"])
def test_players_are_not_taken_for_lines_or_companies(colours: list[tuple[str, str]]) -> None:
    others = {fill for fill, _ in [*LINES.values(), *COMPANY_COLOURS.values()]}
    assert min(distance(fill, other) for fill, _ in colours for other in others) >= 0.12


def test_the_measures() -> None:
    assert distance("#000000", "#ffffff") == pytest.approx(1, abs=0.001)
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    # Red and green are hardly told apart without the cones for red.
    assert distance("#a04030", "#5f6a20", "protanopia") < 0.6 * distance("#a04030", "#5f6a20")
