"""A bot that moves at random."""

from __future__ import annotations

from kursbuch.bots.base import Bot, Ranked, decision_seat
from kursbuch.core.actions import Action
from kursbuch.core.game import View


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
