"""Letters: stored with what causes them, sent once by one of several senders, tried again, given up."""

from __future__ import annotations

import asyncio
import contextlib
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from jinja2 import Environment
from sqlalchemy import delete, select, text, update
from sqlalchemy.ext.asyncio import AsyncSession

from kursbuch.core.errors import KursbuchError
from kursbuch.web.db.database import Database
from kursbuch.web.db.models import now
from kursbuch.web.notifications import delivery, outbox
from kursbuch.web.notifications.models import Message, PausedAddress
from kursbuch.web.notifications.outbox import MAIL, WEBHOOK, Attachment, NewMessage
from kursbuch.web.notifications.service import Notifications
from kursbuch.web.settings import NotificationSettings
from kursbuch.web.tables.store import TableStore
from tests.web.db.test_servers import postgres_schema
from tests.web.mailbox import Mailbox, mailbox
from tests.web.visitors import PATIENCE, free_port

ANNA = "anna@club.example"


@pytest.fixture
def arrived() -> Iterator[Mailbox]:
    with mailbox() as found:
        yield found


@pytest_asyncio.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    found = Database(str(tmp_path / "letters.sqlite3"))
    await found.start()
    yield found
    await found.stop()


def post(database: Database, arrived: Mailbox) -> Notifications:
    settings = NotificationSettings(smtp=arrived.url, sender="Kursbuch <post@club.example>")
    return Notifications(TableStore(database), settings, Environment(), "")


async def hand_in(database: Database, key: str, to: str = ANNA, **fields: Any) -> None:
    async with database.writing() as session:
        await outbox.enqueue(session, NewMessage(key, MAIL, to, f"About {key}", "Hello", **fields))


async def letter(database: Database, key: str) -> Message:
    async with database.reading() as session:
        found = await session.scalar(select(Message).where(Message.key == key))
        assert found is not None
        return found


async def due_again(database: Database) -> None:
    """As if the pause after a failure, or the time of the one who took a letter, were over."""
    async with database.writing() as session:
        waiting = update(Message).where(Message.due_at.is_not(None))
        await session.execute(waiting.values(due_at=now() - timedelta(seconds=1)))


@pytest.mark.asyncio
async def test_a_letter_arrives_once(database: Database, arrived: Mailbox) -> None:
    picture = Attachment("board.png", b"\x89PNG", "image/png", "board")
    await hand_in(database, "a", html='<img src="cid:board">', attachments=(picture,))
    await hand_in(database, "a", "bernd@club.example")
    await hand_in(database, "later", due_at=now() + timedelta(hours=1))
    with contextlib.suppress(ZeroDivisionError):
        async with database.writing() as session:
            await outbox.enqueue(session, NewMessage("never", MAIL, ANNA, "Never"))
            raise ZeroDivisionError
    posts = [post(database, arrived) for _ in range(4)]
    taken = await asyncio.gather(*(one.outbox.round() for one in posts))
    assert sum(taken) == 1
    assert await posts[0].outbox.round() == 0
    [mail] = arrived.mails
    assert (mail.sender, mail.recipient) == ("post@club.example", ANNA)
    assert mail.message["Subject"] == "About a"
    assert mail.message["From"] == "Kursbuch <post@club.example>"
    assert mail.message["Auto-Submitted"] == "auto-generated"
    assert mail.text.strip() == "Hello"
    assert 'src="cid:board"' in mail.html
    parts = {part.get_content_type(): part for part in mail.message.walk()}
    assert parts["image/png"]["Content-ID"] == "<board>"
    assert parts["image/png"].get_payload(decode=True) == b"\x89PNG"
    row = await letter(database, "a")
    assert row.sent_at is not None
    assert (row.due_at, row.text, row.attachments) == (None, "", [])
    assert await outbox.count_messages(database) == {"waiting": 1, "sent": 1, "failed": 0}


@pytest.mark.asyncio
async def test_long_links_and_ids_arrive_as_they_are(database: Database, arrived: Mailbox) -> None:
    link, id_ = f"<https://kursbuch.example/unsubscribe/{'a' * 120}>", f"<{'b' * 120}@club.example>"
    headers = {"List-Unsubscribe": link, "In-Reply-To": id_, "References": id_}
    await hand_in(database, "a", headers=headers)
    assert await post(database, arrived).outbox.round() == 1
    [mail] = arrived.mails
    # As they were written: Python reads what most mail programs do not understand.
    assert headers.items() <= dict(mail.message.raw_items()).items()


