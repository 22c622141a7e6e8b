"""Names, holdings, cards and summaries of Railroad Dice."""

from __future__ import annotations

from collections.abc import Sequence

from kursbuch.core.voice import Card, Chip, Panel, Row, Speech, Summary
from kursbuch.core.words import N_, Words
from kursbuch.games.dice.components import FACES, Board
from kursbuch.games.dice.geography import chains, station_places
from kursbuch.games.dice.state import (
    END_NAMES,
    DiceState,
    Joining,
    behind,
    built,
    faces,
    held_shares,
    passengers,
    shares_left,
    stations_left,
    supply,
    tiles_left,
)

TILES = {
    "meadow": N_("meadow"),
    "lake": N_("lake"),
    "mountain2": N_("mountain on two sides"),
    "mountain3": N_("mountain on three sides"),
}
SURROUNDINGS = {
    "meadow": N_("meadow"),
    "lake": N_("lake"),
    "mountain": N_("mountain"),
}
SIDES = {"N": N_("north"), "E": N_("east"), "S": N_("south"), "W": N_("west")}
#: Faces of dice in board keys.
FACE_KEYS = ("straight", "curve", "share", "question")


class Names(Speech):
    """Names in the reader's language."""

    def __init__(self, board: Board, words: Words) -> None:
        super().__init__(words, board)
        self.board = board

    def tile(self, tile: str) -> str:
        return self.words._(TILES[tile]) if tile in TILES else tile

    def surroundings(self, terrain: str) -> str:
        return self.words._(SURROUNDINGS[terrain]) if terrain in SURROUNDINGS else terrain

    def side(self, side: str) -> str:
        return self.words._(SIDES[side])

    def piece(self, curve: bool) -> str:
        """Straight or curve."""
        return self.words._("curve") if curve else self.words._("straight")

    def company(self, company: str) -> str:
        return self.board.companies[self.board.company_index[company]].name

    def passengers(self, counters: int) -> str:
        """Number of passengers of these counters."""
        return self.words.number(counters * self.board.economy.passengers_per_station)

    def carried(self, seat: int, counters: int) -> str:
        """A player with the passengers carried."""
        return f"{self.name(seat)} {self.passengers(counters)}"

    def dice(self, counts: Sequence[int]) -> str:
        """Dice by face."""
        words = self.words
        straights, curves, shares, questions = counts
        parts = [
            words.ngettext("{n} straight", "{n} straights", straights) if straights else "",
            words.ngettext("{n} curve", "{n} curves", curves) if curves else "",
            words.ngettext("{n} share", "{n} shares", shares) if shares else "",
            words.ngettext("{n} question mark", "{n} question marks", questions)
            if questions
            else "",
        ]
        return words.join([part for part in parts if part])


class Descriptions:
    """Descriptions of board elements."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.board = names.board
        self._, self.ngettext = names.words._, names.words.ngettext

    def card(self, state: DiceState, key: str) -> Card | None:
        """Description of the element with that key."""
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
        notes = (
            self._("The player with the most shares is the director and builds its stations."),
        )
        return Card(company.name, tuple(rows), notes, ("share-2", "director-1", "station-1"))

    def _tile(self, state: DiceState, tile: str) -> Card:
        rows = (Row(self._("Small tiles left"), str(tiles_left(state, tile))),)
        notes = (self._("You choose a new tile when a piece leads to the edge of its tile."),)
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


def panels(state: DiceState, names: Names) -> list[Panel]:
    """Holdings of players, companies and the bank."""
    held = _all_shares(state, names.board)
    players = [_player(state, seat, held, names) for seat in range(state.seats)]
    return [*players, _companies(state, names), _bank(state, names)]


def _all_shares(state: DiceState, board: Board) -> list[Sequence[int]]:
    """Every player's shares, by company."""
    return [held_shares(state, board, index) for index in range(len(board.companies))]


