"""Table access, spectators and invitations"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def table_columns() -> list[sa.Column[Any]]:
    return [
        sa.Column("watching", sa.String(length=10), nullable=False, server_default="all"),
        sa.Column("delay_moves", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("delay_minutes", sa.Integer(), nullable=False, server_default="0"),
    ]


def of_table(name: str) -> list[Any]:
    return [
        sa.ForeignKeyConstraint(
            ["table_id"], ["game_table.id"], name=op.f(f"fk_{name}_table_id"), ondelete="CASCADE"
        )
    ]


def upgrade() -> None:
    for column in table_columns():
        op.add_column("game_table", column)
    op.create_table(
        "table_invitation",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("table_id", sa.String(length=16), nullable=False),
        sa.Column("owner", sa.String(length=40), nullable=False),
        sa.Column("token", sa.String(length=40), nullable=False),
        sa.Column("account", sa.String(length=40), nullable=True),
        sa.Column("name", sa.String(length=254), nullable=False),
        sa.Column("uses_left", sa.Integer(), nullable=False),
        sa.Column("used", sa.Integer(), nullable=False),
        sa.Column("revoked", sa.Boolean(), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        *of_table("table_invitation"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_table_invitation")),
        sa.UniqueConstraint("token", name=op.f("uq_table_invitation_token")),
    )
    for name in ("table_id", "owner", "account"):
        op.create_index(op.f(f"ix_table_invitation_{name}"), "table_invitation", [name])
    op.create_table(
        "table_guest",
        sa.Column("table_id", sa.String(length=16), nullable=False),
        sa.Column("owner", sa.String(length=40), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        *of_table("table_guest"),
        sa.PrimaryKeyConstraint("table_id", "owner", name=op.f("pk_table_guest")),
    )


def downgrade() -> None:
    for name in ("table_guest", "table_invitation"):
        op.drop_table(name)
    for column in reversed(table_columns()):
        op.drop_column("game_table", column.name)
