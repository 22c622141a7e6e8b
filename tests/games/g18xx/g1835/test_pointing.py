"""Why nothing can be done with what is pointed at in 1835."""

from __future__ import annotations

import pytest

from kursbuch.games.g18xx.g1835 import TITLE
from kursbuch.games.g18xx.g1835.state import PacketTurn
from kursbuch.games.g18xx.state import BuyTrains, PlaceToken, StockTurn
from tests.asked import refused, told
from tests.games.g18xx.g1835.rails import rail
from tests.games.g18xx.g1835.table import Scene


def bavaria(phase: str = "2") -> Scene:
    """Bavaria of A with its home in München, which has a tile towards N14."""
    made = Scene(3).shares("BY", A="20P 10 10 10", B="10").sold().operating("BY")
    return made.phase(phase).tiles(rail("O15", "202", "N14"))


@pytest.mark.parametrize(
    ("keys", "rule"),
    [
        (["hex:N14"], "possible"),
        (["hex:A11"], "5.5.1.3"),
        (["stop:E19/0"], "5.5.1.1d"),
        (["hex:A9"], "5.5.1.1b"),
        (["hex:O15"], "5.5.1.14"),
        (["hex:N14", "tile:14"], "5.5.1.14"),
        (["company:BY"], "5.4.1"),
        (["train:2"], "5.4.1"),
    ],
)
def test_tiles(keys: list[str], rule: str) -> None:
    made = bavaria().money(BY=1000).turn("BY")
    assert refused(TITLE, made.state, 0, *keys) == rule


def test_tiles_that_are_too_dear_or_too_many() -> None:
    made = bavaria("2+2").money(BY=0).tiles(rail("N14", "8", "O15", "M15")).turn("BY")
    assert refused(TITLE, made.state, 0, "hex:M15") == "5.5.1.12"


def test_station_tokens() -> None:
    made = bavaria().money(BY=1000).on(PlaceToken("BY", asked=True))
    assert refused(TITLE, made.state, 0, "stop:A11/0") == TITLE.rules.cite("station-connection")
    assert refused(TITLE, made.state, 0, "hex:N14") == TITLE.rules.cite("station-space")
    assert refused(TITLE, made.state, 0, "company:BY") == TITLE.rules.cite("station-markers")


def test_trains() -> None:
    made = bavaria().money(BY=10, A=0).trains("BY", "2").on(BuyTrains("BY", asked=True))
    assert refused(TITLE, made.state, 0, "train:4") == TITLE.rules.cite("train-order")
    assert refused(TITLE, made.state, 0, "train:bank:2") == TITLE.rules.cite("company-pays")


def test_shares() -> None:
    made = Scene(3).shares("BY", A="20P 10").sold().operating("BY").money(B=5).stock("B")
    made.on(StockTurn(1, asked=True))
    # Too dear; not yet on offer; a paper that is sold; what is no share at all.
    assert refused(TITLE, made.state, 1, "company:BY") == "2.4c"
    assert refused(TITLE, made.state, 1, "company:OL") == "1.2.3"
    assert refused(TITLE, made.state, 1, "paper:NF") == "2.6.1.3"
    assert refused(TITLE, made.state, 1, "hex:A11") == "2.6.1.3"
    assert refused(TITLE, made.state, 0, "company:BY") == TITLE.rules.cite("whose-turn")


def test_what_is_not_chosen_is_not_spoken_of() -> None:
    """All tiles of a hex, both sources of a train, all that may be done with a company."""
    made = bavaria().money(BY=1000).turn("BY")
    assert told(TITLE, made.state, 0, "hex:O15") == "No tile for O15 is on offer in this phase."
    made = bavaria().money(BY=1000).trains("BY", "2").on(BuyTrains("BY", asked=True))
    assert told(TITLE, made.state, 0, "train:4").startswith(
        "No 4-train is on offer, either new or in the pool; new on offer: "
    )
    assert told(TITLE, made.state, 0, "train:pool:4") == ("There is no 4-train in the pool.")


def test_each_kind_of_action_has_its_reason() -> None:
    """A share cannot be bought because one has been, and none can be sold yet."""
    made = Scene(3).shares("BY", A="20P 10").sold().operating("BY").money(A=500).stock("A")
    made.state.companies["BY"].worked = False
    made.on(StockTurn(0, asked=True, bought=True))
    assert told(TITLE, made.state, 0, "company:BY") == (
        "You have already bought something in this turn. Shares of BY cannot be sold "
        "before the company has operated once."
    )


def test_the_start_packet() -> None:
    made = Scene(3).money(A=20).on(PacketTurn(0, asked=True))
    assert refused(TITLE, made.state, 0, "paper:NF") == "2.4c"
    assert refused(TITLE, made.state, 0, "paper:6") == "2.5.1"
    assert refused(TITLE, made.state, 0, "hex:A11") == "2.4"
