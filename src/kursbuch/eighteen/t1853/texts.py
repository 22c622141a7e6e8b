"""The sentences of 1853, put together."""

from __future__ import annotations

from kursbuch.eighteen.t1853.book import Book1853
from kursbuch.eighteen.t1853.corrections import KINDS
from kursbuch.eighteen.t1853.words.holdings import Holdings1853
from kursbuch.eighteen.t1853.words.log import Log1853
from kursbuch.eighteen.t1853.words.picks import Picks1853
from kursbuch.eighteen.t1853.words.prompts import Prompts1853
from kursbuch.eighteen.t1853.words.sums import Sums1853
from kursbuch.eighteen.words.texts import Texts


class Texts1853(Log1853, Prompts1853, Picks1853, Holdings1853, Sums1853, Texts[Book1853]):
    """What is said about a game of 1853 to one reader."""

    corrections = KINDS
