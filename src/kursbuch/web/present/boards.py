"""Drawings of positions, shared by all who look at the same."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from kursbuch.core.events import visible_to
from kursbuch.core.game import View
from kursbuch.web.present.viewer import Viewer
from kursbuch.web.recent import Recent

#: Drawn boards, by what they show and to whom.
DRAWN = Recent[tuple[object, ...], Markup](100)


def board(shown: Viewer) -> Markup:
    """The board with the last move pointed out, empty before the game."""
    if shown.game is None or shown.view is None:
        return Markup("")
    number = len(shown.game.moves) if shown.at is None else shown.at
    return _drawn(shown, shown.view, number, shown.table.revision)


def _drawn(shown: Viewer, view: View, number: int, revision: int) -> Markup:
    assert shown.game is not None
    marks, words = _marks(shown, number), shown.words
    # After taking back, a move number can stand for another position: `revision` tells them apart.
    whose = view.seat if view.state is not shown.game.state else None
    place = (shown.table.id, shown.table.seed_hash, revision, number, whose)
    key = (*place, words.language, words.names, tuple(marks))
    # The title's own drawing escapes every text it contains.
    return DRAWN.get(key) or DRAWN.put(key, Markup(view.title.draw(view.state, words, marks)))


def _marks(shown: Viewer, number: int) -> Sequence[str]:
    """The elements of the board to point out after a move."""
    assert shown.game is not None
    if number == 0:
        return []
    events = shown.game.moves[number - 1].events
    return shown.title.marks([event for event in events if visible_to(event, shown.looking)])
