"""Admin pages."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlencode

import msgspec

import kursbuch
from kursbuch.core.words import N_, Words
from kursbuch.web.accounts.models import Invitation
from kursbuch.web.admin import audit
from kursbuch.web.admin.accounts import AccountLine
from kursbuch.web.admin.models import AuditLine, Bulletin
from kursbuch.web.admin.tables import AdminTableLine
from kursbuch.web.labels import Fact, ago
from kursbuch.web.tables.policies import CLOSED, FINISHED, LOBBY, RUNNING


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


STATUSES = {
    "": N_("all"),
    LOBBY: N_("waiting"),
    RUNNING: N_("being played"),
    FINISHED: N_("finished"),
    CLOSED: N_("closed"),
}


def size(amount: int, words: Words) -> str:
    """A number of bytes to read.

    >>> size(900, Words()), size(12_300, Words()), size(4_560_000, Words()), size(4_560_000, Words("de"))
    ('900 B', '12 kB', '4.6 MB', '4,6 MB')
    """
    if amount < 1000:
        return f"{amount} B"
    if amount < 1_000_000:
        return f"{amount / 1000:.0f} kB"
    text = f"{amount / 1_000_000:.1f} MB"
    return text.replace(".", ",") if words.language == "de" else text


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


def table_line(words: Words, line: AdminTableLine) -> AdminTable:
    """A table in the list."""
    title = kursbuch.titles().get(line.title)
    return AdminTable(
        id=line.id,
        url=f"/t/{line.id}",
        title_name=title.name if title else line.title,
        status=words._(STATUSES[line.status]),
        open=line.status in (LOBBY, RUNNING),
        players=", ".join(line.players),
        moves=line.moves,
        size=size(line.bytes, words),
        updated=ago(words, line.updated_at),
    )


def sure_line(words: Words, line: AdminTableLine) -> str:
    """A table that is about to be deleted."""
    shown = table_line(words, line)
    return f"{shown.title_name} · {shown.players or shown.id} · {shown.status} · {shown.updated}"


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


def account_line(words: Words, line: AccountLine, me: str) -> AdminAccount:
    """An account in the list."""
    return AdminAccount(
        id=line.id,
        name=line.name,
        email=line.email or "",
        admin=line.admin,
        closed=line.closed_at is not None,
        mine=line.id == me,
        seats=line.seats,
        seen=ago(words, line.seen_at) if line.seen_at else "",
    )


class AdminBulletin(msgspec.Struct, frozen=True):
    """A message that is shown on every page."""

    number: int
    text: str
    until: str


def bulletin_lines(bulletins: Sequence[Bulletin]) -> list[AdminBulletin]:
    """The messages that are shown."""
    return [AdminBulletin(one.id, one.text, f"{one.until:%Y-%m-%d %H:%M} UTC") for one in bulletins]


class AdminInvitation(msgspec.Struct, frozen=True):
    """An invitation that nobody has used."""

    number: int
    note: str
    made: str


def invitation_lines(words: Words, found: Sequence[Invitation]) -> list[AdminInvitation]:
    """The invitations that nobody has used."""
    return [AdminInvitation(one.id, one.note, ago(words, one.created_at)) for one in found]


class AuditEntry(msgspec.Struct, frozen=True):
    """Something an administrator has done."""

    when: str
    who: str
    what: str


def log_lines(words: Words, found: Sequence[AuditLine]) -> list[AuditEntry]:
    """What was done."""
    return [
        AuditEntry(
            f"{one.done_at:%Y-%m-%d %H:%M} UTC",
            one.name if one.actor else words._("{name} at the command line", name=one.name),
            audit.sentence(one, words),
        )
        for one in found
    ]


def other_pages(path: str, offset: int, limit: int, count: int, **query: str) -> tuple[str, str]:
    """The addresses of the page before and the one after, empty where there is none."""

    def address(start: int) -> str:
        given = {name: value for name, value in query.items() if value}
        return f"{path}?{urlencode({**given, 'from': start})}"

    return (
        address(max(0, offset - limit)) if offset > 0 else "",
        address(offset + limit) if offset + limit < count else "",
    )
