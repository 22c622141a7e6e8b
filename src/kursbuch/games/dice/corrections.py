"""Corrections of Railroad Dice: dice, shares, passengers, directors, the landscape, its stations, and turns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kursbuch.core.corrections import (
    COUNT,
    SOURCE,
    TARGET,
    Field,
    Kind,
    Transfer,
    TurnOf,
    players,
    seat_in,
    seat_of,
)
from kursbuch.core.errors import IllegalAction, Plural
from kursbuch.core.words import N_
from kursbuch.games.dice.components import STEPS, Board, Layout
from kursbuch.games.dice.geography import Geography
from kursbuch.games.dice.state import (
    BEHIND,
    FRONT,
    SEATS,
    Crossing,
    DicePlay,
    DiceState,
    Joining,
    Reduction,
    Small,
    Turn,
    share,
    small,
)
from kursbuch.games.dice.stations import notice_last_station

#: Places of a player's dice.
PLACES = ("behind", "straight", "curve", "share", "question")
NO_DIRECTOR = "nobody"

_COMPANY = Field("company", N_("Company"), "company")
_PLACE = Field("place", N_("Place (row / column)"), "place")


class BoardCorrection(Kind[DiceState]):
    """A correction that uses the components."""

    def __init__(self, geography: Geography) -> None:
        self.geography = geography
        self.board: Board = geography.board

    def companies(self) -> list[str]:
        """All companies."""
        return [company.id for company in self.board.companies]


class BankTransfer(BoardCorrection, Transfer[DiceState]):
    """A transfer that lists the bank before the players."""

    def holders(self, state: DiceState, chosen: Mapping[str, str]) -> Sequence[str]:
        return [*self.places, *players(state)]


class Dice(BoardCorrection, Transfer[DiceState]):
    """Transfer dice between the bank, screens, and faces in front of them."""

    name = "dice"
    label = N_("Dice")
    form = N_("dice {count} from {source} to {target}")
    sentence = Plural(
        "{count} die from {source} to {target}", "{count} dice from {source} to {target}"
    )
    fields = (
        Field("source", N_("From"), "dice"),
        Field("target", N_("To"), "dice"),
        COUNT,
    )
    moved = "die"

    def holders(self, state: DiceState, chosen: Mapping[str, str]) -> Sequence[str]:
        return ["supply", *(f"{who} {place}" for who in players(state) for place in PLACES)]

    def holder(self, value: str) -> str:
        who, _, place = value.rpartition(" ")
        if not who:
            return value
        seat = seat_in(who)
        return BEHIND[seat] if place == "behind" else FRONT[seat][PLACES.index(place) - 1]

    def private(self, state: DiceState, holder: str) -> bool:
        return holder in BEHIND

    def hidden(self, state: DiceState, holder: str) -> bool:
        return holder in BEHIND and BEHIND.index(holder) in state.screened


class Passengers(BankTransfer):
    """Transfer passenger counters, which are behind screens; the bank is unlimited."""

    name = "passenger"
    label = N_("Passenger counters")
    form = N_("passenger {count} from {source} to {target}")
    sentence = Plural(
        "{count} passenger counter from {source} to {target}",
        "{count} passenger counters from {source} to {target}",
    )
    fields = (SOURCE, TARGET, COUNT)
    moved = "passengers"
    places = unlimited = ("bank",)

    def private(self, state: DiceState, holder: str) -> bool:
        return holder in SEATS

    def hidden(self, state: DiceState, holder: str) -> bool:
        return holder in SEATS and SEATS.index(holder) in state.screened


class Shares(BankTransfer):
    """Transfer shares of a company. Directors are reconsidered at year end."""

    name = "share"
    label = N_("Shares")
    form = N_("share {count} {company} from {source} to {target}")
    sentence = N_("{count} × {company} from {source} to {target}")
    fields = (_COMPANY, SOURCE, TARGET, COUNT)
    moved = share("{company}")
    places = ("supply",)

    def kinds(self, state: DiceState, field: str, chosen: Mapping[str, str]) -> Sequence[str]:
        return self.companies()


class Director(BoardCorrection):
    """Set a company's director until the year end."""

    name = "director"
    label = N_("Director")
    form = N_("director of {company} is {player}")
    sentence = N_("the director of {company} is {player}")
    fields = (_COMPANY, Field("player", N_("Player"), "director"))

    def candidates(self, state: DiceState, field: str, chosen: Mapping[str, str]) -> Sequence[str]:
        if field == "company":
            return self.companies()
        return [*players(state), NO_DIRECTOR]

    def perform(self, play: DicePlay, values: Mapping[str, str]) -> None:
        company = self.board.company_index[values["company"]]
        play.state.directors[company] = seat_of(values["player"])


def _at(value: str) -> tuple[int, int]:
    row, _, column = value.partition("/")
    return int(row), int(column)


