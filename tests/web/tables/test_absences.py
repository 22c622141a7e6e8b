"""Slow games go on when people do not: some vanish, leave for good, or share a device; and what they are told."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from sqlalchemy import select, update

from kursbuch.web.accounts import service as accounts
from kursbuch.web.accounts import views
from kursbuch.web.db.models import Answered, Consent, Seat, Table, now
from kursbuch.web.http.errors import Forbidden
from kursbuch.web.notifications import mail_replies
from kursbuch.web.notifications.models import Message, NotificationPreference
from kursbuch.web.tables import deadlines, lobby, premove_routes, votes
from kursbuch.web.tables import lobby as table_seats
from kursbuch.web.tables import moves as table_moves
from kursbuch.web.tables.lobby import NewSeat, NewTable
from kursbuch.web.tables.premove_routes import PremoveRequest
from tests.web.correspondents import Club, club
from tests.web.mailbox import Mail, Mailbox

pytestmark = pytest.mark.asyncio

SLOW = {"slow": True, "move_hours": 24, "overrun": "vote"}


@pytest_asyncio.fixture
async def at(tmp_path: Path, arrived: Mailbox) -> AsyncIterator[Club]:
    async with club(tmp_path, arrived) as found:
        yield found


async def seated(at: Club, *names: str, **fields: Any) -> tuple[str, list[str]]:
    """A slow table of people with these names, and their accounts."""
    people = [await at.register(name) for name in names]
    return await at.table(*people, **{**SLOW, **fields}), people


async def run_late(at: Club, table: str, *numbers: int) -> None:
    """The time of these seats is up."""
    past = now() - timedelta(minutes=1)
    late = update(Seat).where(Seat.table_id == table, Seat.number.in_(numbers))
    async with at.tables.database.writing() as session:
        await session.execute(late.values(due_at=past, asked_at=past))
    await deadlines.run_out(at.tables, table)


async def take_silence(at: Club, table: str) -> None:
    """The time to answer is over."""
    past = now() - timedelta(minutes=1)
    async with at.tables.database.writing() as session:
        await session.execute(update(Consent).values(due_at=past))
    assert await at.tables.unanswered() == [table]
    await votes.take_silence(at.tables, table)


async def test_who_is_late_is_not_asked_about_another_who_is(at: Club) -> None:
    table, people = await seated(at, "Anna", "Bernd", "Clara")
    await run_late(at, table, 1, 2)
    assert await votes.ask(at.tables, table, people[0], "replace", target=1, wish="random")
    seats = (await at.tables.load(table)).seats
    assert [seat.is_bot for seat in seats] == [False, True, False]


async def test_who_says_nothing_agrees_after_the_time_for_a_move(at: Club) -> None:
    table, people = await seated(at, "Anna", "Bernd", "Clara", "Dora")
    await run_late(at, table, 1)
    assert not await votes.ask(at.tables, table, people[0], "replace", target=1, wish=None)
    await votes.answer(at.tables, table, people[2], "replace", True)
    wish = (await at.tables.load(table)).consents["replace"]
    assert wish.due_at is not None
    assert timedelta(hours=23) < wish.due_at - now() <= timedelta(hours=24)
    assert "No answer by then counts as agreement:" in await (await at.browser(people[3])).page(
        f"/t/{table}"
    )
    with pytest.raises(Forbidden, match="the others decide without you"):
        await votes.answer(at.tables, table, people[1], "replace", False)
    await take_silence(at, table)
    assert (await at.tables.load(table)).seats[1].is_free
    assert await at.tables.unanswered() == []


async def test_one_refusal_ends_it_and_who_comes_back_is_asked_again(at: Club) -> None:
    table, people = await seated(at, "Anna", "Bernd", "Clara")
    await run_late(at, table, await at.turn(table))
    late = await at.turn(table)
    asker, third = (people[seat] for seat in range(3) if seat != late)
    await votes.ask(at.tables, table, asker, "replace", target=late, wish=None)
    await votes.answer(at.tables, table, third, "replace", False)
    assert (await at.tables.load(table)).consents == {}
    await votes.ask(at.tables, table, asker, "replace", target=late, wish=None)
    while await at.turn(table) == late:
        await at.move(table)
    await take_silence(at, table)
    snapshot = await at.tables.load(table)
    assert snapshot.seats[late].owner == people[late]
    assert snapshot.consents["replace"].due_at is None
    # In time everybody has to agree, however long that takes; the time to answer begins when his is up.
    await run_late(at, table, late)
    assert (await at.tables.load(table)).consents["replace"].due_at is not None


def asked_by_mail(at: Club, name: str = "clara") -> Mail:
    """The last mail in which someone is asked to agree."""
    mails = at.arrived.to(f"{name}@club.example")
    found = [mail for mail in mails if "Your vote is needed" in mail.message["Subject"]]
    assert "would like another player to take over a seat." in found[-1].text
    return found[-1]


async def test_the_time_to_answer_is_told_and_begins_anew(at: Club) -> None:
    """In the mail that asks, and in one more if he becomes late after that; no one's runs out while he is away."""
    table, people = await seated(at, "Anna", "Bernd", "Clara", vacation=9)
    await votes.ask(at.tables, table, people[0], "replace", target=1, wish=None)
    await at.written()
    assert "If you do not answer" not in asked_by_mail(at).text
    until = now() + timedelta(days=3)
    await deadlines.go_away(at.tables, table, people[2], 2, until)
    await run_late(at, table, 1)
    await at.written()
    assert "If you do not answer by" in asked_by_mail(at).text
    first = (await at.tables.load(table)).consents["replace"].due_at
    assert first == until + timedelta(hours=24)
    # Back in time, he is asked himself, and nothing is said of silence; late again, the time begins again.
    browser = await at.browser(people[2])
    assert "No answer by then counts as agreement:" in await browser.page(f"/t/{table}")
    async with at.tables.database.writing() as session:
        back = update(Seat).where(Seat.table_id == table, Seat.number == 1)
        await session.execute(back.values(late=False, due_at=None))
        await session.execute(update(Table).values(version=Table.version + 1))
        await session.execute(update(Consent).values(due_at=now() - timedelta(hours=1)))
    assert "No answer by then counts as agreement:" not in await browser.page(f"/t/{table}")
    await run_late(at, table, 1)
    assert (await at.tables.load(table)).consents["replace"].due_at == until + timedelta(hours=24)
    assert await at.tables.unanswered() == []


