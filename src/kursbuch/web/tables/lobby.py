"""Seats of a table: open, join, leave, start, close, hand on."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Iterable, Sequence
from datetime import timedelta
from typing import Any

import msgspec
from sqlalchemy import select, update

import kursbuch
from kursbuch.core.corrections import Correct
from kursbuch.core.game import Game, check_names
from kursbuch.core.registry import title_with_data
from kursbuch.core.title import Title
from kursbuch.core.tutorial import Guide
from kursbuch.core.words import LANGUAGES, N_
from kursbuch.web.accounts import credentials
from kursbuch.web.ai.levels import bot_spec
from kursbuch.web.db.models import Seat, Table, now
from kursbuch.web.http.admission import in_thread
from kursbuch.web.http.errors import Conflict, Forbidden, NotFound, Refused
from kursbuch.web.http.security import is_account
from kursbuch.web.tables import access, votes
from kursbuch.web.tables.access import may_close, unfair
from kursbuch.web.tables.policies import (
    ENTRY_LINK,
    ENTRY_PASSWORD,
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
from kursbuch.web.tables.snapshot import Snapshot
from kursbuch.web.tables.store import TableStore, new_seed, new_table
from kursbuch.web.tables.transaction import TableTransaction
from kursbuch.web.uploads import parsers
from kursbuch.web.uploads.parser_pool import UploadParser

MAX_DATA = 1_000_000
KINDS = ("me", "open", "hotseat", "bot")

#: Names of bots: builders of early locomotives.
BOT_NAMES = ("Trevithick", "Hackworth", "Hedley", "Murray", "Rastrick", "Gooch", "Crampton")


class NewSeat(msgspec.Struct, frozen=True):
    """A seat of a new table: for its opener (`me`, `hotseat`), for another person (`open`), or for a bot (`bot`)."""

    kind: str
    name: str = ""
    bot: str = ""


class NewTable(msgspec.Struct, frozen=True):
    """A new table. `objection` is in seconds, None for no limit. A `slow` table may have a time per move
    (`move_hours`, None for no limit) with a policy for `overrun` (remind, bot, vote), and `vacation` days per player,
    in which the clock stands still. `language_note` names the chat language. `entry` says who may join (link,
    password, invited), `watching` who may watch (all, players); the delays are those of spectators."""

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
    #: The moderation policy, empty for `usual_moderation`; and corrections that set up the position, one a line.
    moderation: str = ""
    set_up: str = ""


def usual_moderation(listed: bool, kinds: Collection[str], rated: bool = False) -> str:
    """The default moderation: by the opener at private tables, by no one at public or rated ones. `kinds` are those
    of the seats."""
    strangers = listed and "open" in kinds
    return NO_MODERATOR if strangers or rated else OPENER_MODERATES


async def open_table(
    tables: TableStore,
    new: NewTable,
    visitor: str,
    data: bytes | None = None,
    guide: Guide | None = None,
    parse: UploadParser | None = None,
    language: str = "en",
) -> str:
    """Open a table and return its id; without free seats it starts at once. A `guide` makes it a guided first game.
    A table with a set-up position needs `parse` to read it, in a `language` or in English."""
    check_data(data)
    kursbuch.title(new.title)
    title = await in_thread(title_with_data, new.title, data)
    title.check_seats(len(new.seats))
    check(new)
    kinds = [seat.kind for seat in new.seats]
    moderation = new.moderation or usual_moderation(new.listed, kinds, new.rated)
    seats = _new_seats(new.seats, visitor)
    if new.rated:
        _check_rated(seats, visitor)
        if new.set_up.strip():
            raise Refused(N_("A rated game cannot begin from a set-up position."))
        if moderation == OPENER_MODERATES:
            raise unfair()
    seed = new_seed() if guide is None else guide.seed
    # Setting up a game checks the options and the component data.
    names = _all_names(seats)
    game = Game(title, names, new.options, seed=seed)
    made: list[Correct] = []
    if new.set_up.strip():
        assert parse is not None
        made = await parse(
            parsers.set_up, new.title, data, names, new.options, new.set_up, language
        )
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
    """A table for a game and its seats with the chosen settings; `more` depends on its origin."""
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
    """Take a free seat, before the game or to replace a player. The table may require a password or an invitation;
    wrong passwords are counted by `place`."""
    admitted = await access.require_join_permission(tables, table_id, visitor, password, place)
    async with tables.changing(table_id) as change:
        change.require(LOBBY, RUNNING)
        if admitted:
            await access.add_guest(change.session, table_id, visitor)
        seat = change.seat(number)
        if not seat.is_free:
            raise Conflict(N_("This seat is already taken."))
        access.check_sitter(change.table, change.seats, visitor)
        await access.redeem_invitation(change.session, table_id, visitor)
        if change.table.status == RUNNING:
            if any(other.owner == visitor for other in change.seats):
                raise Forbidden(N_("You already play at this table."))
            await change.rename(seat, _checked_name(name, change.seats, number))
            await votes.seat_player(change, seat, visitor, votes.SITS)
            await votes.ask_newcomer(change, visitor)
            return
        seat.name = _checked_name(name, change.seats, number)
        seat.facing = not any(other.owner == visitor for other in change.seats)
        seat.owner = visitor
        seat.seen_at = now()


def _check_rated(seats: Sequence[Seat], visitor: str) -> None:
    """Refuse a rated table unless all players have accounts and one seat each."""
    if not is_account(visitor):
        raise Forbidden(N_("A rated table requires an account: log in first."))
    if any(seat.kind != "person" for seat in seats) or len(_held(seats, visitor)) > 1:
        raise Refused(
            N_("At a rated table, each player has one seat, and there are no computer players.")
        )


def _held(seats: Sequence[Seat], visitor: str) -> list[Seat]:
    return [seat for seat in seats if seat.owner == visitor]


async def rename(tables: TableStore, table_id: str, visitor: str, number: int, name: str) -> None:
    """Rename one's seat."""
    async with tables.changing(table_id) as change:
        change.require(LOBBY, RUNNING)
        seat = change.own_seat(number, visitor)
        await change.rename(seat, _checked_name(name, change.seats, number))


