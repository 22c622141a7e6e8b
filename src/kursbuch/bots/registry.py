"""Registry of computer opponents: specifications, and levels offered to players."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from kursbuch.bots.bot import OVERLOOKED, Bot, CarelessBot, GreedyBot, RandomBot
from kursbuch.bots.mcts import Budget, PlayoutBot
from kursbuch.core.errors import KursbuchError
from kursbuch.core.title import Title
from kursbuch.core.words import N_

DEFAULT_MILLISECONDS = 200
MOST_MILLISECONDS = 600_000
MOST_PLAYOUTS = 10_000_000

#: Levels offered to players, weakest first: a specification for `make`, and a translatable label.
STRENGTHS: tuple[tuple[str, str], ...] = (
    ("careless:75", N_("very easy (overlooks most things)")),
    ("careless", N_("easy (overlooks half)")),
    ("greedy", N_("medium (looks one move ahead)")),
    ("mcts:1500ms", N_("strong (plays ahead in its head)")),
)

#: Levels for titles with their own playouts: a longer search is clearly stronger there, while luck makes careless
#: bots alike.
IMAGINED_STRENGTHS: tuple[tuple[str, str], ...] = (
    ("careless", N_("easy (overlooks half)")),
    ("greedy", N_("medium (looks one move ahead)")),
    ("mcts:24", N_("strong (thinks for a moment)")),
    ("mcts:1500ms", N_("very strong (thinks longer)")),
)

#: Levels for titles whose games can be played out to the end.
PLANNED_STRENGTHS: tuple[tuple[str, str], ...] = (
    ("careless:75", N_("very easy (overlooks most things)")),
    ("careless:20", N_("medium (overlooks some things)")),
    ("greedy", N_("strong (takes what looks best)")),
    ("mcts:2000ms", N_("very strong (plans to the end)")),
)

_CARELESS = re.compile(r"careless(?::([1-9][0-9]?))?")
_MCTS = re.compile(r"mcts(?::([1-9][0-9]{0,8})(ms)?)?")


@lru_cache(maxsize=16)
def strengths(title: Title[Any]) -> tuple[tuple[str, str], ...]:
    """The levels that make a difference in a title.

    >>> import kursbuch
    >>> [spec for spec, _ in strengths(kursbuch.title("1835"))]
    ['careless:75', 'careless:20', 'greedy', 'mcts:2000ms']
    """
    if title.evaluator.supports_plans:
        return PLANNED_STRENGTHS
    return IMAGINED_STRENGTHS if title.evaluator.supports_playouts else STRENGTHS


def usual_strength(title: Title[Any]) -> str:
    """Specification of an opponent of medium strength.

    >>> import kursbuch
    >>> [usual_strength(kursbuch.title(name)) for name in ("rocket", "1835")]
    ['greedy', 'careless:20']
    """
    return "careless:20" if title.evaluator.supports_plans else "greedy"


def make(spec: str, seed: int | None = None) -> Bot:
    """Create a bot: `random`, `careless` (overlooks half of its choices), `careless:75` (in percent), `greedy`,
    `mcts` (200 ms per move), `mcts:1000ms` or `mcts:400` (playouts per move).

    With a `seed` a bot repeats its moves in the same game; `mcts` only with a number of playouts.

    >>> make("mcts:1000ms").name
    'mcts:1000ms'
    >>> make("deep-blue")
    Traceback (most recent call last):
        ...
    kursbuch.core.errors.KursbuchError: There is no bot 'deep-blue'. Available: random, careless, \
greedy, mcts, mcts:1000ms (time per move) and mcts:400 (playouts per move).
    """
    spec = spec.strip()
    if spec == "random":
        return RandomBot(seed)
    if (careless := _CARELESS.fullmatch(spec)) is not None:
        return CarelessBot(seed, int(careless[1] or OVERLOOKED))
    if spec == "greedy":
        return GreedyBot(seed)
    found = _MCTS.fullmatch(spec)
    if found is None:
        raise KursbuchError(
            "There is no bot {spec}. Available: random, careless, greedy, mcts, "
            "mcts:1000ms (time per move) and mcts:400 (playouts per move).",
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
    """Normalise a specification; raises like `make`."""
    return make(spec).name
