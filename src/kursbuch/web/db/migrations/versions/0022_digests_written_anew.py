"""The content of a digest, for rewriting it"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("letter", sa.Column("told", sa.JSON(), nullable=False, server_default="[]"))


def downgrade() -> None:
    op.drop_column("letter", "told")
