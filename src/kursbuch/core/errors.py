"""Refusals and input errors: one translatable sentence each."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Self

from kursbuch.core.words import Words


class Plural(NamedTuple):
    """Singular and plural template of a sentence, selected by the parameter `n`.

    >>> str(KursbuchError(Plural("{n} share is left.", "{n} shares are left."), n=1))
    '1 share is left.'
    """

    one: str
    many: str


class Players:
    """Seats as a parameter of a sentence, shown as names once the table is known.

    >>> str(Players((0, 2))), str(Players((0, 2), ("Anna", "Bernd", "Clara")))
    ('Player 1 and Player 3', 'Anna and Clara')
    """

    def __init__(self, seats: Sequence[int], names: Sequence[str] = ()) -> None:
        self.seats = tuple(seats)
        self.names = tuple(names)

    def text(self, words: Words) -> str:
        """The names as a list in the reader's language."""
        names = Words(words.language, self.names or words.names)
        return names.join([names.name(seat) for seat in self.seats])

    def __str__(self) -> str:
        return self.text(Words())


class Money:
    """An amount as a parameter of a sentence, formatted for the reader's language.

    >>> str(Money(1200, "$"))
    '$1,200'
    """

    def __init__(self, amount: int, sign: str) -> None:
        self.amount = amount
        self.sign = sign

    def text(self, words: Words) -> str:
        """The amount with its sign."""
        return words.money(self.amount, self.sign)

    def __str__(self) -> str:
        return self.text(Words())


class Label:
    """A translatable name as a parameter of a sentence, with parameters of its own.

    >>> str(KursbuchError("{company} has no train.", company=Label("Minor {id}", id="6")))
    'Minor 6 has no train.'
    """

    def __init__(self, template: str, **params: object) -> None:
        self.template = template
        self.params = params

    def text(self, words: Words) -> str:
        """The name in the language of `words`."""
        return words._(self.template, **self.params)

    def __str__(self) -> str:
        return self.text(Words())


class Labels:
    """Names as a parameter of a sentence, listed with commas.

    >>> str(Labels([Label("Minor {id}", id="6"), "BS"]))
    'Minor 6, BS'
    """

    def __init__(self, names: Iterable[Label | str]) -> None:
        self.names = tuple(names)

    def text(self, words: Words) -> str:
        """The names in the language of `words`."""
        return ", ".join(
            name.text(words) if isinstance(name, Label) else name for name in self.names
        )

    def __str__(self) -> str:
        return self.text(Words())


class KursbuchError(ValueError):
    """Invalid input, explained in one sentence to the person who gave it.

    The sentence is a translatable template with parameters, so the error can be shown in the reader's language.

    >>> str(KursbuchError("There is no game called {title}.", title="1899"))
    'There is no game called 1899.'

    Input that is not encodable text is escaped.

    >>> print(KursbuchError("There is no game called {title}.", title="\\ud800"))
    There is no game called \\ud800.
    """

    def __init__(self, template: str | Plural, /, **params: object) -> None:
        self.template = template
        for name, value in params.items():
            if isinstance(value, str) and not value.isascii():
                # Surrogates cannot be encoded.
                params[name] = value.encode("utf-8", "backslashreplace").decode("utf-8")
        self.params = params
        super().__init__(template)

    def __str__(self) -> str:
        # Most refusals are never read.
        template = self.template
        if isinstance(template, Plural):
            template = template.one if self.params["n"] == 1 else template.many
        return template.format(**self.params) if self.params else template

    def name_players(self, names: Sequence[str]) -> None:
        """Replace seats by the names at a table."""
        for name, value in self.params.items():
            if isinstance(value, Players):
                self.params[name] = Players(value.seats, names)

    def text(self, words: Words) -> str:
        """The sentence in the language of `words`, including nested names, amounts and errors."""
        params: dict[str, Any] = {
            name: value.text(words) if isinstance(value, LAZY) else value
            for name, value in self.params.items()
        }
        if isinstance(self.template, Plural):
            return words.ngettext(*self.template, params.pop("n"), **params)
        return words._(self.template, **params)

    def __reduce__(self) -> tuple[object, ...]:
        more = {
            key: value for key, value in vars(self).items() if key not in ("template", "params")
        }
        params = {name: _sendable(value) for name, value in self.params.items()}
        return _rebuild, (type(self), self.template, params), more


