"""Models of notifications."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, ForeignKey, LargeBinary, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from kursbuch.web.db.models import Base, DateTimeUTC, now, of_table

_MOMENT = DateTimeUTC(timezone=True)


class Message(Base):
    """A message on its way. `key` says what it is about: there is never a second letter with the same.
    `address` is what its channel needs, such as the address of a mail. `due_at` is when it is to be sent
    next; whoever takes it to send it puts that off, so that nobody else does, and when it has been sent
    (`sent_at`) or given up (`failed_at`) there is none. `error` says why it could not be sent last. `told` are the
    notices it is about, in case it has to be written anew before it is sent."""

    __tablename__ = "letter"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=True)
    key: Mapped[str] = mapped_column(String(200), unique=True)
    channel: Mapped[str] = mapped_column(String(10))
    address: Mapped[str] = mapped_column(String(300))
    subject: Mapped[str] = mapped_column(Text, default="")
    text: Mapped[str] = mapped_column(Text, default="")
    html: Mapped[str] = mapped_column(Text, default="")
    attachments: Mapped[list[dict[str, Any]]] = mapped_column(JSON, default=list)
    headers: Mapped[dict[str, str]] = mapped_column(JSON, default=dict)
    told: Mapped[list[dict[str, Any]]] = mapped_column(JSON, default=list)
    table_id: Mapped[str | None] = mapped_column(
        ForeignKey("game_table.id", ondelete="CASCADE"), index=True
    )
    account_id: Mapped[str | None] = mapped_column(String(40), index=True)
    made_at: Mapped[datetime] = mapped_column(_MOMENT, default=now)
    due_at: Mapped[datetime | None] = mapped_column(_MOMENT, index=True)
    attempts: Mapped[int] = mapped_column(default=0)
    sent_at: Mapped[datetime | None] = mapped_column(_MOMENT, index=True)
    failed_at: Mapped[datetime | None] = mapped_column(_MOMENT)
    error: Mapped[str] = mapped_column(Text, default="")


class PausedAddress(Base):
    """An address whose mails came back: nothing but what its owner asks for is sent there until that is
    ended on the page. `address` is written small."""

    __tablename__ = "paused_address"

    address: Mapped[str] = mapped_column(String(254), primary_key=True)
    why: Mapped[str] = mapped_column(Text)
    since: Mapped[datetime] = mapped_column(_MOMENT, default=now)


class Notice(Base):
    """Something somebody is to be told by one channel, as long as the letter for it is not written: it is
    stored with the change it is about, and what the letter says is found out when it is due. `kind` says what
    about, `seat` whose seat it concerns; `digest` that it waits for others to go with them. `data` is what only
    its kind knows. `made_at` is when it happened, None in older ones."""

    __tablename__ = "notice"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=True)
    key: Mapped[str] = mapped_column(String(160), unique=True)
    owner: Mapped[str] = mapped_column(String(40), index=True)
    channel: Mapped[str] = mapped_column(String(10))
    kind: Mapped[str] = mapped_column(String(10))
    table_id: Mapped[str] = of_table()
    seat: Mapped[int]
    digest: Mapped[bool] = mapped_column(default=False)
    data: Mapped[dict[str, Any]] = mapped_column(JSON, default=dict)
    made_at: Mapped[datetime | None] = mapped_column(_MOMENT, default=now)
    due_at: Mapped[datetime] = mapped_column(_MOMENT, index=True)


class NotificationPreference(Base):
    """When somebody wants to be told by a channel ("now", "hour", "day", "never"): of all tables, with an empty
    `table_id`, or of one of them."""

    __tablename__ = "wish"

    owner: Mapped[str] = mapped_column(String(40), primary_key=True)
    table_id: Mapped[str] = mapped_column(String(16), primary_key=True)
    channel: Mapped[str] = mapped_column(String(10), primary_key=True)
    pace: Mapped[str] = mapped_column(String(5))


class RecipientSettings(Base):
    """Somebody who is told things: the language, the time zone in which a day begins, the hours from and to which
    nothing is told (None: there are none), and whether to be told of messages in which one is named."""

    __tablename__ = "reader"

    owner: Mapped[str] = mapped_column(String(40), primary_key=True)
    language: Mapped[str] = mapped_column(String(2), default="")
    zone: Mapped[str] = mapped_column(String(40), default="")
    quiet_from: Mapped[int | None]
    quiet_to: Mapped[int | None]
    mentions: Mapped[bool] = mapped_column(default=True)


class PushDevice(Base):
    """A browser that wants to be told by Web Push. `id` is the hash of the address its maker's server gave it. Where
    somebody was logged in, it is told as long as that session lasts."""

    __tablename__ = "push_device"

    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    owner: Mapped[str] = mapped_column(String(40), index=True)
    endpoint: Mapped[str] = mapped_column(Text)
    key: Mapped[str] = mapped_column(String(120))
    auth: Mapped[str] = mapped_column(String(60))
    session_id: Mapped[int | None] = mapped_column(
        ForeignKey("session.id", ondelete="CASCADE"), index=True
    )
    made_at: Mapped[datetime] = mapped_column(_MOMENT, default=now)


class Webhook(Base):
    """Where a program of somebody is told. `form` is "plain", "discord" or "slack"; `secret` signs what is
    sent. `tried_at` is when something was sent last, `failure` why it did not arrive; `error` says why nothing more is
    sent there."""

    __tablename__ = "hook"

    owner: Mapped[str] = mapped_column(String(40), primary_key=True)
    url: Mapped[str] = mapped_column(Text)
    form: Mapped[str] = mapped_column(String(10))
    secret: Mapped[str] = mapped_column(String(60))
    error: Mapped[str] = mapped_column(Text, default="")
    tried_at: Mapped[datetime | None] = mapped_column(_MOMENT)
    failure: Mapped[str] = mapped_column(Text, default="")


class Incoming(Base):
    """A mail that was received. Its `key` keeps a second copy from counting; what it said is forgotten as soon
    as it has been read (`read_at`)."""

    __tablename__ = "incoming"

    key: Mapped[str] = mapped_column(String(64), primary_key=True)
    content: Mapped[bytes] = mapped_column(LargeBinary)
    received_at: Mapped[datetime] = mapped_column(_MOMENT, default=now, index=True)
    read_at: Mapped[datetime | None] = mapped_column(_MOMENT, index=True)
