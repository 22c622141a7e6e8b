"""Rules of Stephenson's Rocket in order of play: opening, turns and veto.

Ids in brackets refer to rules.toml.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from typing import TypeVar

from kursbuch.core.actions import Action, Choice, Range
from kursbuch.core.errors import IllegalAction, Players, Plural
from kursbuch.core.play import StepRules
from kursbuch.core.state import Step, clockwise
from kursbuch.core.words import N_
from kursbuch.games.rocket import events as happened
from kursbuch.games.rocket.actions import (
    Bid,
    CallVeto,
    ExtendLine,
    LetStand,
    MoveStation,
    PassVeto,
    PlaceStation,
    TakeToken,
)
from kursbuch.games.rocket.components import Board
from kursbuch.games.rocket.state import (
    SEATS,
    Boards,
    Objection,
    Opening,
    RocketPlay,
    RocketState,
    Settlement,
    Turn,
    Veto,
    all_shares,
    biddable,
    blocked,
    closed_to,
    destinations,
    free_hexes,
    living,
    no_hex,
    real_shares,
    share,
    supplementary,
    token,
)

StepT = TypeVar("StepT", bound=Step)


class RocketRules(StepRules[RocketState, StepT]):
    """Rules of a step with access to the boards."""

    def __init__(self, boards: Boards) -> None:
        self.boards = boards


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
    """Draw the start player [setup-10]."""

    def run(self, state: RocketState, step: Opening, play: RocketPlay) -> None:
        play.done()
        state.start = play.draw(state.seats)
        play.emit(happened.StartPlayerDrawn(rule="setup-10", seat=state.start))
        play.push(Turn(state.start, 1, []))


class TurnRules(RocketRules[Turn]):
    """Two actions of three kinds [turn-2]."""

    refusal = (
        "turn-2",
        N_("On your turn, take a token, place or move a station, or extend a line."),
    )

    def deciders(self, state: RocketState, step: Turn) -> Sequence[int]:
        return (step.seat,) if step.action <= 2 else ()

    def run(self, state: RocketState, step: Turn, play: RocketPlay) -> None:
        """Start the next player's turn [turn-1]."""
        play.done()
        play.push(Turn((step.seat + 1) % state.seats, 1, []))

    # Most hexes are candidates, so legal choices are listed directly. A test compares the list with `problem`.

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
            # Hexes blocked only by the station being moved [station-3].
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
            # A dissolved line has no locomotive; any hex shows the refusal.
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
    """Why a station may not be placed on a hex; `lifted` is its current hex."""
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


def _out_of_turn(
    usual: IllegalAction, step: Objection | Veto, action: Action, line: str
) -> IllegalAction:
    """Why an action of a turn must wait; the active player until the move is settled."""
    if action.seat != step.seat:
        return usual
    return IllegalAction(
        "turn-5",
        "The others first decide on your move with {line}; then your turn continues.",
        line=line,
    )


