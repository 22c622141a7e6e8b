"""When a target tile can be handed in [target-1 to target-18]."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kursbuch.core.actions import Choice
from kursbuch.core.errors import IllegalAction
from kursbuch.games.nimm import events as happened
from kursbuch.games.nimm.actions import UseTarget
from kursbuch.games.nimm.components import Cards
from kursbuch.games.nimm.holdings import NimmPlay, kind, locomotives, only, receive
from kursbuch.games.nimm.state import WITH_TARGETS, NimmState, owner, target_item


def tiles_of(state: NimmState, cards: Cards, seat: int) -> list[str]:
    """The target tiles a player still has, as far as the state tells."""
    items, holder = state.ledger.items, owner(seat)
    return [tile for tile in cards.targets if holder in items[target_item(tile)]]


def fulfilled(state: NimmState, cards: Cards, seat: int, tile: str) -> bool:
    """Whether the condition of a tile holds for a player now. Spare locomotives have neither drive
    nor speed [target-use-3]."""
    target = cards.targets[tile]
    args: dict[str, Any] = target.args
    trains = state.trains[seat]
    match target.condition:
        case "two_targets":
            return state.used[seat] >= int(args["count"])
        case "special_taken":
            taken = state.special
            return taken is not None and taken.seat == seat and taken.card in args["cards"]
        case "wagons_on_each":
            return all(len(train.wagons) >= args["count"] for train in trains)
        case "order_first":
            return state.order[:1] == [seat]
        case "order_last":
            return state.order[-1:] == [seat]
        case "wagons_total":
            return sum(len(train.wagons) for train in trains) >= int(args["count"])
        case "wagons_of_kind":
            return any(
                kind(cards, train) == args["kind"] and len(train.wagons) >= args["count"]
                for train in trains
            )
        case "drives":
            drives = [loco.drive for loco in locomotives(cards, trains)]
            return all(drives.count(drive) >= count for drive, count in args.items())
    own = [loco.speed for loco in locomotives(cards, trains)]
    all_ = [loco.speed for other in state.trains for loco in locomotives(cards, other)]
    best = max if target.condition == "fastest" else min
    return bool(own) and best(own) == best(all_)


def holders(state: NimmState) -> Sequence[int]:
    """Whoever still has tiles: he may hand one in at any moment, whoever's turn it is
    [target-use-1]."""
    return [seat for seat in range(state.seats) if state.tiles[seat]]


def usable(state: NimmState, cards: Cards, seat: int) -> list[Choice]:
    """The target tiles a player can hand in now."""
    if not _everybody_has_three(state):
        return []
    return [
        Choice(UseTarget(seat, tile))
        for tile in tiles_of(state, cards, seat)
        if fulfilled(state, cards, seat, tile)
    ]


def _everybody_has_three(state: NimmState) -> bool:
    """Whether everybody owns three locomotives, and profits are yet to be paid [target-use-1]."""
    return bool(state.agenda) and isinstance(state.agenda[-1], WITH_TARGETS)


def problem(state: NimmState, cards: Cards, action: UseTarget) -> IllegalAction | None:
    """Why a tile cannot be handed in now."""
    if action.tile not in cards.targets:
        return IllegalAction("setup-3", "There is no target tile {tile}.", tile=action.tile)
    if not _everybody_has_three(state):
        return IllegalAction(
            "target-use-1",
            "Target tiles can be handed in only from when everybody owns three locomotives to the "
            "payment.",
        )
    if not state.ledger.held(target_item(action.tile), owner(action.seat)):
        return IllegalAction(
            "target-use-1", "You do not have the target tile {tile}.", tile=action.tile
        )
    if not fulfilled(state, cards, action.seat, action.tile):
        return IllegalAction(
            "target-use-1",
            "The condition of the target tile {tile} does not hold now.",
            tile=action.tile,
        )
    return None


def use(state: NimmState, cards: Cards, action: UseTarget, play: NimmPlay) -> None:
    """The tile is handed in for its bonus and not replaced [setup-6, target-use-2]."""
    seat = action.seat
    bonus = cards.targets[action.tile].bonus
    state.ledger.move(target_item(action.tile), owner(seat), "used")
    state.tiles[seat] -= 1
    state.used[seat] += 1
    receive(play, seat, bonus)
    play.emit(
        happened.TargetUsed(
            rule=rule_of(action.tile), amounts=only(state, seat, bonus), seat=seat, tile=action.tile
        )
    )


def rule_of(tile: str) -> str:
    """The rule a target tile stands under; tiles of a corrected file have none of their own."""
    return tile if tile in TARGET_RULES else "target-use-1"


TARGET_RULES = frozenset(f"target-{number}" for number in range(1, 19))
