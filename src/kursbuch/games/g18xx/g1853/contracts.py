"""Contracts: legal lists, connection of their cities, payment, and the vote and penalty for illegal
ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from random import Random
from typing import Any

from kursbuch.core.actions import Action, Choice
from kursbuch.core.errors import IllegalAction
from kursbuch.core.play import Play, StepRules
from kursbuch.core.state import Step
from kursbuch.core.words import N_
from kursbuch.games.g18xx.components import PLAYERS
from kursbuch.games.g18xx.g1853 import events as here
from kursbuch.games.g18xx.g1853.actions import ShowContract, Vote
from kursbuch.games.g18xx.g1853.components import Components1853
from kursbuch.games.g18xx.g1853.ruleset import Ruleset1853
from kursbuch.games.g18xx.g1853.state import (
    DOUBLE,
    HIDDEN,
    Contract,
    Lookup1853,
    Pardon,
    State1853,
    bond_holder,
)
from kursbuch.games.g18xx.map.board import STOP
from kursbuch.games.g18xx.map.networks import PER_HEX, Ground
from kursbuch.games.g18xx.map.track import TrackPosition
from kursbuch.games.g18xx.ruleset import QuestionRules
from kursbuch.games.g18xx.state import Build, BuyTrains, Pay, PlaceToken, StockTurn

#: Value of the cheapest cities, reserved in the bond for every city to come [2.5.9].
LEAST_VALUE = 20

#: Unused bond from which a player may not pass before having all cities [2.5.4].
FORCED_ON = 40

#: Maximum number of valley cities, Calcutta included, in a contract; and length up to which only
#: one valley city is allowed [2.5.7].
VALLEY, SHORT_LIST = 2, 3

#: The city that counts with those of the valley.
CALCUTTA = "Calcutta"


def spent(components: Components1853, cities: Sequence[str]) -> int:
    """Value of a list's cities that counts against the bond [2.5.9]."""
    return sum(components.cities[city].value for city in cities)


def unused(components: Components1853, contract: Contract) -> int:
    """Unused part of a bond."""
    return (contract.bond or 0) - spent(components, contract.cities)


def valley(components: Components1853, cities: Sequence[str]) -> int:
    """Number of valley cities in a list, without Calcutta [2.5.7]."""
    return sum(components.cities[city].valley for city in cities)


def above_valley(components: Components1853, cities: Sequence[str]) -> bool:
    """Whether a list exceeds the limit for the valley and Calcutta [2.5.7]."""
    return valley(components, cities) + (CALCUTTA in cities) > VALLEY


def too_short(components: Components1853, cities: Sequence[str]) -> bool:
    """Whether a list is too short for its valley cities [2.5.7]."""
    return len(cities) <= SHORT_LIST and valley(components, cities) == VALLEY


def completable(components: Components1853, seats: int, bond: int, cities: Sequence[str]) -> bool:
    """Whether a list is legal or can become so with more cities [2.5.6, 2.5.7, 2.5.9]."""
    row = components.players[seats]
    if len(set(cities)) < len(cities):
        return False
    if above_valley(components, cities):
        return False
    least = row.min_cities
    if too_short(components, cities):
        least = max(least, SHORT_LIST + 1)
    missing = max(0, least - len(cities))
    return spent(components, cities) + LEAST_VALUE * missing <= bond


def legal(components: Components1853, seats: int, contract: Contract) -> bool:
    """Whether a finished contract is legal [2.5.12]."""
    row, cities = components.players[seats], contract.cities
    if not row.min_cities <= len(cities) <= row.max_cities:
        return False
    if too_short(components, cities):
        return False
    if not completable(components, seats, contract.bond or 0, cities):
        return False
    going_on = len(cities) < row.max_cities and unused(components, contract) >= FORCED_ON
    if going_on and not contract.stuck:
        return False
    return matched(components, contract)


def matched(components: Components1853, contract: Contract) -> bool:
    """Whether each share taken belongs to its city [2.5.5]."""
    return all(
        company in components.cities[city].companies
        for city, company in zip(contract.cities, contract.companies, strict=True)
    )


