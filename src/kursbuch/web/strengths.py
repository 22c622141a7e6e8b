"""The computer opponents that can be had at a table."""

from __future__ import annotations

from typing import Any

from kursbuch.bots import JUDGED_STRENGTHS, STRENGTHS, strengths
from kursbuch.core.title import Title
from kursbuch.core.words import N_
from kursbuch.web.errors import Refused

#: Thinks about hints.
ADVISER = "mcts:600ms"

_LABELS = {**dict(JUDGED_STRENGTHS), **dict(STRENGTHS)}


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
