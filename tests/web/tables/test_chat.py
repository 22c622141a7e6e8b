"""Talk at a table: who is called, what has been read, and notes that no one else sees."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
import pytest_asyncio
from sqlalchemy import select

from kursbuch.web.accounts import transfer
from kursbuch.web.db.models import now
from kursbuch.web.notifications import preferences as notification_preferences
from kursbuch.web.notifications.models import Notice, RecipientSettings
from kursbuch.web.tables import chat as table_chat
from kursbuch.web.tables import snapshot
from kursbuch.web.tables.chat import mentioned
from tests.web.correspondents import Club, club
from tests.web.mailbox import Mailbox
from tests.web.visitors import HTML, Browser, seated


@pytest_asyncio.fixture
async def at(tmp_path: Path, arrived: Mailbox) -> AsyncIterator[Club]:
    async with club(tmp_path, arrived) as found:
        yield found


@pytest.mark.parametrize(
    ("text", "seats"),
    [
        ("hello @bernd", [1]),
        ("@Bernd B: yes", [2]),
        ("@Bernda no", []),
        ("mail@Bernd", [1]),
        ("@ALLE and @all", [0, 1, 2]),
        ("nobody", []),
    ],
)
def test_who_is_called(text: str, seats: list[int]) -> None:
    assert mentioned(text, ["Anna", "Bernd", "Bernd B"]) == seats


async def _two_at_a_table(at: Club) -> tuple[str, str, str]:
    """Anna, Bernd, and the table at which they play; the mails about that have been read."""
    anna, bernd = await at.register("Anna"), await at.register("Bernd")
    table = await at.table(anna, bernd, slow=True)
    await at.written()
    at.arrived.mails.clear()
    return anna, bernd, table


@pytest.mark.asyncio
async def test_who_is_called_is_told_if_that_is_wanted(at: Club) -> None:
    anna, bernd, table = await _two_at_a_table(at)
    browser, other = await at.browser(anna), await at.browser(bernd)
    path = f"/api/tables/{table}/chat"
    key = {"idempotency-key": "once"}
    for _ in range(2):
        sent = await browser.client.post(path, json={"text": "@bernd, hurry <b>"}, headers=key)
        assert sent.status_code == 201
    [line] = sent.json()
    assert line["mentions"] == [1]
    assert await at.written() == 1
    [mail] = at.arrived.mails
    assert mail.recipient == "bernd@club.example"
    assert mail.message["Subject"].startswith("Anna mentioned you")
    assert "@bernd, hurry <b>" in mail.text
    assert "<b>" not in mail.html
    page = await other.page(f"/t/{table}")
    assert "<mark>@bernd</mark>, hurry &lt;b&gt;" in page
    assert 'class="to-me"' in page
    # Who has read it, on whatever device, is not told.
    await browser.send(path, text="@all once more")
    last = (await other.client.get(path)).json()[-1]["id"]
    assert 'data-read="0"' in page
    assert (await other.send(f"{path}/read", last=last + 9)).status_code == 204
    assert f'data-read="{last}"' in await other.page(f"/t/{table}")
    await at.leave()
    assert await at.written() == 0
    # Nor is who does not want it.
    assert (await other.send("/messages", quiet_from="", quiet_to="")).status_code == 204
    await browser.send(path, text="@bernd")
    assert await at.notices() == []
    await at.leave()


@pytest.mark.asyncio
async def test_many_messages_are_told_once_with_the_last_of_them(at: Club) -> None:
    anna, _, table = await _two_at_a_table(at)
    due = set[datetime]()
    for number in range(12):
        await table_chat.send_message(at.tables, table, anna, f"@all {number}.")
        async with at.tables.database.reading() as session:
            due.update(await session.scalars(select(Notice.due_at)))
    assert len(due) == 1
    assert await at.written() == 1
    [mail] = at.arrived.to("bernd@club.example")
    assert "@all 11." in mail.text


@pytest.mark.asyncio
async def test_who_was_called_long_before_the_end_of_the_talk_reads_what_was_said(
    at: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(snapshot, "SHOWN_CHAT", 2)
    anna, _, table = await _two_at_a_table(at)
    for text in ("@bernd, look", "one", "two"):
        await table_chat.send_message(at.tables, table, anna, text)
    await at.written()
    [mail] = at.arrived.mails
    assert mail.message["Subject"].startswith("Anna mentioned you: ")
    assert "@bernd, look" in mail.text


@pytest.mark.asyncio
async def test_nothing_is_told_in_quiet_hours(at: Club) -> None:
    anna, bernd = await at.register("Anna"), await at.register("Bernd")
    browser = await at.browser(anna)
    hour = now().hour
    for wrong in ({"quiet_from": 24, "quiet_to": 1}, {"quiet_from": 3, "quiet_to": ""}):
        await browser.refused(422, "/messages", **wrong)
    wanted = {"quiet_from": hour, "quiet_to": (hour + 8) % 24, "mentions": True, "zone": "UTC"}
    other = await at.browser(bernd)
    for one in (browser, other):
        assert (await one.send("/messages", **wanted)).status_code == 204
    assert f'<option value="{hour}" selected>' in await browser.page("/messages")
    table = await at.table(anna, bernd, slow=True)
    await at.leave()
    assert await at.written() == 0
    assert await at.notices()
    due = notification_preferences.quiet_until(hour, (hour + 8) % 24, now(), "UTC")
    assert due is not None
    async with at.tables.database.writing() as session:
        for owner in (anna, bernd):
            row = await session.get(RecipientSettings, owner)
            assert row is not None
            row.quiet_from = row.quiet_to = None
    await at.leave()
    assert await at.written() == 2
    assert all(table in mail.text for mail in at.arrived.mails)


def test_a_rest_ends_in_the_own_time_zone() -> None:
    night = datetime(2026, 7, 1, 21, 30, tzinfo=UTC)
    assert notification_preferences.quiet_until(22, 7, night, "") is None
    assert notification_preferences.quiet_until(23, 7, night, "Europe/Berlin") == datetime(
        2026, 7, 2, 5, tzinfo=UTC
    )
    assert notification_preferences.quiet_until(8, 8, night, "") is None


@pytest.mark.asyncio
async def test_a_mail_says_until_when_there_is_time(at: Club) -> None:
    anna, bernd = await at.register("Anna"), await at.register("Bernd", "de")
    for owner in (anna, bernd):
        browser = await at.browser(owner)
        await browser.send("/messages", zone="Europe/Berlin")
    table = await at.table(anna, bernd, slow=True, move_hours=24)
    await at.move(table)
    snapshot = await at.tables.load(table)
    [seat] = snapshot.table.turn
    due = snapshot.seats[seat].due_at
    assert due is not None
    at.arrived.mails.clear()
    await at.written()
    turns = [
        one
        for one in at.arrived.mails
        if re.match("Your turn|Du bist", str(one.message["Subject"]))
    ]
    [mail] = turns
    local = due.astimezone(notification_preferences.zone_of("Europe/Berlin"))
    assert f"{local:%H:%M} {local:%Z}" in mail.text


@pytest.mark.asyncio(loop_scope="module")
async def test_notes_are_for_nobody_else(anna: Browser, bernd: Browser, clara: Browser) -> None:
    table = await anna.open("me Anna", "open")
    await seated(table, bernd)
    path = f"/api/tables{table.removeprefix('/t')}"
    secret = "Bernd bluffs </textarea>"
    assert (await anna.send(f"{path}/notes", text=f"{secret}\n\n")).json() == {"text": secret}
    page = await anna.page(f"{table}/notes")
    assert "Bernd bluffs &lt;/textarea&gt;" in page
    await bernd.send(f"{path}/notes", text="mine")
    assert (await anna.client.get(f"{path}/notes")).json()["text"] == secret
    for part in ("", "/live", "/notes", "/record", "/numbers"):
        assert "bluffs" not in await bernd.page(table + part), part
    for part in ("", "/chat", "/notes", "/record"):
        assert "bluffs" not in (await bernd.client.get(path + part)).text, part
    # Who only looks on has none, and sees none.
    assert (await clara.client.get(f"{path}/notes")).status_code == 403
    await clara.refused(403, f"{table}/notes", text="x")
    await anna.refused(422, f"{table}/notes", text="x" * 20_001)
    # Reading is no one's business either, and never ahead of what was said.
    assert (await clara.send(f"{path}/chat/read", last=5)).status_code == 204
    await anna.refused(422, f"{table}/chat/read", last="x")
    for _ in range(2):
        assert (await anna.send(f"{path}/notes", text=" ")).status_code == 200
    assert (await anna.client.get(f"{path}/notes")).json()["text"] == ""


@pytest.mark.asyncio(loop_scope="module")
async def test_whoever_has_handed_on_the_seat_reads_the_own_notes(
    anna: Browser, bernd: Browser, clara: Browser
) -> None:
    table = await anna.open("me Anna", "open")
    await seated(table, bernd)
    path = f"/api/tables{table.removeprefix('/t')}"
    await bernd.done(f"{path}/notes", text="Anna bluffs")
    assert "Save</button>" in await bernd.page(f"{table}/notes")
    link = (await bernd.done(f"{table}/hand-on", seat=1)).json()["link"]
    assert (await clara.send(link.removeprefix(clara.url))).status_code == 303
    page = await bernd.page(f"{table}/notes")
    assert "Anna bluffs" in page
    assert "Save</button>" not in page
    await bernd.refused(403, f"{table}/notes", text="x")
    assert "bluffs" not in await clara.page(f"{table}/notes")


async def noted(browser: Browser, path: str, text: str, seen: str | None) -> str:
    """Write notes down; returns what is kept."""
    answer = await browser.done(f"{path}/notes", text=text, seen=seen)
    return str(answer.json()["text"])


@pytest.mark.asyncio(loop_scope="module")
async def test_notes_of_two_devices_are_both_kept(anna: Browser) -> None:
    table = await anna.open("me Anna", "open")
    path = f"/api/tables{table.removeprefix('/t')}"
    line = "— Written on another device in the meantime: —"
    first = await noted(anna, path, "Leeds\nYork", "")
    # Anyone who has seen what is there replaces it, and so does who does not say what he has seen.
    assert await noted(anna, path, "Leeds  \nYork\nHull\n", first) == "Leeds\nYork\nHull"
    assert await noted(anna, path, "Leeds\nYork\nHull", None) == "Leeds\nYork\nHull"
    # The other device has not seen Hull.
    both = f"Leeds\nBath\n\n{line}\nHull"
    assert await noted(anna, path, "Leeds\nBath", f"{first}\n") == both
    # Sent again it is not written twice, nor is what its writer goes on with.
    assert await noted(anna, path, both, f"{first}\n") == both
    assert await noted(anna, path, f"{both}\nDover", first) == f"{both}\nDover"
    # What was only taken out elsewhere is back; what is erased here leaves what was written elsewhere.
    assert await noted(anna, path, "Leeds", f"{both}\nDover") == "Leeds"
    assert await noted(anna, path, "Leeds\nBath", "Leeds\nYork") == "Leeds\nBath"
    assert await noted(anna, path, "", "Leeds") == f"{line}\nBath"
    assert await noted(anna, path, "", f"{line}\nBath") == ""
    # In the form, in the language of the reader.
    await noted(anna, path, "Leeds", None)
    page = await anna.page(f"{table}/notes")
    assert '<textarea name="seen" hidden>\nLeeds</textarea>' in page
    for _ in range(2):
        form = {"text": "York\r\nHull", "seen": "", "key": "once"}
        answer = await anna.client.post(f"{table}/notes", data=form, headers=HTML)
        assert answer.status_code == 303
    assert f"York\nHull\n\n{line}\nLeeds</textarea>" in await anna.page(f"{table}/notes")


@pytest.mark.asyncio(loop_scope="module")
async def test_notes_that_are_too_long_together_stay_on_the_page(anna: Browser) -> None:
    table = await anna.open("me Anna", "open")
    path = f"/api/tables{table.removeprefix('/t')}"
    kept = await noted(anna, path, "x" * 12_000, "")
    sentence = await anna.refused(422, f"{path}/notes", text="y" * 12_000, seen="")
    assert "another device" in sentence
    form = {"text": "y" * 12_000, "seen": "z"}
    answer = await anna.client.post(f"{table}/notes", data=form, headers=HTML)
    assert answer.status_code == 422
    assert "Together with what was written on another device" in answer.text
    assert form["text"] in answer.text
    assert '<textarea name="seen" hidden>\nz</textarea>' in answer.text
    assert (await anna.client.get(f"{path}/notes")).json()["text"] == kept
    assert len(await noted(anna, path, "y" * 7_000, "z")) > 19_000
    # The longest that can be written, as forms send it.
    long = {"text": "\N{STEAM LOCOMOTIVE}" * 20_000, "seen": "\N{RAILWAY CAR}" * 20_000}
    await noted(anna, path, long["seen"], None)
    answer = await anna.client.post(f"{table}/notes", data=long, headers=HTML)
    assert answer.status_code == 303


@pytest.mark.asyncio
async def test_whoever_logs_in_keeps_the_notes_of_account_and_browser(at: Club) -> None:
    anna = await at.register("Anna")
    account, browser = await at.browser(anna), await at.browser()
    table = await browser.open("me Anna", "open")
    await account.done(f"{table}/join", seat=1, name="Anna 2")
    path = f"/api/tables{table.removeprefix('/t')}"
    for one, text in ((account, "Leeds" * 4_000), (browser, "York" * 5_000)):
        await noted(one, path, text, None)
    here = (await at.tables.load(table.removeprefix("/t/"))).table.creator
    await transfer.move_to_account(at.tables, here, anna)
    text = (await account.client.get(f"{path}/notes")).json()["text"]
    assert text == f"{'Leeds' * 4_000}\n\n———\n\n{'York' * 5_000}"
    # It may be longer than anything that is written at once, and is shortened bit by bit.
    assert f'maxlength="{len(text)}"' in await account.page(f"{table}/notes")
    assert await noted(account, path, text[:-9], text) == text[:-9]
    await account.refused(422, f"{path}/notes", text=text, seen=text[:-9])
