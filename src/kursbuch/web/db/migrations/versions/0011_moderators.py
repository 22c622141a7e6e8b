"""Moderators of a table, and starting positions"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "game_table",
        sa.Column("moderation", sa.String(length=10), nullable=False, server_default="none"),
    )
    op.add_column(
        "game_table", sa.Column("moderators", sa.JSON(), nullable=False, server_default="[]")
    )
    op.add_column("game_table", sa.Column("set_up", sa.JSON(), nullable=True))


def downgrade() -> None:
    op.drop_column("game_table", "set_up")
    op.drop_column("game_table", "moderators")
    op.drop_column("game_table", "moderation")
