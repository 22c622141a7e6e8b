"""Money, locomotives, trains and target tiles of players, and their worth."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from kursbuch.core.actions import Choice
from kursbuch.core.errors import IllegalAction, Money
from kursbuch.core.play import Play
from kursbuch.games.nimm import events as happened
from kursbuch.games.nimm.actions import UseTarget
from kursbuch.games.nimm.components import CURRENCY, DOUBLE, Cards, Locomotive, WagonCard
from kursbuch.games.nimm.state import WITH_TARGETS, NimmState, Train, loco_item, owner, target_item


def wagons(cards: Cards, train: Train) -> list[WagonCard]:
    """Wagons of a train; a double wagon copies the one before it [special-double]."""
    found: list[WagonCard] = []
    for card in train.wagons:
        found.append(found[-1] if card == DOUBLE else cards.wagons[card])
    return found


def kind(cards: Cards, train: Train) -> str:
    """Kind of a train's wagons; empty without wagons [kind-1]."""
    return cards.wagons[train.wagons[0]].kind if train.wagons else ""


def multiplier(cards: Cards, train: Train) -> int:
    """Multiplier including cards beside it; 0 for a spare locomotive [bid-4]."""
    return cards.locomotive[train.loco].multiplier + train.plus if train.loco else 0


def profit(cards: Cards, train: Train) -> int:
    """Profit of a train [pay-1]; for a spare locomotive its best wagon [pay-2].

    >>> from kursbuch.core.title import parse_data
    >>> from kursbuch.games.nimm.components import CardFile, standard_data
    >>> cards = Cards(parse_data(standard_data(), CardFile))
    >>> profit(cards, Train("D5", ["coal200", "coal200", "coal150", "coal150", "coal150"]))
    2550
    >>> profit(cards, Train("", ["food50", "food100", "food150"], plus=1))
    150
    """
    values = [wagon.value for wagon in wagons(cards, train)]
    if not train.loco:
        return max(values, default=0)
    return sum(values) * multiplier(cards, train)


def locomotives(cards: Cards, trains: list[Train]) -> list[Locomotive]:
    """A player's locomotives, without spares."""
    return [cards.locomotive[train.loco] for train in trains if train.loco]


def power(cards: Cards, trains: list[Train]) -> int:
    """Total power of a player's locomotives [order-1]."""
    return sum(loco.power for loco in locomotives(cards, trains))


def order(state: NimmState, cards: Cards) -> list[int]:
    """Seats in the order of phase two: by power, then by the fastest, second and third fastest locomotive, then
    clockwise from the start player [order-1, order-2]."""

    def rank(seat: int) -> tuple[int, list[int], int]:
        trains = state.trains[seat]
        speeds = [loco.speed for loco in locomotives(cards, trains)]
        speeds += [0] * (len(trains) - len(speeds))
        return (
            -power(cards, trains),
            sorted(-speed for speed in speeds),
            (seat - state.start) % state.seats,
        )

    return sorted(range(state.seats), key=rank)


def limit(state: NimmState, cards: Cards) -> int:
    """Number of wagons on a locomotive that ends the round [stop-1, special-longer]."""
    setup = cards.setup
    return setup.wagon_limit_longer_train if state.longer else setup.wagon_limit


def in_order(cards: Cards, names: Iterable[str]) -> list[str]:
    """Wagon deck cards in the order of the component file, unknown ones last."""
    index = cards.card_index
    return sorted(names, key=lambda name: index.get(name, len(index)))


def places(cards: Cards, trains: list[Train], card: str) -> list[int]:
    """Trains (0 to 2) that can take a wagon card: one with its kind, otherwise any empty one; a double wagon goes
    behind any wagon [kind-1, special-double]."""
    if card == DOUBLE:
        return [n for n, train in enumerate(trains) if train.wagons]
    wanted = cards.wagons[card].kind
    kinds = [kind(cards, train) for train in trains]
    return [n for n, found in enumerate(kinds) if found == (wanted if wanted in kinds else "")]


NimmPlay = Play[NimmState]


def money(state: NimmState, seat: int) -> int:
    """A player's money."""
    return state.ledger.held("money", owner(seat))


def knows_money(state: NimmState, seat: int) -> bool:
    """Whether the state contains a player's money, which a view hides from others."""
    purses = state.ledger.items["money"]
    return owner(seat) in purses or "bank" in purses or not state.agenda


def left_of(state: NimmState, seat: int) -> int:
    """The left neighbour."""
    return (seat + 1) % state.seats


