"""Kursbuch plays railway board games exactly as their rulebooks say.

A game is a title played by named players. It knows who must decide what, and all legal actions, with amounts as
ranges:

>>> import kursbuch
>>> game = kursbuch.new("rocket", players=["Anna", "Bernd"], seed=7)
>>> game.pending
(Decision(seat=0, step='turn'),)
>>> choices = game.legal_actions(0)
>>> len(choices), choices[0].action
(131, TakeToken(seat=0, metropolis='Sheffield'))

Actions are data, and each has an equivalent line of text to read, type and mail:

>>> game.format(choices[0].action)
'Anna takes Sheffield'
>>> game.parse("Anna takes Sheffield") == choices[0].action
True

A move causes events. An illegal move names the violated rule and changes nothing:

>>> game.apply(game.parse("Anna takes Manchester"))
(TokenTaken(rule='token-1', secret_to=None, seat=0, metropolis='Manchester'),)
>>> try:
...     game.apply(game.parse("Anna extends GWR to D13"))
... except kursbuch.IllegalAction as refused:
...     print(refused.reference, "-", refused)
rocket:move-2 - D13 is not next to the locomotive of GWR.

All texts exist in English and German:

>>> voice = game.title.voice(kursbuch.Words("de", game.names))
>>> [voice.describe(event) for event in game.moves[0].events]
['Anna nimmt ein Plättchen von Manchester.']
>>> game.title.draw(game.state, voice.words)[:4]  # the board, as SVG
'<svg'

Computer opponents choose from what their seat may see:

>>> from kursbuch import bots
>>> action = bots.make("greedy", seed=1).choose(game.view(seat=0))
>>> events = game.apply(action)

A game is a list of moves, and its record is a text file; moves can be taken back:

>>> kursbuch.load(game.record()).state == game.state
True
>>> game.undo()
>>> len(game.moves)
1
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from kursbuch.core import record as records
from kursbuch.core import verification
from kursbuch.core.actions import Action, Choice, Range
from kursbuch.core.errors import IllegalAction, KursbuchError, RecordError
from kursbuch.core.game import Game, Move, View
from kursbuch.core.record_format import Copied, Former
from kursbuch.core.registry import title, title_with_data, titles
from kursbuch.core.state import Decision
from kursbuch.core.title import Result, Title
from kursbuch.core.verification import Verification
from kursbuch.core.words import Words

__all__ = [
    "Action",
    "Choice",
    "Copied",
    "Decision",
    "Former",
    "Game",
    "IllegalAction",
    "KursbuchError",
    "Move",
    "Range",
    "RecordError",
    "Result",
    "Title",
    "Verification",
    "View",
    "Words",
    "load",
    "new",
    "title",
    "titles",
    "verify",
]


def new(
    name: str,
    players: Sequence[str],
    seed: int | str | None = None,
    options: Mapping[str, str] | None = None,
    data: bytes | None = None,
) -> Game:
    """Start a new game of the title with that id.

    `players` are names in order of the seats, clockwise. Without a `seed` a secret one is drawn. `options` override
    the title's defaults. `data` is the content of a file with corrected component data. Raises `KursbuchError` for
    an unknown title or option, a wrong number of players, or an invalid name or file.

    >>> new("rocket", ["Anna", "Bernd"], seed=7, options={"money": "hidden"}).options["money"]
    'hidden'
    >>> new("rocket", ["Anna"])
    Traceback (most recent call last):
        ...
    kursbuch.core.errors.KursbuchError: Stephenson's Rocket is for 2 to 4 players, not for 1.
    """
    chosen = title_with_data(name, data)
    return Game(chosen, players, options, seed=secrets.token_hex(16) if seed is None else str(seed))


def load(
    text: str, data: bytes | None = None, progress: Callable[[int, int], None] | None = None
) -> Game:
    """Load a record, replaying and checking every move.

    `progress` is called with the number of lines done and the total. Raises `RecordError` with the line, and the
    rule if a move breaks one.

    >>> load("I took Manchester")
    Traceback (most recent call last):
        ...
    kursbuch.core.errors.RecordError: Line 1 is not "Kursbuch record 1": this is not a Kursbuch record.
    """

    def find(name: str) -> Title[Any]:
        return title_with_data(name, data)

    return records.read(text, find, progress)


def verify(
    text: str,
    head: str | None = None,
    data: bytes | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Verification:
    """Check whether a record is unaltered and matches a `head` (`Game.head`) noted at the table, of which 16 digits
    suffice (docs/records.md). Raises `KursbuchError` if it cannot be read and no change is known.

    >>> game = new("rocket", ["Anna", "Bernd"], seed=7, options={"money": "hidden"})
    >>> text = game.record(reveal=True)
    >>> verify(text, head=game.head()).verdict, verify(text).verdict
    ('proven', 'consistent')
    >>> [str(change) for change in verify(text.replace("hidden", "open")).changes]
    ['The line "option money" was changed, added or left out.']
    """
    return verification.verify(text, lambda name: title_with_data(name, data), head, progress)
