"""Search for open tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec
from sqlalchemy import func, select

import kursbuch
from kursbuch.core.words import LANGUAGES, Words
from kursbuch.web.db.models import FREE_SEAT, Seat, Table, TableInvitation, now
from kursbuch.web.home.views import TableLine, table_line
from kursbuch.web.labels import FieldChoice, ago, title_name
from kursbuch.web.tables.access_view import watching_label
from kursbuch.web.tables.clock_view import hours_label
from kursbuch.web.tables.policies import ENTRIES, ENTRY_LINK, LOBBY, RUNNING
from kursbuch.web.tables.store import LISTED_FOR, TableStore

#: So many tables are found at most.
MOST_FOUND = 100
LIVE, SLOW = "live", "slow"


class TableQuery(msgspec.Struct, frozen=True):
    """What kind of table somebody looks for; whatever is empty does not matter."""

    title: str = ""
    time: str = ""
    language: str = ""
    free: int = 1


Found = list[tuple[Table, list[Seat]]]


async def find(tables: TableStore, wanted: TableQuery) -> tuple[Found, Found]:
    """Tables with free seats that wait for players, and those whose game goes on and that want somebody for
    a seat; the newest first."""
    if (wanted.title and wanted.title not in kursbuch.titles()) or (
        wanted.language and wanted.language not in LANGUAGES
    ):
        return [], []
    free = (
        select(Seat.table_id, func.count().label("free"))
        .where(FREE_SEAT)
        .group_by(Seat.table_id)
        .subquery()
    )
    query = (
        select(Table)
        .join(free, free.c.table_id == Table.id)
        .where(
            Table.listed,
            Table.status.in_((LOBBY, RUNNING)),
            Table.updated_at > now() - LISTED_FOR,
            free.c.free >= max(1, wanted.free),
        )
        .order_by(Table.updated_at.desc())
        .limit(MOST_FOUND)
    )
    if wanted.title:
        query = query.where(Table.title == wanted.title)
    if wanted.time in (LIVE, SLOW):
        query = query.where(Table.slow.is_(wanted.time == SLOW))
    if wanted.language:
        query = query.where(Table.language == wanted.language)
    async with tables.refusing(), tables.database.reading() as session:
        found = list(await session.scalars(query))
        seats: dict[str, list[Seat]] = {table.id: [] for table in found}
        rows = select(Seat).where(Seat.table_id.in_(seats)).order_by(Seat.number)
        for seat in await session.scalars(rows):
            seats[seat.table_id].append(seat)
    lines = [(table, seats[table.id]) for table in found]
    return (
        [one for one in lines if one[0].status == LOBBY],
        [one for one in lines if one[0].status == RUNNING],
    )


SEARCH_LANGUAGES = {"de": "Deutsch", "en": "English"}

#: So many free seats can be asked for.
MOST_FREE = 4


class OpenTable(msgspec.Struct, frozen=True):
    """A table with free seats; `facts` are what one wants to know before sitting down."""

    line: TableLine
    facts: list[str]


class InvitationLine(msgspec.Struct, frozen=True):
    """An invitation the visitor has made (with its `link`) or got; `sentence` says whom it is for, or who is
    there, `uses` how often it can be used and was."""

    id: int
    title_name: str
    table_url: str
    link: str
    sentence: str
    uses: str
    made: str


class TablesPage(msgspec.Struct, frozen=True):
    """tables.html: open tables, filtered by the fields title, time, language and free of the address; the
    invitations the visitor has got and made."""

    titles: list[FieldChoice]
    times: list[FieldChoice]
    languages: list[FieldChoice]
    free: list[FieldChoice]
    filtered: bool
    waiting: list[OpenTable]
    wanted: list[OpenTable]
    got: list[InvitationLine]
    made: list[InvitationLine]


def tables_page(
    words: Words,
    visitor: str,
    base_url: str,
    wanted: TableQuery,
    found: tuple[Found, Found],
    invitations: tuple[Sequence[TableInvitation], Sequence[TableInvitation]],
    known: Mapping[str, tuple[Table, list[Seat]]],
) -> TablesPage:
    """The page of open tables. `invitations` are those the visitor has got and has made, `known` the tables they
    are to."""
    _ = words._

    def choices(values: Iterable[tuple[str, str]], chosen: str) -> list[FieldChoice]:
        every = [("", _("all")), *values]
        return [FieldChoice(value, label, value == chosen) for value, label in every]

    def lines(found: Found) -> list[OpenTable]:
        return [open_table(words, table, seats, visitor) for table, seats in found]

    got, made = (
        [
            _invitation(words, base_url, row, *known[row.table_id], made=mine)
            for row in rows
            if row.table_id in known
        ]
        for rows, mine in zip(invitations, (False, True), strict=True)
    )
    return TablesPage(
        titles=choices(
            ((title.id, title.name) for title in kursbuch.titles().values()), wanted.title
        ),
        times=choices(((LIVE, _("live")), (SLOW, _("slow"))), wanted.time),
        languages=choices(SEARCH_LANGUAGES.items(), wanted.language),
        free=[
            FieldChoice(str(n), words.ngettext("at least {n}", "at least {n}", n), n == wanted.free)
            for n in range(1, MOST_FREE + 1)
        ],
        filtered=wanted != TableQuery(),
        waiting=lines(found[0]),
        wanted=lines(found[1]),
        got=got,
        made=made,
    )


def open_table(words: Words, table: Table, seats: Sequence[Seat], visitor: str) -> OpenTable:
    """A table with free seats."""
    _ = words._
    facts = [hours_label(words, True, table.move_hours) if table.slow else _("live")]
    if table.rated:
        facts.append(_("rated"))
    if table.set_up:
        facts.append(_("begins with a position that was set up"))
    if table.language_note:
        facts.append(table.language_note)
    elif table.language:
        facts.append(SEARCH_LANGUAGES[table.language])
    if table.entry != ENTRY_LINK:
        facts.append(words._(ENTRIES[table.entry]))
    if table.watching != "all" or table.delay_moves or table.delay_minutes:
        label = watching_label(words, table.watching, table.delay_moves, table.delay_minutes)
        facts.append(words._("looking on: {label}", label=label))
    return OpenTable(table_line(words, table, seats, visitor), facts)


def _invitation(
    words: Words,
    base_url: str,
    row: TableInvitation,
    table: Table,
    seats: Sequence[Seat],
    made: bool,
) -> InvitationLine:
    names = words.join([seat.name for seat in seats if seat.name])
    if made:
        if_link = words._("for whoever has the link")
        sentence = words._("for {name}", name=row.name) if row.name else if_link
    else:
        host = next((seat.name for seat in seats if seat.owner == row.owner), "")
        sentence = words._("{name} invites you", name=host) if host else ""
    uses = words.ngettext("used {n} time", "used {n} times", row.used)
    left = words.ngettext("{n} more possible", "{n} more possible", row.uses_left)
    return InvitationLine(
        id=row.id,
        title_name=title_name(table.title),
        table_url=f"/t/{table.id}",
        link=base_url + row.path,
        sentence="; ".join(filter(None, (names, sentence))),
        uses=f"{uses}, {left}",
        made=ago(words, row.made_at),
    )
