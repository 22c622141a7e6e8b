"""Files of component data: variants of the packaged file, and the printed values that owners of a game can correct.

A file is JSON. Here it is handled as plain data, so that nothing is lost that people wrote into it.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

import msgspec

from kursbuch.core.errors import KursbuchError, Label, require
from kursbuch.core.words import N_

#: A file of component data, decoded.
Data = dict[str, Any]

#: Sources of data that is recorded nowhere, and of data compared with the printed components.
RECONSTRUCTED, COMPONENT = "reconstructed", "component"

#: Keys of remarks for people, in records of a file.
REMARKS = ("note", "note_de", "source", "sources", "about")

#: Names of printed colours, translatable.
COLOUR_NAMES = {
    "white": N_("White"),
    "yellow": N_("Yellow"),
    "orange": N_("Orange"),
    "red": N_("Red"),
    "brown": N_("Brown"),
    "purple": N_("Purple"),
    "violet": N_("Violet"),
    "light blue": N_("Light blue"),
    "blue": N_("Blue"),
    "dark blue": N_("Dark blue"),
    "green": N_("Green"),
    "dark green": N_("Dark green"),
    "gray": N_("Gray"),
    "black": N_("Black"),
}


# ---- variants


class DataVariant(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A variant file: changes to the standard file."""

    variant_of: str
    changes: dict[str, Any]
    about: str = ""


def completed(data: bytes, title: str, standard: bytes) -> bytes:
    """Complete the file of a variant of `title`; return any other content unchanged.

    >>> completed(b'{"variant_of": "x", "changes": {"hexes": [{"id": "A1", "cost": 40}]}}', "x",
    ...     b'{"hexes": [{"id": "A1", "cost": 20, "name": "North"}, {"id": "A3", "cost": 0}]}')
    b'{"hexes":[{"id":"A1","cost":40,"name":"North"},{"id":"A3","cost":0}]}'
    """
    try:
        given = msgspec.json.decode(data)
        if not isinstance(given, dict) or "variant_of" not in given:
            return data
        variant = msgspec.convert(given, DataVariant)
        if variant.variant_of != title:
            raise KursbuchError(
                "The file of component data is a variant of {other}, not of {title}.",
                other=repr(variant.variant_of),
                title=title,
            )
        return msgspec.json.encode(_object(msgspec.json.decode(standard), variant.changes))
    except msgspec.ValidationError as error:
        raise KursbuchError(
            "The file of component data cannot be read: {why}.", why=str(error)
        ) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return data  # the reader reports the error


