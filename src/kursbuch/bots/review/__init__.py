"""Reviews of finished games: value of each position, turning points and costly moves."""

from kursbuch.bots.review.games import (
    DEPTHS,
    Costly,
    Moment,
    Plan,
    Player,
    Review,
    Turn,
    carry_out,
    review,
    thoroughness,
)
from kursbuch.bots.review.positions import Line, Point, Verdict, Weighed, weigh

__all__ = [
    "DEPTHS",
    "Costly",
    "Line",
    "Moment",
    "Plan",
    "Player",
    "Point",
    "Review",
    "Turn",
    "Verdict",
    "Weighed",
    "carry_out",
    "review",
    "thoroughness",
    "weigh",
]
