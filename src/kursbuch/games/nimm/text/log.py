"""Log lines and statistics of Nimm den Zug."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import singledispatchmethod

from kursbuch.core.corrections import Corrected
from kursbuch.core.events import Event, Payment
from kursbuch.core.voice import Ending, Entry, Line, Row, Sheet, Stretch
from kursbuch.games.nimm import events as happened
from kursbuch.games.nimm.components import AUCTION_NAMES, KIND_NAMES
from kursbuch.games.nimm.state import NimmState
from kursbuch.games.nimm.text.names import Names


class Log:
    """The log lines for one reader."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.cards = names.cards
        self.money, self.number, self.name = names.money, names.number, names.name
        self._, self.ngettext = names._, names.ngettext

    @singledispatchmethod
    def line(self, event: Event) -> str:
        """The log line of an event."""
        raise TypeError(f"not an event of this game: {event!r}")

    # ---- the game

    @line.register
    def _start(self, event: happened.StartPlayerDrawn) -> str:
        return self._("{name} is drawn as start player.", name=self.name(event.seat))

    @line.register
    def _money(self, event: happened.MoneyDealt) -> str:
        return self._("Everybody receives {amount}.", amount=self.money(event.amounts[0]))

    @line.register
    def _targets(self, event: happened.TargetsDealt) -> str:
        return self._(
            "{name} receives the target tiles: {list}.",
            name=self.name(event.seat),
            list="; ".join(self.names.target(tile) for tile in event.tiles),
        )

    @line.register
    def _round(self, event: happened.RoundBegan) -> str:
        return self._(
            "Round {number}: {name} draws the auction tile “{auction}”.",
            number=event.round,
            name=self.name(event.seat),
            auction=self._(AUCTION_NAMES[event.auction]),
        )

    @line.register
    def _target(self, event: happened.TargetUsed) -> str:
        return self._(
            "{name} hands in a target tile ({condition}) and receives {amount}.",
            name=self.name(event.seat),
            condition=self.names.condition(event.tile),
            amount=self.money(event.amounts[event.seat]),
        )

    @line.register
    def _ready(self, event: happened.SaidReady) -> str:
        return self._("{name} hands in no target tile now.", name=self.name(event.seat))

    @line.register
    def _profit(self, event: happened.ProfitPaid) -> str:
        return self._(
            "{name} receives {amount} for the trains ({parts}).",
            name=self.name(event.seat),
            amount=self.money(event.amounts[event.seat]),
            parts=" + ".join(self.number(part) for part in event.parts),
        )

    @line.register
    def _spare_profit(self, event: happened.SparePaid) -> str:
        return self.ngettext(
            "{name} receives {amount} for the best wagon of a spare locomotive.",
            "{name} receives {amount} for the best wagons of {n} spare locomotives.",
            len(event.parts),
            name=self.name(event.seat),
            amount=self.money(event.amounts[event.seat]),
        )

    @line.register
    def _end(self, event: happened.GameEnded) -> str:
        sums = [
            self.ngettext(
                "{name} {amount} ({n} target tile)",
                "{name} {amount} ({n} target tiles)",
                event.used[seat],
                name=self.name(seat),
                amount=self.money(amount),
            )
            for seat, amount in sorted(enumerate(event.money), key=lambda pair: -pair[1])
        ]
        return self._("The game is over: {list}.", list=", ".join(sums))

    # ---- auctions

    @line.register
    def _shuffled_locos(self, event: happened.LocosShuffled) -> str:
        return self.ngettext(
            "The locomotive set aside becomes the new deck.",
            "The {n} locomotives set aside become the new deck.",
            event.count,
        )

    @line.register
    def _turned_up_locos(self, event: happened.LocosTurnedUp | happened.DraftShown) -> str:
        return self._(
            "{name} turns up {list}.",
            name=self.name(event.seat),
            list=self.names.loco_list(event.locos),
        )

    @line.register
    def _replaced_starter(self, event: happened.StarterReplaced) -> str:
        return self._(
            "{name} cannot pay for any of these; {other} starts the auction instead.",
            name=self.name(event.seat),
            other=self.name(event.other),
        )

    @line.register
    def _nobody(self, event: happened.NobodyCanPay) -> str:
        return self._("Nobody can pay; set aside: {list}.", list=self.names.loco_list(event.locos))

    @line.register
    def _offered(self, event: happened.LocoOffered) -> str:
        return self._(
            "{name} puts {loco} up for auction.",
            name=self.name(event.seat),
            loco=self.names.loco(event.loco),
        )

    @line.register
    def _bid(self, event: happened.BidMade) -> str:
        return self._(
            "{name} bids {amount} for {loco}.",
            name=self.name(event.seat),
            amount=self.money(event.amount),
            loco=event.loco,
        )

    @line.register
    def _passed(self, event: happened.BidPassed) -> str:
        return self._("{name} passes.", name=self.name(event.seat))

    @line.register
    def _held(self, event: happened.BidHeld) -> str:
        return self._("{name} lets the bid stand.", name=self.name(event.seat))

    @line.register
    def _sealed(self, event: happened.BidSealed) -> str:
        return self._("{name} has made a secret bid.", name=self.name(event.seat))

    @line.register
    def _shown(self, event: happened.BidsShown) -> str:
        return self._("The bids are shown: {list}.", list=self._bids(event.bids))

    @line.register
    def _second_shown(self, event: happened.SecondBidsShown) -> str:
        return self._("The second bids are shown: {list}.", list=self._bids(event.bids))

    @line.register
    def _raises_shown(self, event: happened.RaisesShown) -> str:
        return self._("The bids are shown: {list}.", list=self._bids(event.bids, or_hold=True))

    def _bids(self, bids: Iterable[tuple[int, int]], *, or_hold: bool = False) -> str:
        """Bids in words, the highest first; with `or_hold` 0 is no bid."""
        return self.names.words.join(
            [
                self._("{name} holds", name=self.name(seat))
                if or_hold and not bid
                else f"{self.name(seat)} {self.money(bid)}"
                for seat, bid in sorted(bids, key=lambda pair: -pair[1])
            ]
        )

    @line.register
    def _tie(self, event: happened.TieBroken) -> str:
        return self._(
            "{name} decides between equal bids for {player}.",
            name=self.name(event.seat),
            player=self.name(event.player),
        )

    @line.register
    def _sold(self, event: happened.LocoSold) -> str:
        params = {
            "name": self.name(event.seat),
            "loco": self.names.loco(event.loco),
            "amount": self.money(event.price),
        }
        if event.alone:
            return self._("{name} buys {loco} without competition for {amount}.", **params)
        return self._("{name} buys {loco} for {amount}.", **params)

    @line.register
    def _spares(self, event: happened.SparesReceived) -> str:
        return self.ngettext(
            "{name} receives {n} spare locomotive.",
            "{name} receives {n} spare locomotives.",
            event.count,
            name=self.name(event.seat),
        )

    # ---- first choice

    @line.register
    def _shown_locos(self, event: happened.LocosShown) -> str:
        return self._(
            "{list} are turned up; the order is: {order}.",
            list=self.names.loco_list(event.locos),
            order=", ".join(self.name(seat) for seat in event.order),
        )

    @line.register
    def _choice(self, event: happened.ChoiceBought) -> str:
        return self._(
            "{name} buys {loco} for {power} and the bid of {bid}.",
            name=self.name(event.seat),
            loco=self.names.loco(event.loco),
            power=self.money(event.power),
            bid=self.money(event.bid),
        )

    @line.register
    def _no_choice(self, event: happened.ChoiceMissed) -> str:
        return self._(
            "{name} pays the bid of {bid} but can pay for no locomotive.",
            name=self.name(event.seat),
            bid=self.money(event.bid),
        )

    # ---- pass on

    @line.register
    def _dealt(self, event: happened.LocosDealt) -> str:
        return self._(
            "{name} receives {list}.",
            name=self.name(event.seat),
            list=self.names.loco_list(event.locos),
        )

    @line.register
    def _kept(self, event: happened.LocoKept) -> str:
        return self._("{name} has chosen a locomotive.", name=self.name(event.seat))

    @line.register
    def _turned_down(self, event: happened.TurnedDown) -> str:
        return self._(
            "{name} cannot pay and makes {loco} a spare locomotive.",
            name=self.name(event.seat),
            loco=self.names.loco(event.loco),
        )

    @line.register
    def _paid(self, event: happened.DraftPaid) -> str:
        return self._(
            "{name} pays {amount} ({power} × {factor}).",
            name=self.name(event.seat),
            amount=self.money(-event.amounts[event.seat]),
            power=self.number(event.power),
            factor=event.multiplier,
        )

    # ---- phase two

    @line.register
    def _order(self, event: happened.OrderSet) -> str:
        places = [
            self._("{name} (power {power})", name=self.name(seat), power=self.number(sum_))
            for seat, sum_ in zip(event.order, event.powers, strict=True)
        ]
        return self._("The order of phase two: {list}.", list=", ".join(places))

    @line.register
    def _turned_up(self, event: happened.CardsTurnedUp) -> str:
        return self._("Turned up: {list}.", list=self.names.card_list(event.cards))

    @line.register
    def _bin(self, event: happened.BinTurnedUp) -> str:
        if not event.cards:
            return self._("The bin is turned up; no card lies open.")
        return self._(
            "The bin is turned up and clears away {list}.", list=self.names.card_list(event.cards)
        )

    @line.register
    def _longer(self, event: happened.LongerTurnedUp) -> str:
        return self._(
            "The longer train is turned up: the round ends only with wagon number {number}.",
            number=event.limit,
        )

    @line.register
    def _shuffled(self, event: happened.CardsShuffled) -> str:
        return self.ngettext(
            "The discard pile of {n} card becomes the new wagon deck.",
            "The discard pile of {n} cards becomes the new wagon deck.",
            event.count,
        )

    @line.register
    def _coupled(self, event: happened.WagonCoupled) -> str:
        card = self.names.card(event.card)
        if event.card not in self.cards.wagons:
            card = self._(
                "the double wagon as {kind} {value}",
                kind=self._(KIND_NAMES[event.kind]),
                value=self.money(event.value),
            )
        return self._(
            "{name} couples {card} to {train}, wagon number {number}.",
            name=self.name(event.seat),
            card=card,
            train=self.names.train(event.train, event.loco),
            number=event.length,
        )

    @line.register
    def _multiplier(self, event: happened.MultiplierLaid) -> str:
        return self._(
            "{name} lays the multiplier card beside {train}.",
            name=self.name(event.seat),
            train=self.names.train(event.train, event.loco),
        )

    @line.register
    def _bonus(self, event: happened.BonusTaken) -> str:
        return self._(
            "{name} takes the bonus of {amount}.",
            name=self.name(event.seat),
            amount=self.money(event.amounts[event.seat]),
        )

    @line.register
    def _replaced(self, event: happened.CardsReplaced) -> str:
        return self._(
            "{name} pays {amount} and has replaced: {list}.",
            name=self.name(event.seat),
            amount=self.money(-event.amounts[event.seat]),
            list=self.names.card_list(event.cards),
        )

    @line.register
    def _turn_passed(self, event: happened.TurnPassed) -> str:
        return self._("{name} takes no card.", name=self.name(event.seat))

    @line.register
    def _round_ended(self, event: happened.RoundEnded) -> str:
        if event.seat is None:
            return self._("All pass: round {number} is over.", number=event.round)
        return self._(
            "{name} has coupled wagon number {length}: round {number} is over.",
            name=self.name(event.seat),
            length=event.wagons,
            number=event.round,
        )


