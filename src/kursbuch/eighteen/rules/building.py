"""The first step of a company's turn: laying and replacing tiles [tile-lays].

Which tiles fit a hex says `tiles`; here is whether the company may build there now.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from kursbuch.core.actions import Action, Choice
from kursbuch.core.errors import IllegalAction
from kursbuch.core.play import Play, StepRules
from kursbuch.core.state import Step
from kursbuch.eighteen import events as happened
from kursbuch.eighteen.actions import Done, LayTile, PlaceStation
from kursbuch.eighteen.kernel import Kernel, TileRight
from kursbuch.eighteen.map.board import COLOURS, Face
from kursbuch.eighteen.map.crossing import crossing
from kursbuch.eighteen.map.tiles import Fit, kept, shown, successors, supply
from kursbuch.eighteen.map.track import PER_HEX, Laid, Station
from kursbuch.eighteen.pieces import BANK
from kursbuch.eighteen.rules import stations
from kursbuch.eighteen.rules.steps import EighteenRules
from kursbuch.eighteen.state import Build, EighteenState, Home

AnyState = EighteenState[Any]
Game = Kernel[Any, Any]


def _first_tile_rule(face: Face) -> str:
    """The name of the rule on the first tile of a hex, by its label or the kinds of its stops."""
    what = face.label or _KINDS.get(tuple(face.kinds()))
    return f"first-tile-{what}" if what else "printed-upgrade"


_KINDS = {(): "plain", ("town",): "town", ("town", "town"): "towns", ("city",): "city"}


class BuildRules(EighteenRules[AnyState, Build, Game]):
    """A company may lay tiles [tile-lays]."""

    def deciders(self, state: AnyState, step: Build) -> tuple[int, ...]:
        return (self.game.decider(state, step.company),) if step.asked else ()

    def run(self, state: AnyState, step: Build, play: Play[AnyState]) -> None:
        possible = self.options(state, step, self.game.decider(state, step.company))
        if next(possible, None) is None:
            play.done()
        else:
            step.asked = True

    def choices(self, state: AnyState, step: Build, seat: int) -> list[Choice]:
        found = [Choice(action) for action in self.options(state, step, seat)]
        return [*found, Choice(Done(seat))]

    def options(self, state: AnyState, step: Build, seat: int) -> Iterator[LayTile | PlaceStation]:
        """Everything but going on."""
        game, company = self.game, step.company
        left = supply(game.components.board, state.layout.tiles)
        limited = game.tiles_limited(state)
        if len(step.laid) < self.allowed(state, company):
            for hex in self.sites(state, company):
                if hex not in step.laid and self.affordable(state, company, hex):
                    for fit in self.joined(state, company, hex, game.fits(state, hex)):
                        if left[fit.tile] > 0 or not limited:
                            yield LayTile(seat, hex, fit.tile, fit.rotation)
        for right in game.tile_rights(state, company):
            for fit in game.fits(state, right.hex):
                if left[fit.tile] > 0 or not limited:
                    yield LayTile(seat, right.hex, fit.tile, fit.rotation, right.private)
        yield from stations.free_markers(game, state, company, seat)

    def check(self, state: AnyState, step: Build, action: Action) -> None:
        if isinstance(action, LayTile):
            self.check_tile(state, step, action)
        elif isinstance(action, PlaceStation):
            stations.check_free_marker(self.game, state, step.company, action)
        elif not isinstance(action, Done):
            super().check(state, step, action)

    def perform(self, state: AnyState, step: Build, action: Action, play: Play[AnyState]) -> None:
        if isinstance(action, Done):
            play.done()
            return
        step.asked = False
        if isinstance(action, PlaceStation):
            stations.use_right(self.game, play, step.company, action)
        elif isinstance(action, LayTile):
            if not action.private:
                step.laid.append(action.hex)
            self.lay(play, step.company, action)

    # ---- which hexes and tiles

    def allowed(self, state: AnyState, company: str) -> int:
        """How many tiles a company may lay in its turn [tile-lays]."""
        lays = self.game.phase(state).tile_lays
        return lays.minor if self.game.is_minor(company) else lays.public

    def sites(self, state: AnyState, company: str) -> list[str]:
        """The hexes in which the company's track may go on, or in which it has a marker
        [track-connection]."""
        game = self.game
        board = game.components.board
        if not game.checks_track(state):
            return list(board.names)
        position = game.position(state)
        places = {place for place, _ in position.reach(company).borders}
        places.update(stop // PER_HEX for stop in position.stations(company))
        if game.waits_for_home(state, company):
            places.add(board.place(game.components.homes[company].hex))
        return [board.names[place] for place in sorted(places)]

    def cost(self, state: AnyState, hex: str) -> int:
        """What the first tile on a hex costs [terrain-cost]."""
        board = self.game.components.board
        return 0 if hex in state.layout.tiles else board.records[board.place(hex)].cost

    def affordable(self, state: AnyState, company: str, hex: str) -> bool:
        return self.cost(state, hex) <= self.game.money(state, company)

    def replaces(self, state: AnyState, hex: str) -> bool:
        """Whether a tile on this hex is subject to the rules of a replacement [printed-upgrade]."""
        board = self.game.components.board
        return hex in state.layout.tiles or board.printed[board.place(hex)].colour in COLOURS

    def joined(
        self, state: AnyState, company: str, hex: str, found: tuple[Fit, ...]
    ) -> Iterator[Fit]:
        """Those fits that join the company's track: one track of a new tile leads to a marker
        [track-connection]; after a replacement a route runs over the hex [upgrade-needs-route]."""
        game = self.game
        if not found or not game.checks_track(state):
            yield from found
            return
        board, position = game.components.board, game.position(state)
        place = board.place(hex)
        if not self.replaces(state, hex):
            reached = position.reach(company).borders
            edges = sum(
                1 << edge
                for edge, border in enumerate(board.borders[place])
                if (place, border) in reached
            )
            own = game.station(state, company, hex) >= 0
            for fit in found:
                if own or board.tiles[fit.tile].faces[fit.rotation].edges() & edges:
                    yield fit
            return
        # All old track is kept. So if a route runs over it now, one does with any tile, unless
        # stations are joined.
        routes = crossing(position, company)
        runs = routes.now(place)
        home = hex == game.components.homes[company].hex and game.waits_for_home(state, company)
        for fit in found:
            ground = game.components.track.ground(hex, fit.tile, fit.rotation)
            if (
                (runs and len(set(fit.stops)) == len(fit.stops))
                or routes.runs_over(place, ground, fit.stops)
                or (home and routes.starts(place, ground))
            ):
                yield fit

    # ---- one tile

    def check_tile(self, state: AnyState, step: Build, action: LayTile) -> None:
        """Raise `IllegalAction` unless the tile may be laid."""
        game, company, hex = self.game, step.company, action.hex
        board = game.components.board
        if hex not in board.index:
            raise IllegalAction("", "There is no hex {hex} on the map.", hex=hex)
        if action.tile not in board.tiles or not 0 <= action.rotation < 6:
            raise IllegalAction("", "There is no tile {tile} like that.", tile=action.tile)
        if action.private:
            self.check_right(state, company, action)
        elif len(step.laid) >= self.allowed(state, company):
            raise IllegalAction("tile-lays", "The company may not lay another tile in this turn.")
        elif hex in step.laid:
            raise IllegalAction(
                "tile-lays", "The company has already laid a tile on {hex} in this turn.", hex=hex
            )
        fit = self.check_fit(state, hex, action)
        if action.private:
            return
        cost = self.cost(state, hex)
        if cost > game.money(state, company):
            raise IllegalAction(
                "terrain-cost",
                "Building on {hex} costs {cost}; the company has {money}.",
                hex=hex,
                cost=cost,
                money=game.money(state, company),
            )
        if not any(self.joined(state, company, hex, (fit,))):
            if self.replaces(state, hex):
                raise IllegalAction(
                    "upgrade-needs-route",
                    "With this tile the company could run no route over {hex}.",
                    hex=hex,
                )
            raise IllegalAction(
                "track-connection",
                "No track of the tile on {hex} would join a station of the company.",
                hex=hex,
            )

    def check_right(self, state: AnyState, company: str, action: LayTile) -> None:
        """Raise `IllegalAction` unless a private railway gives the right to lay a tile."""
        if TileRight(action.private, action.hex) not in self.game.tile_rights(state, company):
            raise IllegalAction(
                self.game.tile_right_rules.get(action.private, "tile-lays"),
                "{private} gives no right to lay a tile on {hex} now.",
                private=action.private,
                hex=action.hex,
            )

    def check_fit(self, state: AnyState, hex: str, action: LayTile) -> Fit:
        """The fit of a tile, or `IllegalAction` with what is wrong with it."""
        game = self.game
        board, tiles = game.components.board, state.layout.tiles
        place = board.place(hex)
        record, tile = board.records[place], board.tiles[action.tile]
        phase = game.phase(state)
        for fit in game.fits(state, hex):
            if (fit.tile, fit.rotation) == (action.tile, action.rotation):
                if supply(board, tiles)[fit.tile] < 1 and game.tiles_limited(state):
                    raise IllegalAction(
                        "tile-supply", "There is no tile {tile} left.", tile=fit.tile
                    )
                return fit
        if record.first_phase is None:
            raise IllegalAction(
                "offboard" if record.color == "red" else "hex-closed",
                "No tile may be laid on {hex}.",
                hex=hex,
            )
        if hex not in tiles and record.first_phase > phase.phase:
            raise IllegalAction("hex-later", "{hex} cannot be built on yet.", hex=hex)
        if tile not in successors(board, tiles, hex, public=game.public_upgrades(state)):
            face = board.printed[place]
            raise IllegalAction(
                "upgrade-table" if hex in tiles else _first_tile_rule(face),
                "Tile {tile} cannot be laid on {hex}.",
                tile=tile.id,
                hex=hex,
            )
        if tile.colour not in phase.tiles:
            raise IllegalAction(
                "upgrade", "Tile {tile} is not on offer in this phase.", tile=tile.id
            )
        face = tile.faces[action.rotation]
        if face.edges() & board.closed[place]:
            raise IllegalAction(
                "track-off-map",
                "Track of the tile on {hex} would lead off the map, into water or into a closed side.",
                hex=hex,
            )
        if kept(shown(board, tiles, hex), face) is None:
            raise IllegalAction("track-kept", "Track on {hex} would be lost.", hex=hex)
        raise IllegalAction(
            "",
            "Rotation {rotation} of tile {tile} is not offered; another one looks the same.",
            rotation=action.rotation,
            tile=tile.id,
        )

    def lay(self, play: Play[AnyState], company: str, action: LayTile) -> None:
        """Lay the tile; markers stay where their city is [terrain-cost, tile-supply]."""
        state, game, hex = play.state, self.game, action.hex
        layout = state.layout
        fit = next(
            fit
            for fit in game.fits(state, hex)
            if (fit.tile, fit.rotation) == (action.tile, action.rotation)
        )
        old = layout.tiles.get(hex)
        cost = 0 if action.private else self.cost(state, hex)
        state.ledger.move("money", company, BANK, cost)
        layout.tiles[hex] = Laid(action.tile, action.rotation)
        layout.stations = [
            Station(owner, place, fit.stops[stop]) if place == hex else Station(owner, place, stop)
            for owner, place, stop in layout.stations
        ]
        rule = "upgrade" if old is not None else "track-connection"
        play.emit(
            happened.TileLaid(
                rule=game.tile_right_rules.get(action.private, rule),
                company=company,
                hex=hex,
                tile=action.tile,
                rotation=action.rotation,
                cost=cost,
                old=old.tile if old is not None else "",
                private=action.private,
            )
        )
        if action.private:
            game.tile_right_used(play, action.private)
        game.tile_laid(play, hex)
        for other, home in game.components.homes.items():
            # Who waits for a city to have its home in chooses at once [chosen-home].
            waits = state.companies[other].operating and game.waits_for_home(state, other)
            if home.hex == hex and waits:
                play.push(Home(other))


def steps(game: Game) -> dict[type[Step], StepRules[Any, Any]]:
    """The rules of the steps of this module."""
    return {Build: BuildRules(game)}