def pick_problem(
    lookup: Lookup1853, state: State1853, seat: int, city: str, company: str
) -> IllegalAction | None:
    """Refusal of a city and share in a contract. If illegal contracts are allowed, only publicly
    visible reasons count [2.5.4 to 2.5.10, 2.5.12]."""
    found = lookup.components.cities.get(city)
    if found is None:
        return IllegalAction("2.5.8", "{city} is not a contract city.", city=city)
    if company not in lookup.public:
        return IllegalAction("2.5.5", "There is no company {company}.", company=company)
    if not shares_left(lookup, state, company):
        return IllegalAction(
            "2.5.10", "No share of {company} is left for a contract.", company=company
        )
    if state.house.illegal_contracts:
        return None
    return _hidden_problem(lookup, state, seat, city, company)


def _hidden_problem(
    lookup: Lookup1853, state: State1853, seat: int, city: str, company: str
) -> IllegalAction | None:
    """Refusal of an illegal list for reasons hidden from the others [2.5.5 to 2.5.10]."""
    components, contract = lookup.components, state.contracts[seat]
    found = components.cities[city]
    if company not in found.companies:
        return IllegalAction(
            "2.5.5",
            "Shares of {list} go with {city}.",
            city=city,
            list=", ".join(found.companies),
        )
    if city in contract.cities:
        return IllegalAction("2.5.10", "{city} is in your contract already.", city=city)
    left = unused(components, contract)
    if found.value > left:
        return IllegalAction(
            "2.5.9",
            "{city} counts {value}, and {left} of your bond is unused.",
            city=city,
            value=lookup.written(found.value),
            left=lookup.written(left),
        )
    cities = [*contract.cities, city]
    if above_valley(components, cities):
        return IllegalAction(
            "2.5.7",
            ("A contract may have at most {most} cities of the Ganges valley, including {city}."),
            most=VALLEY,
            city=CALCUTTA,
        )
    if not completable(components, state.seats, contract.bond or 0, cities):
        if too_short(components, cities):
            return IllegalAction(
                "2.5.7",
                "With a second city of the valley you need a fourth city, for which your bond is too small.",
            )
        return IllegalAction(
            "2.5.6",
            "With {city} your bond would not be enough for the {count} cities a contract needs.",
            city=city,
            count=components.players[state.seats].min_cities,
        )
    return None


def stuck(lookup: Lookup1853, state: State1853, seat: int) -> bool:
    """Whether no city is left that would keep a list legal [2.5.4]."""
    return not any(
        shares_left(lookup, state, company)
        and _hidden_problem(lookup, state, seat, city, company) is None
        for city, record in lookup.components.cities.items()
        for company in record.companies
    )


def full(lookup: Lookup1853, state: State1853, seat: int) -> bool:
    """Whether a player can write no more cities."""
    return not any(
        pick_problem(lookup, state, seat, city, company) is None
        for city, record in lookup.components.cities.items()
        for company in record.companies
    )


def pass_problem(lookup: Lookup1853, state: State1853, seat: int) -> IllegalAction | None:
    """Refusal of a pass by a player who could write more cities [2.5.4, 2.5.6, 2.5.7]."""
    components, contract = lookup.components, state.contracts[seat]
    row, count = components.players[state.seats], len(contract.cities)
    if count < row.min_cities:
        return IllegalAction(
            "2.5.6",
            "Your contract needs {least} cities and has {count}.",
            count=count,
            least=row.min_cities,
        )
    if state.house.illegal_contracts:
        return None
    left = unused(components, contract)
    if left >= FORCED_ON:
        return IllegalAction(
            "2.5.4",
            "{left} of your bond is unused: with {limit} or more you have to write another city.",
            left=lookup.written(left),
            limit=lookup.written(FORCED_ON),
        )
    if too_short(components, contract.cities):
        return IllegalAction(
            "2.5.7",
            (
                "A contract with three cities may have only one in the valley: you have "
                "to write down a fourth."
            ),
        )
    return None


def shares_left(lookup: Lookup1853, state: State1853, company: str) -> bool:
    """Whether a single share of a company is left for a contract; the double share is not available
    [2.5.10]."""
    return lookup.unsold(state, company) > 10 * DOUBLE


def connections(lookup: Lookup1853, state: State1853) -> dict[str, int]:
    """Network number of every contract city: over track of any company, changing trains in any
    station, blocked or not, and between the stations of one city [4.3.1].

    Stations join track of every gauge; ends of track and junctions only that of one, which keeps
    the gauge from changing on open track. Trains never turn round, because track branches only in
    junctions, as the loader checks.
    """
    position = lookup.position(state)
    known = position.memo.get("connections")
    if isinstance(known, dict):
        return known
    networks = _networks(lookup, position)
    board = lookup.components.board
    result = {
        name: networks.of((_stop_of(board.number(city.hex), 0), 0))
        for name, city in lookup.components.cities.items()
    }
    position.memo["connections"] = result
    return result


