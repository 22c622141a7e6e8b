"""The computer opponents that can be had at a table."""

from __future__ import annotations

from kursbuch.core.words import N_
from kursbuch.web.errors import Refused

#: Thinks about hints.
ADVISER = "mcts:600ms"


def strengths() -> tuple[tuple[str, str], ...]:
    """The opponents on offer: specification and translatable label."""
    from kursbuch.bots import STRENGTHS

    return tuple(STRENGTHS)


def bot_spec(given: str) -> str:
    """The specification, if that opponent is on offer. Others may think longer than is good for a
    server."""
    offered = [spec for spec, _ in strengths()]
    if given not in offered:
        raise Refused(
            N_("There is no computer opponent {given}; possible are {known}."),
            given=repr(given[:40]),
            known=", ".join(offered),
        )
    return given


def bot_label(spec: str) -> str:
    """The translatable label of an opponent."""
    return dict(strengths()).get(spec, spec)


def bot_volunteers(spec: str) -> bool:
    """Whether an opponent may also act when nobody waits for it."""
    return spec not in ("", "random")
