"""Who may come to a table: passwords, invitations, tables no one looks on at."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from kursbuch.web.live import streams
from tests.web.visitors import PATIENCE, Browser, Server, SetClock, seated

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def moves(table: str, count: int, *players: Browser) -> None:
    """This number of moves, by the player who has to decide."""
    for _ in range(count):
        game = await players[0].game(table)
        await players[game["pending"][0]["seat"]].move(table)


async def test_a_password_is_asked_for_once(anna: Browser, bernd: Browser, clara: Browser) -> None:
    body = {"title": "rocket", "seats": [{"kind": "me", "name": "Anna"}], "entry": "password"}
    await anna.refused(422, "/api/tables", **body, password="")
    table = await anna.open("me Anna", "open", "open", entry="password", password="Lok 01")
    assert 'type="password"' in await bernd.page(table)
    await bernd.refused(403, f"{table}/join", seat=1, name="Bernd")
    assert "Wrong table password" in await bernd.refused(
        403, f"{table}/join", seat=1, name="Bernd", password="lok 01"
    )
    await bernd.done(f"{table}/join", seat=1, name="Bernd", password="Lok 01")
    await bernd.done(f"{table}/leave", seat=1)
    assert 'type="password" required' not in await bernd.page(table)
    await bernd.done(f"{table}/join", seat=2, name="Bernd")
    # The password stays until another one is given, and is shown to no one.
    doors = {"entry": "password", "watching": "all"}
    await bernd.refused(403, f"{table}/doors", **doors)
    await anna.done(f"{table}/doors", **doors)
    await clara.refused(403, f"{table}/join", seat=1, name="Clara")
    path = "/api/tables" + table.removeprefix("/t")
    answer = await clara.send(f"{path}/join", seat=1, name="Clara", password="Lok 01")
    assert answer.status_code == 200
    for person in (anna, clara):
        assert "Lok 01" not in await person.page(table)


async def test_an_invitation_lets_so_many_in_until_it_is_revoked(
    anna: Browser, bernd: Browser, clara: Browser
) -> None:
    table = await anna.open("me Anna", "open", "open", entry="invited", listed=False)
    assert "by invitation only" in await bernd.refused(403, f"{table}/join", seat=1, name="Bernd")
    await bernd.refused(403, f"{table}/invite", uses=1)
    await anna.refused(422, f"{table}/invite", uses=51)
    made = (await anna.done(f"{table}/invite", uses=1)).json()
    path = made["link"].removeprefix(anna.url)
    assert "You are invited" in await bernd.page(path)
    # Looking at it does not use it up; coming again neither.
    await clara.page(path)
    for _ in range(2):
        answer = await bernd.client.post(path, headers={"accept": "text/html"})
        assert answer.headers["location"] == table
    await clara.refused(404, path)
    await bernd.done(f"{table}/join", seat=1, name="Bernd")
    other = (await anna.done(f"{table}/invite", uses=5)).json()
    page = await anna.page("/tables")
    assert other["link"] in page
    assert "used 1 time, 0 more possible" in page
    assert other["link"] not in await bernd.page("/tables")
    await bernd.refused(404, f"/invitations/{other['id']}/revoke")
    await anna.done(f"/invitations/{other['id']}/revoke")
    await clara.refused(404, other["link"].removeprefix(anna.url))
    assert other["link"] not in await anna.page("/tables")
    await clara.refused(403, f"{table}/join", seat=2, name="Clara")


async def test_a_table_is_closed_to_those_who_look_on(
    anna: Browser, bernd: Browser, clara: Browser
) -> None:
    table = await anna.open("me Anna", "open", watching="players")
    await seated(table, bernd)
    await moves(table, 1, anna, bernd)
    assert "Spectators are not allowed" in await clara.page(table, 403)
    path = table.removeprefix("/t")
    parts = (
        "",
        "/live",
        "/board.svg",
        "/record",
        "/numbers",
        "/numbers.csv",
        "/events",
        "/why?key=x",
        "/places",
    )
    for part in parts:
        assert (await clara.client.get(table + part)).status_code == 403, part
        if part != "/events":
            assert (await bernd.client.get(table + part)).status_code == 200, part
    assert (await clara.client.get(f"/api/tables{path}")).status_code == 403
    await clara.refused(403, f"{table}/copy", number=0, seat0="me", seat1="me")
    await clara.refused(403, f"{table}/foresee", number=1, action={})
    # The lists tell nothing of its course.
    lists = (await clara.client.get("/api/tables")).json()
    (line,) = [one for one in lists["running"] if one["id"] == path[1:]]
    assert line["moves"] == 0
    # Who opened it lets people look on, and everybody reads that.
    await clara.refused(403, f"{table}/doors", entry="link", watching="all")
    await anna.done(f"{table}/doors", entry="link", watching="all", delay_moves=0)
    assert "Anna changes who may watch: everybody." in await clara.page(table)
    # Who could play on a free seat sits down at the door.
    await anna.done(f"{table}/doors", entry="password", password="x", watching="players")
    await anna.done(f"{table}/replace", seat=1, by="")
    await bernd.done(f"{table}/replace/answer", answer="yes")
    door = await clara.page(table, 403)
    assert f'action="{table}/join"' in door
    assert 'name="password"' in door
    await clara.done(f"{table}/join", seat=1, name="Clara", password="x")
    await clara.page(table)


async def test_streams_of_those_who_look_on_end_when_they_may_no_longer(
    anna: Browser, bernd: Browser, clara: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await anna.open("me Anna", "open", watching="players", undo="free")
    before = clara.events(table)
    assert (await anext(before))["number"] == 0
    playing = anna.events(table)
    assert (await anext(playing))["number"] == 0
    # Before the game there is nothing to be seen; then it begins.
    await seated(table, bernd)
    await ended(before)
    await anna.done(f"{table}/doors", entry="link", watching="all")
    now = clara.events(table)
    assert (await anext(now))["number"] == 0
    await anna.done(f"{table}/doors", entry="link", watching="all", delay_moves=2)
    await ended(now)
    monkeypatch.setattr(streams, "HEARTBEAT", 0.2)
    later = clara.events(table)
    assert (await anext(later))["number"] == 0
    await anna.done(f"{table}/doors", entry="link", watching="players")
    await ended(later)
    live_version = (await anna.game(table))["version"]
    # Who plays there goes on hearing of everything.
    while (await anext(playing))["version"] < live_version:
        pass


async def ended(stream: AsyncIterator[dict[str, Any]]) -> None:
    """Anyone who listens there is told no more."""
    async with asyncio.timeout(PATIENCE):
        async for event in stream:
            assert event["number"] == 0


async def test_those_who_look_on_are_moves_behind(
    anna: Browser, bernd: Browser, clara: Browser
) -> None:
    table = await anna.open("me Anna", "open", delay_moves=2, undo="free")
    await seated(table, bernd)
    await moves(table, 5, anna, bernd)
    await bernd.done(f"{table}/chat", text="Well placed!")
    now, then = await anna.game(table), await clara.game(table)
    assert (now["number"], then["number"]) == (5, 3)
    assert then["log"] == [line for line in now["log"] if line["number"] <= 3]
    assert then["state"] != now["state"]
    assert then["version"] != now["version"]
    page, whole = await clara.page(table), await anna.page(table)
    assert "You are watching, 2 moves behind." in page
    assert 'data-number="3"' in page
    assert 'data-number="5"' in whole
    assert "Well placed!" in whole
    assert "Well placed!" not in page
    later = [line["text"] for line in now["log"] if line["number"] > 3]
    early = {line["text"] for line in now["log"] if line["number"] <= 3}
    for part in ("", "/live", "/record", "/numbers", "/places", "?move=5", "?move=4"):
        if part.startswith("?"):
            assert (await clara.client.get(table + part)).status_code in (404, 422, 409)
            continue
        text = await clara.page(table + part)
        assert not [line for line in later if line in text and line not in early], part
    # A program that asks the interface sees the same, and the record ends there.
    record = await clara.page(f"{table}/record")
    assert "3. " in record
    assert "\n4. " not in record
    drawn = await clara.page(f"{table}/board.svg")
    assert drawn != await anna.page(f"{table}/board.svg")
    assert drawn == await anna.page(f"{table}/board.svg?move=3")
    # What may not be seen may not be copied.
    await clara.refused(422, f"{table}/copy", number=4, seat0="me", seat1="me")
    copied = await clara.done(f"{table}/copy", number=3, seat0="me", seat1="me")
    assert copied.status_code == 201
    offered = re.findall(r'name="(number|version)" value="(\d+)"', page)
    shown = {**dict(offered), "seat0": "me", "seat1": "me"}
    assert shown["version"] == str(then["version"])
    assert (await clara.done(f"{table}/copy", **shown)).status_code == 201
    # The stream begins with what they see; a move shows two moves later.
    stream = clara.events(table)
    first = await anext(stream)
    assert first["number"] == 3
    await moves(table, 1, anna, bernd)
    after = await clara.game(table)
    assert after["number"] == 4
    assert after["version"] > then["version"]
    # When the game is over there is nothing to be gained any more.
    await anna.done(f"{table}/end")
    await bernd.done(f"{table}/end/answer", answer="yes")
    assert (await clara.game(table))["number"] == 6


async def test_those_who_look_on_are_minutes_behind(
    anna: Browser, bernd: Browser, clara: Browser, clock: SetClock
) -> None:
    table = await anna.open("me Anna", "hotseat Bernd", delay_minutes=15, undo="free")
    await anna.move(table)
    clock.on(minutes=10)
    await anna.move(table)
    await anna.done(f"{table}/chat", text="Anybody there?")
    assert (await clara.game(table))["number"] == 0
    clock.on(minutes=6)
    seen = await clara.game(table)
    assert seen["number"] == 1
    assert "Anybody there?" not in await clara.page(table)
    clock.on(minutes=10)
    assert "Anybody there?" in await clara.page(table)
    assert (await clara.game(table))["number"] == 2
    # The end is seen later, too.
    await anna.done(f"{table}/end")
    assert (await clara.game(table))["status"] == "running"
    assert await listed(clara, table) == [("running", "running", 0)]
    assert table in await clara.page("/")
    assert await listed(anna, table) == []
    clock.on(minutes=16)
    assert (await clara.game(table))["status"] == "closed"
    assert await listed(clara, table) == []


async def listed(who: Browser, table: str) -> list[tuple[str, str, int]]:
    """In which lists a table is, with its status and its moves."""
    lists = (await who.client.get("/api/tables")).json()
    return [
        (name, one["status"], one["moves"])
        for name, lines in lists.items()
        for one in lines
        if one["id"] in table
    ]


async def test_a_game_is_listed_as_it_is_seen(
    server: Server, anna: Browser, bernd: Browser, clara: Browser, clock: SetClock
) -> None:
    """Of someone who has opened a table and looks on, and of strangers."""
    table = await clara.open("open", "open", delay_minutes=15)
    for number, person in enumerate((anna, bernd)):
        await person.done(f"{table}/join", seat=number, name=f"Player {number}")
    await anna.done(f"{table}/start")
    async with server.app.state.tables.changing(table.removeprefix("/t/")) as change:
        change.table.status, change.table.turn = "finished", []
        change.table.result = {"scores": [5, 3], "winners": [0]}
    stranger = Browser(server.url)
    for who, own in ((clara, "mine"), (stranger, None), (anna, "mine")):
        status = "finished" if who is anna else "running"
        found = await listed(who, table)
        assert found == [(name, status, 0) for name in filter(None, (own, status))]
    clock.on(minutes=16)
    for who, own in ((clara, "mine"), (stranger, None)):
        found = await listed(who, table)
        assert found == [(name, "finished", 0) for name in filter(None, (own, "finished"))]
    await stranger.client.aclose()


async def test_nobody_is_offered_a_seat_of_a_game_that_is_over(
    anna: Browser, bernd: Browser, clara: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streams, "HEARTBEAT", 0.2)
    table = await anna.open("me Anna", "open", "open", delay_minutes=15)
    await bernd.done(f"{table}/join", seat=1, name="Bernd")
    await clara.done(f"{table}/join", seat=2, name="Clara")
    await anna.done(f"{table}/start")
    await anna.done(f"{table}/replace", seat=2, by="")
    for person in (bernd, clara):
        await person.done(f"{table}/replace/answer", answer="yes")
    visitor = Browser(anna.url)
    offer = f'action="{table}/join"'
    assert offer in await visitor.page(table)
    assert "1 free seat" in await visitor.page("/")
    told = visitor.events(table)
    await anext(told)
    await anna.done(f"{table}/end")
    await bernd.done(f"{table}/end/answer", answer="yes")
    # The page hears of it, and still sees the game go on.
    async with asyncio.timeout(PATIENCE):
        await anext(told)
    page = await visitor.page(table)
    assert offer not in page
    assert (await visitor.game(table))["status"] == "running"
    assert "1 free seat" not in await visitor.page("/")
    await visitor.client.aclose()


async def test_a_table_that_is_closed_before_its_game_is_closed_for_everybody(
    anna: Browser, clara: Browser
) -> None:
    table = await anna.open("me Anna", "open", delay_minutes=15)
    await anna.done(f"{table}/close")
    assert (await clara.game(table))["status"] == "closed"
    assert "This table is closed." in await clara.page(table)
    assert await listed(clara, table) == []


async def test_who_has_opened_a_table_sees_its_end(
    server: Server, anna: Browser, bernd: Browser, clara: Browser
) -> None:
    """Of a table at which no one else looks on."""
    table = await clara.open("open", "open", watching="players")
    for number, person in enumerate((anna, bernd)):
        await person.done(f"{table}/join", seat=number, name=f"Player {number}")
    await anna.done(f"{table}/start")
    async with server.app.state.tables.changing(table.removeprefix("/t/")) as change:
        change.table.status, change.table.turn = "finished", []
        change.table.result = {"scores": [5, 3], "winners": [0]}
    assert ("mine", "finished", 0) in await listed(clara, table)
    assert "Player 0 wins." in await clara.page("/")
    stranger = Browser(server.url)
    assert await listed(stranger, table) == []
    await stranger.client.aclose()


@pytest.mark.parametrize(
    ("minutes", "label"),
    [(90, "90 minutes"), (120, "2 hours"), (24 * 60, "1 day"), (3 * 24 * 60, "3 days")],
)
async def test_delays_are_said_in_units_that_fit(anna: Browser, minutes: int, label: str) -> None:
    table = await anna.open("me Anna", "open", delay_minutes=minutes)
    assert f"<dd>everybody, {label} behind</dd>" in await anna.page(table)


async def test_open_tables_are_found_by_what_they_are_like(
    anna: Browser, bernd: Browser, clara: Browser
) -> None:
    live = await anna.open("me Anna", "open", "open", language="de")
    slow = await anna.open(
        "me Anna", "open", slow=True, move_hours=24, entry="password", password="x"
    )
    hidden = await anna.open("me Anna", "open", listed=False)
    other = await anna.open("me Anna", "open", "open", "open", title="dice")

    async def found(query: str = "") -> set[str]:
        page = await clara.page(f"/tables{query}")
        return {table for table in (live, slow, hidden, other) if f'href="{table}"' in page}

    assert await found() == {live, slow, other}
    assert await found("?title=dice") == {other}
    assert await found("?time=slow") == {slow}
    assert await found("?time=live&language=de") == {live}
    assert await found("?free=2") == {live, other}
    assert await found("?free=3&title=rocket") == set()
    assert "anyone with the password" in await clara.page("/tables")
    for wrong in ("?free=x", "?free=99999999999", "?title=y&time=x&language=xx"):
        await clara.page(f"/tables{wrong}")
    # A game that goes on and has lost a player looks for another.
    await seated(slow_table := await anna.open("me Anna", "open"), bernd)
    await anna.done(f"{slow_table}/replace", seat=1, by="")
    await bernd.done(f"{slow_table}/replace/answer", answer="yes")
    page = await clara.page("/tables")
    assert page.index("Seat wanted") < page.index(f'href="{slow_table}"')
    await clara.done(f"{slow_table}/join", seat=1, name="Clara")
    assert "Seat wanted" not in await clara.page("/tables")


async def test_strangers_do_not_use_up_the_attempts_of_guests(
    server: Server, anna: Browser, bernd: Browser
) -> None:
    table = await anna.open("me Anna", "open", entry="password", password="Lok 01")
    wish = {"seat": 1, "name": "Mallory", "password": "wrong"}
    headers = {"x-forwarded-for": "203.0.113.9"}
    async with httpx.AsyncClient(base_url=server.url, headers=headers) as mallory:
        found = [(await mallory.post(f"{table}/join", json=wish)).status_code for _ in range(60)]
    assert found == [403] * 20 + [429] * 40
    await bernd.done(f"{table}/join", seat=1, name="Bernd", password="Lok 01")
