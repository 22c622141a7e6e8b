"""Base class of bots, and bots that look at most one move ahead."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any, TypeVar

import msgspec

from kursbuch.core.actions import Action, Choice, sampled
from kursbuch.core.evaluator import Plan
from kursbuch.core.game import Game, View
from kursbuch.core.position import Endless, Position
from kursbuch.core.title import Title

#: Maximum number of positions searched to resolve an interruption.
SETTLING_POSITIONS = 60
T = TypeVar("T")

#: An `Evaluator` method that values a position for every seat.
Valuation = Callable[[Any], Sequence[float]]

#: Actions count as equal if they differ by less than this share of the best one's gain over the mean; one of them is
#: drawn, so that games differ.
EQUAL = 0.02

#: Share of the spread of values that an unlikely action must gain.
IDLE_GAIN = 0.25


class Ranked(msgspec.Struct, frozen=True):
    """An action and its value to a bot: the player's expected lead after it, in the unit of the score. `plan` is the
    plan that was found best with it, if plans were compared."""

    action: Action
    value: float
    plan: Plan | None = None


def leeway(values: Sequence[float], part: float) -> float:
    """Margin within which a value counts as the best: `part` of the best value's lead over the mean, never negative."""
    # Average the differences: the mean of equal values can exceed them, and a sum of huge ones is infinite.
    best, share = max(values), part / len(values)
    return sum(share * best - share * value for value in values)


def nearly_best(items: Iterable[T], values: Sequence[float], part: float) -> list[T]:
    """The items with values equal to the best, within `leeway`."""
    least = max(values) - leeway(values, part)
    return [item for item, value in zip(items, values, strict=True) if value >= least]


def varied(view: View, rng: random.Random) -> Action | None:
    """The action for varied games, see `Evaluator.varied`."""
    actions = candidates(view.legal_actions(), view)
    return view.title.evaluator.varied(view.state, decision_seat(view), actions, rng)


class Bot(ABC):
    """A player that sees a game only through its view."""

    def __init__(self, name: str, seed: int | None) -> None:
        self.name = name
        self.rng = random.Random(seed)

    @abstractmethod
    def rank(self, view: View) -> list[Ranked]:
        """Rank the viewer's actions, best first. Ranges need not be complete."""

    def choose(self, view: View) -> Action:
        """Choose an action for a viewer with a pending decision."""
        return self.rank(view)[0].action

    def volunteer(self, view: View) -> Action | None:
        """A voluntary action that is better now than doing nothing, if there is one."""
        offered = candidates(view.legal_actions(), view)
        if not offered or view.seat is None:
            return None
        position = view.determinize(self.rng)
        evaluate = view.title.evaluator.evaluate
        now = advantage(settled(position.clone(), evaluate), view.seat)
        found = gains(position, view.seat, offered, now, evaluate)
        best = max(offered, key=found.__getitem__)
        return best if found[best] > 0 else None


def volunteers(position: Position[Any]) -> list[int]:
    """Seats that may act voluntarily. Not during interruptions: bots stay with their answers."""
    if position.over or position.title.evaluator.unsettled(position.state):
        return []
    return [seat for seat in position.volunteers() if position.legal_actions(seat)]


def volunteered(game: Game, bots: Mapping[int, Bot]) -> Action | None:
    """A voluntary action of one of these bots, by seat, if any."""
    for seat in volunteers(game.position):
        if seat in bots:
            action = bots[seat].volunteer(game.view(seat))
            if action is not None:
                return action
    return None


def decision_seat(view: View) -> int:
    """The seat of a view with a pending decision."""
    if view.seat is None or view.seat not in view.deciders():
        raise ValueError("the viewer has nothing to decide")
    return view.seat


