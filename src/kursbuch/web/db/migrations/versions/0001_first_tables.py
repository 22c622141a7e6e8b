"""First tables"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "data_file",
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("hash", name=op.f("pk_data_file")),
    )
    op.create_table(
        "setting",
        sa.Column("key", sa.String(length=40), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_setting")),
    )
    op.create_table(
        "game_table",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("title", sa.String(length=40), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("data_hash", sa.String(length=64), nullable=True),
        sa.Column("seed", sa.String(length=64), nullable=False),
        sa.Column("seed_hash", sa.String(length=64), nullable=False),
        sa.Column("status", sa.String(length=10), nullable=False),
        sa.Column("language", sa.String(length=2), nullable=False),
        sa.Column("undo", sa.String(length=10), nullable=False),
        sa.Column("help", sa.Boolean(), nullable=False),
        sa.Column("objection_seconds", sa.Integer(), nullable=True),
        sa.Column("listed", sa.Boolean(), nullable=False),
        sa.Column("pace", sa.Double(), nullable=False),
        sa.Column("creator", sa.String(length=40), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("turn", sa.JSON(), nullable=False),
        sa.Column("bots_due", sa.Boolean(), nullable=False),
        sa.Column("deadline", sa.DateTime(timezone=True), nullable=True),
        sa.Column("result", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["data_hash"], ["data_file.hash"], name=op.f("fk_game_table_data_hash")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_game_table")),
    )
    with op.batch_alter_table("game_table", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_game_table_bots_due"), ["bots_due"], unique=False)
        batch_op.create_index(batch_op.f("ix_game_table_creator"), ["creator"], unique=False)
        batch_op.create_index(batch_op.f("ix_game_table_deadline"), ["deadline"], unique=False)
        batch_op.create_index(batch_op.f("ix_game_table_status"), ["status"], unique=False)
        batch_op.create_index(batch_op.f("ix_game_table_updated_at"), ["updated_at"], unique=False)

    op.create_table(
        "chat",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("table_id", sa.String(length=16), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("sent_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["table_id"], ["game_table.id"], name=op.f("fk_chat_table_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_chat")),
    )
    with op.batch_alter_table("chat", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_chat_table_id"), ["table_id"], unique=False)

    op.create_table(
        "move",
        sa.Column("table_id", sa.String(length=16), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("action", sa.JSON(), nullable=False),
        sa.Column("draws", sa.JSON(), nullable=False),
        sa.Column("automatic", sa.Boolean(), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["table_id"], ["game_table.id"], name=op.f("fk_move_table_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("table_id", "number", name=op.f("pk_move")),
    )
    op.create_table(
        "seat",
        sa.Column("table_id", sa.String(length=16), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("kind", sa.String(length=10), nullable=False),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("bot", sa.String(length=40), nullable=False),
        sa.Column("owner", sa.String(length=40), nullable=True),
        sa.Column("token", sa.String(length=40), nullable=True),
        sa.Column("seen_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["table_id"], ["game_table.id"], name=op.f("fk_seat_table_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("table_id", "number", name=op.f("pk_seat")),
    )
    with op.batch_alter_table("seat", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_seat_owner"), ["owner"], unique=False)

    op.create_table(
        "standing_refusal",
        sa.Column("table_id", sa.String(length=16), nullable=False),
        sa.Column("seat", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("subject", sa.String(length=80), nullable=False),
        sa.ForeignKeyConstraint(
            ["table_id"],
            ["game_table.id"],
            name=op.f("fk_standing_refusal_table_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("table_id", "seat", "subject", name=op.f("pk_standing_refusal")),
    )
    op.create_table(
        "undo_request",
        sa.Column("table_id", sa.String(length=16), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("target", sa.Integer(), nullable=False),
        sa.Column("agreed", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(
            ["table_id"],
            ["game_table.id"],
            name=op.f("fk_undo_request_table_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("table_id", name=op.f("pk_undo_request")),
    )


def downgrade() -> None:
    op.drop_table("undo_request")
    op.drop_table("standing_refusal")
    with op.batch_alter_table("seat", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_seat_owner"))

    op.drop_table("seat")
    op.drop_table("move")
    with op.batch_alter_table("chat", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_chat_table_id"))

    op.drop_table("chat")
    with op.batch_alter_table("game_table", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_game_table_updated_at"))
        batch_op.drop_index(batch_op.f("ix_game_table_status"))
        batch_op.drop_index(batch_op.f("ix_game_table_deadline"))
        batch_op.drop_index(batch_op.f("ix_game_table_creator"))
        batch_op.drop_index(batch_op.f("ix_game_table_bots_due"))

    op.drop_table("game_table")
    op.drop_table("setting")
    op.drop_table("data_file")
