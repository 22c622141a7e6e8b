"""The variants of the component data: each is read, and differs in what it says."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import lru_cache
from importlib import resources
from typing import Any

import pytest

from kursbuch.games.g18xx.g1853.components import Components1853, standard, standard_data
from kursbuch.games.g18xx.map.board import Face
from kursbuch.games.g18xx.map.tiles import fits, kept
from kursbuch.games.g18xx.map.track import Laid

FOLDER = resources.files("kursbuch.games.g18xx.g1853") / "variants"
NAMES = sorted(path.name.removesuffix(".json") for path in FOLDER.iterdir())


@lru_cache
def variant(name: str) -> Components1853:
    return Components1853((FOLDER / f"{name}.json").read_bytes())


def face(components: Components1853, tile: str) -> Face:
    return components.board.tiles[tile].faces[0]


def edges(components: Components1853, tile: str) -> set[int]:
    shown = face(components, tile).edges()
    return {edge for edge in range(6) if shown >> edge & 1}


def companies(components: Components1853) -> dict[str, tuple[str, ...]]:
    return {name: city.companies for name, city in components.cities.items()}


def delta_gone(found: Components1853) -> None:
    assert set(standard().board.names) - set(found.board.names) == {"I29", "J30", "K29"}
    for city in ("Calcutta", "Delhi"):
        place = found.board.number(found.cities[city].hex)
        assert found.board.printed[place].edges() == 0b011100
        assert {fit.tile for fit in fits(found.board, {}, found.cities[city].hex)} == {"CD"}
    assert edges(found, "CD") == edges(found, "900") == {0, 1, 2}
    assert found.homes == standard().homes


def waltair(found: Components1853) -> None:
    assert found.cities["Waltair"].hex == found.homes["ECR"][0].hex == "N22"
    assert found.city_of_hex["N22"] == "Waltair"
    assert "N22" not in found.terrain
    before = standard().board
    assert found.board.printed[found.board.number("O21")].kinds() == ["town"]
    assert found.board.printed[found.board.number("N22")] == before.printed[before.number("O21")]
    assert {fit.tile for fit in fits(found.board, {}, "N22")} == {"W"}
    assert {fit.tile for fit in fits(found.board, {}, "O21", ["yellow"])} >= {"3", "58", "73"}


def four_exits(name: str) -> Callable[[Components1853], None]:
    def check(found: Components1853) -> None:
        other = {"717": "719", "719": "717"}[name]
        assert face(found, name).edges().bit_count() == 4
        assert face(found, name).stops[0].slots == 2
        assert face(found, other) == face(standard(), other)
        for brown in ("102", "103"):
            assert any(kept(face(found, name), turned) for turned in tiles(found, brown))

    return check


def tiles(components: Components1853, name: str) -> tuple[Face, ...]:
    return components.board.tiles[name].faces


def spaces(slots: int, *names: str) -> Callable[[Components1853], None]:
    def check(found: Components1853) -> None:
        for name in names:
            assert face(found, name).stops[0].slots == slots
            assert face(standard(), name).stops[0].slots == 3 - slots
            assert face(found, name).paths == face(standard(), name).paths

    return check


def four_copies(found: Components1853) -> None:
    counts = {name: tile.count for name, tile in found.board.tiles.items()}
    before = {name: tile.count for name, tile in standard().board.tiles.items()}
    assert counts == before | {"716": 4, "116": 2}
    assert sum(counts.values()) == sum(before.values())


def longer(found: Components1853) -> None:
    more = {}
    for name, tile in found.board.tiles.items():
        before = set(standard().board.tiles[name].record.upgrades)
        added = set(tile.record.upgrades) - before
        assert before <= set(tile.record.upgrades)
        if added:
            more[name] = added
            for other in added:
                assert any(kept(face(found, name), turned) for turned in tiles(found, other))
    assert more == {"3": {"87", "88"}, "58": {"12", "13", "14", "15"}, "117": {"103"}}
    upgrades = fits(found.board, {"D8": Laid("3", 0)}, "D8", ["green"])
    assert {"87", "88"} <= {fit.tile for fit in upgrades}


def contracts(**changes: str) -> Callable[[Components1853], None]:
    def check(found: Components1853) -> None:
        expected = {city: tuple(names.split()) for city, names in changes.items()}
        assert companies(found) == companies(standard()) | expected
        assert companies(found) != companies(standard())
        for name, city in found.cities.items():
            assert city.value == standard().cities[name].value

    return check


def brown_waltair(found: Components1853) -> None:
    assert face(found, "W").stops == face(found, "105").stops
    assert face(standard(), "W").stops != face(standard(), "105").stops
    assert face(found, "W").paths == face(standard(), "W").paths


def by_limits(found: Components1853) -> None:
    contracts(
        Allahabad="GIP BNR", Hyderabad="GIP BNR", Madras="BNR MSM SIR ECR", Nagpur="BNR BBCI ECR"
    )(found)
    named: dict[str, set[str]] = {}
    for record in found.file.companies.public:
        for home in record.home:
            named.setdefault(home.city, set()).add(record.id)
        for limit in record.limits:
            named.setdefault(limit.city, set()).add(record.id)
    assert {city: set(found.cities[city].companies) for city in named} == named


CHECKS: dict[str, Callable[[Components1853], None]] = {
    "contracts-first-edition": contracts(Delhi="NWR", Madras="MSM SIR"),
    "contracts-by-limits": by_limits,
    "delta-gone": delta_gone,
    "longer-upgrades": longer,
    "tile-716-four-copies": four_copies,
    "tile-717-four-exits": four_exits("717"),
    "tile-719-four-exits": four_exits("719"),
    "tiles-716-718-one-space": spaces(1, "716", "718"),
    "tiles-717-719-two-spaces": spaces(2, "717", "719"),
    "waltair-as-bombay": brown_waltair,
    "waltair-n22": waltair,
}


def test_every_variant_is_looked_at() -> None:
    assert sorted(CHECKS) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_a_variant_differs_in_what_it_says(name: str) -> None:
    CHECKS[name](variant(name))


@pytest.mark.parametrize("name", NAMES)
def test_a_variant_is_small_and_says_what_it_is_about(name: str) -> None:
    file = json.loads((FOLDER / f"{name}.json").read_bytes())
    assert list(file) == ["variant_of", "about", "changes"]
    assert file["about"].endswith(".")
    assert len((FOLDER / f"{name}.json").read_bytes()) < len(standard_data()) / 20


@pytest.mark.parametrize("name", NAMES)
def test_every_replacement_is_possible_in_a_variant(name: str) -> None:
    found = variant(name)
    for tile in found.board.tiles.values():
        for other in tile.record.upgrades:
            becomes = [kept(tile.faces[0], turned) for turned in tiles(found, other)]
            assert any(stops is not None for stops in becomes), (tile.id, other)


@pytest.mark.parametrize("name", NAMES)
def test_printed_cities_can_be_replaced_in_a_variant(name: str) -> None:
    found = variant(name)
    for city in ("Calcutta", "Delhi", "Bombay", "Madras", "Waltair"):
        hex = found.cities[city].hex
        first = list(fits(found.board, {}, hex))
        assert first, city
        for fit in first:
            later: Any = found.board.tiles[fit.tile].record.upgrades
            laid = {hex: Laid(fit.tile, fit.rotation)}
            assert {after.tile for after in fits(found.board, laid, hex)} == set(later)
