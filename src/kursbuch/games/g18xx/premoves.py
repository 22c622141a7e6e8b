"""Premoves of 18xx titles: passing, purchases, sales, tiles, stations, trains, and turns that run by themselves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, ClassVar

from msgspec.structs import replace

from kursbuch.core.actions import Action
from kursbuch.core.events import Event
from kursbuch.core.state import Decision, Step
from kursbuch.core.title import ROUND, Premoves
from kursbuch.games.g18xx import events as happened
from kursbuch.games.g18xx.actions import (
    BuyShare,
    BuyTrain,
    Dividend,
    Done,
    LayTile,
    Nationalise,
    PlaceStation,
    SellShares,
)
from kursbuch.games.g18xx.ruleset import Ruleset
from kursbuch.games.g18xx.state import (
    AnyState,
    Build,
    BuyTrains,
    OfCompany,
    Pay,
    PlaceToken,
    Round,
)

#: Steps of a company's turn whose decisions can be foreseen.
FORESEEN = (Build, PlaceToken, BuyTrains)

#: Kinds of decisions by round.
IN_STOCK_ROUNDS = ("stock-turn", "packet", "bid")
IN_OPERATING_ROUNDS = ("build", "place", "buy-trains", "pay")

#: Events a premove can wait for, besides the end of the round: any purchase or sale, a new phase;
#: and of a company ("share:BY") a purchase or sale of its shares, its float, a new director.
SHARE, PHASE, FLOAT, DIRECTOR = "share", "phase", "float", "director"


def ends(kinds: Iterable[str]) -> tuple[str, ...]:
    """Tags for the end of the round these decisions belong to."""
    return tuple(f"{ROUND}:{kind}" for kind in kinds)


class EighteenPremoves(Premoves[AnyState]):
    """Premoves for stock turns and for the steps of a company's turn."""

    by_any_seat: ClassVar[frozenset[str]] = frozenset((ROUND, FLOAT))

    def __init__(self, ruleset: Ruleset[Any]) -> None:
        self.ruleset = ruleset

    def situations(self, state: AnyState, seat: int) -> Iterator[AnyState]:
        if seat in state.out:
            return
        turn: Any = self.ruleset.triggers.first_turn(state)
        round_ = state.round
        if not round_.sold:  # between stock rounds
            round_ = Round(round_.number + 1, sold=[[] for _ in range(state.seats)])
        yield replace(state, agenda=[replace(turn, seat=seat, asked=True)], round=round_)
        for step in self._company_steps(state, seat):
            yield replace(state, agenda=[step])

    def _company_steps(self, state: AnyState, seat: int) -> Iterator[Step]:
        """Steps to come in the turns of companies the player directs."""
        acting = {step.company for step in state.agenda if isinstance(step, OfCompany)}
        for step in reversed(state.agenda[:-1]):
            if isinstance(step, FORESEEN) and self._decides(state, step.company, seat):
                yield replace(step, asked=True)
        for company in self.ruleset.control.order(state):
            if company in acting or company in state.round.acted:
                continue
            if self._decides(state, company, seat):
                turn = self.ruleset.policy
                kinds = turn.minor_turn if self.ruleset.is_minor(company) else turn.turn
                for kind in FORESEEN:
                    if kind in kinds:
                        yield kind(company, asked=True)

    def _decides(self, state: AnyState, company: str, seat: int) -> bool:
        return self.ruleset.control.operator(state, company) == seat

    def subject(self, step: Step) -> str:
        return step.company if isinstance(step, OfCompany) else ""

    def passing(self, state: AnyState, decision: Decision) -> Action | None:
        return Done(decision.seat)

    def routines(self, state: AnyState, seat: int) -> Sequence[str]:
        order = self.ruleset.control.order(state)
        return [company for company in order if self._decides(state, company, seat)]

    def routine(self, state: AnyState, decision: Decision) -> Action | None:
        """No tile, no token, the best runs, pay out, no train."""
        match state.agenda[-1]:
            case Build() | PlaceToken() | BuyTrains():
                return Done(decision.seat)
            case Pay():
                return Dividend(decision.seat, True)
        return None

    def routine_terms(self, state: AnyState, subject: str) -> str:
        """The phase, the director, the trains, and what they earn."""
        ruleset = self.ruleset
        trains = sorted(ruleset.trains(state, subject))
        earned = ruleset.depot.best_runs(state, subject).revenue
        operator = ruleset.control.operator(state, subject)
        return f"{state.phase} {operator} {trains} {earned}"

    def terms(self, state: AnyState, action: Action) -> str:
        ruleset = self.ruleset
        match action:
            case BuyShare(_, company, certificate, source):
                return str(ruleset.shares.purchase_price(state, company, certificate, source))
            case Nationalise(_, company, certificate):
                return str(ruleset.shares.nationalisation_price(state, company, certificate))
            case SellShares(_, company):
                return str(ruleset.shares.sale_price(state, company, None))
            case BuyTrain(_, train):
                return self._train_terms(state, train)
            case LayTile(_, hex) | PlaceStation(_, hex):
                stations = [one for one in state.layout.stations if one.hex == hex]
                return f"{state.layout.tiles.get(hex)} {stations}"
        return ""

    def _train_terms(self, state: AnyState, train: str) -> str:
        """The price of a train, and what a player adds to the company's money."""
        ruleset, step = self.ruleset, state.agenda[-1]
        price = ruleset.depot.price(train)
        if not isinstance(step, OfCompany):
            return str(price)
        missing = price - ruleset.purse(state, step.company)
        if missing <= 0:
            return str(price)
        payer = ruleset.depot.payer(state, step.company)
        sells = payer is not None and ruleset.cash(state, payer) < missing
        return f"{price} {missing} {payer} {sells}"

    def triggers(self, state: AnyState, seat: int) -> Sequence[str]:
        companies = [name for name in self.ruleset.public if not state.companies[name].closed]
        return [
            ROUND,
            SHARE,
            PHASE,
            *(f"{SHARE}:{name}" for name in companies),
            *(f"{FLOAT}:{name}" for name in companies if not state.companies[name].operating),
            *(f"{DIRECTOR}:{name}" for name in companies if state.companies[name].operating),
        ]

    def happened(self, event: Event) -> Iterable[str]:
        match event:
            case happened.StockRoundEnded():
                return ends(IN_STOCK_ROUNDS)
            case happened.StockRoundBegan() | happened.OperatingRoundBegan(part=2 | 3):
                return ends(IN_OPERATING_ROUNDS)
            case (
                happened.ShareBought(company=company)
                | happened.SharesSold(company=company)
                | happened.Nationalised(company=company)
            ):
                return (SHARE, f"{SHARE}:{company}")
            case happened.PaperBought(company=company):
                return (SHARE, f"{SHARE}:{company}")
            case happened.PhaseBegan():
                return (PHASE,)
            case happened.Floated(company=company):
                return (f"{FLOAT}:{company}",)
            case happened.DirectorChanged(company=company):
                return (f"{DIRECTOR}:{company}",)
        return ()
