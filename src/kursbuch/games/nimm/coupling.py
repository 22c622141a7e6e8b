"""How players couple wagons in what computer opponents imagine: by rules of thumb that are quick to work out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from kursbuch.core.actions import Action
from kursbuch.games.nimm.actions import Pass, Ready, Take, UseTarget
from kursbuch.games.nimm.components import BONUS, DOUBLE, MULTIPLIER, Cards, TargetTile
from kursbuch.games.nimm.prospects import USABLE_NOW, added, best_offer, kind_table
from kursbuch.games.nimm.state import NimmState, Train, Turn
from kursbuch.games.nimm.targets import fulfilled, tiles_of
from kursbuch.games.nimm.trains import kind, limit, multiplier, places, profit, wagons

#: How much of what the next player loses by it counts for taking a card.
DENIAL = 0.5

#: How many good turns a player still has for every wagon the longest train is short of the last.
TURNS_PER_WAGON = 0.3


class Slot(NamedTuple):
    """What counts of a train for further wagons: its multiplier, the kind it pulls, and for a spare
    locomotive (multiplier 0) its best wagon."""

    multiplier: int
    kind: str
    best: float


class Outlook(NamedTuple):
    """What everybody can expect of the rest of the round: how likely each kind lies open and what its wagons
    are worth in the mean, how many turns are left now and with one wagon more on the longest train, how
    long that is, and what a turn brings the player to act and the others in the mean."""

    chances: Mapping[str, float]
    means: Mapping[str, float]
    turns: float
    turns_after: float
    longest: int
    own: float
    others: float


def coupling(state: NimmState, cards: Cards, seat: int) -> Action:
    """What the seat does in phase two."""
    if state.tiles[seat]:
        for tile in tiles_of(state, cards, seat):
            if fulfilled(state, cards, seat, tile):
                return UseTarget(seat, tile)
    return _turn(state, cards, seat) if isinstance(state.agenda[-1], Turn) else Ready(seat)


def _turn(state: NimmState, cards: Cards, seat: int) -> Action:
    """The card that brings most, or to pass if none brings anything. Nobody has cards replaced."""
    outlook = _outlook(state, cards, seat)
    denied = _denied(state, cards, seat)
    best: Action = Pass(seat)
    top = 0.0
    if state.passes + 1 == state.seats:
        top = outlook.turns * (outlook.others - outlook.own)
    for card in dict.fromkeys(state.display):
        for number, gain in takes(state, cards, seat, card):
            value = gain + denied[card] + _toward_targets(state, cards, seat, card, number)
            if number and card != MULTIPLIER:
                value += _lengthened(state, cards, seat, card, number, outlook)
            if value > top:
                best, top = Take(seat, card, number), value
    return best


def takes(state: NimmState, cards: Cards, seat: int, card: str) -> Iterator[tuple[int, float]]:
    """The trains for which a player can take an open card (0: none), and what it brings at once."""
    trains = state.trains[seat]
    if card == BONUS:
        yield 0, float(cards.special[card].money)
        return
    if card == MULTIPLIER:
        for number, train in enumerate(trains, 1):
            yield (
                number,
                float(sum(wagon.value for wagon in wagons(cards, train))) if train.loco else 0.0,
            )
        return
    for place in places(cards, trains, card):
        train = trains[place]
        value = wagons(cards, train)[-1].value if card == DOUBLE else cards.wagons[card].value
        yield place + 1, added(cards, train, value)


def _denied(state: NimmState, cards: Cards, seat: int) -> dict[str, float]:
    """What counts for taking each open card because the next player would like to have it."""
    following = state.order[(state.order.index(seat) + 1) % state.seats]
    wanted = {
        card: max((gain for _, gain in takes(state, cards, following, card)), default=0.0)
        for card in set(state.display)
    }
    ranked = sorted((wanted[card] for card in state.display), reverse=True)
    part = DENIAL / (state.seats - 1)
    found = dict.fromkeys(wanted, 0.0)
    for card, gain in wanted.items():
        if gain == ranked[0] and len(ranked) > 1:
            found[card] = part * (ranked[0] - ranked[1])
    return found


# ---- the rest of the round


def _outlook(state: NimmState, cards: Cards, seat: int) -> Outlook:
    shares, means = kind_table(state, cards)
    opened = cards.display(state.seats)
    chances = {name: 1 - (1 - share) ** opened for name, share in shares.items()}
    longest = max(len(train.wagons) for row in state.trains for train in row)
    missing = limit(state, cards) - longest
    futures = [_next_turn(_slots(cards, row), chances, means) for row in state.trains]
    return Outlook(
        chances,
        means,
        # Every pass brings the end of the round nearer [pass-2].
        TURNS_PER_WAGON * missing * (1 - state.passes / state.seats),
        TURNS_PER_WAGON * (missing - 1),
        longest,
        futures[seat],
        (sum(futures) - futures[seat]) / (state.seats - 1),
    )


def _lengthened(
    state: NimmState, cards: Cards, seat: int, card: str, number: int, outlook: Outlook
) -> float:
    """What the rest of the round brings more over the others once a wagon has been coupled: an empty train is
    bound to its kind, and one more wagon on the longest leaves less time."""
    train = state.trains[seat][number - 1]
    own = outlook.own
    if not train.wagons:
        slots = _slots(cards, state.trains[seat])
        slots[number - 1] = slots[number - 1]._replace(kind=cards.wagons[card].kind)
        own = _next_turn(slots, outlook.chances, outlook.means)
    turns = outlook.turns if len(train.wagons) < outlook.longest else outlook.turns_after
    return turns * (own - outlook.others) - outlook.turns * (outlook.own - outlook.others)


def _slots(cards: Cards, trains: Sequence[Train]) -> list[Slot]:
    return [
        Slot(
            multiplier(cards, train),
            kind(cards, train),
            0.0 if train.loco else float(profit(cards, train)),
        )
        for train in trains
    ]


def _next_turn(
    slots: Sequence[Slot], chances: Mapping[str, float], means: Mapping[str, float]
) -> float:
    """What one more turn brings: the best wagon that fits, as often as its kind lies open."""
    offers: list[tuple[float, float]] = []
    for factor, name, best in slots:
        if name:
            value = means[name] * factor if factor else max(0.0, means[name] - best)
            offers.append((value, chances[name]))
    free = max((slot.multiplier for slot in slots if not slot.kind), default=None)
    if free is not None:
        pulled = [slot.kind for slot in slots]
        offers += [
            (means[name] * max(1, free), seen)
            for name, seen in chances.items()
            if name not in pulled
        ]
    return best_offer(offers)


# ---- target tiles


def _toward_targets(state: NimmState, cards: Cards, seat: int, card: str, number: int) -> float:
    """What a card brings toward the target tiles in hand."""
    if not state.tiles[seat]:
        return 0.0
    found = 0.0
    for tile in tiles_of(state, cards, seat):
        target = cards.targets[tile]
        args: dict[str, Any] = target.args
        if target.condition == "special_taken":
            found += USABLE_NOW * target.bonus * (card in args["cards"])
        elif number and card != MULTIPLIER:
            have, needed = _progress(cards, state.trains[seat], card, number, target)
            if have < needed:
                # The nearer to the last wagon, the more one of them is worth: all together the bonus.
                found += target.bonus * (2 * have + 1) / needed**2
    return found


def _progress(
    cards: Cards, trains: Sequence[Train], card: str, number: int, target: TargetTile
) -> tuple[int, int]:
    """How many wagons toward a target tile lie, and how many it needs, if the card is one more; otherwise
    as many as it needs."""
    args: dict[str, Any] = target.args
    train = trains[number - 1]
    length = len(train.wagons)
    match target.condition:
        case "wagons_of_kind":
            pulled = kind(cards, train) or cards.wagons[card].kind
            if pulled == args["kind"]:
                return length, int(args["count"])
        case "wagons_total":
            return sum(len(each.wagons) for each in trains), int(args["count"])
        case "wagons_on_each":
            count = int(args["count"])
            if length < count:
                return sum(min(count, len(each.wagons)) for each in trains), count * len(trains)
    return 0, 0
