"""Play by mail: answers are moves of the seat whose secret they carry, once, and only at their position."""

from __future__ import annotations

import asyncio
import base64
import imaplib
import io
import random
import re
import sqlite3
import sys
from collections.abc import AsyncIterator
from datetime import timedelta
from email.message import EmailMessage
from itertools import islice
from pathlib import Path
from typing import Any
from unicodedata import normalize

import msgspec
import pytest
import pytest_asyncio
from sqlalchemy import select

import kursbuch
from kursbuch.bots import make
from kursbuch.cli import main
from kursbuch.core.errors import KursbuchError
from kursbuch.core.words import Words
from kursbuch.games.rocket.actions import ExtendLine, LetStand, TakeToken
from kursbuch.web.admin import keys
from kursbuch.web.admin.audit import Actor
from kursbuch.web.db.database import Database
from kursbuch.web.db.models import Premove, StandingRefusal, now
from kursbuch.web.notifications import mail_replies
from kursbuch.web.notifications.links import Links
from kursbuch.web.notifications.mail_parser import address_secrets, moves_in, read
from kursbuch.web.notifications.message_text import notations
from kursbuch.web.notifications.models import Incoming, PausedAddress
from kursbuch.web.notifications.service import LinkKeys
from kursbuch.web.ops.metrics import COUNTS
from kursbuch.web.tables import moves as table_moves
from kursbuch.web.tables import votes
from kursbuch.web.tables.premoves import Object
from kursbuch.web.tables.snapshot import Seen
from kursbuch.web.tables.transaction import refusal_of
from tests.web.correspondents import Club, club
from tests.web.imapserver import ImapBox
from tests.web.mailbox import Mail, Mailbox


@pytest_asyncio.fixture
async def at(tmp_path: Path, arrived: Mailbox) -> AsyncIterator[Club]:
    async with club(tmp_path, arrived) as found:
        await found.post.reader.stop()
        yield found


def answer(mail: Mail, *lines: str, to: str = "", **headers: str) -> bytes:
    """What someone answers to a mail, as mail programs send it."""
    message = EmailMessage()
    message["From"] = headers.pop("sender", "Somebody <somebody@elsewhere.example>")
    message["To"] = to or mail.message["Reply-To"]
    message["Subject"] = f"Re: {mail.message['Subject']}"
    message["Message-ID"] = headers.pop("id", f"<{hash((message['To'], lines))}@elsewhere.example>")
    for name, value in headers.items():
        message[name.replace("_", "-")] = value
    quoted = "\n".join(f"> {line}" for line in mail.text.splitlines())
    said = "\n".join(lines)
    message.set_content(
        f"{said}\n\nAm So., 22. Nov. 2026 schrieb Kursbuch <play@club.example>:\n{quoted}"
    )
    return message.as_bytes()


async def last(at: Club, owner: str) -> Mail:
    """The last mail to someone, after everything has been written."""
    await at.written()
    return at.arrived.to(f"{owner.removeprefix('account-')}@club.example")[-1]


async def come(at: Club, content: bytes) -> None:
    """A mail is received and read."""
    await mail_replies.receive(at.tables.database, content)
    while await at.post.reader.round():
        pass


async def begin(at: Club) -> tuple[str, list[str], int]:
    """A game of two: the table, the owners of its seats, whose turn it is."""
    people = [await at.register("Anna"), await at.register("Bernd")]
    table = await at.table(*people)
    return table, people, await at.turn(table)


async def standing(at: Club, table: str) -> tuple[int, list[int]]:
    row = (await at.tables.load(table)).table
    return row.number, row.turn


async def moves(at: Club, table: str, count: int = 1) -> list[str]:
    """What the seat to move can do, in words."""
    game = (await at.tables.load(table)).game
    assert game is not None
    seat = await at.turn(table)
    choices = game.view(seat).legal_actions()
    return [game.title.format(choice.action) for choice in choices[:count]]


