"""Contract bids: bonds, cities with their shares, payment [2.5, 2.7], and their premoves; and hidden
information: bonds until all are written, cities until a contract is shown, votes until all are cast."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from kursbuch.core.actions import Action, Choice, Range
from kursbuch.core.errors import IllegalAction
from kursbuch.core.play import Play
from kursbuch.core.title import ROUND
from kursbuch.core.words import N_
from kursbuch.games.g18xx.actions import Done
from kursbuch.games.g18xx.components import BANK, PLAYERS, STACK, share_item
from kursbuch.games.g18xx.g1853 import contracts
from kursbuch.games.g18xx.g1853 import events as here
from kursbuch.games.g18xx.g1853.actions import WriteBond, WriteCity
from kursbuch.games.g18xx.g1853.contracts import LEAST_VALUE
from kursbuch.games.g18xx.g1853.ruleset import Ruleset1853
from kursbuch.games.g18xx.g1853.state import (
    HIDDEN,
    SINGLE,
    BidTurn,
    Contract,
    Pardon,
    PayShares,
    State1853,
    WriteBonds,
    bond_holder,
)
from kursbuch.games.g18xx.premoves import EighteenPremoves
from kursbuch.games.g18xx.ruleset import EighteenRules, Steps


class WriteBondsRules(EighteenRules[State1853, WriteBonds]):
    """All players write bonds in secret; once shown, these fix the seating order [2.5.2, 2.5.3]."""

    ruleset: Ruleset1853
    refusal = ("2.5.2", N_("It is time for everyone to write down a bond."))
    turn_rule = "2.5.2"

    def deciders(self, state: State1853, step: WriteBonds) -> Sequence[int]:
        return step.waiting

    def bonds(self, state: State1853, seat: int) -> Range:
        """Range of a player's bond."""
        step = state.house.bond_step
        least = self.ruleset.components.players[state.seats].least_bond
        cash = self.ruleset.cash(state, seat)
        return Range(least, cash - (cash - least) % step, step)

    def candidates(self, state: State1853, step: WriteBonds, seat: int) -> Iterable[Choice]:
        bonds = self.bonds(state, seat)
        return [Choice(WriteBond(seat, bonds.low), bonds)]

    def problem(self, state: State1853, step: WriteBonds, action: Action) -> IllegalAction | None:
        if not isinstance(action, WriteBond):
            return super().problem(state, step, action)
        bonds = self.bonds(state, action.seat)
        if action.bond in bonds:
            return None
        return IllegalAction(
            "2.5.2",
            "A bond must be between {low} and {high}, in steps of {step}.",
            low=self.ruleset.written(bonds.low),
            high=self.ruleset.written(bonds.high),
            step=self.ruleset.written(bonds.step),
        )

    def perform(
        self, state: State1853, step: WriteBonds, action: Action, play: Play[State1853]
    ) -> None:
        assert isinstance(action, WriteBond)
        seat = action.seat
        state.contracts[seat].bond = action.bond
        step.waiting.remove(seat)
        play.emit(here.BondWritten(rule="2.5.2", seat=seat))
        play.emit(here.BondNoted(rule="2.5.2", seat=seat, bond=action.bond, secret_to=(seat,)))
        if not step.waiting:
            play.done()
            self.show(state, play)

    def show(self, state: State1853, play: Play[State1853]) -> None:
        """Show the bonds: the highest sits first and has the elephant; ties are broken by lot
        [2.5.3]."""
        bonds = [contract.bond or 0 for contract in state.contracts]
        waiting = sorted(range(state.seats), key=lambda seat: -bonds[seat])
        while waiting:
            equal = [seat for seat in waiting if bonds[seat] == bonds[waiting[0]]]
            drawn = equal[play.draw(len(equal))] if len(equal) > 1 else equal[0]
            waiting.remove(drawn)
            state.seating.append(drawn)
        for seat, bond in enumerate(bonds):
            state.ledger.move("money", PLAYERS[seat], bond_holder(seat), bond)
        state.priority = state.seating[0]
        play.emit(
            here.BondsShown(
                rule="2.5.3",
                amounts=tuple(-bond for bond in bonds),
                bonds=tuple(bonds),
                seating=tuple(state.seating),
            )
        )
        play.push(BidTurn(state.priority))


