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
    """One value of a form field: what is sent, and its text."""

    value: str
    label: str
    selected: bool = False


class Fact(msgspec.Struct, frozen=True):
    """A labelled value to show."""

    label: str
    value: str


class RuleLink(msgspec.Struct, frozen=True):
    """A rule: its id and its page."""

    id: str
    url: str


class PanelRow(msgspec.Struct, frozen=True):
    """A line of holdings."""

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
    """The name of a title; its id if it is not installed any more."""
    found = kursbuch.titles().get(title)
    return found.name if found else title


def rule_link(title: str, rule: str) -> tuple[str, str]:
    """The reference of a rule and the address of its page; empty for no rule."""
    return (f"{title}:{rule}", f"/rules/{title}/{rule}") if rule else ("", "")


def objection_label(words: Words, title: Title[Any], seconds: int | None) -> str:
    """A time for objections in words."""
    if not seconds:
        return words._(title.asking.unlimited) if title.asking else ""
    if seconds % 60 == 0:
        return words.ngettext("{n} minute", "{n} minutes", seconds // 60)
    return words.ngettext("{n} second", "{n} seconds", seconds)


def ago(words: Words, moment: datetime) -> str:
    """How long ago something was, roughly."""
    minutes = int((now() - moment).total_seconds() // 60)
    if minutes < 1:
        return words._("just now")
    if minutes < 60:
        return words.ngettext("{n} minute ago", "{n} minutes ago", minutes)
    if minutes < 48 * 60:
        return words.ngettext("{n} hour ago", "{n} hours ago", minutes // 60)
    return words.ngettext("{n} day ago", "{n} days ago", minutes // (24 * 60))


def winners_sentence(words: Words, names: Sequence[str]) -> str:
    """Who won."""
    if len(names) == 1:
        return words._("{name} wins.", name=names[0])
    return words._("{names} share the victory.", names=words.join(names))