def candidates(choices: Iterable[Choice], at: View | Position[Any] | None = None) -> list[Action]:
    """The actions of these choices. Long ranges give their lowest, middle and highest amount, or the amounts the
    title finds worth considering.

    >>> from kursbuch.core.actions import Range
    >>> from kursbuch.games.rocket.actions import Bid
    >>> [bid.shares for bid in candidates([Choice(Bid(0, "K10", 1), Range(1, 9))])]
    [1, 5, 9]
    """
    found: list[Action] = []
    for choice in choices:
        if choice.amount is None:
            found.append(choice.action)
            continue
        amounts = (
            sampled(choice.amount) if at is None else at.title.evaluator.amounts(at.state, choice)
        )
        found += [choice.with_amount(amount) for amount in amounts]
    return found


def is_likely(title: Title[Any], action: Action) -> bool:
    """Whether the title considers an action of this kind ordinary."""
    return title.evaluator.playout_weight(action) >= 0.5


def worthwhile(title: Title[Any], gains: Mapping[Action, float]) -> list[Action]:
    """The actions worth considering, best gain first: all ordinary ones, and unlikely ones with an immediate gain.

    Otherwise players who all lose by the end of the game would shuffle pieces for ever, which few rulebooks forbid.
    """
    ordered = sorted(gains, key=lambda action: -gains[action])
    likely = {action for action in ordered if is_likely(title, action)}
    if not likely or len(likely) == len(ordered):
        return ordered
    mean = sum(gains.values()) / len(gains)
    needed = IDLE_GAIN * sum(abs(gain - mean) for gain in gains.values()) / len(gains)
    return [action for action in ordered if action in likely or gains[action] > needed]


def advantage(values: Sequence[float], seat: int) -> float:
    """A seat's lead: half against the best opponent, half against the mean of the others."""
    rest = others(values, seat)
    if not rest:
        return values[seat]
    return values[seat] - (max(rest) + sum(rest) / len(rest)) / 2


def for_own_place(view: View, chosen: Action) -> Action:
    """Replace an action that ends the game at once by the ending with the best place, then score, for the player. It
    prevents kingmaking by a player who cannot win."""
    seat = decision_seat(view)
    if any(worth is None for worth in view.title.worth(view.state)):
        return chosen  # standings are hidden
    position = view.determinize(random.Random(0))

    def ending(action: Action) -> tuple[int, float, float] | None:
        after = position.clone()
        try:
            after.perform(action)
        except Endless:
            return None
        decline(after)
        result = after.result
        if result is None:
            return None
        scores = result.scores
        place = -sum(one > scores[seat] for one in scores)
        if seat in result.winners:
            place = 2 if len(result.winners) == 1 else 1
        return place, scores[seat], advantage(scores, seat)

    best = ending(chosen)
    if best is None:
        return chosen
    for action in candidates(view.legal_actions(), view):
        found = ending(action)
        if found is not None and found > best:
            chosen, best = action, found
    return chosen


def others(values: Sequence[float], seat: int) -> list[float]:
    """The values of all other seats."""
    return [value for other, value in enumerate(values) if other != seat]


def decline(position: Position[Any]) -> None:
    """Decline all offers to object."""
    title = position.title
    while title.evaluator.unsettled(position.state):
        pending = position.pending()
        refusal = title.standing_refusal(position.state, pending[0]) if pending else None
        if refusal is None:
            return
        position.perform(refusal[1])


def settled(position: Position[Any], valuation: Valuation) -> list[float]:
    """Value of a position for every seat after the current interruption: offers to object are declined, other
    decisions are made by each seat for itself. Changes the position."""
    decline(position)
    if position.title.evaluator.unsettled(position.state):
        return _play_out(position, valuation, [SETTLING_POSITIONS])
    return list(valuation(position.state))


