"""Files that say only what is different from the data of a title."""

from __future__ import annotations

import json
from typing import Any

import pytest

from kursbuch.core.components import completed
from kursbuch.core.errors import KursbuchError
from kursbuch.games.g18xx.g1835.components import Components1835, standard, standard_data

WHOLE = {
    "map": {"hexes": [{"id": "A1", "cost": 20, "name": "North"}, {"id": "A3", "cost": 0}], "n": 1},
    "lays": [{"color": "white"}, {"color": "green"}],
    "bank": 2000,
}


def merged(**changes: Any) -> Any:
    variant = {"variant_of": "1835", "about": "A test.", "changes": changes}
    return json.loads(completed(json.dumps(variant).encode(), "1835", json.dumps(WHOLE).encode()))


def test_records_are_merged_by_their_id() -> None:
    hexes = [{"id": "A3", "remove": True}, {"id": "A5", "cost": 1}, {"id": "A1", "cost": 40}]
    assert merged(map={"hexes": hexes}) == WHOLE | {
        "map": {
            "hexes": [{"id": "A1", "cost": 40, "name": "North"}, {"id": "A5", "cost": 1}],
            "n": 1,
        }
    }


def test_anything_else_is_replaced() -> None:
    assert merged(bank=9, lays=[]) == WHOLE | {"bank": 9, "lays": []}
    assert merged(lays=[{"color": "red"}])["lays"] == [{"color": "red"}]
    assert merged() == WHOLE


@pytest.mark.parametrize(
    "content",
    [b'{"map": {}}', b"[1]", b"no data at all", b"\xff", b'"variant_of"', b"[" * 100_000],
)
def test_what_is_no_variant_is_left_alone(content: bytes) -> None:
    assert completed(content, "1835", standard_data()) is content


def test_a_title_takes_a_variant() -> None:
    content = {"variant_of": "1835", "changes": {"tiles": [{"id": "9", "count": 3}]}}
    found = Components1835(json.dumps(content).encode())
    counts = {name: tile.count for name, tile in found.board.tiles.items()}
    before = {name: tile.count for name, tile in standard().board.tiles.items()}
    assert counts == before | {"9": 3}


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (
            {"variant_of": "1830", "changes": {}},
            "The file of component data is a variant of '1830', not of 1835.",
        ),
        (
            {"variant_of": "1835", "changes": {"mapp": {}}},
            "The variant changes 'mapp', which the file does not have.",
        ),
        (
            {"variant_of": "1835", "changes": {"map": {"hex": []}}},
            "The variant changes 'hex', which the file does not have.",
        ),
        (
            {"variant_of": "1835", "changes": {"tiles": [{"id": "9", "remove": True}] * 2}},
            "The variant removes '9', which the file does not have.",
        ),
        ({"variant_of": "1835"}, "The file of component data cannot be read: "),
        ({"variant_of": "1835", "changes": []}, "The file of component data cannot be read: "),
        (
            {"variant_of": "1835", "changes": {}, "change": {}},
            "The file of component data cannot be read: ",
        ),
        (
            {"variant_of": "1835", "changes": {"tiles": 3}},
            "The file of component data cannot be read: ",
        ),
        (
            {"variant_of": "1835", "changes": {"tiles": [{"id": "9", "remove": True}]}},
            "Tile '9' is to be laid on some hexes, but there is no such tile.",
        ),
    ],
)
def test_wrong_variants_are_refused(content: Any, sentence: str) -> None:
    with pytest.raises(KursbuchError) as refused:
        Components1835(json.dumps(content).encode())
    assert sentence in str(refused.value)