async def test_each_mail_is_about_the_question_it_was_written_for(at: Club) -> None:
    """Two are open at once, and of one of them who says nothing has to know that he agrees."""
    table, people = await seated(at, "Anna", "Bernd", "Clara")
    await votes.ask(at.tables, table, people[0], "end")
    await run_late(at, table, 1)
    await votes.ask(at.tables, table, people[0], "replace", target=1, wish=None)
    await at.written()
    mails = at.arrived.to("clara@club.example")
    said = [one.text for one in mails if "vote is needed" in one.message["Subject"]]
    ending, replacing = sorted(said, key=lambda text: "If you do not answer by" in text)
    assert "would like to end the game" in ending
    assert "If you do not answer" not in ending
    assert "would like another player to take over a seat. If you do not answer by" in replacing
    assert "would like to end the game" not in replacing


async def asked_silently(at: Club) -> tuple[str, list[str]]:
    """Anna has asked to replace Bernd, who is late; an hour of the time to answer is left."""
    table, people = await seated(at, "Anna", "Bernd", "Clara", vacation=9)
    await run_late(at, table, 1)
    await votes.ask(at.tables, table, people[0], "replace", target=1, wish=None)
    await at.written()
    async with at.tables.database.writing() as session:
        await session.execute(update(Consent).values(due_at=now() + timedelta(hours=1)))
    return table, people


