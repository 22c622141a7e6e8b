"""Phase one: the auctions of Nimm den Zug. Ids in brackets are those of rules.toml.

What a player can pay is secret. So everybody who takes part is asked, even if he can only pass; it
shows only where the rules need it (a starter who cannot pay, a locomotive nobody can pay for).
"""

from __future__ import annotations

from collections.abc import Sequence

from kursbuch.core.actions import Action, Choice, Range
from kursbuch.core.errors import IllegalAction
from kursbuch.core.play import Play, StepRules
from kursbuch.nimm import events as happened
from kursbuch.nimm import targets
from kursbuch.nimm.actions import Bid, Buy, Favour, Hold, Keep, Offer, Pass, TurnDown, UseTarget
from kursbuch.nimm.components import Cards
from kursbuch.nimm.state import (
    HANDS,
    KEPT,
    SEATS,
    Buying,
    ChooseCard,
    Draft,
    DraftPrice,
    FirstBid,
    NextAuction,
    NimmState,
    OpenAuction,
    PhaseTwo,
    Ranking,
    SealedBids,
    Tie,
    TooDear,
    Train,
    TurnAuction,
    loco_item,
)
from kursbuch.nimm.targets import only
from kursbuch.nimm.trains import locomotives

NimmPlay = Play[NimmState]


# ---- counting


def money(state: NimmState, seat: int) -> int:
    """What a player has."""
    return state.ledger.held("money", SEATS[seat])


def clockwise(state: NimmState, seat: int) -> list[int]:
    """All seats clockwise, beginning with that one."""
    return [(seat + n) % state.seats for n in range(state.seats)]


def left_of(state: NimmState, seat: int) -> int:
    """The left neighbour."""
    return (seat + 1) % state.seats


def needy(state: NimmState, cards: Cards) -> list[int]:
    """The seats that still need locomotives; nobody else takes part [bid-1, auction-turn-8]."""
    full = cards.setup.locomotives_per_player
    return [seat for seat in range(state.seats) if len(state.trains[seat]) < full]


def locos_at(state: NimmState, cards: Cards, holder: str) -> list[str]:
    """The locomotive cards in a place, in the order of the component file."""
    items = state.ledger.items
    return [loco.id for loco in cards.locomotives if holder in items[loco_item(loco.id)]]


def payable(state: NimmState, cards: Cards, seat: int, locos: Sequence[str]) -> list[str]:
    """Those of the locomotives whose power a player can pay [bid-5]."""
    purse = money(state, seat)
    return [loco for loco in locos if cards.locomotive[loco].power <= purse]


def highest(cards: Cards, amount: int) -> int:
    """The highest bid an amount of money allows [bid-6]."""
    return amount // cards.step * cards.step


# ---- moving cards and money


def pay_bank(play: NimmPlay, seat: int, amount: int) -> None:
    """A player pays the bank."""
    play.state.ledger.move("money", SEATS[seat], "bank", amount)


def take_loco(play: NimmPlay, seat: int, loco: str, source: str) -> None:
    """A player lays a locomotive before him."""
    play.state.ledger.move(loco_item(loco), source, SEATS[seat])
    play.state.trains[seat].append(Train(loco, []))


def take_spares(play: NimmPlay, seat: int, locos: Sequence[str], source: str) -> None:
    """Unsold locomotives become spare ones, face down; which card is which no longer matters
    [bid-4]."""
    for loco in locos:
        play.state.ledger.move(loco_item(loco), source, "spare")
        play.state.trains[seat].append(Train("", []))
    play.emit(happened.SparesReceived(rule="bid-4", seat=seat, count=len(locos)))


def turn_up_locos(play: NimmPlay, cards: Cards, count: int) -> list[str]:
    """Up to that many cards of the locomotive deck. When nothing new is left in it, the cards set
    aside are shuffled [auction-turn-1, auction-turn-10]."""
    state = play.state
    found: list[str] = []
    for _ in range(count):
        source = "unseen"
        if not state.unseen:
            source = "deck"
            if not locos_at(state, cards, "deck"):
                aside = locos_at(state, cards, "aside")
                for loco in aside:
                    state.ledger.move(loco_item(loco), "aside", "deck")
                if aside:
                    play.emit(happened.LocosShuffled(rule="auction-turn-10", count=len(aside)))
        deck = locos_at(state, cards, source)
        if not deck:
            break
        loco = deck[play.draw(len(deck))]
        if source == "unseen":
            state.unseen -= 1
        state.ledger.move(loco_item(loco), source, "offer")
        found.append(loco)
    return found


def set_aside(play: NimmPlay, locos: Sequence[str]) -> None:
    """Open locomotives are laid aside; they come up again [auction-turn-6]."""
    for loco in locos:
        play.state.ledger.move(loco_item(loco), "offer", "aside")
        play.state.offer.remove(loco)


