"""Private notes, read messages, quiet hours"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def of_person(name: str, *columns: sa.Column[object]) -> None:
    op.create_table(
        name,
        sa.Column("table_id", sa.String(length=16), nullable=False),
        sa.Column("owner", sa.String(length=40), nullable=False),
        *columns,
        sa.ForeignKeyConstraint(
            ["table_id"], ["game_table.id"], name=op.f(f"fk_{name}_table_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("table_id", "owner", name=op.f(f"pk_{name}")),
    )


def upgrade() -> None:
    of_person(
        "private_note",
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("written_at", sa.DateTime(timezone=True), nullable=False),
    )
    of_person("chat_read", sa.Column("last", sa.Integer(), nullable=False))
    op.add_column("reader", sa.Column("quiet_from", sa.Integer(), nullable=True))
    op.add_column("reader", sa.Column("quiet_to", sa.Integer(), nullable=True))
    op.add_column(
        "reader", sa.Column("mentions", sa.Boolean(), nullable=False, server_default=sa.true())
    )


def downgrade() -> None:
    for name in ("mentions", "quiet_to", "quiet_from"):
        op.drop_column("reader", name)
    for name in ("chat_read", "private_note"):
        op.drop_table(name)
