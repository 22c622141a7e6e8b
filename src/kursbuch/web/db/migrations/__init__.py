"""Migrations of the database, each a module of `versions`; their numbers follow each other.

Alembic is imported only to migrate: most servers start with tables that are up to date.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from sqlalchemy import Connection, inspect, text

from kursbuch.core.errors import KursbuchError

_HERE = Path(__file__).parent


@cache
def _known() -> tuple[str, ...]:
    """Return the migrations of this version of the program, in order."""
    return tuple(sorted(path.name[:4] for path in (_HERE / "versions").glob("[0-9]*.py")))


def newest_migration() -> str:
    """Return the newest migration of this version of the program."""
    return _known()[-1]


def is_known(revision: str) -> bool:
    """Tell whether this version of the program knows a migration."""
    return revision in _known()


def require_known(revision: str) -> None:
    """Refuse a database with an unknown migration."""
    if not is_known(revision):
        raise KursbuchError(
            "This database was used by a newer version of the program. Update the program first."
        )


def migrated_to(connection: Connection) -> str | None:
    """Return the migration of a database, None if it is empty."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    found: str | None = connection.scalar(text("SELECT version_num FROM alembic_version"))
    return found


def migrate(connection: Connection, revision: str = "head") -> None:
    """Migrate the tables of a database, by default to the newest migration."""
    found = migrated_to(connection)
    if found is not None:
        require_known(found)
    if found == (newest_migration() if revision == "head" else revision):
        return
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(_HERE))
    config.attributes["connection"] = connection
    command.upgrade(config, revision)