def sell(
    play: NimmPlay,
    seat: int,
    loco: str,
    price: int,
    starter: int,
    rule: str,
    *,
    alone: bool = False,
) -> None:
    """The winner takes the locomotive and pays [auction-turn-5]; the starter's left neighbour starts
    the next auction [auction-turn-7]."""
    state = play.state
    pay_bank(play, seat, price)
    take_loco(play, seat, loco, "offer")
    state.offer.remove(loco)
    play.emit(
        happened.LocoSold(
            rule=rule,
            amounts=only(state.seats, seat, -price),
            seat=seat,
            loco=loco,
            price=price,
            alone=alone,
        )
    )
    play.push(NextAuction(left_of(state, starter)))


#: Under which rules the types of auction are played, where they differ.
SELLING = {
    "turn": "auction-turn-5",
    "sealed": "auction-sealed-5",
    "double": "auction-double-2",
    "open": "auction-open-4",
}
TURNING_UP = {
    "turn": "auction-turn-1",
    "sealed": "auction-sealed-1",
    "double": "auction-double-3",
    "open": "auction-open-1",
}


def wrong(action: Action, refusal: IllegalAction) -> IllegalAction:
    """The refusal of an action that does not fit the auction; target tiles have their own reason."""
    if isinstance(action, UseTarget):
        return IllegalAction(
            "target-use-1",
            "Target tiles can be handed in only from when everybody owns three locomotives to the "
            "payment.",
        )
    return refusal


def check_loco(cards: Cards, loco: str, locos: Sequence[str], rule: str) -> None:
    """Raise unless the locomotive is one of these."""
    if loco not in cards.locomotive:
        raise IllegalAction("loco-1", "There is no locomotive {loco}.", loco=loco)
    if loco not in locos:
        raise IllegalAction(rule, "The locomotive {loco} is not among these cards.", loco=loco)


def check_amount(cards: Cards, amount: int, low: int, high: int, rule: str) -> None:
    """Raise unless an amount lies between these and is a multiple of the smallest step. `rule` says
    why it may not be lower."""
    if amount > high:
        raise IllegalAction("bid-2", "You can bid at most {high}.", high=high)
    if amount < low:
        raise IllegalAction(rule, "The bid must be at least {low}.", low=low)
    if amount % cards.step:
        raise IllegalAction("bid-6", "A bid must be a multiple of {step}.", step=cards.step)


# ---- starting an auction


class NextAuctionRules(StepRules[NimmState, NextAuction]):
    """The next auction begins, or phase one is over."""

    def __init__(self, cards: Cards) -> None:
        self.cards = cards

    def deciders(self, state: NimmState, step: NextAuction) -> Sequence[int]:
        return ()

    def run(self, state: NimmState, step: NextAuction, play: NimmPlay) -> None:
        play.done()
        wanting = needy(state, self.cards)
        if not wanting:
            play.push(PhaseTwo())
        elif state.auction == "choice":
            # The cards stay face down until the bids have been shown [auction-choice-1].
            seats = list(range(state.seats))
            play.push(SealedBids("choice", step.seat, "", seats, {}, {}))
        elif self._sold_out(state, wanting):
            self._hand_out_spares(state, wanting, play)
            play.push(PhaseTwo())
        else:
            self._turn_up(state, step, wanting, play)

    def _sold_out(self, state: NimmState, wanting: list[int]) -> bool:
        """Whether all cards have been seen and nobody can pay for one of them [bid-7]."""
        unsold = [
            *locos_at(state, self.cards, "deck"),
            *locos_at(state, self.cards, "aside"),
        ]
        return not state.unseen and not any(
            payable(state, self.cards, seat, unsold) for seat in wanting
        )

    def _hand_out_spares(self, state: NimmState, wanting: list[int], play: NimmPlay) -> None:
        """Just as many cards are unsold as locomotives are missing [bid-4]."""
        full = self.cards.setup.locomotives_per_player
        for loco in locos_at(state, self.cards, "deck"):
            state.ledger.move(loco_item(loco), "deck", "aside")
        for seat in wanting:
            unsold = locos_at(state, self.cards, "aside")
            missing = full - len(state.trains[seat])
            take_spares(play, seat, unsold[:missing], "aside")

    def _turn_up(
        self, state: NimmState, step: NextAuction, wanting: list[int], play: NimmPlay
    ) -> None:
        in_line = [seat for seat in clockwise(state, step.seat) if seat in wanting]
        state.offer = turn_up_locos(play, self.cards, 1 if state.auction == "open" else 3)
        play.emit(
            happened.LocosTurnedUp(
                rule=TURNING_UP[state.auction], seat=in_line[0], locos=tuple(state.offer)
            )
        )
        able = [seat for seat in in_line if payable(state, self.cards, seat, state.offer)]
        if not able:
            play.emit(happened.NobodyCanPay(rule="bid-7", locos=tuple(state.offer)))
            set_aside(play, list(state.offer))
            play.push(NextAuction(left_of(state, in_line[0])))
            return
        starter = able[0]
        if starter != in_line[0]:
            play.emit(happened.StarterReplaced(rule="bid-7", seat=in_line[0], other=starter))
        if len(state.offer) == 1:
            begin(play, self.cards, starter, state.offer[0])
        else:
            play.push(ChooseCard(starter))


