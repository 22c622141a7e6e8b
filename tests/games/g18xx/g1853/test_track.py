"""Track of two gauges, with junctions and with towns that are joined, on the map of 1853."""

from __future__ import annotations

import json
import random
from functools import lru_cache
from typing import Any

import pytest

from kursbuch.games.g18xx.g1853.components import Components1853, standard, standard_data
from tests.games.g18xx import randomnet
from tests.games.g18xx.test_track import agree_with_following_every_way


@lru_cache
def joined_towns() -> Components1853:
    """Two joined towns on every hex without a city, by tiles of all gauges with two or four exits."""
    file = json.loads(standard_data())
    for record in file["map"]["hexes"]:
        if not record.get("name"):
            record["stops"] = [{"kind": "town", "value": 0}] * 2
    tiles: list[dict[str, Any]] = []
    for gauge in ("standard", "metre", "dual"):
        same: dict[str, Any] = {"count": 99, "stops": [{"kind": "town", "value": 10}] * 2}
        between = ["s0", "s1", gauge]
        tiles += [
            same
            | {"id": f"{gauge}{edge}", "color": "yellow", "upgrades": [f"{gauge}X"]}
            | {"paths": [["e0", "s0", gauge], [f"e{edge}", "s1", gauge], between]}
            for edge in (1, 2, 3)
        ]
        outer = [
            ["e0", "s0", "dual"],
            ["e1", "s0", gauge],
            ["e2", "s1", gauge],
            ["e3", "s1", "dual"],
        ]
        tiles.append(
            same | {"id": f"{gauge}X", "color": "green", "upgrades": [], "paths": [*outer, between]}
        )
    file["tiles"] += tiles
    for lay in file["lays"]:
        if lay["stops"] == ["town", "town"]:
            lay["tiles"] = [tile["id"] for tile in tiles if tile["color"] == "yellow"]
    return Components1853(json.dumps(file).encode())


@pytest.mark.rule("1853:4.1.6", "1853:4.2.2", "1853:4.5.3", "1853:4.5.9")
@pytest.mark.parametrize("seed", [*range(12), 24, 125, 152, 247, 248])
def test_reach_and_routes_agree_with_following_every_way(seed: int) -> None:
    agree(standard(), seed)


@pytest.mark.parametrize("seed", range(12))
def test_they_agree_where_towns_are_joined(seed: int) -> None:
    agree(joined_towns(), seed)


def agree(components: Components1853, seed: int) -> None:
    rng = random.Random(seed)
    lays, own, others = rng.randint(60, 160), rng.randint(1, 3), rng.randint(0, 6)
    layout = randomnet.layout(components.track, rng, lays, own, others)
    agree_with_following_every_way(components.track, layout)
