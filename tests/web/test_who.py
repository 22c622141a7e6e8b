"""Who asks: browsers, sessions of accounts, tokens of programs."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from typing import TypeAlias

import httpx
import pytest
from sqlalchemy import select, update

from kursbuch.web.accounts import sessions, transfer
from kursbuch.web.accounts.credentials import hashed, new_account_id, new_token
from kursbuch.web.accounts.models import Account, ApiToken, Session
from kursbuch.web.db.database import Database
from kursbuch.web.db.models import now
from kursbuch.web.tables.store import TableStore
from tests.web.visitors import HTML, Browser, Server, seated, seen

pytestmark = pytest.mark.asyncio(loop_scope="module")

Visit: TypeAlias = Callable[..., Browser]


async def made(database: Database, name: str) -> tuple[str, str, str]:
    """A new account: its id, the token of a session, an API token."""
    account, session, api = new_account_id(), new_token(), new_token()
    async with database.writing() as writing:
        writing.add(Account(id=account, name=name, name_key=name.casefold()))
        await writing.flush()
        writing.add(Session(hash=hashed(session), account_id=account, device="test"))
        writing.add(ApiToken(hash=hashed(api), account_id=account, name="test"))
    return account, session, api


def cookies(answer: httpx.Response) -> dict[str, str]:
    """The cookies an answer sets, and for how many seconds."""
    found = {}
    for header in answer.headers.get_list("set-cookie"):
        assert "HttpOnly" in header
        age = re.search("Max-Age=([0-9]+)", header)
        assert age is not None
        found[header.partition("=")[0]] = age[1]
    return found


async def test_an_account_has_the_tables_of_its_browser_on_every_device(
    server: Server, visit: Visit, anna: Browser, bernd: Browser
) -> None:
    tables: TableStore = server.app.state.tables
    account, session, api = await made(tables.database, "Ada")
    table = await anna.open("me Anna", "open")
    table_id = table.removeprefix("/t/")
    await seated(table, bernd)
    await bernd.done(f"{table}/end")
    browser = (await tables.load(table_id)).table.creator

    assert await transfer.move_to_account(tables, browser, account) == 1
    assert await transfer.move_to_account(tables, browser, account) == 0
    assert (await anna.game(table))["my_seats"] == []
    assert (await bernd.game(table))["my_seats"] == [1]
    anna.client.cookies.set("kursbuch_session", session)
    assert (await anna.game(table))["my_seats"] == [0]

    # A program needs neither a cookie nor to come from here, because no page can send its token.
    program = visit()
    program.client.headers["authorization"] = f"Bearer {api}"
    program.client.headers["origin"] = "https://elsewhere.example"
    answer = await program.client.get("/api/tables")
    assert [one["id"] for one in answer.json()["mine"]] == [table_id]
    assert "set-cookie" not in answer.headers
    game = await program.game(table)
    if game["choices"]:
        action = game["choices"][0]["action"]
        await program.done(
            f"/api{table.replace('/t/', '/tables/')}/move", **seen(game), action=action
        )
    await program.done(f"{table}/end/answer", answer="yes")
    assert (await bernd.game(table))["status"] == "closed"


async def test_what_a_browser_looks_for_by_itself_makes_nobody_of_it(server: Server) -> None:
    """A cookie that came with the icon would take the place of the one that a page gives at the same time."""
    async with httpx.AsyncClient(base_url=server.url) as client:
        for path in ("/favicon.ico", "/static/icon.svg", "/health"):
            answer = await client.get(path)
            assert answer.status_code == 200
            assert "set-cookie" not in answer.headers
        assert (await client.get("/favicon.ico")).headers["content-type"] == "image/png"


async def test_a_wrong_token_is_refused_and_a_dead_session_is_a_new_browser(
    server: Server, visit: Visit, anna: Browser
) -> None:
    database = server.app.state.tables.database
    _, session, api = await made(database, "Berta")
    for wrong in ("x", api[:-1], hashed(api), session):
        answer = await anna.client.get("/api/tables", headers={"authorization": f"Bearer {wrong}"})
        assert answer.status_code == 401, wrong
        assert answer.json()["error"] == "This token is not valid: create one on your account page."
        assert "set-cookie" not in answer.headers
    # A cookie of another kind is no session, nor is a session one for the browser.
    for name, value in (("kursbuch_session", api), ("kursbuch_session", hashed(session))):
        visitor = visit()
        answer = await visitor.client.get("/", headers={**HTML, "cookie": f"{name}={value}"})
        assert cookies(answer) == {"kursbuch_session": "0", "kursbuch_browser": "31536000"}
    async with database.writing() as writing:
        late = now() - sessions.SESSION_LIFETIME
        await writing.execute(
            update(Session).where(Session.hash == hashed(session)).values(seen_at=late)
        )
    anna.client.cookies.set("kursbuch_session", session)
    assert cookies(await anna.client.get("/")) == {
        "kursbuch_session": "0",
        "kursbuch_browser": "31536000",
    }


async def test_a_session_that_is_used_is_renewed(server: Server, anna: Browser) -> None:
    database = server.app.state.tables.database
    account, session, _ = await made(database, "Clara")
    headers = {"cookie": f"kursbuch_session={session}"}
    assert "set-cookie" not in (await anna.client.get("/", headers=headers)).headers
    before = now() - sessions.TOUCH_INTERVAL - timedelta(minutes=1)
    async with database.writing() as writing:
        await writing.execute(
            update(Session).where(Session.account_id == account).values(seen_at=before)
        )
    (cookie,) = (await anna.client.get("/", headers=headers)).headers.get_list("set-cookie")
    assert cookie.startswith(f"kursbuch_session={session}; ")
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie
    async with database.reading() as reading:
        (noted,) = await reading.scalars(
            select(Session.seen_at).where(Session.account_id == account)
        )
    assert noted > before
    # An account that an administrator has closed is nobody any more.
    async with database.writing() as writing:
        await writing.execute(update(Account).where(Account.id == account).values(closed_at=now()))
    assert "Max-Age=0" in (await anna.client.get("/", headers=headers)).headers["set-cookie"]


async def test_an_account_that_goes_leaves_seats_that_can_be_given_on(
    server: Server, visit: Visit, anna: Browser, bernd: Browser
) -> None:
    tables: TableStore = server.app.state.tables
    account, session, _ = await made(tables.database, "Dora")
    anna.client.cookies.set("kursbuch_session", session)
    running, waiting = await anna.open("me Dora", "open"), await anna.open("me Dora", "open")
    await seated(running, bernd)
    watcher = visit()
    assert await watcher.refused(403, f"{running}/hand-on", seat=0)
    await transfer.leave_tables(tables, account)
    assert (await tables.load(waiting.removeprefix("/t/"))).table.status == "closed"
    game = await bernd.game(running)
    assert game["status"] == "running"
    assert [seat["kind"] for seat in game["seats"]] == ["gone", "person"]
    assert not game["seats"][0]["free"]
    assert await watcher.refused(403, f"{running}/hand-on", seat=0)
    assert "give the seat to somebody else" in await bernd.page(running)
    link = (await bernd.done(f"{running}/hand-on", seat=0)).json()["link"]
    assert link in await bernd.page(running)
    assert link not in await watcher.page(running)
    assert (await watcher.send(link.removeprefix(bernd.url))).status_code == 303
    game = await watcher.game(running)
    assert game["my_seats"] == [0]
    assert game["seats"][0]["kind"] == "person"
    # What the other had opened is Bernd's; he cannot end alone what somebody plays with him.
    assert "Others are playing" in await bernd.refused(403, f"{running}/close")
    assert "Only the one who opened" in await watcher.refused(403, f"{running}/close")


async def test_a_token_plays_and_does_nothing_else(server: Server, visit: Visit) -> None:
    _, _, api = await made(server.app.state.tables.database, "Cora")
    program = visit()
    program.client.headers["authorization"] = f"Bearer {api}"
    for path in ("/messages", "/account", "/account/data.json", "/admin", "/", "/tables", "/login"):
        answer = await program.client.get(path, headers=HTML)
        assert answer.status_code == 403, path
        assert "This can only be done in a browser, not with a token." in answer.text
    for path in (
        "/messages",
        "/messages/webhook",
        "/messages/webhook/try",
        "/messages/push/end",
        "/account/tokens",
        "/learn/rocket/guide",
    ):
        assert (await program.send(path, url="https://x.example", form="plain")).status_code == 403
    for path in ("/schema/openapi.json", "/rules/rocket", "/health"):
        assert (await program.client.get(path)).status_code == 200, path
    table = await program.open("me Robot", "open")
    assert (await program.client.get(f"{table}/live")).status_code == 200
