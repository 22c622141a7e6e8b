"""Texts in German and English: gettext catalogues, numbers and names."""

from __future__ import annotations

import gettext
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from importlib import resources

LANGUAGES = ("de", "en")

#: Maximum number of texts cached per language and title.
MOST_TEXTS = 20_000


@lru_cache
def catalogue(language: str) -> gettext.NullTranslations:
    """Translations of a language; source texts are English."""
    if language == "en":
        return gettext.NullTranslations()
    path = resources.files("kursbuch") / "locale" / language / "LC_MESSAGES" / "kursbuch.mo"
    with path.open("rb") as file:
        return gettext.GNUTranslations(file)


@lru_cache
def _spoken(language: str, terms: tuple[tuple[str, str], ...]) -> Callable[[str], str]:
    """Translate into a language with replaced terms, cached by text."""
    translated = catalogue(language).gettext

    @lru_cache(MOST_TEXTS)
    def speak(text: str) -> str:
        return _in_terms(translated(text), terms)

    return speak


def _in_terms(text: str, terms: Iterable[tuple[str, str]]) -> str:
    for usual, own in terms:
        text = text.replace(usual, own)
    return text


class Words:
    """A reader's language and the names at the table.

    >>> words = Words("en", ["Anna", "Bernd"])
    >>> words._("{name} receives {amount}.", name=words.name(0), amount=words.money(12000))
    'Anna receives £12,000.'
    """

    def __init__(
        self,
        language: str = "en",
        names: Sequence[str] = (),
        terms: Mapping[str, Mapping[str, str]] | None = None,
    ) -> None:
        self.language = language if language in LANGUAGES else "en"
        self.names = tuple(names)
        self._terms = tuple((terms or {}).get(self.language, {}).items())
        self._spoken = _spoken(self.language, self._terms)
        self._hash = hash((self.language, self.names, self._terms))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Words):
            return False
        same = other.names == self.names and other.language == self.language
        return same and other._terms == self._terms

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def nameless(self) -> Words:
        """The same without names, for texts that are the same at all tables."""
        return Words(self.language, (), {self.language: dict(self._terms)})

    def speaking(self, terms: Mapping[str, Mapping[str, str]]) -> Words:
        """The same with other terms by language: a rulebook's own terms in shared sentences.

        >>> words = Words("de").speaking({"de": {"Spieler": "Mitspieler"}})
        >>> words._("Player {number}", number=1)
        'Mitspieler 1'
        """
        return Words(self.language, self.names, terms)

    def _(self, template: str, /, **params: object) -> str:
        """Translate a sentence and fill in its parameters."""
        text = self._spoken(template)
        return text.format(**params) if params else text

    def ngettext(self, singular: str, plural: str, n: int, /, **params: object) -> str:
        """Translate a sentence with a plural, with the number as `n`."""
        text = _in_terms(catalogue(self.language).ngettext(singular, plural, n), self._terms)
        return text.format(n=self.number(n), **params)

    def name(self, seat: int) -> str:
        """The player's name of a seat."""
        if seat < len(self.names):
            return self.names[seat]
        return self._("Player {number}", number=seat + 1)

    def number(self, value: int) -> str:
        """A whole number with the language's thousands separator.

        >>> Words("en").number(-1200)
        '−1,200'
        """
        text = f"{value:,}".replace("-", "\N{MINUS SIGN}")
        return text.replace(",", ".") if self.language == "de" else text

    def money(self, amount: int, sign: str = "£") -> str:
        """Format money; a currency sign that is a letter comes last.

        >>> Words("en").money(1200, "£"), Words("en").money(92, "M")
        ('£1,200', '92\\xa0M')
        """
        minus = "\N{MINUS SIGN}" if amount < 0 else ""
        if self.language == "de" or sign.isalpha():
            return f"{minus}{self.number(abs(amount))}\N{NO-BREAK SPACE}{sign}"
        return f"{minus}{sign}{self.number(abs(amount))}"

    def lasting(self, minutes: int) -> str:
        """Approximate duration.

        >>> Words("en").lasting(300), Words("en").lasting(75)
        ('about 5 hours', 'about 75 minutes')
        """
        hours, rest = divmod(minutes, 60)
        if hours > 1 and not rest:
            return self._("about {hours} hours", hours=hours)
        return self._("about {minutes} minutes", minutes=minutes)

    def join(self, parts: Sequence[str]) -> str:
        """Join as "a, b and c"."""
        if len(parts) < 2:
            return "".join(parts)
        return self._("{first} and {last}", first=", ".join(parts[:-1]), last=parts[-1])

    def either(self, parts: Sequence[str]) -> str:
        """Join as "a, b or c"."""
        if len(parts) < 2:
            return "".join(parts)
        return self._("{first} or {last}", first=", ".join(parts[:-1]), last=parts[-1])


def sign(difference: int) -> str:
    """Sign of a difference; empty for 0."""
    return "+" if difference > 0 else "\N{MINUS SIGN}" if difference < 0 else ""


def N_(text: str) -> str:
    """Mark a text for translation at its declaration."""
    return text
