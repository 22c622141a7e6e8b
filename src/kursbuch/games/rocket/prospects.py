"""Expected final scores of a position of Stephenson's Rocket, fitted to earlier games.

A position has about forty features per player (`NAMES`): payments in sight, by majorities as they stand and in
proportion to holdings. The expected gain beyond a player's money is their weighted sum; weights vary with the tiles
left. `worths.json` is fitted to final scores (`python -m benchmarks.prospects`). Unlike `evaluation`, which assumes
an empty map, reach is computed around existing track.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from functools import lru_cache
from importlib import resources
from itertools import pairwise
from operator import mul
from typing import NamedTuple

import msgspec

from kursbuch.core.tally import Key
from kursbuch.games.rocket.components import INDUSTRIES, Board
from kursbuch.games.rocket.state import SEATS, RocketState, Turn, share, supplementary, token, turns

#: Look-ahead of a locomotive in moves, as bounds of groups.
GROUPS = (0, 1, 2, 5)

_DISTANCES = ("next", "second", "later")

#: Share of a majority's first prize a player has now, and the share in proportion to holdings.
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

#: Features of a line that are about its shares, and about stations; number of those about single metropolises.
_ABOUT = {
    "shares": tuple(n for n, name in enumerate(_LINE) if name.startswith("shares")),
    "stations": tuple(n for n, name in enumerate(_LINE) if not name.startswith("shares")),
}
_NEAR = 2 * len(_DISTANCES)

#: Names of the features, in pounds except the last three.
NAMES = (*_LINE, *_TOKENS, *_REST)

Row = tuple[tuple[str, int], ...]
Counts = tuple[int, ...]
Numbers = tuple[float, ...]

#: Inputs of the features of a line and of the tokens.
LineParts = tuple[int, int, Row, Row, Counts, Counts, Counts, tuple[Counts, ...]]
TokenParts = tuple[int, tuple[Row, ...], int, tuple[Counts, ...]]


class Reach(NamedTuple):
    """Targets of a locomotive by group of moves: new towns, railway towns among them, new metropolises (bits), hexes
    (bits), and all hexes it could occupy."""

    towns: Counts
    railway: Counts
    metropolises: Counts
    hexes: Counts
    within: int


NOWHERE = Reach((0, 0, 0), (0, 0, 0), (0, 0, 0), (0, 0, 0), 0)


class Worths(msgspec.Struct, frozen=True):
    """Feature weights with no tiles left, and the difference with all tiles."""

    last: tuple[float, ...]
    first: tuple[float, ...]


class Prospects:
    """Features of positions on a board, and expected scores by the weights for each player count.

    Raise `ValueError` if features and weights differ in number.
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
        """Money plus expected gain of each player, up to a common constant; the final scores once the game is over."""
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

    def by_source(self, state: RocketState) -> Iterator[tuple[Key, Numbers]]:
        """The parts of `values` beyond money, by line, metropolis and kind of token (`Title.tally`)."""
        seats, tiles = state.seats, state.ledger.items["tile"].get("supply", 0)
        weights = self.weights[seats][tiles]
        lines, (_, tokens, connected, coming) = self._parts(state)

        def weighed(rows: Iterable[Numbers], first: int, chosen: Iterable[int]) -> Numbers:
            places = tuple(chosen)
            return tuple([sum([row[n] * weights[first + n] for n in places]) for row in rows])

        for line in lines:
            rows = self.line_numbers(*line)
            for what, chosen in _ABOUT.items():
                yield (what, self.board.lines[line[0]].id), weighed(rows, 0, chosen)
        first = len(_LINE)

        def numbers_of(shown: Container[int]) -> tuple[Numbers, ...]:
            rows = tuple([row if n in shown else () for n, row in enumerate(tokens)])
            return self.token_numbers(seats, rows, connected, coming)

        for number, town in enumerate(self.board.metropolises):
            yield (
                ("metropolis", self.board.towns[town].name),
                weighed(numbers_of((number,)), first, range(_NEAR)),
            )
        for kind, name in enumerate(INDUSTRIES):
            shown = [number for number, each in enumerate(self.kinds) if each == kind]
            yield ("kind", name), weighed(numbers_of(shown), first, range(_NEAR, len(_TOKENS)))
        rest = self._rest(state)
        first += len(_TOKENS)
        yield ("kind", "passengers"), weighed(rest, first, range(len(_PARTS)))
        yield ("actions",), weighed(rest, first, range(len(_PARTS), len(_REST)))

    def numbers(self, state: RocketState) -> list[Numbers]:
        """Features of a position for each player, in the order of `NAMES`."""
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

    # ---- inputs

    def _parts(self, state: RocketState) -> tuple[list[LineParts], TokenParts]:
        """Inputs of each line and of the tokens."""
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
        """Bits of the hexes a locomotive could reach from here within the look-ahead."""
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
        """Breadth-first search over the hexes a locomotive can enter; `taken` ones belong to lines."""
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

    # ---- features

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
        """Features of a line: connected towns, towns in reach, and stations it will meet."""
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
        """Features of tokens near a locomotive and of tokens by kind."""
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
        """Features of passengers, placeable stations and the rest of the turn."""
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

    # ---- weighted sums

    def _line_worth(self, line: LineParts, tiles: int) -> tuple[float, ...]:
        return self._weighted(self._line_numbers(*line), tiles, 0)

    def _token_worth(self, tokens: TokenParts, tiles: int) -> tuple[float, ...]:
        return self._weighted(self._token_numbers(*tokens), tiles, len(_LINE))

    def _weighted(self, rows: tuple[Numbers, ...], tiles: int, first: int) -> tuple[float, ...]:
        """Weighted sums of features for each player, starting at weight `first`."""
        weights = self.weights[len(rows)][tiles][first:]
        return tuple([sum(map(mul, row, weights)) for row in rows])


_NO_MET = (0,) * len(SEATS)


@lru_cache(maxsize=50_000)
def parts(counts: Counts) -> tuple[tuple[float, float], ...]:
    """Share of a majority's first prize now, and in proportion, for each player. The second prize is always half of
    the first.

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
    """Fitted weights by player count."""
    data = (resources.files("kursbuch.games.rocket") / "worths.json").read_bytes()
    return msgspec.json.decode(data, type=dict[int, Worths])


@lru_cache(maxsize=16)
def prospects(board: Board) -> Prospects:
    """The cached prospects of a board with the fitted weights."""
    return Prospects(board, worths())


def _taken(owner: Counts) -> int:
    """Bits of the hexes that belong to lines."""
    return sum(1 << place for place, line in enumerate(owner) if line >= 0)


def _held(row: Row, seats: int) -> list[int]:
    holders = dict(row)
    return [holders.get(name, 0) for name in SEATS[:seats]]


def _weights(worths: Worths, left: float) -> Numbers:
    return tuple(
        [last + left * first for last, first in zip(worths.last, worths.first, strict=True)]
    )
