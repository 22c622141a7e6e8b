"""Evaluation of positions of Nimm den Zug, and its playout policy."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from kursbuch.core.actions import Action, Choice
from kursbuch.core.evaluator import Evaluator, Playout
from kursbuch.core.tally import Key
from kursbuch.games.nimm.actions import (
    Bid,
    Buy,
    Favour,
    Hold,
    Keep,
    Offer,
    Pass,
    Ready,
    Replace,
    Take,
    TurnDown,
    UseTarget,
)
from kursbuch.games.nimm.auctions import SECRET
from kursbuch.games.nimm.components import BONUS, DOUBLE, MULTIPLIER, Cards, Locomotive, TargetTile
from kursbuch.games.nimm.holdings import (
    fulfilled,
    kind,
    knows_money,
    limit,
    locos_at,
    money,
    multiplier,
    payable,
    places,
    profit,
    tiles_of,
    usable,
    wagons,
)
from kursbuch.games.nimm.state import (
    WITH_TARGETS,
    Buying,
    ChoiceBids,
    ChooseCard,
    Draft,
    FirstBid,
    NimmState,
    OpenAuction,
    Ranking,
    SealedBids,
    SealedRaises,
    SecondBids,
    SecretBids,
    SpecialTaken,
    Tie,
    TooDear,
    Train,
    Turn,
    TurnAuction,
    card_item,
    hand,
    kept,
)

#: Factors on the bonus of a target tile in hand: usable now, later, and no longer.
USABLE_NOW = 0.9
USABLE_LATER = 0.2


def target_worth(state: NimmState, cards: Cards, seat: int) -> float:
    """Expected bonuses of a player's target tiles."""
    if not state.agenda:
        return 0.0
    now = isinstance(state.agenda[-1], WITH_TARGETS)
    return sum(
        cards.targets[tile].bonus
        * (USABLE_NOW if now and fulfilled(state, cards, seat, tile) else USABLE_LATER)
        for tile in tiles_of(state, cards, seat)
    )


def kind_table(state: NimmState, cards: Cards) -> tuple[dict[str, float], dict[str, float]]:
    """Share of each kind among the wagon cards still to come, and its mean value."""
    items = state.ledger.items
    return _kind_table(cards, tuple([to_come(items[card_item(name)]) for name in cards.wagons]))


def added(cards: Cards, train: Train, value: float) -> float:
    """Gain from one more wagon of a value; a spare locomotive is paid for one wagon only [pay-2]."""
    if not train.loco:
        return max(0.0, value - profit(cards, train))
    return value * multiplier(cards, train)


def best_offer(offers: Iterable[tuple[float, float]]) -> float:
    """Expected value of the best available wagon, given values and probabilities."""
    left, expected = 1.0, 0.0
    for value, seen in sorted(offers, reverse=True):
        expected += left * seen * value
        left *= 1 - seen
    return expected


def to_come(row: dict[str, int]) -> int:
    """Number of cards in a ledger row that can still be taken this round."""
    return row.get("deck", 0) + row.get("display", 0)


@lru_cache(maxsize=10_000)
def _kind_table(
    cards: Cards, numbers: tuple[int, ...]
) -> tuple[dict[str, float], dict[str, float]]:
    counts: dict[str, int] = {}
    sums: dict[str, int] = {}
    for wagon, number in zip(cards.wagons.values(), numbers, strict=True):
        counts[wagon.kind] = counts.get(wagon.kind, 0) + number
        sums[wagon.kind] = sums.get(wagon.kind, 0) + number * wagon.value
    total = max(1, sum(counts.values()))
    return (
        {name: count / total for name, count in counts.items()},
        {name: sums[name] / counts[name] if counts[name] else 0.0 for name in counts},
    )


#: Income in phase two per multiplier of a player's best, second and third locomotive; from 1,500 rounds of two
#: greedy bots with random locomotives (`benchmarks/loads.py`).
LOADS = (530.0, 460.0, 380.0)

#: Multiplier and price expected of a locomotive still to be bought.
EXPECTED_MULTIPLIER = 2.4
EXPECTED_PRICE = 550.0

#: Range of a player's limit as a share of the locomotive's worth, from bargain hunters to enthusiasts.
KEENNESS = (0.6, 1.4)

#: Range of a sealed bid, and of the first of two, as a share of the limit.
SEALED = (0.5, 1.0)
FIRST_OF_TWO = (0.3, 1.0)

#: Range of a bid for the first choice.
FIRST_CHOICE = (200.0, 700.0)


