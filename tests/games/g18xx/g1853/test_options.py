"""What a table of 1853 can agree on."""

from __future__ import annotations

import pytest

from kursbuch.core.errors import KursbuchError
from kursbuch.games.g18xx.g1853 import TITLE
from kursbuch.games.g18xx.state import Build
from tests.games.g18xx.g1853.table import Scene, bidding
from tests.games.g18xx.scene import NAMES


@pytest.mark.rule("1853:1-money-option", "1853:2.4")
@pytest.mark.parametrize("bank", [15000, 12500, 10000, 7500, 17760, 20000])
def test_the_size_of_the_bank_is_the_whole_money(bank: int) -> None:
    scene = bidding(4, bank=str(bank))
    assert scene.has("bank") == bank - 4 * 570
    assert sum(scene.state.ledger.items["money"].values()) == bank


@pytest.mark.rule("1853:1-money-option", "1853:1-money", "1853:2.4")
def test_there_are_no_other_sizes() -> None:
    sizes = next(option for option in TITLE.options if option.name == "bank")
    assert sizes.values == ("15000", "12500", "10000", "7500", "17760", "20000")
    assert "shortened" in sizes.labels[2]
    with pytest.raises(KursbuchError, match="bank cannot be 9000"):
        bidding(4, bank="9000")


@pytest.mark.rule("1853:2.5.2", "1853:2.5.12", "1853:option-dual-any-gauge")
def test_the_usual_agreements() -> None:
    house = bidding(4).state.house
    assert (house.bank, house.bond_step) == (15000, 10)
    assert not house.illegal_contracts
    assert not house.dual_any_gauge
    house = bidding(4, illegal_contracts="on", dual_any_gauge="on", bond_step="1").state.house
    assert (house.illegal_contracts, house.dual_any_gauge, house.bond_step) == (True, True, 1)


def beyond_a_dual_city(option: str) -> Scene:
    """NWR has standard track from Lahore to a large station with dual track at Rawalpindi, where it
    has no marker; beyond it lies C9."""
    scene = Scene(dual_any_gauge=option).shares("NWR", A=3).operating("NWR").money(NWR=900)
    return scene.track("standard", "B10", "C11").tiles("B10:718:0").turn("NWR", Build)


@pytest.mark.rule("1853:option-dual-any-gauge")
@pytest.mark.parametrize("option", ["off", "on"])
def test_any_gauge_beyond_dual_track_is_an_option(option: str) -> None:
    scene = beyond_a_dual_city(option)
    lines = [line for line in scene.can("A") if " on C9 " in line]
    tiles = {line.split()[1] for line in lines}
    assert {"7", "8", "9"} & tiles
    assert bool({"77", "78", "79"} & tiles) == (option == "on")


@pytest.mark.rule("1853:1-companies", "1853:1-display-shares", "1853:2.1")
@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_all_companies_and_their_shares_are_in_the_game(players: int) -> None:
    """Ten shares of each of the eight companies lie in the bank offering."""
    scene = bidding(players)
    assert " ".join(scene.ruleset.public) == "EIR GIP NWR BNR BBCI MSM SIR ECR"
    assert {scene.held("stack", company) for company in scene.ruleset.public} == {10}
    assert all(
        not scene.held(name, company)
        for name in NAMES[:players]
        for company in scene.ruleset.public
    )


@pytest.mark.rule("1853:2.1", "1853:1-display-trains", "1853:1-display-loco-tokens")
def test_what_lies_ready_at_the_start() -> None:
    """Yellow tiles and six trains 2; later trains are there, yet not on offer. The loco tokens of the
    small companies, and that of the BBCI only when it is settled that it is small."""
    scene = bidding(4)
    assert scene.ruleset.phase(scene.state).tiles == ["yellow"]
    assert scene.ruleset.depot.new_trains(scene.state) == ["2"]
    assert scene.owns("stack") == "2 2 2 2 2 2 3 3 3 3 3 4 4 4 4 5 5 5 6 6 2M 2M 3M 3M 3M 4M 4M"
    tokens = [name for name, charter in scene.state.charters.items() if charter.token]
    assert tokens == ["MSM", "SIR", "ECR"]


@pytest.mark.rule("1853:1-charter", "1853:1-tokens")
def test_what_lies_on_a_charter() -> None:
    """Money, trains and markers of a company are its own; two of five markers stand on its homes."""
    scene = Scene().shares("EIR", A=3).operating("EIR").money(EIR=120).trains("EIR", "2", "2")
    assert (scene.has("EIR"), scene.has("A"), scene.owns("EIR")) == (120, 570, "2 2")
    assert scene.ruleset.tokens(scene.state, "EIR") == 3
    assert [scene.ruleset.tokens(scene.state, name) for name in scene.ruleset.public] == [
        3,
        5,
        5,
        5,
        4,
        4,
        4,
        3,
    ]
