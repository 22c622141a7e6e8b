"""Files that are traps: small, and far more than a computer has time or room for when they are read without limits.

They are made here, so that none of them lies anywhere.
"""

from __future__ import annotations

import gzip
import io
import json
import struct
import zipfile
from collections.abc import Callable, Iterable
from typing import Any

import kursbuch
from kursbuch.games.dice.components import standard_data as of_dice
from kursbuch.games.nimm.components import standard_data as of_nimm
from kursbuch.games.rocket.components import standard_data as of_rocket

# ---- serializations of Java

START = b"\xac\xed\x00\x05"
NULL, REFERENCE, CLASS, OBJECT, STRING, ARRAY, END, LONG_STRING = (
    bytes([code]) for code in (0x70, 0x71, 0x72, 0x73, 0x74, 0x75, 0x78, 0x7C)
)
FIRST_HANDLE = 0x7E0000


def utf(text: str) -> bytes:
    return struct.pack(">H", len(text)) + text.encode()


def string(text: str) -> bytes:
    return STRING + utf(text)


def reference(number: int) -> bytes:
    """What was the object of that number in the stream."""
    return REFERENCE + struct.pack(">i", FIRST_HANDLE + number)


def new_class(name: str, above: bytes = NULL, fields: Iterable[bytes] = ()) -> bytes:
    found = list(fields)
    head = CLASS + utf(name) + struct.pack(">qBH", 1, 2, len(found))
    return head + b"".join(found) + END + above


def array(class_: bytes, *values: bytes, declared: int | None = None) -> bytes:
    size = len(values) if declared is None else declared
    return ARRAY + class_ + struct.pack(">i", size) + b"".join(values)


OBJECTS = "[Ljava.lang.Object;"


def shared(levels: int, width: int = 2) -> bytes:
    """Arrays of references to the same array of references, and so on."""
    # The class is number 0, and every array has a number more than the one it stands in.
    inner = array(new_class(OBJECTS), *[string("x")] * 2)
    stream = inner
    number = 1
    # Arrays that stand one after the other, each of the one before.
    for _ in range(levels):
        stream += array(reference(0), *[reference(number)] * width)
        number += 3 if number == 1 else 1
    return START + stream


def nested(levels: int) -> bytes:
    """Arrays in arrays."""
    return START + (
        array(new_class(OBJECTS), b"") + array(reference(0), b"", declared=1) * levels + NULL
    )


def containing_itself() -> bytes:
    """A list that is its own only value."""
    count = struct.pack(">i", 1)
    size = b"I" + utf("size")
    list_ = CLASS + utf("java.util.ArrayList") + struct.pack(">qBH", 1, 3, 1) + size + END + NULL
    return START + OBJECT + list_ + count + b"\x77\x04" + count + reference(1) + END


def derived_from_itself() -> bytes:
    return START + OBJECT + new_class("Loop", above=reference(0))


def long_line_of_classes(classes: int, objects: int) -> bytes:
    """Objects of a class that is derived from one that is derived from another, and so on."""
    stream = OBJECT + new_class("A0")
    numbers = [0]
    number = 2
    for _ in range(classes - 1):
        stream += OBJECT + new_class("A", above=reference(numbers[-1]))
        numbers.append(number)
        number += 2
    return START + stream + (OBJECT + reference(numbers[-1])) * objects


def repeated_text() -> bytes:
    """A long text that stands in an array very often."""
    text = LONG_STRING + struct.pack(">q", 300_000) + b"x" * 300_000
    return START + text + array(new_class(OBJECTS), *[reference(0)] * 100_000)


JAVA: dict[str, Callable[[], bytes]] = {
    "40 levels of shared references": lambda: shared(40),
    "shared references, wide": lambda: shared(6, 1000),
    "a list that contains itself": containing_itself,
    "a class derived from itself": derived_from_itself,
    "10,000 levels": lambda: nested(10_000),
    "100,000 levels": lambda: nested(100_000),
    "an array of 10 million": lambda: START + array(new_class(OBJECTS), declared=10_000_000),
    "an array of 10 million numbers": lambda: START + array(new_class("[I"), declared=10_000_000),
    "an array of 900,000 empty places": lambda: (
        START + array(new_class(OBJECTS), *[NULL] * 900_000)
    ),
    "300,000 texts": lambda: START + string("") * 300_000,
    "classes derived from one another": lambda: long_line_of_classes(5000, 100_000),
    "30,000 fields": lambda: START + OBJECT + new_class("X", fields=[b"I" + utf("a")] * 30_000),
    "a text of 2 GB": lambda: START + LONG_STRING + struct.pack(">q", 2**31 - 1) + b"x",
    "a text of 8 EB": lambda: START + LONG_STRING + struct.pack(">q", 2**63 - 1) + b"x",
    "a long text very often": repeated_text,
    "a gzip bomb": lambda: gzip.compress(START + bytes(50_000_000), 9),
    "a zip bomb": lambda: zipped(50_000_000),
    "nothing but its beginning": lambda: START,
}


