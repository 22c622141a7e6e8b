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

#: The kind of a seat whose account was deleted.
GONE = "gone"


def _present() -> datetime:
    return datetime.now(UTC)


#: What tells the time. Tests put a clock here that they can set; nothing else asks the system.
clock: Callable[[], datetime] = _present


def now() -> datetime:
    """The present, in UTC."""
    return clock()


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


def of_table(key: bool = False) -> Mapped[str]:
    """The table that a row belongs to and goes with, as part of its key or not."""
    return mapped_column(
        ForeignKey("game_table.id", ondelete="CASCADE"), primary_key=key, index=not key
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
    `edition` is the edition of the rules by which the game began. `copied` is how many moves were copied
    from another table, None if it is no copy; `again` the table at which the same people play once more. At
    a `guided` table the computers play the moves of the guide as long as everybody does. `moderation` says who
    may correct something (`policies.MODERATION`), `moderators` are the seats of those whom the opener has named;
    `set_up` are the corrections with which the game is to begin. A `rated` table is for accounts, whose ratings
    its result changes.

    At a `slow` table not everybody is there at the same time: whoever has to decide has `move_hours` for it
    (None: as long as it takes), then happens what `overrun` says; `vacation` is how many days of absence a
    player has. `language_note` says which language is written there, `entry` who may sit down, and `password`
    is the hash of what they have to know for it. `watching` says who may look on; `delay_moves` and
    `delay_minutes` how far behind those are who do not play.
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
    guided: Mapped[bool] = mapped_column(default=False)
    rated: Mapped[bool] = mapped_column(default=False)
    turn: Mapped[list[int]] = mapped_column(JSON, default=list)
    bots_due: Mapped[bool] = mapped_column(default=False, index=True)
    deadline: Mapped[datetime | None] = mapped_column(DateTimeUTC(timezone=True), index=True)
    result: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    moderation: Mapped[str] = mapped_column(String(10), default="none")
    moderators: Mapped[list[int]] = mapped_column(JSON, default=list)
    set_up: Mapped[list[dict[str, Any]] | None] = mapped_column(JSON(none_as_null=True))
    copied: Mapped[int | None]
    again: Mapped[str | None] = mapped_column(String(16))
    slow: Mapped[bool] = mapped_column(default=False)
    move_hours: Mapped[int | None]
    overrun: Mapped[str] = mapped_column(String(10), default="remind")
    vacation: Mapped[int] = mapped_column(default=0)
    language_note: Mapped[str] = mapped_column(String(80), default="")
    entry: Mapped[str] = mapped_column(String(10), default="link")
    password: Mapped[str | None] = mapped_column(String(200))
    watching: Mapped[str] = mapped_column(String(10), default="all")
    delay_moves: Mapped[int] = mapped_column(default=0)
    delay_minutes: Mapped[int] = mapped_column(default=0)
    created_at: Mapped[datetime] = mapped_column(DateTimeUTC(timezone=True), default=now)
    updated_at: Mapped[datetime] = mapped_column(
        DateTimeUTC(timezone=True), default=now, index=True
    )

    @property
    def given(self) -> int:
        """So many moves were there when the game began here: copied ones, or corrections that set it up. They stay."""
        return self.copied or len(self.set_up or ())


class Seat(Base):
    """A seat of a table. `kind` is person, hotseat, bot, or gone if its account was deleted; `owner` the browser
    or account that holds it.

    `facing` says who sits in front of a browser that holds several seats: only that player's secrets
    are shown. Nobody may, while the device is handed over.

    `asked_at` is since when the table waits for the seat, `due_at` until when it has time; `late` says that this
    is over and has been noted. Until `away_until` its time stands still; `vacation` are the days of absence it
    has left. `former` is whom the seat was taken from.
    """

    __tablename__ = "seat"

    table_id: Mapped[str] = of_table(key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    kind: Mapped[str] = mapped_column(String(10))
    name: Mapped[str] = mapped_column(String(80))
    bot: Mapped[str] = mapped_column(String(40))
    owner: Mapped[str | None] = mapped_column(String(40), index=True)
    token: Mapped[str | None] = mapped_column(String(40))
    seen_at: Mapped[datetime | None] = mapped_column(DateTimeUTC(timezone=True))
    facing: Mapped[bool] = mapped_column(default=False)
    asked_at: Mapped[datetime | None] = mapped_column(DateTimeUTC(timezone=True))
    due_at: Mapped[datetime | None] = mapped_column(DateTimeUTC(timezone=True), index=True)
    late: Mapped[bool] = mapped_column(default=False)
    away_until: Mapped[datetime | None] = mapped_column(DateTimeUTC(timezone=True))
    vacation: Mapped[int] = mapped_column(default=0)
    former: Mapped[str | None] = mapped_column(String(40), index=True)

    @property
    def is_bot(self) -> bool:
        """Whether the computer plays it."""
        return self.kind == "bot"

    @property
    def is_free(self) -> bool:
        """Whether somebody can sit down here."""
        return self.owner is None and not self.is_bot and not self.is_gone

    @property
    def is_gone(self) -> bool:
        """Whether it has lost its player and can be given to somebody else."""
        return self.kind == GONE

    @property
    def is_empty(self) -> bool:
        """Whether neither a person nor the computer plays it."""
        return self.is_free or self.is_gone


#: `Seat.is_free`, in a query.
FREE_SEAT = Seat.owner.is_(None) & (Seat.kind == "person")


class Predecessor(Base):
    """Whom a seat belonged to for the first `number` moves, under the `name` it had then. `account` is who left it
    to others while a rated game went on, None for anybody else."""

    __tablename__ = "predecessor"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=True)
    table_id: Mapped[str] = of_table()
    seat: Mapped[int]
    number: Mapped[int]
    name: Mapped[str] = mapped_column(String(80))
    account: Mapped[str | None] = mapped_column(String(40), index=True)


class StoredMove(Base):
    """A move. Its key makes it impossible that two moves get the same number. `plan` is what was planned ahead
    of time if that led to it, `edition` the edition of the rules by which it was made."""

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
    """A move that was taken back, as it was: it can be done again until another one is made. `version` is
    the table's with which it was taken back, the same for all that went together; `shown` says that these
    had turned up what nobody could know before."""

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
    """The game of a table as it was after its first `number` moves, with `rewound` as it was then: only to be
    quicker, and read by the `program` that wrote it only (`core/replay_cache.py`)."""

    __tablename__ = "kept_game"
    __table_args__ = ({"info": {"spare": True}},)

    table_id: Mapped[str] = of_table(key=True)
    rewound: Mapped[int]
    number: Mapped[int]
    program: Mapped[str] = mapped_column(String(32))
    content: Mapped[bytes] = mapped_column(LargeBinary)


class StoredReview(Base):
    """The review of a table that is over, of the `position` that was its last then (a number of moves, and
    `rewound`). While it is being made `content` is empty, so many parts of `total` are done in a pass, the `stage`,
    and about so many `seconds_left` of it. `begun_at` tells one that was broken off from one begun after it."""

    __tablename__ = "review"

    table_id: Mapped[str] = of_table(key=True)
    position: Mapped[str] = mapped_column(String(40))
    depth: Mapped[str] = mapped_column(String(10))
    done: Mapped[int] = mapped_column(default=0)
    total: Mapped[int] = mapped_column(default=0)
    content: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    updated_at: Mapped[datetime] = mapped_column(DateTimeUTC(timezone=True), default=now)
    begun_at: Mapped[datetime | None] = mapped_column(DateTimeUTC(timezone=True))
    stage: Mapped[int] = mapped_column(default=1)
    seconds_left: Mapped[int | None]


class Origin(Base):
    """Where a table was copied from: the other table, as long as it is there, and for its record the
    number of moves and the hash of the seed of every game they come from. `draws` are those of the moves
    copied, which the seed of this table does not give."""

    __tablename__ = "origin"

    table_id: Mapped[str] = of_table(key=True)
    source_id: Mapped[str | None] = mapped_column(ForeignKey("game_table.id", ondelete="SET NULL"))
    parts: Mapped[list[tuple[int, str]]] = mapped_column(JSON)
    draws: Mapped[list[tuple[int, int]]] = mapped_column(JSON)


class Note(Base):
    """Something that happened at a table and is no move, by kind: moves taken back ("undo") or done again
    ("redo"), the table copied ("copy") or opened once more ("again"), what a moderator does beside corrections
    ("rewind", "tried"), time that ran out ("late"), a player away or back ("away", "present"), a seat given to
    the computer or free for somebody else ("to-bot", "to-open"), handed on by a link ("handed"), taken by a person
    ("sits") or by the one who had it ("back"), a player whose account is no more ("gone"), a wish that somebody did
    not agree to ("refused"). It stands in the log after `number` moves; `counts` is for every seat how many moves were
    concerned, and at last how many corrections; `data` whatever else its sentence needs, and the `names` of the seats
    as they were then."""

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
    """A chat message. `name` is that of the seat when it was written, None in older ones."""

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
    """A request that a visitor sent with a key and that was carried out: what it was `about`, and what it
    led to, so that the same request is not carried out twice."""

    __tablename__ = "answered"

    visitor: Mapped[str] = mapped_column(String(40), primary_key=True)
    key: Mapped[str] = mapped_column(String(80), primary_key=True)
    about: Mapped[str] = mapped_column(String(64))
    answer: Mapped[Any] = mapped_column(JSON(none_as_null=True), nullable=True)
    made_at: Mapped[datetime] = mapped_column(DateTimeUTC(timezone=True), default=now, index=True)


class Consent(Base):
    """Something one player may not do alone and has asked the others for, by kind: to go back to `target`
    moves ("undo") or on to as many ("redo"), to end the game without a result ("end"), to give the seat `target`
    to somebody else ("replace": to the computer of that strength if there is a `wish`). `version` is that of the
    table since which answers count; `agreed` are browsers. Who has said nothing at `due_at` agrees."""

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
    """A move ahead of time: what a seat wants to do when its moment comes, in the order in which they were
    made. Only that seat may know it. `dropped` says why it was not done after all, empty as long as it waits."""

    __tablename__ = "intention"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=True)
    table_id: Mapped[str] = of_table()
    seat: Mapped[int]
    plan: Mapped[dict[str, Any]] = mapped_column(JSON)
    dropped: Mapped[str] = mapped_column(String(10), default="")
    made_at: Mapped[datetime] = mapped_column(DateTimeUTC(timezone=True), default=now)


