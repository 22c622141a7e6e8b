"""A table as one visitor sees it."""

from __future__ import annotations

import hashlib
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import cached_property
from operator import itemgetter
from typing import Any
from weakref import WeakKeyDictionary

import msgspec
from litestar import Response
from litestar.params import FromPath

import kursbuch
from kursbuch.core.events import Event
from kursbuch.core.game import Game, Move, View
from kursbuch.core.record_format import Former
from kursbuch.core.title import Title
from kursbuch.core.voice import Voice
from kursbuch.core.words import N_, Words
from kursbuch.web.db.models import Premove, now
from kursbuch.web.http.errors import Conflict, Forbidden, Refused
from kursbuch.web.http.requests import AnyRequest, base_url, language_of, tables_of, who
from kursbuch.web.http.security import is_account
from kursbuch.web.tables import access
from kursbuch.web.tables.access import others
from kursbuch.web.tables.policies import CLOSED, FINISHED, RUNNING
from kursbuch.web.tables.snapshot import Snapshot, delayed, is_delayed
from kursbuch.web.tables.store import TableStore

#: Stands for a secret score.
HIDDEN = "–"

#: Stands for readers who know the whole position.
EVERYTHING = -1

#: Events with the number of their move.
_number = itemgetter(0)


class LogLine(msgspec.Struct, frozen=True, gc=False):
    """A log line: the number of its move (0: set-up), its text and its rule. `seat` is the one that moved, on the
    first line of a move. `opens`: a new part of the game begins. `automatic`: no one made the move, for lack of time
    or by a standing refusal. `mover` is the seat that moved, on all lines; `announced` is for screen readers at once.
    `note`: a note after move `number`; `url` is its link, if any."""

    number: int
    text: str
    rule: str
    rule_url: str
    seat: int | None
    automatic: bool
    opens: bool
    mover: int | None
    announced: bool
    note: bool = False
    url: str = ""


class KnownHistory:
    """The visible events of a game for a seat, up to its last move, and its turns and parts."""

    def __init__(self) -> None:
        #: Events with the number of their move.
        self.events: list[tuple[int, Event]] = []
        #: The events in words, by language and names.
        self.lines: dict[tuple[object, ...], list[LogLine]] = {}
        #: Numbers of the moves that end a turn, and of those that open a part of the game.
        self.turns: list[int] = []
        self.parts: list[int] = []
        self.moves = -1
        self.last: Move | None = None
        self.over = False


#: Visible events of games, by seat (None: spectators; `EVERYTHING`: all readers once nothing is hidden).
_TOLD: WeakKeyDictionary[Game, dict[int | None, KnownHistory]] = WeakKeyDictionary()


def _told(game: Game, seat: int | None) -> KnownHistory:
    """The visible events of a game for a seat; only new ones are computed."""
    kept, count = _TOLD.setdefault(game, {}), len(game.moves)
    told = kept.get(seat)
    if (
        told is None
        or told.over != game.over
        or told.moves > count
        or (told.moves and told.last is not game.moves[told.moves - 1])
    ):
        # After an undo, or when everything became public.
        told = kept[seat] = KnownHistory()
        told.over = game.over
    if told.moves < count:
        told.events += game.events(seat, told.moves + 1, reveal=seat == EVERYTHING)
        moves, opens = game.moves, game.title.opens
        for place in range(max(told.moves, 0), count):
            if place and moves[place].action.seat != moves[place - 1].action.seat:
                told.turns.append(place)
            if any(opens(event) for event in moves[place].events):
                told.parts.append(place + 1)
        told.moves, told.last = count, game.moves[-1] if count else None
    return told


