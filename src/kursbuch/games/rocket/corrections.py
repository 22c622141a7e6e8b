"""Corrections of Stephenson's Rocket: money, shares, tokens, stations, locomotives, mergers and turns. They do not
score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kursbuch.core.corrections import (
    COUNT,
    PLAYER,
    SOURCE,
    TARGET,
    Field,
    Kind,
    Money,
    Transfer,
    TurnOf,
    players,
    seat_in,
)
from kursbuch.core.errors import IllegalAction
from kursbuch.core.words import N_
from kursbuch.games.rocket.components import Board
from kursbuch.games.rocket.settlement import dissolve
from kursbuch.games.rocket.state import (
    SEATS,
    Boards,
    RocketPlay,
    RocketState,
    Track,
    Turn,
    destinations,
    free_hexes,
    living,
    share,
    tile_supply,
    token,
    touched_lines,
)

#: Corrections cannot trigger the end, which is checked after moves only.
LAST_TILE = (
    "end-2",
    N_("The last track tile ends the game: lay it with a move, not a correction."),
)

LAST_SHARES = (
    "end-1",
    N_(
        "Only one line would have shares left, which ends the game: that takes a "
        "move, not a correction."
    ),
)

_LINE = Field("line", N_("Railway line"), "line")
_HEX = Field("hex", N_("Hex"), "hex")


class BoardCorrection(Kind[RocketState]):
    """A correction that uses the board."""

    def __init__(self, boards: Boards) -> None:
        self.boards = boards

    def board(self, state: RocketState) -> Board:
        return self.boards.of(state)


class Sums(BoardCorrection, Money[RocketState]):
    """Transfer money; the bank is unlimited."""

    places = unlimited = ("bank",)

    def private(self, state: RocketState, holder: str) -> bool:
        return state.hidden_money


class Shares(BoardCorrection, Transfer[RocketState]):
    """Transfer shares of an existing line."""

    name = "share"
    label = N_("Shares")
    form = N_("share {count} {line} from {source} to {target}")
    sentence = N_("{count} × {line} from {source} to {target}")
    fields = (_LINE, SOURCE, TARGET, COUNT)
    moved = share("{line}")
    places = ("stock",)

    def kinds(self, state: RocketState, field: str, chosen: Mapping[str, str]) -> Sequence[str]:
        lines = self.board(state).lines
        return [lines[line].id for line in living(state)]


class Tokens(BoardCorrection, Transfer[RocketState]):
    """Transfer tokens of a metropolis."""

    name = "token"
    label = N_("Metropolis tokens")
    form = N_("token {count} {metropolis} from {source} to {target}")
    sentence = N_("{count} × {metropolis} from {source} to {target}")
    fields = (Field("metropolis", N_("Metropolis"), "metropolis"), SOURCE, TARGET, COUNT)
    moved = token("{metropolis}")
    places = ("map",)

    def kinds(self, state: RocketState, field: str, chosen: Mapping[str, str]) -> Sequence[str]:
        return list(self.board(state).metropolis_index)


class Passengers(BoardCorrection, Transfer[RocketState]):
    """Transfer passenger tokens."""

    name = "passenger"
    label = N_("Passenger tokens")
    form = N_("passenger {count} from {source} to {target}")
    sentence = N_("{count} × passenger token from {source} to {target}")
    fields = (SOURCE, TARGET, COUNT)
    moved = "passenger"
    places = ("supply",)


class Stations(BoardCorrection):
    """Place a player's station on a hex."""

    name = "station"
    label = N_("Station")
    form = N_("station of {player} on {hex}")
    sentence = N_("a station of {player} on {hex}")
    fields = (PLAYER, _HEX)

    def candidates(
        self, state: RocketState, field: str, chosen: Mapping[str, str]
    ) -> Sequence[str]:
        if field == "player":
            held = state.ledger.items
            return [
                value
                for value in players(state)
                if held[f"station:{SEATS[seat_in(value)]}"].get("supply")
            ]
        board = self.board(state)
        return [
            name
            for place, name in enumerate(board.hex_names)
            if place not in state.stations and board.town_at[place] < 0
        ]

    def perform(self, play: RocketPlay, values: Mapping[str, str]) -> None:
        state, seat = play.state, seat_in(values["player"])
        state.ledger.move(f"station:{SEATS[seat]}", "supply", "map")
        state.stations[self.board(state).hex_index[values["hex"]]] = seat


class NoStation(BoardCorrection):
    """Return a station to its player."""

    name = "no-station"
    label = N_("Take a station away")
    form = N_("no station on {hex}")
    sentence = N_("no station on {hex}")
    fields = (_HEX,)

    def candidates(
        self, state: RocketState, field: str, chosen: Mapping[str, str]
    ) -> Sequence[str]:
        names = self.board(state).hex_names
        return [names[place] for place in sorted(state.stations)]

    def perform(self, play: RocketPlay, values: Mapping[str, str]) -> None:
        state = play.state
        seat = state.stations.pop(self.board(state).hex_index[values["hex"]])
        state.ledger.move(f"station:{SEATS[seat]}", "map", "supply")