async def test_whoever_gets_a_seat_hears_what_is_asked_and_has_the_whole_time(at: Club) -> None:
    table, people = await asked_silently(at)
    dora = await at.register("Dora")
    token = await table_seats.hand_on(at.tables, table, people[2], 2)
    await table_seats.take_over(at.tables, table, dora, token)
    due = (await at.tables.load(table)).consents["replace"].due_at
    assert due is not None
    assert due > now() + timedelta(hours=23)
    await at.written()
    assert "If you do not answer by" in asked_by_mail(at, "dora").text


async def test_whoever_sits_down_or_comes_back_hears_what_is_asked(at: Club) -> None:
    table, people = await seated(at, "Anna", "Bernd", "Clara", "Dora")
    eve = await at.register("Eve")
    for number in (2, 3):
        await votes.ask(at.tables, table, people[0], "replace", target=number, wish=None)
        for one in people[1:3] if number == 2 else people[1:2]:
            await votes.answer(at.tables, table, one, "replace", True)
        await votes.answer(at.tables, table, people[3], "replace", True)
    await votes.ask(at.tables, table, people[0], "end")
    await at.written()
    before = len(at.arrived.mails)
    await lobby.join(at.tables, table, eve, 2, "Eve")
    await table_seats.come_back(at.tables, table, people[3], 3)
    await at.written()
    asked = [one for one in at.arrived.mails[before:] if "would like to end" in one.text]
    assert {one.recipient for one in asked} == {"eve@club.example", "dora@club.example"}


async def test_whoever_says_that_he_is_away_is_waited_for(at: Club) -> None:
    table, people = await asked_silently(at)
    until = now() + timedelta(days=3)
    await deadlines.go_away(at.tables, table, people[2], 2, until)
    due = (await at.tables.load(table)).consents["replace"].due_at
    assert due == until + timedelta(hours=24)


async def test_whoever_was_replaced_is_told(at: Club) -> None:
    table, people = await seated(at, "Anna", "Bernd")
    while await at.turn(table) != 1:
        await at.move(table)
    await run_late(at, table, 1)
    await votes.ask(at.tables, table, people[0], "replace", target=1, wish="random")
    await at.written()
    mail = at.arrived.to("bernd@club.example")[-1]
    assert mail.message["Subject"].startswith("You have been replaced: ")
    assert "Another player is playing your seat Bernd for now." in mail.text
    assert "can come back as long as no other person sits there" in mail.text
    # Where someone else sits by now, he cannot; and anyone who is back knows.
    await table_seats.come_back(at.tables, table, people[1], 1)
    await at.written()
    for back in (True, False):
        at.arrived.mails.clear()
        await votes.ask(at.tables, table, people[0], "replace", target=1, wish=None)
        await votes.answer(at.tables, table, people[1], "replace", True)
        if back:
            await table_seats.come_back(at.tables, table, people[1], 1)
        else:
            await lobby.join(at.tables, table, await at.register("Clara"), 1, "Clara")
        await at.written()
        mails = at.arrived.to("bernd@club.example")
        told = [one for one in mails if "replaced" in one.message["Subject"]]
        assert len(told) == (0 if back else 1)
    assert "Another player is playing your seat Bernd for now." in told[0].text
    assert "come back" not in told[0].text


async def test_a_table_without_a_time_for_moves_waits_for_answers(at: Club) -> None:
    table, people = await seated(at, "Anna", "Bernd", move_hours=None)
    await votes.ask(at.tables, table, people[0], "replace", target=1, wish=None)
    assert (await at.tables.load(table)).consents["replace"].due_at is None


async def test_a_digest_of_several_tables_says_that_it_is_not_answered(at: Club) -> None:
    people = [await at.register(name) for name in ("Anna", "Bernd")]
    tables = [await at.table(*people, slow=True) for _ in range(2)]
    async with at.tables.database.writing() as session:
        session.add(
            NotificationPreference(owner=people[0], table_id="", channel="mail", pace="day")
        )
    for table in tables:
        while await at.turn(table) == 0:
            await at.move(table)
        while await at.turn(table) == 1:
            await at.move(table)
    await at.written()
    mail = at.arrived.to("anna@club.example")[-1]
    assert "News from 2 tables" in mail.message["Subject"]
    assert mail.message["Reply-To"] is None
    assert "Reply to this mail" not in mail.text
    assert mail.text.count("What you can do:") == 2


