"""What is sent is what has changed: drawings, logs and tables that the reader has are not sent again."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from typing import Any

import pytest

from kursbuch.web.live.fragments import SAME, Fragment
from kursbuch.web.live.patches import Section
from kursbuch.web.live.patches import packed as packed_text
from kursbuch.web.tables import boards
from tests.web.visitors import Browser, seated

pytestmark = pytest.mark.asyncio(loop_scope="module")

Visit = Callable[..., Browser]


def stamp(html: str) -> str:
    return html.split('data-board="')[1].split('"')[0]


async def test_a_drawing_that_the_page_has_is_not_sent_again(visit: Visit) -> None:
    anna, bernd = visit(), visit()
    table = await anna.open("me Anna", "open")
    await seated(table, bernd)
    page = await anna.page(table)
    known = stamp(page)
    whole = await anna.page(f"{table}/live")
    assert "<svg" in whole.split('id="board-now"')[1].split("board-tools")[0]
    rest = await anna.page(f"{table}/live?board={known}")
    place = rest.split('id="board-now"')[1].split("board-tools")[0]
    assert SAME in place
    assert "<svg" not in place
    # Chat changes the table and not its drawing; a move changes the drawing.
    await bernd.done(f"{table}/chat", text="<!-- board -->")
    talked = await anna.page(f"{table}/live?board={known}")
    assert SAME in talked
    assert "&lt;!-- board --&gt;" in talked
    mover = anna if (await anna.game(table))["choices"] else bernd
    await mover.move(table)
    moved = await anna.page(f"{table}/live?board={known}")
    assert SAME not in moved
    assert stamp(moved) != known
    # What is sent compressed is what is sent otherwise.
    plain = await anna.client.get(f"{table}/live", headers={"accept-encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert plain.text == (await anna.client.get(f"{table}/live")).text


async def test_what_has_not_changed_is_not_sent(visit: Visit) -> None:
    anna, watcher = visit(), visit("de")
    table = await anna.open("me Anna", "hotseat Bernd")
    for browser in (anna, watcher):
        for path in (f"{table}/live", "/api/tables/" + table[3:]):
            first = await browser.client.get(path)
            known = {"if-none-match": first.headers["etag"]}
            again = await browser.client.get(path, headers=known)
            assert (again.status_code, again.content) == (304, b"")
    data = "/api/tables/" + table[3:]
    tag = (await anna.client.get(data)).headers["etag"]
    # No one else's is taken for it.
    assert (await watcher.client.get(data, headers={"if-none-match": tag})).status_code == 200
    await anna.move(table)
    assert (await anna.client.get(data, headers={"if-none-match": tag})).status_code == 200


async def test_a_log_from_where_the_reader_knows_it(anna: Browser) -> None:
    table = await anna.open("me Anna", "hotseat Bernd")
    for _ in range(3):
        await anna.move(table)
    data = "/api/tables/" + table[3:]
    whole = (await anna.client.get(data)).json()
    assert whole["log"][0]["number"] == 0
    for since in (*range(4), 10**30):
        part = (await anna.client.get(data, params={"since": since})).json()
        if since:
            assert part["log"] == [line for line in whole["log"] if line["number"] > since]
        assert {**part, "log": []} == {**whole, "log": []}


async def test_those_who_watch_share_the_work(
    visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna = visit()
    table = await anna.open("me Anna", "hotseat Bernd")
    watchers = [visit() for _ in range(5)]
    packed: list[int] = []
    filled: list[object] = []
    real = Fragment.__init__

    def fill(self: Fragment, *given: Any) -> None:
        filled.append(self)
        real(self, *given)

    def press(data: bytes) -> bytes:
        packed.append(len(data))
        return packed_text(data)

    monkeypatch.setattr(Fragment, "__init__", fill)
    monkeypatch.setattr("kursbuch.web.tables.boards.packed", press)
    sent = [(await one.client.get(f"{table}/live")).text for one in watchers]
    assert len(set(sent)) == 1
    assert (len(filled), len(packed)) == (1, 1)
    await anna.page(f"{table}/live")
    # A player's page is another one, but for the drawing.
    assert (len(filled), len(packed)) == (2, 1)


async def test_parts_make_a_whole() -> None:
    drawing = boards.Drawing("<svg>ä</svg>", "one")
    fragment = Fragment({"all": Section("before<!-- board -->after")}, drawing, 1, 0)
    assert gzip.decompress(fragment.gzip(same=False)).decode() == "before<svg>ä</svg>after"
    assert gzip.decompress(fragment.gzip(same=True)).decode() == f"before{SAME}after"
    other = Fragment(
        {"all": Section("before<!-- board -->after")}, boards.Drawing("<svg/>", "other"), 1, 0
    )
    assert other.tag != fragment.tag
