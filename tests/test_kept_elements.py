"""What is kept of drawings and descriptions is what they are when made for the first time, for every reader."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from functools import _lru_cache_wrapper
from typing import Any

import pytest

import kursbuch
from kursbuch.core.events import visible_to
from kursbuch.core.game import Game
from kursbuch.core.words import LANGUAGES, Words
from tests.browser.positions import whole_game
from tests.test_refusals import random_game

#: Parts of the names of modules that draw and describe.
MAKERS = ("drawing", "hexmap", "share_register", "text")

#: A reader: a number of moves, the seat and the language.
Reader = tuple[int, int | None, str]


def forget() -> None:
    """Empty the caches of all drawings and descriptions."""
    for name, module in list(sys.modules.items()):
        if name.startswith("kursbuch.") and not set(MAKERS).isdisjoint(name.split(".")):
            for value in vars(module).values():
                if isinstance(value, _lru_cache_wrapper):
                    value.cache_clear()


def shown(game: Game, reader: Reader) -> list[Any]:
    """All that a page shows of a position to a reader."""
    number, seat, language = reader
    title = game.title
    state = title.view(game.at(number).state, seat)
    words = Words(language, game.names)
    events = game.moves[number - 1].events if number else ()
    marks = title.marks([event for event in events if visible_to(event, seat)])
    voice = title.voice(words)
    return [
        title.draw(state, words, marks),
        voice.panels(state),
        voice.summaries(state),
        voice.tables(state),
        voice.board_text(state),
        voice.status(state),
        voice.near_end(state),
        [voice.seat_note(state, seat) for seat in range(state.seats)],
    ]


def games(title: str) -> Iterator[Game]:
    yield whole_game(title)
    yield random_game(title, 7, 150)[0]


@pytest.mark.parametrize("title", sorted(kursbuch.titles()))
def test_what_is_kept_is_what_is_made(title: str) -> None:
    rng = random.Random(title)
    for game in games(title):
        readers: list[Reader] = []
        first = rng.randrange(max(1, len(game.moves) - 40))
        for number in range(first, min(first + 40, len(game.moves) + 1)):
            at = [(number, seat, language) for seat in (None, 0, 1) for language in LANGUAGES]
            readers += rng.sample(at, len(at))
        kept = {reader: shown(game, reader) for reader in readers}
        for reader in rng.sample(readers, 24):
            forget()
            assert shown(game, reader) == kept[reader], reader


@pytest.mark.parametrize("title", sorted(kursbuch.titles()))
def test_tables_do_not_share_what_differs(title: str) -> None:
    """Other names at the same position are drawn for their table only."""
    game = whole_game(title)
    number = len(game.moves) // 2
    state = game.title.view(game.at(number).state, 0)
    for names in (game.names, tuple(f"Player <{seat}>" for seat in range(state.seats))):
        for language in LANGUAGES:
            words = Words(language, names)
            drawn = game.title.draw(state, words, ())
            forget()
            assert game.title.draw(state, words, ()) == drawn
