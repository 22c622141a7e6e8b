"""The start page, and the form for a new table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import kursbuch
from kursbuch.bots import strengths
from kursbuch.core.title import Title
from kursbuch.core.words import N_, Words
from kursbuch.web import contexts
from kursbuch.web.models import Seat, Table
from kursbuch.web.policies import (
    OBJECTION_TIMES,
    PACES,
    RUNNING,
    UNDO_POLICIES,
    USUAL_PACE,
)
from kursbuch.web.present.labels import STATUS, ago, objection_label, rule_link, winners_sentence

SEAT_FIELDS = {
    "me": N_("I"),
    "open": N_("somebody with the link"),
    "hotseat": N_("somebody at my device"),
    "bot": N_("computer"),
}


def table_line(
    words: Words, table: Table, seats: Sequence[Seat], visitor: str
) -> contexts.TableLine:
    """A table in a list."""
    title = kursbuch.titles().get(table.title)
    own = [seat.number for seat in seats if seat.owner == visitor]
    result = ""
    if table.result is not None:
        names = [seats[number].name for number in table.result["winners"]]
        result = winners_sentence(words, names)
    return contexts.TableLine(
        id=table.id,
        url=f"/t/{table.id}",
        title=table.title,
        title_name=title.name if title else table.title,
        status=table.status,
        status_label=words._(STATUS[table.status]),
        players=[seat.name for seat in seats if seat.name],
        free_seats=sum(seat.is_free for seat in seats),
        seats=len(seats),
        my_turn=table.status == RUNNING and any(number in table.turn for number in own),
        is_mine=bool(own) or table.creator == visitor,
        moves=table.number,
        updated=ago(words, table.updated_at),
        result=result,
    )


def home_page(
    words: Words,
    lists: dict[str, list[tuple[Table, list[Seat]]]],
    visitor: str,
) -> contexts.HomePage:
    """The start page."""

    def lines(name: str) -> list[contexts.TableLine]:
        return [table_line(words, table, seats, visitor) for table, seats in lists[name]]

    mine = lines("mine")
    mine.sort(key=lambda line: not line.my_turn)
    own = {line.id for line in mine}

    def others(name: str) -> list[contexts.TableLine]:
        return [line for line in lines(name) if line.id not in own]

    return contexts.HomePage(
        mine=mine,
        waiting=others("waiting"),
        running=others("running"),
        finished=others("finished"),
        titles=[title_line(words, title) for title in kursbuch.titles().values()],
    )


def title_line(words: Words, title: Title[Any]) -> contexts.TitleLine:
    """A game in the list of games."""
    low, high = title.seats[0], title.seats[-1]
    return contexts.TitleLine(
        id=title.id,
        name=title.name,
        edition=title.rules.game.in_language("edition", words.language),
        players=words._("{low} to {high} players", low=low, high=high),
        minutes=title.minutes,
        new_url=f"/new?title={title.id}",
        rules_url=f"/rules/{title.id}",
        routes_url=f"/routes/{title.id}" if title.planner else "",
    )


def new_table_page(
    words: Words, title: Title[Any], given: dict[str, str], error: str = ""
) -> contexts.NewTablePage:
    """The form for a new table; `given` are the fields of a refused form."""
    low, high = title.seats[0], title.seats[-1]
    fresh = not error

    def choices(values: Iterable[tuple[str, str]], chosen: str) -> list[contexts.FieldChoice]:
        return [contexts.FieldChoice(value, label, value == chosen) for value, label in values]

    try:
        count = min(high, max(low, int(given.get("seats", ""))))
    except ValueError:
        count = min(high, max(low, 3))
    seats = []
    for number in range(high):
        usual = "me" if number == 0 else "bot"
        kind = given.get(f"seat{number}_kind", usual)
        bots = [(spec, words._(label)) for spec, label in strengths(title)]
        usual_bot = bots[min(1, len(bots) - 1)][0]
        seats.append(
            contexts.SeatField(
                number=number,
                kinds=choices(((k, words._(label)) for k, label in SEAT_FIELDS.items()), kind),
                name=given.get(f"seat{number}_name", ""),
                bots=choices(bots, given.get(f"seat{number}_bot", usual_bot)),
            )
        )
    options = []
    for option in title.options:
        name = f"option_{option.name}"
        reference, url = rule_link(title.id, option.rule)
        labels = [words._(label) for label in option.labels]
        options.append(
            contexts.OptionField(
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
    return contexts.NewTablePage(
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
        objection_name=words._(title.asking.time) if title.asking else "",
        objection=choices(times, given.get("objection", "")),
        languages=choices(languages, given.get("language", "")),
        paces=choices(
            ((f"{pace:g}", words._(label)) for pace, label in PACES.items()),
            given.get("pace", f"{USUAL_PACE:g}"),
        ),
        help=fresh or "help" in given,
        listed=fresh or "listed" in given,
        error=error,
    )
