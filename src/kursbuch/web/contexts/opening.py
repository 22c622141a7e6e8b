"""A record is opened."""

from __future__ import annotations

import msgspec

from kursbuch.web.contexts.asking import CopySeat
from kursbuch.web.contexts.common import Fact, FieldChoice


class RecordInfo(msgspec.Struct, frozen=True):
    """A record that was read: `text` is what is sent on, `facts` are what it is, `remarks` what the import has
    to say. `seats` say who can play each of them (seat{n}); `over` that it can only be looked at from its
    last move."""

    text: str
    title_name: str
    facts: list[Fact]
    remarks: list[str]
    moves: int
    over: bool
    seats: list[CopySeat]
    undo: list[FieldChoice]


class OpenPage(msgspec.Struct, frozen=True):
    """open.html: the form for a record (fields file, text; POST /open), and for the table that goes on with it
    (text, number, seat{n}, kind, undo, listed; POST /open/table). `endings` are those of files of other programs."""

    error: str
    text: str
    endings: str
    record: RecordInfo | None
