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
    """An account: its id owns seats and tables.

    `name_key` is the normalized name, `skeleton` what it looks like. `email` is confirmed, so no
    other account has it. `password` is an argon2 hash, None for logging in by mail only. `settings`
    is written like the cookie of a browser (`web/http/preferences.py`), None until something is
    chosen. `closed_at` is when an administrator suspended it."""

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
    """A browser in which an account is logged in.

    Only the hash of the token in its cookie is stored; `device` is what the browser calls itself."""

    __tablename__ = "session"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=True)
    hash: Mapped[str] = mapped_column(String(64), unique=True)
    account_id: Mapped[str] = _account()
    device: Mapped[str] = mapped_column(String(80))
    created_at: Mapped[datetime] = mapped_column(_MOMENT, default=now)
    seen_at: Mapped[datetime] = mapped_column(_MOMENT, default=now, index=True)


class ApiToken(Base):
    """A token with which programs play for an account; only its hash is stored."""

    __tablename__ = "api_token"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=True)
    hash: Mapped[str] = mapped_column(String(64), unique=True)
    account_id: Mapped[str] = _account()
    name: Mapped[str] = mapped_column(String(40))
    created_at: Mapped[datetime] = mapped_column(_MOMENT, default=now)
    used_at: Mapped[datetime | None] = mapped_column(_MOMENT)


class OneTimeToken(Base):
    """The code of a mail: it confirms the address `email`, logs in, or resets the password.

    It is used once, and only its hash is stored. A code without an account is valid for nothing: it
    keeps the work equal for every address. `browser` is the hash of the browser that requested it."""

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
    """A code with which one player can register; only its hash is stored.

    `creator` is an account, None for an administrator at the command line."""

    __tablename__ = "invitation"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=True)
    hash: Mapped[str] = mapped_column(String(64), unique=True)
    creator: Mapped[str | None] = mapped_column(
        ForeignKey("account.id", ondelete="CASCADE"), index=True
    )
    note: Mapped[str] = mapped_column(String(40), default="")
    created_at: Mapped[datetime] = mapped_column(_MOMENT, default=now)


class Attempt(Base):
    """Number of attempts until `ends`, when counting starts again; `key` is the hash of what is
    counted."""

    __tablename__ = "attempt"

    key: Mapped[str] = mapped_column(String(64), primary_key=True)
    count: Mapped[int]
    ends: Mapped[datetime] = mapped_column(_MOMENT, index=True)


class Rating(Base):
    """Rating of an account in a title: mean and uncertainty of OpenSkill."""

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
    """A finished rated game, in the order of their ends.

    `places` lists pairs of account and place. It outlives accounts, so that opponents keep what
    they won."""

    __tablename__ = "rated_game"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=True)
    table_id: Mapped[str] = mapped_column(String(16), unique=True)
    title: Mapped[str] = mapped_column(String(40), index=True)
    places: Mapped[list[tuple[str, int]]] = mapped_column(JSON)
    ended_at: Mapped[datetime] = mapped_column(_MOMENT, default=now)