def promise(multipliers: Sequence[float]) -> float:
    """Expected income of locomotives in phase two."""
    ordered = sorted(multipliers, reverse=True)
    return sum(load * factor for load, factor in zip(LOADS, ordered, strict=False))


class Buyers:
    """Playout policy of phase one; no player uses hidden information."""

    def __init__(self, cards: Cards, seats: int, rng: random.Random) -> None:
        self.cards = cards
        self.rng = rng
        self.keenness = [rng.uniform(*KEENNESS) for _ in range(seats)]

    def action(self, state: NimmState, seat: int) -> Action | None:
        """The seat's action; None outside phase one."""
        match state.agenda[-1]:
            case ChooseCard():
                return Offer(
                    seat, self._best(state, seat, payable(state, self.cards, seat, state.offer))
                )
            case FirstBid(loco=loco):
                return Bid(seat, self.cards.locomotive[loco].power)
            case TurnAuction(loco=loco, bid=bid):
                return self._raise(state, seat, loco, bid) or Pass(seat)
            case OpenAuction(loco=loco, bid=bid) | SealedRaises(loco=loco, bid=bid):
                return self._raise(state, seat, loco, bid) or Hold(seat)
            case SealedBids() | SecondBids() | ChoiceBids() as step:
                return self._secret(state, seat, step)
            case Tie(tied=tied):
                return Favour(seat, seat if seat in tied else tied[0])
            case Ranking() as step:
                return self._rank(seat, step)
            case Buying(bids=bids):
                purse = money(state, seat) - bids[seat]
                able = [loco for loco in state.offer if self.cards.locomotive[loco].power <= purse]
                return Buy(seat, self._best(state, seat, able))
            case Draft():
                return Keep(seat, self._kept(state, seat))
            case TooDear():
                return TurnDown(seat, self._turned_down(state, seat))
        return None

    def redraw_bids(self, state: NimmState, step: SecretBids) -> None:
        """Redraw secret bids already made, within each seat's limits."""
        rules = SECRET[type(step)](self.cards)
        for seat in step.answers:
            action = self.action(state, seat)
            low, high = rules.limits(state, step, seat)
            step.answers[seat] = (
                min(high, max(low, action.amount)) if isinstance(action, Bid) else 0
            )

    def _value(self, state: NimmState, seat: int, loco: str) -> float:
        """Worth of a locomotive compared with buying an average one."""
        owned = [
            self.cards.locomotive[train.loco].multiplier
            for train in state.trains[seat]
            if train.loco
        ]
        missing = self.cards.setup.locomotives_per_player - len(state.trains[seat])
        others = [*owned, *[EXPECTED_MULTIPLIER] * (missing - 1)]
        better = promise([*others, self.cards.locomotive[loco].multiplier])
        return better - promise([*others, EXPECTED_MULTIPLIER]) + EXPECTED_PRICE

    def _best(self, state: NimmState, seat: int, locos: Sequence[str]) -> str:
        """The locomotive with the highest worth beyond its power."""
        locomotive = self.cards.locomotive
        return max(locos, key=lambda loco: self._value(state, seat, loco) - locomotive[loco].power)

    # ---- bids

    def _limit(self, state: NimmState, seat: int, loco: str) -> float:
        """A player's maximum price for a locomotive."""
        limit = self.keenness[seat] * self._value(state, seat, loco)
        return min(limit, float(money(state, seat)))

    def _raise(self, state: NimmState, seat: int, loco: str, bid: int) -> Action | None:
        """The minimum raise, if within the limit."""
        amount = bid + self.cards.step
        return Bid(seat, amount) if amount <= self._limit(state, seat, loco) else None

    def _secret(
        self, state: NimmState, seat: int, step: SealedBids | SecondBids | ChoiceBids
    ) -> Action:
        """A secret bid: a share of the limit; the second of two bids is the rest."""
        if isinstance(step, ChoiceBids):
            wanted = self.rng.uniform(*FIRST_CHOICE)
            return Bid(seat, self._rounded(min(wanted, money(state, seat))))
        limit = self._limit(state, seat, step.loco)
        if isinstance(step, SecondBids):
            return Bid(seat, self._rounded(limit - step.before[seat]))
        part = self.rng.uniform(*(FIRST_OF_TWO if state.auction == "double" else SEALED))
        least = self.cards.locomotive[step.loco].power if seat == step.starter else 0
        return Bid(seat, max(least, self._rounded(part * limit)))

    def _rounded(self, amount: float) -> int:
        step = self.cards.step
        return max(0, int(amount) // step * step)

    def _rank(self, seat: int, step: Ranking) -> Action:
        """A player who breaks ties puts himself first."""
        left = [other for other in step.bids if other not in step.ranked]
        best = max(step.bids[other] for other in left)
        tied = [other for other in left if step.bids[other] == best]
        return Favour(seat, seat if seat in tied else tied[0])

    # ---- pass on

    def _kept(self, state: NimmState, seat: int) -> str:
        """The locomotive that best fits those kept before."""
        cards = self.cards
        owned = [cards.locomotive[loco] for loco in locos_at(state, cards, kept(seat))]
        held = locos_at(state, cards, hand(seat))
        return max(held, key=lambda loco: _left_over([*owned, cards.locomotive[loco]]))

    def _turned_down(self, state: NimmState, seat: int) -> str:
        """The locomotive whose loss costs least."""
        own = [train.loco for train in state.trains[seat] if train.loco]
        locomotive = self.cards.locomotive
        return max(
            own,
            key=lambda loco: _left_over([locomotive[other] for other in own if other != loco]),
        )


def _left_over(locos: Sequence[Locomotive]) -> float:
    """Income of passed-on locomotives beyond their price [auction-pass-5]."""
    factors = [loco.multiplier for loco in locos]
    return promise(factors) - sum(loco.power for loco in locos) * max(factors, default=0)


#: Weight of the next player's loss when taking a card.
DENIAL = 0.5

#: Good turns left for a player per wagon missing on the longest train.
TURNS_PER_WAGON = 0.3


class Slot(NamedTuple):
    """A train's prospects: multiplier, kind, and for a spare locomotive (multiplier 0) its best wagon."""

    multiplier: int
    kind: str
    best: float


class Outlook(NamedTuple):
    """Outlook for the rest of the round: probability and mean value of each kind, turns left now and after one more
    wagon on the longest train, its length, and the mean income per turn of the player to act and the others."""

    chances: Mapping[str, float]
    means: Mapping[str, float]
    turns: float
    turns_after: float
    longest: int
    own: float
    others: float


def coupling(state: NimmState, cards: Cards, seat: int) -> Action:
    """The seat's action in phase two."""
    if state.tiles[seat]:
        for tile in tiles_of(state, cards, seat):
            if fulfilled(state, cards, seat, tile):
                return UseTarget(seat, tile)
    return _turn(state, cards, seat) if isinstance(state.agenda[-1], Turn) else Ready(seat)


def _turn(state: NimmState, cards: Cards, seat: int) -> Action:
    """The card with the highest gain, or pass if there is none. Cards are never replaced."""
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
    """Trains for which a player can take an open card (0: none), with the immediate gain."""
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
    """Value of denying each open card to the next player."""
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
        # Each pass brings the end of the round closer [pass-2].
        TURNS_PER_WAGON * missing * (1 - state.passes / state.seats),
        TURNS_PER_WAGON * (missing - 1),
        longest,
        futures[seat],
        (sum(futures) - futures[seat]) / (state.seats - 1),
    )


