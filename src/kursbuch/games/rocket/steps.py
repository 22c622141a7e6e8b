"""The rules of Stephenson's Rocket in the order of play: whose turn it is, and his two actions.

What follows from the move of a locomotive stands in `veto.py` and `settlement.py`. Ids in brackets are
those of rules.toml.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache

from kursbuch.core.actions import Action, Choice
from kursbuch.core.errors import IllegalAction
from kursbuch.core.play import StepRules
from kursbuch.core.words import N_
from kursbuch.games.rocket import events as happened
from kursbuch.games.rocket.actions import ExtendLine, MoveStation, PlaceStation, TakeToken
from kursbuch.games.rocket.asking import RocketRules
from kursbuch.games.rocket.components import Board
from kursbuch.games.rocket.counts import RocketPlay, all_shares, clockwise, living
from kursbuch.games.rocket.geography import blocked, closed_to, destinations, free_hexes, no_hex
from kursbuch.games.rocket.state import (
    SEATS,
    Objection,
    Opening,
    RocketState,
    Settlement,
    Turn,
    share,
    token,
)

# Choices are immutable and there are few different ones, so each is made once.


@cache
def _token_choice(seat: int, metropolis: str) -> Choice:
    return Choice(TakeToken(seat, metropolis))


@cache
def _place_choice(seat: int, place: str) -> Choice:
    return Choice(PlaceStation(seat, place))


@lru_cache(maxsize=100_000)
def _move_choice(seat: int, origin: str, place: str) -> Choice:
    return Choice(MoveStation(seat, origin, place))


@lru_cache(maxsize=100_000)
def _extend_choice(seat: int, line: str, place: str) -> Choice:
    return Choice(ExtendLine(seat, line, place))


class OpeningRules(StepRules[RocketState, Opening]):
    """The start player is drawn by lot [setup-10]."""

    def run(self, state: RocketState, step: Opening, play: RocketPlay) -> None:
        play.done()
        state.start = play.draw(state.seats)
        play.emit(happened.StartPlayerDrawn(rule="setup-10", seat=state.start))
        play.push(Turn(state.start, 1, []))


class TurnRules(RocketRules[Turn]):
    """Two actions, each of one of three kinds [turn-2]."""

    asks = (
        "turn-2",
        N_("In your turn you take a token, place or move a station, or extend a line."),
    )

    def deciders(self, state: RocketState, step: Turn) -> Sequence[int]:
        return (step.seat,) if step.action <= 2 else ()

    def run(self, state: RocketState, step: Turn, play: RocketPlay) -> None:
        """The next player's turn [turn-1]."""
        play.done()
        play.push(Turn((step.seat + 1) % state.seats, 1, []))

    # Most hexes are candidates: what is allowed is listed quicker than every one is looked at. A test
    # holds the list against `problem`.

    def choices(self, state: RocketState, step: Turn, seat: int) -> list[Choice]:
        board = self.boards.of(state)
        names = board.hex_names
        items = state.ledger.items
        found = [
            _token_choice(seat, name)
            for name in board.metropolis_index
            if items[token(name)].get("map")
        ]
        found += [
            _extend_choice(seat, board.lines[line].id, names[place])
            for line in living(state)
            if line not in step.moved
            for place in destinations(state, board, line)
        ]
        free = free_hexes(state, board)
        near = blocked(state, board)
        permitted = [place for place in free if place not in near]
        open_land = set(free)
        if state.ledger.held("station:" + SEATS[seat], "supply"):
            found += [_place_choice(seat, names[place]) for place in permitted]
        for origin, owner in state.stations.items():
            if owner != seat or state.owner[origin] >= 0:
                continue
            here = names[origin]
            # Hexes blocked by nothing but the station that is being moved [station-3].
            alone = [n for n in board.around[origin] if near[n] == 1 and n in open_land]
            found += [_move_choice(seat, here, names[place]) for place in (*permitted, *alone)]
        return found

    def attempts(
        self, state: RocketState, step: Turn, seat: int, keys: Sequence[str]
    ) -> Iterator[Action]:
        board = self.boards.of(state)
        kind, _, name = keys[-1].partition(":")
        before, _, chosen = keys[-2].partition(":") if len(keys) > 1 else ("", "", "")
        places = {town.name: board.hex_names[town.hex] for town in board.towns}
        if kind == "town" and not before:
            yield TakeToken(seat, name)
        place = places.get(name, name)
        if before and kind == "line" and name in board.line_index:
            place = board.hex_names[state.locomotive[board.line_index[name]]]
        if before == "line":
            yield ExtendLine(seat, chosen, place)
        elif before == "station":
            yield MoveStation(seat, chosen, place)
        elif kind == "line" and name in board.line_index:
            here = state.locomotive[board.line_index[name]]
            # The locomotive of a dissolved line is nowhere, so any hex shows what is wrong.
            for near in board.around[max(here, 0)]:
                yield ExtendLine(seat, name, board.hex_names[near])
        elif kind == "station":
            yield MoveStation(seat, place, place)
        elif place in board.hex_index:
            for line in living(state):
                if board.hex_index[place] in board.around[state.locomotive[line]]:
                    yield ExtendLine(seat, board.lines[line].id, place)
            if kind != "town":
                yield PlaceStation(seat, place)

    def problem(self, state: RocketState, step: Turn, action: Action) -> IllegalAction | None:
        board = self.boards.of(state)
        match action:
            case TakeToken(metropolis=name):
                return _token_problem(state, board, name)
            case PlaceStation(seat=seat, hex=name):
                if not state.ledger.held("station:" + SEATS[seat], "supply"):
                    return IllegalAction("station-6", "There is no station left in your supply.")
                return _station_problem(state, board, name)
            case MoveStation():
                return _moved_station_problem(state, board, action)
            case ExtendLine():
                return _line_problem(state, board, step, action)
        return super().problem(state, step, action)

    def perform(self, state: RocketState, step: Turn, action: Action, play: RocketPlay) -> None:
        board = self.boards.of(state)
        step.action += 1
        holder = SEATS[action.seat]
        match action:
            case TakeToken(seat, metropolis):
                state.ledger.move(token(metropolis), "map", holder)
                play.emit(happened.TokenTaken(rule="token-1", seat=seat, metropolis=metropolis))
            case PlaceStation(seat, hex_name):
                state.ledger.move("station:" + holder, "supply", "map")
                state.stations[board.hex_index[hex_name]] = seat
                play.emit(happened.StationPlaced(rule="station-1", seat=seat, hex=hex_name))
            case MoveStation(seat, origin, hex_name):
                del state.stations[board.hex_index[origin]]
                state.stations[board.hex_index[hex_name]] = seat
                play.emit(
                    happened.StationMoved(rule="station-3", seat=seat, origin=origin, hex=hex_name)
                )
            case ExtendLine(seat, line_id, hex_name):
                self._extend(
                    state,
                    board,
                    step,
                    seat,
                    board.line_index[line_id],
                    board.hex_index[hex_name],
                    play,
                )

    def _extend(
        self,
        state: RocketState,
        board: Board,
        step: Turn,
        seat: int,
        line: int,
        place: int,
        play: RocketPlay,
    ) -> None:
        name = board.lines[line].id
        step.moved.append(line)
        play.emit(
            happened.LineExtended(rule="move-1", seat=seat, line=name, hex=board.hex_names[place])
        )
        if state.ledger.held(share(name), "stock"):
            state.ledger.move(share(name), "stock", SEATS[seat])
            play.emit(happened.ShareTaken(rule="share-1", seat=seat, line=name))
        else:
            rule = "iso-4" if state.isolated[line] else "share-2"
            play.emit(happened.NoShare(rule=rule, seat=seat, line=name))
        held = all_shares(state, board, line)
        waiting = [other for other in clockwise(state, seat)[1:] if held[other]]
        if waiting:
            play.push(Objection(seat, line, place, waiting))
        else:
            play.push(Settlement(seat, line, place, place))


