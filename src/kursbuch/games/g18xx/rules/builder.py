"""Where a company may build, at what cost, and reserved homes. `map.tiles` decides which tiles fit
a hex."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import ClassVar, Generic, NamedTuple

from kursbuch.core.errors import IllegalAction
from kursbuch.core.play import Play
from kursbuch.games.g18xx import events as happened
from kursbuch.games.g18xx.components import HomeRecord
from kursbuch.games.g18xx.lookup import Lookup
from kursbuch.games.g18xx.map.board import COLOURS
from kursbuch.games.g18xx.map.networks import PER_HEX
from kursbuch.games.g18xx.map.tiles import Fit, crossing, fits, kept, shown
from kursbuch.games.g18xx.map.track import Laid, TrackPosition
from kursbuch.games.g18xx.rules.director import Control
from kursbuch.games.g18xx.state import Home, StateT


class TileRight(NamedTuple):
    """The right of a private to lay a free tile on a hex."""

    private: str
    hex: str


class Site(NamedTuple):
    """A hex that the company's track reaches, and the tiles that connect to it there, whether or not
    any are left; or all that fit, if a search has to find a `route` over them."""

    hex: str
    fits: tuple[Fit, ...]
    route: bool


#: Maximum number of cached sites.
_SITES = 20_000


class StationRight(NamedTuple):
    """The right of a private to place a free token in a stop."""

    private: str
    hex: str
    stop: int


class Builder(Generic[StateT]):
    """Sites, costs, numbers of tiles, homes and station tokens."""

    #: Rules of the privates' rights to a tile, and to a token.
    tile_right_rules: ClassVar[Mapping[str, str]] = {}
    station_right_rules: ClassVar[Mapping[str, str]] = {}

    def __init__(self, lookup: Lookup[StateT], control: Control[StateT]) -> None:
        self.lookup = lookup
        self.control = control
        self.components = lookup.components
        #: Whether a title restricts sites or tiles further (`site_problem`, `tile_problem`), and
        #: whether all tiles on a hex cost the same (`cost`). Checking every tile would be slow.
        self.forbids_sites = type(self).site_problem is not Builder.site_problem
        self.forbids_more = type(self).tile_problem is not Builder.tile_problem
        self._cost_of_hex = type(self).cost is Builder.cost
        self._fits: dict[object, tuple[Fit, ...]] = {}
        self._distances: dict[tuple[str, str, bool], int] = {}
        self._known_sites: dict[object, Site] = {}
        board = self.components.board
        looks = [
            (face.colour, face.label, face.shape(), record.first_phase is None)
            for face, record in zip(board.printed, board.records, strict=True)
        ]
        #: The first hex printed like each hex.
        self._looks = [looks.index(look) for look in looks]
        #: Hexes with printed track in a tile colour.
        self._printed = {
            name
            for name, face in zip(board.names, board.printed, strict=True)
            if face.colour in COLOURS
        }

    # ---- tiles

    def allowed(self, state: StateT, company: str) -> int:
        """Number of tiles a company may lay in its turn [tile-lays]."""
        lays = self.lookup.phase(state).tile_lays
        return lays.minor if self.lookup.is_minor(company) else lays.public

    def sites(self, state: StateT, company: str) -> Iterable[Site]:
        """Hexes that the company's track enters, or in which it has a token [track-connection]."""
        board = self.components.board
        if state.house.free_track:
            return (Site(hex, self.fits(state, hex), False) for hex in board.names)
        # They stay the same as long as the reach does, apart from homes to come.
        position = self.lookup.position(state)
        reach = position.reach(company)
        homes = [home.hex for home in self.homes_to_come(state, company)]
        offered, tiles = self._offered(state), state.layout.tiles
        key = (*offered, *[(hex, tiles.get(hex)) for hex in homes]) if homes else offered
        found: Sequence[Site] | None = reach.memo.get(key)
        if found is None:
            entered = {board.number(home): dict[int, int]() for home in homes} | reach.hexes()
            own = {stop // PER_HEX for stop in position.stations(company)}
            found = reach.memo[key] = [
                self._site(state, place, None if place in own else entered[place], offered)
                for place in sorted(entered.keys() | own)
            ]
        return found

    def _site(
        self,
        state: StateT,
        place: int,
        entered: Mapping[int, int] | None,
        offered: tuple[int, bool],
    ) -> Site:
        """A hex as a site of a company that enters it by these borders, with gauges; None if it has
        a token there. Sites are the same for all companies that enter by the same borders."""
        board = self.components.board
        hex = board.names[place]
        route = self.needs_route(state, hex)
        gauges: tuple[int, ...] | None = None
        if entered is not None and not route:
            gauges = tuple([entered.get(border, 0) for border in board.borders[place]])
        key = (hex, state.layout.tiles.get(hex), route, gauges, offered)
        found = self._known_sites.get(key)
        if found is None:
            if len(self._known_sites) >= _SITES:
                self._known_sites.clear()
            fits = self.fits(state, hex)
            if gauges is not None:
                fits = self._meeting(fits, gauges)
            found = self._known_sites[key] = Site(hex, fits, route)
        return found

    def _offered(self, state: StateT) -> tuple[int, bool]:
        """What decides which tiles are on offer: the number of colours, and unlisted upgrades."""
        return len(self.lookup.phase(state).tiles), not state.house.printed_upgrades

    def site(self, state: StateT, company: str, hex: str) -> Site | None:
        """The site on a hex, None if it is none."""
        if state.house.free_track and hex in self.components.board.index:
            return Site(hex, self.fits(state, hex), False)
        return next((site for site in self.sites(state, company) if site.hex == hex), None)

    def fits(self, state: StateT, hex: str) -> tuple[Fit, ...]:
        """Tiles in current colours that fit a hex, whether or not any are left."""
        key = self._tiling(state, hex)
        found = self._fits.get(key)
        if found is None:
            laid = state.layout.tiles.get(hex)
            tiles: dict[str, Laid] = {} if laid is None else {hex: laid}
            colours = self.lookup.phase(state).tiles
            unlisted = not state.house.printed_upgrades
            found = self._fits[key] = tuple(
                fits(self.components.board, tiles, hex, colours, unlisted=unlisted, unlimited=True)
            )
        return found

    def _tiling(self, state: StateT, hex: str) -> tuple[object, ...]:
        """What decides which tiles fit: hexes of the same look have the same."""
        board = self.components.board
        place = board.number(hex)
        look = state.layout.tiles.get(hex) or self._looks[place]
        return look, board.closed[place], *self._offered(state)

    def cost(self, state: StateT, company: str, hex: str, tile: str) -> int:
        """Cost of laying a tile on a hex: terrain, for the first tile only [terrain-cost]."""
        board = self.components.board
        return 0 if hex in state.layout.tiles else board.records[board.number(hex)].cost

    def least_cost(self, state: StateT, company: str, hex: str) -> int:
        """Cost of the cheapest tile on a hex."""
        tiles = [""] if self._cost_of_hex else self.components.board.tiles
        return min(self.cost(state, company, hex, tile) for tile in tiles)

    def payable(self, state: StateT, company: str, hex: str, found: Sequence[Fit]) -> Sequence[Fit]:
        """Fits that a company can pay for."""
        if self._cost_of_hex:
            cost = self.cost(state, company, hex, "")
            return found if not cost or cost <= self.lookup.purse(state, company) else ()
        purse = self.lookup.purse(state, company)
        tiles = dict.fromkeys(fit.tile for fit in found)
        dear = {tile for tile in tiles if self.cost(state, company, hex, tile) > purse}
        return [fit for fit in found if fit.tile not in dear] if dear else found

    def site_problem(self, state: StateT, company: str, hex: str) -> IllegalAction | None:
        """Refusal of all tiles on a hex that the company's track reaches; here none."""
        return None

    def tile_problem(self, state: StateT, company: str, hex: str, fit: Fit) -> IllegalAction | None:
        """Refusal of a tile that fits, connects and can be paid for; here none."""
        return None

    def replaces(self, state: StateT, hex: str) -> bool:
        """Whether a tile on this hex replaces track [printed-upgrade]."""
        return hex in state.layout.tiles or hex in self._printed

    def needs_route(self, state: StateT, hex: str) -> bool:
        """Whether a route has to run over a tile laid on this hex: over an upgrade
        [upgrade-needs-route]."""
        return self.replaces(state, hex)

    def connected(
        self, state: StateT, company: str, hex: str, found: Sequence[Fit]
    ) -> Iterable[Fit]:
        """Those of some fits of one hex that connect to the company's track, whether or not any are
        left: new track leads to a token without a change of gauge [track-connection], and after an
        upgrade a route runs over the hex [upgrade-needs-route]. Route searches are slow, so only
        these are tested."""
        if state.house.free_track:
            return found
        if self.needs_route(state, hex):
            return self._crossed(state, self.lookup.position(state), company, hex, found)
        site = self.site(state, company, hex)
        return [] if site is None else [fit for fit in found if fit in site.fits]

    def is_connected(self, state: StateT, company: str, hex: str, fit: Fit) -> bool:
        """Whether a fit connects to the company's track."""
        return any(self.connected(state, company, hex, (fit,)))

    def _meeting(self, found: Sequence[Fit], gauges: Sequence[int]) -> tuple[Fit, ...]:
        """Fits with track to which track of these gauges leads."""
        tiles = self.components.board.tiles
        edges: dict[int, int] = {}
        for edge, gauge in enumerate(gauges):
            if gauge:
                edges[gauge] = edges.get(gauge, 0) | 1 << edge
        return tuple(
            fit
            for fit in found
            if any(
                tiles[fit.tile].edges(fit.rotation, gauge) & mask for gauge, mask in edges.items()
            )
        )

    def connection_rule(self, state: StateT, hex: str) -> str:
        """Rule by which a tile on this hex must connect to the company's track."""
        return "upgrade-needs-route" if self.needs_route(state, hex) else "track-connection"

    def reach_problem(self, state: StateT, company: str, hex: str) -> IllegalAction | None:
        """Refusal of a hex that no track of the company reaches."""
        if self.site(state, company, hex) is not None:
            return None
        return IllegalAction(
            self.connection_rule(state, hex),
            "No track leads from a station of {company} to {hex}.",
            company=self.lookup.label(company),
            hex=hex,
        )

    def connection_problem(
        self, state: StateT, company: str, hex: str, fit: Fit
    ) -> IllegalAction | None:
        """Refusal of a tile that does not connect to the company's track."""
        if self.is_connected(state, company, hex, fit):
            return None
        rule, tile = self.connection_rule(state, hex), fit.tile
        params = {"company": self.lookup.label(company), "hex": hex}
        if self.needs_route(state, hex):
            refusal = IllegalAction(
                rule,
                "Tile {tile} would give {company} no route through {hex}.",
                tile=tile,
                **params,
            )
            refusal.without(
                "tile",
                "No tile left for {hex} would give {company} a route across it.",
                **params,
            )
            return refusal.without(
                "rotation",
                "However it is turned, tile {tile} would give {company} no route over {hex}.",
                tile=tile,
                **params,
            )
        refusal = IllegalAction(
            rule,
            "Tile {tile} on {hex} would not be connected to a station of {company}.",
            tile=tile,
            **params,
        )
        refusal.without(
            "tile",
            "No tile left for {hex} would connect to a station of {company}.",
            **params,
        )
        return refusal.without(
            "rotation",
            "However it is turned, tile {tile} on {hex} would not be connected to a "
            "station of {company}.",
            tile=tile,
            **params,
        )

    def _crossed(
        self,
        state: StateT,
        position: TrackPosition,
        company: str,
        hex: str,
        found: Sequence[Fit],
    ) -> Iterator[Fit]:
        """Those of some fits with a route over them. Results are cached with the position."""
        home = any(home.hex == hex for home in self.homes_to_come(state, company))
        known: dict[Fit | None, bool] = position.memo.setdefault(
            ("crossed", company, hex, home), {}
        )
        place = self.components.board.number(hex)
        routes = crossing(position, company)
        # Old track is kept, so a route over it stays possible with any tile, unless stops are
        # merged.
        runs = known.get(None)
        if runs is None:
            runs = known[None] = routes.now(place)
        for fit in found:
            if runs and len(set(fit.stops)) == len(fit.stops):
                yield fit
                continue
            connects = known.get(fit)
            if connects is None:
                ground = self.components.track.ground(hex, fit.tile, fit.rotation)
                connects = known[fit] = routes.runs_over(place, ground, fit.stops) or (
                    home and routes.starts(place, ground)
                )
            if connects:
                yield fit

    # ---- homes

    def homes(self, state: StateT, company: str) -> tuple[HomeRecord, ...]:
        """Homes of a company [home-station]."""
        return self.components.homes[company]

    def homes_to_come(self, state: StateT, company: str) -> list[HomeRecord]:
        """Homes without a token yet, because there is no city to choose [chosen-home]."""
        return [
            home
            for home in self.homes(state, company)
            if home.stop is None and self.lookup.station(state, company, home.hex) is None
        ]

    def home_stop(self, state: StateT, home: HomeRecord) -> int | None:
        """Stop of a home on what its hex shows now; None if the company chooses."""
        stop = home.number
        if stop is None or home.hex not in state.layout.tiles:
            return stop
        board = self.components.board
        became = kept(
            board.printed[board.number(home.hex)], shown(board, state.layout.tiles, home.hex)
        )
        return became[stop] if became is not None else stop

    def place_homes(self, play: Play[StateT], company: str) -> None:
        """Place the home tokens. A company with a choice of cities chooses as soon as there are
        some [home-station, chosen-home]."""
        for home in self.homes(play.state, company):
            stop = self.home_stop(play.state, home)
            if stop is None:
                if home.hex in play.state.layout.tiles:
                    play.push(Home(company, home.hex))
                continue
            if not self.home_is_free(play.state, company, home.hex, stop):
                continue
            self.lookup.place_token(play, company, home.hex, stop)
            rule = "minor-starts" if self.lookup.is_minor(company) else "home-station"
            play.emit(happened.StationPlaced(rule=rule, company=company, hex=home.hex, stop=stop))

    def home_is_free(self, state: StateT, company: str, hex: str, stop: int) -> bool:
        """Whether a company can place its home token. Only a correction can prevent it, by an extra
        token or a missing one."""
        return (
            self.lookup.station(state, company, hex) is None
            and self.lookup.tokens(state, company) > 0
            and self.vacant(state, hex, stop)
        )

    def reserves(self, state: StateT, company: str) -> bool:
        """Whether slots are reserved for a company's homes [space-reserved]."""
        found = state.companies[company]
        return not found.operating and not found.closed

    # ---- station markers

    def spare_tokens(self, state: StateT, company: str) -> int:
        """Number of tokens a company may place elsewhere, keeping those for homes to come
        [home-station, chosen-home]."""
        return max(0, self.lookup.tokens(state, company) - len(self.homes_to_come(state, company)))

    def vacant(self, state: StateT, hex: str, stop: int) -> bool:
        """Whether a city has a free slot [station-space]."""
        number = self.components.board.number(hex) * PER_HEX + stop
        return self.lookup.position(state).vacant(number)

    def place_problem(
        self, state: StateT, company: str, hex: str, stop: int
    ) -> IllegalAction | None:
        """Refusal of a stop without a city slot for the company [station-space]."""
        return (
            self.city_problem(state, company, hex)
            or self.stop_problem(state, hex, stop)
            or self.slot_problem(state, hex, stop)
        )

    def city_problem(self, state: StateT, company: str, hex: str) -> IllegalAction | None:
        """Refusal of a hex without a city for the company [station-space]."""
        stops = self.lookup.position(state).grounds[self.components.board.number(hex)].face.stops
        if stops and all(each.kind == "offboard" for each in stops):
            return IllegalAction("offboard", "No station token may be placed on {hex}.", hex=hex)
        if not any(each.kind == "city" for each in stops):
            return IllegalAction(
                "station-space", "There is no city for a station token on {hex}.", hex=hex
            )
        if self.lookup.station(state, company, hex) is not None:
            return IllegalAction(
                "station-space",
                "{company} already has a station token on {hex}.",
                company=self.lookup.label(company),
                hex=hex,
            )
        return None

    def stop_problem(self, state: StateT, hex: str, stop: int) -> IllegalAction | None:
        """Refusal of a stop that is not a city [station-space]."""
        stops = self.lookup.position(state).grounds[self.components.board.number(hex)].face.stops
        if not 0 <= stop < len(stops):
            return IllegalAction("station-space", "There is no such city on {hex}.", hex=hex)
        if stops[stop].kind != "city":
            return IllegalAction(
                "station-space", "This stop on {hex} is not a city: it takes no token.", hex=hex
            )
        return None

    def slot_problem(self, state: StateT, hex: str, stop: int) -> IllegalAction | None:
        """Refusal of a city without a free slot [station-space]."""
        if self.vacant(state, hex, stop):
            return None
        refusal = IllegalAction(
            "station-space", "There is no free space in this city on {hex}.", hex=hex
        )
        return refusal.without(
            "stop", "No city of {hex} that could take the token has a free place.", hex=hex
        )

    def reserved(self, state: StateT, hex: str, stop: int) -> str:
        """Rule that reserves a city's free slots for other companies' homes, or empty
        [space-reserved, chosen-home]."""
        position = self.lookup.position(state)
        number = self.components.board.number(hex) * PER_HEX + stop
        places = position.grounds[number // PER_HEX].face.stops[stop].slots
        places -= len(position.markers.get(number, ()))
        for company in self.components.at_home.get(hex, ()):
            for home in self.homes(state, company):
                if home.hex != hex or self.lookup.station(state, company, hex) is not None:
                    continue
                if home.stop is None:
                    return "chosen-home"
                if self.reserves(state, company) and self.home_stop(state, home) == stop:
                    places -= 1
        return "" if places > 0 else "space-reserved"

    def open_slots(self, state: StateT, company: str) -> Iterator[tuple[str, int]]:
        """Stops in reach where a company may place a token, if it can pay for it [station-space]."""
        position = self.lookup.position(state)
        stops: Iterable[int]
        if state.house.free_track:
            stops = (
                place * PER_HEX + stop
                for place, ground in enumerate(position.grounds)
                for stop in range(len(ground.face.stops))
            )
        else:
            stops = sorted(position.reach(company).stops)
        taken = {number // PER_HEX for number in position.stations(company)}
        for number in stops:
            place, stop = divmod(number, PER_HEX)
            hex = self.components.board.names[place]
            if (
                place not in taken
                and position.vacant(number)
                and not self.reserved(state, hex, stop)
                and self.station_problem(state, company, hex, stop) is None
            ):
                yield hex, stop

    def destinations(self, state: StateT, company: str) -> set[str]:
        """Hexes of the cities and off-board areas in reach of a company."""
        position, names = self.lookup.position(state), self.components.board.names
        found = set()
        for number in position.reach(company).stops:
            place, stop = divmod(number, PER_HEX)
            if position.grounds[place].face.stops[stop].kind in ("city", "offboard"):
                found.add(names[place])
        return found

    def station_problem(
        self, state: StateT, company: str, hex: str, stop: int
    ) -> IllegalAction | None:
        """Refusal of a token in a reachable, affordable, free slot; here none."""
        return None

    def station_cost(self, state: StateT, company: str, hex: str) -> int:
        """Cost of a company's token in a hex, by the distance to its home [station-cost]."""
        return self.components.file.station_cost.per_hex * min(
            self.distance(state, home.hex, hex) for home in self.homes(state, company)
        )

    def distance(self, state: StateT, start: str, target: str) -> int:
        """Shortest distance between two hexes [station-cost]."""
        key = (start, target, state.house.distance_by_track)
        if key not in self._distances:
            self._distances[key] = self.components.distance(*key)
        return self._distances[key]

    # ---- rights of private railways

    def tile_rights(self, state: StateT, company: str) -> Sequence[TileRight]:
        """Free tiles that privates allow a company now."""
        return ()

    def no_tile_right(self, state: StateT, company: str, private: str, hex: str) -> IllegalAction:
        """Refusal of a free tile by a private."""
        return IllegalAction(
            self.tile_right_rules.get(private, "tile-lays"),
            "{private} gives no right to lay a tile on {hex} now.",
            private=private,
            hex=hex,
        )

    def no_station_right(
        self, state: StateT, company: str, private: str, hex: str, stop: int
    ) -> IllegalAction:
        """Refusal of a free token by a private."""
        return IllegalAction(
            self.station_right_rules.get(private, "station-markers"),
            "{private} gives no right to place a station token on {hex} now.",
            private=private,
            hex=hex,
        )

    def station_rights(self, state: StateT, company: str) -> Sequence[StationRight]:
        """Free tokens that privates allow a company now."""
        return ()
