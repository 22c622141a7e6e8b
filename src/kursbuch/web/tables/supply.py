"""What lies beside the board: the bank, trains, tiles, and what the players have; as a page and as a card."""

from __future__ import annotations

import msgspec
from litestar import get
from litestar.params import FromPath, FromQuery
from litestar.response import Template

from kursbuch.core.words import N_
from kursbuch.web.http.errors import Conflict
from kursbuch.web.http.requests import AnyRequest
from kursbuch.web.http.templating import page
from kursbuch.web.labels import Fact
from kursbuch.web.tables.table_view import CardInfo, PanelInfo, Standing, standing
from kursbuch.web.tables.viewer import viewer


class SupplyPage(msgspec.Struct, frozen=True):
    """supply.html: the cards that stay in sight, those of the players, and lists of what is left."""

    table_url: str
    title_name: str
    heading: str
    pieces_url: str
    cards: list[CardInfo]
    panels: list[PanelInfo]


def supply_link(url: str, found: Standing, at: int | None) -> Fact | None:
    """The page's address with the names of its lists; None if nothing lies beside the board."""
    if not found.panels:
        return None
    moment = "" if at is None else f"?move={at}"
    return Fact(" · ".join(panel.title for panel in found.panels), f"{url}/supply{moment}")


@get("/t/{table_id:str}/supply", include_in_schema=False)
async def table_supply(
    request: AnyRequest, table_id: FromPath[str], move: FromQuery[int | None] = None
) -> Template:
    """What lies beside the board, as a page or as a card for a popup."""
    shown = await viewer(request, table_id, at=move)
    found = standing(shown)
    link = supply_link(shown.address(), found, move)
    if link is None:
        raise Conflict(N_("The game has not begun yet."))
    struct = SupplyPage(
        table_url=shown.address(),
        title_name=shown.title.name,
        heading=link.label,
        pieces_url=shown.pieces_url(),
        cards=[
            *(card for card in found.cards if card.pinned),
            *(card for seat in found.seating for card in found.held[seat].cards),
        ],
        panels=found.panels,
    )
    return page(request, "supply.html", struct, shown.words)
