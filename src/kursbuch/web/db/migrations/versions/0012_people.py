"""Accounts, sessions, tokens, invitations, ratings"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

_MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.create_table(
        "account",
        sa.Column("id", sa.String(length=40), nullable=False),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("name_key", sa.String(length=120), nullable=False),
        sa.Column("email", sa.String(length=254), nullable=True),
        sa.Column("password", sa.String(length=200), nullable=True),
        sa.Column("language", sa.String(length=2), nullable=False),
        sa.Column("settings", sa.String(length=500), nullable=True),
        sa.Column("admin", sa.Boolean(), nullable=False),
        sa.Column("closed_at", _MOMENT, nullable=True),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_account")),
        sa.UniqueConstraint("name_key", name=op.f("uq_account_name_key")),
        sa.UniqueConstraint("email", name=op.f("uq_account_email")),
    )
    _belonging(
        "session",
        sa.Column("device", sa.String(length=80), nullable=False),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.Column("seen_at", _MOMENT, nullable=False),
    )
    op.create_index(op.f("ix_session_seen_at"), "session", ["seen_at"], unique=False)
    _belonging(
        "api_token",
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.Column("used_at", _MOMENT, nullable=True),
    )
    _belonging(
        "invitation",
        sa.Column("note", sa.String(length=40), nullable=False),
        sa.Column("created_at", _MOMENT, nullable=False),
        owner="creator",
        nullable=True,
    )
    op.create_table(
        "one_time_token",
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.Column("kind", sa.String(length=10), nullable=False),
        sa.Column("account_id", sa.String(length=40), nullable=True),
        sa.Column("email", sa.String(length=254), nullable=False),
        sa.Column("browser", sa.String(length=64), nullable=False),
        sa.Column("expires_at", _MOMENT, nullable=False),
        _of_account("one_time_token", "account_id"),
        sa.PrimaryKeyConstraint("hash", name=op.f("pk_one_time_token")),
    )
    for column in ("account_id", "expires_at"):
        op.create_index(
            op.f(f"ix_one_time_token_{column}"), "one_time_token", [column], unique=False
        )
    op.create_table(
        "attempt",
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.Column("ends", _MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_attempt")),
    )
    op.create_index(op.f("ix_attempt_ends"), "attempt", ["ends"], unique=False)
    op.create_table(
        "rating",
        sa.Column("account_id", sa.String(length=40), nullable=False),
        sa.Column("title", sa.String(length=40), nullable=False),
        sa.Column("mu", sa.Double(), nullable=False),
        sa.Column("sigma", sa.Double(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("won", sa.Integer(), nullable=False),
        _of_account("rating", "account_id"),
        sa.PrimaryKeyConstraint("account_id", "title", name=op.f("pk_rating")),
    )
    op.create_table(
        "rated_game",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("table_id", sa.String(length=16), nullable=False),
        sa.Column("title", sa.String(length=40), nullable=False),
        sa.Column("places", sa.JSON(), nullable=False),
        sa.Column("ended_at", _MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_rated_game")),
        sa.UniqueConstraint("table_id", name=op.f("uq_rated_game_table_id")),
    )
    op.create_index(op.f("ix_rated_game_title"), "rated_game", ["title"], unique=False)
    op.add_column(
        "game_table", sa.Column("rated", sa.Boolean(), nullable=False, server_default=sa.false())
    )


def _of_account(table: str, column: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        [column], ["account.id"], name=op.f(f"fk_{table}_{column}"), ondelete="CASCADE"
    )


def _belonging(
    table: str, *columns: sa.Column[object], owner: str = "account_id", nullable: bool = False
) -> None:
    """Create a table of secrets that belong to an account."""
    op.create_table(
        table,
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.Column(owner, sa.String(length=40), nullable=nullable),
        *columns,
        _of_account(table, owner),
        sa.PrimaryKeyConstraint("id", name=op.f(f"pk_{table}")),
        sa.UniqueConstraint("hash", name=op.f(f"uq_{table}_hash")),
    )
    op.create_index(op.f(f"ix_{table}_{owner}"), table, [owner], unique=False)


def downgrade() -> None:
    op.drop_column("game_table", "rated")
    for table in (
        "rated_game",
        "rating",
        "attempt",
        "one_time_token",
        "invitation",
        "api_token",
        "session",
        "account",
    ):
        op.drop_table(table)
