"""Building in 1853: one or two tiles, gauges, terrain, territories, stations."""

from __future__ import annotations

from collections.abc import Iterator

from kursbuch.core.errors import IllegalAction, first_refusal
from kursbuch.games.g18xx.g1853.facts import Facts1853
from kursbuch.games.g18xx.g1853.state import State1853
from kursbuch.games.g18xx.g1853.two_tiles import apart
from kursbuch.games.g18xx.map.board import COLOURS
from kursbuch.games.g18xx.map.ground import PER_HEX
from kursbuch.games.g18xx.map.runs import can_run
from kursbuch.games.g18xx.map.tiles import Fit, shown
from kursbuch.games.g18xx.map.track import TrackPosition
from kursbuch.games.g18xx.pieces import HomeRecord
from kursbuch.games.g18xx.rules.builder import Builder

#: The phase from which all large companies may lay two tiles [4.1.3].
TWO_TILES = 3
#: The phase from which trains open the land outside the territory, and those that do [4.2.3].
OPEN_LAND = 5
OPENERS = ("5", "6")
#: Tiles of this colour never lie side by side [4.2.7].
LAST_COLOUR = COLOURS[-1]


class Builder1853(Builder[State1853]):
    """Sites, costs and stations."""

    facts: Facts1853

    # ---- tiles

    def allowed(self, state: State1853, company: str) -> int:
        """Two for large companies with the right to it, one after a replacement [4.1.2, 4.2.1]."""
        return 2 if self.two_tiles(state, company) and not state.turn.upgraded else 1

    def two_tiles(self, state: State1853, company: str) -> bool:
        """Whether a company may lay two new tiles in this turn [4.1.2, 4.1.3]."""
        charter = state.charters[company]
        if not charter.large:
            return False
        return charter.right == "fee" or self.facts.phase(state).phase >= TWO_TILES

    def fee(self, state: State1853, company: str) -> int:
        """What a company pays for another new tile in this turn [4.1.3]."""
        if not state.turn.tiles or state.charters[company].right != "fee":
            return 0
        return self.facts.components.second_tile_cost[company]

    def needs_route(self, state: State1853, hex: str) -> bool:
        """A replacement needs no more than a connection, either [4.2.2]."""
        return False

    def cost(self, state: State1853, company: str, hex: str, tile: str) -> int:
        """Terrain by the gauge of the tile, for the first one on a hex; Calcutta at its first
        replacement [4.1.12, 4.1.13, 4.2.11, 4.2.13]."""
        cost = self._cost_of_place(state, company, hex)
        return self.facts.components.build_cost(hex, self.metre(tile)) if cost is None else cost

    def least_cost(self, state: State1853, company: str, hex: str) -> int:
        cost = self._cost_of_place(state, company, hex)
        if cost is not None:
            return cost
        return min(self.facts.components.build_cost(hex, metre) for metre in (False, True))

    def _cost_of_place(self, state: State1853, company: str, hex: str) -> int | None:
        """What a tile costs there whatever its gauge, None if that depends on it."""
        components = self.facts.components
        if hex in state.layout.tiles:
            return 0
        if self.replaces(state, hex):
            return components.upgrade_cost.get(hex, 0)
        if hex not in components.terrain:
            return 0
        special = components.large_cost.get((hex, company))
        return special if special is not None and state.charters[company].large else None

    def metre(self, tile: str) -> bool:
        """Whether a new tile has metre-gauge track only."""
        return all(path.gauge == 2 for path in self.components.board.tiles[tile].faces[0].paths)

    def connection_rule(self, state: State1853, hex: str) -> str:
        return "4.2.2" if self.replaces(state, hex) else super().connection_rule(state, hex)

    def site_problem(self, state: State1853, company: str, hex: str) -> IllegalAction | None:
        if not self.replaces(state, hex):
            return None
        if state.turn.tiles:
            return IllegalAction(
                "4.2.1", "{company} has laid a new tile: it upgrades none.", company=company
            )
        if hex in self.facts.components.territory[company] or self.roams(state, company):
            return None
        return self._outside("4.2.3", "4.2.2", state, company, hex)

    def tile_problem(
        self, state: State1853, company: str, hex: str, fit: Fit
    ) -> IllegalAction | None:
        if self.replaces(state, hex):
            checks = self._upgrade_checks(state, company, hex, fit)
        else:
            checks = self._second_tile_checks(state, company, hex, fit)
        refusal = first_refusal(checks)
        # These sentences speak of no tile.
        return None if refusal is None else refusal.without("tile").without("rotation")

    def _second_tile_checks(
        self, state: State1853, company: str, hex: str, fit: Fit
    ) -> Iterator[IllegalAction | None]:
        if state.turn.tiles:
            yield self._not_apart(state, company, hex, fit)
            yield self._fee_too_high(state, company, hex, fit)

    def _not_apart(
        self, state: State1853, company: str, hex: str, fit: Fit
    ) -> IllegalAction | None:
        first = state.turn.tiles[0]
        if state.house.free_track or apart(self.facts.position(state), company, first, hex, fit):
            return None
        return IllegalAction(
            "4.1.7",
            "The routes to {first} and {hex} have to come from two stations of {company} and share no "
            "track.",
            first=first,
            hex=hex,
            company=company,
        )

    def _fee_too_high(
        self, state: State1853, company: str, hex: str, fit: Fit
    ) -> IllegalAction | None:
        fee, purse = self.fee(state, company), self.facts.purse(state, company)
        cost = self.cost(state, company, hex, fit.tile) + fee
        if cost <= purse:
            return None
        return self.facts.barred(state, company) or IllegalAction(
            "4.1.3",
            "A second tile costs {fee}; with the terrain that is {cost}, and {company} has {money}.",
            fee=self.facts.written(fee),
            cost=self.facts.written(cost),
            company=company,
            money=self.facts.written(purse),
        )

    def _upgrade_checks(
        self, state: State1853, company: str, hex: str, fit: Fit
    ) -> Iterator[IllegalAction | None]:
        yield self._beside_last_colour(state, hex, fit)
        if hex not in self.facts.components.territory[company]:
            place = self.components.board.place(hex)
            ground = self.components.track.ground(hex, fit.tile, fit.rotation)
            after = self.facts.position(state).changed(place, ground, fit.stops)
            yield self._unserved("4.2.3", state, company, after, (hex, -1))

    def _beside_last_colour(self, state: State1853, hex: str, fit: Fit) -> IllegalAction | None:
        board = self.components.board
        if board.tiles[fit.tile].colour != LAST_COLOUR:
            return None
        for other in board.neighbours[board.place(hex)]:
            name = board.names[other] if other >= 0 else ""
            if name and shown(board, state.layout.tiles, name).colour == LAST_COLOUR:
                return IllegalAction(
                    "4.2.7", "{other} has a gray tile: {hex} gets none.", other=name, hex=hex
                )
        return None

    # ---- the land outside the territory

    def roams(self, state: State1853, company: str) -> bool:
        """Whether a company may build wherever its trains come to [4.2.3, 4.4.2]."""
        if self.facts.phase(state).phase < OPEN_LAND:
            return False
        return any(train in OPENERS for train in self.facts.trains(state, company))

    def _outside(
        self, rule: str, before: str, state: State1853, company: str, hex: str
    ) -> IllegalAction:
        """Why a company may not build on a hex outside its territory, by the rule of the last phase or
        the one before it."""
        if self.facts.phase(state).phase < OPEN_LAND:
            return IllegalAction(
                before, "{hex} lies outside the territory of {company}.", hex=hex, company=company
            )
        return IllegalAction(
            rule,
            "{hex} lies outside the territory of {company}, which has no train {list}.",
            hex=hex,
            company=company,
            list="/".join(OPENERS),
        )

    def _unserved(
        self,
        rule: str,
        state: State1853,
        company: str,
        position: TrackPosition,
        place: tuple[str, int],
    ) -> IllegalAction | None:
        """Why a company may not build outside its territory: its trains cannot run there in this turn
        from a home station [4.2.3, 4.4.2]."""
        board = self.components.board
        homes = set(map(board.place, self.facts.home_hexes(state, company)))
        by = tuple(
            (board.names[stop // PER_HEX], stop % PER_HEX)
            for stop in position.stations(company)
            if stop // PER_HEX in homes
        )
        places = (*state.turn.duties, place)
        duties = [self.facts.duty(state, hex, stop, by) for hex, stop in places]
        trains = self.facts.trains(state, company)
        if can_run(self.components, position, company, trains, duties):
            return None
        return IllegalAction(
            rule,
            "{hex} lies outside the territory of {company}, and no train of it can run there from a home "
            "station in this turn.",
            hex=place[0],
            company=company,
        )

    # ---- stations

    def homes(self, state: State1853, company: str) -> tuple[HomeRecord, ...]:
        return self.facts.homes(state, company)

    def station_cost(self, state: State1853, company: str, hex: str) -> int:
        """Little for the first beside the homes, more for each further one [4.4.4]."""
        homes = self.facts.home_hexes(state, company)
        more = any(
            owner == company and place not in homes for owner, place, _ in state.layout.stations
        )
        record = self.facts.components.file.station_cost
        return record.further if more else record.first

    def station_problem(
        self, state: State1853, company: str, hex: str, stop: int
    ) -> IllegalAction | None:
        if hex in self.facts.components.territory[company]:
            return None
        if not self.roams(state, company):
            return self._outside("4.4.2", "4.4.1", state, company, hex)
        # The marker opens nothing to a run that comes from a home: the city has a free place.
        return self._unserved("4.4.2", state, company, self.facts.position(state), (hex, stop))
