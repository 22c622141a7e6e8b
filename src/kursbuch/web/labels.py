"""Labels and small view structs that several pages share."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any

import msgspec

import kursbuch
from kursbuch.core.title import LegendPart, Title
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
    """The reference of a rule and the URL of its page."""

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
    "hotseat": N_("on the same device"),
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


@lru_cache(maxsize=4096)
def rule_name(reference: str, language: str) -> str:
    """Return the name of a cited rule for people, who do not know ids: its section, or its id if it has none."""
    title, _, rule = reference.partition(":")
    found = kursbuch.titles().get(title)
    if found is None or rule not in found.rules:
        return rule
    return found.rules[rule].in_language("section", language) or rule


def learn_url(title: Title[Any]) -> str:
    """Return the URL of a title's lesson, empty without one."""
    return f"/learn/{title.id}" if title.lessons and title.lessons.chapters else ""


def aid_url(title: Title[Any]) -> str:
    """Return the URL of a title's player aid, empty without one."""
    return f"/aid/{title.id}" if title.lessons and title.lessons.aid else ""


def components_url(title: Title[Any]) -> str:
    """Return the URL of the page that corrects component data, empty for a title without."""
    return f"/components/{title.id}" if title.data_file else ""


def legend_url(title: Title[Any]) -> str:
    """Return the URL of the legend, empty if the drawing needs none."""
    return f"/legend/{title.id}" if legend_parts(title.id, "en") else ""


@lru_cache(maxsize=32)
def legend_parts(title: str, language: str) -> tuple[LegendPart, ...]:
    """Return the legend of a title's drawing in a language."""
    return tuple(kursbuch.titles()[title].legend(Words(language)))


def format_size(amount: int, words: Words) -> str:
    """Return a number of bytes in words.

    >>> format_size(900, Words()), format_size(12_300, Words()), format_size(4_560_000, Words("de"))
    ('900 B', '12 kB', '4,6 MB')
    >>> format_size(34_500_000_000, Words())
    '34.5 GB'
    """
    if amount < 1000:
        return f"{amount} B"
    if amount < 1_000_000:
        return f"{amount / 1000:.0f} kB"
    size, unit = (amount / 1e6, "MB") if amount < 1e9 else (amount / 1e9, "GB")
    text = f"{size:.1f} {unit}"
    return text.replace(".", ",") if words.language == "de" else text


def format_time(moment: datetime) -> str:
    """Return a moment in UTC, to the minute."""
    return f"{moment:%Y-%m-%d %H:%M} UTC"


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