def begin(play: NimmPlay, cards: Cards, starter: int, loco: str) -> None:
    """The auction of one locomotive. Whoever is left alone buys it for its power
    [auction-turn-9]."""
    state = play.state
    seats = [seat for seat in clockwise(state, starter) if seat in needy(state, cards)]
    if len(seats) == 1:
        rule = "auction-open-7" if state.auction == "open" else "auction-turn-9"
        price = cards.locomotive[loco].power
        sell(play, starter, loco, price, starter, rule, alone=True)
    elif state.auction in ("turn", "open"):
        play.push(FirstBid(starter, loco))
    else:
        purpose = "first" if state.auction == "double" else "only"
        play.push(SealedBids(purpose, starter, loco, seats, {}, {}))


class ChooseCardRules(StepRules[NimmState, ChooseCard]):
    """The starter chooses one of the open cards, one he can pay [auction-turn-1]."""

    def __init__(self, cards: Cards) -> None:
        self.cards = cards

    def deciders(self, state: NimmState, step: ChooseCard) -> Sequence[int]:
        return (step.seat,)

    def choices(self, state: NimmState, step: ChooseCard, seat: int) -> list[Choice]:
        return [Choice(Offer(seat, loco)) for loco in payable(state, self.cards, seat, state.offer)]

    def check(self, state: NimmState, step: ChooseCard, action: Action) -> None:
        if not isinstance(action, Offer):
            raise wrong(
                action,
                IllegalAction("auction-turn-1", "You choose the locomotive that is auctioned."),
            )
        check_loco(self.cards, action.loco, state.offer, "auction-turn-1")
        if not payable(state, self.cards, action.seat, [action.loco]):
            raise IllegalAction(
                "bid-7", "You cannot pay the first bid for {loco}.", loco=action.loco
            )

    def perform(self, state: NimmState, step: ChooseCard, action: Action, play: NimmPlay) -> None:
        assert isinstance(action, Offer)
        play.done()
        play.emit(
            happened.LocoOffered(rule=TURNING_UP[state.auction], seat=action.seat, loco=action.loco)
        )
        set_aside(play, [loco for loco in state.offer if loco != action.loco])
        begin(play, self.cards, action.seat, action.loco)


class FirstBidRules(StepRules[NimmState, FirstBid]):
    """The starter bids at least the power [auction-turn-2, auction-open-2]."""

    def __init__(self, cards: Cards) -> None:
        self.cards = cards

    def deciders(self, state: NimmState, step: FirstBid) -> Sequence[int]:
        return (step.seat,)

    def choices(self, state: NimmState, step: FirstBid, seat: int) -> list[Choice]:
        return [bid_choice(self.cards, seat, *self._limits(state, step))]

    def _limits(self, state: NimmState, step: FirstBid) -> tuple[int, int]:
        power = self.cards.locomotive[step.loco].power
        return power, highest(self.cards, money(state, step.seat))

    def check(self, state: NimmState, step: FirstBid, action: Action) -> None:
        rule = "auction-open-2" if state.auction == "open" else "auction-turn-2"
        if not isinstance(action, Bid):
            raise wrong(action, IllegalAction(rule, "You make the first bid."))
        check_amount(self.cards, action.amount, *self._limits(state, step), rule)

    def perform(self, state: NimmState, step: FirstBid, action: Action, play: NimmPlay) -> None:
        assert isinstance(action, Bid)
        play.done()
        seat, loco = step.seat, step.loco
        seats = [other for other in clockwise(state, seat) if other in needy(state, self.cards)]
        if state.auction == "turn":
            play.push(TurnAuction(seat, loco, seats, seats[1], seat, action.amount))
            rule = "auction-turn-2"
        else:
            ask_others(play, seat, loco, seats, seat, action.amount)
            rule = "auction-open-2"
        play.emit(happened.BidMade(rule=rule, seat=seat, loco=loco, amount=action.amount))


def bid_choice(cards: Cards, seat: int, low: int, high: int) -> Choice:
    """A bid of any amount between these."""
    return Choice(Bid(seat, low), Range(low, high, cards.step))


