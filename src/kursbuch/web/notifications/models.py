"""Models of notifications."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, ForeignKey, LargeBinary, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from kursbuch.web.db.models import Base, DateTimeUTC, now, of_table

_MOMENT = DateTimeUTC(timezone=True)


class Message(Base):
    """A message in the outbox.

    No two have the same `key`. `address` is what its channel needs, such as a mail address.
    `due_at` is when to send it next; the process that takes it puts that off, and it is None once
    the message is sent (`sent_at`) or given up (`failed_at`). `error` is the last failure. `told`
    are the notices it is about, so that it can be written again."""

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
    """A lower-case address whose mails bounced: only what its owner asks for is sent there."""

    __tablename__ = "paused_address"

    address: Mapped[str] = mapped_column(String(254), primary_key=True)
    why: Mapped[str] = mapped_column(Text)
    since: Mapped[datetime] = mapped_column(_MOMENT, default=now)


class Notice(Base):
    """A notice for one player and channel, until its message is written.

    It is stored with the change it is about; the text follows when it is due. `kind` names the
    event, `seat` whom it concerns, and `digest` makes it wait for others. `data` has details of its
    kind. `made_at` is None in old notices."""

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
    """When a player is notified by a channel ("now", "hour", "day", "never"): of one table, or of
    all with an empty `table_id`."""

    __tablename__ = "wish"

    owner: Mapped[str] = mapped_column(String(40), primary_key=True)
    table_id: Mapped[str] = mapped_column(String(16), primary_key=True)
    channel: Mapped[str] = mapped_column(String(10), primary_key=True)
    pace: Mapped[str] = mapped_column(String(5))


class RecipientSettings(Base):
    """Language, time zone and quiet hours of a player, and whether mentions are notified."""

    __tablename__ = "reader"

    owner: Mapped[str] = mapped_column(String(40), primary_key=True)
    language: Mapped[str] = mapped_column(String(2), default="")
    zone: Mapped[str] = mapped_column(String(40), default="")
    quiet_from: Mapped[int | None]
    quiet_to: Mapped[int | None]
    mentions: Mapped[bool] = mapped_column(default=True)


class PushDevice(Base):
    """A browser that receives Web Push, for as long as its session lasts; `id` is the hash of its
    endpoint."""

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
    """The webhook of a player.

    `form` is "plain", "discord" or "slack"; `secret` signs requests. `tried_at` is the last
    delivery and `failure` why it failed; with an `error` nothing more is sent."""

    __tablename__ = "hook"

    owner: Mapped[str] = mapped_column(String(40), primary_key=True)
    url: Mapped[str] = mapped_column(Text)
    form: Mapped[str] = mapped_column(String(10))
    secret: Mapped[str] = mapped_column(String(60))
    error: Mapped[str] = mapped_column(Text, default="")
    tried_at: Mapped[datetime | None] = mapped_column(_MOMENT)
    failure: Mapped[str] = mapped_column(Text, default="")


class Incoming(Base):
    """A received mail; its `key` keeps a copy from counting twice, and its content is deleted once
    read."""

    __tablename__ = "incoming"

    key: Mapped[str] = mapped_column(String(64), primary_key=True)
    content: Mapped[bytes] = mapped_column(LargeBinary)
    received_at: Mapped[datetime] = mapped_column(_MOMENT, default=now, index=True)
    read_at: Mapped[datetime | None] = mapped_column(_MOMENT, index=True)
