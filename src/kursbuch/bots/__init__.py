"""Computer opponents. They use only the core and a view of the game.

>>> import kursbuch
>>> from kursbuch.bots import make
>>> game = kursbuch.new("rocket", players=["Anna", "Bernd"], seed=7)
>>> seat = game.pending[0].seat
>>> action = make("greedy", seed=1).choose(game.view(seat))
>>> any(choice.covers(action) for choice in game.legal_actions(seat))
True
"""

from kursbuch.bots.advice import Advice, advise
from kursbuch.bots.bot import (
    Bot,
    CarelessBot,
    GreedyBot,
    RandomBot,
    Ranked,
    volunteered,
    volunteers,
)
from kursbuch.bots.mcts import PlayoutBot
from kursbuch.bots.registry import (
    IMAGINED_STRENGTHS,
    PLANNED_STRENGTHS,
    STRENGTHS,
    check,
    make,
    strengths,
    usual_strength,
)

__all__ = [
    "IMAGINED_STRENGTHS",
    "PLANNED_STRENGTHS",
    "STRENGTHS",
    "Advice",
    "Bot",
    "CarelessBot",
    "GreedyBot",
    "PlayoutBot",
    "RandomBot",
    "Ranked",
    "advise",
    "check",
    "make",
    "strengths",
    "usual_strength",
    "volunteered",
    "volunteers",
]
