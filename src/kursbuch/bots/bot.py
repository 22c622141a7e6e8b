"""Bots: the base class, and the bots that look at most one move ahead."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any, TypeVar

import msgspec

from kursbuch.core.actions import Action, Choice, sampled
from kursbuch.core.game import Game, View
from kursbuch.core.position import Endless, Position
from kursbuch.core.title import Title

#: Maximum number of positions searched to resolve an interruption.
SETTLING_POSITIONS = 60
T = TypeVar("T")

#: By what positions are judged: one of the methods of a `Evaluator` that give a value for every seat.
Valuation = Callable[[Any], Sequence[float]]

#: Actions whose values differ by less than this part of what the best one gains over the mean are
#: as good as each other; one of them is drawn, so that games differ.
EQUAL = 0.02

#: An action the title calls unlikely must gain at least this part of what actions differ by.
IDLE_GAIN = 0.25


class Ranked(msgspec.Struct, frozen=True):
    """An action and what a bot thinks of it: how far the player would be ahead of the others after
    it, in the unit of the title's score (negative: behind)."""

    action: Action
    value: float


def leeway(values: Sequence[float], part: float) -> float:
    """Part of what the best value is ahead of the mean: how far a value may be behind the best one and still count as
    good as it. Never negative, so the best one always counts."""
    # The mean is not taken by itself: that of equal values can come out above them, and a sum of huge ones is infinite.
    best, share = max(values), part / len(values)
    return sum(share * best - share * value for value in values)


def nearly_best(items: Iterable[T], values: Sequence[float], part: float) -> list[T]:
    """The items whose values are as good as the best one, see `leeway`."""
    least = max(values) - leeway(values, part)
    return [item for item, value in zip(items, values, strict=True) if value >= least]


def varied(view: View, rng: random.Random) -> Action | None:
    """What is done where the title wants games to differ, see `Evaluator.varied`."""
    actions = candidates(view.legal_actions(), view)
    return view.title.judge.varied(view.state, decision_seat(view), actions, rng)


class Bot(ABC):
    """A player that knows a game only through its view."""

    def __init__(self, name: str, seed: int | None) -> None:
        self.name = name
        self.rng = random.Random(seed)

    @abstractmethod
    def rank(self, view: View) -> list[Ranked]:
        """What the viewer could do now, best first. Not every amount of a range need be there."""

    def choose(self, view: View) -> Action:
        """What the bot does now; the viewer must have something to decide."""
        return self.rank(view)[0].action

    def volunteer(self, view: View) -> Action | None:
        """What the bot does although no one waits for it: what is better at once than to do nothing,
        if there is such a thing."""
        offered = candidates(view.legal_actions(), view)
        if not offered or view.seat is None:
            return None
        position = view.determinize(self.rng)
        evaluate = view.title.judge.evaluate
        now = advantage(settled(position.clone(), evaluate), view.seat)
        found = gains(position, view.seat, offered, now, evaluate)
        best = max(offered, key=found.__getitem__)
        return best if found[best] > 0 else None


def volunteers(position: Position[Any]) -> list[int]:
    """The seats that could do something now although no one waits for them. In an interruption
    everybody has been asked, so bots leave it at their answers."""
    if position.over or position.title.judge.unsettled(position.state):
        return []
    return [seat for seat in position.volunteers() if position.legal_actions(seat)]


def volunteered(game: Game, bots: Mapping[int, Bot]) -> Action | None:
    """What one of these bots, by seat, does now although no one waits for it."""
    for seat in volunteers(game.position):
        if seat in bots:
            action = bots[seat].volunteer(game.view(seat))
            if action is not None:
                return action
    return None


def decision_seat(view: View) -> int:
    """The seat of a view that has something to decide."""
    if view.seat is None or not any(decision.seat == view.seat for decision in view.pending):
        raise ValueError("the viewer has nothing to decide")
    return view.seat