@pytest.mark.asyncio
async def test_an_answer_is_a_move_once(at: Club) -> None:
    table, people, seat = await begin(at)
    mail = await last(at, people[seat])
    [line] = await moves(at, table)
    sent = answer(mail, line.upper())
    await come(at, sent)
    number, turn = await standing(at, table)
    assert number == 1
    told = await last(at, people[seat])
    assert told.message["Subject"].startswith("Played: ")
    assert told.message["Reply-To"] != mail.message["Reply-To"]
    # The same mail again, by the other way, and with another id.
    at.arrived.mails.clear()
    await come(at, sent)
    assert not at.arrived.mails
    await at.written()
    assert not at.arrived.to(f"{people[seat].removeprefix('account-')}@club.example")
    await come(at, answer(mail, line, id="<another@elsewhere.example>"))
    assert (await standing(at, table)) == (number, turn)
    told = await last(at, people[seat])
    assert told.message["Subject"].startswith("Not played: ")


@pytest.mark.asyncio
async def test_moves_are_offered_and_understood_in_the_language_of_the_player(at: Club) -> None:
    people = [await at.register("Anna", "de"), await at.register("Bernd", "de")]
    table = await at.table(*people)
    seat = await at.turn(table)
    mail = await last(at, people[seat])
    game = (await at.tables.load(table)).game
    assert game is not None
    token, line = (
        next(choice.action for choice in game.legal_actions(seat) if type(choice.action) is kind)
        for kind in (TakeToken, ExtendLine)
    )
    german, english = game.title.format_in("de", token), game.title.format(line)
    assert german.startswith("nimmt ")
    assert f"\n  {german}\n" in mail.text
    assert "takes" not in mail.text
    await come(at, answer(mail, german, english))
    found = (await at.tables.load(table)).game
    assert found is not None
    assert [move.action for move in found.moves[:2]] == [token, line]
    # Records keep the English form.
    assert f"1. {game.format(token)}\n" in found.record()


@pytest.mark.asyncio
async def test_several_moves_and_what_is_wrong(at: Club) -> None:
    table, people, seat = await begin(at)
    mail = await last(at, people[seat])
    names = ["Anna", "Bernd"]
    tokens = (await moves(at, table, 2))[0]
    before, _ = await standing(at, table)
    await come(at, answer(mail, "hello there", "-- ", "Anna"))
    told = await last(at, people[seat])
    assert told.message["Subject"].startswith("Not played: ")
    assert "Line 1, “hello there”: " in told.text
    assert (await standing(at, table))[0] == before
    # The first is played, the second is not possible; the rest is not tried.
    await come(at, answer(told, f"{names[seat]} {tokens}", "extends GWR to A1", tokens))
    told = await last(at, people[seat])
    assert told.message["Subject"].startswith("Played: ")
    assert f"{names[seat]} {tokens}" in told.text
    assert "Line 2, “extends GWR to A1”: " in told.text
    assert (await standing(at, table))[0] == before + 1
    await come(at, answer(told, "", to=told.message["Reply-To"]))
    told = await last(at, people[seat])
    assert "Your mail contains no move." in told.text or "not your turn" in told.text


@pytest.mark.asyncio
async def test_a_letter_with_a_greeting_is_read_and_answered(at: Club) -> None:
    table, people, seat = await begin(at)
    mail = await last(at, people[seat])
    [line] = await moves(at, table)
    lines = ("Hallo zusammen,", "", line, "", "Viele Grüße", "Anna", "PS: bis morgen")
    await come(at, answer(mail, *lines, id="<first@elsewhere.example>"))
    assert (await standing(at, table))[0] == 1
    told = await last(at, people[seat])
    assert "Line 2" not in told.text
    assert told.message["Subject"].startswith("Played: ")
    assert told.message["In-Reply-To"] == "<first@elsewhere.example>"
    assert told.message["References"] == "<first@elsewhere.example>"
    # Also where nothing but the name ends it.
    [line] = await moves(at, table)
    await come(at, answer(told, f"{line}.", "", ["Anna", "Bernd"][seat]))
    assert (await standing(at, table))[0] == 2
    told = await last(at, people[seat])
    assert "Line 2" not in told.text
    # What is wrong is said once.
    await come(at, answer(told, "takes the train"))
    told = await last(at, people[seat])
    assert told.text.count("“takes the train”") == 1


