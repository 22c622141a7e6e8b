"""A bot that looks one step ahead with the title's evaluation."""

from __future__ import annotations

from kursbuch.bots.base import (
    EQUAL,
    Bot,
    Ranked,
    advantage,
    candidates,
    decision_seat,
    for_own_place,
    gains,
    nearly_best,
    varied,
    worthwhile,
)
from kursbuch.core.actions import Action
from kursbuch.core.game import View

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
