"""Games of 1835 played with the program Rails-18xx, as games of ours: the options of the table, and one
attempt after the other until no option is missing (`along` plays a game along)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any

from kursbuch.core.errors import KursbuchError
from kursbuch.core.game import Game
from kursbuch.core.registry import Imported, OtherGame, Progress
from kursbuch.core.title import Title
from kursbuch.games.g18xx.g1835.rails import replay
from kursbuch.games.g18xx.g1835.rails.options import candidates, translated
from kursbuch.games.g18xx.g1835.rails.replay import Along
from kursbuch.games.g18xx.g1835.rails.terms import Names
from kursbuch.games.g18xx.g1835.variants import PAYS_BEYOND_BANK
from kursbuch.games.g18xx.rails.save import Act, read, readings
from kursbuch.games.g18xx.rails.search import CannotTake, search
from kursbuch.games.g18xx.rails.versions import current

#: Kinds of actions that change nothing in the game.
IDLE = {"ReachDestinations", "RequestTurn", "UserComment", "Comment"}


def import_rails(
    title: Title[Any], data: bytes, *, partial: bool = False, progress: Progress | None = None
) -> Imported:
    """The game of a save file.

    Options that allow more than the book are only set where an action needs them.
    """
    save = read(data)
    if save.game != title.id:
        raise OtherGame(
            "This is a game of {game}; only those of {title} can be read.",
            game=save.game,
            title=title.name,
        )
    options, unknown = translated(save.options)
    if unknown and not partial:
        raise KursbuchError(unknown[0].template, **unknown[0].params)
    lost: KursbuchError | None = None
    try:
        ways = readings(save.actions)
    except KursbuchError as error:
        if not partial:
            raise
        lost = error
        number = error.params["number"]
        assert isinstance(number, int)
        ways = readings([act for act in save.actions if act.number < number])
    names = Names(title.book, save.players)  # type: ignore[attr-defined]
    seed = "rails " + hashlib.sha256(data).hexdigest()[:16]
    may = candidates(save.options)
    best: tuple[Along, KursbuchError | None] | None = None
    for kept in ways:
        actions, unread = _current(kept, names)
        if unread is not None and not partial:
            raise unread
        lost = lost or unread
        first = Along(Game(title, save.players, options, seed=seed), actions, may)
        course, stopped = search(first, _with_option, progress)
        if stopped is not None:
            course.stop()
        if best is None or stopped is None or course.count() > best[0].count():
            best = course, stopped
        if stopped is None:
            break
    assert best is not None
    course, stopped = best
    if stopped is not None and not partial:
        raise stopped
    return Imported(
        course.game,
        len(save.actions),
        course.count() if stopped or lost else len(save.actions),
        course.memory.reached,
        frozenset(course.memory.ahead),
        (*unknown, *course.remarks()),
        stopped or lost,
    )


def _current(kept: Iterable[Act], names: Names) -> tuple[list[Act], CannotTake | None]:
    """The actions that mean something, with the names of today, and why it is not all of them."""
    actions: list[Act] = []
    for act in kept:
        try:
            if act.kind in IDLE or act.kind == "GameAction":
                continue
            replay.known(act)
            act = names.current(current(act))
        except CannotTake as unread:
            return actions, unread
        if not (act.kind == "NullAction" and act.mode == "START_GAME"):
            actions.append(act)
    return actions, None


def _with_option(course: Along, option: str) -> Along | None:
    """The same from the beginning with an option, if it may be set and is not."""
    if option not in course.may or course.state.house.agreed(option):
        return None
    game = course.game
    anew = Game(game.title, game.names, {**game.options, option: "on"}, seed=game.seed)
    again = Along(anew, course.actions, course.may, course.picks)
    again.overruled = course.overruled
    shown = course.memory.noted.get(PAYS_BEYOND_BANK, [])
    if option == PAYS_BEYOND_BANK:
        # Which action needs it does not show again.
        shown = [course.next().number]
    if shown:
        again.memory.noted[PAYS_BEYOND_BANK] = shown
    return again
