"""The board of Railroad Dice as SVG."""

from __future__ import annotations

from collections.abc import Sequence

from kursbuch.core.words import Words
from kursbuch.dice.geography import Geography
from kursbuch.dice.state import DiceState
from kursbuch.hexmap import svg


def draw(state: DiceState, geography: Geography, words: Words, marks: Sequence[str] = ()) -> str:
    """The board as a complete SVG document; `marks` are keys of elements to point out."""
    return svg.document(100, 100, [], label="")