#: Parameters of sentences that are said in the reader's language.
LAZY = KursbuchError | Players | Money | Label | Labels


def _sendable(value: object) -> object:
    """A sentence parameter that can be pickled."""
    return value if isinstance(value, str | int | float | LAZY) else str(value)


def _rebuild(
    kind: type[KursbuchError], template: str | Plural, params: Mapping[str, object]
) -> KursbuchError:
    error = kind.__new__(kind)
    KursbuchError.__init__(error, template, **params)
    return error


def require(condition: object, template: str, **params: object) -> None:
    """Raise `KursbuchError` unless a condition holds."""
    if not condition:
        raise KursbuchError(template, **params)


class NotNow(KursbuchError):
    """A failure that may pass: the same input can work later, once something else is available."""


#: Terms of a refusal whose title is not known yet.
NO_TERMS: Mapping[str, Mapping[str, str]] = {}


class IllegalAction(KursbuchError):
    """An action the rules forbid.

    `rule` is the id of the rule in the title's index; shared code gives the name a rule states until the title is
    known. `reference` has the title in front ("rocket:move-6"). An empty rule means malformed input, such as a field
    of the wrong type or a seat that does not exist.
    """

    def __init__(self, rule: str, template: str | Plural, /, **params: object) -> None:
        super().__init__(template, **params)
        self.rule = rule
        self.title = ""
        #: Terms of the title's rulebook by language (`Title.terms`).
        self.terms: Mapping[str, Mapping[str, str]] = NO_TERMS
        #: How many checks the action passed before this one (`first_refusal`).
        self.passed = 0
        #: Sentences for an action with open fields, by field (`without`).
        self.open: dict[str, KursbuchError] = {}

    def without(self, field: str, template: str | Plural = "", /, **params: object) -> Self:
        """Add the sentence for an action whose `field` is still open when no value of it gets further. Without a
        template, the refusal's own sentence is used. The field added first wins.

        >>> refusal = IllegalAction("supply", "There is no tile {tile} left.", tile="8")
        >>> refusal = refusal.without("tile", "No tile that fits {hex} is left.", hex="D4")
        >>> str(refusal.in_general({"tile", "rotation"})), refusal.in_general({"seat"})
        ('No tile that fits D4 is left.', None)
        """
        said = KursbuchError(template, **params) if template else self
        self.open[field] = said
        return self

    def in_general(self, fields: Collection[str]) -> IllegalAction | None:
        """The refusal with these fields open; None if it is about a single action."""
        for field, said in self.open.items():
            if field in fields:
                return IllegalAction(self.rule, said.template, **said.params)
        return None

    def text(self, words: Words) -> str:
        """The sentence in the language of `words` and the terms of the title."""
        return super().text(words.speaking(self.terms) if self.terms else words)

    @property
    def reference(self) -> str:
        """The rule with its title, as shown to players."""
        return f"{self.title}:{self.rule}" if self.rule and self.title else self.rule


def first_refusal(checks: Iterable[IllegalAction | None]) -> IllegalAction | None:
    """The first refusal of a sequence of checks, None if all pass.

    Order checks from the general to the specific: the more an action passes, the closer it was to being legal.

    >>> refusal = first_refusal([None, None, IllegalAction("cost", "It is too dear.")])
    >>> str(refusal), refusal.passed
    ('It is too dear.', 2)
    """
    for passed, refusal in enumerate(checks):
        if refusal is not None:
            refusal.passed += passed
            return refusal
    return None


class RecordError(KursbuchError):
    """A record that cannot be read or breaks the rules.

    `line` is the line number, from 1. `rule` is the reference of the broken rule, empty if the file itself is
    malformed.
    """

    def __init__(self, line: int, rule: str, template: str, /, **params: object) -> None:
        super().__init__(template, **params)
        self.line = line
        self.rule = rule


def no_move(text: str, forms: Iterable[str]) -> KursbuchError:
    """The error for a text that is no move, listing the forms that begin with the same word if there are any.

    >>> str(no_move("lays 8", ["lays TILE on HEX", "passes"]))
    "'lays 8' is not a move; moves are: lays TILE on HEX."
    """
    known = list(forms)
    begins = text.lower().split()[:1]
    alike = [form for form in known if form.lower().split()[:1] == begins]
    return KursbuchError(
        "{text} is not a move; moves are: {forms}.",
        text=repr(text[:80]),
        forms=", ".join(alike or known),
    )