# ---- in turn


class TurnAuctionRules(StepRules[NimmState, TurnAuction]):
    """Clockwise everybody bids more or passes for good [auction-turn-3, auction-turn-4]."""

    def __init__(self, cards: Cards) -> None:
        self.cards = cards

    def deciders(self, state: NimmState, step: TurnAuction) -> Sequence[int]:
        return (step.seat,)

    def _limits(self, state: NimmState, step: TurnAuction, seat: int) -> tuple[int, int]:
        return step.bid + self.cards.step, highest(self.cards, money(state, seat))

    def choices(self, state: NimmState, step: TurnAuction, seat: int) -> list[Choice]:
        low, high = self._limits(state, step, seat)
        found = [Choice(Pass(seat))]
        if low <= high:
            found.append(bid_choice(self.cards, seat, low, high))
        return found

    def check(self, state: NimmState, step: TurnAuction, action: Action) -> None:
        if isinstance(action, Pass):
            return
        if not isinstance(action, Bid):
            raise wrong(
                action, IllegalAction("auction-turn-3", "You bid more than the last bid, or pass.")
            )
        low, high = self._limits(state, step, action.seat)
        check_amount(self.cards, action.amount, low, high, "auction-turn-3")

    def perform(self, state: NimmState, step: TurnAuction, action: Action, play: NimmPlay) -> None:
        seat = action.seat
        speaker = step.active.index(seat)
        step.seat = step.active[(speaker + 1) % len(step.active)]
        if isinstance(action, Bid):
            step.bidder, step.bid = seat, action.amount
            play.emit(
                happened.BidMade(
                    rule="auction-turn-3", seat=seat, loco=step.loco, amount=action.amount
                )
            )
            return
        step.active.remove(seat)
        play.emit(happened.BidPassed(rule="auction-turn-3", seat=seat))
        if step.active == [step.bidder]:
            play.done()
            sell(play, step.bidder, step.loco, step.bid, step.starter, "auction-turn-5")


# ---- open


def ask_others(
    play: NimmPlay, starter: int, loco: str, seats: Sequence[int], bidder: int, bid: int
) -> None:
    """A new highest bid stands; everybody else may outbid it: at once and in any order, or, in a
    game by mail, all in a round of sealed raises [auction-open-3, option-open]."""
    others = [seat for seat in clockwise(play.state, bidder)[1:] if seat in seats]
    if play.state.by_rounds:
        play.push(SealedBids("raise", starter, loco, others, {}, {bidder: bid}))
    else:
        play.push(OpenAuction(starter, loco, others, list(others), bidder, bid))


class OpenAuctionRules(StepRules[NimmState, OpenAuction]):
    """Anybody may outbid at any time; when all others have let the bid stand, it wins. A table with
    a clock lets the bid stand for whoever is silent when the time is up [auction-open-4]."""

    def __init__(self, cards: Cards) -> None:
        self.cards = cards

    def deciders(self, state: NimmState, step: OpenAuction) -> Sequence[int]:
        return step.waiting

    def volunteers(self, state: NimmState, step: OpenAuction) -> Sequence[int]:
        """Who let the bid stand may still change his mind while it does."""
        return [seat for seat in step.others if seat not in step.waiting]

    def _limits(self, state: NimmState, step: OpenAuction, seat: int) -> tuple[int, int]:
        return step.bid + self.cards.step, highest(self.cards, money(state, seat))

    def choices(self, state: NimmState, step: OpenAuction, seat: int) -> list[Choice]:
        low, high = self._limits(state, step, seat)
        found = [Choice(Hold(seat))] if seat in step.waiting else []
        if low <= high:
            found.append(bid_choice(self.cards, seat, low, high))
        return found

    def check(self, state: NimmState, step: OpenAuction, action: Action) -> None:
        if isinstance(action, Hold):
            if action.seat not in step.waiting:
                raise IllegalAction("auction-open-4", "You already let this bid stand.")
            return
        if not isinstance(action, Bid):
            raise wrong(
                action,
                IllegalAction("auction-open-3", "You bid more than the highest bid, or hold."),
            )
        low, high = self._limits(state, step, action.seat)
        check_amount(self.cards, action.amount, low, high, "auction-open-3")

    def perform(self, state: NimmState, step: OpenAuction, action: Action, play: NimmPlay) -> None:
        seat = action.seat
        if isinstance(action, Bid):
            play.done()
            play.emit(
                happened.BidMade(
                    rule="auction-open-3", seat=seat, loco=step.loco, amount=action.amount
                )
            )
            seats = [step.bidder, *step.others]
            ask_others(play, step.starter, step.loco, seats, seat, action.amount)
            return
        step.waiting.remove(seat)
        play.emit(happened.BidHeld(rule="auction-open-4", seat=seat))
        if not step.waiting:
            play.done()
            sell(play, step.bidder, step.loco, step.bid, step.starter, "auction-open-4")


