"""Invitations by name and by mail, the interface for programs, and what nobody else may see of them."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from pathlib import Path
from urllib.parse import quote

import pytest
import pytest_asyncio
from sqlalchemy import select

from kursbuch.web.accounts import attempts
from kursbuch.web.accounts import service as accounts
from kursbuch.web.db.models import TableInvitation
from kursbuch.web.notifications.models import PausedAddress
from tests.web.accounts import submit
from tests.web.correspondents import ADDRESS, Club, club
from tests.web.mailbox import Mail, Mailbox
from tests.web.visitors import HTML, Browser

pytestmark = pytest.mark.asyncio


@pytest_asyncio.fixture
async def at(tmp_path: Path, arrived: Mailbox) -> AsyncIterator[Club]:
    async with club(tmp_path, arrived) as found:
        yield found


async def _invited(at: Club, host: Browser) -> str:
    """A table that only who is invited can sit down at; its path for programs."""
    table = await host.open("me Anna", "open", "open", entry="invited", listed=False)
    return f"/api/tables{table.removeprefix('/t')}"


async def test_an_account_is_invited_by_its_name(at: Club) -> None:
    anna, bernd = await at.register("Anna"), await at.register("Bernd", "de")
    await at.register("Clara")
    host, guest, other = [await at.browser(one) for one in (anna, bernd, "account-clara")]
    path = await _invited(at, host)
    stranger = await at.browser()
    assert (await stranger.send(f"{path}/invite", to="Bernd")).status_code == 403
    assert (await host.send(f"{path}/invite", to="Nobody")).status_code == 422
    assert (await host.send(f"{path}/invite", to="a\0b")).status_code == 422
    key = {"idempotency-key": "k"}
    made = [
        (await host.client.post(f"{path}/invite", json={"to": "bernd"}, headers=key)).json()
        for _ in range(2)
    ]
    assert made[0] == made[1]
    assert made[0]["name"] == "Bernd"
    assert (await host.send(f"{path}/invite", to="Bernd")).status_code == 409
    await at.written()
    [mail] = at.arrived.mails
    assert mail.recipient == "bernd@club.example"
    assert mail.message["Subject"] == "Anna lädt dich zu Stephenson's Rocket ein"
    token = re.search(r"/invited/(\S+)", mail.text)
    assert token is not None
    # It is for nobody else, who sees nothing of it either.
    refused = await other.send(f"{path}/accept", token=token[1])
    assert refused.status_code == 403
    for one in (other, stranger):
        assert (await one.client.get("/api/invitations")).json() == {"made": [], "got": []}
        assert token[1] not in await one.page("/tables")
        assert (await one.send(f"/api/invitations/{made[0]['id']}/revoke")).status_code == 404
    # Who is not logged in yet does that first, and comes back.
    link = f"{path.replace('/api/tables', '/t')}/invited/{token[1]}"
    led = await stranger.client.get(link, headers=HTML)
    assert (led.status_code, led.headers["location"]) == (303, f"/login?next={quote(link, '')}")
    assert "Stephenson" in await guest.page(link)
    got = (await guest.client.get("/api/invitations")).json()["got"]
    assert [one["id"] for one in got] == [made[0]["id"]]
    assert "/tables#got" in await guest.page("/")
    assert "Anna lädt dich ein" in await guest.page("/tables")
    assert (await guest.send(f"{path}/join", seat=1, name="B")).status_code == 403
    assert (await guest.send(f"{path}/accept", token=token[1])).status_code == 200
    assert (await guest.send(f"{path}/join", seat=1, name="B")).status_code == 200
    assert (await host.send(f"{path}/invite", to="Bernd")).status_code == 409
    assert "/tables#got" not in await guest.page("/")
    # What was sent to an account goes with it.
    await host.send(f"{path}/invite", to="Clara")
    await accounts.erase(at.tables, "account-clara")
    async with at.tables.database.reading() as session:
        kept = await session.scalars(select(TableInvitation.account))
        assert list(kept) == [bernd]


async def test_an_invitation_is_used_by_sitting_down_whichever_way(at: Club) -> None:
    host = await at.browser(await at.register("Anna"))
    guest = await at.browser(await at.register("Bernd"))
    late = await at.browser(await at.register("Clara"))
    table = await host.open("me Anna", "open", listed=False)
    path = f"/api/tables{table.removeprefix('/t')}"
    for name in ("Bernd", "Clara"):
        assert (await host.send(f"{path}/invite", to=name)).status_code == 201
    assert "/tables#got" in await guest.page("/")
    assert (await guest.send(f"{path}/join", seat=1, name="B")).status_code == 200
    assert (await guest.client.get("/api/invitations")).json()["got"] == []
    made = (await host.client.get("/api/invitations")).json()["made"]
    assert [(one["name"], one["uses_left"]) for one in made] == [("Clara", 1), ("Bernd", 0)]
    # No seat is left for her.
    assert (await late.client.get("/api/invitations")).json()["got"] == []
    assert "/tables#got" not in await late.page("/")


async def test_an_invitation_is_not_used_up_where_no_seat_is_free(at: Club) -> None:
    anna, bernd = await at.register("Anna"), await at.register("Bernd")
    table = await at.table(anna, bernd, entry="link", watching="players")
    host, late = await at.browser(anna), await at.browser()
    path = f"/api/tables/{table}"
    made = (await host.done(f"{path}/invite", uses=1)).json()
    token = made["link"].rpartition("/")[2]
    page = await late.page(f"/t/{table}/invited/{token}")
    assert "No seat is free" in page
    assert f'action="/t/{table}/invited/{token}"' not in page
    assert "No seat is free" in await late.refused(409, f"{path}/accept", token=token)
    async with at.tables.changing(table) as change:
        await change.end()
    assert "closed" in await late.refused(409, f"{path}/accept", token=token)
    made = (await host.client.get("/api/invitations")).json()["made"]
    assert [one["used"] for one in made] == [0]


async def test_anybody_is_invited_by_mail(at: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    host = await at.browser(await at.register("Anna"))
    await at.register("Bernd")
    path = await _invited(at, host)
    made = (await host.send(f"{path}/invite", to="Bernd@club.example", uses=9)).json()
    assert (made["name"].lower(), made["uses_left"]) == ("bernd@club.example", 1)
    assert (await host.send(f"{path}/invite", to="no@where@x")).status_code == 422
    await at.written()
    [mail] = at.arrived.mails
    assert mail.recipient == "bernd@club.example"
    assert made["link"].partition("/t/")[2] in mail.text
    assert ADDRESS in mail.text
    # Whose address it is, nobody learns; whoever has the link may come.
    guest = await at.browser()
    assert "Bernd" not in await guest.page(f"/t/{made['link'].partition('/t/')[2]}")
    token = made["link"].rpartition("/")[2]
    assert (await guest.send(f"{path}/accept", token=token)).status_code == 200
    assert (await guest.send(f"{path}/join", seat=2, name="G")).status_code == 200
    assert (await (await at.browser()).send(f"{path}/accept", token=token)).status_code == 404
    # Nobody makes the server write to half the world.
    monkeypatch.setattr(attempts, "INVITE", attempts.INVITE._replace(most=2))
    for status in (201, 201, 429, 429):
        to = f"x{status}@club.example"
        # What is sent again is no other invitation.
        answer = await host.send(f"{path}/invite", to=to, key=to)
        assert answer.status_code == status


async def test_whoever_wants_no_invitations_gets_none(at: Club) -> None:
    host = await at.browser(await at.register("Anna"))
    bernd = await at.register("Bernd")
    path = await _invited(at, host)

    async def invite(to: str) -> list[Mail]:
        at.arrived.mails.clear()
        await host.done(f"{path}/invite", to=to)
        await at.written()
        return at.arrived.mails

    async def end(mail: Mail) -> str:
        header = str(mail.message["List-Unsubscribe"])
        assert mail.message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
        link = header.strip("<>").removeprefix(ADDRESS)
        assert f"Unsubscribe from all mails: {ADDRESS}{link}" in mail.text
        client = (await at.browser()).client
        assert (await client.get(link)).status_code == 200
        assert len(await invite(mail.recipient)) == 1
        assert (await client.post(link, data={"List-Unsubscribe": "One-Click"})).status_code == 200
        return link

    # Somebody without an account, who may have one later.
    [mail] = await invite("stranger@club.example")
    await end(mail)
    assert await invite("stranger@club.example") == []
    later = await at.browser()
    await submit(later, "/register", name="Late", email="stranger@club.example", password="")
    await at.written()
    [mail] = at.arrived.mails
    code = re.search(r"/account/confirm#(\S+)", mail.text)
    assert code is not None
    await submit(later, "/account/confirm", code=code[1])
    assert len(await invite("stranger@club.example")) == 1
    # By name, or by the address that is this account's: it is told like of everything.
    [mail] = await invite("Bernd")
    assert mail.message["List-Unsubscribe"]
    await (await at.browser(bernd)).done("/messages", pace_mail="never")
    assert await invite("bernd@club.example") == []
    await (await at.browser(bernd)).done("/messages", pace_mail="now")
    [mail] = await invite("bernd@club.example")
    await end(mail)
    assert await invite("bernd@club.example") == []
    # What comes back is no more written to.
    async with at.tables.database.writing() as session:
        session.add(PausedAddress(address="gone@club.example", why="550 no such user"))
    assert await invite("gone@club.example") == []


@pytest.mark.parametrize("ended", ["revoked", "used", "accepted", "never", "unsubscribed", ""])
async def test_an_invitation_that_waits_is_not_sent_after_its_end(at: Club, ended: str) -> None:
    host = await at.browser(await at.register("Anna"))
    guest = await at.browser(await at.register("Bernd"))
    await guest.done("/messages", pace_mail="day")
    table = await host.open("me Anna", "open", "open", listed=False)
    path = f"/api/tables{table.removeprefix('/t')}"
    made = (await host.done(f"{path}/invite", to="Bernd")).json()
    assert await at.post.outbox.round() == 0
    match ended:
        case "revoked":
            await host.done(f"/api/invitations/{made['id']}/revoke")
        case "used":
            await guest.done(f"{path}/join", seat=1, name="B")
        case "accepted":
            await guest.done(f"{path}/accept", token=made["link"].rpartition("/")[2])
        case "never":
            await guest.done("/messages", pace_mail="never")
        case "unsubscribed":
            link = at.post.links.unsubscribe("account-bernd", "")
            body = {"List-Unsubscribe": "One-Click"}
            stranger = await at.browser()
            answer = await stranger.client.post(f"/unsubscribe/{link}", data=body)
            assert answer.status_code == 200
    await at.written()
    assert len(at.arrived.mails) == (not ended)


async def test_an_invitation_to_an_address_waits_no_longer_than_it_may(at: Club) -> None:
    host = await at.browser(await at.register("Anna"))
    path = await _invited(at, host)
    at.arrived.down = "451 Later"
    for to in ("stranger@club.example", "other@club.example"):
        await host.done(f"{path}/invite", to=to)
    await at.written()
    at.arrived.down = ""
    link = at.post.links.unsubscribe_address("stranger@club.example")
    body = {"List-Unsubscribe": "One-Click"}
    await (await at.browser()).client.post(f"/unsubscribe/{link}", data=body)
    await at.written()
    assert [mail.recipient for mail in at.arrived.mails] == ["other@club.example"]


async def test_programs_find_and_change_who_may_come(at: Club) -> None:
    host, guest = await at.browser(), await at.browser()
    table = await host.open("me Anna", "open", language="de")
    path = f"/api/tables{table.removeprefix('/t')}"
    found = (await guest.client.get("/api/open-tables", params={"language": "de"})).json()
    assert [one["id"] for one in found["waiting"]] == [table.removeprefix("/t/")]
    for wrong in ({"title": "y"}, {"language": "xx"}):
        found = (await guest.client.get("/api/open-tables", params=wrong)).json()
        assert found == {"waiting": [], "wanted": []}
    assert (
        await guest.send(f"{path}/doors", entry="password", password="Zugspitze9")
    ).status_code == 403
    assert (
        await host.send(f"{path}/doors", entry="password", password="Zugspitze9")
    ).status_code == 200
    # No answer holds the password or what is kept of it.
    for one in (host, guest):
        for place in (path, table, "/api/tables", "/tables", "/account/data"):
            text = (await one.client.get(place)).text
            assert "Zugspitze9" not in text, place
            assert "argon2" not in text, place
    assert (
        await guest.send(f"{path}/join", seat=1, name="B", password="zugspitze9")
    ).status_code == 403
    assert (
        await guest.send(f"{path}/join", seat=1, name="B", password="Zugspitze9")
    ).status_code == 200


async def test_passwords_of_a_table_cannot_be_tried_for_ever(
    at: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(attempts, "TABLE", attempts.TABLE._replace(most=2))
    host = await at.browser()
    table = await host.open("me Anna", "open", entry="password", password="Zugspitze9")
    for status in (403, 403, 429):
        guest = await at.browser()
        await guest.refused(status, f"{table}/join", seat=1, name="B", password="x")


async def test_a_program_opens_a_record(at: Club) -> None:
    host = await at.browser()
    table = await host.open("me Anna", "hotseat Bernd")
    await host.move(table)
    record = await host.page(f"{table}/record")
    opened = await host.send("/api/records", text=record, number=1, players=["me", "bot"])
    assert opened.status_code == 422
    opened = await host.send("/api/records", text=record, number=1, players=["me", "random"])
    assert (await host.game(opened.json()["url"]))["copied"] == 1
    for wrong in ("", "nonsense"):
        sent = {"text": wrong, "number": 0, "players": ["me", "me"]}
        assert (await host.send("/api/records", **sent)).status_code in (400, 422)


async def test_names_lead_to_profiles_and_everybody_sees_how_many_look_on(at: Club) -> None:
    anna, bernd = await at.register("Anna"), await at.register("Bernd")
    table = f"/t/{await at.table(anna, bernd)}"
    stranger = await at.browser()
    page = await stranger.page(table)
    assert 'href="/people/Anna"' in page
    assert "Anna" in await stranger.page("/people/Anna")
    host = await at.browser(anna)
    wanted = {"seats": [0], "watching": 1}
    async with asyncio.timeout(60):
        async for event in host.stream(table):
            if event["event"] == "present" and event["data"] == wanted:
                break
    # At a table of browsers without accounts there is nowhere to lead to.
    assert "/people/" not in await stranger.page(await stranger.open("me X", "open"))
