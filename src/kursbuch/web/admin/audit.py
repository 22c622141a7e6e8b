"""The audit log."""

from __future__ import annotations

import getpass
from collections.abc import Mapping
from typing import Any

import msgspec
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from kursbuch.core.errors import Plural
from kursbuch.core.words import N_, Words
from kursbuch.web.admin.models import AuditLine

#: Sentences of the audit log, by action; plural ones have a `count`.
ACTIONS: Mapping[str, str | Plural] = {
    "close-table": N_("closed table {subject}"),
    "delete-table": N_("deleted table {subject}"),
    "clean": Plural(
        "deleted {n} finished or inactive table", "deleted {n} finished or inactive tables"
    ),
    "announce": N_("announced: {subject}"),
    "withdraw": N_("withdrew the announcement: {subject}"),
    "rotate": N_("changed the signing key of cookies and mail links"),
    "create-account": N_("created the account {subject}"),
    "close-account": N_("suspended the account {subject}"),
    "open-account": N_("reopened the account {subject}"),
    "delete-account": N_("deleted the account {subject}"),
    "reset-account": N_("created a password link for {subject}"),
    "promote": N_("made {subject} an administrator"),
    "demote": N_("removed {subject} as an administrator"),
    "invite": N_("created an invitation: {subject}"),
    "revoke": N_("withdrew an invitation: {subject}"),
}


class Actor(msgspec.Struct, frozen=True):
    """Who acts: an account, or a user of the command line."""

    id: str
    name: str


def command_line_actor() -> Actor:
    """Return the user who runs this program."""
    try:
        return Actor("", getpass.getuser())
    except (KeyError, OSError):
        return Actor("", "?")


def note(session: AsyncSession, actor: Actor, action: str, subject: str = "", **data: Any) -> None:
    """Add an entry, in the transaction it is about."""
    assert action in ACTIONS
    session.add(
        AuditLine(
            actor=actor.id, name=actor.name[:80], action=action, subject=subject[:120], data=data
        )
    )


async def audit_lines(session: AsyncSession, limit: int = 200) -> list[AuditLine]:
    """Return the entries, the newest first."""
    query = select(AuditLine).order_by(AuditLine.id.desc()).limit(limit)
    return list(await session.scalars(query))


def sentence(line: AuditLine, words: Words) -> str:
    """Describe an entry in words."""
    template = ACTIONS.get(line.action)
    if isinstance(template, Plural):
        return words.ngettext(*template, line.data["count"])
    return words._(template, subject=line.subject, **line.data) if template else line.action
