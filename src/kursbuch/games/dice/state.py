"""State of Railroad Dice, its numeric encoding, and holdings."""

from __future__ import annotations

from typing import get_args

import msgspec

from kursbuch.core.actions import Action, Choice, Range
from kursbuch.core.errors import IllegalAction
from kursbuch.core.play import Play
from kursbuch.core.state import Bits, Encoding, Listed, Size, State, Step
from kursbuch.games.dice import events as happened
from kursbuch.games.dice.actions import EndName, Seller, SideName
from kursbuch.games.dice.components import MAX_TILES, Board, Stock


class Opening(Step, tag="opening"):
    """The start player is drawn."""


class Turn(Step, tag="turn"):
    """A player's turn: whether income was taken and dice rolled. `paid` has a square (landscape row and column) of
    each mountain paid for."""

    seat: int
    income: bool = False
    rolled: bool = False
    paid: list[tuple[int, int]] = msgspec.field(default_factory=list)

    def paid_squares(self) -> tuple[tuple[int, int], ...]:
        """`paid` as an immutable copy."""
        return tuple((row, column) for row, column in self.paid)


class Bridge(Step, tag="bridge"):
    """An end of the line leads to or lies over water and must return to land."""

    seat: int
    end: int


class Crossing(Step, tag="crossing"):
    """An end of the line leads over the edge: choose a new tile."""

    seat: int
    end: int


class Joining(Step, tag="joining"):
    """A new tile has been chosen: a piece on it must join the line."""

    seat: int
    end: int
    tile: int
    rotation: int


class Reduction(Step, tag="reduction"):
    """Surplus dice in front of the screen at the end of the turn."""

    seat: int


class YearChange(Step, tag="year"):
    """All players have had a turn."""


class FinalCount(Step, tag="final"):
    """The game is ending: count passengers once more."""


DiceStep = Opening | Turn | Bridge | Crossing | Joining | Reduction | YearChange | FinalCount


class Small(msgspec.Struct, array_like=True):
    """A small tile in the landscape; `stations` is the bit mask of companies with stations on it."""

    row: int
    column: int
    tile: int
    rotation: int
    stations: int = 0


class Piece(msgspec.Struct, array_like=True):
    """A track piece or station (`company`, else -1) on a large tile. `back` and `front` are the joined sides;
    `front` is -1 for a station at the end of the line."""

    square: int
    back: int
    front: int
    company: int = -1


class Large(msgspec.Struct, array_like=True):
    """A large tile in play: its small tile's number, and its pieces."""

    small: int
    pieces: list[Piece]


class End(msgspec.Struct, array_like=True):
    """An end of the line: its tile (number of the small tile), the square of its last piece, and the open side, -1
    for a station."""

    small: int
    square: int
    front: int


class DiceState(State[DiceStep], kw_only=True):
    """State of a game.

    `turns` counts the turns completed this year. `directors` has a seat or None per company; `fallen` marks seats
    that lost their last directorship at the last year end. `ending` is the cause of the end: "company", "tiles" or
    "bank". `screened` lists seats with hidden holdings in this view, none in a complete state. `added_dice` counts
    dice beyond the component data.
    """

    year: int
    start: int
    turns: int
    landscape: list[Small]
    large: list[Large]
    ends: list[End]
    directors: list[int | None]
    fallen: list[bool]
    ending: str
    screened: list[int]
    added_dice: int = 0


SEATS = tuple(str(seat) for seat in range(4))
BEHIND = tuple(f"{seat}:behind" for seat in range(4))

#: Ledger holders of the dice in front of a screen: straight, curve, share, question.
FRONT = tuple(
    tuple(f"{seat}:{face}" for face in ("straight", "curve", "share", "question"))
    for seat in range(4)
)
STRAIGHT, CURVE, SHARE, QUESTION = range(4)
END_NAMES: tuple[EndName, ...] = ("A", "B")


def share(company: str) -> str:
    """Ledger item of a company's shares."""
    return f"share:{company}"


def small(tile: str) -> str:
    """Ledger item of small tiles of a type."""
    return f"small:{tile}"


def on_tile(number: int) -> str:
    """Ledger holder of the dice on a large tile."""
    return f"tile:{number}"


#: Causes of the end.
ENDINGS = ("company", "tiles", "bank")


def encoding(board: Board, seats: int) -> Encoding:
    """Numeric encoding of a game."""
    players = SEATS[:seats]
    companies = [company.id for company in board.companies]
    tiles = sum(record.small for record in board.file.tiles)
    screens = [holder for seat in range(seats) for holder in (BEHIND[seat], *FRONT[seat])]
    holders = {
        "die": ("supply", *screens, *map(on_tile, range(tiles))),
        "passengers": ("bank", *players),
        "small": ("supply", "landscape"),
        "share": ("supply", *players),
        "station": ("card", "map"),
    }
    sizes: dict[str, Size] = {
        "landscape": Listed(tiles),
        "landscape.stations": Bits(len(companies)),
        "large": Listed(MAX_TILES),
        "large.pieces": Listed(board.squares),
        "ends": Listed(2),
        "directors": Listed(len(companies)),
        "turn.paid": Listed(seats),
    }
    words = (
        *companies,
        *(word for kind in (Seller, EndName, SideName) for word in get_args(kind)),
        *board.names,
        *(record.id for record in board.file.tiles),
        *(record.terrain for record in board.surroundings),
        *ENDINGS,
    )
    return Encoding(
        tuple(dict.fromkeys(words)),
        lambda item: holders[item.partition(":")[0]],
        sizes,
        ("directors", "screened", "seat", "start"),
    )


