"""What computer opponents ask about 1835."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from kursbuch.core.actions import Action, Choice
from kursbuch.core.evaluator import Evaluator
from kursbuch.games.g18xx.actions import (
    Answer,
    AskPrice,
    Done,
    EnterRevenue,
    OfferTrain,
    SellShares,
)
from kursbuch.games.g18xx.g1835.actions import OpenPrussia
from kursbuch.games.g18xx.g1835.book import Book1835
from kursbuch.games.g18xx.g1835.draft import Draft
from kursbuch.games.g18xx.g1835.fleet import prices
from kursbuch.games.g18xx.g1835.heuristics import Appraisal
from kursbuch.games.g18xx.g1835.imagined import Imagined1835
from kursbuch.games.g18xx.g1835.plans import stock_plans
from kursbuch.games.g18xx.g1835.state import Folding, Formed, PacketTurn, PrussiaOffer, State1835
from kursbuch.games.g18xx.g1835.turns import gains
from kursbuch.games.g18xx.prospects import Prospects
from kursbuch.games.g18xx.state import Build, Home, Place, RaiseMoney, Surplus, Swap, TrainOffer


class Judge1835(Evaluator[State1835]):
    """What computer opponents ask."""

    def __init__(self, book: Book1835) -> None:
        self.book = book
        self.prospects = Prospects(book.components)

    def evaluate(self, state: State1835) -> list[float]:
        return Appraisal(self.book, self.prospects, state).values()

    def appraise(self, state: State1835, seat: int, actions: Sequence[Action]) -> list[float]:
        return gains(self.book, self.prospects, state, seat, actions)

    def debatable(self, state: State1835, gains: Mapping[Action, float]) -> Sequence[Action]:
        """Track pays off later than anybody can look ahead, and so does the start packet, which is
        played through in thought to its end already."""
        return () if isinstance(state.agenda[-1], Build | Place | PacketTurn) else list(gains)

    def varied(
        self, state: State1835, seat: int, actions: Sequence[Action], rng: random.Random
    ) -> Action | None:
        """Everybody thinks a little differently of the papers of the start packet."""
        if not isinstance(state.agenda[-1], PacketTurn):
            return None
        gains = Draft(self.book, state, rng).gains(seat, actions)
        return actions[max(range(len(actions)), key=gains.__getitem__)]

    def passed_over(self, state: State1835, seat: int) -> Action | None:
        """Track pays off in years, and to judge it takes longer than all the rest."""
        step = state.agenda[-1] if state.agenda else None
        return Done(seat) if isinstance(step, Build | Place) else None

    def lines(
        self, state: State1835, seat: int, gains: Mapping[Action, float]
    ) -> Sequence[tuple[Action, ...]]:
        return stock_plans(self.book, self.prospects, state, seat, gains)

    def course(self, state: State1835, rng: random.Random) -> Imagined1835:
        # What connects to what takes long to find out, and the reference games knew.
        state.house = replace(state.house, free_track=True)
        return Imagined1835(self.book, self.prospects, rng)

    def amounts(self, state: State1835, choice: Choice) -> Sequence[int]:
        """Nobody runs for less than the most, and more is not earned."""
        if isinstance(choice.action, EnterRevenue):
            return ()
        if isinstance(choice.action, AskPrice) and choice.amount is not None:
            # The least that is more than the train is worth.
            step = state.agenda[-1]
            assert isinstance(step, TrainOffer)
            lost = Appraisal(self.book, self.prospects, state).lost_by_selling(step)
            if lost is None or int(lost) + 1 not in choice.amount:
                return []
            return [int(lost) + 1]
        if isinstance(choice.action, OfferTrain) and choice.amount is not None:
            return prices(self.book, state, choice.action, choice.amount)
        return super().amounts(state, choice)

    def unsettled(self, state: State1835) -> bool:
        """Whether a question has come up in the middle of a turn."""
        step = state.agenda[-1] if state.agenda else None
        return isinstance(
            step, Swap | Home | Surplus | RaiseMoney | TrainOffer | PrussiaOffer | Folding | Formed
        )

    def obvious(self, action: Action) -> bool:
        return isinstance(action, Answer | AskPrice | OpenPrussia)

    def playout_weight(self, action: Action) -> float:
        match action:
            case SellShares():
                return 0.2
            case OfferTrain():
                return 0.1
            case AskPrice():
                return 0.05
            case EnterRevenue():
                return 0.01
        return 1.0
