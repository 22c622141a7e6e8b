"""What has happened and what was said."""

from __future__ import annotations

import msgspec

from kursbuch.web.contexts.common import Fact


class LogLine(msgspec.Struct, frozen=True, gc=False):
    """A log line: the number of its move (0: set-up), its text and its rule. `seat` is the
    one that moved, on the first line of a move. `opens`: another part of the game begins. `automatic`
    says that nobody made the move: the time was over, or the seat never wants to be asked. `mover` is who
    made the move on all its lines; `announced` is what everybody should hear of at once. `note`: it is no
    move but happened at the table after move `number`; `url` is where it leads to, if anywhere."""

    number: int
    text: str
    rule: str
    rule_url: str
    seat: int | None
    automatic: bool
    opens: bool
    mover: int | None
    announced: bool
    note: bool = False
    url: str = ""


class Since(msgspec.Struct, frozen=True):
    """What happened since the reader's last move: how many moves of others, what everybody received and
    paid by them, what it was, and the elements of the board it happened at, each with the seat that moved."""

    sentence: str
    sums: list[Fact]
    lines: list[LogLine]
    marks: list[tuple[str, int]]


class PaymentLine(msgspec.Struct, frozen=True):
    """A payment to one seat."""

    number: int
    text: str
    amount: str
    rule: str
    rule_url: str


class PaymentsPage(msgspec.Struct, frozen=True):
    """payments.html, payments_card.html: everything a seat received and paid, in order."""

    table_url: str
    title_name: str
    name: str
    total: str
    lines: list[PaymentLine]


class ChatLine(msgspec.Struct, frozen=True):
    """A chat message, in pieces that say whether they mean somebody. `time` is ISO 8601, UTC."""

    id: int
    name: str
    seat: int | None
    pieces: list[tuple[str, bool]]
    time: str
    is_mine: bool
    means_me: bool


class NotesPage(msgspec.Struct, frozen=True):
    """notes.html, notes_card.html: what the reader has written down at a table (fields text, seen), and whether
    he `writes` there still. `seen` is what was kept when that was read; after a refusal, which `error` says, `text` is
    what was typed."""

    table_url: str
    title_name: str
    text: str
    seen: str
    longest: int
    writes: bool
    saved: bool
    error: str