async def leave(tables: TableStore, table_id: str, visitor: str, number: int) -> None:
    """Leave the seat before the game."""
    async with tables.changing(table_id) as change:
        change.require(LOBBY)
        seat = change.own_seat(number, visitor)
        await votes.vacate_seat(change, seat)
        seat.owner, seat.name, seat.token, seat.kind = None, "", None, "person"
        seat.facing = False


async def start(tables: TableStore, table_id: str, visitor: str) -> None:
    """Start the game once every seat is taken."""
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
    """Start the game of a table with its set-up position."""
    names = [seat.name for seat in change.seats]
    change.begin(Game(title, names, change.table.options, seed=change.table.seed))
    for made in change.table.set_up or ():
        change.play(title.action_from_json(made))


async def close(tables: TableStore, table_id: str, visitor: str) -> None:
    """Close a table before its game is over. During a game only a player can, and only when the others have been gone
    for long."""
    async with tables.changing(table_id) as change:
        change.require(LOBBY, RUNNING)
        if visitor != change.table.creator:
            raise Forbidden(N_("Only the player who opened the table can close it."))
        if change.table.status == RUNNING and not may_close(change.seats, visitor):
            raise Forbidden(N_("Others are playing here: ask them to end the game."))
        await change.end()


async def note_seen(tables: TableStore, table_id: str, visitor: str) -> None:
    """Record, once a day, that a player looks at the table."""
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


def check_data(data: bytes | None) -> None:
    """Refuse component data that are too large."""
    if data is not None and len(data) > MAX_DATA:
        raise Refused(
            N_("The component data file is too large (at most {most} bytes)."),
            most=MAX_DATA,
        )


def check(new: NewTable) -> None:
    """Refuse impossible settings of a table."""
    if new.undo not in UNDO_POLICIES:
        raise Refused(N_("There is no such rule for undo."))
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
            N_("The pace of the computer must be between {low} and {high} seconds."), low=0, high=60
        )
    if new.moderation not in ("", *MODERATION):
        raise Refused(N_("There is no such rule for moderators."))
    _check_times(new)
    access.check_access(new.entry, new.password, new.watching, new.delay_moves, new.delay_minutes)


def _check_times(new: NewTable) -> None:
    """Refuse impossible time settings of a slow table."""
    if new.overrun not in OVERRUNS:
        raise Refused(N_("There is no such rule for what happens when the time is up."))
    if new.move_hours is not None and not 1 <= new.move_hours <= MAX_MOVE_HOURS:
        raise Refused(
            N_("The time for a move must be between {low} and {high} hours."),
            low=1,
            high=MAX_MOVE_HOURS,
        )
    if new.move_hours is not None and not new.slow:
        raise Refused(N_("Only slow tables have a time limit per move."))
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


async def hand_on(tables: TableStore, table_id: str, visitor: str, number: int) -> str:
    """Create a link that hands on one's own seat, or an abandoned one; returns its token."""
    async with tables.changing(table_id) as change:
        change.require(LOBBY, RUNNING)
        gone = change.seat(number).is_gone
        seat = change.seat(number) if gone else change.own_seat(number, visitor)
        if gone:
            change.any_own_seat(visitor)
        change.answer = seat.token = secrets.token_urlsafe(18)
        return seat.token


async def find_token(tables: TableStore, table_id: str, token: str) -> tuple[Snapshot, Seat]:
    """The seat of a hand-on link."""
    snapshot = await tables.load(table_id)
    for seat in snapshot.seats:
        if seat.token is not None and secrets.compare_digest(seat.token.encode(), token.encode()):
            return snapshot, seat
    raise NotFound(N_("This link is no longer valid: ask for a new one."))


async def take_over(tables: TableStore, table_id: str, visitor: str, token: str) -> None:
    """Take over the seat of a hand-on link, which is then used up."""
    _, found = await find_token(tables, table_id, token)
    async with tables.changing(table_id) as change:
        change.require(LOBBY, RUNNING)
        seat = change.seat(found.number)
        if seat.token != found.token:
            raise NotFound(N_("This link is no longer valid: ask for a new one."))
        given = seat.owner != visitor
        if given:
            access.check_sitter(change.table, change.seats, visitor)
            await votes.vacate_seat(change, seat)
            if change.table.status == RUNNING:
                await change.note(votes.HANDED, seat.number)
            if seat.is_gone:
                seat.vacation = change.table.vacation
            seat.kind = "person"
        seat.owner, seat.seen_at = visitor, now()
        seat.token = None
        seat.facing = False
        if given and change.table.status == RUNNING:
            change.await_anew(seat.number)
            await votes.carry_out_agreed(change)
            await votes.ask_newcomer(change, visitor)


async def come_back(tables: TableStore, table_id: str, visitor: str, number: int) -> None:
    """Take back one's former seat, unless another person has it."""
    async with tables.changing(table_id) as change:
        change.require(RUNNING)
        seat = change.seat(number)
        if seat.former != visitor:
            raise Forbidden(N_("This seat was not yours."))
        if seat.owner is not None:
            raise Conflict(N_("Another player has taken this seat."))
        access.check_sitter(change.table, change.seats, visitor)
        await votes.seat_player(change, seat, visitor, votes.BACK)
        await votes.ask_newcomer(change, visitor)
