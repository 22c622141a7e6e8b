"""The sentences of Nimm den Zug: log lines, prompts, choices, holdings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kursbuch.core.actions import Action
from kursbuch.core.events import Event
from kursbuch.core.state import Decision
from kursbuch.core.voice import Panel, Pick, Row, Voice
from kursbuch.core.words import Words
from kursbuch.nimm import events as happened
from kursbuch.nimm.actions import (
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
from kursbuch.nimm.auctions import draft_price, locos_at, money
from kursbuch.nimm.components import (
    AUCTION_NAMES,
    BONUS,
    DRIVE_NAMES,
    KIND_NAMES,
    LOADED,
    LONGER,
    SPECIAL_NAMES,
    Cards,
)
from kursbuch.nimm.state import (
    HANDS,
    KEPT,
    SEATS,
    Buying,
    ChooseCard,
    Closing,
    Draft,
    FirstBid,
    NimmState,
    OpenAuction,
    Ranking,
    SealedBids,
    SpecialTaken,
    Tie,
    TooDear,
    Turn,
    TurnAuction,
    auction_item,
    card_item,
)
from kursbuch.nimm.targets import tiles_of, usable
from kursbuch.nimm.trains import kind, limit, multiplier, power, profit, wagons

CURRENCY = "$"

# ---- names


def dollars(words: Words, amount: int) -> str:
    """An amount of money."""
    return words.money(amount, CURRENCY)


def card_name(words: Words, cards: Cards, card: str) -> str:
    """A card of the wagon deck, such as "Coal $200"."""
    wagon = cards.wagons.get(card)
    if wagon is None:
        return words._(SPECIAL_NAMES[card]) if card in SPECIAL_NAMES else card
    return words._(
        "{kind} {value}", kind=words._(KIND_NAMES[wagon.kind]), value=dollars(words, wagon.value)
    )


def card_names(words: Words, cards: Cards, names: Sequence[str]) -> str:
    """A list of cards in words."""
    return words.join([card_name(words, cards, name) for name in names])


def loco_facts(words: Words, cards: Cards, loco: str) -> str:
    """What stands on a locomotive card."""
    card = cards.locomotive[loco]
    return words._(
        "{drive}, power {power}, {speed} km/h, ×{multiplier}",
        drive=words._(DRIVE_NAMES[card.drive]),
        power=card.power,
        speed=card.speed,
        multiplier=card.multiplier,
    )


def loco_name(words: Words, cards: Cards, loco: str) -> str:
    """A locomotive with its multiplier, or a spare one."""
    if not loco:
        return words._("the spare locomotive")
    return f"{loco} (×{cards.locomotive[loco].multiplier})"


def train_name(words: Words, cards: Cards, train: int, loco: str) -> str:
    """A player's train with its number and locomotive."""
    if not loco:
        return words._("train {number} (spare locomotive)", number=train)
    return words._("train {number} ({loco})", number=train, loco=loco)


def target_text(words: Words, cards: Cards, tile: str) -> str:
    """The condition of a target tile."""
    target = cards.targets[tile]
    args: dict[str, Any] = target.args
    count = args.get("count", 0)
    match target.condition:
        case "two_targets":
            return words.ngettext(
                "{n} other target tile handed in", "{n} other target tiles handed in", count
            )
        case "special_taken":
            return words._(
                "special card taken ({cards})",
                cards=words.either([card_name(words, cards, card) for card in args["cards"]]),
            )
        case "wagons_on_each":
            return words.ngettext(
                "{n} wagon on each of one's locomotives",
                "{n} wagons on each of one's locomotives",
                count,
            )
        case "order_first":
            return words._("first in the order of phase two")
        case "order_last":
            return words._("last in the order of phase two")
        case "wagons_total":
            return words.ngettext(
                "{n} wagon on all of one's locomotives together",
                "{n} wagons on all of one's locomotives together",
                count,
            )
        case "wagons_of_kind":
            return words.ngettext(
                "{n} wagon {loaded} on one locomotive",
                "{n} wagons {loaded} on one locomotive",
                count,
                loaded=words._(LOADED[args["kind"]]),
            )
        case "drives":
            return words._(
                "locomotives: {list}",
                list=", ".join(
                    f"{number} × {words._(DRIVE_NAMES[drive])}" for drive, number in args.items()
                ),
            )
        case "fastest":
            return words._("the fastest of all locomotives")
    return words._("the slowest of all locomotives")


