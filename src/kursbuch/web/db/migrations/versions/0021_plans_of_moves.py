"""The premove that led to a move"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for name in ("move", "taken_back"):
        op.add_column(name, sa.Column("plan", sa.JSON(), nullable=True))


def downgrade() -> None:
    for name in ("taken_back", "move"):
        op.drop_column(name, "plan")
