"""The rules of Stephenson's Rocket in the order of play. Ids in brackets are those of rules.toml."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache

from kursbuch.core.actions import Action, Choice, Range
from kursbuch.core.errors import IllegalAction, Players
from kursbuch.core.play import Play, StepRules
from kursbuch.rocket import events as happened
from kursbuch.rocket.actions import (
    Bid,
    CallVeto,
    ExtendLine,
    LetStand,
    MoveStation,
    PassVeto,
    PlaceStation,
    TakeToken,
)
from kursbuch.rocket.components import INDUSTRIES, Board
from kursbuch.rocket.geography import (
    blocked,
    destinations,
    directions,
    free_hexes,
    is_isolated,
    is_open,
    new_towns,
    touched_lines,
)
from kursbuch.rocket.scoring import prizes
from kursbuch.rocket.state import (
    SEATS,
    FinalScoring,
    Objection,
    Opening,
    RocketState,
    Settlement,
    Track,
    Turn,
    Veto,
    share,
    supplementary,
    token,
)

RocketPlay = Play[RocketState]


class Boards:
    """The board a state is played on: with or without the optional railway towns."""

    def __init__(self, usual: Board, wide: Board) -> None:
        self.usual = usual
        self.wide = wide

    def of(self, state: RocketState) -> Board:
        """The board of that game."""
        return self.wide if state.wide else self.usual


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


# ---- counting


def real_shares(state: RocketState, board: Board, line: int, seat: int) -> int:
    """How many real shares of a line a player holds."""
    return state.ledger.held(share(board.lines[line].id), SEATS[seat])


def all_shares(state: RocketState, board: Board, line: int) -> list[int]:
    """Every player's shares of a line, supplementary ones included [def-share]."""
    name = board.lines[line].id
    real = state.ledger.items[share(name)]
    extra = state.ledger.items["supplementary"]
    return [
        real.get(SEATS[seat], 0) + extra.get(supplementary(seat, name), 0)
        for seat in range(state.seats)
    ]


def biddable(state: RocketState, board: Board, line: int, seat: int) -> int:
    """The most shares a player can bid: all he has, if that many real ones are in players' hands
    for the exchange [veto-12]."""
    everybody = sum(real_shares(state, board, line, other) for other in range(state.seats))
    return min(all_shares(state, board, line)[seat], everybody)


def stations_on(state: RocketState, line: int) -> list[int]:
    """Every player's stations on the hexes of a line [station-4, railtown-3]."""
    counts = [0] * state.seats
    for place, seat in state.stations.items():
        if state.owner[place] == line:
            counts[seat] += 1
    return counts


def living(state: RocketState) -> list[int]:
    """The lines that have not been dissolved."""
    return [line for line, into in enumerate(state.merged_into) if into < 0]


def tile_supply(state: RocketState) -> int:
    """How many track tiles are left."""
    return state.ledger.held("tile", "supply")


def clockwise(state: RocketState, seat: int) -> list[int]:
    """All seats clockwise, beginning with that one."""
    return [(seat + n) % state.seats for n in range(state.seats)]


def pay(play: RocketPlay, amounts: Sequence[int]) -> None:
    """Money comes from the bank, which is unlimited [setup-2]."""
    for seat, amount in enumerate(amounts):
        play.state.ledger.move("money", "bank", SEATS[seat], amount)


def rounding_unit(state: RocketState, board: Board) -> int:
    """What amounts are rounded up to [tie-1]."""
    return 1 if state.exact else board.payments.unit


# ---- the steps


class OpeningRules(StepRules[RocketState, Opening]):
    """The start player is drawn by lot [setup-10]."""

    def run(self, state: RocketState, step: Opening, play: RocketPlay) -> None:
        play.done()
        state.start = play.draw(state.seats)
        play.emit(happened.StartPlayerDrawn(rule="setup-10", seat=state.start))
        play.push(Turn(state.start, 1, []))


