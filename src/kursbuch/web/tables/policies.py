"""Table options and their limits."""

from __future__ import annotations

from datetime import timedelta

from kursbuch.core.words import N_

LOBBY, RUNNING, FINISHED, CLOSED = "lobby", "running", "finished", "closed"

#: Who may take moves back, the usual policy first.
UNDO_POLICIES: dict[str, str] = {
    "ask": N_("with everybody's consent"),
    "own": N_("only one's own last move"),
    "free": N_("any player, any time"),
    "none": N_("never"),
}

#: Who may correct what has gone wrong at a table.
NO_MODERATOR, OPENER_MODERATES, ALL_MODERATE = "none", "opener", "players"
MODERATION: dict[str, str] = {
    NO_MODERATOR: N_("nobody"),
    OPENER_MODERATES: N_("the opener and those named there"),
    ALL_MODERATE: N_("everybody who plays"),
}

#: What is sent in time counts although it arrives so much later.
GRACE = timedelta(seconds=1.5)

#: Seconds for objections; None waits for everybody.
OBJECTION_TIMES: tuple[int | None, ...] = (None, 5, 10, 15, 30, 60, 120)
MAX_OBJECTION = 7 * 24 * 3600

#: The least time between two moves of the computer, in seconds, so that people can follow.
PACES: dict[float, str] = {
    0.0: N_("at once"),
    0.8: N_("easy to follow"),
    2.5: N_("slow"),
}
USUAL_PACE = 0.8

#: The pace at a table of a guided first game, where what happens is explained.
GUIDED_PACE = 1.2

#: So many games that are not over a visitor may have opened.
MOST_OPEN = 30

#: A seat counts as connected when its browser was heard of so lately.
PRESENT = timedelta(seconds=50)

#: Hours for a move at a slow table; None: as long as it takes.
MOVE_HOURS: tuple[int | None, ...] = (None, 6, 12, 24, 48, 72, 7 * 24)
MAX_MOVE_HOURS = 90 * 24

#: What happens when the time for a move has run out, the usual thing first.
REMIND, MOVES_ON, VOTE = "remind", "bot", "vote"
OVERRUNS: dict[str, str] = {
    REMIND: N_("the player is reminded"),
    MOVES_ON: N_("the computer makes this move"),
    VOTE: N_("the others may replace the player"),
}

#: Days a player may be away during a game without the time running.
VACATIONS: tuple[int, ...] = (0, 7, 14, 30)
MAX_VACATION = 365
MAX_LANGUAGE_NOTE = 80

#: Who may sit down, the usual way first.
ENTRY_LINK, ENTRY_PASSWORD, ENTRY_INVITED = "link", "password", "invited"
ENTRIES: dict[str, str] = {
    ENTRY_LINK: N_("everybody"),
    ENTRY_PASSWORD: N_("whoever knows the password"),
    ENTRY_INVITED: N_("only who is invited"),
}
MAX_PASSWORD = 100

#: Who may look on without playing.
WATCH_ALL, WATCH_PLAYERS = "all", "players"
WATCHING: dict[str, str] = {
    WATCH_ALL: N_("everybody"),
    WATCH_PLAYERS: N_("nobody but the players"),
}

#: How far behind those are who look on: so many moves, so many minutes.
DELAYS_MOVES: tuple[int, ...] = (0, 5, 10, 20, 50)
DELAYS_MINUTES: tuple[int, ...] = (0, 5, 15, 60, 24 * 60)
MAX_DELAY_MOVES = 1000
MAX_DELAY_MINUTES = 30 * 24 * 60

#: Who was not heard of for so long does not keep the opener from closing a table.
GONE_FOR = timedelta(days=14)
SEAT_FIELDS = {
    "me": N_("I"),
    "open": N_("somebody with the link"),
    "hotseat": N_("somebody at my device"),
    "bot": N_("computer"),
}