def _networks(lookup: Lookup1853, position: TrackPosition) -> Networks:
    """Networks of all track: those of the last position with the new track added, if no track is
    gone."""
    board, memo = lookup.components.board, position.track.memo

    def joints(ground: Ground) -> frozenset[Joint]:
        city = board.names[ground.place] in lookup.components.city_of_hex
        return _joints(ground, board.borders[ground.place], city)

    last: tuple[list[Ground], Networks] | None = memo.get("connections")
    pairs = zip(position.grounds, last[0] if last else (), strict=False)
    changed = [(now, then) for now, then in pairs if now is not then]
    if last and all(joints(now) >= joints(then) for now, then in changed):
        networks = Networks(last[1])
        added = [joints(now) - joints(then) for now, then in changed]
    else:
        networks = Networks()
        added = list(map(joints, position.grounds))
    for row in added:
        for one, other in row:
            networks.join(one, other)
    memo["connections"] = position.grounds, networks
    return networks


#: A border or a stop, with its gauge or 0 for every gauge.
Point = tuple[int, int]

#: Two points joined by track.
Joint = tuple[Point, Point]


@lru_cache(4096)
def _joints(ground: Ground, borders: tuple[int, ...], city: bool) -> frozenset[Joint]:
    """What the track of a hex joins; all stations of a city are one point."""

    def point(end: int, gauge: int) -> Point:
        if end < STOP:
            return borders[end], gauge
        if ground.face.stops[end - STOP].kind == "junction":
            return _stop_of(ground.place, end - STOP), gauge
        return _stop_of(ground.place, 0 if city else end - STOP), 0

    return frozenset(
        (point(a, gauge), point(b, gauge))
        for a, b, gauges in ground.face.paths
        for gauge in (1, 2)
        if gauges & gauge
    )


def _stop_of(place: int, stop: int) -> int:
    """Number of a stop, distinct from all borders; all stations of a city share one."""
    return -1 - place * PER_HEX - stop


class Networks:
    """Numbered networks of connected points (union-find); `begun` are networks to begin with."""

    def __init__(self, begun: Networks | None = None) -> None:
        self._above: dict[Point, Point] = begun._above.copy() if begun else {}
        self._numbers: dict[Point, int] = {}

    def _top(self, point: Point) -> Point:
        above = self._above
        while (higher := above.setdefault(point, point)) != point:
            above[point] = point = above[higher]
        return point

    def join(self, one: Point, other: Point) -> None:
        """Join the networks of two points."""
        self._above[self._top(one)] = self._top(other)

    def of(self, point: Point) -> int:
        """Network number of a point."""
        return self._numbers.setdefault(self._top(point), len(self._numbers))


def connected(lookup: Lookup1853, state: State1853, cities: Sequence[str]) -> bool:
    """Whether these cities are connected by rail [4.3.1]."""
    networks = connections(lookup, state)
    return len({networks[city] for city in cities}) <= 1


def check(ruleset: Ruleset1853, play: Play[State1853]) -> None:
    """Show and pay back contracts whose cities are now connected, in seat order [4.3.1, 4.3.2]."""
    state = play.state
    for seat in ruleset.around(state, state.priority):
        contract = state.contracts[seat]
        if contract.shown or not connected(ruleset, state, contract.cities):
            continue
        if not state.house.illegal_contracts or legal(ruleset.components, state.seats, contract):
            show(ruleset, play, seat, legal=True)


def show(ruleset: Ruleset1853, play: Play[State1853], seat: int, *, legal: bool) -> None:
    """Show a contract and pay back its bond; the others vote on an illegal one [4.3.2]."""
    state = play.state
    contract = state.contracts[seat]
    contract.shown = True
    bond = contract.bond or 0
    state.ledger.move("money", bond_holder(seat), PLAYERS[seat], bond)
    play.emit(
        here.ContractShown(
            rule="4.3.2",
            amounts=ruleset.amounts(state, (seat, bond)),
            seat=seat,
            cities=tuple(contract.cities),
            bond=bond,
            legal=legal,
        )
    )
    if not legal:
        play.push(Pardon(seat, [other for other in ruleset.around(state, seat) if other != seat]))


