"""Evaluation of a position of Stephenson's Rocket for each player, in pounds.

Money counts at face value, everything else by expected payments: shares and stations in the final scoring and at new
railway towns, tokens when metropolises are connected and in the final scoring of kinds. A contested majority counts
partly as it stands and partly in proportion to holdings; the closer the end, the more as it stands. The reach of a
line is estimated from the hexes its locomotive can reach in a few moves on an empty map.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from kursbuch.core.actions import Action
from kursbuch.core.evaluator import Evaluator
from kursbuch.games.rocket.actions import ExtendLine, MoveStation
from kursbuch.games.rocket.components import INDUSTRIES, Board
from kursbuch.games.rocket.prospects import prospects
from kursbuch.games.rocket.state import (
    SEATS,
    Boards,
    Objection,
    RocketState,
    Veto,
    share,
    supplementary,
    token,
    turns,
)

#: Probability of reaching a target that is 1, 2, 3 … moves away.
CHANCE = (0.62, 0.42, 0.28, 0.18, 0.12)

#: Below this number of tiles, growth is proportional to the tiles left.
FULL_GROWTH_TILES = 18

#: Share of a majority that counts as it stands, at the start and the end of the game.
FIRMNESS = (0.35, 1.0)
FIRMNESS_LEVELS = 20

#: Number of unclaimed pieces attributed to an unknown player.
PHANTOM = 1.0

#: Probability that a metropolis out of reach is connected before the end.
DISTANT_METROPOLIS = 0.6

#: Holders and counts of an item, as in the ledger.
Row = tuple[tuple[str, int], ...]


class Prospect(NamedTuple):
    """Expected growth of a line: towns, railway towns among them, probability of each metropolis (by bit), hexes
    with probabilities, and the mask of these hexes."""

    towns: float
    railway_towns: float
    metropolises: tuple[tuple[int, float], ...]
    hexes: tuple[tuple[int, float], ...]
    within: int


class Tables:
    """Precomputed tables of a board."""

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
        self.tokens = tuple(name for _, name, _ in self.metropolises)
        self.metropolis_mask = sum(1 << number for number in board.metropolises)
        self.board = board
        self.exits = lru_cache(maxsize=None)(self._exits)
        self.reach = lru_cache(maxsize=None)(self._reach)
        self.prospect = lru_cache(maxsize=100_000)(self._prospect)
        self.line_worth = lru_cache(maxsize=200_000)(self._line_worth)
        self.token_worth = lru_cache(maxsize=50_000)(self._token_worth)

    def _exits(self, place: int, facing: int) -> tuple[tuple[int, int], ...]:
        """Edges over which a locomotive may leave a hex on the map, with the adjacent hexes."""
        row = self.board.neighbours[place]
        return tuple(
            (edge, row[edge])
            for edge in turns(facing)
            if row[edge] >= 0 and self.board.town_at[row[edge]] < 0
        )

    def _reach(self, place: int, facing: int) -> tuple[tuple[int, int], ...]:
        """Bit masks of towns and hexes first reached by a locomotive on `place` now and with each further move."""
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
        """Expected growth of a line with these connected towns whose locomotive may leave `origin` over these edges."""
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
        return Prospect(towns, railway_towns, tuple(metropolises), tuple(hexes), seen_hexes)

    def _line_worth(
        self,
        line: int,
        edges: tuple[int, ...],
        origin: int,
        connected: int,
        shares: Row,
        extra: Row,
        counts: tuple[int, ...],
        ahead: tuple[int, ...],
        level: int,
        growth: float,
    ) -> tuple[float, ...]:
        """Worth of a line's shares and stations for each player: stations on it by `counts`, stations `ahead` of its
        locomotive as hex masks. `extra` are the supplementary shares of all lines."""
        payments = self.board.payments
        held = list(held_by(shares, len(counts)))
        if len(extra) > 1:
            own = self.supplementary[line]
            more = dict(extra)
            held = [count + more.get(own[seat], 0) for seat, count in enumerate(held)]
        towns = connected.bit_count()
        prospect = self.prospect(edges, origin, connected)
        to_come, scorings = prospect.towns * growth, prospect.railway_towns * growth
        # Shares are paid once: in a merger or at the end.
        pot = (towns + to_come) * payments.per_town_shares
        worth = [part * pot for part in expected_parts(tuple(held), level)]
        # Stations are paid at each new railway town and at the end.
        pot = (towns + to_come + scorings * (towns + 1)) * payments.per_town_stations
        parts = expected_parts(counts, level)
        for seat, part in enumerate(parts):
            worth[seat] += part * pot
        for owner, mask in enumerate(ahead):
            if not mask:
                continue
            grown = (*counts[:owner], counts[owner] + 1, *counts[owner + 1 :])
            with_it = expected_parts(grown, level)
            met = sum(chance * (hexes & mask).bit_count() for hexes, chance in prospect.hexes)
            for seat, part in enumerate(parts):
                worth[seat] += met * growth * pot * (with_it[seat] - part)
        return tuple(worth)

    def _token_worth(
        self,
        seats: int,
        tokens: tuple[Row, ...],
        unconnected: int,
        approaches: tuple[tuple[tuple[int, float], ...], ...],
        growth: float,
        level: int,
    ) -> tuple[float, ...]:
        """Worth of the metropolis tokens for each player, in future connections and in the final scoring.
        `approaches` are each line's probabilities of reaching a metropolis."""
        payments = self.board.payments
        worth = [0.0] * seats
        coming: dict[int, float] = {}
        for met in approaches:
            for bit, chance in met:
                coming[bit] = coming.get(bit, 0.0) + chance * growth
        kinds = [[0] * seats for _ in INDUSTRIES]
        certainty = [[0.0, 0.0] for _ in INDUSTRIES]
        for (bit, _, industry), row in zip(self.metropolises, tokens, strict=True):
            held = held_by(row, seats)
            if not any(held):
                continue
            expected = coming.get(bit, 0.0)
            counted = max(DISTANT_METROPOLIS, min(expected, 1.0)) if bit & unconnected else 1.0
            number = sum(held)
            for seat, count in enumerate(held):
                kinds[industry][seat] += count
            certainty[industry][0] += counted * number
            certainty[industry][1] += number
            if expected:
                pot = expected * payments.metropolis_first
                for seat, part in enumerate(expected_parts(held, level)):
                    worth[seat] += part * pot
        for kind, (safe, everything) in zip(kinds, certainty, strict=True):
            if everything:
                pot = payments.kind_first * safe / everything
                for seat, part in enumerate(expected_parts(tuple(kind), level)):
                    worth[seat] += part * pot
        return tuple(worth)


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
    """The cached tables of a board."""
    return Tables(board)


