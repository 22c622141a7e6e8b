"""The start page, and the form for a new table."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any

import kursbuch
from kursbuch.bots import strengths, usual_strength
from kursbuch.core.errors import IllegalAction
from kursbuch.core.game import Game
from kursbuch.core.title import Title
from kursbuch.core.words import N_, Words
from kursbuch.web import contexts
from kursbuch.web.deeds.consents import open_to
from kursbuch.web.delayed import hides_course, is_told
from kursbuch.web.mentions import mentioned
from kursbuch.web.models import Seat, Table, now
from kursbuch.web.policies import (
    FINISHED,
    LOBBY,
    MODERATION,
    MOVE_HOURS,
    OBJECTION_TIMES,
    OVERRUNS,
    PACES,
    RUNNING,
    UNDO_POLICIES,
    USUAL_PACE,
    VACATIONS,
)
from kursbuch.web.present.doors import door_fields
from kursbuch.web.present.labels import (
    STATUS,
    ago,
    objection_label,
    rule_link,
    title_name,
    winners_sentence,
)
from kursbuch.web.present.learning import learn_url
from kursbuch.web.present.pictures import picture_url
from kursbuch.web.present.times import (
    hours_label,
    moment,
    time_left,
    vacation_label,
    waited_for,
    waiting_for,
)
from kursbuch.web.security import Person
from kursbuch.web.snapshot import Snapshot

#: The visitor's tables at which nothing has happened for so long stand apart.
OLDER = timedelta(days=14)

SEAT_FIELDS = {
    "me": N_("I"),
    "open": N_("somebody with the link"),
    "hotseat": N_("somebody at my device"),
    "bot": N_("computer"),
}


def table_line(
    words: Words,
    table: Table,
    seats: Sequence[Seat],
    visitor: str,
    game: Game | None = None,
    wanted: str = "",
) -> contexts.TableLine:
    """A table in a list, with what its game says of itself, and what else is `wanted` of the visitor."""
    own = [seat.number for seat in seats if seat.owner == visitor]
    hidden = hides_course(table, seats, visitor)
    status = table.status if is_told(table, seats, visitor) else RUNNING
    going = table.status in (LOBBY, RUNNING)
    due = waited_for(table, [seat for seat in seats if seat.owner == visitor])
    result = ""
    if table.result is not None:
        names = [seats[number].name for number in table.result["winners"]]
        result = winners_sentence(words, names)
    return contexts.TableLine(
        id=table.id,
        url=f"/t/{table.id}",
        title=table.title,
        title_name=title_name(table.title),
        status=status,
        status_label=words._(STATUS[status]),
        players=[seat.name for seat in seats if seat.name],
        # Where a game is over, nobody sits down any more, be its end shown or not.
        free_seats=sum(seat.is_free for seat in seats) if going else 0,
        seats=len(seats),
        my_turn=due is not None,
        is_mine=bool(own) or table.creator == visitor,
        moves=0 if hidden else table.number,
        updated="" if hidden else ago(words, table.updated_at),
        result="" if hidden else result,
        turn="" if hidden else _turn(words, table, seats, own),
        round=_round(words, game),
        waiting=waiting_for(words, due.asked_at) if due is not None else "",
        due=moment(due.due_at) if due is not None else None,
        left=time_left(words, due.due_at) if due is not None else "",
        picture_url=thumbnail_url(words, table, seats, visitor) if game is not None else "",
        wanted=wanted,
        origin=words._("from move {number} on", number=table.copied)
        if table.copied is not None
        else "",
        sitters=[
            contexts.Sitter(
                seat.number,
                seat.name,
                not hidden and table.status == RUNNING and seat.number in table.turn,
            )
            for seat in seats
            if seat.name
        ],
    )


def thumbnail_url(words: Words, table: Table, seats: Sequence[Seat], visitor: str) -> str:
    """The address of a small picture of the board; it changes with what is drawn."""
    drawn = thumbnail_stamp(table, seats, visitor)
    return f"/t/{table.id}/picture.svg?v={drawn}&lang={words.language}"


def thumbnail_stamp(table: Table, seats: Sequence[Seat], visitor: str) -> str:
    """What changes with a small picture: the position, who looks, and who sits in front of a shared device. One
    browser shows several people what only one of them may know."""
    own = [(seat.number, seat.facing) for seat in seats if seat.owner == visitor]
    looking = hashlib.sha256(f"{visitor} {own}".encode()).hexdigest()[:12]
    return f"{table.revision}.{looking}"


def wanted(words: Words, snapshot: Snapshot, visitor: str) -> str:
    """What others want of a visitor beside a move: an answer to a question, or that he reads what they have written
    to him."""
    seats = snapshot.seats
    if asked := open_to(snapshot.consents.values(), seats, visitor):
        return words._("{name} asks you something", name=seats[asked[0].seat].name)
    own, names = snapshot.seats_of(visitor), [seat.name for seat in seats]
    for line in reversed(snapshot.chat):
        if line.id <= snapshot.read.get(visitor, 0):
            break
        if line.seat not in own and not set(own).isdisjoint(mentioned(line.text, names)):
            return words._("{name} has written to you", name=line.name or seats[line.seat].name)
    return ""


def stamp(waiting: Iterable[tuple[str, datetime | None, datetime]]) -> str:
    """What changes when other tables wait for a visitor."""
    told = "|".join(f"{table_id} {since.timestamp()}" for table_id, _, since in waiting)
    return hashlib.sha256(told.encode()).hexdigest()[:12]


def home_page(
    words: Words,
    lists: dict[str, list[tuple[Table, list[Seat]]]],
    visitor: str,
    games: Mapping[str, Game],
    removed: Collection[str] = (),
    waiting: Sequence[tuple[str, datetime | None, datetime]] = (),
    invitations: int = 0,
    wishes: Mapping[str, str] | None = None,
) -> contexts.HomePage:
    """The start page. `games` are those of the visitor that are being played, `removed` the tables that
    are not to be on the visitor's list, `waiting` those that wait, the longest wait first, `wishes` what else
    others want of the visitor, by table."""
    found = wishes or {}

    def lines(name: str, *, own: bool) -> list[contexts.TableLine]:
        return [
            table_line(words, table, seats, visitor, games.get(table.id), found.get(table.id, ""))
            for table, seats in lists[name]
            if (table.id in mine) is own
        ]

    mine = {table.id for table, _ in lists["mine"]}
    order = {table_id: place for place, (table_id, _, _) in enumerate(waiting)}
    still = {table.id for table, _ in lists["mine"] if table.updated_at > now() - OLDER}
    listed = [line for line in lines("mine", own=True) if line.id not in removed]
    going = [line for line in listed if line.status != FINISHED]
    return contexts.HomePage(
        mine=sorted(
            (one for one in going if one.id in still or one.my_turn or one.wanted),
            key=lambda one: (not one.my_turn, not one.wanted, order.get(one.id, len(order))),
        ),
        older=[one for one in going if one.id not in still and not one.my_turn and not one.wanted],
        ended=[one for one in listed if one.status == FINISHED],
        removed=sum(table in removed for table in mine),
        waiting=lines("waiting", own=False),
        running=lines("running", own=False),
        finished=lines("finished", own=False),
        titles=[title_line(words, title) for title in kursbuch.titles().values()],
        stamp=stamp(waiting),
        invitations=invitations,
    )


def _turn(words: Words, table: Table, seats: Sequence[Seat], own: Sequence[int]) -> str:
    """For whom a table waits, empty where that is the visitor."""
    if table.status != RUNNING or not table.turn or any(number in table.turn for number in own):
        return ""
    names = words.join([seats[number].name for number in table.turn])
    return words.ngettext("{names} must move", "{names} must move", len(table.turn), names=names)


def _round(words: Words, game: Game | None) -> str:
    """Where a game is, in a line."""
    if game is None or game.over:
        return ""
    voice = game.title.voice(Words(words.language, game.names))
    return voice.status(game.view(None).state).partition("\n")[0]


def title_line(words: Words, title: Title[Any]) -> contexts.TitleLine:
    """A game in the list of games."""
    low, high = title.seats[0], title.seats[-1]
    return contexts.TitleLine(
        id=title.id,
        name=title.name,
        edition=title.rules.game.in_language("edition", words.language),
        players=words._("{low} to {high} players", low=low, high=high),
        lasts=words.lasting(title.minutes),
        new_url=f"/new?title={title.id}",
        rules_url=f"/rules/{title.id}",
        learn_url=learn_url(title),
        routes_url=f"/routes/{title.id}" if title.planner else "",
        picture_url=picture_url(title, words.language),
    )


def time_value(hours: int | None) -> str:
    """The field of the form that makes a table slow."""
    return "slow" if hours is None else str(hours)


@lru_cache
def _not_at_once(title: Title[Any]) -> list[IllegalAction]:
    """Why some corrections are not possible at the beginning of a game, one refusal for each of their kinds."""
    game = Game(title, [f"Player {number}" for number in range(title.seats[0])], seed="1")
    found = (title.uncorrectable(game.state, kind.name) for kind in title.corrections)
    return [refusal for refusal in found if refusal is not None]


def new_table_page(
    words: Words,
    title: Title[Any],
    given: dict[str, str],
    error: str = "",
    person: Person | None = None,
) -> contexts.NewTablePage:
    """The form for a new table; `given` are the fields of a refused form, `person` is who is logged in."""
    low, high = title.seats[0], title.seats[-1]
    fresh = not error
    refusals = _not_at_once(title)

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
        seats.append(
            contexts.SeatField(
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
        learn_url=learn_url(title),
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
        **door_fields(
            words,
            given.get("entry", ""),
            given.get("watching", ""),
            given.get("delay_moves", ""),
            given.get("delay_minutes", ""),
        ),
        moderation=choices(
            (
                ("", words._("the opener; nobody among strangers")),
                *((value, words._(label)) for value, label in MODERATION.items()),
            ),
            given.get("moderation", ""),
        ),
        set_up=given.get("set_up", ""),
        corrections=[kind.shape() for kind in title.corrections],
        set_up_later=refusals[0].text(words) if refusals else "",
        set_up_now=len(refusals) < len(title.corrections),
        help=fresh or "help" in given,
        listed=fresh or "listed" in given,
        may_rate=person is not None,
        rated="rated" in given,
        error=error,
    )
