"""Rules of Nimm den Zug in order of play; phase one is in `auctions.py`, `bids.py` and `draft.py`.

Ids in brackets refer to rules.toml.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import combinations
from typing import TypeVar

from kursbuch.core.actions import Action, Choice
from kursbuch.core.errors import IllegalAction
from kursbuch.core.play import StepRules
from kursbuch.core.state import Step
from kursbuch.games.nimm import events as happened
from kursbuch.games.nimm import holdings
from kursbuch.games.nimm.actions import Pass, Ready, Replace, Take, UseTarget
from kursbuch.games.nimm.components import BIN, BONUS, DOUBLE, LONGER, MULTIPLIER, Cards
from kursbuch.games.nimm.holdings import (
    NimmPlay,
    dollars,
    in_order,
    kind,
    left_of,
    limit,
    money,
    only,
    order,
    pay_bank,
    places,
    power,
    profit,
    receive,
    wagons,
)
from kursbuch.games.nimm.state import (
    Closing,
    Draft,
    NewRound,
    NextAuction,
    NimmState,
    Opening,
    PhaseTwo,
    Reckoning,
    Special,
    SpecialTaken,
    Turn,
    auction_item,
    card_item,
    loco_item,
    owner,
    target_item,
)

StepT = TypeVar("StepT", bound=Step)


class NimmRules(StepRules[NimmState, StepT]):
    """Base of step rules. It handles target tiles, which all steps treat alike; a step refuses other actions."""

    def __init__(self, cards: Cards) -> None:
        self.cards = cards

    def attempts(
        self, state: NimmState, step: StepT, seat: int, keys: Sequence[str]
    ) -> Iterable[Action]:
        kind, _, name = keys[-1].partition(":")
        return [UseTarget(seat, name)] if kind == "target" else []

    def problem(self, state: NimmState, step: StepT, action: Action) -> IllegalAction | None:
        if isinstance(action, UseTarget):
            return holdings.problem(state, self.cards, action)
        return self.step_problem(state, step, action)

    def step_problem(self, state: NimmState, step: StepT, action: Action) -> IllegalAction | None:
        """Refuse an action other than a target tile, for a player who is asked."""
        raise NotImplementedError

    def not_asked(self, state: NimmState, step: StepT, action: Action) -> IllegalAction:
        reason = (
            holdings.problem(state, self.cards, action)
            if isinstance(action, UseTarget)
            else self.left_out(state, step, action.seat)
        )
        return reason or super().not_asked(state, step, action)

    def left_out(self, state: NimmState, step: StepT, seat: int) -> IllegalAction | None:
        """Why a seat is not asked, other than because of another's turn."""
        return None


class TargetRules(NimmRules[StepT]):
    """Rules of a step in which all own three locomotives: players may hand in a target tile, even out of turn
    [target-use-1]."""

    def volunteers(self, state: NimmState, step: StepT) -> Sequence[int]:
        return holdings.holders(state)

    def choices(self, state: NimmState, step: StepT, seat: int) -> list[Choice]:
        """Add target tiles to the step's own `candidates`."""
        return [*holdings.usable(state, self.cards, seat), *super().choices(state, step, seat)]

    def perform(self, state: NimmState, step: StepT, action: Action, play: NimmPlay) -> None:
        if isinstance(action, UseTarget):
            holdings.use(state, self.cards, action, play)
            self.after_target(state, step, play)
        else:
            self.move(state, step, action, play)

    def after_target(self, state: NimmState, step: StepT, play: NimmPlay) -> None:
        """Hook after a target tile."""

    def move(self, state: NimmState, step: StepT, action: Action, play: NimmPlay) -> None:
        """Perform a legal action other than a target tile."""
        raise NotImplementedError


@cache
def _take_choice(seat: int, card: str, train: int) -> Choice:
    return Choice(Take(seat, card, train))


@cache
def _replace_choice(seat: int, cards: tuple[str, ...]) -> Choice:
    return Choice(Replace(seat, cards))