class Viewer:
    """A table as one visitor sees it. Made and used without awaiting anything in between.

    Everything about a game comes from `Game.view` and from the events visible to the visitor; where a `seat` is named,
    to that one of his.
    """

    def __init__(
        self,
        snapshot: Snapshot,
        visitor: str,
        language: str,
        base_url: str,
        curtain: bool = True,
        ahead: Sequence[Premove] = (),
        seat: int | None = None,
    ) -> None:
        self.table = snapshot.table
        self.seats = snapshot.seats
        self.snapshot = snapshot
        #: The seats whose players look at the table.
        self.present = snapshot.present
        self.visitor = visitor
        self.base_url = base_url.rstrip("/")
        self.words = Words(language, [seat.name for seat in snapshot.seats])
        self.own = snapshot.seats_of(visitor)
        self.game = snapshot.game
        #: Whether nothing is hidden any more, as in the record: no one plays on here.
        self.revealed = self.game is not None and (
            self.game.over or self.table.status in (FINISHED, CLOSED)
        )
        pending = self.game.position.deciders() if self.game and self.running() else ()
        self.deciding = tuple(pending)
        #: Whether several players share the device and have secrets from each other.
        self.shares = curtain and len(self.own) > 1 and self.hides()
        #: The seats whose players sit in front of the device.
        self.here = [
            one
            for one in self.own
            # All players at the device may read messages to the seat.
            if (not self.shares or (self.seats[one].facing and seat is None))
            and seat in (None, one)
        ]
        deciding = [number for number in self.here if number in pending]
        self.acting: int | None = deciding[0] if deciding else None
        #: The seat of the visitor that may act out of turn. A deciding seat at the same device hides the choices of
        #: others.
        self.volunteer: int | None = None
        if self.here and self.acting is None and self.game is not None and self.running():
            position = self.game.position
            willing = [
                one
                for one in position.volunteers()
                if one in self.here and position.legal_actions(one)
            ]
            self.volunteer = next(iter(willing), None)
        #: The seat whose knowledge the page shows.
        self.looking = next(
            (one for one in (self.acting, self.volunteer, *self.here) if one is not None), None
        )
        self._scored: tuple[View, Sequence[int]] | None = None
        self._voices: dict[tuple[str, ...], Voice[Any]] = {}
        #: The premoves of the visitor's seats.
        self.ahead = ahead
        #: The number of moves of the position shown, None for the present one.
        self.at: int | None = None

    @cached_property
    def view(self) -> View | None:
        """What the visitor knows of the position shown."""
        return self._view_of(self.game.state) if self.game is not None else None

    def look_back(self, number: int) -> None:
        """Show the table after an earlier move, without any actions."""
        if self.game is None or number == self.number:
            return
        self.at = number
        self.view = seen = self.view_at(number)
        self.deciding = tuple(decision.seat for decision in seen.pending)
        self.acting = self.volunteer = None

    def face(self) -> str:
        """The player in front of a shared device, as the page's script tells them apart."""
        return str(self.looking if self.looking is not None else "nobody") if self.shares else ""

    @property
    def number(self) -> int:
        """The number of moves."""
        return len(self.game.moves) if self.game is not None else 0

    def position(self) -> str:
        """A name of the position that no other position of this table ever has."""
        return f"{self.table.rewound}.{self.number}"

    def running(self) -> bool:
        """Whether moves can be made."""
        return self.table.status == RUNNING and self.game is not None and not self.game.over

    def hides(self) -> bool:
        """Whether players have secrets from each other at the moment."""
        game = self.game
        return game is not None and not self.revealed and game.title.hides(game.options)

    @property
    def title(self) -> Title[Any]:
        """The title, with the table's component data once there is a game."""
        return self.game.title if self.game is not None else kursbuch.title(self.table.title)

    @cached_property
    def has_company(self) -> bool:
        """Whether other players can be asked for something."""
        return bool(others(self.seats, self.visitor) - self.snapshot.closed)

    @cached_property
    def voice(self) -> Voice[Any]:
        """The title's voice for the visitor."""
        return self.title.voice(self.words)

    @cached_property
    def past_names(self) -> tuple[tuple[int, int, str], ...]:
        """Former names of seats: the seat, the last move with that name, and the name."""
        return tuple((one.seat, one.number, one.name) for one in self.snapshot.predecessors)

    def names_at(self, number: int) -> tuple[str, ...]:
        """The names of the seats at a move."""
        if not self.past_names:
            return self.words.names
        names = list(self.words.names)
        for seat, last, name in reversed(self.past_names):
            if number <= last:
                names[seat] = name
        return tuple(names)

    def voice_at(self, number: int) -> Voice[Any]:
        """The title's voice for the events of a move."""
        names = self.names_at(number)
        return self.voice if names == self.words.names else self.voice_of(names)

    def voice_of(self, names: tuple[str, ...]) -> Voice[Any]:
        """The title's voice with other names."""
        if names not in self._voices:
            self._voices[names] = self.title.voice(Words(self.words.language, names))
        return self._voices[names]

    def audience(self) -> tuple[object, ...]:
        """The cache key of readers to whom all facts are the same but those of the position; most spectators are such
        readers."""
        table, source = self.table, self.snapshot.source
        known = self.own or table.creator == self.visitor or self.visitor in self.snapshot.guests
        known = known or any(seat.former == self.visitor for seat in self.seats)
        return (
            self.visitor if known else None,
            is_account(self.visitor),
            source is not None and self.visitor in source.people,
            self.words.language,
            self.base_url,
        )

    def shared(self) -> tuple[object, ...] | None:
        """The cache key of a page that is the same for all spectators, else None."""
        audience = self.audience()
        if audience[0] is not None or self.table.deadline is not None:
            return None
        return (self.table.id, self.table.version, self.number, self.at, *audience)

    def place(self) -> tuple[object, ...]:
        """The cache key of what depends on the position alone, as the visitor may know it; the same for all where
        nothing is hidden."""
        assert self.game is not None
        assert self.view is not None
        table, number = self.table, self.number if self.at is None else self.at
        # After an undo, a move number can stand for another position: `revision` tells them apart.
        whole = self.revealed or self.view.state is self.game.state
        whose = EVERYTHING if whole else self.view.seat
        return table.id, table.seed_hash, table.revision, number, whose

    def stamp(self) -> str:
        """A stamp that changes with anything the visitor may see of the table."""
        table = self.table
        whose = hashlib.blake2b(self.visitor.encode(), digest_size=6).hexdigest()
        return f"{table.version}.{self.number}.{table.status}.{whose}.{self.words.language}"

    def own_view(self) -> View:
        """The view of the acting seat; refused if the visitor has none."""
        if not self.own:
            raise Forbidden(N_("Only players at this table can do that."))
        if not self.here:
            raise Conflict(N_("First choose who is using this device."))
        if self.acting is None or self.view is None:
            raise Conflict(N_("It is not your turn."))
        return self.view

    def address(self, path: str = "") -> str:
        """The address of a page of this table, with the move being viewed."""
        at = "" if self.at is None else f"?move={self.at}"
        return f"/t/{self.table.id}{path}{at}"

    def view_at(self, number: int) -> View:
        """The view after an earlier move."""
        if self.game is None:
            raise Conflict(N_("The game has not begun yet."))
        return self._view_of(self.game.at(number).state)

    def _view_of(self, state: Any) -> View:
        """The view of a position for the visitor."""
        assert self.game is not None
        seen = state if self.revealed else self.title.view(state, self.looking)
        return View(self.title, seen, self.looking, self.game.names)

    def score(self, number: int) -> str:
        """The score of a seat, a dash if it is secret."""
        if self.view is None or self.game is None:
            return ""
        if self._scored is None or self._scored[0] is not self.view:
            self._scored = self.view, self.title.scores(self.view.state)
        return self.score_in(self._scored[1], number)

    def score_in(self, scores: Sequence[int], number: int) -> str:
        """One of these scores, a dash if it is secret."""
        if self.hides() and number != self.looking and scores[number] == 0:
            return HIDDEN
        return self.voice.written_score(scores[number])

    def heard(self, number: int) -> bool:
        """Whether the browser of a seat was heard of lately."""
        return number in self.present

    def events(self, start: int = 0, end: int | None = None) -> list[tuple[int, Event]]:
        """The events visible at the position shown, with the number of their move."""
        if self.game is None:
            return []
        end = self.at if end is None else end
        events = self.told(self.game).events
        first = bisect_left(events, start, key=_number) if start else 0
        return events[first : None if end is None else bisect_right(events, end, key=_number)]

    def told(self, game: Game) -> KnownHistory:
        """All visible events of the game."""
        return _told(game, EVERYTHING if self.revealed else self.looking)

    def pieces_url(self) -> str:
        """The address of the pieces' drawing, empty if the title has none."""
        if not self.title.pieces:
            return ""
        return f"/t/{self.table.id}/pieces.svg?{self.title.data_hash[:12]}"

    def record(self) -> str:
        """The record of the game; secrets only once they are of no use."""
        if self.game is None:
            raise Refused(N_("The game has not begun yet."))
        if not self.may_record():
            raise Conflict(
                N_(
                    "The record would reveal hidden information; it can be saved when the game is "
                    "over."
                )
            )
        self.game.former = self._former(self.game)
        return self.game.record()

    def _former(self, game: Game) -> tuple[Former, ...]:
        """Former names of seats during the game."""
        found: dict[tuple[int, int], Former] = {}
        for seat, number, name in sorted(self.past_names, key=itemgetter(1)):
            if number <= len(game.moves) and name != self.words.names[seat]:
                found.setdefault((seat, number), Former(seat, number, name))
        return tuple(found.values())

    def head(self) -> str:
        """The last link of the hash chain at the position shown; empty before the game. While anything is hidden, it
        must not reveal whether an undone move was made again."""
        if self.game is None:
            return ""
        number = self.number if self.at is None else self.at
        names = self.words.names if self.at is None else self.names_at(number)
        return self.game.head(number, names, self.table.rewound if self.hides() else 0) or ""

    def may_record(self) -> bool:
        """Whether the record may be given out now."""
        return self.game is not None and not (self.running() and self.hides())


