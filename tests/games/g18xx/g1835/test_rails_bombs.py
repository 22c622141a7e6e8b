"""Save files that stand for more than any game has are refused, by the reader alone."""

from __future__ import annotations

import pytest

from kursbuch.core.errors import KursbuchError
from kursbuch.games.g18xx import rails18xx
from kursbuch.games.g18xx.rails18xx import read
from tests import bombs


@pytest.mark.parametrize("name", bombs.JAVA)
def test_a_trap_is_refused(name: str) -> None:
    with pytest.raises(KursbuchError, match="Rails-18xx save file"):
        read(bombs.JAVA[name]())


def test_what_is_shared_stays_shared() -> None:
    *_, outer = rails18xx.values(bombs.shared(2))
    assert outer == [[["x", "x"]] * 2] * 2
    assert outer[0] is outer[1]


def test_a_class_is_derived_from_some_others() -> None:
    found = rails18xx.values(bombs.long_line_of_classes(10, 3))
    assert len(found) == 13
    with pytest.raises(rails18xx.TooMuch):
        rails18xx.values(bombs.long_line_of_classes(30, 1))
    with pytest.raises(rails18xx.TooMuch):
        rails18xx.values(bombs.containing_itself())
    with pytest.raises(rails18xx.TooMuch):
        rails18xx.values(bombs.shared(40))