def _object(old: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    for key in changes:
        if key not in old:
            raise KursbuchError(
                "The variant changes {key}, which the file does not have.", key=repr(key)
            )
    return old | {key: _value(old[key], new) for key, new in changes.items()}


def _value(old: Any, new: Any) -> Any:
    if isinstance(old, dict) and isinstance(new, dict):
        return _object(old, new)
    if _are_records(old) and _are_records(new):
        return _records(old, new)
    return new


def _are_records(value: Any) -> bool:
    """Whether a value is a list of records with ids."""
    return isinstance(value, list) and all(
        isinstance(record, dict) and isinstance(record.get("id"), str) for record in value
    )


def _records(old: list[dict[str, Any]], changes: list[dict[str, Any]]) -> list[dict[str, Any]]:
    records = {record["id"]: record for record in old}
    for change in changes:
        name = change["id"]
        if change.get("remove") is True:
            if records.pop(name, None) is None:
                raise KursbuchError(
                    "The variant removes {id}, which the file does not have.", id=repr(name)
                )
        else:
            records[name] = records.get(name, {}) | change
    return list(records.values())


def variant_file(title: str, standard: Data, file: Data, about: str = "") -> bytes:
    """The variant file that makes `file` of the standard one; the whole file if no variant can.

    >>> variant_file("x", {"hexes": [{"id": "A1", "cost": 20}, {"id": "A3", "cost": 0}]},
    ...     {"hexes": [{"id": "A1", "cost": 40}, {"id": "A3", "cost": 0}]}).decode().split()[5:13]
    ['"hexes":', '[', '{', '"id":', '"A1",', '"cost":', '40', '}']
    """
    changes = _changes(standard, file)
    given: Data = {"variant_of": title, "about": about, "changes": changes}
    if not about:
        del given["about"]
    try:
        whole = _object(standard, changes) != file
    except KursbuchError:
        whole = True
    return msgspec.json.format(msgspec.json.encode(file if whole else given), indent=2)


def _changes(old: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
    """The differences of two objects, as a variant has them."""
    return {
        key: _change(old.get(key), value)
        for key, value in new.items()
        if key not in old or old[key] != value
    }


def _change(old: Any, new: Any) -> Any:
    if isinstance(old, dict) and isinstance(new, dict):
        return _changes(old, new)
    if not (_are_records(old) and _are_records(new)):
        return new
    before = {record["id"]: record for record in old}
    after = {record["id"] for record in new}
    removed = [{"id": name, "remove": True} for name in before if name not in after]
    changed = [
        {"id": record["id"]}
        | {
            key: value
            for key, value in record.items()
            if key not in before.get(record["id"], {}) or before[record["id"]][key] != value
        }
        for record in new
        if before.get(record["id"]) != record
    ]
    return removed + changed


def in_order(records: Iterable[Data], packaged: Iterable[Data]) -> list[Data]:
    """Records with ids in the order of the packaged ones, and new ones last, as a variant would have them."""
    places = {record["id"]: place for place, record in enumerate(packaged)}
    return sorted(records, key=lambda record: places.get(record["id"], len(places)))


# ---- printed values


class PrintedValue:
    """A value printed on a component: where it stands in the file, and how it is written and entered.

    `path` leads from the file to the value by keys, ids of records, or places in lists. `source` is the key of the
    record that names its source; `known` replaces what that says, unless the components have been looked at.
    """

    #: How pages ask for it: number, text, choice, choices, sides, grid or check.
    kind: ClassVar[str] = "text"

    def __init__(
        self, path: Sequence[str | int], label: str, source: str = "source", known: str = ""
    ) -> None:
        self.path = tuple(path)
        self.label = label
        self.source_key = source
        self.known = known
        self.name = ".".join(map(str, path))

    @property
    def options(self) -> Mapping[str, str]:
        """Possible values with their labels, where there are few."""
        return {}

    @property
    def limits(self) -> tuple[int, int, int]:
        """Least and greatest number, and the step between numbers."""
        return 0, 0, 1

    def record(self, file: Data) -> Any:
        """The record with the value."""
        found: Any = file
        for step in self.path[:-1]:
            if isinstance(found, list) and isinstance(step, str):
                found = next(record for record in found if record["id"] == step)
            else:
                found = found[step]
        return found

    def exists(self, file: Data) -> bool:
        """Whether a file has the value."""
        try:
            self.record(file)[self.path[-1]]
        except (StopIteration, LookupError):
            return False
        return True

    def source(self, file: Data) -> str:
        """Where the value comes from."""
        noted = self.noted_source(file)
        return noted if noted == COMPONENT or not self.known else self.known

    def noted_source(self, file: Data) -> str:
        """Where the record says that the value comes from."""
        return str(self.record(file).get(self.source_key, ""))

    def note_source(self, file: Data, source: str) -> None:
        """Let the record say where the value comes from."""
        self.record(file)[self.source_key] = source

    def read(self, file: Data) -> str:
        """The value as text."""
        return str(self.record(file)[self.path[-1]])

    def write(self, file: Data, text: str) -> None:
        """Change the value; `KursbuchError` for a text that cannot be one."""
        self.record(file)[self.path[-1]] = " ".join(text.split())

    def ordered(self, text: str) -> str:
        """A text in which the parts of a list stand in their order."""
        return text

    def shown(self, text: str) -> str:
        """A text of it for people."""
        return text


class PrintedNumber(PrintedValue):
    """A number within limits."""

    kind = "number"

    def __init__(
        self,
        path: Sequence[str | int],
        label: str,
        source: str = "source",
        known: str = "",
        *,
        limits: tuple[int, int, int] = (0, 1000, 1),
    ) -> None:
        super().__init__(path, label, source, known)
        self._limits = limits

    @property
    def limits(self) -> tuple[int, int, int]:
        return self._limits

    def number(self, text: str) -> int:
        """Read the number."""
        least, most, _ = self._limits
        text = text.strip()
        number = int(text) if text.isascii() and text.isdecimal() and len(text) < 9 else -1
        require(
            least <= number <= most,
            "{label} must be a number from {least} to {most}, not {text}.",
            label=Label(self.label),
            least=least,
            most=most,
            text=repr(text[:20]),
        )
        return number

    def write(self, file: Data, text: str) -> None:
        self.record(file)[self.path[-1]] = self.number(text)


class PrintedChoice(PrintedValue):
    """One of a few values; the labels are translatable."""

    kind = "choice"

    def __init__(
        self,
        path: Sequence[str | int],
        label: str,
        options: Mapping[str, str],
        source: str = "source",
        known: str = "",
    ) -> None:
        super().__init__(path, label, source, known)
        self._options = options

    @property
    def options(self) -> Mapping[str, str]:
        return self._options

    def write(self, file: Data, text: str) -> None:
        for word in text.split(SEPARATOR):
            require(
                not word or word in self.options,
                "{label} cannot be {text}.",
                label=Label(self.label),
                text=repr(word[:20]),
            )
        self._store(file, text)

    def _store(self, file: Data, text: str) -> None:
        self.record(file)[self.path[-1]] = text

    def shown(self, text: str) -> str:
        return self.options.get(text, text)


#: Separates the values of a list.
SEPARATOR = ","


class PrintedChoices(PrintedChoice):
    """A list with some of a few values, in their order."""

    kind = "choices"

    def read(self, file: Data) -> str:
        return SEPARATOR.join(self.in_order(self.record(file)[self.path[-1]]))

    def in_order(self, chosen: Iterable[str]) -> list[str]:
        """Values in the order of the options."""
        found = set(chosen)
        return [option for option in self.options if option in found]

    def ordered(self, text: str) -> str:
        chosen = text.split(SEPARATOR)
        unknown = [option for option in chosen if option not in self.options]
        return SEPARATOR.join([*self.in_order(chosen), *filter(None, unknown)])

    def _store(self, file: Data, text: str) -> None:
        chosen = self.in_order(text.split(SEPARATOR))
        if self.read(file) != SEPARATOR.join(chosen):
            self.record(file)[self.path[-1]] = chosen

    def shown(self, text: str) -> str:
        return text.replace(SEPARATOR, ", ") or "–"


class PrintedList(PrintedValue):
    """A list of ids, written with commas."""

    def read(self, file: Data) -> str:
        return ", ".join(self.record(file)[self.path[-1]])

    def write(self, file: Data, text: str) -> None:
        words = text.replace(",", " ").split()
        if words != self.record(file)[self.path[-1]]:
            self.record(file)[self.path[-1]] = words


class PrintedGrid(PrintedValue):
    """Rows of letters; each letter has a label."""

    kind = "grid"

    def __init__(self, path: Sequence[str | int], label: str, options: Mapping[str, str]) -> None:
        super().__init__(path, label)
        self._options = options

    @property
    def options(self) -> Mapping[str, str]:
        return self._options

    def read(self, file: Data) -> str:
        return "\n".join(self.record(file)[self.path[-1]])

    def write(self, file: Data, text: str) -> None:
        self.record(file)[self.path[-1]] = text.split()

    def shown(self, text: str) -> str:
        return text.replace("\n", " / ")


class PrintedComponent(NamedTuple):
    """A component with its printed values, as one reader sees it: `group` is the heading under which it stands,
    `hex` its place on the map."""

    id: str
    name: str
    group: str
    values: Sequence[PrintedValue]
    hex: str = ""
    drawing: str = ""
    note: str = ""


class Difference(NamedTuple):
    """A value that differs from that of the packaged file."""

    component: PrintedComponent
    value: PrintedValue
    ours: str
    text: str


def differences(
    components: Iterable[PrintedComponent], standard: Data, file: Data
) -> Iterator[Difference]:
    """What differs between two files in the printed values."""
    for component in components:
        for value in component.values:
            if value.exists(standard):
                ours, text = value.read(standard), value.read(file)
                if ours != text:
                    yield Difference(component, value, ours, text)


def corrected(
    components: Sequence[PrintedComponent],
    standard: Data,
    file: Data,
    entered: Mapping[str, str],
    checked: Mapping[str, bool],
    align: Callable[[Data], None],
) -> Data:
    """A copy of the file with other values, by name, and the sources of components that were compared with the box.

    Components missing in `checked` stay as they are. `align` brings in line what follows from other values.
    """
    new = copy.deepcopy(file)
    for component in components:
        for value in component.values:
            if value.name in entered and entered[value.name] != value.read(file):
                value.write(new, entered[value.name])
    align(new)
    for component in components:
        for key in {value.source_key for value in component.values}:
            same = [one for one in component.values if one.source_key == key]
            if not all(one.exists(standard) for one in same):
                continue
            differs = any(one.read(new) != one.read(standard) for one in same)
            doubtful = [one for one in same if one.source(standard) == RECONSTRUCTED]
            if differs or (doubtful and checked.get(component.id)):
                for one in same:
                    if one.source(new) == RECONSTRUCTED:
                        one.note_source(new, COMPONENT)
            elif doubtful and component.id in checked and same[0].noted_source(new) == COMPONENT:
                same[0].note_source(new, same[0].noted_source(standard))
    return new


def beyond(
    components: Sequence[PrintedComponent],
    standard: Data,
    file: Data,
    align: Callable[[Data], None],
) -> list[str]:
    """Names of what differs from the standard file besides printed values."""
    like = copy.deepcopy(standard)
    for component in components:
        for value in component.values:
            if value.exists(like) and value.read(like) != value.read(file):
                value.write(like, value.read(file))
    align(like)
    return sorted(set(_names(like, file, "")))


def _names(old: Any, new: Any, where: str) -> Iterator[str]:
    if old == new:
        return
    if isinstance(old, dict) and isinstance(new, dict):
        for key in old.keys() | new.keys():
            if key not in REMARKS and not key.endswith("_source"):
                yield from _names(old.get(key), new.get(key), f"{where} {key}")
    elif _are_records(old) and _are_records(new):
        before, after = ({record["id"]: record for record in side} for side in (old, new))
        for name in before.keys() | after.keys():
            if any(_names(before.get(name), after.get(name), "?")):
                yield f"{where} {name}".strip()
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for one, other in zip(old, new, strict=True):
            yield from _names(one, other, where)
    else:
        yield where.strip()
