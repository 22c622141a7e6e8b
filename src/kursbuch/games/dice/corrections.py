"""What a moderator can correct in Railroad Dice: dice, shares, passengers, directors, the landscape and the
stations in it, whose turn it is."""

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

#: Where the dice of a player lie.
PLACES = ("behind", "straight", "curve", "share", "question")
NO_DIRECTOR = "nobody"

_COMPANY = Field("company", N_("Company"), "company")
_PLACE = Field("place", N_("Place (row / column)"), "place")


class OnBoard(Kind[DiceState]):
    """A kind of correction that knows the components."""

    def __init__(self, geography: Geography) -> None:
        self.geography = geography
        self.board: Board = geography.board

    def companies(self) -> list[str]:
        """All companies."""
        return [company.id for company in self.board.companies]


class BankTransfer(OnBoard, Transfer[DiceState]):
    """A transfer that names the bank before the players."""

    def holders(self, state: DiceState, chosen: Mapping[str, str]) -> Sequence[str]:
        return [*self.places, *players(state)]


class Dice(OnBoard, Transfer[DiceState]):
    """Dice of the bank, behind a screen, or in front of it with a face."""

    name = "dice"
    label = N_("Dice")
    form = "dice {count} from {source} to {target}"
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
    """Passenger counters, which lie behind the screens; the bank has enough of them."""

    name = "passenger"
    label = N_("Passenger counters")
    form = "passenger {count} from {source} to {target}"
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
    """Shares of a company. Who directs it is looked at when the year changes."""

    name = "share"
    label = N_("Shares")
    form = "share {count} {company} from {source} to {target}"
    sentence = N_("{count} × {company} from {source} to {target}")
    fields = (_COMPANY, SOURCE, TARGET, COUNT)
    moved = share("{company}")
    places = ("supply",)

    def kinds(self, state: DiceState, field: str, chosen: Mapping[str, str]) -> Sequence[str]:
        return self.companies()


class Director(OnBoard):
    """Who directs a company until the year changes."""

    name = "director"
    label = N_("Director")
    form = "director of {company} is {player}"
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


class Landscape(OnBoard):
    """A small tile is added to the landscape where it fits."""

    name = "landscape"
    label = N_("Tile of the landscape")
    form = "landscape {tile} at {place} turned {rotation}"
    sentence = N_("{tile} at {place} of the landscape, turned by {rotation}")
    fields = (
        _PLACE,
        Field("tile", N_("Tile of the landscape"), "tile"),
        Field("rotation", N_("Rotation"), "rotation"),
    )

    def fitting(self, state: DiceState, place: tuple[int, int]) -> Sequence[Layout]:
        """The tiles that fit a place."""
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


class Stations(OnBoard):
    """A station of a company is placed on a small tile that the line has left, or taken off it: `move` says
    from where to where it goes in the ledger."""

    name = "station"
    label = N_("Station in the landscape")
    form = "station of {company} for {stock} at {place}"
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
    """A station is taken off a small tile and goes back to the card of its company."""

    name = "no-station"
    label = N_("Take a station away")
    form = "no station of {company} for {stock} at {place}"
    sentence = N_("no station of {company} ({stock}) at {place} of the landscape")
    source, target = "map", "card"


class TurnAt(OnBoard, TurnOf[DiceState]):
    """A player's turn begins; what is going on is broken off."""

    def turn(self, seat: int, values: Mapping[str, str]) -> Turn:
        return Turn(seat)


KINDS: tuple[type[OnBoard], ...] = (
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
    """Where a piece or a tile must follow, first that is done or broken off. A new tile is not broken off:
    the piece that leads against the edge would stay, and nothing can follow it later [ban-1]."""
    step = state.agenda[-1]
    if isinstance(step, Crossing | Joining) and kind == TurnAt.name:
        return IllegalAction(
            "ban-1",
            "A piece leads against the edge: first the new tile has to be joined, or the piece taken back.",
        )
    if isinstance(step, Turn | Reduction) or kind == TurnAt.name:
        return None
    return IllegalAction(
        "", "First what is being asked now has to be answered, taken back or broken off."
    )
