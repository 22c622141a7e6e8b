"""Slow games: time to move, absences, replaced players, premoves"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def table_columns() -> list[sa.Column[Any]]:
    return [
        sa.Column("slow", sa.Boolean(), nullable=False, server_default=sa.false()),
        sa.Column("move_hours", sa.Integer(), nullable=True),
        sa.Column("overrun", sa.String(length=10), nullable=False, server_default="remind"),
        sa.Column("vacation", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("language_note", sa.String(length=80), nullable=False, server_default=""),
        sa.Column("entry", sa.String(length=10), nullable=False, server_default="link"),
        sa.Column("password", sa.String(length=200), nullable=True),
    ]


def seat_columns() -> list[sa.Column[Any]]:
    return [
        sa.Column("asked_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("late", sa.Boolean(), nullable=False, server_default=sa.false()),
        sa.Column("away_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("vacation", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("former", sa.String(length=40), nullable=True),
    ]


def upgrade() -> None:
    for column in table_columns():
        op.add_column("game_table", column)
    for column in seat_columns():
        op.add_column("seat", column)
    op.create_index(op.f("ix_seat_due_at"), "seat", ["due_at"], unique=False)
    op.create_index(op.f("ix_seat_former"), "seat", ["former"], unique=False)
    _begin_waiting()
    op.add_column("consent", sa.Column("wish", sa.String(length=80), nullable=True))
    op.create_table(
        "intention",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("table_id", sa.String(length=16), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("plan", sa.JSON(), nullable=False),
        sa.Column("dropped", sa.String(length=10), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["table_id"],
            ["game_table.id"],
            name=op.f("fk_intention_table_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_intention")),
    )
    op.create_index(op.f("ix_intention_table_id"), "intention", ["table_id"], unique=False)


def _begin_waiting() -> None:
    """Let waiting tables have waited since their last event."""
    table = sa.table(
        "game_table",
        sa.column("id", sa.String),
        sa.column("status", sa.String),
        sa.column("turn", sa.JSON),
        sa.column("updated_at", sa.DateTime(timezone=True)),
    )
    seat = sa.table(
        "seat",
        sa.column("table_id", sa.String),
        sa.column("number", sa.Integer),
        sa.column("asked_at", sa.DateTime(timezone=True)),
    )
    connection = op.get_bind()
    running = sa.select(table.c.id, table.c.turn, table.c.updated_at)
    for row in connection.execute(running.where(table.c.status == "running")).all():
        asked = (seat.c.table_id == row.id) & seat.c.number.in_(row.turn or [])
        connection.execute(seat.update().where(asked).values(asked_at=row.updated_at))


def downgrade() -> None:
    op.drop_index(op.f("ix_intention_table_id"), "intention")
    op.drop_table("intention")
    op.drop_column("consent", "wish")
    op.drop_index(op.f("ix_seat_former"), "seat")
    op.drop_index(op.f("ix_seat_due_at"), "seat")
    for column in reversed(seat_columns()):
        op.drop_column("seat", column.name)
    for column in reversed(table_columns()):
        op.drop_column("game_table", column.name)
