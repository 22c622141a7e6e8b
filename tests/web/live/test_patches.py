"""What is pushed to open pages: the same as they would be sent if they asked, and nothing else."""

from __future__ import annotations

import asyncio
import functools
import gc
import random
import re
import socket
import sqlite3
import threading
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

import msgspec
import pytest
from sqlalchemy import event, select

from kursbuch.core.game import Game
from kursbuch.games.rocket import Rocket
from kursbuch.games.rocket.state import RocketState
from kursbuch.web.accounts.models import ApiToken
from kursbuch.web.admin import accounts as administration
from kursbuch.web.admin.audit import command_line_actor
from kursbuch.web.cache import LruCache
from kursbuch.web.live import fragments, streams
from kursbuch.web.live.fragments import Fragment
from kursbuch.web.live.patches import Section, page_script
from kursbuch.web.tables import viewer
from kursbuch.web.tables.boards import Drawing
from tests.web.answers import STAMP, at_table
from tests.web.db.test_servers import two_servers
from tests.web.pushed import Open, patched, stamp_in
from tests.web.registration import log_in, register, server_with_mail, submit
from tests.web.tables.test_secrets import at_table as nimm_table
from tests.web.tables.test_secrets import bid, offer, seed_for
from tests.web.tables.test_secrets_1853 import first_bonds
from tests.web.visitors import PATIENCE, Browser, Server, browsers, seated

pytestmark = pytest.mark.asyncio(loop_scope="module")

Visit: TypeAlias = Callable[..., Browser]

AWAY = re.compile('(?<=data-away="[0-9]")( hidden)?')


@asynccontextmanager
async def open_pages(table: str, *people: Browser) -> AsyncIterator[list[Open]]:
    """A page of the table in each of these browsers."""
    pages = [Open(person, table) for person in people]
    try:
        for page in pages:
            await page.until(lambda one: one.heard)
        yield pages
    finally:
        for page in pages:
            await page.close()


def forget_everything() -> None:
    """Whatever is kept to save work is forgotten, in the whole process."""
    for found in gc.get_objects():
        if isinstance(found, LruCache):
            found.clear()
        elif isinstance(found, functools._lru_cache_wrapper) and _is_ours(found):
            found.cache_clear()
    viewer._TOLD.clear()


def _is_ours(function: Any) -> bool:
    return str(getattr(function, "__module__", "")).startswith("kursbuch.")


async def shows_all(page: Open) -> None:
    """A page shows what it would be sent. Who is away it is told beside that."""
    now = await page.up_to_date()
    assert AWAY.sub("", page.html) == AWAY.sub("", now)


def without_stamp(html: str) -> str:
    """A page but for the name of its drawing, which says since when it looks like that."""
    return AWAY.sub("", html.replace(stamp_in(html), "", 1))


# ---- (a) what is pushed is what would be sent


