"""State of Stephenson's Rocket, its numeric encoding, and functions of a position."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from kursbuch.core.errors import IllegalAction, first_refusal
from kursbuch.core.play import Play
from kursbuch.core.state import Bits, Encoding, Keyed, Listed, Size, State, Step
from kursbuch.games.rocket.components import INDUSTRIES, Board


class Opening(Step, tag="opening"):
    """The start player is drawn."""


class Turn(Step, tag="turn"):
    """A player's turn: `action` is 1 or 2 (3: both done), `moved` lists the lines moved."""

    seat: int
    action: int
    moved: list[int]


class Objection(Step, tag="objection"):
    """A locomotive has been moved; the `waiting` seats may still call a veto round."""

    seat: int
    line: int
    hex: int
    waiting: list[int]


class Veto(Step, tag="veto"):
    """A veto round. `order` lists the seats still to speak, the active player last. `bidder` is None before the
    first bid; `shares` is the highest bid and `target` its hex."""

    seat: int
    line: int
    hex: int
    order: list[int]
    bidder: int | None
    shares: int
    target: int


class Settlement(Step, tag="settlement"):
    """The move to `hex` is final: tile, passengers, scorings, isolation, end."""

    seat: int
    line: int
    chosen: int
    hex: int


class FinalScoring(Step, tag="final"):
    """The final scoring."""


RocketStep = Opening | Turn | Objection | Veto | Settlement | FinalScoring


class Track(msgspec.Struct, array_like=True):
    """A track tile of a `line`, joining two edges of its hex."""

    hex: int
    rear: int
    exit: int
    line: int


class RocketState(State[RocketStep], kw_only=True):
    """State of a game.

    `owner` is the line of each hex (-1: none), including start towns. `locomotive` is -1 for a dissolved line,
    `facing` -1 before the first move, and `merged_into` -1 for an existing line. `connected` holds bit masks of
    towns.
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
    """Ledger item of a line's shares."""
    return f"share:{line}"


def token(metropolis: str) -> str:
    """Ledger item of a metropolis' tokens."""
    return f"token:{metropolis}"


def supplementary(seat: int, line: str) -> str:
    """Ledger holder of supplementary shares of a line."""
    return f"{seat}:{line}"


def encoding(board: Board, seats: int) -> Encoding:
    """Numeric encoding of a game."""
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
    of_seats = ("bidder", "order", "seat", "start", "waiting")
    return Encoding(words, lambda item: holders[item.partition(":")[0]], sizes, of_seats)


def prizes(
    counts: Sequence[int], first: int, second_numerator: int, second_denominator: int, unit: int
) -> tuple[int, ...]:
    """Prize of each player: `first` for the most and the second prize for the second most, shared among ties and
    rounded up to `unit`. The second prize is a fraction to keep half of an odd amount exact.

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
    """Round up to a multiple of `unit`."""
    return -(-amount // unit) * unit


RocketPlay = Play[RocketState]


def real_shares(state: RocketState, board: Board, line: int, seat: int) -> int:
    """A player's real shares of a line."""
    return state.ledger.held(share(board.lines[line].id), SEATS[seat])


def all_shares(state: RocketState, board: Board, line: int) -> list[int]:
    """Each player's shares of a line, including supplementary ones [def-share]."""
    name = board.lines[line].id
    real = state.ledger.items[share(name)]
    extra = state.ledger.items["supplementary"]
    return [
        real.get(SEATS[seat], 0) + extra.get(supplementary(seat, name), 0)
        for seat in range(state.seats)
    ]


def biddable(state: RocketState, board: Board, line: int, seat: int) -> int:
    """Maximum bid of a player: all shares, if players hold that many real ones for the exchange [veto-12]."""
    everybody = sum(real_shares(state, board, line, other) for other in range(state.seats))
    return min(all_shares(state, board, line)[seat], everybody)


def stations_on(state: RocketState, line: int) -> list[int]:
    """Each player's stations on a line [station-4, railtown-3]."""
    counts = [0] * state.seats
    for place, seat in state.stations.items():
        if state.owner[place] == line:
            counts[seat] += 1
    return counts