class OpeningRules(NimmRules[Opening]):
    """Draw the start player; deal money and target tiles [setup-4, setup-5, setup-7]."""

    def run(self, state: NimmState, step: Opening, play: NimmPlay) -> None:
        play.done()
        setup, ledger = self.cards.setup, state.ledger
        state.start = play.draw(state.seats)
        play.emit(happened.StartPlayerDrawn(rule="setup-7", seat=state.start))
        for seat in range(state.seats):
            receive(play, seat, setup.start_money)
        amounts = (setup.start_money,) * state.seats
        play.emit(happened.MoneyDealt(rule="setup-4", amounts=amounts))
        for seat in range(state.seats):
            dealt = []
            for _ in range(setup.targets_per_player):
                pool = [
                    tile for tile in self.cards.targets if ledger.held(target_item(tile), "pool")
                ]
                dealt.append(pool[play.draw(len(pool))])
                ledger.move(target_item(dealt[-1]), "pool", owner(seat))
            state.tiles[seat] = len(dealt)
            play.emit(
                happened.TargetsDealt(
                    rule="setup-5", seat=seat, tiles=tuple(dealt), secret_to=(seat,)
                )
            )
        play.push(NewRound(1))


class NewRoundRules(NimmRules[NewRound]):
    """Prepare cards and tiles and draw the type of auction [next-1 to next-4, round-2]."""

    def run(self, state: NimmState, step: NewRound, play: NimmPlay) -> None:
        play.done()
        if step.number > 1:
            self._tidy(state)
            state.start = left_of(state, state.start)
        state.round = step.number
        state.unseen = self.cards.used(state.seats)
        ledger = state.ledger
        pool = [name for name in self.cards.auctions if ledger.held(auction_item(name), "pool")]
        state.auction = pool[play.draw(len(pool))]
        ledger.move(auction_item(state.auction), "pool", "table")
        play.emit(
            happened.RoundBegan(
                rule="next-2" if step.number > 1 else "round-2",
                round=step.number,
                seat=state.start,
                auction=state.auction,
            )
        )
        if state.auction == "pass":
            play.push(Draft(0, {}))
        else:
            play.push(NextAuction(state.start))

    def _tidy(self, state: NimmState) -> None:
        """Return locomotives, wagons and special cards to their decks, except those in the box; the used auction
        tile leaves the game [next-1, next-2, next-3, next-4]."""
        items = state.ledger.items
        for loco in self.cards.locomotives:
            item = loco_item(loco.id)
            for holder, count in list(items[item].items()):
                state.ledger.move(item, holder, "unseen", count)
        for card in self.cards.counts:
            item = card_item(card)
            for holder, count in list(items[item].items()):
                if holder != "box":
                    # A longer train in force leaves the game [special-longer].
                    target = "box" if holder == "table" else "deck"
                    state.ledger.move(item, holder, target, count)
        state.ledger.move(auction_item(state.auction), "table", "box")
        state.offer = []
        state.display = []
        state.trains = [[] for _ in range(state.seats)]
        state.order = []
        state.longer = False
        state.passes = 0


def fill_display(play: NimmPlay, cards: Cards, rule: str) -> None:
    """Turn up cards one at a time until the display is full [special-bin]; `rule` is the reason."""
    state, ledger = play.state, play.state.ledger
    turned_up: list[str] = []

    def report() -> None:
        if turned_up:
            play.emit(happened.CardsTurnedUp(rule=rule, cards=tuple(turned_up)))
            turned_up.clear()

    while len(state.display) < cards.display(state.seats):
        card = _turn_up(play, cards)
        if not card:
            break
        if card == BIN:
            report()
            play.emit(happened.BinTurnedUp(rule="special-bin", cards=tuple(state.display)))
            for open_ in state.display:
                ledger.move(card_item(open_), "display", "discard")
            state.display.clear()
            ledger.move(card_item(card), "deck", "box")
        elif card == LONGER:
            report()
            state.longer = True
            ledger.move(card_item(card), "deck", "table")
            play.emit(happened.LongerTurnedUp(rule="special-longer", limit=limit(state, cards)))
        else:
            ledger.move(card_item(card), "deck", "display")
            state.display.append(card)
            turned_up.append(card)
    report()


def _turn_up(play: NimmPlay, cards: Cards) -> str:
    """Draw the top card of the wagon deck, shuffling the discard pile if needed; empty if there is no card
    [display-2]."""
    items = play.state.ledger.items
    deck = {card: items[card_item(card)].get("deck", 0) for card in cards.counts}
    total = sum(deck.values())
    if not total:
        for card in cards.counts:
            count = items[card_item(card)].get("discard", 0)
            play.state.ledger.move(card_item(card), "discard", "deck", count)
            deck[card] = count
        total = sum(deck.values())
        if not total:
            return ""
        play.emit(happened.CardsShuffled(rule="display-2", count=total))
    number = play.draw(total)
    for card, count in deck.items():
        number -= count
        if number < 0:
            return card
    raise AssertionError("the draw is within the deck")


