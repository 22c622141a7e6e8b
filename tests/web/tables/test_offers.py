"""What a page offers is accepted by anyone who is offered it, and what it says of people is so."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from kursbuch.web.accounts.transfer import leave_tables
from kursbuch.web.reviews.views import move_label
from kursbuch.web.tables import chat as table_chat
from kursbuch.web.tables import lobby, votes
from kursbuch.web.tables import lobby as table_seats
from kursbuch.web.tables.viewer import Viewer
from tests.web.correspondents import Club, club
from tests.web.mailbox import Mailbox
from tests.web.tables.test_records import record
from tests.web.visitors import HTML, SetClock

pytestmark = pytest.mark.asyncio


@pytest_asyncio.fixture
async def at(tmp_path: Path, arrived: Mailbox) -> AsyncIterator[Club]:
    async with club(tmp_path, arrived) as found:
        yield found


async def two(at: Club) -> tuple[str, str]:
    return await at.register("Anna"), await at.register("Bernd")


async def freed(at: Club, table: str, anna: str, bernd: str) -> None:
    """Let everybody agree that Bernd's seat becomes free."""
    await votes.ask(at.tables, table, anna, "replace", target=1)
    await votes.answer(at.tables, table, bernd, "replace", True)


async def test_a_free_seat_is_offered_to_whom_it_can_be_given(at: Club) -> None:
    anna, bernd = await two(at)
    for entry, offered in (("link", True), ("invited", False)):
        table = await at.table(anna, bernd)
        async with at.tables.changing(table) as change:
            change.table.entry = entry
        await freed(at, table, anna, bernd)
        page = await (await at.browser()).page(f"/t/{table}")
        assert "The seat of Bernd is free." in page
        assert ("Play on here" in page) is offered
        assert ("This table is by invitation only" in page) is not offered


async def test_whoever_was_replaced_is_told_once_and_truly(at: Club) -> None:
    anna, bernd = await two(at)
    table = await at.table(anna, bernd)
    await freed(at, table, anna, bernd)
    page = await (await at.browser(bernd)).page(f"/t/{table}")
    assert "Your seat Bernd is free at the moment." in page
    assert "Play on here" not in page


async def test_at_a_rated_table_nobody_is_offered_a_second_seat(at: Club) -> None:
    anna, bernd = await two(at)
    clara = await at.register("Clara")
    table = await at.table(anna, bernd, clara, rated=True)
    await votes.ask(at.tables, table, clara, "replace", target=0)
    for one in (anna, bernd):
        await votes.answer(at.tables, table, one, "replace", True)
    browser = await at.browser(anna)
    assert "Take my seat back" in await browser.page(f"/t/{table}")
    await votes.ask(at.tables, table, clara, "replace", target=1)
    await votes.answer(at.tables, table, bernd, "replace", True)
    await lobby.join(at.tables, table, anna, 1, "Anna two")
    assert "Take my seat back" not in await browser.page(f"/t/{table}")


async def test_who_can_be_replaced_by_whom(at: Club) -> None:
    anna, bernd = await two(at)
    table = await at.table(anna, bernd)
    browser = await at.browser(anna)

    async def replacing() -> str:
        page = await browser.page(f"/t/{table}")
        found = re.search(r'<details class="more" id="replacing-1">.*?</details>', page, re.S)
        assert found
        return found[0]

    assert "Everyone has to agree, including Bernd." in (said := await replacing())
    assert "anyone with the link" in said
    await freed(at, table, anna, bernd)
    assert "including Bernd" not in (said := await replacing())
    assert "Everyone has to agree." in said
    assert "anyone with the link" not in said
    await browser.done(f"/t/{table}/replace", seat=1, by="random")
    assert "Everyone has to agree." in (said := await replacing())
    assert "A replaced player can come back" not in said


async def test_the_same_people_are_not_offered_when_one_is_gone(at: Club) -> None:
    anna, bernd = await two(at)
    table = await at.table(anna, bernd)
    async with at.tables.changing(table) as change:
        await change.end()
    browser = await at.browser(anna)
    assert "Rematch" in await browser.page(f"/t/{table}")
    await leave_tables(at.tables, bernd)
    assert "Rematch" not in await browser.page(f"/t/{table}")


