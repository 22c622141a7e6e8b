"""Patches: the parts of a page that changed, compressed once for all readers."""

from __future__ import annotations

import hashlib
import struct
import sys
import zlib
from array import array
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import TypeAlias

#: Higher levels take longer than the transmission.
LEVEL = 4

#: Bytes of a text for which a small window is enough.
SHORT = 32_768

#: The header of a gzip file without name and time, and the end of its compressed data.
HEAD = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"
_END = b"\x03\x00"


def packed(data: bytes) -> bytes:
    """Compress a part of a text so that other parts can go before and after it."""
    # Preparing a large window takes longer than compressing an event.
    window, memory = (zlib.MAX_WBITS, zlib.DEF_MEM_LEVEL) if len(data) > SHORT else (13, 6)
    press = zlib.compressobj(LEVEL, zlib.DEFLATED, -window, memory)
    # A full flush ends at a byte, and later data do not refer to anything before.
    return press.compress(data) + press.flush(zlib.Z_FULL_FLUSH)


class ServerEvent:
    """A server-sent event of JSON `data`, which has no line breaks of its own. Many readers get it."""

    def __init__(self, name: str, data: bytes, fields: str = "") -> None:
        self.data = f"{fields}event: {name}\r\ndata: ".encode() + data + b"\r\n\r\n"

    @cached_property
    def packed(self) -> bytes:
        """The event, compressed."""
        return packed(self.data)


def joined(parts: Iterable[tuple[str, bytes]]) -> bytes:
    """Join packed parts to a gzip file.

    >>> import gzip
    >>> gzip.decompress(joined((text, packed(text.encode())) for text in ("one ", "", "two"))).decode()
    'one two'
    """
    check, size, body = 0, 0, [HEAD]
    for text, press in parts:
        data = text.encode()
        check, size = zlib.crc32(data, check), size + len(data)
        body.append(press)
    return b"".join([*body, _END, struct.pack("<II", check, size & 0xFFFFFFFF)])


#: A patch: two numbers are a first piece and the number of pieces copied from there, a text is one or more new pieces.
Script = list[int | str]

#: The marks of a sent text: a number for each piece, equal only for equal pieces.
Marks: TypeAlias = "array[int]"

#: Number of pieces compared at once, and number of new pieces after which the next is searched for everywhere.
BLOCK, AFTER = 64, 3


def marks(pieces: Iterable[str]) -> Marks:
    """The marks of the pieces of a text, valid in this process."""
    return array("q", map(_mark, pieces))


_NOTHING: Marks = array("q")


def _digest(piece: str) -> int:
    digest = hashlib.blake2b(piece.encode(), digest_size=8).digest()
    return int.from_bytes(digest, signed=True)


#: Hashes depend on a secret key; 32 bits would be too few.
_mark = hash if sys.hash_info.width >= 64 else _digest


class Section:
    """A section of a page: its lines, most of which a move leaves as they are."""

    def __init__(self, html: str) -> None:
        # Lines of markup would be markup, which takes longer to make.
        self.lines = str.split(html, "\n")
        #: Memory in bytes, about as much as the key of its facts takes.
        self.weight = len(html) + 70 * len(self.lines)

    @property
    def html(self) -> str:
        """The whole section."""
        return "\n".join(self.lines)

    @cached_property
    def marks(self) -> Marks:
        """The marks of its lines."""
        return marks(self.lines)


def page_script(old: Mapping[str, Marks], new: Mapping[str, Section]) -> Script:
    """The patch between the lines of two pages, of which the sections that changed are compared.

    >>> one = {"a": Section("1"), "b": Section("2\\n3"), "c": Section("4")}
    >>> other = {**one, "b": Section("2\\n5"), "d": Section("6")}
    >>> page_script({name: section.marks for name, section in one.items()}, other)
    [0, 2, '5', 3, 1, '6']
    """
    starts, end = {}, 0
    for name, sent in old.items():
        starts[name] = end
        end += len(sent)
    steps: Script = []
    for name, section in new.items():
        before = old.get(name, _NOTHING)
        if before is section.marks:
            _copy(steps, starts[name], len(before))
            continue
        each = iter(script(before, section.marks, section.lines, "\n"))
        for step in each:
            if not isinstance(step, str):
                _copy(steps, starts[name] + step, int(next(each)))
            elif steps and isinstance(steps[-1], str):
                steps[-1] += "\n" + step
            else:
                steps.append(step)
    return steps


def _copy(steps: Script, first: int, count: int) -> None:
    """Add copied pieces to a patch; if they follow on those copied before, to that step."""
    if len(steps) > 1:
        start, copied = steps[-2:]
        if isinstance(start, int) and isinstance(copied, int) and start + copied == first:
            steps[-1] = copied + count
            return
    steps += (first, count)


def script(old: Marks, new: Marks, pieces: Sequence[str], joint: str) -> Script:
    """The patch from an old text, of which only the marks are known, to new `pieces` joined by `joint`.

    >>> one, other = ["a", "b", "c", "d"], ["a", "x", "y", "c", "d"]
    >>> script(marks(one), marks(other), other, "-")
    [0, 1, 'x-y', 2, 2]
    >>> script(marks([]), marks(["a", "b"]), ["a", "b"], "-"), script(marks("a"), marks("a"), ["a"], "-")
    (['a-b'], [0, 1])
    """
    start = _same(old, new, 0, 0)
    same = _same(old[start:][::-1], new[start:][::-1], 0, 0)
    old_end, new_end = len(old) - same, len(new) - same
    steps: Script = [0, start] if start else []
    if start < min(old_end, new_end):
        steps += _between(old[:old_end], new[:new_end], pieces, start, joint)
    elif start < new_end:
        steps.append(joint.join(pieces[start:new_end]))
    if same:
        steps += [old_end, same]
    return steps


def _same(old: Marks, new: Marks, at: int, here: int) -> int:
    """The number of equal pieces from these places on."""
    count = 0
    while True:
        one = old[at + count : at + count + BLOCK]
        other = new[here + count : here + count + BLOCK]
        if one != other:
            break
        count += len(one)
        if len(one) < BLOCK:
            return count
    for piece, another in zip(one, other, strict=False):
        if piece != another:
            break
        count += 1
    return count


def _between(old: Marks, new: Marks, pieces: Sequence[str], start: int, joint: str) -> Script:
    """The patch for the pieces between the equal beginning and end."""
    places: dict[int, int] = {}
    steps: Script = []
    fresh = at = here = start
    while here < len(new):
        mark = new[here]
        # Most likely every new piece replaces an old one.
        place: int | None = at
        if at >= len(old) or old[at] != mark:
            if not places and here - fresh >= AFTER:
                places = dict(zip(old[start:], range(start, len(old)), strict=True))
            place = places.get(mark)
        if place is None:
            at += 1
            here += 1
            continue
        if fresh < here:
            steps.append(joint.join(pieces[fresh:here]))
        count = _same(old, new, place, here)
        steps += [place, count]
        at, here = place + count, here + count
        fresh = here
    if fresh < here:
        steps.append(joint.join(pieces[fresh:here]))
    return steps
