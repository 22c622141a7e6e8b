"""Notification preferences, and received mails"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "notice",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("key", sa.String(length=160), nullable=False),
        sa.Column("owner", sa.String(length=40), nullable=False),
        sa.Column("channel", sa.String(length=10), nullable=False),
        sa.Column("kind", sa.String(length=10), nullable=False),
        sa.Column("table_id", sa.String(length=16), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("digest", sa.Boolean(), nullable=False),
        sa.Column("data", sa.JSON(), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["table_id"], ["game_table.id"], name=op.f("fk_notice_table_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_notice")),
        sa.UniqueConstraint("key", name=op.f("uq_notice_key")),
    )
    for column in ("owner", "table_id", "due_at"):
        op.create_index(op.f(f"ix_notice_{column}"), "notice", [column], unique=False)
    op.create_table(
        "wish",
        sa.Column("owner", sa.String(length=40), nullable=False),
        sa.Column("table_id", sa.String(length=16), nullable=False),
        sa.Column("channel", sa.String(length=10), nullable=False),
        sa.Column("pace", sa.String(length=5), nullable=False),
        sa.PrimaryKeyConstraint("owner", "table_id", "channel", name=op.f("pk_wish")),
    )
    op.create_table(
        "reader",
        sa.Column("owner", sa.String(length=40), nullable=False),
        sa.Column("language", sa.String(length=2), nullable=False),
        sa.Column("zone", sa.String(length=40), nullable=False),
        sa.PrimaryKeyConstraint("owner", name=op.f("pk_reader")),
    )
    op.create_table(
        "push_device",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("owner", sa.String(length=40), nullable=False),
        sa.Column("endpoint", sa.Text(), nullable=False),
        sa.Column("key", sa.String(length=120), nullable=False),
        sa.Column("auth", sa.String(length=60), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_push_device")),
    )
    op.create_index(op.f("ix_push_device_owner"), "push_device", ["owner"], unique=False)
    op.create_table(
        "hook",
        sa.Column("owner", sa.String(length=40), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("form", sa.String(length=10), nullable=False),
        sa.Column("secret", sa.String(length=60), nullable=False),
        sa.Column("error", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("owner", name=op.f("pk_hook")),
    )
    op.create_table(
        "incoming",
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.Column("received_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("read_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_incoming")),
    )
    for column in ("received_at", "read_at"):
        op.create_index(op.f(f"ix_incoming_{column}"), "incoming", [column], unique=False)


def downgrade() -> None:
    for table in ("incoming", "hook", "push_device", "reader", "wish", "notice"):
        op.drop_table(table)
