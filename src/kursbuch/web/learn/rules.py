"""Rules of a title, and the legend of its board."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
from markupsafe import Markup

from kursbuch.core.rulebook import Rule, RuleIndex, written
from kursbuch.core.title import Title
from kursbuch.core.words import N_, Words
from kursbuch.web.http.errors import NotFound
from kursbuch.web.labels import Fact, components_url, legend_parts, legend_url, rule_link


class Sign(msgspec.Struct, frozen=True):
    """A symbol of a drawing and its meaning."""

    svg: Markup
    meaning: str


class LegendSection(msgspec.Struct, frozen=True):
    """Symbols under one heading."""

    heading: str
    signs: list[Sign]


class LegendPage(msgspec.Struct, frozen=True):
    """legend.html, as a page or a card: the symbols of a drawing, and the `marks` of choices by class."""

    title: str
    title_name: str
    parts: list[LegendSection]
    marks: dict[str, str]
    rules_url: str


def legend_page(words: Words, title: Title[Any]) -> LegendPage:
    """Return the legend of a title."""
    parts = legend_parts(title.id, words.language)
    if not parts:
        raise NotFound(N_("The drawing of {title} has no legend."), title=title.name)
    return LegendPage(
        title=title.id,
        title_name=title.name,
        parts=[
            LegendSection(
                part.heading,
                [Sign(Markup(sign.drawing), sign.meaning) for sign in part.signs],
            )
            for part in parts
        ],
        marks=_marks(words),
        rules_url=f"/rules/{title.id}",
    )


def _marks(words: Words) -> dict[str, str]:
    """Return the marks of choices by their class in `board.css`, with their meanings."""
    return {
        "faint": words._("can be chosen; the rest is dimmed"),
        "target": words._("can be chosen next"),
        "picked": words._("chosen"),
        "hint": words._("the hint, or the list entry under the pointer"),
    }


RULE_KINDS = {
    "rule": N_("rule"),
    "table": N_("table"),
    "example": N_("example"),
    "definition": N_("definition"),
    "option": N_("option"),
}
SOURCES = {
    "rulebook": N_("the rulebook"),
    "public": N_("public information about the printed game"),
    "component": N_("printed on the components"),
    "reconstructed": N_("decided here, because no record exists"),
}


class RuleCard(msgspec.Struct, frozen=True):
    """rule.html, as a page or a card: one rule."""

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


def rule_card(words: Words, title: Title[Any], rule: Rule) -> RuleCard:
    """Return one rule."""
    index, language = title.rules, words.language
    reference, url = rule_link(title.id, rule.id)
    example, publication = rule.example, index.publication(rule)

    def links(ids: Iterable[str]) -> list[Fact]:
        return [Fact(f"{title.id}:{id_}", f"/rules/{title.id}/{id_}") for id_ in ids]

    return RuleCard(
        id=rule.id,
        reference=reference,
        title=title.id,
        title_name=title.name,
        url=url,
        kind=words._(RULE_KINDS[rule.kind]),
        section=rule.in_language("section", language),
        text=rule.text(language),
        source=words._(SOURCES[rule.source]),
        ambiguity=rule.in_language("ambiguity", language),
        ruling=rule.in_language("ruling", language),
        ruling_source=words._(SOURCES[rule.ruling_source]) if rule.ruling_source else "",
        publication=publication.text(language) if publication else "",
        given=example.in_language("given", language) if example else "",
        expect=example.in_language("expect", language) if example else "",
        table_head=rule.headings(language),
        table_rows=[[written(cell) for cell in row] for row in rule.table(language)],
        depends=links(rule.depends),
        dependents=links(other.id for other in index.dependents(rule.id)),
    )


class RuleSection(msgspec.Struct, frozen=True):
    """Rules under one heading."""

    name: str
    rules: list[RuleCard]


class RulesPage(msgspec.Struct, frozen=True):
    """rules.html: all rules of a title in book order, filtered by `query`. `reconstructed` names
    the reconstructed components."""

    title: str
    title_name: str
    edition: str
    designer: str
    query: str
    reconstructed: str
    components_url: str
    legend_url: str
    sections: list[RuleSection]
    components: list[Fact]


def rules_page(words: Words, title: Title[Any], query: str) -> RulesPage:
    """Return all rules of a title, or those that match the query."""
    index: RuleIndex = title.rules
    language = words.language
    rules = list(index.search(query)) if query else list(index)
    sections: dict[str, list[RuleCard]] = {}
    for rule in rules:
        name = rule.in_language("section", language)
        sections.setdefault(name, []).append(rule_card(words, title, rule))
    components = [
        Fact(part.in_language("name", language), words.number(part.count))
        for part in index.components
    ]
    return RulesPage(
        title=title.id,
        title_name=title.name,
        edition=index.game.in_language("edition", language),
        designer=index.game.designer,
        query=query,
        reconstructed=words._(title.reconstructed) if title.reconstructed else "",
        components_url=components_url(title),
        legend_url=legend_url(title),
        sections=[RuleSection(name, cards) for name, cards in sections.items()],
        components=[] if query else components,
    )
