"""Table options and their limits."""

from __future__ import annotations

from datetime import timedelta

from kursbuch.core.words import N_

LOBBY, RUNNING, FINISHED, CLOSED = "lobby", "running", "finished", "closed"

#: Undo policies, the default first.
UNDO_POLICIES: dict[str, str] = {
    "ask": N_("with the consent of all players"),
    "own": N_("only your own last move"),
    "free": N_("any player, any time"),
    "none": N_("never"),
}

#: Moderation policies.
NO_MODERATOR, OPENER_MODERATES, ALL_MODERATE = "none", "opener", "players"
MODERATION: dict[str, str] = {
    NO_MODERATOR: N_("no one"),
    OPENER_MODERATES: N_("the opener and those named there"),
    ALL_MODERATE: N_("all players"),
}

#: Grace period for actions that were sent in time.
GRACE = timedelta(seconds=1.5)

#: Seconds for objections; None waits for all players.
OBJECTION_TIMES: tuple[int | None, ...] = (None, 5, 10, 15, 30, 60, 120)
MAX_OBJECTION = 7 * 24 * 3600

#: Minimum time between two bot moves in seconds, so that people can follow.
PACES: dict[float, str] = {
    0.0: N_("at once"),
    0.8: N_("easy to follow"),
    2.5: N_("slow"),
}
USUAL_PACE = 0.8

#: The pace of a guided first game, which explains the moves.
GUIDED_PACE = 1.2

#: Maximum number of unfinished games a visitor may have opened.
MOST_OPEN = 30

#: A seat counts as connected for this long after its browser was last heard of.
PRESENT = timedelta(seconds=50)

#: Hours per move at a slow table; None: no limit.
MOVE_HOURS: tuple[int | None, ...] = (None, 6, 12, 24, 48, 72, 7 * 24)
MAX_MOVE_HOURS = 90 * 24

#: Policies for a player out of time, the default first.
REMIND, MOVES_ON, VOTE = "remind", "bot", "vote"
OVERRUNS: dict[str, str] = {
    REMIND: N_("the player is reminded"),
    MOVES_ON: N_("the computer makes this move"),
    VOTE: N_("the others may replace the player"),
}

#: Days a player may be away during a game while the clock stands still.
VACATIONS: tuple[int, ...] = (0, 7, 14, 30)
MAX_VACATION = 365
MAX_LANGUAGE_NOTE = 80

#: Joining policies, the default first.
ENTRY_LINK, ENTRY_PASSWORD, ENTRY_INVITED = "link", "password", "invited"
ENTRIES: dict[str, str] = {
    ENTRY_LINK: N_("everybody"),
    ENTRY_PASSWORD: N_("anyone with the password"),
    ENTRY_INVITED: N_("by invitation only"),
}
MAX_PASSWORD = 100

#: Spectating policies.
WATCH_ALL, WATCH_PLAYERS = "all", "players"
WATCHING: dict[str, str] = {
    WATCH_ALL: N_("everybody"),
    WATCH_PLAYERS: N_("players only"),
}

#: Spectator delays in moves and in minutes.
DELAYS_MOVES: tuple[int, ...] = (0, 5, 10, 20, 50)
DELAYS_MINUTES: tuple[int, ...] = (0, 5, 15, 60, 24 * 60)
MAX_DELAY_MOVES = 1000
MAX_DELAY_MINUTES = 30 * 24 * 60

#: Players not heard of for this long do not keep the opener from closing a table.
GONE_FOR = timedelta(days=14)
SEAT_FIELDS = {
    "me": N_("I"),
    "open": N_("anyone with the link"),
    "hotseat": N_("another player at my device"),
    "bot": N_("computer"),
}
