"""The computer opponents that can be had at a table."""

from __future__ import annotations

from typing import Any

from kursbuch.bots import JUDGED_STRENGTHS, PLANNED_STRENGTHS, STRENGTHS, strengths
from kursbuch.core.title import Title
from kursbuch.core.words import N_
from kursbuch.web.errors import Refused

#: Think about hints, and leave time to compare: in titles that judge actions by themselves their judgement
#: is as good as a search and always the same.
ADVISER, JUDGED_ADVISER = "mcts:400ms", "greedy"

#: Random moves are not offered, but can be had: for trying things out.
_LABELS = {
    "random": N_("random moves"),
    **dict(JUDGED_STRENGTHS),
    **dict(PLANNED_STRENGTHS),
    **dict(STRENGTHS),
}


def adviser(title: Title[Any]) -> str:
    """The specification of what thinks about hints in a title."""
    return ADVISER if strengths(title) is STRENGTHS else JUDGED_ADVISER


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


def usual_bot(title: Title[Any]) -> str:
    """The specification of the opponent that is offered first."""
    known = strengths(title)
    return known[min(1, len(known) - 1)][0]


def bot_label(title: Title[Any], spec: str) -> str:
    """The translatable label of an opponent."""
    return {**_LABELS, **dict(strengths(title))}.get(spec, spec)


def bot_volunteers(spec: str) -> bool:
    """Whether an opponent may also act when nobody waits for it."""
    return spec not in ("", "random")
