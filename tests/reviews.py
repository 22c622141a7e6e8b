"""Reviews that are quick to make, for tests of what becomes of them."""

from __future__ import annotations

import msgspec
import pytest

from kursbuch.bots.review import DEPTHS
from kursbuch.bots.review.positions import Depth


def shallow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the quick reviews of this process, and those it has made elsewhere, look only a few decisions ahead."""
    quick = msgspec.structs.replace(
        DEPTHS["quick"], usual=Depth(2, 1, 3, 3), closer=Depth(3, 1, 4, 6), costly=2
    )
    monkeypatch.setitem(DEPTHS, "quick", quick)
