"""The board in words: every place and piece of the drawing with what is known of it."""

from __future__ import annotations

import html
import re

from kursbuch.core.words import N_
from kursbuch.web import contexts
from kursbuch.web.errors import Conflict
from kursbuch.web.present.boards import board
from kursbuch.web.present.viewer import Viewer

#: The elements of a drawing that can be pointed at, in the order in which they are drawn.
_KEYS = re.compile(r'data-pick="([^"]+)"')


def places_page(shown: Viewer) -> contexts.PlacesPage:
    """What lies where, for readers who do not see the drawing."""
    if shown.view is None:
        raise Conflict(N_("The game has not begun yet."))
    found = []
    for key in dict.fromkeys(html.unescape(key) for key in _KEYS.findall(board(shown).svg)):
        card = shown.voice.card(shown.view.state, key)
        if card is not None:
            found.append(contexts.Place(key.partition(":")[0], card.title, card.rows, card.notes))
    # What is of a kind stands together; within a kind, the order of the drawing.
    kinds = list(dict.fromkeys(place.kind for place in found))
    found.sort(key=lambda place: kinds.index(place.kind))
    return contexts.PlacesPage(
        table_url=shown.address(),
        title_name=shown.title.name,
        places=found,
    )
