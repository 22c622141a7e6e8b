"""Private notes."""

from __future__ import annotations

from kursbuch.core.words import N_, Words
from kursbuch.web.db.models import PrivateNote, now
from kursbuch.web.http.errors import Forbidden, Refused
from kursbuch.web.tables.access import is_involved
from kursbuch.web.tables.store import TableStore

#: The longest text of somebody at a table.
LONGEST = 20_000

#: What stands above a text that somebody has not seen while writing another one.
ELSEWHERE = N_("— Written meanwhile on another device: —")


async def note_of(tables: TableStore, table_id: str, visitor: str) -> str:
    """What a visitor has written down at a table; he may read it although he plays there no more."""
    async with tables.refusing(), tables.database.reading() as session:
        row = await session.get(PrivateNote, (table_id, visitor))
    if row is None:
        await _require(tables, table_id, visitor)
        return ""
    return row.text


async def write(
    tables: TableStore,
    table_id: str,
    visitor: str,
    text: str,
    words: Words,
    seen: str | None = None,
) -> None:
    """Keep a text in the place of the one before; an empty one is forgotten. `seen` is the text the writer had read:
    what was written elsewhere since then is kept, too, below a line that says so."""
    text = _tidied(text)
    await _require(tables, table_id, visitor)
    async with tables.writing() as session:
        row = await session.get(PrivateNote, (table_id, visitor), with_for_update=True)
        before = "" if row is None else row.text
        elsewhere = "" if seen is None else _added(_tidied(seen), before)
        # What was put together on logging in may be longer.
        most = max(LONGEST, len(before))
        if len(text) > most:
            raise Refused(
                N_("The notes are too long; at most {most} characters are possible."), most=most
            )
        # Whose answer was lost sends on what is there already.
        if elsewhere and f"\n{elsewhere}\n" not in f"\n{text}\n":
            text = f"{text}\n\n{words._(ELSEWHERE)}\n{elsewhere}".strip()
            if len(text) > most:
                raise Refused(
                    N_(
                        "On another device something was written here meanwhile, and the notes are too long with it; "
                        "at most {most} characters are possible."
                    ),
                    most=most,
                )
        if row is not None and text:
            row.text, row.written_at = text, now()
        elif row is not None:
            await session.delete(row)
        elif text:
            session.add(PrivateNote(table_id=table_id, owner=visitor, text=text, written_at=now()))


def _tidied(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.replace("\0", "").splitlines()).strip()


def _added(seen: str, now: str) -> str:
    """What stands in a text now and did not before, as whole lines: from the first that is new to the last.

    >>> _added("Leeds\\nYork", "Leeds\\nHull\\nYork\\nBath")
    'Hull\\nYork\\nBath'
    >>> _added("Leeds\\nYork", "York")
    ''
    """
    old, new = seen.splitlines(), now.splitlines()
    for _ in range(2):
        while old and new and old[-1] == new[-1]:
            old.pop()
            new.pop()
        old, new = old[::-1], new[::-1]
    return "\n".join(new).strip()


async def may_write(tables: TableStore, table_id: str, visitor: str) -> bool:
    """Whether a visitor can write something down at a table."""
    snapshot = await tables.load(table_id)
    return is_involved(snapshot.table, snapshot.seats, visitor)


async def _require(tables: TableStore, table_id: str, visitor: str) -> None:
    if not await may_write(tables, table_id, visitor):
        raise Forbidden(N_("Only players at this table can do that."))