def _lengthened(
    state: NimmState, cards: Cards, seat: int, card: str, number: int, outlook: Outlook
) -> float:
    """Change of the rest of the round after coupling a wagon: an empty train gets its kind, and a longer longest
    train shortens the round."""
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
    """Income of one more turn: the best fitting wagon, weighted by availability."""
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


def _toward_targets(state: NimmState, cards: Cards, seat: int, card: str, number: int) -> float:
    """Gain of a card towards the target tiles in hand."""
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
                # Progress counts more near completion; the sum is the bonus.
                found += target.bonus * (2 * have + 1) / needed**2
    return found


def _progress(
    cards: Cards, trains: Sequence[Train], card: str, number: int, target: TargetTile
) -> tuple[int, int]:
    """Wagons coupled for a target tile and wagons needed, if the card adds one; otherwise the number needed, twice."""
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


#: Cost of each place further back in the order of phase two, with two players and with more; measured like `LOADS`.
PLACE_OF_TWO = 300.0
PLACE_OF_MORE = 200.0


class NimmPlayout(Playout[NimmState]):
    """Playout in which all buy and couple by rules of thumb."""

    def __init__(self, cards: Cards, state: NimmState, rng: random.Random) -> None:
        self.cards = cards
        self.round = state.round
        self.buying = not state.order
        self.buyers = Buyers(cards, state.seats, rng)
        step = state.agenda[-1]
        if isinstance(step, SecretBids):
            # A player who has yet to answer does not know the answers.
            self.buyers.redraw_bids(state, step)

    def action(self, state: NimmState, seat: int) -> Action | None:
        if state.round != self.round or (self.buying and state.order):
            return None
        if self.buying:
            if isinstance(state.agenda[-1], TooDear):
                # A bonus may be enough [target-use-1].
                for choice in usable(state, self.cards, seat):
                    return choice.action
            return self.buyers.action(state, seat)
        return coupling(state, self.cards, seat)

    def worth(self, state: NimmState) -> Sequence[float]:
        """Money and expected target bonuses; before phase two also the expected income of locomotives and order."""
        found = [float(money(state, seat)) for seat in range(state.seats)]
        for _, amounts in expectations(state, self.cards):
            for seat, amount in enumerate(amounts):
                found[seat] += amount
        return found


