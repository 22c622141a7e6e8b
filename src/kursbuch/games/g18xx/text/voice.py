"""The sentences of an 18xx title. A title overrides what differs."""

from __future__ import annotations

from kursbuch.games.g18xx.text.cards import Cards
from kursbuch.games.g18xx.text.holdings import Summaries
from kursbuch.games.g18xx.text.log import Log
from kursbuch.games.g18xx.text.names import RulesetT
from kursbuch.games.g18xx.text.prompts import Prompts, Waiting
from kursbuch.games.g18xx.text.statistics import Statistics


class Texts(
    Log[RulesetT],
    Prompts[RulesetT],
    Waiting[RulesetT],
    Cards[RulesetT],
    Summaries[RulesetT],
    Statistics[RulesetT],
):
    """All that is said about one game to one reader."""
