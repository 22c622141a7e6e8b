"""The lobby: open a table, join, leave, start and close."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable, Sequence
from datetime import timedelta
from typing import Any

import msgspec
from sqlalchemy import select, update

import kursbuch
from kursbuch.core.game import Game, check_names
from kursbuch.core.record import setup_position
from kursbuch.core.registry import title_with_data
from kursbuch.core.title import Title
from kursbuch.core.tutorial import Guide
from kursbuch.core.words import LANGUAGES, N_
from kursbuch.web.accounts import credentials
from kursbuch.web.ai.levels import bot_spec
from kursbuch.web.db.models import Seat, Table, now
from kursbuch.web.http.errors import Conflict, Forbidden, Refused
from kursbuch.web.http.security import is_account
from kursbuch.web.tables import access, replacements, votes
from kursbuch.web.tables.moderation import unfair
from kursbuch.web.tables.policies import (
    ENTRY_LINK,
    ENTRY_PASSWORD,
    GONE_FOR,
    LOBBY,
    MAX_LANGUAGE_NOTE,
    MAX_MOVE_HOURS,
    MAX_OBJECTION,
    MAX_VACATION,
    MODERATION,
    NO_MODERATOR,
    OPENER_MODERATES,
    OVERRUNS,
    REMIND,
    RUNNING,
    UNDO_POLICIES,
    USUAL_PACE,
    WATCH_ALL,
)
from kursbuch.web.tables.store import TableStore, new_seed, new_table
from kursbuch.web.tables.transaction import TableTransaction

MAX_DATA = 1_000_000
KINDS = ("me", "open", "hotseat", "bot")

#: Names the computer opponents get: builders of early locomotives.
BOT_NAMES = ("Trevithick", "Hackworth", "Hedley", "Murray", "Rastrick", "Gooch", "Crampton")


class NewSeat(msgspec.Struct, frozen=True):
    """A seat of a new table: for the one who opens it (`me`, `hotseat`), for anybody (`open`), or for
    the computer (`bot`)."""

    kind: str
    name: str = ""
    bot: str = ""


class NewTable(msgspec.Struct, frozen=True):
    """A table to be opened. `objection` is in seconds, None for no limit. A `slow` one may give `move_hours` for
    every move (None: as long as it takes), after which happens what `overrun` says (remind, bot, vote), and
    `vacation` days to every player, in which that time stands still. `language_note` says which language is
    written there. `entry` says who may sit down (link, password, invited), `watching` who may look on (all,
    players), and the delays how many moves and minutes those are behind."""

    title: str
    seats: list[NewSeat]
    options: dict[str, str] = {}
    undo: str = "ask"
    help: bool = True
    listed: bool = True
    objection: int | None = None
    language: str = ""
    pace: float = USUAL_PACE
    slow: bool = False
    move_hours: int | None = None
    overrun: str = REMIND
    vacation: int = 0
    language_note: str = ""
    entry: str = ENTRY_LINK
    password: str = ""
    watching: str = WATCH_ALL
    delay_moves: int = 0
    delay_minutes: int = 0
    rated: bool = False
    #: Who may correct something, empty for what is usual (`usual_moderation`); and a position to begin with,
    #: one correction a line.
    moderation: str = ""
    set_up: str = ""


def usual_moderation(listed: bool, kinds: Collection[str], rated: bool = False) -> str:
    """Who may correct something where nothing else is said: whoever opens a table of one's own or for friends;
    nobody at one that strangers find or that is rated. `kinds` are those of its seats."""
    strangers = listed and "open" in kinds
    return NO_MODERATOR if strangers or rated else OPENER_MODERATES


async def open_table(
    tables: TableStore,
    new: NewTable,
    visitor: str,
    data: bytes | None = None,
    guide: Guide | None = None,
) -> str:
    """Open a table and return its id; a table without free seats starts at once. With a `guide` it is
    a guided first game."""
    check_data(data)
    kursbuch.title(new.title)
    title = await asyncio.to_thread(title_with_data, new.title, data)
    title.check_seats(len(new.seats))
    check(new)
    kinds = [seat.kind for seat in new.seats]
    moderation = new.moderation or usual_moderation(new.listed, kinds, new.rated)
    seats = _new_seats(new.seats, visitor)
    if new.rated:
        _check_rated(seats, visitor)
        if new.set_up.strip():
            raise Refused(N_("A rated game begins as its rules say, not with a set-up position."))
        if moderation == OPENER_MODERATES:
            raise unfair()
    seed = new_seed() if guide is None else guide.seed
    # Whatever the options and the component data do not allow shows when a game is set up.
    game = Game(title, _all_names(seats), new.options, seed=seed)
    made = setup_position(game, new.set_up) if new.set_up.strip() else []
    table = await as_wanted(
        game,
        visitor,
        new,
        seats,
        guided=guide is not None,
        rated=new.rated,
        moderation=moderation,
        moderators=[],
        set_up=[title.action_to_json(action) for action in made] or None,
    )
    async with tables.opening(table, seats, data) as change:
        if not any(seat.is_free for seat in seats):
            _begin(change, title)
    return table.id


async def as_wanted(
    game: Game, visitor: str, new: NewTable, seats: Iterable[Seat], **more: Any
) -> Table:
    """A table for a game and its seats, as it was chosen; `more` is what depends on where it comes from."""
    for seat in seats:
        seat.vacation = new.vacation
    return new_table(
        game,
        visitor,
        language=new.language,
        undo=new.undo,
        help=new.help,
        objection_seconds=new.objection,
        listed=new.listed,
        pace=new.pace,
        slow=new.slow,
        move_hours=new.move_hours,
        overrun=new.overrun,
        vacation=new.vacation,
        language_note=" ".join(new.language_note.split()),
        entry=new.entry,
        password=await credentials.hash_password(new.password)
        if new.entry == ENTRY_PASSWORD
        else None,
        watching=new.watching,
        delay_moves=new.delay_moves,
        delay_minutes=new.delay_minutes,
        **more,
    )


async def join(
    tables: TableStore,
    table_id: str,
    visitor: str,
    number: int,
    name: str,
    password: str = "",
    place: str = "",
) -> None:
    """Sit down on a free seat, before the game or, where a player is to be replaced, while it goes on. Who
    opened a table may say that a password or an invitation is needed; passwords are counted by the `place` they come
    from."""
    admitted = await access.require_join_permission(tables, table_id, visitor, password, place)
    async with tables.changing(table_id) as change:
        change.require(LOBBY, RUNNING)
        if admitted:
            await access.add_guest(change.session, table_id, visitor)
        seat = change.seat(number)
        if not seat.is_free:
            raise Conflict(N_("This seat is already taken."))
        replacements.check_sitter(change.table, change.seats, visitor)
        await access.redeem_invitation(change.session, table_id, visitor)
        if change.table.status == RUNNING:
            if any(other.owner == visitor for other in change.seats):
                raise Forbidden(N_("You play at this table already."))
            await change.rename(seat, _checked_name(name, change.seats, number))
            await replacements.sit(change, seat, visitor, replacements.SITS)
            await votes.ask_newcomer(change, visitor)
            return
        seat.name = _checked_name(name, change.seats, number)
        seat.facing = not any(other.owner == visitor for other in change.seats)
        seat.owner = visitor
        seat.seen_at = now()


def _check_rated(seats: Sequence[Seat], visitor: str) -> None:
    """Refuse a rated table for others than people with an account, each with a seat."""
    if not is_account(visitor):
        raise Forbidden(N_("You need an account to play at a rated table. Log in first."))
    if any(seat.kind != "person" for seat in seats) or len(_held(seats, visitor)) > 1:
        raise Refused(N_("At a rated table everybody plays one seat, and no computer does."))


def _held(seats: Sequence[Seat], visitor: str) -> list[Seat]:
    return [seat for seat in seats if seat.owner == visitor]


async def rename(tables: TableStore, table_id: str, visitor: str, number: int, name: str) -> None:
    """Give one's seat another name."""
    async with tables.changing(table_id) as change:
        change.require(LOBBY, RUNNING)
        seat = change.own_seat(number, visitor)
        await change.rename(seat, _checked_name(name, change.seats, number))


