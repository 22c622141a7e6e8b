"""The pages of the rules."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from kursbuch.core.rules import Rule, RuleIndex, written
from kursbuch.core.title import Title
from kursbuch.core.words import N_, Words
from kursbuch.web import contexts
from kursbuch.web.present.labels import rule_link
from kursbuch.web.present.legend import legend_url

RULE_KINDS = {
    "rule": N_("rule"),
    "table": N_("table"),
    "example": N_("example"),
    "definition": N_("definition"),
    "option": N_("option"),
}

SOURCES = {
    "rulebook": N_("the rulebook"),
    "public": N_("public records of the printed game"),
    "component": N_("printed on the components"),
    "reconstructed": N_("decided here, because nothing is recorded"),
}


def rule_card(words: Words, title: Title[Any], rule: Rule) -> contexts.RuleCard:
    """One rule."""
    index, language = title.rules, words.language
    reference, url = rule_link(title.id, rule.id)
    example, publication = rule.example, index.publication(rule)

    def links(ids: Iterable[str]) -> list[contexts.Fact]:
        return [contexts.Fact(f"{title.id}:{id_}", f"/rules/{title.id}/{id_}") for id_ in ids]

    return contexts.RuleCard(
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


def rules_page(words: Words, title: Title[Any], query: str) -> contexts.RulesPage:
    """All rules of a title, or those that contain the words of the query."""
    index: RuleIndex = title.rules
    language = words.language
    rules = list(index.search(query)) if query else list(index)
    sections: dict[str, list[contexts.RuleCard]] = {}
    for rule in rules:
        name = rule.in_language("section", language)
        sections.setdefault(name, []).append(rule_card(words, title, rule))
    components = [
        contexts.Fact(part.in_language("name", language), words.number(part.count))
        for part in index.components
    ]
    return contexts.RulesPage(
        title=title.id,
        title_name=title.name,
        edition=index.game.in_language("edition", language),
        designer=index.game.designer,
        query=query,
        reconstructed=words._(title.reconstructed) if title.reconstructed else "",
        legend_url=legend_url(title),
        sections=[contexts.RuleSection(name, cards) for name, cards in sections.items()],
        components=[] if query else components,
    )
