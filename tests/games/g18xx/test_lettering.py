"""Lettering stands beside the track and the tokens of a full map."""

from __future__ import annotations

import math
from xml.etree import ElementTree

import pytest

import kursbuch
from kursbuch.core.words import Words
from tests.games.g18xx.late import LATE, layout
from tests.games.g18xx.overlaps import SVG, Letters, letters, stations, track

WORDS = Words("en", ["Anna", "Bernd", "Clara", "Dirk"])


@pytest.fixture(params=sorted(LATE))
def drawn(request: pytest.FixtureRequest) -> ElementTree.Element:
    """The map of a title at the end of a game."""
    title = kursbuch.titles()[request.param]
    state = title.setup(4, title.option_values({}))
    state.layout = layout(request.param)
    state.agenda.clear()
    found = ElementTree.Element("map")
    for one in ElementTree.fromstring(title.draw(state, WORDS)).iter():
        if one.get("data-part") == "map":
            found.append(one)
    return found


def covers(text: Letters, middle: tuple[float, float], radius: float) -> bool:
    """Whether the box of a text reaches into a circle."""
    near = (
        min(max(text.left, middle[0]), text.right),
        min(max(text.top, middle[1]), text.bottom),
    )
    return math.dist(near, middle) < radius - 1.5


def test_nothing_is_written_on_tokens(drawn: ElementTree.Element) -> None:
    spaces = list(stations(drawn))
    written = list(letters(drawn))
    assert len(spaces) > 60
    on = [one.text for one in written if any(covers(one, *space) for space in spaces)]
    # Where six spaces surround a hex its letters have no other place.
    assert len(on) <= 3, on


def test_little_is_written_on_track(drawn: ElementTree.Element) -> None:
    points = list(track(drawn))
    written = list(letters(drawn))
    assert len(written) > 80
    on = [one.text for one in written if any(one.holds(point) for point in points)]
    assert len(on) <= len(written) * 0.03, on


def test_texts_do_not_cover_each_other(drawn: ElementTree.Element) -> None:
    written = list(letters(drawn))
    over = [
        (one.text, other.text)
        for number, one in enumerate(written)
        for other in written[:number]
        if one.shared(other) > 0.15
    ]
    assert len(over) <= 1, over


def test_the_casing_of_track_lies_below_all_track(drawn: ElementTree.Element) -> None:
    kinds = [
        str(one.get("class"))
        for one in drawn.iter(f"{SVG}path")
        # Samples in a legend are drawn after the map.
        if one.get("class") in ("casing", "track") and "h" not in str(one.get("d"))
    ]
    assert kinds == sorted(kinds)
    assert {"casing", "track"} == set(kinds)