class TableInvitation(Base):
    """An invitation to a table: a link for whoever has it, or for one account or one mail address. `owner`
    is who invited, `token` the secret part of the link; it can be used as often as `uses_left` says and until
    it is revoked."""

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
        """The address of the link on this server."""
        return f"/t/{self.table_id}/invited/{self.token}"


class TableGuest(Base):
    """Somebody who may sit down at a table although not everybody may: invited, or with the password."""

    __tablename__ = "table_guest"

    table_id: Mapped[str] = of_table(key=True)
    owner: Mapped[str] = mapped_column(String(40), primary_key=True)
    made_at: Mapped[datetime] = mapped_column(DateTimeUTC(timezone=True), default=now)


class PrivateNote(Base):
    """What somebody has written down at a table; nobody else ever sees it."""

    __tablename__ = "private_note"

    table_id: Mapped[str] = of_table(key=True)
    owner: Mapped[str] = mapped_column(String(40), primary_key=True)
    text: Mapped[str] = mapped_column(Text, info={"joined": True})
    written_at: Mapped[datetime] = mapped_column(DateTimeUTC(timezone=True), default=now)


class ChatRead(Base):
    """Up to which message (`last`) somebody has read the chat of a table."""

    __tablename__ = "chat_read"

    table_id: Mapped[str] = of_table(key=True)
    owner: Mapped[str] = mapped_column(String(40), primary_key=True)
    last: Mapped[int]
