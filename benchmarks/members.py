"""Four club members in slow games, who play by forms, API, mail and premoves."""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
from collections.abc import Awaitable, Callable
from email.message import EmailMessage
from html import unescape
from typing import Any

import httpx

from kursbuch.bots import make
from kursbuch.core.actions import Action
from kursbuch.core.game import Game
from kursbuch.web.notifications import mail_replies
from kursbuch.web.tables.snapshot import Snapshot
from kursbuch.web.tables.store import TableStore
from tests.web.mailbox import Mail, Mailbox

HTML = {"accept": "text/html"}
PASSWORD = "a long enough one"

#: Secret in a reply address: table, seat, number of moves.
SEALED = re.compile(r"\+([a-z0-9]+)-(\d+)-(\d+)-(\d+)-[a-z2-7]+@")


class Failed(Exception):
    """A check of the club failed."""


def need(holds: object, what: str) -> None:
    """Raise `Failed` unless a condition holds."""
    if not holds:
        raise Failed(what)


def client(
    url: str = "", cookies: dict[str, str] | None = None, headers: dict[str, str] | None = None
) -> httpx.AsyncClient:
    """An HTTP client for the server without a certificate. Busy bots may block the shared event loop, so idle
    connections are not reused."""
    language = {"accept-language": "en"}
    return httpx.AsyncClient(
        base_url=url,
        cookies=cookies,
        headers={**language, **(headers or {})},
        timeout=120,
        limits=httpx.Limits(keepalive_expiry=1),
        verify=False,
    )


class Member:
    """A person with an account. `pace` is the notification time, `zone` the time zone."""

    way = "page"
    pace = "now"
    zone = "Europe/Berlin"

    def __init__(self, name: str, arrived: Mailbox, chance: random.Random) -> None:
        self.name = name
        self.address = f"{name.lower()}@club.example"
        self.arrived = arrived
        self.chance = chance
        self.owner = ""
        self.client = client()

    async def connect(self, url: str) -> None:
        """Connect to the server, whose address changes with a restart."""
        cookies = {cookie.name: cookie.value or "" for cookie in self.client.cookies.jar}
        await self.close()
        self.client = client(url, cookies=cookies)

    async def close(self) -> None:
        """Disconnect."""
        await self.client.aclose()

    async def form(self, path: str, /, **fields: object) -> httpx.Response:
        """Submit a form as a page without scripts; it must be accepted."""
        sent = {name: str(value) for name, value in fields.items()}
        answer = await self.client.post(path, data=sent, headers=HTML)
        need(answer.status_code in (200, 303), f"{self.name} {path}: {answer.text[:300]}")
        return answer

    async def register(self) -> None:
        """Register an account with an address."""
        await self.form("/register", name=self.name, email=self.address, password=PASSWORD)

    async def confirm(self) -> None:
        """Confirm the address by mail and set the notification time."""
        code = re.search(r"/account/confirm#(\S+)", self.arrived.to(self.address)[-1].text)
        need(code, f"{self.name} got no mail that confirms the address")
        assert code is not None
        await self.form("/account/confirm", code=code[1])
        await self.form("/messages", pace_mail=self.pace, zone=self.zone)

    async def prepare(self) -> None:
        """Set up this member's way to play."""

    async def act(self, tables: TableStore, shown: Snapshot, seat: int, action: Action) -> None:
        """Make this move."""
        raise NotImplementedError

    async def ponder(self, shown: Snapshot, seat: int) -> None:
        """Hook during other players' turns."""

    def chooses(self, game: Game, seat: int, bot: str) -> Action:
        """The action of a bot."""
        return make(bot, seed=self.chance.randrange(2**31)).choose(game.view(seat))


class Reader(Member):
    """Plays by the forms of pages."""

    async def act(self, tables: TableStore, shown: Snapshot, seat: int, action: Action) -> None:
        path = f"/t/{shown.table.id}"
        answer = await self.client.get(path, headers=HTML)
        need(answer.status_code == 200, answer.text[:300])
        stands = re.search(r'data-version="(\d+)" data-number="(\d+)"', answer.text)
        offered = re.search(r"id=\"choices\" data-choices='([^']*)'", answer.text)
        need(stands and offered, "the page offers nothing")
        assert stands is not None
        assert offered is not None
        assert shown.game is not None
        data = as_sent(shown.game, action)
        choices = json.loads(unescape(offered[1]))
        need(any(covers(one, data) for one in choices), f"the page does not offer {data}")
        await self.form(
            f"{path}/move",
            version=stands[1],
            number=stands[2],
            action=json.dumps(data),
        )