async def leave(tables: TableStore, table_id: str, visitor: str, number: int) -> None:
    """Stand up again, before the game begins."""
    async with tables.changing(table_id) as change:
        change.require(LOBBY)
        seat = change.own_seat(number, visitor)
        await replacements.part(change, seat)
        seat.owner, seat.name, seat.token, seat.kind = None, "", None, "person"
        seat.facing = False


async def start(tables: TableStore, table_id: str, visitor: str) -> None:
    """Begin the game, once every seat is taken."""
    async with tables.changing(table_id) as change:
        change.require(LOBBY)
        table = change.table
        if visitor != table.creator and visitor not in (seat.owner for seat in change.seats):
            raise Forbidden(N_("Only players at this table can do that."))
        if any(seat.is_free for seat in change.seats):
            raise Conflict(N_("The game begins when every seat is taken."))
        title = await tables.games.title(change.session, table)
        _begin(change, title)


def _begin(change: TableTransaction, title: Title[Any]) -> None:
    """Begin the game of a table, with the position it is set up with."""
    names = [seat.name for seat in change.seats]
    change.begin(Game(title, names, change.table.options, seed=change.table.seed))
    for made in change.table.set_up or ():
        change.play(title.action_from_json(made))


async def close(tables: TableStore, table_id: str, visitor: str) -> None:
    """End a table before its game is over. While others play, only those can who play with them, and only when
    the others were not heard of for long."""
    async with tables.changing(table_id) as change:
        change.require(LOBBY, RUNNING)
        if visitor != change.table.creator:
            raise Forbidden(N_("Only the one who opened the table can close it."))
        if change.table.status == RUNNING and not may_close(change.seats, visitor):
            raise Forbidden(N_("Others are playing here: ask them to end the game."))
        await change.end()


