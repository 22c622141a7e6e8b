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
from kursbuch.core.words import N_
from kursbuch.eighteen import events as happened
from kursbuch.eighteen.actions import Done, LayTile, PlaceStation
from kursbuch.eighteen.book import Book
from kursbuch.eighteen.map.board import Face
from kursbuch.eighteen.map.tiles import Fit, kept, shown, successors, supply
from kursbuch.eighteen.map.track import Laid, Station
from kursbuch.eighteen.pieces import BANK
from kursbuch.eighteen.rules import stations
from kursbuch.eighteen.rules.builder import TileRight
from kursbuch.eighteen.rules.steps import EighteenRules
from kursbuch.eighteen.state import Build, EighteenState, Home

AnyState = EighteenState[Any]
AnyBook = Book[Any]


def _first_tile_rule(face: Face) -> str:
    """The name of the rule on the first tile of a hex, by its label or the kinds of its stops."""
    what = face.label or _KINDS.get(tuple(face.kinds()))
    return f"first-tile-{what}" if what else "printed-upgrade"


_KINDS = {(): "plain", ("town",): "town", ("town", "town"): "towns", ("city",): "city"}


class BuildRules(EighteenRules[AnyState, Build]):
    """A company may lay tiles [tile-lays]."""

    asks = ("tile-lays", N_("Now the company may lay track."))
    whose = "operating-order"

    def deciders(self, state: AnyState, step: Build) -> tuple[int, ...]:
        return (self.book.control.decider(state, step.company),) if step.asked else ()

    def run(self, state: AnyState, step: Build, play: Play[AnyState]) -> None:
        possible = self.options(state, step, self.book.control.decider(state, step.company))
        if next(possible, None) is None:
            play.done()
        else:
            step.asked = True

    def choices(self, state: AnyState, step: Build, seat: int) -> list[Choice]:
        found = [Choice(action) for action in self.options(state, step, seat)]
        return [*found, Choice(Done(seat))]

    def options(self, state: AnyState, step: Build, seat: int) -> Iterator[LayTile | PlaceStation]:
        """Everything but going on."""
        book, company = self.book, step.company
        left = supply(book.components.board, state.layout.tiles)
        builder = book.builder
        limited = not state.house.unlimited_tiles
        if len(step.laid) < builder.allowed(state, company):
            for hex in builder.sites(state, company):
                if hex in step.laid:
                    continue
                found = builder.payable(state, company, hex, builder.fits(state, hex))
                for fit in builder.joined(state, company, hex, found):
                    if left[fit.tile] > 0 or not limited:
                        yield LayTile(seat, hex, fit.tile, fit.rotation)
        for right in builder.tile_rights(state, company):
            for fit in builder.fits(state, right.hex):
                if left[fit.tile] > 0 or not limited:
                    yield LayTile(seat, right.hex, fit.tile, fit.rotation, right.private)
        yield from stations.free_markers(book, state, company, seat)

    def check(self, state: AnyState, step: Build, action: Action) -> None:
        if isinstance(action, LayTile):
            self.check_tile(state, step, action)
        elif isinstance(action, PlaceStation):
            stations.check_free_marker(self.book, state, step.company, action)
        elif not isinstance(action, Done):
            super().check(state, step, action)

    def perform(self, state: AnyState, step: Build, action: Action, play: Play[AnyState]) -> None:
        if isinstance(action, Done):
            play.done()
            return
        step.asked = False
        if isinstance(action, PlaceStation):
            stations.use_right(self.book, play, step.company, action)
        elif isinstance(action, LayTile):
            if not action.private:
                step.laid.append(action.hex)
            self.lay(play, step.company, action)

    # ---- one tile

    def check_tile(self, state: AnyState, step: Build, action: LayTile) -> None:
        """Raise `IllegalAction` unless the tile may be laid."""
        book, company, hex = self.book, step.company, action.hex
        board = book.components.board
        if hex not in board.index:
            raise IllegalAction("", "There is no hex {hex} on the map.", hex=hex)
        if action.tile not in board.tiles or not 0 <= action.rotation < 6:
            raise IllegalAction("", "There is no tile {tile} like that.", tile=action.tile)
        if action.private:
            self.check_right(state, company, action)
        elif len(step.laid) >= book.builder.allowed(state, company):
            raise IllegalAction("tile-lays", "The company may not lay another tile in this turn.")
        elif hex in step.laid:
            raise IllegalAction(
                "tile-lays", "The company has already laid a tile on {hex} in this turn.", hex=hex
            )
        fit = self.check_fit(state, hex, action)
        if action.private:
            return
        cost = book.builder.cost(state, company, hex, action.tile)
        if cost > book.money(state, company):
            raise IllegalAction(
                "terrain-cost",
                "Building on {hex} costs {cost}; the company has {money}.",
                hex=hex,
                cost=cost,
                money=book.money(state, company),
            )
        if not any(book.builder.joined(state, company, hex, (fit,))):
            if book.builder.replaces(state, hex):
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
        if TileRight(action.private, action.hex) not in self.book.builder.tile_rights(
            state, company
        ):
            raise IllegalAction(
                self.book.builder.tile_right_rules.get(action.private, "tile-lays"),
                "{private} gives no right to lay a tile on {hex} now.",
                private=action.private,
                hex=action.hex,
            )

    def check_fit(self, state: AnyState, hex: str, action: LayTile) -> Fit:
        """The fit of a tile, or `IllegalAction` with what is wrong with it."""
        book = self.book
        board, tiles = book.components.board, state.layout.tiles
        place = board.place(hex)
        record, tile = board.records[place], board.tiles[action.tile]
        phase = book.phase(state)
        for fit in book.builder.fits(state, hex):
            if (fit.tile, fit.rotation) == (action.tile, action.rotation):
                if supply(board, tiles)[fit.tile] < 1 and not state.house.unlimited_tiles:
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
        if tile not in successors(board, tiles, hex, public=not state.house.printed_upgrades):
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
        state, book, hex = play.state, self.book, action.hex
        layout = state.layout
        fit = next(
            fit
            for fit in book.builder.fits(state, hex)
            if (fit.tile, fit.rotation) == (action.tile, action.rotation)
        )
        old = layout.tiles.get(hex)
        cost = 0 if action.private else book.builder.cost(state, company, hex, action.tile)
        state.ledger.move("money", company, BANK, cost)
        layout.tiles[hex] = Laid(action.tile, action.rotation)
        layout.stations = [
            Station(owner, place, fit.stops[stop]) if place == hex else Station(owner, place, stop)
            for owner, place, stop in layout.stations
        ]
        rule = "upgrade" if old is not None else "track-connection"
        play.emit(
            happened.TileLaid(
                rule=book.builder.tile_right_rules.get(action.private, rule),
                company=company,
                hex=hex,
                tile=action.tile,
                rotation=action.rotation,
                cost=cost,
                old=old.tile if old is not None else "",
                private=action.private,
            )
        )
        book.occasions.tile_laid(play, hex, action.private)
        for other in book.components.at_home.get(hex, ()):
            # Who waits for a city to have its home in chooses at once [chosen-home].
            if state.companies[other].operating:
                for home in book.builder.homes_to_come(state, other):
                    if home.hex == hex:
                        play.push(Home(other, hex))


def steps(book: AnyBook) -> dict[type[Step], StepRules[Any, Any]]:
    """The rules of the steps of this module."""
    return {Build: BuildRules(book)}
