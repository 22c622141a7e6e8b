"""Models of tables, seats and moves."""

from __future__ import annotations

from collections.abc import Callable
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

#: Kind of a seat whose account was deleted.
GONE = "gone"


def _present() -> datetime:
    return datetime.now(UTC)


#: Clock of the server; tests replace it. Nothing else asks the system.
clock: Callable[[], datetime] = _present


def now() -> datetime:
    """Return the present, in UTC."""
    return clock()


class DateTimeUTC(TypeDecorator[datetime]):
    """A moment in UTC; SQLite keeps no time zone."""

    impl = DateTime
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        return value.astimezone(UTC) if value else None

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        return value.replace(tzinfo=UTC) if value and value.tzinfo is None else value


class Base(DeclarativeBase):
    """Base class of all models."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_name)s",
            "pk": "pk_%(table_name)s",
            "fk": "fk_%(table_name)s_%(column_0_name)s",
            "uq": "uq_%(table_name)s_%(column_0_name)s",
        }
    )


def of_table(key: bool = False) -> Mapped[str]:
    """Return the foreign key of a row that is deleted with its table, as part of its primary key or not."""
    return mapped_column(
        ForeignKey("game_table.id", ondelete="CASCADE"), primary_key=key, index=not key
    )


#: Prefix of the keys of settings that describe the present; a restore drops them.
STATUS_PREFIX = "status "


class Setting(Base):
    """A value the server keeps, such as the key that signs cookies."""

    __tablename__ = "setting"

    key: Mapped[str] = mapped_column(String(40), primary_key=True)
    value: Mapped[str] = mapped_column(Text)


class DataFile(Base):
    """Component data that replace those of the package, by file hash."""

    __tablename__ = "data_file"

    hash: Mapped[str] = mapped_column(String(64), primary_key=True)
    content: Mapped[bytes] = mapped_column(LargeBinary)


class Table(Base):
    """A table and the state of its game."""

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
    #: Grows with every change.
    version: Mapped[int] = mapped_column(default=1)
    #: Grows with every change of the list of moves.
    revision: Mapped[int] = mapped_column(default=0)
    #: Version at which moves were last taken back; with the number of moves it identifies a position.
    rewound: Mapped[int] = mapped_column(default=0)
    #: Number of moves.
    number: Mapped[int] = mapped_column(default=0)
    #: Edition of the rules at the start of the game.
    edition: Mapped[int]
    #: A guided first game: bots play its moves as long as everyone does.
    guided: Mapped[bool] = mapped_column(default=False)
    #: For accounts only; the result changes their ratings.
    rated: Mapped[bool] = mapped_column(default=False)
    #: Seats that have to decide.
    turn: Mapped[list[int]] = mapped_column(JSON, default=list)
    bots_due: Mapped[bool] = mapped_column(default=False, index=True)
    #: When an unanswered offer to object counts as declined; a little later than players are told.
    deadline: Mapped[datetime | None] = mapped_column(DateTimeUTC(timezone=True), index=True)
    result: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    #: Who may make corrections (`policies.MODERATION`), and the seats named as moderators.
    moderation: Mapped[str] = mapped_column(String(10), default="none")
    moderators: Mapped[list[int]] = mapped_column(JSON, default=list)
    #: Corrections that set up the starting position.
    set_up: Mapped[list[dict[str, Any]] | None] = mapped_column(JSON(none_as_null=True))
    #: Number of moves copied from another table, None if it is no copy.
    copied: Mapped[int | None]
    #: Table of the rematch.
    again: Mapped[str | None] = mapped_column(String(16))
    #: A slow game: players are not there at the same time.
    slow: Mapped[bool] = mapped_column(default=False)
    #: Hours for a decision, None for no limit; after them `overrun` happens.
    move_hours: Mapped[int | None]
    overrun: Mapped[str] = mapped_column(String(10), default="remind")
    #: Days of absence per player.
    vacation: Mapped[int] = mapped_column(default=0)
    #: Language of the chat.
    language_note: Mapped[str] = mapped_column(String(80), default="")
    #: Who may join, and the hash of the password.
    entry: Mapped[str] = mapped_column(String(10), default="link")
    password: Mapped[str | None] = mapped_column(String(200))
    #: Who may watch, and the spectator delay.
    watching: Mapped[str] = mapped_column(String(10), default="all")
    delay_moves: Mapped[int] = mapped_column(default=0)
    delay_minutes: Mapped[int] = mapped_column(default=0)
    created_at: Mapped[datetime] = mapped_column(DateTimeUTC(timezone=True), default=now)
    updated_at: Mapped[datetime] = mapped_column(
        DateTimeUTC(timezone=True), default=now, index=True
    )

    @property
    def given(self) -> int:
        """Number of moves at the start of the game here, copied or corrections; they cannot be taken back."""
        return self.copied or len(self.set_up or ())


class Seat(Base):
    """A seat of a table."""

    __tablename__ = "seat"

    table_id: Mapped[str] = of_table(key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    #: person, hotseat, bot, or gone (account deleted).
    kind: Mapped[str] = mapped_column(String(10))
    name: Mapped[str] = mapped_column(String(80))
    bot: Mapped[str] = mapped_column(String(40))
    #: Browser or account that holds the seat.
    owner: Mapped[str | None] = mapped_column(String(40), index=True)
    token: Mapped[str | None] = mapped_column(String(40))
    seen_at: Mapped[datetime | None] = mapped_column(DateTimeUTC(timezone=True))
    #: Whether this player faces a shared device: only their secrets are shown. No one does while the
    #: device is handed over.
    facing: Mapped[bool] = mapped_column(default=False)
    #: Since when the table waits for the seat, and until when.
    asked_at: Mapped[datetime | None] = mapped_column(DateTimeUTC(timezone=True))
    due_at: Mapped[datetime | None] = mapped_column(DateTimeUTC(timezone=True), index=True)
    #: The time has run out, and this is noted.
    late: Mapped[bool] = mapped_column(default=False)
    #: Absence: the clock stands still.
    away_until: Mapped[datetime | None] = mapped_column(DateTimeUTC(timezone=True))
    #: Days of absence left.
    vacation: Mapped[int] = mapped_column(default=0)
    #: Owner the seat was taken from.
    former: Mapped[str | None] = mapped_column(String(40), index=True)

    @property
    def is_bot(self) -> bool:
        """Whether a bot plays it."""
        return self.kind == "bot"

    @property
    def is_free(self) -> bool:
        """Whether a player can sit down here."""
        return self.owner is None and not self.is_bot and not self.is_gone

    @property
    def is_gone(self) -> bool:
        """Whether it lost its player and needs another."""
        return self.kind == GONE

    @property
    def is_empty(self) -> bool:
        """Whether neither a person nor a bot plays it."""
        return self.is_free or self.is_gone


#: `Seat.is_free` as a query condition.
FREE_SEAT = Seat.owner.is_(None) & (Seat.kind == "person")


class Predecessor(Base):
    """The owner of a seat for the first `number` moves, under the `name` of that time. `account` is
    set if they left a running rated game."""

    __tablename__ = "predecessor"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=True)
    table_id: Mapped[str] = of_table()
    seat: Mapped[int]
    number: Mapped[int]
    name: Mapped[str] = mapped_column(String(80))
    account: Mapped[str | None] = mapped_column(String(40), index=True)


class StoredMove(Base):
    """A move. The primary key prevents two moves with the same number. `plan` is the premove that
    led to it, `edition` its edition of the rules."""

    __tablename__ = "move"

    table_id: Mapped[str] = of_table(key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    seat: Mapped[int]
    action: Mapped[dict[str, Any]] = mapped_column(JSON)
    draws: Mapped[list[list[int]]] = mapped_column(JSON)
    automatic: Mapped[bool] = mapped_column(default=False)
    plan: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    edition: Mapped[int]
    made_at: Mapped[datetime] = mapped_column(DateTimeUTC(timezone=True), default=now)


class TakenBack(Base):
    """A move that was taken back and can be redone until another one is made. `version` is the
    table's at that time, the same for all moves taken back together. `shown` means that they had
    revealed secrets."""

    __tablename__ = "taken_back"

    table_id: Mapped[str] = of_table(key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    seat: Mapped[int]
    action: Mapped[dict[str, Any]] = mapped_column(JSON)
    draws: Mapped[list[list[int]]] = mapped_column(JSON)
    automatic: Mapped[bool]
    plan: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    edition: Mapped[int]
    made_at: Mapped[datetime] = mapped_column(DateTimeUTC(timezone=True))
    version: Mapped[int]
    shown: Mapped[bool]


class KeptGame(Base):
    """A cached game after its first `number` moves, with `rewound` as it was then. Only the same
    `program` reads it (`core/replay_cache.py`)."""

    __tablename__ = "kept_game"
    __table_args__ = ({"info": {"spare": True}},)

    table_id: Mapped[str] = of_table(key=True)
    rewound: Mapped[int]
    number: Mapped[int]
    program: Mapped[str] = mapped_column(String(32))
    content: Mapped[bytes] = mapped_column(LargeBinary)


class StoredReview(Base):
    """The review of a finished game. `position` is its final position (number of moves and
    `rewound`), `depth` its budget. While it is `running`, `done` of `total` seconds of processor
    time are used, and `content` is what has been found so far, if anything. `begun_at` tells a
    stopped review from a later one."""

    __tablename__ = "review"

    table_id: Mapped[str] = of_table(key=True)
    position: Mapped[str] = mapped_column(String(40))
    depth: Mapped[str] = mapped_column(String(10))
    done: Mapped[int] = mapped_column(default=0)
    total: Mapped[int] = mapped_column(default=0)
    content: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    updated_at: Mapped[datetime] = mapped_column(DateTimeUTC(timezone=True), default=now)
    begun_at: Mapped[datetime | None] = mapped_column(DateTimeUTC(timezone=True))
    running: Mapped[bool] = mapped_column(default=False)


class Origin(Base):
    """The table another one was copied from, as long as it exists. For the record, `parts` are the
    number of moves and the seed hash of each source game; `draws` are those of the copied moves,
    which this table's seed does not give."""

    __tablename__ = "origin"

    table_id: Mapped[str] = of_table(key=True)
    source_id: Mapped[str | None] = mapped_column(ForeignKey("game_table.id", ondelete="SET NULL"))
    parts: Mapped[list[tuple[int, str]]] = mapped_column(JSON)
    draws: Mapped[list[tuple[int, int]]] = mapped_column(JSON)


