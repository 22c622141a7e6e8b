"""What can be chosen for a table, and the limits of it."""

from __future__ import annotations

from datetime import timedelta

from kursbuch.core.words import N_

LOBBY, RUNNING, FINISHED, CLOSED = "lobby", "running", "finished", "closed"

#: Who may take moves back, the usual policy first.
UNDO_POLICIES: dict[str, str] = {
    "ask": N_("with everybody's consent"),
    "own": N_("one's own last move, until somebody else has moved"),
    "free": N_("any player, any time"),
    "none": N_("never"),
}

#: What is sent in time counts although it arrives so much later.
GRACE = timedelta(seconds=1.5)

#: Seconds for objections; None waits for everybody.
OBJECTION_TIMES: tuple[int | None, ...] = (None, 15, 30, 60, 120)
MAX_OBJECTION = 7 * 24 * 3600

#: The least time between two moves of the computer, in seconds, so that people can follow.
PACES: dict[float, str] = {
    0.0: N_("at once"),
    0.8: N_("easy to follow"),
    2.5: N_("slow"),
}
USUAL_PACE = 0.8

#: So many games that are not over a visitor may have opened.
MOST_OPEN = 30

#: A seat counts as connected when its browser was heard of so lately.
PRESENT = timedelta(seconds=50)