@pytest.mark.asyncio
async def test_many_letters_and_several_senders(database: Database, arrived: Mailbox) -> None:
    for number in range(20):
        await hand_in(database, str(number))
    posts = [post(database, arrived) for _ in range(3)]

    async def send_all(one: Notifications) -> None:
        while await one.outbox.round():
            pass

    await asyncio.gather(*map(send_all, posts))
    assert sorted(mail.message["Subject"] for mail in arrived.mails) == sorted(
        f"About {number}" for number in range(20)
    )


@pytest.mark.asyncio
async def test_a_mail_server_that_is_away_loses_nothing(
    database: Database, arrived: Mailbox
) -> None:
    await hand_in(database, "a")
    sending = post(database, arrived).outbox
    arrived.stop()
    assert await sending.round() == 1
    row = await letter(database, "a")
    assert row.attempts == 1
    assert row.error
    assert row.due_at is not None
    assert timedelta(seconds=50) < row.due_at - now() < timedelta(seconds=61)
    assert await sending.round() == 0
    arrived.start()
    arrived.down = "451 try later"
    await due_again(database)
    await sending.round()
    assert "451" in (await letter(database, "a")).error
    arrived.down = ""
    await due_again(database)
    await sending.round()
    assert [mail.recipient for mail in arrived.mails] == [ANNA]
    assert (await letter(database, "a")).error == ""
    # What could not be sent for days is given up.
    await hand_in(database, "b")
    async with database.writing() as session:
        await session.execute(
            update(Message).where(Message.key == "b").values(made_at=now() - timedelta(days=6))
        )
    arrived.down = "451 try later"
    await sending.round()
    row = await letter(database, "b")
    assert row.failed_at is not None
    assert row.due_at is None


