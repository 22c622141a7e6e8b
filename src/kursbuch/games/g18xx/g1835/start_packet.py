"""Sale of the start packet [2.4, 2.5, 7], and its premoves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from kursbuch.core.actions import Action, Choice
from kursbuch.core.errors import IllegalAction
from kursbuch.core.play import Play
from kursbuch.core.words import N_
from kursbuch.games.g18xx import events as happened
from kursbuch.games.g18xx.actions import BuyPaper, Done
from kursbuch.games.g18xx.components import BANK, PACKET, PLAYERS, share_item
from kursbuch.games.g18xx.g1835 import prussia
from kursbuch.games.g18xx.g1835.components import Paper
from kursbuch.games.g18xx.g1835.ruleset import Ruleset1835
from kursbuch.games.g18xx.g1835.state import PacketTurn, State1835
from kursbuch.games.g18xx.premoves import EighteenPremoves
from kursbuch.games.g18xx.rules.stock_round import as_choice, end_turn
from kursbuch.games.g18xx.ruleset import EighteenRules, Steps
from kursbuch.games.g18xx.state import StockTurn


def on_offer(ruleset: Ruleset1835, state: State1835) -> list[Paper]:
    """Papers on offer: the topmost row, and if one paper is left in it, the leftmost of the row
    below [2.5.1]. In the Clemens variant all."""
    rows = [
        [paper for paper in row if ruleset.in_packet(state, paper)]
        for row in ruleset.components.rows
    ]
    if state.house.packet == "clemens":
        return [paper for row in rows for paper in row]
    for number, row in enumerate(rows):
        if row:
            below = rows[number + 1][:1] if len(row) == 1 and number + 1 < len(rows) else []
            return row + below
    return []


def paper_price(ruleset: Ruleset1835, state: State1835, paper: Paper) -> int:
    """Price of a paper; with the optional rule, privates get cheaper by their income with every
    stock round [7.2]."""
    if state.house.cheaper_privates and paper.id in ruleset.components.privates:
        return max(
            0, paper.price - ruleset.market.income(state, paper.id) * (state.round.number - 1)
        )
    return paper.price


def paper_problem(
    ruleset: Ruleset1835, state: State1835, seat: int, name: str
) -> IllegalAction | None:
    """Refusal of a purchase from the start packet. A certificate that comes with the paper must
    find room, too [2.4b]."""
    paper = ruleset.components.packet.get(name)
    if paper is None or paper not in on_offer(ruleset, state):
        # Certificates go by the company name printed on them.
        label = (paper.company if paper is not None else "") or ruleset.label(name)
        if paper is not None and not ruleset.in_packet(state, paper):
            return IllegalAction("2.5.1", "{paper} has already been sold.", paper=label)
        return IllegalAction("2.5.1", "{paper} is not on offer in the start packet.", paper=label)
    if not ruleset.shares.has_room(state, seat, 2 if paper.free else 1):
        return ruleset.shares.too_many_certificates(state, seat)
    price, cash = paper_price(ruleset, state, paper), ruleset.cash(state, seat)
    return ruleset.shares.unaffordable(price, cash) if price > cash else None


def next_seat(ruleset: Ruleset1835, state: State1835, seat: int) -> int:
    """Next seat after `packet_turns` turns.

    Turns go clockwise [2.2]. In the first stock round of the Snake variant the second round of
    turns goes backwards, in the Clemens variant the first.
    """
    turn, seats, start = state.packet_turns, state.seats, state.priority
    if state.round.number == 1 and state.house.packet == "snake":
        place = 2 * seats - 1 - turn if seats <= turn < 2 * seats else turn
    elif state.round.number == 1 and state.house.packet == "clemens":
        place = -turn if turn < seats else turn - seats + 1
    else:
        return ruleset.left_of(state, seat)
    return (start + place) % seats


class PacketTurnRules(EighteenRules[State1835, PacketTurn]):
    """A turn: buy one paper on offer, or pass [2.4]."""

    refusal = ("2.4", N_("It is time to buy from the start packet or pass."))

    ruleset: Ruleset1835

    def deciders(self, state: State1835, step: PacketTurn) -> Sequence[int]:
        return (step.seat,) if step.asked else ()

    def run(self, state: State1835, step: PacketTurn, play: Play[State1835]) -> None:
        """Pass over a player who can buy nothing."""
        if len(self.choices(state, step, step.seat)) > 1:
            step.asked = True
        else:
            self._pass(state, step, play, able=False)

    def choices(self, state: State1835, step: PacketTurn, seat: int) -> list[Choice]:
        found = [
            as_choice(BuyPaper(seat, paper.id))
            for paper in on_offer(self.ruleset, state)
            if paper_problem(self.ruleset, state, seat, paper.id) is None
        ]
        return [*found, as_choice(Done(seat))]

    def attempts(
        self, state: State1835, step: PacketTurn, seat: int, keys: Sequence[str]
    ) -> Iterable[Action]:
        return (
            [BuyPaper(seat, keys[0].removeprefix("paper:"))] if keys[0].startswith("paper:") else []
        )

    def problem(self, state: State1835, step: PacketTurn, action: Action) -> IllegalAction | None:
        match action:
            case BuyPaper(seat, name):
                return paper_problem(self.ruleset, state, seat, name)
            case Done():
                return None
        return IllegalAction(
            "2.4",
            "Before the start packet is sold you can only buy one of its certificates or pass.",
        )

    def perform(
        self, state: State1835, step: PacketTurn, action: Action, play: Play[State1835]
    ) -> None:
        if isinstance(action, BuyPaper):
            play.done()
            self._end(state, step, play, self.ruleset.components.packet[action.paper])
        else:
            self._pass(state, step, play, able=True)

    def _pass(
        self, state: State1835, step: PacketTurn, play: Play[State1835], *, able: bool
    ) -> None:
        play.done()
        play.emit(happened.Passed(rule="2.4", seat=step.seat, able=able))
        self._end(state, step, play, None)

    def _end(
        self, state: State1835, step: PacketTurn, play: Play[State1835], paper: Paper | None
    ) -> None:
        """Push the next turn, below the consequences of the purchase. When the packet is sold the
        round continues with share trading [2.4]."""
        ruleset = self.ruleset
        state.packet_turns += 1
        if paper is not None:
            self._hand_over(state, step.seat, paper, play)
        seat = next_seat(ruleset, state, step.seat)
        following = PacketTurn(seat) if ruleset.packet_left(state) else StockTurn(seat)
        end_turn(ruleset, play, step.seat, following, bought=paper is not None)
        if paper is not None:
            self._follow(state, paper, play)

    def _hand_over(self, state: State1835, seat: int, paper: Paper, play: Play[State1835]) -> None:
        """Hand over a paper and what comes with it [2.4c, 3.1.2c]."""
        holder, ledger = PLAYERS[seat], state.ledger
        price = paper_price(self.ruleset, state, paper)
        company, free = paper.free or ("", "")
        ledger.move("money", holder, BANK, price)
        ledger.move(paper.item, PACKET, holder)
        if free:
            ledger.move(share_item(company, free), PACKET, holder)
        play.emit(
            happened.PaperBought(
                rule="2.5.1",
                amounts=self.ruleset.amounts(state, (seat, -price)),
                seat=seat,
                paper=paper.id,
                price=price,
                company=company,
                free=free,
            )
        )

    def _follow(self, state: State1835, paper: Paper, play: Play[State1835]) -> None:
        """Start a minor: its price becomes its treasury, and its token takes its home [3.2.2].
        Bavaria may float."""
        ruleset = self.ruleset
        if paper.id in ruleset.components.minors:
            treasury = ruleset.components.minors[paper.id].treasury
            state.companies[paper.id].operating = True
            ruleset.pay_out(
                play,
                happened.Floated(rule="3.2.2", company=paper.id, treasury=treasury),
                (paper.id, treasury),
            )
            ruleset.builder.place_homes(play, paper.id)
        company = paper.free[0] if paper.free else paper.company
        if company:
            ruleset.float.settle(play, company)
        # OB may have been unsold when its second hex was built on.
        prussia.close_spent(ruleset, play)
        prussia.after_packet(ruleset, play)


STEPS: Steps = {PacketTurn: PacketTurnRules}


class Premoves1835(EighteenPremoves):
    """Premoves of 1835: papers have a price, too."""

    ruleset: Ruleset1835

    def terms(self, state: Any, action: Action) -> str:
        if isinstance(action, BuyPaper):
            paper = self.ruleset.components.packet.get(action.paper)
            return "" if paper is None else str(paper_price(self.ruleset, state, paper))
        return super().terms(state, action)
