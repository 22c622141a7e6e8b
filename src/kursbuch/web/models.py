"""The rows of the database."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    JSON,
    DateTime,
    Dialect,
    ForeignKey,
    LargeBinary,
    MetaData,
    String,
    Text,
    TypeDecorator,
)
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column


def now() -> datetime:
    """The present, in UTC."""
    return datetime.now(UTC)


class DateTimeUTC(TypeDecorator[datetime]):
    """A moment; SQLite keeps no time zone, so all are in UTC."""

    impl = DateTime
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        return value.astimezone(UTC) if value else None

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        return value.replace(tzinfo=UTC) if value and value.tzinfo is None else value


class Base(DeclarativeBase):
    """What all rows share."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_name)s",
            "pk": "pk_%(table_name)s",
            "fk": "fk_%(table_name)s_%(column_0_name)s",
            "uq": "uq_%(table_name)s_%(column_0_name)s",
        }
    )


class Setting(Base):
    """A value the server keeps, such as the key that signs cookies."""

    __tablename__ = "setting"

    key: Mapped[str] = mapped_column(String(40), primary_key=True)
    value: Mapped[str] = mapped_column(Text)


class DataFile(Base):
    """Component data that replace those of the package, by the hash of the file."""

    __tablename__ = "data_file"

    hash: Mapped[str] = mapped_column(String(64), primary_key=True)
    content: Mapped[bytes] = mapped_column(LargeBinary)


class Table(Base):
    """A table and where its game stands.

    `version` grows with every change, `revision` with every change of the list of moves; `rewound` is
    the version with which moves were last taken back, so that it and the number of moves name a position
    for ever. `number` is how many moves there are, `turn` the seats that have to decide. `deadline` is when those who
    have not answered an offer to object count as declining, a little after the time they are told.
    `edition` is the edition of the rules by which the game began.
    """

    __tablename__ = "game_table"

    id: Mapped[str] = mapped_column(String(16), primary_key=True)
    title: Mapped[str] = mapped_column(String(40))
    options: Mapped[dict[str, str]] = mapped_column(JSON)
    data_hash: Mapped[str | None] = mapped_column(ForeignKey("data_file.hash"))
    seed: Mapped[str] = mapped_column(String(64))
    seed_hash: Mapped[str] = mapped_column(String(64))
    status: Mapped[str] = mapped_column(String(10), index=True)
    language: Mapped[str] = mapped_column(String(2))
    undo: Mapped[str] = mapped_column(String(10))
    help: Mapped[bool]
    objection_seconds: Mapped[int | None]
    listed: Mapped[bool]
    pace: Mapped[float]
    creator: Mapped[str] = mapped_column(String(40), index=True)
    version: Mapped[int] = mapped_column(default=1)
    revision: Mapped[int] = mapped_column(default=0)
    rewound: Mapped[int] = mapped_column(default=0)
    number: Mapped[int] = mapped_column(default=0)
    edition: Mapped[int]
    turn: Mapped[list[int]] = mapped_column(JSON, default=list)
    bots_due: Mapped[bool] = mapped_column(default=False, index=True)
    deadline: Mapped[datetime | None] = mapped_column(DateTimeUTC(timezone=True), index=True)
    result: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    created_at: Mapped[datetime] = mapped_column(DateTimeUTC(timezone=True), default=now)
    updated_at: Mapped[datetime] = mapped_column(
        DateTimeUTC(timezone=True), default=now, index=True
    )


class Seat(Base):
    """A seat of a table. `kind` is person, hotseat or bot; `owner` the browser that holds it.

    `facing` says who sits in front of a browser that holds several seats: only that player's secrets
    are shown. Nobody may, while the device is handed over.
    """

    __tablename__ = "seat"

    table_id: Mapped[str] = mapped_column(
        ForeignKey("game_table.id", ondelete="CASCADE"), primary_key=True
    )
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    kind: Mapped[str] = mapped_column(String(10))
    name: Mapped[str] = mapped_column(String(80))
    bot: Mapped[str] = mapped_column(String(40))
    owner: Mapped[str | None] = mapped_column(String(40), index=True)
    token: Mapped[str | None] = mapped_column(String(40))
    seen_at: Mapped[datetime | None] = mapped_column(DateTimeUTC(timezone=True))
    facing: Mapped[bool] = mapped_column(default=False)

    @property
    def is_bot(self) -> bool:
        """Whether the computer plays it."""
        return self.kind == "bot"

    @property
    def is_free(self) -> bool:
        """Whether somebody can sit down here."""
        return self.owner is None and not self.is_bot


class StoredMove(Base):
    """A move. Its key makes it impossible that two moves get the same number. `edition` is the
    edition of the rules by which it was made."""

    __tablename__ = "move"

    table_id: Mapped[str] = mapped_column(
        ForeignKey("game_table.id", ondelete="CASCADE"), primary_key=True
    )
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    seat: Mapped[int]
    action: Mapped[dict[str, Any]] = mapped_column(JSON)
    draws: Mapped[list[list[int]]] = mapped_column(JSON)
    automatic: Mapped[bool] = mapped_column(default=False)
    edition: Mapped[int]
    made_at: Mapped[datetime] = mapped_column(DateTimeUTC(timezone=True), default=now)


class Chat(Base):
    """A chat message."""

    __tablename__ = "chat"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=True)
    table_id: Mapped[str] = mapped_column(
        ForeignKey("game_table.id", ondelete="CASCADE"), index=True
    )
    seat: Mapped[int]
    text: Mapped[str] = mapped_column(Text)
    sent_at: Mapped[datetime] = mapped_column(DateTimeUTC(timezone=True), default=now)


class StandingRefusal(Base):
    """ "Never ask me about this": offers on the subject are declined for the seat at once."""

    __tablename__ = "standing_refusal"

    table_id: Mapped[str] = mapped_column(
        ForeignKey("game_table.id", ondelete="CASCADE"), primary_key=True
    )
    seat: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    subject: Mapped[str] = mapped_column(String(80), primary_key=True)


class Consent(Base):
    """Something one player may not do alone and has asked the others for, by kind: to go back to `target`
    moves ("undo"), to end the game without a result ("end"). `version` is that of the table with the
    wish in it; `agreed` are browsers."""

    __tablename__ = "consent"

    table_id: Mapped[str] = mapped_column(
        ForeignKey("game_table.id", ondelete="CASCADE"), primary_key=True
    )
    kind: Mapped[str] = mapped_column(String(10), primary_key=True)
    seat: Mapped[int]
    target: Mapped[int | None]
    version: Mapped[int]
    agreed: Mapped[list[str]] = mapped_column(JSON)
