"""The head of the chain of hashes at the table: shown from the start, the same in the record, and no secret told."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import kursbuch
from kursbuch.core.verification import CONSISTENT, PROVEN
from kursbuch.web.tables.store import TableStore
from tests.web.stored import put
from tests.web.tables.test_records import finished
from tests.web.tables.test_undo import database, rocket, token, two
from tests.web.visitors import HTML, Browser, Server, choose, seen

pytestmark = pytest.mark.asyncio(loop_scope="module")


def on_page(page: str, number: int) -> str:
    """The head on a page that shows the table after this number of moves."""
    (head,) = re.findall(
        rf"Hash of the game after move {number}</dt><dd><code>([0-9a-f]+(?:-\d+)?)</code>", page
    )
    return str(head)


async def test_it_is_shown_from_the_start_and_when_looking_back(
    anna: Browser, bernd: Browser, clara: Browser
) -> None:
    table, mover, other = await two(anna, bernd)
    heads = [(await mover.game(table))["head"]]
    assert heads[0] is not None
    for person in (mover, mover, other):
        await token(person, table)
        heads.append((await person.game(table))["head"])
    assert len({*heads}) == 4
    for reader in (anna, bernd, clara):
        assert on_page(await reader.page(table), 3) == heads[3]
        for number in range(3):
            assert on_page(await reader.page(f"{table}?move={number}"), number) == heads[number]
    # The record has it, too: but as long as the game goes on not the seed.
    text = (await clara.client.get(f"{table}/record")).text
    assert f"\nchain: 3 {heads[3]}\n" in text
    found = kursbuch.verify(text, heads[3])
    assert (found.verdict, found.proven) == (CONSISTENT, 3)


async def test_there_is_none_before_the_game(anna: Browser) -> None:
    table = await anna.open("me Anna", "open")
    assert (await anna.game(table))["head"] is None
    assert "Hash of the game" not in await anna.page(table)


async def test_a_finished_game_is_proven(server: Server, anna: Browser) -> None:
    tables: TableStore = server.app.state.tables
    game = finished()
    table = f"/t/{await put(tables, game, [None] * len(game.names))}"
    head = (await anna.game(table))["head"]
    assert head == game.head()
    assert head in await anna.page(f"{table}/check")
    assert (await anna.client.get(f"/api/tables{table[2:]}/check")).json()["head"] == head
    text = (await anna.client.get(f"{table}/record")).text
    assert kursbuch.verify(text, head).verdict == PROVEN


async def test_it_returns_with_the_position(anna: Browser, bernd: Browser) -> None:
    table, mover, _ = await two(anna, bernd, undo="free")
    await token(mover, table)
    before = (await mover.game(table))["head"]
    await token(mover, table)
    after = (await mover.game(table))["head"]
    await mover.done(f"{table}/undo", **seen(await mover.game(table)), to=1)
    assert (await mover.game(table))["head"] == before
    await mover.done(f"{table}/redo", **seen(await mover.game(table)), to=2)
    assert (await mover.game(table))["head"] == after


async def test_it_is_the_same_for_a_server_that_has_just_started(tmp_path: Path) -> None:
    tables = await database(tmp_path)
    table_id = await put(tables, rocket(5), ["anna", "bernd"])
    first = (await tables.load(table_id)).game
    again = (await TableStore(tables.database).load(table_id)).game
    assert first is not None
    assert again is not None
    assert first is not again
    assert first.head() == again.head() == rocket(5).head()
    await tables.database.stop()


async def test_names_that_changed(anna: Browser, bernd: Browser) -> None:
    table, mover, other = await two(anna, bernd)
    await token(mover, table)
    early = (await mover.game(table))["head"]
    me = (await mover.game(table))["my_seats"][0]
    old = (await mover.game(table))["seats"][me]["name"]
    await mover.done(f"{table}/rename", seat=me, name="Zoe")
    renamed = (await mover.game(table))["head"]
    assert renamed != early
    assert on_page(await other.page(table), 1) == renamed
    await token(mover, table)
    late = (await mover.game(table))["head"]
    assert on_page(await other.page(f"{table}?move=1"), 1) == early
    text = (await mover.client.get(f"{table}/record")).text
    assert f"\nseat {me + 1} until 1: {old}\n" in text
    for head, moves in ((early, 1), (renamed, 1), (late, 2)):
        assert kursbuch.verify(text, head).proven == moves
    assert not kursbuch.verify(text).changes


async def test_with_a_delay_it_is_late(anna: Browser, bernd: Browser, clara: Browser) -> None:
    table, mover, other = await two(anna, bernd, watching="all", delay_moves=2)
    heads = [(await mover.game(table))["head"]]
    for person in (mover, mover, other):
        await token(person, table)
        heads.append((await person.game(table))["head"])
    assert (await clara.game(table))["head"] == heads[1]
    assert on_page(await clara.page(table), 1) == heads[1]


async def test_a_secret_that_is_the_same_again_does_not_show(
    server: Server, anna: Browser, bernd: Browser
) -> None:
    """A move that hides something is taken back and made again."""
    table, mover, other = await two(anna, bernd, options={"money": "hidden"}, undo="free")
    heads = []
    for _ in range(3):
        game = await mover.game(table)
        await mover.move(table, choose(game, "take-token"))
        heads.append((await other.game(table))["head"])
        game = await mover.game(table)
        await mover.done(f"{table}/undo", **seen(game), to=0)
    await mover.move(table, choose(await mover.game(table), "take-token"))
    assert len({head.partition("-")[0] for head in heads}) == 3
    assert "-" not in heads[0]
    assert re.fullmatch(r"[0-9a-f]{64}-\d+", heads[1])
    # Each of them proves the move later.
    kept = (await server.app.state.tables.load(table[3:])).game
    text = kept.record(reveal=True)
    for head in heads:
        assert kursbuch.verify(text, head).verdict == PROVEN


async def test_what_was_changed_in_a_record_is_said_where_it_is_opened(anna: Browser) -> None:
    text = finished().record()
    name = re.findall(r"seat 1: (.*)\n", text)[0]
    for changed, sentence in (
        (text, ""),
        (text.replace(name, "Zacharias"), "The line &#34;seat 1&#34; was changed"),
    ):
        page = (await anna.client.post("/open", data={"text": changed}, headers=HTML)).text
        assert ("was changed" in page) == bool(sentence)
        assert sentence in page