class Programmer(Member):
    """Plays by the API with a token."""

    way = "token"
    pace = "hour"

    def __init__(self, name: str, arrived: Mailbox, chance: random.Random) -> None:
        super().__init__(name, arrived, chance)
        self.token = ""
        self.program = client()

    async def connect(self, url: str) -> None:
        await super().connect(url)
        self._start()

    async def close(self) -> None:
        await super().close()
        await self.program.aclose()

    def _start(self) -> None:
        """Start a client without cookies."""
        headers = {"authorization": f"Bearer {self.token}"}
        self.program = client(str(self.client.base_url), headers=headers)

    async def prepare(self) -> None:
        answer = await self.form("/account/tokens", name="club")
        found = re.search(r'value="(kursbuch_[^"]+)"', answer.text)
        need(found, "there is no token on the page")
        assert found is not None
        self.token = found[1]
        self._start()

    async def ask(self, path: str, **fields: Any) -> dict[str, Any]:
        """Send an API request without cookies; with fields it is a POST."""
        url = f"/api/tables/{path}"
        post, get = self.program.post, self.program.get
        answer = await (post(url, json=fields) if fields else get(url))
        need(answer.status_code == 200, f"{path}: {answer.text[:300]}")
        data: dict[str, Any] = answer.json()
        return data

    async def act(self, tables: TableStore, shown: Snapshot, seat: int, action: Action) -> None:
        game = await self.ask(f"{shown.table.id}?since={shown.table.number}")
        assert shown.game is not None
        data = as_sent(shown.game, action)
        need(any(covers(one, data) for one in game["choices"]), f"{data} is not offered")
        seen = {"number": game["number"], "version": game["version"]}
        await self.ask(f"{shown.table.id}/move", **seen, action=data)


class Planner(Programmer):
    """Sets premoves where possible, by form and API, and makes other moves by API."""

    way = "ahead"
    pace = "day"
    zone = "America/New_York"

    async def ponder(self, shown: Snapshot, seat: int) -> None:
        if self.chance.random() < 0.5:
            return
        path = f"{shown.table.id}/ahead"
        known = await self.ask(f"{path}?seat={seat}")
        if known["dropped"] and self.chance.random() < 0.5:
            await self.ask(f"{path}/withdraw", seat=seat)
        if len(known["plans"]) > 2:
            oldest = known["plans"][0]["row"]
            await self.form(f"/t/{path}/withdraw", seat=seat, row=oldest)
            return
        fields = self._wanted(known)
        if not fields:
            return
        if self.chance.random() < 0.5:
            await self.ask(path, seat=seat, **fields)
        else:
            sent = {name: json.dumps(v) if name == "action" else v for name, v in fields.items()}
            await self.form(f"/t/{path}", seat=seat, **sent)

    def _wanted(self, known: dict[str, Any]) -> dict[str, Any]:
        ways: list[dict[str, Any]] = []
        for place in known["situations"]:
            step = place["step"]
            if place["actions"]:
                action = self.chance.choice(place["actions"])
                otherwise = self.chance.choice(["ask", "pass", "next"])
                ways.append({"kind": "act", "step": step, "action": action, "otherwise": otherwise})
            if place["passes"] and known["triggers"]:
                until = self.chance.choice(list(known["triggers"]))
                ways.append({"kind": "pass", "step": step, "until": until})
        if known["lot"]:
            ways.append({"kind": "bid", "most": self.chance.randrange(1, 40)})
        return self.chance.choice(ways) if ways else {}