def zipped(size: int) -> bytes:
    """A zip file of nothing but zeros."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        archive.writestr("game", bytes(size))
    return file.getvalue()


# ---- component data


def changed(data: bytes, **changes: Any) -> bytes:
    """Component data with other values."""
    return json.dumps({**json.loads(data), **changes}).encode()


def absurd(data: bytes, number: int) -> bytes:
    """Component data whose numbers are all the same one."""

    def of(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: of(found) for key, found in value.items()}
        if isinstance(value, list):
            return [of(found) for found in value]
        return number if isinstance(value, int) and not isinstance(value, bool) else value

    return json.dumps(of(json.loads(data))).encode()


def one_absurd(data: bytes, number: int) -> Iterable[tuple[str, bytes]]:
    """Component data with one number after the other changed; of lists only the first record."""
    file = json.loads(data)

    def places(value: Any, path: str) -> Iterable[tuple[Any, Any, str]]:
        items: Iterable[tuple[Any, Any]] = ()
        if isinstance(value, dict):
            items = value.items()
        elif isinstance(value, list):
            items = list(enumerate(value))[:1]
        for key, found in items:
            if isinstance(found, int) and not isinstance(found, bool):
                yield value, key, f"{path}.{key}"
            else:
                yield from places(found, f"{path}.{key}")

    for holder, key, path in list(places(file, "")):
        before = holder[key]
        holder[key] = number
        yield path, json.dumps(file).encode()
        holder[key] = before


DATA: dict[str, tuple[str, Callable[[], bytes]]] = {
    "deep JSON": ("rocket", lambda: b"[" * 400_000),
    "deep JSON in a field": ("nimm", lambda: b'{"cards": ' * 90_000),
    "deep JSON of dice": ("dice", lambda: b'{"x": ' + b"[" * 400_000 + b"]" * 400_000 + b"}"),
    "huge numbers": ("rocket", lambda: absurd(of_rocket(), 10**9)),
    "huge numbers of dice": ("dice", lambda: absurd(of_dice(), 10**9)),
    "huge numbers of cards": ("nimm", lambda: absurd(of_nimm(), 10**9)),
    "a gzip bomb": ("rocket", lambda: gzip.compress(bytes(50_000_000), 9)),
}

# ---- positions

POSITIONS: dict[str, Callable[[], bytes]] = {
    "TOML with deep tables": lambda: b'title = "1835"\n[' + b".".join([b"a"] * 45_000) + b"]\n",
    "TOML with many deep tables": lambda: (
        b'title = "1835"\n'
        + b"".join(b"[" + b".".join([b"a%d" % number] * 15) + b"]\n" for number in range(1000))
    ),
    "TOML with deep lists": lambda: b'title = "1835"\ntiles = ' + b"[" * 90_000,
    "TOML with deep objects": lambda: b'title = "1835"\ntiles = ' + b"{a=" * 30_000,
    "deep JSON": lambda: b'{"title": "1835", "tiles": ' + b"[" * 90_000,
    "deep JSON to its end": lambda: (
        b'{"title": "1835", "x": ' + b"[" * 40_000 + b"]" * 40_000 + b"}"
    ),
    "JSON just deep enough": lambda: b'{"title": "1835", "x": ' + b"[" * 960 + b"]" * 960 + b"}",
    "a huge number": lambda: b'{"title": "1835", "phase": ' + b"9" * 90_000 + b"}",
    "a huge number of zeros": lambda: b'{"title": "1835", "phase": 1e999999999}',
    "many trains": lambda: json.dumps({"title": "1835", "trains": {"BY": ["2"] * 15_000}}).encode(),
}

# ---- records


def record(title: str, moves: int) -> str:
    """The beginning of a record with this many moves, drawn out to that length by turns that cannot come."""
    game = kursbuch.new(title, ["Ada", "Ben", "Cleo"], seed="11")
    choice = game.legal_actions(game.pending[0].seat)[0]
    game.apply(choice.action)
    head, _, first = game.record().partition("\n\n")
    line = next(found for found in first.splitlines() if found.startswith("1. ")).partition(". ")[2]
    return head + "\n\n" + "".join(f"{number}. {line}\n" for number in range(1, moves + 1))


def many_players(number: int) -> str:
    head = record("rocket", 0).partition("seat 1")[0]
    return head + "".join(f"seat {seat}: P{seat}\n" for seat in range(1, number)) + "\n"


#: As large as there is room for.
RECORDS: dict[str, Callable[[], str]] = {
    "30,000 moves": lambda: record("rocket", 30_000),
    "40,000 players": lambda: many_players(40_000),
    "one long line": lambda: "Kursbuch record 1\ntitle: " + "x" * 900_000,
    "nothing but lines": lambda: "Kursbuch record 1\n" + "\n" * 900_000,
    "a draw of many": lambda: record("nimm", 0) + f"draw: 1 of {'9' * 5000}\n",
}


# ---- backups


def backup(*lines: bytes, times: int = 1) -> bytes:
    """A backup that starts as one should, with these lines repeated."""
    rows = {"setting": times}
    head = {"kursbuch": "backup", "format": 1, "revision": "1", "program": "1", "rows": rows}
    section = {"table": "setting", "columns": ["key"], "kinds": ["plain"]}
    start = [json.dumps(head | {"made_at": "2026-01-01T00:00:00Z"}), json.dumps(section)]
    file = io.BytesIO()
    with gzip.open(file, "wb", compresslevel=1) as packed:
        packed.write("\n".join(start).encode() + b"\n")
        for _ in range(times):
            packed.writelines(lines)
    return file.getvalue()


BACKUPS: dict[str, tuple[Callable[[], bytes], str]] = {
    "nothing but zeros": (lambda: gzip.compress(bytes(300_000_000), 1), "not a Kursbuch backup"),
    "a line of 1.5 GB": (
        lambda: backup(*[bytes(1_000_000)] * 1500),
        "is damaged|takes too much time or memory",
    ),
    "30 million lists in a line": (
        lambda: backup(b"[[" + b"[]," * 30_000_000 + b"[]]]\n"),
        "takes too much time or memory",
    ),
    "100,000 levels": (
        lambda: backup(b"[" * 100_000 + b"]" * 100_000 + b"\n"),
        "takes too much time or memory",
    ),
}
