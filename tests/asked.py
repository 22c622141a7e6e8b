"""What is answered to somebody who points at something, in positions made for tests."""

from __future__ import annotations

from typing import Any

from kursbuch.core.asking import why_not
from kursbuch.core.game import View
from kursbuch.core.title import Title
from kursbuch.core.words import Words


def refused(title: Title[Any], state: Any, seat: int, *keys: str) -> str:
    """The rule that says why pointing at these elements leads to nothing; "possible" if it leads on."""
    view = View(title, title.view(state, seat), seat, tuple("ABCDEFG"[: state.seats]))
    problem = why_not(view, title.voice(Words("en", view.names)), keys)
    return "possible" if problem is None else problem.rule
