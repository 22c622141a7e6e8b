"""Hidden information in 1853 and guesses at it: bonds until all are written, cities until a
contract is shown, votes until all are cast."""

from __future__ import annotations

import random
from collections.abc import Collection

from kursbuch.games.g18xx.g1853 import contracts
from kursbuch.games.g18xx.g1853.contracts import LEAST_VALUE
from kursbuch.games.g18xx.g1853.ruleset import Ruleset1853
from kursbuch.games.g18xx.g1853.state import HIDDEN, Contract, Pardon, State1853, WriteBonds

#: Maximum number of lists tried before accepting an implausible one.
TRIES = 30


def mask(state: State1853, ruleset: Ruleset1853, reader: int | None) -> None:
    """Remove from a state what a seat (None: a spectator) may not know [2.5.2, 2.5.4, 2.6.2,
    4.3.2]."""
    step = state.agenda[-1] if state.agenda else None
    for seat, contract in enumerate(state.contracts):
        if seat == reader:
            continue
        if isinstance(step, WriteBonds):
            contract.bond = None
        if not contract.shown:
            contract.cities = _veiled(contract, claimed(state, ruleset, seat), ruleset)
            contract.stuck = False
    if isinstance(step, Pardon):
        step.votes = {seat: vote for seat, vote in step.votes.items() if seat == reader}


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


def guess(state: State1853, ruleset: Ruleset1853, reader: int | None, rng: random.Random) -> None:
    """Fill in plausible values: lists that fit the bond, the shares taken, and the present map."""
    step = state.agenda[-1] if state.agenda else None
    for seat, contract in enumerate(state.contracts):
        if isinstance(step, WriteBonds):
            if seat != reader and seat not in step.waiting:
                row = ruleset.components.players[state.seats]
                contract.bond = row.least_bond + 10 * rng.randrange(10)
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
