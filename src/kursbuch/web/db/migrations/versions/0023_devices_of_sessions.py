"""The session in which a browser subscribed to notifications"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("push_device", schema=None) as batch_op:
        batch_op.add_column(sa.Column("session_id", sa.Integer(), nullable=True))
        batch_op.create_index(batch_op.f("ix_push_device_session_id"), ["session_id"])
        batch_op.create_foreign_key(
            batch_op.f("fk_push_device_session_id"),
            "session",
            ["session_id"],
            ["id"],
            ondelete="CASCADE",
        )
    # An account with one session is notified there.
    op.execute(
        "UPDATE push_device SET session_id = (SELECT CASE COUNT(*) WHEN 1 THEN MIN(id) END "
        "FROM session WHERE session.account_id = push_device.owner)"
    )


def downgrade() -> None:
    with op.batch_alter_table("push_device", schema=None) as batch_op:
        batch_op.drop_constraint(batch_op.f("fk_push_device_session_id"), type_="foreignkey")
        batch_op.drop_index(batch_op.f("ix_push_device_session_id"))
        batch_op.drop_column("session_id")