class Statistics:
    """Says it in numbers, for one reader."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.cards = names.cards
        self.money, self.number, self.name = names.money, names.number, names.name
        self._, self.ngettext = names._, names.ngettext

    def source(self, event: Payment) -> str:
        """What money was paid for."""
        match event:
            case Corrected():
                return self._("Corrections")
            case happened.MoneyDealt():
                return self._("Start money")
            case happened.ProfitPaid():
                return self._("Profit of trains")
            case happened.SparePaid():
                return self._("Spare locomotives")
            case happened.BonusTaken():
                return self._("Bonus cards")
            case happened.TargetUsed():
                return self._("Target tiles")
            case happened.CardsReplaced():
                return self._("Cards replaced")
        return self._("Locomotives bought")

    def stretch(self, events: Sequence[Event]) -> str:
        """A round by its number."""
        for event in events[:1]:
            if isinstance(event, happened.RoundBegan):
                return self._("round {number}", number=event.round)
        return self._("set-up")

    def figures(self, stretches: Sequence[Stretch]) -> list[Sheet]:
        """What every locomotive cost."""
        lines = [
            Line(f"{sale[0]}, {stretch.label}", (Entry(text=self.name(sale[1])), Entry(sale[2])))
            for stretch in stretches
            for event in stretch.events
            if (sale := _sale(event))
        ]
        head = (self._("Buyer"), self._("Price paid"))
        return [Sheet("lots", self._("Prices of the locomotives"), head, tuple(lines))]

    def highlights(self, events: Sequence[Event]) -> list[Row]:
        """The dearest and the cheapest locomotive, the longest train, the best train of a round, target
        tiles."""
        sales = [sale for event in events if (sale := _sale(event))]
        longest, best = (0, ""), (0, "")
        used = Counter[str]()
        for event in events:
            match event:
                case happened.WagonCoupled(seat=seat, loco=loco, length=length):
                    longest = max(longest, (length, self._owned(seat, loco)), key=_first)
                case happened.ProfitPaid(seat=seat, parts=parts):
                    best = max(best, (max(parts), self.name(seat)), key=_first)
                case happened.TargetUsed(seat=seat):
                    used[self.name(seat)] += 1
        rows = []
        if sales:
            dear, cheap = max(sales, key=_price), min(sales, key=_price)
            for label, sale in (
                (self._("Dearest locomotive"), dear),
                (self._("Cheapest locomotive"), cheap),
            ):
                rows.append(Row(label, self.money(sale[2]), "", self._owned(sale[1], sale[0])))
        if longest[0]:
            wagons = self.ngettext("{n} wagon", "{n} wagons", longest[0])
            rows.append(Row(self._("Longest train"), wagons, "", longest[1]))
        if best[0]:
            rows.append(Row(self._("Best train of a round"), self.money(best[0]), "", best[1]))
        if used:
            name, count = used.most_common(1)[0]
            rows.append(Row(self._("Most target tiles"), self.number(count), "", name))
        return rows

    def _owned(self, seat: int, loco: str) -> str:
        return f"{self.name(seat)}, {loco}" if loco else self.name(seat)

    def ending(self, events: Sequence[Event]) -> Ending | None:
        """All rounds have been played."""
        for event in reversed(events):
            if isinstance(event, happened.GameEnded):
                text = self.ngettext(
                    "The game is over after {n} round.",
                    "The game is over after {n} rounds.",
                    self.cards.setup.rounds,
                )
                return Ending(text, event.rule)
        return None

    def near_end(self, state: NimmState) -> str:
        """In the last round, that it is the last."""
        if not state.agenda or state.round < self.cards.setup.rounds:
            return ""
        return self._("This is the last round.")


def _sale(event: Event) -> tuple[str, int, int] | None:
    """A locomotive that was bought, its buyer and what he paid for it."""
    match event:
        case happened.LocoSold(loco=loco, seat=seat, price=price):
            return loco, seat, price
        case happened.ChoiceBought(loco=loco, seat=seat, bid=bid, power=power):
            return loco, seat, bid + power
    return None


def _price(sale: tuple[str, int, int]) -> int:
    return sale[2]


def _first(pair: tuple[int, str]) -> int:
    return pair[0]
