"""People who play on whatever dies: what they do is sent again with the same key until there is an answer, and they
move only when a mail has told them that it is their turn."""

from __future__ import annotations

import asyncio
import random
import secrets
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from email import message_from_bytes
from typing import Any

import httpx

import kursbuch
from kursbuch.web.accounts.credentials import hashed
from kursbuch.web.accounts.models import Account, ApiToken
from kursbuch.web.db.database import Database
from tests.web.mailbox import Mailbox
from tests.web.visitors import seen

#: How long anything may take before it counts as lost, in seconds: the machine may be busy.
PATIENCE = 600.0

#: How long to wait before something is asked again, in seconds.
PAUSE = 0.05

TURN, OTHER = "turn", "other"

#: The status of what was decided on an older position.
CONFLICT = 409


class Letters(Mailbox):
    """Notes how often each mail arrived, and who was told of what."""

    def __init__(self) -> None:
        super().__init__()
        self.copies: Counter[tuple[str, str, str]] = Counter()

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        mail = message_from_bytes(envelope.content)
        kind = TURN if mail["Subject"].startswith("Your turn") else OTHER
        self.copies[envelope.rcpt_tos[0], kind, mail["Message-ID"]] += 1
        return "250 OK"

    def different(self, address: str, kind: str) -> int:
        """How many different mails of a kind someone got."""
        return sum(key[:2] == (address, kind) for key in list(self.copies))


@dataclass
class Tally:
    """What happened while something was killed again and again."""

    moves: int = 0
    tables: int = 0
    #: Requests without an answer, and those that were told to come again.
    lost: int = 0
    refused: int = 0
    wrong: list[str] = field(default_factory=list)


class Person:
    """Someone with an account, who plays by program."""

    def __init__(self, name: str, url: str, letters: Letters, tally: Tally) -> None:
        self.name = name
        self.address = f"{name.lower()}@club.example"
        #: How often there was something to tell, by kind.
        self.due: Counter[str] = Counter()
        self._letters = letters
        self._tally = tally
        self._token = secrets.token_urlsafe(16)
        self.client = httpx.AsyncClient(
            base_url=url, headers={"authorization": f"Bearer {self._token}"}, timeout=PATIENCE
        )

    async def register(self, database: Database) -> None:
        """Make the account."""
        account = f"account-{self.name.lower()}"
        async with database.writing() as session:
            key = self.name.lower()
            session.add(Account(id=account, name=self.name, name_key=key, email=self.address))
            await session.flush()
            session.add(ApiToken(hash=hashed(self._token), account_id=account, name="test"))

    async def get(self, path: str) -> httpx.Response:
        """Ask until there is an answer."""
        return await self._ask("GET", path)

    async def do(self, path: str, late: bool = False, **fields: Any) -> dict[str, Any] | None:
        """Do something until it is acknowledged, by the same key each time. None if it came too `late`, where that
        may be."""
        answer = await self._ask("POST", path, {**fields, "key": secrets.token_hex(8)}, late)
        found: dict[str, Any] | None = None if answer.status_code == CONFLICT else answer.json()
        return found

    async def _ask(
        self, method: str, path: str, body: dict[str, Any] | None = None, late: bool = False
    ) -> httpx.Response:
        while True:
            try:
                answer = await self.client.request(method, path, json=body)
            except httpx.TransportError:
                self._tally.lost += 1
            else:
                if answer.status_code in (200, 201, 204) or (
                    late and answer.status_code == CONFLICT
                ):
                    return answer
                if answer.status_code != 503 or "retry-after" not in answer.headers:
                    wrong = f"{path}: {answer.status_code} {answer.text[:200]}"
                    self._tally.wrong.append(wrong)
                    raise RuntimeError(wrong)
                self._tally.refused += 1
            await asyncio.sleep(PAUSE)

    async def told(self) -> None:
        """Wait until a mail has told everything there is to tell."""
        async with asyncio.timeout(PATIENCE):
            for kind, count in self.due.items():
                while self._letters.different(self.address, kind) < count:
                    await asyncio.sleep(PAUSE / 2)


class Play:
    """A table after the other, of these people and perhaps the computer; only people are told anything who play
    with others."""

    def __init__(
        self, people: Sequence[Person], bots: int, tally: Tally, chance: random.Random
    ) -> None:
        self.people = people
        self.over = False
        self._bots = bots
        self._tally = tally
        self._chance = chance
        self.made: dict[str, list[dict[str, Any]]] = {}

    async def go_on(self) -> None:
        """Play until it is over."""
        while not self.over:
            await self._play(await self._open())

    async def _open(self) -> str:
        first, *others = self.people
        seats: list[dict[str, str]] = [{"kind": "me", "name": first.name}]
        seats += [{"kind": "open"} for _ in others]
        seats += [{"kind": "bot", "bot": "random"}] * self._bots
        made = await first.do("/api/tables", title="rocket", seats=seats, pace=0)
        assert made is not None
        table = f"/api/tables/{made['id']}"
        self.made[table] = []
        for number, person in enumerate(others, 1):
            await person.do(f"{table}/join", seat=number, name=person.name)
        if others:
            await first.do(f"{table}/start")
        self._tally.tables += 1
        return table

    async def _play(self, table: str) -> None:
        asked: set[int] = set()
        begun = False
        while True:
            game = (await self.people[0].get(table)).json()
            running = game["status"] == "running"
            now = {decision["seat"] for decision in game["pending"]} if running else set()
            if len(self.people) > 1:
                self._expect(now - asked, not begun, not running)
                begun = True
                await asyncio.gather(*(person.told() for person in self.people))
            asked = now
            if not running or self.over:
                return
            mine = [seat for seat in now if seat < len(self.people)]
            if mine:
                await self._move(table, mine[0])
            else:
                await asyncio.sleep(PAUSE)

    def _expect(self, asked: set[int], begun: bool, over: bool) -> None:
        for seat, person in enumerate(self.people):
            person.due[TURN] += seat in asked
            person.due[OTHER] += (begun and seat not in asked) + over

    async def _move(self, table: str, seat: int) -> None:
        person = self.people[seat]
        game = (await person.get(table)).json()
        if not game["choices"]:
            return
        action = self._chance.choice(game["choices"])["action"]
        # The computer may be asked at the same time, and be quicker.
        late = bool(self._bots)
        if await person.do(f"{table}/move", late, **seen(game), action=action) is None:
            return
        self.made[table].append(action)
        self._tally.moves += 1

    async def check(self) -> None:
        """Every table holds what its people were told is done, in that order, and nothing else but perhaps what is
        being done just now."""
        for table, made in list(self.made.items()):
            acknowledged, doing = list(made), not self.over
            record = (await self.people[0].get(f"{table}/record")).text
            game = kursbuch.load(record)
            kept = [
                game.title.action_to_json(move.action)
                for move in game.moves
                if move.action.seat < len(self.people)
            ]
            if doing:
                kept = kept[: len(acknowledged)]
            if kept != acknowledged:
                self._tally.wrong.append(
                    f"{table}: {len(acknowledged)} moves acknowledged, {len(kept)} kept"
                )
