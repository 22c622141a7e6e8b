"""Evaluation for computer opponents: track values, a plain evaluator for titles without their own,
and playouts that follow the track of reference games."""

from __future__ import annotations

import random
from abc import abstractmethod
from collections.abc import Callable, Container, Mapping, Sequence
from functools import lru_cache, wraps
from importlib import resources
from typing import Any, ClassVar, Generic, TypeVar

import msgspec
from msgspec.structs import replace

from kursbuch.core.actions import Action, Choice
from kursbuch.core.evaluator import Evaluator, Plan, PlayoutPolicy
from kursbuch.core.state import Step
from kursbuch.games.g18xx.actions import (
    AskPrice,
    BuyTrain,
    Done,
    EnterRevenue,
    LayTile,
    OfferTrain,
    PlaceStation,
    SellShares,
)
from kursbuch.games.g18xx.components import PLAYERS, Components
from kursbuch.games.g18xx.map.board import COLOURS
from kursbuch.games.g18xx.map.networks import PER_HEX, CompanyNetwork, Ground, showing
from kursbuch.games.g18xx.map.revenue import Earnings, earnings
from kursbuch.games.g18xx.map.tiles import kept
from kursbuch.games.g18xx.map.track import Laid, TrackPosition
from kursbuch.games.g18xx.plans import (
    ANSWERS,
    OTHER_TRAINS,
    TrainFromCompany,
    by_gain,
    dividend_plans,
    forced_sales,
    plain,
    train_plans,
)
from kursbuch.games.g18xx.rules.token_step import PlaceRules
from kursbuch.games.g18xx.rules.track_step import BuildRules
from kursbuch.games.g18xx.rules.train_offer import offer_key, offers
from kursbuch.games.g18xx.ruleset import Ruleset
from kursbuch.games.g18xx.state import (
    AnyState,
    Build,
    BuyTrains,
    Pay,
    PlaceToken,
    RaiseMoney,
    StockTurn,
    TrainOffer,
)

#: Default potential of an unbuilt city, and of a town.
CITY_VALUE = 25
TOWN_VALUE = 10

#: Distance beyond which cities do not attract track.
HORIZON = 3

#: Hex colours by the first phase, from 0, in which a tile can be laid on them.
COLOUR_ORDER = {"white": 0, "yellow": 1, "green": 2, "brown": 3}

#: Sizes of the caches of sights per company and of network values.
KEPT = 6
NETWORKS = 128

#: A way that enters a hex over a border: hex, border, gauges.
_Way = tuple[int, int, int]

#: Tokens in the stops of some hexes.
Marks = tuple[tuple[int, tuple[str, ...]], ...]

#: What decides a company's sight: phase, its stations, what the hexes reached by its track show,
#: and all tokens there.
Look = tuple[int, tuple[int, ...], object, Marks]


AnswerT = TypeVar("AnswerT")


def per_company(method: Callable[[Any, str], AnswerT]) -> Callable[[Any, str], AnswerT]:
    """Cache the answer of a method for each company, in the `memo` of its object."""
    name = method.__name__

    @wraps(method)
    def cached(self: Any, company: str) -> AnswerT:
        known: dict[str, AnswerT] = self.memo[name]
        try:
            return known[company]
        except KeyError:
            return known.setdefault(company, method(self, company))

    return cached


