"""Maps as they lie at the end of a game (`late.json`), with the most on them that lettering has to keep
clear of."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from kursbuch.games.g18xx.map.track import Laid, Layout, Station

LATE: dict[str, dict[str, Any]] = json.loads(Path(__file__).with_name("late.json").read_text())


def layout(title: str) -> Layout:
    """The tiles and tokens."""
    late = LATE[title]
    return Layout(
        {name: Laid(tile, turn) for name, (tile, turn) in late["tiles"].items()},
        [Station(*station) for station in late["stations"]],
    )
