"""Web Push, webhooks, and the page that says when one is told."""

from __future__ import annotations

import asyncio
import base64
import json
import os
import re
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Any, NamedTuple

import http_ece
import pytest
import pytest_asyncio
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid02
from sqlalchemy import func, select, update

from kursbuch.web.accounts import service as accounts
from kursbuch.web.accounts import transfer
from kursbuch.web.accounts.models import Account, Session
from kursbuch.web.db.models import Seat, now
from kursbuch.web.http import errors
from kursbuch.web.notifications import composer, delivery
from kursbuch.web.notifications.models import (
    Message,
    Notice,
    NotificationPreference,
    PushDevice,
    RecipientSettings,
    Webhook,
)
from kursbuch.web.notifications.outbox import Rejected, Undelivered
from tests.web.accounts import submit
from tests.web.correspondents import ADDRESS, Club, club
from tests.web.mailbox import Mailbox
from tests.web.visitors import HTML, Browser


class Post(NamedTuple):
    path: str
    headers: dict[str, str]
    body: bytes


class Elsewhere:
    """A server of somebody else: notes what is posted, and answers with `status`."""

    def __init__(self) -> None:
        self.posts: list[Post] = []
        self.status = "201 Created"
        self.port = 0

    async def __aenter__(self) -> Elsewhere:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()

    def url(self, path: str) -> str:
        return f"http://127.0.0.1:{self.port}{path}"

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        headers = {
            name.lower(): value for name, _, value in (line.partition(": ") for line in head[1:])
        }
        body = await reader.readexactly(int(headers.get("content-length", 0)))
        self.posts.append(Post(head[0].split()[1], headers, body))
        place = f"Location: {self.url('/elsewhere')}\r\n"
        writer.write(f"HTTP/1.1 {self.status}\r\n{place}Content-Length: 0\r\n\r\n".encode())
        await writer.drain()
        writer.close()


@pytest_asyncio.fixture
async def at(tmp_path: Path, arrived: Mailbox) -> AsyncIterator[Club]:
    async with club(tmp_path, arrived, push="admin@club.example", webhooks="private") as found:
        yield found


@pytest_asyncio.fixture
async def elsewhere() -> AsyncIterator[Elsewhere]:
    async with Elsewhere() as found:
        yield found