class Locomotive(BoardCorrection):
    """Move a locomotive to a hex that touches no other line, or back to its previous hex."""

    name = "locomotive"
    label = N_("Locomotive")
    form = N_("locomotive of {line} on {hex}")
    sentence = N_("the locomotive of {line} on {hex}")
    fields = (_LINE, _HEX)
    #: Number of other lines adjacent to the target.
    touching = 0

    def candidates(
        self, state: RocketState, field: str, chosen: Mapping[str, str]
    ) -> Sequence[str]:
        board = self.board(state)
        if field == "line":
            return [board.lines[line].id for line in living(state)]
        line = board.line_index[chosen["line"]]
        free = set(free_hexes(state, board)) | set(state.stations)
        found = [
            place
            for place in destinations(state, board, line)
            if place in free and len(touched_lines(state, board, line, place)) == self.touching
        ]
        back = None if self.touching else self._back(state, board, line)
        return [board.hex_names[place] for place in (*found, *(() if back is None else (back,)))]

    def forbids(self, state: RocketState, values: Mapping[str, str]) -> IllegalAction | None:
        board = self.board(state)
        line, place = board.line_index[values["line"]], board.hex_index[values["hex"]]
        covered = state.facing[line] >= 0 and place != self._back(state, board, line)
        if not covered or tile_supply(state) > 1:
            return None
        return IllegalAction(*LAST_TILE)

    def _back(self, state: RocketState, board: Board, line: int) -> int | None:
        """The locomotive's previous hex; None if it has not moved, or a merger since prevents going back."""
        facing, here = state.facing[line], state.locomotive[line]
        if facing < 0:
            return None
        before = board.neighbours[here][(facing + 3) % 6]
        if before == board.start_hex[line]:
            return before
        own = [track for track in state.track if track.line == line]
        return before if own and own[-1].hex == before else None

    def perform(self, play: RocketPlay, values: Mapping[str, str]) -> None:
        state = play.state
        board = self.board(state)
        line, place = board.line_index[values["line"]], board.hex_index[values["hex"]]
        here = state.locomotive[line]
        if place == self._back(state, board, line):
            state.owner[here] = -1
            state.facing[line] = -1
            if place != board.start_hex[line]:
                track = next(
                    each for each in reversed(state.track) if (each.line, each.hex) == (line, place)
                )
                state.track.remove(track)
                state.ledger.move("tile", "map", "supply")
                state.facing[line] = (track.rear + 3) % 6
        else:
            self._go_on(state, board, line, place)
        state.locomotive[line] = place
        self._connect(state, board, line)

    def _go_on(self, state: RocketState, board: Board, line: int, place: int) -> None:
        """Move to an adjacent hex and cover the old one, unless it is a start town."""
        here, facing = state.locomotive[line], state.facing[line]
        edge = board.neighbours[here].index(place)
        if facing >= 0:
            state.ledger.move("tile", "supply", "map")
            state.track.append(Track(here, (facing + 3) % 6, edge, line))
        state.facing[line] = edge
        state.owner[place] = line
        state.locomotive[line] = place

    def _connect(self, state: RocketState, board: Board, line: int) -> None:
        """Set the line's connected towns: those next to its hexes and the start towns of merged lines."""
        found = 0
        for place, owner in enumerate(state.owner):
            if owner == line:
                found |= board.near_towns[place] & ~board.start_towns
        for other, start in enumerate(board.start_hex):
            if state.owner[start] == line:
                found |= board.start_bit[other]
        state.connected[line] = found


class Merger(Locomotive):
    """Move a locomotive next to another line and merge it into that line, exchanging shares."""

    name = "merger"
    label = N_("Merger")
    form = N_("merger of {line} on {hex}")
    sentence = N_("{line} comes to {hex} and merges into the line there")
    touching = 1

    def forbids(self, state: RocketState, values: Mapping[str, str]) -> IllegalAction | None:
        line = self.board(state).line_index[values["line"]]
        if tile_supply(state) <= 1 + (state.facing[line] >= 0):
            return IllegalAction(*LAST_TILE)
        others = [each.id for place, each in enumerate(self.board(state).lines) if place != line]
        if sum(state.ledger.held(share(other), "stock") > 0 for other in others) <= 1:
            return IllegalAction(*LAST_SHARES)
        return None

    def perform(self, play: RocketPlay, values: Mapping[str, str]) -> None:
        state = play.state
        board = self.board(state)
        line, place = board.line_index[values["line"]], board.hex_index[values["hex"]]
        (into,) = touched_lines(state, board, line, place)
        self._go_on(state, board, line, place)
        turn = state.agenda[-1]
        assert isinstance(turn, Turn)
        dissolve(state, board, turn.seat, line, into, play)
        self._connect(state, board, into)


class TurnAt(BoardCorrection, TurnOf[RocketState]):
    """Start the first or second action of a player's turn, interrupting play."""

    form = N_("turn of {player} action {action}")
    sentence = N_("{player} to move, with action {action} of 2")
    fields = (PLAYER, Field("action", N_("Action"), "number"))

    def candidates(
        self, state: RocketState, field: str, chosen: Mapping[str, str]
    ) -> Sequence[str]:
        return ["1", "2"] if field == "action" else super().candidates(state, field, chosen)

    def turn(self, seat: int, values: Mapping[str, str]) -> Turn:
        return Turn(seat, int(values["action"]), [])


KINDS: tuple[type[BoardCorrection], ...] = (
    Sums,
    Shares,
    Tokens,
    Passengers,
    Stations,
    NoStation,
    Locomotive,
    Merger,
    TurnAt,
)


def uncorrectable(state: RocketState, kind: str) -> IllegalAction | None:
    """Refuse corrections during objections and vetoes, which depend on the position."""
    if kind == TurnAt.name or isinstance(state.agenda[-1], Turn):
        return None
    return IllegalAction("", "First answer, take back or cancel what is being asked now.")