@lru_cache(maxsize=50_000)
def expected_parts(counts: tuple[int, ...], level: int) -> tuple[float, ...]:
    """Expected share of a majority's first prize for each player.

    The second prize is always half of the first. `level` is the firmness, from 0 at the start to `FIRMNESS_LEVELS`
    at the end.

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


def held_by(row: Iterable[tuple[str, int]], seats: int) -> tuple[int, ...]:
    """Each player's count of an item, from its holders."""
    holders = dict(row)
    return tuple([holders.get(name, 0) for name in SEATS[:seats]])


def _lines(
    state: RocketState,
    table: Tables,
    level: int,
    growth: float,
    values: list[float],
) -> tuple[tuple[tuple[int, float], ...], ...]:
    """Add the worth of shares and stations. Return each line's probabilities of reaching metropolises."""
    items, owner = state.ledger.items, state.owner
    extra = tuple(items["supplementary"].items())
    nothing = (0,) * state.seats
    on_line: dict[int, list[int]] = {}
    waiting = [0] * state.seats
    for place, seat in state.stations.items():
        line = owner[place]
        if line < 0:
            waiting[seat] |= 1 << place
        else:
            on_line.setdefault(line, [0] * state.seats)[seat] += 1
    approaches = []
    for line, into in enumerate(state.merged_into):
        if into >= 0:
            continue
        connected, origin = state.connected[line], state.locomotive[line]
        edges: tuple[int, ...] = ()
        ahead = nothing
        if not state.isolated[line]:
            exits = table.exits(origin, state.facing[line])
            edges = tuple([edge for edge, place in exits if owner[place] < 0])
            prospect = table.prospect(edges, origin, connected)
            approaches.append(prospect.metropolises)
            ahead = tuple([mask & prospect.within for mask in waiting])
        counts = tuple(on_line[line]) if line in on_line else nothing
        shares = tuple(items[table.shares[line]].items())
        found = table.line_worth(
            line, edges, origin, connected, shares, extra, counts, ahead, level, growth
        )
        for seat, worth in enumerate(found):
            values[seat] += worth
    return tuple(approaches)


class RocketEvaluator(Evaluator[RocketState]):
    certain = True

    #: One turn of each of four players.
    foresight = 8
    uncertainty = 0.3

    def __init__(self, boards: Boards) -> None:
        self.boards = boards

    def evaluate(self, state: RocketState) -> list[float]:
        """Money plus expected payments of each player."""
        board = self.boards.of(state)
        items = state.ledger.items
        money = items["money"]
        values = [float(money.get(name, 0)) for name in SEATS[: state.seats]]
        if not state.agenda:
            return values
        table = tables(board)
        tiles = items["tile"].get("supply", 0)
        level = FIRMNESS_LEVELS - FIRMNESS_LEVELS * tiles // board.tiles
        growth = min(1.0, tiles / FULL_GROWTH_TILES)
        approaches = _lines(state, table, level, growth, values)
        unconnected = table.metropolis_mask
        for line, into in enumerate(state.merged_into):
            if into < 0:
                unconnected &= ~state.connected[line]
        tokens = tuple([tuple(items[name].items()) for name in table.tokens])
        for seat, worth in enumerate(
            table.token_worth(state.seats, tokens, unconnected, approaches, growth, level)
        ):
            values[seat] += worth
        travelling = items["passenger"]
        if len(travelling) > 1 or "supply" not in travelling:
            held = held_by(travelling.items(), state.seats)
            for seat, part in enumerate(expected_parts(held, level)):
                values[seat] += part * board.payments.kind_first
        return values

    def leaf_value(self, state: RocketState) -> list[float]:
        """Fitted results of earlier games."""
        return prospects(self.boards.of(state)).values(state)

    def playout_weight(self, action: Action) -> float:
        if isinstance(action, ExtendLine):
            return 4.0
        return 0.1 if isinstance(action, MoveStation) else 1.0

    def unsettled(self, state: RocketState) -> bool:
        return bool(state.agenda) and isinstance(state.agenda[-1], Objection | Veto)
