"""Computer opponents. They need only the core contract and a view of a game.

>>> import kursbuch
>>> from kursbuch.bots import make
>>> game = kursbuch.new("rocket", players=["Anna", "Bernd"], seed=7)
>>> seat = game.pending[0].seat
>>> action = make("greedy", seed=1).choose(game.view(seat))
>>> any(choice.covers(action) for choice in game.legal_actions(seat))
True
"""

from __future__ import annotations

import re
from typing import Any

from kursbuch.bots.base import Bot, Ranked, volunteered, volunteers
from kursbuch.bots.greedy import CarelessBot, GreedyBot
from kursbuch.bots.mcts import Budget, PlayoutBot
from kursbuch.bots.random_bot import RandomBot
from kursbuch.core.errors import KursbuchError
from kursbuch.core.judge import Judge
from kursbuch.core.title import Title
from kursbuch.core.words import N_

__all__ = [
    "JUDGED_STRENGTHS",
    "STRENGTHS",
    "Bot",
    "CarelessBot",
    "GreedyBot",
    "PlayoutBot",
    "RandomBot",
    "Ranked",
    "check",
    "make",
    "strengths",
    "volunteered",
    "volunteers",
]

DEFAULT_MILLISECONDS = 200
MOST_MILLISECONDS = 600_000
MOST_PLAYOUTS = 10_000_000

#: The strengths offered to people: what to give to `make`, and a translatable label.
STRENGTHS: tuple[tuple[str, str], ...] = (
    ("random", N_("beginner (random moves)")),
    ("greedy", N_("easy (looks one move ahead)")),
    ("mcts:300ms", N_("medium (thinks for a moment)")),
    ("mcts:1500ms", N_("strong (thinks longer)")),
)

#: The same for titles that judge actions by themselves: in them a search has not been found to win more
#: often than the judgement alone.
JUDGED_STRENGTHS: tuple[tuple[str, str], ...] = (
    ("random", N_("beginner (random moves)")),
    ("careless", N_("easy (makes mistakes)")),
    ("greedy", N_("strong (takes what looks best)")),
)

_MCTS = re.compile(r"mcts(?::([1-9][0-9]{0,8})(ms)?)?")


def strengths(title: Title[Any]) -> tuple[tuple[str, str], ...]:
    """The strengths to offer for a title: those that make a difference in it.

    >>> import kursbuch
    >>> [spec for spec, _ in strengths(kursbuch.title("1835"))]
    ['random', 'careless', 'greedy']
    """
    judges = type(title.judge).appraise is not Judge.appraise
    return JUDGED_STRENGTHS if judges else STRENGTHS


def make(spec: str, seed: int | None = None) -> Bot:
    """The bot of a specification: `random`, `careless`, `greedy`, `mcts` (200 ms a move),
    `mcts:1000ms` or `mcts:400` (playouts a move).

    With a `seed` a bot plays the same moves in the same game, `mcts` only with a number of playouts.

    >>> make("mcts:1000ms").name
    'mcts:1000ms'
    >>> make("deep-blue")
    Traceback (most recent call last):
        ...
    kursbuch.core.errors.KursbuchError: There is no bot 'deep-blue'; possible are random, careless, \
greedy, mcts, mcts:1000ms (time a move) and mcts:400 (playouts a move).
    """
    spec = spec.strip()
    if spec == "random":
        return RandomBot(seed)
    if spec == "careless":
        return CarelessBot(seed)
    if spec == "greedy":
        return GreedyBot(seed)
    found = _MCTS.fullmatch(spec)
    if found is None:
        raise KursbuchError(
            "There is no bot {spec}; possible are random, careless, greedy, mcts, mcts:1000ms (time a "
            "move) and mcts:400 (playouts a move).",
            spec=repr(spec[:40]),
        )
    amount = int(found[1] or DEFAULT_MILLISECONDS)
    timed = found[1] is None or found[2] is not None
    if amount > (MOST_MILLISECONDS if timed else MOST_PLAYOUTS):
        raise KursbuchError(
            "The budget of the bot {spec} is too large; at most {ms} ms or {playouts} playouts a "
            "move are possible.",
            spec=spec,
            ms=MOST_MILLISECONDS,
            playouts=MOST_PLAYOUTS,
        )
    budget = Budget(seconds=amount / 1000) if timed else Budget(playouts=amount)
    return PlayoutBot(budget, seed, spec)


def check(spec: str) -> str:
    """The specification as it will be shown; raises like `make` if there is no such bot."""
    return make(spec).name
