"""Setting up a position: a game begun on cardboard goes on from a list of corrections."""

from __future__ import annotations

import re

from kursbuch.core.corrections import Correct
from kursbuch.core.errors import KursbuchError, RecordError
from kursbuch.core.game import Game

#: A position has at most so many lines.
MOST_LINES = 1000

#: What is left out: a line that begins with it, or what follows it as a word of its own. It may be part of a name.
_COMMENT = re.compile(r"^\s*#.*|\s#(?=\s|$).*")


def set_up(game: Game, text: str, by: str = "") -> list[Correct]:
    """Carry out the corrections in a text, one a line, in their order; empty lines and comments
    that begin with `#` are left out. Returns them. `RecordError` names the first line that cannot be read or is
    not possible.

    >>> import kursbuch
    >>> game = kursbuch.new("rocket", players=["Anna", "Bernd"], seed=7)
    >>> made = set_up(game, "money 3000 from bank to Anna\\nturn of Bernd action 2  # after the break")
    >>> game.pending, len(game.moves)
    ((Decision(seat=1, step='turn'),), 2)
    >>> set_up(game, "money 3000 from stock to Anna")
    Traceback (most recent call last):
        ...
    kursbuch.core.errors.RecordError: Line 1: 'stock' is not possible here; possible are: player 1, bank.
    """
    lines = text.removeprefix("\ufeff").splitlines()
    if len(lines) > MOST_LINES:
        raise RecordError(MOST_LINES, "", "The text has more than {most} lines.", most=MOST_LINES)
    made: list[Correct] = []
    for number, raw in enumerate(lines, 1):
        line = _COMMENT.sub("", raw).strip()
        if not line:
            continue
        try:
            found = game.parse_correction(line)
            action = Correct(found.seat, found.kind, found.values, found.by or by)
            game.apply(action)
        except KursbuchError as error:
            raise RecordError(number, "", "Line {line}: {why}", line=number, why=error) from None
        made.append(action)
    return made