def candidates(choices: Iterable[Choice], at: View | Position[Any] | None = None) -> list[Action]:
    """The single actions of choices; of a long range the lowest, middle and highest amount, or those
    the title of the position finds worth considering.

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
        amounts = sampled(choice.amount) if at is None else at.title.judge.amounts(at.state, choice)
        found += [choice.with_amount(amount) for amount in amounts]
    return found


def is_likely(title: Title[Any], action: Action) -> bool:
    """Whether the title takes an action of this kind for an ordinary one."""
    return title.judge.playout_weight(action) >= 0.5


def worthwhile(title: Title[Any], gains: Mapping[Action, float]) -> list[Action]:
    """The actions worth considering, those with the highest gain first: all ordinary ones, and the
    unlikely ones that gain something at once.

    Players who all lose by whatever brings the end nearer would otherwise shift pieces to and fro
    for ever, which few rulebooks forbid.
    """
    ordered = sorted(gains, key=lambda action: -gains[action])
    likely = {action for action in ordered if is_likely(title, action)}
    if not likely or len(likely) == len(ordered):
        return ordered
    mean = sum(gains.values()) / len(gains)
    needed = IDLE_GAIN * sum(abs(gain - mean) for gain in gains.values()) / len(gains)
    return [action for action in ordered if action in likely or gains[action] > needed]


def advantage(values: Sequence[float], seat: int) -> float:
    """How far a seat is ahead of the others: half against the best of them, half against the mean."""
    rest = others(values, seat)
    if not rest:
        return values[seat]
    return values[seat] - (max(rest) + sum(rest) / len(rest)) / 2


def for_own_place(view: View, chosen: Action) -> Action:
    """What is done in the place of an action that ends the game at once: of all that do so, the one after which the
    player's place is best, and then what he has. Who cannot win any more would otherwise take something from one of
    the others only to have another win."""
    seat = decision_seat(view)
    if any(worth is None for worth in view.title.worth(view.state)):
        return chosen  # who is where cannot be known
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
    """The values of all seats but one."""
    return [value for other, value in enumerate(values) if other != seat]


def decline(position: Position[Any]) -> None:
    """Let everybody decline who is offered to object."""
    title = position.title
    while title.judge.unsettled(position.state):
        pending = position.pending()
        refusal = title.standing_refusal(position.state, pending[0]) if pending else None
        if refusal is None:
            return
        position.perform(refusal[1])


def settled(position: Position[Any], valuation: Valuation) -> list[float]:
    """What a position is worth for every seat once the interruption it stands in is over: offers to
    object are declined, in what is left every seat decides for itself. Changes the position."""
    decline(position)
    if position.title.judge.unsettled(position.state):
        return _play_out(position, valuation, [SETTLING_POSITIONS])
    return list(valuation(position.state))


def _play_out(position: Position[Any], valuation: Valuation, left: list[int]) -> list[float]:
    """Everybody's best play to the end of the interruption, as far as `left` positions allow."""
    title = position.title
    if left[0] <= 0 or not title.judge.unsettled(position.state):
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
    """What the position is worth for every seat after an action; the position stays as it is."""
    after = position.clone()
    with suppress(Endless):  # what it came to by then
        after.perform(action)
    return settled(after, valuation)


def gains(
    position: Position[Any],
    seat: int,
    actions: Sequence[Action],
    now: float,
    valuation: Valuation,
) -> dict[Action, float]:
    """What each action brings a seat that is `now` so far ahead: as the title judges it, or found
    by looking one step ahead."""
    judged = position.title.judge.appraise(position.state, seat, actions)
    if judged is not None:
        return dict(zip(actions, judged, strict=True))
    return {
        action: advantage(outlook(position, action, valuation), seat) - now for action in actions
    }


class RandomBot(Bot):
    """Draws the kind of action first (by the title's weights), then one of that kind, then the amount."""

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
        """Nothing: a beginner waits to be asked."""
        return None

    def rank(self, view: View) -> list[Ranked]:
        """One action drawn at random: a beginner has no opinion on the others."""
        return [Ranked(self.choose(view), 0.0)]


#: How much of what it could do a careless bot overlooks, in percent, if nothing else is said.
OVERLOOKED = 50


class GreedyBot(Bot):
    """Takes the action after which it is furthest ahead of the others."""

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

    def rank(self, view: View) -> list[Ranked]:
        seat = decision_seat(view)
        position = view.determinize(self.rng)
        evaluate = view.title.judge.evaluate
        now = advantage(evaluate(position.state), seat)
        found = gains(position, seat, candidates(view.legal_actions(), view), now, evaluate)
        return [Ranked(action, now + found[action]) for action in worthwhile(view.title, found)]


class CarelessBot(GreedyBot):
    """Looks one step ahead like greedy, but overlooks part of what it could do, an offer with all its amounts: it
    takes the best of what it sees, and it sees something always, so its moves make sense. That it may pass it never
    overlooks, nor anything else that is obvious."""

    def __init__(self, seed: int | None = None, overlooked: int = OVERLOOKED) -> None:
        super().__init__(seed)
        self.name = "careless" if overlooked == OVERLOOKED else f"careless:{overlooked}"
        self.overlooked = overlooked / 100

    def choose(self, view: View) -> Action:
        found = self.rank(view)
        choices, title = view.legal_actions(), view.title
        passing = [
            title.ahead.passing(view.state, each) for each in view.pending if each.seat == view.seat
        ]
        seen = [
            choice
            for choice in choices
            if self.rng.random() >= self.overlooked
            or choice.action in passing
            or title.judge.obvious(choice.action)
        ]
        actions = set(candidates(seen or [self.rng.choice(choices)], view))
        return next((each.action for each in found if each.action in actions), found[0].action)
