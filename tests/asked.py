"""What is answered to someone who points at something, in positions made for tests."""

from __future__ import annotations

from typing import Any

from kursbuch.core.errors import IllegalAction
from kursbuch.core.explain import why_illegal
from kursbuch.core.game import View
from kursbuch.core.title import Title
from kursbuch.core.words import Words


def answer(title: Title[Any], state: Any, seat: int, *keys: str) -> IllegalAction | None:
    """Why pointing at these elements leads to nothing."""
    view = View(title, title.view(state, seat), seat, tuple("ABCDEFG"[: state.seats]))
    return why_illegal(view, title.voice(Words("en", view.names)), keys)


def told(title: Title[Any], state: Any, seat: int, *keys: str) -> str:
    """The sentence that says it."""
    return str(answer(title, state, seat, *keys))


def refused(title: Title[Any], state: Any, seat: int, *keys: str) -> str:
    """The rule that says it; "possible" if it leads on."""
    problem = answer(title, state, seat, *keys)
    return "possible" if problem is None else problem.rule
