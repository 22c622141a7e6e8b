"""Evaluation of a position of Railroad Dice for each player, in passenger counters.

Counters count at face value. A company is worth its longest chain, this year to its director and in later years in
proportion to shares, plus stations still to be built. Dice are worth what they usually buy. The player to move gets
credit for the line's position: an edge within reach, a site for a station.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple
from weakref import WeakKeyDictionary

import msgspec

from kursbuch.core.actions import Action
from kursbuch.core.evaluator import Evaluator
from kursbuch.core.tally import Key
from kursbuch.games.dice.actions import BuildStation, EndTurn, LayTrack, TakeIncome
from kursbuch.games.dice.components import Stock
from kursbuch.games.dice.geography import Geography, Site, bits, chains, station_places
from kursbuch.games.dice.state import (
    Bridge,
    Crossing,
    DiceState,
    Joining,
    Turn,
    behind,
    built,
    directed,
    faces,
    held_shares,
    passengers,
    stations_left,
    supply,
)
from kursbuch.games.dice.steps import winners

#: Worth of a die in front of the screen by face, behind it, and of surplus dice.
FACE_WORTH = (0.14, 0.14, 0.45, 0.55)
BEHIND_WORTH = 0.36
BEHIND_NEEDED = 5
FURTHER_BEHIND = 0.2
SURPLUS = 0.5

#: Weight of a lead in shares on the next directorship.
LEAD = 1.1

#: Relative worth of a station outside the longest chain.
APART = 0.3

#: Stations a company is expected to build per future year.
GROWTH = 0.35

#: Years left while the bank is full, and minimum.
MOST_YEARS, LEAST_YEARS = 6.0, 2.0

#: Worth of victory.
VICTORY = 12.0

#: Worth of reaching the edge, and its decay per piece.
EDGE, STEP = 0.9, 0.8

#: Share of a station's worth if its site is reached and it is affordable.
PLOT = 0.7

#: Maximum number of cached lines.
REMEMBERED = 20_000


class Line(NamedTuple):
    """Facts about the line for the evaluation: the longest chain of each company, and for both ends the pieces to
    the edge (0: never) and the possible stations."""

    chains: tuple[int, ...]
    distances: tuple[int, int]
    plots: tuple[tuple[Stock, ...], tuple[Stock, ...]]


def line_of(state: DiceState, geography: Geography) -> Line:
    """The cached line of a state."""
    remembered = _lines.setdefault(geography, {})
    key = msgspec.msgpack.encode((state.landscape, state.large, state.ends))
    found = remembered.get(key)
    if found is None:
        if len(remembered) >= REMEMBERED:
            remembered.clear()
        places = station_places(state)
        here, there = geography.sites(state)
        found = remembered[key] = Line(
            tuple(chains(places, company) for company in range(len(geography.board.companies))),
            (_distance(geography, here), _distance(geography, there)),
            (_stations_at(geography, here), _stations_at(geography, there)),
        )
    return found


_lines: WeakKeyDictionary[Geography, dict[bytes, Line]] = WeakKeyDictionary()


def _stations_at(geography: Geography, site: Site) -> tuple[Stock, ...]:
    """Stations possible at an end."""
    board = geography.board
    if geography.station_problem(site):
        return ()
    return tuple(
        stock
        for stock in board.stocks
        if not site.companies >> stock.company & 1
        and site.layout.stations[stock.terrain] >> site.ways[0][0] & 1
    )


def _years(state: DiceState, geography: Geography) -> float:
    """Expected number of further passenger rounds, including this year."""
    if state.ending:
        return 1.0
    # In proportion to the usual dice: an extended game has more years.
    full = supply(state) / geography.board.dice
    return LEAST_YEARS + (MOST_YEARS - LEAST_YEARS) * full


def _by_company(
    state: DiceState, geography: Geography, line: Line, years: float
) -> Iterator[tuple[str, tuple[float, ...]]]:
    """What each company is worth to the players."""
    board = geography.board
    for company, record in enumerate(board.companies):
        held = tuple(held_shares(state, board, company))
        done = built(state, board, company)
        left = board.totals[company] - done
        yield (
            record.id,
            _company(held, state.directors[company], line.chains[company], done, left, years),
        )


@lru_cache(maxsize=REMEMBERED)
def _company(
    held: tuple[int, ...], director: int | None, chain: int, done: int, left: int, years: float
) -> tuple[float, ...]:
    """What a company is worth to the players: shares held, stations in the longest chain, built and left."""
    worth = [0.0] * len(held)
    if director is not None:
        worth[director] += chain
    if any(held):
        to_come = years - 1
        growth = min(left, GROWTH * to_come) * to_come / 2
        future = to_come * (chain + APART * (done - chain)) + growth
        weights = [math.exp(LEAD * count) if count else 0.0 for count in held]
        if director is not None and held[director]:
            weights[director] *= math.exp(LEAD / 2)
        total = sum(weights)
        for seat, weight in enumerate(weights):
            worth[seat] += future * weight / total
    return tuple(worth)


def _dice(state: DiceState, seat: int, on_turn: bool) -> float:
    """Worth of a player's dice; the best five in front count fully."""
    counts = faces(state, seat)
    room, worth = 5, 0.0
    for face in (3, 2, 0, 1):
        kept = min(counts[face], room)
        room -= kept
        worth += FACE_WORTH[face] * (kept + (SURPLUS * (counts[face] - kept) if on_turn else 0.0))
    hidden = behind(state, seat)
    needed = min(hidden, BEHIND_NEEDED)
    return worth + BEHIND_WORTH * needed + FURTHER_BEHIND * (hidden - needed)