def needy(state: NimmState, cards: Cards) -> list[int]:
    """Seats that still need locomotives; the others do not take part [bid-1, auction-turn-8]."""
    full = cards.setup.locomotives_per_player
    return [seat for seat in range(state.seats) if len(state.trains[seat]) < full]


def locos_at(state: NimmState, cards: Cards, holder: str) -> list[str]:
    """Locomotive cards of a holder, in the order of the component file."""
    items = state.ledger.items
    return [loco.id for loco in cards.locomotives if holder in items[loco_item(loco.id)]]


def payable(state: NimmState, cards: Cards, seat: int, locos: Sequence[str]) -> list[str]:
    """The locomotives whose power a player can pay [bid-5]."""
    purse = money(state, seat)
    return [loco for loco in locos if cards.locomotive[loco].power <= purse]


def only(state: NimmState, seat: int, amount: int) -> tuple[int, ...]:
    """Payment amounts with a value for one player."""
    return tuple(amount if other == seat else 0 for other in range(state.seats))


def dollars(amount: int) -> Money:
    """An amount of money in a refusal."""
    return Money(amount, CURRENCY)


def pay_bank(play: NimmPlay, seat: int, amount: int) -> None:
    """Pay the bank."""
    play.state.ledger.move("money", owner(seat), "bank", amount)


def receive(play: NimmPlay, seat: int, amount: int) -> None:
    """Receive money from the bank."""
    play.state.ledger.move("money", "bank", owner(seat), amount)


def take_loco(play: NimmPlay, seat: int, loco: str, source: str) -> None:
    """Place a locomotive before a player."""
    play.state.ledger.move(loco_item(loco), source, owner(seat))
    play.state.trains[seat].append(Train(loco, []))


def take_spares(play: NimmPlay, seat: int, locos: Sequence[str], source: str) -> None:
    """Turn unsold locomotives into spares, face down; their identity no longer matters [bid-4]."""
    for loco in locos:
        play.state.ledger.move(loco_item(loco), source, "spare")
        play.state.trains[seat].append(Train("", []))
    play.emit(happened.SparesReceived(rule="bid-4", seat=seat, count=len(locos)))


def tiles_of(state: NimmState, cards: Cards, seat: int) -> list[str]:
    """A player's target tiles, as far as known."""
    items, holder = state.ledger.items, owner(seat)
    return [tile for tile in cards.targets if holder in items[target_item(tile)]]


def fulfilled(state: NimmState, cards: Cards, seat: int, tile: str) -> bool:
    """Whether a tile's condition is met by a player now. Spare locomotives have no drive or speed [target-use-3]."""
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
    """Players with tiles, who may hand one in at any time, even out of turn [target-use-1]."""
    return [seat for seat in range(state.seats) if state.tiles[seat]]


def usable(state: NimmState, cards: Cards, seat: int) -> list[Choice]:
    """Target tiles a player can hand in now."""
    if not _everybody_has_three(state):
        return []
    return [
        Choice(UseTarget(seat, tile))
        for tile in tiles_of(state, cards, seat)
        if fulfilled(state, cards, seat, tile)
    ]


def _everybody_has_three(state: NimmState) -> bool:
    """Whether all players own three locomotives and profits are unpaid [target-use-1]."""
    return bool(state.agenda) and isinstance(state.agenda[-1], WITH_TARGETS)


def problem(state: NimmState, cards: Cards, action: UseTarget) -> IllegalAction | None:
    """Why a tile cannot be handed in now."""
    if action.tile not in cards.targets:
        return IllegalAction("setup-3", "There is no target tile {tile}.", tile=action.tile)
    if not _everybody_has_three(state):
        return IllegalAction(
            "target-use-1",
            "Target tiles can be handed in only between the moment when everyone owns three "
            "locomotives and the payment.",
        )
    if not state.ledger.held(target_item(action.tile), owner(action.seat)):
        return IllegalAction(
            "target-use-1", "You do not have the target tile {tile}.", tile=action.tile
        )
    if not fulfilled(state, cards, action.seat, action.tile):
        return IllegalAction(
            "target-use-1",
            "The condition of target tile {tile} is not met.",
            tile=action.tile,
        )
    return None


def use(state: NimmState, cards: Cards, action: UseTarget, play: NimmPlay) -> None:
    """Hand in a tile for its bonus; it is not replaced [setup-6, target-use-2]."""
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
    """Rule of a target tile; tiles from corrected data have none of their own."""
    return tile if tile in TARGET_RULES else "target-use-1"


TARGET_RULES = frozenset(f"target-{number}" for number in range(1, 19))
