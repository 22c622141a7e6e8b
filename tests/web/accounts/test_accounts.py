"""Accounts: registered, logged in on several devices, changed, deleted."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Callable
from html import unescape
from typing import TypeAlias
from urllib.parse import quote

import pytest
import pytest_asyncio
from sqlalchemy import func, select

from kursbuch.web.accounts import credentials
from kursbuch.web.accounts.models import Account, ApiToken, OneTimeToken, Session
from kursbuch.web.admin import accounts as administration
from kursbuch.web.admin.audit import Actor
from kursbuch.web.db.database import Database
from kursbuch.web.db.models import Base
from kursbuch.web.notifications.delivery import pause_address
from kursbuch.web.notifications.models import Message, Webhook
from kursbuch.web.settings import Settings
from tests.web.registration import (
    PASSWORD,
    code_in,
    letters,
    log_in,
    register,
    server_with_mail,
    submit,
)
from tests.web.visitors import HTML, Browser, Server, seated

pytestmark = pytest.mark.asyncio(loop_scope="module")

Visit: TypeAlias = Callable[..., Browser]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def server(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Server]:
    """A server that writes letters."""
    async with server_with_mail(tmp_path_factory.mktemp("server")) as running:
        yield running


async def test_who_came_for_a_table_comes_back_to_it(visit: Visit) -> None:
    """Whichever way leads through registering and logging in."""
    stranger = visit()
    assert '"/register?next=/t/abc"' in await stranger.page("/login?next=/t/abc")
    assert '"/login?next=/t/abc"' in await stranger.page("/register?next=/t/abc")
    for page in ("/login", "/register", "/login?next=//evil.example"):
        assert not re.search('href="/(?:login|register)[?]next=', await stranger.page(page))


async def test_registered_confirmed_and_at_the_same_table_on_another_device(
    server: Server, visit: Visit, anna: Browser, bernd: Browser
) -> None:
    table = await anna.open("me Anna", "open")
    await seated(table, bernd)
    assert "1 table from this browser moves to it." in await anna.page("/register")
    await register(anna, "Anna", "Anna@Example.org")
    assert (await anna.game(table))["my_seats"] == [0]
    assert "Your account: Anna" in await anna.page("/")
    assert "kursbuch_browser" not in anna.client.cookies
    # Names are unique however they are written; what was given stands there again.
    again = await submit(
        visit(), "/register", name="ANNA", email="x@example.org", password=PASSWORD
    )
    assert again.status_code == 409
    assert 'value="x@example.org"' in again.text

    phone = visit("de")
    assert (await log_in(phone, "anna@example.org")).status_code == 403, "not confirmed yet"
    (letter,) = await letters(server, "anna@example.org")
    code = code_in(letter, "/account/confirm")
    assert (await phone.client.get("/account/confirm", headers=HTML)).status_code == 200
    answer = await submit(phone, "/account/confirm", code=code)
    assert answer.headers["location"] == "/login?done=confirmed"
    assert (await submit(phone, "/account/confirm", code=code)).status_code == 403, "used up"
    other = await phone.open("me Anna", "open")
    answer = await log_in(phone, "anna@example.org")
    assert answer.headers["location"] == "/"
    # Both tables are there on both devices, Bernd has what he had, and the language is the account's.
    for browser in (anna, phone):
        assert (await browser.game(table))["my_seats"] == [0]
        assert (await browser.game(other))["my_seats"] == [0]
        assert "Your account: Anna" in await browser.page("/")
    assert (await bernd.game(table))["my_seats"] == [1]
    mine = await anna.client.get("/account/data.json")
    assert mine.json()["account"]["email"] == "anna@example.org"
    assert {one["id"] for one in mine.json()["tables"]} == {table[3:], other[3:]}
    assert len(mine.json()["sessions"]) == 2
    assert "argon2" not in mine.text

    # Logged out, it is a browser no one knows; the other device stays.
    answer = await submit(phone, "/logout")
    assert answer.headers["location"] == "/login?done=out"
    assert (await phone.game(table))["my_seats"] == []
    assert (
        (await phone.client.get("/account", headers=HTML)).headers["location"].startswith("/login")
    )
    assert (await anna.game(table))["my_seats"] == [0]


async def test_an_address_to_which_no_mail_can_be_sent_is_told(
    server: Server, anna: Browser
) -> None:
    await register(anna, "Typo", "typo@example.org")
    assert "bounced" not in await anna.page("/account")
    async with server.app.state.tables.database.writing() as session:
        await pause_address(session, "else@example.org", "550 else")
        await pause_address(session, "typo@example.org", "550 no such user")
    page = unescape(await anna.page("/account"))
    assert "The mail to typo@example.org bounced: 550 no such user" in page
    assert '<details class="fold" id="email" open>' in page
    assert "else@example.org" not in page
    code = code_in((await letters(server, "typo@example.org"))[0], "/account/confirm")
    await submit(anna, "/account/confirm", code=code)
    page = await anna.page("/account")
    assert "bounced" not in page
    assert '<details class="fold" id="email">' in page


async def test_by_letter_without_a_password(server: Server, visit: Visit, anna: Browser) -> None:
    await register(anna, "Mail Only", "mail@example.org", password="")
    code = code_in((await letters(server, "mail@example.org"))[0], "/account/confirm")
    await submit(anna, "/account/confirm", code=code)
    assert (await log_in(visit(), "mail@example.org", "")).status_code == 403

    phone = visit()
    await phone.page("/login")  # a cookie, by which it is known as the one that asked
    answer = await submit(phone, "/login/letter", email="MAIL@example.org", want="login")
    assert answer.headers["location"] == "/login?done=letter"
    code = code_in((await letters(server, "mail@example.org"))[1], "/login/code")
    # Opening the link, as programs that look through mails do, uses nothing up.
    for _ in range(2):
        assert (await visit().client.get("/login/code", headers=HTML)).status_code == 200
    # In another browser it is asked first, so that no one is led into another player's account.
    stranger = visit()
    asked = await submit(stranger, "/login/code", code=code)
    assert "Log in as Mail Only" in asked.text
    assert "kursbuch_session" not in stranger.client.cookies
    answer = await submit(phone, "/login/code", code=code)
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    assert "Your account: Mail Only" in await phone.page("/")
    assert (await submit(stranger, "/login/code", code=code, sure="1")).status_code == 403
    # A code of one kind does nothing of another, one that is too old nothing at all.
    for kind in (credentials.LOGIN, credentials.RESET):
        await submit(phone, "/login/letter", email="mail@example.org", want=kind)
    login, reset = (await letters(server, "mail@example.org"))[-2:]
    wrong = await submit(stranger, "/login/code", code=code_in(reset, "/login/reset"), sure="1")
    assert wrong.status_code == 403
    async with server.app.state.tables.database.writing() as session:
        for row in await session.scalars(select(OneTimeToken)):
            row.expires_at -= credentials.CODE_LIFETIMES[credentials.LOGIN]
    late = await submit(stranger, "/login/code", code=code_in(login, "/login/code"), sure="1")
    assert late.status_code == 403


async def test_by_letter_one_comes_where_one_wanted(
    server: Server, visit: Visit, anna: Browser
) -> None:
    await register(anna, "Led", "led@example.org")
    code = code_in((await letters(server, "led@example.org"))[0], "/account/confirm")
    await submit(anna, "/account/confirm", code=code)
    phone, wanted = visit(), "/t/abcdef?move=3"
    field = f'name="next" value="{wanted}"'
    assert (await phone.page("/login?next=/t/abcdef%3Fmove%3D3")).count(field) == 2

    async def asked(want: str, next_: str) -> tuple[str, str]:
        """The address in a letter, and the code behind it."""
        sent = {"email": "led@example.org", "want": want, "next": next_}
        answer = await submit(phone, "/login/letter", **sent)
        assert ("next=" in answer.headers["location"]) is (next_ == wanted)
        letter = (await letters(server, "led@example.org"))[-1]
        found = re.search(r"(/login/\w+\S*)#(\S+)", letter.text)
        assert found
        return found[1], found[2]

    assert (await asked("login", "https://elsewhere.example/"))[0] == "/login/code"
    place, code = await asked("reset", wanted)
    assert field in await phone.page(place)
    chosen = {"password": "another good one", "next": wanted}
    answer = await submit(phone, "/login/reset", code=code, **chosen)
    assert field in await phone.page(answer.headers["location"])
    place, code = await asked("login", wanted)
    assert field in await phone.page(place)
    answer = await submit(phone, "/login/code", code=code, next=wanted)
    assert answer.headers["location"] == wanted


async def test_the_password_chosen_anew_ends_all_sessions(
    server: Server, visit: Visit, anna: Browser
) -> None:
    await register(anna, "Forgetful", "forget@example.org")
    code = code_in((await letters(server, "forget@example.org"))[0], "/account/confirm")
    await submit(anna, "/account/confirm", code=code)
    database: Database = server.app.state.tables.database
    async with database.writing() as session:
        named = select(Account.id).where(Account.name == "Forgetful")
        hook = {"url": "https://x.example/", "form": "plain", "secret": "s"}
        session.add(Webhook(owner=await session.scalar(named), error="", failure="", **hook))
    await submit(visit(), "/login/letter", email="forget@example.org", want="reset")
    await submit(visit(), "/login/letter", email="forget@example.org", want="login")
    reset, login = (await letters(server, "forget@example.org"))[1:]
    phone = visit()
    code = code_in(reset, "/login/reset")
    for short in ("short", "aaaaaaaaaaaa"):
        answer = await submit(phone, "/login/reset", code=code, password=short)
        assert answer.status_code == 422
    answer = await submit(phone, "/login/reset", code=code, password="another good one")
    assert answer.headers["location"] == "/login?done=reset"
    assert "kursbuch_session" not in phone.client.cookies
    assert "Your account" not in await anna.page("/")
    async with database.reading() as session:
        assert not list(await session.scalars(select(Webhook))), (
            "no program is told of tables any more"
        )
    old = await submit(phone, "/login/code", code=code_in(login, "/login/code"), sure="1")
    assert old.status_code == 403, "letters from before are void"
    assert (await log_in(phone, "forgetful")).status_code == 403
    assert (await log_in(phone, "forgetful", "another good one")).status_code == 303


async def test_every_page_leads_to_logging_in_and_back(anna: Browser) -> None:
    table = await anna.open("me Anna", "hotseat Bernd")
    for path in (table, "/new?title=rocket", "/rules/rocket"):
        link = f'href="/login?next={quote(path)}"'
        assert link in await anna.page(path)
    assert 'href="/login"' in await anna.page("/")
    for path in ("/login", "/register"):
        assert 'class="me"' not in await anna.page(path)
    await register(anna, "Frieda", "frieda@example.org")
    assert "/login" not in await anna.page(table)


async def test_changed_and_logged_out_elsewhere(
    server: Server, visit: Visit, anna: Browser
) -> None:
    await register(anna, "Carla", "carla@example.org")
    phone, tablet = visit(), visit()
    for browser in (phone, tablet):
        assert (await log_in(browser, "carla")).status_code == 303
    assert "Devices" in await anna.page("/account")
    await submit(anna, "/account/sessions/end")
    assert "Log in" in await phone.page("/")
    assert "Your account: Carla" in await anna.page("/")

    before = anna.client.cookies["kursbuch_session"]
    wrong = await submit(anna, "/account/password", current="not this one", password="x" * 20)
    assert wrong.status_code == 403
    assert "Wrong password." in wrong.text
    assert (await log_in(tablet, "carla")).status_code == 303
    done = await submit(anna, "/account/password", current=PASSWORD, password="the next password")
    assert done.headers["location"] == "/account?done=saved"
    assert anna.client.cookies["kursbuch_session"] != before
    assert "Log in" in await tablet.page("/")
    assert (await submit(anna, "/account/name", name="Carla B")).status_code == 303
    assert "Your account: Carla B" in await anna.page("/")
    assert (await visit().client.get("/people/carla%20b", headers=HTML)).status_code == 200
    assert (await visit().client.get("/people/carla", headers=HTML)).status_code == 404

    # What is chosen for the pages is kept with the account, on every device.
    await anna.done("/account/settings", settings="theme:dark.text:huge.sound:on")
    assert (await log_in(phone, "carla b", "the next password")).status_code == 303
    assert 'data-theme="dark"' in await phone.page("/")
    await phone.send("/language", language="de", next="/")
    assert "Abmelden" in await anna.page("/account")

    # Programs play with a token, but the account is changed in the browser only.
    made = await submit(anna, "/account/tokens", name="Bot")
    token = made.text.partition('id="new-token" readonly value="')[2].partition('"')[0]
    assert token.startswith("kursbuch_")
    assert token not in await anna.page("/account")
    program = visit()
    program.client.headers["authorization"] = f"Bearer {token}"
    assert (await program.client.get("/api/me")).json() == {"name": "Carla B"}
    assert (await visit().client.get("/api/me")).json() == {"name": None}
    table = await program.open("me Robot", "open")
    assert (await anna.game(table))["my_seats"] == [0]
    for path in ("/account/password", "/account/tokens", "/account/delete", "/logout"):
        assert (await program.send(path, name="Carla B")).status_code == 403, path
    async with server.app.state.tables.database.reading() as session:
        (number,) = await session.scalars(select(ApiToken.id))
    assert (await submit(anna, "/account/tokens/remove", token=str(number))).status_code == 303
    assert (await program.client.get("/api/tables")).status_code == 401


async def test_deleted_it_leaves_nothing_but_the_games(
    server: Server, visit: Visit, anna: Browser, bernd: Browser
) -> None:
    await register(anna, "Gone", "gone@example.org")
    table = await anna.open("me Gone", "open")
    await seated(table, bernd)
    await submit(anna, "/account/tokens", name="Bot")
    async with server.app.state.tables.database.reading() as session:
        (account,) = await session.scalars(select(Account.id).where(Account.name == "Gone"))
    for fields in ({"name": "Gone"}, {"name": "Other", "current": PASSWORD}):
        assert (await submit(anna, "/account/delete", **fields)).status_code in (403, 422)
    answer = await submit(anna, "/account/delete", name="gone", current=PASSWORD)
    assert answer.headers["location"] == "/login?done=deleted"
    game = await bernd.game(table)
    assert [seat["kind"] for seat in game["seats"]] == ["gone", "person"]
    assert (await anna.game(table))["my_seats"] == []
    assert (await log_in(anna, "gone")).status_code == 403
    async with server.app.state.tables.database.reading() as session:
        for row in (Session, ApiToken, OneTimeToken):
            count = select(func.count()).select_from(row).where(row.account_id == account)
            assert await session.scalar(count) == 0
        for table_of in Base.metadata.sorted_tables:
            for found in await session.execute(select(table_of)):
                assert account not in str(found), table_of.name
        query = select(Message).where(Message.address == "gone@example.org")
        assert list(await session.scalars(query)) == []
    await register(visit(), "Gone", "gone@example.org")


async def test_by_invitation_closed_and_off(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    folder = tmp_path_factory.mktemp("closed")

    def settings(accounts: str) -> Settings:
        return Settings(database=str(folder / "t.sqlite3"), bot_processes=1, accounts=accounts)

    async with Server(settings("invitation")) as server:
        async with server.app.state.tables.database.writing() as session:
            first = await credentials.make_invitation(session, None)
        anna, bernd, clara = (Browser(server.url) for _ in range(3))
        fields = {"name": "Anna", "password": PASSWORD}
        assert (await submit(anna, "/register", **fields)).status_code == 403
        assert (await submit(anna, "/register", **fields, invitation=first)).status_code == 303
        made = await submit(anna, "/account/invitations", note="Bernd")
        link = made.text.partition('id="new-invitation" readonly value="')[2].partition('"')[0]
        address, _, code = link.partition("#")
        assert address == f"{server.url}/register"
        fields = {"password": PASSWORD, "invitation": code}
        assert (await submit(bernd, "/register", name="Anna", **fields)).status_code == 409
        assert (await submit(bernd, "/register", name="Bernd", **fields)).status_code == 303
        assert (await submit(clara, "/register", name="Clara", **fields)).status_code == 403
        made = await submit(bernd, "/account/invitations", note="Clara")
        link = made.text.partition('id="new-invitation" readonly value="')[2].partition('"')[0]
        fields = {"name": "Clara", "password": PASSWORD, "invitation": link.partition("#")[2]}
        tables = server.app.state.tables
        await administration.close(tables, Actor("", "root"), "Bernd")
        answer = await submit(clara, "/register", **fields)
        assert answer.status_code == 403, "whoever is shut out does not come back so"
        await administration.reopen(tables, Actor("", "root"), "Bernd")
        assert (await submit(clara, "/register", **fields)).status_code == 303
    async with Server(settings("closed")) as server:
        anna = Browser(server.url)
        assert (await submit(anna, "/register", name="X", password=PASSWORD)).status_code == 403
        page = await anna.page("/login")
        assert "/register" not in page
        assert "E-mail" not in page
        assert (await log_in(anna, "Anna")).status_code == 303
        asked = await submit(anna, "/login/letter", email="a@example.org", want="reset")
        assert asked.status_code == 422
    async with Server(settings("off")) as server:
        anna = Browser(server.url)
        assert "Log in" not in await anna.page("/")
        for path in ("/login", "/register", "/account", "/people/Anna", "/login/code"):
            await anna.page(path, 404)
        assert (await submit(anna, "/login", name="Anna", password=PASSWORD)).status_code == 404
