"""The ledger: pieces and money move, and are never made or lost."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kursbuch.core.state import Ledger


def ledger() -> Ledger:
    return Ledger({"share": {"stock": 5}, "money": {"bank": 0}})


def test_transfers() -> None:
    made = ledger()
    made.move("share", "stock", "0", 2)
    made.move("share", "0", "1")
    made.move("money", "bank", "0", 3000)
    assert made.items == {
        "share": {"stock": 3, "0": 1, "1": 1},
        "money": {"bank": -3000, "0": 3000},
    }
    assert made.held("share", "nobody") == 0
    made.move("share", "0", "1")
    assert "0" not in made.items["share"]


@pytest.mark.parametrize(
    ("source", "count"), [("stock", 6), ("nobody", 1), ("stock", -1), ("0", -2)]
)
def test_nobody_gives_what_he_does_not_have(source: str, count: int) -> None:
    made = ledger()
    with pytest.raises(AssertionError, match="cannot move"):
        made.move("share", source, "1", count)
    assert made == ledger()


def test_a_transfer_of_nothing_changes_nothing() -> None:
    made = ledger()
    made.move("share", "nobody", "0", 0)
    assert made == ledger()


def test_only_the_bank_is_unlimited() -> None:
    made = ledger()
    made.move("money", "bank", "0", 10**9)
    made.move("money", "0", "bank", 10**9)
    assert made.held("money", "bank") == 0
    with pytest.raises(KeyError):
        made.held("tiles", "0")


@settings(max_examples=60, deadline=None, derandomize=True)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["stock", "0", "1", "gone"]), st.sampled_from("01"), st.integers(0, 4)
        )
    )
)
def test_totals_never_change(moves: list[tuple[str, str, int]]) -> None:
    made = ledger()
    for source, target, count in moves:
        if made.held("share", source) >= count:
            made.move("share", source, target, count)
        made.move("money", "bank", target, 1000 * count)
        assert made.totals() == {"share": 5, "money": 0}
        assert all(held >= 0 for held in made.items["share"].values())