def target_name(words: Words, cards: Cards, tile: str) -> str:
    """A target tile with its bonus."""
    return words._(
        "{condition}: {bonus}",
        condition=target_text(words, cards, tile),
        bonus=dollars(words, cards.targets[tile].bonus),
    )


class NimmVoice(Voice[NimmState]):
    """What is said about Nimm den Zug to one reader."""

    currency = CURRENCY

    def __init__(self, cards: Cards, words: Words) -> None:
        super().__init__(words)
        self.cards = cards

    # ---- log

    def describe(self, event: Event) -> str:
        """The log line of an event."""
        for part in (
            self._of_game,
            self._of_auctions,
            self._of_first_choice,
            self._of_draft,
            self._of_phase_two,
        ):
            line = part(event)
            if line:
                return line
        raise TypeError(f"not an event of this game: {event!r}")

    def _of_game(self, event: Event) -> str:
        match event:
            case happened.StartPlayerDrawn(seat=seat):
                return self._("{name} is drawn as start player.", name=self.name(seat))
            case happened.MoneyDealt(amounts=amounts):
                return self._("Everybody receives {amount}.", amount=self.money(amounts[0]))
            case happened.TargetsDealt(seat=seat, tiles=tiles):
                return self._(
                    "{name} receives the target tiles: {list}.",
                    name=self.name(seat),
                    list="; ".join(target_name(self.words, self.cards, tile) for tile in tiles),
                )
            case happened.RoundBegan(round=number, seat=seat, auction=auction):
                return self._(
                    "Round {number}: {name} draws the auction tile “{auction}”.",
                    number=number,
                    name=self.name(seat),
                    auction=self._(AUCTION_NAMES[auction]),
                )
            case happened.TargetUsed(seat=seat, tile=tile, amounts=amounts):
                return self._(
                    "{name} hands in a target tile ({condition}) and receives {amount}.",
                    name=self.name(seat),
                    condition=target_text(self.words, self.cards, tile),
                    amount=self.money(amounts[seat]),
                )
            case happened.SaidReady(seat=seat):
                return self._("{name} hands in no target tile now.", name=self.name(seat))
            case happened.ProfitPaid(seat=seat, parts=parts, amounts=amounts):
                return self._(
                    "{name} receives {amount} for the trains ({parts}).",
                    name=self.name(seat),
                    amount=self.money(amounts[seat]),
                    parts=" + ".join(self.words.number(part) for part in parts),
                )
            case happened.SparePaid(seat=seat, parts=parts, amounts=amounts):
                return self.ngettext(
                    "{name} receives {amount} for the best wagon of a spare locomotive.",
                    "{name} receives {amount} for the best wagons of {n} spare locomotives.",
                    len(parts),
                    name=self.name(seat),
                    amount=self.money(amounts[seat]),
                )
            case happened.GameEnded(money=money, used=used):
                sums = [
                    self.ngettext(
                        "{name} {amount} ({n} target tile)",
                        "{name} {amount} ({n} target tiles)",
                        used[seat],
                        name=self.name(seat),
                        amount=self.money(amount),
                    )
                    for seat, amount in sorted(enumerate(money), key=lambda pair: -pair[1])
                ]
                return self._("The game is over: {list}.", list=", ".join(sums))
        return ""

    def _of_auctions(self, event: Event) -> str:
        match event:
            case happened.LocosShuffled(count=count):
                return self.ngettext(
                    "The locomotive set aside becomes the new deck.",
                    "The {n} locomotives set aside become the new deck.",
                    count,
                )
            case happened.LocosTurnedUp(seat=seat, locos=locos):
                return self._(
                    "{name} turns up {list}.",
                    name=self.name(seat),
                    list=self.words.join(
                        [loco_name(self.words, self.cards, loco) for loco in locos]
                    ),
                )
            case happened.StarterReplaced(seat=seat, other=other):
                return self._(
                    "{name} cannot pay for any of these; {other} starts the auction instead.",
                    name=self.name(seat),
                    other=self.name(other),
                )
            case happened.NobodyCanPay(locos=locos):
                return self._(
                    "Nobody can pay; set aside: {list}.",
                    list=self.words.join(
                        [loco_name(self.words, self.cards, loco) for loco in locos]
                    ),
                )
            case happened.LocoOffered(seat=seat, loco=loco):
                return self._(
                    "{name} puts {loco} up for auction.",
                    name=self.name(seat),
                    loco=loco_name(self.words, self.cards, loco),
                )
            case happened.BidMade(seat=seat, loco=loco, amount=amount):
                return self._(
                    "{name} bids {amount} for {loco}.",
                    name=self.name(seat),
                    amount=self.money(amount),
                    loco=loco,
                )
            case happened.BidPassed(seat=seat):
                return self._("{name} passes.", name=self.name(seat))
            case happened.BidHeld(seat=seat):
                return self._("{name} lets the bid stand.", name=self.name(seat))
            case happened.BidSealed(seat=seat):
                return self._("{name} has made a secret bid.", name=self.name(seat))
            case happened.BidsShown(purpose=purpose, bids=bids):
                return self._bids_shown(purpose, bids)
            case happened.TieBroken(seat=seat, player=player):
                return self._(
                    "{name} decides between equal bids for {player}.",
                    name=self.name(seat),
                    player=self.name(player),
                )
            case happened.LocoSold(seat=seat, loco=loco, price=price, alone=alone):
                params = {
                    "name": self.name(seat),
                    "loco": loco_name(self.words, self.cards, loco),
                    "amount": self.money(price),
                }
                if alone:
                    return self._("{name} buys {loco} without competition for {amount}.", **params)
                return self._("{name} buys {loco} for {amount}.", **params)
            case happened.SparesReceived(seat=seat, count=count):
                return self.ngettext(
                    "{name} receives {n} spare locomotive.",
                    "{name} receives {n} spare locomotives.",
                    count,
                    name=self.name(seat),
                )
        return ""

    def _bids_shown(self, purpose: str, bids: tuple[tuple[int, int], ...]) -> str:
        amounts = self.words.join(
            [
                self._("{name} holds", name=self.name(seat))
                if purpose == "raise" and not bid
                else f"{self.name(seat)} {self.money(bid)}"
                for seat, bid in sorted(bids, key=lambda pair: -pair[1])
            ]
        )
        if purpose == "second":
            return self._("The second bids are shown: {list}.", list=amounts)
        return self._("The bids are shown: {list}.", list=amounts)

    def _of_first_choice(self, event: Event) -> str:
        match event:
            case happened.LocosShown(locos=locos, order=order):
                return self._(
                    "{list} are turned up; the order is: {order}.",
                    list=self.words.join(
                        [loco_name(self.words, self.cards, loco) for loco in locos]
                    ),
                    order=", ".join(self.name(seat) for seat in order),
                )
            case happened.ChoiceBought(seat=seat, loco=loco, bid=bid, power=power_):
                return self._(
                    "{name} buys {loco} for {power} and the bid of {bid}.",
                    name=self.name(seat),
                    loco=loco_name(self.words, self.cards, loco),
                    power=self.money(power_),
                    bid=self.money(bid),
                )
            case happened.ChoiceMissed(seat=seat, bid=bid):
                return self._(
                    "{name} pays the bid of {bid} but can pay for no locomotive.",
                    name=self.name(seat),
                    bid=self.money(bid),
                )
        return ""

    def _of_draft(self, event: Event) -> str:
        match event:
            case happened.LocosDealt(seat=seat, locos=locos):
                return self._(
                    "{name} receives {list}.",
                    name=self.name(seat),
                    list=self.words.join(
                        [loco_name(self.words, self.cards, loco) for loco in locos]
                    ),
                )
            case happened.LocoKept(seat=seat):
                return self._("{name} has chosen a locomotive.", name=self.name(seat))
            case happened.DraftShown(seat=seat, locos=locos):
                return self._(
                    "{name} turns up {list}.",
                    name=self.name(seat),
                    list=self.words.join(
                        [loco_name(self.words, self.cards, loco) for loco in locos]
                    ),
                )
            case happened.TurnedDown(seat=seat, loco=loco):
                return self._(
                    "{name} cannot pay and makes {loco} a spare locomotive.",
                    name=self.name(seat),
                    loco=loco_name(self.words, self.cards, loco),
                )
            case happened.DraftPaid(seat=seat, power=power_, multiplier=factor, amounts=amounts):
                return self._(
                    "{name} pays {amount} ({power} × {factor}).",
                    name=self.name(seat),
                    amount=self.money(-amounts[seat]),
                    power=self.words.number(power_),
                    factor=factor,
                )
        return ""

    def _of_phase_two(self, event: Event) -> str:
        match event:
            case happened.OrderSet(order=order, powers=powers):
                places = [
                    self._(
                        "{name} (power {power})",
                        name=self.name(seat),
                        power=self.words.number(sum_),
                    )
                    for seat, sum_ in zip(order, powers, strict=True)
                ]
                return self._("The order of phase two: {list}.", list=", ".join(places))
            case happened.CardsTurnedUp(cards=names):
                return self._("Turned up: {list}.", list=card_names(self.words, self.cards, names))
            case happened.BinTurnedUp(cards=names):
                if not names:
                    return self._("The bin is turned up; no card lies open.")
                return self._(
                    "The bin is turned up and clears away {list}.",
                    list=card_names(self.words, self.cards, names),
                )
            case happened.LongerTurnedUp(limit=most):
                return self._(
                    "The longer train is turned up: the round ends only with wagon number {number}.",
                    number=most,
                )
            case happened.CardsShuffled(count=count):
                return self.ngettext(
                    "The discard pile of {n} card becomes the new wagon deck.",
                    "The discard pile of {n} cards becomes the new wagon deck.",
                    count,
                )
            case happened.WagonCoupled():
                return self._(
                    "{name} couples {card} to {train}, wagon number {number}.",
                    name=self.name(event.seat),
                    card=self._coupled_name(event),
                    train=train_name(self.words, self.cards, event.train, event.loco),
                    number=event.length,
                )
            case happened.MultiplierLaid(seat=seat, train=train, loco=loco):
                return self._(
                    "{name} lays the multiplier card beside {train}.",
                    name=self.name(seat),
                    train=train_name(self.words, self.cards, train, loco),
                )
            case happened.BonusTaken(seat=seat, amounts=amounts):
                return self._(
                    "{name} takes the bonus of {amount}.",
                    name=self.name(seat),
                    amount=self.money(amounts[seat]),
                )
            case happened.CardsReplaced(seat=seat, cards=names, amounts=amounts):
                return self._(
                    "{name} pays {amount} and has replaced: {list}.",
                    name=self.name(seat),
                    amount=self.money(-amounts[seat]),
                    list=card_names(self.words, self.cards, names),
                )
            case happened.TurnPassed(seat=seat):
                return self._("{name} takes no card.", name=self.name(seat))
            case happened.RoundEnded(round=number, seat=-1):
                return self._("All pass: round {number} is over.", number=number)
            case happened.RoundEnded(round=number, seat=seat, wagons=length):
                return self._(
                    "{name} has coupled wagon number {length}: round {number} is over.",
                    name=self.name(seat),
                    length=length,
                    number=number,
                )
        return ""

    def _coupled_name(self, event: happened.WagonCoupled) -> str:
        if event.card in self.cards.wagons:
            return card_name(self.words, self.cards, event.card)
        return self._(
            "the double wagon as {kind} {value}",
            kind=self._(KIND_NAMES[event.kind]),
            value=self.money(event.value),
        )

    # ---- decisions

    def prompt(self, state: NimmState, decision: Decision) -> str:
        """What the seat has to decide now."""
        step = state.agenda[-1]
        match step:
            case ChooseCard():
                return self._("You start the auction: choose the locomotive that is auctioned.")
            case FirstBid(loco=loco):
                return self._(
                    "Make the first bid for {loco}, at least {power}.",
                    loco=loco_name(self.words, self.cards, loco),
                    power=self.money(self.cards.locomotive[loco].power),
                )
            case TurnAuction(loco=loco, bidder=bidder, bid=bid):
                return self._(
                    "{name} has bid {amount} for {loco}. Bid more, or pass for this locomotive.",
                    name=self.name(bidder),
                    amount=self.money(bid),
                    loco=loco_name(self.words, self.cards, loco),
                )
            case OpenAuction(loco=loco, bidder=bidder, bid=bid):
                return self._(
                    "{name} has bid {amount} for {loco}. Bid more, or let the bid stand.",
                    name=self.name(bidder),
                    amount=self.money(bid),
                    loco=loco_name(self.words, self.cards, loco),
                )
            case SealedBids():
                return self._sealed_prompt(state, step, decision.seat)
            case Tie(loco=loco, bid=bid):
                return self._(
                    "Several have bid {amount} for {loco}. You started the auction: decide whose bid "
                    "counts.",
                    amount=self.money(bid),
                    loco=loco_name(self.words, self.cards, loco),
                )
            case Ranking():
                return self._(
                    "Equal bids: you started the auction and decide who of them chooses first."
                )
            case Buying(bids=bids):
                return self._(
                    "Choose a locomotive; you pay its power and your bid of {bid}.",
                    bid=self.money(bids[decision.seat]),
                )
            case Draft(stage=stage):
                if stage == 1:
                    return self._("Keep one of the three locomotives; the others go to your left.")
                return self._("Keep one of the two locomotives; the other goes to your left.")
            case TooDear():
                return self._too_dear_prompt(state, decision.seat)
            case Turn() | SpecialTaken() | Closing():
                return self._phase_two_prompt(state, step, decision.seat)
        return ""

    def _sealed_prompt(self, state: NimmState, step: SealedBids, seat: int) -> str:
        if step.purpose == "choice":
            return self._(
                "Bid secretly for the right to choose among {count} locomotives nobody knows; you pay "
                "the bid besides the power of the locomotive.",
                count=state.seats,
            )
        loco = loco_name(self.words, self.cards, step.loco)
        if step.purpose == "second":
            return self._(
                "Second secret bid for {loco}: it is added to your first bid of {bid}.",
                loco=loco,
                bid=self.money(step.before[seat]),
            )
        if step.purpose == "raise":
            (bidder, bid), *_ = step.before.items()
            return self._(
                "{name} has bid {amount} for {loco}. Raise secretly, or let the bid stand.",
                name=self.name(bidder),
                amount=self.money(bid),
                loco=loco,
            )
        if seat == step.starter:
            return self._(
                "Bid secretly for {loco}, at least {power}.",
                loco=loco,
                power=self.money(self.cards.locomotive[step.loco].power),
            )
        return self._("Bid secretly for {loco}; 0 is possible.", loco=loco)

    def _phase_two_prompt(
        self, state: NimmState, step: Turn | SpecialTaken | Closing, seat: int
    ) -> str:
        if isinstance(step, Closing):
            return self._("The round is over. Hand in target tiles before the payment, or none.")
        if isinstance(step, SpecialTaken):
            return self._("You have taken a special card. Hand in target tiles, or none.")
        price = self.cards.replace_price(state.seats, state.order.index(seat))
        if step.replaced or (self.known(state, seat) and money(state, seat) < price):
            return self._("Take one of the open cards, or pass.")
        return self._(
            "Take an open card, have cards replaced for {price}, or pass.", price=self.money(price)
        )

    def _too_dear_prompt(self, state: NimmState, seat: int) -> str:
        price = self.money(draft_price(state, self.cards, seat))
        if usable(state, self.cards, seat):
            return self._(
                "You cannot pay {price} for your locomotives. Turn one of them down, which becomes a "
                "spare locomotive, or hand in a target tile first.",
                price=price,
            )
        return self._(
            "You cannot pay {price} for your locomotives. Turn one of them down; it becomes a spare "
            "locomotive.",
            price=price,
        )

    def pick(self, state: NimmState, action: Action) -> Pick:
        """How an action is pointed at on the board, and its text."""
        match action:
            case Offer(_, loco):
                label = self._(
                    "Put {loco} up for auction", loco=loco_name(self.words, self.cards, loco)
                )
                return Pick(self._("Auction"), (f"loco:{loco}",), label)
            case Bid():
                step = state.agenda[-1] if state.agenda else None
                label = self._("Bid secretly") if isinstance(step, SealedBids) else self._("Bid")
                return Pick(self._("Auction"), ("bid",), label)
            case Pass():
                if state.agenda and isinstance(state.agenda[-1], Turn):
                    return Pick(self._("Pass"), ("pass",), self._("Take no card"))
                return Pick(self._("Auction"), ("pass",), self._("Pass"))
            case Hold():
                return Pick(self._("Auction"), ("hold",), self._("Let the bid stand"))
            case Favour(_, player):
                label = self._("Decide for {name}", name=self.name(player))
                return Pick(self._("Equal bids"), (f"seat:{player}",), label)
            case Buy(_, loco):
                label = self._("Buy {loco}", loco=loco_name(self.words, self.cards, loco))
                return Pick(self._("Auction"), (f"loco:{loco}",), label)
            case Keep(_, loco):
                label = self._("Keep {loco}", loco=loco_name(self.words, self.cards, loco))
                return Pick(self._("Auction"), (f"loco:{loco}",), label)
            case TurnDown(_, loco):
                label = self._("Turn {loco} down", loco=loco_name(self.words, self.cards, loco))
                return Pick(self._("Auction"), (f"loco:{loco}",), label)
            case Take(seat, card, train):
                return self._pick_take(state, seat, card, train)
            case Replace(_, names):
                label = self._("Replace {list}", list=card_names(self.words, self.cards, names))
                keys = tuple(f"card:{name}" for name in names)
                return Pick(self._("Replace cards"), keys, label, several=True)
            case UseTarget(_, tile):
                label = self._(
                    "Hand in: {target}", target=target_name(self.words, self.cards, tile)
                )
                return Pick(self._("Target tiles"), (f"target:{tile}",), label)
            case Ready():
                return Pick(self._("Target tiles"), ("ready",), self._("Hand in none"))
        raise TypeError(f"not an action of this game: {action!r}")

    def _pick_take(self, state: NimmState, seat: int, card: str, train: int) -> Pick:
        name = card_name(self.words, self.cards, card)
        group = self._("Take a card")
        if card == BONUS or not train:
            return Pick(group, (f"card:{card}",), self._("Take {card}", card=name))
        loco = state.trains[seat][train - 1].loco
        label = self._(
            "{card} for {train}", card=name, train=train_name(self.words, self.cards, train, loco)
        )
        return Pick(group, (f"card:{card}", f"train:{seat}:{train}"), label)

    def amount_label(self, action: Action) -> str:
        """The only amounts are bids."""
        return self._("Your bid in {sign}", sign=self.currency)

    def others_asked(self, names: Sequence[str]) -> str:
        """In an open auction (`Nimm.standing_refusal`)."""
        return self.ngettext(
            "{names} may raise.", "{names} may raise.", len(names), names=self.words.join(names)
        )

    def subject(self, subject: str) -> str:
        loco, _, number = subject.partition("/")
        return self._("{loco} in round {number}", loco=loco, number=number)

    # ---- holdings

    def known(self, state: NimmState, seat: int) -> bool:
        """Whether the state says how much money a player has: a view tells it of the viewer only."""
        purses = state.ledger.items["money"]
        return SEATS[seat] in purses or "bank" in purses or not state.agenda

    def panels(self, state: NimmState) -> list[Panel]:
        """What every player holds as far as it may be known, and the table."""
        found = [self._player_panel(state, seat) for seat in range(state.seats)]
        return [*found, self._table_panel(state)]

    def _player_panel(self, state: NimmState, seat: int) -> Panel:
        sum_ = self.money(money(state, seat)) if self.known(state, seat) else "–"
        rows = [Row(self._("Money"), sum_)]
        if state.order:
            place = state.order.index(seat)
            price = self.money(self.cards.replace_price(state.seats, place))
            rows.append(
                Row(
                    self._("Order tile"),
                    str(place + 1),
                    "",
                    self._("replacing cards costs {price}", price=price),
                )
            )
        for number, train in enumerate(state.trains[seat], 1):
            loads = wagons(self.cards, train)
            note = self._("empty")
            if loads:
                load = self._(KIND_NAMES[kind(self.cards, train)])
                values = " + ".join(self.words.number(wagon.value) for wagon in loads)
                note = self._("{kind}: {values}", kind=load, values=values)
            facts = (
                loco_facts(self.words, self.cards, train.loco)
                if train.loco
                else self._("no multiplier")
            )
            if train.plus and train.loco:
                factor = multiplier(self.cards, train)
                facts = f"{facts}; {self._('with the card ×{factor}', factor=factor)}"
            rows.append(
                Row(
                    train.loco or self._("Spare locomotive"),
                    self.money(profit(self.cards, train)),
                    f"train:{seat}:{number}",
                    f"{facts}; {note}",
                )
            )
        if state.trains[seat]:
            total = power(self.cards, state.trains[seat])
            rows.append(Row(self._("Power in all"), self.words.number(total)))
        rows += self._hand_rows(state, seat)
        rows += self._target_rows(state, seat)
        return Panel(self.name(seat), seat, tuple(rows))

    def _hand_rows(self, state: NimmState, seat: int) -> list[Row]:
        """The cards of the auction pass on, as far as the viewer knows them."""
        rows = []
        for label, holder in ((self._("In hand"), HANDS[seat]), (self._("Kept"), KEPT[seat])):
            for loco in locos_at(state, self.cards, holder):
                rows.append(
                    Row(label, loco, f"loco:{loco}", loco_facts(self.words, self.cards, loco))
                )
        return rows

    def _target_rows(self, state: NimmState, seat: int) -> list[Row]:
        count = state.tiles[seat]
        handed_in = self.ngettext("{n} handed in", "{n} handed in", state.used[seat])
        rows = [Row(self._("Target tiles"), str(count), "", handed_in)]
        rows += [
            Row(
                self._("Target tile"),
                self.money(self.cards.targets[tile].bonus),
                f"target:{tile}",
                target_text(self.words, self.cards, tile),
            )
            for tile in tiles_of(state, self.cards, seat)
        ]
        return rows

    def _table_panel(self, state: NimmState) -> Panel:
        items = state.ledger.items
        deck = sum(items[card_item(card)].get("deck", 0) for card in self.cards.counts)
        discard = sum(
            row.get("discard", 0) + row.get("spent", 0)
            for card in self.cards.counts
            if (row := items[card_item(card)])
        )
        left = [name for name in self.cards.auctions if "pool" in items[auction_item(name)]]
        longer = self._("until the end of the round") if state.longer else ""
        rows = [
            Row(
                self._("Round"),
                self._("{number} of {last}", number=state.round, last=self.cards.setup.rounds),
            ),
            Row(
                self._("Auction"),
                self._(AUCTION_NAMES[state.auction]) if state.auction else "–",
                "",
                self._(
                    "not yet drawn: {list}",
                    list=", ".join(self._(AUCTION_NAMES[name]) for name in left),
                ),
            ),
            Row(self._("Start player"), self.name(state.start)),
            Row(self._("Locomotives not yet seen"), str(state.unseen)),
            Row(
                self._("Locomotives set aside"),
                str(
                    len(locos_at(state, self.cards, "aside"))
                    + len(locos_at(state, self.cards, "deck"))
                ),
                "",
                ", ".join(
                    [*locos_at(state, self.cards, "aside"), *locos_at(state, self.cards, "deck")]
                ),
            ),
            Row(self._("Wagon deck"), str(deck)),
            Row(self._("Discard pile"), str(discard)),
            Row(
                self._("The round ends with wagon number"),
                str(limit(state, self.cards)),
                "",
                f"{self._(SPECIAL_NAMES[LONGER])} {longer}" if longer else "",
            ),
        ]
        return Panel(self._("Table"), None, tuple(rows))
