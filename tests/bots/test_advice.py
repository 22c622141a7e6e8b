"""Advice says why the best action is better than the next one, in positions whose best action is known."""

from __future__ import annotations

from pathlib import Path

import pytest

import kursbuch
from kursbuch.bots import Advice, advise, make
from kursbuch.bots.advice import compare, gain_range
from kursbuch.bots.bot import Ranked
from kursbuch.bots.review.sentences import reasons
from kursbuch.core.actions import Action
from kursbuch.core.game import Game, View
from kursbuch.core.words import LANGUAGES, Words
from kursbuch.games.g18xx.actions import LayTile

GAMES = Path(__file__).parents[1] / "browser" / "games"

#: Time enough for all courses.
UNHURRIED = 60.0


def recorded(title: str) -> Game:
    return kursbuch.load((GAMES / f"{title}.txt").read_text("utf-8"))


def before(game: Game, number: int) -> View:
    """What the player to move knew after this number of moves."""
    seat = game.moves[number].action.seat
    state = game.title.view(game.at(number).state, seat)
    return View(game.title, state, seat, game.names)


def sentences(advice: Advice, view: View, language: str) -> list[str]:
    assert advice.verdict is not None
    return reasons(advice.verdict, view.title.voice(Words(language, view.names)))


def test_a_dividend_that_ends_the_game() -> None:
    """Nothing comes after it: what is paid out is the reason, in every language."""
    game = recorded("1835")
    view = before(game, 505)
    advice = advise(view, "greedy", seed=1, seconds=UNHURRIED)
    assert game.title.action_from_json(advice.choices[0][0]) == game.moves[505].action
    assert advice.verdict is not None
    assert advice.verdict.seat == view.seat
    assert advice.verdict.cost > 0
    assert any("more: dividends of" in text for text in sentences(advice, view, "en"))
    assert any("mehr: Dividenden von" in text for text in sentences(advice, view, "de"))
    assert set(LANGUAGES) == {"en", "de"}


def test_what_only_the_judgement_sees() -> None:
    """Track in 1835 pays off much later: a hint says just that."""
    game = recorded("1835")
    laid = (n for n, move in enumerate(game.moves) if isinstance(move.action, LayTile))
    view = before(game, next(laid))
    first, second = (each.action for each in make("greedy", 1).rank(view)[:2])
    far = [Ranked(first, 9000.0), Ranked(second, 0.0)]
    advice = Advice((), compare(view, far, 1, UNHURRIED))
    assert sentences(advice, view, "en") == [
        "It is worth more in the long run, counting track, trains and share prices."
    ]


def test_about_equal_actions_have_no_reason() -> None:
    game = kursbuch.new("rocket", ["Anna", "Bernd"], seed=7)
    view = game.view(game.pending[0].seat)
    ranking = make("greedy", 1).rank(view)
    level = [Ranked(each.action, 5000.0) for each in ranking]
    assert compare(view, level, 1, UNHURRIED) is None
    assert compare(view, ranking[:1], 1, UNHURRIED) is None


def test_a_gain_is_a_range_and_hidden_where_it_is_not_credible() -> None:
    """No hint promises more than a third of what each player can expect."""
    game = kursbuch.new("1835", ["Anna", "Bernd", "Clara", "Dirk"], seed=7)
    view = game.view(game.pending[0].seat)
    first, second = (each.action for each in make("greedy", 1).rank(view)[:2])

    def gain(ahead: float) -> tuple[float, float] | None:
        return gain_range(view, [Ranked(first, ahead), Ranked(second, 0.0)], None)

    assert gain(0) is None
    found = gain(100)
    assert found is not None
    assert 0 < found[0] < 100 < found[1]
    assert gain(570) is None


@pytest.mark.parametrize("title", ["rocket", "nimm", "dice", "1853"])
def test_reasons_speak_for_the_best(title: str) -> None:
    """Over a game there are reasons, each for what is advised; the same seed gives the same."""
    names = ["Anna", "Bernd", "Clara"]
    game = kursbuch.new(title, names, seed=5)
    bot = make("greedy", 1)
    told = 0
    while not game.over and told < 2:
        view = game.view(game.pending[0].seat)
        advice = advise(view, "greedy", 1, UNHURRIED)
        if advice.verdict is not None:
            assert advice == advise(view, "greedy", 1, UNHURRIED)
            assert advice.verdict.better is not None
            assert advice.verdict.better.action == advice.choices[0][0]
            assert advice.verdict.played.action == advice.choices[1][0]
            told += bool(sentences(advice, view, "en"))
        action: Action = bot.choose(view)
        game.apply(action)
    assert told == 2
