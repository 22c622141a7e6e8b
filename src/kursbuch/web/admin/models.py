"""Models of the administration."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from kursbuch.web.db.models import Base, DateTimeUTC, now

_MOMENT = DateTimeUTC(timezone=True)


class Bulletin(Base):
    """An announcement on every page, until it expires."""

    __tablename__ = "bulletin"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=True)
    text: Mapped[str] = mapped_column(Text)
    created_at: Mapped[datetime] = mapped_column(_MOMENT, default=now)
    until: Mapped[datetime] = mapped_column(_MOMENT, index=True)


class AuditLine(Base):
    """An entry of the audit log.

    `actor` is the id of an account, empty for the command line, and `name` its name. `subject` is
    what was changed; it may no longer exist."""

    __tablename__ = "audit"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=True)
    actor: Mapped[str] = mapped_column(String(40))
    name: Mapped[str] = mapped_column(String(80))
    action: Mapped[str] = mapped_column(String(30))
    subject: Mapped[str] = mapped_column(String(120))
    data: Mapped[dict[str, Any]] = mapped_column(JSON)
    done_at: Mapped[datetime] = mapped_column(_MOMENT, default=now, index=True)