def _player(state: DiceState, seat: int, shares: Sequence[Sequence[int]], names: Names) -> Panel:
    words, board = names.words, names.board
    hidden = seat in state.screened
    carried = names.passengers(passengers(state, seat))
    in_front = faces(state, seat)
    rows = [
        Row(words._("Passengers carried"), "–" if hidden else carried),
        Row(
            words._("Dice behind the screen"),
            "–" if hidden else str(behind(state, seat)),
        ),
        Row(
            words._("Dice in front"),
            str(sum(in_front)),
            "",
            names.dice(in_front) if any(in_front) else "",
        ),
    ]
    for index, company in enumerate(board.companies):
        held = shares[index][seat]
        is_director = state.directors[index] == seat
        if held or is_director:
            note = words._("director") if is_director else ""
            label = words._("Shares of {company}", company=company.name)
            rows.append(Row(label, str(held), f"company:{company.id}", note))
    if state.start == seat and state.agenda:
        rows.append(Row(words._("Start player"), words._("this year")))
    return Panel(words.name(seat), seat, tuple(rows))


def _companies(state: DiceState, names: Names) -> Panel:
    rows = []
    for index, company in enumerate(names.board.companies):
        left = shares_left(state, company.id)
        rows.append(
            Row(
                company.name,
                names.words.ngettext("{n} share in the bank", "{n} shares in the bank", left),
                f"company:{company.id}",
                "; ".join(_about_company(state, index, names)),
            )
        )
    return Panel(names.words._("Companies"), None, tuple(rows))


def _about_company(state: DiceState, index: int, names: Names) -> list[str]:
    """A company's director and stations."""
    words, board = names.words, names.board
    director = state.directors[index]
    parts = [
        words._("no director")
        if director is None
        else words._("director {name}", name=words.name(director)),
        words._(
            "{built} of {all} stations built",
            built=built(state, board, index),
            all=board.totals[index],
        ),
    ]
    stations = [
        f"{names.surroundings(board.surroundings[stock.terrain].terrain)} {count} × {stock.cost}"
        for stock in board.stocks_of[index]
        if (count := stations_left(state, stock))
    ]
    if stations:
        parts.append(words._("left: {list}", list=", ".join(stations)))
    chain = chains(station_places(state), index)
    if chain:
        parts.append(words._("longest chain {n}", n=chain))
    return parts


def _bank(state: DiceState, names: Names) -> Panel:
    words = names.words
    rows = [
        Row(words._("Year"), words.number(state.year)),
        Row(words._("Dice in the bank"), str(supply(state))),
    ]
    rows += [
        Row(
            words._("Small tiles: {tile}", tile=names.tile(tile.id)),
            str(tiles_left(state, tile.id)),
            f"stock:{tile.id}",
        )
        for tile in names.board.tiles
    ]
    return Panel(words._("Bank"), None, tuple(rows))


def summaries(state: DiceState, names: Names) -> list[Summary]:
    """A card per player and company."""
    held = _all_shares(state, names.board)
    players = [_player_summary(state, seat, held, names) for seat in range(state.seats)]
    return [
        *players,
        *(_company_summary(state, index, names) for index in range(len(names.board.companies))),
    ]


def _player_summary(
    state: DiceState, seat: int, shares: Sequence[Sequence[int]], names: Names
) -> Summary:
    words, board = names.words, names.board
    hidden = "–" if seat in state.screened else str(behind(state, seat))
    figures = (
        Row(words._("Dice behind the screen"), hidden),
        Row(words._("Dice in front"), str(sum(faces(state, seat)))),
    )
    chips = []
    for index, company in enumerate(board.companies):
        held = shares[index][seat]
        directs = state.directors[index] == seat
        if held or directs:
            note = words._("director") if directs else ""
            chips.append(Chip(f"{company.name} {held}", f"company:{company.id}", directs, note))
    note = words._("start player") if state.start == seat and state.agenda else ""
    return Summary(words.name(seat), seat, figures=figures, chips=tuple(chips), note=note)


def _company_summary(state: DiceState, index: int, names: Names) -> Summary:
    words, board = names.words, names.board
    company, director = board.companies[index], state.directors[index]
    return Summary(
        company.name,
        key=f"company:{company.id}",
        figures=(
            Row(words._("Stations"), f"{built(state, board, index)}/{board.totals[index]}"),
            Row(words._("Longest chain"), str(chains(station_places(state), index))),
            Row(words._("Shares in the bank"), str(shares_left(state, company.id))),
        ),
        note=words._("no director") if director is None else words.name(director),
    )