def may_close(seats: Sequence[Seat], visitor: str) -> bool:
    """Whether whoever opened a table may end its game without asking: nobody else plays, or all others have
    gone for good."""
    others = [seat for seat in seats if seat.owner not in (None, visitor)]
    plays = any(seat.owner == visitor for seat in seats)
    return not others or (plays and all(_is_gone(seat) for seat in others))


async def note_seen(tables: TableStore, table_id: str, visitor: str) -> None:
    """Note, once a day, that somebody has a table before his eyes: so he is not gone."""
    long_ago = (
        Seat.table_id == table_id,
        Seat.owner == visitor,
        Seat.seen_at < now() - timedelta(days=1),
    )
    async with tables.refusing():
        found = await tables.database.glance(select(Seat.number).where(*long_ago).limit(1))
    if found:
        async with tables.writing() as session:
            await session.execute(update(Seat).where(*long_ago).values(seen_at=now()))


def _is_gone(seat: Seat) -> bool:
    moment = now()
    away = seat.away_until is not None and seat.away_until > moment
    return not away and seat.seen_at is not None and seat.seen_at < moment - GONE_FOR


def check_data(data: bytes | None) -> None:
    """Refuse a file of component data that is too large."""
    if data is not None and len(data) > MAX_DATA:
        raise Refused(
            N_("The file of component data is too large; at most {most} bytes are possible."),
            most=MAX_DATA,
        )


def check(new: NewTable) -> None:
    """Refuse what makes no sense for a table, whatever is played there."""
    if new.undo not in UNDO_POLICIES:
        raise Refused(N_("There is no such rule for taking moves back."))
    if new.language not in ("", *LANGUAGES):
        raise Refused(N_("There is no such language."))
    if new.objection is not None and not 1 <= new.objection <= MAX_OBJECTION:
        raise Refused(
            N_("The time for objections must be between {low} and {high} seconds."),
            low=1,
            high=MAX_OBJECTION,
        )
    if not 0 <= new.pace <= 60:
        raise Refused(
            N_("The computer's pace must be between {low} and {high} seconds."), low=0, high=60
        )
    if new.moderation not in ("", *MODERATION):
        raise Refused(N_("There is no such rule for moderators."))
    _check_times(new)
    access.check_access(new.entry, new.password, new.watching, new.delay_moves, new.delay_minutes)


def _check_times(new: NewTable) -> None:
    """Refuse what makes no sense for the time at a slow table."""
    if new.overrun not in OVERRUNS:
        raise Refused(N_("There is no such rule for what happens when the time is up."))
    if new.move_hours is not None and not 1 <= new.move_hours <= MAX_MOVE_HOURS:
        raise Refused(
            N_("The time for a move must be between {low} and {high} hours."),
            low=1,
            high=MAX_MOVE_HOURS,
        )
    if new.move_hours is not None and not new.slow:
        raise Refused(N_("Only a slow table has a time for every move."))
    if not 0 <= new.vacation <= MAX_VACATION:
        raise Refused(
            N_("The days of absence must be between {low} and {high}."), low=0, high=MAX_VACATION
        )
    if len(new.language_note) > MAX_LANGUAGE_NOTE or not new.language_note.isprintable():
        raise Refused(
            N_("The note on the language must be one line of at most {most} characters."),
            most=MAX_LANGUAGE_NOTE,
        )


def _checked_name(name: str, seats: Sequence[Seat], number: int) -> str:
    others = [seat.name for seat in seats if seat.number != number and seat.name]
    return check_names([*others, name])[-1]


def _new_seats(given: Sequence[NewSeat], visitor: str) -> list[Seat]:
    seats: list[Seat] = []
    for number, wanted in enumerate(given):
        if wanted.kind not in KINDS:
            raise Refused(N_("A seat cannot be of the kind {kind}."), kind=repr(wanted.kind[:20]))
        kind = {"me": "person", "open": "person"}.get(wanted.kind, wanted.kind)
        seat = Seat(number=number, kind=kind, name="", bot="", owner=None, token=None, facing=False)
        if wanted.kind in ("me", "hotseat"):
            seat.owner = visitor
        if wanted.kind == "bot":
            seat.bot = bot_spec(wanted.bot)
        if wanted.kind != "open" and (wanted.name.strip() or wanted.kind != "bot"):
            seat.name = _checked_name(wanted.name, seats, number)
        seats.append(seat)
    for seat in seats:
        seat.facing = seat.owner is not None and not any(other.facing for other in seats)
        if seat.is_bot and not seat.name:
            taken = {other.name.casefold() for other in seats}
            seat.name = next(name for name in BOT_NAMES if name.casefold() not in taken)
    return seats


def _all_names(seats: Sequence[Seat]) -> list[str]:
    return [seat.name or f"\N{NUMBER SIGN}{seat.number}" for seat in seats]
