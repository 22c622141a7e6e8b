"""What the rules of all steps of an 18xx title have in common."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

from kursbuch.core.play import Play, StepRules
from kursbuch.core.state import Step
from kursbuch.games.g18xx import events as happened
from kursbuch.games.g18xx.book import Book
from kursbuch.games.g18xx.pieces import BANK
from kursbuch.games.g18xx.state import EighteenState

StateT = TypeVar("StateT", bound="EighteenState[Any]")
StepT = TypeVar("StepT", bound=Step)


class EighteenRules(StepRules[StateT, StepT], Generic[StateT, StepT]):
    """The rules of one kind of step, which ask the book."""

    def __init__(self, book: Book[StateT]) -> None:
        self.book = book


def watch_bank(play: Play[Any]) -> None:
    """Once the bank has no money left, the end of the game is fixed [bank-broken]."""
    state = play.state
    if not state.broken and state.ledger.items["money"][BANK] <= 0:
        state.broken = "operating" if state.round.part else "stock"
        in_stock_round = not state.round.part
        rule = "bank-broken-in-stock-round" if in_stock_round else "bank-broken"
        play.emit(happened.BankBroken(rule=rule, in_stock_round=in_stock_round))
