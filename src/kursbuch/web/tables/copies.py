"""Copies of tables, and playing again."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from kursbuch.bots import strengths, usual_strength
from kursbuch.core.errors import KursbuchError
from kursbuch.core.game import Game
from kursbuch.core.words import N_
from kursbuch.web.ai.levels import bot_spec
from kursbuch.web.db.models import Origin, Seat, StoredMove, Table, now
from kursbuch.web.http.errors import Conflict, Refused, stale
from kursbuch.web.labels import FieldChoice
from kursbuch.web.tables import access
from kursbuch.web.tables.policies import (
    CLOSED,
    FINISHED,
    LOBBY,
    NO_MODERATOR,
    OPENER_MODERATES,
    RUNNING,
    SEAT_FIELDS,
)
from kursbuch.web.tables.snapshot import Seen, Snapshot, delayed, is_delayed
from kursbuch.web.tables.store import TableStore, laid, new_seed, new_table
from kursbuch.web.tables.viewer import Viewer

#: The player of a seat in a copy: the visitor who makes it.
MYSELF = "me"

#: Kinds of notes.
COPY, AGAIN = "copy", "again"
SECRET = N_(
    "A copy would reveal hidden information: you can play on from here when the game is over."
)


def copied_from(snapshot: Snapshot, number: int) -> Game:
    """The game to be copied after `number` moves. `Conflict` while it would reveal secrets: only public information
    leaves a table."""
    game = snapshot.game
    if game is None:
        raise Conflict(N_("The game has not begun yet."))
    if snapshot.table.status == RUNNING and not game.over and game.title.hides(game.options):
        raise Conflict(SECRET)
    if not 0 <= number <= len(game.moves):
        raise Refused(N_("The game has no move number {number}."), number=number)
    if game.over and number == len(game.moves):
        raise Conflict(N_("The game is over after this move: go back to an earlier one."))
    return game


#: Settings that a rematch keeps, but a private copy does not.
PLAYED_AGAIN = (
    "slow",
    "move_hours",
    "overrun",
    "vacation",
    "language_note",
    "entry",
    "password",
    "watching",
    "delay_moves",
    "delay_minutes",
)


async def copy(
    tables: TableStore, table_id: str, visitor: str, seen: Seen, players: Sequence[str]
) -> str:
    """Open a private table that begins with the first `seen.number` moves of another one; later draws come from its
    own seed. `players` names the player of every seat: the visitor (`MYSELF`) or a bot level. Returns the id of the
    table."""
    snapshot = await tables.load(table_id)
    if not access.may_watch(snapshot, visitor):
        raise access.TableClosed(snapshot)
    if is_delayed(snapshot, visitor):
        snapshot = delayed(snapshot, now())
    old = snapshot.table
    if seen.version is not None and not old.rewound <= seen.version <= old.version:
        raise stale()
    game = copied_from(snapshot, seen.number).play_on(seen.number, new_seed())
    if len(players) != len(snapshot.seats):
        raise Refused(N_("It is not clear who plays each seat of the copy."))
    seats = [
        _copied_seat(seat, player, visitor)
        for seat, player in zip(snapshot.seats, players, strict=True)
    ]
    mine = next((seat for seat in seats if seat.owner is not None), None)
    if mine is not None:
        mine.kind, mine.facing = "person", True
    table = _like(old, game, visitor)
    table.undo, table.help, table.listed, table.objection_seconds = "free", True, False, None
    table.moderation, table.moderators = OPENER_MODERATES, []
    automatic = [by_itself for _, by_itself in snapshot.moves[: seen.number]]
    await lay(tables, table, seats, game, automatic, COPY, old.id)
    return table.id


async def lay(
    tables: TableStore,
    table: Table,
    seats: list[Seat],
    game: Game,
    automatic: Sequence[bool],
    note: str,
    source: str | None = None,
) -> None:
    """Store a new table with a game that already has moves, which cannot be undone there. `automatic` says which of
    them were automatic, `note` where they come from."""
    table.number = table.copied = len(game.moves)
    moves = [
        StoredMove(
            table_id=table.id,
            number=number,
            seat=move.action.seat,
            action=game.title.action_to_json(move.action),
            draws=[list(drawn) for drawn in move.draws],
            automatic=automatic[number - 1],
            edition=move.edition,
            made_at=now(),
        )
        for number, move in enumerate(game.moves, 1)
    ]
    origin = Origin(
        table_id=table.id,
        source_id=source,
        parts=[(part.moves, part.seed_hash) for part in game.copied],
        draws=game.draws(),
    )
    async with tables.opening(table, seats) as change:
        change.begin(game)
        change.session.add_all([*moves, origin])
        await change.session.flush()
        await change.note(note, None)


async def again(tables: TableStore, table_id: str, visitor: str) -> str:
    """Open or find the rematch of a finished game; returns its id. The first player now moves last."""
    async with tables.changing(table_id) as change:
        old = change.table
        if old.status in (LOBBY, RUNNING) or not old.revision:
            raise Conflict(N_("The same people can play again when the game is over."))
        own = change.any_own_seat(visitor)
        if old.again is not None and await change.session.get(Table, old.again) is not None:
            change.silent = True
            change.answer = old.again
            return old.again
        if any(seat.is_empty for seat in change.seats):
            raise Conflict(N_("One of the players is gone: open a new table."))
        await tables.check_open(change.session, visitor)
        title = await tables.games.title(change.session, old)
        people = [*change.seats[1:], change.seats[0]]
        names = [seat.name for seat in people]
        game = Game(title, names, old.options, seed=new_seed())
        plays = any(seat.owner == old.creator for seat in people)
        table = _like(old, game, old.creator if plays else visitor)
        for name in PLAYED_AGAIN:
            setattr(table, name, getattr(old, name))
        # A bot that replaced a player plays on, but not for a rating.
        table.rated = old.rated and not any(seat.is_bot for seat in people)
        if table.rated and table.moderation == OPENER_MODERATES:
            table.moderation = NO_MODERATOR  # possible at older rated tables
        table.moderators = sorted((seat - 1) % len(people) for seat in old.moderators)
        seats = [
            Seat(
                number=number,
                kind=seat.kind,
                name=seat.name,
                bot=seat.bot,
                owner=seat.owner,
                vacation=old.vacation,
                facing=seat.owner is not None
                and all(other.owner != seat.owner for other in people[:number]),
            )
            for number, seat in enumerate(people)
        ]
        opened = await laid(change.session, table, seats)
        opened.begin(game)
        await tables.complete(opened)
        change.answer = old.again = table.id
        await change.note(AGAIN, own.number)
    await tables.tell(opened)
    return table.id


def _like(old: Table, game: Game, creator: str) -> Table:
    """A new table with the settings of another one."""
    return new_table(
        game,
        creator,
        data_hash=old.data_hash,
        language=old.language,
        undo=old.undo,
        help=old.help,
        objection_seconds=old.objection_seconds,
        rated=False,
        listed=old.listed,
        pace=old.pace,
        guided=False,
        moderation=old.moderation,
        moderators=list(old.moderators),
    )


def _copied_seat(seat: Seat, player: str, visitor: str) -> Seat:
    mine = player == MYSELF
    return Seat(
        number=seat.number,
        kind="hotseat" if mine else "bot",
        name=seat.name,
        bot="" if mine else bot_spec(player),
        owner=visitor if mine else None,
        facing=False,
    )


def origin_url(shown: Viewer) -> str:
    """The source of this copy, for visitors who may know of it: it is listed, or they were involved."""
    source = shown.snapshot.source
    if source is None:
        return ""
    knows = source.listed or shown.visitor in source.people
    return f"/t/{source.id}" if knows or shown.visitor == shown.table.creator else ""


def again_url(shown: Viewer) -> str:
    """The address of the rematch, for its players and possible spectators."""
    table = shown.table
    return f"/t/{table.again}" if table.again and (shown.own or table.listed) else ""


def may_again(shown: Viewer) -> bool:
    """Whether the visitor may open a rematch."""
    over = shown.table.status in (FINISHED, CLOSED) and shown.game is not None
    all_there = not any(seat.is_empty for seat in shown.seats)
    return over and all_there and bool(shown.own) and not shown.table.again


class CopySeat(msgspec.Struct, frozen=True):
    """The possible players of a seat in a copy: the field `seat{n}`."""

    number: int
    name: str
    players: list[FieldChoice]


class Copying(msgspec.Struct, frozen=True):
    """The form to play on after `number` moves at a private table, or why that is not possible. POST /copy has the
    fields number, version, seat{n} ("me" or a bot level)."""

    number: int
    refusal: str
    seats: list[CopySeat]


def copying(shown: Viewer, seats: list[CopySeat]) -> Copying | None:
    """The form to play on from the position shown."""
    game = shown.game
    if game is None:
        return None
    number = shown.number if shown.at is None else shown.at
    if game.over and number == shown.number:
        number -= 1
    refusal = ""
    try:
        copied_from(shown.snapshot, number)
    except KursbuchError as error:
        refusal = error.text(shown.words)
    return Copying(number, refusal, seats)


def copy_seats(shown: Viewer) -> list[CopySeat]:
    """The seats of a copy."""
    words = shown.words
    bots = [(spec, words._(label)) for spec, label in strengths(shown.title)]
    seats = []
    for seat in shown.seats:
        mine = seat.number in shown.own if shown.own else not seat.is_bot
        chosen = MYSELF if mine else seat.bot if seat.is_bot else usual_strength(shown.title)
        players = [(MYSELF, words._(SEAT_FIELDS[MYSELF])), *bots]
        seats.append(
            CopySeat(
                seat.number,
                seat.name,
                [FieldChoice(value, text, value == chosen) for value, text in players],
            )
        )
    return seats


#: Note in the log of a table that continues a record.
RECORD = "record"