class Landscape(BoardCorrection):
    """Add a fitting small tile to the landscape."""

    name = "landscape"
    label = N_("Tile of the landscape")
    form = N_("landscape {tile} at {place} turned {rotation}")
    sentence = N_("{tile} at {place} of the landscape, turned by {rotation}")
    fields = (
        _PLACE,
        Field("tile", N_("Tile of the landscape"), "tile"),
        Field("rotation", N_("Rotation"), "rotation"),
    )

    def fitting(self, state: DiceState, place: tuple[int, int]) -> Sequence[Layout]:
        """Tiles that fit a place."""
        landscape = self.geography.landscape
        return landscape.fitting(landscape.of(state), *place)

    def candidates(self, state: DiceState, field: str, chosen: Mapping[str, str]) -> Sequence[str]:
        if field == "place":
            taken = {(tile.row, tile.column) for tile in state.landscape}
            beside = {
                (row + rows, column + columns) for row, column in taken for rows, columns in STEPS
            }
            return [
                f"{row}/{column}"
                for row, column in sorted(beside - taken)
                if self.fitting(state, (row, column))
            ]
        layouts = self.fitting(state, _at(chosen["place"]))
        tiles = self.board.tiles
        if field == "tile":
            return list(dict.fromkeys(tiles[layout.tile].id for layout in layouts))
        return [
            str(layout.rotation) for layout in layouts if tiles[layout.tile].id == chosen["tile"]
        ]

    def perform(self, play: DicePlay, values: Mapping[str, str]) -> None:
        row, column = _at(values["place"])
        ids = [tile.id for tile in self.board.tiles]
        play.state.ledger.move(small(values["tile"]), "supply", "landscape")
        tile = Small(row, column, ids.index(values["tile"]), int(values["rotation"]))
        play.state.landscape.append(tile)


class Stations(BoardCorrection):
    """Place a company's station on a small tile the line has left, or remove it. `move` has its ledger source and
    target."""

    name = "station"
    label = N_("Station in the landscape")
    form = N_("station of {company} for {stock} at {place}")
    sentence = N_("a station of {company} ({stock}) at {place} of the landscape")
    fields = (_COMPANY, Field("stock", N_("Kind of station"), "stock"), _PLACE)
    source, target = "card", "map"

    def candidates(self, state: DiceState, field: str, chosen: Mapping[str, str]) -> Sequence[str]:
        if field == "company":
            return self.companies()
        company = self.board.company_index[chosen["company"]]
        if field == "stock":
            return [
                f"{self.board.surroundings[stock.terrain].terrain} {stock.cost}"
                for stock in self.board.stocks_of[company]
                if state.ledger.held(stock.item, self.source)
            ]
        large = {tile.small for tile in state.large}
        return [
            f"{tile.row}/{tile.column}"
            for number, tile in enumerate(state.landscape)
            if number not in large and bool(tile.stations >> company & 1) == (self.source == "map")
        ]

    def perform(self, play: DicePlay, values: Mapping[str, str]) -> None:
        state, company = play.state, self.board.company_index[values["company"]]
        stock = next(
            each
            for each in self.board.stocks_of[company]
            if f"{self.board.surroundings[each.terrain].terrain} {each.cost}" == values["stock"]
        )
        state.ledger.move(stock.item, self.source, self.target)
        tile = next(t for t in state.landscape if (t.row, t.column) == _at(values["place"]))
        tile.stations ^= 1 << company
        notice_last_station(self.board, company, play)


class NoStation(Stations):
    """Remove a station from a small tile, back to its company's card."""

    name = "no-station"
    label = N_("Take a station away")
    form = N_("no station of {company} for {stock} at {place}")
    sentence = N_("no station of {company} ({stock}) at {place} of the landscape")
    source, target = "map", "card"


class TurnAt(BoardCorrection, TurnOf[DiceState]):
    """Start a player's turn, interrupting play."""

    def turn(self, seat: int, values: Mapping[str, str]) -> Turn:
        return Turn(seat)


KINDS: tuple[type[BoardCorrection], ...] = (
    Dice,
    Passengers,
    Shares,
    Director,
    Landscape,
    Stations,
    NoStation,
    TurnAt,
)


def uncorrectable(state: DiceState, kind: str) -> IllegalAction | None:
    """Refuse corrections while a piece or tile must follow. A new tile is not interrupted, since the piece leading
    to the edge would remain without a continuation [ban-1]."""
    step = state.agenda[-1]
    if isinstance(step, Crossing | Joining) and kind == TurnAt.name:
        return IllegalAction(
            "ban-1",
            "A piece leads to the edge: first join the new tile, or take the piece back.",
        )
    if isinstance(step, Turn | Reduction) or kind == TurnAt.name:
        return None
    return IllegalAction("", "First answer, take back or cancel what is being asked now.")
