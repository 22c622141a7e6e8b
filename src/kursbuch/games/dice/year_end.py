"""The year change and the end of the game. Ids in brackets are those of rules.toml."""

from __future__ import annotations

from kursbuch.core.play import StepRules
from kursbuch.games.dice import events as happened
from kursbuch.games.dice.components import Board
from kursbuch.games.dice.geography import chains, station_places
from kursbuch.games.dice.holdings import (
    DicePlay,
    behind,
    clockwise,
    directed,
    faces,
    held_shares,
    passengers,
)
from kursbuch.games.dice.state import QUESTION, SEATS, DiceState, FinalCount, Turn, YearChange


def carry_passengers(state: DiceState, board: Board, play: DicePlay) -> None:
    """Every company's longest chain of stations earns its present director as many counters
    [passenger-1 to passenger-5]."""
    places = station_places(state)
    for index, company in enumerate(board.companies):
        length = chains(places, index)
        if not length:
            continue
        seat = state.directors[index]
        play.emit(
            happened.ChainCounted(rule="passenger-1", company=company.id, length=length, seat=seat)
        )
        if seat is None:
            continue
        state.ledger.move("passengers", "bank", SEATS[seat], length)
        play.emit(
            happened.PassengersCarried(
                rule="passenger-3",
                secret_to=(seat,),
                amounts=tuple(length if other == seat else 0 for other in range(state.seats)),
                company=company.id,
                seat=seat,
                total=passengers(state, seat),
            )
        )


def director(state: DiceState, board: Board, company: int) -> int | None:
    """Who directs a company by its shares now: the most shares, the present director before others
    with as many, then the next clockwise from him [director-1 to director-3]."""
    held = held_shares(state, board, company)
    most = max(held)
    if not most:
        return None
    # Clockwise from the present director, himself first; without one, from the start player.
    present = state.directors[company]
    first = state.start if present is None else present
    return next(seat for seat in clockwise(state, first) if held[seat] == most)


def appoint_directors(state: DiceState, board: Board, play: DicePlay) -> None:
    """All companies at once; who lost the last one will have the special income [income-5]."""
    had = [bool(directed(state, seat)) for seat in range(state.seats)]
    new = [director(state, board, company) for company in range(len(board.companies))]
    for company, seat in enumerate(new):
        previous = state.directors[company]
        if seat != previous:
            play.emit(
                happened.DirectorAppointed(
                    rule="director-1",
                    company=board.companies[company].id,
                    seat=seat,
                    previous=previous,
                )
            )
    state.directors[:] = new
    state.fallen[:] = [had[seat] and seat not in new for seat in range(state.seats)]


class YearChangeRules(StepRules[DiceState, YearChange]):
    """Passengers, directors, start player, in this order [year-1]."""

    def __init__(self, board: Board) -> None:
        self.board = board

    def run(self, state: DiceState, step: YearChange, play: DicePlay) -> None:
        play.done()
        if state.ending:
            # The final count replaces the year change [end-5].
            play.push(FinalCount())
            return
        carry_passengers(state, self.board, play)
        appoint_directors(state, self.board, play)
        state.start = (state.start + 1) % state.seats
        state.year += 1
        state.turns = 0
        play.emit(happened.YearBegun(rule="startplayer-1", year=state.year, seat=state.start))
        play.push(Turn(state.start))


class FinalCountRules(StepRules[DiceState, FinalCount]):
    """Passengers are determined once more, then the screens are lifted [end-5, end-6, win-1]."""

    def __init__(self, board: Board) -> None:
        self.board = board

    def run(self, state: DiceState, step: FinalCount, play: DicePlay) -> None:
        play.done()
        carry_passengers(state, self.board, play)
        seats = range(state.seats)
        play.emit(
            happened.ScreensLifted(
                rule="win-1",
                passengers=tuple(passengers(state, seat) for seat in seats),
                questions=tuple(faces(state, seat)[QUESTION] for seat in seats),
                dice=tuple(all_dice(state, seat) for seat in seats),
            )
        )


def all_dice(state: DiceState, seat: int) -> int:
    """A player's dice before and behind the screen."""
    return sum(faces(state, seat)) + behind(state, seat)


def winners(state: DiceState) -> tuple[int, ...]:
    """Most passengers, then most question marks in front, then most dice; who is equal in all of
    these shares the victory [win-1, win-2]."""
    ranks = [
        (passengers(state, seat), faces(state, seat)[QUESTION], all_dice(state, seat))
        for seat in range(state.seats)
    ]
    return tuple(seat for seat, rank in enumerate(ranks) if rank == max(ranks))
