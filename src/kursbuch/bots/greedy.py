"""A bot that looks one step ahead with the title's evaluation."""

from __future__ import annotations

from kursbuch.bots.base import (
    Bot,
    Ranked,
    advantage,
    candidates,
    decision_seat,
    gains,
    worthwhile,
)
from kursbuch.core.actions import Action
from kursbuch.core.game import View

#: Actions whose values differ by less than this part of what the best one gains over the mean are
#: as good as each other; one of them is drawn, so that games differ.
EQUAL = 0.02

#: How far off a careless bot's judgement is (standard deviation), as a part of what the best action
#: gains over the mean.
MISJUDGED = 1.0


class GreedyBot(Bot):
    """Takes the action after which it is furthest ahead of the others."""

    def __init__(self, seed: int | None = None) -> None:
        super().__init__("greedy", seed)

    def choose(self, view: View) -> Action:
        found = self.rank(view)
        best = found[0].value
        mean = sum(ranked.value for ranked in found) / len(found)
        enough = best - EQUAL * (best - mean)
        return self.rng.choice([ranked.action for ranked in found if ranked.value >= enough])

    def rank(self, view: View) -> list[Ranked]:
        seat = decision_seat(view)
        position = view.determinize(self.rng)
        now = advantage(view.title.judge.evaluate(position.state), seat)
        found = gains(position, seat, candidates(view.legal_actions(), view), now)
        return [Ranked(action, now + found[action]) for action in worthwhile(view.title, found)]


class CarelessBot(GreedyBot):
    """Looks one step ahead like greedy, but misjudges what it sees."""

    def __init__(self, seed: int | None = None) -> None:
        super().__init__(seed)
        self.name = "careless"

    def choose(self, view: View) -> Action:
        found = self.rank(view)
        best = found[0].value
        mean = sum(ranked.value for ranked in found) / len(found)
        error = MISJUDGED * (best - mean)
        seen = [self.rng.gauss(ranked.value, error) for ranked in found]
        return found[seen.index(max(seen))].action
