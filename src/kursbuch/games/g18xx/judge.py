"""A plain judgement for titles that have none of their own yet."""

from __future__ import annotations

from typing import Any

from kursbuch.core.evaluator import Evaluator
from kursbuch.games.g18xx.book import Book
from kursbuch.games.g18xx.pieces import PLAYERS


class Worth(Evaluator[Any]):
    """A position is worth the cash, the shares at market price (before a company is in operation at
    the issue price), and a part of what the companies have."""

    #: How much of a treasury its shareholders may hope for.
    TREASURY = 0.3

    def __init__(self, book: Book[Any]) -> None:
        self.book = book

    def evaluate(self, state: Any) -> list[float]:
        book = self.book
        values = [float(book.cash(state, seat)) for seat in range(state.seats)]
        for name, public in book.public.items():
            price = book.market.price(state, name) or public.par
            whole = 10 * price + self.TREASURY * book.money(state, name)
            for seat in range(state.seats):
                values[seat] += whole * book.percent(state, PLAYERS[seat], name) / 100
        return values