async def test_a_refused_copy_keeps_the_record_that_was_read(at: Club) -> None:
    browser = await at.browser()
    text = record(6)
    fields = {"text": text, "number": "4", "kind": "copy", "seat0": "me", "seat1": "open"}
    answer = await browser.client.post("/open/table", data=fields | {"seat2": "me"}, headers=HTML)
    assert answer.status_code == 422
    assert "No one can join a private copy later" in answer.text
    assert 'action="/open/table"' in answer.text
    assert 'max="6"' in answer.text


async def test_another_language_is_chosen_where_a_form_was_answered(at: Club) -> None:
    browser = await at.browser((await two(at))[0])
    form = f"{at.server.url}/account?x=1"
    for page, back in ((form, "/account?x=1"), ("https://elsewhere.example/account", "/")):
        headers = HTML | {"referer": page}
        answer = await browser.client.post(
            "/account/tokens", data={"name": "robot"}, headers=headers
        )
        assert answer.status_code == 200
        assert f'name="next" value="{back}"' in answer.text
    assert (await browser.client.get(form, headers=HTML)).status_code == 200


async def test_a_move_is_told_with_the_name_its_player_had(at: Club) -> None:
    anna, bernd = await two(at)
    table = await at.table(anna, bernd)
    browser, other = await at.browser(anna), await at.browser(bernd)
    mover = browser if (await browser.game(f"/t/{table}"))["choices"] else other
    name, who = ("Anna", anna) if mover is browser else ("Bernd", bernd)
    await mover.move(f"/t/{table}")
    await mover.done(f"/t/{table}/rename", seat=0 if who == anna else 1, name="Zora")
    shown = Viewer(await at.tables.load(table), anna, "en", "", True, [])
    assert shown.game is not None
    assert name in move_label(shown, shown.game, 1)
    assert "Zora" not in move_label(shown, shown.game, 1)


async def test_a_seat_is_handed_to_whom_it_can_be_given(at: Club) -> None:
    anna, bernd = await two(at)
    table = await at.table(anna, bernd, rated=True)
    token = await table_seats.hand_on(at.tables, table, bernd, 1)
    path = f"/t/{table}/seat/{token}"
    stranger, player = await at.browser(), await at.browser(anna)
    page = await stranger.page(path)
    assert "Take the seat" not in page
    assert f'href="/login?next={path}"' in page.partition("<main")[2]
    assert "each player has one seat" in await player.page(path, 409)
    other = await at.browser(await at.register("Clara"))
    assert "Take the seat" in await other.page(path)
    async with at.tables.changing(table) as change:
        await change.end()
    assert "closed" in await other.page(path, 409)
    page = await player.page(f"/t/{table}")
    for deed in ("rename", "hand-on"):
        assert f'action="/t/{table}/{deed}"' not in page


async def test_programs_are_offered_what_pages_are(at: Club) -> None:
    anna, bernd = await two(at)
    table = await at.table(anna, bernd, undo="ask")
    for _ in range(2):
        await at.move(table)
    asking, other = await at.browser(anna), await at.browser(bernd)
    path = f"/t/{table}"
    assert (await other.game(path))["undo"]
    await asking.done(f"{path}/undo", to=0)
    assert (await other.game(path))["undo"] == []
    await other.done(f"{path}/undo/answer", answer="yes")
    assert (await other.game(path))["redo"]
    await asking.done(f"{path}/redo")
    assert (await other.game(path))["redo"] == []


async def test_whoever_has_written_is_named_as_in_the_chat(at: Club) -> None:
    anna, bernd = await two(at)
    clara = await at.register("Clara")
    table = await at.table(anna, bernd)
    await table_chat.send_message(at.tables, table, bernd, "@Anna hello")
    token = await table_seats.hand_on(at.tables, table, bernd, 1)
    await table_seats.take_over(at.tables, table, clara, token)
    await (await at.browser(clara)).done(f"/t/{table}/rename", seat=1, name="Clara")
    page = await (await at.browser(anna)).page("/")
    assert "Bernd has written to you" in page


async def test_the_start_page_tells_no_end_that_is_not_shown_yet(at: Club, clock: SetClock) -> None:
    anna, bernd = await two(at)
    clara = await at.register("Clara")
    table = await at.table(anna, bernd, delay_minutes=60)
    async with at.tables.changing(table) as change:
        change.table.creator = clara
        change.table.status, change.table.turn = "finished", []
        change.table.result = {"scores": [5, 3], "winners": [0]}
    opener, player = await at.browser(clara), await at.browser(anna)

    won = "Anna wins."
    assert won in await player.page("/")
    page = await opener.page("/")
    assert table in page
    assert won not in page
    clock.on(hours=2)
    assert won in await opener.page("/")
