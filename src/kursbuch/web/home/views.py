"""The start page and the pictures of games."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any

import msgspec

import kursbuch
from kursbuch.core.game import Game
from kursbuch.core.title import Title
from kursbuch.core.words import Words
from kursbuch.web.db.models import Seat, Table, now
from kursbuch.web.labels import STATUS, ago, learn_url, title_name, winners_sentence
from kursbuch.web.tables.boards import framed, typeface
from kursbuch.web.tables.chat import mentioned
from kursbuch.web.tables.clocks import Moment, moment, time_left, waited_for, waiting_for
from kursbuch.web.tables.policies import FINISHED, LOBBY, RUNNING
from kursbuch.web.tables.snapshot import Snapshot, hides_course, is_told
from kursbuch.web.tables.votes import open_to


@lru_cache(maxsize=64)
def picture(title_id: str, language: str, theme: str) -> str:
    """Return a part of the board as a standalone SVG in a theme; empty without a specimen."""
    title = kursbuch.title(title_id)
    if not title.specimen:
        return ""
    game = kursbuch.load(title.specimen)
    drawn = title.draw(game.view(None).state, Words(language, game.names))
    return framed(title, drawn, theme, title.cutout)


def picture_url(title: Title[Any], language: str) -> str:
    """Return the URL of a title's picture, with a content hash; empty without a picture."""
    if not title.specimen:
        return ""
    drawn = f"{title.specimen}{title.style}{title.cutout}{typeface()}"
    stamp = hashlib.sha256(drawn.encode()).hexdigest()[:12]
    return f"/titles/{title.id}/picture.svg?language={language}&v={stamp}"


#: Idle time after which the visitor's tables are listed apart.
OLDER = timedelta(days=14)


class SeatLine(msgspec.Struct, frozen=True):
    """A player at a table in a list; the table waits for those that are `due`."""

    number: int
    name: str
    due: bool


class TableLine(msgspec.Struct, frozen=True):
    """A table in a list. `picture_url` is the board as the visitor may see it; it takes `&theme=dark`."""

    id: str
    url: str
    title: str
    title_name: str
    status: str
    status_label: str
    players: list[str]
    #: The players but the visitor, as "with Bernd and Clara".
    company: str
    free_seats: int
    seats: int
    my_turn: bool
    is_mine: bool
    moves: int
    updated: str
    result: str
    #: Whom the table waits for.
    turn: str = ""
    #: Stage of the game.
    round: str = ""
    sitters: list[SeatLine] = []
    #: Since when the table waits for the visitor.
    waiting: str = ""
    #: Deadline of the visitor's move, and the time left.
    due: Moment | None = None
    left: str = ""
    picture_url: str = ""
    #: What others want of the visitor beside a move.
    wanted: str = ""
    #: Move after which the table was copied.
    origin: str = ""


def table_line(
    words: Words,
    table: Table,
    seats: Sequence[Seat],
    visitor: str,
    game: Game | None = None,
    wanted: str = "",
) -> TableLine:
    """Return a table for a list."""
    own = [seat.number for seat in seats if seat.owner == visitor]
    hidden = hides_course(table, seats, visitor)
    status = table.status if is_told(table, seats, visitor) else RUNNING
    going = table.status in (LOBBY, RUNNING)
    due = waited_for(table, [seat for seat in seats if seat.owner == visitor])
    # Players at the visitor's own device are company, too.
    others = [
        seat.name
        for seat in seats
        if seat.name and not (seat.owner == visitor and seat.kind == "person")
    ]
    result = ""
    if table.result is not None:
        names = [seats[number].name for number in table.result["winners"]]
        result = winners_sentence(words, names)
    return TableLine(
        id=table.id,
        url=f"/t/{table.id}",
        title=table.title,
        title_name=title_name(table.title),
        status=status,
        status_label=words._(STATUS[status]),
        players=[seat.name for seat in seats if seat.name],
        company=words._("with {names}", names=words.join(others)) if others else "",
        # No one can join a finished game, even while its end is still hidden.
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
            SeatLine(
                seat.number,
                seat.name,
                not hidden and table.status == RUNNING and seat.number in table.turn,
            )
            for seat in seats
            if seat.name
        ],
    )


def thumbnail_url(words: Words, table: Table, seats: Sequence[Seat], visitor: str) -> str:
    """Return the URL of a thumbnail of the board; it changes with the drawing."""
    drawn = thumbnail_stamp(table, seats, visitor)
    return f"/t/{table.id}/picture.svg?v={drawn}&lang={words.language}"


def thumbnail_stamp(table: Table, seats: Sequence[Seat], visitor: str) -> str:
    """Return a stamp that changes with the thumbnail: position, viewer, and who faces a shared
    device. A browser shows several players what only one of them may know."""
    own = [(seat.number, seat.facing) for seat in seats if seat.owner == visitor]
    looking = hashlib.sha256(f"{visitor} {own}".encode()).hexdigest()[:12]
    return f"{table.revision}.{looking}"


