"""Serializations of Java as Python values, for the save files.

A small file can stand for more than a computer has room for, by values that are shared or contain themselves. What is
far from any game is refused."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from io import BytesIO
from typing import Any, NamedTuple

import javaobj.v2.beans as beans
from javaobj.constants import TerminalCode
from javaobj.v2.core import JavaStreamParser
from javaobj.v2.transformers import DefaultObjectTransformer

#: What a file begins with. Compressed ones are not saved by that program.
MAGIC = b"\xac\xed\x00\x05"

#: Files have some thousand objects of some thirty classes.
MOST_OBJECTS, MOST_CLASSES = 50_000, 200

#: How many classes one is derived from, and how deep values stand in others.
MOST_ANCESTORS, MOST_LEVELS = 20, 50

#: Values and characters of a file, each counted wherever it stands.
MOST_CONTENT = 5_000_000

# It logs what it does not understand and then raises.
logging.getLogger("javaobj").setLevel(logging.CRITICAL)


class JavaObject(NamedTuple):
    """An object of a class nothing is known about: the name of the class without the package, and its fields."""

    kind: str
    fields: dict[str, Any]


class TooMuch(Exception):
    """The file stands for more than any game has."""


def values(data: bytes) -> list[Any]:
    """The values in the content of a file, `TooMuch` if they are too large. Whatever else is raised means that it
    cannot be read."""
    if not data.startswith(MAGIC):
        raise ValueError("no serialization of Java")
    plain = _Values()
    return [plain.of(part) for part in _Parser(data).run()]


class _Parser(JavaStreamParser):
    """Reads a stream with no more objects and classes than games have."""

    def __init__(self, data: bytes) -> None:
        super().__init__(BytesIO(data), [DefaultObjectTransformer()])  # type: ignore[no-untyped-call]
        self._objects = 0
        #: How many classes each one that was read is derived from.
        self._ancestors: dict[int, int] = {}

    def _new_handle(self) -> int:
        self._objects += 1
        if self._objects > MOST_OBJECTS:
            raise TooMuch
        handle: int = super()._new_handle()
        return handle

    def _do_classdesc(self, type_code: int) -> Any:
        found: Any = super()._do_classdesc(type_code)
        if type_code in (TerminalCode.TC_CLASSDESC, TerminalCode.TC_PROXYCLASSDESC):
            above = found.super_class
            # One that is derived from itself has not been read to its end.
            ancestors = 0 if above is None else self._ancestors[above.handle] + 1
            self._ancestors[found.handle] = ancestors
            if ancestors > MOST_ANCESTORS or len(self._ancestors) > MOST_CLASSES:
                raise TooMuch
        return found


class _Values:
    """Java values as Python values. Lists are known by their class or their one field. A value that is shared is one
    value here as well, but counts wherever it stands: whoever goes through it meets it as often."""

    def __init__(self) -> None:
        #: What is known by the identity of the Java value, with how much it counts; None while it is looked at.
        self._known: dict[int, tuple[Any, int] | None] = {}
        #: These values, so that no other one gets their identity.
        self._held: list[object] = []
        self._content = 0
        self._levels = 0

    def of(self, value: Any) -> Any:
        """The Python value of one that stands by itself in the file."""
        found, content = self._plain(value)
        self._content += content
        if self._content > MOST_CONTENT:
            raise TooMuch
        return found

    def _plain(self, value: Any) -> tuple[Any, int]:
        if value is None or isinstance(value, bool | int | float):
            return value, 1
        if id(value) in self._known:
            known = self._known[id(value)]
            if known is None:
                raise TooMuch  # it contains itself
            return known
        self._known[id(value)] = None
        self._held.append(value)
        self._levels += 1
        if self._levels > MOST_LEVELS:
            raise TooMuch
        result = self._known[id(value)] = self._new(value)
        self._levels -= 1
        if result[1] > MOST_CONTENT:
            raise TooMuch
        return result

    def _new(self, value: Any) -> tuple[Any, int]:
        if isinstance(value, str | beans.JavaString):
            text = str(value)
            return text, 1 + len(text)
        if isinstance(value, beans.JavaEnum):
            text = str(value.value)
            return text, 1 + len(text)
        if isinstance(value, dict):
            keys, keyed = self._all(value)
            found, content = self._all(value.values())
            return dict(zip(keys, found, strict=True)), keyed + content
        if isinstance(value, list | tuple | set):
            return self._all(value)
        if isinstance(value, beans.JavaInstance):
            if hasattr(value, "value"):
                return self._plain(value.value)
            given = [one for group in value.field_data.values() for one in group.items()]
            found, content = self._all(held for _, held in given)
            fields = {field.name: one for (field, _), one in zip(given, found, strict=True)}
            if isinstance(fields.get("elements"), list):
                return fields["elements"], content
            return JavaObject(str(value.classdesc.name).rpartition(".")[2], fields), content
        return None, 1

    def _all(self, given: Iterable[Any]) -> tuple[list[Any], int]:
        """Several values in a list, and how much they count together."""
        found, total = [], 1
        for one in given:
            plain, content = self._plain(one)
            total += content
            if total > MOST_CONTENT:
                raise TooMuch
            found.append(plain)
        return found, total
