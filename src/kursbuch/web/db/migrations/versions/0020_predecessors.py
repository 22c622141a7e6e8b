"""Former owners of seats, names of chat authors, results of webhooks"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "predecessor",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("table_id", sa.String(length=16), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("account", sa.String(length=40), nullable=True),
        sa.ForeignKeyConstraint(
            ["table_id"],
            ["game_table.id"],
            name=op.f("fk_predecessor_table_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_predecessor")),
    )
    for name in ("table_id", "account"):
        op.create_index(op.f(f"ix_predecessor_{name}"), "predecessor", [name])
    op.add_column("chat", sa.Column("name", sa.String(length=80), nullable=True))
    op.add_column("notice", sa.Column("made_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("hook", sa.Column("tried_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("hook", sa.Column("failure", sa.Text(), nullable=False, server_default=""))


def downgrade() -> None:
    for name in ("failure", "tried_at"):
        op.drop_column("hook", name)
    op.drop_column("notice", "made_at")
    op.drop_column("chat", "name")
    op.drop_table("predecessor")