class NetworkValues:
    """Cached values of a network, whichever company it belongs to: its stops, their total value and
    hexes, and how strongly each entered hex attracts track."""

    __slots__ = ("found", "pulls", "reached", "stops")

    def __init__(self, found: CompanyNetwork) -> None:
        self.found = found
        self.stops = sum([stop.value for stop in found.network.stops])
        self.reached = frozenset([number // PER_HEX for number in found.stops])
        self.pulls: dict[int, float] = {}


class Sight(msgspec.Struct):
    """What a company can run on, valid for all positions with this `look` on the hexes of `places`,
    where a tile would change it; `shown` reads what they show. `entries` are the open ends of its
    track where a tile can be laid; `variants` caches sights of slightly different positions."""

    places: frozenset[int]
    shown: Callable[[Sequence[Ground]], object]
    look: Look
    worth: NetworkValues
    entries: tuple[_Way, ...]
    variants: dict[Look, Sight] = msgspec.field(default_factory=dict)

    def of(self, position: TrackPosition, own: tuple[int, ...]) -> Look:
        """Look of another position on these hexes, with these stations of the company."""
        return position.phase, own, self.shown(position.grounds), _marks(position, self.places)

    def fits(self, position: TrackPosition, own: tuple[int, ...]) -> bool:
        """Whether the sight holds in that position."""
        phase, stations, shown, marks = self.look
        return (
            stations == own
            and phase == position.phase
            and shown == self.shown(position.grounds)
            and marks == _marks(position, self.places)
        )


class Prospects:
    """Track values of companies. With `mail`, one train carries it."""

    def __init__(self, components: Components, *, mail: bool = False) -> None:
        self.components = components
        self.mail = mail
        self.board = components.board
        self.forget()
        #: Potential value of the stops of each hex.
        self.values = self._values()
        self.near = self._near()

    def forget(self) -> None:
        """Clear the caches; only benchmarks need this."""
        self.known: dict[str, list[Sight]] = {}
        self._worth = lru_cache(NETWORKS)(NetworkValues)

    # ---- revenue

    def revenue(self, sight: Sight, trains: Sequence[str]) -> int:
        """Best revenue of these trains."""
        return self.earnings(sight, trains).revenue

    def earnings(self, sight: Sight, trains: Sequence[str]) -> Earnings:
        """Revenue and mail of these trains' best runs."""
        return self.earned(sight.worth.found, trains)

    def earned(self, found: CompanyNetwork, trains: Sequence[str]) -> Earnings:
        """Revenue and mail of these trains' best runs on a network."""
        return earnings(self.components, found, trains, "pay" if self.mail else None)

    def outlook(self, sight: Sight) -> float:
        """Potential of the company's track: the sum of its stops, and the best extensions."""
        worth = sight.worth
        known = worth.pulls
        pulls = []
        for place, _, _ in sight.entries:
            pull = known.get(place)
            if pull is None:
                near = [weight for there, weight in self.near[place] if there not in worth.reached]
                pull = known[place] = sum(near)
            pulls.append(pull)
        pulls.sort(reverse=True)
        return 0.1 * worth.stops + sum(pulls[:3])

    def sight(self, position: TrackPosition, company: str, base: Sight | None = None) -> Sight:
        """What a company can run on, from the cache if possible. `base` is the sight before a tile
        or token was added."""
        own = position.stations(company)
        known = self.known.setdefault(company, [])
        for sight in reversed(known) if base is None else (base,):
            if sight.fits(position, own):
                return sight
        near = known[-1] if base is None and known else base
        look = None
        if near is not None:
            look = near.of(position, own)
            variant = near.variants.get(look)
            if variant is not None and variant.fits(position, own):
                if base is None:
                    self._keep(known, variant)
                return variant
        found = position.network(company)
        spread = None if base is None else _spread_after(base, position, own)
        places, entries = spread or _spread(position, own)
        if look is None or near is None or near.places != places:
            shown = showing(places)
            look_there = position.phase, own, shown(position.grounds), _marks(position, places)
        else:
            places, shown, look_there = near.places, near.shown, look
        sight = Sight(places, shown, look_there, self._worth(found), entries)
        if base is None:
            self._keep(known, sight)
        elif look is not None:
            base.variants[look] = sight
        return sight

    def _keep(self, known: list[Sight], sight: Sight) -> None:
        del known[: max(0, len(known) - KEPT + 1)]
        known.append(sight)

    # ---- what could be

    def with_tile(self, position: TrackPosition, name: str, laid: Laid) -> TrackPosition:
        """The position with one more tile; tokens on the hex keep their cities."""
        place = self.board.number(name)
        ground = self.components.track.ground(name, laid.tile, laid.rotation)
        became = None
        if any(stop // PER_HEX == place for stop in position.markers):
            old = position.grounds[place].face
            became = kept(old, ground.face) or range(len(old.stops))
        return position.changed(place, ground, became)

    def with_station(
        self, position: TrackPosition, company: str, name: str, stop: int
    ) -> TrackPosition:
        """The position with one more token of a company."""
        return position.marked(company, self.board.number(name) * PER_HEX + stop)

    def _values(self) -> list[float]:
        values = []
        for record, face in zip(self.board.records, self.board.printed, strict=True):
            value = 0.0
            for stop in face.stops:
                if stop.kind == "offboard":
                    value += max(stop.values)
                elif stop.kind == "town":
                    value += TOWN_VALUE
                elif stop.kind == "city":
                    value = max(value, self.components.city_values.get(record.label, CITY_VALUE))
            values.append(value)
        return values

    def _near(self) -> list[list[tuple[int, float]]]:
        """For each hex the nearby places with stops, and how strongly each attracts track."""
        board, values = self.board, self.values
        found = []
        for start in range(len(board.records)):
            near, seen, ring = [], {start}, [start]
            for distance in range(HORIZON + 1):
                near += [
                    (place, values[place] / 10 / (1 + distance) ** 2)
                    for place in ring
                    if values[place]
                ]
                ring = sorted(
                    {
                        other
                        for place in ring
                        for other in board.neighbours[place]
                        if other >= 0 and other not in seen
                    }
                )
                seen.update(ring)
            found.append(near)
        return found


def _marks(position: TrackPosition, places: Container[int]) -> Marks:
    """Tokens in the stops of some hexes."""
    return tuple(
        [
            (stop, tuple(companies))
            for stop, companies in position.markers.items()
            if stop // PER_HEX in places
        ]
    )


#: Hexes that a company's track may lead to, and the open ends among them where a tile can be laid
#: now. Ways that turn round or use track twice are included: what matters is that no hex is
#: missing.
_Spread = tuple[frozenset[int], tuple[_Way, ...]]


def _spread(position: TrackPosition, own: Sequence[int]) -> _Spread:
    """Where track from some stations leads."""
    ways: list[_Way] = []
    for stop in own:
        ways += position.grounds[stop // PER_HEX].leaves[stop % PER_HEX]
    seen: set[_Way] = set()
    entries: list[_Way] = []
    _follow(position, ways, seen, set(own), entries, ())
    places = {place for place, _, _ in seen}
    places.update([stop // PER_HEX for stop in own])
    return frozenset(places), tuple(entries)


def _spread_after(base: Sight, position: TrackPosition, own: Sequence[int]) -> _Spread | None:
    """The spread after a tile was laid, derived from the one before; None if it must be found from
    scratch. This works where the tile extends an open end and leads only to new hexes."""
    if position.before is None:
        return None
    before, place = position.before
    empty = before.grounds[place].face.colour == "white" and not before.grounds[place].links
    if not empty or any(stop // PER_HEX == place for stop in own):
        return None
    known = base.places - {place}
    seen: set[_Way] = set()
    stops: set[int] = set()
    entries: list[_Way] = []
    for way in base.entries:
        if way[0] != place:
            entries.append(way)
        elif not _follow(position, [way], seen, stops, entries, known):
            return None
    return base.places.union([there for there, _, _ in seen]), tuple(entries)


def _follow(
    position: TrackPosition,
    ways: list[_Way],
    seen: set[_Way],
    stops: set[int],
    entries: list[_Way],
    known: Container[int],
) -> bool:
    """Follow ways and collect what they reach; return False on reaching a known hex."""
    grounds, markers = position.grounds, position.markers
    while ways:
        way = ways.pop()
        if way in seen:
            continue
        seen.add(way)
        place, border, gauges = way
        if place in known:
            return False
        ground = grounds[place]
        links = ground.links.get(border)
        if links is None:
            if COLOUR_ORDER.get(ground.face.colour, len(COLOUR_ORDER)) <= position.phase:
                entries.append(way)
            continue
        for end, beyond, allowed in links:
            if not gauges & allowed:
                continue
            if end >= 0:
                if beyond >= 0:
                    ways.append((beyond, end, gauges & allowed))
            elif ~end not in stops:
                stops.add(~end)
                kind, _, slots, _, _ = ground.face.stops[~end % PER_HEX]
                full = kind == "city" and len(markers.get(~end, ())) >= slots
                if kind != "offboard" and not full:
                    ways += ground.leaves[~end % PER_HEX]
    return True


class PlainEvaluator(Evaluator[Any]):
    """Values a position by cash, shares at market price (at par before the company operates), and a
    part of the treasuries."""

    #: Part of a treasury that counts for the shareholders.
    TREASURY = 0.3

    def __init__(self, ruleset: Ruleset[Any]) -> None:
        self.ruleset = ruleset

    def evaluate(self, state: Any) -> list[float]:
        ruleset = self.ruleset
        values = [float(ruleset.cash(state, seat)) for seat in range(state.seats)]
        for name in ruleset.public:
            price = ruleset.market.price(state, name) or ruleset.market.par(state, name)
            whole = 10 * price + self.TREASURY * ruleset.money(state, name)
            for seat in range(state.seats):
                values[seat] += whole * ruleset.percent(state, PLAYERS[seat], name) / 100
        return values


StateT = TypeVar("StateT", bound=AnyState, contravariant=True)

#: Maximum number of tiles tried per game and turn.
TRIALS = 4


class Track(msgspec.Struct, frozen=True):
    """Track built by each company in one game, in order: tiles as ("L6", "57", 0), tokens as ("L6",
    0)."""

    tiles: dict[str, tuple[tuple[str, str, int], ...]]
    tokens: dict[str, tuple[tuple[str, int], ...]]


@lru_cache
def tracks(package: str) -> tuple[Track, ...]:
    """Reference games in the package of a title."""
    data = (resources.files(package) / "tracks.json").read_bytes()
    return msgspec.json.decode(data, type=tuple[Track, ...])


class ScriptedPolicy(PlayoutPolicy[StateT], Generic[StateT]):
    """A playout policy that lays each company's track as in a reference game. Those games were
    connected, so it works best with `Variants.free_track`."""

    def __init__(self, ruleset: Ruleset[Any], games: tuple[Track, ...], rng: random.Random) -> None:
        self.ruleset: Any = ruleset
        #: Two games per company; the second is used when the first offers nothing legal.
        self.tracks = {
            company: rng.sample(games, 2)
            for company in (*ruleset.components.minors, *ruleset.public)
        }
        self.build = BuildRules(ruleset)
        self.place = PlaceRules(ruleset)

    def action(self, state: StateT, seat: int) -> Action | None:
        step = state.agenda[-1]
        if isinstance(step, Build):
            return self._tile(state, step, seat) or Done(seat)
        if isinstance(step, PlaceToken):
            return self._token(state, step, seat) or Done(seat)
        return None

    def _tile(self, state: StateT, step: Build, seat: int) -> Action | None:
        board, ruleset = self.ruleset.components.board, self.ruleset
        if len(step.laid) >= ruleset.builder.allowed(state, step.company):
            return None
        offered = ruleset.phase(state).tiles
        laid = state.layout.tiles
        trials = TRIALS
        for track in self.tracks[step.company]:
            for hex, tile, rotation in track.tiles.get(step.company, ()):
                colour = board.tiles[tile].colour
                if colour not in offered or hex in step.laid:
                    continue
                lies = laid.get(hex)
                if lies is not None and COLOURS.index(
                    board.tiles[lies.tile].colour
                ) >= COLOURS.index(colour):
                    continue
                action = LayTile(seat, hex, tile, rotation)
                if self.build.is_legal(state, step, action):
                    return action
                trials -= 1
                if not trials:
                    break
            trials = TRIALS
        return None

    def _token(self, state: StateT, step: PlaceToken, seat: int) -> Action | None:
        if step.placed:
            return None
        money = self.ruleset.money(state, step.company)
        for hex, stop in self.tracks[step.company][0].tokens.get(step.company, ()):
            if self.ruleset.station(state, step.company, hex) is not None:
                continue
            # Keep enough money for a train.
            if 2 * self.ruleset.builder.station_cost(state, step.company, hex) > money:
                continue
            action = PlaceStation(seat, hex, stop)
            if self.place.problem(state, step, action) is None:
                return action
            return None
        return None


#: Weights of actions in random playouts, against 1 for all others.
PLAYOUT_WEIGHTS: Mapping[type[Action], float] = {
    SellShares: 0.2,
    OfferTrain: 0.1,
    AskPrice: 0.05,
    EnterRevenue: 0.01,
}


def asking_gain(state: AnyState, action: AskPrice, lost: float | None) -> float:
    """Gain of asking a price instead of refusing, once per turn, by the train's value to its owner
    (None: not for sale)."""
    step, purchase = state.agenda[-1], state.agenda[-2]
    assert isinstance(step, TrainOffer)
    assert isinstance(purchase, BuyTrains)
    asked = offer_key(step.owner, step.train) in purchase.demanded
    if lost is None or step.price > lost or asked:
        return -1.0
    return 1.0 if action.price > lost else -1.0


class EighteenEvaluator(Evaluator[StateT], Generic[StateT]):
    """The part that evaluators of 18xx titles share."""

    #: Further steps with plans: questions that have few answers.
    questions: ClassVar[tuple[type[Step], ...]]

    ruleset: Any

    @abstractmethod
    def lost_by_selling(self, state: StateT, step: TrainOffer, seat: int) -> float | None:
        """Value of a train to its owner, operated by `seat`; None if it is not for sale."""

    @abstractmethod
    def make_policy(self, rng: random.Random) -> PlayoutPolicy[StateT]:
        """A policy for playouts to the end of the game."""

    @abstractmethod
    def turn_plans(self, state: StateT, seat: int, order: Sequence[Action]) -> Sequence[Plan]:
        """Plans for a stock turn, given its actions, best first."""

    @abstractmethod
    def train_gain(self, state: StateT, seat: int, company: str, train: str, price: int) -> float:
        """Gain of a train at a price for the operator of a company that buys trains."""

    def plans(self, state: StateT, seat: int, gains: Mapping[Action, float]) -> Sequence[Plan]:
        """Plans for decisions that move money. There are none for track, which playouts take from
        reference games."""
        step, order = state.agenda[-1], by_gain(gains)
        match step:
            case StockTurn():
                return self.turn_plans(state, seat, order)
            case Pay():
                return dividend_plans(self.ruleset, state, step, order)
            case BuyTrains():
                if self.ruleset.is_last_round(state):
                    # A train from another company would never run.
                    order = [action for action in order if not isinstance(action, OfferTrain)]
                    return train_plans(order)
                control = self.ruleset.control
                own = [
                    action
                    for action in order
                    if not isinstance(action, OfferTrain)
                    or control.decider(state, action.company) == seat
                ]
                return [*train_plans(own), *self.asked_trains(state, step, seat, gains)]
            case RaiseMoney():
                return forced_sales(order)
            case _ if isinstance(step, self.questions):
                return plain(order, ANSWERS)
        return ()

    def asked_trains(
        self, state: StateT, step: BuyTrains, seat: int, gains: Mapping[Action, float]
    ) -> list[Plan]:
        """Offers for trains of other players' companies: the least price above what a train is
        worth to its owner, if it is worth more here than what the bank sells."""
        ruleset, company = self.ruleset, step.company
        needed = max(
            [0.0, *(gain for action, gain in gains.items() if isinstance(action, BuyTrain))]
        )
        found: list[tuple[float, OfferTrain]] = []
        for choice in offers(ruleset, state, step, seat):
            offer = choice.action
            assert isinstance(offer, OfferTrain)
            owner = ruleset.control.decider(state, offer.company)
            if owner == seat or choice.amount is None:
                continue
            asked = TrainOffer(company, offer.company, offer.train, offer.price)
            lost = self.lost_by_selling(state, asked, owner)
            if lost is None or int(lost) + 1 not in choice.amount:
                continue
            price = int(lost) + 1
            gain = self.train_gain(state, seat, company, offer.train, price)
            if gain > needed:
                found.append((gain, replace(offer, price=price)))
        found.sort(key=lambda each: -each[0])
        return [TrainFromCompany((offer,)) for _, offer in found[:OTHER_TRAINS]]

    def passed_over(self, state: StateT, seat: int) -> Action | None:
        """Skip track in a search: it pays off late and is slow to judge."""
        step = state.agenda[-1] if state.agenda else None
        return Done(seat) if isinstance(step, Build | PlaceToken) else None

    def playout_policy(self, state: StateT, rng: random.Random) -> PlayoutPolicy[StateT]:
        # The reference games were connected, and connections are slow to find.
        state.house = replace(state.house, free_track=True)
        return self.make_policy(rng)

    def amounts(self, state: StateT, choice: Choice) -> Sequence[int]:
        """Amounts worth considering. Never enter a revenue: the best one is offered anyway. Ask the
        lowest price above the train's worth."""
        if isinstance(choice.action, EnterRevenue):
            return ()
        if isinstance(choice.action, AskPrice) and choice.amount is not None:
            step = state.agenda[-1]
            assert isinstance(step, TrainOffer)
            lost = self.lost_by_selling(state, step, choice.action.seat)
            return [] if lost is None or int(lost) + 1 not in choice.amount else [int(lost) + 1]
        return super().amounts(state, choice)

    def playout_weight(self, action: Action) -> float:
        return PLAYOUT_WEIGHTS.get(type(action), 1.0)
