"""How good a position of Stephenson's Rocket is for every player, in pounds.

Money counts as it is. Everything else counts by the payments it can be expected to bring: shares
and stations in the final scoring and at new railway towns, tokens when metropolises are connected
and in the final scoring of the kinds. A majority that can still be overtaken counts partly as it
stands and partly in proportion to what everybody holds; the nearer the end, the more it counts as
it stands. What a line will still reach is estimated from the hexes its locomotive can get to in a
few moves on an empty map, its next move being taken as it really is.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from kursbuch.rocket.components import INDUSTRIES, Board
from kursbuch.rocket.geography import directions
from kursbuch.rocket.state import SEATS, RocketState, share, supplementary, token

#: How likely a line comes to something it can reach in 1, 2, 3 … moves.
CHANCE = (0.62, 0.42, 0.28, 0.18, 0.12)

#: With fewer tiles left than this, lines grow in proportion to what is left.
FULL_GROWTH_TILES = 18

#: How much of a majority counts as it stands, at the start and at the end of the game.
FIRMNESS = (0.35, 1.0)
FIRMNESS_LEVELS = 20

#: What nobody holds yet counts as so many pieces of an unknown player.
PHANTOM = 1.0

#: The chance that a metropolis out of sight of every locomotive is connected before the end.
DISTANT_METROPOLIS = 0.6


class Prospect(NamedTuple):
    """What a line can be expected to come to: the number of towns, the number of railway towns
    among them, the chance of each metropolis (by its bit), and the hexes with their chances."""

    towns: float
    railway_towns: float
    metropolises: tuple[tuple[int, float], ...]
    hexes: tuple[tuple[int, float], ...]


class Tables:
    """What `evaluate` looks up of a board."""

    def __init__(self, board: Board) -> None:
        self.shares = tuple(share(line.id) for line in board.lines)
        self.supplementary = tuple(
            tuple(supplementary(seat, line.id) for seat in range(len(SEATS)))
            for line in board.lines
        )
        self.metropolises = tuple(
            (
                1 << number,
                token(board.towns[number].name),
                INDUSTRIES.index(board.towns[number].industry),
            )
            for number in board.metropolises
        )
        self.metropolis_mask = sum(1 << number for number in board.metropolises)
        self.board = board
        self.reach = lru_cache(maxsize=None)(self._reach)
        self.prospect = lru_cache(maxsize=100_000)(self._prospect)

    def _reach(self, place: int, facing: int) -> tuple[tuple[int, int], ...]:
        """What a locomotive that comes to `place` reaches there and with each further move: bit masks
        of the towns and of the hexes, each only where it is reached first."""
        board = self.board
        towns, hexes = 0, 0
        seen = {(place, facing)}
        edge_of_search = [(place, facing)]
        found = []
        for _ in CHANCE:
            new_towns, new_hexes = 0, 0
            for here, _ in edge_of_search:
                new_towns |= board.near_towns[here]
                new_hexes |= 1 << here
            found.append((new_towns & ~towns & ~board.start_towns, new_hexes & ~hexes))
            towns |= new_towns
            hexes |= new_hexes
            following = []
            for here, ahead in edge_of_search:
                for edge in ((ahead + 5) % 6, ahead, (ahead + 1) % 6):
                    there = board.neighbours[here][edge], edge
                    if there[0] >= 0 and board.town_at[there[0]] < 0 and there not in seen:
                        seen.add(there)
                        following.append(there)
            edge_of_search = following
        return tuple(found)

    def _prospect(self, edges: tuple[int, ...], origin: int, connected: int) -> Prospect:
        """What a line can come to whose locomotive may leave `origin` over these edges and that is
        connected to these towns."""
        row = self.board.neighbours[origin]
        ways = [self.reach(row[edge], edge) for edge in edges]
        towns, railway_towns = 0.0, 0.0
        metropolises: list[tuple[int, float]] = []
        hexes: list[tuple[int, float]] = []
        seen_towns, seen_hexes = connected, 0
        for distance, chance in enumerate(CHANCE):
            new_towns, new_hexes = 0, 0
            for way in ways:
                new_towns |= way[distance][0]
                new_hexes |= way[distance][1]
            new_towns &= ~seen_towns
            seen_towns |= new_towns
            towns += chance * new_towns.bit_count()
            new_metropolises = new_towns & self.metropolis_mask
            railway_towns += chance * (new_towns ^ new_metropolises).bit_count()
            metropolises += [(bit, chance) for bit in bits(new_metropolises)]
            hexes.append((new_hexes & ~seen_hexes, chance))
            seen_hexes |= new_hexes
        return Prospect(towns, railway_towns, tuple(metropolises), tuple(hexes))


def bits(mask: int) -> Iterator[int]:
    """The single bits of a mask.

    >>> list(bits(0b1010))
    [2, 8]
    """
    while mask:
        bit = mask & -mask
        mask ^= bit
        yield bit


@lru_cache(maxsize=16)
def tables(board: Board) -> Tables:
    """The tables of a board, made once."""
    return Tables(board)


@lru_cache(maxsize=50_000)
def expected_parts(counts: tuple[int, ...], level: int) -> tuple[float, ...]:
    """What part of the first prize of a majority each player can expect.

    The second prize is half of the first everywhere. `level` is the firmness, from 0 at the start
    to `FIRMNESS_LEVELS` at the end.

    >>> expected_parts((3, 1), FIRMNESS_LEVELS)
    (1.0, 0.5)
    >>> [round(part, 2) for part in expected_parts((3, 1), 0)]
    [0.94, 0.37]
    """
    everything = sum(counts)
    if not everything:
        return (0.0,) * len(counts)
    best = max(counts)
    leaders = counts.count(best)
    runner_up = max((count for count in counts if count != best), default=0)
    firm = FIRMNESS[0] + (FIRMNESS[1] - FIRMNESS[0]) * level / FIRMNESS_LEVELS
    parts = []
    for count in counts:
        if count == best:
            standing = 1.0 if leaders == 1 else 1.5 / leaders
        elif count and count == runner_up and leaders == 1:
            standing = 0.5 / counts.count(count)
        else:
            standing = 0.0
        proportional = 1.5 * count / (everything + PHANTOM)
        parts.append(firm * standing + (1 - firm) * proportional)
    return tuple(parts)


def evaluate(state: RocketState, board: Board) -> list[float]:
    """Money held plus the payments that can be expected, for every player."""
    items = state.ledger.items
    money = items["money"]
    seats = range(state.seats)
    values = [float(money.get(SEATS[seat], 0)) for seat in seats]
    if not state.agenda:
        return values
    table = tables(board)
    tiles = items["tile"].get("supply", 0)
    level = FIRMNESS_LEVELS - FIRMNESS_LEVELS * tiles // board.tiles
    growth = min(1.0, tiles / FULL_GROWTH_TILES)
    unconnected, approaches = _lines(state, board, table, level, growth, values)
    _tokens(state, board, table, level, unconnected, approaches, values)
    return values


def _lines(
    state: RocketState,
    board: Board,
    table: Tables,
    level: int,
    growth: float,
    values: list[float],
) -> tuple[int, dict[int, float]]:
    """Adds the worth of shares and stations. Returns the metropolises no line is connected to, and
    for every metropolis (by its bit) how many new connections of it can be expected."""
    items, owner, connected = state.ledger.items, state.owner, state.connected
    seats = range(state.seats)
    town_at = board.town_at
    extra = items["supplementary"]
    has_extra = len(extra) > 1
    on_line = [[0] * state.seats for _ in board.lines]
    ahead: dict[int, int] = {}
    ahead_mask = 0
    for place, seat in state.stations.items():
        if owner[place] >= 0:
            on_line[owner[place]][seat] += 1
        else:
            ahead[place] = seat
            ahead_mask |= 1 << place
    unconnected = table.metropolis_mask
    approaches: dict[int, float] = {}
    for line, into in enumerate(state.merged_into):
        if into >= 0:
            continue
        mask = connected[line]
        unconnected &= ~mask
        towns = mask.bit_count()
        to_come, scorings = 0.0, 0.0
        met: list[tuple[int, float]] = []
        if not state.isolated[line]:
            origin = state.locomotive[line]
            row = board.neighbours[origin]
            edges = tuple(
                [
                    edge
                    for edge in directions(state, line)
                    if row[edge] >= 0 and owner[row[edge]] < 0 and town_at[row[edge]] < 0
                ]
            )
            prospect = table.prospect(edges, origin, mask)
            to_come, scorings = prospect.towns * growth, prospect.railway_towns * growth
            for bit, chance in prospect.metropolises:
                approaches[bit] = approaches.get(bit, 0.0) + chance * growth
            if ahead_mask:
                for hexes, chance in prospect.hexes:
                    if hexes & ahead_mask:
                        met += [
                            (bit.bit_length() - 1, chance * growth)
                            for bit in bits(hexes & ahead_mask)
                        ]
        # Shares are paid once: when the line is dissolved, or at the end.
        holders = items[table.shares[line]]
        held = [holders.get(SEATS[seat], 0) for seat in seats]
        if has_extra:
            names = table.supplementary[line]
            held = [count + extra.get(names[seat], 0) for seat, count in enumerate(held)]
        pot = (towns + to_come) * board.payments.per_town_shares
        for seat, part in enumerate(expected_parts(tuple(held), level)):
            values[seat] += part * pot
        # Stations are paid at every new railway town and at the end.
        counts = on_line[line]
        pot = (towns + to_come + scorings * (towns + 1)) * board.payments.per_town_stations
        parts = expected_parts(tuple(counts), level)
        for seat, part in enumerate(parts):
            values[seat] += part * pot
        for place, chance in met:
            counts[ahead[place]] += 1
            with_it = expected_parts(tuple(counts), level)
            counts[ahead[place]] -= 1
            for seat in seats:
                values[seat] += chance * pot * (with_it[seat] - parts[seat])
    return unconnected, approaches


def _tokens(
    state: RocketState,
    board: Board,
    table: Tables,
    level: int,
    unconnected: int,
    approaches: dict[int, float],
    values: list[float],
) -> None:
    """Adds the worth of tokens: at the connections to come, and by the kinds at the end."""
    items = state.ledger.items
    seats = range(state.seats)
    kinds = [[0] * state.seats for _ in INDUSTRIES]
    certainty = [[0.0, 0.0] for _ in INDUSTRIES]
    for bit, name, industry in table.metropolises:
        row = items[name]
        if len(row) == 1 and "map" in row:
            continue
        held = tuple([row.get(SEATS[seat], 0) for seat in seats])
        expected = approaches.get(bit, 0.0)
        counted = max(DISTANT_METROPOLIS, min(expected, 1.0)) if bit & unconnected else 1.0
        number = 0
        for seat, count in enumerate(held):
            kinds[industry][seat] += count
            number += count
        certainty[industry][0] += counted * number
        certainty[industry][1] += number
        if expected:
            pot = expected * board.payments.metropolis_first
            for seat, part in enumerate(expected_parts(held, level)):
                values[seat] += part * pot
    for counts, (safe, everything) in zip(kinds, certainty, strict=True):
        if everything:
            pot = board.payments.kind_first * safe / everything
            for seat, part in enumerate(expected_parts(tuple(counts), level)):
                values[seat] += part * pot
    passengers = items["passenger"]
    if len(passengers) > 1 or "supply" not in passengers:
        travelling = tuple([passengers.get(SEATS[seat], 0) for seat in seats])
        for seat, part in enumerate(expected_parts(travelling, level)):
            values[seat] += part * board.payments.kind_first