class Note(Base):
    """An event at a table that is no move, by kind. Moves: "undo", "redo"; tables: "copy", "again";
    moderators: "rewind", "tried"; time: "late", "away", "present"; seats: "to-bot", "to-open",
    "handed" (by a link), "sits" (a new player), "back", "gone" (account deleted); votes: "refused".

    It stands in the log after `number` moves. `counts` is the number of moves concerned for each
    seat, then of corrections. `data` holds the other values of its sentence and the `names` of the
    seats at the time.
    """

    __tablename__ = "note"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=True)
    table_id: Mapped[str] = of_table()
    kind: Mapped[str] = mapped_column(String(10))
    seat: Mapped[int | None]
    number: Mapped[int]
    counts: Mapped[list[int]] = mapped_column(JSON)
    data: Mapped[dict[str, Any]] = mapped_column(JSON, default=dict)
    made_at: Mapped[datetime] = mapped_column(DateTimeUTC(timezone=True), default=now)


class Chat(Base):
    """A chat message. `name` is the seat's name when it was written, None in older messages."""

    __tablename__ = "chat"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=True)
    table_id: Mapped[str] = of_table()
    seat: Mapped[int]
    name: Mapped[str | None] = mapped_column(String(80))
    text: Mapped[str] = mapped_column(Text)
    sent_at: Mapped[datetime] = mapped_column(DateTimeUTC(timezone=True), default=now)