def expectations(state: NimmState, cards: Cards) -> Iterator[tuple[Key, list[float]]]:
    """What each player can expect beyond money at the end of a phase, by source (`Title.tally`); nothing after the
    end."""
    if not state.agenda:
        return
    seats = range(state.seats)
    yield ("targets",), [target_worth(state, cards, seat) for seat in seats]
    if state.order:
        place = PLACE_OF_TWO if state.seats == 2 else PLACE_OF_MORE
        yield (
            ("income",),
            [promise([multiplier(cards, train) for train in row]) for row in state.trains],
        )
        # Against the last place.
        yield (
            ("order",),
            [place * float(state.seats - 1 - state.order.index(seat)) for seat in seats],
        )


#: Usual loads of a player's best, second and third train.
USUAL_LOADS = (680.0, 360.0, 200.0)

#: Multiplier expected of a locomotive still to be bought.
USUAL_MULTIPLIER = 2.0
USUAL_PRICE = 550.0

#: Good turns left for a player per wagon missing on the longest train; low, since a wagon now is worth more than one
#: later.
OWN_TURNS_PER_WAGON = 0.5

#: Assumed secret bids of others, as a share of the locomotive's worth to them.
BID_PART = 0.6

#: Bids considered, as shares of the locomotive's worth to the bidder.
BID_PARTS = (0.2, 0.4, 0.55, 0.7, 0.85)


def gain(state: NimmState, cards: Cards, seat: int, loco: str) -> float:
    """Gain of a locomotive over the usual one in its place."""
    owned = [float(multiplier(cards, train)) for train in state.trains[seat]]
    better = [*owned, float(cards.locomotive[loco].multiplier)]
    return _promise(cards, better) - _promise(cards, owned)


def _promise(cards: Cards, multipliers: list[float]) -> float:
    """Expected income of locomotives in phase two, with missing ones bought at the usual price."""
    missing = cards.setup.locomotives_per_player - len(multipliers)
    best = sorted([*multipliers, *[USUAL_MULTIPLIER] * missing], reverse=True)
    loads = zip(best, USUAL_LOADS, strict=False)
    return sum(factor * load for factor, load in loads) - missing * USUAL_PRICE


def _trains(state: NimmState, cards: Cards, seat: int) -> float:
    """Profit and expected additions this round; 0 after payment."""
    if not state.agenda or (not state.order and not state.trains[seat]):
        return _promise(cards, []) if state.agenda else 0.0
    if not state.order:
        return _promise(cards, [float(multiplier(cards, train)) for train in state.trains[seat]])
    now = float(sum(profit(cards, train) for train in state.trains[seat]))
    if not isinstance(state.agenda[-1], Turn | SpecialTaken):
        return now
    return now + _prospects(state, cards, seat)


def _prospects(state: NimmState, cards: Cards, seat: int) -> float:
    """Expected additions: in each turn the best fitting wagon, weighted by availability."""
    trains = state.trains[seat]
    most = limit(state, cards)
    longest = max(len(train.wagons) for row in state.trains for train in row)
    # Each pass brings the end of the round closer [pass-2].
    turns = OWN_TURNS_PER_WAGON * (most - longest) * (1 - state.passes / state.seats)
    shares, means = kind_table(state, cards)
    kinds = [kind(cards, train) for train in trains]
    free = [name for name in shares if name not in kinds]
    open_cards = cards.display(state.seats)
    offers: list[tuple[float, float]] = []
    for train, pulled in zip(trains, kinds, strict=True):
        for name in [pulled] if pulled else free:
            seen = 1 - (1 - shares[name]) ** open_cards
            offers.append((added(cards, train, means[name]), seen))
    return turns * best_offer(offers)


def _known_bids(step: SecretBids) -> dict[int, int]:
    """Known secret bids, without passes."""
    found = {seat: bid for seat, bid in step.answers.items() if bid is not None}
    if isinstance(step, SecondBids):
        return {seat: bid + step.before[seat] for seat, bid in found.items()}
    if isinstance(step, ChoiceBids | SealedRaises):
        return {seat: bid for seat, bid in found.items() if bid}
    return found


