"""Labels and small view structs that several pages share."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import msgspec

import kursbuch
from kursbuch.core.title import Title
from kursbuch.core.words import N_, Words
from kursbuch.web.db.models import GONE, now
from kursbuch.web.tables.policies import CLOSED, FINISHED, LOBBY, RUNNING


class FieldChoice(msgspec.Struct, frozen=True):
    """One value of a form field, with its label."""

    value: str
    label: str
    selected: bool = False


class Fact(msgspec.Struct, frozen=True):
    """A labelled value."""

    label: str
    value: str


class RuleLink(msgspec.Struct, frozen=True):
    """A rule id and the URL of its page."""

    id: str
    url: str


class PanelRow(msgspec.Struct, frozen=True):
    """A row of a holdings panel."""

    label: str
    value: str
    key: str
    note: str


STATUS = {
    LOBBY: N_("waiting for players"),
    RUNNING: N_("in progress"),
    FINISHED: N_("finished"),
    CLOSED: N_("closed"),
}
SEAT_KINDS = {
    "person": N_("person"),
    "hotseat": N_("at the same device"),
    "bot": N_("computer"),
    GONE: N_("gone"),
}


def title_name(title: str) -> str:
    """Return the name of a title, or its id if it is no longer installed."""
    found = kursbuch.titles().get(title)
    return found.name if found else title


def rule_link(title: str, rule: str) -> tuple[str, str]:
    """Return the reference of a rule and the URL of its page; empty strings for no rule."""
    return (f"{title}:{rule}", f"/rules/{title}/{rule}") if rule else ("", "")


def objection_label(words: Words, title: Title[Any], seconds: int | None) -> str:
    """Return the time for objections in words."""
    if not seconds:
        return words._(title.objection_texts.unlimited) if title.objection_texts else ""
    if seconds % 60 == 0:
        return words.ngettext("{n} minute", "{n} minutes", seconds // 60)
    return words.ngettext("{n} second", "{n} seconds", seconds)


def ago(words: Words, moment: datetime) -> str:
    """Return roughly how long ago a moment was."""
    minutes = int((now() - moment).total_seconds() // 60)
    if minutes < 1:
        return words._("just now")
    if minutes < 60:
        return words.ngettext("{n} minute ago", "{n} minutes ago", minutes)
    if minutes < 48 * 60:
        return words.ngettext("{n} hour ago", "{n} hours ago", minutes // 60)
    return words.ngettext("{n} day ago", "{n} days ago", minutes // (24 * 60))


def winners_sentence(words: Words, names: Sequence[str]) -> str:
    """Return the sentence that names the winners."""
    if len(names) == 1:
        return words._("{name} wins.", name=names[0])
    return words._("{names} share the victory.", names=words.join(names))
