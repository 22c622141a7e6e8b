"""Start, pass and remaining time of a review"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("review", sa.Column("begun_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("review", sa.Column("stage", sa.Integer(), nullable=False, server_default="1"))
    op.add_column("review", sa.Column("seconds_left", sa.Integer(), nullable=True))


def downgrade() -> None:
    for name in ("seconds_left", "stage", "begun_at"):
        op.drop_column("review", name)
