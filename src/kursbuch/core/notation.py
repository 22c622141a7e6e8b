"""The one-line text form of actions (docs/notation.md): one declaration writes, reads and lists it.

>>> form = Form("takes {card}[ for train {train}]", card=Name("CARD"), train=Number(digits=1))
>>> form.read("Takes COAL200", Names({"CARD": ["coal200", "food50"]}))
{'card': 'coal200', 'train': 0}
>>> form.shapes
('takes CARD [for train NUMBER]',)

Actions declare it as `Action.FORM`; `kursbuch.core.actions.Notation` combines the forms of a title.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from copy import copy
from itertools import product
from typing import Any, Self

from kursbuch.core.words import N_

#: Translates a text.
Translate = Callable[[str], str]


class Names:
    """Names of a title with their spelling, by the placeholder in capitals that stands for them in a form.

    >>> names = Names({"LINE": ["GWR", "GER"]})
    >>> names.spelt("LINE", "gwr"), names.spelt("LINE", "xy"), names.ordered("LINE", ["GER", "GWR"])
    ('GWR', 'xy', ('GWR', 'GER'))
    """

    def __init__(self, known: Mapping[str, Iterable[str]]) -> None:
        self._spelt = {word: {name.casefold(): name for name in known[word]} for word in known}
        self._order = {
            word: {name: place for place, name in enumerate(spelt.values())}
            for word, spelt in self._spelt.items()
        }

    def spelt(self, word: str, given: str) -> str:
        """A name in its proper spelling; unchanged if unknown."""
        return self._spelt.get(word, {}).get(given.casefold(), given)

    def ordered(self, word: str, names: Iterable[str]) -> tuple[str, ...]:
        """Names in the order of the title, unknown ones last."""
        order = self._order.get(word, {})
        return tuple(sorted(names, key=lambda name: order.get(name, len(order))))


class Value:
    """How a field is written and read. `word` is its placeholder in the list of forms.

    `empty` is the value of a field in an omitted optional part.
    """

    word: str = ""
    pattern: str = ""
    empty: Any = ""
    #: The placeholder in another language.
    translated_word: str = ""

    def translated(self, translate: Translate) -> Self:
        """The same value written in another language."""
        other = copy(self)
        other.translated_word = translate(self.word) if self.word else ""
        return other

    def words(self) -> tuple[str, ...]:
        """The placeholders shown in the list of forms."""
        return (self.translated_word or self.word,)

    def write(self, value: Any) -> str:
        """Format the value."""
        return str(value)

    def read(self, text: str, names: Names) -> Any:
        """Parse a text that matches the pattern."""
        return text

    def write_from(self, action: object, field: str) -> str:
        """Format a field of an action; overridden by values that cover several fields."""
        return self.write(getattr(action, field))

    def read_into(self, text: str | None, field: str, names: Names) -> dict[str, Any]:
        """The fields given by a text."""
        return {field: self.empty if text is None else self.read(text, names)}

    def is_empty(self, action: object, field: str) -> bool:
        """Whether the optional part with this field is omitted."""
        return bool(getattr(action, field) == self.empty)


class Name(Value):
    """A name of the title, spelt as in its data. An unknown name is kept, or changed by `case`.

    `words` are the words in names that are translated.

    >>> german = Name("CARD", words=("coal",)).translated({"coal": "Kohle", "CARD": "KARTE"}.__getitem__)
    >>> german.write("coal200"), german.read("kohle200", Names({"CARD": ["coal200"]}))
    ('Kohle200', 'coal200')
    """

    def __init__(
        self,
        word: str,
        pattern: str = r"[\w-]+",
        case: Callable[[str], str] | None = None,
        words: Iterable[str] = (),
    ) -> None:
        self.word = word
        self.pattern = pattern
        self.case = case
        self._words = tuple(words)
        self._translations: dict[str, str] = {}

    def translated(self, translate: Translate) -> Self:
        other = super().translated(translate)
        other._translations = {text: translate(text) for text in self._words}
        return other

    def write(self, value: str) -> str:
        return replace_words(value, self._translations)

    def read(self, text: str, names: Names) -> str:
        given = replace_words(text, {word: text for text, word in self._translations.items()})
        return names.spelt(self.word, self.case(given) if self.case else given)


def replace_words(text: str, words: Mapping[str, str]) -> str:
    """The text with whole words replaced, ignoring case.

    >>> replace_words("Spieler 2", {"spieler": "player"})
    'player 2'
    """
    for word, other in words.items():
        text = re.sub(rf"(?<![^\W\d_]){re.escape(word)}(?![^\W\d_])", other, text, flags=re.I)
    return text


class Number(Value):
    """A whole number of at most `digits` digits. `first` is how 0 is written: 1 for players and cities."""

    empty = 0

    def __init__(
        self, word: str = N_("NUMBER"), digits: int = 3, first: int = 0, pattern: str = ""
    ) -> None:
        self.word = word
        self.pattern = pattern or (rf"\d{{1,{digits}}}" if digits > 1 else r"\d")
        self.first = first

    def write(self, value: int) -> str:
        return str(value + self.first)

    def read(self, text: str, names: Names) -> int:
        return int(re.sub(r"\D", "", text)) - self.first


#: A player by number, from 1.
PLAYER = Number(digits=2, first=1)


class OneOf(Value):
    """One of a few texts, each with its value.

    An empty text stands for the default value: `OneOf({" with ?": True, "": False})`.
    """

    def __init__(self, values: Mapping[str, Any]) -> None:
        self.values = {text.casefold(): value for text, value in values.items()}
        self.texts = {value: text for text, value in values.items()}
        self.pattern = "|".join(re.escape(text) for text in values)
        self.empty = values.get("")

    def translated(self, translate: Translate) -> Self:
        return type(self)({text and translate(text): value for value, text in self.texts.items()})

    def words(self) -> tuple[str, ...]:
        texts = [text for text in self.texts.values() if text]
        if len(texts) == len(self.texts):
            return tuple(texts)
        # A text with a default is shown as an optional part in brackets.
        return tuple(f" [{text.strip()}]" for text in texts)

    def write(self, value: Any) -> str:
        return self.texts[value]

    def read(self, text: str, names: Names) -> Any:
        return self.values[text.casefold()]


class List(Value):
    """One or more values of a kind, separated by commas and, if `ordered`, in the title's order. An empty field is
    written as `nothing`, if given."""

    empty = ()

    def __init__(
        self,
        each: Value,
        *,
        ordered: bool = False,
        separator: str = r" *, *",
        nothing: str = "",
    ) -> None:
        self.each = each
        self.is_ordered = ordered
        self.separator = separator
        self.nothing = nothing
        self.word = f"{each.word}, {each.word} …"
        self.pattern = rf"{each.pattern}(?:(?:{separator}){each.pattern})*"

    def translated(self, translate: Translate) -> Self:
        other = super().translated(translate)
        other.each = self.each.translated(translate)
        (word,) = other.each.words()
        other.translated_word = f"{word}, {word} …"
        other.nothing = self.nothing and translate(self.nothing)
        return other

    def words(self) -> tuple[str, ...]:
        return (*super().words(), self.nothing) if self.nothing else super().words()

    def write(self, value: Iterable[Any]) -> str:
        return ", ".join(map(self.each.write, value)) or self.nothing

    def read(self, text: str, names: Names) -> tuple[Any, ...]:
        if self.nothing and text.casefold() == self.nothing.casefold():
            return ()
        found = [self.each.read(part, names) for part in re.split(self.separator, text)]
        return names.ordered(self.each.word, found) if self.is_ordered else tuple(found)


class Form:
    """The text form of an action type: a template with fields in braces and optional parts in square brackets.
    Keywords give the type of each field. `shapes` are its lines in the list of forms."""

    def __init__(self, template: str, /, **values: Value) -> None:
        self.template = template
        self.values = values
        self._pieces = [
            _Piece(part.removeprefix("[").removesuffix("]"), values, part.startswith("["))
            for part in re.split(r"(\[[^]]*\])", template)
            if part
        ]
        found = [field for piece in self._pieces for field in piece.fields]
        if sorted(found) != sorted(values):
            raise TypeError(f"{template!r} needs values for its fields, not for {sorted(values)}")
        self._pattern = re.compile("".join(piece.pattern for piece in self._pieces), re.I)
        shapes = ("".join(parts) for parts in product(*(piece.shapes for piece in self._pieces)))
        self.shapes = tuple(shapes)

    def translated(self, translate: Translate) -> Form:
        """The form in another language: the template, texts and placeholders are translated."""
        values = {field: value.translated(translate) for field, value in self.values.items()}
        return Form(translate(self.template), **values)

    def write(self, action: object) -> str:
        """Format an action."""
        return "".join(piece.write(action) for piece in self._pieces)

    def read(self, text: str, names: Names) -> dict[str, Any] | None:
        """The fields given by a text; None if it has another form."""
        found = self._pattern.fullmatch(text)
        if found is None:
            return None
        fields: dict[str, Any] = {}
        for field, value in self.values.items():
            fields |= value.read_into(found[field], field, names)
        return fields


class _Piece:
    """A mandatory or optional part of a form."""

    def __init__(self, text: str, values: Mapping[str, Value], optional: bool) -> None:
        self.optional = optional
        self.values = values
        #: Literal texts and fields alternate.
        self.parts = re.split(r"\{(\w+)\}", text)
        self.fields = self.parts[1::2]
        pattern = "".join(
            f"(?P<{part}>{values[part].pattern})" if place % 2 else re.escape(part)
            for place, part in enumerate(self.parts)
        )
        self.pattern = f"(?:{pattern})?" if optional else pattern

    @property
    def shapes(self) -> list[str]:
        """Its entries in the list of forms; alternatives at the start and phrases get one each."""
        shapes = [""]
        for place, part in enumerate(self.parts):
            words: tuple[str, ...] = self.values[part].words() if place % 2 else (part,)
            if shapes != [""] and not any(" " in word for word in words):
                words = ("|".join(words),)
            shapes = [shape + word for shape in shapes for word in words]
        if not self.optional:
            return shapes
        return [f"{' ' * shape.startswith(' ')}[{shape.strip()}]" for shape in shapes]

    def write(self, action: object) -> str:
        """Format its part of an action; an optional part without a value is omitted."""
        if self.optional and all(
            self.values[field].is_empty(action, field) for field in self.fields
        ):
            return ""
        return "".join(
            self.values[part].write_from(action, part) if place % 2 else part
            for place, part in enumerate(self.parts)
        )