DicePlay = Play[DiceState]


def turn_of(state: DiceState) -> Turn:
    """The current turn, below the steps begun in it."""
    return next(step for step in state.agenda if isinstance(step, Turn))


def supply(state: DiceState) -> int:
    """Dice in the bank."""
    return state.ledger.held("die", "supply")


def behind(state: DiceState, seat: int) -> int:
    """Dice behind a screen."""
    return state.ledger.held("die", BEHIND[seat])


def front(state: DiceState, seat: int, face: int) -> int:
    """Dice in front of a screen with this face."""
    return state.ledger.held("die", FRONT[seat][face])


def faces(state: DiceState, seat: int) -> tuple[int, int, int, int]:
    """Dice in front of a screen by face."""
    row = state.ledger.items["die"]
    straight, curve, shares, question = FRONT[seat]
    return row.get(straight, 0), row.get(curve, 0), row.get(shares, 0), row.get(question, 0)


def pay(state: DiceState, seat: int, dice: int, from_behind: int) -> None:
    """Pay dice to the bank: `from_behind` the screen, the rest as question marks."""
    state.ledger.move("die", BEHIND[seat], "supply", from_behind)
    state.ledger.move("die", FRONT[seat][QUESTION], "supply", dice - from_behind)


def payment_range(state: DiceState, seat: int, dice: int, questions_used: int = 0) -> range:
    """Possible numbers of dice of a payment from behind the screen; empty if unaffordable. `questions_used` question
    marks are needed elsewhere."""
    questions = front(state, seat, QUESTION) - questions_used
    return range(max(0, dice - questions), min(dice, behind(state, seat)) + 1)


def payment_problem(
    state: DiceState, seat: int, rule: str, dice: int, from_behind: int, allowed: range
) -> IllegalAction | None:
    """Refuse a payment with an invalid number of dice from behind the screen."""
    if from_behind in allowed:
        return None
    if from_behind > dice:
        return IllegalAction(rule, "That is more than has to be paid.")
    if from_behind > behind(state, seat):
        return IllegalAction(rule, "You do not have that many dice behind your screen.")
    return IllegalAction(
        rule,
        "At least {low} of these dice must come from behind your screen: you have too few question "
        "marks.",
        low=allowed.start,
    )


def choice_of(action: Action, amounts: range) -> Choice:
    """An action as a choice with these amounts."""
    if len(amounts) > 1:
        return Choice(action, Range(amounts.start, amounts.stop - 1))
    return Choice(action)


def bank_pays(play: DicePlay, seat: int, dice: int, holder: str) -> bool:
    """Pay dice from the bank. If it has too few, it breaks: nothing is paid and the game ends at once [end-4,
    end-6]."""
    state = play.state
    left = supply(state)
    if left >= dice:
        state.ledger.move("die", "supply", holder, dice)
        return True
    state.ending = "bank"
    play.emit(happened.BankBroken(rule="end-4", seat=seat, due=dice, left=left))
    state.agenda[:] = [FinalCount()]
    return False


def premium(play: DicePlay, seat: int, dice: int, rule: str) -> bool:
    """Pay question marks for a new tile or station [tile-10, station-10], unless the end is near [end-5]. False if
    the bank breaks."""
    if play.state.ending or not dice:
        return True
    if not bank_pays(play, seat, dice, FRONT[seat][QUESTION]):
        return False
    play.emit(happened.PremiumTaken(rule=rule, seat=seat, dice=dice))
    return True


def shares_left(state: DiceState, company: str) -> int:
    """Shares of a company in the bank."""
    return state.ledger.held(share(company), "supply")


def tiles_left(state: DiceState, tile: str) -> int:
    """Small tiles of a type not in the landscape."""
    return state.ledger.held(small(tile), "supply")


def stations_left(state: DiceState, stock: Stock) -> int:
    """Stations of a kind left on a company's card."""
    return state.ledger.held(stock.item, "card")


def passengers(state: DiceState, seat: int) -> int:
    """A player's passenger counters."""
    return state.ledger.held("passengers", SEATS[seat])


def held_shares(state: DiceState, board: Board, company: int) -> list[int]:
    """Each player's shares of a company."""
    row = state.ledger.items[share(board.companies[company].id)]
    return [row.get(SEATS[seat], 0) for seat in range(state.seats)]


def players_sell(state: DiceState, board: Board) -> bool:
    """Whether shares can be bought from directors [share-5]."""
    gone = sum(not shares_left(state, company.id) for company in board.companies)
    return gone >= board.sold_out[state.seats]


def directed(state: DiceState, seat: int) -> list[int]:
    """Companies directed by a player."""
    return [company for company, director in enumerate(state.directors) if director == seat]


def built(state: DiceState, board: Board, company: int) -> int:
    """Number of stations built by a company."""
    items = state.ledger.items
    return sum(items[stock.item].get("map", 0) for stock in board.stocks_of[company])


def income(state: DiceState, board: Board, seat: int) -> tuple[int, bool, str]:
    """A player's income in dice, whether it is paid as question marks in front of the screen, and its rule [income-3
    to income-7]."""
    least = board.economy.minimum_income
    companies = directed(state, seat)
    if not companies:
        return (least, True, "income-5") if state.fallen[seat] else (least, False, "income-7")
    stations = sum(built(state, board, company) for company in companies)
    return (stations, False, "income-4") if stations > least else (least, False, "income-3")
