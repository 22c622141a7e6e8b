"""Guided first games"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # Not in a batch: SQLite would recreate the table, and drop its dependents with the old one.
    op.add_column(
        "game_table",
        sa.Column("guided", sa.Boolean(), server_default=sa.false(), nullable=False),
    )


def downgrade() -> None:
    op.drop_column("game_table", "guided")
