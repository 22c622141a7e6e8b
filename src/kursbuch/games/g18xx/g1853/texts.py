"""The sentences of 1853, put together."""

from __future__ import annotations

from kursbuch.games.g18xx.g1853.book import Book1853
from kursbuch.games.g18xx.g1853.corrections import KINDS
from kursbuch.games.g18xx.g1853.text.holdings import Holdings1853
from kursbuch.games.g18xx.g1853.text.log import Log1853
from kursbuch.games.g18xx.g1853.text.picks import Picks1853
from kursbuch.games.g18xx.g1853.text.prompts import Prompts1853
from kursbuch.games.g18xx.g1853.text.sums import Sums1853
from kursbuch.games.g18xx.text.texts import Texts


class Texts1853(Log1853, Prompts1853, Picks1853, Holdings1853, Sums1853, Texts[Book1853]):
    """What is said about a game of 1853 to one reader."""

    corrections = KINDS