async def test_a_digest_of_one_table_is_answered(at: Club) -> None:
    await at.post.reader.stop()
    people = [await at.register(name) for name in ("Anna", "Bernd")]
    table = await at.table(*people, slow=True)
    async with at.tables.database.writing() as session:
        session.add(
            NotificationPreference(owner=people[0], table_id="", channel="mail", pace="day")
        )
    while await at.turn(table) == 0:
        await at.move(table)
    while await at.turn(table) == 1:
        await at.move(table)
    await at.written()
    mail = at.arrived.to("anna@club.example")[-1]
    assert "Reply to this mail" in mail.text
    reply = EmailMessage()
    reply["From"], reply["To"] = "anna@club.example", mail.message["Reply-To"]
    reply["Message-ID"] = "<1@x>"
    reply.set_content(next(line for line in mail.text.splitlines() if line.startswith("  takes")))
    before = (await at.tables.load(table)).table.number
    await mail_replies.receive(at.tables.database, reply.as_bytes())
    while await at.post.reader.round():
        pass
    assert (await at.tables.load(table)).table.number == before + 1


async def test_whoever_deletes_an_account_is_missed(at: Club) -> None:
    table, people = await seated(at, "Anna", "Bernd", "Clara")
    while await at.turn(table) != 1:
        await at.move(table)
    await at.written()
    before = len(at.arrived.mails)
    async with at.tables.database.writing() as session:
        session.add(Answered(visitor=people[1], key="k", about="chat", answer=None))
    await accounts.erase(at.tables, people[1])
    page = await (await at.browser(people[0])).page(f"/t/{table}")
    assert "Bernd has left for good: the seat can be handed on." in page
    await at.written()
    told = {mail.recipient: mail for mail in at.arrived.mails[before:]}
    assert set(told) == {"anna@club.example", "clara@club.example"}
    assert all("Bernd left the game" in mail.text for mail in told.values())
    async with at.tables.database.reading() as session:
        assert list(await session.scalars(select(Answered))) == []


async def test_whoever_is_left_alone_is_told(at: Club) -> None:
    table, people = await seated(at, "Anna", "Bernd", vacation=3)
    await deadlines.go_away(at.tables, table, people[1], 1, now() + timedelta(days=2))
    await accounts.erase(at.tables, people[1])
    await at.written()
    assert "Bernd left the game" in at.arrived.to("anna@club.example")[-1].text
    # Who takes the seat has days of his own; who was replaced and sits down again has those that were left.
    new = await at.register("Clara")
    token = await table_seats.hand_on(at.tables, table, people[0], 1)
    await table_seats.take_over(at.tables, table, new, token)
    assert (await at.tables.load(table)).seats[1].vacation == 3
    await deadlines.go_away(at.tables, table, new, 1, now() + timedelta(days=2))
    await votes.ask(at.tables, table, new, "replace", target=1, wish=None)
    await votes.answer(at.tables, table, people[0], "replace", True)
    left = (await at.tables.load(table)).seats[1].vacation
    await lobby.join(at.tables, table, new, 1, "Clara")
    assert (await at.tables.load(table)).seats[1].vacation == left < 3


async def token_planned(at: Club, table: str, account: str, place: int) -> dict[str, Any]:
    """The first seat plans to take a token, the one at this place of what is offered."""
    browser = await at.browser(account)
    found = (await browser.client.get(f"/api/tables/{table}/ahead?seat=0")).json()
    situation = found["situations"][0]
    tokens = [one for one in situation["actions"] if one["action"] == "take-token"]
    wanted = PremoveRequest("act", step=situation["step"], action=tokens[place])
    await premove_routes.add_premove(at.tables, table, account, 0, wanted)
    return dict(tokens[place])


