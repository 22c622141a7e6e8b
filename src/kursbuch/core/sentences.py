"""Sentences that events and actions declare, and how the values in them are said.

>>> import msgspec
>>> class LocoSold(msgspec.Struct):
...     seat: int
...     loco: str
...     price: int
>>> sentence = Sentence("{name} buys {loco} for {amount}.", amount=MONEY.of("price"))

`{name}` is the player of the field `seat`. Every other placeholder is the field of that name, as it stands
or as its keyword says. A speaker (`kursbuch.core.voice.Speech`) has the methods that say the parts:

>>> from kursbuch.core.voice import Speech
>>> sentence.said(Speech(Words("en", ["Anna"])), LocoSold(0, "E3", 500))
'Anna buys E3 for £500.'
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from string import Formatter
from typing import Any, Protocol, Self

from kursbuch.core.words import Words


class Speaker(Protocol):
    """An object that says sentences to one reader; its methods say the parts (`By`)."""

    words: Words


class Part:
    """A value in a sentence: as it stands."""

    #: The fields it says; without any, the field with the name of the placeholder.
    fields: tuple[str, ...] = ()

    def of(self, *fields: str) -> Self:
        """The same part for other fields."""
        part = copy(self)
        part.fields = fields
        return part

    def said(self, speaker: Speaker, told: object, placeholder: str) -> str:
        """The value, in the words of the speaker."""
        return self.say(speaker, *(getattr(told, name) for name in self.fields or (placeholder,)))

    def say(self, speaker: Speaker, *values: Any) -> str:
        """These values, in the words of the speaker."""
        return str(values[0])


class By(Part):
    """A value said by a method of the speaker, which gets the values of all fields."""

    def __init__(self, method: str) -> None:
        self.method = method

    def say(self, speaker: Speaker, *values: Any) -> str:
        return str(getattr(speaker, self.method)(*values))


class Each(Part):
    """A list: each element is said by `part`. `glue` joins them; without it they are a list in words.

    Elements that are tuples give `part` several values.
    """

    def __init__(self, part: Part, glue: str = "") -> None:
        self.part = part
        self.glue = glue

    def say(self, speaker: Speaker, *values: Any) -> str:
        each = (value if isinstance(value, tuple) else (value,) for value in values[0])
        parts = [self.part.say(speaker, *value) for value in each]
        return self.glue.join(parts) if self.glue else speaker.words.join(parts)


class Term(Part):
    """A value that stands for a translatable text in a table; a value that is not there stays as it is."""

    def __init__(self, table: Mapping[str, str]) -> None:
        self.table = table

    def say(self, speaker: Speaker, *values: Any) -> str:
        value = str(values[0])
        return speaker.words._(self.table[value]) if value in self.table else value


#: Parts that every speaker can say: a player by the seat, an amount of money, a whole number.
NAME = By("name")
MONEY = By("money")
NUMBER = By("number")


class Sentence:
    """A translatable sentence about a struct, with a second text if it depends on a number.

    Keywords say how its placeholders are filled: by a part, or by the field of another name. `n` names the
    field with the number that decides about the plural, or with a list whose length does.
    """

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
        usual = {"name": NAME.of("seat")}
        self.parts = {
            name: Part().of(part) if isinstance(part, str) else part
            for name in sorted(names)
            for part in [parts.get(name, usual.get(name, name))]
        }

    def said(self, speaker: Speaker, told: object) -> str:
        """The sentence about `told`."""
        params = {name: part.said(speaker, told, name) for name, part in self.parts.items()}
        if not self.many:
            return speaker.words._(self.text, **params)
        count = getattr(told, self.n)
        number = count if isinstance(count, int) else len(count)
        return speaker.words.ngettext(self.text, self.many, number, **params)


class If:
    """One of two sentences: `yes` if the field is true, or is the value that `equals` gives."""

    def __init__(
        self, field: str, yes: Told, no: Told, /, *, equals: tuple[object, ...] | None = None
    ) -> None:
        self.field = field
        self.yes = yes
        self.no = no
        self.equals = equals

    def said(self, speaker: Speaker, told: object) -> str:
        """The sentence about `told`."""
        value = getattr(told, self.field)
        holds = bool(value) if self.equals is None else value in self.equals
        return (self.yes if holds else self.no).said(speaker, told)


#: What an event or an action declares.
Told = Sentence | If