async def viewer(
    request: AnyRequest, table_id: FromPath[str], curtain: bool = True, at: int | None = None
) -> Viewer:
    """The table as the visitor may see it; with `curtain`, as the player in front of a shared device may; with `at`,
    after an earlier move."""
    snapshot = await allowed(tables_of(request), table_id, who(request).id)
    shown = await seen_by(request, snapshot, curtain)
    if at is not None:
        shown.look_back(at)
    return shown


async def seen_by(request: AnyRequest, snapshot: Snapshot, curtain: bool = True) -> Viewer:
    """A snapshot as the visitor may see it."""
    tables, visitor = tables_of(request), who(request).id
    own, ahead = snapshot.seats_of(visitor), []
    if own and snapshot.fixed_ahead and snapshot.table.status == RUNNING:
        ahead = await tables.intentions(snapshot.table.id, own)
        if not snapshot.is_whole:
            snapshot = await allowed(tables, snapshot.table.id, visitor)
    # No await from here on: otherwise the page could mix two positions.
    tables.look_at(snapshot, visitor)
    if is_delayed(snapshot, visitor):
        snapshot = delayed(snapshot, now())
    language = language_of(request, snapshot.table.language)
    return Viewer(snapshot, visitor, language, base_url(request), curtain, ahead)


async def allowed(tables: TableStore, table_id: str, visitor: str) -> Snapshot:
    """The current table, if the visitor may watch it."""
    snapshot = await tables.load(table_id)
    if not access.may_watch(snapshot, visitor):
        raise access.TableClosed(snapshot)
    return snapshot


def record_of(shown: Viewer) -> Response[str]:
    """The record of a game as a file."""
    record = shown.record()
    headers = {
        "content-disposition": f'attachment; filename="{shown.table.title}-{shown.table.id}.txt"'
    }
    return Response(record, headers=headers, media_type="text/plain")