# ---- sealed


class SealedBidsRules(StepRules[NimmState, SealedBids]):
    """Secret bids of several seats at once, shown when all are in [auction-sealed-2,
    auction-sealed-4]."""

    def __init__(self, cards: Cards) -> None:
        self.cards = cards

    def deciders(self, state: NimmState, step: SealedBids) -> Sequence[int]:
        return [seat for seat in step.seats if seat not in step.answers]

    def limits(self, state: NimmState, step: SealedBids, seat: int) -> tuple[int, int]:
        """The lowest and the highest bid of a seat."""
        purse = money(state, seat)
        low = 0
        if step.purpose == "second":
            purse -= step.before[seat]
        elif step.purpose == "raise":
            low = max(step.before.values()) + self.cards.step
        elif step.purpose in ("only", "first") and seat == step.starter:
            low = self.cards.locomotive[step.loco].power
        return low, highest(self.cards, purse)

    def choices(self, state: NimmState, step: SealedBids, seat: int) -> list[Choice]:
        low, high = self.limits(state, step, seat)
        found = [Choice(Hold(seat))] if step.purpose == "raise" else []
        if low <= high:
            found.append(bid_choice(self.cards, seat, low, high))
        return found

    def check(self, state: NimmState, step: SealedBids, action: Action) -> None:
        low, high = self.limits(state, step, action.seat)
        if step.purpose == "raise":
            if isinstance(action, Hold):
                return
            if not isinstance(action, Bid):
                raise wrong(
                    action,
                    IllegalAction("option-open", "You raise the highest bid secretly, or hold."),
                )
            check_amount(self.cards, action.amount, low, high, "option-open")
            return
        rule = "auction-choice-2" if step.purpose == "choice" else "auction-sealed-2"
        if not isinstance(action, Bid):
            raise wrong(action, IllegalAction(rule, "You make a secret bid; it may be 0."))
        check_amount(self.cards, action.amount, low, high, "auction-sealed-3")

    def perform(self, state: NimmState, step: SealedBids, action: Action, play: NimmPlay) -> None:
        # In a round of raises, 0 stands for holding: a raise is always more.
        step.answers[action.seat] = action.amount if isinstance(action, Bid) else 0
        rule = {"choice": "auction-choice-2", "raise": "option-open"}
        play.emit(
            happened.BidSealed(rule=rule.get(step.purpose, "auction-sealed-2"), seat=action.seat)
        )

    def run(self, state: NimmState, step: SealedBids, play: NimmPlay) -> None:
        """All bids are in and are shown."""
        play.done()
        rules = {
            "choice": "auction-choice-3",
            "raise": "option-open",
            "second": "auction-double-1",
        }
        bids = {seat: step.answers[seat] for seat in step.seats}
        play.emit(
            happened.BidsShown(
                rule=rules.get(step.purpose, "auction-sealed-4"),
                purpose=step.purpose,
                loco=step.loco,
                bids=tuple(bids.items()),
            )
        )
        match step.purpose:
            case "choice":
                play.push(Ranking(step.starter, bids, []))
            case "first":
                play.push(SealedBids("second", step.starter, step.loco, list(step.seats), {}, bids))
            case "second":
                self._decide(
                    step, {seat: bid + step.before[seat] for seat, bid in bids.items()}, play
                )
            case "raise":
                self._raised(step, bids, play)
            case _:
                self._decide(step, bids, play)

    def _decide(self, step: SealedBids, bids: dict[int, int], play: NimmPlay) -> None:
        """The highest bid wins; between equal ones the starter decides [auction-general-2]."""
        best = max(bids.values())
        tied = [seat for seat in step.seats if bids[seat] == best]
        if len(tied) > 1:
            play.push(Tie(step.starter, step.loco, tied, best, False))
        else:
            rule = SELLING[play.state.auction]
            sell(play, tied[0], step.loco, best, step.starter, rule)

    def _raised(self, step: SealedBids, bids: dict[int, int], play: NimmPlay) -> None:
        """The highest raise stands and all others are asked again; without one the old bid wins."""
        (bidder, bid), *_ = step.before.items()
        best = max(bids.values())
        if best <= bid:
            sell(play, bidder, step.loco, bid, step.starter, "auction-open-4")
            return
        tied = [seat for seat in step.seats if bids[seat] == best]
        if len(tied) > 1:
            play.push(Tie(step.starter, step.loco, tied, best, True))
        else:
            ask_others(play, step.starter, step.loco, [bidder, *step.seats], tied[0], best)