class PhaseTwoRules(NimmRules[PhaseTwo]):
    """Set the order of play and turn up the wagons [order-1, display-1]."""

    def run(self, state: NimmState, step: PhaseTwo, play: NimmPlay) -> None:
        play.done()
        state.order = order(state, self.cards)
        powers = tuple(power(self.cards, state.trains[seat]) for seat in state.order)
        play.emit(happened.OrderSet(rule="order-1", order=tuple(state.order), powers=powers))
        fill_display(play, self.cards, "display-1")
        play.push(Turn(state.order[0], False))


class TurnRules(TargetRules[Turn]):
    """Couple a wagon, replace cards, or pass [turn-1]."""

    def deciders(self, state: NimmState, step: Turn) -> Sequence[int]:
        return (step.seat,)

    def choices(self, state: NimmState, step: Turn, seat: int) -> list[Choice]:
        """Turns are most of a game, so choices are listed without `problem`, which uses the same `_goes_to` and
        `_cannot_replace`."""
        found = holdings.usable(state, self.cards, seat)
        return [*found, *self.candidates(state, step, seat)]

    def candidates(self, state: NimmState, step: Turn, seat: int) -> Iterable[Choice]:
        if seat != step.seat:
            return
        for card in in_order(self.cards, set(state.display)):
            for train in self._goes_to(state, seat, card):
                yield _take_choice(seat, card, train)
        if self._cannot_replace(state, step, seat) is None:
            for cards in self._selections(state):
                yield _replace_choice(seat, cards)
        yield Choice(Pass(seat))

    def attempts(
        self, state: NimmState, step: Turn, seat: int, keys: Sequence[str]
    ) -> Iterator[Action]:
        yield from super().attempts(state, step, seat, keys)
        trains = range(1, len(state.trains[seat]) + 1)
        first, card = keys[0].partition(":")[::2]
        if first != "card":
            return
        if len(keys) == 1:
            yield from (Take(seat, card, train) for train in trains)
            if card in state.display:
                yield Replace(seat, (card,))
        elif keys[-1].startswith("train:"):
            own = [train for train in trains if keys[-1] == f"train:{seat}:{train}"]
            yield Take(seat, card, own[0] if own else 0)

    def _goes_to(self, state: NimmState, seat: int, card: str) -> Sequence[int]:
        """Trains (1 to 3) for which a player can take an open card; 0 is for none."""
        trains = state.trains[seat]
        if card == BONUS:
            return (0,)
        if card == MULTIPLIER:
            return range(1, len(trains) + 1)
        return [train + 1 for train in places(self.cards, trains, card)]

    def _selections(self, state: NimmState) -> Iterator[tuple[str, ...]]:
        """Every distinct selection of open cards."""
        lying = in_order(self.cards, state.display)
        for count in range(1, len(lying) + 1):
            yield from dict.fromkeys(combinations(lying, count))

    def _price(self, state: NimmState, seat: int) -> int:
        return self.cards.replace_price(state.seats, state.order.index(seat))

    def step_problem(self, state: NimmState, step: Turn, action: Action) -> IllegalAction | None:
        if action.seat != step.seat:
            return IllegalAction(
                "turn-1", "It is not your turn; you may only hand in target tiles."
            )
        match action:
            case Take():
                return self._cannot_take(state, action)
            case Replace(seat, cards):
                return self._cannot_replace(state, step, seat) or self._not_open(state, cards)
            case Pass():
                return None
        return IllegalAction("turn-1", "On your turn, take a card, have cards replaced, or pass.")

    def _cannot_take(self, state: NimmState, action: Take) -> IllegalAction | None:
        card, trains = action.card, state.trains[action.seat]
        if card in (BIN, LONGER):
            return IllegalAction("special-take", "This card is never taken.")
        if card not in state.display:
            return IllegalAction("couple-1", "There is no open card {card}.", card=card)
        if action.train in self._goes_to(state, action.seat, card):
            return None
        if card == BONUS:
            return IllegalAction("special-bonus", "The bonus goes to no train.")
        if not 1 <= action.train <= len(trains):
            return IllegalAction(
                "couple-1", "Say which of your trains it goes to: 1 to {last}.", last=len(trains)
            )
        if card == DOUBLE:
            return IllegalAction(
                "special-double",
                "The double wagon needs a wagon before it; train {train} has none.",
                train=action.train,
            ).without(
                "train", "The double wagon needs a wagon before it; none of your trains has one."
            )
        wanted = self.cards.wagons[card].kind
        if wanted in [kind(self.cards, train) for train in trains]:
            return IllegalAction(
                "kind-1", "You already have a train with wagons of this kind; it must go there."
            )
        return IllegalAction(
            "kind-1", "Train {train} already has wagons of another kind.", train=action.train
        ).without("train", "All your trains already have wagons of another kind.")

    def _cannot_replace(self, state: NimmState, step: Turn, seat: int) -> IllegalAction | None:
        """Why the seat cannot replace cards this turn."""
        if step.replaced:
            return IllegalAction("replace-1", "Cards can be replaced only once in a turn.")
        price = self._price(state, seat)
        if money(state, seat) < price:
            return IllegalAction(
                "replace-5", "You cannot pay {price} to have cards replaced.", price=dollars(price)
            )
        return None

    def _not_open(self, state: NimmState, cards: tuple[str, ...]) -> IllegalAction | None:
        """Why these cards cannot be replaced."""
        if not cards:
            return IllegalAction("replace-1", "Say which cards are replaced.")
        if Counter(cards) - Counter(state.display):
            return IllegalAction("replace-1", "Only open cards can be replaced.")
        if list(cards) != in_order(self.cards, cards):
            return IllegalAction(
                "",
                "The cards must be named in the order of the component file.",
            )
        return None

    def move(self, state: NimmState, step: Turn, action: Action, play: NimmPlay) -> None:
        match action:
            case Take():
                self._take(state, action, play)
            case Replace(seat, cards):
                self._replace(state, step, seat, cards, play)
            case Pass(seat):
                state.passes += 1
                play.done()
                play.emit(happened.TurnPassed(rule="pass-1", seat=seat, passes=state.passes))
                if state.passes == state.seats:
                    end_round(play, "pass-2")
                else:
                    next_turn(play, seat)

    def _replace(
        self, state: NimmState, step: Turn, seat: int, cards: tuple[str, ...], play: NimmPlay
    ) -> None:
        """Discard the cards before turning up new ones [replace-1, display-2]."""
        price = self._price(state, seat)
        pay_bank(play, seat, price)
        for card in cards:
            state.display.remove(card)
            state.ledger.move(card_item(card), "display", "discard")
        play.emit(
            happened.CardsReplaced(
                rule="replace-1", amounts=only(state, seat, -price), seat=seat, cards=cards
            )
        )
        step.replaced = True
        fill_display(play, self.cards, "replace-1")

    def _take(self, state: NimmState, action: Take, play: NimmPlay) -> None:
        seat, card = action.seat, action.card
        play.done()
        state.passes = 0
        state.display.remove(card)
        special = card in (BONUS, MULTIPLIER, DOUBLE)
        if special:
            state.special = Special(seat, card)
        if card == BONUS:
            self._bonus(state, seat, play)
        else:
            train = state.trains[seat][action.train - 1]
            state.ledger.move(card_item(card), "display", owner(seat))
            if card == MULTIPLIER:
                train.plus += self.cards.special[card].bonus
                play.emit(
                    happened.MultiplierLaid(
                        rule="special-multiplier", seat=seat, train=action.train, loco=train.loco
                    )
                )
            elif self._couple(state, action, play):
                return
        fill_display(play, self.cards, "special-take" if special else "couple-1")
        if special and state.tiles[seat]:
            play.push(SpecialTaken(seat))
        else:
            next_turn(play, seat)

    def _bonus(self, state: NimmState, seat: int, play: NimmPlay) -> None:
        """Pay the bonus at once; the discarded card is not shuffled in again this round [special-bonus, display-2]."""
        amount = self.cards.special[BONUS].money
        state.ledger.move(card_item(BONUS), "display", "spent")
        receive(play, seat, amount)
        play.emit(
            happened.BonusTaken(rule="special-bonus", amounts=only(state, seat, amount), seat=seat)
        )

    def _couple(self, state: NimmState, action: Take, play: NimmPlay) -> bool:
        """Couple a wagon to the rear of a train; return whether this ends the round [stop-1]."""
        seat = action.seat
        train = state.trains[seat][action.train - 1]
        train.wagons.append(action.card)
        wagon, length = wagons(self.cards, train)[-1], len(train.wagons)
        play.emit(
            happened.WagonCoupled(
                rule="special-double" if action.card == DOUBLE else "couple-1",
                seat=seat,
                card=action.card,
                kind=wagon.kind,
                value=wagon.value,
                train=action.train,
                loco=train.loco,
                length=length,
            )
        )
        if length < limit(state, self.cards):
            return False
        end_round(play, "stop-1", seat, length)
        return True


