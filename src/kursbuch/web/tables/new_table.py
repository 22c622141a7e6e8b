"""The form for a new table."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

import msgspec

import kursbuch
from kursbuch.bots import strengths, usual_strength
from kursbuch.core.errors import IllegalAction
from kursbuch.core.game import Game
from kursbuch.core.title import Title
from kursbuch.core.words import N_, Words
from kursbuch.web.home.views import TitleLine, title_line
from kursbuch.web.http.errors import Refused
from kursbuch.web.http.requests import RequestFields
from kursbuch.web.http.security import Person
from kursbuch.web.labels import FieldChoice, components_url, rule_link
from kursbuch.web.tables.access import access_fields
from kursbuch.web.tables.clocks import hours_label, objection_label, vacation_label
from kursbuch.web.tables.lobby import NewSeat, NewTable
from kursbuch.web.tables.policies import (
    ENTRY_LINK,
    MODERATION,
    MOVE_HOURS,
    OBJECTION_TIMES,
    OVERRUNS,
    PACES,
    REMIND,
    SEAT_FIELDS,
    UNDO_POLICIES,
    USUAL_PACE,
    VACATIONS,
    WATCH_ALL,
)


def time_value(hours: int | None) -> str:
    """The value of the field `time`."""
    return "slow" if hours is None else str(hours)


@lru_cache
def _not_at_once(title: Title[Any]) -> list[IllegalAction]:
    """The corrections that a set-up position cannot use, one refusal per kind."""
    game = Game(title, [f"Player {number}" for number in range(title.seats[0])], seed="1")
    found = (title.uncorrectable(game.state, kind.name) for kind in title.corrections)
    return [refusal for refusal in found if refusal is not None]


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
    (file, or its text). `error` is a sentence after a refused form; everything given is filled in again.
    """

    titles: list[FieldChoice]
    title: str
    title_name: str
    about: TitleLine
    components_url: str
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
    data: str
    error: str


