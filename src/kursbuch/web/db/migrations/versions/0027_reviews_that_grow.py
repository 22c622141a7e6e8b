"""Reviews that grow while they run, with a budget instead of passes"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0026"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "review", sa.Column("running", sa.Boolean(), nullable=False, server_default=sa.false())
    )
    # Reviews of earlier versions have another form.
    op.execute("DELETE FROM review")
    for name in ("seconds_left", "stage"):
        op.drop_column("review", name)


def downgrade() -> None:
    op.execute("DELETE FROM review")
    op.add_column("review", sa.Column("stage", sa.Integer(), nullable=False, server_default="1"))
    op.add_column("review", sa.Column("seconds_left", sa.Integer(), nullable=True))
    op.drop_column("review", "running")
