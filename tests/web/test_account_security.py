"""What must not be possible with accounts."""

from __future__ import annotations

import logging
import secrets
import statistics
import time
from collections.abc import AsyncIterator, Callable
from typing import TypeAlias

import httpx
import pytest
import pytest_asyncio
from argon2 import PasswordHasher
from sqlalchemy import select

from kursbuch.web.accounts import credentials
from kursbuch.web.accounts.models import Account, ApiToken, Invitation, OneTimeToken, Session
from kursbuch.web.accounts.names import checked_name
from kursbuch.web.http.errors import Refused
from kursbuch.web.notifications.models import PausedAddress
from tests.web.accounts import (
    PASSWORD,
    code_in,
    forget_attempts,
    letters,
    log_in,
    register,
    server_with_mail,
    submit,
)
from tests.web.visitors import HTML, Browser, Server

pytestmark = pytest.mark.asyncio(loop_scope="module")

Visit: TypeAlias = Callable[..., Browser]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def server(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Server]:
    """A server that writes letters."""
    async with server_with_mail(tmp_path_factory.mktemp("server")) as running:
        yield running


@pytest_asyncio.fixture(autouse=True, loop_scope="module")
async def fresh(server: Server) -> None:
    """Nothing has been tried yet."""
    await forget_attempts(server)


async def confirmed(server: Server, browser: Browser, name: str, email: str) -> None:
    """An account with a confirmed address."""
    await register(browser, name, email)
    code = code_in((await letters(server, email))[-1], "/account/confirm")
    assert (await submit(browser, "/account/confirm", code=code)).status_code == 303


