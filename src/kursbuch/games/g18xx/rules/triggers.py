"""The moments at which a title may do something of its own."""

from __future__ import annotations

from typing import Generic

from kursbuch.core.play import Play
from kursbuch.core.state import Step
from kursbuch.games.g18xx.state import (
    EndGame,
    Limits,
    OperatingRound,
    Round,
    StateT,
    StockRound,
    StockTurn,
)


class Triggers(Generic[StateT]):
    """What happens at certain moments. What is pushed on the agenda comes before everything that is
    already there."""

    def first_turn(self, state: StateT) -> Step:
        """The first turn of a stock round [stock-round-start]."""
        return StockTurn(state.priority)

    def stock_round_began(self, play: Play[StateT]) -> None:
        """A stock round has begun; its first turn lies on the agenda."""

    def stock_round_over(self, play: Play[StateT]) -> None:
        """Nobody has bought any more; prices and the priority marker have not moved yet."""

    def priority_moved(self, play: Play[StateT]) -> None:
        """A stock round has ended; what follows lies on the agenda."""

    def after_stock_round(self, state: StateT) -> Step:
        """What follows a stock round: operating rounds [rounds]."""
        return OperatingRound(1)

    def operating_round_began(self, play: Play[StateT]) -> None:
        """An operating round has begun; its first company lies on the agenda."""

    def next_round(self, state: StateT) -> Step:
        """What follows an operating round: the end of the game, the next one, or a stock round
        [rounds, operating-round-end, bank-broken]."""
        part = state.round.part
        if state.broken:
            return EndGame()
        if part < state.round.parts:
            return OperatingRound(part + 1)
        return StockRound(state.round.number + 1)

    def company_corrected(self, state: StateT, company: str) -> None:
        """A correction has changed the status or the price of a company: what a title keeps about it
        follows."""

    def round_corrected(self, state: StateT, before: Round) -> None:
        """A correction has led to another round than the one played `before`: what held only for that one
        is over."""

    def tile_laid(self, play: Play[StateT], hex: str, private: str) -> None:
        """A tile has been laid on a hex, by the right of a private railway if it is named."""

    def station_placed(self, play: Play[StateT], company: str, hex: str, stop: int) -> None:
        """A company has placed a marker in a stop of a hex."""

    def free_station_placed(self, play: Play[StateT], private: str) -> None:
        """A marker has been placed by the right of a private railway."""

    def train_bought(self, play: Play[StateT], company: str, train: str, source: str) -> None:
        """A company has bought a train of the bank, the pool or another company (`source`)."""

    def phase_began(self, play: Play[StateT], company: str, seat: int) -> None:
        """A purchase of this company has begun a phase, and trains have been scrapped; `seat` acts
        for it. Trains above the limits are given back [surplus-trains]."""
        play.push(Limits(seat))

    def player_left(self, play: Play[StateT], seat: int) -> None:
        """A player has left the game: what becomes of his privates and minors [bankruptcy]."""
