"""The sentences of an 18xx title. A title overrides what differs."""

from __future__ import annotations

from collections.abc import Sequence

from kursbuch.core.events import Event
from kursbuch.eighteen import events as happened
from kursbuch.eighteen.words.choices import Choices
from kursbuch.eighteen.words.holdings import Holdings
from kursbuch.eighteen.words.log import Log
from kursbuch.eighteen.words.names import KernelT


class Texts(Log[KernelT], Choices[KernelT], Holdings[KernelT]):
    """All that is said about one game to one reader."""


def marks(events: Sequence[Event]) -> list[str]:
    """The elements the board points out after these events."""
    found: list[str] = []
    for event in events:
        match event:
            case happened.TileLaid(hex=hex):
                found.append(f"hex:{hex}")
            case happened.StationPlaced(hex=hex, stop=stop):
                found.append(f"stop:{hex}/{stop}")
            case happened.ShareBought(company=company) | happened.SharesSold(company=company):
                found.append(f"company:{company}")
            case happened.Nationalised(company=company):
                found.append(f"company:{company}")
            case happened.PaperBought(paper=paper):
                found.append(f"paper:{paper}")
            case happened.PriceMoved(company=company):
                found.append(f"price:{company}")
            case happened.RunEvent(company=company, runs=runs):
                for number, (train, _, calls) in enumerate(runs):
                    stops = "-".join(f"{hex}/{stop}" for hex, stop, _ in calls)
                    found.append(f"run:{company}:{number}:{train}:{stops}")
    return list(dict.fromkeys(found))
