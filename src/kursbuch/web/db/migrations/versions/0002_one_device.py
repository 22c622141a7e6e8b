"""The player who faces a shared device; votes to end a game"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "seat", sa.Column("facing", sa.Boolean(), server_default=sa.false(), nullable=False)
    )
    op.create_table(
        "end_request",
        sa.Column("table_id", sa.String(length=16), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("agreed", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(
            ["table_id"],
            ["game_table.id"],
            name=op.f("fk_end_request_table_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("table_id", name=op.f("pk_end_request")),
    )


def downgrade() -> None:
    op.drop_table("end_request")
    with op.batch_alter_table("seat", schema=None) as batch_op:
        batch_op.drop_column("facing")
