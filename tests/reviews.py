"""Reviews that are quick to make, for tests of what becomes of them."""

from __future__ import annotations

import pytest

from kursbuch.bots.review import BUDGETS, Budget


def shallow(monkeypatch: pytest.MonkeyPatch, playouts: int = 120) -> None:
    """Let the shortest reviews play on a few times only, so that they are always the same."""
    monkeypatch.setitem(BUDGETS, "30s", Budget("30s", "30 seconds", playouts=playouts))
