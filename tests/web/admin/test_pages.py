"""The pages of administrators: for them only, asked before what cannot be undone, everything noted."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape

import pytest
from sqlalchemy import update

from kursbuch.web.accounts import names
from kursbuch.web.accounts import service as people
from kursbuch.web.accounts.models import Account, Invitation
from kursbuch.web.admin import accounts, audit
from kursbuch.web.admin.audit import Actor
from kursbuch.web.db.models import Table, now
from kursbuch.web.http.errors import Conflict, Forbidden, NotFound, Refused
from kursbuch.web.tables.store import TableStore
from tests.web.registration import PASSWORD, log_in, register, submit
from tests.web.visitors import Browser, Server

pytestmark = pytest.mark.asyncio(loop_scope="module")

PAGES = ("/admin", "/admin/status", "/admin/tables", "/admin/accounts", "/admin/log")
DEEDS = (
    "/admin/announce",
    "/admin/withdraw",
    "/admin/clean",
    "/admin/rotate",
    "/admin/tables/close",
    "/admin/tables/delete",
    "/admin/accounts/create",
    "/admin/accounts/reset",
    "/admin/accounts/close",
    "/admin/accounts/promote",
    "/admin/accounts/delete",
    "/admin/invite",
    "/admin/revoke",
)


async def promote(server: Server, name: str) -> None:
    async with server.app.state.tables.database.writing() as session:
        key = names.name_key(name)
        await session.execute(update(Account).where(Account.name_key == key).values(admin=True))


async def account_id(server: Server, name: str) -> str:
    found = await accounts.listed(server.app.state.tables, query=name)
    return found.lines[0].id


async def link_on(page: str) -> str:
    """The link a page shows once."""
    found = re.search(r'id="new-link" readonly value="([^"]+)"', page)
    assert found, page
    return unescape(found[1])


async def test_only_administrators_come_here(server: Server, anna: Browser, bernd: Browser) -> None:
    await register(bernd, "Bernd")
    for path in PAGES:
        await anna.page(path, 401)
        await bernd.page(path, 403)
    for path in DEEDS:
        assert (await submit(anna, path, sure="1")).status_code == 401
        assert (await submit(bernd, path, sure="1")).status_code == 403
    assert 'href="/admin"' not in await bernd.page("/account")
    await promote(server, "Bernd")
    assert 'href="/admin"' in await bernd.page("/account")
    for path in PAGES:
        assert 'aria-current="page"' in await bernd.page(path)
    # A program with the token of an administrator plays, and that is all.
    page = (await submit(bernd, "/account/tokens", name="program")).text
    token = re.search(r'id="new-token" readonly value="([^"]+)"', page)
    assert token
    anna.client.headers["authorization"] = f"Bearer {token[1]}"
    for path in PAGES:
        await anna.page(path, 403)


async def test_tables_on_the_page(
    server: Server, anna: Browser, bernd: Browser, clara: Browser
) -> None:
    await register(anna, "Karla")
    await promote(server, "Karla")
    table = await bernd.open("me Zacharias", "open")
    other = await clara.open("me Zacharias", "hotseat Otto")
    page = await anna.page("/admin/tables?q=zachar&sort=size")
    assert "2 tables" in page
    assert table in page
    assert other in page
    number = table.removeprefix("/t/")
    asked = await submit(anna, "/admin/tables/delete", table=number)
    assert "Permanently delete this table?" in asked.text
    assert "Zacharias" in asked.text
    assert f'name="table" value="{number}"' in asked.text
    await bernd.page(table)
    assert (await submit(anna, "/admin/tables/delete", table=number, sure="1")).status_code == 303
    await bernd.page(table, 404)
    asked = await submit(anna, "/admin/tables/delete", table=number)
    assert asked.status_code == 404
    number = other.removeprefix("/t/")
    assert "End this game" in (await submit(anna, "/admin/tables/close", table=number)).text
    await submit(anna, "/admin/tables/close", table=number, sure="1")
    assert (await clara.game(other))["status"] == "closed"
    log = await anna.page("/admin/log")
    assert "<strong>Karla</strong> deleted table" in log
    assert "Done." in await anna.page("/admin/tables?done=1")
    for path in ("/admin/tables?from=999&status=running", "/admin/tables?from=x&status=y&sort=z"):
        await anna.page(path)


async def test_announcing_and_cleaning_on_the_page(
    server: Server, anna: Browser, bernd: Browser
) -> None:
    await register(anna, "Lydia")
    await promote(server, "Lydia")
    answer = await submit(anna, "/admin/announce", text="Cake at eight", hours="3")
    assert answer.status_code == 303
    assert "Cake at eight" in await bernd.page("/")
    found = re.search(r'name="number" value="(\d+)"', await anna.page("/admin"))
    assert found
    await submit(anna, "/admin/withdraw", number=found[1])
    assert "Cake at eight" not in await bernd.page("/")
    old = await bernd.open("me Methusalem", "open")
    async with server.app.state.tables.database.writing() as session:
        days = now().replace(year=now().year - 2)
        changed = update(Table).where(Table.id == old.removeprefix("/t/")).values(updated_at=days)
        await session.execute(changed)
    asked = await submit(anna, "/admin/clean", asleep="365", finished="")
    assert "Permanently delete 1 table?" in asked.text
    assert "Methusalem" in asked.text
    await bernd.page(old)
    await submit(anna, "/admin/clean", asleep="365", finished="", sure="1")
    await bernd.page(old, 404)
    assert (await submit(anna, "/admin/clean", asleep="365", finished="")).status_code == 404
    assert (await submit(anna, "/admin/clean", asleep="0", finished="")).status_code == 422
    before = list(server.app.state.signer.keys)
    assert "for 5 days" in (await submit(anna, "/admin/rotate", grace="5")).text
    assert server.app.state.signer.keys == before
    assert (await submit(anna, "/admin/rotate", grace="5", sure="1")).status_code == 303
    assert len(server.app.state.signer.keys) == len(before) + 1
    assert (await submit(anna, "/admin/rotate", grace="999")).status_code == 422


async def test_accounts_on_the_page(
    server: Server, anna: Browser, visit: Callable[..., Browser]
) -> None:
    await register(anna, "Martha")
    await promote(server, "Martha")
    made = await submit(anna, "/admin/accounts/create", name="Nora", email="nora@example.org")
    link = await link_on(made.text)
    nora = visit()
    code = link.partition("#")[2]
    await submit(nora, "/login/reset", code=code, password=PASSWORD)
    assert (await log_in(nora, "nora@example.org")).status_code == 303
    assert "Nora" in await nora.page("/account")
    number = await account_id(server, "Nora")
    table = await nora.open("me Nora", "open")

    for deed, question in (
        ("close", "Suspend the account of Nora"),
        ("delete", "Permanently delete the account of Nora"),
    ):
        asked = await submit(anna, f"/admin/accounts/{deed}", account=number, name="Nora")
        assert question in asked.text
    await submit(anna, "/admin/accounts/close", account=number, name="Nora", sure="1")
    assert (await nora.client.get("/account/data.json")).status_code == 401
    assert (await log_in(nora, "Nora")).status_code == 403
    assert "suspended" in await anna.page("/admin/accounts?q=nora")
    await submit(anna, "/admin/accounts/open", account=number, name="Nora", sure="1")
    assert (await log_in(nora, "Nora")).status_code == 303
    assert (await nora.game(table))["my_seats"] == [], "the game had not begun"
    reset = await submit(anna, "/admin/accounts/reset", account=number, name="Nora")
    assert "/login/reset#" in await link_on(reset.text)
    await submit(anna, "/admin/accounts/promote", account=number, name="Nora", sure="1")
    await nora.page("/admin")
    await submit(anna, "/admin/accounts/demote", account=number, name="Nora", sure="1")
    await nora.page("/admin", 403)
    await submit(anna, "/admin/accounts/delete", account=number, name="Nora", sure="1")
    assert (await nora.client.get("/account/data.json")).status_code == 401
    assert (
        await submit(anna, "/admin/accounts/close", account=number, sure="1")
    ).status_code == 404

    # No one shuts oneself out.
    me = await account_id(server, "Martha")
    for deed in ("close", "demote", "delete"):
        answer = await submit(anna, f"/admin/accounts/{deed}", account=me, sure="1")
        assert answer.status_code == 403
    assert (await submit(anna, "/admin/accounts/explode", sure="1")).status_code == 404

    invited = await submit(anna, "/admin/invite", note="for Otto")
    assert "/register#" in await link_on(invited.text)
    page = await anna.page("/admin/accounts")
    assert "for Otto" in page
    found = re.search(
        r'action="/admin/revoke"><input type="hidden" name="number" value="(\d+)"', page
    )
    assert found
    await submit(anna, "/admin/revoke", number=found[1])
    assert "for Otto" not in await anna.page("/admin/accounts")
    async with server.app.state.tables.database.reading() as session:
        done = [line.action for line in await audit.audit_lines(session)]
    assert done[:3] == ["revoke", "invite", "delete-account"]
    assert "create-account" in done


async def test_accounts_at_the_command_line(server: Server) -> None:
    all_: TableStore = server.app.state.tables
    actor = Actor("", "root")
    assert (await accounts.create(all_, actor, "Paula", "p@example.org", admin=True)).startswith(
        "/"
    )
    with pytest.raises(Conflict):
        await accounts.create(all_, actor, "paula")
    with pytest.raises(Conflict):
        await accounts.create(all_, actor, "Pauline", "P@example.org")
    found = await accounts.listed(all_, query="P@EXAMPLE")
    assert [(line.name, line.admin) for line in found.lines] == [("Paula", True)]
    # At the command line no one is oneself.
    assert await accounts.close(all_, actor, "p@example.org") == "Paula"
    with pytest.raises(Refused, match="reopen it first"):
        await accounts.reset(all_, actor, "Paula")
    assert await accounts.erase(all_, actor, "Paula") == "Paula"
    with pytest.raises(NotFound):
        await accounts.reset(all_, actor, "Paula")
    with pytest.raises(NotFound):
        await accounts.revoke(all_, actor, 999)
    async with all_.database.writing() as session:
        row = await people.create(session, "Quirin", None)
    with pytest.raises(Forbidden):
        await accounts.close(all_, Actor(row.id, "Quirin"), "Quirin")
    async with all_.database.reading() as session:
        assert not await session.get(Invitation, 999)
