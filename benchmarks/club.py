"""A club over simulated weeks: four members play a slow, rated game of each title by forms, API, mail and premoves,
with regular server restarts.

It stops at the first missing or repeated notification, lost move, wrong clock, missing rating or record that does
not replay. `python -m benchmarks.club` plays all titles to the end in parallel.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from unittest.mock import patch

import msgspec
from sqlalchemy import select

import kursbuch
from benchmarks.members import (
    Correspondent,
    Failed,
    Member,
    Planner,
    Programmer,
    Reader,
    need,
)
from benchmarks.notifications import (
    ANSWERS,
    BEGUN,
    OVER,
    STILL,
    TURN,
    NotificationChecker,
    pending_in,
)
from kursbuch.cli import main as command
from kursbuch.web.accounts.models import Account
from kursbuch.web.db import models
from kursbuch.web.db.models import Seat, StoredMove
from kursbuch.web.notifications.service import Notifications
from kursbuch.web.settings import NotificationSettings, Settings
from kursbuch.web.tables import deadlines, lobby
from kursbuch.web.tables.policies import FINISHED, RUNNING
from kursbuch.web.tables.snapshot import Snapshot
from kursbuch.web.tables.store import TableStore
from tests.web.mailbox import Mailbox, mailbox
from tests.web.visitors import Server, SetClock

TITLES = ("rocket", "nimm", "dice", "1835", "1853")

#: Mean hours per move, and the bot that decides for the members.
HOURS = {"rocket": 4.0, "nimm": 4.0, "dice": 4.0, "1835": 1.5, "1853": 1.5}
BOT = "greedy"

#: Time limit in hours and timeout action, by table.
TIMES = ((24, "remind"), (12, "bot"), (48, "vote"))

#: Interval of server restarts.
RESTART = timedelta(days=4)

_SECOND = timedelta(seconds=1)


class Report(msgspec.Struct):
    """Summary of one table."""

    title: str
    moves: int
    days: float
    over: bool
    ways: dict[str, int]
    mails: dict[str, int]
    late: int
    away: int


class Game:
    """A table as last seen by the club."""

    def __init__(self, title: str, table: str, hours: int, overrun: str, begun: datetime) -> None:
        self.title = title
        self.table = table
        self.hours = hours
        self.overrun = overrun
        self.begun = begun
        self.ended = begun
        self.over = False
        self.moves: list[tuple[int, str]] = []
        self.asked: dict[int, datetime] = {}
        self.steps: dict[int, str] = {}
        self.ways: Counter[str] = Counter()
        self.late = 0
        self.away = 0
        self.planned: dict[int, datetime] = {}


class Club:
    """The server, its members and their tables."""

    def __init__(self, folder: Path, arrived: Mailbox, clock: SetClock, seed: int) -> None:
        self.clock = clock
        self.chance = random.Random(seed)
        self.arrived = arrived
        self.folder = folder
        self.database = str(folder / "club.sqlite3")
        self.mailer = Correspondent("Clara", arrived, self.chance)
        self.mailer.database = self.database
        self.mailer.delivered = self.delivered
        self.members: list[Member] = [
            Reader("Anna", arrived, self.chance),
            Programmer("Bernd", arrived, self.chance),
            self.mailer,
            Planner("Dora", arrived, self.chance),
        ]
        self.people: dict[str, Member] = {}
        self.notifications = NotificationChecker(self.people, self._looking, self._load)
        self.games: list[Game] = []
        self.restarts = 0
        self.server: Server | None = None

    # ---- the server

    async def start(self) -> None:
        """Start the server; mail is sent and read only on request."""
        settings = Settings(
            database=self.database,
            bot_processes=1,
            address="https://club.example",
            limits="off",
            post=NotificationSettings(
                smtp=self.arrived.url, sender="post@club.example", replies="play@club.example"
            ),
        )
        self.server = await Server(settings).__aenter__()
        await self.post.composer.stop()
        await self.post.outbox.stop()
        await self.post.reader.stop()
        self.tables.presence._clock = lambda: models.now().timestamp()
        self.tables.listeners.append(self.notifications.on_change)
        for member in self.members:
            await member.connect(self.server.url)

    async def stop(self) -> None:
        assert self.server is not None
        await self.server.__aexit__(None, None, None)
        self.server = None

    async def restart(self) -> None:
        """Restart the server and check that every game is unchanged."""
        await self.stop()
        self.restarts += 1
        await self.start()
        for game in self.games:
            await self.look(game)

    @property
    def tables(self) -> TableStore:
        """The tables of the running server."""
        assert self.server is not None
        found: TableStore = self.server.app.state.tables
        return found

    @property
    def post(self) -> Notifications:
        """The notifications of the running server."""
        assert self.server is not None
        found: Notifications = self.server.app.state.notifications
        return found

    def _looking(self, table: str, owner: str) -> bool:
        return self.tables.presence.saw(table, owner) is not None

    async def _load(self, table: str) -> Snapshot:
        return await self.tables.load(table)

    # ---- members

    async def gather(self) -> None:
        """Register all members, confirm addresses and set notification times."""
        for member in self.members:
            await member.register()
        await self.deliver()
        for member in self.members:
            await member.confirm()
            await member.prepare()
        async with self.tables.database.reading() as session:
            found = {row.name: row for row in await session.scalars(select(Account))}
        for member in self.members:
            member.owner = found[member.name].id
            need(found[member.name].email == member.address, "the address is not confirmed")
            self.people[member.owner] = member

    async def open(self, title: str) -> None:
        """Create a slow, rated table with all members, rotating seats."""
        hours, overrun = TIMES[len(self.games) % len(TIMES)]
        place = len(self.games) % len(self.members)
        first, *others = self.members[place:] + self.members[:place]
        fields: dict[str, object] = {"title": title, "seats": 4, "seat0_kind": "me"}
        fields |= {"seat0_name": first.name, "time": hours, "overrun": overrun, "vacation": 14}
        fields |= {"rated": 1, "listed": 1, "undo": "ask", "objection": ""}
        answer = await first.form("/tables", **fields)
        table = answer.headers["location"].rpartition("/")[2]
        for seat, member in enumerate(others, 1):
            await member.form(f"/t/{table}/join", seat=seat, name=member.name)
        await first.form(f"/t/{table}/start")
        self.games.append(Game(title, table, hours, overrun, self.clock()))
        await self.look(self.games[-1])

    # ---- time

    async def deliver(self) -> None:
        """Write and send due mail."""
        while await self.post.composer.round():
            pass
        while await self.post.outbox.round():
            pass

    async def delivered(self) -> None:
        """Process received mail."""
        while await self.post.reader.round():
            pass
        await self.deliver()

    async def until(self, moment: datetime) -> None:
        """Advance time; everything due happens on time."""
        while self.clock() < moment:
            due = [moment, *(one for one in [self.notifications.next()] if one is not None)]
            due += [one for game in self.games for one in await self._runs_out(game)]
            stop = max(min(due) + _SECOND, self.clock()) if min(due) < moment else moment
            self.clock.moment = min(max(stop, self.clock() + _SECOND), max(moment, stop))
            for table_id in await self.tables.out_of_time():
                await deadlines.run_out(self.tables, table_id)
            for game in self.games:
                await self.look(game)
            await self.deliver()
            self.notifications.round()

    async def _runs_out(self, game: Game) -> list[datetime]:
        if game.over:
            return []
        rows = await self.seats(game)
        return [row.due_at for row in rows if row.due_at is not None and not row.late]

    async def seats(self, game: Game) -> list[Seat]:
        """Stored seats of a table."""
        async with self.tables.database.reading() as session:
            query = select(Seat).where(Seat.table_id == game.table).order_by(Seat.number)
            return list(await session.scalars(query))

    async def look(self, game: Game, moved: str = "") -> Snapshot:
        """Check that no move was lost and clocks are right. `moved` says how the new moves were made."""
        shown = await self.tables.load(game.table)
        async with asyncio.timeout(120):
            while shown.table.bots_due:  # a bot moves for a late player
                await asyncio.sleep(0.02)
                shown = await self.tables.load(game.table)
        assert shown.game is not None
        title = shown.game.title
        moves = [(move.action.seat, title.format(move.action)) for move in shown.game.moves]
        need(moves[: len(game.moves)] == game.moves, f"{game.title}: a move is not what it was")
        for number in range(len(game.moves), len(moves)):
            seat, automatic = shown.moves[number]
            way = self._member(shown, seat).way if moved or not automatic else "computer"
            game.ways["ahead" if automatic and moved else way] += 1
        made = {seat for seat, _ in moves[len(game.moves) :]}
        steps = pending_in(shown.game)
        made |= {seat for seat, step in steps.items() if game.steps.get(seat, step) != step}
        game.moves, game.steps = moves, steps
        self._check_clocks(game, shown, await self.seats(game), made)
        if shown.table.status == FINISHED and not game.over:
            game.over, game.ended = True, self.clock()
        return shown

    def _member(self, shown: Snapshot, seat: int) -> Member:
        return self.people[shown.seats[seat].owner or ""]

    def _check_clocks(
        self, game: Game, shown: Snapshot, rows: Sequence[Seat], made: Iterable[int]
    ) -> None:
        turn = shown.table.turn if shown.table.status == RUNNING else []
        for row in rows:
            if row.number not in turn:
                need(
                    row.due_at is None and not row.late, f"{game.title}: a clock runs for no player"
                )
                game.asked.pop(row.number, None)
                continue
            if row.number in made or row.number not in game.asked:
                game.asked[row.number] = self.clock()
            asked = game.asked[row.number]
            need(row.asked_at == asked, f"{game.title}: asked {row.asked_at}, not {asked}")
            need(row.due_at is not None, f"{game.title}: no clock runs")
            assert row.due_at is not None
            least = asked + timedelta(hours=game.hours)
            if row.away_until is None:
                need(row.due_at >= least, f"{game.title}: the time ends too early")
            need(row.late or row.due_at >= self.clock(), f"{game.title}: the time is up unnoticed")

    # ---- playing

    async def play(self, most: Mapping[str, int]) -> None:
        """Play all tables to the end or to a number of moves."""
        again = self.clock() + RESTART
        while running := [
            game
            for game in self.games
            if not game.over and len(game.moves) < most.get(game.title, 10**9)
        ]:
            for game in running:
                await self._plan(game)
            game, seat = min(
                ((game, seat) for game in running for seat in game.planned),
                key=lambda one: one[0].planned[one[1]],
            )
            moment = game.planned.pop(seat)
            await self.until(moment)
            if self.clock() >= again:
                self.mailer.piped = True
                await self.restart()
                again = self.clock() + RESTART
            await self._decide(game, seat)

    async def _plan(self, game: Game) -> None:
        """Schedule decisions: some at once, some too late."""
        shown = await self.tables.load(game.table)
        mean = HOURS[game.title]
        for seat in shown.table.turn:
            if seat in game.planned:
                continue
            wait = timedelta(minutes=1, hours=self.chance.expovariate(1 / mean))
            if self.chance.random() < 0.05 and self._member(shown, seat) is not self.mailer:
                wait = 5 * _SECOND
            elif self.chance.random() < 0.02:
                wait += timedelta(hours=game.hours)
            game.planned[seat] = self.clock() + wait

    async def _decide(self, game: Game, seat: int) -> None:
        shown = await self.look(game)
        if seat not in shown.table.turn or game.over:
            return
        rows = await self.seats(game)
        member = self._member(shown, seat)
        if rows[seat].late:
            game.late += 1
        elif rows[seat].vacation > 3 and self.chance.random() < 0.01 and member.way != "mail":
            await self._leave(game, seat, member)
            return
        assert shown.game is not None
        action = member.chooses(shown.game, seat, BOT)
        await member.act(self.tables, shown, seat, action)
        shown = await self.look(game, member.way)
        for row in shown.seats:
            other = self._member(shown, row.number)
            if shown.table.status == RUNNING and row.number not in shown.table.turn:
                await other.ponder(shown, row.number)

    async def _leave(self, game: Game, seat: int, member: Member) -> None:
        """Be absent for two days, during which the clock stops."""
        before = (await self.seats(game))[seat]
        until = self.clock() + timedelta(days=2)
        path = f"/t/{game.table}/away"
        await member.form(path, seat=seat, until=until.date().isoformat(), offset=0)
        row = (await self.seats(game))[seat]
        assert row.away_until is not None
        assert row.due_at is not None
        assert before.due_at is not None
        left = before.due_at - self.clock()
        need(row.due_at == row.away_until + left, f"{game.title}: the time did not stand still")
        game.away += 1
        game.planned[seat] = row.away_until + timedelta(hours=1)

    # ---- the end

    async def check(self, game: Game) -> Report:
        """Check stored moves, notifications of the end, and the record."""
        await self.until(self.clock() + timedelta(days=1, hours=1))
        async with self.tables.database.reading() as session:
            query = select(StoredMove).where(StoredMove.table_id == game.table)
            stored = list(await session.scalars(query.order_by(StoredMove.number)))
        numbers = [move.number for move in stored]
        need(numbers == list(range(1, len(game.moves) + 1)), f"{game.title}: moves are missing")
        title = kursbuch.title(game.title)
        played = [title.format(title.action_from_json(move.action)) for move in stored]
        need(played == [line for _, line in game.moves], f"{game.title}: other moves are stored")
        mails = Counter[str]()
        for kind in (TURN, STILL, BEGUN, OVER, *ANSWERS):
            for member in self.members:
                count = self.notifications.counts[member.owner, kind, game.table]
                mails[kind] += count
                if kind == OVER:
                    need(count == game.over, f"{member.name}: {count} mails of the end")
                if kind == BEGUN:
                    need(count <= 1, f"{member.name}: {count} mails of the beginning")
        if game.over:
            await self._check_record(game)
        days = (game.ended if game.over else self.clock()) - game.begun
        return Report(
            game.title,
            len(game.moves),
            round(days / timedelta(days=1), 1),
            game.over,
            dict(game.ways),
            {kind: count for kind, count in mails.items() if count},
            game.late,
            game.away,
        )

    async def _check_record(self, game: Game) -> None:
        member = self.members[0]
        answer = await member.client.get(f"/t/{game.table}/record")
        need(answer.status_code == 200, answer.text[:300])
        path = self.folder / f"{game.title}.txt"
        path.write_text(answer.text, encoding="utf-8")
        code = await asyncio.to_thread(command, ["replay", str(path), "--json"])
        need(code == 0, f"the record of {game.title} does not replay")
        for one in self.members:
            page = (await member.client.get(f"/people/{one.name}")).text
            name = kursbuch.title(game.title).name.replace("'", "&#39;")
            rated = page.partition('id="ratings"')[2].partition("</section>")[0]
            need(name in rated, f"{one.name} has no rating of {game.title}")


async def tell(
    folder: Path, titles: Sequence[str], most: Mapping[str, int] | None = None, seed: int = 1
) -> list[Report]:
    """Play these titles to the end or to a number of moves; raise `Failed` for an error."""
    clock = SetClock()
    with (
        patch.object(models, "clock", clock),
        patch.object(lobby, "new_seed", lambda: f"club {seed}"),
        mailbox() as arrived,
    ):
        club = Club(folder, arrived, clock, seed)
        await club.start()
        try:
            await club.gather()
            for title in titles:
                await club.open(title)
            await club.play(most or {})
            await club.restart()
            return [await club.check(game) for game in club.games]
        finally:
            if club.server is not None:
                await club.stop()
            for member in club.members:
                await member.close()


def main() -> None:
    """Play and print a summary."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.club", description=__doc__)
    parser.add_argument("titles", nargs="*", metavar="TITLE", help=", ".join(TITLES))
    parser.add_argument("--moves", type=int, help="stop after this number of moves at each table")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    for title in given.titles:
        if title not in TITLES:
            parser.error(f"there is no title {title}; there are {', '.join(TITLES)}")
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        try:
            wanted = given.titles or TITLES
            most = dict.fromkeys(wanted, given.moves) if given.moves else {}
            reports = asyncio.run(tell(Path(folder), wanted, most, given.seed))
        except Failed as error:
            raise SystemExit(str(error)) from None
    for report in reports:
        print(msgspec.json.encode(report).decode())
    print(f"{time.monotonic() - started:.0f} s")


if __name__ == "__main__":
    main()
