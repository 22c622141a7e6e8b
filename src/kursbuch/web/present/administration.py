"""What the pages of administrators say."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlencode

import kursbuch
from kursbuch.core.words import N_, Words
from kursbuch.web import contexts
from kursbuch.web.administration import audit
from kursbuch.web.administration.accounts import AccountLine
from kursbuch.web.administration.rows import AuditLine, Bulletin
from kursbuch.web.administration.tables import Line
from kursbuch.web.people.rows import Invitation
from kursbuch.web.policies import CLOSED, FINISHED, LOBBY, RUNNING
from kursbuch.web.present.labels import ago

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


def table_line(words: Words, line: Line) -> contexts.AdminTable:
    """A table in the list."""
    title = kursbuch.titles().get(line.title)
    return contexts.AdminTable(
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


def sure_line(words: Words, line: Line) -> str:
    """A table that is about to be deleted."""
    shown = table_line(words, line)
    return f"{shown.title_name} · {shown.players or shown.id} · {shown.status} · {shown.updated}"


def account_line(words: Words, line: AccountLine, me: str) -> contexts.AdminAccount:
    """An account in the list."""
    return contexts.AdminAccount(
        id=line.id,
        name=line.name,
        email=line.email or "",
        admin=line.admin,
        closed=line.closed_at is not None,
        mine=line.id == me,
        seats=line.seats,
        seen=ago(words, line.seen_at) if line.seen_at else "",
    )


def bulletin_lines(bulletins: Sequence[Bulletin]) -> list[contexts.AdminBulletin]:
    """The messages that are shown."""
    return [
        contexts.AdminBulletin(one.id, one.text, f"{one.until:%Y-%m-%d %H:%M} UTC")
        for one in bulletins
    ]


def invitation_lines(words: Words, found: Sequence[Invitation]) -> list[contexts.AdminInvitation]:
    """The invitations that nobody has used."""
    return [contexts.AdminInvitation(one.id, one.note, ago(words, one.created_at)) for one in found]


def log_lines(words: Words, found: Sequence[AuditLine]) -> list[contexts.AuditEntry]:
    """What was done."""
    return [
        contexts.AuditEntry(
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
