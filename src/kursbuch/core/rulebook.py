"""The rule index of a game: every rule in English and German, cited by id.

An index is a TOML file in the package of its game. Code, refusals and tests cite a rule by its id, with the title in
front where needed: `rocket:move-6`.

>>> index = RuleIndex.parse('''
... [game]
... id = "tram"
... title = "Tram"
... players = [2, 4]
...
... [[rule]]
... id = "turn-1"
... kind = "rule"
... section = "Turn"
... summary = "Players take turns clockwise."
... summary_de = "Gespielt wird im Uhrzeigersinn."
...
... [[rule]]
... id = "turn-2"
... kind = "rule"
... summary = "A turn may be passed."
... depends = ["turn-1"]
... ambiguity = "Twice in a row?"
... ruling = "Yes."
... ruling_source = "reconstructed"
... ''', "tram.toml")
>>> index["turn-1"].text("de")
'Gespielt wird im Uhrzeigersinn.'
>>> [rule.id for rule in index], "turn-9" in index
(['turn-1', 'turn-2'], False)
>>> [rule.id for rule in index.search("turn PASSED")]
['turn-2']
>>> index.reference("turn-2")
'tram:turn-2'
>>> [rule.id for rule in index.dependents("turn-1")]
['turn-2']
>>> index["turn-3"]
Traceback (most recent call last):
    ...
kursbuch.core.rulebook.UnknownRule: Tram has no rule turn-3; did you mean turn-2?
"""

from __future__ import annotations

import difflib
import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from importlib import resources
from typing import Any, Literal, TypeVar

import msgspec

from kursbuch.core.errors import KursbuchError, require

Kind = Literal["rule", "table", "example", "definition", "option"]

#: Source of a statement: the rulebook, public records of the printed game, the printed components, or our own
#: reconstruction.
Source = Literal["rulebook", "public", "component", "reconstructed"]

REFERENCE = re.compile(r"([a-z0-9]+(?:-[a-z0-9]+)*):([A-Za-z0-9][A-Za-z0-9._-]*)", re.I)

#: Characters allowed around a citation, and words allowed before it.
AROUND = " ()[].,;"
RULE_WORDS = ("rule", "regel")


class UnknownRule(KursbuchError, KeyError):
    """A rule id that is not in the index."""


