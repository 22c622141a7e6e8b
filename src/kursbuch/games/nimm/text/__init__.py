"""Texts of Nimm den Zug: prompts, choices and statistics."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from kursbuch.core.actions import Action, Choice, raised
from kursbuch.core.corrections import Corrected, Field, seat_of
from kursbuch.core.events import Event, Payment
from kursbuch.core.sentences import MONEY, NAME, By, If, Sentence
from kursbuch.core.state import Decision, Step
from kursbuch.core.tally import Key
from kursbuch.core.voice import (
    Amounts,
    Card,
    Ending,
    Entry,
    Line,
    Panel,
    Pick,
    Row,
    Sheet,
    Stretch,
    Summary,
    Voice,
)
from kursbuch.core.words import N_, Words
from kursbuch.games.nimm import events as happened
from kursbuch.games.nimm.actions import Bid, Pass, Take
from kursbuch.games.nimm.components import CURRENCY, Cards
from kursbuch.games.nimm.corrections import KINDS
from kursbuch.games.nimm.draft import draft_price
from kursbuch.games.nimm.holdings import knows_money, money, usable
from kursbuch.games.nimm.state import (
    Buying,
    ChoiceBids,
    ChooseCard,
    Closing,
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
    TurnAuction,
)
from kursbuch.games.nimm.state import Turn as PhaseTurn
from kursbuch.games.nimm.text.panels import Descriptions, Names, Panels, player_summary

#: Trigger besides the end of the round: another locomotive is auctioned.
AUCTION = "auction"


_LOCO, _POWER, _BID = By("loco"), By("power").of("loco"), MONEY.of("bid")

#: Prompts that the step alone determines.
_PROMPTS: Mapping[type[Step], Sentence | If] = {
    ChooseCard: Sentence("You start the auction: choose the locomotive to auction."),
    FirstBid: Sentence(
        "Make the first bid for {loco}, at least {power}.", loco=_LOCO, power=_POWER
    ),
    TurnAuction: Sentence(
        "{name} has bid {amount} for {loco}. Bid more, or pass for this locomotive.",
        name=NAME.of("bidder"),
        amount=_BID,
        loco=_LOCO,
    ),
    OpenAuction: Sentence(
        "{name} has bid {amount} for {loco}. Bid more, or let the bid stand.",
        name=NAME.of("bidder"),
        amount=_BID,
        loco=_LOCO,
    ),
    SealedRaises: Sentence(
        "{name} has bid {amount} for {loco}. Raise secretly, or let the bid stand.",
        name=NAME.of("bidder"),
        amount=_BID,
        loco=_LOCO,
    ),
    Tie: Sentence(
        "Several players have bid {amount} for {loco}. You started the auction: decide whose "
        "bid counts.",
        amount=_BID,
        loco=_LOCO,
    ),
    Ranking: Sentence("Equal bids: you started the auction, so you decide who chooses first."),
    Draft: If(
        "stage",
        Sentence("Keep one of the three locomotives; the others go to your left."),
        Sentence("Keep one of the two locomotives; the other goes to your left."),
        equals=(1,),
    ),
    SpecialTaken: Sentence("You have taken a special card. Hand in target tiles, or none."),
    Closing: Sentence("The round is over. Hand in target tiles before the payment, or none."),
}


_SOURCES: Mapping[type[Payment], str] = {
    Corrected: N_("Corrections"),
    happened.MoneyDealt: N_("Start money"),
    happened.ProfitPaid: N_("Profit from trains"),
    happened.SparePaid: N_("Spare locomotives"),
    happened.BonusTaken: N_("Bonus cards"),
    happened.TargetUsed: N_("Target tiles"),
    happened.CardsReplaced: N_("Cards replaced"),
}


class Statistics(Voice[NimmState]):
    """The statistics of the voice."""

    currency = CURRENCY

    def __init__(self, cards: Cards, words: Words) -> None:
        super().__init__(words)
        self.cards = cards
        self.names = Names(cards, words)

    def source(self, event: Payment) -> str:
        """What a payment is for."""
        return self._(_SOURCES.get(type(event), N_("Locomotives bought")))

    def tallied(self, key: Key) -> str:
        kind, *about = key
        name = self.name(int(about[1])) if len(about) > 1 else ""
        match kind:
            case "price":
                return self._("price of {loco}", loco=about[0])
            case "locos":
                return self._("price of locomotives")
            case "profit":
                return self._("profit from trains")
            case "income":
                return self._("expected profit of the locomotives")
            case "order":
                return self._("place in the order of phase two")
            case "spares":
                return self._("income of spare locomotives")
            case "targets":
                return self._("target tiles")
            case "replaced":
                return self._("price of replaced cards")
            case "bonus":
                return self._("bonus cards")
            case "loco":
                return self._("purchase of {loco} by {name}", loco=about[0], name=name)
            case "wagons":
                return self._("wagons coupled by {name}", name=name)
            case "multipliers":
                return self._("multipliers of {name}", name=name)
        return super().tallied(key)

    def stretch(self, events: Sequence[Event]) -> str:
        """A round by number."""
        for event in events[:1]:
            if isinstance(event, happened.RoundBegan):
                return self._("round {number}", number=event.round)
        return self._("set-up")

    def figures(self, stretches: Sequence[Stretch]) -> list[Sheet]:
        """Price of each locomotive."""
        lines = [
            Line(f"{sale[0]}, {stretch.label}", (Entry(text=self.name(sale[1])), Entry(sale[2])))
            for stretch in stretches
            for event in stretch.events
            if (sale := _sale(event))
        ]
        head = (self._("Buyer"), self._("Price paid"))
        return [Sheet("lots", self._("Prices of the locomotives"), head, tuple(lines))]

    def highlights(self, events: Sequence[Event]) -> list[Row]:
        """Most expensive and cheapest locomotive, longest train, best train of a round, target tiles."""
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

    def ending(self, state: NimmState, events: Sequence[Event]) -> Ending | None:
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
        """That the current round is the last."""
        if not state.agenda or state.round < self.cards.setup.rounds:
            return ""
        return self._("This is the last round.")


def _sale(event: Event) -> tuple[str, int, int] | None:
    """Locomotive, buyer and price of a sale."""
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


#: Events that only repeat the choice.
_THEMSELVES = (
    happened.BidMade,
    happened.BidSealed,
    happened.BidPassed,
    happened.BidHeld,
    happened.LocoKept,
    happened.SaidReady,
    happened.TurnPassed,
)


class NimmVoice(Statistics):
    """Texts of Nimm den Zug for one reader."""

    corrections = KINDS

    def __init__(self, cards: Cards, words: Words) -> None:
        super().__init__(cards, words)
        self._panels = Panels(self.names)
        self._about = Descriptions(self.names)

    def trigger(self, name: str) -> str:
        if name == AUCTION:
            return self._("another locomotive is auctioned")
        return self._("the round is over")

    @property
    def speaker(self) -> Names:
        return self.names

    def spoken(self, field: Field, value: str) -> str:
        if field.of == "card":
            return self.names.card(value)
        if field.of == "train":
            who, _, number = value.partition(" train ")
            seat = seat_of(who)
            if seat is not None:
                return self._("train {number} of {name}", number=number, name=self.name(seat))
            return self._("the display") if value == "display" else self._("the discard pile")
        return super().spoken(field, value)

    def prompt(self, state: NimmState, decision: Decision) -> str:
        seat, step = decision.seat, state.agenda[-1]
        match step:
            case SealedBids(loco=loco, starter=starter):
                loco_name = self.names.loco(loco)
                if seat != starter:
                    return self._("Bid secretly for {loco}; 0 is possible.", loco=loco_name)
                return self._(
                    "Bid secretly for {loco}, at least {power}.",
                    loco=loco_name,
                    power=self.names.power(loco),
                )
            case SecondBids(loco=loco, before=before):
                return self._(
                    "Second secret bid for {loco}: it is added to your first bid of {bid}.",
                    loco=self.names.loco(loco),
                    bid=self.money(before[seat]),
                )
            case ChoiceBids():
                return self._(
                    "Bid secretly for the right to choose among {count} unknown locomotives. You "
                    "pay the bid in addition to the power of the locomotive.",
                    count=state.seats,
                )
            case Buying(bids=bids):
                return self._(
                    "Choose a locomotive; you pay its power and your bid of {bid}.",
                    bid=self.money(bids[seat]),
                )
            case TooDear():
                price = self.money(draft_price(state, self.cards, seat))
                if usable(state, self.cards, seat):
                    return self._(
                        "You cannot pay {price} for your locomotives. Turn one of "
                        "them face down, which makes it a spare locomotive, or hand "
                        "in a target tile first.",
                        price=price,
                    )
                return self._(
                    "You cannot pay {price} for your locomotives. Turn one of them "
                    "face down; it becomes a spare locomotive.",
                    price=price,
                )
            case PhaseTurn(replaced=replaced):
                cost = self.cards.replace_price(state.seats, state.order.index(seat))
                if replaced or (knows_money(state, seat) and money(state, seat) < cost):
                    return self._("Take one of the face-up cards, or pass.")
                return self._(
                    "Take a face-up card, have cards replaced for {price}, or pass.",
                    price=self.money(cost),
                )
        return _PROMPTS[type(step)].said(self.names, step)

    def pick(self, state: NimmState, action: Action) -> Pick:
        names, step = self.names, state.agenda[-1] if state.agenda else None
        match action:
            case Bid():
                secret = isinstance(step, SecretBids)
                label = self._("Bid secretly") if secret else self._("Bid")
                return Pick(self._("Auction"), ("bid",), label)
            case Pass() if isinstance(step, PhaseTurn):
                return Pick(self._("Pass"), ("pass",), self._("Take no card"))
            case Take(seat, card, train):
                group, name = self._("Take a card"), names.card(card)
                if not train:
                    return Pick(group, (f"card:{card}",), self._("Take {card}", card=name))
                loco = state.trains[seat][train - 1].loco
                label = self._("{card} for {train}", card=name, train=names.train(train, loco))
                return Pick(group, (f"card:{card}", f"train:{seat}:{train}"), label)
        return super().pick(state, action)

    def card(self, state: NimmState, key: str) -> Card | None:
        return self._about.of(state, key)

    def outcome(self, events: Sequence[Event]) -> list[str]:
        """The effects of an action, without the action itself."""
        return [self.describe(event) for event in events if not isinstance(event, _THEMSELVES)]

    def panels(self, state: NimmState) -> list[Panel]:
        """Holdings of players as far as known, and the table."""
        found = [self._panels.player(state, seat) for seat in range(state.seats)]
        return [*found, self._panels.table(state)]

    def summaries(self, state: NimmState) -> list[Summary]:
        """A card per player."""
        return [player_summary(state, seat, self.names) for seat in range(state.seats)]

    def amount_label(self, action: Action) -> str:
        return self._("Your bid in {sign}", sign=self.currency)

    def board_text(self, state: NimmState) -> list[Panel]:
        """Open cards and locomotives."""
        names = self.names
        rows = [Row(self._("Locomotive"), names.loco(loco), f"loco:{loco}") for loco in state.offer]
        rows += [Row(self._("Card"), names.card(card), f"card:{card}") for card in state.display]
        return [Panel(self._("Open on the table"), None, tuple(rows))] if rows else []

    def task(self, state: NimmState, decision: Decision) -> str:
        match state.agenda[-1]:
            case ChooseCard():
                return self._("choose the locomotive to auction")
            case FirstBid(loco=loco) | TurnAuction(loco=loco):
                return self._("bid for {loco}", loco=loco)
            case SecretBids():
                return self._("bid in secret")
            case PhaseTurn():
                return self._("take a card")
        return ""

    def amounts(self, state: NimmState, choice: Choice) -> Amounts:
        """The lowest bid and some raises. Open bids need one tap, secret ones a confirmation."""
        if choice.amount is None:
            return Amounts()
        send = self._("Bid {amount}")
        open_ = not isinstance(state.agenda[-1], SecretBids)
        return Amounts(send, self.some_money(), tuple(raised(choice.amount)), at_once=open_)

    def others_asked(self, names: Sequence[str]) -> str:
        """For open auctions (`Nimm.standing_refusal`)."""
        return self.ngettext(
            "{names} may raise.", "{names} may raise.", len(names), names=self.words.join(names)
        )

    def subject(self, subject: str) -> str:
        loco, _, number = subject.partition("/")
        return self._("{loco} in round {number}", loco=loco, number=number)
