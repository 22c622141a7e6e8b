"""The page on which a record is opened."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

import kursbuch
from kursbuch.bots import strengths
from kursbuch.core.registry import importers
from kursbuch.core.words import N_, Words
from kursbuch.web.labels import Fact, FieldChoice
from kursbuch.web.tables.copies import MYSELF
from kursbuch.web.tables.history_view import CopySeat
from kursbuch.web.tables.new_table import NewTablePage, new_table_page
from kursbuch.web.tables.records import OPEN, ReadRecord

PLAYERS = {MYSELF: N_("I"), OPEN: N_("somebody who sits down later")}


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


def open_page(
    words: Words, error: str = "", text: str = "", record: RecordInfo | None = None
) -> OpenPage:
    """The page where a record is opened; `text` is one that was refused."""
    endings = ",".join([*sorted(importers()), ".txt", "text/plain"])
    return OpenPage(error, text, endings, record)


def record_info(
    words: Words, read: ReadRecord, data: bytes | None, given: Mapping[str, str], error: str = ""
) -> RecordInfo:
    """A record that was read, with the component data that came with it; `given` are the fields of a form that was
    refused with an `error`."""
    game, _ = read.game, words._
    title = game.title
    facts = [Fact(_("Moves"), str(len(game.moves)))]
    for option in title.options:
        value = game.options[option.name]
        if value != option.values[0]:
            label = option.labels[option.values.index(value)]
            facts.append(Fact(_(option.label), _(label)))
    if read.data is not None:
        facts.append(Fact(_("Component data"), _("changed by the players")))
    bots = [(spec, _(label)) for spec, label in strengths(title)]
    players = [*((key, _(label)) for key, label in PLAYERS.items()), *bots]

    def seat(number: int, name: str) -> CopySeat:
        chosen = given.get(f"seat{number}", MYSELF)
        choices = [FieldChoice(value, label, value == chosen) for value, label in players]
        return CopySeat(number, name, choices)

    return RecordInfo(
        text=game.record(),
        data=(data or b"").decode(errors="replace"),
        title_name=title.name,
        facts=facts,
        remarks=[remark.text(words) for remark in read.remarks],
        moves=len(game.moves),
        over=game.over,
        seats=[seat(number, name) for number, name in enumerate(game.names)],
        number=given.get("number", str(len(game.moves))),
        private=given.get("kind", "copy") == "copy",
        chosen=msgspec.structs.replace(
            new_table_page(words, kursbuch.title(title.id), dict(given), error),
            listed="listed" in given,
        ),
    )
