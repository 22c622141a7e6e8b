"""What happens in 1835 beside the events of every 18xx title."""

from __future__ import annotations

from kursbuch.core.events import Event


class PrussiaOpened(Event, frozen=True, kw_only=True, tag="prussia"):
    """The Prussian railway has opened; `treasury` is what the bank paid for its shares. `seat` is None
    if the owner of the (2) has left the game."""

    seat: int | None
    treasury: int


class PrussiaWaits(Event, frozen=True, kw_only=True, tag="prussia-waits"):
    """The owner of the (2) does not open the Prussian railway yet."""

    seat: int