class TurnRules(StepRules[RocketState, Turn]):
    """Two actions, each of one of three kinds [turn-2]."""

    def __init__(self, boards: Boards) -> None:
        self.boards = boards

    def deciders(self, state: RocketState, step: Turn) -> Sequence[int]:
        return (step.seat,) if step.action <= 2 else ()

    def run(self, state: RocketState, step: Turn, play: RocketPlay) -> None:
        """The next player's turn [turn-1]."""
        play.done()
        play.push(Turn((step.seat + 1) % state.seats, 1, []))

    # The choices and the checks below use the same conditions; a test holds them against each other.

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

    def check(self, state: RocketState, step: Turn, action: Action) -> None:
        board = self.boards.of(state)
        match action:
            case TakeToken():
                self._check_token(state, board, action)
            case PlaceStation():
                if not state.ledger.held("station:" + SEATS[action.seat], "supply"):
                    raise IllegalAction("station-6", "There is no station left in your supply.")
                self._check_station_place(state, board, _hex(board, action.hex), action.hex, None)
            case MoveStation():
                self._check_move_station(state, board, action)
            case ExtendLine():
                self._check_extend(state, board, step, action)
            case _:
                raise IllegalAction(
                    "turn-2",
                    "In your turn you take a token, place or move a station, or extend a line.",
                )

    def _check_token(self, state: RocketState, board: Board, action: TakeToken) -> None:
        if action.metropolis not in board.metropolis_index:
            raise IllegalAction("token-1", "There is no metropolis {name}.", name=action.metropolis)
        if not state.ledger.held(token(action.metropolis), "map"):
            raise IllegalAction("token-1", "{name} has no token left.", name=action.metropolis)

    def _check_station_place(
        self, state: RocketState, board: Board, place: int, name: str, lifted: int | None
    ) -> None:
        if (
            board.town_at[place] >= 0
            or state.owner[place] >= 0
            or (place in state.stations and place != lifted)
        ):
            raise IllegalAction("station-2", "{hex} is not free.", hex=name)
        for n in board.around[place]:
            if n in state.locomotive:
                raise IllegalAction("station-2", "{hex} is next to a locomotive.", hex=name)
            if n in state.stations and n != lifted:
                raise IllegalAction("station-2", "{hex} is next to a station.", hex=name)

    def _check_move_station(self, state: RocketState, board: Board, action: MoveStation) -> None:
        origin = _hex(board, action.origin)
        if state.stations.get(origin) != action.seat:
            raise IllegalAction("station-3", "You have no station on {hex}.", hex=action.origin)
        if state.owner[origin] >= 0:
            raise IllegalAction(
                "station-4",
                "The station on {hex} belongs to a line and stays there.",
                hex=action.origin,
            )
        if action.hex == action.origin:
            raise IllegalAction("station-3", "The station must go to another hex.")
        self._check_station_place(state, board, _hex(board, action.hex), action.hex, origin)

    def _check_extend(
        self, state: RocketState, board: Board, step: Turn, action: ExtendLine
    ) -> None:
        if action.line not in board.line_index:
            raise IllegalAction("move-1", "There is no line {line}.", line=action.line)
        line = board.line_index[action.line]
        if state.merged_into[line] >= 0:
            raise IllegalAction("move-1", "{line} has been dissolved.", line=action.line)
        if line in step.moved:
            raise IllegalAction(
                "turn-4",
                "The locomotive of {line} has already been moved in this turn.",
                line=action.line,
            )
        check_destination(state, board, line, _hex(board, action.hex))

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


def _hex(board: Board, name: str) -> int:
    if name not in board.hex_index:
        raise IllegalAction("setup-1", "There is no hex {hex} on the map.", hex=name)
    return board.hex_index[name]


def check_destination(state: RocketState, board: Board, line: int, place: int) -> None:
    """Raise the rule that keeps the locomotive of a line from going to `place`."""
    origin = state.locomotive[line]
    names = {"line": board.lines[line].id, "hex": board.hex_names[place]}
    if place not in board.neighbours[origin]:
        raise IllegalAction("move-2", "{hex} is not next to the locomotive of {line}.", **names)
    if board.neighbours[origin].index(place) not in directions(state, line):
        raise IllegalAction(
            "move-5",
            "The locomotive of {line} can only go straight on or gently left or right, not to {hex}.",
            **names,
        )
    if not is_open(state, board, place):
        raise IllegalAction("move-2", "{hex} is not free.", **names)
    if len(touched_lines(state, board, line, place)) > 1:
        raise IllegalAction(
            "move-6", "{hex} is next to two or more other lines: they cannot all merge.", **names
        )


