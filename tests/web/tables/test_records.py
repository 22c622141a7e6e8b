"""Records are opened on the page: read, refused with their line, gone on with and looked at."""

from __future__ import annotations

import hashlib
import html
import json
import re
from pathlib import Path
from typing import Any

import pytest

import kursbuch
from kursbuch.core.game import Game
from kursbuch.core.title import Title
from kursbuch.games.rocket.components import standard_data
from kursbuch.web.db.models import DataFile, Table
from kursbuch.web.tables import records
from tests.web.visitors import HTML, Browser, Server

pytestmark = pytest.mark.asyncio(loop_scope="module")


GAMES = Path(__file__).parents[2] / "browser" / "games"


def renamed(town: str) -> bytes:
    """Component data in which Sheffield is called otherwise."""
    file: dict[str, Any] = json.loads(standard_data())
    file["metropolises"][0]["name"] = town
    return json.dumps(file).encode()


def hidden(page: str, name: str) -> str:
    """What a page sends on in a field that no one sees, with the ends of lines of forms."""
    found = re.search(rf"<textarea name=\"{name}\" hidden>(.*?)</textarea>", page, re.S)
    assert found is not None
    return html.unescape(found[1]).replace("\n", "\r\n")


def record(moves: int, data: bytes | None = None) -> str:
    """The record of a game that was begun elsewhere."""
    game = kursbuch.new("rocket", players=["Ada", "Ben", "Cleo"], seed="11", data=data)
    for _ in range(moves):
        (decision, *_rest) = game.pending
        game.apply(game.legal_actions(decision.seat)[0].action)
    return game.record()


def finished() -> Game:
    """A game that is over."""
    return kursbuch.load(GAMES.joinpath("rocket.txt").read_text())


async def test_a_record_is_read_and_gone_on_with(anna: Browser, bernd: Browser) -> None:
    text = record(6)
    sent = {"file": ("game.txt", text.encode(), "text/plain")}
    page = (await anna.client.post("/open", files=sent, headers=HTML)).text
    assert "Ada" in page
    assert 'max="6"' in page
    # What the page sends on is the record, with the ends of lines of forms.
    fields = {
        "text": hidden(page, "text"),
        "number": "4",
        "kind": "table",
        "seat0": "me",
        "seat1": "open",
        "seat2": "greedy",
        "undo": "ask",
        "listed": "1",
    }
    answer = await anna.client.post("/open/table", data=fields, headers=HTML)
    assert answer.status_code == 303, answer.text
    table = answer.headers["location"]
    game = await anna.game(table)
    assert (game["number"], game["copied"], game["my_seats"]) == (4, 4, [0])
    assert [seat["free"] for seat in game["seats"]] == [False, True, False]
    page = await anna.page(table)
    assert "continues a saved game after move 4" in page
    assert f'"{table}/correct"' not in page
    assert game["log"]
    assert "Ada" in game["log"][-1]["text"] + game["log"][0]["text"]
    # The free seat is looked for, and the game goes on.
    assert f'href="{table}"' in (await bernd.page("/tables")).partition("Seat wanted")[2]
    await bernd.done(f"{table}/join", seat=1, name="Bernd")
    game = await anna.until(table, lambda game: any(one["seat"] < 2 for one in game["pending"]))
    await (anna, bernd)[game["pending"][0]["seat"]].move(table)
    # Nothing of the record is taken back.
    assert all(one["to"] >= 4 for one in (await anna.game(table))["undo"])


async def test_a_copy_of_ones_own_and_a_game_that_is_over(anna: Browser, bernd: Browser) -> None:
    everything = {f"seat{seat}": "me" for seat in range(3)}
    answer = await anna.done("/open/table", text=record(3), number=3, kind="copy", **everything)
    table = answer.json()["url"]
    # Anyone who opens a table moderates it, unless strangers find it.
    assert f'"{table}/correct"' in await anna.page(table)
    assert (await anna.game(table))["my_seats"] == [0, 1, 2]
    assert table not in await bernd.page("/tables") + await bernd.page("/")
    assert (await bernd.game(table))["number"] == 3
    over = finished()
    assert over.result is not None
    seats = {f"seat{seat}": "me" for seat in range(len(over.names))}
    page = await anna.client.post("/open", data={"text": over.record()}, headers=HTML)
    assert "The game is over." in page.text
    answer = await anna.done(
        "/open/table", text=over.record(), number=len(over.moves), kind="copy", **seats
    )
    game = await anna.game(answer.json()["url"])
    assert (game["status"], game["winners"]) == ("finished", list(over.result.winners))
    answer = await anna.done(
        "/open/table", text=over.record(), number=len(over.moves) - 1, kind="copy", **seats
    )
    assert (await anna.game(answer.json()["url"]))["status"] == "running"


