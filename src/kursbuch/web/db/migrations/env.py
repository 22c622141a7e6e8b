"""Runs the migrations on the connection given by `kursbuch.web.db.database`."""

from __future__ import annotations

from alembic import context

from kursbuch.web.db.models import Base

connection = context.config.attributes["connection"]
context.configure(
    connection=connection,
    target_metadata=Base.metadata,
    transactional_ddl=True,
    render_as_batch=True,
)
with context.begin_transaction():
    context.run_migrations()
