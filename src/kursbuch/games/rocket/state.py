"""The state of a game of Stephenson's Rocket, its encoding as numbers, and what follows from a position."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from kursbuch.core.errors import IllegalAction, first_refusal
from kursbuch.core.play import Play
from kursbuch.core.state import Bits, Encoding, Keyed, Listed, Size, State, Step
from kursbuch.games.rocket.components import INDUSTRIES, Board


class Opening(Step, tag="opening"):
    """The start player is to be drawn."""


class Turn(Step, tag="turn"):
    """A player's turn: `action` is 1 or 2 (3: both are done), `moved` the lines moved in it."""

    seat: int
    action: int
    moved: list[int]


class Objection(Step, tag="objection"):
    """A locomotive has been moved; `waiting` are the seats that may still call a veto round."""

    seat: int
    line: int
    hex: int
    waiting: list[int]


class Veto(Step, tag="veto"):
    """A veto round. `order` are the seats still to speak, the active player last; `bidder` is None
    until a player bids, `shares` the highest bid so far and `target` its hex."""

    seat: int
    line: int
    hex: int
    order: list[int]
    bidder: int | None
    shares: int
    target: int


class Settlement(Step, tag="settlement"):
    """The move is final: locomotive to `hex`, tile, passengers, scorings, isolation, end."""

    seat: int
    line: int
    chosen: int
    hex: int


class FinalScoring(Step, tag="final"):
    """The end has come."""


RocketStep = Opening | Turn | Objection | Veto | Settlement | FinalScoring


class Track(msgspec.Struct, array_like=True):
    """A track tile on the map: it joins two edges of its hex. `line` laid it."""

    hex: int
    rear: int
    exit: int
    line: int


class RocketState(State[RocketStep], kw_only=True):
    """Everything that changes during a game.

    `owner` gives the line every hex belongs to (-1: none), start towns included; `locomotive` is -1
    for a dissolved line and `facing` -1 before the first move; `connected` are bit masks of towns;
    `merged_into` is -1 for a line that still exists.
    """

    start: int | None
    owner: list[int]
    locomotive: list[int]
    facing: list[int]
    stations: dict[int, int]
    connected: list[int]
    isolated: list[bool]
    merged_into: list[int]
    track: list[Track]
    exact: bool
    hidden_money: bool
    wide: bool


SEATS = tuple(str(seat) for seat in range(8))


def share(line: str) -> str:
    """The ledger's name for the shares of a line."""
    return f"share:{line}"


def token(metropolis: str) -> str:
    """The ledger's name for the tokens of a metropolis."""
    return f"token:{metropolis}"


def supplementary(seat: int, line: str) -> str:
    """The holder of supplementary shares that stand for shares of a line."""
    return f"{seat}:{line}"


def encoding(board: Board, seats: int) -> Encoding:
    """Words and sizes of a game with a number of seats."""
    lines = [line.id for line in board.lines]
    players = SEATS[:seats]
    per_line = Listed(len(lines))
    hexes = range(len(board.hex_names))
    whose = ["stock", *(supplementary(seat, line) for seat in range(seats) for line in lines)]
    holders = {
        "share": ("stock", "gone", *players),
        "token": ("map", "gone", *players),
        "station": ("supply", "map", "gone"),
        "supplementary": (*whose, "gone"),
        "passenger": ("supply", "gone", *players),
        "tile": ("supply", "map", "gone"),
        "money": ("bank", *players),
    }
    sizes: dict[str, Size] = {
        "owner": Listed(len(hexes)),
        "locomotive": per_line,
        "facing": per_line,
        "stations": Keyed(hexes),
        "connected": Listed(len(lines), Bits(len(board.towns))),
        "isolated": per_line,
        "merged_into": per_line,
        "track": Keyed(hexes, by="hex"),
        "turn.moved": per_line,
    }
    towns = [board.towns[number].name for number in board.metropolises]
    words = (*lines, *board.hex_names, *towns)
    return Encoding(words, lambda item: holders[item.partition(":")[0]], sizes)


