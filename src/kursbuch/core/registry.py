"""The titles that are installed, found by entry point, so that anybody can add one."""

from __future__ import annotations

from functools import lru_cache
from importlib.metadata import entry_points
from typing import Any

from kursbuch.core.errors import KursbuchError
from kursbuch.core.title import Title

GROUP = "kursbuch.titles"


@lru_cache
def titles() -> dict[str, Title[Any]]:
    """All installed titles by id, in the order of their ids.

    >>> {id_: title.name for id_, title in titles().items()}
    {'1835': '1835', '1853': '1853', 'dice': 'Railroad Dice', 'nimm': 'Nimm den Zug', 'rocket': "Stephenson's Rocket"}
    """
    found: dict[str, Title[Any]] = {}
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: entry.name):
        found[entry.name] = entry.load()
    return found


def title(name: str) -> Title[Any]:
    """The title with that id; `KursbuchError` names those that exist.

    >>> title("nimm").seats
    range(2, 7)
    """
    try:
        return titles()[name]
    except KeyError:
        raise KursbuchError(
            "There is no title {name}; installed are: {known}.",
            name=name,
            known=", ".join(titles()),
        ) from None


def title_with_data(name: str, data: bytes | None) -> Title[Any]:
    """The title with that id, with corrected component data (the content of a file) if there are any."""
    return title(name) if data is None else _corrected(name, data)


@lru_cache(maxsize=32)
def _corrected(name: str, data: bytes) -> Title[Any]:
    return title(name).with_data(data)