def _play_out(position: Position[Any], valuation: Valuation, left: list[int]) -> list[float]:
    """Best play of all seats to the end of the interruption, within `left` positions."""
    title = position.title
    if left[0] <= 0 or not title.evaluator.unsettled(position.state):
        return list(valuation(position.state))
    seat = position.deciders()[0]
    best: list[float] | None = None
    for action in candidates(position.legal_actions(seat), position):
        left[0] -= 1
        after = position.clone()
        after.perform(action)
        values = _play_out(after, valuation, left)
        if best is None or advantage(values, seat) > advantage(best, seat):
            best = values
    return best if best is not None else list(valuation(position.state))


def outlook(position: Position[Any], action: Action, valuation: Valuation) -> list[float]:
    """Value for every seat after an action; the position is not changed."""
    after = position.clone()
    with suppress(Endless):  # value the state reached by then
        after.perform(action)
    return settled(after, valuation)


def gains(
    position: Position[Any],
    seat: int,
    actions: Sequence[Action],
    now: float,
    valuation: Valuation,
) -> dict[Action, float]:
    """Gain of each action for a seat with lead `now`, from the title's evaluation or one step ahead."""
    judged = position.title.evaluator.action_values(position.state, seat, actions)
    if judged is not None:
        return dict(zip(actions, judged, strict=True))
    return {
        action: advantage(outlook(position, action, valuation), seat) - now for action in actions
    }


class RandomBot(Bot):
    """Draws the type of action by the title's weights, then an action, then the amount."""

    def __init__(self, seed: int | None = None) -> None:
        super().__init__("random", seed)

    def choose(self, view: View) -> Action:
        decision_seat(view)
        choice = view.at_random(self.rng)
        if choice.amount is None:
            return choice.action
        step = self.rng.randrange(len(choice.amount))
        return choice.with_amount(choice.amount.low + step * choice.amount.step)

    def volunteer(self, view: View) -> Action | None:
        """None: a beginner waits to be asked."""
        return None

    def rank(self, view: View) -> list[Ranked]:
        """A single random action."""
        return [Ranked(self.choose(view), 0.0)]


#: Default percentage of choices a careless bot overlooks.
OVERLOOKED = 50


class GreedyBot(Bot):
    """Takes the action with the greatest lead one step ahead."""

    def __init__(self, seed: int | None = None) -> None:
        super().__init__("greedy", seed)

    def choose(self, view: View) -> Action:
        action = varied(view, self.rng)
        if action is not None:
            return action
        found = self.rank(view)
        values = [ranked.value for ranked in found]
        equal = nearly_best([ranked.action for ranked in found], values, EQUAL)
        return for_own_place(view, self.rng.choice(equal))

    def valuation(self, view: View) -> Valuation:
        """What positions are worth."""
        return view.title.evaluator.evaluate

    def rank(self, view: View) -> list[Ranked]:
        seat = decision_seat(view)
        position = view.determinize(self.rng)
        valuation = self.valuation(view)
        now = advantage(valuation(position.state), seat)
        found = gains(position, seat, candidates(view.legal_actions(), view), now, valuation)
        return [Ranked(action, now + found[action]) for action in worthwhile(view.title, found)]


class CarelessBot(GreedyBot):
    """Like greedy, but overlooks part of the choices, each with all its amounts. It sees at least one, and always
    passing and other obvious actions."""

    def __init__(self, seed: int | None = None, overlooked: int = OVERLOOKED) -> None:
        super().__init__(seed)
        self.name = "careless" if overlooked == OVERLOOKED else f"careless:{overlooked}"
        self.overlooked = overlooked / 100

    def choose(self, view: View) -> Action:
        found = self.rank(view)
        choices, title = view.legal_actions(), view.title
        passing = [
            title.premoves.passing(view.state, each)
            for each in view.pending
            if each.seat == view.seat
        ]
        seen = [
            choice
            for choice in choices
            if self.rng.random() >= self.overlooked
            or choice.action in passing
            or title.evaluator.obvious(choice.action)
        ]
        actions = set(candidates(seen or [self.rng.choice(choices)], view))
        return next((each.action for each in found if each.action in actions), found[0].action)