class Correspondent(Member):
    """Plays by replying to mail, without pages."""

    way = "mail"

    def __init__(self, name: str, arrived: Mailbox, chance: random.Random) -> None:
        super().__init__(name, arrived, chance)
        self.database = ""
        self.count = 0
        #: Processes received mail and sends the reply.
        self.delivered: Callable[[], Awaitable[None]]
        #: Whether the next reply arrives by pipe from the mail server, or is fetched.
        self.piped = False
        self._old: list[tuple[Mail, str]] = []

    def newest(self, table: str, seat: int) -> Mail | None:
        """The last mail about a table that can be answered."""
        found = None
        for mail in self.arrived.to(self.address):
            sealed = SEALED.search(str(mail.message["Reply-To"] or ""))
            if sealed is not None and (sealed[1], int(sealed[2])) == (table, seat):
                found = mail
        return found

    async def act(self, tables: TableStore, shown: Snapshot, seat: int, action: Action) -> None:
        assert shown.game is not None
        table, line = shown.table.id, shown.game.title.format(action)
        mail = self.newest(table, seat)
        need(mail is not None, f"{self.name} has no mail about {table}")
        assert mail is not None
        need(offers(mail.text, line), f"the mail does not offer “{line}”:\n{mail.text}")
        before = len(self.arrived.to(self.address))
        wrong = self.chance.random() < 0.08
        sent = self._answer(mail, "what shall I do?" if wrong else line)
        await self._send(tables, sent)
        if wrong:
            answer = await self._answered(before)
            need(str(answer.message["Subject"]).startswith("Not played: "), "nonsense was played")
            before += 1
            sent = self._answer(answer, line)
            await self._send(tables, sent)
        elif self.chance.random() < 0.1:
            await self._send(tables, sent)  # duplicate delivery, as some mail servers do
        answer = await self._answered(before)
        if "The game has gone on in the meantime" in answer.text:
            # Other players may have bid since the mail; this one is current.
            await self._send(tables, self._answer(answer, line))
            answer = await self._answered(before + 1)
        subject = str(answer.message["Subject"])
        need(subject.startswith("Played: "), f"“{line}” was refused:\n{answer.text}")
        if self.chance.random() < 0.1 and self._old:
            await self._answers_late(tables)
        self._old.append((mail, line))

    async def _answers_late(self, tables: TableStore) -> None:
        """Reply to a mail again; this must change nothing."""
        mail, line = self.chance.choice(self._old)
        before = len(self.arrived.to(self.address))
        await self._send(tables, self._answer(mail, line))
        answer = await self._answered(before)
        need(str(answer.message["Subject"]).startswith("Not played: "), "an old mail was played")

    async def _answered(self, before: int) -> Mail:
        mails = self.arrived.to(self.address)
        need(len(mails) == before + 1, f"{len(mails) - before} answers to one mail")
        return mails[-1]

    async def _send(self, tables: TableStore, content: bytes) -> None:
        if self.piped:
            command = [sys.executable, "-m", "kursbuch.cli", "mail", "receive"]
            given = [*command, "--database", self.database]
            done = subprocess.run(given, input=content, capture_output=True, check=False)
            need(done.returncode == 0, done.stderr.decode())
            self.piped = False
        else:
            await mail_replies.receive(tables.database, content)
        await self.delivered()

    def _answer(self, mail: Mail, line: str) -> bytes:
        self.count += 1
        message = EmailMessage()
        message["From"] = f"{self.name} <{self.address}>"
        message["To"] = mail.message["Reply-To"]
        message["Subject"] = f"Re: {mail.message['Subject']}"
        message["Message-ID"] = f"<{self.count}@mail.example>"
        quoted = "\n".join(f"> {one}" for one in mail.text.splitlines())
        message.set_content(f"{line}\n\nOn Mon, 3 Mar 2031, Kursbuch <a@b> wrote:\n{quoted}\n")
        return message.as_bytes()


def as_sent(game: Game, action: Action) -> dict[str, Any]:
    """An action as sent in requests."""
    data: dict[str, Any] = json.loads(json.dumps(game.title.action_to_json(action)))
    return data


def covers(choice: dict[str, Any], data: dict[str, Any]) -> bool:
    """Whether a published choice allows an action."""
    varying = choice["amount"]["field"] if choice["amount"] else ""
    offered: dict[str, Any] = choice["action"]
    return offered.keys() == data.keys() and all(
        name == varying or offered[name] == value for name, value in data.items()
    )


def offers(text: str, line: str) -> bool:
    """Whether a mail lists a possible answer, with any amount or as one of a group."""
    lines = [one.strip() for one in text.splitlines()]
    if line in lines or any("more like these" in one for one in lines):
        return True
    same = re.sub(r"\d+", "0", line)
    return any(
        "(amounts from" in one and re.sub(r"\d+", "0", one).startswith(same) for one in lines
    )
