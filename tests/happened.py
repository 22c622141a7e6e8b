"""What is looked for among events."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from kursbuch.core.events import Event

EventT = TypeVar("EventT", bound=Event)


def only(events: Iterable[Event], kind: type[EventT]) -> EventT:
    """The one event of that kind."""
    (found,) = every(events, kind)
    return found


def every(events: Iterable[Event], kind: type[EventT]) -> list[EventT]:
    """All events of that kind in order."""
    return [event for event in events if isinstance(event, kind)]