class ObjectionRules(RocketRules[Objection]):
    """Shareholders may call a veto round; one call is enough [veto-1, veto-2]."""

    refusal = ("veto-2", N_("The only question now is whether a player calls a veto round."))

    def deciders(self, state: RocketState, step: Objection) -> Sequence[int]:
        return step.waiting

    def candidates(self, state: RocketState, step: Objection, seat: int) -> Iterable[Choice]:
        return Choice(LetStand(seat)), Choice(CallVeto(seat))

    def not_asked(self, state: RocketState, step: Objection, action: Action) -> IllegalAction:
        line = self.boards.of(state).lines[step.line].id
        if isinstance(action, Bid | PassVeto):
            return IllegalAction(*self.refusal)
        if not isinstance(action, LetStand | CallVeto):
            return _out_of_turn(super().not_asked(state, step, action), step, action, line)
        if action.seat == step.seat:
            return IllegalAction("veto-2", "You cannot object to your own move.")
        if not all_shares(state, self.boards.of(state), step.line)[action.seat]:
            return IllegalAction(
                "veto-1", "You hold no share of {line}, so you have no right of veto.", line=line
            )
        return IllegalAction("veto-2", "You have already let the move of {line} stand.", line=line)

    def problem(self, state: RocketState, step: Objection, action: Action) -> IllegalAction | None:
        if isinstance(action, LetStand | CallVeto):
            return None
        return super().problem(state, step, action)

    def perform(
        self, state: RocketState, step: Objection, action: Action, play: RocketPlay
    ) -> None:
        if isinstance(action, LetStand):
            step.waiting.remove(action.seat)
            play.emit(happened.LetStood(rule="veto-2", seat=action.seat))
            if not step.waiting:
                play.done()
                play.push(Settlement(step.seat, step.line, step.hex, step.hex))
            return
        play.done()
        play.emit(happened.VetoCalled(rule="veto-2", seat=action.seat))
        held = all_shares(state, self.boards.of(state), step.line)
        order = [seat for seat in clockwise(state, step.seat)[1:] if held[seat]]
        play.push(Veto(step.seat, step.line, step.hex, [*order, step.seat], None, 0, step.hex))
        _skip_forced_passes(state, self.boards.of(state), play)


def _skip_forced_passes(state: RocketState, board: Board, play: RocketPlay) -> None:
    """Pass for players who cannot bid enough; without any bid the active player is not asked [veto-11]."""
    step = state.agenda[-1]
    assert isinstance(step, Veto)
    while step.order:
        seat = step.order[0]
        if seat == step.seat and step.bidder is None:
            step.order.pop(0)
        elif biddable(state, board, step.line, seat) < _lowest_bid(step, seat):
            step.order.pop(0)
            play.emit(happened.BidPassed(rule="veto-5", seat=seat, forced=True))
        else:
            return


def _lowest_bid(step: Veto, seat: int) -> int:
    """One more than the highest bid; the active player may equal it [veto-5, veto-9]."""
    return step.shares if seat == step.seat else step.shares + 1


