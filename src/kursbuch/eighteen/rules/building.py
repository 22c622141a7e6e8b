"""The first step of a company's turn: laying and replacing tiles [tile-lays].

Which tiles fit a hex says `tiles`; here is whether the company may build there now.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from random import Random
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
from kursbuch.eighteen.rules import meant, stations
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
        seat = self.book.control.decider(state, step.company)
        fitting, left = self._fitting(state, step), self._left(state)
        tiles = self._possible(state, step, seat, left, fitting)
        step.asked = any(tiles) or any(self._free(state, step, seat))
        if not step.asked:
            play.done()

    def choices(self, state: AnyState, step: Build, seat: int) -> list[Choice]:
        found = [Choice(action) for action in self.options(state, step, seat)]
        return [*found, Choice(Done(seat))]

    def options(self, state: AnyState, step: Build, seat: int) -> Iterator[LayTile | PlaceStation]:
        """Everything but going on."""
        company, builder = step.company, self.book.builder
        joining = (
            (hex, builder.payable(state, company, hex, found))
            for hex, found in builder.joined(state, company, self._sites(state, step))
        )
        yield from self._possible(state, step, seat, self._left(state), joining, joined=True)
        yield from self._free(state, step, seat)

    def at_random(
        self,
        state: AnyState,
        step: Build,
        seat: int,
        rng: Random,
        weigh: Callable[[Action], float],
    ) -> Choice:
        # To find out all tiles that may be laid takes long: those that fit are drawn until one of them may.
        left, fitting = self._left(state), list(self._fitting(state, step))
        found = next(self._possible(state, step, seat, left, fitting), None)
        free = list(self._free(state, step, seat))
        rights = [action for action in free if isinstance(action, LayTile)]
        markers = [action for action in free if isinstance(action, PlaceStation)]
        tiles = rights if found is None else [found, *rights]
        kinds = [kind for kind in (tiles, markers, [Done(seat)]) if kind]
        kind = rng.choices(kinds, [weigh(kind[0]) for kind in kinds])[0]
        if found is None or kind is not tiles:
            return Choice(rng.choice(kind))
        drawable = [(hex, fit) for hex, fits in fitting for fit in fits]
        while True:
            number = rng.randrange(len(drawable) + len(rights))
            if number >= len(drawable):
                return Choice(rights[number - len(drawable)])
            hex, fit = drawable[number]
            for drawn in self._possible(state, step, seat, left, [(hex, [fit])]):
                return Choice(drawn)

    def _sites(self, state: AnyState, step: Build) -> list[str]:
        """The hexes in which the company may lay one more tile of its turn."""
        builder, company = self.book.builder, step.company
        if len(step.laid) >= builder.allowed(state, company):
            return []
        return [hex for hex in builder.sites(state, company) if hex not in step.laid]

    def _fitting(self, state: AnyState, step: Build) -> Iterator[tuple[str, Sequence[Fit]]]:
        """The tiles that fit these hexes and that the company can pay for, by hex; those first of which it is
        quickly known whether they join its track."""
        builder, company = self.book.builder, step.company
        sites = sorted(self._sites(state, step), key=lambda hex: builder.needs_route(state, hex))
        for hex in sites:
            yield hex, builder.payable(state, company, hex, builder.fits(state, hex))

    def _possible(
        self,
        state: AnyState,
        step: Build,
        seat: int,
        left: dict[str, int] | None,
        fitting: Iterable[tuple[str, Sequence[Fit]]],
        *,
        joined: bool = False,
    ) -> Iterator[LayTile]:
        """Those of them that may be laid, if so many tiles are left; `joined`: they join the company's track."""
        builder, company = self.book.builder, step.company
        more = builder.forbids_more
        for hex, fits in fitting:
            had = fits if left is None else [fit for fit in fits if left[fit.tile] > 0]
            found = had if joined else builder.joining(state, company, hex, had)
            for fit in found:
                if not (more and builder.tile_problem(state, company, hex, fit)):
                    yield LayTile(seat, hex, fit.tile, fit.rotation)

    def _free(self, state: AnyState, step: Build, seat: int) -> Iterator[LayTile | PlaceStation]:
        """What private railways allow besides."""
        builder, company = self.book.builder, step.company
        for right in builder.tile_rights(state, company):
            left = self._left(state)
            for fit in builder.fits(state, right.hex):
                if left is None or left[fit.tile] > 0:
                    yield LayTile(seat, right.hex, fit.tile, fit.rotation, right.private)
        yield from stations.free_markers(self.book, state, company, seat)

    def _left(self, state: AnyState) -> dict[str, int] | None:
        """How many tiles of each kind are left, None if there is no end of them."""
        if state.house.unlimited_tiles:
            return None
        return supply(self.book.components.board, state.layout.tiles)

    def attempts(
        self, state: AnyState, step: Build, seat: int, keys: Sequence[str]
    ) -> Iterable[Action]:
        return meant.tiles(self.book, state, seat, keys)

    def problem(self, state: AnyState, step: Build, action: Action) -> IllegalAction | None:
        match action:
            case LayTile():
                return self.tile_problem(state, step, action)
            case PlaceStation(private=private):
                if private:
                    return stations.free_marker_problem(self.book, state, step.company, action)
                return stations.too_early(self.book, step.company)
            case Done():
                return None
        return super().problem(state, step, action)

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

    def tile_problem(self, state: AnyState, step: Build, action: LayTile) -> IllegalAction | None:
        """Why a tile may not be laid."""
        book, company, hex = self.book, step.company, action.hex
        board, builder, label = book.components.board, book.builder, book.label(company)
        if hex not in board.index:
            return IllegalAction("", "There is no hex {hex} on the map.", hex=hex)
        if action.tile not in board.tiles or not 0 <= action.rotation < 6:
            return IllegalAction("", "There is no tile {tile} like that.", tile=action.tile)
        if action.private:
            right = TileRight(action.private, hex)
            if right not in builder.tile_rights(state, company):
                return builder.no_tile_right(state, company, action.private, hex)
            return self.fit_problem(state, hex, action)
        if len(step.laid) >= builder.allowed(state, company):
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
        problem = self.fit_problem(state, hex, action)
        if problem is not None:
            return problem
        cost, purse = builder.cost(state, company, hex, action.tile), book.purse(state, company)
        if cost > purse:
            return book.barred(state, company) or IllegalAction(
                "terrain-cost",
                "Building on {hex} costs {cost}; {company} has {money}.",
                hex=hex,
                cost=book.written(cost),
                company=label,
                money=book.written(purse),
            )
        fit = self.fit(state, hex, action)
        if not builder.joins(state, company, hex, fit):
            return builder.unjoined(state, company, hex)
        return builder.tile_problem(state, company, hex, fit)

    def fit(self, state: AnyState, hex: str, action: LayTile) -> Fit:
        """How a tile lies on a hex that it fits."""
        return next(
            fit
            for fit in self.book.builder.fits(state, hex)
            if (fit.tile, fit.rotation) == (action.tile, action.rotation)
        )

    def fit_problem(self, state: AnyState, hex: str, action: LayTile) -> IllegalAction | None:
        """Why a tile does not fit a hex, or is not to be had."""
        book = self.book
        board, tiles = book.components.board, state.layout.tiles
        place = board.place(hex)
        record, tile = board.records[place], board.tiles[action.tile]
        phase = book.phase(state)
        for fit in book.builder.fits(state, hex):
            if (fit.tile, fit.rotation) == (action.tile, action.rotation):
                if supply(board, tiles)[fit.tile] < 1 and not state.house.unlimited_tiles:
                    return IllegalAction(
                        "tile-supply", "There is no tile {tile} left.", tile=fit.tile
                    )
                return None
        if record.first_phase is None:
            return IllegalAction(
                "offboard" if record.color == "red" else "hex-closed",
                "No tile may be laid on {hex}.",
                hex=hex,
            )
        if hex not in tiles and record.first_phase > phase.phase:
            return IllegalAction("hex-later", "{hex} cannot be built on yet.", hex=hex)
        if tile not in successors(board, tiles, hex, public=not state.house.printed_upgrades):
            laid = tiles.get(hex)
            if laid is None and board.printed[place].colour == "white" and tile.colour != "yellow":
                return IllegalAction("upgrade", "The first tile on {hex} must be yellow.", hex=hex)
            if laid is not None:
                return IllegalAction(
                    "upgrade-table",
                    "Tile {old} on {hex} cannot be replaced by tile {tile}.",
                    old=laid.tile,
                    tile=tile.id,
                    hex=hex,
                )
            return IllegalAction(
                _first_tile_rule(board.printed[place]),
                "Tile {tile} cannot be laid on {hex}.",
                tile=tile.id,
                hex=hex,
            )
        if tile.colour not in phase.tiles:
            return IllegalAction(
                "upgrade", "Tile {tile} is not on offer in this phase.", tile=tile.id
            )
        face = tile.faces[action.rotation]
        if face.edges() & board.closed[place]:
            return IllegalAction(
                "track-off-map",
                "Track of the tile on {hex} would lead off the map, into water or into a closed side.",
                hex=hex,
            )
        if kept(shown(board, tiles, hex), face) is None:
            return IllegalAction("track-kept", "Track on {hex} would be lost.", hex=hex)
        return IllegalAction(
            "",
            "Rotation {rotation} of tile {tile} is not offered; another one looks the same.",
            rotation=action.rotation,
            tile=tile.id,
        )

    def lay(self, play: Play[AnyState], company: str, action: LayTile) -> None:
        """Lay the tile; markers stay where their city is [terrain-cost, tile-supply]."""
        state, book, hex = play.state, self.book, action.hex
        layout = state.layout
        fit = self.fit(state, hex, action)
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