def next_turn(play: NimmPlay, seat: int) -> None:
    """Pass the turn to the next in the order [turn-1]."""
    state = play.state
    state.special = None
    following = state.order[(state.order.index(seat) + 1) % state.seats]
    play.push(Turn(following, False))


def end_round(play: NimmPlay, rule: str, seat: int | None = None, length: int = 0) -> None:
    """End the round; players may still hand in target tiles before the payment [stop-1, pass-2, target-use-1]."""
    state = play.state
    play.emit(happened.RoundEnded(rule=rule, round=state.round, seat=seat, wagons=length))
    play.push(Closing(list(holdings.holders(state))))


class SpecialTakenRules(TargetRules[SpecialTaken]):
    """The special card may count for a target tile before the turn passes [target-2]. All players with tiles are
    asked, to keep the tiles secret."""

    def deciders(self, state: NimmState, step: SpecialTaken) -> Sequence[int]:
        return (step.seat,) if state.tiles[step.seat] else ()

    def candidates(self, state: NimmState, step: SpecialTaken, seat: int) -> Iterable[Choice]:
        return [Choice(Ready(seat))]

    def step_problem(
        self, state: NimmState, step: SpecialTaken, action: Action
    ) -> IllegalAction | None:
        return not_ready([step.seat], action)

    def move(self, state: NimmState, step: SpecialTaken, action: Action, play: NimmPlay) -> None:
        play.done()
        play.emit(happened.SaidReady(rule="target-2", seat=action.seat))
        next_turn(play, action.seat)

    def run(self, state: NimmState, step: SpecialTaken, play: NimmPlay) -> None:
        """The last tile has been handed in."""
        play.done()
        next_turn(play, step.seat)


