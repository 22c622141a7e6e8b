"""Expected notifications of slow games, derived from the turns independently of the server: one for each player
asked, none for others."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime, timedelta

from benchmarks.members import Member, need
from kursbuch.core.game import Game
from kursbuch.web.db.models import Table, now
from kursbuch.web.live.streams import Announcement
from kursbuch.web.notifications.composer import WATCHING_PAUSE
from kursbuch.web.notifications.notifier import SLOW_PAUSE
from kursbuch.web.notifications.preferences import next_digest
from kursbuch.web.tables.snapshot import Snapshot

TURN, STILL, BEGUN, OVER = "Your turn", "Still your turn", "The game has begun", "The game is over"
ANSWERS = ("Played", "Not played")

_SUBJECT = re.compile(rf"({'|'.join((TURN, STILL, BEGUN, OVER, *ANSWERS))}): ")
_LINK = re.compile(r"\S[^:]*: https?://\S+/t/([a-z0-9]+)")


class PendingDecision:
    """A pending decision: when its player must be notified, and how often that happened."""

    def __init__(self, due: datetime) -> None:
        self.due = due
        self.notified = 0


class NotificationChecker:
    """Follows tables and mail. `people` are the holders of a table's seats, by owner."""

    def __init__(
        self,
        people: Mapping[str, Member],
        looking: Callable[[str, str], bool],
        load: Callable[[str], Awaitable[Snapshot]],
    ) -> None:
        self._people = people
        self._looking = looking
        self._load = load
        self._turns: dict[str, dict[int, str]] = {}
        self._moves: dict[str, int] = {}
        self._late: defaultdict[str, set[int]] = defaultdict(set)
        self._owners: dict[str, tuple[str | None, ...]] = {}
        self.asked: dict[tuple[str, int], PendingDecision] = {}
        #: Number of mails of each kind to a person about a table.
        self.counts: Counter[tuple[str, str, str]] = Counter()
        self._read: Counter[str] = Counter()

    async def on_change(self, table: Table, announcement: Announcement) -> None:
        """Handle a change of a table: start and end of turns."""
        shown = await self._load(table.id)
        game = shown.game
        self._owners[table.id] = announcement.owners
        before, turn = self._turns.get(table.id, {}), pending_in(game)
        moves = game.moves[self._moves.get(table.id, 0) :] if game is not None else []
        moved = {move.action.seat for move in moves}
        # A late player has not seen the bot's moves.
        automatic = shown.moves[self._moves.get(table.id, 0) :]
        helped = {seat for seat, made in automatic if made and seat in self._late[table.id]}
        self._late[table.id] = {seat.number for seat in shown.seats if seat.late}
        self._turns[table.id] = turn
        self._moves[table.id] = table.number
        # A different decision without a move in between is notified again.
        stays = {seat for seat, step in before.items() if turn.get(seat) == step or seat in moved}
        stays -= helped
        for seat in before:
            if seat not in turn or seat not in stays:
                self.close(table.id, seat)
        for seat in turn:
            if seat not in before or seat not in stays:
                person = self._person(table.id, seat)
                due = now() + SLOW_PAUSE
                if person.pace != "now":
                    due = next_digest(person.pace, now(), person.zone)
                self.asked[table.id, seat] = PendingDecision(due)

    def _person(self, table: str, seat: int) -> Member:
        return self._people[self._owners[table][seat] or ""]

    def next(self) -> datetime | None:
        """Time of the next notification due."""
        return min((one.due for one in self.asked.values() if not one.notified), default=None)

    def close(self, table: str, seat: int) -> None:
        """A seat has decided."""
        one = self.asked.pop((table, seat))
        name = self._person(table, seat).name
        need(one.notified < 2, f"{name} was told {one.notified} times of one turn at {table}")
        need(one.notified or one.due >= now(), f"{name} was not told of a turn at {table}")

    def round(self) -> None:
        """Check all mailboxes after due mail was sent."""
        for person in self._people.values():
            mails = person.arrived.to(person.address)
            for mail in mails[self._read[person.owner] :]:
                for kind, table in notifications_in(str(mail.message["Subject"]), mail.text):
                    self.counts[person.owner, kind, table] += 1
                    if kind == TURN:
                        self._note(person, table)
            self._read[person.owner] = len(mails)
        for (table, seat), one in self.asked.items():
            if one.notified or one.due > now():
                continue
            person = self._person(table, seat)
            need(
                person.pace == "now" and self._looking(table, person.owner),
                f"{person.name} is not told of a turn at {table}, due {one.due}",
            )
            one.due = now() + WATCHING_PAUSE + timedelta(seconds=1)

    def _note(self, person: Member, table: str) -> None:
        for (at, seat), one in self.asked.items():
            if at == table and self._person(at, seat) is person:
                one.notified += 1
                need(one.notified == 1, f"{person.name} was told again of a turn at {table}")
                return
        need(False, f"{person.name} was told of a turn at {table} that is none")


def pending_in(game: Game | None) -> dict[int, str]:
    """Deciding seats with their kind of decision."""
    return {one.seat: one.step for one in game.position.pending()} if game is not None else {}


def notifications_in(subject: str, text: str) -> list[tuple[str, str]]:
    """Notifications and tables in a mail.

    >>> notifications_in("Your turn: 1835 with B", "Do it\\n\\nPlay: https://club.example/t/abc")
    [('Your turn', 'abc')]
    """
    found, kind = [], _SUBJECT.match(subject)
    for line in text.splitlines():
        kind = _SUBJECT.match(line) or kind
        link = _LINK.fullmatch(line)
        if kind is not None and link is not None:
            found.append((kind[1], link[1]))
            kind = None
    return found
