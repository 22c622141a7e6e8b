"""Display preferences of a browser, kept in a cookie."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from kursbuch.core.words import N_, Words
from kursbuch.web.http.own_colours import sound
from kursbuch.web.labels import FieldChoice

COOKIE = "kursbuch_settings"
#: Maximum length of the cookie; accounts keep as much.
LONGEST = 500
#: Name of the own colours in the cookie.
OWN = "own"


class Setting(NamedTuple):
    """A preference: its name in the cookie and after `data-` on the page, its heading, and its
    values with labels."""

    name: str
    heading: str
    label: str
    choices: tuple[tuple[str, str], ...]


_SHOWN = (("", N_("shown")), ("off", N_("hidden")))
SETTINGS = (
    Setting(
        "theme",
        N_("Pages"),
        N_("Colours"),
        (("", N_("same as the device")), ("light", N_("light")), ("dark", N_("dark"))),
    ),
    Setting(
        "text",
        N_("Pages"),
        N_("Text"),
        (
            ("small", N_("small")),
            ("", N_("normal")),
            ("large", N_("large")),
            ("larger", N_("very large")),
        ),
    ),
    Setting(
        "players",
        N_("Pages"),
        N_("Colours of players, companies and routes"),
        (("", N_("usual")), ("distinct", N_("colour-blind friendly")), ("own", N_("own"))),
    ),
    Setting(
        "routes",
        N_("Maps"),
        N_("Routes"),
        (("", N_("a dash for each train")), ("solid", N_("solid")), ("dashed", N_("dashed"))),
    ),
    Setting("map-names", N_("Maps"), N_("Names"), _SHOWN),
    Setting("map-numbers", N_("Maps"), N_("Hex numbers"), _SHOWN),
    Setting("map-tiles", N_("Maps"), N_("Tile numbers"), _SHOWN),
    Setting(
        "confirm",
        N_("While playing"),
        N_("Confirm moves"),
        (("never", N_("never")), ("", N_("those that cannot be undone")), ("always", N_("all"))),
    ),
    Setting(
        "motion",
        N_("While playing"),
        N_("Motion"),
        (("none", N_("none")), ("", N_("normal")), ("slow", N_("slow"))),
    ),
    Setting(
        "sound",
        N_("While playing"),
        N_("Sound when it is my turn or the game ends"),
        (("", N_("off")), ("on", N_("on"))),
    ),
)
_OFFERED = {setting.name: {value for value, _ in setting.choices if value} for setting in SETTINGS}


def read(cookie: str | None) -> dict[str, str]:
    """Return the preferences in a cookie that differ from the defaults.

    >>> read("theme:dark.text:huge.sound:.other:1"), read(None)
    ({'theme': 'dark'}, {})
    """
    found = [part.partition(":") for part in (cookie or "")[:LONGEST].split(".")]
    chosen = {name: value for name, _, value in found if value in _OFFERED.get(name, ())}
    own = sound(next((value for name, _, value in found if name == OWN), ""))
    if own:
        chosen[OWN] = own
    # In a fixed order, so that equal preferences give equal cookies.
    return {name: chosen[name] for name in (*_OFFERED, OWN) if name in chosen}


def write(chosen: dict[str, str]) -> str:
    """Return the cookie for these preferences."""
    return ".".join(f"{name}:{value}" for name, value in chosen.items())


class PreferenceField(msgspec.Struct, frozen=True):
    """A preference with its choices."""

    name: str
    label: str
    choices: list[FieldChoice]


class PreferenceGroup(msgspec.Struct, frozen=True):
    """Preferences under one heading."""

    heading: str
    settings: list[PreferenceField]


def form(chosen: dict[str, str], words: Words) -> list[PreferenceGroup]:
    """Return all preferences, grouped by heading."""
    groups: dict[str, list[PreferenceField]] = {}
    for setting in SETTINGS:
        value = chosen.get(setting.name, "")
        choices = [FieldChoice(one, words._(label), one == value) for one, label in setting.choices]
        field = PreferenceField(setting.name, words._(setting.label), choices)
        groups.setdefault(setting.heading, []).append(field)
    return [PreferenceGroup(words._(name), fields) for name, fields in groups.items()]