async def test_cookies_and_tokens(
    server: Server, visit: Visit, anna: Browser, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    # Over HTTPS cookies are bound to this host; there the name without that prefix is no session.
    secure = {**HTML, "x-forwarded-proto": "https"}
    fields = {"name": "Anna", "email": "anna@example.org", "password": PASSWORD}
    answer = await anna.client.post("/register", data=fields, headers=secure)
    cookies = answer.headers.get_list("set-cookie")
    (session,) = (one for one in cookies if "session" in one)
    assert session.startswith("__Host-kursbuch_session=")
    for flag in ("Secure", "HttpOnly", "SameSite=lax", "Path=/"):
        assert flag in session, flag
    assert "Domain" not in session
    token = session.partition("=")[2].partition(";")[0]
    for name, knows in (("__Host-kursbuch_session", True), ("kursbuch_session", False)):
        page = await visit().client.get("/", headers={**secure, "cookie": f"{name}={token}"})
        assert ("Your account: Anna" in page.text) is knows, name

    # A session that was there before somebody logs in (fixation) is not the one after it, and is dead.
    phone = visit()
    await log_in(phone, "anna")
    planted = phone.client.cookies["kursbuch_session"]
    await log_in(phone, "anna")
    rotated = phone.client.cookies["kursbuch_session"]
    assert rotated != planted
    other = visit()
    other.client.cookies.set("kursbuch_session", planted)
    assert "Log in" in await other.page("/")
    made_up = visit()
    answer = await made_up.client.post(
        "/login",
        data={"name": "anna", "password": PASSWORD},
        headers={**HTML, "cookie": "kursbuch_session=made-up"},
    )
    assert answer.status_code == 303
    assert made_up.client.cookies["kursbuch_session"] not in ("made-up", rotated)

    # Secrets are kept as hashes, and nobody finds them in what is logged, nor in a page or its address.
    code = code_in((await letters(server, "anna@example.org"))[0], "/account/confirm")
    async with server.app.state.tables.database.reading() as reading:
        for row in (Session, ApiToken, OneTimeToken, Invitation):
            for kept in await reading.scalars(select(row.hash)):
                assert len(kept) == 64
                assert kept not in (token, planted, rotated, code)
    await submit(phone, "/account/confirm", code=code)
    # What these say is said by the test itself, or by the driver of the database when it is debugged.
    ours = [one for one in caplog.records if not one.name.startswith(("http", "aiosqlite"))]
    said = "\n".join(one.getMessage() for one in ours)
    for secret in (token, rotated, code, PASSWORD):
        assert secret not in said
    answer = await phone.client.get("/account", headers=HTML)
    assert answer.headers["referrer-policy"] == "same-origin"
    assert answer.headers["cache-control"] == "no-store"
    assert rotated not in answer.text


async def test_other_sites_and_other_people(
    server: Server, visit: Visit, anna: Browser, bernd: Browser
) -> None:
    await confirmed(server, anna, "Ada", "ada@example.org")
    await confirmed(server, bernd, "Bob", "bob@example.org")
    await submit(anna, "/account/tokens", name="mine")
    # Forms of other sites do nothing.
    posts = [
        route.path
        for route in server.app.routes
        if "POST" in getattr(route, "methods", ())
        and route.path.startswith(("/account", "/login", "/logout", "/register"))
    ]
    assert len(posts) >= 15
    for path in posts:
        for headers in ({"origin": "https://evil.example"}, {"sec-fetch-site": "cross-site"}):
            answer = await anna.client.post(path, data={"name": "Ada"}, headers=headers)
            assert answer.status_code == 403, path
    # Where one goes on to is never elsewhere.
    for elsewhere in ("https://evil.example/", "//evil.example", "/\\evil.example", "javascript:x"):
        fields = {"name": "Ada", "password": PASSWORD, "next": elsewhere}
        answer = await visit().client.post("/login", data=fields, headers=HTML)
        assert answer.headers["location"] == "/", elsewhere
        page = await visit().client.get("/login", params={"next": elsewhere}, headers=HTML)
        assert 'name="next" value="/"' in page.text
    # Nobody ends or takes what belongs to somebody else, or does anything without being logged in.
    async with server.app.state.tables.database.reading() as session:
        of_ada = select(Session.id).join(Account, Account.id == Session.account_id)
        sessions = list(await session.scalars(of_ada.where(Account.name == "Ada")))
        tokens = list(await session.scalars(select(ApiToken.id)))
    assert sessions
    for number in sessions:
        await submit(bernd, "/account/sessions/end", session=str(number))
    for number in tokens:
        await submit(bernd, "/account/tokens/remove", token=str(number))
    assert "Your account: Ada" in await anna.page("/")
    assert ">mine<" in await anna.page("/account")
    stranger = visit()
    for path in posts:
        if path.startswith("/account/") and path != "/account/confirm":
            assert (await stranger.send(path, name="Ada")).status_code == 401, path
    assert (await stranger.client.get("/account/data.json")).status_code == 401
    # The address of somebody else is not taken by asking for it, and what was confirmed stays.
    assert (
        await submit(bernd, "/account/email", email="ada@example.org", current=PASSWORD)
    ).headers["location"] == "/account?done=sent"
    assert "Confirm" not in (await letters(server, "ada@example.org"))[-1].subject
    assert "bob@example.org" in await bernd.page("/account")
    # Links lead to the address the server knows, not to the one a request claims.
    fields = {"email": "ada@example.org", "want": "reset"}
    before = len(await letters(server, "ada@example.org"))
    answer = await stranger.client.post(
        "/login/letter", data=fields, headers={**HTML, "host": "evil.example"}
    )
    assert answer.status_code == 421
    assert len(await letters(server, "ada@example.org")) == before
    # Names are no addresses, and what they contain is text.
    names = ("http://evil.example", "evil.example", "a@b", "", "x" * 41, "a\u202eb")
    for n, name in enumerate(names):
        email = f"n{n}@example.org"
        answer = await submit(stranger, "/register", name=name, email=email, password=PASSWORD)
        assert answer.status_code == 422, name
    await submit(anna, "/account/name", name="<b>Ada</b>")
    assert "<b>Ada" not in await anna.page("/account")


async def test_nobody_learns_who_has_an_account(
    server: Server, visit: Visit, anna: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    await confirmed(server, anna, "Eva", "eva@example.org")

    def told(answer_text: str, name: str) -> str:
        return answer_text.replace(name, "NAME")

    # The same answer, whether there is such an account or not: to passwords, letters, registering, changing.
    answers: set[tuple[int, str]] = set()
    for name in ("Eva", "eva@example.org", "nobody", "nobody@example.org"):
        answer = await log_in(visit(), name, "not the password")
        answers.add((answer.status_code, told(answer.text, name)))
    assert len(answers) == 1
    for want in ("login", "reset"):
        answers = set()
        for email in ("eva@example.org", "nobody@example.org"):
            answer = await submit(visit(), "/login/letter", email=email, want=want)
            answers.add((answer.status_code, answer.headers["location"]))
        assert len(answers) == 1
    assert await letters(server, "nobody@example.org") == []
    pages = set()
    for name, email in (("Xenia", "eva@example.org"), ("Yvo", "new@example.org")):
        browser = visit()
        answer = await submit(browser, "/register", name=name, email=email, password=PASSWORD)
        page = await browser.page("/account?done=sent")
        pages.add((answer.status_code, answer.headers["location"], told(page, name)))
    assert len(pages) == 1
    taken = (await letters(server, "eva@example.org"))[-1]
    assert "belongs to your account Eva" in taken.text
    assert "#" not in taken.text

    # A password is tried in every case, also where there is none.
    tried = []
    real = credentials._HASHER.verify

    class Counting:
        def verify(self, kept: str, password: str) -> bool:
            tried.append(kept)
            return real(kept, password)

        hash = credentials._HASHER.hash

    monkeypatch.setattr(credentials, "_HASHER", Counting())
    times: dict[str, list[float]] = {"Eva": [], "nobody": []}
    for _ in range(3):
        for name, taken_times in times.items():
            start = time.perf_counter()
            await log_in(visit(), name, "not the password")
            taken_times.append(time.perf_counter() - start)
    assert len(tried) == 6
    assert all(kept.startswith("$argon2id$") for kept in tried)
    assert len({kept.rpartition("$")[0].rpartition("$")[0] for kept in tried}) == 1, "as costly"
    known, unknown = (statistics.median(one) for one in times.values())
    print(f"log in: {known * 1000:.0f} ms where there is an account, {unknown * 1000:.0f} ms else")


async def test_attempts_are_limited(server: Server, visit: Visit, anna: Browser) -> None:
    await confirmed(server, anna, "Lea", "lea@example.org")
    await forget_attempts(server)
    answers = [(await log_in(visit(), "Lea", "wrong one")).status_code for _ in range(10)]
    assert answers == [403] * 8 + [429] * 2
    assert (await log_in(visit(), "lea")).status_code == 429, "the right one, too"
    assert "Your account: Lea" in await anna.page("/"), "whoever is logged in stays so"
    assert (await log_in(visit(), "Somebody", "wrong one")).status_code == 403
    # By letter there is another way in.
    asked = [
        await submit(visit(), "/login/letter", email="lea@example.org", want="login")
        for _ in range(6)
    ]
    # One letter was for confirming the address, which counts too, but was forgotten above.
    assert [answer.status_code for answer in asked] == [303] * 5 + [429]
    assert 0 < int(asked[-1].headers["retry-after"]) <= 3600
    codes_tried = [
        (await submit(visit(), "/login/code", code=f"guess {n}")).status_code for n in range(41)
    ]
    assert codes_tried == [403] * 40 + [429]
    await forget_attempts(server)
    assert (await log_in(visit(), "lea")).status_code == 303


async def exhausted(server: Server, name: str) -> None:
    """Somebody tries passwords for an account from many addresses until nobody may any more."""
    found = []
    for number in range(101):
        async with httpx.AsyncClient(base_url=server.url) as client:
            fields = {"name": name, "password": "wrong one"}
            headers = {**HTML, "x-forwarded-for": f"203.0.{number // 8}.7"}
            found.append((await client.post("/login", data=fields, headers=headers)).status_code)
    assert found == [403] * 100 + [429]


async def test_strangers_do_not_lock_an_owner_out(
    server: Server, visit: Visit, anna: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(credentials, "_HASHER", PasswordHasher(time_cost=1, memory_cost=64))
    await confirmed(server, anna, "Ina", "ina@example.org")
    phone = visit()
    assert (await log_in(phone, "Ina")).status_code == 303
    anna.client.cookies.delete("kursbuch_device")  # as if she had logged in before there was one
    await submit(anna, "/logout")
    await forget_attempts(server)
    await exhausted(server, "Ina")
    assert (await log_in(visit(), "Ina")).status_code == 429, "a browser nobody knows"
    # Where she has been logged in she logs in, by name or address, with attempts of her own.
    for name in ("Ina", "ina@example.org"):
        assert (await log_in(anna, name)).status_code == 303
        await submit(anna, "/logout")
    tried = [(await log_in(anna, "Ina", "wrong one")).status_code for _ in range(9)]
    assert tried == [403] * 8 + [429]
    assert (await log_in(phone, "Ina")).status_code == 303, "each browser its own"
    # So do those with a made-up cookie not, and for others this browser is none that is known.
    made_up = visit()
    made_up.client.cookies.set("kursbuch_device", "WyJ4IixbInkiXV0.made-up")
    assert (await log_in(made_up, "Ina")).status_code == 429
    mallory = visit()
    await register(mallory, "Mallory", "mallory@example.org")
    await submit(mallory, "/logout")
    assert (await log_in(mallory, "Ina")).status_code == 429
    # With another password only those browsers are known that have used it.
    fields = {"current": PASSWORD, "password": "another long one"}
    assert (await submit(phone, "/account/password", **fields)).status_code == 303
    await submit(phone, "/logout")
    assert (await log_in(phone, "Ina", "another long one")).status_code == 303
    assert (await log_in(anna, "Ina", "another long one")).status_code == 429
    # Nobody else keeps her from what needs the password again, or a letter.
    tried = [
        (await submit(phone, "/account/email", email="x@example.org", current="wrong")).status_code
        for _ in range(9)
    ]
    assert tried == [403] * 8 + [429]
    for number in range(6):
        asked = await submit(visit(), "/login/letter", email="ina@example.org", want="reset")
        assert asked.status_code == (303 if number < 5 else 429)
    assert (await submit(phone, "/login/letter", email="ina@example.org")).status_code == 303
    # Whoever chose a password by letter is known with it.
    code = code_in((await letters(server, "ina@example.org"))[-2], "/login/reset")
    tablet = visit()
    fields = {"code": code, "password": "yet another one"}
    assert (await submit(tablet, "/login/reset", **fields)).status_code == 303
    assert (await log_in(tablet, "Ina", "yet another one")).status_code == 303


async def test_strangers_are_not_written_to_again_and_again(server: Server, anna: Browser) -> None:
    await confirmed(server, anna, "Mia", "mia@example.org")
    await forget_attempts(server)
    fields = {"email": "victim@example.org", "current": PASSWORD}
    answers = [await submit(anna, "/account/email", **fields) for _ in range(7)]
    assert [answer.status_code for answer in answers] == [303] * 5 + [429] * 2
    assert len(await letters(server, "victim@example.org")) == 5
    assert int(answers[-1].headers["retry-after"]) > 0


async def test_a_name_and_its_address_have_the_same_attempts(
    server: Server, visit: Visit, anna: Browser
) -> None:
    await confirmed(server, anna, "Noa", "noa@example.org")
    await forget_attempts(server)
    tried = [(await log_in(visit(), "Noa", "wrong one")).status_code for _ in range(5)]
    tried += [(await log_in(visit(), "noa@example.org", "wrong")).status_code for _ in range(3)]
    assert tried == [403] * 8
    # The right one is refused as if it were wrong: that they are used up would tell whose the address is.
    assert (await log_in(visit(), "noa@example.org")).status_code == 403
    assert (await log_in(visit(), "Noa")).status_code == 403
    await forget_attempts(server)
    assert (await log_in(visit(), "noa@example.org")).status_code == 303
    # Names that nobody has are counted alike.
    unknown = [(await log_in(visit(), "Nobody", "wrong one")).status_code for _ in range(9)]
    assert unknown == [403] * 8 + [429]


@pytest.mark.parametrize("by_letter", [True, False])
async def test_another_password_ends_what_a_thief_has_begun(
    server: Server, visit: Visit, anna: Browser, bernd: Browser, by_letter: bool
) -> None:
    name, own, thief = (f"{one}{int(by_letter)}" for one in ("Robbed", "own", "thief"))
    own, thief = f"{own}@example.org", f"{thief}@example.org"
    await confirmed(server, anna, name, own)
    table = await anna.open("me Anna", "hotseat Bernd")
    await log_in(bernd, name)
    await submit(bernd, "/account/email", email=thief, current=PASSWORD)
    link = (await bernd.done(f"{table}/hand-on", seat=1)).json()["link"]
    assert link in await anna.page(table)
    if by_letter:
        await submit(visit(), "/login/letter", email=own, want="reset")
        reset = code_in((await letters(server, own))[-1], "/login/reset")
        await submit(visit(), "/login/reset", code=reset, password="another good one")
        assert (await submit(visit(), link)).status_code == 404
    else:
        fields = {"current": PASSWORD, "password": "another good one"}
        assert (await submit(anna, "/account/password", **fields)).status_code == 303
    owner = visit()
    assert (await log_in(owner, name, "another good one")).status_code == 303
    assert (link in await owner.page(table)) is not by_letter
    code = code_in((await letters(server, thief))[0], "/account/confirm")
    assert (await submit(visit(), "/account/confirm", code=code)).status_code == 403


async def test_the_address_one_registered_with_is_confirmed_after_another_password(
    server: Server, anna: Browser
) -> None:
    await register(anna, "Hasty", "hasty@example.org")
    fields = {"current": PASSWORD, "password": "another good one"}
    assert (await submit(anna, "/account/password", **fields)).status_code == 303
    code = code_in((await letters(server, "hasty@example.org"))[0], "/account/confirm")
    assert (await submit(anna, "/account/confirm", code=code)).status_code == 303


async def test_nothing_is_kept_of_an_address_whose_account_is_gone(
    server: Server, anna: Browser
) -> None:
    await confirmed(server, anna, "Pia", "pia@example.org")
    database = server.app.state.tables.database
    async with database.writing() as session:
        session.add(PausedAddress(address="pia@example.org", why="550 no such user"))
    answer = await submit(anna, "/account/delete", name="Pia", current=PASSWORD)
    assert answer.status_code == 303
    async with database.reading() as session:
        assert await session.get(PausedAddress, "pia@example.org") is None


@pytest.mark.parametrize(
    "name", ["Ada\u3164", "A\u115fda", "\u2800", "Z" + "\u0335\u0336\u0337" * 4]
)
async def test_nobody_looks_like_somebody_else_by_what_is_not_seen(name: str) -> None:
    assert checked_name("Zoe\u0308 R\u0301")[0] == "Zoë Ŕ"
    with pytest.raises(Refused, match="cannot be shown"):
        checked_name(name)


async def test_nobody_looks_like_somebody_else_by_letters_of_another_alphabet(
    server: Server, visit: Visit
) -> None:
    async def tried(name: str) -> tuple[int, str]:
        fields = {"name": name, "email": f"{secrets.token_hex(8)}@example.org"}
        answer = await submit(visit(), "/register", **fields, password=PASSWORD)
        return answer.status_code, answer.text

    for name in ("Alice", "Ace", "Elia", "Jörg", "Lukas"):
        assert (await tried(name))[0] == 303, name
    for name, other in (
        ("\u0410\u0421\u0415", "Ace"),  # all Cyrillic
        ("\u0391\u03f9\u0395", "Ace"),  # all Greek
        ("A1ice", "Alice"),
        ("AIice", "Alice"),
        ("E|ia", "Elia"),
    ):
        status, text = await tried(name)
        assert status == 409, name
        assert f"looks too much like {other}" in text, name
    for name in ("\u0410lice", "Ali\u0441e", "Lu\u03bacy", "Mi\u0430 Meier"):
        status, text = await tried(name)
        assert status == 422, name
        assert "mixes letters of two alphabets" in text, name
    # What is only near stays possible, in any one alphabet.
    for name in (
        "Ella",
        "Jorg",
        "Jöorg",
        "Алиса",
        "Ёлка",
        "Αλίκη",
        "山田たろう",
        "Anna Анна",
        "Łukasz",
    ):
        assert (await tried(name))[0] == 303, name
    status, text = await tried("ALICE")
    assert status == 409
    assert "The name ALICE is taken" in text


async def test_another_name_may_look_like_ones_own_only(server: Server, visit: Visit) -> None:
    lena, lina = visit(), visit()
    await register(lena, "Olena", "olena@example.org")
    await register(lina, "Kirill", "kirill@example.org")
    assert (await submit(lena, "/account/name", name="O1ena")).status_code == 303
    assert (await submit(lina, "/account/name", name="0lena")).status_code == 409
    assert (await submit(lina, "/account/name", name="Kiri11")).status_code == 303


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("<script>alert(1)</script>", "cannot contain the character /\\.$"),
        ("Ada/Bob", "cannot contain the character /\\.$"),
        ("ada@example", "cannot contain the character @\\.$"),
        ("evil.example", "a full stop between letters or digits"),
    ],
)
async def test_why_a_name_is_refused_is_true(name: str, why: str) -> None:
    with pytest.raises(Refused, match=why):
        checked_name(name)
    assert checked_name("A. B. <script>")[0] == "A. B. <script>"
