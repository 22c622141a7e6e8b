"""The sentences of 1853: log lines, prompts, choices, holdings."""

from __future__ import annotations

from kursbuch.eighteen.t1853.book import POLICY, Book1853
from kursbuch.eighteen.words.texts import Texts


class Texts1853(Texts[Book1853]):
    """What is said about a game of 1853 to one reader."""

    currency = POLICY.currency