async def test_a_move_that_was_not_made_as_planned_is_told(at: Club) -> None:
    """With one's turn, or by itself if it was passed."""
    table, people = await seated(at, "Anna", "Bernd", undo="free")
    while await at.turn(table) != 1:
        await at.move(table)
    token = await token_planned(at, table, people[0], 0)
    program = await at.program(people[1])
    same = {**token, "seat": 1}
    seats = (await program.client.get(f"/api/tables/{table}")).json()
    answer = await program.client.post(
        f"/api/tables/{table}/move", json={"number": seats["number"], "action": same}
    )
    assert answer.status_code == 200, answer.text
    while await at.turn(table) != 0:
        await at.move(table)
    await at.written()
    mail = at.arrived.to("anna@club.example")[-1]
    assert "Your turn" in mail.message["Subject"]
    assert "Not played:" in mail.text
    assert "It was no longer possible." in mail.text
    # It was said with the turn, and not twice.
    assert not any("Premove not made" in one.message["Subject"] for one in at.arrived.mails)
    for seat in (1, 0):
        while await at.turn(table) != seat:
            await at.move(table)
    await at.written()
    mail = at.arrived.to("anna@club.example")[-1]
    assert "Your turn" in mail.message["Subject"]
    assert "Not played" not in mail.text


async def test_a_move_taken_back_that_was_planned_is_told_at_once(at: Club) -> None:
    table, people = await seated(at, "Anna", "Bernd", undo="free")
    while await at.turn(table) != 1:
        await at.move(table)
    await token_planned(at, table, people[0], -1)
    before = (await at.tables.load(table)).table.number
    while (await at.tables.load(table)).table.turn == [1]:
        await at.move(table)
    await at.written()
    await votes.ask(at.tables, table, people[1], "undo", target=before)
    kinds = [kind for kind, owner, _ in await at.notices() if owner == people[0]]
    assert kinds == ["dropped"]
    await at.written()
    mail = at.arrived.to("anna@club.example")[-1]
    assert "Premove not made" in mail.message["Subject"]
    assert "The move was taken back." in mail.text


async def test_whoever_sits_down_has_days_of_his_own(at: Club) -> None:
    table, people = await seated(at, "Anna", "Bernd", vacation=5)
    new = await at.register("Clara")
    until = now() + timedelta(days=5) - timedelta(minutes=1)
    await deadlines.go_away(at.tables, table, people[1], 1, until)
    await votes.ask(at.tables, table, people[0], "replace", target=1, wish=None)
    await votes.answer(at.tables, table, people[1], "replace", True)
    await lobby.join(at.tables, table, new, 1, "Clara")
    assert (await at.tables.load(table)).seats[1].vacation == 5


async def test_a_device_of_several_people_gets_no_mail_for_one_of_them(at: Club) -> None:
    """Where something is hidden: it says whose turn it is, and that the page knows more."""
    clara, dora = [await at.register(name) for name in ("Clara", "Dora")]
    seats = [NewSeat("me", "Clara"), NewSeat("hotseat", "Cousin"), NewSeat("open")]
    table = await lobby.open_table(at.tables, NewTable("nimm", seats, slow=True), clara)
    await lobby.join(at.tables, table, dora, 2, "Dora")
    await lobby.start(at.tables, table, clara)
    said: list[Mail] = []
    while not said:
        await at.move(table)
        for seat in (await at.tables.load(table)).table.turn:
            if seat < 2:  # sits down before the device, looks, and goes
                await table_moves.face(at.tables, table, clara, seat)
        await at.written()
        mails = at.arrived.to("clara@club.example")
        said = [mail for mail in mails if "Your turn" in mail.message["Subject"]]
    for mail in said:
        assert " is next to move: " in mail.text
        assert mail.message["Reply-To"] is None
        assert "Reply to this mail" not in mail.text
        assert "What you can do" not in mail.text


