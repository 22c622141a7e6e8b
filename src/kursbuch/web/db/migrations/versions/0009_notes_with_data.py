"""Data of table events"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    data = sa.Column("data", sa.JSON(), nullable=False, server_default=sa.text("'{}'"))
    op.add_column("note", data)


def downgrade() -> None:
    op.drop_column("note", "data")