def not_ready(waiting: Sequence[int], action: Action) -> IllegalAction | None:
    """Refuse an action that does not answer the question about target tiles."""
    if isinstance(action, Ready) and action.seat in waiting:
        return None
    return IllegalAction("target-use-1", "Now you may only hand in target tiles.")


class ClosingRules(TargetRules[Closing]):
    """Last chance for target tiles this round [stop-1, target-use-1]."""

    def deciders(self, state: NimmState, step: Closing) -> Sequence[int]:
        return [seat for seat in step.waiting if state.tiles[seat]]

    def candidates(self, state: NimmState, step: Closing, seat: int) -> Iterable[Choice]:
        return [Choice(Ready(seat))]

    def step_problem(self, state: NimmState, step: Closing, action: Action) -> IllegalAction | None:
        return not_ready(step.waiting, action)

    def left_out(self, state: NimmState, step: Closing, seat: int) -> IllegalAction | None:
        return IllegalAction(
            "target-use-1", "The round is over, and you have no target tiles to hand in."
        )

    def move(self, state: NimmState, step: Closing, action: Action, play: NimmPlay) -> None:
        step.waiting.remove(action.seat)
        play.emit(happened.SaidReady(rule="target-use-1", seat=action.seat))

    def run(self, state: NimmState, step: Closing, play: NimmPlay) -> None:
        play.done()
        play.push(Reckoning())


class ReckoningRules(NimmRules[Reckoning]):
    """Pay profits, then start the next round or end the game [pay-1, pay-2, next-5]."""

    def run(self, state: NimmState, step: Reckoning, play: NimmPlay) -> None:
        play.done()
        state.special = None
        for seat, trains in enumerate(state.trains):
            working = tuple(profit(self.cards, train) for train in trains if train.loco)
            spare = tuple(profit(self.cards, train) for train in trains if not train.loco)
            receive(play, seat, sum(working) + sum(spare))
            if working:
                amounts = only(state, seat, sum(working))
                paid = happened.ProfitPaid(rule="pay-1", amounts=amounts, seat=seat, parts=working)
                play.emit(paid)
            if any(spare) or not working:
                amounts = only(state, seat, sum(spare))
                play.emit(happened.SparePaid(rule="pay-2", amounts=amounts, seat=seat, parts=spare))
        if state.round < self.cards.setup.rounds:
            play.push(NewRound(state.round + 1))
            return
        purses = tuple(money(state, seat) for seat in range(state.seats))
        play.emit(happened.GameEnded(rule="end-1", money=purses, used=tuple(state.used)))