def unpadded(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


class Device:
    """A browser, as far as Web Push is concerned."""

    def __init__(self, endpoint: str) -> None:
        self._private = ec.generate_private_key(ec.SECP256R1())
        self._auth = os.urandom(16)
        point = self._private.public_key().public_bytes(
            Encoding.X962, PublicFormat.UncompressedPoint
        )
        self.fields = {"endpoint": endpoint, "key": unpadded(point), "auth": unpadded(self._auth)}

    def read(self, post: Post) -> dict[str, Any]:
        told = http_ece.decrypt(
            post.body, private_key=self._private, auth_secret=self._auth, version="aes128gcm"
        )
        return dict(json.loads(told))


@pytest.mark.asyncio
async def test_a_browser_is_told(at: Club, elsewhere: Elsewhere) -> None:
    anna, bernd = await at.register("Anna"), await at.register("Bernd")
    devices = [Device(elsewhere.url(f"/{name}")) for name in ("telephone", "tablet")]
    for owner in (anna, bernd):
        browser = await at.browser(owner)
        await browser.done("/messages", pace_mail="never", pace_push="now", zone="Europe/Berlin")
        for device in devices if owner == anna else ():
            await browser.done("/messages/push", **device.fields, zone="Europe/Berlin")
            await browser.done("/messages/push", **device.fields, zone="nonsense")
        if owner == anna:
            page = await browser.page("/messages")
            assert "2 of your browsers get notifications." in page
            wrong = {**devices[0].fields, "key": "AAAA"}
            await browser.refused(422, "/messages/push", **wrong)
            await browser.refused(422, "/messages/push", **{**wrong, "endpoint": "ftp://x"})
    table = await at.table(anna, bernd)
    if await at.turn(table):
        for _ in range(9):
            if await at.turn(table):
                await at.move(table)
    assert await at.turn(table) == 0
    await at.written()
    assert not at.arrived.mails
    for device, path in zip(devices, ("/telephone", "/tablet"), strict=True):
        found = [post for post in elsewhere.posts if post.path == path]
        [(post, told)] = [
            (post, told) for post in found if "turn" in (told := device.read(post))["title"]
        ]
        assert told["title"] == "Your turn: Stephenson's Rocket with Bernd"
        assert told["url"] == f"{ADDRESS}/t/{table}"
        assert Vapid02.verify(post.headers["authorization"])
        assert post.headers["content-encoding"] == "aes128gcm"
        assert int(post.headers["ttl"]) > 0
    # The key is made once.
    assert at.post.push is not None
    key = at.post.push.public_key
    await at.post.push.prepare()
    assert at.post.push.public_key == key
    # A browser that is gone is forgotten.
    elsewhere.status = "410 Gone"
    for _ in range(9):
        await at.move(table)
        if await at.notices():
            break
    await at.written()
    async with at.tables.database.reading() as session:
        assert await session.scalar(select(func.count()).select_from(PushDevice)) == 0


@pytest.mark.asyncio
async def test_a_program_is_told(at: Club, elsewhere: Elsewhere) -> None:
    anna, bernd = await at.register("Anna"), await at.register("Bernd")
    browser = await at.browser(anna)
    # Without an account nothing is said of an address either.
    stranger = await at.browser()
    await stranger.refused(403, "/messages/webhook", url="https://localhost/x", form="plain")
    await browser.done("/messages/webhook", url=elsewhere.url("/hook?x=1"), form="plain")
    for owner in (anna, bernd):
        await (await at.browser(owner)).done("/messages", pace_mail="never")
    page = await browser.page("/messages")
    secret = re.findall(r"<code>([^<]+)</code>", page)[0]
    for form in ("plain", "discord", "slack"):
        elsewhere.posts.clear()
        elsewhere.status = "204 No Content"
        await browser.done("/messages/webhook", url=elsewhere.url("/hook?x=1"), form=form)
        table = await at.table(anna, bernd)
        async with at.tables.changing(table) as change:
            change.seats[1].name = "<@everyone> *B*"
        await at.written()
        [post] = elsewhere.posts
        assert post.path == "/hook?x=1"
        assert post.headers["host"] == f"127.0.0.1:{elsewhere.port}"
        data = json.loads(post.body)
        if form == "plain":
            signed = delivery.webhook_signature(
                secret, post.headers["x-kursbuch-timestamp"], post.body
            )
            assert post.headers["x-kursbuch-signature"] == signed
            assert data["events"][0]["table"] == table
            assert data["events"][0]["kind"] in ("turn", "begun")
            assert data["url"] == f"{ADDRESS}/t/{table}"
        elif form == "discord":
            assert "\\<@everyone\\> \\*B\\*" in data["content"]
            assert data["allowed_mentions"] == {"parse": []}
        else:
            assert "&lt;@everyone&gt;" in data["text"]
    # Nothing leads elsewhere, and who is not there any more is left alone.
    elsewhere.posts.clear()
    elsewhere.status = "302 Found"
    await at.table(anna, bernd)
    await at.written()
    assert len(elsewhere.posts) == 1
    async with at.tables.database.reading() as session:
        assert "302" in str(await session.scalar(select(Message.error).where(Message.error != "")))
    elsewhere.status = "404 Not Found"
    await at.table(anna, bernd)
    await at.written()
    assert "answered 404" in await browser.page("/messages")
    await browser.done("/messages/webhook", url="")
    async with at.tables.database.reading() as session:
        assert await session.get(Webhook, anna) is None


@pytest.mark.asyncio
async def test_what_becomes_of_messages_to_a_program_is_shown(
    at: Club, elsewhere: Elsewhere
) -> None:
    anna, bernd = await at.register("Anna"), await at.register("Bernd", "de")
    browsers = {owner: await at.browser(owner) for owner in (anna, bernd)}
    refused = await browsers[anna].refused(422, "/messages/webhook/try")
    assert refused == "Save the address of your webhook first."
    for browser in browsers.values():
        await browser.done("/messages", pace_mail="never")
        answer = await browser.client.post(
            "/messages/webhook",
            data={"url": elsewhere.url("/hook"), "form": "plain"},
            headers=HTML,
            follow_redirects=True,
        )
        assert ("Saved." in answer.text) == (browser is browsers[anna])
    elsewhere.status = "403 Forbidden"
    await browsers[anna].done("/messages/webhook/try")
    await at.written()
    page = await browsers[anna].page("/messages")
    assert "The last message was not delivered: answered 403" in page
    await at.table(anna, bernd)
    await at.written()
    german = await browsers[bernd].page("/messages")
    assert "Die letzte Nachricht kam nicht an: geantwortet wurde 403" in german
    elsewhere.status = "200 OK"
    elsewhere.posts.clear()
    await browsers[anna].done("/messages/webhook/try")
    await at.written()
    assert json.loads(elsewhere.posts[-1].body)["title"] == "Test"
    page = await browsers[anna].page("/messages")
    assert "Last message delivered:" in page
    assert "was not delivered" not in page
    for _ in range(9):
        answer = await browsers[anna].send("/messages/webhook/try")
    assert answer.status_code == 429
    assert int(answer.headers["retry-after"]) > 0


@pytest.mark.asyncio
async def test_programs_in_private_networks_are_refused_at_once(
    tmp_path: Path, arrived: Mailbox
) -> None:
    async with club(tmp_path, arrived, webhooks="on") as at:
        browser = await at.browser(await at.register("Anna"))
        for url in ("https://127.0.0.1:8426/x", "https://[::1]/", "https://localhost/x"):
            refused = await browser.refused(422, "/messages/webhook", url=url, form="plain")
            assert "is in a private network" in refused


@pytest.mark.asyncio
async def test_whoever_gets_no_mails_reads_why(at: Club) -> None:
    anna = await at.register("Anna")
    browser = await at.browser(anna)
    told = "You get no mails because your account has no confirmed address."
    assert told not in await browser.page("/messages")
    async with at.tables.database.writing() as session:
        account = await session.get(Account, anna)
        assert account is not None
        account.email = None
    assert told in await browser.page("/messages")


@pytest.mark.asyncio
async def test_with_an_account_one_is_told_as_before(at: Club, elsewhere: Elsewhere) -> None:
    browser = await at.browser()
    await browser.page("/")
    browser.client.cookies.set("kursbuch_zone", "America/New_York")
    device = Device(elsewhere.url("/p"))
    await browser.done("/messages/push", **device.fields, zone="Europe/Berlin")
    quiet = {"quiet_from": "22", "quiet_to": "7"}
    await browser.done("/messages", pace_push="never", zone="Europe/Berlin", **quiet)
    answer = await submit(browser, "/register", name="Ada", email="ada@x.example", password="")
    assert answer.status_code == 303
    page = await browser.page("/messages")
    push = page.partition('name="pace_push"')[2].partition("</select>")[0]
    assert 'value="never" selected' in push
    assert re.findall(r'value="(\d+)" selected', page) == ["22", "7"]
    async with at.tables.database.reading() as session:
        [reader] = await session.scalars(select(RecipientSettings))
    # Where the browser is now.
    assert (reader.zone, reader.mentions) == ("America/New_York", False)


@pytest.mark.asyncio
async def test_mails_name_times_as_the_reader_s_clock_shows_them(at: Club) -> None:
    """Also for somebody who has never chosen anything."""
    people = {}
    for name, zone in (("Ada", "America/New_York"), ("Bob", "nonsense")):
        browser = await at.browser()
        browser.client.cookies.set("kursbuch_zone", zone)
        await submit(browser, "/register", name=name, email=f"{name}@x.example", password="")
        people[name] = browser
    async with at.tables.database.writing() as session:
        for account in await session.scalars(select(Account)):
            account.email = f"{account.name.lower()}@club.example"
        owners = {row.name: row.id for row in await session.scalars(select(Account))}
    table = await at.table(owners["Ada"], owners["Bob"], slow=True, move_hours=24)
    while await at.turn(table):
        await at.move(table)
    await at.written()
    [mail] = [
        one for one in at.arrived.to("ada@club.example") if "turn" in str(one.message["Subject"])
    ]
    assert re.search(r"You have until .* E[SD]T\.", mail.text)
    # A session that goes on tells it, too; what was chosen stays.
    async with at.tables.database.writing() as session:
        await session.execute(update(Session).values(seen_at=now() - timedelta(days=1)))
    people["Bob"].client.cookies.set("kursbuch_zone", "Asia/Tokyo")
    people["Ada"].client.cookies.set("kursbuch_zone", "Asia/Tokyo")
    for browser in people.values():
        await browser.page("/")
    async with at.tables.database.reading() as session:
        zones = {row.owner: row.zone for row in await session.scalars(select(RecipientSettings))}
    assert zones == {owners["Ada"]: "Asia/Tokyo", owners["Bob"]: "Asia/Tokyo"}


@pytest.mark.asyncio
async def test_private_networks_are_refused(elsewhere: Elsewhere) -> None:
    for url in (elsewhere.url("/"), f"http://localhost:{elsewhere.port}/", "http://[::1]/"):
        with pytest.raises(Rejected, match="private network"):
            await delivery.post(url, b"", {})
    assert not elsewhere.posts
    with pytest.raises(Undelivered):
        await delivery.post("https://no-such-host.invalid/", b"", {})
    for url in (
        "http://x.example",
        "https://",
        "https://u:p@x.example",
        "https://x.example/ä",
        "x",
    ):
        with pytest.raises(errors.Refused):
            delivery.check_url(url, private=False)
    delivery.check_url("https://x.example/hook", private=False)


@pytest.mark.asyncio
async def test_digests_tables_and_never(at: Club) -> None:
    anna, bernd = await at.register("Anna"), await at.register("Bernd")
    for owner in (anna, bernd):
        await (await at.browser(owner)).done("/messages", pace_mail="day")
    tables = [await at.table(anna, bernd) for _ in range(3)]
    browser = await at.browser(anna)
    other = await at.browser(bernd)
    for one in (browser, other):
        await one.done("/messages", table=tables[0], pace_mail="never")
    assert await at.written() == 2
    for owner in ("anna", "bernd"):
        [mail] = at.arrived.to(f"{owner}@club.example")
        assert mail.message["Subject"] in ("News from 2 tables",)
        assert f"/t/{tables[1]}" in mail.text
        assert f"/t/{tables[2]}" in mail.text
        assert f"/t/{tables[0]}" not in mail.text
        boards = [part for part in mail.message.walk() if part.get_content_type() == "image/png"]
        shown = re.findall(r'<img src="cid:([^"]+)"', mail.html)
        assert [f"<{one}>" for one in shown] == [str(part["Content-ID"]) for part in boards]
        assert len(shown) == 2
        assert mail.message["Reply-To"] is None
    await browser.refused(422, "/messages", pace_mail="sometimes")
    await browser.refused(422, "/messages", pace_mail="")
    await browser.refused(404, "/messages", table="nosuchtable", pace_mail="never")
    page = await browser.page(f"/messages?table={tables[0]}")
    assert 'value="never" selected' in page


@pytest.mark.asyncio
async def test_a_digest_is_one_letter_however_much_is_due(
    at: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(composer, "BATCH", 2)
    anna, bernd = await at.register("Anna"), await at.register("Bernd")
    for owner in (anna, bernd):
        await (await at.browser(owner)).done("/messages", pace_mail="day")
    tables = [await at.table(anna, bernd) for _ in range(3)]
    while await at.written():
        pass
    for owner in ("anna", "bernd"):
        [mail] = at.arrived.to(f"{owner}@club.example")
        assert all(f"/t/{table}" in mail.text for table in tables)


@pytest.mark.asyncio
async def test_unsubscribing_needs_no_login(at: Club) -> None:
    anna, bernd = await at.register("Anna"), await at.register("Bernd")
    table = await at.table(anna, bernd)
    await at.written()
    mail = at.arrived.to("anna@club.example")[0]
    path = mail.message["List-Unsubscribe"].strip("<>").removeprefix(ADDRESS)
    client = (await at.browser()).client
    # Programs that look into mails open links: that must change nothing.
    assert (await client.get(path)).status_code == 200
    body = {"List-Unsubscribe": "One-Click"}
    assert (await client.post(path, data=body)).status_code == 200
    said, _, signature = path.rpartition(".")
    assert (await client.post(f"{said}.{signature[::-1]}", data=body)).status_code == 404
    for _ in range(8):
        await at.move(table)
    at.arrived.mails.clear()
    await at.written()
    assert not at.arrived.to("anna@club.example")
    other = await at.table(anna, bernd)
    await at.written()
    mail = at.arrived.to("anna@club.example")[0]
    assert other in mail.text
    links = re.findall(rf"{ADDRESS}(/unsubscribe/\S+)", mail.text)
    assert (await client.post(links[-1], data=body)).status_code == 200
    at.arrived.mails.clear()
    await at.table(anna, bernd)
    await at.written()
    assert not at.arrived.to("anna@club.example")


@pytest.mark.asyncio
async def test_who_has_no_account_can_be_told_in_the_browser_only(
    at: Club, elsewhere: Elsewhere
) -> None:
    browser = await at.browser()
    page = await browser.page("/messages")
    assert "data-push=" in page
    assert "pace_mail" not in page
    await browser.refused(403, "/messages/webhook", url="https://x.example", form="plain")
    await browser.refused(403, "/messages/resume")
    device = Device(elsewhere.url("/p"))
    await browser.done("/messages/push", **device.fields)
    bernd = await at.register("Bernd")
    path = await browser.open("me Anna", "open")
    table = path.removeprefix("/t/")
    await (await at.browser(bernd)).done(f"{path}/join", seat=1, name="Bernd")
    await browser.done(f"{path}/start")
    await at.written()
    assert [post.path for post in elsewhere.posts] == ["/p"]
    async with at.tables.database.reading() as session:
        owner = await session.scalar(
            select(Seat.owner).where(Seat.table_id == table, Seat.number == 0)
        )
        assert await session.scalar(select(PushDevice.owner)) == owner
    await browser.done("/messages/push/end")
    assert "of your browsers" not in await browser.page("/messages")
    script = await browser.client.get("/push.js")
    assert script.headers["content-type"].startswith("text/javascript")


@pytest.mark.asyncio
async def test_a_browser_is_told_no_more_when_somebody_logs_out(
    at: Club, elsewhere: Elsewhere
) -> None:
    anna, bernd = await at.register("Anna"), await at.register("Bernd")
    shared, own, other = await at.browser(anna), await at.browser(anna), await at.browser(bernd)
    here, telephone = Device(elsewhere.url("/here")), Device(elsewhere.url("/telephone"))
    await shared.done("/messages/push", **here.fields)
    await own.done("/messages/push", **telephone.fields)
    assert "data-push-end" in await shared.page("/account")

    async def told() -> set[str]:
        async with at.tables.database.reading() as session:
            return set(await session.scalars(select(PushDevice.endpoint)))

    # Nobody ends it for others.
    sent = {"endpoint": here.fields["endpoint"]}
    for browser, left in ((other, [here, telephone]), (shared, [telephone])):
        answer = await browser.client.post("/logout", data=sent, headers=HTML)
        assert answer.status_code == 303
        assert await told() == {device.fields["endpoint"] for device in left}


@pytest.mark.asyncio
async def test_a_browser_is_told_as_long_as_its_session_lasts(
    at: Club, elsewhere: Elsewhere
) -> None:
    anna = await at.register("Anna")
    browsers = [await at.browser(anna) for _ in range(4)]
    devices = [Device(elsewhere.url(f"/{number}")) for number in range(4)]
    for browser, device in zip(browsers, devices, strict=True):
        await browser.done("/messages/push", **device.fields)

    async def told() -> set[int]:
        async with at.tables.database.reading() as session:
            found = set(await session.scalars(select(PushDevice.endpoint)))
        return {n for n, device in enumerate(devices) if device.fields["endpoint"] in found}

    page = await browsers[0].page("/account")
    number = re.findall(r'name="session" value="(\d+)"', page)[0]
    await browsers[0].client.post("/account/sessions/end", data={"session": number}, headers=HTML)
    gone = [n for n, one in enumerate(browsers) if await is_out(one)]
    assert await told() == {0, 1, 2, 3} - set(gone)
    assert len(gone) == 1
    # One from before it was kept in which session goes with all others.
    async with at.tables.database.writing() as session:
        old = PushDevice.endpoint == devices[3 if gone != [3] else 2].fields["endpoint"]
        await session.execute(update(PushDevice).where(old).values(session_id=None))
    await browsers[0].client.post("/account/sessions/end", data={}, headers=HTML)
    assert await told() == {0}
    # Another password gives this browser another session, as does logging in again.
    sent = {"current": "", "password": "a long enough one"}
    answer = await browsers[0].client.post("/account/password", data=sent, headers=HTML)
    assert answer.headers["location"] == "/account?done=saved"
    assert await told() == {0}
    sent = {"name": "Anna", "password": "a long enough one"}
    assert (await browsers[0].client.post("/login", data=sent, headers=HTML)).status_code == 303
    assert await told() == {0}
    # What a browser has chosen before somebody logs in there goes with the session, too.
    other, device = await at.browser(), Device(elsewhere.url("/other"))
    devices.append(device)
    await other.open("me Anna", "hotseat Bernd")
    await other.done("/messages/push", **device.fields)
    assert await told() == {0, 4}
    await other.client.post("/login", data=sent, headers=HTML)
    assert await told() == {0, 4}
    await browsers[0].client.post("/account/sessions/end", data={}, headers=HTML)
    assert await told() == {0}


async def is_out(browser: Browser) -> bool:
    """Whether nobody is logged in any more."""
    return (await browser.client.get("/account", headers=HTML)).status_code != 200


@pytest.mark.asyncio
async def test_one_owns_what_is_kept(at: Club, elsewhere: Elsewhere) -> None:
    anna, bernd = await at.register("Anna"), await at.register("Bernd")
    browser = await at.browser(anna)
    await browser.done("/messages", pace_mail="hour", zone="Europe/Berlin")
    await browser.done("/messages/webhook", url=elsewhere.url("/mine"), form="slack")
    await browser.done("/messages/push", **Device(elsewhere.url("/push")).fields)
    async with at.tables.database.reading() as session:
        mine = await transfer.export_account(session, await accounts.lock_account(session, anna))
    assert mine["told"] == [{"table_id": "", "channel": "mail", "pace": "hour"}]
    assert mine["told_to_programs"] == [{"url": elsewhere.url("/mine"), "form": "slack"}]
    assert len(mine["told_in_browsers"]) == 1
    await at.table(anna, bernd)
    await accounts.erase(at.tables, anna)
    async with at.tables.database.reading() as session:
        for row in (Notice, NotificationPreference, RecipientSettings, PushDevice, Webhook):
            kept = select(func.count()).select_from(row).where(row.owner == anna)
            assert await session.scalar(kept) == 0, row
    elsewhere.posts.clear()
    await at.written()
    assert not elsewhere.posts
    assert not at.arrived.to("anna@club.example")
