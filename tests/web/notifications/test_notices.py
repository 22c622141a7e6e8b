"""Who is told what, once, and not while looking."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest
import pytest_asyncio
from sqlalchemy import delete, select, update

from kursbuch.games.rocket.actions import CallVeto
from kursbuch.web.accounts.models import Account
from kursbuch.web.db.models import now
from kursbuch.web.notifications import mail_replies, message_text
from kursbuch.web.notifications.message_text import PICTURE_WIDTH
from kursbuch.web.notifications.models import (
    Message,
    Notice,
    NotificationPreference,
    PushDevice,
    RecipientSettings,
    Webhook,
)
from kursbuch.web.notifications.preferences import recipients
from kursbuch.web.notifications.service import Notifications
from kursbuch.web.settings import NotificationSettings
from kursbuch.web.tables import copies, deadlines, lobby, votes
from kursbuch.web.tables import moves as table_moves
from kursbuch.web.tables.snapshot import Seen
from kursbuch.web.tables.store import TableStore
from tests.web.correspondents import ADDRESS, REPLIES, SENDER, Club, club
from tests.web.db.test_servers import postgres_schema
from tests.web.mailbox import Mailbox
from tests.web.stored import spoil
from tests.web.visitors import SetClock


@pytest_asyncio.fixture
async def at(tmp_path: Path, arrived: Mailbox) -> AsyncIterator[Club]:
    async with club(tmp_path, arrived) as found:
        yield found


@pytest.mark.asyncio
async def test_one_mail_for_one_turn(at: Club, tmp_path: Path) -> None:
    anna, bernd = await at.register("Anna"), await at.register("Bernd", "de")
    table = await at.table(anna, bernd)
    first = await at.turn(table)
    people = [anna, bernd]
    assert await at.notices() == [
        ("turn", people[first], "mail"),
        ("begun", people[1 - first], "mail"),
    ]
    # No one is told of what was done in time.
    for _ in range(6):
        await at.move(table)
    turn = await at.turn(table)
    assert [one for one in await at.notices() if one[0] == "turn"] == [
        ("turn", people[turn], "mail")
    ]
    await at.leave()
    # Anyone who looks is told later, and not that the game has begun.
    browser = await at.browser(people[turn])
    async for _ in browser.events(f"/t/{table}"):
        break
    other = await at.browser(people[1 - turn])
    async for _ in other.events(f"/t/{table}"):
        break
    assert await at.post.composer.round() == 0
    assert await at.notices() == [("turn", people[turn], "mail")]
    # Several servers write to the same database.
    workers = [at.post, *[await _worker(at) for _ in range(3)]]
    await at.leave()
    counts = await asyncio.gather(*(worker.composer.round() for worker in workers))
    assert sum(counts) >= 1
    while sum(await asyncio.gather(*(worker.outbox.round() for worker in workers))):
        pass
    [mail] = at.arrived.mails
    name = people[turn].removeprefix("account-")
    assert mail.recipient == f"{name}@club.example"
    assert mail.message["Subject"] in (
        "Your turn: Stephenson's Rocket with Bernd",
        "Du bist dran: Stephenson's Rocket mit Anna",
    )
    assert f"{ADDRESS}/t/{table}" in mail.text
    assert f"{ADDRESS}/t/{table}" in mail.html
    assert await at.written() == 0


async def due(at: Club) -> None:
    """Every pause is over."""
    async with at.tables.database.writing() as session:
        await session.execute(update(Notice).values(due_at=now() - timedelta(seconds=1)))


@pytest.mark.asyncio
async def test_a_page_that_nobody_sees_keeps_nothing_back(at: Club) -> None:
    """In a tab in the background, or on a computer that sleeps, its stream goes on."""
    people = [await at.register("Anna"), await at.register("Bernd")]
    table = await at.table(*people)
    turn = await at.turn(table)
    browser = await at.browser(people[turn])
    async with browser.client.stream("GET", f"/t/{table}/events?push=1") as stream:
        async for _ in stream.aiter_lines():
            break
        await due(at)
        await at.post.composer.round()
        assert ("turn", people[turn], "mail") not in await at.notices()


@pytest.mark.asyncio
async def test_what_happened_unseen_is_told(at: Club) -> None:
    """Anyone who has left just before the game began has not seen that it did, anyone who came after it has."""
    people = [await at.register("Anna"), await at.register("Bernd")]
    table = await at.table(*people)
    waits = people[1 - await at.turn(table)]
    browser = await at.browser(waits)
    seen = f"/waiting?table={table}&seen=1"
    assert (await browser.client.get(seen)).status_code == 200
    async with at.tables.database.writing() as session:
        later = now() + timedelta(seconds=5)
        await session.execute(update(Notice).values(made_at=later))
    await due(at)
    await at.post.composer.round()
    assert ("begun", waits, "mail") in await at.notices()
    await due(at)
    at.tables.presence._eyes.clear()
    await at.post.composer.round()
    while await at.post.outbox.round():
        pass
    name = waits.removeprefix("account-")
    [mail] = at.arrived.to(f"{name}@club.example")
    assert mail.message["Subject"].startswith("The game has begun: ")
    # What is over was seen by anyone who had the table before his eyes then.
    async with at.tables.changing(table) as change:
        await change.end()
    assert (await browser.client.get(seen)).status_code == 200
    await due(at)
    await at.post.composer.round()
    assert ("over", waits, "mail") not in await at.notices()
    while await at.post.outbox.round():
        pass
    assert len(at.arrived.to(f"{name}@club.example")) == 1


async def _worker(at: Club) -> Notifications:
    """Another server on the same database, as far as letters are concerned."""
    settings = NotificationSettings(smtp=at.arrived.url, sender=SENDER, replies=REPLIES)
    other = Notifications(
        TableStore(at.tables.database), settings, at.server.app.state.templates, ADDRESS
    )
    await other.start()
    await other.stop()
    return other


@pytest.mark.asyncio
async def test_one_mail_for_one_turn_on_postgresql(
    postgres_url: str, arrived: Mailbox, tmp_path: Path
) -> None:
    async with (
        postgres_schema(postgres_url) as url,
        club(tmp_path, arrived, database=url) as at,
    ):
        anna, bernd = await at.register("Anna"), await at.register("Bernd")
        table = await at.table(anna, bernd)
        for _ in range(8):
            await at.move(table)
        workers = [at.post, *[await _worker(at) for _ in range(2)]]
        await at.leave()
        await asyncio.gather(*(worker.composer.round() for worker in workers))
        while sum(await asyncio.gather(*(worker.outbox.round() for worker in workers))):
            pass
        turns = [mail for mail in arrived.mails if "turn" in mail.message["Subject"]]
        [mail] = turns
        line = mail.text.partition("Reply to this mail")[2].splitlines()[1].strip()
        content = f"To: {mail.message['Reply-To']}\nMessage-ID: <a>\n\n{line}".encode()
        before = (await at.tables.load(table)).table.number
        await mail_replies.receive(at.tables.database, content)
        await asyncio.gather(*(worker.reader.round() for worker in workers))
        assert not await mail_replies.receive(at.tables.database, content)
        assert (await at.tables.load(table)).table.number == before + 1


@pytest.mark.asyncio
async def test_who_is_asked_something_else_is_told_anew(at: Club) -> None:
    """Anyone who may object has to bid once another has objected: the first mail says nothing of that."""
    people = [await at.register(name) for name in ("Anna", "Bernd", "Clara")]
    table = await at.table(*people, slow=True, move_hours=24)
    chance, again = random.Random(3), set[int]()
    while not again:
        steps, owner = await asked(at, table), await objects_or_moves(at, table, chance)
        after = await asked(at, table)
        again = {seat for seat in after if after[seat] != steps.get(seat, after[seat])}
        again.discard(people.index(owner))
    snapshot = await at.tables.load(table)
    async with at.tables.database.reading() as session:
        keys = list(await session.scalars(select(Notice.key).where(Notice.kind == "turn")))
    place = f"{snapshot.table.rewound}.{snapshot.table.number}"
    for seat in again:
        mine = [key for key in keys if key.startswith(f"turn:{table}:{seat}:")]
        assert mine == [f"turn:{table}:{seat}:{place}:mail"]
        asked_at = snapshot.seats[seat].asked_at
        assert asked_at is not None
        assert snapshot.seats[seat].due_at == asked_at + timedelta(hours=24)
        assert asked_at == max(one.asked_at for one in snapshot.seats if one.asked_at is not None)


async def objects_or_moves(at: Club, table: str, chance: random.Random) -> str:
    """Someone objects if several may, else moves somehow; returns whose seat it was."""
    snapshot = await at.tables.load(table)
    game, turn = snapshot.game, snapshot.table.turn
    assert game is not None
    choices = [choice.action for choice in game.view(turn[-1]).legal_actions()]
    objections = [action for action in choices if isinstance(action, CallVeto)]
    action = objections[0] if objections and len(turn) > 1 else chance.choice(choices)
    owner = snapshot.seats[turn[-1]].owner
    assert owner is not None
    seen = Seen(snapshot.table.number, snapshot.table.version)
    await table_moves.move(at.tables, table, owner, seen, game.title.action_to_json(action))
    return owner


async def asked(at: Club, table: str) -> dict[int, str]:
    """The seats that have to decide, with the kind of decision."""
    game = (await at.tables.load(table)).game
    assert game is not None
    return {decision.seat: decision.step for decision in game.position.pending()}


@pytest.mark.asyncio
async def test_what_a_mail_says(at: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(message_text, "PICTURE_WIDTH", PICTURE_WIDTH)
    anna, bernd = await at.register("Anna"), await at.register("Bernd")
    table = await at.table(anna, bernd)
    for _ in range(12):
        await at.move(table)
    await at.written()
    mail = next(mail for mail in at.arrived.mails if "turn" in mail.message["Subject"])
    assert "Since your last move" in mail.text
    assert "Reply to this mail with one of these lines" in mail.text
    seat = await at.turn(table)
    game = (await at.tables.load(table)).game
    assert game is not None
    moves = [game.title.format(choice.action) for choice in game.view(seat).legal_actions()]
    assert f"  {moves[0]}\n" in mail.text
    assert f"<code>{moves[0]}</code>" in mail.html
    picture = next(part for part in mail.message.walk() if part.get_content_type() == "image/png")
    content = picture.get_payload(decode=True)
    assert isinstance(content, bytes)
    assert content.startswith(b"\x89PNG")
    assert len(content) > 5000
    unsubscribe = mail.message["List-Unsubscribe"]
    assert unsubscribe.startswith(f"<{ADDRESS}/unsubscribe/")
    assert mail.message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"


@pytest.mark.asyncio
async def test_what_happened_before_the_first_move_is_told(at: Club) -> None:
    people = [await at.register("Anna"), await at.register("Bernd")]
    table = await at.table(*people)
    first = await at.turn(table)
    while (await at.turn(table)) == first:
        await at.move(table)
    await at.written()
    mails = at.arrived.to(f"{people[1 - first].removeprefix('account-')}@club.example")
    [mail] = [one for one in mails if "turn" in str(one.message["Subject"])]
    told = mail.text.partition("Since the game began")[2]
    assert ["Anna", "Bernd"][first] in told


async def helped(at: Club, table: str, clock: SetClock) -> None:
    """The time of the player who has to decide runs out, and the computer makes one move."""
    clock.on(hours=25)
    await deadlines.run_out(at.tables, table)
    snapshot = await at.tables.load(table)
    seat = await at.turn(table)
    assert snapshot.game is not None
    choice = snapshot.game.view(seat).legal_actions()[0]
    action = snapshot.game.title.action_to_json(choice.action)
    seen = Seen(snapshot.table.number, snapshot.table.version)
    await table_moves.bot_move(at.tables, table, seen, action)


@pytest.mark.asyncio
async def test_what_the_computer_played_for_somebody_is_told(at: Club, clock: SetClock) -> None:
    people = [await at.register("Anna"), await at.register("Bernd")]
    table = await at.table(*people, slow=True, move_hours=24, overrun="bot", pace=60.0)
    late = await at.turn(table)
    while await at.turn(table) == late:
        await at.move(table)  # by hand
    own = (await at.tables.load(table)).table.number
    while await at.turn(table) != late:
        await at.move(table)
    while await at.turn(table) == late:
        await helped(at, table, clock)
    while await at.turn(table) != late:
        await at.move(table)
    snapshot = await at.tables.load(table)
    await at.written()
    mails = at.arrived.to(f"{people[late].removeprefix('account-')}@club.example")
    told = mails[-1].text
    assert f"Since your last move: {snapshot.table.number - own} moves" in told
    assert ["Anna", "Bernd"][late] in told.partition("Since your last move")[2]


@pytest.mark.asyncio
async def test_a_reminder_is_not_sent_when_the_time_runs_anew(at: Club, clock: SetClock) -> None:
    """The computer has made a move, and the same player decides again: that is told, and nothing else."""
    people = [await at.register("Anna"), await at.register("Bernd")]
    table = await at.table(*people, slow=True, move_hours=24, overrun="bot", pace=60.0)
    await at.written()
    at.arrived.mails.clear()
    late = await at.turn(table)
    await helped(at, table, clock)
    assert await at.turn(table) == late
    await at.written()
    subjects = [str(mail.message["Subject"]) for mail in at.arrived.mails]
    assert [one.partition(":")[0] for one in subjects] == ["Your turn"]


@pytest.mark.asyncio
async def test_the_others_hear_that_they_may_replace_whoever_is_too_late(
    at: Club, clock: SetClock
) -> None:
    people = [await at.register(name) for name in ("Anna", "Bernd", "Clara")]
    table = await at.table(*people, slow=True, move_hours=24, overrun="vote")
    await at.written()
    at.arrived.mails.clear()
    late = await at.turn(table)
    clock.on(hours=25)
    await deadlines.run_out(at.tables, table)
    await at.written()
    name = ["Anna", "Bernd", "Clara"][late]
    told = {mail.recipient.partition("@")[0]: mail for mail in at.arrived.mails}
    assert set(told) == {"anna", "bernd", "clara"}
    assert told.pop(name.lower()).message["Subject"].startswith("Still your turn: ")
    for mail in told.values():
        assert mail.message["Subject"].startswith("Time is up: ")
        assert f"Time is up for {name}: you can ask the others" in mail.text
    # Anyone who moves after all leaves nothing to be told.
    at.arrived.mails.clear()
    clock.on(hours=25)
    await at.move(table)
    while await at.turn(table) == late:
        await at.move(table)
    clock.on(hours=25)
    await deadlines.run_out(at.tables, table)
    await at.move(table)
    await at.written()
    assert not [mail for mail in at.arrived.mails if "Time is up" in str(mail.message["Subject"])]
    page = await (await at.browser(people[late])).page(f"/t/{table}")
    assert "Your time is up." in page
    assert f"{name} has run out of time." not in page
    assert f"{name} is out of time." not in page


@pytest.mark.asyncio
async def test_consents_and_the_end(at: Club) -> None:
    anna, bernd = await at.register("Anna"), await at.register("Bernd")
    table = await at.table(anna, bernd)
    await at.move(table)
    await at.written()
    at.arrived.mails.clear()
    await votes.ask(at.tables, table, anna, votes.END)
    assert ("consent", bernd, "mail") in await at.notices()
    await at.written()
    [mail] = at.arrived.mails
    assert mail.recipient == "bernd@club.example"
    assert "Anna would like to end the game without a result." in mail.text
    await votes.answer(at.tables, table, bernd, votes.END, True)
    at.arrived.mails.clear()
    await at.written()
    assert sorted(mail.recipient for mail in at.arrived.mails) == [
        "anna@club.example",
        "bernd@club.example",
    ]
    assert all("The game was ended without a result." in mail.text for mail in at.arrived.mails)


@pytest.mark.asyncio
async def test_who_has_agreed_is_told_when_asked_anew(
    at: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = [await at.register(name) for name in ("Anna", "Bernd", "Clara")]
    table = await at.table(*people)
    asking = await at.turn(table)
    while (mover := await at.turn(table)) == asking:
        await at.move(table)
    await votes.ask(at.tables, table, people[asking], votes.UNDO)
    other = people[3 - asking - mover]
    await votes.answer(at.tables, table, other, votes.UNDO, True)
    await at.written()
    monkeypatch.setattr("kursbuch.web.tables.transaction.reveals", lambda *given: True)
    await at.move(table)
    told = [owner for kind, owner, _ in await at.notices() if kind == "consent"]
    assert told == [other]


@pytest.mark.asyncio
async def test_who_plays_again_is_told(at: Club) -> None:
    """Another one opens the next table: who is first has to know, and so has everybody else."""
    people = [await at.register(name) for name in ("Anna", "Bernd", "Clara")]
    table = await at.table(*people)
    async with at.tables.changing(table) as change:
        await change.end()
    await at.written()
    again = await copies.again(at.tables, table, people[0])
    seats = (await at.tables.load(again)).seats
    first = seats[await at.turn(again)].owner
    told = {owner: kind for kind, owner, _ in await at.notices()}
    assert told == {owner: "turn" if owner == first else "begun" for owner in people}


@pytest.mark.asyncio
async def test_who_plays_alone_or_without_account_is_not_told(at: Club) -> None:
    anna = await at.register("Anna")
    seats = [lobby.NewSeat("me", "Anna"), lobby.NewSeat("bot", "", "random")]
    await lobby.open_table(at.tables, lobby.NewTable("rocket", seats), anna)
    await at.table("a browser", "another browser")
    assert await at.notices() == []


@pytest.mark.asyncio
async def test_what_is_gone_while_a_digest_is_written_takes_nothing_else_with_it(
    at: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, bernd = await at.register("Anna"), await at.register("Bernd")
    async with at.tables.database.writing() as session:
        session.add_all(
            NotificationPreference(owner=one, table_id="", channel="mail", pace="day")
            for one in (anna, bernd)
        )
    one, two = await at.table(anna, bernd), await at.table(anna, bernd)
    seat = await at.turn(one)
    while await at.turn(two) != seat:
        await at.move(two)
    async with at.tables.database.writing() as session:
        await session.execute(delete(Notice).where(Notice.kind == "begun"))
    await at.leave()
    loop = asyncio.get_running_loop()
    moved: list[None] = []

    async def move_on() -> None:
        while await at.turn(one) == seat:
            await at.move(one)

    def picture(svg: str) -> bytes:
        if not moved:
            moved.append(asyncio.run_coroutine_threadsafe(move_on(), loop).result(30))
        return b""

    monkeypatch.setattr("kursbuch.web.notifications.composer.board_png", picture)
    assert await at.post.composer.round() == 0
    await at.written()
    name = [anna, bernd][seat].removeprefix("account-")
    [mail] = at.arrived.to(f"{name}@club.example")
    assert two in mail.text
    assert one not in mail.text


@pytest.mark.asyncio
async def test_a_digest_that_had_to_wait_tells_only_what_still_holds(
    at: Club, clock: SetClock
) -> None:
    anna, bernd = await at.register("Anna"), await at.register("Bernd")
    async with at.tables.database.writing() as session:
        session.add(NotificationPreference(owner=anna, table_id="", channel="mail", pace="hour"))
        session.add(NotificationPreference(owner=bernd, table_id="", channel="mail", pace="never"))
    tables = [await at.table(anna, bernd) for _ in range(3)]

    async def until_it_is(seat: int, *those: str) -> None:
        for table in those:
            while await at.turn(table) != seat:
                await at.move(table)

    await until_it_is(0, *tables)
    async with at.tables.database.writing() as session:
        await session.execute(delete(Notice).where(Notice.kind == "begun"))
    # The mail server is away for an hour, in which Anna moves at one table, and twice at another.
    at.arrived.down = "451 Later"
    assert await at.written() == 1
    await until_it_is(1, *tables[:2])
    await until_it_is(0, tables[1])
    number = (await at.tables.load(tables[1])).table.number
    async with at.tables.database.writing() as session:
        await session.execute(delete(Notice))
    clock.on(hours=1)
    at.arrived.down = ""
    await at.written()
    [mail] = at.arrived.mails
    assert mail.message["Subject"] == "News from 2 tables"
    assert tables[0] not in mail.text
    assert f"/t/{tables[1]}" in mail.text
    assert f"/t/{tables[2]}" in mail.text
    assert (await at.tables.load(tables[1])).table.number == number
    assert not any(row.told for row in await letters(at))
    # Nothing is left of another: there is no letter.
    await until_it_is(1, *tables[1:])
    await until_it_is(0, *tables[1:])
    at.arrived.down = "451 Later"
    assert await at.written() == 1
    await until_it_is(1, *tables[1:])
    clock.on(hours=1)
    at.arrived.down = ""
    await at.written()
    assert at.arrived.mails == [mail]
    assert len(await letters(at)) == 1


@pytest.mark.asyncio
@pytest.mark.parametrize("meanwhile", ["answered", "never", "quiet", ""])
async def test_a_letter_that_had_to_wait_is_looked_at_again(
    at: Club, clock: SetClock, meanwhile: str
) -> None:
    anna, bernd = await at.register("Anna"), await at.register("Bernd")
    table = await at.table(anna, bernd)
    await at.move(table)
    await votes.ask(at.tables, table, anna, votes.END)
    async with at.tables.database.writing() as session:
        await session.execute(delete(Notice).where(Notice.kind != "consent"))
    at.arrived.down = "451 Later"
    assert await at.written() == 1
    clock.on(hours=1)
    at.arrived.down = ""
    if meanwhile == "answered":
        await votes.answer(at.tables, table, bernd, votes.END, False)
    async with at.tables.database.writing() as session:
        if meanwhile == "never":
            session.add(
                NotificationPreference(owner=bernd, table_id="", channel="mail", pace="never")
            )
        elif meanwhile == "quiet":
            hour = now().hour
            session.add(RecipientSettings(owner=bernd, quiet_from=hour, quiet_to=hour + 1))
    await at.written()
    assert len(at.arrived.mails) == (not meanwhile)
    waiting = [row.due_at for row in await letters(at) if row.due_at is not None]
    assert waiting == ([now() + timedelta(hours=1)] if meanwhile == "quiet" else [])
    clock.on(hours=1)
    await at.written()
    assert len(at.arrived.mails) == (meanwhile in ("quiet", ""))


async def letters(at: Club) -> list[Message]:
    """All letters that are kept."""
    async with at.tables.database.reading() as session:
        return list(await session.scalars(select(Message)))


@pytest.mark.asyncio
async def test_who_is_late_twice_in_one_position_is_reminded_twice(
    at: Club, clock: SetClock
) -> None:
    anna, bernd = await at.register("Anna"), await at.register("Bernd")
    table = await at.table(anna, bernd, slow=True, move_hours=24, vacation=7)
    turn = await at.turn(table)
    for _ in range(2):
        clock.on(days=4)
        await deadlines.run_out(at.tables, table)
        assert [kind for kind, *_ in await at.notices() if kind == "reminder"] == ["reminder"]
        await at.written()
        until = clock() + timedelta(days=3)
        await deadlines.go_away(at.tables, table, [anna, bernd][turn], turn, until)
    subjects = [str(mail.message["Subject"]) for mail in at.arrived.mails]
    assert sum(subject.startswith("Still your turn") for subject in subjects) == 2


@pytest.mark.asyncio
async def test_everybody_is_told_of_the_wish_he_is_asked_about(at: Club) -> None:
    people = [await at.register(name) for name in ("Anna", "Bernd", "Clara")]
    table = await at.table(*people)
    await at.move(table)
    await votes.ask(at.tables, table, people[1], "end")
    await votes.answer(at.tables, table, people[2], "end", True)
    await at.written()
    at.arrived.mails.clear()
    await votes.ask(at.tables, table, people[0], "undo")
    await at.written()
    wish = "Anna would like to undo moves."
    said = {mail.recipient: mail.text.splitlines()[0] for mail in at.arrived.mails}
    assert said == {"bernd@club.example": wish, "clara@club.example": wish}


@pytest.mark.asyncio
async def test_who_decides_again_after_taking_back_is_told(at: Club) -> None:
    people = [await at.register("Anna"), await at.register("Bernd")]
    table = await at.table(*people, undo="free", slow=True)
    first = await at.turn(table)
    other = 1 - first
    numbers = []
    for _ in range(2):
        while await at.turn(table) != other:
            await at.move(table)
        numbers.append((await at.tables.load(table)).table.number)
        if len(numbers) < 2:
            while await at.turn(table) == other:
                await at.move(table)
    await at.written()
    assert await votes.ask(at.tables, table, people[first], "undo", target=numbers[0])
    assert ("turn", people[other], "mail") in await at.notices()


@pytest.mark.asyncio
async def test_a_closed_account_is_told_nothing(at: Club) -> None:
    anna = await at.register("Anna")
    async with at.tables.database.writing() as session:
        hook = {"url": "https://x.example/", "form": "plain", "secret": "s"}
        session.add(Webhook(owner=anna, error="", failure="", **hook))
        device = {"endpoint": "https://x.example/p", "key": "k", "auth": "a"}
        session.add(PushDevice(id="d" * 64, owner=anna, **device))
    channels = ("mail", "push", "webhook")
    for closed, reached in ((None, set(channels)), (now(), set[str]())):
        async with at.tables.database.writing() as session:
            account = await session.get(Account, anna)
            assert account is not None
            account.closed_at = closed
            found = await recipients(session, [anna], channels)
        assert {way for one in found.values() for way in one.channels} == reached


@pytest.mark.asyncio
async def test_what_cannot_be_written_for_long_is_given_up(at: Club, clock: SetClock) -> None:
    anna, bernd = await at.register("Anna"), await at.register("Bernd")
    table = await at.table(anna, bernd)
    await spoil(at.tables, table)
    counts = []
    for _ in range(15):
        clock.on(hours=1)
        await at.post.composer.round()
        counts.append(len(await at.notices()))
    assert counts[0] == counts[10] == 2
    assert counts[-1] == 0
