"""Idempotency keys and results"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "answered",
        sa.Column("visitor", sa.String(length=40), nullable=False),
        sa.Column("key", sa.String(length=80), nullable=False),
        sa.Column("about", sa.String(length=64), nullable=False),
        sa.Column("answer", sa.JSON(), nullable=True),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("visitor", "key", name=op.f("pk_answered")),
    )
    op.create_index(op.f("ix_answered_made_at"), "answered", ["made_at"], unique=False)


def downgrade() -> None:
    op.drop_index(op.f("ix_answered_made_at"), "answered")
    op.drop_table("answered")
