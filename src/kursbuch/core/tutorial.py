"""Lessons of a title: a five-minute introduction, a player aid and a guided first game.

The texts are bilingual, in `learn.toml` in the package of the title; `guide.txt` beside it is the record of the
guided game.

>>> lessons = Lessons.parse('''
... [[chapter]]
... id = "aim"
... heading = { en = "What it is about", de = "Worum es geht" }
... text = { en = "Carry people.", de = "Leute fahren." }
... rules = ["turn-1"]
...
... [[aid]]
... heading = { en = "In your turn", de = "Im Zug" }
... lines = [{ en = "Drive on.", de = "Weiterfahren." }]
... ''', "learn.toml", {"turn-1"})
>>> lessons.chapters[0].text.text("de")
'Leute fahren.'
>>> lessons.guide is None
True
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Container, Iterator
from importlib import resources

import msgspec

from kursbuch.core.errors import KursbuchError
from kursbuch.core.rulebook import Phrase

#: Space before a currency sign, made non-breaking.
_AMOUNT = re.compile(r"(?<=\d) (?=[£$]|M\b)")


class Picture(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The board of the guided game after a number of moves. `focus` lists highlighted elements; pages zoom in on them
    unless `whole` is set."""

    move: int
    caption: Phrase
    focus: tuple[str, ...] = ()
    whole: bool = False


class Chapter(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A chapter of the introduction: one or two paragraphs separated by a blank line, the rules behind it, and a
    picture."""

    id: str
    heading: Phrase
    text: Phrase
    rules: tuple[str, ...] = ()
    picture: Picture | None = None


class AidSection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A section of the player aid, in short lines."""

    heading: Phrase
    lines: tuple[Phrase, ...]


class GuideStep(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The learner's move after `at` moves of the guided game, and the reason for it."""

    at: int
    do: Phrase
    because: Phrase
    rules: tuple[str, ...] = ()


class GuideNote(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A comment after `at` moves."""

    at: int
    text: Phrase


class GuideJump(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An automatic stretch from `at` to `to` moves, played for all seats including the learner's; `text` summarises
    it beforehand."""

    at: int
    to: int
    text: Phrase


class Guide(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A guided first game: the learner has the first seat, bots named `players` the others.

    `record` contains the moves (`guide.txt`); after `stop` moves the guide shows the `summary` and ends.
    """

    players: tuple[str, ...]
    seed: str
    stop: int
    summary: Phrase
    step: tuple[GuideStep, ...]
    note: tuple[GuideNote, ...] = ()
    jump: tuple[GuideJump, ...] = ()
    options: dict[str, str] = {}
    record: str = ""


class Lessons(msgspec.Struct, frozen=True):
    """Lessons of a title."""

    chapters: tuple[Chapter, ...]
    aid: tuple[AidSection, ...]
    guide: Guide | None = None

    @classmethod
    def load(cls, package: str, rules: Container[str]) -> Lessons | None:
        """Load the lessons from a package, None if it has none. `rules` contains the ids that can be cited."""
        folder = resources.files(package)
        file = folder / "learn.toml"
        if not file.is_file():
            return None
        record = folder / "guide.txt"
        return cls.parse(
            file.read_text("utf-8"),
            f"{package.replace('.', '/')}/learn.toml",
            rules,
            record.read_text("utf-8") if record.is_file() else "",
        )

    @classmethod
    def parse(cls, text: str, file: str, rules: Container[str], record: str = "") -> Lessons:
        """Parse lessons in TOML; errors name the file and the entry.

        >>> Lessons.parse('chapter = [{ id = "aim", heading = { en = "Aim" } }]', "learn.toml", ())
        Traceback (most recent call last):
            ...
        kursbuch.core.errors.KursbuchError: learn.toml: Object missing required field `de` - at \
`$.chapter[0].heading`.
        """
        try:
            whole = _AMOUNT.sub("\N{NO-BREAK SPACE}", text)
            found = msgspec.convert(tomllib.loads(whole), _File)
        except tomllib.TOMLDecodeError as error:
            raise KursbuchError(
                "{file} is not valid TOML: {why}.", file=file, why=str(error)
            ) from None
        except msgspec.ValidationError as error:
            raise KursbuchError("{file}: {why}.", file=file, why=str(error)) from None
        guide = found.guide and msgspec.structs.replace(found.guide, record=record)
        lessons = cls(found.chapter, found.aid, guide)
        lessons._check(file, rules)
        return lessons

    def _check(self, file: str, rules: Container[str]) -> None:
        """Check for duplicates, empty texts, unknown rules and references to a missing guided game."""
        for problem in self._problems(rules):
            raise KursbuchError("{file}: {why}.", file=file, why=problem)

    def _problems(self, rules: Container[str]) -> Iterator[str]:
        for id_, count in Counter(chapter.id for chapter in self.chapters).items():
            if count > 1:
                yield f"the id {id_} is used {count} times"
        for entry, ids in self._cited():
            yield from (f"{entry}: there is no rule {id_}" for id_ in ids if id_ not in rules)
        for phrase in self.phrases():
            if not (phrase.en.strip() and phrase.de.strip()):
                yield f"a text is empty ({phrase.en or phrase.de or 'in both languages'})"
        guide = self.guide
        for chapter in self.chapters:
            if chapter.picture and not guide:
                yield f"chapter {chapter.id}: there is no guided game for its picture"
        if guide is None:
            return
        if not guide.record:
            yield "the guided game has no guide.txt"
        for kind, numbers in (
            ("step", [step.at for step in guide.step]),
            ("note", [note.at for note in guide.note]),
        ):
            for number in numbers:
                if number < 0 or number > guide.stop - (kind == "step"):
                    yield f"{kind} {number} is not within the {guide.stop} moves of the guide"
            if numbers != sorted(set(numbers)):
                yield f"the {kind}s of the guide are not in order"
        ends = [number for jump in guide.jump for number in (jump.at, jump.to)]
        if ends != sorted(set(ends)) or ends[-1:] > [guide.stop]:
            yield "the jumps of the guide are not in order"

    def _cited(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        for chapter in self.chapters:
            yield f"chapter {chapter.id}", chapter.rules
        for step in self.guide.step if self.guide else ():
            yield f"step {step.at}", step.rules

    def phrases(self) -> Iterator[Phrase]:
        """All texts."""
        for chapter in self.chapters:
            yield from (chapter.heading, chapter.text)
            if chapter.picture:
                yield chapter.picture.caption
        for section in self.aid:
            yield from (section.heading, *section.lines)
        if self.guide:
            yield self.guide.summary
            for step in self.guide.step:
                yield from (step.do, step.because)
            yield from (note.text for note in self.guide.note)
            yield from (jump.text for jump in self.guide.jump)


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The file's structure."""

    chapter: tuple[Chapter, ...] = ()
    aid: tuple[AidSection, ...] = ()
    guide: Guide | None = None
