"""Models of accounts."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import JSON, ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from kursbuch.web.db.models import Base, DateTimeUTC, now

_MOMENT = DateTimeUTC(timezone=True)


def _account() -> Mapped[str]:
    return mapped_column(ForeignKey("account.id", ondelete="CASCADE"), index=True)


class Account(Base):
    """An account. Its id is what seats and tables are owned by. `name_key` is the name as names are
    compared, `skeleton` what it looks like; `email` has been confirmed, which is why nobody else can have it.
    `password` is an argon2 hash, None for whoever logs in by mail only. `settings` is written like the cookie of a
    browser (`web/http/preferences.py`), None as long as nothing was chosen. `closed_at` is when an administrator
    shut it out."""

    __tablename__ = "account"

    id: Mapped[str] = mapped_column(String(40), primary_key=True)
    name: Mapped[str] = mapped_column(String(40))
    name_key: Mapped[str] = mapped_column(String(120), unique=True)
    skeleton: Mapped[str] = mapped_column(String(120), default="", index=True)
    email: Mapped[str | None] = mapped_column(String(254), unique=True)
    password: Mapped[str | None] = mapped_column(String(200))
    language: Mapped[str] = mapped_column(String(2), default="")
    settings: Mapped[str | None] = mapped_column(String(500))
    admin: Mapped[bool] = mapped_column(default=False)
    closed_at: Mapped[datetime | None] = mapped_column(_MOMENT)
    created_at: Mapped[datetime] = mapped_column(_MOMENT, default=now)


class Session(Base):
    """A browser in which somebody is logged in. Only the hash of the token in its cookie is kept; `device`
    is what the browser says it is."""

    __tablename__ = "session"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=True)
    hash: Mapped[str] = mapped_column(String(64), unique=True)
    account_id: Mapped[str] = _account()
    device: Mapped[str] = mapped_column(String(80))
    created_at: Mapped[datetime] = mapped_column(_MOMENT, default=now)
    seen_at: Mapped[datetime] = mapped_column(_MOMENT, default=now, index=True)


class ApiToken(Base):
    """A token with which programs play for an account; only its hash is kept."""

    __tablename__ = "api_token"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=True)
    hash: Mapped[str] = mapped_column(String(64), unique=True)
    account_id: Mapped[str] = _account()
    name: Mapped[str] = mapped_column(String(40))
    created_at: Mapped[datetime] = mapped_column(_MOMENT, default=now)
    used_at: Mapped[datetime | None] = mapped_column(_MOMENT)


class OneTimeToken(Base):
    """The code in a letter, by kind: to confirm the address `email` ("confirm"), to log in ("login"), to
    choose another password ("reset"). Used once; only its hash is kept. One that belongs to nobody fits
    nothing: it is there so that asking for a letter is the same work for every address. `browser` is the
    hash of the id of the browser that asked for it."""

    __tablename__ = "one_time_token"

    hash: Mapped[str] = mapped_column(String(64), primary_key=True)
    kind: Mapped[str] = mapped_column(String(10))
    account_id: Mapped[str | None] = mapped_column(
        ForeignKey("account.id", ondelete="CASCADE"), index=True
    )
    email: Mapped[str] = mapped_column(String(254))
    browser: Mapped[str] = mapped_column(String(64), default="")
    expires_at: Mapped[datetime] = mapped_column(_MOMENT, index=True)


class Invitation(Base):
    """A code with which one person can register where that needs an invitation; only its hash is kept.
    `creator` is the account that made it, None for an administrator at the command line."""

    __tablename__ = "invitation"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=True)
    hash: Mapped[str] = mapped_column(String(64), unique=True)
    creator: Mapped[str | None] = mapped_column(
        ForeignKey("account.id", ondelete="CASCADE"), index=True
    )
    note: Mapped[str] = mapped_column(String(40), default="")
    created_at: Mapped[datetime] = mapped_column(_MOMENT, default=now)


class Attempt(Base):
    """How often something was tried (`key` is the hash of what, and by whom or for whom) until the time
    `ends`, after which it is counted anew."""

    __tablename__ = "attempt"

    key: Mapped[str] = mapped_column(String(64), primary_key=True)
    count: Mapped[int]
    ends: Mapped[datetime] = mapped_column(_MOMENT, index=True)


class Rating(Base):
    """How strong an account is at a title: the mean and the uncertainty of OpenSkill."""

    __tablename__ = "rating"

    account_id: Mapped[str] = mapped_column(
        ForeignKey("account.id", ondelete="CASCADE"), primary_key=True
    )
    title: Mapped[str] = mapped_column(String(40), primary_key=True)
    mu: Mapped[float]
    sigma: Mapped[float]
    games: Mapped[int]
    won: Mapped[int]


class RatedGame(Base):
    """A rated game that is over, in the order in which they ended: the place of every account in it.
    `places` lists pairs of account and place; it outlives accounts, so that the others keep what they won."""

    __tablename__ = "rated_game"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=True)
    table_id: Mapped[str] = mapped_column(String(16), unique=True)
    title: Mapped[str] = mapped_column(String(40), index=True)
    places: Mapped[list[tuple[str, int]]] = mapped_column(JSON)
    ended_at: Mapped[datetime] = mapped_column(_MOMENT, default=now)
