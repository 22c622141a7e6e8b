"""Before the game: open a table, sit down, stand up, begin, close."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import msgspec
from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

import kursbuch
from kursbuch.core.chance import commitment
from kursbuch.core.game import Game, check_names
from kursbuch.core.words import LANGUAGES, N_
from kursbuch.web.errors import Conflict, Forbidden, Refused
from kursbuch.web.models import DataFile, Seat, Table, now
from kursbuch.web.policies import LOBBY, MAX_OBJECTION, RUNNING, UNDO_POLICIES, USUAL_PACE
from kursbuch.web.strengths import bot_spec
from kursbuch.web.tables import Tables, new_id, new_seed
from kursbuch.web.thinking import title_with_data

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
    """A table to be opened. `objection` is in seconds, None for no limit."""

    title: str
    seats: list[NewSeat]
    options: dict[str, str] = {}
    undo: str = "ask"
    help: bool = True
    listed: bool = True
    objection: int | None = None
    language: str = ""
    pace: float = USUAL_PACE


async def open_table(tables: Tables, new: NewTable, visitor: str, data: bytes | None = None) -> str:
    """Open a table and return its id; a table without free seats starts at once."""
    if data is not None and len(data) > MAX_DATA:
        raise Refused(
            N_("The file of component data is too large; at most {most} bytes are possible."),
            most=MAX_DATA,
        )
    kursbuch.title(new.title)
    title = title_with_data(new.title, data)
    title.check_seats(len(new.seats))
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
    seats = _new_seats(new.seats, visitor)
    seed = new_seed()
    options = title.option_values(new.options)
    # Whatever the options and the component data do not allow shows when a game is set up.
    Game(title, _all_names(seats), options, seed=seed)
    table = Table(
        id=new_id(),
        title=new.title,
        options=options,
        data_hash=None,
        seed=seed,
        seed_hash=commitment(seed),
        status=LOBBY,
        language=new.language,
        undo=new.undo,
        help=new.help,
        objection_seconds=new.objection,
        listed=new.listed,
        pace=new.pace,
        creator=visitor,
        version=1,
        revision=0,
        number=0,
        edition=title.edition,
        turn=[],
        bots_due=False,
    )
    for seat in seats:
        seat.table_id = table.id
    async with tables.refusing(), tables.database.writing() as session:
        await _check_open(tables, session, visitor)
        if data is not None:
            table.data_hash = hashlib.sha256(data).hexdigest()
            if await session.get(DataFile, table.data_hash) is None:
                session.add(DataFile(hash=table.data_hash, content=data))
                await session.flush()
        session.add(table)
        await session.flush()
        session.add_all(seats)
    if not any(seat.is_free for seat in seats):
        await start(tables, table.id, visitor)
    return table.id


async def _check_open(tables: Tables, session: AsyncSession, visitor: str) -> None:
    """Refuse another table to somebody who has as many open ones as one may have."""
    count = await session.scalar(
        select(func.count())
        .select_from(Table)
        .where(Table.creator == visitor, Table.status.in_((LOBBY, RUNNING)))
    )
    if (count or 0) >= tables.most_open:
        raise Conflict(
            N_(
                "You have {count} open tables, and more are not possible here: "
                "end one of their games or close one first."
            ),
            count=count,
        )


async def join(tables: Tables, table_id: str, visitor: str, number: int, name: str) -> None:
    """Sit down on a free seat."""
    async with tables.changing(table_id) as change:
        change.require(LOBBY)
        seat = change.seat(number)
        if not seat.is_free:
            raise Conflict(N_("This seat is already taken."))
        seat.name = _checked_name(name, change.seats, number)
        seat.facing = not any(other.owner == visitor for other in change.seats)
        seat.owner = visitor
        seat.seen_at = now()


async def rename(tables: Tables, table_id: str, visitor: str, number: int, name: str) -> None:
    """Give one's seat another name."""
    async with tables.changing(table_id) as change:
        change.require(LOBBY, RUNNING)
        change.own_seat(number, visitor).name = _checked_name(name, change.seats, number)


async def leave(tables: Tables, table_id: str, visitor: str, number: int) -> None:
    """Stand up again, before the game begins."""
    async with tables.changing(table_id) as change:
        change.require(LOBBY)
        seat = change.own_seat(number, visitor)
        seat.owner, seat.name, seat.token, seat.kind = None, "", None, "person"
        seat.facing = False


async def start(tables: Tables, table_id: str, visitor: str) -> None:
    """Begin the game, once every seat is taken."""
    async with tables.changing(table_id) as change:
        change.require(LOBBY)
        table = change.table
        if visitor != table.creator and visitor not in (seat.owner for seat in change.seats):
            raise Forbidden(N_("Only players at this table can do that."))
        if any(seat.is_free for seat in change.seats):
            raise Conflict(N_("The game begins when every seat is taken."))
        title = await tables.games.title(change.session, table)
        names = [seat.name for seat in change.seats]
        game = Game(title, names, table.options, seed=table.seed)
        table.status = RUNNING
        table.edition = game.edition
        change.game, change.position = game, game.position
        await change.settle()


async def close(tables: Tables, table_id: str, visitor: str) -> None:
    """End a table before its game is over."""
    async with tables.changing(table_id) as change:
        change.require(LOBBY, RUNNING)
        if visitor != change.table.creator:
            raise Forbidden(N_("Only the one who opened the table can close it."))
        await change.end()


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
