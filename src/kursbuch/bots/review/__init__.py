"""Reviews of games: the curve of the game, turning points and costly moves, as results come in."""

from kursbuch.bots.review.games import (
    BUDGETS,
    DEPTHS,
    Budget,
    Costly,
    Examination,
    Lucky,
    Moment,
    Player,
    Review,
    Turn,
    budget_of,
    carry_out,
    review,
)
from kursbuch.bots.review.positions import Cause, Line, Look, Sample, Survey, Verdict, weigh

__all__ = [
    "BUDGETS",
    "DEPTHS",
    "Budget",
    "Cause",
    "Costly",
    "Examination",
    "Line",
    "Look",
    "Lucky",
    "Moment",
    "Player",
    "Review",
    "Sample",
    "Survey",
    "Turn",
    "Verdict",
    "budget_of",
    "carry_out",
    "review",
    "weigh",
]
