"""The page of open tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import kursbuch
from kursbuch.core.words import Words
from kursbuch.web import contexts
from kursbuch.web.finding import LIVE, SLOW, Found, Wanted
from kursbuch.web.models import Seat, Table, TableInvitation
from kursbuch.web.policies import ENTRIES, ENTRY_LINK
from kursbuch.web.present.doors import watching_label
from kursbuch.web.present.labels import ago, title_name
from kursbuch.web.present.start import table_line
from kursbuch.web.present.times import hours_label

LANGUAGES = {"de": "Deutsch", "en": "English"}

#: So many free seats can be asked for.
MOST_FREE = 4


def tables_page(
    words: Words,
    visitor: str,
    base_url: str,
    wanted: Wanted,
    found: tuple[Found, Found],
    invitations: tuple[Sequence[TableInvitation], Sequence[TableInvitation]],
    known: Mapping[str, tuple[Table, list[Seat]]],
) -> contexts.TablesPage:
    """The page of open tables. `invitations` are those the visitor has got and has made, `known` the tables they
    are to."""
    _ = words._

    def choices(values: Iterable[tuple[str, str]], chosen: str) -> list[contexts.FieldChoice]:
        every = [("", _("all")), *values]
        return [contexts.FieldChoice(value, label, value == chosen) for value, label in every]

    def lines(found: Found) -> list[contexts.OpenTable]:
        return [open_table(words, table, seats, visitor) for table, seats in found]

    got, made = (
        [
            _invitation(words, base_url, row, *known[row.table_id], made=mine)
            for row in rows
            if row.table_id in known
        ]
        for rows, mine in zip(invitations, (False, True), strict=True)
    )
    return contexts.TablesPage(
        titles=choices(
            ((title.id, title.name) for title in kursbuch.titles().values()), wanted.title
        ),
        times=choices(((LIVE, _("live")), (SLOW, _("slow"))), wanted.time),
        languages=choices(LANGUAGES.items(), wanted.language),
        free=[
            contexts.FieldChoice(
                str(n), words.ngettext("at least {n}", "at least {n}", n), n == wanted.free
            )
            for n in range(1, MOST_FREE + 1)
        ],
        filtered=wanted != Wanted(),
        waiting=lines(found[0]),
        wanted=lines(found[1]),
        got=got,
        made=made,
    )


def open_table(
    words: Words, table: Table, seats: Sequence[Seat], visitor: str
) -> contexts.OpenTable:
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
        facts.append(LANGUAGES[table.language])
    if table.entry != ENTRY_LINK:
        facts.append(words._(ENTRIES[table.entry]))
    if table.watching != "all" or table.delay_moves or table.delay_minutes:
        label = watching_label(words, table.watching, table.delay_moves, table.delay_minutes)
        facts.append(words._("looking on: {label}", label=label))
    return contexts.OpenTable(table_line(words, table, seats, visitor), facts)


def _invitation(
    words: Words,
    base_url: str,
    row: TableInvitation,
    table: Table,
    seats: Sequence[Seat],
    made: bool,
) -> contexts.InvitationLine:
    names = words.join([seat.name for seat in seats if seat.name])
    if made:
        if_link = words._("for whoever has the link")
        sentence = words._("for {name}", name=row.name) if row.name else if_link
    else:
        host = next((seat.name for seat in seats if seat.owner == row.owner), "")
        sentence = words._("{name} invites you", name=host) if host else ""
    uses = words.ngettext("used {n} time", "used {n} times", row.used)
    left = words.ngettext("{n} more possible", "{n} more possible", row.uses_left)
    return contexts.InvitationLine(
        id=row.id,
        title_name=title_name(table.title),
        table_url=f"/t/{table.id}",
        link=base_url + row.path,
        sentence="; ".join(filter(None, (names, sentence))),
        uses=f"{uses}, {left}",
        made=ago(words, row.made_at),
    )
