"""What a title tells computer opponents beyond its rules: what positions and actions are worth."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Generic, TypeVar

from kursbuch.core.actions import Action, Choice, sampled
from kursbuch.core.state import State

StateT_contra = TypeVar("StateT_contra", bound="State[Any]", contravariant=True)


class PlayoutPolicy(ABC, Generic[StateT_contra]):
    """How an imagined game goes on where decisions are not worth a thought."""

    @abstractmethod
    def action(self, state: StateT_contra, seat: int) -> Action | None:
        """What is done without a thought; None where a decision matters."""

    def appraise(
        self, state: StateT_contra, seat: int, actions: Sequence[Action]
    ) -> Sequence[float] | None:
        """What each of these actions gains where a decision matters, if that can be judged more quickly
        than `Evaluator.appraise` does; None if it cannot."""
        return None


class Playout(ABC, Generic[StateT_contra]):
    """How a title itself imagines what comes next: what everybody does, how far, and what it comes to."""

    @abstractmethod
    def action(self, state: StateT_contra, seat: int) -> Action | None:
        """What the seat does, found quickly and without what is hidden from it; None where the playout has
        gone far enough."""

    @abstractmethod
    def worth(self, state: StateT_contra) -> Sequence[float]:
        """How good the position is for each seat where the playout ends."""


class Evaluator(ABC, Generic[StateT_contra]):
    """A title's judgement (`Title.judge`), which only computer opponents and hints ask.

    Only `evaluate` must be given. All values are in the unit of the score (`Title.scores`). States
    are full ones, or guesses that fit a view (`Title.determinize`); they are never changed.
    """

    #: Whether the seats in what computer opponents imagine guess again what is hidden from them, because
    #: much depends on it there (secret bids).
    guess_anew: ClassVar[bool] = False

    #: Whether nothing is left to chance once a game has begun, and nothing hidden decides it: a search can then look
    #: at what everybody will answer.
    certain: ClassVar[bool] = False

    @property
    def judges_actions(self) -> bool:
        """Whether actions are judged by themselves (`appraise`)."""
        return type(self).appraise is not Evaluator.appraise

    @property
    def imagines_games(self) -> bool:
        """Whether games can be imagined to their end (`lines`, `course`)."""
        return type(self).lines is not Evaluator.lines

    @property
    def imagines_playouts(self) -> bool:
        """Whether the title itself imagines what follows (`playout`)."""
        return type(self).playout is not Evaluator.playout

    @abstractmethod
    def evaluate(self, state: StateT_contra) -> Sequence[float]:
        """How good the position is for each seat: the score, and what it may still become."""

    def foresee(self, state: StateT_contra) -> Sequence[float]:
        """What searches judge positions by: `evaluate`, unless the title has something better, such as what
        earlier games came to. Only differences between seats mean anything."""
        return self.evaluate(state)

    def appraise(
        self, state: StateT_contra, seat: int, actions: Sequence[Action]
    ) -> Sequence[float] | None:
        """What each of these legal actions gains for the seat, where the title can judge that better
        than by evaluating the position after it; None in titles that never can."""
        return None

    def debatable(self, state: StateT_contra, gains: Mapping[Action, float]) -> Sequence[Action]:
        """Of actions that gain so much, those between which playing on shows more than that. With
        fewer than two computer opponents do not search."""
        return list(gains)

    def varied(
        self,
        state: StateT_contra,
        seat: int,
        actions: Sequence[Action],
        rng: random.Random,
    ) -> Action | None:
        """What the seat does of these actions where games are to differ although one action is judged
        best (openings): drawn among what is nearly as good. None where the best one is to be done."""
        return None

    def at_stake(self, state: StateT_contra, action: Action) -> float | None:
        """What the thing a bid is for is worth to the bidder; None for actions that are no bids."""
        return None

    def passed_over(self, state: StateT_contra, seat: int) -> Action | None:
        """The action by which a decision is passed over in what computer opponents imagine of the
        course of play, because it changes little there (track that pays off much later). None where
        a decision matters."""
        return None

    def course(
        self, state: StateT_contra, rng: random.Random
    ) -> PlayoutPolicy[StateT_contra] | None:
        """A course by which a game from this state on can be imagined to its end; None if that would
        take too long. The state is that of the imagined game: what is slow in it may be made easier."""
        return None

    def playout(self, state: StateT_contra, rng: random.Random) -> Playout[StateT_contra] | None:
        """How a search imagines what follows on a state, where the title can do that more quickly or further
        than by looking one action ahead for every decision; None in titles that cannot. The state is that of
        the imagined game, in which a player has yet to act: what others have done secretly may be guessed
        better in it."""
        return None

    def lines(
        self, state: StateT_contra, seat: int, gains: Mapping[Action, float]
    ) -> Sequence[tuple[Action, ...]] | None:
        """What is worth playing out to the end of the game (`course`): single actions, and several of
        the seat that make sense only together; the actions come with what they gain. Empty where
        nothing is; None in a title whose games cannot be imagined to their end."""
        return None

    def playout_weight(self, action: Action) -> float:
        """How likely an action of this kind is in a random playout, against 1 for the others."""
        return 1.0

    def obvious(self, action: Action) -> bool:
        """Whether no one overlooks an action of this kind, however careless: an answer to a question. Passing
        (`Premoves.passing`) always is."""
        return False

    def unsettled(self, state: StateT_contra) -> bool:
        """Whether the top step interrupts the course of play (an objection, an auction) so that the
        worth of a position shows only when it is over. Computer opponents look past such steps."""
        return False

    def amounts(self, state: StateT_contra, choice: Choice) -> Sequence[int]:
        """The amounts of a choice worth considering; opponents need not look at every one of a long
        range. Empty for a choice that is not worth considering."""
        return sampled(choice.amount) if choice.amount is not None else ()
