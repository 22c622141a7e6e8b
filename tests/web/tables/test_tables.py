"""Opening, joining, starting, handing on, talking, closing; and everything that is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from kursbuch.web.settings import Settings
from tests.web.visitors import HTML, Browser, Server, SetClock, browsers, seated

pytestmark = pytest.mark.asyncio(loop_scope="module")

BOARD = json.loads((resources.files("kursbuch.games.rocket") / "board.json").read_text("utf-8"))


async def count(browser: Browser) -> int:
    lists = (await browser.client.get("/api/tables")).json()
    return len(lists["mine"])


async def test_people_join_by_link_and_the_game_begins(
    anna: Browser, bernd: Browser, clara: Browser
) -> None:
    table = await anna.open("me Anna", "open", "bot random")
    assert "Begin" not in await clara.page(table)
    await bernd.refused(403, f"{table}/start")
    await anna.refused(409, f"{table}/start")
    await bernd.done(f"{table}/join", seat=1, name="  Bernd   Blau ")
    await clara.refused(409, f"{table}/join", seat=1, name="Clara")
    await bernd.done(f"{table}/start")
    game = await clara.game(table)
    assert game["status"] == "running"
    assert [seat["name"] for seat in game["seats"]][:2] == ["Anna", "Bernd Blau"]
    assert game["my_seats"] == []
    assert game["choices"] == []
    assert (await anna.game(table))["my_seats"] == [0]
    await clara.refused(409, f"{table}/join", seat=1, name="Clara")


async def test_a_table_without_free_seats_starts_at_once(anna: Browser) -> None:
    table = await anna.open("me Anna", "hotseat Bernd")
    assert (await anna.game(table))["status"] == "running"
    await anna.refused(409, f"{table}/start")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("", "empty"),
        ("   ", "empty"),
        ("N" * 41, "too long"),
        ("N" * 30_000, "too long"),
        ("anna", "both"),
        ("A\u202eB", "cannot be shown"),
        ("A\x00B", "an invalid character"),
    ],
)
async def test_unusable_names(anna: Browser, bernd: Browser, name: str, words: str) -> None:
    table = await anna.open("me Anna", "open")
    version = (await anna.game(table))["version"]
    assert words in await bernd.refused(422, f"{table}/join", seat=1, name=name)
    assert (await anna.game(table))["version"] == version


async def test_html_in_names_and_chat_is_only_text(anna: Browser, bernd: Browser) -> None:
    name, text = '<b onclick="x">\'&', "<script>alert(1)</script> \"'&"
    table = await anna.open({"kind": "me", "name": name}, "open")
    await bernd.done(f"{table}/join", seat=1, name="<i>Bernd</i>")
    await anna.done(f"{table}/start")
    await anna.done(f"{table}/chat", text=text)
    await bernd.move(table) if (await bernd.game(table))["choices"] else await anna.move(table)
    for path in (table, f"{table}/live", f"{table}?move=1", "/", f"{table}/board.svg"):
        page = await anna.page(path)
        assert "<script>alert" not in page
        assert "<b onclick" not in page
        assert "<i>Bernd" not in page
    assert "&lt;script&gt;alert(1)" in await anna.page(table)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"title": "1899"}, "no title"),
        ({"seats": [{"kind": "me", "name": "A"}]}, "2 to 4"),
        ({"seats": [{"kind": "me", "name": "A"}] * 2}, "both"),
        ({"seats": [{"kind": "me", "name": ""}, {"kind": "open"}]}, "empty"),
        ({"seats": [{"kind": "king"}, {"kind": "open"}]}, "kind"),
        ({"seats": [{"kind": "bot", "bot": "mcts:600000ms"}, {"kind": "open"}]}, "opponent"),
        ({"seats": [{"kind": "bot", "bot": ""}, {"kind": "open"}]}, "opponent"),
        ({"options": {"gauge": "narrow"}}, "no option"),
        ({"options": {"money": "secret"}}, "cannot be"),
        ({"undo": "always"}, "rule for undo"),
        ({"objection": 0}, "objections"),
        ({"objection": -5}, "objections"),
        ({"objection": 10**8}, "objections"),
        ({"pace": -1}, "pace"),
        ({"pace": 1e9}, "pace"),
        ({"language": "tlh"}, "language"),
    ],
)
async def test_tables_that_cannot_be_opened(
    anna: Browser, change: dict[str, Any], words: str
) -> None:
    wanted = {"title": "rocket", "seats": [{"kind": "me", "name": "A"}, {"kind": "open"}]}
    assert words in await anna.refused(422, "/api/tables", **{**wanted, **change})
    assert await count(anna) == 0


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"7",
        b"[" * 60_000,
        b"\xff\xfe",
        b'{"title": 7}',
        b'{"title":"rocket","seats":7}',
    ],
)
async def test_junk_for_a_new_table(anna: Browser, body: bytes) -> None:
    for path in ("/api/tables", "/tables"):
        headers = {"content-type": "application/json"}
        answer = await anna.client.post(path, content=body, headers=headers)
        assert 400 <= answer.status_code < 500
        assert answer.json()["error"]


async def upload(browser: Browser, data: bytes, status: int) -> str:
    form = {
        "title": "rocket",
        "seats": "2",
        "seat0_kind": "me",
        "seat0_name": "Anna",
        "seat1_kind": "hotseat",
        "seat1_name": "Bernd",
    }
    answer = await browser.client.post(
        "/tables", data=form, files={"data": ("board.json", data)}, headers=HTML
    )
    assert answer.status_code == status, answer.text
    return answer.headers["location"] if status == 303 else answer.text


async def test_a_table_with_own_component_data(anna: Browser) -> None:
    data = json.loads(json.dumps(BOARD))
    for part in data["components"]:
        if part["id"] == "share":
            part["per_line"] = 3
    table = await upload(anna, json.dumps(data).encode(), 303)
    game = await anna.game(table)
    assert game["status"] == "running"
    assert game["state"]["ledger"]["items"]["share:GWR"] == {"stock": 3}
    page = await anna.page(table)
    assert "Component data" in page
    record = (await anna.client.get(f"{table}/record")).text
    usual = (await anna.client.get(f"{await anna.open('me', 'hotseat')}/record")).text
    assert record.split("data: ")[1][:64] != usual.split("data: ")[1][:64]


def hole() -> bytes:
    data = json.loads(json.dumps(BOARD))
    first = data["hexes"][0]["id"]
    keep = [one for one in data["hexes"] if one["kind"] != "open" or one["id"] == first]
    return json.dumps({**data, "hexes": keep}).encode()


@pytest.mark.parametrize(
    "data", [hole(), b"junk", b"{}", b"[" * 5000, b"\x00" * 100, json.dumps(BOARD)[:-200].encode()]
)
async def test_unusable_component_data(anna: Browser, data: bytes) -> None:
    page = await upload(anna, data, 422)
    assert 'role="alert"' in page
    assert await count(anna) == 0


async def test_bodies_have_limits(anna: Browser) -> None:
    table = await anna.open("me", "hotseat")
    answer = await anna.send(f"{table}/chat", text="x" * 200_000)
    assert answer.status_code == 413
    assert answer.json()["error"]
    page = await anna.client.post(
        "/tables", data={"title": "rocket"}, files={"data": ("b", b"x" * 3_000_000)}, headers=HTML
    )
    assert page.status_code == 413


async def test_chat(anna: Browser, bernd: Browser) -> None:
    table = await anna.open("me Anna", "open")
    await anna.done(f"{table}/chat", text="  Hello\n\n there ")
    await bernd.refused(403, f"{table}/chat", text="Hi")
    assert "too long" in await anna.refused(422, f"{table}/chat", text="x" * 501)
    assert "empty" in await anna.refused(422, f"{table}/chat", text=" \t ")
    assert "must contain text" in await anna.refused(422, f"{table}/chat", text=["x"])
    page = await bernd.page(table)
    assert "Hello there" in page


async def test_a_seat_is_handed_on_by_a_link_that_works_once(
    anna: Browser, bernd: Browser, clara: Browser
) -> None:
    table = await anna.open("me Anna", "hotseat Bernd")
    await bernd.refused(403, f"{table}/hand-on", seat=1)
    await anna.refused(404, f"{table}/hand-on", seat=7)
    link = (await anna.done(f"{table}/hand-on", seat=1)).json()["link"]
    path = link.removeprefix(anna.url)
    assert "/seat/" in await anna.page(table)
    assert "/seat/" not in await clara.page(table)
    assert "Bernd" in await bernd.page(path)
    assert (await bernd.game(table))["my_seats"] == []
    taken = await bernd.client.post(path, headers=HTML)
    assert taken.status_code == 303
    assert (await bernd.game(table))["my_seats"] == [1]
    assert (await anna.game(table))["my_seats"] == [0]
    assert (await clara.client.post(path)).status_code == 404
    await anna.refused(403, f"{table}/hand-on", seat=1)


async def test_names_can_be_changed_and_the_record_follows(anna: Browser, bernd: Browser) -> None:
    table = await anna.open("me Anna", "hotseat Bernd")
    await anna.move(table)
    await bernd.refused(403, f"{table}/rename", seat=0, name="X")
    await anna.refused(422, f"{table}/rename", seat=0, name="bernd")
    await anna.done(f"{table}/rename", seat=0, name="Annegret")
    assert "Annegret" in (await anna.client.get(f"{table}/record")).text
    assert "Annegret" in await bernd.page(table)
    await anna.move(table)


async def test_a_player_can_stand_up_before_the_game(anna: Browser, bernd: Browser) -> None:
    table = await anna.open("me Anna", "open")
    await bernd.done(f"{table}/join", seat=1, name="Bernd")
    await anna.refused(403, f"{table}/leave", seat=1)
    await bernd.done(f"{table}/leave", seat=1)
    assert (await anna.game(table))["seats"][1]["free"]


async def test_only_the_opener_closes_a_table_and_no_game_of_others(
    anna: Browser, bernd: Browser, clara: Browser, clock: SetClock
) -> None:
    # Who opened a table and does not play there ends no one's game.
    theirs = await anna.open("open", "open")
    await seated(theirs, bernd, clara)
    await anna.refused(403, f"{theirs}/close")
    clock.on(days=30)
    await anna.refused(403, f"{theirs}/close")
    table = await anna.open("me Anna", "open")
    await seated(table, bernd)
    await bernd.refused(403, f"{table}/close")
    # Who plays with others asks them, unless they have gone for good.
    assert "Others are playing here" in await anna.refused(403, f"{table}/close")
    assert f"{table}/close" not in await anna.page(table)
    clock.on(days=15)
    assert f"{table}/close" in await anna.page(table)
    await anna.done(f"{table}/close")
    game = await anna.game(table)
    assert game["status"] == "closed"
    assert game["choices"] == []
    await anna.page(table)
    await anna.refused(409, f"{table}/move", number=0, action={})
    await anna.refused(409, f"{table}/close")


async def test_a_game_ends_without_a_result_if_all_agree(
    anna: Browser, bernd: Browser, clara: Browser, visit: Callable[..., Browser]
) -> None:
    table = await anna.open("me Anna", "open", "open", "bot greedy", pace=60)
    await clara.refused(409, f"{table}/end")
    await seated(table, bernd, clara)
    end, answer = f"{table}/end", f"{table}/end/answer"
    await anna.refused(409, answer, answer="yes")
    await visit().refused(403, end)
    await bernd.done(end)
    assert "would like to end the game" in await anna.page(table)
    assert "have not all answered" in await bernd.page(table)
    await anna.refused(409, end)
    await bernd.refused(403, answer, answer="yes")
    await anna.refused(422, answer, answer="perhaps")
    # One refusal is enough, and anyone who asked can withdraw.
    await clara.done(answer, answer="no")
    await anna.refused(409, answer, answer="yes")
    await bernd.done(end)
    await bernd.done(answer, answer="no")
    await clara.done(end)
    await anna.done(answer, answer="yes")
    await anna.done(answer, answer="yes")
    assert (await anna.game(table))["status"] == "running"
    await bernd.done(answer, answer="yes")
    game = await anna.game(table)
    assert (game["status"], game["winners"], game["choices"]) == ("closed", None, [])
    await anna.refused(409, end)


async def test_who_plays_alone_ends_the_game_alone(anna: Browser) -> None:
    table = await anna.open("me Anna", "hotseat Bernd")
    await anna.move(table)
    await anna.done(f"{table}/end")
    assert "The game was ended without a result." in await anna.page(table)
    assert (await anna.client.get(f"{table}/record")).status_code == 200


async def test_a_visitor_may_have_only_so_many_open_tables(tmp_path: Path) -> None:
    settings = Settings(database=str(tmp_path / "tables.sqlite3"), bot_processes=1, most_open=2)
    async with Server(settings) as server, browsers(server, 2) as (anna, bernd):
        first = await anna.open("me", "open")
        second = await anna.open("me", "hotseat")
        seats = [{"kind": "me", "name": "A"}, {"kind": "open"}]
        sentence = await anna.refused(409, "/api/tables", title="rocket", seats=seats)
        assert "You already have 2 open tables" in sentence
        form = {"title": "rocket", "seats": "2", "seat0_kind": "me", "seat0_name": "Anna"}
        page = await anna.client.post("/tables", data=form, headers=HTML)
        assert page.status_code == 409
        assert "You already have 2 open tables" in page.text
        # That others have tables does not matter, nor do one's own that are over.
        await bernd.open("me", "open")
        await anna.done(f"{first}/close")
        await anna.open("me", "open")
        await anna.refused(409, "/api/tables", title="rocket", seats=seats)
        await anna.done(f"{second}/end")
        await anna.open("me", "open")


async def test_plain_forms_work_without_scripts(anna: Browser, bernd: Browser) -> None:
    table = await anna.open("me Anna", "open")
    for path, form in (("join", {"seat": "1", "name": "Bernd"}), ("chat", {"text": "Hi"})):
        answer = await bernd.client.post(f"{table}/{path}", data=form, headers=HTML)
        assert (answer.status_code, answer.headers["location"]) == (303, table)
    await bernd.client.post(f"{table}/start", headers=HTML)
    game = await bernd.game(table)
    assert game["status"] == "running"
    mover = bernd if game["choices"] else anna
    action = (await mover.game(table))["choices"][0]["action"]
    form = {"number": "0", "action": json.dumps(action)}
    answer = await mover.client.post(f"{table}/move", data=form, headers=HTML)
    assert answer.status_code == 303
    refused = await mover.client.post(f"{table}/move", data=form, headers=HTML)
    assert refused.status_code == 409
    assert "<h1>" in refused.text


async def test_links_name_an_address_that_others_can_use(tmp_path: Path) -> None:
    alone = "This link works on this device only."
    database = str(tmp_path / "tables.sqlite3")
    settings = Settings(database, bot_processes=1, hosts="games.example, 127.0.0.1")
    async with Server(settings) as server, browsers(server, 1) as (anna,):
        table = await anna.open("me Anna", "open")
        page = await anna.page(table)
        assert f'value="{server.url}{table}"' in page
        assert alone in page
        # Anyone who comes by a name that others know as well gets links with that name.
        anna.client.headers["host"] = "games.example:8443"
        page = await anna.page(table)
        assert f'value="http://games.example:8443{table}"' in page
        assert alone not in page
    in_network = "http://192.168.1.5:8000"
    settings = Settings(settings.database, bot_processes=1, address=in_network)
    async with Server(settings) as server, browsers(server, 1) as (anna,):
        page = await anna.page(table)
        assert f'value="{in_network}{table}"' in page
        assert alone not in page
