"""What is different at tables when an account is shut out, let in again, or called otherwise."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from kursbuch.web.admin import accounts as administration
from kursbuch.web.admin.audit import Actor
from kursbuch.web.http.errors import Unauthorized
from kursbuch.web.tables import lobby, votes
from kursbuch.web.tables.votes import END, UNDO
from tests.web.correspondents import Club, club
from tests.web.mailbox import Mailbox
from tests.web.registration import submit

pytestmark = pytest.mark.asyncio

ACTOR = Actor("", "root")


@pytest_asyncio.fixture
async def at(tmp_path: Path, arrived: Mailbox) -> AsyncIterator[Club]:
    async with club(tmp_path, arrived) as found:
        yield found


async def test_seats_are_free_where_the_game_has_not_begun(at: Club) -> None:
    anna, bernd = await at.register("Anna"), await at.register("Bernd")
    running = await at.table(anna, bernd)
    host, guest = await at.browser(anna), await at.browser(bernd)
    table = await host.open("me Anna", "open", "open")
    await guest.done(f"{table}/join", seat=1, name="Bernd")
    await administration.close(at.tables, ACTOR, "Bernd")
    seats = (await host.game(table))["seats"]
    assert [(seat["name"], seat["free"]) for seat in seats] == [
        ("Anna", False),
        ("", True),
        ("", True),
    ]
    assert (await at.tables.load(running)).seats[1].owner == bernd
    # Who was just sitting down.
    with pytest.raises(Unauthorized):
        await lobby.join(at.tables, table[3:], bernd, 1, "Bernd")
    late = await at.browser()
    await late.done(f"{table}/join", seat=1, name="Clara")


@pytest.mark.parametrize("kind", [END, UNDO])
async def test_what_all_others_have_agreed_to_is_done(at: Club, kind: str) -> None:
    people = [await at.register(name) for name in ("Anna", "Bernd", "Clara")]
    table = await at.table(*people)
    seat = await at.turn(table)
    await at.move(table)
    asking, agreeing, silent = people[seat:] + people[:seat]
    await votes.ask(at.tables, table, asking, kind)
    await votes.answer(at.tables, table, agreeing, kind, True)
    before = await at.tables.load(table)
    assert kind in before.consents
    await administration.close(at.tables, ACTOR, silent)
    after = await at.tables.load(table)
    assert not after.consents
    assert (after.table.status, after.table.number) == {END: ("closed", 1), UNDO: ("running", 0)}[
        kind
    ]


@pytest.mark.parametrize("delay", [0, 1])
async def test_names_lead_to_profiles_as_they_are_now(at: Club, delay: int) -> None:
    anna, bernd = await at.register("Anna"), await at.register("Bernd")
    table = f"/t/{await at.table(anna, bernd, delay_moves=delay)}"
    guest, stranger = await at.browser(bernd), await at.browser()
    assert 'href="/people/Bernd"' in await stranger.page(table)
    await submit(guest, "/account/name", name="Bertha")
    page = await stranger.page(table)
    assert 'href="/people/Bertha"' in page
    assert 'href="/people/Bernd"' not in page
    await administration.close(at.tables, ACTOR, "Bertha")
    page = await stranger.page(table)
    assert 'href="/people/Anna"' in page
    assert 'href="/people/Bertha"' not in page
    await administration.reopen(at.tables, ACTOR, "Bertha")
    assert 'href="/people/Bertha"' in await stranger.page(table)
