"""The course of a guided game, and how far a table follows it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kursbuch.core.actions import Action
from kursbuch.core.explain import GuidedGame, guided_game
from kursbuch.core.title import Title
from kursbuch.web.db.models import Table


def course_of(table: Table, title: Title[Any]) -> GuidedGame | None:
    """The guided game of a table, if it is one."""
    return guided_game(title) if table.guided else None


def followed(table: Table, title: Title[Any], actions: Sequence[Action]) -> GuidedGame | None:
    """The guided game of a table, as long as its moves are those of the guide: then `GuidedGame.next` is
    what comes now, and nobody else is to move."""
    found = course_of(table, title)
    if found is None:
        return None
    return found if found.on_course(actions) else None
