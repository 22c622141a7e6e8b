"""What a position of Stephenson's Rocket will come to for every player, as earlier games have shown.

A position becomes some forty numbers for every player (`NAMES`): what is in sight of payments, as majorities stand
and in proportion to what everybody holds. What is expected beyond the money a player has is a sum of these numbers,
weighted; the weights change with the tiles that are left. Those of `worths.json` were fitted to the final scores of
games (`python -m benchmarks.prospects`). Unlike the evaluation of `heuristics`, which looks up what a locomotive could
come to on an empty map, this walks around the track that lies.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from importlib import resources
from itertools import pairwise
from operator import mul
from typing import NamedTuple

import msgspec

from kursbuch.games.rocket.components import INDUSTRIES, Board
from kursbuch.games.rocket.state import SEATS, RocketState, Turn, share, supplementary, token, turns

#: How far a locomotive is looked ahead, in moves, and how these are grouped: from one group up to the next.
GROUPS = (0, 1, 2, 5)

_DISTANCES = ("next", "second", "later")

#: What is taken of a majority: the part of the first prize a player would get now, and his part in proportion to
#: what everybody holds.
_PARTS = ("standing", "proportional")

_LINE = (
    *(f"{what}, {part}" for what in ("shares", "stations") for part in _PARTS),
    *(
        f"{what} {distance}, {part}"
        for distance in _DISTANCES
        for what in ("shares of towns", "stations at towns")
        for part in _PARTS
    ),
    *(f"scorings at railway towns {distance}, {part}" for distance in ("next", "later") for part in _PARTS),
    *(f"stations met {distance}{further}" for distance in _DISTANCES for further in ("", ", of towns to come")),
)  # fmt: skip
_TOKENS = (
    *(f"tokens of metropolises {distance}, {part}" for distance in _DISTANCES for part in _PARTS),
    *(f"{what}, {part}" for what in ("kinds", "kinds of connected metropolises") for part in _PARTS),
)  # fmt: skip
_REST = (*(f"passengers, {part}" for part in _PARTS), "stations in supply", "two actions", "one action")  # fmt: skip

#: What the numbers of a position mean, in pounds but for the last three.
NAMES = (*_LINE, *_TOKENS, *_REST)

Row = tuple[tuple[str, int], ...]
Counts = tuple[int, ...]
Numbers = tuple[float, ...]

#: What the numbers of a line follow from, and those of the tokens.
LineParts = tuple[int, int, Row, Row, Counts, Counts, Counts, tuple[Counts, ...]]
TokenParts = tuple[int, tuple[Row, ...], int, tuple[Counts, ...]]


class Reach(NamedTuple):
    """What a locomotive can come to, by groups of moves: new towns, railway towns among them, new metropolises (as
    bits) and hexes (as bits); and all hexes it could be on."""

    towns: Counts
    railway: Counts
    metropolises: Counts
    hexes: Counts
    within: int


NOWHERE = Reach((0, 0, 0), (0, 0, 0), (0, 0, 0), (0, 0, 0), 0)


class Worths(msgspec.Struct, frozen=True):
    """The weights of the numbers with no tile left, and what is added to them with all."""

    last: tuple[float, ...]
    first: tuple[float, ...]


class Prospects:
    """Positions on a board as numbers and, by weights for every number of players, as what they will come to.

    Raises `ValueError` if there are not as many weights as numbers.
    """

    def __init__(self, board: Board, worths: Mapping[int, Worths]) -> None:
        for each in worths.values():
            for weights in (each.last, each.first):
                if len(weights) != len(NAMES):
                    raise ValueError(f"{len(weights)} weights instead of {len(NAMES)}")
        self.board = board
        self.tokens = tuple(token(board.towns[number].name) for number in board.metropolises)
        self.kinds = tuple(
            INDUSTRIES.index(board.towns[number].industry) for number in board.metropolises
        )
        self.metropolises = sum(1 << number for number in board.metropolises)
        self.shares = tuple(share(line.id) for line in board.lines)
        self.supplementary = tuple(
            tuple(supplementary(seat, line.id) for seat in range(len(SEATS)))
            for line in board.lines
        )
        self.near = tuple(self._near(place) for place in range(len(board.around)))
        self.weights = {
            seats: tuple(_weights(each, tiles / board.tiles) for tiles in range(board.tiles + 1))
            for seats, each in worths.items()
        }
        self.taken = lru_cache(maxsize=10_000)(_taken)
        self.reach = lru_cache(maxsize=100_000)(self._reach)
        self.line_numbers = lru_cache(maxsize=100_000)(self._line_numbers)
        self.token_numbers = lru_cache(maxsize=50_000)(self._token_numbers)
        self.line_worth = lru_cache(maxsize=200_000)(self._line_worth)
        self.token_worth = lru_cache(maxsize=50_000)(self._token_worth)

    def values(self, state: RocketState) -> list[float]:
        """Money held and what else is expected, for every player, less what all have in common: only differences
        between players mean anything. The final scores once the game is over."""
        seats, items = state.seats, state.ledger.items
        money = items["money"]
        found = [float(money.get(name, 0)) for name in SEATS[:seats]]
        if not state.agenda:
            return found
        tiles = items["tile"].get("supply", 0)
        lines, tokens = self._parts(state)
        worths = [self.line_worth(line, tiles) for line in lines]
        worths.append(self.token_worth(tokens, tiles))
        weights = self.weights[seats][tiles][-len(_REST) :]
        for seat, numbers in enumerate(self._rest(state)):
            found[seat] += sum(map(mul, numbers, weights))
        return [sum(each) for each in zip(found, *worths, strict=True)]

    def numbers(self, state: RocketState) -> list[Numbers]:
        """The numbers of a position for every player, as `NAMES` tells them."""
        lines, tokens = self._parts(state)
        rows = [self.line_numbers(*line) for line in lines]
        return [
            (*map(sum, zip(*by_line, strict=True)), *of_tokens, *rest)
            for by_line, of_tokens, rest in zip(
                zip(*rows, strict=True),
                self.token_numbers(*tokens),
                self._rest(state),
                strict=True,
            )
        ]

    # ---- what the numbers follow from

    def _parts(self, state: RocketState) -> tuple[list[LineParts], TokenParts]:
        """Of every line, and of the tokens, what its numbers follow from."""
        items, owner, seats = state.ledger.items, state.owner, state.seats
        extra = tuple(items["supplementary"].items())
        taken = self.taken(tuple(owner))
        nothing = (0,) * seats
        on_line: dict[int, list[int]] = {}
        waiting = [0] * seats
        for place, seat in state.stations.items():
            line = owner[place]
            if line < 0:
                waiting[seat] |= 1 << place
            else:
                on_line.setdefault(line, [0] * seats)[seat] += 1
        lines = []
        connections = 0
        coming: tuple[list[int], ...] = ([], [], [])
        for line, into in enumerate(state.merged_into):
            if into >= 0:
                continue
            connected = state.connected[line]
            connections |= connected
            reach = NOWHERE
            if not state.isolated[line]:
                origin = state.locomotive[line]
                reach = self.reach(origin, state.facing[line], connected, taken & self.near[origin])
                for group, mask in zip(coming, reach.metropolises, strict=True):
                    if mask:
                        group.append(mask)
            met: tuple[Counts, ...] = ()
            for mask in waiting:
                if mask & reach.within:
                    met = tuple(
                        [tuple([(each & hexes).bit_count() for each in waiting]) for hexes in reach.hexes]
                    )  # fmt: skip
                    break
            lines.append(
                (
                    line,
                    connected.bit_count(),
                    tuple(items[self.shares[line]].items()),
                    extra,
                    tuple(on_line[line]) if line in on_line else nothing,
                    reach.towns,
                    reach.railway,
                    met,
                )
            )
        held = tuple([tuple(items[name].items()) for name in self.tokens])
        near = tuple([tuple(masks) for masks in coming])
        return lines, (seats, held, connections & self.metropolises, near)

    def _near(self, place: int) -> int:
        """The hexes a locomotive could come to from there in as many moves as are looked ahead, as bits."""
        found = front = 1 << place
        for _ in range(GROUPS[-1]):
            grown = 0
            for here, around in enumerate(self.board.around):
                if front >> here & 1:
                    for there in around:
                        grown |= 1 << there
            front = grown & ~found
            found |= grown
        return found

    def _reach(self, origin: int, facing: int, connected: int, taken: int) -> Reach:
        """By breadth first over the hexes a locomotive can enter; `taken` belong to lines."""
        board = self.board
        towns: list[int] = []
        hexes: list[int] = []
        seen_towns, seen_hexes = connected | board.start_towns, taken
        front = {(origin, edge) for edge in turns(facing)}
        for _ in range(GROUPS[-1]):
            here, near = 0, 0
            following = set()
            for place, edge in front:
                there = board.neighbours[place][edge]
                if there < 0 or board.town_at[there] >= 0 or seen_hexes >> there & 1:
                    continue
                here |= 1 << there
                near |= board.near_towns[there]
                following |= {(there, turn) for turn in turns(edge)}
            towns.append(near & ~seen_towns)
            hexes.append(here)
            seen_towns |= near
            seen_hexes |= here
            front = following
        grouped = [
            (sum(towns[first:last]), sum(hexes[first:last])) for first, last in pairwise(GROUPS)
        ]
        return Reach(
            tuple([each.bit_count() for each, _ in grouped]),
            tuple([(each & ~self.metropolises).bit_count() for each, _ in grouped]),
            tuple([each & self.metropolises for each, _ in grouped]),
            tuple([each for _, each in grouped]),
            sum(hexes),
        )

    # ---- the numbers

    def _line_numbers(
        self,
        line: int,
        connected: int,
        shares: Row,
        extra: Row,
        stations: Counts,
        towns: Counts,
        railway: Counts,
        met: tuple[Counts, ...],
    ) -> tuple[Numbers, ...]:
        """A line: the towns it is connected to, those it will reach, and the waiting stations it meets."""
        seats, payments = len(stations), self.board.payments
        held = _held(shares, seats)
        if len(extra) > 1:
            more = dict(extra)
            held = [
                count + more.get(name, 0)
                for count, name in zip(held, self.supplementary[line], strict=False)
            ]
        to_come = sum(towns)
        found = []
        for seat, (share_parts, station_parts) in enumerate(
            zip(parts(tuple(held)), parts(stations), strict=True)
        ):
            own = [part * payments.per_town_shares for part in share_parts]
            placed = [part * payments.per_town_stations for part in station_parts]
            row = [part * connected for part in (*own, *placed)]
            for count in towns:
                row += [part * count for part in (*own, *placed)]
            for count in (railway[0], railway[1] + railway[2]):
                row += [part * connected * count for part in placed]
            for each in met or (_NO_MET,) * len(towns):
                pot = each[seat] * payments.per_town_stations
                row += [pot * (connected + 1), pot * to_come]
            found.append(tuple(row))
        return tuple(found)

    def _token_numbers(
        self,
        seats: int,
        tokens: tuple[Row, ...],
        connected: int,
        coming: tuple[Counts, ...],
    ) -> tuple[Numbers, ...]:
        """Tokens of metropolises that are near a locomotive, and tokens by kind."""
        payments = self.board.payments
        near = [[0.0] * 6 for _ in range(seats)]
        kinds = [[0] * seats for _ in INDUSTRIES]
        safe = [[0] * seats for _ in INDUSTRIES]
        for number, kind, row in zip(self.board.metropolises, self.kinds, tokens, strict=True):
            held = _held(row, seats)
            if not any(held):
                continue
            for seat, count in enumerate(held):
                kinds[kind][seat] += count
                if connected >> number & 1:
                    safe[kind][seat] += count
            for group, masks in enumerate(coming):
                pot = sum([mask >> number & 1 for mask in masks]) * payments.metropolis_first
                if pot:
                    for seat, both in enumerate(parts(tuple(held))):
                        near[seat][2 * group] += both[0] * pot
                        near[seat][2 * group + 1] += both[1] * pot
        by_kind = [[0.0] * 4 for _ in range(seats)]
        for at, counted in ((0, kinds), (2, safe)):
            for counts in counted:
                for seat, both in enumerate(parts(tuple(counts))):
                    by_kind[seat][at] += both[0] * payments.kind_first
                    by_kind[seat][at + 1] += both[1] * payments.kind_first
        return tuple([(*tokens, *of_kinds) for tokens, of_kinds in zip(near, by_kind, strict=True)])

    def _rest(self, state: RocketState) -> list[Numbers]:
        """Passengers, stations that can be placed, and what is left of a turn."""
        items, seats, pot = state.ledger.items, state.seats, self.board.payments.kind_first
        passengers = parts(tuple(_held(tuple(items["passenger"].items()), seats)))
        turn = state.agenda[-1]
        acting, action = (turn.seat, turn.action) if isinstance(turn, Turn) else (-1, 0)
        return [
            (
                passengers[seat][0] * pot,
                passengers[seat][1] * pot,
                float(items["station:" + SEATS[seat]].get("supply", 0)),
                float(seat == acting and action == 1),
                float(seat == acting and action == 2),
            )
            for seat in range(seats)
        ]

    # ---- what they are worth

    def _line_worth(self, line: LineParts, tiles: int) -> tuple[float, ...]:
        return self._weighted(self._line_numbers(*line), tiles, 0)

    def _token_worth(self, tokens: TokenParts, tiles: int) -> tuple[float, ...]:
        return self._weighted(self._token_numbers(*tokens), tiles, len(_LINE))

    def _weighted(self, rows: tuple[Numbers, ...], tiles: int, first: int) -> tuple[float, ...]:
        """Of every player some numbers with their weights, from the first one of these on."""
        weights = self.weights[len(rows)][tiles][first:]
        return tuple([sum(map(mul, row, weights)) for row in rows])


_NO_MET = (0,) * len(SEATS)


@lru_cache(maxsize=50_000)
def parts(counts: Counts) -> tuple[tuple[float, float], ...]:
    """Of the first prize of a majority what every player would get now, and his part in proportion. The second prize
    is half of the first everywhere.

    >>> parts((3, 1))
    ((1.0, 0.9), (0.5, 0.3))
    """
    everything = sum(counts)
    if not everything:
        return ((0.0, 0.0),) * len(counts)
    best = max(counts)
    leaders = counts.count(best)
    second = max((count for count in counts if count < best), default=0)
    found = []
    for count in counts:
        if count == best:
            now = 1.0 if leaders == 1 else 1.5 / leaders
        else:
            now = 0.5 / counts.count(count) if count and count == second and leaders == 1 else 0.0
        found.append((now, 1.5 * count / (everything + 1)))
    return tuple(found)


@lru_cache(maxsize=1)
def worths() -> Mapping[int, Worths]:
    """The weights that were found, for every number of players."""
    data = (resources.files("kursbuch.games.rocket") / "worths.json").read_bytes()
    return msgspec.json.decode(data, type=dict[int, Worths])


@lru_cache(maxsize=16)
def prospects(board: Board) -> Prospects:
    """The prospects on a board by the weights that were found, made once."""
    return Prospects(board, worths())


def _taken(owner: Counts) -> int:
    """The hexes that belong to lines, as bits."""
    return sum(1 << place for place, line in enumerate(owner) if line >= 0)


def _held(row: Row, seats: int) -> list[int]:
    holders = dict(row)
    return [holders.get(name, 0) for name in SEATS[:seats]]


def _weights(worths: Worths, left: float) -> Numbers:
    return tuple(
        [last + left * first for last, first in zip(worths.last, worths.first, strict=True)]
    )
