"""Records are opened on the page: read, refused with their line, gone on with and looked at."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import kursbuch
from kursbuch.core.game import Game
from tests.web.visitors import HTML, Browser

pytestmark = pytest.mark.asyncio(loop_scope="module")


GAMES = Path(__file__).parents[1] / "browser" / "games"


def record(moves: int) -> str:
    """The record of a game that was begun elsewhere."""
    game = kursbuch.new("rocket", players=["Ada", "Ben", "Cleo"], seed="11")
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
    found = re.search(r"<textarea name=\"text\" hidden>(.*?)</textarea>", page, re.S)
    assert found is not None
    fields = {
        "text": found[1].replace("\n", "\r\n").replace("&#39;", "'").replace("&#34;", '"'),
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
    assert "begins with a record, after its move 4" in page
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
    # Whoever opens a table moderates it, unless strangers find it.
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