def prizes(
    counts: Sequence[int], first: int, second_numerator: int, second_denominator: int, unit: int
) -> tuple[int, ...]:
    """What each player receives: `first` for the most, the second prize (a fraction, so that half of
    an odd amount stays exact) for the second most, every part rounded up to `unit`.

    >>> prizes([4, 3, 1], 5000, 5000, 2, 1000)       # half of 5000, rounded up [tie-1]
    (5000, 3000, 0)
    >>> prizes([1, 1, 1], 2000, 1000, 1, 1000)       # tied for first [tie-2]
    (1000, 1000, 1000)
    >>> prizes([3, 2, 2], 6000, 3000, 1, 1000)       # tied for second [tie-3]
    (6000, 2000, 2000)
    >>> prizes([0, 2, 0], 6000, 3000, 1, 1000)       # no one is second [tie-4]
    (0, 6000, 0)
    """
    best = max(counts)
    if best == 0:
        return (0,) * len(counts)
    leaders = counts.count(best)
    if leaders > 1:
        pot = first * second_denominator + second_numerator
        part = -(-pot // (second_denominator * leaders * unit)) * unit
        return tuple(part if count == best else 0 for count in counts)
    runner_up = max((count for count in counts if count != best), default=0)
    if runner_up == 0:
        return tuple(first_rounded(first, unit) if count == best else 0 for count in counts)
    part = -(-second_numerator // (second_denominator * counts.count(runner_up) * unit)) * unit
    return tuple(
        first_rounded(first, unit) if count == best else part if count == runner_up else 0
        for count in counts
    )


def first_rounded(amount: int, unit: int) -> int:
    """An amount rounded up to the next multiple of `unit`."""
    return -(-amount // unit) * unit


RocketPlay = Play[RocketState]


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


class Boards:
    """The board a state is played on: with or without the optional railway towns."""

    def __init__(self, usual: Board, wide: Board) -> None:
        self.usual = usual
        self.wide = wide

    def of(self, state: RocketState) -> Board:
        """The board of that game."""
        return self.wide if state.wide else self.usual


def directions(state: RocketState, line: int) -> tuple[int, ...]:
    """The edges over which the locomotive of a line may leave its hex [move-4, move-5]."""
    return turns(state.facing[line])


def turns(facing: int) -> tuple[int, ...]:
    """The edges a locomotive may leave over that came in with this facing [move-4, move-5]."""
    return (0, 1, 2, 3, 4, 5) if facing < 0 else ((facing + 5) % 6, facing, (facing + 1) % 6)


def touched_lines(state: RocketState, board: Board, line: int, place: int) -> set[int]:
    """The other lines with a hex next to `place` [merge-1]."""
    owner = state.owner
    found = {owner[n] for n in board.around[place]}
    found.discard(-1)
    found.discard(line)
    return found


def is_open(state: RocketState, board: Board, place: int) -> bool:
    """Whether a locomotive could stand on the hex as far as the hex itself goes [move-2]."""
    return place >= 0 and state.owner[place] < 0 and board.town_at[place] < 0


def destinations(state: RocketState, board: Board, line: int) -> list[int]:
    """The hexes the locomotive of a line may be moved to [move-2, move-4, move-5, move-6]."""
    origin = state.locomotive[line]
    if origin < 0:
        return []
    row = board.neighbours[origin]
    return [
        row[edge]
        for edge in directions(state, line)
        if is_open(state, board, row[edge])
        and len(touched_lines(state, board, line, row[edge])) < 2
    ]


def no_hex(name: str) -> IllegalAction:
    """There is no hex of that name."""
    return IllegalAction("setup-1", "There is no hex {hex} on the map.", hex=name)


def closed_to(state: RocketState, board: Board, line: int, name: str) -> IllegalAction | None:
    """Why the locomotive of a line cannot go to a hex; None if it can."""
    return first_refusal(_move_checks(state, board, line, name))


def _move_checks(
    state: RocketState, board: Board, line: int, name: str
) -> Iterator[IllegalAction | None]:
    place = board.hex_index.get(name)
    if place is None:
        yield no_hex(name)
        return
    origin = state.locomotive[line]
    names = {"line": board.lines[line].id, "hex": name}
    if place not in board.neighbours[origin]:
        yield IllegalAction("move-2", "{hex} is not next to the locomotive of {line}.", **names)
    yield None
    if board.neighbours[origin].index(place) not in directions(state, line):
        yield IllegalAction(
            "move-5",
            "The locomotive of {line} can only go straight ahead or bear left or right, not to "
            "{hex}.",
            **names,
        )
    yield None
    if not is_open(state, board, place):
        yield IllegalAction("move-2", "{hex} is not free.", **names)
    yield None
    if len(touched_lines(state, board, line, place)) > 1:
        yield IllegalAction(
            "move-6", "{hex} is next to two or more other lines: they cannot all merge.", **names
        )


def blocked(state: RocketState, board: Board) -> dict[int, int]:
    """For every hex next to a locomotive or station: how many such pieces are next to it."""
    counts: dict[int, int] = {}
    for place in (*state.stations, *state.locomotive):
        if place >= 0:
            for n in board.around[place]:
                counts[n] = counts.get(n, 0) + 1
    return counts


def free_hexes(state: RocketState, board: Board) -> list[int]:
    """Land without town, track tile, locomotive or station [def-free]."""
    owner, towns, stations = state.owner, board.town_at, state.stations
    return [n for n in range(len(owner)) if owner[n] < 0 and towns[n] < 0 and n not in stations]


def new_towns(state: RocketState, board: Board, line: int, place: int) -> int:
    """The bit mask of metropolises and railway towns a line would newly be connected to on `place`.

    A start town is never a new connection: it belongs to its line, so it is a contact [merge-4].
    """
    return board.near_towns[place] & ~state.connected[line] & ~board.start_towns


def is_isolated(state: RocketState, board: Board, line: int) -> bool:
    """Whether no sequence of moves of this locomotive alone makes a new connection or a merger [iso-1].

    A shortest way is found quickly if it may cross itself, which track does not allow. If it does,
    it enters some hex twice. A way that does not cross itself makes the one entry and no other into
    that hex, or not this one: the search goes on with the one, and with the other.
    """
    waiting: list[frozenset[tuple[int, int]]] = [frozenset()]
    while waiting:
        closed = waiting.pop()
        way = _shortest_way(state, board, line, closed)
        if way is None:
            continue
        entered: set[int] = set()
        for place, facing in way:
            if place in entered:
                waiting.append(closed | {(place, facing)})
                waiting.append(closed | {(place, edge) for edge in range(6) if edge != facing})
                break
            entered.add(place)
        else:
            return False
    return True


def _leads_on(state: RocketState, board: Board, line: int, place: int) -> bool | None:
    """Whether a locomotive on `place` has found something new; None if it may not go there."""
    touched = touched_lines(state, board, line, place)
    if len(touched) > 1:
        return None
    return bool(touched) or bool(new_towns(state, board, line, place))


def _shortest_way(
    state: RocketState, board: Board, line: int, closed: frozenset[tuple[int, int]]
) -> list[tuple[int, int]] | None:
    """A shortest way to something new, as hexes with the facing they are entered in. It may cross
    itself, but makes none of the `closed` entries."""
    start = (state.locomotive[line], state.facing[line])
    before: dict[tuple[int, int], tuple[int, int] | None] = {start: None}
    edge_of_search = [start]
    while edge_of_search:
        following = []
        for here in edge_of_search:
            row = board.neighbours[here[0]]
            for edge in turns(here[1]):
                place = row[edge]
                there = (place, edge)
                if there in before or there in closed or not is_open(state, board, place):
                    continue
                found = _leads_on(state, board, line, place)
                if found is None:
                    continue
                before[there] = here
                if found:
                    way = []
                    step: tuple[int, int] | None = there
                    while step is not None:
                        way.append(step)
                        step = before[step]
                    return way
                following.append(there)
        edge_of_search = following
    return None
