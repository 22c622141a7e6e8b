"""The start page, and the form for a new table."""

from __future__ import annotations

import msgspec

from kursbuch.web.contexts.common import FieldChoice
from kursbuch.web.contexts.slow import Moment


class Sitter(msgspec.Struct, frozen=True):
    """Somebody at a table in a list; the table waits for those that are `due`."""

    number: int
    name: str
    due: bool


class TableLine(msgspec.Struct, frozen=True):
    """A table in a list; `turn` says for whom it waits, `round` where the game is, `waiting` since when it waits
    for the visitor, who has time until `due` (`left`: how much that is), `wanted` what else others want of him,
    `origin` after which move it was copied. `picture_url` is the board as the visitor
    may see it; it takes `&theme=dark`."""

    id: str
    url: str
    title: str
    title_name: str
    status: str
    status_label: str
    players: list[str]
    free_seats: int
    seats: int
    my_turn: bool
    is_mine: bool
    moves: int
    updated: str
    result: str
    turn: str = ""
    round: str = ""
    sitters: list[Sitter] = []
    waiting: str = ""
    due: Moment | None = None
    left: str = ""
    picture_url: str = ""
    wanted: str = ""
    origin: str = ""


class TitleLine(msgspec.Struct, frozen=True):
    """A game that can be played here. `picture_url` takes `&theme=dark`; empty without a picture."""

    id: str
    name: str
    edition: str
    players: str
    lasts: str
    new_url: str
    rules_url: str
    learn_url: str
    routes_url: str
    picture_url: str


class HomePage(msgspec.Struct, frozen=True):
    """home.html: the visitor's tables, tables waiting for players, running and finished ones.

    Of the visitor's own, `older` are those nothing has happened at for long, `ended` the finished ones;
    `removed` says how many the visitor has taken off the list. `stamp` changes when other tables wait;
    `invitations` is how many the visitor has got and not used."""

    mine: list[TableLine]
    older: list[TableLine]
    ended: list[TableLine]
    removed: int
    waiting: list[TableLine]
    running: list[TableLine]
    finished: list[TableLine]
    titles: list[TitleLine]
    stamp: str
    invitations: int


class OptionField(msgspec.Struct, frozen=True):
    """An option of the title; the field is called `name` ("option_money")."""

    name: str
    label: str
    rule: str
    rule_url: str
    choices: list[FieldChoice]


class SeatField(msgspec.Struct, frozen=True):
    """A seat of the form: fields `seat{n}_kind`, `seat{n}_name`, `seat{n}_bot`."""

    number: int
    kinds: list[FieldChoice]
    name: str
    bots: list[FieldChoice]


class NewTablePage(msgspec.Struct, frozen=True):
    """new.html: the form for POST /tables (multipart, because of the file `data`).

    Fields: title, seats (their number), seat{n}_kind (me, open, hotseat, bot, none), seat{n}_name,
    seat{n}_bot, option_{name}, undo, help (1 or missing), listed and rated likewise (this one if
    `may_rate`), objection, language, pace, time (empty, "slow" or hours), overrun, vacation, language_note, entry,
    password, watching, delay_moves, delay_minutes, moderation, set_up (a position, one correction a line, of the
    forms `corrections`; `set_up_later` says what cannot be set up so, `set_up_now` whether anything can), data
    (file). `error` is a sentence after a refused form; everything given is filled in again.
    """

    titles: list[FieldChoice]
    title: str
    title_name: str
    learn_url: str
    least: int
    most: int
    count: int
    seats: list[SeatField]
    options: list[OptionField]
    undo: list[FieldChoice]
    objection_name: str
    objection: list[FieldChoice]
    languages: list[FieldChoice]
    paces: list[FieldChoice]
    times: list[FieldChoice]
    overruns: list[FieldChoice]
    vacations: list[FieldChoice]
    language_note: str
    entries: list[FieldChoice]
    watching: list[FieldChoice]
    delay_moves: list[FieldChoice]
    delay_minutes: list[FieldChoice]
    moderation: list[FieldChoice]
    set_up: str
    corrections: list[str]
    set_up_later: str
    set_up_now: bool
    help: bool
    listed: bool
    may_rate: bool
    rated: bool
    error: str
