"""When a target tile can be handed in [target-1 to target-18]."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kursbuch.core.actions import Choice
from kursbuch.core.errors import IllegalAction
from kursbuch.core.play import Play
from kursbuch.nimm import events as happened
from kursbuch.nimm.actions import UseTarget
from kursbuch.nimm.components import Cards
from kursbuch.nimm.state import SEATS, NimmState, target_item
from kursbuch.nimm.trains import kind, locomotives


def tiles_of(state: NimmState, cards: Cards, seat: int) -> list[str]:
    """The target tiles a player still has, as far as the state tells."""
    items, holder = state.ledger.items, SEATS[seat]
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
            return state.special == seat and state.special_card in args["cards"]
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
    return [
        Choice(UseTarget(seat, tile))
        for tile in tiles_of(state, cards, seat)
        if fulfilled(state, cards, seat, tile)
    ]


def check(state: NimmState, cards: Cards, action: UseTarget) -> None:
    """Raise the rule that keeps a tile from being handed in."""
    if action.tile not in cards.targets:
        raise IllegalAction("setup-3", "There is no target tile {tile}.", tile=action.tile)
    if not state.ledger.held(target_item(action.tile), SEATS[action.seat]):
        raise IllegalAction(
            "target-use-1", "You do not have the target tile {tile}.", tile=action.tile
        )
    if not fulfilled(state, cards, action.seat, action.tile):
        raise IllegalAction(
            "target-use-1",
            "The condition of the target tile {tile} does not hold now.",
            tile=action.tile,
        )


def use(state: NimmState, cards: Cards, action: UseTarget, play: Play[NimmState]) -> None:
    """The tile is handed in for its bonus and not replaced [setup-6, target-use-2]."""
    seat = action.seat
    bonus = cards.targets[action.tile].bonus
    state.ledger.move(target_item(action.tile), SEATS[seat], "used")
    state.tiles[seat] -= 1
    state.used[seat] += 1
    state.ledger.move("money", "bank", SEATS[seat], bonus)
    play.emit(
        happened.TargetUsed(
            rule=rule_of(cards, action.tile),
            amounts=only(state.seats, seat, bonus),
            seat=seat,
            tile=action.tile,
        )
    )


def rule_of(cards: Cards, tile: str) -> str:
    """The rule a target tile stands under; tiles of a corrected file have none of their own."""
    return tile if tile in TARGET_RULES else "target-use-1"


TARGET_RULES = frozenset(f"target-{number}" for number in range(1, 19))


def only(seats: int, seat: int, amount: int) -> tuple[int, ...]:
    """An amount for one player, as the amounts of a payment."""
    return tuple(amount if other == seat else 0 for other in range(seats))
