"""Accounts that were there before the server looked at what their names look like."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import create_engine, text

from kursbuch.web.accounts.names import skeleton
from kursbuch.web.db.migrations import migrate


def test_existing_accounts_are_known_by_what_they_look_like(tmp_path: Path) -> None:
    names = ["Alice", "\u0410\u0421\u0415", "Ace", "Jörg"]
    engine = create_engine(f"sqlite:///{tmp_path / 'tables.sqlite3'}")
    with engine.begin() as connection:
        migrate(connection, "0025")
        for name in names:
            connection.execute(
                text(
                    "INSERT INTO account (id, name, name_key, language, admin, created_at) "
                    "VALUES (:name, :name, :name, '', false, '2026-01-01')"
                ),
                {"name": name},
            )
        migrate(connection)
        found = connection.execute(text("SELECT name, skeleton FROM account")).all()
    engine.dispose()
    assert {row.name: row.skeleton for row in found} == {name: skeleton(name) for name in names}
    assert skeleton(names[1]) == skeleton("Ace")