def claimable(ruleset: Ruleset1853, state: State1853, seat: int) -> bool:
    """Whether a player has a connected illegal contract and may show it [4.3.2]."""
    contract = state.contracts[seat]
    return (
        state.house.illegal_contracts
        and not contract.shown
        and HIDDEN not in contract.cities
        and not legal(ruleset.components, state.seats, contract)
        and connected(ruleset, state, contract.cities)
    )


class WithClaims(StepRules[State1853, Any]):
    """Wraps the rules of a step: the owner of a connected illegal contract may show it in any turn
    [4.3.2]."""

    def __init__(self, ruleset: Ruleset1853, rules: StepRules[State1853, Any]) -> None:
        self.ruleset = ruleset
        self.rules = rules

    def deciders(self, state: State1853, step: Any) -> Sequence[int]:
        return self.rules.deciders(state, step)

    def volunteers(self, state: State1853, step: Any) -> Sequence[int]:
        return [seat for seat in range(state.seats) if claimable(self.ruleset, state, seat)]

    def choices(self, state: State1853, step: Any, seat: int) -> list[Choice]:
        found = self.rules.choices(state, step, seat) if seat in self.deciders(state, step) else []
        if claimable(self.ruleset, state, seat):
            found = [*found, Choice(ShowContract(seat))]
        return found

    def at_random(
        self,
        state: State1853,
        step: Any,
        seat: int,
        rng: Random,
        weigh: Callable[[Action], float],
    ) -> Choice:
        if claimable(self.ruleset, state, seat):
            return super().at_random(state, step, seat, rng, weigh)
        return self.rules.at_random(state, step, seat, rng, weigh)

    def attempts(
        self, state: State1853, step: Any, seat: int, keys: Sequence[str]
    ) -> Iterable[Action]:
        return self.rules.attempts(state, step, seat, keys)

    def candidates(self, state: State1853, step: Any, seat: int) -> Iterable[Choice]:
        return self.rules.candidates(state, step, seat)

    def problem(self, state: State1853, step: Any, action: Action) -> IllegalAction | None:
        if isinstance(action, ShowContract) and claimable(self.ruleset, state, action.seat):
            return None
        if isinstance(action, ShowContract) or action.seat not in self.deciders(state, step):
            return self.not_asked(state, step, action)
        return self.rules.problem(state, step, action)

    def not_asked(self, state: State1853, step: Any, action: Action) -> IllegalAction:
        if not isinstance(action, ShowContract):
            return self.rules.not_asked(state, step, action)
        return IllegalAction(
            "4.3.2", "You have no connected contract that you could show by yourself."
        )

    def perform(self, state: State1853, step: Any, action: Action, play: Play[State1853]) -> None:
        if isinstance(action, ShowContract):
            show(self.ruleset, play, action.seat, legal=False)
        else:
            self.rules.perform(state, step, action, play)

    def run(self, state: State1853, step: Any, play: Play[State1853]) -> None:
        self.rules.run(state, step, play)


class PardonRules(QuestionRules[State1853, Pardon]):
    """All others vote secretly at the same time; a pardon needs more than half of them [4.3.2]."""

    ruleset: Ruleset1853
    refusal = ("4.3.2", N_("Vote first on the illegal contract."))
    turn_rule = "4.3.2"
    answer = Vote

    def deciders(self, state: State1853, step: Pardon) -> Sequence[int]:
        return step.waiting

    def perform(
        self, state: State1853, step: Pardon, action: Action, play: Play[State1853]
    ) -> None:
        assert isinstance(action, Vote)
        step.waiting.remove(action.seat)
        step.votes[action.seat] = action.pardons
        if step.waiting:
            return
        play.done()
        pardoned = 2 * sum(step.votes.values()) > len(step.votes)
        votes = tuple(sorted(step.votes.items()))
        play.emit(here.PardonDecided(rule="4.3.2", seat=step.seat, votes=votes, pardoned=pardoned))
        if not pardoned:
            state.penalties[step.seat] = state.round.number + 1


#: Steps in which a contract may be shown.
CLAIM_STEPS: tuple[type[Step], ...] = (Build, PlaceToken, Pay, BuyTrains, StockTurn)
