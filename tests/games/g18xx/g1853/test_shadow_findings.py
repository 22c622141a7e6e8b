"""Cases in which 1853 differed from a model written from the book alone."""

from __future__ import annotations

import pytest

from tests.games.g18xx.g1853.table import Scene


def punished(cash: int) -> Scene:
    """A has to give up EIR and GIP. Of GIP he has only the director's paper with one share of it not
    redeemed, and the pool has no share to give back."""
    scene = Scene(4, illegal_contracts="on")
    scene.shares("EIR", A=3, B=2).shares("GIP", A=2, B=1, C=1, D=1).unredeemed("A", GIP=1)
    scene.operating("EIR", "GIP").money(A=cash)
    scene.state.penalties = {0: 2}
    return scene.stock("A")


@pytest.mark.rule("1853:4.3.2", "1853:1-shares")
def test_who_cannot_sell_what_he_has_to_give_up_goes_on() -> None:
    """Of the one share of GIP that is redeemed he can sell none: the paper cannot be split."""
    scene = punished(cash=0)
    assert scene.can("A") == ["sells EIR 10", "sells EIR 10, 10", "sells EIR 10, 10, 10"]
    scene.do("A sells EIR 10, 10, 10")
    assert "sells GIP 10" not in scene.can("A")
    scene.do("A is done")
    assert scene.state.penalties == {0: 2}


@pytest.mark.rule("1853:2.7.4", "1853:4.3.2")
def test_who_redeems_the_other_half_has_to_sell_both() -> None:
    scene = punished(cash=0)
    scene.do("A sells EIR 10, 10, 10", "A redeems 1 of GIP")
    assert scene.can("A") == ["sells GIP 10, 10"]
    scene.do("A sells GIP 10, 10")
    assert scene.state.penalties == {}
    assert scene.state.charters["GIP"].director is None


@pytest.mark.rule("1853:3.1.2", "1853:1-shares")
def test_who_is_above_the_limit_and_can_sell_nothing_goes_on() -> None:
    """Above the limit of certificates only the director's paper of GIP is redeemed, half of it."""
    scene = Scene(4).shares("GIP", A=2, B=1, C=1, D=1).operating("GIP").money(A=100)
    for company in ("EIR", "NWR", "BNR"):
        scene.shares(company, A=5)
    scene.shares("MSM", A=2)
    scene.unredeemed("A", GIP=1, EIR=5, NWR=5, BNR=5, MSM=2)
    scene.stock("A")
    assert "sells GIP 10" not in scene.can("A")
    assert scene.refused("A buys MSM 10")
    scene.do("A redeems 1 of MSM")
    assert scene.can("A") == ["sells MSM 10"]
