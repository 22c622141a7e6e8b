"""What several pages need."""

from __future__ import annotations

import msgspec


class FieldChoice(msgspec.Struct, frozen=True):
    """One value of a form field: what is sent, and its text."""

    value: str
    label: str
    selected: bool = False


class Setting(msgspec.Struct, frozen=True):
    """Something to choose for the browser."""

    name: str
    label: str
    choices: list[FieldChoice]


class SettingGroup(msgspec.Struct, frozen=True):
    """Settings under one heading."""

    heading: str
    settings: list[Setting]


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


class ErrorPage(msgspec.Struct, frozen=True):
    """error.html: one sentence."""

    status: int
    sentence: str
    rule: str
    rule_url: str