class BidTurnRules(EighteenRules[State1853, BidTurn]):
    """A player writes a city in secret and takes a share for it, or passes for good [2.5.4]."""

    ruleset: Ruleset1853
    secretive = True
    refusal = ("2.5.4", N_("It is time to write down a city and take a share for it, or pass."))
    turn_rule = "2.5.4"

    def deciders(self, state: State1853, step: BidTurn) -> Sequence[int]:
        """The player, unless the list is full or no action is possible [2.5.4]."""
        full = self.ruleset.components.players[state.seats].max_cities
        cities = state.contracts[step.seat].cities
        if len(cities) >= full:
            return ()
        if HIDDEN in cities:
            # In another player's view the list is hidden, but the game waits for this player.
            return (step.seat,)
        possible = any(
            self.problem(state, step, choice.action) is None
            for choice in self.candidates(state, step, step.seat)
        )
        return (step.seat,) if possible else ()

    def candidates(self, state: State1853, step: BidTurn, seat: int) -> Iterable[Choice]:
        anything = state.house.illegal_contracts
        for name, city in self.ruleset.components.cities.items():
            for company in self.ruleset.public if anything else city.companies:
                yield Choice(WriteCity(seat, name, company))
        yield Choice(Done(seat))

    def problem(self, state: State1853, step: BidTurn, action: Action) -> IllegalAction | None:
        match action:
            case WriteCity(seat, city, company):
                return contracts.pick_problem(self.ruleset, state, seat, city, company)
            case Done(seat):
                return contracts.pass_problem(self.ruleset, state, seat)
        return super().problem(state, step, action)

    def perform(
        self, state: State1853, step: BidTurn, action: Action, play: Play[State1853]
    ) -> None:
        seat = step.seat
        if isinstance(action, WriteCity):
            play.done()
            self._write(state, action, play)
            self._next(state, seat, play)
        else:
            self._complete(state, seat, play, passed=True)

    def run(self, state: State1853, step: BidTurn, play: Play[State1853]) -> None:
        self._complete(state, step.seat, play, passed=False)

    def _write(self, state: State1853, action: WriteCity, play: Play[State1853]) -> None:
        seat, company = action.seat, action.company
        contract = state.contracts[seat]
        contract.cities.append(action.city)
        contract.companies.append(company)
        state.ledger.move(share_item(company, SINGLE), STACK, PLAYERS[seat])
        drawn = state.drawn[seat]
        drawn[company] = drawn.get(company, 0) + 1
        if company not in state.first_group:
            state.first_group.append(company)
        self.ruleset.control.note_holders(state, company)
        play.emit(here.ShareTaken(rule="2.5.4", seat=seat, company=company))
        play.emit(
            here.CityNoted(
                rule="2.5.4", seat=seat, city=action.city, company=company, secret_to=(seat,)
            )
        )

    def _complete(
        self, state: State1853, seat: int, play: Play[State1853], *, passed: bool
    ) -> None:
        play.done()
        contract = state.contracts[seat]
        contract.complete = True
        if state.house.illegal_contracts:
            contract.stuck = contracts.stuck(self.ruleset, state, seat)
        count = len(contract.cities)
        play.emit(here.ContractComplete(rule="2.5.4", seat=seat, cities=count, passed=passed))
        self._next(state, seat, play)

    def _next(self, state: State1853, seat: int, play: Play[State1853]) -> None:
        """Go round until all lists are complete [2.5.4]."""
        for other in self.ruleset.around(state, self.ruleset.left_of(state, seat)):
            if not state.contracts[other].complete:
                play.push(BidTurn(other))
                return


class PaySharesRules(EighteenRules[State1853, PayShares]):
    """All contract shares are paid, company by company; whatever follows the first unaffordable one
    stays unredeemed [2.7.2, 2.7.3]."""

    ruleset: Ruleset1853

    def run(self, state: State1853, step: PayShares, play: Play[State1853]) -> None:
        play.done()
        for seat in self.ruleset.around(state, state.priority):
            self._pay(state, seat, play)

    def _pay(self, state: State1853, seat: int, play: Play[State1853]) -> None:
        paid, left = 0, self.ruleset.cash(state, seat)
        unpaid: dict[str, int] = {}
        for company, public in self.ruleset.public.items():
            for _ in range(state.drawn[seat].get(company, 0)):
                if unpaid or paid + public.par > left:
                    unpaid[company] = unpaid.get(company, 0) + 1
                else:
                    paid += public.par
        state.ledger.move("money", PLAYERS[seat], BANK, paid)
        state.unredeemed[seat] = unpaid
        play.emit(
            here.SharesPaid(
                rule="2.7.3" if unpaid else "2.7.2",
                amounts=self.ruleset.amounts(state, (seat, -paid)),
                seat=seat,
                unredeemed=tuple(unpaid.items()),
            )
        )


STEPS: Steps = {
    WriteBonds: WriteBondsRules,
    BidTurn: BidTurnRules,
    PayShares: PaySharesRules,
}


class Premoves1853(EighteenPremoves):
    """Premoves of 1853: contracts are written before the first stock round."""

    def situations(self, state: Any, seat: int) -> Iterator[Any]:
        if state.round.number:
            yield from super().situations(state, seat)
        elif isinstance(state.agenda[-1], BidTurn) and not state.contracts[seat].complete:
            yield replace(state, agenda=[BidTurn(seat)])

    def triggers(self, state: Any, seat: int) -> Sequence[str]:
        return super().triggers(state, seat) if state.round.number else [ROUND]


# ---- hidden information

