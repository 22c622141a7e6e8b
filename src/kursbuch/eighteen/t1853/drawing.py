"""The table of 1853 as SVG."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from kursbuch.core.words import Words
from kursbuch.eighteen.drawing.legend import Line
from kursbuch.eighteen.drawing.look import LARGE, MapLook, Note
from kursbuch.eighteen.drawing.terrain import SIGNS, draw_signs
from kursbuch.eighteen.t1853.components import Components1853, Hex1853

#: Land and the valley of the Ganges.
LANDS = {"": "#f8f0da", "valley": "#e2c791"}


@lru_cache(maxsize=8)
def map_look(components: Components1853) -> MapLook:
    """How the map looks: its valley, terrain with costs by gauge, bonuses, and territories. Companies
    have their numbers on it."""
    return MapLook(
        sizes=LARGE,
        notes={record.id: _note(components, record) for record in components.file.map.hexes},
        lands=LANDS,
        signs={record.id: str(record.number) for record in components.file.companies.public},
        areas=components.territory,
        track_legend="P1",
        company_legend="R23",
    )


def _note(components: Components1853, record: Hex1853) -> Note:
    standard, metre = (components.build_cost(record.id, metre=metre) for metre in (False, True))
    return Note(
        land="valley" if record.valley else "",
        signs=record.terrains,
        cost=f"{standard}/{metre}" if standard else "",
        bonus=f"+{record.bonus}" if record.bonus else "",
    )


def terrain_lines(components: Components1853, words: Words) -> list[Line]:
    """What the signs of terrain mean, and what building costs there."""
    names = {
        "river": words._("river"),
        "rivers": words._("several rivers"),
        "hill": words._("hills"),
        "mountain": words._("mountains"),
        "high_mountain": words._("high mountains"),
    }

    def line(kind: str, cost: str) -> Line:
        def draw(x: float, y: float) -> Iterable[str]:
            return draw_signs([kind], x, y, 20)

        return draw, f"{names[kind]} {cost}"

    return [
        line(record.id, f"{record.standard}/{record.metre}")
        for record in components.file.build_costs
        if record.id in SIGNS
    ]
