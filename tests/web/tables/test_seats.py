"""Whose a seat is, what its player may decide, and what is done for him, while people come and go."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta
from itertools import count
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from sqlalchemy import select

from kursbuch.core.errors import KursbuchError
from kursbuch.web.accounts import service as accounts
from kursbuch.web.accounts import transfer
from kursbuch.web.accounts.views import find_profile
from kursbuch.web.admin import accounts as shut
from kursbuch.web.admin import tables as administration
from kursbuch.web.admin.audit import Actor
from kursbuch.web.db.models import Seat
from kursbuch.web.http.errors import Conflict, Forbidden, NotFound, Refused, Unauthorized
from kursbuch.web.learn import lessons
from kursbuch.web.notifications import preferences as notification_preferences
from kursbuch.web.notifications.models import NotificationPreference
from kursbuch.web.tables import access, copies, deadlines, lobby, votes
from kursbuch.web.tables import chat as table_chat
from kursbuch.web.tables import lobby as table_seats
from kursbuch.web.tables.lobby import NewSeat, NewTable
from kursbuch.web.tables.store import TableStore
from tests.web.correspondents import Club, club
from tests.web.mailbox import Mailbox
from tests.web.stored import spoil
from tests.web.visitors import SetClock

SLOW: dict[str, Any] = {"slow": True, "move_hours": 24}


@pytest_asyncio.fixture
async def at(tmp_path: Path, arrived: Mailbox) -> AsyncIterator[Club]:
    async with club(tmp_path, arrived) as found:
        yield found


async def three(at: Club) -> list[str]:
    return [await at.register(name) for name in ("Anna", "Bernd", "Clara")]


async def seats(at: Club, table: str) -> list[Seat]:
    return (await at.tables.load(table)).seats


@pytest.mark.asyncio
async def test_a_game_that_cannot_be_shown_keeps_no_other_from_its_time(
    at: Club, clock: SetClock
) -> None:
    anna, bernd = await at.register("Anna"), await at.register("Bernd")
    for _ in range(2):
        await at.table(anna, bernd, **SLOW)
    clock.on(hours=25)
    broken, other = await at.tables.out_of_time()
    await spoil(at.tables, broken)
    with pytest.raises(KursbuchError, match="not an action"):
        await deadlines.run_out(at.tables, broken)
    browser = await at.browser(anna)
    await browser.until(f"/t/{other}", lambda game: any(seat["late"] for seat in game["seats"]))


@pytest.mark.asyncio
async def test_every_day_of_an_absence_costs_one(at: Club, clock: SetClock) -> None:
    anna, bernd = await at.register("Anna"), await at.register("Bernd")
    table = await at.table(anna, bernd, **SLOW, vacation=3)
    await deadlines.go_away(at.tables, table, anna, 0, clock() + timedelta(hours=23))
    assert (await seats(at, table))[0].vacation == 2
    # Anyone who adds a part of a day again and again is not away for ever.
    for left in (1, 0):
        clock.on(hours=12)
        await deadlines.go_away(at.tables, table, anna, 0, clock() + timedelta(hours=23))
        assert (await seats(at, table))[0].vacation == left
    clock.on(hours=12)
    with pytest.raises(Refused, match="1 more day away, but you have 0 left"):
        await deadlines.go_away(at.tables, table, anna, 0, clock() + timedelta(hours=23))
    # To be back sooner costs nothing.
    await deadlines.go_away(at.tables, table, anna, 0, clock() + timedelta(hours=1))
    assert (await seats(at, table))[0].vacation == 0


@pytest.mark.asyncio
async def test_who_looks_at_a_table_or_answers_by_mail_is_not_gone(
    at: Club, clock: SetClock
) -> None:
    anna, bernd = await at.register("Anna"), await at.register("Bernd")
    table = await at.table(anna, bernd, slow=True)
    while await at.turn(table) == 1:
        await at.move(table)
    browser = await at.browser(bernd)
    for _ in range(15):
        clock.on(days=1)
        await at.leave()
        await browser.client.get(f"/waiting?table={table}&seen=1")
    with pytest.raises(Forbidden, match="Others are playing here"):
        await lobby.close(at.tables, table, anna)
    clock.on(days=15)
    await lobby.close(at.tables, table, anna)


@pytest.mark.asyncio
async def test_who_is_late_does_not_decide_about_the_replacement(at: Club, clock: SetClock) -> None:
    people = await three(at)
    table = await at.table(*people, **SLOW, overrun="vote")
    late = await at.turn(table)
    asking, other = (seat for seat in range(3) if seat != late)
    clock.on(hours=25)
    await deadlines.run_out(at.tables, table)
    assert not await votes.ask(
        at.tables, table, people[asking], "replace", target=late, wish="random"
    )
    told = [owner for kind, owner, _ in await at.notices() if kind == "consent"]
    assert told == [people[other]]
    assert 'value="no"' not in await (await at.browser(people[late])).page(f"/t/{table}")
    assert 'value="no"' in await (await at.browser(people[other])).page(f"/t/{table}")
    for agree in (True, False):
        with pytest.raises(Forbidden, match="You are out of time"):
            await votes.answer(at.tables, table, people[late], "replace", agree)
    await votes.answer(at.tables, table, people[other], "replace", True)
    assert (await seats(at, table))[late].is_bot


@pytest.mark.asyncio
async def test_what_all_who_are_still_asked_agree_to_is_done(at: Club, clock: SetClock) -> None:
    people = await three(at)
    table = await at.table(*people, **SLOW, overrun="vote")
    late = await at.turn(table)
    asking, other = (seat for seat in range(3) if seat != late)
    await votes.ask(at.tables, table, people[asking], "replace", target=late, wish="random")
    await votes.answer(at.tables, table, people[other], "replace", True)
    assert not (await seats(at, table))[late].is_bot
    clock.on(hours=25)
    await deadlines.run_out(at.tables, table)
    assert (await seats(at, table))[late].is_bot
    assert not (await at.tables.load(table)).consents


@pytest.mark.asyncio
async def test_a_wish_goes_with_whoever_had_it(at: Club) -> None:
    people = await three(at)
    table = await at.table(people[0], people[1])
    await votes.ask(at.tables, table, people[0], "end")
    token = await table_seats.hand_on(at.tables, table, people[0], 0)
    await table_seats.take_over(at.tables, table, people[2], token)
    with pytest.raises(Conflict, match="request to end the game is no longer open"):
        await votes.answer(at.tables, table, people[1], "end", True)


@pytest.mark.asyncio
async def test_who_does_not_play_moderates_no_table_of_players(at: Club) -> None:
    people = await three(at)
    table = await at.table(people[0], people[1], rated=True, moderation="players")
    token = await table_seats.hand_on(at.tables, table, people[0], 0)
    await table_seats.take_over(at.tables, table, people[2], token)
    found = await at.tables.load(table)
    assert [access.is_moderator(found.table, found.seats, person) for person in people] == [
        False,
        True,
        True,
    ]


@pytest.mark.asyncio
async def test_nobody_takes_a_seat_of_a_game_that_is_over(at: Club) -> None:
    people = await three(at)
    table = await at.table(people[0], people[1], rated=True)
    token = await table_seats.hand_on(at.tables, table, people[0], 0)
    async with at.tables.changing(table) as change:
        change.table.status, change.table.turn = "finished", []
        change.table.result = {"scores": [5, 3], "winners": [0]}
    with pytest.raises((Conflict, NotFound)):
        await table_seats.take_over(at.tables, table, people[2], token)
    async with at.tables.database.reading() as session:
        assert (await find_profile(session, "Anna", "")).won == 1


@pytest.mark.asyncio
async def test_nobody_comes_back_to_a_second_seat_of_a_rated_table(at: Club) -> None:
    people = await three(at)
    table = await at.table(*people, rated=True)
    await votes.ask(at.tables, table, people[2], "replace", target=0)
    for one in people[:2]:
        await votes.answer(at.tables, table, one, "replace", True)
    await votes.ask(at.tables, table, people[2], "replace", target=1)
    await votes.answer(at.tables, table, people[1], "replace", True)
    await lobby.join(at.tables, table, people[0], 1, "Anna two")
    with pytest.raises(Conflict, match="each player has one seat"):
        await table_seats.come_back(at.tables, table, people[0], 0)


@pytest.mark.asyncio
async def test_a_game_with_a_computer_is_not_rated_again(at: Club) -> None:
    people = await three(at)
    table = await at.table(*people, rated=True)
    await votes.ask(at.tables, table, people[2], "replace", target=0, wish="random")
    for one in people[:2]:
        await votes.answer(at.tables, table, one, "replace", True)
    async with at.tables.changing(table) as change:
        await change.end()
    again = await at.tables.load(await copies.again(at.tables, table, people[2]))
    assert [seat.is_bot for seat in again.seats].count(True) == 1
    assert not again.table.rated


@pytest.mark.asyncio
async def test_who_opened_a_table_opens_it_again(at: Club) -> None:
    """Anyone who asks for it: so the same one moderates it."""
    people = await three(at)
    table = await at.table(*people, moderation="opener", listed=False)
    async with at.tables.changing(table) as change:
        await change.end()
    again = await at.tables.load(await copies.again(at.tables, table, people[2]))
    assert again.table.creator == people[0]


@pytest.mark.asyncio
async def test_a_guided_game_that_somebody_else_plays_keeps_nobody_from_another(at: Club) -> None:
    one = await lessons.open_guide(at.tables, "rocket", "anna", "Anna")
    token = await table_seats.hand_on(at.tables, one, "anna", 0)
    await table_seats.take_over(at.tables, one, "bernd", token)
    other = await lessons.open_guide(at.tables, "rocket", "anna", "Anna")
    assert [(await at.tables.load(each)).table.status for each in (one, other)] == ["running"] * 2


@pytest.mark.asyncio
async def test_a_game_that_cannot_be_shown_hides_no_other(at: Club) -> None:
    anna, bernd = await at.register("Anna"), await at.register("Bernd")
    broken, other = [await at.table(anna, bernd) for _ in range(2)]
    await spoil(at.tables, broken)
    page = await (await at.browser(anna)).page("/")
    assert f"/t/{other}" in page
    assert f"/t/{broken}" in page


@pytest.mark.asyncio
async def test_what_is_said_after_the_end_does_not_hide_it_again(at: Club, clock: SetClock) -> None:
    """Of those who look on with a delay."""
    anna, bernd = await at.register("Anna"), await at.register("Bernd")
    table = await at.table(anna, bernd, delay_minutes=60)
    async with at.tables.changing(table) as change:
        await change.end()
    clara = await at.browser()
    assert (await clara.game(f"/t/{table}"))["status"] == "running"
    clock.on(minutes=61)
    assert (await clara.game(f"/t/{table}"))["status"] == "closed"
    await table_chat.send_message(at.tables, table, anna, "good game")
    assert (await clara.game(f"/t/{table}"))["status"] == "closed"


@pytest.mark.asyncio
async def test_nothing_is_left_of_a_deleted_table(at: Club) -> None:
    anna, bernd = await at.register("Anna"), await at.register("Bernd")
    table = await at.table(anna, bernd)
    async with at.tables.database.writing() as session:
        await notification_preferences.set_pace(session, anna, table, "mail", "never")
    await administration.delete_one(at.tables, Actor("", "x"), table)
    async with at.tables.database.reading() as session:
        assert not list(await session.scalars(select(NotificationPreference)))


@pytest.mark.asyncio
async def test_who_takes_over_the_seat_of_somebody_late_has_the_whole_time(
    at: Club, clock: SetClock
) -> None:
    people = await three(at)
    table = await at.table(people[0], people[1], **SLOW, overrun="bot", pace=60)
    late = await at.turn(table)
    token = await table_seats.hand_on(at.tables, table, people[late], late)
    clock.on(hours=25)
    await deadlines.run_out(at.tables, table)
    await table_seats.take_over(at.tables, table, people[2], token)
    snapshot = await at.tables.load(table)
    seat = snapshot.seats[late]
    assert (seat.late, seat.due_at) == (False, clock() + timedelta(hours=24))
    assert not snapshot.table.bots_due


@pytest.mark.asyncio
async def test_what_was_asked_about_a_player_is_not_done_to_whoever_takes_over(
    at: Club, clock: SetClock
) -> None:
    people = await three(at)
    dora = await at.register("Dora")
    table = await at.table(*people, **SLOW, overrun="vote")
    late = await at.turn(table)
    asking, other = (seat for seat in range(3) if seat != late)
    token = await table_seats.hand_on(at.tables, table, people[late], late)
    clock.on(hours=25)
    await deadlines.run_out(at.tables, table)
    await votes.ask(at.tables, table, people[asking], "replace", target=late, wish="random")
    await table_seats.take_over(at.tables, table, dora, token)
    with pytest.raises(Conflict, match="request to replace a player is no longer open"):
        await votes.answer(at.tables, table, people[other], "replace", True)
    assert (await seats(at, table))[late].owner == dora


@pytest.mark.asyncio
async def test_a_wish_is_done_when_whoever_is_left_has_agreed(at: Club) -> None:
    people = await three(at)
    table = await at.table(*people)
    await votes.ask(at.tables, table, people[0], "end")
    await votes.answer(at.tables, table, people[1], "end", True)
    token = await table_seats.hand_on(at.tables, table, people[2], 2)
    await table_seats.take_over(at.tables, table, people[1], token)
    assert (await at.tables.load(table)).table.status == "closed"


@pytest.mark.asyncio
async def test_nobody_waits_for_oneself_after_logging_in(at: Club) -> None:
    anna = await at.register("Anna")
    wanted = [NewSeat("me", "Anna"), NewSeat("open")]
    table = await lobby.open_table(at.tables, NewTable("rocket", wanted), anna)
    await lobby.join(at.tables, table, "browser", 1, "Phone")
    await lobby.start(at.tables, table, anna)
    await votes.ask(at.tables, table, anna, "end")
    await transfer.move_to_account(at.tables, "browser", anna)
    assert not (await at.tables.load(table)).consents
    assert await votes.ask(at.tables, table, anna, "end")


@pytest.mark.asyncio
async def test_nobody_waits_for_an_account_that_is_closed(at: Club) -> None:
    people = await three(at)
    table, other = await at.table(*people), await at.table(people[0], people[2])
    await shut.close(at.tables, Actor("", "command line"), "Clara")
    await votes.ask(at.tables, table, people[0], "replace", target=2, wish="random")
    await votes.answer(at.tables, table, people[1], "replace", True)
    assert (await seats(at, table))[2].is_bot
    page = await (await at.browser(people[0])).page(f"/t/{other}")
    assert "Ask the others to end" not in page
    assert await votes.ask(at.tables, other, people[0], "end")


@pytest.mark.asyncio
async def test_days_of_absence_are_not_lost_with_a_seat(at: Club, clock: SetClock) -> None:
    people = await three(at)
    table = await at.table(people[0], people[1], **SLOW, vacation=14)
    until = clock() + timedelta(days=13, hours=12)
    await deadlines.go_away(at.tables, table, people[0], 0, until)
    assert (await seats(at, table))[0].vacation == 0
    token = await table_seats.hand_on(at.tables, table, people[0], 0)
    await table_seats.take_over(at.tables, table, people[2], token)
    seat = (await seats(at, table))[0]
    assert (seat.vacation, seat.away_until) == (13, None)


@pytest.mark.asyncio
async def test_the_computer_does_not_move_for_whoever_goes_away_late(
    at: Club, clock: SetClock
) -> None:
    people = await three(at)
    table = await at.table(people[0], people[1], **SLOW, overrun="bot", vacation=14, pace=60)
    late = await at.turn(table)
    clock.on(hours=25)
    await deadlines.run_out(at.tables, table)
    assert (await at.tables.load(table)).table.bots_due
    await deadlines.go_away(at.tables, table, people[late], late, clock() + timedelta(days=3))
    assert not (await at.tables.load(table)).table.bots_due


@pytest.mark.asyncio
async def test_a_game_counts_for_whoever_took_a_seat_over_from_a_device(at: Club) -> None:
    people = await three(at)
    wanted = [NewSeat("me", "Anna"), NewSeat("hotseat", "Guest")]
    table = await lobby.open_table(at.tables, NewTable("rocket", wanted), people[0])
    token = await table_seats.hand_on(at.tables, table, people[0], 1)
    await table_seats.take_over(at.tables, table, people[1], token)
    async with at.tables.changing(table) as change:
        change.table.status, change.table.turn = "finished", []
        change.table.result = {"scores": [3, 5], "winners": [1]}
    async with at.tables.database.reading() as session:
        found = await find_profile(session, "Bernd", "")
    assert (found.played, found.won) == (1, 1)


@pytest.mark.asyncio
async def test_no_seat_is_left_with_an_account_that_is_deleted(
    at: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Requests of the account that are still under way."""
    anna, bernd = await at.register("Anna"), await at.register("Bernd")
    wanted = [NewSeat("me", "Anna"), NewSeat("open")]
    table = await lobby.open_table(at.tables, NewTable("rocket", wanted), anna)
    let_go, times_called = transfer.leave_tables, count()

    async def meanwhile(tables: TableStore, account: str) -> None:
        await let_go(tables, account)
        if next(times_called) == 0:
            await lobby.join(tables, table, account, 1, "Bernd")

    monkeypatch.setattr(transfer, "leave_tables", meanwhile)
    await accounts.erase(at.tables, bernd)
    assert (await seats(at, table))[1].is_free
    with pytest.raises(Unauthorized):
        await lobby.join(at.tables, table, bernd, 1, "Bernd")
    with pytest.raises(Unauthorized):
        await lobby.open_table(at.tables, NewTable("rocket", wanted), bernd)
    assert (await seats(at, table))[1].is_free
