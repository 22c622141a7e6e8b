"""Bot levels offered at tables."""

from __future__ import annotations

from typing import Any

from kursbuch.bots import IMAGINED_STRENGTHS, PLANNED_STRENGTHS, STRENGTHS, strengths
from kursbuch.core.title import Title
from kursbuch.core.words import N_
from kursbuch.web.http.errors import Refused

#: Think about hints, and leave time to compare: in titles that judge actions by themselves their judgement
#: is as good as a search and always the same.
ADVISER, JUDGED_ADVISER = "mcts:400ms", "greedy"

#: Also what is not offered can be had: random moves, for trying things out, and what was offered once.
_LABELS = {
    "random": N_("random moves"),
    "careless:10": N_("strong (overlooks little)"),
    "mcts:20ms": N_("strong (thinks for a moment)"),
    "mcts:300ms": N_("strong (thinks for a moment)"),
    **dict(IMAGINED_STRENGTHS),
    **dict(PLANNED_STRENGTHS),
    **dict(STRENGTHS),
}


def adviser(title: Title[Any]) -> str:
    """The specification of what thinks about hints in a title."""
    return JUDGED_ADVISER if title.judge.judges_actions else ADVISER


def bot_spec(given: str) -> str:
    """The specification, if that opponent is on offer in any title. Others may think longer than is
    good for a server."""
    if given not in _LABELS:
        raise Refused(
            N_("There is no computer opponent {given}; possible are {known}."),
            given=repr(given[:40]),
            known=", ".join(_LABELS),
        )
    return given


def bot_label(title: Title[Any], spec: str) -> str:
    """The translatable label of an opponent."""
    return {**_LABELS, **dict(strengths(title))}.get(spec, spec)


def bot_volunteers(spec: str) -> bool:
    """Whether an opponent may also act when nobody waits for it."""
    return spec not in ("", "random")