def _expect_bids(state: NimmState, cards: Cards, step: SecretBids, found: list[float]) -> None:
    """Expected value of the secret bids so far, if the others bid up to a share of the locomotive's worth to them."""
    bids = _known_bids(step)
    choosing = isinstance(step, ChoiceBids)
    for seat, bid in bids.items():
        # First choice is worth one more multiplier.
        value = USUAL_LOADS[0] if choosing else gain(state, cards, seat, step.loco)
        chance = 1.0
        for other in step.seats:
            if other == seat:
                continue
            if not choosing and other in bids:
                chance *= 0.5 if bids[other] == bid else float(bid > bids[other])
                continue
            limit_ = USUAL_LOADS[0] * 0.8
            if not choosing:
                limit_ = max(100.0, BID_PART * gain(state, cards, other, step.loco))
            limit_ = min(limit_, max(50.0, money(state, other)))
            chance *= min(1.0, (bid + cards.step / 2) / limit_)
        paid = bid if choosing else chance * bid
        found[seat] += chance * value - paid


#: Chance that all rivals let a jump bid stand.
STANDS = 0.02


def _jump(
    state: NimmState, cards: Cards, step: TurnAuction | OpenAuction, seat: int, worth: float
) -> float:
    """A bid in open bidding that a rival will almost certainly outdo, so that smaller steps only take time."""
    left = step.active if isinstance(step, TurnAuction) else step.others
    rivals = {step.bidder, *left} - {seat}
    limits = [
        min(gain(state, cards, rival, step.loco), float(money(state, rival)))
        if knows_money(state, rival)
        else gain(state, cards, rival, step.loco)
        for rival in rivals
    ]
    least, most = KEENNESS
    part: float = least + (most - least) * STANDS ** (1 / max(1, len(limits)))
    return part * min(worth, max(limits, default=0.0))


class NimmEvaluator(Evaluator[NimmState]):
    guess_per_seat = True

    def __init__(self, cards: Cards) -> None:
        self.cards = cards

    def evaluate(self, state: NimmState) -> list[float]:
        """Money, expected income of trains, and expected target bonuses."""
        found = [
            money(state, seat)
            + _trains(state, self.cards, seat)
            + target_worth(state, self.cards, seat)
            for seat in range(state.seats)
        ]
        step = state.agenda[-1] if state.agenda else None
        if isinstance(step, SecretBids):
            _expect_bids(state, self.cards, step, found)
        elif isinstance(step, TurnAuction | OpenAuction):
            found[step.bidder] += gain(state, self.cards, step.bidder, step.loco) - step.bid
        return found

    def amounts(self, state: NimmState, choice: Choice) -> list[int]:
        """Some bids worth considering: the lowest that the others may let stand, and shares of the possible gain."""
        amounts, seat = choice.amount, choice.action.seat
        if amounts is None:
            return []
        step = state.agenda[-1]
        loco = getattr(step, "loco", "")
        worth = gain(state, self.cards, seat, loco) if loco else USUAL_LOADS[0]
        least = amounts.low
        if isinstance(step, TurnAuction | OpenAuction):
            jump = int(_jump(state, self.cards, step, seat, worth)) // amounts.step * amounts.step
            least = max(least, min(amounts.high, jump))
        found = {least}
        for part in BID_PARTS:
            wanted = int(part * worth) // amounts.step * amounts.step
            found.add(min(amounts.high, max(least, wanted)))
        return sorted(found)

    def at_stake(self, state: NimmState, action: Action) -> float | None:
        """Gain of a locomotive over the usual one."""
        loco = getattr(state.agenda[-1], "loco", "") if state.agenda else ""
        if not loco or not isinstance(action, Bid | Hold | Pass):
            return None
        return max(0.0, gain(state, self.cards, action.seat, loco))

    def unsettled(self, state: NimmState) -> bool:
        """Whether open bidding is in progress or passed-on locomotives are unpaid; bidding in turn can be evaluated
        as it stands."""
        step = state.agenda[-1] if state.agenda else None
        return isinstance(step, FirstBid | OpenAuction | TooDear)

    def playout(self, state: NimmState, rng: random.Random) -> NimmPlayout:
        return NimmPlayout(self.cards, state, rng)

    def playout_weight(self, action: Action) -> float:
        match action:
            case Take() | UseTarget():
                return 5.0
            case Bid():
                return 0.5
            case Replace():
                return 0.1
        return 1.0