@pytest.mark.asyncio
@pytest.mark.parametrize("decided", ["", "never asked", "planned"])
async def test_a_turn_goes_on_where_others_have_decided_already(at: Club, decided: str) -> None:
    table, people, _ = await begin(at)
    chance = random.Random(1)
    while True:
        snapshot = await at.tables.load(table)
        assert snapshot.game is not None
        seat, position = snapshot.table.turn[0], snapshot.game.position
        actions = [choice.action for choice in position.legal_actions(seat)]
        own = position.state.agenda[-1].seat == seat
        chosen = None
        for action in actions:
            after = position.clone()
            after.apply(action)
            if own and isinstance(action, ExtendLine) and refusal_of(after, 1 - seat) is not None:
                after.apply(LetStand(1 - seat))
                if [one.seat for one in after.pending()] == [seat]:
                    chosen = action
        if chosen is not None:
            break
        action = chance.choice(actions)
        seen = Seen(snapshot.table.number, snapshot.table.version)
        title, owner = snapshot.game.title, people[seat]
        await table_moves.move(at.tables, table, owner, seen, title.action_to_json(action))
    async with at.tables.database.writing() as session:
        if decided == "never asked":
            subject = chosen.line
            session.add(StandingRefusal(table_id=table, seat=1 - seat, subject=subject))
        elif decided:
            plan = msgspec.to_builtins(Object(always=False))
            session.add(
                Premove(table_id=table, seat=1 - seat, plan=plan, dropped="", made_at=now())
            )
    mail, before = await last(at, people[seat]), snapshot.table.number
    format_ = position.title.format
    token = next(action for action in actions if isinstance(action, TakeToken))
    await come(at, answer(mail, format_(chosen), format_(token)))
    number, _ = await standing(at, table)
    told = await last(at, people[seat])
    assert number == before + (3 if decided else 1)
    assert ("Line 2, " in told.text) == (not decided)


async def broken(key: str) -> None:
    raise ZeroDivisionError


@pytest.mark.asyncio
async def test_what_changes_nothing(at: Club) -> None:
    table, people, seat = await begin(at)
    mail = await last(at, people[seat])
    other = people[1 - seat]
    [line] = await moves(at, table)
    secret = mail.message["Reply-To"].partition("+")[2].partition("@")[0]
    assert len(mail.message["Reply-To"].partition("@")[0]) <= 64
    told, _, signed = secret.rpartition("-")
    forged = "".join("b" if char == "a" else "a" for char in signed)
    table_id, number, *rest = told.split("-")
    addresses = [
        "play@club.example",
        f"play+{told}-{forged}@club.example",
        f"play+{'-'.join([table_id, str(1 - int(number)), *rest])}-{signed}@club.example",
        f"play+nosuchtabl-0-0-0-{signed}@club.example",
        f"play+{table_id}-99-0-0-{signed}@club.example",
        f"play+{told}@club.example",
    ]
    at.arrived.mails.clear()
    for to in addresses:
        await come(at, answer(mail, line, to=to, sender=f"{other}@club.example"))
    for header in ({"Auto_Submitted": "auto-replied"}, {"Precedence": "bulk"}):
        await come(at, answer(mail, line, id=f"<{header}@x>", **header))
    await come(at, b"no mail at all")
    at.post.reader._read = broken  # type: ignore[method-assign]
    errors = COUNTS.get_sample_value("kursbuch_errors_total") or 0
    await come(at, b"what breaks the reading")
    assert COUNTS.get_sample_value("kursbuch_errors_total") == errors + 1
    del at.post.reader._read
    await come(at, b"Content-Type: text/plain; charset=unknown\n\n\xff\xfe")
    await at.written()
    assert not at.arrived.mails
    assert (await standing(at, table))[0] == 0
    # A seat that was handed on answers to no one's old mails.
    async with at.tables.changing(table) as change:
        change.seats[seat].owner = other
    await come(at, answer(mail, line, id="<late@x>"))
    assert (await standing(at, table))[0] == 0