async def test_a_wrong_record_is_refused_with_its_line(anna: Browser) -> None:
    lines = record(5).splitlines()
    at = next(number for number, line in enumerate(lines) if line.startswith("3. "))
    lines[at] = "3. Ada sings"
    sentence = await anna.refused(422, "/open", text="\n".join(lines))
    assert sentence.startswith(f"Line {at + 1}:")
    page = await anna.client.post("/open", data={"text": "\n".join(lines)}, headers=HTML)
    assert page.status_code == 422
    assert f"Line {at + 1}:" in page.text
    assert "Ada sings" in page.text
    assert "Line 1" in await anna.refused(422, "/open", text="I took Manchester")
    assert "There is no record" in await anna.refused(422, "/open", text="  ")
    for content, name in ((b"\xff\xfe", "x.txt"), (b"nonsense", "x.rails"), (b"{}", "x.rails")):
        answer = await anna.client.post("/open", files={"file": (name, content)})
        assert answer.status_code == 422, answer.text
        assert answer.json()["error"].endswith(".")
    text = record(2)
    wrong = [
        {"number": 3, "seat0": "me", "seat1": "me", "seat2": "me"},
        {"number": 2, "seat0": "me", "seat1": "me"},
        {"number": 2, "seat0": "me", "seat1": "me", "seat2": "open"},
        {"number": 2, "seat0": "me", "seat1": "me", "seat2": "nobody"},
        {"number": 2, "kind": "x", "seat0": "me", "seat1": "me", "seat2": "me"},
        {"number": 2, "kind": "table", "undo": "x", "seat0": "me", "seat1": "me", "seat2": "me"},
    ]
    for fields in wrong:
        await anna.refused(422, "/open/table", **{"text": text, "kind": "copy", **fields})
    await anna.refused(422, "/open", text="Kursbuch record 1\n" + "x" * 1_000_001)


async def test_data_that_a_table_has_are_found_by_the_record(anna: Browser, bernd: Browser) -> None:
    data = renamed("New Sheffield")
    form = {"title": "rocket", "seats": "2", "seat0_kind": "me", "seat0_name": "Anna"}
    form |= {"seat1_kind": "hotseat", "seat1_name": "Bernd"}
    files = {"data": ("board.json", b" " + data + b"\n")}
    other = {"data": ("board.json", renamed("Elsewhere"))}
    await anna.client.post("/tables", data=form, files=other, headers=HTML)
    played = await anna.client.post("/tables", data=form, files=files, headers=HTML)
    await anna.move(played.headers["location"])
    text = await anna.page(f"{played.headers['location']}/record")
    page = (await bernd.client.post("/open", data={"text": text}, headers=HTML)).text
    assert "changed by the players" in page
    assert 'name="data"' not in page
    sent = {"text": text, "number": 1, "players": ["me", "me"]}
    for _ in range(2):
        table = (await bernd.done("/api/records", **sent)).json()["url"]
        assert "New Sheffield" in await bernd.page(table)
    await bernd.move(table)


