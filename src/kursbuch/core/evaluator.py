"""Evaluation for computer opponents: the value of positions and actions, and the plans they serve."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Generic, TypeVar

import msgspec

from kursbuch.core.actions import Action, Choice, sampled
from kursbuch.core.sentences import Told
from kursbuch.core.state import State

StateT_contra = TypeVar("StateT_contra", bound="State[Any]", contravariant=True)


class Plan(msgspec.Struct, frozen=True):
    """A short line of actions of one seat that serve a purpose together, such as a sale and the purchase it pays for.

    Other seats may act between them. Bots compare the plans of a title (`Evaluator.plans`), hints name the best one,
    and a move is as good as the best plan that begins with it. A title declares its kinds of plan as subclasses with
    a sentence about what to do and why; `Voice.plan` writes it. Placeholders are fields and properties of the plan. A
    plan of a single action needs no sentence.

    >>> from kursbuch.core.sentences import Sentence
    >>> from kursbuch.core.voice import Speech
    >>> from kursbuch.core.words import Words
    >>> from kursbuch.games.g18xx.actions import BuyShare, SellShares
    >>> class SaleForShare(Plan, frozen=True):
    ...     SENTENCE = Sentence("Sell {sold}, then buy {bought}.")
    ...     sold = property(lambda self: self.actions[0].company)
    ...     bought = property(lambda self: self.actions[1].company)
    >>> plan = SaleForShare((SellShares(0, "SX", ("10",)), BuyShare(0, "BA", "20P", "stack")))
    >>> plan.first == plan.actions[0], len(plan), plan.SENTENCE.said(Speech(Words("en")), plan)
    (True, 2, 'Sell SX, then buy BA.')
    """

    #: What to do and why, addressed to the player.
    SENTENCE: ClassVar[Told | None] = None

    actions: tuple[Action, ...]

    def __len__(self) -> int:
        return len(self.actions)

    @property
    def first(self) -> Action:
        """The action to play now."""
        return self.actions[0]


class PlayoutPolicy(ABC, Generic[StateT_contra]):
    """A fast policy for playing a game out."""

    @abstractmethod
    def action(self, state: StateT_contra, seat: int) -> Action | None:
        """The action to play without evaluation; None if the decision matters."""

    def action_values(
        self, state: StateT_contra, seat: int, actions: Sequence[Action]
    ) -> Sequence[float] | None:
        """Gains of the actions, if they can be computed faster than by `Evaluator.action_values`; else None."""
        return None


class Playout(ABC, Generic[StateT_contra]):
    """A title's own playout: which actions are played, how far, and the resulting values."""

    @abstractmethod
    def action(self, state: StateT_contra, seat: int) -> Action | None:
        """A quickly found action of the seat that uses no hidden information; None once the playout has gone far
        enough."""

    @abstractmethod
    def worth(self, state: StateT_contra) -> Sequence[float]:
        """Value of the final position of the playout for each seat."""


class Evaluator(ABC, Generic[StateT_contra]):
    """A title's evaluation (`Title.evaluator`), used only by computer opponents and hints.

    Only `evaluate` is required. Values are in the unit of the score (`Title.scores`). States are complete, or guesses
    consistent with a view (`Title.determinize`), and must not be changed.
    """

    #: Whether each seat of a simulation guesses the hidden information itself, because much depends on it (secret
    #: bids).
    guess_per_seat: ClassVar[bool] = False

    #: Whether the game has no chance after set-up and no decisive hidden information, so that a search can include
    #: every reply.
    certain: ClassVar[bool] = False

    #: Part of a search's time for one decision, where turns consist of many small steps.
    part_of_turn: ClassVar[float] = 1.0

    #: Decisions of all seats after which reviews value a playout, if games cannot be played out: far enough to see what
    #: an action brings, and not so far that it drowns in what comes after.
    foresight: ClassVar[int] = 100

    #: Uncertainty of the final score when a game begins that is not seen in the playouts of reviews, as a share of the
    #: highest score.
    uncertainty: ClassVar[float] = 0.06

    @property
    def evaluates_actions(self) -> bool:
        """Whether actions are evaluated directly (`action_values`)."""
        return type(self).action_values is not Evaluator.action_values

    @property
    def supports_plans(self) -> bool:
        """Whether games can be played out to the end (`plans`, `playout_policy`)."""
        return type(self).plans is not Evaluator.plans

    @property
    def supports_playouts(self) -> bool:
        """Whether the title has playouts of its own (`playout`)."""
        return type(self).playout is not Evaluator.playout

    @abstractmethod
    def evaluate(self, state: StateT_contra) -> Sequence[float]:
        """Value of the position for each seat: the score plus what it may still become."""

    def leaf_value(self, state: StateT_contra) -> Sequence[float]:
        """Leaf value for searches: `evaluate` unless the title has something better, such as a fit to earlier games.
        Only differences between seats matter."""
        return self.evaluate(state)

    def action_values(
        self, state: StateT_contra, seat: int, actions: Sequence[Action]
    ) -> Sequence[float] | None:
        """Gain of each of these legal actions for the seat, where that is better than evaluating the position after
        it; None in titles that never can."""
        return None

    def debatable(self, state: StateT_contra, gains: Mapping[Action, float]) -> Sequence[Action]:
        """The actions worth searching further, given their gains. With fewer than two, computer opponents do not
        search."""
        return list(gains)

    def varied(
        self,
        state: StateT_contra,
        seat: int,
        actions: Sequence[Action],
        rng: random.Random,
    ) -> Action | None:
        """An action drawn from the nearly best ones where games should vary (openings); None to play the best."""
        return None

    def at_stake(self, state: StateT_contra, action: Action) -> float | None:
        """Value to the bidder of what a bid is for; None for actions that are not bids."""
        return None

    def passed_over(self, state: StateT_contra, seat: int) -> Action | None:
        """The action that skips a decision of little effect in simulations (track that pays off much later); None if
        the decision matters."""
        return None

    def playout_policy(
        self, state: StateT_contra, rng: random.Random
    ) -> PlayoutPolicy[StateT_contra] | None:
        """A policy that plays this game out to the end; None if that takes too long. The state belongs to the
        simulation and may be simplified for speed."""
        return None

    def playout(self, state: StateT_contra, rng: random.Random) -> Playout[StateT_contra] | None:
        """A playout from this state, where the title can look faster or further than by one action per decision; else
        None. The state belongs to the simulation, a player has yet to act, and hidden moves of the others may be
        guessed again."""
        return None

    def plans(
        self, state: StateT_contra, seat: int, gains: Mapping[Action, float]
    ) -> Sequence[Plan] | None:
        """Plans worth playing out to the end (`playout_policy`), given the gains of the actions, those that look best
        first. Empty if there are none; None in a title whose games cannot be played out."""
        return None

    def playout_weight(self, action: Action) -> float:
        """Weight of this kind of action in a random playout; the default is 1."""
        return 1.0

    def obvious(self, action: Action) -> bool:
        """Whether even a careless player would see an action of this kind, such as an answer to a question. Passing
        (`Premoves.passing`) always counts."""
        return False

    def unsettled(self, state: StateT_contra) -> bool:
        """Whether the top step interrupts play (a veto, an auction), so that the position can only be valued after
        it. Computer opponents look past such steps."""
        return False

    def amounts(self, state: StateT_contra, choice: Choice) -> Sequence[int]:
        """The amounts of a choice worth considering, to avoid trying a whole range; empty if the choice is not worth
        considering."""
        return sampled(choice.amount) if choice.amount is not None else ()
