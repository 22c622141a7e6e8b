"""`kursbuch titles` and `kursbuch rules`: titles and their rules."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable

import click

from kursbuch.cli.common import common_options, emit_json
from kursbuch.core import registry
from kursbuch.core.errors import KursbuchError
from kursbuch.core.rulebook import RULE_WORDS, Rule, RuleIndex, parse_reference, written
from kursbuch.core.words import N_, Words


@click.command("titles")
@common_options
def command(as_json: bool, words: Words) -> None:
    """List the titles with their player counts and options."""
    found = registry.titles()
    if as_json:
        emit_json(
            {
                "titles": [
                    {
                        "id": title.id,
                        "name": title.name,
                        "players": [title.seats[0], title.seats[-1]],
                        "minutes": title.minutes,
                        "options": {option.name: option.values for option in title.options},
                    }
                    for title in found.values()
                ]
            }
        )
        return
    for title in found.values():
        print(
            words._(
                "{id}  {name}, {low} to {high} players, {lasts}",
                id=f"{title.id:<8}",
                name=title.name,
                low=title.seats[0],
                high=title.seats[-1],
                lasts=words.lasting(title.minutes),
            )
        )
        if title.summary:
            print(textwrap.indent("\n".join(_paragraph(words._(title.summary))), " " * 10))
        for option in title.options:
            print(f"            --option {option.name}=…  {words._(option.label)}:")
            for value, label in zip(option.values, option.labels, strict=True):
                print(f"              {value:<8}  {words._(label)}")


WIDTH = 88
SOURCES = {
    "rulebook": N_("the book"),
    "public": N_("public information about the printed game"),
    "component": N_("what is printed on the components"),
    "reconstructed": N_("decided here, recorded nowhere"),
}


@click.command("rules")
@click.argument("title", metavar="TITLE[:ID]")
@click.argument("rule", metavar="[ID]", required=False)
@click.option("--search", metavar="WORDS", help="Show only rules that contain all these words.")
@common_options
def rules_command(
    title: str, rule: str | None, search: str | None, as_json: bool, words: Words
) -> None:
    """Show the rules of a title, or one rule with its ruling and example.

    Cite a rule as rocket:move-6 or rocket move-6.
    """
    if (rule is None and ":" in title) or title.lower() in RULE_WORDS:
        title, rule = parse_reference(" ".join(filter(None, (title, rule))))
    index = registry.title(title).rules
    if rule is not None:
        found = [index.find(rule)]
    elif search is not None:
        found = index.search(search)
        if not found:
            raise KursbuchError(
                "No rule of {title} contains {words}.", title=index.game.title, words=repr(search)
            )
    else:
        found = list(index)
    if as_json:
        emit_json(
            {
                "title": index.game.id,
                "language": words.language,
                "rules": [rule_json(index, each, words) for each in found],
            }
        )
    elif rule is not None:
        print(whole_rule(index, found[0], words))
    else:
        print("\n".join(overview(found, words)))


def overview(found: Iterable[Rule], words: Words) -> list[str]:
    """The rules under their section headings."""
    lines: list[str] = []
    heading = ""
    for rule in found:
        section = rule.in_language("section", words.language)
        if section and section != heading:
            heading = section
            lines += ["", heading, "-" * len(heading)]
        lines += _paragraph(f"{rule.id}  {rule.text(words.language)}", "  ")
    return lines


def whole_rule(index: RuleIndex, rule: Rule, words: Words) -> str:
    """All information about a rule."""
    language = words.language
    lines = [f"{index.reference(rule.id)}  {rule.in_language('section', language)}".rstrip(), ""]
    lines += _paragraph(rule.text(language))
    for label, text in _parts(index, rule, words):
        lines += ["", *_paragraph(f"{label}: {text}", "  ")]
    if rule.data:
        lines += ["", *_table(rule, language)]
    related = dict.fromkeys([*rule.depends, *(each.id for each in index.dependents(rule.id))])
    if related:
        lines += ["", *_paragraph(words._("See also: {ids}", ids=", ".join(related)))]
    return "\n".join(lines)


def _parts(index: RuleIndex, rule: Rule, words: Words) -> list[tuple[str, str]]:
    language = words.language
    found = [
        (words._("Left open by the rulebook"), rule.in_language("ambiguity", language)),
        (words._("How it is played here"), rule.in_language("ruling", language)),
    ]
    found += [
        (
            words._("Since edition {edition}", edition=each.edition),
            each.in_language("text", language),
        )
        for each in index.corrections_of(rule.id)
    ]
    if rule.example:
        found.append((words._("Example"), rule.example.in_language("given", language)))
        found.append((words._("What follows"), rule.example.in_language("expect", language)))
    source = rule.ruling_source or rule.source
    found.append((words._("Source"), words._(SOURCES[source])))
    publication = index.publication(rule)
    if publication:
        found.append((words._("Published in"), publication.text(language)))
    return [(label, text) for label, text in found if text]


def _paragraph(text: str, indent: str = "") -> list[str]:
    # Keep ids unbroken for copying.
    return textwrap.wrap(text, WIDTH, subsequent_indent=indent, break_on_hyphens=False)


def _table(rule: Rule, language: str) -> list[str]:
    """The rows of a table under their headings."""
    rows = [[written(cell) for cell in row] for row in rule.table(language)]
    if rule.columns:
        rows.insert(0, rule.headings(language))
    widths = [max(len(row[n]) for row in rows) for n in range(len(rows[0]))]
    return [
        "  "
        + "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]


def rule_json(index: RuleIndex, rule: Rule, words: Words) -> dict[str, object]:
    """A rule as JSON in the reader's language."""
    language = words.language
    example, publication = rule.example, index.publication(rule)
    return {
        "id": rule.id,
        "reference": index.reference(rule.id),
        "kind": rule.kind,
        "section": rule.in_language("section", language),
        "text": rule.text(language),
        "ambiguity": rule.in_language("ambiguity", language),
        "ruling": rule.in_language("ruling", language),
        "example": example
        and {
            "given": example.in_language("given", language),
            "expect": example.in_language("expect", language),
        },
        "source": rule.source,
        "ruling_source": rule.ruling_source,
        "publication": publication.text(language) if publication else "",
        "corrections": [
            {
                "id": each.id,
                "edition": each.edition,
                "text": each.in_language("text", language),
            }
            for each in index.corrections_of(rule.id)
        ],
        "depends": rule.depends,
        "columns": rule.headings(language),
        "data": rule.table(language),
    }
