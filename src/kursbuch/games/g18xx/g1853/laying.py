"""What tiles and stations bring in 1853, for computer opponents."""

from __future__ import annotations

import math
from itertools import combinations

from kursbuch.games.g18xx.actions import LayTile, PlaceStation
from kursbuch.games.g18xx.g1853.estimates import Estimates
from kursbuch.games.g18xx.g1853.ways import GAUGES
from kursbuch.games.g18xx.map.track import Laid, TrackPosition
from kursbuch.games.g18xx.prospects import Sight

#: The trains a company may have later, by phase, and how much they count when it builds.
DREAMS = (
    (("2", 0.2), ("3", 0.3), ("4", 0.2)),
    (("3", 0.2), ("4", 0.3), ("5", 0.1)),
    (("4", 0.2), ("5", 0.2)),
    (("5", 0.2),),
)
METRE_DREAMS = (
    (("2M", 0.2), ("3M", 0.2)),
    (("2M", 0.1), ("3M", 0.2)),
    (("3M", 0.2),),
    (("4M", 0.1),),
)

#: The mail counts for so much of what is paid out.
MAIL_PART = 0.5

#: How much the best invitations of cities and towns near by count.
INVITING = (0.9, 0.8, 0.6, 0.4, 0.2)

#: An end of track goes for so many of them.
MOST_AT_END = 2

#: How much a stop that is reached counts beside the runs of today's trains.
REACHED = 0.3

#: How much later trains of standard and of metre gauge count for a company with trains of metre gauge only.
ONLY_METRE = 0.3, 1.0

#: A contract that needs so many tiles more counts for nothing; how often its bond counts for being on
#: the way, and for being nearly there.
FAR_OFF = 16.0
ON_THE_WAY, NEARLY = 2.5, 1.5

#: A new tile or station must gain so much to be worth the trouble.
LEAST = 0.5