def _prospects(state: DiceState, line: Line, seat: int, years: float) -> float:
    """Expected gain of the player to move from the line's position."""
    straights, curves, _, questions = faces(state, seat)
    pieces = straights + curves + questions
    money = behind(state, seat) + questions
    companies = directed(state, seat)
    worth = 0.0
    for distance, plots in zip(line.distances, line.plots, strict=True):
        if distance and pieces > distance and not state.ending:
            worth += EDGE * STEP**distance
        if companies and any(
            stock.company in companies and stock.cost <= money and stations_left(state, stock)
            for stock in plots
        ):
            worth += PLOT * years * 0.5
    return worth


def _distance(geography: Geography, site: Site) -> int:
    """Pieces needed to reach an edge with room for a new tile; 0 if impossible."""
    outlets = geography.outlets(site)
    free = geography.board.every & ~site.occupied
    reached = sum(1 << square for square, _ in site.ways) & free
    around = geography.board.around
    distance = 1
    seen = reached
    while reached:
        if reached & outlets and site.pieces + distance >= geography.least:
            return distance
        grown = 0
        for square in bits(reached):
            grown |= around[square]
        reached = grown & free & ~seen if not reached & outlets else grown & free
        seen |= reached
        distance += 1
        if distance > geography.board.squares:
            return 0
    return 0


def expectations(state: DiceState, geography: Geography) -> Iterator[tuple[Key, Sequence[float]]]:
    """What each player can expect beyond the passengers carried, by source (`Title.tally`); nothing after the end."""
    if not state.agenda:
        return
    years = _years(state, geography)
    line = line_of(state, geography)
    for company, worth in _by_company(state, geography, line, years):
        yield ("passengers", company), worth
    turn = next((step for step in state.agenda if isinstance(step, Turn)), None)
    acting = -1 if turn is None else turn.seat
    seats = range(state.seats)
    yield ("dice",), [_dice(state, seat, seat == acting) for seat in seats]
    if turn is not None:
        ahead = _prospects(state, line, turn.seat, years)
        yield ("line",), [ahead if seat == turn.seat else 0.0 for seat in seats]


class DiceEvaluator(Evaluator[DiceState]):
    #: A turn takes about fifteen steps, most of which are clear after few playouts.
    part_of_turn = 0.3

    #: A turn.
    foresight = 12
    uncertainty = 0.3

    def __init__(self, geography: Geography) -> None:
        self.geography = geography

    def evaluate(self, state: DiceState) -> list[float]:
        """Value of the position for each player."""
        seats = range(state.seats)
        worth = [float(passengers(state, seat)) for seat in seats]
        if not state.agenda:
            won = winners(state)
            return [value + VICTORY / len(won) * (seat in won) for seat, value in enumerate(worth)]
        for _, amounts in expectations(state, self.geography):
            for seat, amount in enumerate(amounts):
                worth[seat] += amount
        return worth

    def playout_weight(self, action: Action) -> float:
        match action:
            case EndTurn():
                return 0.4
            case LayTrack() | BuildStation() | TakeIncome():
                return 3.0
        return 1.0

    def unsettled(self, state: DiceState) -> bool:
        """Bridges and new tiles are evaluated when finished."""
        return bool(state.agenda) and isinstance(state.agenda[-1], Bridge | Crossing | Joining)