class VetoRules(RocketRules[Veto]):
    """Each player may bid once, clockwise, the active player last [veto-3]."""

    refusal = ("veto-4", N_("In a veto round, bid shares for a destination, or pass."))

    def deciders(self, state: RocketState, step: Veto) -> Sequence[int]:
        return step.order[:1]

    def attempts(
        self, state: RocketState, step: Veto, seat: int, keys: Sequence[str]
    ) -> Iterable[Action]:
        kind, _, name = keys[-1].partition(":")
        return [Bid(seat, name, _lowest_bid(step, seat))] if kind == "hex" else []

    def candidates(self, state: RocketState, step: Veto, seat: int) -> Iterable[Choice]:
        board = self.boards.of(state)
        low, high = _lowest_bid(step, seat), biddable(state, board, step.line, seat)
        places = [step.hex] if seat == step.seat else destinations(state, board, step.line)
        yield Choice(PassVeto(seat))
        if low <= high:
            for place in places:
                yield Choice(Bid(seat, board.hex_names[place], low), Range(low, high))

    def not_asked(self, state: RocketState, step: Veto, action: Action) -> IllegalAction:
        board = self.boards.of(state)
        line = board.lines[step.line].id
        if isinstance(action, LetStand | CallVeto):
            return IllegalAction(
                "veto-11", "The veto round on the move of {line} is already under way.", line=line
            )
        if not isinstance(action, Bid | PassVeto):
            return _out_of_turn(super().not_asked(state, step, action), step, action, line)
        if action.seat in step.order:
            return IllegalAction(
                "veto-3",
                "Bidding goes clockwise, the active player last: {players} must decide now.",
                players=Players(self.deciders(state, step)),
            )
        if not all_shares(state, board, step.line)[action.seat]:
            return IllegalAction(
                "veto-1", "You hold no share of {line}, so you have no right of veto.", line=line
            )
        return IllegalAction(
            "veto-3", "You have already had your one opportunity to bid in this veto round."
        )

    def problem(self, state: RocketState, step: Veto, action: Action) -> IllegalAction | None:
        match action:
            case PassVeto():
                return None
            case Bid():
                return self._place_problem(state, step, action) or self._shares_problem(
                    state, step, action
                )
        return super().problem(state, step, action)

    def _place_problem(self, state: RocketState, step: Veto, action: Bid) -> IllegalAction | None:
        board = self.boards.of(state)
        place = board.hex_index.get(action.hex)
        if place is None:
            return no_hex(action.hex)
        if place == step.hex:
            return None
        if action.seat == step.seat:
            return IllegalAction("veto-8", "The active player can only defend his own destination.")
        closed = closed_to(state, board, step.line, action.hex)
        return closed and IllegalAction("veto-6", closed.template, **closed.params)

    def _shares_problem(self, state: RocketState, step: Veto, action: Bid) -> IllegalAction | None:
        board = self.boards.of(state)
        low, high = _lowest_bid(step, action.seat), biddable(state, board, step.line, action.seat)
        if action.shares < low:
            rule = "veto-9" if action.seat == step.seat else "veto-5"
            return IllegalAction(rule, "The bid must be at least {low}.", low=low)
        if action.shares > high:
            return IllegalAction(
                "veto-12",
                Plural("You can return at most {n} share.", "You can return at most {n} shares."),
                n=high,
            )
        return None

    def perform(self, state: RocketState, step: Veto, action: Action, play: RocketPlay) -> None:
        board = self.boards.of(state)
        step.order.pop(0)
        if isinstance(action, Bid):
            step.bidder, step.shares, step.target = (
                action.seat,
                action.shares,
                board.hex_index[action.hex],
            )
            play.emit(
                happened.BidMade(
                    rule="veto-4", seat=action.seat, hex=action.hex, shares=action.shares
                )
            )
        else:
            play.emit(happened.BidPassed(rule="veto-7", seat=action.seat, forced=False))
        _skip_forced_passes(state, board, play)

    def run(self, state: RocketState, step: Veto, play: RocketPlay) -> None:
        """The last bidder returns shares and chooses the destination [veto-10]."""
        board = self.boards.of(state)
        play.done()
        line = board.lines[step.line].id
        play.emit(
            happened.VetoDecided(
                rule="veto-11" if step.bidder is None else "veto-10",
                seat=step.bidder,
                line=line,
                hex=board.hex_names[step.target],
                shares=step.shares,
            )
        )
        if step.bidder is not None:
            _return_shares(state, board, step, step.bidder, play)
        play.push(Settlement(step.seat, step.line, step.hex, step.target))


def _return_shares(
    state: RocketState, board: Board, step: Veto, bidder: int, play: RocketPlay
) -> None:
    """Return real shares. Missing ones are first exchanged for supplementary shares with other holders, clockwise
    from the bidder's left [veto-12, veto-13]."""
    line = board.lines[step.line].id
    ledger = state.ledger
    missing = step.shares - real_shares(state, board, step.line, bidder)
    for other in clockwise(state, bidder)[1:]:
        swapped = min(max(missing, 0), real_shares(state, board, step.line, other))
        if swapped:
            ledger.move(share(line), SEATS[other], SEATS[bidder], swapped)
            ledger.move(
                "supplementary", supplementary(bidder, line), supplementary(other, line), swapped
            )
            missing -= swapped
            play.emit(
                happened.SharesSwapped(
                    rule="veto-12", seat=bidder, other=other, line=line, shares=swapped
                )
            )
    gone = state.isolated[step.line]
    ledger.move(share(line), SEATS[bidder], "gone" if gone else "stock", step.shares)
    play.emit(
        happened.SharesReturned(
            rule="veto-13", seat=bidder, line=line, shares=step.shares, gone=gone
        )
    )