def living(state: RocketState) -> list[int]:
    """Lines that have not been dissolved."""
    return [line for line, into in enumerate(state.merged_into) if into < 0]


def tile_supply(state: RocketState) -> int:
    """Number of track tiles left."""
    return state.ledger.held("tile", "supply")


def pay(play: RocketPlay, amounts: Sequence[int]) -> None:
    """Pay from the unlimited bank [setup-2]."""
    for seat, amount in enumerate(amounts):
        play.state.ledger.move("money", "bank", SEATS[seat], amount)


def rounding_unit(state: RocketState, board: Board) -> int:
    """Unit to which amounts are rounded up [tie-1]."""
    return 1 if state.exact else board.payments.unit


def kind_counts(state: RocketState, board: Board) -> dict[str, list[int]]:
    """Each player's tokens of the five kinds."""
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
    """Selects the board for a state: with or without the optional railway towns."""

    def __init__(self, usual: Board, wide: Board) -> None:
        self.usual = usual
        self.wide = wide

    def of(self, state: RocketState) -> Board:
        """The board of this game."""
        return self.wide if state.wide else self.usual


def directions(state: RocketState, line: int) -> tuple[int, ...]:
    """Edges over which a line's locomotive may leave its hex [move-4, move-5]."""
    return turns(state.facing[line])


def turns(facing: int) -> tuple[int, ...]:
    """Exit edges for a locomotive with this facing [move-4, move-5]."""
    return (0, 1, 2, 3, 4, 5) if facing < 0 else ((facing + 5) % 6, facing, (facing + 1) % 6)


def touched_lines(state: RocketState, board: Board, line: int, place: int) -> set[int]:
    """Other lines with a hex adjacent to `place` [merge-1]."""
    owner = state.owner
    found = {owner[n] for n in board.around[place]}
    found.discard(-1)
    found.discard(line)
    return found


def is_open(state: RocketState, board: Board, place: int) -> bool:
    """Whether the hex itself allows a locomotive [move-2]."""
    return place >= 0 and state.owner[place] < 0 and board.town_at[place] < 0


def destinations(state: RocketState, board: Board, line: int) -> list[int]:
    """Hexes to which a line's locomotive may move [move-2, move-4, move-5, move-6]."""
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
    """Refusal of an unknown hex."""
    return IllegalAction("setup-1", "There is no hex {hex} on the map.", hex=name)


def closed_to(state: RocketState, board: Board, line: int, name: str) -> IllegalAction | None:
    """Why a line's locomotive cannot move to a hex, if so."""
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
    """Number of adjacent locomotives and stations, for each hex that has any."""
    counts: dict[int, int] = {}
    for place in (*state.stations, *state.locomotive):
        if place >= 0:
            for n in board.around[place]:
                counts[n] = counts.get(n, 0) + 1
    return counts


def free_hexes(state: RocketState, board: Board) -> list[int]:
    """Land without town, track, locomotive or station [def-free]."""
    owner, towns, stations = state.owner, board.town_at, state.stations
    return [n for n in range(len(owner)) if owner[n] < 0 and towns[n] < 0 and n not in stations]


def new_towns(state: RocketState, board: Board, line: int, place: int) -> int:
    """Bit mask of the metropolises and railway towns a line would newly connect to on `place`.

    A start town belongs to its line: touching it is contact with the line [merge-4].
    """
    return board.near_towns[place] & ~state.connected[line] & ~board.start_towns


def is_isolated(state: RocketState, board: Board, line: int) -> bool:
    """Whether this locomotive alone can make no new connection or merger [iso-1].

    Shortest paths are searched without regard to self-crossing, which track forbids. If a path enters a hex twice,
    the search branches: allow only one of these entries, or exclude it.
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
    """Whether a locomotive on `place` reaches something new; None if it may not go there."""
    touched = touched_lines(state, board, line, place)
    if len(touched) > 1:
        return None
    return bool(touched) or bool(new_towns(state, board, line, place))


def _shortest_way(
    state: RocketState, board: Board, line: int, closed: frozenset[tuple[int, int]]
) -> list[tuple[int, int]] | None:
    """A shortest path to something new, as hexes with entry facings. It may cross itself but uses no `closed` entry."""
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
