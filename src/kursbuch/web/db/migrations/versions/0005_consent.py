"""One table for all votes: to undo, or to end the game"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "consent",
        sa.Column("table_id", sa.String(length=16), nullable=False),
        sa.Column("kind", sa.String(length=10), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("target", sa.Integer(), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("agreed", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(
            ["table_id"], ["game_table.id"], name=op.f("fk_consent_table_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("table_id", "kind", name=op.f("pk_consent")),
    )
    # Open votes can still be answered, whatever version of the table was seen.
    for kind, target in (("undo", "target"), ("end", "NULL")):
        op.execute(
            "INSERT INTO consent (table_id, kind, seat, target, version, agreed) "
            f"SELECT table_id, '{kind}', seat, {target}, 0, agreed FROM {kind}_request"
        )
        op.drop_table(f"{kind}_request")


def downgrade() -> None:
    for kind, columns in (("undo", ["target"]), ("end", [])):
        op.create_table(
            f"{kind}_request",
            sa.Column("table_id", sa.String(length=16), nullable=False),
            sa.Column("seat", sa.Integer(), nullable=False),
            *(sa.Column(name, sa.Integer(), nullable=False) for name in columns),
            sa.Column("agreed", sa.JSON(), nullable=False),
            sa.ForeignKeyConstraint(
                ["table_id"],
                ["game_table.id"],
                name=op.f(f"fk_{kind}_request_table_id"),
                ondelete="CASCADE",
            ),
            sa.PrimaryKeyConstraint("table_id", name=op.f(f"pk_{kind}_request")),
        )
        names = ", ".join(["table_id", "seat", *columns, "agreed"])
        op.execute(
            f"INSERT INTO {kind}_request ({names}) "
            f"SELECT {names} FROM consent WHERE kind = '{kind}'"
        )
    op.drop_table("consent")
