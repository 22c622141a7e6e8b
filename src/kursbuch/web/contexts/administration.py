"""What the pages of administrators show."""

from __future__ import annotations

import msgspec

from kursbuch.web.contexts.common import Fact


class AdminTable(msgspec.Struct, frozen=True):
    """A table in the list; `open` says that it can be closed."""

    id: str
    url: str
    title_name: str
    status: str
    open: bool
    players: str
    moves: int
    size: str
    updated: str


class AdminAccount(msgspec.Struct, frozen=True):
    """An account in the list. `mine` is that of whoever looks, to which little can be done."""

    id: str
    name: str
    email: str
    admin: bool
    closed: bool
    mine: bool
    seats: int
    seen: str


class AdminBulletin(msgspec.Struct, frozen=True):
    """A message that is shown on every page."""

    number: int
    text: str
    until: str


class AdminInvitation(msgspec.Struct, frozen=True):
    """An invitation that nobody has used."""

    number: int
    note: str
    made: str


class AuditEntry(msgspec.Struct, frozen=True):
    """Something an administrator has done."""

    when: str
    who: str
    what: str


class AdminPage(msgspec.Struct, frozen=True, kw_only=True):
    """admin.html. `place` is the part that is shown: now, tables, accounts or log. Where a list has several pages,
    `earlier` and `later` are the addresses of the others. `link` is one that was just made, with what it is for
    (`link_for`); `notice` is a sentence or empty."""

    place: str
    notice: str = ""
    link: str = ""
    link_for: str = ""
    facts: list[Fact] = []
    bulletins: list[AdminBulletin] = []
    tables: list[AdminTable] = []
    accounts: list[AdminAccount] = []
    invitations: list[AdminInvitation] = []
    log: list[AuditEntry] = []
    count: str = ""
    query: str = ""
    status: str = ""
    statuses: list[tuple[str, str]] = []
    by_size: bool = False
    earlier: str = ""
    later: str = ""


class SurePage(msgspec.Struct, frozen=True):
    """sure.html: a question before something that cannot be undone; `fields` are sent along with the answer, `lines`
    are what is concerned."""

    question: str
    lines: list[str]
    button: str
    action: str
    fields: list[tuple[str, str]]
    back: str