class StandingRefusal(Base):
    """ "Never ask me about this": offers on the subject are declined for the seat at once."""

    __tablename__ = "standing_refusal"

    table_id: Mapped[str] = of_table(key=True)
    seat: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    subject: Mapped[str] = mapped_column(String(80), primary_key=True)


class Answered(Base):
    """A request with an idempotency key: what it was `about`, and its result."""

    __tablename__ = "answered"

    visitor: Mapped[str] = mapped_column(String(40), primary_key=True)
    key: Mapped[str] = mapped_column(String(80), primary_key=True)
    about: Mapped[str] = mapped_column(String(64))
    answer: Mapped[Any] = mapped_column(JSON(none_as_null=True), nullable=True)
    made_at: Mapped[datetime] = mapped_column(DateTimeUTC(timezone=True), default=now, index=True)


class Consent(Base):
    """A vote, by kind: undo to `target` moves ("undo"), redo up to as many ("redo"), end the game
    without a result ("end"), or replace the player of seat `target` ("replace": by the bot named in
    `wish`, if any). Answers count since `version`; `agreed` are browsers. At `due_at` silence
    counts as agreement."""

    __tablename__ = "consent"

    table_id: Mapped[str] = of_table(key=True)
    kind: Mapped[str] = mapped_column(String(10), primary_key=True)
    seat: Mapped[int]
    target: Mapped[int | None]
    version: Mapped[int]
    agreed: Mapped[list[str]] = mapped_column(JSON)
    wish: Mapped[str | None] = mapped_column(String(80))
    due_at: Mapped[datetime | None] = mapped_column(DateTimeUTC(timezone=True))