def _only_asked() -> IllegalAction:
    return IllegalAction("veto-2", "Now it is only asked whether somebody calls a veto round.")


def _out_of_turn(
    usual: IllegalAction, step: Objection | Veto, action: Action, line: str
) -> IllegalAction:
    """Why a further action of a turn must wait: for the active player until his move is settled."""
    if action.seat != step.seat:
        return usual
    return IllegalAction(
        "turn-5",
        "First the others decide on your move with {line}, then your turn goes on.",
        line=line,
    )


class ObjectionRules(StepRules[RocketState, Objection]):
    """Holders of shares may call a veto round; one call suffices [veto-1, veto-2]."""

    def __init__(self, boards: Boards) -> None:
        self.boards = boards

    def deciders(self, state: RocketState, step: Objection) -> Sequence[int]:
        return step.waiting

    def choices(self, state: RocketState, step: Objection, seat: int) -> list[Choice]:
        return [Choice(LetStand(seat)), Choice(CallVeto(seat))]

    def not_asked(self, state: RocketState, step: Objection, action: Action) -> IllegalAction:
        line = self.boards.of(state).lines[step.line].id
        if isinstance(action, Bid | PassVeto):
            return _only_asked()
        if not isinstance(action, LetStand | CallVeto):
            return _out_of_turn(super().not_asked(state, step, action), step, action, line)
        if action.seat == step.seat:
            return IllegalAction("veto-2", "Only the others can object to your own move.")
        if not all_shares(state, self.boards.of(state), step.line)[action.seat]:
            return IllegalAction(
                "veto-1", "You hold no share of {line}, so you have no right of veto.", line=line
            )
        return IllegalAction("veto-2", "You have already let the move of {line} stand.", line=line)

    def check(self, state: RocketState, step: Objection, action: Action) -> None:
        if not isinstance(action, LetStand | CallVeto):
            raise _only_asked()

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
        play.push(Veto(step.seat, step.line, step.hex, [*order, step.seat], -1, 0, step.hex))
        _skip_forced_passes(state, self.boards.of(state), play)


def _skip_forced_passes(state: RocketState, board: Board, play: RocketPlay) -> None:
    """Whoever cannot bid enough passes without being asked; without any bid the active player
    need not speak [veto-11]."""
    step = state.agenda[-1]
    assert isinstance(step, Veto)
    while step.order:
        seat = step.order[0]
        if seat == step.seat and step.bidder < 0:
            step.order.pop(0)
        elif biddable(state, board, step.line, seat) < _lowest_bid(step, seat):
            step.order.pop(0)
            play.emit(happened.BidPassed(rule="veto-5", seat=seat, forced=True))
        else:
            return


def _lowest_bid(step: Veto, seat: int) -> int:
    """One more than the bid before; for the active player as many [veto-5, veto-9]."""
    return step.shares if seat == step.seat else step.shares + 1


