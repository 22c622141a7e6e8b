"""Skeletons of account names"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from kursbuch.web.accounts.names import skeleton

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "account",
        sa.Column("skeleton", sa.String(length=120), nullable=False, server_default=""),
    )
    account = sa.table(
        "account",
        sa.column("id", sa.String),
        sa.column("name", sa.String),
        sa.column("skeleton", sa.String),
    )
    connection = op.get_bind()
    for row in connection.execute(sa.select(account.c.id, account.c.name)).all():
        here = account.c.id == row.id
        connection.execute(sa.update(account).where(here).values(skeleton=skeleton(row.name)))
    op.create_index(op.f("ix_account_skeleton"), "account", ["skeleton"])


def downgrade() -> None:
    op.drop_index(op.f("ix_account_skeleton"), table_name="account")
    op.drop_column("account", "skeleton")
