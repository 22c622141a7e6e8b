"""The edition of the rules of each game and move"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

TABLES = ("game_table", "move")


def upgrade() -> None:
    # Everything stored before is of the first edition.
    for table in TABLES:
        op.add_column(
            table, sa.Column("edition", sa.Integer(), server_default=sa.text("1"), nullable=False)
        )


def downgrade() -> None:
    for table in TABLES:
        with op.batch_alter_table(table, schema=None) as batch_op:
            batch_op.drop_column("edition")
