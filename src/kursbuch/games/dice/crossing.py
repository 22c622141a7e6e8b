"""What must follow a piece in the same step: the way over water, and a new tile.

Ids in brackets are those of rules.toml.
"""

from __future__ import annotations

from kursbuch.core.actions import Action, Choice
from kursbuch.core.errors import IllegalAction
from kursbuch.games.dice import events as happened
from kursbuch.games.dice.actions import BuildStation, LayTrack, OpenTile
from kursbuch.games.dice.components import Layout
from kursbuch.games.dice.foresight import Outlook
from kursbuch.games.dice.geography import large_tile
from kursbuch.games.dice.holdings import DicePlay, premium
from kursbuch.games.dice.state import (
    END_NAMES,
    Bridge,
    Crossing,
    DiceState,
    Joining,
    Large,
    Small,
    on_tile,
    small,
)
from kursbuch.games.dice.stations import build_station, station_choices, station_problem
from kursbuch.games.dice.track import BuildingRules


class BridgeRules(BuildingRules[Bridge]):
    """The line is led over the water until a piece or a station lies on land again [lake-3]."""

    def choices(self, state: DiceState, step: Bridge, seat: int) -> list[Choice]:
        stations = station_choices(self.geography, state, seat, (step.end,))
        return self.layer.choices(state, step.end) + stations

    def problem(self, state: DiceState, step: Bridge, action: Action) -> IllegalAction | None:
        if (
            not isinstance(action, LayTrack | BuildStation)
            or END_NAMES.index(action.end) != step.end
        ):
            return IllegalAction("lake-3", "The bridge you have begun must be finished first.")
        if isinstance(action, BuildStation):
            return station_problem(self.geography, state, action)
        begun = self.layer.outlook(state, step.end)
        return self.layer.problem(state, begun, begun.site, action)

    def perform(self, state: DiceState, step: Bridge, action: Action, play: DicePlay) -> None:
        play.done()
        match action:
            case LayTrack():
                self.layer.lay(state, action, play)
            case BuildStation():
                build_station(self.geography, state, action, play)


class CrossingRules(BuildingRules[Crossing]):
    """A new tile is chosen whose small counterpart fits into the landscape [tile-1]."""

    def choices(self, state: DiceState, step: Crossing, seat: int) -> list[Choice]:
        begun = self.layer.outlook(state, step.end)
        return [
            Choice(OpenTile(seat, self.board.tiles[layout.tile].id, layout.rotation))
            for layouts in self.board.layouts
            for layout in layouts
            if self._problem(state, step, begun, layout) is None
        ]

    def problem(self, state: DiceState, step: Crossing, action: Action) -> IllegalAction | None:
        board = self.board
        if not isinstance(action, OpenTile):
            return IllegalAction("tile-1", "First choose the new tile beyond the edge.")
        tile = board.tile_index.get(action.tile)
        if tile is None:
            return IllegalAction("tile-3", "There is no tile {tile}.", tile=action.tile)
        if action.rotation not in [layout.rotation for layout in board.layouts[tile]]:
            return IllegalAction(
                "tile-5", "The tile looks the same in a position with a smaller number of turns."
            )
        begun = self.layer.outlook(state, step.end)
        return self._problem(state, step, begun, board.layout(tile, action.rotation))

    def _problem(
        self, state: DiceState, step: Crossing, begun: Outlook, layout: Layout
    ) -> IllegalAction | None:
        """Why a tile cannot be chosen as it is turned."""
        site, landscape = begun.site, self.geography.landscape
        if not site.land.left[layout.tile]:
            return IllegalAction("tile-3", "All small tiles of this type are in the landscape.")
        place = landscape.beyond(site.land, site.number, site.leaves)
        if layout not in landscape.fitting(site.land, *place):
            meets = landscape.layout(site.land, site.number).sides[site.leaves]
            if layout.sides[(site.leaves + 2) % 4] != meets:
                return IllegalAction(
                    "tile-4", "The two tiles have no terrain in common where they meet."
                )
            return IllegalAction(
                "tile-5", "The small tile does not match its neighbours in the landscape."
            )
        new = self.geography.connected(site, layout.tile, layout.rotation)
        if not self.layer.pieces(state, begun, new, step.end):
            return IllegalAction("tile-7", "You cannot lay a connecting piece on this tile.")
        return None

    def perform(self, state: DiceState, step: Crossing, action: Action, play: DicePlay) -> None:
        assert isinstance(action, OpenTile)
        play.done()
        play.push(Joining(step.seat, step.end, self.board.tile_index[action.tile], action.rotation))
        play.emit(
            happened.TileOpened(
                rule="tile-1",
                seat=step.seat,
                end=END_NAMES[step.end],
                tile=action.tile,
                rotation=action.rotation,
            )
        )


class JoiningRules(BuildingRules[Joining]):
    """A piece on the new tile joins it to the line; only then is it connected [tile-7]."""

    def choices(self, state: DiceState, step: Joining, seat: int) -> list[Choice]:
        begun = self.layer.outlook(state, step.end)
        return self.layer.pieces(state, begun, self.geography.joining(state, step), step.end)

    def problem(self, state: DiceState, step: Joining, action: Action) -> IllegalAction | None:
        if not isinstance(action, LayTrack) or END_NAMES.index(action.end) != step.end:
            return IllegalAction("tile-7", "First lay a piece on the new tile.")
        begun = self.layer.outlook(state, step.end)
        return self.layer.problem(state, begun, self.geography.joining(state, step), action)

    def perform(self, state: DiceState, step: Joining, action: Action, play: DicePlay) -> None:
        assert isinstance(action, LayTrack)
        board, seat, end = self.board, step.seat, step.end
        site = self.geography.joining(state, step)
        old = state.ends[end].small
        tile = board.tiles[step.tile].id
        row, column, _, _ = site.land.tiles[site.number]
        state.large.append(Large(site.number, []))
        state.ledger.move(small(tile), "supply", "landscape")
        state.landscape.append(Small(row, column, step.tile, step.rotation))
        self.layer.put(state, site, action, play)
        play.emit(
            happened.TileConnected(
                rule="tile-7",
                seat=seat,
                end=action.end,
                tile=tile,
                row=row,
                column=column,
            )
        )
        # The first tile stays until the other end has left it too [tile-11].
        if state.ends[1 - end].small != old:
            self._clear(state, old, play)
        play.done()
        self.layer.check_end(state, play)
        if premium(play, seat, board.economy.premium_new_tile, "tile-10"):
            self.layer.go_on(state, seat, end, play)

    def _clear(self, state: DiceState, number: int, play: DicePlay) -> None:
        """Dice go to the bank, stations to the small tile [tile-10]."""
        large = large_tile(state, number)
        place = state.landscape[number]
        companies = [piece.company for piece in large.pieces if piece.company >= 0]
        dice = state.ledger.held("die", on_tile(number))
        state.ledger.move("die", on_tile(number), "supply", dice)
        for company in companies:
            place.stations |= 1 << company
        state.large.remove(large)
        play.emit(
            happened.TileCleared(
                rule="tile-10",
                row=place.row,
                column=place.column,
                dice=dice,
                companies=tuple(self.board.companies[company].id for company in companies),
            )
        )