@pytest.mark.asyncio
async def test_of_a_mail_from_anybody_nothing_is_read(
    at: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(content: bytes) -> None:
        raise AssertionError("read")

    monkeypatch.setattr("kursbuch.web.notifications.mail_replies.read", never)
    heavy = "a*0*=x; " * 30_000
    for address in ("play@club.example", "play+abcdefgh-1-1-1-secret@club.example"):
        mail = f"To: {address}\nContent-Type: text/plain; {heavy}\n\nx" + " wrote am x" * 6000
        assert await mail_replies.receive(at.tables.database, mail.encode())
    assert await at.post.reader.round() == 2
    assert await at.post.reader.round() == 0


def test_digits_of_other_scripts_are_in_no_address_of_ours() -> None:
    links, signed = Links("secret"), "a" * 20
    assert links.bounced(f"b-\N{ARABIC-INDIC DIGIT THREE}-{signed}") is None
    assert links.read_reply(f"abc-\N{ARABIC-INDIC DIGIT THREE}-1-1-{signed}") is None


@pytest.mark.asyncio
async def test_mails_sent_before_the_key_changed(at: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """They can be answered, ended and come back until the grace is over."""
    monkeypatch.setattr(keys, "SIGN_DELAY", timedelta(0))
    actor = Actor("", "root")
    table, people, seat = await begin(at)
    mail, links = await last(at, people[seat]), at.post.links
    (old,) = links.keys
    seal = links.read_reply(mail.message["Reply-To"].partition("+")[2].partition("@")[0])
    assert seal is not None
    made = (links.unsubscribe("me", table), links.unsubscribe_address("a@b"), links.bounce(7))
    await keys.rotate_keys(at.tables, actor, 30)
    await at.post.link_keys.refresh()
    assert links.keys[:-1] == [old]
    assert await at.tables.database.secret() not in links.keys
    # What is written now, the old key does not sign.
    assert not Links(old).proves(links.reply(seal, people[seat]), seal, people[seat])
    assert links.proves(links.reply(seal, people[seat]), seal, people[seat])
    assert Links(old).unsubscribes(links.unsubscribe("me", table)) is None
    assert Links(old).bounced(links.bounce(7)) is None
    assert links.unsubscribes(made[0]) == ("me", table)
    assert links.unsubscribes_address(made[1]) == "a@b"
    assert links.bounced(made[2]) == 7
    # It is the one of all servers, and of this one after a restart.
    other = LinkKeys(at.tables.database, Links("something"))
    await other.start()
    assert other._links.keys == links.keys
    await other.stop()
    [line] = await moves(at, table)
    await come(at, answer(mail, line))
    assert (await standing(at, table))[0] == 1

    mail = await last(at, people[await at.turn(table)])
    await keys.rotate_keys(at.tables, actor, 0)
    await at.post.link_keys.refresh()
    assert len(links.keys) == 1
    assert links.unsubscribes(made[0]) is None
    assert links.unsubscribes_address(made[1]) == ""
    assert links.bounced(made[2]) is None
    [line] = await moves(at, table)
    await come(at, answer(mail, line))
    assert (await standing(at, table))[0] == 1


def test_what_would_take_long_to_read_is_cut() -> None:
    line = "x" + " wrote am x" * 60_000
    assert [len(one) for one in moves_in(f"{line}\n{line}")] == [200, 200]
    heavy = "a*0*=x; " * 30_000
    mail = (
        f"To: play+s@club.example\nMessage-ID: <m@x>\nContent-Type: text/plain; {heavy}\n\npasses"
    )
    found = read(mail.encode())
    assert address_secrets(mail.encode()) == ("s",)
    assert (found.lines, found.id) == (("passes",), "<m@x>")
    parts = "--b\nContent-Type: text/plain\n\nno\n" * 60
    many = f"To: a+s@b\nContent-Type: multipart/mixed; boundary=b\n\n{parts}--b--\n"
    assert read(many.encode()).lines == ()


@pytest.mark.asyncio
async def test_an_old_mail_after_moves_were_taken_back(at: Club) -> None:
    table, people, seat = await begin(at)
    mail = await last(at, people[seat])
    [line] = await moves(at, table)
    await at.move(table)
    await votes.ask(at.tables, table, people[seat], votes.UNDO)
    await votes.answer(at.tables, table, people[1 - seat], votes.UNDO, True)
    assert (await standing(at, table))[0] == 0
    await at.written()  # what is sent together may arrive in any order
    await come(at, answer(mail, line))
    assert (await standing(at, table))[0] == 0
    told = await last(at, people[seat])
    assert "taken back" in told.text or "moved on" in told.text
    await come(at, answer(told, line))
    assert (await standing(at, table))[0] == 1


@pytest.mark.asyncio
async def test_two_servers_read_the_same_mail(at: Club) -> None:
    table, people, seat = await begin(at)
    mail = await last(at, people[seat])
    [line] = await moves(at, table)
    await mail_replies.receive(at.tables.database, answer(mail, line))
    others = [mail_replies.ReplyReader(at.tables) for _ in range(3)]
    for one in others:
        await one.start(at.post.links)
        await one.stop()
    await asyncio.gather(*(one.round() for one in others))
    assert (await standing(at, table))[0] == 1


@pytest.mark.asyncio
async def test_a_mail_that_came_back_pauses_the_address(at: Club) -> None:
    _, people, seat = await begin(at)
    mail = await last(at, people[seat])
    report = (
        "Content-Type: multipart/report; report-type=delivery-status; boundary=x\n"
        "To: {to}\nMessage-ID: <{id}>\n\n--x\nContent-Type: text/plain\n\nSorry\n"
        "--x\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; mx\n\n"
        "Final-Recipient: rfc822; a@b\nAction: {action}\nStatus: {status}\n"
        "Diagnostic-Code: smtp; {said}\n--x--\n"
    )

    async def paused() -> list[str]:
        async with at.tables.database.reading() as session:
            return list(await session.scalars(select(PausedAddress.address)))

    gone = "550 no such user"
    kinds = [
        ("play+b-1-aaaaaaaaaaaaaaaaaaaa@club.example", "failed", "5.1.1", gone),
        (mail.sender, "delayed", "4.4.1", gone),
        (mail.sender, "failed", "5.2.2", "552 mailbox full"),
        (mail.sender, "failed", "5.7.1", "550 spam"),
        (mail.sender, "failed", "5.0.0", "550-5.7.1 spam"),
        (mail.sender, "failed", "5.0.0", gone),
    ]
    for number, (to, action, status, said) in enumerate(kinds):
        assert await paused() == []
        filled = report.format(to=to, id=number, action=action, status=status, said=said)
        await come(at, filled.encode())
    assert await paused() == [mail.recipient]
    browser = await at.browser(people[seat])
    assert "550 no such user" in await browser.page("/messages")
    await browser.done("/messages/resume")
    assert await paused() == []
    again = report.format(to=mail.sender, id="again", action="failed", status="5.1.1", said="gone")
    await come(at, again.encode())
    assert await paused() == [mail.recipient]


@pytest.mark.asyncio
async def test_a_mailbox_is_read(at: Club) -> None:
    table, people, seat = await begin(at)
    mail = await last(at, people[seat])
    [line] = await moves(at, table)
    box = ImapBox()
    url = await box.start()
    box.mails = [b"Subject: nothing\n\nHello", answer(mail, line)]
    reading = mail_replies.Mailbox(at.tables.database, url)
    assert await reading.round() == 2
    assert box.seen == {1, 2}
    assert await reading.round() == 0
    while await at.post.reader.round():
        pass
    assert (await standing(at, table))[0] == 1
    with pytest.raises(imaplib.IMAP4.error):
        await mail_replies.Mailbox(at.tables.database, url.replace("secret", "guessed")).round()
    await box.stop()
    for given in ("imap://play:pw@mail.example", "imaps://mail.example", "pop3://a:b@c"):
        with pytest.raises(KursbuchError, match="imaps://user") as caught:
            mail_replies.imap_server(given)
        assert "pw" not in str(caught.value)


@pytest.mark.asyncio
async def test_why_a_mailbox_cannot_be_looked_at_is_logged(
    at: Club, caplog: pytest.LogCaptureFixture
) -> None:
    box = ImapBox()
    url = await box.start()
    wrong = {url.replace("secret", "guessed"): "wrong password"}
    wrong[url.replace("INBOX", "Letters")] = "no such folder"
    for given, why in wrong.items():
        caplog.clear()
        reading = mail_replies.Mailbox(at.tables.database, given)
        await reading.start()
        while not caplog.messages:
            await asyncio.sleep(0.01)
        await reading.stop()
        assert caplog.messages == [f"The mailbox cannot be read: {why}"]
    await box.stop()


def test_the_mail_server_hands_a_mail_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Input:
        buffer: Any = None

    def run(content: bytes, *more: str) -> int:
        Input.buffer = io.BytesIO(content)
        monkeypatch.setattr(sys, "stdin", Input)
        return main(["mail", "receive", *more])

    database = str(tmp_path / "club.sqlite3")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("KURSBUCH_DATABASE", raising=False)
    for where in ([], ["--database", database]):
        assert run(b"Message-ID: <a@b>\n\nHello", *where) == 75
        assert "There is no file" in capsys.readouterr().err
    assert not [*tmp_path.iterdir()]
    with sqlite3.connect(database):
        pass
    assert run(b"Message-ID: <a@b>\n\nHello", "--database", database) == 75
    assert "no server has used it yet" in capsys.readouterr().err
    asyncio.run(brought_up_to_date(database))
    assert run(b"Message-ID: <a@b>\n\nHello", "--database", database) == 0
    assert run(b"Message-ID: <a@b>\n\nHello", "--database", database, "--json") == 0
    assert run(b"", "--database", database) == 2
    assert run(b"x", "--database", str(tmp_path / "nowhere" / "x.sqlite3")) == 75
    assert "nowhere" in capsys.readouterr().err
    assert run(b"x", "--database", "postgresql://club@localhost:1/club") == 75
    assert "cannot be used" in capsys.readouterr().err
    from sqlalchemy import create_engine

    with create_engine(f"sqlite:///{database}").connect() as connection:
        assert len(connection.execute(select(Incoming.key)).all()) == 1


async def brought_up_to_date(file: str) -> None:
    """A database as a server leaves it."""
    database = Database(file)
    await database.start()
    await database.stop()


def test_what_is_read_of_a_mail() -> None:
    for quoted in (
        "On Mon, 3 Mar 2026 at 10:12, Kursbuch <a@b> wrote:\n> x",
        "On Mon, 3 Mar 2026 at 10:12, Kursbuch\n<a@b> wrote:\n> x",
        "-----Original Message-----\nFrom: x",
        "________________________________\nVon: Kursbuch",
        "Gesendet: Montag, 3. März 2026 um 10:12 Uhr\nVon: Kursbuch\nAn: Anna",
        "Sent: Monday, March 3, 2026 at 10:12 AM\nFrom: Kursbuch",
        "*Von:* Kursbuch <a@b>",
        "**From:** Kursbuch <a@b>",
        "De\u00a0: Kursbuch <a@b>\nEnvoyé\u00a0: lundi 3 mars 2026",
        "---- On Mon, 03 Mar 2026 10:12:00 +0100 Kursbuch <a@b> wrote ----",
        "============ On Mon, 03 Mar 2026 10:12:00 +0100 Kursbuch\n<a@b> wrote ============",
        "---- Am Mo., 3 März 2026 schrieb Kursbuch ----",
        "Begin forwarded message:\n\nSubject: x",
        "-------- Original-Nachricht --------\nDatum: x",
        "-- \nAnna",
    ):
        assert moves_in(f"builds K16\r\n\n{quoted}\nbuilds A8") == ["builds K16"], quoted
    for last_line in (
        "Grüße",
        "Viele liebe Grüße",
        "Ganz liebe Grüße aus Ulm,",
        "Lieben Gruß",
        "Mit freundlichem Gruß",
        "Mit freundlichen Grüßen",
        "Vielen Dank!",
        "Many thanks",
        "With kindest regards",
        "All the best,",
        "Yours",
        "Sent from Outlook for iOS<https://aka.ms/o0ukef?a-long-address-follows>",
        "Get Outlook for Android",
        "Holen Sie sich Outlook für iOS",
        "Von Yahoo Mail auf Android gesendet",
        "Von meinem iPhone gesendet.",
        "Diese Nachricht wurde von meinem Android-Gerät mit GMX Mail gesendet.",
        "Sent with Proton Mail secure email.",
    ):
        assert moves_in(f"builds  K16.\n\n{last_line}\nAnna") == ["builds K16"], last_line
    # What is mistyped is no end of a letter.
    for line in ("taeks Sheffield", "grants K16", "von A8 nach K16", "sent K16"):
        assert moves_in(f"builds K16\n{line}") == ["builds K16", line]
    page = (
        b"Content-Type: text/html\nTo: a <play+x@b>\nDelivered-To: play+y@b\n\n"
        b"<div>builds&nbsp;K16</div><div>passes<br></div><blockquote>builds A8</blockquote>"
    )
    found = read(page)
    assert found.lines == ("builds K16", "passes")
    assert address_secrets(page) == ("y", "x")


FLOWED = "text/plain; charset=utf-8; format=flowed"


@pytest.mark.parametrize(
    ("kind", "written", "lines"),
    [
        # The source of a page is broken where it likes.
        ("text/html; charset=utf-8", "<p>builds\r\n  K16 </p><pre>passes\nno</pre>", 3),
        ("text/html", "<html><head><meta name=x><body><p>builds K16</p>", 1),
        # What is said of letters is missing, unknown or wrong.
        ("text/plain", "takes Köln", 1),
        ("text/plain; charset=x-unknown", "takes Köln", 1),
        ("text/plain; charset=utf-8", "takes Köln".encode("latin-1"), 1),
        ("text/plain; charset=utf-16", "takes Köln".encode("utf-16"), 1),
        ("text/plain; charset=utf-8", normalize("NFD", "takes\tKöln"), 1),
        # Long lines are broken where a space is left.
        (FLOWED, "builds \r\nK16\r\n passes\r\n-- \r\nAnna", 2),
        (f"{FLOWED}; delsp=yes", "bui \r\nlds K16\r\n> passes \r\n> no", 1),
        # Other languages, and what telephones add.
        ("text/plain; charset=utf-8", "takes Köln\n\nIl giorno 3 mar ha scritto:\n\n> passes", 1),
        ("text/plain; charset=utf-8", "takes Köln\n\nVon meinem iPhone gesendet", 1),
        ("text/plain; charset=utf-8", "takes Köln\n\nSent from my telephone", 1),
        # Below what is quoted, as some programs propose; a quotation broken without a sign plays nothing.
        (
            FLOWED,
            "Am 3.3.26 um 10:12 schrieb Kursbuch:\r\n> a\r\nb\r\n> c\r\n\r\ntakes Köln\r\n-- \r\nAnna",
            1,
        ),
        (
            FLOWED,
            "Hallo,\r\n\r\nAm 3.3.26 schrieb Kursbuch:\r\n> > a\r\n>\r\ntakes Köln\r\n\r\nGruß\r\nAnna",
            1,
        ),
        (
            "text/html",
            "<div>Am 3.3.26 schrieb Kursbuch:<br></div><blockquote>a</blockquote><p>builds K16</p>",
            1,
        ),
        ("text/plain", "builds K16\n\nOn 3/3/26 Kursbuch wrote:\n> a\n\npasses", 1),
        ("text/plain", "builds K16\n\nFrom: Kursbuch\n\ntakes A8", 1),
    ],
)
def test_mails_of_other_programs(kind: str, written: str | bytes, lines: int) -> None:
    content = written.encode() if isinstance(written, str) else written
    head = f"To: play+x@b\r\nContent-Type: {kind}\r\nContent-Transfer-Encoding: base64\r\n\r\n"
    found = read(head.encode() + base64.encodebytes(content)).lines
    assert found[0] in ("builds K16", "takes Köln")
    assert found[1:] == ("passes", "no")[: lines - 1]


def test_a_mail_with_an_empty_text_has_a_page() -> None:
    message = EmailMessage()
    message.set_content("\n")
    message.add_alternative("<p>builds K16</p>", subtype="html")
    assert read(message.as_bytes()).lines == ("builds K16",)


def test_the_address_for_answers_may_have_a_plus_of_its_own() -> None:
    assert address_secrets(b"To: club+play+secret@b\r\n\r\n") == ("secret",)


@pytest.mark.parametrize("name", sorted(kursbuch.titles()))
def test_what_a_mail_offers_can_be_answered_as_it_stands(name: str) -> None:
    """Every line that stands for amounts is a move, and shows how an amount is written."""
    game, bot = kursbuch.new(name, ["Anna", "Bernd", "Clara"], 0), make("random", 0)
    title, offered = game.title, set[tuple[str, ...]]()
    while not game.over and len(game.moves) < 250:
        seat = game.pending[0].seat
        view = game.view(seat)
        for choice in view.legal_actions():
            if choice.amount is None or len(choice.amount) < 2:
                continue
            lines = notations(title, Words("en"), choice)
            assert len(set(lines)) == len(lines)
            for line in lines:
                said, _, amounts = line.partition(" (amounts from ")
                action = title.parse(said, seat, view.state)
                assert action in [choice.with_amount(one) for one in islice(choice.amount, 2)]
                assert not amounts or re.search(rf"\b{amounts.split()[0]}\b", said)
            offered.add(tuple(re.sub(r"[0-9]+", "0", line) for line in lines))
        game.apply(bot.choose(view))
    assert offered
    assert (max(map(len, offered)) > 1) == (name == "dice")