def drawn(rng: random.Random, choices: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Any of the choices, of every kind alike."""
    kinds: dict[str, list[dict[str, Any]]] = {}
    for choice in choices:
        kinds.setdefault(choice["action"]["action"], []).append(choice["action"])
    return dict(rng.choice(kinds[rng.choice(sorted(kinds))]))


async def something(rng: random.Random, table: str, people: Sequence[Browser], number: int) -> None:
    """One thing that happens at a table: mostly a move."""
    kind = rng.random()
    person = rng.choice(people)
    if kind < 0.1:
        await person.done(f"{table}/chat", text=f"<b>{number}</b> <!-- board --> \\ä")
    elif kind < 0.2:
        # Nothing may be there to take back, or to do again.
        await person.send(f"{table}/{'undo' if kind < 0.17 else 'redo'}")
    else:
        for one in rng.sample(people, len(people)):
            game = await one.game(table)
            if game["choices"]:
                await one.move(table, drawn(rng, game["choices"]))
                return


@pytest.mark.parametrize("title", ["nimm", "dice", "1853", "rocket", "1835"])
async def test_what_is_pushed_is_what_would_be_sent(title: str, visit: Visit) -> None:
    """After any moves, and whatever is kept of what was made before: for both players, and for two who look on."""
    people = (visit(), visit("de"), *((visit(),) if title in ("1835", "1853") else ()))
    watchers = (visit(), visit("de"))
    seats = ("open",) * (len(people) - 1)
    table = await people[0].open("me Anna", *seats, title=title, undo="free")
    await seated(table, *people[1:])
    rng = random.Random(title)
    async with open_pages(table, *people, *watchers) as pages:
        for number in range(24):
            if number % 12 == 11:
                # From here on a stream does not know what it has sent, nor does anybody what has been drawn.
                forget_everything()
            await something(rng, table, people, number)
            # What is wrong on a page stays so until it changes: not every page is compared every time.
            for page in pages if number % 6 == 5 else pages[number % 2 :: 2]:
                await shows_all(page)
            if number % 12 == 5:
                shown = [page.html for page in pages]
                forget_everything()
                for page, html in zip(pages, shown, strict=True):
                    assert without_stamp(await page.fetch()) == without_stamp(html)
        for page in pages:
            assert len(page.pushed) >= 13
            # When it was opened, if anything had happened since, and never again.
            assert page.fetched <= 1


async def test_those_who_are_behind_are_pushed_nothing(
    visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streams, "HEARTBEAT", 0.1)
    monkeypatch.setattr(streams, "SECOND_LOOK", 0.1)
    anna, bernd, clara = visit(), visit(), visit()
    table = await anna.open("me Anna", "open", title="nimm", undo="free", delay_moves=2)
    await seated(table, bernd)
    rng = random.Random(1)
    async with open_pages(table, anna, bernd, clara) as pages:
        for number in range(12):
            await something(rng, table, (anna, bernd), number)
            for page in pages:
                await shows_all(page)
        assert pages[0].pushed
        assert pages[1].pushed
        assert not pages[2].pushed
        assert pages[2].fetched


async def test_a_page_of_another_form_is_only_told(visit: Visit) -> None:
    anna = visit()
    table = await anna.open("me Anna", "hotseat Bernd")
    old = Open(anna, table, fragments.FORM + 1)
    await old.until(lambda page: page.heard)
    for _ in range(3):
        await anna.move(table)
        await shows_all(old)
    assert not old.pushed
    assert old.fetched == 3
    await old.close()


async def test_a_page_whose_drawing_is_another_gets_the_whole(server: Server) -> None:
    sent = fragments.SentCache(10_000)
    pages = [
        Fragment(
            {"a": Section(f"a\n{number}"), "b": Section("c")},
            Drawing(f"<svg><g>{number // 2}</g><g/></svg>", f"{number // 2}"),
            number,
            0,
        )
        for number in range(6)
    ]
    told = sent.to("0")

    def update(fragment: Fragment) -> dict[str, Any]:
        found: dict[str, Any] = msgspec.json.decode(told.update(fragment).data.split(b"data: ")[1])
        return found

    scripts = [update(one) for one in pages]
    assert [script["page"] for script in scripts[:2]] == [["a\n0\nc"], [0, 1, "1", 2, 1]]
    # The page had the first one from elsewhere, so the second comes whole.
    assert [script["board"] for script in scripts[:3]] == [None, None, ["<svg><g>1</g><g/></svg>"]]
    assert scripts[3]["board"] is None
    assert scripts[4]["board"] == [0, 1, ">2</g>", 2, 1]
    # A stream of which nothing is known any more.
    sent._kept.clear()
    again = update(pages[5])
    assert (again["page"], again["board"]) == (["a\n5\nc"], None)
    last = Fragment({"a": Section("a")}, Drawing("<svg><g>9</g></svg>", "9"), 9, 0)
    assert update(last)["board"] == ["<svg><g>9</g></svg>"]
    told.end()
    assert not len(sent._kept)


async def test_a_patch_of_sections_makes_the_other_page() -> None:
    """Sections come, go, and change, and the same line may be in several."""
    rng = random.Random(1)

    def page() -> dict[str, Section]:
        names = [name for name in "abcdefgh" if rng.random() < 0.8]
        return {
            name: Section("\n".join(rng.choices("123456789", k=rng.randint(1, 9))))
            for name in names
        }

    before: dict[str, Section] = {}
    lines: list[str] = []
    for _ in range(300):
        now = {
            name: before.get(name, one) if rng.random() < 0.5 else one
            for name, one in page().items()
        }
        script = page_script({name: one.marks for name, one in before.items()}, now)
        lines = patched(lines, script, "\n") if now else []
        assert "\n".join(lines) == "\n".join(one.html for one in now.values())
        before = now


# ---- (b) what is secret


def told_to(pages: Sequence[Open]) -> list[str]:
    """Everything that was pushed to these."""
    return [STAMP.sub("", repr(page.pushed)).replace(page.browser.url, "") for page in pages]


async def test_a_secret_bid_is_pushed_to_nobody_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = []
    for number, way in enumerate((bid(0), bid(150))):
        async with nimm_table(
            tmp_path / str(number), monkeypatch, seed_for("sealed"), undo="free"
        ) as (_, table, people):
            forget_everything()
            async with open_pages(table, *people) as pages:
                await offer(table, people)
                seat = (await people[0].game(table))["pending"][0]["seat"]
                for person, chosen in ((seat, way), ((seat + 1) % 3, bid(50))):
                    await people[person].move(table, chosen(await people[person].game(table)))
                for page in pages:
                    await page.up_to_date()
                    assert len(page.pushed) >= 2
                # He himself may see it.
                own = (await people[seat].game(table))["state"]
                found.append((told_to(pages[:seat] + pages[seat + 1 :]), own))
    assert found[0][0] == found[1][0]
    assert found[0][1] != found[1][1]


async def test_bonds_are_pushed_to_nobody_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seed, first, second = first_bonds()
    found = []
    for number, actions in enumerate((first, second)):
        async with at_table(tmp_path / str(number), monkeypatch, "1853", seed, []) as (
            server,
            table,
            people,
        ):
            forget_everything()
            async with open_pages(table, *people) as pages:
                game: Game = (await server.app.state.tables.load(table[3:])).game
                for count, action in enumerate(actions):
                    data = game.title.action_to_json(action)
                    await people[action.seat].done(f"{table}/move", number=count, action=data)
                for page in pages:
                    await page.up_to_date()
                own = pages.pop(1)
                found.append((told_to(pages), told_to([own])))
    assert found[0][0] == found[1][0]
    assert found[0][1] != found[1][1]


async def test_whoever_knows_everything_shares_it_with_nobody_who_does_not(
    visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where a title hides something from some and gives others the state itself."""
    anna, bernd, clara = visit(), visit(), visit()
    table = await anna.open("me Anna", "open", options={"money": "hidden"})
    await seated(table, bernd)
    real = Rocket.view

    def view(title: Rocket, state: RocketState, seat: int | None) -> RocketState:
        return state if seat == 0 else real(title, state, seat)

    monkeypatch.setattr(Rocket, "view", view)
    forget_everything()
    shown = [AWAY.sub("", await person.page(f"{table}/live")) for person in (anna, bernd, clara)]
    again: list[str] = []
    for person in (clara, bernd, anna):
        forget_everything()
        again.insert(0, AWAY.sub("", await person.page(f"{table}/live")))
    assert shown == again
    assert len(set(map(stamp_in, shown))) == 3


# ---- (c) who is someone else by now


async def test_whoever_is_logged_out_is_pushed_nothing_more(tmp_path: Path) -> None:
    async with server_with_mail(tmp_path) as server:
        for how in ("logout", "everywhere", "token", "closed"):
            async with browsers(server, 3) as (anna, bernd, elsewhere):
                await register(anna, f"Anna {how}", f"{how}@example.org")
                table = await anna.open("me Anna", "open", title="nimm")
                await seated(table, bernd)
                if how == "token":
                    made = await submit(anna, "/account/tokens", name="Bot")
                    token = made.text.partition('id="new-token" readonly value="')[2]
                    given = "Bearer " + token.partition('"')[0]
                    elsewhere.client.headers["authorization"] = given
                own = elsewhere if how == "token" else anna
                async with open_pages(table, own, bernd) as (page, other):
                    await bernd.done(f"{table}/chat", text="before")
                    await page.until(lambda one: len(one.pushed) == 1)
                    await _log_out(server, how, anna, elsewhere)
                    await bernd.done(f"{table}/chat", text="later on")
                    await other.until(partial(_says, "later on"))
                    await page.until(lambda one: one.ended)
                    assert "later on" not in page.html
                    assert not other.ended


async def _log_out(server: Server, how: str, browser: Browser, elsewhere: Browser) -> None:
    """In some way anyone who is logged in there is so no more."""
    tables = server.app.state.tables
    if how == "logout":
        assert (await submit(browser, "/logout")).status_code == 303
    elif how == "everywhere":
        # All sessions but that of another browser, which is new.
        assert (await log_in(elsewhere, f"Anna {how}")).status_code == 303
        assert (await submit(elsewhere, "/account/sessions/end")).status_code == 303
    elif how == "token":
        async with tables.database.reading() as session:
            (number,) = await session.scalars(select(ApiToken.id))
        answer = await submit(browser, "/account/tokens/remove", token=str(number))
        assert answer.status_code == 303
    else:
        await administration.close(tables, command_line_actor(), f"Anna {how}")


async def test_whoever_has_handed_on_a_seat_sees_it_no_more(visit: Visit) -> None:
    anna, bernd, clara = visit(), visit(), visit()
    table = await anna.open("me Anna", "open", title="nimm", undo="free")
    await seated(table, bernd)
    async with open_pages(table, anna, bernd) as (page, other):
        link = (await anna.done(f"{table}/hand-on", seat=0)).json()["link"]
        path = link.removeprefix(anna.url)
        answer = await clara.client.post(path, headers={"accept": "text/html"})
        assert answer.status_code == 303
        for one in (page, other):
            await shows_all(one)
        game = await anna.game(table)
        assert game["my_seats"] == []
        mover, waiting = (clara, bernd) if (await clara.game(table))["choices"] else (bernd, clara)
        await mover.move(table)
        assert waiting is not mover
        for one in (page, other):
            await shows_all(one)
        assert page.fetched == 0


async def test_a_curtain_falls_on_open_pages(visit: Visit) -> None:
    anna, watcher = visit(), visit()
    table = await anna.open("me Anna", "hotseat Bernd", title="dice")
    await anna.done(f"{table}/face", seat=0)
    async with open_pages(table, anna, watcher) as (page, other):
        for seat in (None, 0, 1, None):
            await anna.done(f"{table}/face", **({} if seat is None else {"seat": seat}))
            for one in (page, other):
                await shows_all(one)
            assert ('id="curtain"' in page.html) is (seat is None)
        assert page.fetched == 0


async def test_streams_end_when_others_may_look_on_no_more(visit: Visit) -> None:
    for fields in ({"watching": "players"}, {"watching": "all", "delay_moves": 2}):
        anna, bernd, clara = visit(), visit(), visit()
        table = await anna.open("me Anna", "open", title="nimm")
        await seated(table, bernd)
        async with open_pages(table, anna, clara) as (page, other):
            await anna.done(f"{table}/chat", text="before")
            await other.until(lambda one: "before" in one.html)
            await anna.done(f"{table}/doors", entry="link", **fields)
            await other.until(lambda one: one.ended)
            await anna.done(f"{table}/chat", text="later on")
            await page.until(lambda one: "later on" in one.html)
            assert "later on" not in other.html
            assert len(other.pushed) == 1


# ---- (d) SQLite on the event loop


async def test_a_lock_of_another_process_does_not_stop_the_loop(
    visit: Visit, server: Server
) -> None:
    anna, bernd = visit(), visit()
    table = await anna.open("me Anna", "hotseat Bernd")
    path = server.app.state.tables.database.engine.url.database
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    # Anyone who wanted the lock in the loop would wait for it in vain: it is given back from there.
    moving = asyncio.create_task(anna.move(table))
    for number in range(3):
        assert (await bernd.client.get("/ready")).text == "ready"
        assert (await bernd.game(table))["number"] == 0
        await bernd.page(table)
        await asyncio.sleep(0.05 * number)
        assert not moving.done()
    other.execute("ROLLBACK")
    other.close()
    await moving
    assert (await bernd.game(table))["number"] == 1


async def test_commits_wait_for_the_disk_elsewhere(visit: Visit, server: Server) -> None:
    anna = visit()
    table = await anna.open("me Anna", "hotseat Bernd")
    database = server.app.state.tables.database
    places: dict[str, set[bool]] = {}

    def trace(statement: str) -> None:
        word = statement.split(None, 1)[0].upper()
        places.setdefault(word, set()).add(threading.current_thread() is threading.main_thread())

    def checked_out(connection: Any, record: Any, proxy: Any) -> None:
        connection._connection._conn.set_trace_callback(trace)

    engine = database._writer.sync_engine
    event.listen(engine, "checkout", checked_out)
    try:
        for _ in range(3):
            await anna.move(table)
    finally:
        event.remove(engine, "checkout", checked_out)
        async with database._writer.connect() as connection:
            raw = await connection.get_raw_connection()
            raw.driver_connection._conn.set_trace_callback(None)
    assert places["COMMIT"] == {False}
    assert places["BEGIN"] == places["UPDATE"] == {True}
    # What goes to the disk before a commit is written ahead, and not waited for.
    async with database.writing() as session:
        connection = await session.connection()
        assert (await connection.exec_driver_sql("PRAGMA journal_mode")).scalar() == "wal"
        assert (await connection.exec_driver_sql("PRAGMA busy_timeout")).scalar() == 0


# ---- (e) several servers


async def test_moves_at_one_server_are_pushed_by_another(postgres_url: str, redis_url: str) -> None:
    async with (
        two_servers(postgres_url, redis_url) as (one, two),
        browsers(one, 1) as (anna,),
        browsers(two, 2) as (bernd, watcher),
    ):
        table = await anna.open("me Anna", "open", title="nimm", undo="free")
        await seated(table, bernd)
        rng = random.Random(2)
        async with open_pages(table, anna, bernd, watcher) as pages:
            for number in range(15):
                await something(rng, table, (anna, bernd), number)
                for page in pages:
                    now = await page.up_to_date()
                    assert without_stamp(now) == without_stamp(page.html)
            assert all(len(page.pushed) >= 10 and page.fetched <= 1 for page in pages)


# ---- (f) who does not read


#: So much a server is to keep for a browser before it stops making more.
ROOM = 8192


async def test_whoever_does_not_read_is_not_written_for(server: Server, visit: Visit) -> None:
    anna, watcher = visit(), visit()
    table = await anna.open("me Anna", "hotseat Bernd", undo="free")
    loop, slow = asyncio.get_running_loop(), socket.socket()
    slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    slow.setblocking(False)
    await loop.sock_connect(slow, ("127.0.0.1", server.port))
    cookie = "; ".join(f"{name}={value}" for name, value in anna.client.cookies.items())
    board = stamp_in(await anna.page(table))
    path = f"{table}/events?push={fragments.FORM}&board={board}"
    head = f"GET {path} HTTP/1.1\r\nhost: localhost\r\ncookie: {cookie}\r\n\r\n"
    await loop.sock_sendall(slow, head.encode())
    read = b""
    while b"event: changed" not in read:
        read += await loop.sock_recv(slow, 4096)
    transport = _transport(server, slow.getsockname())
    # The system is to take little of it, so that the rest is the server's.
    transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
    transport.set_write_buffer_limits(ROOM)
    async with open_pages(table, watcher) as (page,):
        most = 0
        for number in range(200):
            await anna.done(f"{table}/chat", text=f"{number} {'long ' * 80}")
            await page.until(partial(_says, f">{number} long"))
            most = max(most, transport.get_write_buffer_size())
        sizes = [len(msgspec.json.encode(update)) for update in page.pushed]
        # Who reads again is pushed the newest, and not each that came in between.
        async with asyncio.timeout(PATIENCE):
            while b">199 long" not in read:
                read += await loop.sock_recv(slow, 65536)
        events = read.split(b"\r\n\r\n")
        assert ROOM < most < ROOM + 2 * max(map(len, events))
        assert most < sum(sizes) / 2
        assert read.count(b"event: page") < len(page.pushed)
    slow.close()


def _says(wanted: str, page: Open) -> bool:
    return wanted in page.html


def _transport(server: Server, address: tuple[str, int]) -> Any:
    """What the server writes to for a browser at that address."""
    connections: Any = server._server.server_state.connections
    (found,) = (one for one in connections if one.client == address)
    return found.transport
