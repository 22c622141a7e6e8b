"""Laying and upgrading tiles, the first step of a company's turn [tile-lays].

`map.tiles` decides which tiles fit a hex; this module decides whether the company may build there
now.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from random import Random

from kursbuch.core.actions import Action, Choice
from kursbuch.core.errors import IllegalAction, first_refusal
from kursbuch.core.play import Play
from kursbuch.core.words import N_
from kursbuch.games.g18xx import events as happened
from kursbuch.games.g18xx.actions import Done, LayTile, PlaceStation
from kursbuch.games.g18xx.components import BANK
from kursbuch.games.g18xx.map.board import Face, Tile
from kursbuch.games.g18xx.map.tiles import Fit, kept, shown, successors
from kursbuch.games.g18xx.map.track import Laid
from kursbuch.games.g18xx.rules import token_step
from kursbuch.games.g18xx.rules.builder import Site, TileRight
from kursbuch.games.g18xx.rules.token_step import hex_of, small_number
from kursbuch.games.g18xx.ruleset import EighteenRules, Steps
from kursbuch.games.g18xx.state import AnyState, Build, Home


def _first_tile_rule(face: Face) -> str:
    """Name of the rule for the first tile of a hex, by its label or kinds of stops."""
    what = face.label or _KINDS.get(tuple(face.kinds()))
    return f"first-tile-{what}" if what else "printed-upgrade"


_KINDS = {(): "plain", ("town",): "town", ("town", "town"): "towns", ("city",): "city"}


class BuildRules(EighteenRules[AnyState, Build]):
    """A company may lay tiles [tile-lays]."""

    refusal = ("tile-lays", N_("Now the company may lay track."))
    turn_rule = "operating-order"

    def deciders(self, state: AnyState, step: Build) -> tuple[int, ...]:
        return (self.ruleset.control.decider(state, step.company),) if step.asked else ()

    def run(self, state: AnyState, step: Build, play: Play[AnyState]) -> None:
        seat = self.ruleset.control.decider(state, step.company)
        step.asked = any(self._tiles(state, step, seat)) or any(self._free(state, step, seat))
        if not step.asked:
            play.done()

    def choices(self, state: AnyState, step: Build, seat: int) -> list[Choice]:
        found = [Choice(action) for action in self.options(state, step, seat)]
        return [*found, Choice(Done(seat))]

    def options(self, state: AnyState, step: Build, seat: int) -> Iterator[LayTile | PlaceStation]:
        """All actions except passing."""
        left = self._left(state)
        for site in self._sites(state, step):
            yield from self._legal(state, step, seat, left, site, site.fits)
        yield from self._free(state, step, seat)

    def at_random(
        self,
        state: AnyState,
        step: Build,
        seat: int,
        rng: Random,
        weigh: Callable[[Action], float],
    ) -> Choice:
        free = list(self._free(state, step, seat))
        rights = [action for action in free if isinstance(action, LayTile)]
        markers = [action for action in free if isinstance(action, PlaceStation)]
        found = next(self._tiles(state, step, seat), None)
        tiles = rights if found is None else [found, *rights]
        kinds = [kind for kind in (tiles, markers, [Done(seat)]) if kind]
        kind = rng.choices(kinds, [weigh(kind[0]) for kind in kinds])[0]
        if found is None or kind is not tiles:
            return Choice(rng.choice(kind))
        # Finding all legal tiles is slow, so draw from those of all sites until one is legal.
        left = self._left(state)
        sites = list(self._sites(state, step))
        counts = list(accumulate([len(site.fits) for site in sites]))
        while True:
            number = rng.randrange(counts[-1] + len(rights))
            if number >= counts[-1]:
                return Choice(rights[number - counts[-1]])
            place = bisect(counts, number)
            site = sites[place]
            fit = site.fits[number - counts[place]]
            for drawn in self._legal(state, step, seat, left, site, [fit]):
                return Choice(drawn)

    def _sites(self, state: AnyState, step: Build) -> Iterator[Site]:
        """Hexes in which the company may lay a further tile in its turn."""
        builder, company = self.ruleset.builder, step.company
        if len(step.laid) < builder.allowed(state, company):
            for site in builder.sites(state, company):
                if self._is_open(state, step, site):
                    yield site

    def _is_open(self, state: AnyState, step: Build, site: Site) -> bool:
        """Whether the company may lay a tile on a site in its turn."""
        builder = self.ruleset.builder
        return (
            bool(site.fits)
            and site.hex not in step.laid
            and not (builder.forbids_sites and builder.site_problem(state, step.company, site.hex))
        )

    def _tiles(self, state: AnyState, step: Build, seat: int) -> Iterator[LayTile]:
        """Legal tiles, those that need no search for a route first."""
        builder, company = self.ruleset.builder, step.company
        if len(step.laid) >= builder.allowed(state, company):
            return
        left = self._left(state)
        sites = builder.sites(state, company)
        for route in (False, True):
            for site in sites:
                if site.route is route and self._is_open(state, step, site):
                    yield from self._legal(state, step, seat, left, site, site.fits)

    def _legal(
        self,
        state: AnyState,
        step: Build,
        seat: int,
        left: Mapping[str, int] | None,
        site: Site,
        fits: Sequence[Fit],
    ) -> Iterator[LayTile]:
        """Legal tiles among these fits of a site."""
        builder, company, hex = self.ruleset.builder, step.company, site.hex
        paid = builder.payable(state, company, hex, fits)
        had = paid if left is None else [fit for fit in paid if left[fit.tile] > 0]
        found = builder.connected(state, company, hex, had) if site.route else had
        more = builder.forbids_more
        for fit in found:
            if not (more and builder.tile_problem(state, company, hex, fit)):
                yield LayTile(seat, hex, fit.tile, fit.rotation)

    def is_legal(self, state: AnyState, step: Build, action: LayTile) -> bool:
        """Whether a tile is legal, without the right of a private; faster than its refusal."""
        builder, company = self.ruleset.builder, step.company
        if len(step.laid) >= builder.allowed(state, company):
            return False
        site = builder.site(state, company, action.hex)
        if site is None:
            return False
        tile = action.tile, action.rotation
        fits = [fit for fit in site.fits if (fit.tile, fit.rotation) == tile]
        if not fits or not self._is_open(state, step, site):
            return False
        found = self._legal(state, step, action.seat, self._left(state), site, fits)
        return next(found, None) is not None

    def _free(self, state: AnyState, step: Build, seat: int) -> Iterator[LayTile | PlaceStation]:
        """Free tiles and tokens of privates."""
        builder, company = self.ruleset.builder, step.company
        for right in builder.tile_rights(state, company):
            left = self._left(state)
            for fit in builder.fits(state, right.hex):
                if left is None or left[fit.tile] > 0:
                    yield LayTile(seat, right.hex, fit.tile, fit.rotation, right.private)
        yield from token_step.free_tokens(self.ruleset, state, company, seat)

    def _left(self, state: AnyState) -> Mapping[str, int] | None:
        """Number of tiles left by type, None if unlimited."""
        return None if state.house.unlimited_tiles else self.ruleset.position(state).left

    def attempts(
        self, state: AnyState, step: Build, seat: int, keys: Sequence[str]
    ) -> Iterable[Action]:
        board = self.ruleset.components.board
        hex = next(filter(None, map(hex_of, reversed(keys))), "")
        if hex not in board.index or not keys[-1].startswith(("hex:", "stop:", "tile:", "turn:")):
            return
        unlisted = not state.house.printed_upgrades
        following = successors(board, state.layout.tiles, hex, unlisted=unlisted)
        tiles: dict[str, tuple[int, ...]] = {tile.id: tile.rotations for tile in following}
        if len(tiles) < 2:
            # Offer several until one is chosen, if only to be refused.
            tiles = {**dict.fromkeys(list(board.tiles)[:3], (0,)), **tiles}
        named = next((key[5:] for key in keys if key.startswith("tile:")), "")
        if named:
            turns = [small_number(key[5:]) for key in keys if key.startswith("turn:")]
            tiles = {named: (turns[-1],) if turns else tiles.get(named, (0,))}
        for tile, rotations in tiles.items():
            yield from (LayTile(seat, hex, tile, rotation) for rotation in rotations)

    def problem(self, state: AnyState, step: Build, action: Action) -> IllegalAction | None:
        match action:
            case LayTile():
                if not action.private and self.is_legal(state, step, action):
                    return None
                return self.tile_problem(state, step, action)
            case PlaceStation(private=private):
                if private:
                    return token_step.free_token_problem(self.ruleset, state, step.company, action)
                return token_step.too_early(self.ruleset, step.company)
            case Done():
                return None
        return super().problem(state, step, action)

    def perform(self, state: AnyState, step: Build, action: Action, play: Play[AnyState]) -> None:
        if isinstance(action, Done):
            play.done()
            return
        step.asked = False
        if isinstance(action, PlaceStation):
            token_step.use_right(self.ruleset, play, step.company, action)
        elif isinstance(action, LayTile):
            if not action.private:
                step.laid.append(action.hex)
            self.lay(play, step.company, action)

    # ---- one tile

    def tile_problem(self, state: AnyState, step: Build, action: LayTile) -> IllegalAction | None:
        """Refusal of a tile."""
        return first_refusal(self._tile_checks(state, step, action))

    def _tile_checks(
        self, state: AnyState, step: Build, action: LayTile
    ) -> Iterator[IllegalAction | None]:
        """Check the turn, the hex and the money before the tile."""
        ruleset, company, hex = self.ruleset, step.company, action.hex
        board, builder = ruleset.components.board, ruleset.builder
        if hex not in board.index:
            yield IllegalAction("", "There is no hex {hex} on the map.", hex=hex)
        if action.tile not in board.tiles or not 0 <= action.rotation < 6:
            yield IllegalAction("", "There is no tile {tile} like that.", tile=action.tile)
        if action.private:
            right = TileRight(action.private, hex)
            if right not in builder.tile_rights(state, company):
                yield builder.no_tile_right(state, company, action.private, hex)
            yield from self._fit_checks(state, hex, action)
            return
        yield self._no_more(state, step, hex)
        yield self._no_ground(state, hex)
        yield builder.reach_problem(state, company, hex)
        yield builder.site_problem(state, company, hex)
        yield self._too_dear_hex(state, company, hex)
        yield from self._fit_checks(state, hex, action)
        fit = self.fit(state, hex, action)
        yield builder.connection_problem(state, company, hex, fit)
        yield builder.tile_problem(state, company, hex, fit)
        yield self._too_dear_tile(state, company, hex, action.tile)

    def _no_more(self, state: AnyState, step: Build, hex: str) -> IllegalAction | None:
        """Refusal of any further tile in this turn, or on this hex."""
        label = self.ruleset.label(step.company)
        if len(step.laid) >= self.ruleset.builder.allowed(state, step.company):
            return IllegalAction(
                "tile-lays", "{company} may not lay another tile in this turn.", company=label
            )
        if hex in step.laid:
            return IllegalAction(
                "tile-lays",
                "{company} has already laid a tile on {hex} in this turn.",
                company=label,
                hex=hex,
            )
        return None

    def _no_ground(self, state: AnyState, hex: str) -> IllegalAction | None:
        """Refusal of any tile on this hex now."""
        record = self.ruleset.components.board.records[self.ruleset.components.board.number(hex)]
        if record.first_phase is None:
            return IllegalAction(
                "offboard" if record.color == "red" else "hex-closed",
                "No tile may be laid on {hex}.",
                hex=hex,
            )
        if (
            hex not in state.layout.tiles
            and record.first_phase > self.ruleset.phase(state).number
            and not self.ruleset.builder.fits(state, hex)
        ):
            return IllegalAction("hex-later", "{hex} cannot be built on yet.", hex=hex)
        return None

    def _too_dear_hex(self, state: AnyState, company: str, hex: str) -> IllegalAction | None:
        """Refusal if the company can pay for no tile on this hex."""
        ruleset = self.ruleset
        cost, purse = ruleset.builder.least_cost(state, company, hex), ruleset.purse(state, company)
        if cost <= purse:
            return None
        return ruleset.spending_problem(state, company) or IllegalAction(
            "terrain-cost",
            "Building on {hex} costs {cost}; {company} has {money}.",
            hex=hex,
            cost=ruleset.written(cost),
            company=ruleset.label(company),
            money=ruleset.written(purse),
        )

    def _too_dear_tile(
        self, state: AnyState, company: str, hex: str, tile: str
    ) -> IllegalAction | None:
        """Refusal of this tile where cheaper ones are affordable."""
        ruleset = self.ruleset
        cost, purse = ruleset.builder.cost(state, company, hex, tile), ruleset.purse(state, company)
        if cost <= purse:
            return None
        barred = ruleset.spending_problem(state, company)
        if barred is not None:
            return barred
        params = {"hex": hex, "company": ruleset.label(company), "money": ruleset.written(purse)}
        refusal = IllegalAction(
            "terrain-cost",
            "Tile {tile} on {hex} costs {cost}; {company} has {money}.",
            tile=tile,
            cost=ruleset.written(cost),
            **params,
        )
        refusal.without(
            "tile",
            "Every tile that could be laid on {hex} costs more than the {money} that {company} has.",
            **params,
        )
        return refusal.without("rotation")

    def fit(self, state: AnyState, hex: str, action: LayTile) -> Fit:
        """The fit of a legal tile on a hex."""
        return next(
            fit
            for fit in self.ruleset.builder.fits(state, hex)
            if (fit.tile, fit.rotation) == (action.tile, action.rotation)
        )

    def _fit_checks(
        self, state: AnyState, hex: str, action: LayTile
    ) -> Iterator[IllegalAction | None]:
        """Check that a tile fits a hex and is available."""
        tile = self.ruleset.components.board.tiles[action.tile]
        yield self._no_ground(state, hex)
        yield self._no_successor(state, hex, tile)
        yield self._too_early(state, hex, tile)
        yield self._off_map(hex, tile, action.rotation)
        yield self._track_lost(state, hex, tile, action.rotation)
        yield self._turned_otherwise(state, hex, action)
        yield self._none_left(state, hex, tile)

    def _too_early(self, state: AnyState, hex: str, tile: Tile) -> IllegalAction | None:
        """Refusal of a tile whose colour is not available in this phase."""
        if tile.colour in self.ruleset.phase(state).tiles:
            return None
        refusal = IllegalAction(
            "upgrade", "Tile {tile} is not available in this phase.", tile=tile.id
        )
        return refusal.without("tile", "No tile for {hex} is on offer in this phase.", hex=hex)

    def _off_map(self, hex: str, tile: Tile, rotation: int) -> IllegalAction | None:
        """Refusal of track that would lead off the map or over a closed side."""
        board = self.ruleset.components.board
        if not tile.faces[rotation].edges() & board.closed[board.number(hex)]:
            return None
        refusal = IllegalAction(
            "track-off-map",
            (
                "The tile on {hex} would have track leading off the map, into water or "
                "into a closed side."
            ),
            hex=hex,
        )
        refusal.without(
            "tile",
            (
                "Every tile for {hex} would have track leading off the map, into water "
                "or into a closed side."
            ),
            hex=hex,
        )
        return refusal.without(
            "rotation",
            "However it is turned, track of tile {tile} on {hex} would lead off the map, into water or "
            "into a closed side.",
            tile=tile.id,
            hex=hex,
        )

    def _track_lost(
        self, state: AnyState, hex: str, tile: Tile, rotation: int
    ) -> IllegalAction | None:
        """Refusal of a tile that loses track of the hex."""
        old = shown(self.ruleset.components.board, state.layout.tiles, hex)
        if kept(old, tile.faces[rotation]) is not None:
            return None
        refusal = IllegalAction("track-kept", "Track on {hex} would be lost.", hex=hex)
        refusal.without(
            "tile",
            "No tile on offer fits {hex}: track would be lost, or lead off the map, into water or into "
            "a closed side.",
            hex=hex,
        )
        return refusal.without(
            "rotation",
            "However it is turned, tile {tile} does not fit {hex}: track would be lost, or lead off the "
            "map, into water or into a closed side.",
            tile=tile.id,
            hex=hex,
        )

    def _turned_otherwise(self, state: AnyState, hex: str, action: LayTile) -> IllegalAction | None:
        """Refusal of a rotation that duplicates an offered one."""
        for fit in self.ruleset.builder.fits(state, hex):
            if (fit.tile, fit.rotation) == (action.tile, action.rotation):
                return None
        return IllegalAction(
            "",
            "Rotation {rotation} of tile {tile} is not offered; another one looks the same.",
            rotation=action.rotation,
            tile=action.tile,
        )

    def _none_left(self, state: AnyState, hex: str, tile: Tile) -> IllegalAction | None:
        """Refusal of a tile of which none is left."""
        left = self._left(state)
        if left is None or left[tile.id] > 0:
            return None
        refusal = IllegalAction("tile-supply", "There is no tile {tile} left.", tile=tile.id)
        return refusal.without("tile", "No tile that fits {hex} is left.", hex=hex).without(
            "rotation"
        )

    def _no_successor(self, state: AnyState, hex: str, tile: Tile) -> IllegalAction | None:
        """Refusal of a tile that the tables do not allow on this hex."""
        board, tiles = self.ruleset.components.board, state.layout.tiles
        if tile in successors(board, tiles, hex, unlisted=not state.house.printed_upgrades):
            return None
        laid, face = tiles.get(hex), board.printed[board.number(hex)]
        if laid is None and face.colour == "white" and tile.colour != "yellow":
            return IllegalAction("upgrade", "The first tile on {hex} must be yellow.", hex=hex)
        if laid is not None:
            return IllegalAction(
                "upgrade-table",
                "Tile {old} on {hex} cannot be upgraded to tile {tile}.",
                old=laid.tile,
                tile=tile.id,
                hex=hex,
            ).without(
                "tile",
                "Tile {old} on {hex} cannot be upgraded any further.",
                old=laid.tile,
                hex=hex,
            )
        return IllegalAction(
            _first_tile_rule(face), "Tile {tile} cannot be laid on {hex}.", tile=tile.id, hex=hex
        ).without("tile", "No tile can be laid on {hex}.", hex=hex)

    def lay(self, play: Play[AnyState], company: str, action: LayTile) -> None:
        """Lay a tile; tokens stay in their cities [terrain-cost, tile-supply]."""
        state, ruleset, hex = play.state, self.ruleset, action.hex
        fit = self.fit(state, hex, action)
        old = state.layout.tiles.get(hex)
        cost = 0 if action.private else ruleset.builder.cost(state, company, hex, action.tile)
        state.ledger.move("money", company, BANK, cost)
        state.layout = state.layout.with_tile(hex, Laid(action.tile, action.rotation), fit.stops)
        rule = "upgrade" if old is not None else "track-connection"
        play.emit(
            happened.TileLaid(
                rule=ruleset.builder.tile_right_rules.get(action.private, rule),
                company=company,
                hex=hex,
                tile=action.tile,
                rotation=action.rotation,
                cost=cost,
                old=old.tile if old is not None else "",
                private=action.private,
            )
        )
        ruleset.triggers.tile_laid(play, hex, action.private)
        for other in ruleset.components.at_home.get(hex, ()):
            # A company waiting for a city as its home chooses at once [chosen-home].
            if state.companies[other].operating:
                for home in ruleset.builder.homes_to_come(state, other):
                    if home.hex == hex:
                        play.push(Home(other, hex))


STEPS: Steps = {Build: BuildRules}