class Bilingual(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A record with English texts, and German ones in the fields ending in `_de`."""

    def in_language(self, field: str, language: str) -> str:
        """A text in a language; falls back to English."""
        german: str = getattr(self, field + "_de", "") if language == "de" else ""
        english: str = getattr(self, field)
        return german or english

    def texts(self) -> Iterator[tuple[str, str, str]]:
        """All texts: field name, English and German text."""
        for field in self.__struct_fields__:
            if field.endswith("_de"):
                name = field.removesuffix("_de")
                if getattr(self, name) or getattr(self, field):
                    yield name, getattr(self, name), getattr(self, field)


class Phrase(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A bilingual table entry; in the file `{ en = "yellow", de = "gelb" }`."""

    en: str
    de: str

    def text(self, language: str) -> str:
        return self.de if language == "de" else self.en


#: A table entry: a number, a language-independent name, or a list of these.
Plain = str | int
Cell = Plain | Phrase | tuple[Plain, ...]


class Example(Bilingual, frozen=True, forbid_unknown_fields=True):
    """A situation and what the rule says about it."""

    given: str
    expect: str
    given_de: str = ""
    expect_de: str = ""


class Rule(Bilingual, frozen=True, forbid_unknown_fields=True):
    """One rule in our own words.

    `ambiguity` is what the book leaves open, `ruling` how it is played here, and `publication` the id of the public
    record it comes from. `data` holds the rows of a table and `columns` their headings; `table` gives them in a
    language. `untested` is the reason why no test can show the rule; all other rules need a test. `states` are the
    names by which shared code cites this rule (`RuleIndex.cite`).

    >>> rule = RuleIndex.parse('''
    ... [game]
    ... id = "tram"
    ... title = "Tram"
    ... players = [2, 4]
    ...
    ... [[rule]]
    ... id = "table-cars"
    ... kind = "table"
    ... summary = "Cars by colour."
    ... columns = [{ en = "colour", de = "Farbe" }, "km/h", { en = "lines", de = "Linien" }]
    ... data = [[{ en = "red", de = "rot" }, 40, [1, "2a"]], [{ en = "green", de = "grün" }, 60, []]]
    ... ''', "tram.toml")["table-cars"]
    >>> rule.headings("de"), rule.table("de")
    (['Farbe', 'km/h', 'Linien'], [['rot', 40, (1, '2a')], ['grün', 60, ()]])
    >>> [[written(cell) for cell in row] for row in rule.table("en")]
    [['red', '40', '1, 2a'], ['green', '60', '–']]
    """

    id: str
    kind: Kind
    summary: str
    summary_de: str = ""
    section: str = ""
    section_de: str = ""
    source: Source = "rulebook"
    depends: tuple[str, ...] = ()
    ambiguity: str = ""
    ambiguity_de: str = ""
    ruling: str = ""
    ruling_de: str = ""
    ruling_source: Source | None = None
    publication: str = ""
    example: Example | None = None
    example_source: Literal["rulebook", "derived"] = "rulebook"
    columns: tuple[str | Phrase, ...] = ()
    data: tuple[tuple[Cell, ...], ...] = ()
    untested: str = ""
    states: tuple[str, ...] = ()

    def text(self, language: str) -> str:
        """The rule's text."""
        return self.in_language("summary", language)

    def texts(self) -> Iterator[tuple[str, str, str]]:
        """All texts, including the example and the table."""
        yield from super().texts()
        if self.example:
            for field, english, german in self.example.texts():
                yield f"example.{field}", english, german
        for phrase in self.columns:
            if isinstance(phrase, Phrase):
                yield "columns", phrase.en, phrase.de
        for number, row in enumerate(self.data, start=1):
            for cell in row:
                if isinstance(cell, Phrase):
                    yield f"data row {number}", cell.en, cell.de

    def headings(self, language: str) -> list[str]:
        return [each.text(language) if isinstance(each, Phrase) else each for each in self.columns]

    def table(self, language: str) -> list[list[Plain | tuple[Plain, ...]]]:
        return [
            [cell.text(language) if isinstance(cell, Phrase) else cell for cell in row]
            for row in self.data
        ]


def written(cell: Plain | tuple[Plain, ...]) -> str:
    """Format a table entry; an empty list is a dash."""
    if isinstance(cell, tuple):
        return ", ".join(map(str, cell)) or "–"
    return str(cell)


class Publication(Bilingual, frozen=True, forbid_unknown_fields=True):
    """A public record that rules or rulings come from."""

    id: str
    name: str
    name_de: str
    address: str

    def text(self, language: str) -> str:
        """Its name and address for readers."""
        return f"{self.in_language('name', language)} ({self.address})"


class Question(Bilingual, frozen=True, forbid_unknown_fields=True):
    """A decision of a player: who, when, and the options."""

    id: str
    who: str
    when: str
    options: str
    who_de: str = ""
    when_de: str = ""
    options_de: str = ""
    mandatory: bool = True
    simultaneous: bool = False
    secret: bool = False
    rules: tuple[str, ...] = ()


class Hidden(Bilingual, frozen=True, forbid_unknown_fields=True):
    """Hidden information, or a statement about what is public."""

    id: str
    what: str
    what_de: str = ""
    known_to: str = ""
    known_to_de: str = ""
    until: str = ""
    until_de: str = ""
    rules: tuple[str, ...] = ()


class Component(Bilingual, frozen=True, forbid_unknown_fields=True):
    """A type of piece and its count; `part_of` is the id of the component it is counted in."""

    id: str
    name: str
    count: int
    name_de: str = ""
    part_of: str = ""
    source: Source = "rulebook"
    detail: str = ""
    detail_de: str = ""


class Correction(Bilingual, frozen=True, forbid_unknown_fields=True):
    """A correction of the rules, left out when older games are replayed. `edition` is the first edition with it;
    `text` is the rule since then."""

    id: str
    edition: int
    rule: str
    text: str
    text_de: str


class GameInfo(Bilingual, frozen=True, forbid_unknown_fields=True):
    """The game, its edition and its player counts (fewest, most). `unstated` are names cited by shared code
    (`Rule.states`) that do not apply to this game."""

    id: str
    title: str
    players: tuple[int, int]
    edition: str = ""
    edition_de: str = ""
    designer: str = ""
    unstated: tuple[str, ...] = ()


RecordT = TypeVar("RecordT", bound=Bilingual)

TABLES = ("game", "publication", "rule", "decision", "hidden", "component", "correction")


class RuleIndex(msgspec.Struct, frozen=True, dict=True):
    """All rules of a game in the order of its book, and its other facts.

    Iterate over the rules; `index[id]` and `id in index` look one up.
    """

    game: GameInfo
    rules: tuple[Rule, ...]
    publications: tuple[Publication, ...] = ()
    questions: tuple[Question, ...] = ()
    hidden: tuple[Hidden, ...] = ()
    components: tuple[Component, ...] = ()
    corrections: tuple[Correction, ...] = ()

    @classmethod
    def load(cls, package: str, name: str = "rules.toml") -> RuleIndex:
        """Load the index from a package."""
        try:
            text = resources.files(package).joinpath(name).read_text("utf-8")
        except (ModuleNotFoundError, FileNotFoundError):
            raise KursbuchError(
                "There is no rule index {file} in {package}.", file=name, package=package
            ) from None
        return cls.parse(text, f"{package.replace('.', '/')}/{name}")

    @classmethod
    def parse(cls, text: str, file: str) -> RuleIndex:
        """Parse an index in TOML; errors name the file and the entry.

        >>> RuleIndex.parse('''
        ... game = { id = "tram", title = "Tram", players = [2, 4] }
        ... rule = [{ id = "a-1", kind = "rule", sumary = "Misspelt." }]
        ... ''', "tram.toml")
        Traceback (most recent call last):
            ...
        kursbuch.core.errors.KursbuchError: tram.toml, rule a-1: contains unknown field `sumary`.
        """
        try:
            tables = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise KursbuchError(
                "{file} is not valid TOML: {why}.", file=file, why=str(error)
            ) from None
        for name in tables:
            if name not in TABLES:
                raise KursbuchError("{file} has an unknown table {name}.", file=file, name=name)
        game = tables.get("game")
        if not isinstance(game, dict):
            raise KursbuchError("{file} has no table {name}.", file=file, name="game")
        index = cls(
            game=_record(game, GameInfo, file, "game"),
            rules=tuple(_records(tables, "rule", Rule, file)),
            publications=tuple(_records(tables, "publication", Publication, file)),
            questions=tuple(_records(tables, "decision", Question, file)),
            hidden=tuple(_records(tables, "hidden", Hidden, file)),
            components=tuple(_records(tables, "component", Component, file)),
            corrections=tuple(_records(tables, "correction", Correction, file)),
        )
        index._check(file)
        return index

    def _check(self, file: str) -> None:
        """Check that ids are unique within their table and cited rules exist."""
        for name, records in (
            ("rule", self.rules),
            ("publication", self.publications),
            ("decision", self.questions),
            ("hidden", self.hidden),
            ("component", self.components),
            ("correction", self.corrections),
        ):
            for id_, count in Counter(record.id for record in records).items():
                require(
                    count == 1,
                    "{file}, {entry}: the id is used {count} times.",
                    file=file,
                    entry=f"{name} {id_}",
                    count=count,
                )
        stated: dict[str, str] = {}
        for rule in self.rules:
            given = {"file": file, "entry": f"rule {rule.id}"}
            for name in rule.states:
                is_new = name not in self and stated.setdefault(name, rule.id) == rule.id
                require(
                    is_new,
                    "{file}, {entry}: {name} is already stated by another rule.",
                    name=name,
                    **given,
                )
            require(
                not rule.publication or self.publication(rule) is not None,
                "{file}, {entry}: there is no publication {name}.",
                name=rule.publication,
                **given,
            )
            require(
                not rule.publication or "public" in (rule.source, rule.ruling_source),
                "{file}, {entry}: neither the rule nor the ruling is from a publication.",
                **given,
            )
            require(
                all(len(row) == len(rule.columns or rule.data[0]) for row in rule.data),
                "{file}, {entry}: the rows of the table are not all the same length.",
                **given,
            )
        cited: list[tuple[str, Iterable[str]]] = [
            *((f"rule {rule.id}", rule.depends) for rule in self.rules),
            *((f"decision {question.id}", question.rules) for question in self.questions),
            *((f"hidden {hidden.id}", hidden.rules) for hidden in self.hidden),
            *((f"correction {each.id}", (each.rule,)) for each in self.corrections),
        ]
        for entry, ids in cited:
            for id_ in ids:
                require(
                    id_ in self,
                    "{file}, {entry}: there is no rule {rule}.",
                    file=file,
                    entry=entry,
                    rule=id_,
                )
        require(
            {each.edition for each in self.corrections} == set(range(2, self.edition + 1)),
            ("{file}: the editions of the corrections are not numbered consecutively from 2."),
            file=file,
        )

    @cached_property
    def edition(self) -> int:
        """Newest edition of the rules: 1 plus the number of correction sets."""
        return max((each.edition for each in self.corrections), default=1)

    def uncorrected(self, edition: int) -> list[str]:
        """Corrections that an edition does not have."""
        return [each.id for each in self.corrections if each.edition > edition]

    def corrections_of(self, rule: str) -> list[Correction]:
        """Corrections of a rule."""
        return [each for each in self.corrections if each.rule == rule]

    def publication(self, rule: Rule) -> Publication | None:
        """The publication behind a rule."""
        return next((each for each in self.publications if each.id == rule.publication), None)

    @cached_property
    def by_id(self) -> Mapping[str, Rule]:
        return {rule.id: rule for rule in self.rules}

    @cached_property
    def stated(self) -> Mapping[str, str]:
        """Rule ids by the names they state."""
        return {name: rule.id for rule in self.rules for name in rule.states}

    def cite(self, name: str) -> str:
        """The id of the rule that states a name; ids are returned unchanged.

        >>> index = RuleIndex.parse('''
        ... game = { id = "tram", title = "Tram", players = [2, 4] }
        ... rule = [{ id = "7.2", kind = "rule", summary = "Trams wait.", states = ["waiting"] }]
        ... ''', "tram.toml")
        >>> index.cite("waiting"), index.cite("7.2")
        ('7.2', '7.2')
        """
        return self.stated.get(name, name)

    def __getitem__(self, id_: str) -> Rule:
        try:
            return self.by_id[id_]
        except KeyError:
            pass
        near = difflib.get_close_matches(id_, self.by_id, n=1)
        if near:
            raise UnknownRule(
                "{title} has no rule {rule}; did you mean {near}?",
                title=self.game.title,
                rule=id_,
                near=near[0],
            )
        raise UnknownRule("{title} has no rule {rule}.", title=self.game.title, rule=id_)

    def find(self, citation: str) -> Rule:
        """The rule of a printed citation, with or without title and brackets.

        >>> index = RuleIndex.parse('''
        ... game = { id = "tram", title = "Tram", players = [2, 4] }
        ... rule = [{ id = "turn-1", kind = "rule", summary = "Trams wait." }]
        ... ''', "tram.toml")
        >>> {index.find(text).id for text in ("turn-1", "rule tram:turn-1", "[Tram:Turn-1]", "(turn-1).")}
        {'turn-1'}
        >>> index.find("rocket:turn-1")
        Traceback (most recent call last):
            ...
        kursbuch.core.errors.KursbuchError: turn-1 is a rule of rocket, not of tram.
        """
        id_ = bare_citation(citation)
        if ":" in id_:
            title, id_ = parse_reference(id_)
            if title != self.game.id:
                raise KursbuchError(
                    "{rule} is a rule of {game}, not of {title}.",
                    rule=id_,
                    game=title,
                    title=self.game.id,
                )
        if id_ not in self.by_id:
            id_ = next((known for known in self.by_id if known.lower() == id_.lower()), id_)
        return self[id_]

    def is_citation(self, text: str) -> bool:
        """Whether a text is a citation rather than search words."""
        given = bare_citation(text)
        return REFERENCE.fullmatch(given) is not None or given.lower() in map(str.lower, self.by_id)

    def __contains__(self, id_: object) -> bool:
        return id_ in self.by_id

    def __iter__(self) -> Iterator[Rule]:
        return iter(self.rules)

    def __len__(self) -> int:
        return len(self.rules)

    def reference(self, id_: str) -> str:
        """The id with the title in front, as cited outside the game."""
        return f"{self.game.id}:{self[id_].id}"

    def dependents(self, id_: str) -> list[Rule]:
        """The rules that depend on this one."""
        return [rule for rule in self.rules if id_ in rule.depends]

    def search(self, words: str) -> list[Rule]:
        """The rules that contain all of these words in their id or texts, in any language.

        Case is ignored and partial words match. A citation matches its id.
        """
        wanted = [
            word.strip(AROUND).removeprefix(f"{self.game.id}:") if REFERENCE.search(word) else word
            for word in words.casefold().split()
        ]
        found = []
        for rule in self.rules:
            texts = [text for _, english, german in rule.texts() for text in (english, german)]
            cells = [written(cell) for row in rule.table("en") for cell in row]
            body = "\n".join([rule.id, *texts, *cells]).casefold()
            if all(word in body for word in wanted):
                found.append(rule)
        return found

    def untranslated(self) -> list[str]:
        """Texts without a translation, as "entry field"."""
        records: tuple[
            Rule | Publication | Question | Hidden | Component | Correction | GameInfo, ...
        ] = (
            self.game,
            *self.publications,
            *self.rules,
            *self.questions,
            *self.hidden,
            *self.components,
            *self.corrections,
        )
        return [
            f"{record.id} {field}"
            for record in records
            for field, english, german in record.texts()
            if not (english and german)
        ]


def bare_citation(citation: str) -> str:
    """A citation without what may be printed around it.

    >>> bare_citation("(rule rocket:move-6).")
    'rocket:move-6'
    """
    text = citation.strip(AROUND)
    first, _, rest = text.partition(" ")
    return rest.strip(AROUND) if first.lower() in RULE_WORDS else text


def parse_reference(text: str) -> tuple[str, str]:
    """Title and rule id of a reference as printed: with or without brackets and the word "rule".

    >>> parse_reference("rocket:move-6")
    ('rocket', 'move-6')
    >>> parse_reference("1835:2.6.2.4")
    ('1835', '2.6.2.4')
    >>> parse_reference("[Rocket:move-6]"), parse_reference("rule rocket:move-6")
    (('rocket', 'move-6'), ('rocket', 'move-6'))
    >>> parse_reference("move-6")
    Traceback (most recent call last):
        ...
    kursbuch.core.errors.KursbuchError: A rule is cited as TITLE:ID, such as rocket:move-6; \
this is not: 'move-6'.
    """
    match = REFERENCE.fullmatch(bare_citation(text))
    if not match:
        raise KursbuchError(
            "A rule is cited as TITLE:ID, such as rocket:move-6; this is not: {text}.",
            text=repr(text),
        )
    return match[1].lower(), match[2]


def _records(
    tables: dict[str, Any], name: str, kind: type[RecordT], file: str
) -> Iterator[RecordT]:
    records = tables.get(name, [])
    if not isinstance(records, list):
        raise KursbuchError(
            "{file}: {name} must be a list of tables, [[{name}]].", file=file, name=name
        )
    for number, record in enumerate(records, start=1):
        id_ = record.get("id", f"no. {number}") if isinstance(record, dict) else f"no. {number}"
        yield _record(record, kind, file, f"{name} {id_}")


def _record(record: object, kind: type[RecordT], file: str, entry: str) -> RecordT:
    try:
        return msgspec.convert(record, kind)
    except msgspec.ValidationError as error:
        why = str(error).removeprefix("Object ")
        raise KursbuchError("{file}, {entry}: {why}.", file=file, entry=entry, why=why) from None