#: Maximum number of lists tried before accepting an implausible one.
TRIES = 30


def masked(state: State1853, ruleset: Ruleset1853, reader: int | None) -> State1853:
    """A state without what a seat (None: a spectator) may not know, which shares the rest with it
    [2.5.2, 2.5.4, 2.6.2, 4.3.2]."""
    step = state.agenda[-1] if state.agenda else None
    found = replace(state, contracts=[*state.contracts])
    for seat, contract in enumerate(state.contracts):
        writing = isinstance(step, WriteBonds)
        if seat == reader or (contract.shown and not writing):
            continue
        shown = replace(contract, bond=None if writing else contract.bond)
        if not contract.shown:
            shown.cities = _veiled(contract, claimed(state, ruleset, seat), ruleset)
            shown.stuck = False
        found.contracts[seat] = shown
    if isinstance(step, Pardon):
        votes = {seat: vote for seat, vote in step.votes.items() if seat == reader}
        found.agenda = [*state.agenda[:-1], replace(step, votes=votes)]
    return found


def _veiled(contract: Contract, public: Collection[str], ruleset: Ruleset1853) -> list[str]:
    """A sealed list with only the publicly shown cities, each where its share was first taken;
    their real places are secret."""
    found = [HIDDEN for _ in contract.cities]
    for name in public:
        fitting = ruleset.components.cities[name].companies
        place = next(
            (n for n, one in enumerate(contract.companies) if one in fitting and not found[n]), None
        )
        if place is not None:
            found[place] = name
    return found


def claimed(state: State1853, ruleset: Ruleset1853, seat: int) -> Collection[str]:
    """Cities of a sealed contract that its owner has shown to make a company large [2.6.2]."""
    if state.claimant != seat:
        return ()
    return [
        home.city
        for company, size in ruleset.components.size.items()
        if size == "either"
        for home in ruleset.components.homes[company]
    ]


#: How much more than the least bond players are expected to write.
LIKELY_MORE = (30, 40, 50, 60)


def drawn_bond(ruleset: Ruleset1853, state: State1853, rng: random.Random) -> int:
    """A bond as a player may write it."""
    return ruleset.components.players[state.seats].least_bond + rng.choice(LIKELY_MORE)


def guess(state: State1853, ruleset: Ruleset1853, reader: int | None, rng: random.Random) -> None:
    """Fill in plausible values: lists that fit the bond, the shares taken, and the present map."""
    step = state.agenda[-1] if state.agenda else None
    for seat, contract in enumerate(state.contracts):
        if isinstance(step, WriteBonds):
            if seat != reader and seat not in step.waiting:
                contract.bond = drawn_bond(ruleset, state, rng)
        elif HIDDEN in contract.cities:
            contract.cities = _list(state, ruleset, contract, rng)
    if isinstance(step, Pardon):
        given = [s for s in range(state.seats) if s != step.seat and s not in step.waiting]
        step.votes = {seat: step.votes.get(seat, rng.random() < 0.5) for seat in given}


def _list(
    state: State1853, ruleset: Ruleset1853, contract: Contract, rng: random.Random
) -> list[str]:
    """Plausible cities of a sealed contract."""
    found: list[str] = []
    for _ in range(TRIES):
        found = _drawn(state, ruleset, contract, rng)
        if _plausible(state, ruleset, contract, found):
            break
    return found


def _drawn(
    state: State1853, ruleset: Ruleset1853, contract: Contract, rng: random.Random
) -> list[str]:
    """Random cities for the shares taken, as far as bond and valley allow."""
    components = ruleset.components
    found = list(contract.cities)
    hidden = [number for number, city in enumerate(found) if city == HIDDEN]
    rng.shuffle(hidden)
    for place, number in enumerate(hidden):
        known = [city for city in found if city != HIDDEN]
        left = (contract.bond or 0) - contracts.spent(components, known)
        left -= LEAST_VALUE * (len(hidden) - place - 1)
        company = contract.companies[number]
        fresh = [city for city in components.cities.values() if city.name not in known]
        fitting = [
            city.name
            for city in fresh
            if company in city.companies
            and city.value <= left
            and contracts.completable(
                components, state.seats, contract.bond or 0, [*known, city.name]
            )
        ]
        found[number] = rng.choice(fitting or [city.name for city in fresh])
    return found


def _plausible(
    state: State1853, ruleset: Ruleset1853, contract: Contract, cities: list[str]
) -> bool:
    """Whether a list is legal so far, explains its owner's pass, and is not connected yet."""
    if state.house.illegal_contracts:
        return True
    guessed = Contract(contract.bond, cities, contract.companies)
    components, bond = ruleset.components, contract.bond or 0
    if not contracts.matched(components, guessed):
        return False
    if not contract.complete:
        return contracts.completable(components, state.seats, bond, cities)
    if not contracts.legal(components, state.seats, guessed):
        return False
    return not contracts.connected(ruleset, state, cities)
