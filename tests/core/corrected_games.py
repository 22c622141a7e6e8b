"""Games in which a moderator corrects something now and then."""

from __future__ import annotations

import random

import kursbuch
from kursbuch.bots.bot import RandomBot
from kursbuch.core.corrections import NOBODY, Correct, Corrected
from kursbuch.core.errors import KursbuchError
from kursbuch.core.game import Game

NAMES = ("Anna", "Bernd", "Clara", "Dirk", "Eva")


def any_correction(game: Game, rng: random.Random) -> Correct | None:
    """A correction with values that are offered; None if none of the kind is."""
    kind = rng.choice(list(game.title.corrections))
    chosen: dict[str, str] = {}
    for field in kind.fields:
        if field.is_number:
            most = kind.most(game.state, field.name, chosen)
            if most < 1:
                return None
            chosen[field.name] = str(rng.randint(1, min(most, rng.choice((1, 3, 500)))))
        else:
            possible = kind.candidates(game.state, field.name, chosen)
            if not possible:
                return None
            chosen[field.name] = rng.choice(list(possible))
    return Correct(NOBODY, kind.name, tuple(chosen.values()), rng.choice(("", "Anna")))


def correct(game: Game, action: Correct, rng: random.Random) -> bool:
    """Try a correction, and look at all that must hold whether it is possible or not."""
    title = game.title
    before, totals = title.encode(game.state), game.state.ledger.totals()
    assert game.parse(game.format(action)) == action
    assert title.action_from_json(title.action_to_json(action)) == action
    try:
        events = game.apply(action)
    except KursbuchError:
        assert title.encode(game.state) == before
        return False
    assert game.state.ledger.totals() == totals
    assert isinstance(events[0], Corrected)
    voice = title.voice(kursbuch.Words("de", game.names))
    assert all(map(voice.describe, events))
    if rng.random() < 0.3:
        after = title.encode(game.state)
        game.undo()
        assert title.encode(game.state) == before
        game.apply(action)
        assert title.encode(game.state) == after
    return True


def play(title: str, seats: int, seed: int, often: float = 0.2) -> tuple[Game, list[str]]:
    """A game of random moves and corrections to its end; the kinds of those that were possible."""
    rng = random.Random(f"{title} {seats} {seed}")
    game = kursbuch.new(title, players=NAMES[:seats], seed=seed)
    words = kursbuch.Words("en", game.names)
    voice = game.title.voice(words)
    made: list[str] = []
    while not game.over:
        if rng.random() < often and len(game.moves) < 1500:
            action = any_correction(game, rng)
            if action is not None and correct(game, action, rng):
                made.append(action.kind)
            continue
        seat = rng.choice(game.pending).seat
        game.apply(RandomBot(rng.randrange(1 << 30)).choose(game.view(seat)))
        if rng.random() < 0.02:
            for reader in (None, *range(seats)):
                view = game.view(reader)
                voice.summaries(view.state)
                voice.panels(view.state)
                voice.status(view.state)
                game.title.draw(view.state, words)
                view.determinize(rng)
    return game, made
