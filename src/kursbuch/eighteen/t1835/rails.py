"""Games of 1835 played with the program Rails-18xx, as games of ours: the options of the table, and
one attempt after the other until no option is missing (`rails_course` plays a game along)."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

from kursbuch.core.errors import KursbuchError
from kursbuch.core.game import Game
from kursbuch.core.importing import Imported, OtherGame, Progress, Remark
from kursbuch.core.title import Title
from kursbuch.core.words import N_
from kursbuch.eighteen.rails import Act, read, readings
from kursbuch.eighteen.t1835.game import (
    AS_RAILS,
    FREE_REVENUE,
    FREE_TRACK,
    GROUP3_WITHOUT_PRUSSIA,
    MINORS_NEED_BAVARIA,
    SAME_PRICE,
    UNLIMITED_TILES,
)
from kursbuch.eighteen.t1835.rails_course import Course, Needs

VARIANTS = {"Standard": "standard", "Clemens": "clemens", "Snake": "snake"}

#: Options that do not change what is possible.
AIDS = {
    "NetworthHidden",
    "NumberOfPlayers",
    "RevenueCalculation",
    "RouteAlgorithm",
    "RouteAwareness",
}

#: Options ours has nothing for, with their usual values.
USUAL = {
    "BYFloatsAt": "50%",
    "FirstRoundSellRestriction": "First Round",
    "NF_PfB_Westermann": "no",
    "NoMapMode": "no",
}

NO = {"", "no", "false", "off", "none"}

#: Kinds of actions that change nothing in the game.
IDLE = {"ReachDestinations", "RequestTurn", "UserComment", "Comment"}

UNKNOWN_OPTION = N_("The option {name} of Rails-18xx, here {value}, has no equivalent.")


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
    options, unknown = _options(save.options)
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
    seed = "rails " + hashlib.sha256(data).hexdigest()[:16]
    may = _candidates(save.options)
    best: tuple[Course, KursbuchError | None] | None = None
    for kept in ways:
        actions = [act for act in kept if not _idle(act)]
        course, stopped = _played(
            lambda options: Game(title, save.players, options, seed=seed),
            actions,
            options,
            may,
            progress,
        )
        if best is None or stopped is None or course.done() > best[0].done():
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
        course.done() if stopped or lost else len(save.actions),
        course.reached,
        frozenset(course.ahead),
        (*unknown, *course.remarks()),
        stopped or lost,
    )


def _played(
    new: Callable[[dict[str, str]], Game],
    actions: list[Act],
    options: dict[str, str],
    may: list[str],
    progress: Progress | None,
) -> tuple[Course, KursbuchError | None]:
    """A game played along the actions as far as possible, with the options that takes."""
    while True:
        course = Course(new(options), actions, may)
        try:
            return course, course.run(progress)
        except Needs as needs:
            name, _, value = needs.option.partition("=")
            options = {**options, name: value}


def _idle(act: Act) -> bool:
    return (
        act.kind in IDLE
        or act.kind == "GameAction"
        or (act.kind == "NullAction" and act.mode == "START_GAME")
    )


def _options(given: dict[str, str]) -> tuple[dict[str, str], list[Remark]]:
    """Our options, and those we have nothing for."""
    options: dict[str, str] = {}
    unknown: list[Remark] = []
    for name, value in given.items():
        if name == "Variant" and value in VARIANTS:
            options["packet"] = VARIANTS[value]
        elif name == "LDIncome" and value.rstrip("M") in ("20", "30"):
            options["ld-30"] = "on" if value.startswith("30") else "off"
        elif name in (
            "MinorsRequireFloatedBY",
            "PrussianReservedIgnored",
            "SeparateSalesAtSamePrice",
            "UnlimitedTiles",
            *AIDS,
        ):
            continue
        elif value != USUAL.get(name) and (name in USUAL or value.casefold() not in NO):
            unknown.append(Remark((), UNKNOWN_OPTION, {"name": name, "value": value}))
    return options, unknown


def _candidates(given: dict[str, str]) -> list[str]:
    """The options of ours that may be set if an action needs them."""
    found = [FREE_TRACK, GROUP3_WITHOUT_PRUSSIA, FREE_REVENUE, AS_RAILS]
    if given.get("UnlimitedTiles", "No").casefold() not in NO:
        found.append(UNLIMITED_TILES)
    if given.get("SeparateSalesAtSamePrice", "yes").casefold() not in NO:
        found.append(SAME_PRICE)
    if (
        given.get("MinorsRequireFloatedBY", "no").casefold() not in NO
        or given.get("Variant") == "Clemens"
    ):
        found.append(MINORS_NEED_BAVARIA)
    return found
