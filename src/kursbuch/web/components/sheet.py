"""A draft of component data: what it says, what is changed in it, and how it is shown.

All of this runs in a child process: a draft comes from a stranger.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import msgspec
from markupsafe import Markup

from kursbuch.core import registry
from kursbuch.core.components import (
    RECONSTRUCTED,
    SEPARATOR,
    Data,
    Difference,
    PrintedComponent,
    PrintedValue,
    beyond,
    completed,
    corrected,
    differences,
    variant_file,
)
from kursbuch.core.errors import KursbuchError
from kursbuch.core.game import Game
from kursbuch.core.title import Title
from kursbuch.core.words import N_, Words
from kursbuch.web.http.errors import Refused

#: Maximum length of the list of differences in a file.
MOST_ABOUT = 4000

#: Maximum number of values tried one by one to find the one that is refused.
MOST_TRIED = 12

#: Origin of values; translatable.
SOURCES = {
    RECONSTRUCTED: N_("reconstructed"),
    "rulebook": N_("from the rulebook"),
    "public": N_("from public records"),
    "component": N_("as printed in the box"),
}


class Edit(msgspec.Struct, frozen=True):
    """An edit of a draft: values `entered` by name, and components that were `checked` against the box.

    Then one of the rest: `undo` a value, everything `besides` values or everything (`reset`), or add a packaged
    `variant`.
    """

    entered: dict[str, str] = {}
    checked: dict[str, bool] = {}
    undo: str = ""
    besides: bool = False
    reset: bool = False
    variant: str = ""


class ValueOption(msgspec.Struct, frozen=True):
    """A possible value."""

    value: str
    label: str
    selected: bool


class ValueField(msgspec.Struct, frozen=True):
    """A value with its field; `error` is a sentence if it was refused."""

    name: str
    label: str
    kind: str
    text: str
    options: list[ValueOption]
    least: int
    most: int
    step: int
    source: str
    reconstructed: bool
    changed: bool
    ours: str
    error: str


class ComponentCard(msgspec.Struct, frozen=True):
    """A component with its values; `reconstructed` if some of them are in the packaged file, and `checked` if it was
    compared with the box."""

    id: str
    name: str
    hex: str
    drawing: Markup
    note: str
    fields: list[ValueField]
    reconstructed: bool
    checked: bool


class ComponentGroup(msgspec.Struct, frozen=True):
    """Components of a kind: those with reconstructed values, and the `others`."""

    heading: str
    cards: list[ComponentCard]
    others: list[ComponentCard]


class DifferenceLine(msgspec.Struct, frozen=True):
    """A difference from the packaged file; `undo` names its value."""

    component: str
    label: str
    ours: str
    text: str
    undo: str
    card: str


class ComponentSheet(msgspec.Struct, frozen=True):
    """A draft as it is shown; `draft` is its file, empty without differences. `besides` names what differs besides
    printed values; `error` is a sentence if something was refused, which leaves that as it was."""

    draft: bytes
    map: Markup
    groups: list[ComponentGroup]
    differences: list[DifferenceLine]
    besides: list[str]
    error: str
    checked: int
    to_check: int


class Draft:
    """A draft with the components that it shows."""

    def __init__(self, title: Title[Any], file: Data, words: Words) -> None:
        self.title = title
        self.standard = title.packaged_data
        self.file = file
        self.words = words
        own = title.with_data(msgspec.json.encode(file))
        # Set-ups and drawings find faults that the reader of the file does not.
        names = [f"{seat + 1}" for seat in range(title.seats[0])]
        game = Game(own, names, seed="1")
        own.draw(game.state, Words("en", game.names))
        self.components = own.printed_components(file, words)
        self.map = own.draw_components(file, words)
        self.differences = list(differences(self.components, self.standard, file))

    def ordered(self, entered: Mapping[str, str]) -> dict[str, str]:
        """What was entered for the values of this draft; browsers may send what is chosen in any order."""
        return {
            value.name: value.ordered(entered[value.name])
            for component in self.components
            for value in component.values
            if value.name in entered
        }

    def changed(self, edit: Edit) -> Draft:
        """The draft with what is wanted."""
        if edit.reset:
            return Draft(self.title, self.standard, self.words)
        entered = dict(edit.entered)
        if edit.undo:
            entered |= {d.value.name: d.ours for d in self.differences if d.value.name == edit.undo}
        file = self._with(entered, edit.checked) if entered or edit.checked else self.file
        if edit.besides:
            values = {
                d.value.name: d.text for d in differences(self.components, self.standard, file)
            }
            file = corrected(
                self.components, self.standard, self.standard, values, {}, self.title.align_data
            )
        if edit.variant:
            if edit.variant not in self.title.data_variants:
                raise Refused(N_("There is no such variant."))
            variant = self.title.packaged_variant(edit.variant)
            whole = completed(variant, self.title.id, msgspec.json.encode(file))
            file = msgspec.json.decode(whole)
        return self if file == self.file else Draft(self.title, file, self.words)

    def _with(self, entered: Mapping[str, str], checked: Mapping[str, bool]) -> Data:
        align = self.title.align_data
        return corrected(self.components, self.standard, self.file, entered, checked, align)

    def refused(self, edit: Edit) -> dict[str, str]:
        """The values that are refused even alone, each with its sentence."""
        values = {value.name: value for component in self.components for value in component.values}
        changed = [
            name for name, text in edit.entered.items() if values[name].read(self.file) != text
        ]
        found = {}
        for name in changed[:MOST_TRIED]:
            try:
                self.title.with_data(
                    msgspec.json.encode(self._with({name: edit.entered[name]}, {}))
                )
            except KursbuchError as error:
                found[name] = error.text(self.words)
        return found

    def variant(self) -> bytes:
        """The file of the draft, which lists its differences."""
        if self.file == self.standard:
            return b""
        lines = [
            f"{line.component}, {line.label}: {line.text} ({line.ours})" for line in self.lines()
        ]
        about = "; ".join(lines)[:MOST_ABOUT]
        return variant_file(self.title.id, self.standard, self.file, about)

    def lines(self) -> list[DifferenceLine]:
        """The differences from the packaged file."""
        return [_line(found, self.words) for found in self.differences]


def read_draft(title: Title[Any], draft: bytes | None, words: Words) -> Draft:
    """Read a draft; without one it is the packaged file."""
    file = title.packaged_data
    if draft:
        packaged = msgspec.json.encode(file)
        title.with_data(draft)
        file = msgspec.json.decode(completed(draft, title.id, packaged))
    return Draft(title, file, words)


def make_sheet(name: str, draft: bytes | None, edit: Edit, language: str) -> ComponentSheet:
    """Edit a draft of a title, and show it."""
    title, words = registry.title(name), Words(language)
    words = words.speaking(title.terms)
    now = read_draft(title, draft, words)
    edit = msgspec.structs.replace(edit, entered=now.ordered(edit.entered))
    error, refused, entered = "", dict[str, str](), edit.entered
    try:
        now = now.changed(edit)
        entered = {}
    except KursbuchError as problem:
        error = problem.text(words)
        refused = now.refused(edit)
        kept = {name: text for name, text in entered.items() if name not in refused}
        with suppress(KursbuchError):
            now = now.changed(msgspec.structs.replace(edit, entered=kept))
            entered = {name: entered[name] for name in refused}
    groups: dict[str, ComponentGroup] = {}
    cards = []
    for component in now.components:
        card = _card(now, component, entered, refused)
        cards.append(card)
        group = groups.setdefault(component.group, ComponentGroup(component.group, [], []))
        (group.cards if card.reconstructed else group.others).append(card)
    return ComponentSheet(
        draft=now.variant(),
        map=Markup(now.map),
        groups=list(groups.values()),
        differences=now.lines(),
        besides=beyond(now.components, now.standard, now.file, title.align_data),
        error=error,
        checked=sum(card.checked for card in cards if card.reconstructed),
        to_check=sum(card.reconstructed for card in cards),
    )


def _card(
    draft: Draft,
    component: PrintedComponent,
    entered: Mapping[str, str],
    refused: Mapping[str, str],
) -> ComponentCard:
    values = component.values
    doubtful = [
        value
        for value in values
        if value.exists(draft.standard) and value.source(draft.standard) == RECONSTRUCTED
    ]
    return ComponentCard(
        id=component.id,
        name=component.name,
        hex=component.hex,
        # The title's own drawing escapes every text it contains.
        drawing=Markup(component.drawing),
        note=component.note,
        fields=[_field(draft, value, entered, refused) for value in values],
        reconstructed=bool(doubtful),
        checked=bool(doubtful)
        and all(value.source(draft.file) != RECONSTRUCTED for value in doubtful),
    )


def _field(
    draft: Draft, value: PrintedValue, entered: Mapping[str, str], refused: Mapping[str, str]
) -> ValueField:
    words, held = draft.words, value.read(draft.file)
    ours = value.read(draft.standard) if value.exists(draft.standard) else ""
    text = entered.get(value.name, held)
    chosen = text.split(SEPARATOR)
    least, most, step = value.limits
    source = value.source(draft.file)
    return ValueField(
        name=value.name,
        label=words._(value.label),
        kind=value.kind,
        text=text,
        options=[
            ValueOption(option, words._(label), option in chosen)
            for option, label in value.options.items()
        ],
        least=least,
        most=most,
        step=step,
        source=words._(SOURCES.get(source, source)),
        reconstructed=source == RECONSTRUCTED,
        changed=held != ours,
        ours=_shown(value, ours, words),
        error=refused.get(value.name, ""),
    )


def _shown(value: PrintedValue, text: str, words: Words) -> str:
    shown = value.shown(text)
    return words._(shown) if shown in value.options.values() else shown


def _line(found: Difference, words: Words) -> DifferenceLine:
    value = found.value
    return DifferenceLine(
        component=found.component.name,
        label=words._(value.label),
        ours=_shown(value, found.ours, words),
        text=_shown(value, found.text, words),
        undo=value.name,
        card=found.component.id,
    )
