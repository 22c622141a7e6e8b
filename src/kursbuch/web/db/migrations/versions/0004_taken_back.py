"""The version of a table at which moves were last taken back"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # Open pages reload the table before they send anything, so earlier undos need not be known.
    op.add_column(
        "game_table", sa.Column("rewound", sa.Integer(), server_default="0", nullable=False)
    )


def downgrade() -> None:
    with op.batch_alter_table("game_table", schema=None) as batch_op:
        batch_op.drop_column("rewound")
