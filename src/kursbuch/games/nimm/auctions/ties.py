"""The player who started the auction decides between equal bids; he may favour himself."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kursbuch.core.actions import Action, Choice
from kursbuch.core.errors import IllegalAction, Players
from kursbuch.games.nimm import events as happened
from kursbuch.games.nimm.actions import Favour
from kursbuch.games.nimm.asking import NimmRules
from kursbuch.games.nimm.auctions.common import sell
from kursbuch.games.nimm.auctions.open import ask_others
from kursbuch.games.nimm.holdings import NimmPlay, needy
from kursbuch.games.nimm.state import NimmState, Tie

RULE = "auction-general-2"


class TieRules(NimmRules[Tie]):
    """One of the equal bids wins, or, in a round of an open auction, stands [auction-general-2]."""

    def deciders(self, state: NimmState, step: Tie) -> Sequence[int]:
        return (step.starter,)

    def candidates(self, state: NimmState, step: Tie, seat: int) -> Iterable[Choice]:
        return favours(seat, step.tied)

    def step_problem(self, state: NimmState, step: Tie, action: Action) -> IllegalAction | None:
        return favour_problem(step.tied, action)

    def left_out(self, state: NimmState, step: Tie, seat: int) -> IllegalAction | None:
        return not_the_starter(step.starter)

    def perform(self, state: NimmState, step: Tie, action: Action, play: NimmPlay) -> None:
        assert isinstance(action, Favour)
        play.done()
        emit_favour(play, action, step.tied)
        if state.auction == "open":
            seats = needy(state, self.cards)
            ask_others(play, step.starter, step.loco, seats, action.player, step.bid)
        else:
            sell(play, action.player, step.loco, step.bid, step.starter)


def favours(seat: int, tied: Sequence[int]) -> list[Choice]:
    """The ways to decide between tied players."""
    return [Choice(Favour(seat, player)) for player in tied]


def not_the_starter(starter: int) -> IllegalAction:
    """Why the others do not decide."""
    return IllegalAction(
        RULE,
        "{players} started the auction and decides between the equal bids.",
        players=Players((starter,)),
    )


def favour_problem(tied: Sequence[int], action: Action) -> IllegalAction | None:
    """Why an action is no decision between the tied players."""
    if not isinstance(action, Favour):
        return IllegalAction(RULE, "You decide which of the equal bids comes first.")
    if action.player not in tied:
        return IllegalAction(
            RULE,
            "{players} is not among those with the equal bids.",
            players=Players((action.player,)),
        )
    return None


def emit_favour(play: NimmPlay, action: Favour, tied: Sequence[int]) -> None:
    """Report how the starter decided."""
    play.emit(
        happened.TieBroken(rule=RULE, seat=action.seat, player=action.player, tied=tuple(tied))
    )
