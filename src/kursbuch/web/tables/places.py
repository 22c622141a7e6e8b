"""The board in words."""

from __future__ import annotations

import html
import re

import msgspec

from kursbuch.core.voice import Row
from kursbuch.core.words import N_
from kursbuch.web.http.errors import Conflict
from kursbuch.web.tables.boards import board
from kursbuch.web.tables.viewer import Viewer

#: The elements of a drawing that can be pointed at, in the order in which they are drawn.
_KEYS = re.compile(r'data-pick="([^"]+)"')


class Place(msgspec.Struct, frozen=True):
    """An element of the board in words; `kind` is the first part of its key."""

    kind: str
    title: str
    rows: tuple[Row, ...]
    notes: tuple[str, ...]


class PlacesPage(msgspec.Struct, frozen=True):
    """places.html, places_card.html: the board in words."""

    table_url: str
    title_name: str
    places: list[Place]


def places_page(shown: Viewer) -> PlacesPage:
    """What lies where, for readers who do not see the drawing."""
    if shown.view is None:
        raise Conflict(N_("The game has not begun yet."))
    found = []
    for key in dict.fromkeys(html.unescape(key) for key in _KEYS.findall(board(shown).svg)):
        card = shown.voice.card(shown.view.state, key)
        if card is not None:
            found.append(Place(key.partition(":")[0], card.title, card.rows, card.notes))
    # What is of a kind stands together; within a kind, the order of the drawing.
    kinds = list(dict.fromkeys(place.kind for place in found))
    found.sort(key=lambda place: kinds.index(place.kind))
    return PlacesPage(
        table_url=shown.address(),
        title_name=shown.title.name,
        places=found,
    )
