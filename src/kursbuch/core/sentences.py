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
from operator import attrgetter
from string import Formatter
from typing import Any, ClassVar, Protocol, Self

from kursbuch.core.words import Words


class Speaker(Protocol):
    """An object that says sentences to one reader; its methods say the parts (`By`)."""

    words: Words


class Part:
    """A value in a sentence: as it stands."""

    #: The fields it says; None for the field with the name of the placeholder.
    fields: tuple[str | By, ...] | None = None

    def of(self, *fields: str | By) -> Self:
        """The same part for other fields: names, with dots for fields of fields, or values that a method gives."""
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
        """The value, in the words of the speaker."""
        return self.say(speaker, *self.values(speaker, told, placeholder))

    def say(self, speaker: Speaker, *values: Any) -> str:
        """These values, in the words of the speaker."""
        return str(values[0])


class By(Part):
    """A value that a method of the speaker gives, which gets the values of all fields; a dot leads to a method of
    something that the speaker has. It can also stand for a whole sentence."""

    def __init__(self, method: str) -> None:
        self.method = attrgetter(method)

    def call(self, speaker: Speaker, told: object) -> Any:
        """What the method gives, which need not be a text."""
        return self.method(speaker)(*self.values(speaker, told, ""))

    def said(self, speaker: Speaker, told: object, placeholder: str | None = None) -> str:
        return super().said(speaker, told, placeholder or "")

    def say(self, speaker: Speaker, *values: Any) -> str:
        return str(self.method(speaker)(*values))


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

    #: How placeholders are filled that are said in the same way everywhere.
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
        """The sentence about `told`; `line` stands before it (`Then`)."""
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
    """Whether a field, or what a method gives, is true, or is one of the values `equals`."""

    def __init__(self, field: str | By, equals: tuple[object, ...] | None = None) -> None:
        self.value = Part().of(field)
        self.equals = equals

    def holds(self, speaker: Speaker, told: object) -> bool:
        """Whether it holds of `told`."""
        (value,) = self.value.values(speaker, told, "")
        return bool(value) if self.equals is None else value in self.equals


class If(Condition):
    """One of two sentences, by a condition; None leaves what stands before it (`Then`) as it is."""

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
    """A sentence, and others that add to it: `{line}` in each is what stands before it.

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


#: What an event or an action declares.
Told = Sentence | If | Then | By
