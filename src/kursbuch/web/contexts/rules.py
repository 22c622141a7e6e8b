"""Rules."""

from __future__ import annotations

import msgspec

from kursbuch.web.contexts.common import Fact


class RuleCard(msgspec.Struct, frozen=True):
    """rule.html, rule_card.html: one rule."""

    id: str
    reference: str
    title: str
    title_name: str
    url: str
    kind: str
    section: str
    text: str
    source: str
    ambiguity: str
    ruling: str
    ruling_source: str
    publication: str
    given: str
    expect: str
    table_head: list[str]
    table_rows: list[list[str]]
    depends: list[Fact]
    dependents: list[Fact]


class RuleSection(msgspec.Struct, frozen=True):
    """The rules under one heading."""

    name: str
    rules: list[RuleCard]


class RulesPage(msgspec.Struct, frozen=True):
    """rules.html: all rules of a title in the order of the book; `query` filters them. `reconstructed` says
    what of its components is."""

    title: str
    title_name: str
    edition: str
    designer: str
    query: str
    reconstructed: str
    legend_url: str
    sections: list[RuleSection]
    components: list[Fact]
