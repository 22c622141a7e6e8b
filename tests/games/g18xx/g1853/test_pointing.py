"""Why nothing can be done with what is pointed at in 1853."""

from __future__ import annotations

import pytest

from kursbuch.games.g18xx.actions import LayTile
from kursbuch.games.g18xx.g1853 import TITLE
from kursbuch.games.g18xx.state import Build, BuyTrains, PlaceToken, StockTurn
from tests.asked import refused
from tests.games.g18xx.g1853.table import Scene, listing


def eir() -> Scene:
    """EIR of A in operation."""
    return Scene(3).shares("EIR", A=3).operating("EIR").money(EIR=200)


@pytest.mark.parametrize(
    ("keys", "rule"),
    [
        (["hex:B10"], TITLE.rules.cite("track-connection")),
        (["company:EIR"], TITLE.rules.cite("tile-lays")),
    ],
)
def test_tiles(keys: list[str], rule: str) -> None:
    made = eir().on(Build("EIR", asked=True))
    assert refused(TITLE, made.state, 0, *keys) == rule
    lay = next(one.action for one in made.position.legal_actions(0))
    assert isinstance(lay, LayTile)
    assert refused(TITLE, made.state, 0, f"hex:{lay.hex}") == "possible"


def test_station_tokens_and_trains() -> None:
    made = eir().on(PlaceToken("EIR", asked=True))
    assert refused(TITLE, made.state, 0, "hex:H26") == TITLE.rules.cite("station-space")
    made = eir().on(BuyTrains("EIR", asked=True))
    assert refused(TITLE, made.state, 0, "train:5") == TITLE.rules.cite("train-order")


def test_shares() -> None:
    made = eir().money(B=1).on(StockTurn(1, asked=True))
    assert refused(TITLE, made.state, 1, "company:EIR") == "3.1.4"
    assert refused(TITLE, made.state, 1, "hex:H26") == TITLE.rules.cite("one-purchase")
    assert refused(TITLE, made.state, 0, "company:EIR") == TITLE.rules.cite("whose-turn")


def test_contracts() -> None:
    """A city that is written already, and a hex without a city."""
    made = listing(3, 300, 250, 240)
    city = next(iter(TITLE.ruleset.components.cities.values()))
    assert refused(TITLE, made.state, 0, f"hex:{city.hex}") == "possible"
    made.state.contracts[0].cities.append(city.name)
    made.state.contracts[0].companies.append(city.companies[0])
    assert refused(TITLE, made.state, 0, f"hex:{city.hex}") == "2.5.10"
    assert refused(TITLE, made.state, 0, "hex:F12") == "2.5.4"
