"""The component file, and files with corrected data."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

import kursbuch
from kursbuch.core.errors import KursbuchError
from kursbuch.games.nimm import TITLE
from kursbuch.games.nimm.components import standard_data

Change = Callable[[dict[str, Any]], object]


def changed(change: Change) -> bytes:
    data = json.loads(standard_data())
    change(data)
    return json.dumps(data).encode()


def test_every_record_says_where_it_comes_from() -> None:
    data = json.loads(standard_data())
    for name in (
        "locomotives",
        "wagons",
        "specials",
        "order_tiles",
        "auction_tiles",
        "target_tiles",
    ):
        assert all(
            record["source"] in ("rulebook", "public", "reconstructed") for record in data[name]
        )


@pytest.mark.rule("nimm:loco-1", "nimm:wagon-2", "nimm:replace-2")
def test_corrected_values_are_played_with() -> None:
    def change(data: dict[str, Any]) -> None:
        data["locomotives"][0]["power"] = 150
        data["order_tiles"][0]["replace_price"] = 650

    data = changed(change)
    title = TITLE.with_data(data)
    assert not title.data_is_standard
    assert TITLE.data_is_standard
    assert title.cards.locomotive["S1"].power == 150
    assert title.cards.replace_price(3, 0) == 650
    game = kursbuch.new("nimm", ["A", "B"], seed=1, data=data)
    assert kursbuch.load(game.record(), data=data).state == game.state
    with pytest.raises(KursbuchError, match="component data other than"):
        kursbuch.load(game.record())


def test_remarks_do_not_count() -> None:
    data = changed(lambda data: data["locomotives"][0].update(source="public"))
    assert TITLE.with_data(data).data_hash == TITLE.data_hash


def values(data: dict[str, Any], **new: Any) -> None:
    data["setup"].update(new)


WRONG: list[tuple[Change, str]] = [
    (lambda d: d["setup"].pop("rounds"), "cannot be read"),
    (lambda d: values(d, rounds=7), "fewer auction tiles than rounds"),
    (lambda d: values(d, locomotives_per_player=4), "must have three locomotives"),
    (lambda d: values(d, start_money=5020), "start money must be a multiple of 50"),
    (lambda d: values(d, bid_step=0), "no valid number for bid_step"),
    (lambda d: values(d, display={"2": 3}), "face up with 3 players"),
    (lambda d: values(d, locomotives_used={"2": 5}), "With 2 players, 6 locomotive cards"),
    (lambda d: d["locomotives"].pop(), "has 17 locomotives, but 18 are needed"),
    (lambda d: d["locomotives"][1].update(id="S1"), "the locomotive S1 twice"),
    (lambda d: d["locomotives"][1].update(id="S 2"), "only have letters and digits"),
    (lambda d: d["locomotives"][1].update(drive="horse"), "unknown drive 'horse'"),
    (lambda d: d["locomotives"][1].update(speed=0), "must be above 0"),
    (lambda d: d["locomotives"][1].update(power=120), "power of the locomotive S2 must be"),
    (lambda d: d["wagons"][0].update(kind="tea"), "no wagon kind 'tea'"),
    (lambda d: d["wagons"][0].update(count=24), "food wagons do not add up to 24"),
    (lambda d: d["wagons"][0].update(values=[[55, 25]]), "value of food55"),
    (lambda d: d["wagons"][0].update(values=[[50, 20], [50, 5]]), "food50 is in the file twice"),
    (lambda d: d.update(wagons=[]), "no wagons"),
    (lambda d: d["specials"][0].update(id="joker"), "no special card 'joker'"),
    (lambda d: d["specials"][0].update(count=-1), "bin has an invalid number"),
    (lambda d: d["order_tiles"].pop(), "numbered from 1 to 6"),
    (lambda d: d["order_tiles"][0].update(replace_price=25), "price of order tile 1"),
    (lambda d: d["auction_tiles"][0].update(id="dutch"), "no auction type 'dutch'"),
    (lambda d: d["auction_tiles"][0].update(id="open"), "auction tile open twice"),
    (lambda d: d["target_tiles"].pop(), "has 17 target tiles, but 18 are needed"),
    (lambda d: d["target_tiles"][0].update(condition="luck"), "target tile 'target-1' cannot"),
    (lambda d: d["target_tiles"][0].update(args={}), "target tile 'target-1' cannot"),
    (lambda d: d["target_tiles"][1].update(args={"cards": ["x"]}), "target tile 'target-2' cannot"),
    (lambda d: d["target_tiles"][6].update(args={"kind": "tea", "count": 1}), "'target-7' cannot"),
    (lambda d: d["target_tiles"][12].update(args={"horse": 1}), "'target-13' cannot"),
    (lambda d: d["target_tiles"][0].update(id="a b"), "only have letters, digits and hyphens"),
]


@pytest.mark.parametrize(("change", "sentence"), WRONG)
def test_what_is_wrong_with_a_file_is_said(change: Change, sentence: str) -> None:
    with pytest.raises(KursbuchError, match=sentence):
        TITLE.with_data(changed(change))


@pytest.mark.parametrize("data", [b"", b"\xff", b"[]", b"{}"])
def test_what_is_no_file_of_data(data: bytes) -> None:
    with pytest.raises(KursbuchError, match="cannot be read"):
        TITLE.with_data(data)


def test_wrong_numbers_of_players_and_options() -> None:
    with pytest.raises(KursbuchError, match="2 to 6 players"):
        kursbuch.new("nimm", ["A"])
    with pytest.raises(KursbuchError, match="2 to 6 players"):
        kursbuch.new("nimm", list("ABCDEFG"))
    with pytest.raises(KursbuchError, match="cannot be slow"):
        kursbuch.new("nimm", ["A", "B"], options={"open_auction": "slow"})