class TieRules(StepRules[NimmState, Tie]):
    """The player who started the auction decides between equal bids; he may favour himself
    [auction-general-2]."""

    def __init__(self, cards: Cards) -> None:
        self.cards = cards

    def deciders(self, state: NimmState, step: Tie) -> Sequence[int]:
        return (step.starter,)

    def choices(self, state: NimmState, step: Tie, seat: int) -> list[Choice]:
        return [Choice(Favour(seat, player)) for player in step.tied]

    def check(self, state: NimmState, step: Tie, action: Action) -> None:
        check_favour(step.tied, action)

    def perform(self, state: NimmState, step: Tie, action: Action, play: NimmPlay) -> None:
        assert isinstance(action, Favour)
        play.done()
        emit_favour(play, action, step.tied)
        if step.open:
            seats = needy(state, self.cards)
            ask_others(play, step.starter, step.loco, seats, action.player, step.bid)
        else:
            rule = SELLING[state.auction]
            sell(play, action.player, step.loco, step.bid, step.starter, rule)


def check_favour(tied: Sequence[int], action: Action) -> None:
    """Raise unless the action favours one of the tied players."""
    if not isinstance(action, Favour):
        raise wrong(
            action,
            IllegalAction("auction-general-2", "You decide which of the equal bids comes first."),
        )
    if action.player not in tied:
        raise IllegalAction(
            "auction-general-2",
            "Player {player} is not among those with the equal bids.",
            player=action.player + 1,
        )


def emit_favour(play: NimmPlay, action: Favour, tied: Sequence[int]) -> None:
    """Report how the starter decided."""
    play.emit(
        happened.TieBroken(
            rule="auction-general-2", seat=action.seat, player=action.player, tied=tuple(tied)
        )
    )


# ---- first choice


class RankingRules(StepRules[NimmState, Ranking]):
    """The players buy in the order of their bids; the starter puts equal ones in order before the
    cards are turned up [auction-choice-4, auction-general-2]."""

    def __init__(self, cards: Cards) -> None:
        self.cards = cards

    def tied(self, step: Ranking) -> list[int]:
        """The seats with the highest bid among those without a place."""
        left = [seat for seat in step.bids if seat not in step.ranked]
        best = max((step.bids[seat] for seat in left), default=0)
        return [seat for seat in left if step.bids[seat] == best]

    def deciders(self, state: NimmState, step: Ranking) -> Sequence[int]:
        return (step.starter,) if len(self.tied(step)) > 1 else ()

    def choices(self, state: NimmState, step: Ranking, seat: int) -> list[Choice]:
        return [Choice(Favour(seat, player)) for player in self.tied(step)]

    def check(self, state: NimmState, step: Ranking, action: Action) -> None:
        check_favour(self.tied(step), action)

    def perform(self, state: NimmState, step: Ranking, action: Action, play: NimmPlay) -> None:
        assert isinstance(action, Favour)
        emit_favour(play, action, self.tied(step))
        step.ranked.append(action.player)

    def run(self, state: NimmState, step: Ranking, play: NimmPlay) -> None:
        if len(step.ranked) < len(step.bids):
            step.ranked += self.tied(step)
            return
        play.done()
        play.push(Buying(step.starter, step.bids, step.ranked, [], False))