class VetoRules(StepRules[RocketState, Veto]):
    """Everybody may bid once, clockwise, the active player last [veto-3]."""

    def __init__(self, boards: Boards) -> None:
        self.boards = boards

    def deciders(self, state: RocketState, step: Veto) -> Sequence[int]:
        return step.order[:1]

    def choices(self, state: RocketState, step: Veto, seat: int) -> list[Choice]:
        board = self.boards.of(state)
        low, high = _lowest_bid(step, seat), biddable(state, board, step.line, seat)
        places = [step.hex] if seat == step.seat else destinations(state, board, step.line)
        found = [Choice(PassVeto(seat))]
        if low <= high:
            found += [
                Choice(Bid(seat, board.hex_names[place], low), Range(low, high)) for place in places
            ]
        return found

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
                "Bids are made clockwise, the active player's last: {players} must decide now.",
                players=Players(self.deciders(state, step)),
            )
        if not all_shares(state, board, step.line)[action.seat]:
            return IllegalAction(
                "veto-1", "You hold no share of {line}, so you have no right of veto.", line=line
            )
        return IllegalAction(
            "veto-3", "You have had your one opportunity to bid in this veto round."
        )

    def check(self, state: RocketState, step: Veto, action: Action) -> None:
        if isinstance(action, PassVeto):
            return
        if not isinstance(action, Bid):
            raise IllegalAction(
                "veto-4", "In a veto round you bid shares for a destination, or pass."
            )
        board = self.boards.of(state)
        place = _hex(board, action.hex)
        if action.seat == step.seat and place != step.hex:
            raise IllegalAction("veto-8", "The active player can only defend his own destination.")
        if place != step.hex:
            try:
                check_destination(state, board, step.line, place)
            except IllegalAction as error:
                raise IllegalAction("veto-6", error.template, **error.params) from None
        low, high = _lowest_bid(step, action.seat), biddable(state, board, step.line, action.seat)
        if action.shares < low:
            rule = "veto-9" if action.seat == step.seat else "veto-5"
            raise IllegalAction(rule, "The bid must be at least {low}.", low=low)
        if action.shares > high:
            raise IllegalAction("veto-12", "You can return at most {high} shares.", high=high)

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
        """Only the last bidder returns shares, and the locomotive goes where he said [veto-10]."""
        board = self.boards.of(state)
        play.done()
        line = board.lines[step.line].id
        play.emit(
            happened.VetoDecided(
                rule="veto-10" if step.bidder >= 0 else "veto-11",
                seat=step.bidder,
                line=line,
                hex=board.hex_names[step.target],
                shares=step.shares,
            )
        )
        if step.bidder >= 0:
            _return_shares(state, board, step, play)
        play.push(Settlement(step.seat, step.line, step.hex, step.target))


def _return_shares(state: RocketState, board: Board, step: Veto, play: RocketPlay) -> None:
    """Real shares go back; who has too few first exchanges supplementary ones with the other
    holders, clockwise from his left [veto-12, veto-13]."""
    line = board.lines[step.line].id
    bidder, ledger = step.bidder, state.ledger
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


