"""Who has which dice, shares and stations, and what the bank pays."""

from __future__ import annotations

from collections.abc import Sequence

from kursbuch.core.actions import Action, Choice, Range
from kursbuch.core.errors import IllegalAction
from kursbuch.core.play import Play
from kursbuch.games.dice import events as happened
from kursbuch.games.dice.components import Board, Stock
from kursbuch.games.dice.state import (
    BEHIND,
    FRONT,
    QUESTION,
    SEATS,
    DiceState,
    FinalCount,
    Turn,
    share,
    small,
)

DicePlay = Play[DiceState]


def turn_of(state: DiceState) -> Turn:
    """The turn that is being played, below whatever has been begun in it."""
    return next(step for step in state.agenda if isinstance(step, Turn))


def supply(state: DiceState) -> int:
    """The dice in the bank."""
    return state.ledger.held("die", "supply")


def behind(state: DiceState, seat: int) -> int:
    """The dice behind a screen."""
    return state.ledger.held("die", BEHIND[seat])


def front(state: DiceState, seat: int, face: int) -> int:
    """The dice in front of a screen that show a face."""
    return state.ledger.held("die", FRONT[seat][face])


def faces(state: DiceState, seat: int) -> tuple[int, int, int, int]:
    """The dice in front of a screen by their faces."""
    row = state.ledger.items["die"]
    straight, curve, shares, question = FRONT[seat]
    return row.get(straight, 0), row.get(curve, 0), row.get(shares, 0), row.get(question, 0)


def pay(state: DiceState, seat: int, dice: int, from_behind: int) -> None:
    """Pay dice to the bank, so many of them from behind the screen, the rest question marks."""
    state.ledger.move("die", BEHIND[seat], "supply", from_behind)
    state.ledger.move("die", FRONT[seat][QUESTION], "supply", dice - from_behind)


def payment_range(state: DiceState, seat: int, dice: int, questions_used: int = 0) -> range:
    """How many of the dice of a payment may come from behind the screen; empty if the player has
    too few. `questions_used` are question marks needed for something else at the same time."""
    questions = front(state, seat, QUESTION) - questions_used
    return range(max(0, dice - questions), min(dice, behind(state, seat)) + 1)


def payment_problem(
    state: DiceState, seat: int, rule: str, dice: int, from_behind: int, allowed: range
) -> IllegalAction | None:
    """Why so many dice of a payment cannot come from behind the screen."""
    if from_behind in allowed:
        return None
    if from_behind > dice:
        return IllegalAction(rule, "That is more than has to be paid.")
    if from_behind > behind(state, seat):
        return IllegalAction(rule, "You do not have so many dice behind your screen.")
    return IllegalAction(
        rule,
        "At least {low} of these dice must come from behind your screen: you have too few question "
        "marks.",
        low=allowed.start,
    )


def choice_of(action: Action, amounts: range) -> Choice:
    """An action with the lowest of some amounts, as a choice among all of them."""
    if len(amounts) > 1:
        return Choice(action, Range(amounts.start, amounts.stop - 1))
    return Choice(action)


def bank_pays(play: DicePlay, seat: int, dice: int, holder: str) -> bool:
    """Dice from the bank. A bank that has too few is broken: nothing is paid and the game ends at
    once [end-4, end-6]."""
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
    """Question marks for a new tile or a station [tile-10, station-10]; none once the game is about
    to end [end-5]. False if the bank is broken."""
    if play.state.ending or not dice:
        return True
    if not bank_pays(play, seat, dice, FRONT[seat][QUESTION]):
        return False
    play.emit(happened.PremiumTaken(rule=rule, seat=seat, dice=dice))
    return True


def shares_left(state: DiceState, company: str) -> int:
    """The shares of a company in the bank."""
    return state.ledger.held(share(company), "supply")


def tiles_left(state: DiceState, tile: str) -> int:
    """The small tiles of a type that are not in the landscape."""
    return state.ledger.held(small(tile), "supply")


def stations_left(state: DiceState, stock: Stock) -> int:
    """The stations of a kind on the card of a company."""
    return state.ledger.held(stock.item, "card")


def passengers(state: DiceState, seat: int) -> int:
    """The passenger counters of a player."""
    return state.ledger.held("passengers", SEATS[seat])


def held_shares(state: DiceState, board: Board, company: int) -> list[int]:
    """Every player's shares of a company."""
    row = state.ledger.items[share(board.companies[company].id)]
    return [row.get(SEATS[seat], 0) for seat in range(state.seats)]


def players_sell(state: DiceState, board: Board) -> bool:
    """Whether shares can be bought from directors [share-5]."""
    gone = sum(not shares_left(state, company.id) for company in board.companies)
    return gone >= board.sold_out[state.seats]


def directed(state: DiceState, seat: int) -> list[int]:
    """The companies a player directs."""
    return [company for company, director in enumerate(state.directors) if director == seat]


def built(state: DiceState, board: Board, company: int) -> int:
    """How many stations a company has built."""
    items = state.ledger.items
    return sum(items[stock.item].get("map", 0) for stock in board.stocks_of[company])


def income(state: DiceState, board: Board, seat: int) -> tuple[int, bool, str]:
    """The income of a player in dice, whether it lies in front of the screen as question marks, and
    the rule it follows from [income-3 to income-7]."""
    least = board.economy.minimum_income
    companies = directed(state, seat)
    if not companies:
        return (least, True, "income-5") if state.fallen[seat] else (least, False, "income-7")
    stations = sum(built(state, board, company) for company in companies)
    return (stations, False, "income-4") if stations > least else (least, False, "income-3")


def clockwise(state: DiceState, first: int) -> Sequence[int]:
    """All seats clockwise, beginning with that one."""
    return [(first + n) % state.seats for n in range(state.seats)]