def wanted(words: Words, snapshot: Snapshot, visitor: str) -> str:
    """Return what others want of a visitor beside a move: an answer to a vote, or to read a message."""
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
    """Return a stamp that changes when other tables wait for a visitor."""
    told = "|".join(f"{table_id} {since.timestamp()}" for table_id, _, since in waiting)
    return hashlib.sha256(told.encode()).hexdigest()[:12]


#: Playing time in minutes up to which a game fits into an evening.
EVENING = 150


class TitleLine(msgspec.Struct, frozen=True):
    """A game that can be played here. `picture_url` takes `&theme=dark`; empty without a picture. `difficulty` is
    1 to 5, 0 if unknown."""

    id: str
    name: str
    summary: str
    players: str
    lasts: str
    audience: str
    difficulty: int
    new_url: str
    rules_url: str
    learn_url: str
    routes_url: str
    picture_url: str


class TitleGroup(msgspec.Struct, frozen=True):
    """Games of similar playing time, the easiest first."""

    heading: str
    titles: list[TitleLine]


class HomePage(msgspec.Struct, frozen=True):
    """home.html: the visitor's tables, tables waiting for players, running and finished ones.

    Of the visitor's own tables, those in `due` wait for the visitor, `older` are idle for long and
    `ended` are finished; `removed` counts those hidden from the list. `stamp` changes when other
    tables wait. `invitations` counts open invitations. `groups` are the games; `starter` is the easiest
    one with a lesson.
    """

    due: list[TableLine]
    mine: list[TableLine]
    older: list[TableLine]
    ended: list[TableLine]
    removed: int
    waiting: list[TableLine]
    running: list[TableLine]
    finished: list[TableLine]
    groups: list[TitleGroup]
    starter: TitleLine | None
    stamp: str
    invitations: int


def home_page(
    words: Words,
    lists: dict[str, list[tuple[Table, list[Seat]]]],
    visitor: str,
    games: Mapping[str, Game],
    removed: Collection[str] = (),
    waiting: Sequence[tuple[str, datetime | None, datetime]] = (),
    invitations: int = 0,
    wishes: Mapping[str, str] | None = None,
) -> HomePage:
    """Return the start page. `games` are the visitor's running games, `removed` the hidden tables,
    `waiting` those that wait, longest first, `wishes` what others want of the visitor, by table."""
    found = wishes or {}

    def lines(name: str, *, own: bool) -> list[TableLine]:
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
    active = sorted(
        (one for one in going if one.id in still or one.my_turn or one.wanted),
        key=lambda one: (not one.wanted, order.get(one.id, len(order))),
    )
    groups = title_groups(words)
    return HomePage(
        due=[one for one in active if one.my_turn],
        mine=[one for one in active if not one.my_turn],
        older=[one for one in going if one.id not in still and not one.my_turn and not one.wanted],
        ended=[one for one in listed if one.status == FINISHED],
        removed=sum(table in removed for table in mine),
        waiting=lines("waiting", own=False),
        running=lines("running", own=False),
        finished=lines("finished", own=False),
        groups=groups,
        starter=next((one for group in groups for one in group.titles if one.learn_url), None),
        stamp=stamp(waiting),
        invitations=invitations,
    )


def _turn(words: Words, table: Table, seats: Sequence[Seat], own: Sequence[int]) -> str:
    """Return whom a table waits for, empty if that is the visitor."""
    if table.status != RUNNING or not table.turn or any(number in table.turn for number in own):
        return ""
    names = words.join([seats[number].name for number in table.turn])
    return words.ngettext("{names} must move", "{names} must move", len(table.turn), names=names)


def _round(words: Words, game: Game | None) -> str:
    """Return a line about the stage of a game."""
    if game is None or game.over:
        return ""
    voice = game.title.voice(Words(words.language, game.names))
    return voice.status(game.view(None).state).partition("\n")[0]


def title_groups(words: Words) -> list[TitleGroup]:
    """Return the games for the start page."""
    titles = sorted(kursbuch.titles().values(), key=lambda one: (one.difficulty, one.minutes))
    groups = [
        TitleGroup(
            heading, [title_line(words, one) for one in titles if (one.minutes > EVENING) is long]
        )
        for heading, long in (
            (words._("For family and friends"), False),
            (words._("For long evenings"), True),
        )
    ]
    return [group for group in groups if group.titles]


def title_line(words: Words, title: Title[Any]) -> TitleLine:
    """Return a game for the list of games."""
    low, high = title.seats[0], title.seats[-1]
    return TitleLine(
        id=title.id,
        name=title.name,
        summary=words._(title.summary) if title.summary else "",
        players=words._("{low} to {high} players", low=low, high=high),
        lasts=words.lasting(title.minutes),
        audience=words._(title.audience.value) if title.audience else "",
        difficulty=title.difficulty,
        new_url=f"/new?title={title.id}",
        rules_url=f"/rules/{title.id}",
        learn_url=learn_url(title),
        routes_url=f"/routes/{title.id}" if title.planner else "",
        picture_url=picture_url(title, words.language),
    )
