"""What a title teaches: a page to read in five minutes, a player aid, and a guided first game.

All of it stands in English and German in `learn.toml` in the package of the title, if it has one; the
moves of the guided game stand beside it in `guide.txt`, a record.

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

#: The space between a sum and the sign of its money: no line ends there.
_AMOUNT = re.compile(r"(?<=\d) (?=[£$]|M\b)")


class Picture(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The board of the guided game after a number of moves; `focus` are the keys of elements to point out,
    on which a page looks closely unless it shows the `whole` board."""

    move: int
    caption: Phrase
    focus: tuple[str, ...] = ()
    whole: bool = False


class Chapter(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A part of the page to read in five minutes: one or two paragraphs with a blank line between, the
    rules where all of it stands exactly, and a picture."""

    id: str
    heading: Phrase
    text: Phrase
    rules: tuple[str, ...] = ()
    picture: Picture | None = None


class AidSection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A section of the player aid: short lines."""

    heading: Phrase
    lines: tuple[Phrase, ...]


class GuideStep(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the reader does after `at` moves of the guided game, and why."""

    at: int
    do: Phrase
    because: Phrase
    rules: tuple[str, ...] = ()


class GuideNote(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is said once `at` moves have been made."""

    at: int
    text: Phrase


class GuideJump(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A stretch of a long game that is played for everybody, the reader too, from `at` to `to` moves, when
    the reader wants to go on; `text` says before what happens in it."""

    at: int
    to: int
    text: Phrase


class Guide(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A guided first game: the reader on the first seat, computers called `players` on the others.

    `record` are its moves (`guide.txt`); after `stop` of them the guide says the `summary` and ends.
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
    """What a title teaches."""

    chapters: tuple[Chapter, ...]
    aid: tuple[AidSection, ...]
    guide: Guide | None = None

    @classmethod
    def load(cls, package: str, rules: Container[str]) -> Lessons | None:
        """The lessons that lie in a package, None if it has none. `rules` has the ids that can be cited."""
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
        """The lessons in a TOML text; errors name the file and the entry.

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
        """Nothing stands twice, nothing is empty, every cited rule exists, and what looks at the guided
        game has one."""
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
    """The file as it is written."""

    chapter: tuple[Chapter, ...] = ()
    aid: tuple[AidSection, ...] = ()
    guide: Guide | None = None
