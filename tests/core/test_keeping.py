"""A game that was written down goes on as if it had never been away."""

from __future__ import annotations

import random
import zlib

import msgspec
import pytest

import kursbuch
from kursbuch.bots import make
from kursbuch.core.game import Game
from kursbuch.core.replay_cache import Dump, load_dump, program_id


@pytest.mark.parametrize("name", kursbuch.titles())
def test_a_game_goes_on_where_it_was_kept(name: str) -> None:
    title = kursbuch.title(name)
    names = ["Anna", "Bernd", "Clara"]
    game = kursbuch.new(name, names, seed=3)
    bot, rng = make("random", 1), random.Random(1)
    for _ in range(120):
        if game.over:
            break
        game.apply(bot.choose(game.view(rng.choice(game.pending).seat)))
    content = Dump(game).written()
    again = Game(title, names, game.options, seed=game.seed)
    load_dump(again, content)
    assert again.moves == game.moves
    assert again.readings == game.readings
    assert title.encode(again.state) == title.encode(game.state)
    assert again.record(reveal=True) == game.record(reveal=True)
    for seat in (None, 0, 1, 2):
        assert list(again.events(seat)) == list(game.events(seat))
    for number in (0, 1, len(game.moves) // 2, len(game.moves) - 1):
        assert again.at(number).state == game.at(number).state
    # Both go on alike, forward and back.
    one, other = make("random", 5), make("random", 5)
    for _ in range(5):
        if not game.over:
            game.apply(one.choose(game.view(game.pending[0].seat)))
            again.apply(other.choose(again.view(again.pending[0].seat)))
    assert again.state == game.state
    for each in (game, again):
        each.rewind(20)
    assert again.state == game.state
    assert again.record() == game.record()


def test_what_is_kept_is_of_one_moment() -> None:
    game = kursbuch.new("rocket", ["Anna", "Bernd"], seed=7)
    frozen = Dump(game)
    game.apply(game.legal_actions(game.pending[0].seat)[0].action)
    again = Game(game.title, game.names, game.options, seed=game.seed)
    load_dump(again, frozen.written())
    assert again.moves == []


def test_nothing_but_events_and_actions_is_made() -> None:
    game = kursbuch.new("rocket", ["Anna", "Bernd"], seed=7)
    kept = [["os:system"], [], [], [], {}, game.title.encode(game.state)]
    with pytest.raises(TypeError):
        load_dump(game, zlib.compress(msgspec.msgpack.encode(kept)))


def test_programs_are_told_apart() -> None:
    titles = kursbuch.titles()
    assert len({program_id(title) for title in titles.values()}) == len(titles)
