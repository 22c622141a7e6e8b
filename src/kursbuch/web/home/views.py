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
from kursbuch.web.labels import STATUS, ago, title_name, winners_sentence
from kursbuch.web.learn.lessons import learn_url
from kursbuch.web.tables.boards import framed
from kursbuch.web.tables.chat import mentioned
from kursbuch.web.tables.clocks import Moment, moment, time_left, waited_for, waiting_for
from kursbuch.web.tables.policies import FINISHED, LOBBY, RUNNING
from kursbuch.web.tables.snapshot import Snapshot, hides_course, is_told
from kursbuch.web.tables.votes import open_to


@lru_cache(maxsize=64)
def picture(title_id: str, language: str, theme: str) -> str:
    """The first sheet of the board as an SVG of its own, in the colours of a theme; empty for a title
    without a specimen."""
    title = kursbuch.title(title_id)
    if not title.specimen:
        return ""
    game = kursbuch.load(title.specimen)
    drawn = title.draw(game.view(None).state, Words(language, game.names))
    return framed(title, drawn, theme)


def picture_url(title: Title[Any], language: str) -> str:
    """The address of the picture of a title, empty without one; it changes with what is drawn."""
    if not title.specimen:
        return ""
    stamp = hashlib.sha256((title.specimen + title.style).encode()).hexdigest()[:12]
    return f"/titles/{title.id}/picture.svg?language={language}&v={stamp}"


#: The visitor's tables at which nothing has happened for so long stand apart.
OLDER = timedelta(days=14)


class SeatLine(msgspec.Struct, frozen=True):
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
    sitters: list[SeatLine] = []
    waiting: str = ""
    due: Moment | None = None
    left: str = ""
    picture_url: str = ""
    wanted: str = ""
    origin: str = ""


def table_line(
    words: Words,
    table: Table,
    seats: Sequence[Seat],
    visitor: str,
    game: Game | None = None,
    wanted: str = "",
) -> TableLine:
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
    return TableLine(
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
    """The start page. `games` are those of the visitor that are being played, `removed` the tables that
    are not to be on the visitor's list, `waiting` those that wait, the longest wait first, `wishes` what else
    others want of the visitor, by table."""
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
    return HomePage(
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


def title_line(words: Words, title: Title[Any]) -> TitleLine:
    """A game in the list of games."""
    low, high = title.seats[0], title.seats[-1]
    return TitleLine(
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