class BuyingRules(StepRules[NimmState, Buying]):
    """Everybody pays his bid and buys a card for its power; whoever can pay for none waits for a
    spare locomotive [auction-choice-5]."""

    def __init__(self, cards: Cards) -> None:
        self.cards = cards

    def deciders(self, state: NimmState, step: Buying) -> Sequence[int]:
        return step.order[:1] if step.shown else ()

    def affordable(self, state: NimmState, step: Buying, seat: int) -> list[str]:
        """The cards whose power the seat can pay besides its bid."""
        purse = money(state, seat) - step.bids[seat]
        return [loco for loco in state.offer if self.cards.locomotive[loco].power <= purse]

    def choices(self, state: NimmState, step: Buying, seat: int) -> list[Choice]:
        return [Choice(Buy(seat, loco)) for loco in self.affordable(state, step, seat)]

    def check(self, state: NimmState, step: Buying, action: Action) -> None:
        if not isinstance(action, Buy):
            raise wrong(
                action, IllegalAction("auction-choice-5", "You choose the locomotive you buy.")
            )
        check_loco(self.cards, action.loco, state.offer, "auction-choice-5")
        if action.loco not in self.affordable(state, step, action.seat):
            raise IllegalAction(
                "bid-2", "You cannot pay your bid and the power of {loco}.", loco=action.loco
            )

    def perform(self, state: NimmState, step: Buying, action: Action, play: NimmPlay) -> None:
        assert isinstance(action, Buy)
        self._buy(state, step, action.loco, play)
        self._go_on(state, step, play)

    def run(self, state: NimmState, step: Buying, play: NimmPlay) -> None:
        if not step.shown:
            step.shown = True
            state.offer = turn_up_locos(play, self.cards, len(step.order))
            play.emit(
                happened.LocosShown(
                    rule="auction-choice-4", locos=tuple(state.offer), order=tuple(step.order)
                )
            )
            self._go_on(state, step, play)
            return
        play.done()
        for seat in sorted(step.without):
            loco = state.offer.pop()
            take_spares(play, seat, [loco], "offer")
        play.push(NextAuction(left_of(state, step.starter)))

    def _buy(self, state: NimmState, step: Buying, loco: str, play: NimmPlay) -> None:
        seat = step.order.pop(0)
        power, bid = self.cards.locomotive[loco].power, step.bids[seat]
        pay_bank(play, seat, bid + power)
        take_loco(play, seat, loco, "offer")
        state.offer.remove(loco)
        play.emit(
            happened.ChoiceBought(
                rule="auction-choice-5",
                amounts=only(state.seats, seat, -bid - power),
                seat=seat,
                loco=loco,
                bid=bid,
                power=power,
            )
        )

    def _go_on(self, state: NimmState, step: Buying, play: NimmPlay) -> None:
        """Whoever has no choice is not asked."""
        while step.order:
            seat = step.order[0]
            if not self.affordable(state, step, seat):
                step.order.pop(0)
                step.without.append(seat)
                pay_bank(play, seat, step.bids[seat])
                play.emit(
                    happened.ChoiceMissed(
                        rule="auction-choice-5",
                        amounts=only(state.seats, seat, -step.bids[seat]),
                        seat=seat,
                        bid=step.bids[seat],
                    )
                )
            elif len(state.offer) == 1:
                self._buy(state, step, state.offer[0], play)
            else:
                return


# ---- pass on


class DraftRules(StepRules[NimmState, Draft]):
    """Three cards each: keep one and pass the others on, twice; then all are turned up
    [auction-pass-1 to auction-pass-5]."""

    def __init__(self, cards: Cards) -> None:
        self.cards = cards

    def deciders(self, state: NimmState, step: Draft) -> Sequence[int]:
        if step.stage not in (1, 2):
            return ()
        return [seat for seat in range(state.seats) if seat not in step.picks]

    def choices(self, state: NimmState, step: Draft, seat: int) -> list[Choice]:
        return [Choice(Keep(seat, loco)) for loco in locos_at(state, self.cards, HANDS[seat])]

    def check(self, state: NimmState, step: Draft, action: Action) -> None:
        rule = "auction-pass-2" if step.stage == 1 else "auction-pass-3"
        if not isinstance(action, Keep):
            raise wrong(action, IllegalAction(rule, "You choose the locomotive you keep."))
        check_loco(self.cards, action.loco, locos_at(state, self.cards, HANDS[action.seat]), rule)

    def perform(self, state: NimmState, step: Draft, action: Action, play: NimmPlay) -> None:
        assert isinstance(action, Keep)
        step.picks[action.seat] = action.loco
        rule = "auction-pass-2" if step.stage == 1 else "auction-pass-3"
        play.emit(happened.LocoKept(rule=rule, seat=action.seat))

    def run(self, state: NimmState, step: Draft, play: NimmPlay) -> None:
        if step.stage == 0:
            self._deal(state, play)
        else:
            self._pass_on(state, step, play)
        step.stage += 1
        if step.stage == 3:
            play.done()
            self._turn_up(state, play)

    def _deal(self, state: NimmState, play: NimmPlay) -> None:
        """Three cards for everybody [auction-pass-1]."""
        for seat in range(state.seats):
            for _ in range(self.cards.setup.locomotives_per_player):
                deck = locos_at(state, self.cards, "unseen")
                loco = deck[play.draw(len(deck))]
                state.ledger.move(loco_item(loco), "unseen", HANDS[seat])
                state.unseen -= 1
            self._tell(state, seat, "auction-pass-1", play)

    def _pass_on(self, state: NimmState, step: Draft, play: NimmPlay) -> None:
        """What is not kept goes to the left neighbour [auction-pass-2, auction-pass-3]."""
        for seat, loco in step.picks.items():
            state.ledger.move(loco_item(loco), HANDS[seat], KEPT[seat])
        hands = [locos_at(state, self.cards, HANDS[seat]) for seat in range(state.seats)]
        for seat, hand in enumerate(hands):
            for loco in hand:
                state.ledger.move(loco_item(loco), HANDS[seat], HANDS[left_of(state, seat)])
        step.picks.clear()
        rule = "auction-pass-2" if step.stage == 1 else "auction-pass-3"
        for seat in range(state.seats):
            self._tell(state, seat, rule, play)

    def _tell(self, state: NimmState, seat: int, rule: str, play: NimmPlay) -> None:
        locos = tuple(locos_at(state, self.cards, HANDS[seat]))
        play.emit(happened.LocosDealt(rule=rule, seat=seat, locos=locos, secret_to=(seat,)))

    def _turn_up(self, state: NimmState, play: NimmPlay) -> None:
        """The last card is kept too, and all are turned up [auction-pass-4, auction-pass-5]."""
        for seat in range(state.seats):
            for loco in locos_at(state, self.cards, HANDS[seat]):
                state.ledger.move(loco_item(loco), HANDS[seat], KEPT[seat])
            locos = locos_at(state, self.cards, KEPT[seat])
            for loco in locos:
                take_loco(play, seat, loco, KEPT[seat])
            play.emit(happened.DraftShown(rule="auction-pass-5", seat=seat, locos=tuple(locos)))
        play.push(DraftPrice(clockwise(state, state.start)))


