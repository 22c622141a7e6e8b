"""Illegal contracts, where the table allows them: showing one, the vote, the penalty [2.5.12, 4.3.2]."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from kursbuch.core.actions import Action, Choice
from kursbuch.core.errors import IllegalAction
from kursbuch.core.play import Play, StepRules
from kursbuch.core.state import Step
from kursbuch.core.words import N_
from kursbuch.games.g18xx.g1853 import contracts
from kursbuch.games.g18xx.g1853 import events as here
from kursbuch.games.g18xx.g1853.actions import ShowContract, Vote
from kursbuch.games.g18xx.g1853.book import Book1853
from kursbuch.games.g18xx.g1853.state import Pardon, State1853
from kursbuch.games.g18xx.rules.steps import EighteenRules
from kursbuch.games.g18xx.state import Build, BuyTrains, Pay, Place, StockTurn


class WithClaims(StepRules[State1853, Any]):
    """The rules of a step in which the owner of a connected illegal contract may show it, whoever's turn
    it is [4.3.2]."""

    def __init__(self, book: Book1853, rules: StepRules[State1853, Any]) -> None:
        self.book = book
        self.rules = rules

    def deciders(self, state: State1853, step: Any) -> Sequence[int]:
        return self.rules.deciders(state, step)

    def volunteers(self, state: State1853, step: Any) -> Sequence[int]:
        return [seat for seat in range(state.seats) if contracts.claimable(self.book, state, seat)]

    def choices(self, state: State1853, step: Any, seat: int) -> list[Choice]:
        found = self.rules.choices(state, step, seat) if seat in self.deciders(state, step) else []
        if contracts.claimable(self.book, state, seat):
            found = [*found, Choice(ShowContract(seat))]
        return found

    def attempts(
        self, state: State1853, step: Any, seat: int, keys: Sequence[str]
    ) -> Iterable[Action]:
        return self.rules.attempts(state, step, seat, keys)

    def candidates(self, state: State1853, step: Any, seat: int) -> Iterable[Choice]:
        return self.rules.candidates(state, step, seat)

    def problem(self, state: State1853, step: Any, action: Action) -> IllegalAction | None:
        if isinstance(action, ShowContract) and contracts.claimable(self.book, state, action.seat):
            return None
        if isinstance(action, ShowContract) or action.seat not in self.deciders(state, step):
            return self.not_asked(state, step, action)
        return self.rules.problem(state, step, action)

    def not_asked(self, state: State1853, step: Any, action: Action) -> IllegalAction:
        if not isinstance(action, ShowContract):
            return self.rules.not_asked(state, step, action)
        return IllegalAction(
            "4.3.2", "You have no connected contract that you could show by yourself."
        )

    def perform(self, state: State1853, step: Any, action: Action, play: Play[State1853]) -> None:
        if isinstance(action, ShowContract):
            contracts.show(self.book, play, action.seat, legal=False)
        else:
            self.rules.perform(state, step, action, play)

    def run(self, state: State1853, step: Any, play: Play[State1853]) -> None:
        self.rules.run(state, step, play)


class PardonRules(EighteenRules[State1853, Pardon]):
    """All others vote in secret and at the same time; more than half of them have to pardon [4.3.2]."""

    book: Book1853
    asks = ("4.3.2", N_("Now it is voted about an illegal contract."))
    whose = "4.3.2"

    def deciders(self, state: State1853, step: Pardon) -> Sequence[int]:
        return step.waiting

    def candidates(self, state: State1853, step: Pardon, seat: int) -> Iterable[Choice]:
        return [Choice(Vote(seat, pardons)) for pardons in (True, False)]

    def problem(self, state: State1853, step: Pardon, action: Action) -> IllegalAction | None:
        return None if isinstance(action, Vote) else super().problem(state, step, action)

    def perform(
        self, state: State1853, step: Pardon, action: Action, play: Play[State1853]
    ) -> None:
        assert isinstance(action, Vote)
        step.waiting.remove(action.seat)
        step.votes[action.seat] = action.pardons
        if step.waiting:
            return
        play.done()
        pardoned = 2 * sum(step.votes.values()) > len(step.votes)
        votes = tuple(sorted(step.votes.items()))
        play.emit(here.PardonDecided(rule="4.3.2", seat=step.seat, votes=votes, pardoned=pardoned))
        if not pardoned:
            state.penalties[step.seat] = state.round.number + 1


def steps(
    book: Book1853, known: Mapping[type[Step], StepRules[Any, Any]]
) -> dict[type[Step], StepRules[Any, Any]]:
    """The rules of these steps, and of those in which a contract may be shown."""
    kinds: tuple[type[Step], ...] = (Build, Place, Pay, BuyTrains, StockTurn)
    return {Pardon: PardonRules(book)} | {kind: WithClaims(book, known[kind]) for kind in kinds}
