"""The sentences of an 18xx title. A title overrides what differs."""

from __future__ import annotations

from kursbuch.eighteen.words.holdings import Holdings
from kursbuch.eighteen.words.log import Log
from kursbuch.eighteen.words.names import BookT
from kursbuch.eighteen.words.picks import Picks
from kursbuch.eighteen.words.prompts import Prompts


class Texts(Log[BookT], Prompts[BookT], Picks[BookT], Holdings[BookT]):
    """All that is said about one game to one reader."""
