"""What the first train of a type brings about in 1835, beyond the scrapping of trains
[5.4.14.1 to 5.5.4.14.6]."""

from __future__ import annotations

from kursbuch.core.play import Play
from kursbuch.eighteen.state import Limits
from kursbuch.eighteen.t1835 import prussia
from kursbuch.eighteen.t1835.game import Game1835
from kursbuch.eighteen.t1835.state import State1835


def phase_began(game: Game1835, play: Play[State1835], company: str) -> None:
    """Put on the agenda what has to be decided, in the order of the book; what is pushed last comes
    first."""
    state = play.state
    train = game.phase(state).starts_with_train
    seat = game.decider(state, company)
    if train == "4":
        # Surplus trains, then the question whether Prussia opens [5.5.4.14.2].
        prussia.first_four(game, play)
        play.push(Limits(seat))
    elif train == "4+4":
        # Prussia has to open [5.5.4.14.3].
        prussia.force_open(game, play)
    elif train == "5":
        # Exchanges, a change of Prussia's director, then surplus trains [5.5.4.14.4].
        play.push(Limits(seat))
        prussia.phase_three(game, play)
