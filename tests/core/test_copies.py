"""Games that go on from a move of another one: a seed of their own, and draws that are told apart."""

from __future__ import annotations

import random

import pytest

import kursbuch
from kursbuch.core.chance import draw
from kursbuch.core.errors import RecordError
from kursbuch.core.game import Game
from kursbuch.core.record_format import Copied


def go_on(game: Game, moves: int, seed: int = 1) -> Game:
    """Play at random up to this number of moves."""
    rng = random.Random(seed)
    while len(game.moves) < moves and not game.over:
        decision = rng.choice(game.pending)
        choice = rng.choice(game.legal_actions(decision.seat))
        game.apply(rng.choice(list(choice.actions())))
    return game


def begun(moves: int = 30) -> Game:
    return go_on(kursbuch.new("dice", ["Anna", "Bernd"], 7), moves)


def test_the_past_is_the_same_and_the_future_is_not() -> None:
    game = begun()
    copy = game.play_on(12, "8")
    assert copy.state == game.at(12).state
    assert copy.moves == game.moves[:12]
    assert copy.copied == (Copied(12, game.seed_hash),)
    known = len(copy.draws())
    go_on(copy, 60)
    assert len(game.moves) == 30
    assert len(copy.draws()) > known
    for number, (value, sides) in enumerate(copy.draws()):
        assert value == draw("7" if number < known else "8", number, sides)
    copy.verify_seed("8")
    assert copy.copied_draws() == known
    # Draws of the game it was copied from are nothing that its seed answers for, and the other way round.
    assert any(
        draw("8", number, sides) != value
        for number, (value, sides) in enumerate(copy.draws()[:known])
    )


@pytest.mark.parametrize("number", [0, 1, 17])
def test_records_of_copies(number: int) -> None:
    game = begun()
    copy = go_on(game.play_on(number, "8"), number + 25)
    text = copy.record(reveal=True)
    assert f"\ncopied: {number} {game.seed_hash}\n" in text
    again = kursbuch.load(text)
    assert (again.state, again.copied, again.draws()) == (copy.state, copy.copied, copy.draws())
    assert again.record(reveal=True) == text
    # It goes on in the same way, with draws of its own seed.
    assert go_on(again, number + 60, 3).record() == go_on(copy, number + 60, 3).record()
    # Without its seed it can still be replayed.
    hidden = kursbuch.load(copy.record(reveal=False))
    assert hidden.state == copy.state


def test_only_what_was_copied_is_not_checked_against_the_seed() -> None:
    copy = go_on(begun().play_on(6, "8"), 60)
    text = copy.record(reveal=True)
    kursbuch.load(text)
    lines = [line for line in text.splitlines() if not line.startswith("copied")]
    with pytest.raises(RecordError, match="does not come from the seed"):
        kursbuch.load("\n".join(lines))


def test_a_copy_of_a_copy() -> None:
    game = begun()
    first = go_on(game.play_on(10, "8"), 30)
    later = first.play_on(20, "9")
    assert later.copied == (Copied(10, game.seed_hash), Copied(20, first.seed_hash))
    for number in (4, 10):
        assert first.play_on(number, "9").copied == (Copied(number, game.seed_hash),)
    again = kursbuch.load(go_on(later, 40).record(reveal=True))
    assert again.copied == later.copied
    again.verify_seed("9")


def test_what_was_copied_and_is_taken_back_is_played_anew() -> None:
    game = begun()
    copy = go_on(game.play_on(20, "8"), 25)
    copy.rewind(15)
    assert copy.copied == (Copied(15, game.seed_hash),)
    known = len(copy.draws())
    go_on(copy, 60, 5)
    copy.verify_seed("8")
    assert all(
        value == draw("8", number, sides)
        for number, (value, sides) in enumerate(copy.draws()[known:], known)
    )
    kursbuch.load(copy.record(reveal=True))


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("copied: 99 {hash}", "only 8"),
        ("copied: many {hash}", "a number of moves"),
        ("copied: 3", "a number of moves"),
        ("copied: 3 ea99", "hash of a seed"),
        ("copied: 3 {hash}\ncopied: 3 {hash}", "higher than the one before"),
    ],
)
def test_a_broken_header(line: str, why: str) -> None:
    text = begun().play_on(8, "8").record(reveal=True)
    (old,) = [one for one in text.splitlines() if one.startswith("copied")]
    with pytest.raises(RecordError, match=why) as error:
        kursbuch.load(text.replace(old, line.format(hash="0" * 64)))
    assert error.value.line >= 1


def test_a_game_that_begins_with_a_part_of_what_was_copied() -> None:
    copy = go_on(begun().play_on(12, "8"), 20)
    part = copy.branch(5)
    again = kursbuch.load(part.record())
    assert (again.state, again.copied) == (part.state, (Copied(5, begun().seed_hash),))
    known = part.copied_draws()
    assert len(part.draws()) == known
    # What follows has draws of the seed of the copy.
    go_on(part, 40)
    for number, (value, sides) in enumerate(part.draws()[known:], known):
        assert value == draw("8", number, sides)
    assert len(copy.moves) == 20