async def test_data_that_nobody_has_come_with_the_record(
    anna: Browser, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = renamed("Old Sheffield")
    text = record(3, data)
    sentence = await anna.refused(422, "/open", text=text)
    assert "choose the file with that data, too" in sentence
    page = await anna.client.post("/open", data={"text": text}, headers=HTML)
    assert page.status_code == 422
    assert 'type="file" name="data"' in page.text
    sent: dict[str, Any] = {"text": text, "number": 3, "players": ["me"] * 3}
    assert "no table here" in await anna.refused(422, "/api/records", **sent)
    other = await anna.refused(422, "/api/records", **sent, data=renamed("Elsewhere").decode())
    assert "was played with component data other than that given" in other
    await anna.refused(422, "/api/records", **sent, data="{ half a file")
    assert "too large" in await anna.refused(422, "/api/records", **sent, data="x" * 1_000_001)
    # The page sends them on with the record.
    files = {"file": ("game.txt", text.encode()), "data": ("board.json", data)}
    page = await anna.client.post("/open", files=files, headers=HTML)
    fields = {f"seat{seat}": "me" for seat in range(3)} | {"number": "3", "kind": "copy"}
    fields |= {name: hidden(page.text, name) for name in ("text", "data")}
    answer = await anna.client.post("/open/table", data=fields, headers=HTML)
    table = answer.headers["location"]
    assert "Old Sheffield" in await anna.page(table)
    await anna.move(table)
    # What belongs to no table is not kept.
    monkeypatch.setattr(server.app.state.tables, "most_open", 0)
    unknown = renamed("Sheffield 3")
    sent = {**sent, "text": record(1, unknown), "number": 1}
    assert "open tables" in await anna.refused(409, "/api/records", **sent, data=unknown.decode())
    async with server.app.state.tables.database.reading() as session:
        assert await session.get(DataFile, hashlib.sha256(unknown).hexdigest()) is None
    monkeypatch.undo()
    # Data no one needs do no harm.
    sent["text"] = record(1)
    await anna.done("/api/records", **sent, data=unknown.decode())


async def test_stored_data_are_looked_at_once(
    anna: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = renamed("Sheffield 4")
    sent = {"number": 2, "players": ["me"] * 3}
    await anna.done("/api/records", **sent, text=record(2, data), data=data.decode())
    named: list[bytes] = []
    name = records._name

    def noted(title: Title[Any], content: bytes) -> str:
        named.append(content)
        return name(title, content)

    monkeypatch.setattr(records, "_name", noted)
    await anna.refused(422, "/api/records", **sent, text=record(2, renamed("Nowhere")))
    assert data in named
    named.clear()
    await anna.done("/api/records", **sent, text=record(2, data))
    await anna.refused(422, "/api/records", **sent, text=record(2, renamed("Nowhere")))
    assert named == []


#: What is chosen for a slow table, in the form, and how it is kept.
SLOW = {"time": "24", "overrun": "bot", "vacation": "7", "language_note": " Deutsch  gern"}
SLOW |= {"watching": "all", "delay_moves": "5", "entry": "password", "password": "Zugspitze9"}
SLOW |= {"moderation": "players", "language": "de", "pace": "3", "objection": "40", "help": ""}
KEPT = {"slow": True, "move_hours": 24, "overrun": "bot", "vacation": 7, "watching": "all"}
KEPT |= {"language_note": "Deutsch gern", "delay_moves": 5, "delay_minutes": 0, "entry": "password"}
KEPT |= {"moderation": "players", "language": "de", "pace": 3.0, "help": False}


async def test_a_table_for_others_can_be_slow(
    anna: Browser, bernd: Browser, server: Server
) -> None:
    text = record(2)
    page = (await anna.client.post("/open", data={"text": text}, headers=HTML)).text
    for name in ("time", "overrun", "vacation", "language_note", "entry", "delay_minutes"):
        assert f'name="{name}"' in page
    fields = {"text": text, "number": 2, "seat0": "me", "seat1": "open", "seat2": "me"}
    api = {"text": text, "number": 2, "players": ["me", "open", "me"], "private": False}
    api |= {**KEPT, "password": "Zugspitze9", "language_note": SLOW["language_note"]}
    api |= {"objection": 40}
    tables = server.app.state.tables
    for path, sent in (
        ("/open/table", fields | SLOW | {"kind": "table"}),
        ("/api/records", api),
    ):
        url = (await anna.done(path, **sent)).json()["url"]
        async with tables.database.reading() as session:
            row = await session.get(Table, url.removeprefix("/t/"))
        assert {name: getattr(row, name) for name in KEPT} == KEPT
        assert row.password.startswith("$argon2")
        assert row.objection_seconds == 40
        # Anyone who the game waits for has the time, from now on.
        snapshot = await tables.load(row.id)
        assert [seat.due_at is not None for seat in snapshot.seats] == [
            seat.number in row.turn for seat in snapshot.seats
        ]
        assert {seat.vacation for seat in snapshot.seats} == {7}
        await bernd.refused(403, f"{url}/join", seat=1, name="Bernd")
        await bernd.done(f"{url}/join", seat=1, name="Bernd", password="Zugspitze9")
    # A copy of one's own has no such time, whatever is filled in.
    fields["seat1"] = "me"
    url = (await anna.done("/open/table", **{**fields, **SLOW, "kind": "copy"})).json()["url"]
    row = (await tables.load(url.removeprefix("/t/"))).table
    assert (row.slow, row.move_hours, row.vacation, row.entry) == (False, None, 0, "link")
    assert row.language_note == ""


async def test_what_a_slow_table_cannot_have_is_refused_and_stays_filled_in(
    anna: Browser,
) -> None:
    fields = {"text": record(2), "number": "1", "kind": "table", "seat0": "open"}
    fields |= {"seat1": "me", "seat2": "me", **SLOW, "listed": "1"}
    wrong = {"overrun": "x", "time": "0", "vacation": "999", "entry": "x", "delay_moves": "-1"}
    wrong |= {"moderation": "x", "language": "xx", "pace": "99", "objection": "0"}
    for name, value in {**wrong, "password": "", "language_note": "x" * 81}.items():
        await anna.refused(422, "/open/table", **{**fields, name: value})
    answer = await anna.client.post("/open/table", data=fields | {"password": ""}, headers=HTML)
    assert answer.status_code == 422
    assert "The password of the table must have" in answer.text
    for chosen in (
        '<option value="24" selected>',
        '<option value="bot" selected>',
        '<option value="7" selected>',
        '<option value="password" selected>',
        '<option value="open" selected>',
        'name="kind" value="table" checked',
        'name="listed" value="1" checked',
        'name="number" min="0" max="2" value="1"',
        "Deutsch  gern",
    ):
        assert chosen in answer.text, chosen
    api = {"text": record(2), "number": 1, "players": ["me"] * 3, "private": False}
    for sent in (
        {"move_hours": 24},
        {"slow": True, "move_hours": 0},
        {"slow": True, "vacation": -1},
    ):
        await anna.refused(422, "/api/records", **api, **sent)
