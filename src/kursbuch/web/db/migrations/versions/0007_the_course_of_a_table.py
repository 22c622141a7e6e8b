"""Redo, table events and copies of tables"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("game_table", sa.Column("copied", sa.Integer(), nullable=True))
    op.add_column("game_table", sa.Column("again", sa.String(length=16), nullable=True))
    op.create_table(
        "taken_back",
        sa.Column("table_id", sa.String(length=16), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("action", sa.JSON(), nullable=False),
        sa.Column("draws", sa.JSON(), nullable=False),
        sa.Column("automatic", sa.Boolean(), nullable=False),
        sa.Column("edition", sa.Integer(), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("shown", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["table_id"],
            ["game_table.id"],
            name=op.f("fk_taken_back_table_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("table_id", "number", name=op.f("pk_taken_back")),
    )
    op.create_table(
        "origin",
        sa.Column("table_id", sa.String(length=16), nullable=False),
        sa.Column("source_id", sa.String(length=16), nullable=True),
        sa.Column("parts", sa.JSON(), nullable=False),
        sa.Column("draws", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(
            ["source_id"],
            ["game_table.id"],
            name=op.f("fk_origin_source_id"),
            ondelete="SET NULL",
        ),
        sa.ForeignKeyConstraint(
            ["table_id"], ["game_table.id"], name=op.f("fk_origin_table_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("table_id", name=op.f("pk_origin")),
    )
    op.create_table(
        "note",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("table_id", sa.String(length=16), nullable=False),
        sa.Column("kind", sa.String(length=10), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("counts", sa.JSON(), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["table_id"], ["game_table.id"], name=op.f("fk_note_table_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_note")),
    )
    op.create_index(op.f("ix_note_table_id"), "note", ["table_id"], unique=False)


def downgrade() -> None:
    op.drop_index(op.f("ix_note_table_id"), "note")
    op.drop_table("note")
    op.drop_table("origin")
    op.drop_table("taken_back")
    op.drop_column("game_table", "again")
    op.drop_column("game_table", "copied")
