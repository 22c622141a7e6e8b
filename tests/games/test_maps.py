"""Nothing that is written on a map covers other lettering, a station or a piece, however the game stands: as a whole,
and from nearby with the numbers of its hexes and tiles."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import pytest

import kursbuch
from kursbuch.core.game import Game
from kursbuch.core.words import Words
from tests.games.g18xx.late import LATE, layout
from tests.games.overlaps import boxes, overlaps
from tests.test_refusals import random_game

ROOT = Path(__file__).parents[2]

#: Games of each title with a map that people or opponents have played.
RECORDED = {
    title: [
        path
        for folder in ("tests/browser/games", "benchmarks/records")
        for path in sorted((ROOT / folder).glob(f"{title}*.txt"))
    ]
    for title in ("1835", "1853", "dice", "rocket")
}

#: Boards of a recorded and of a random game, and random games, in the short form and in the long one.
RECORDED_BOARDS, RANDOM_BOARDS, RANDOM_GAMES = (3, 14), (1, 6), (1, 3)


def games(title: str, *, long: bool) -> Iterator[tuple[Game, int]]:
    """Games, each with the number of boards to look at."""
    for path in RECORDED[title][: None if long else 1]:
        yield kursbuch.load(path.read_text("utf-8")), RECORDED_BOARDS[long]
    for seed in range(RANDOM_GAMES[long]):
        yield random_game(title, seed, 400)[0], RANDOM_BOARDS[long]


def drawings(title: str, *, long: bool) -> Iterator[tuple[str, str]]:
    """Drawings, with what they show."""
    for game, boards in games(title, long=long):
        for number in range(boards):
            move = len(game.moves) * (number + 1) // boards
            # A player knows more than a spectator.
            state = game.title.view(game.at(move).state, 0)
            drawn = game.title.draw(state, Words("de", game.names))
            yield drawn, f"{title}, {game.seed}, after move {move}"
    if title in LATE:
        found = kursbuch.titles()[title]
        state = found.setup(4, found.option_values({}))
        state.layout = layout(title)
        state.agenda.clear()
        yield found.draw(state, Words("de", ["Anna", "Bernd", "Clara", "Dirk"])), f"{title}, late"


@cache
def map_of(drawing: str) -> ElementTree.Element:
    """The map of a drawing."""
    root = ElementTree.fromstring(drawing)
    sheets = [one for one in root if one.get("data-part") == "map"]
    if sheets:
        root = ElementTree.Element("map")
        root.extend(sheets)
    return root


@pytest.mark.parametrize("title", sorted(RECORDED))
def test_nothing_written_covers_anything(title: str, *, long: bool) -> None:
    found, boards = [], 0
    for drawing, where in drawings(title, long=long):
        boards += 1
        root = map_of(drawing)
        for near in (False, True):
            assert len(boxes(root, near=near)) > 20, where
            pairs = overlaps(root, near=near)
            found += [
                (where, near, one.text or one.kind, other.text or other.kind)
                for one, other in pairs
            ]
    assert not found
    assert boards >= (30 if long else 4)