def price_factors(state: NimmState, cards: Cards, seat: int) -> tuple[int, int]:
    """The power of a player's locomotives, and the highest multiplier among them
    [auction-pass-5]. Spare locomotives do not count [auction-pass-6]."""
    locos = locomotives(cards, state.trains[seat])
    return sum(loco.power for loco in locos), max((loco.multiplier for loco in locos), default=0)


def draft_price(state: NimmState, cards: Cards, seat: int) -> int:
    """What a player has to pay for the locomotives he kept [auction-pass-5]."""
    power, multiplier = price_factors(state, cards, seat)
    return power * multiplier


class DraftPriceRules(StepRules[NimmState, DraftPrice]):
    """Everybody pays for what he kept; who cannot must turn locomotives down [auction-pass-5,
    auction-pass-6]."""

    def __init__(self, cards: Cards) -> None:
        self.cards = cards

    def deciders(self, state: NimmState, step: DraftPrice) -> Sequence[int]:
        return ()

    def run(self, state: NimmState, step: DraftPrice, play: NimmPlay) -> None:
        if not step.order:
            play.done()
            play.push(PhaseTwo())
            return
        seat = step.order[0]
        price = draft_price(state, self.cards, seat)
        if price > money(state, seat):
            play.push(TooDear(seat))
            return
        step.order.pop(0)
        pay_bank(play, seat, price)
        power, multiplier = price_factors(state, self.cards, seat)
        play.emit(
            happened.DraftPaid(
                rule="auction-pass-5",
                amounts=only(state.seats, seat, -price),
                seat=seat,
                power=power,
                multiplier=multiplier,
            )
        )


class TooDearRules(StepRules[NimmState, TooDear]):
    """One of the locomotives must be turned face down, which one is the player's choice
    [auction-pass-6]. Everybody has three, so target tiles can be handed in: their bonus may be what
    is missing [target-use-1]."""

    def __init__(self, cards: Cards) -> None:
        self.cards = cards

    def deciders(self, state: NimmState, step: TooDear) -> Sequence[int]:
        return (step.seat,)

    def volunteers(self, state: NimmState, step: TooDear) -> Sequence[int]:
        return targets.holders(state)

    def choices(self, state: NimmState, step: TooDear, seat: int) -> list[Choice]:
        found = targets.usable(state, self.cards, seat)
        if seat == step.seat:
            own = [train.loco for train in state.trains[seat] if train.loco]
            found += [Choice(TurnDown(seat, loco)) for loco in own]
        return found

    def check(self, state: NimmState, step: TooDear, action: Action) -> None:
        if isinstance(action, UseTarget):
            targets.check(state, self.cards, action)
            return
        if action.seat != step.seat:
            raise IllegalAction(
                "auction-pass-6", "Another player cannot pay; you may only hand in target tiles."
            )
        if not isinstance(action, TurnDown):
            raise IllegalAction(
                "auction-pass-6",
                "You cannot pay: turn a locomotive down, or hand in target tiles.",
            )
        own = [train.loco for train in state.trains[action.seat] if train.loco]
        check_loco(self.cards, action.loco, own, "auction-pass-6")

    def perform(self, state: NimmState, step: TooDear, action: Action, play: NimmPlay) -> None:
        if isinstance(action, UseTarget):
            targets.use(state, self.cards, action, play)
            if money(state, step.seat) >= draft_price(state, self.cards, step.seat):
                play.done()
            return
        assert isinstance(action, TurnDown)
        play.done()
        seat = action.seat
        for train in state.trains[seat]:
            if train.loco == action.loco:
                train.loco = ""
        state.ledger.move(loco_item(action.loco), SEATS[seat], "spare")
        play.emit(happened.TurnedDown(rule="auction-pass-6", seat=seat, loco=action.loco))