async def test_each_of_several_seats_that_decide_at_once_has_its_own_mail(at: Club) -> None:
    """Anyone who holds two of them is told for which one a mail is, what that one may do, and answers for it."""
    anna, bernd = [await at.register(name) for name in ("Anna", "Bernd")]
    seats = [NewSeat("me", "Anna"), NewSeat("hotseat", "Also"), NewSeat("open")]
    table = await lobby.open_table(at.tables, NewTable("rocket", seats, slow=True), anna)
    await lobby.join(at.tables, table, bernd, 2, "Bernd")
    await lobby.start(at.tables, table, anna)
    chance, turn = random.Random(24), list[int]()
    while not {0, 1} <= set(turn):
        await at.move(table, chance)
        turn = (await at.tables.load(table)).table.turn
    await at.written()
    game = (await at.tables.load(table)).game
    assert game is not None
    mails = [one for one in at.arrived.mails if "Your turn" in one.message["Subject"]]
    told = {one.text.partition(":")[0]: one for one in mails}
    assert set(told) == {"Anna", "Also"}
    lines = []
    for seat, name in enumerate(told):
        own = [game.title.format(one.action) for one in game.view(seat).legal_actions()]
        offered = told[name].text.partition("Reply to this mail with")[2]
        lines.append([line.strip() for line in offered.splitlines() if line.startswith("  ")])
        assert lines[-1] == own
    reply = EmailMessage()
    reply["From"], reply["To"] = "anna@club.example", told["Also"].message["Reply-To"]
    reply["Message-ID"] = "<1@x>"
    reply.set_content(lines[1][0])
    await mail_replies.receive(at.tables.database, reply.as_bytes())
    while await at.post.reader.round():
        pass
    assert (await at.tables.load(table)).moves[-1] == (1, False)


async def test_a_seat_that_was_handed_on_has_not_moved_yet(at: Club) -> None:
    table, people = await seated(at, "Anna", "Bernd")
    new = await at.register("Clara")
    for _ in range(6):
        await at.move(table)
    while await at.turn(table) != 0:
        await at.move(table)
    token = await table_seats.hand_on(at.tables, table, people[1], 1)
    await table_seats.take_over(at.tables, table, new, token)
    while await at.turn(table) != 1:
        await at.move(table)
    await at.written()
    mail = at.arrived.to("clara@club.example")[-1]
    assert "Since you joined" in mail.text
    assert "Since your last move" not in mail.text


async def test_games_against_oneself_are_not_counted(at: Club) -> None:
    anna, bernd = [await at.register(name) for name in ("Anna", "Bernd")]
    seats = [NewSeat("me", "Anna"), NewSeat("hotseat", "Also Anna")]
    alone = await lobby.open_table(at.tables, NewTable("rocket", seats), anna)
    together = await at.table(anna, bernd)
    for table, count in ((alone, 0), (together, 1)):
        while (await at.tables.load(table)).table.status == "running":
            await at.move(table)
        async with at.tables.database.reading() as session:
            assert (await views.find_profile(session, "Anna", bernd)).played == count


async def test_programs_are_told_in_the_language_of_the_account(
    tmp_path: Path, arrived: Mailbox
) -> None:
    async with club(tmp_path, arrived, smtp="", replies="", webhooks="private") as at:
        anna, bernd = await at.register("Anna", language="de"), await at.register("Bernd")
        browser = await at.browser(anna)
        hook = {"url": "http://127.0.0.1:9/x", "form": "plain"}
        assert (await browser.client.post("/messages/webhook", json=hook)).status_code < 400
        table = await at.table(anna, bernd, slow=True)
        async with at.tables.database.writing() as session:
            await session.execute(update(Table).values(language="en"))
        while await at.turn(table) != 1:
            await at.move(table)
        while await at.turn(table) != 0:
            await at.move(table)
        await at.leave()
        await at.post.composer.round()
        async with at.tables.database.reading() as session:
            letters = list(await session.scalars(select(Message)))
        assert letters
        assert all(letter.subject.startswith("Du bist dran") for letter in letters)
