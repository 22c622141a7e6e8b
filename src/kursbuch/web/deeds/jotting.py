"""Private notes: what somebody writes down at a table, for nobody else."""

from __future__ import annotations

from kursbuch.core.words import N_
from kursbuch.web.deeds.doors import concerned
from kursbuch.web.errors import Forbidden, Refused
from kursbuch.web.models import PrivateNote, now
from kursbuch.web.tables import Tables

#: The longest text of somebody at a table.
LONGEST = 20_000


async def note_of(tables: Tables, table_id: str, visitor: str) -> str:
    """What a visitor has written down at a table."""
    await _require(tables, table_id, visitor)
    async with tables.refusing(), tables.database.reading() as session:
        row = await session.get(PrivateNote, (table_id, visitor))
        return "" if row is None else row.text


async def write(tables: Tables, table_id: str, visitor: str, text: str) -> None:
    """Keep a text in the place of the one before; an empty one is forgotten."""
    text = "\n".join(line.rstrip() for line in text.replace("\0", "").splitlines()).strip()
    if len(text) > LONGEST:
        raise Refused(
            N_("The notes are too long; at most {most} characters are possible."), most=LONGEST
        )
    await _require(tables, table_id, visitor)
    async with tables.writing() as session:
        row = await session.get(PrivateNote, (table_id, visitor), with_for_update=True)
        if row is not None and text:
            row.text, row.written_at = text, now()
        elif row is not None:
            await session.delete(row)
        elif text:
            session.add(PrivateNote(table_id=table_id, owner=visitor, text=text, written_at=now()))


async def _require(tables: Tables, table_id: str, visitor: str) -> None:
    snapshot = await tables.load(table_id)
    if not concerned(snapshot.table, snapshot.seats, visitor):
        raise Forbidden(N_("Only players at this table can do that."))
