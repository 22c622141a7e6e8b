"""Sentences declared by events and actions, and how their values are written.

>>> import msgspec
>>> class LocoSold(msgspec.Struct):
...     seat: int
...     loco: str
...     price: int
>>> sentence = Sentence("{name} buys {loco} for {amount}.", amount=MONEY.of("price"))

`{name}` is the player in the field `seat`. Any other placeholder is the field of that name, written as it is or as
its keyword says. A speaker (`kursbuch.core.voice.Speech`) writes the parts:

>>> from kursbuch.core.voice import Speech
>>> sentence.said(Speech(Words("en", ["Anna"])), LocoSold(0, "E3", 500))
'Anna buys E3 for £500.'
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from operator import attrgetter
from string import Formatter
from typing import Any, ClassVar, Protocol, Self

from kursbuch.core.words import Words


class Speaker(Protocol):
    """Writes sentences for one reader; its methods write the parts (`By`)."""

    words: Words


class Part:
    """A value written as it is."""

    #: The fields it uses; None for the field named like the placeholder.
    fields: tuple[str | By, ...] | None = None

    def of(self, *fields: str | By) -> Self:
        """The same part for other fields: names, with dots for nested fields, or values returned by a method."""
        part = copy(self)
        part.fields = fields
        return part

    def values(self, speaker: Speaker, told: object, placeholder: str) -> list[Any]:
        """The values of its fields."""
        fields = (placeholder,) if self.fields is None else self.fields
        return [
            field.call(speaker, told) if isinstance(field, By) else attrgetter(field)(told)
            for field in fields
        ]

    def said(self, speaker: Speaker, told: object, placeholder: str) -> str:
        """The value in the speaker's words."""
        return self.say(speaker, *self.values(speaker, told, placeholder))

    def say(self, speaker: Speaker, *values: Any) -> str:
        """Several values in the speaker's words."""
        return str(values[0])


class By(Part):
    """Values written by a method of the speaker; a dot leads to a method of one of its attributes. It can also be a
    whole sentence."""

    def __init__(self, method: str) -> None:
        self.method = attrgetter(method)

    def call(self, speaker: Speaker, told: object) -> Any:
        """The result of the method, which need not be a text."""
        return self.method(speaker)(*self.values(speaker, told, ""))

    def said(self, speaker: Speaker, told: object, placeholder: str | None = None) -> str:
        return super().said(speaker, told, placeholder or "")

    def say(self, speaker: Speaker, *values: Any) -> str:
        return str(self.method(speaker)(*values))


class Each(Part):
    """A list with every element written by `part`, joined by `glue` or, without it, as a list in words.

    Tuple elements give `part` several values.
    """

    def __init__(self, part: Part, glue: str = "") -> None:
        self.part = part
        self.glue = glue

    def say(self, speaker: Speaker, *values: Any) -> str:
        each = (value if isinstance(value, tuple) else (value,) for value in values[0])
        parts = [self.part.say(speaker, *value) for value in each]
        return self.glue.join(parts) if self.glue else speaker.words.join(parts)


class Term(Part):
    """A translatable text looked up in a table; unknown values are kept."""

    def __init__(self, table: Mapping[str, str]) -> None:
        self.table = table

    def say(self, speaker: Speaker, *values: Any) -> str:
        value = str(values[0])
        return speaker.words._(self.table[value]) if value in self.table else value


#: Parts for every speaker: a player by seat, an amount of money, a whole number.
NAME = By("name")
MONEY = By("money")
NUMBER = By("number")


class Sentence:
    """A translatable sentence about a struct, with an optional plural.

    Keywords map placeholders to a part or to another field. `n` names the number field, or the list, that selects
    the plural.
    """

    #: Default parts of placeholders.
    usual: ClassVar[Mapping[str, Part]] = {"name": NAME.of("seat")}

    def __init__(self, text: str, many: str = "", /, n: str = "", **parts: Part | str) -> None:
        self.text = text
        self.many = many
        self.n = n
        names = {
            name
            for form in (text, many)
            for _, name, _, _ in Formatter().parse(form)
            if name and (name != "n" or not n)
        }
        if unused := parts.keys() - names:
            raise TypeError(f"no placeholders of {text!r}: {sorted(unused)}")
        self.parts = {
            name: Part().of(part) if isinstance(part, str) else part
            for name in sorted(names)
            for part in [parts.get(name, self.usual.get(name, name))]
        }

    def said(self, speaker: Speaker, told: object, line: str | None = None) -> str:
        """The sentence about `told`; `line` is the text before it (`Then`)."""
        params = {
            name: part.said(speaker, told, name) if line is None or name != "line" else line
            for name, part in self.parts.items()
        }
        if not self.many:
            return speaker.words._(self.text, **params)
        count = getattr(told, self.n)
        number = count if isinstance(count, int) else len(count)
        return speaker.words.ngettext(self.text, self.many, number, **params)


class Condition:
    """Whether a field, or the result of a method, is true or among the values `equals`."""

    def __init__(self, field: str | By, equals: tuple[object, ...] | None = None) -> None:
        self.value = Part().of(field)
        self.equals = equals

    def holds(self, speaker: Speaker, told: object) -> bool:
        """Whether it holds for `told`."""
        (value,) = self.value.values(speaker, told, "")
        return bool(value) if self.equals is None else value in self.equals


class If(Condition):
    """One of two sentences, by a condition; None keeps the text before it (`Then`)."""

    def __init__(
        self,
        field: str | By,
        yes: Told | None,
        no: Told | None = None,
        /,
        *,
        equals: tuple[object, ...] | None = None,
    ) -> None:
        super().__init__(field, equals)
        self.yes = yes
        self.no = no

    def said(self, speaker: Speaker, told: object, line: str | None = None) -> str:
        """The sentence about `told`."""
        chosen = self.yes if self.holds(speaker, told) else self.no
        return line or "" if chosen is None else chosen.said(speaker, told, line)


class Then:
    """A sentence followed by additions: `{line}` in each is the text before it.

    >>> from collections import namedtuple
    >>> from kursbuch.core.voice import Speech
    >>> LocoSold = namedtuple("LocoSold", "seat loco debt")
    >>> debt = If("debt", Sentence("{line} The debt is {debt}.", debt=MONEY))
    >>> sentence, speech = Then(Sentence("{name} buys {loco}."), debt), Speech(Words("en", ["Anna"]))
    >>> sentence.said(speech, LocoSold(0, "E3", 70)), sentence.said(speech, LocoSold(0, "E3", 0))
    ('Anna buys E3. The debt is £70.', 'Anna buys E3.')
    """

    def __init__(self, first: Told, *others: Told) -> None:
        self.sentences = (first, *others)

    def said(self, speaker: Speaker, told: object, line: str | None = None) -> str:
        """The sentences about `told`."""
        for sentence in self.sentences:
            line = sentence.said(speaker, told, line)
        return line or ""


#: What an event or action declares.
Told = Sentence | If | Then | By