class SettlementRules(StepRules[RocketState, Settlement]):
    """The move takes effect: tile, passengers, scorings in their order, isolation, end [turn-5]."""

    def __init__(self, boards: Boards) -> None:
        self.boards = boards

    def run(self, state: RocketState, step: Settlement, play: RocketPlay) -> None:
        board = self.boards.of(state)
        play.done()
        self._move(state, board, step, play)
        self._passenger(state, board, step, play)
        touched = touched_lines(state, board, step.line, step.hex)
        self._connect(state, board, step.line, step.hex, play)
        for other in touched:
            self._merge(state, board, step.seat, step.line, other, play)
        self._isolate(state, board, play)
        tiles_used_up = tile_supply(state) == 0
        available = sum(1 for line in board.lines if state.ledger.held(share(line.id), "stock"))
        if available <= 1 or tiles_used_up:
            # The running turn and all others are over [end-1, end-2, end-3].
            play.emit(
                happened.EndReached(rule="end-2" if available > 1 else "end-1", tiles=available > 1)
            )
            state.agenda.clear()
            play.push(FinalScoring())

    def _move(self, state: RocketState, board: Board, step: Settlement, play: RocketPlay) -> None:
        """The locomotive goes to its hex; the one it left is covered, a start town is not
        [move-3, tile-1, tile-2, tile-3]."""
        line, origin = step.line, state.locomotive[step.line]
        edge = board.neighbours[origin].index(step.hex)
        covered = state.facing[line] >= 0
        if covered:
            state.ledger.move("tile", "supply", "map")
            state.track.append(Track(origin, (state.facing[line] + 3) % 6, edge, line))
        state.locomotive[line] = step.hex
        state.facing[line] = edge
        state.owner[step.hex] = line
        play.emit(
            happened.TrackLaid(
                rule="tile-1" if covered else "tile-2",
                line=board.lines[line].id,
                origin=board.hex_names[origin],
                hex=board.hex_names[step.hex],
                covered=covered,
                tiles=tile_supply(state),
            )
        )

    def _passenger(
        self, state: RocketState, board: Board, step: Settlement, play: RocketPlay
    ) -> None:
        """Only for the active player, on the hex he chose, for another's station [passenger-1, passenger-2]."""
        owner = state.stations.get(step.hex, step.seat)
        if (
            step.hex == step.chosen
            and owner != step.seat
            and state.ledger.held("passenger", "supply")
        ):
            state.ledger.move("passenger", "supply", SEATS[step.seat])
            play.emit(
                happened.PassengerTaken(
                    rule="passenger-1", seat=step.seat, hex=board.hex_names[step.hex]
                )
            )

    def _connect(
        self, state: RocketState, board: Board, line: int, place: int, play: RocketPlay
    ) -> None:
        """All connections exist before the first payment; metropolises first, then railway towns
        [interim-1, interim-2]."""
        mask = new_towns(state, board, line, place)
        if not mask:
            return
        state.connected[line] |= mask
        reached = [town for number, town in enumerate(board.towns) if mask >> number & 1]
        name = board.lines[line].id
        unit = rounding_unit(state, board)
        money = board.payments
        for town in reached:
            play.emit(happened.Connected(rule="def-connected", line=name, town=town.name))
        for town in reached:
            if town.kind == "metropolis":
                row = state.ledger.items[token(town.name)]
                counts = tuple(row.get(SEATS[seat], 0) for seat in range(state.seats))
                amounts = prizes(counts, money.metropolis_first, money.metropolis_second, 1, unit)
                pay(play, amounts)
                play.emit(
                    happened.MetropolisScored(
                        rule="metro-2", amounts=amounts, metropolis=town.name, counts=counts
                    )
                )
        for town in reached:
            if town.kind == "railway":
                score_stations(state, board, line, town.name, "railtown-2", play)

    def _merge(
        self, state: RocketState, board: Board, seat: int, line: int, into: int, play: RocketPlay
    ) -> None:
        """The moved line is scored and dissolved into the one it touches [merge-1 to merge-10]."""
        ledger = state.ledger
        name, target = board.lines[line].id, board.lines[into].id
        play.emit(happened.Merged(rule="merge-3", line=name, into=target))
        score_shares(state, board, line, "merge-4", play, final=False)
        held = all_shares(state, board, line)
        for other in clockwise(state, seat):
            if not held[other]:
                continue
            ledger.move(share(name), SEATS[other], "gone", ledger.held(share(name), SEATS[other]))
            extra = supplementary(other, name)
            ledger.move("supplementary", extra, "stock", ledger.held("supplementary", extra))
            due = held[other] // board.payments.given * board.payments.received
            real = min(due, ledger.held(share(target), "stock"))
            substitute = min(due - real, ledger.held("supplementary", "stock"))
            ledger.move(share(target), "stock", SEATS[other], real)
            ledger.move("supplementary", "stock", supplementary(other, target), substitute)
            play.emit(
                happened.SharesExchanged(
                    rule="merge-5" if real == due else "merge-7",
                    seat=other,
                    line=name,
                    into=target,
                    given=held[other],
                    shares=real,
                    supplementary=substitute,
                )
            )
        ledger.move(share(name), "stock", "gone", ledger.held(share(name), "stock"))
        self._replace_locomotive(state, board, line, into)
        state.merged_into[line] = into
        state.owner = [into if owner == line else owner for owner in state.owner]
        state.connected[into] |= state.connected[line]

    def _replace_locomotive(self, state: RocketState, board: Board, line: int, into: int) -> None:
        """A tile takes the locomotive's place; one that is missing is disregarded [merge-9, end-4]."""
        place, facing = state.locomotive[line], state.facing[line]
        row = board.neighbours[place]
        contacts = [edge for edge in range(6) if row[edge] >= 0 and state.owner[row[edge]] == into]
        ahead = min(contacts, key=lambda edge: min((edge - facing) % 6, (facing - edge) % 6))
        if tile_supply(state):
            state.ledger.move("tile", "supply", "map")
            state.track.append(Track(place, (facing + 3) % 6, ahead, line))
        state.locomotive[line] = -1
        state.facing[line] = -1

    def _isolate(self, state: RocketState, board: Board, play: RocketPlay) -> None:
        """Lines that can reach nothing new lose their stock, for good [iso-1, iso-2]."""
        for line in living(state):
            if state.isolated[line] or not is_isolated(state, board, line):
                continue
            state.isolated[line] = True
            name = board.lines[line].id
            left = state.ledger.held(share(name), "stock")
            state.ledger.move(share(name), "stock", "gone", left)
            play.emit(happened.LineIsolated(rule="iso-2", line=name, shares=left))