class Premove(Base):
    """A premove of a seat, in the order of entry. Only that seat may know it. `dropped` is the
    reason why it was not made, empty while it waits."""

    __tablename__ = "intention"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=True)
    table_id: Mapped[str] = of_table()
    seat: Mapped[int]
    plan: Mapped[dict[str, Any]] = mapped_column(JSON)
    dropped: Mapped[str] = mapped_column(String(10), default="")
    made_at: Mapped[datetime] = mapped_column(DateTimeUTC(timezone=True), default=now)


class TableInvitation(Base):
    """An invitation to a table: a link, or one for an account or mail address. `owner` is the
    inviter, `token` the secret part of the link. It works `uses_left` times, until it is
    revoked."""

    __tablename__ = "table_invitation"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=True)
    table_id: Mapped[str] = of_table()
    owner: Mapped[str] = mapped_column(String(40), index=True)
    token: Mapped[str] = mapped_column(String(40), unique=True)
    account: Mapped[str | None] = mapped_column(String(40), index=True)
    name: Mapped[str] = mapped_column(String(254), default="")
    uses_left: Mapped[int]
    used: Mapped[int] = mapped_column(default=0)
    revoked: Mapped[bool] = mapped_column(default=False)
    made_at: Mapped[datetime] = mapped_column(DateTimeUTC(timezone=True), default=now)

    @property
    def path(self) -> str:
        """The path of the link on this server."""
        return f"/t/{self.table_id}/invited/{self.token}"


class TableGuest(Base):
    """A visitor who may join a restricted table: invited, or with the password."""

    __tablename__ = "table_guest"

    table_id: Mapped[str] = of_table(key=True)
    owner: Mapped[str] = mapped_column(String(40), primary_key=True)
    made_at: Mapped[datetime] = mapped_column(DateTimeUTC(timezone=True), default=now)


class PrivateNote(Base):
    """A player's private notes at a table."""

    __tablename__ = "private_note"

    table_id: Mapped[str] = of_table(key=True)
    owner: Mapped[str] = mapped_column(String(40), primary_key=True)
    text: Mapped[str] = mapped_column(Text, info={"joined": True})
    written_at: Mapped[datetime] = mapped_column(DateTimeUTC(timezone=True), default=now)


class ChatRead(Base):
    """The last chat message at a table that a visitor has read."""

    __tablename__ = "chat_read"

    table_id: Mapped[str] = of_table(key=True)
    owner: Mapped[str] = mapped_column(String(40), primary_key=True)
    last: Mapped[int]
