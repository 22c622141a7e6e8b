"""Texts that are compressed in parts, so that a part many are sent is compressed only once, and a stream is read as
far as it has been sent."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable

#: More would take longer than the line.
LEVEL = 4

#: What a gzip file without a name or a time begins with, and the end of what is compressed in it.
HEAD = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"
_END = b"\x03\x00"


def packed(data: bytes) -> bytes:
    """A part of a text, compressed so that other parts can go before and after it."""
    press = zlib.compressobj(LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS)
    # A full flush ends at a byte, and what follows does not refer to anything before.
    return press.compress(data) + press.flush(zlib.Z_FULL_FLUSH)


def joined(parts: Iterable[tuple[str, bytes]]) -> bytes:
    """A gzip file of parts that were packed before.

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
