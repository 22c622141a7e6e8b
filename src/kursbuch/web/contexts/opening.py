"""A record is opened."""

from __future__ import annotations

import msgspec

from kursbuch.web.contexts.asking import CopySeat
from kursbuch.web.contexts.common import Fact
from kursbuch.web.contexts.start import NewTablePage


class RecordInfo(msgspec.Struct, frozen=True):
    """A record that was read: `text` is what is sent on, `data` the component data that came with it, `facts` are
    what it is, `remarks` what the import has to say. `seats` say who can play each of them (seat{n}); `over` that it
    can only be looked at from its last move, of all its `moves`. `number`, `private` and `chosen` (what a table for
    others is like) are what is filled in."""

    text: str
    data: str
    title_name: str
    facts: list[Fact]
    remarks: list[str]
    moves: int
    over: bool
    seats: list[CopySeat]
    number: str
    private: bool
    chosen: NewTablePage


class OpenPage(msgspec.Struct, frozen=True):
    """open.html: the form for a record (fields file, text, data; POST /open), and for the table that goes on with it
    (text, data, number, seat{n}, kind, and what a table is like as in new.html; POST /open/table). `endings` are those
    of files of other programs."""

    error: str
    text: str
    endings: str
    record: RecordInfo | None
