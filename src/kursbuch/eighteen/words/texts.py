"""The sentences of an 18xx title. A title overrides what differs."""

from __future__ import annotations

from kursbuch.eighteen.words.ahead import Waiting
from kursbuch.eighteen.words.cards import Cards
from kursbuch.eighteen.words.log import Log
from kursbuch.eighteen.words.names import BookT
from kursbuch.eighteen.words.prompts import Prompts
from kursbuch.eighteen.words.summaries import Summaries
from kursbuch.eighteen.words.sums import Sums


class Texts(
    Log[BookT], Prompts[BookT], Waiting[BookT], Cards[BookT], Summaries[BookT], Sums[BookT]
):
    """All that is said about one game to one reader."""