def score_stations(
    state: RocketState, board: Board, line: int, town: str, rule: str, play: RocketPlay
) -> None:
    """The stations on a line, by the number of towns connected to it [railtown-2, final-3]."""
    counts = tuple(stations_on(state, line))
    towns = state.connected[line].bit_count()
    first = towns * board.payments.per_town_stations
    amounts = prizes(counts, first, first, 2, rounding_unit(state, board))
    pay(play, amounts)
    play.emit(
        happened.StationsScored(
            rule=rule,
            amounts=amounts,
            line=board.lines[line].id,
            town=town,
            towns=towns,
            counts=counts,
        )
    )


def score_shares(
    state: RocketState, board: Board, line: int, rule: str, play: RocketPlay, *, final: bool
) -> None:
    """The shares of a line, by the number of towns connected to it [merge-4, final-4]."""
    counts = tuple(all_shares(state, board, line))
    towns = state.connected[line].bit_count()
    first = towns * board.payments.per_town_shares
    amounts = prizes(counts, first, first, 2, rounding_unit(state, board))
    pay(play, amounts)
    play.emit(
        happened.SharesScored(
            rule=rule,
            amounts=amounts,
            line=board.lines[line].id,
            towns=towns,
            counts=counts,
            final=final,
        )
    )


class FinalScoringRules(StepRules[RocketState, FinalScoring]):
    """Tokens of unconnected metropolises, then kinds, stations and shares [final-1 to final-5]."""

    def __init__(self, boards: Boards) -> None:
        self.boards = boards

    def run(self, state: RocketState, step: FinalScoring, play: RocketPlay) -> None:
        board = self.boards.of(state)
        play.done()
        self._return_tokens(state, board, play)
        unit, money = rounding_unit(state, board), board.payments
        for kind, counts in kind_counts(state, board).items():
            amounts = prizes(counts, money.kind_first, money.kind_second, 1, unit)
            pay(play, amounts)
            play.emit(
                happened.KindScored(
                    rule="final-2", amounts=amounts, kind=kind, counts=tuple(counts)
                )
            )
        for line in living(state):
            score_stations(state, board, line, "", "final-3", play)
        for line in living(state):
            score_shares(state, board, line, "final-4", play, final=True)

    def _return_tokens(self, state: RocketState, board: Board, play: RocketPlay) -> None:
        connected = 0
        for line in living(state):
            connected |= state.connected[line]
        for number in board.metropolises:
            if connected >> number & 1:
                continue
            name = board.towns[number].name
            for seat in range(state.seats):
                count = state.ledger.held(token(name), SEATS[seat])
                if count:
                    state.ledger.move(token(name), SEATS[seat], "map", count)
                    play.emit(
                        happened.TokensReturned(
                            rule="final-1", seat=seat, metropolis=name, count=count
                        )
                    )


def kind_counts(state: RocketState, board: Board) -> dict[str, list[int]]:
    """Every player's tokens of each of the five kinds."""
    counts = {kind: [0] * state.seats for kind in INDUSTRIES}
    for number in board.metropolises:
        town = board.towns[number]
        row = state.ledger.items[token(town.name)]
        for seat in range(state.seats):
            counts[town.industry][seat] += row.get(SEATS[seat], 0)
    passengers = state.ledger.items["passenger"]
    counts["passengers"] = [passengers.get(SEATS[seat], 0) for seat in range(state.seats)]
    return counts