def _token_problem(state: RocketState, board: Board, name: str) -> IllegalAction | None:
    if name not in board.metropolis_index:
        return IllegalAction("token-1", "There is no metropolis {name}.", name=name)
    if not state.ledger.held(token(name), "map"):
        return IllegalAction("token-1", "{name} has no token left.", name=name)
    return None


def _station_problem(
    state: RocketState, board: Board, name: str, lifted: int | None = None
) -> IllegalAction | None:
    """Why no station may be put on a hex; `lifted` is where it is taken from."""
    place = board.hex_index.get(name)
    if place is None:
        return no_hex(name)
    if (
        board.town_at[place] >= 0
        or state.owner[place] >= 0
        or (place in state.stations and place != lifted)
    ):
        return IllegalAction("station-2", "{hex} is not free.", hex=name)
    for n in board.around[place]:
        if n in state.locomotive:
            return IllegalAction("station-2", "{hex} is next to a locomotive.", hex=name)
        if n in state.stations and n != lifted:
            return IllegalAction("station-2", "{hex} is next to a station.", hex=name)
    return None


def _moved_station_problem(
    state: RocketState, board: Board, action: MoveStation
) -> IllegalAction | None:
    origin = board.hex_index.get(action.origin)
    if origin is None:
        return no_hex(action.origin)
    if state.stations.get(origin) != action.seat:
        return IllegalAction("station-3", "You have no station on {hex}.", hex=action.origin)
    if state.owner[origin] >= 0:
        return IllegalAction(
            "station-4",
            "The station on {hex} belongs to a line and stays there.",
            hex=action.origin,
        )
    if action.hex == action.origin:
        return IllegalAction("station-3", "The station must go to another hex.")
    return _station_problem(state, board, action.hex, origin)


def _line_problem(
    state: RocketState, board: Board, step: Turn, action: ExtendLine
) -> IllegalAction | None:
    line = board.line_index.get(action.line)
    if line is None:
        return IllegalAction("move-1", "There is no line {line}.", line=action.line)
    if state.merged_into[line] >= 0:
        return IllegalAction("move-1", "{line} has been dissolved.", line=action.line)
    if line in step.moved:
        return IllegalAction(
            "turn-4",
            "The locomotive of {line} has already been moved in this turn.",
            line=action.line,
        )
    return closed_to(state, board, line, action.hex)