def new_table_page(
    words: Words,
    title: Title[Any],
    given: dict[str, str],
    error: str = "",
    person: Person | None = None,
) -> NewTablePage:
    """The form for a new table; `given` are the values of a refused form, `person` is logged in."""
    low, high = title.seats[0], title.seats[-1]
    fresh = not error
    refusals = _not_at_once(title)

    def choices(values: Iterable[tuple[str, str]], chosen: str) -> list[FieldChoice]:
        return [FieldChoice(value, label, value == chosen) for value, label in values]

    try:
        count = min(high, max(low, int(given.get("seats", ""))))
    except ValueError:
        count = min(high, max(low, 3))
    seats = []
    for number in range(high):
        usual = "me" if number == 0 else "bot"
        kind = given.get(f"seat{number}_kind", usual)
        bots = [(spec, words._(label)) for spec, label in strengths(title)]
        seats.append(
            SeatField(
                number=number,
                kinds=choices(((k, words._(label)) for k, label in SEAT_FIELDS.items()), kind),
                name=given.get(f"seat{number}_name", person.name if person and not number else ""),
                bots=choices(bots, given.get(f"seat{number}_bot", usual_strength(title))),
            )
        )
    options = []
    for option in title.options:
        name = f"option_{option.name}"
        reference, url = rule_link(title.id, option.rule)
        labels = [words._(label) for label in option.labels]
        options.append(
            OptionField(
                name=name,
                label=words._(option.label),
                rule=reference,
                rule_url=url,
                choices=choices(
                    zip(option.values, labels, strict=True), given.get(name, option.values[0])
                ),
            )
        )
    times = [(str(time or ""), objection_label(words, title, time)) for time in OBJECTION_TIMES]
    languages = [
        ("", words._("each reader's own")),
        ("de", "Deutsch"),
        ("en", "English"),
    ]
    return NewTablePage(
        about=title_line(words, title),
        components_url=components_url(title),
        titles=choices(((other.id, other.name) for other in kursbuch.titles().values()), title.id),
        title=title.id,
        title_name=title.name,
        least=low,
        most=high,
        count=count,
        seats=seats,
        options=options,
        undo=choices(
            ((policy, words._(label)) for policy, label in UNDO_POLICIES.items()),
            given.get("undo", next(iter(UNDO_POLICIES))),
        ),
        objection_name=words._(title.objection_texts.time) if title.objection_texts else "",
        objection=choices(times, given.get("objection", "")),
        languages=choices(languages, given.get("language", "")),
        paces=choices(
            ((f"{pace:g}", words._(label)) for pace, label in PACES.items()),
            given.get("pace", f"{USUAL_PACE:g}"),
        ),
        times=choices(
            (
                ("", hours_label(words, False, None)),
                *((time_value(hours), hours_label(words, True, hours)) for hours in MOVE_HOURS),
            ),
            given.get("time", ""),
        ),
        overruns=choices(
            ((name, words._(label)) for name, label in OVERRUNS.items()), given.get("overrun", "")
        ),
        vacations=choices(
            ((str(days), vacation_label(words, days)) for days in VACATIONS),
            given.get("vacation", ""),
        ),
        language_note=given.get("language_note", ""),
        **access_fields(
            words,
            given.get("entry", ""),
            given.get("watching", ""),
            given.get("delay_moves", ""),
            given.get("delay_minutes", ""),
        ),
        moderation=choices(
            (
                ("", words._("the opener; no one at public tables")),
                *((value, words._(label)) for value, label in MODERATION.items()),
            ),
            given.get("moderation", ""),
        ),
        set_up=given.get("set_up", ""),
        corrections=[kind.shape(words._) for kind in title.corrections],
        set_up_later=refusals[0].text(words) if refusals else "",
        set_up_now=len(refusals) < len(title.corrections),
        help=fresh or "help" in given,
        listed=fresh or "listed" in given,
        may_rate=person is not None,
        rated="rated" in given,
        data=given.get("data", ""),
        error=error,
    )


def read_new_table(sent: RequestFields) -> NewTable:
    """Read a new table from a form."""
    title = kursbuch.title(sent.text("title"))
    count = sent.number("seats")
    title.check_seats(count)
    seats = [
        NewSeat(
            sent.text(f"seat{number}_kind", "open"),
            sent.text(f"seat{number}_name"),
            sent.text(f"seat{number}_bot"),
        )
        for number in range(count)
    ]
    options = {
        name.removeprefix("option_"): sent.text(name)
        for name in sent.fields
        if name.startswith("option_")
    }
    return NewTable(
        title=title.id,
        seats=seats,
        options=options,
        rated=sent.flag("rated"),
        set_up=sent.text("set_up"),
        **read_policies(sent),
    )


def read_policies(sent: RequestFields) -> dict[str, Any]:
    """Read the policies of a table from a form."""
    try:
        pace = float(sent.text("pace") or USUAL_PACE)
    except ValueError:
        raise Refused(N_("The field {name} is not a number."), name="pace") from None
    return {
        "undo": sent.text("undo", "ask"),
        "help": sent.flag("help"),
        "listed": sent.flag("listed"),
        "objection": sent.optional_number("objection"),
        "language": sent.text("language"),
        "pace": pace,
        "slow": bool(sent.text("time")),
        "move_hours": None if sent.text("time") in ("", "slow") else sent.number("time"),
        "overrun": sent.text("overrun") or REMIND,
        "vacation": sent.optional_number("vacation") or 0,
        "language_note": sent.text("language_note"),
        "entry": sent.text("entry") or ENTRY_LINK,
        "password": sent.text("password"),
        "watching": sent.text("watching") or WATCH_ALL,
        "delay_moves": sent.optional_number("delay_moves") or 0,
        "delay_minutes": sent.optional_number("delay_minutes") or 0,
        "moderation": sent.text("moderation"),
    }