@pytest.mark.asyncio
async def test_a_letter_is_sent_again_when_the_sender_died(
    database: Database, arrived: Mailbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    await hand_in(database, "a")
    dying = post(database, arrived).outbox
    assert [taken.key for taken in await dying._take(MAIL)] == ["a"]  # and then it is killed
    other = post(database, arrived).outbox
    assert await other.round() == 0
    await due_again(database)
    # This one dies after the mail server took the letter, before that is noted.
    ids = []
    for one in (other, dying):
        [taken] = await one._take(MAIL)
        await one.channels[MAIL].deliver(taken)
        ids.append(arrived.mails[-1].message["Message-ID"])
        await due_again(database)
    assert ids[0] == ids[1]
    await other.round()
    assert (await letter(database, "a")).sent_at is not None
    assert await other.round() == 0


@pytest.mark.asyncio
async def test_a_letter_withdrawn_while_it_is_sent(postgres_url: str) -> None:
    """Anyone who notes what became of it waits for anyone who withdraws it, and notes nothing then."""
    async with postgres_schema(postgres_url) as url:
        found = Database(url)
        await found.start()
        await hand_in(found, "a")
        withdrawn = asyncio.Event()

        async def withdraw() -> None:
            async with found.writing() as session:
                await session.execute(delete(Message))
                withdrawn.set()
                waiting = text("SELECT 1 FROM pg_locks WHERE NOT granted")
                while not await found.glance(waiting):
                    await asyncio.sleep(0.01)

        class Slow:
            """Sends while the letter is being withdrawn."""

            async def deliver(self, letter: Message) -> None:
                self.withdrawing = asyncio.create_task(withdraw())
                await withdrawn.wait()

            async def settled(
                self, session: AsyncSession, letter: Message, why: Exception | None
            ) -> None:
                raise AssertionError

        slow = Slow()
        async with asyncio.timeout(PATIENCE):
            assert await outbox.Outbox(found, {MAIL: slow}).round() == 1
            await slow.withdrawing
        assert not await found.glance(select(Message.id))
        await found.stop()


@pytest.mark.asyncio
async def test_an_address_that_is_refused_is_paused(database: Database, arrived: Mailbox) -> None:
    arrived.refuses = {"gone@club.example": "550 no such user", "full@club.example": "452 full"}
    await hand_in(database, "gone", "gone@club.example")
    await hand_in(database, "full", "full@club.example")
    await hand_in(database, "odd", "not an address")
    sending = post(database, arrived).outbox
    await sending.round()
    async with database.reading() as session:
        paused = list(await session.scalars(select(PausedAddress)))
    assert [(row.address, "550" in row.why) for row in paused] == [("gone@club.example", True)]
    assert (await letter(database, "gone")).failed_at is not None
    assert (await letter(database, "odd")).failed_at is not None
    assert (await letter(database, "full")).due_at is not None


@pytest.mark.asyncio
async def test_who_does_not_answer_holds_up_nobody_else(database: Database) -> None:
    class Slow:
        """Never answers at one address."""

        def __init__(self) -> None:
            self.reached: list[str] = []

        async def deliver(self, letter: Message) -> None:
            self.reached.append(letter.address)
            if letter.address == "dead":
                await asyncio.Event().wait()

        async def settled(
            self, session: AsyncSession, letter: Message, why: Exception | None
        ) -> None:
            pass

    async with database.writing() as session:
        for number in range(10):
            await outbox.enqueue(session, NewMessage(f"hook {number}", WEBHOOK, "dead"))
        await outbox.enqueue(session, NewMessage("other hook", WEBHOOK, "alive"))
    for number in range(20):
        await hand_in(database, str(number))
    mails, hooks = Slow(), Slow()
    sending = outbox.Outbox(database, {WEBHOOK: hooks, MAIL: mails})
    await sending.start()
    async with asyncio.timeout(PATIENCE):
        while (await outbox.count_messages(database))["sent"] < 21:
            await asyncio.sleep(0.01)
    await sending.stop()
    assert sorted(hooks.reached) == ["alive", "dead"]
    assert mails.reached == [ANNA] * 20


def test_settings_that_cannot_be_used(tmp_path: Path) -> None:
    tables = TableStore(Database(str(tmp_path / "letters.sqlite3")))
    for given in ("mail.example", "http://mail.example", "smtp://", "smtp://x:y@host:port"):
        with pytest.raises(KursbuchError, match="smtp://user:password@host") as caught:
            delivery.smtp_server(given)
        assert "x:y" not in str(caught.value)
    with pytest.raises(KursbuchError, match="KURSBUCH_MAIL_FROM"):
        Notifications(tables, NotificationSettings(smtp="smtp://localhost"), Environment(), "")
    with pytest.raises(KursbuchError, match="not-an-address"):
        delivery.SmtpChannel(delivery.smtp_server("smtp://localhost"), "not-an-address")
    assert not Notifications(tables, NotificationSettings(), Environment(), "").mails


SERVE = """
import sys
from kursbuch.web import serve
if __name__ == "__main__":
    serve(port=int(sys.argv[1]), database=sys.argv[2])
"""


@pytest.mark.asyncio
async def test_a_killed_server_loses_no_letter(
    database: Database, arrived: Mailbox, tmp_path: Path
) -> None:
    count = 30
    for number in range(count):
        await hand_in(database, str(number), f"{number}@club.example")
    program = tmp_path / "serve.py"
    program.write_text(SERVE)
    chosen = {"KURSBUCH_SMTP": arrived.url, "KURSBUCH_MAIL_FROM": "post@club.example"}
    kills = 0
    async with asyncio.timeout(PATIENCE):
        while (await outbox.count_messages(database))["waiting"]:
            await due_again(database)
            before = len(arrived.mails)
            process = subprocess.Popen(
                [sys.executable, str(program), str(free_port()), str(tmp_path / "letters.sqlite3")],
                env={**os.environ, **chosen},
            )
            try:
                # In the middle of a batch; then it goes on to the end.
                wanted = before + (count if kills else outbox.BATCH + 4)
                while len(arrived.mails) < wanted:
                    if not (await outbox.count_messages(database))["waiting"]:
                        break
                    await asyncio.sleep(0.002)
            finally:
                process.kill()
                process.wait()
            kills += 1
    subjects = [mail.message["Subject"] for mail in arrived.mails]
    assert set(subjects) == {f"About {number}" for number in range(count)}
    # Only what was on its way when the server died arrives twice, with the same id.
    assert count <= len(subjects) <= count + outbox.BATCH
    assert len({mail.message["Message-ID"] for mail in arrived.mails}) == count
