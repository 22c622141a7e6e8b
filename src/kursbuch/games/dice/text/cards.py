"""Cards about what lies on the table of Railroad Dice: companies, tiles, dice, squares."""

from __future__ import annotations

from kursbuch.core.voice import Card, Row
from kursbuch.games.dice.components import FACES
from kursbuch.games.dice.holdings import (
    built,
    faces,
    held_shares,
    shares_left,
    stations_left,
    tiles_left,
)
from kursbuch.games.dice.landscape import chains, station_places
from kursbuch.games.dice.state import END_NAMES, DiceState, Joining
from kursbuch.games.dice.text.names import FACE_KEYS, Names


class About:
    """Says to one reader what an element of the board is."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.board = names.board
        self._, self.ngettext = names.words._, names.words.ngettext

    def card(self, state: DiceState, key: str) -> Card | None:
        """The card of the element with that key."""
        match key.split(":"):
            case ["company", name] if name in self.board.company_index:
                return self._company(state, self.board.company_index[name])
            case ["stock", tile] | ["tile", tile, _] if tile in self.board.tile_index:
                return self._tile(state, tile)
            case ["die", face] if face in FACE_KEYS:
                return self._die(state, face)
            case ["square", end, square] | ["exit", end, square, _]:
                if end in END_NAMES and square in self.board.square_index:
                    return self._square(state, END_NAMES.index(end), square)
        return None

    def _company(self, state: DiceState, index: int) -> Card:
        company, board = self.board.companies[index], self.board
        director = state.directors[index]
        held = held_shares(state, board, index)
        rows = [
            Row(self._("Director"), "–" if director is None else self.names.words.name(director)),
            Row(self._("Shares in the bank"), str(shares_left(state, company.id))),
            Row(
                self._("Shares"),
                ", ".join(
                    f"{self.names.words.name(seat)} {count}"
                    for seat, count in enumerate(held)
                    if count
                )
                or "–",
            ),
            Row(
                self._("Stations built"),
                self._("{n} of {most}", n=built(state, board, index), most=board.totals[index]),
            ),
        ]
        rows += [
            Row(
                self._("Stations left"),
                str(count),
                "",
                self.ngettext(
                    "{terrain}, {n} die each",
                    "{terrain}, {n} dice each",
                    stock.cost,
                    terrain=self.names.surroundings(board.surroundings[stock.terrain].terrain),
                ),
            )
            for stock in board.stocks_of[index]
            if (count := stations_left(state, stock))
        ]
        chain = chains(station_places(state), index)
        if chain:
            rows.append(Row(self._("Longest chain"), str(chain)))
        notes = (self._("Whoever has the most shares is director and builds its stations."),)
        return Card(company.name, tuple(rows), notes, ("share-2", "director-1", "station-1"))

    def _tile(self, state: DiceState, tile: str) -> Card:
        rows = (Row(self._("Small tiles left"), str(tiles_left(state, tile))),)
        notes = (self._("A new tile is chosen when a piece leads against the edge of its tile."),)
        title = self._("Tile: {tile}", tile=self.names.tile(tile))
        return Card(title, rows, notes, ("tile-1", "tile-3", "tile-5"))

    def _die(self, state: DiceState, face: str) -> Card:
        index = FACE_KEYS.index(face)
        texts = {
            "straight": (self._("Straight"), self._("Lays a straight piece of track."), "track-2"),
            "curve": (self._("Curve"), self._("Lays a curve."), "track-2"),
            "share": (self._("Share"), self._("Buys a share."), "share-4"),
            "question": (
                self._("Question mark"),
                self._(
                    "Stands for any face, pays for stations, mountains and bridges, and can be rolled "
                    "again with a bonus die."
                ),
                "roll-2",
            ),
        }
        title, note, rule = texts[face]
        rows = [
            Row(self.names.words.name(seat), str(count))
            for seat in range(state.seats)
            if (count := faces(state, seat)[index])
        ]
        sides = self.board.faces.count(FACES[index])
        rows.append(
            Row(
                self._("Sides of a die"),
                self._("{n} of {most}", n=sides, most=len(self.board.faces)),
            )
        )
        return Card(title, tuple(rows), (note,), (rule,))

    def _square(self, state: DiceState, end: int, name: str) -> Card:
        board, square = self.board, self.board.square_index[name]
        step = state.agenda[-1] if state.agenda else None
        if isinstance(step, Joining) and step.end == end:
            layout = board.layout(step.tile, step.rotation)
        else:
            place = state.landscape[state.ends[end].small]
            layout = board.layout(place.tile, place.rotation)
        economy = board.economy
        rules: tuple[str, ...] = ("track-3",)
        terrain, cost = self._("meadow"), 0
        if layout.mountain >> square & 1:
            terrain, cost, rules = self._("mountain"), economy.mountain_cost, ("mountain-1",)
        elif layout.water >> square & 1:
            terrain, cost, rules = self._("lake"), economy.lake_cost, ("lake-1", "lake-3")
        rows = [
            Row(self._("Terrain"), terrain),
            Row(self._("Surcharge"), self.ngettext("{n} die", "{n} dice", cost) if cost else "–"),
        ]
        fit = [
            self.names.surroundings(board.surroundings[kind].terrain)
            for kind, squares in enumerate(layout.stations)
            if squares >> square & 1
        ]
        rows.append(Row(self._("Kinds of station that may stand here"), ", ".join(fit) or "–"))
        title = self._("End {end}: square {square}", end=END_NAMES[end], square=name)
        return Card(title, tuple(rows), (), (*rules, "station-5"))