class Laying:
    """What the tiles and stations of the company in turn bring to a player."""

    def __init__(self, estimates: Estimates, seat: int, company: str) -> None:
        self.estimates = estimates
        self.prospects = estimates.prospects
        self.ways = estimates.ways
        self.book = estimates.book
        self.state = estimates.state
        self.seat = seat
        self.company = company
        self.part = max(0.2, estimates.part(seat, company))
        self.trains = estimates.trains(company)
        #: The gauges of its trains, any as long as it has none.
        self.gauges = 0 if self.trains else ~0
        for train in self.trains:
            self.gauges |= self.book.components.train(train).gauges
        self.now: float | None = None
        self._contract: tuple[dict[tuple[str, str], float], float] | None = None

    # ---- what track is good for

    def potential(self, sight: Sight) -> float:
        """What a company's track is good for: with its trains, with better ones, later."""
        prospects, stage = self.prospects, self.estimates.stage
        revenue, mail = prospects.takings(sight, self.trains)
        value = revenue + MAIL_PART * mail + self.outlook(sight)
        scale = 1.0 if self.trains else 2.0
        standard, metre = 1.0, 0.7 if self.book.depot.small(self.state, self.company) else 0.2
        if self.trains and all(map(self.book.depot.metre, self.trains)):
            standard, metre = ONLY_METRE
        for dreams, weight in ((DREAMS, standard), (METRE_DREAMS, metre)):
            for train, likely in dreams[stage]:
                revenue, mail = prospects.takings(sight, [train])
                value += scale * weight * likely * (revenue + MAIL_PART * mail)
        return value

    def outlook(self, sight: Sight) -> float:
        """What the company's track may still come to, and what it has come to."""
        reached = set(sight.worth.reached)
        found: list[tuple[float, int, int]] = []
        for number, (place, border, gauges) in enumerate(sight.entries):
            for gauge in GAUGES:
                if gauges & gauge & self.gauges:
                    found += [
                        (pull, number, other)
                        for pull, other in self.ways.near(place, border, gauge)
                        if other not in reached
                    ]
        found.sort(reverse=True)
        # No stop is counted twice, and every end of track goes for a few.
        pulls: list[float] = []
        ends: dict[int, int] = {}
        for pull, number, place in found:
            if place not in reached and ends.get(number, 0) < MOST_AT_END:
                ends[number] = ends.get(number, 0) + 1
                reached.add(place)
                pulls.append(pull)
                if len(pulls) == len(INVITING):
                    break
        return REACHED * sight.worth.stops + sum(
            part * pull for part, pull in zip(INVITING, pulls, strict=False)
        )

    def more(self, position: TrackPosition) -> float:
        """How much better the company's track is in another position."""
        base = self.estimates.sight(self.company)
        if self.now is None:
            self.now = self.potential(base)
        sight = self.prospects.sight(position, self.company, base)
        return self.potential(sight) - self.now

    def over_time(self, more: float) -> float:
        """What a higher revenue brings the player until the end."""
        return 0.7 * self.part * more * self.estimates.rounds_left()

    def paid(self, cost: int) -> float:
        """What it means for the player that the company spends money: dear if it lacks it for a
        train."""
        money = self.book.money(self.state, self.company) - cost
        prices = [offer.price for offer in self.book.depot.offers(self.state, self.company)]
        if money >= min(prices, default=0):
            return 0.3 * self.part * cost
        return self.part * cost * (0.6 if self.estimates.lasting(self.company) else 1.5)

    # ---- actions

    def tile(self, action: LayTile) -> float:
        """A tile: what it adds to the revenue over the rest of the game, what it does for the
        contract, less its cost."""
        book, state = self.book, self.state
        laid = Laid(action.tile, action.rotation)
        position = self.prospects.with_tile(self.estimates.position(), action.hex, laid)
        cost = book.builder.cost(state, self.company, action.hex, action.tile)
        if not book.builder.replaces(state, action.hex):
            cost += book.builder.fee(state, self.company)
            cost -= book.components.bonus.get(action.hex, 0)
        gain = self.over_time(self.more(position)) - self.paid(cost) - LEAST
        return gain + self.nearer(action)

    def station(self, action: PlaceStation) -> float:
        """A station marker, in the same way."""
        position = self.prospects.with_station(
            self.estimates.position(), self.company, action.hex, action.stop
        )
        cost = self.book.builder.station_cost(self.state, self.company, action.hex)
        return self.over_time(self.more(position)) - self.paid(cost) - 4 * LEAST

    # ---- the contract

    def _open(self) -> tuple[dict[tuple[str, str], float], float]:
        """What is missing between the cities of the player's contract, and between all of them."""
        if self._contract is None:
            cities = sorted(self.state.contracts[self.seat].cities)
            position = self.book.position(self.state)
            found = {pair: self.ways.between(position, *pair) for pair in combinations(cities, 2)}
            self._contract = found, self.ways.tree(found, cities)
        return self._contract

    def bond(self, missing: float) -> float:
        """What a contract is worth of which so much is missing."""
        bond = self.state.contracts[self.seat].bond or 0
        return bond * (
            ON_THE_WAY * max(0.0, 1 - missing / FAR_OFF) + NEARLY * math.exp(-missing / 2)
        )

    def nearer(self, action: LayTile) -> float:
        """How much nearer a tile brings the player's contract."""
        contract = self.state.contracts[self.seat]
        if contract.shown or len(contract.cities) < 2:
            return 0.0
        found, missing = self._open()
        board = self.book.components.board
        place, face = board.place(action.hex), board.tiles[action.tile].faces[action.rotation]
        position = self.book.position(self.state)
        shorter = {
            pair: self.ways.with_tile(position, place, face, pair, far)
            for pair, far in found.items()
        }
        left = self.ways.tree(shorter, sorted(contract.cities))
        return self.bond(left) - self.bond(missing)
