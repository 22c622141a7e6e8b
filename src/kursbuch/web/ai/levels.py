"""Bot levels offered at tables."""

from __future__ import annotations

from typing import Any

from kursbuch.bots import IMAGINED_STRENGTHS, PLANNED_STRENGTHS, STRENGTHS, strengths
from kursbuch.core.title import Title
from kursbuch.core.words import N_
from kursbuch.web.http.errors import Refused

#: Bots for hints: a search that leaves time to compare, or greedy for titles that evaluate actions
#: themselves. There it is as good as a search, and always the same.
ADVISER, EVALUATED_ADVISER = "mcts:400ms", "greedy"

#: Levels beside those offered: random moves for trying things out, and older ones.
_LABELS = {
    "random": N_("random moves"),
    "careless:10": N_("strong (overlooks little)"),
    "mcts:20ms": N_("strong (thinks for a moment)"),
    "mcts:300ms": N_("strong (thinks for a moment)"),
    "mcts:3000ms": N_("very strong (plans to the end)"),
    **dict(IMAGINED_STRENGTHS),
    **dict(PLANNED_STRENGTHS),
    **dict(STRENGTHS),
}


def adviser(title: Title[Any]) -> str:
    """Return the bot that computes hints for a title."""
    return EVALUATED_ADVISER if title.evaluator.evaluates_actions else ADVISER


def bot_spec(given: str) -> str:
    """Return a bot specification if it is offered for any title. Others may be too slow for a server."""
    if given not in _LABELS:
        raise Refused(
            N_("There is no computer opponent {given}. Available: {known}."),
            given=repr(given[:40]),
            known=", ".join(_LABELS),
        )
    return given


def bot_label(title: Title[Any], spec: str) -> str:
    """Return the translatable label of a bot."""
    return {**_LABELS, **dict(strengths(title))}.get(spec, spec)


def bot_volunteers(spec: str) -> bool:
    """Tell whether a bot may act without a decision."""
    return spec not in ("", "random")
