"""The page of open tables."""

from __future__ import annotations

import msgspec

from kursbuch.web.contexts.common import FieldChoice
from kursbuch.web.contexts.start import TableLine


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
