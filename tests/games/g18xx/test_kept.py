"""What is kept between questions is what someone finds who asks for the first time."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

import pytest

import kursbuch
from kursbuch.bots import make
from kursbuch.core.game import Game
from kursbuch.core.position import Position
from kursbuch.games.g18xx.evaluation import Prospects, Sight
from kursbuch.games.g18xx.g1835 import TITLE as TITLE_1835
from kursbuch.games.g18xx.g1835 import Title1835
from kursbuch.games.g18xx.g1835.rails18xx import import_rails
from kursbuch.games.g18xx.g1853 import TITLE as TITLE_1853
from kursbuch.games.g18xx.g1853 import Title1853
from kursbuch.games.g18xx.g1853.contracts import connections
from kursbuch.games.g18xx.g1853.estimates import Distances
from kursbuch.games.g18xx.map.networks import PER_HEX, CompanyNetwork
from kursbuch.games.g18xx.map.revenue import best_runs
from kursbuch.games.g18xx.map.tiles import Fit, fits
from kursbuch.games.g18xx.map.track import Laid, Layout, Reach, Station, TrackMap, TrackPosition
from kursbuch.games.g18xx.ruleset import Ruleset
from tests.games.g18xx import peer, randomnet

FRESH: dict[str, Callable[[], Any]] = {"1835": Title1835, "1853": Title1853}


def network(found: CompanyNetwork) -> object:
    return found.network, found.stops


def reached(reach: Reach) -> object:
    return reach.borders, reach.stops, reach.unique


def seen(sight: Sight) -> object:
    return network(sight.worth.found), sight.entries


def check(game: Game, rng: random.Random) -> None:
    """Compare all answers about the state of a game with those of a title made for this question."""
    title: Any = game.title
    fresh = FRESH[title.id]()
    state = fresh.decode(title.encode(game.state))
    position = Position(fresh, state, game.position.chance)
    for decision in game.pending:
        seat = decision.seat
        choices = game.legal_actions(seat)
        assert choices == position.legal_actions(seat)
        actions = [choice.action for choice in choices]
        known = title.evaluator.action_values(game.state, seat, actions)
        assert known == fresh.evaluator.action_values(state, seat, actions)
    assert title.evaluator.evaluate(game.state) == fresh.evaluator.evaluate(state)
    ruleset: Ruleset[Any] = title.ruleset
    stage = ruleset.phase(game.state).number - 1
    check_track(ruleset, game.state, stage, title.evaluator.prospects, rng)
    if game.title.id == "1853":
        check_ways(title.evaluator.ways, game.state.layout, stage, rng)


def check_track(
    ruleset: Ruleset[Any], state: Any, stage: int, prospects: Prospects, rng: random.Random
) -> None:
    """The same for the track of companies; and for what it would be with one more tile or marker."""
    layout: Layout = state.layout
    position = ruleset.position(state)
    fresh_copy = anew_of(ruleset, layout, stage, mixed=position.mixed)
    fresh = Prospects(ruleset.components, mail=prospects.mail)
    for company in sorted({station.company for station in layout.stations}):
        assert network(position.network(company)) == network(fresh_copy.network(company))
        assert reached(position.reach(company)) == reached(fresh_copy.reach(company))
        trains = ruleset.trains(state, company)
        for mail in (False, True):
            found = best_runs(ruleset.components, position, company, trains, mail=mail)
            assert found == best_runs(ruleset.components, fresh_copy, company, trains, mail=mail)
        base = prospects.sight(position, company)
        check_sight(prospects, base, fresh, fresh_copy, company, trains)
        for there, after in changes(ruleset, state, position, prospects, company, rng):
            then = anew_of(ruleset, after, stage, mixed=position.mixed)
            assert network(there.network(company)) == network(then.network(company))
            sight = prospects.sight(there, company, base)
            check_sight(prospects, sight, fresh, then, company, trains)


def anew_of(ruleset: Ruleset[Any], layout: Layout, stage: int, *, mixed: bool) -> TrackPosition:
    """The track of a layout on a map of which nothing is known."""
    return TrackMap(ruleset.components.board).position(layout, stage, mixed=mixed)


def check_sight(
    prospects: Prospects,
    sight: Sight,
    fresh: Prospects,
    fresh_copy: TrackPosition,
    company: str,
    trains: Sequence[str],
) -> None:
    fresh.known.clear()
    first = fresh.sight(fresh_copy, company)
    assert seen(sight) == seen(first)
    assert prospects.outlook(sight) == fresh.outlook(first)
    for some in (trains, trains[:1], ["2"], ["4"]):
        assert prospects.earnings(sight, some) == fresh.earnings(first, some)


def changes(
    ruleset: Ruleset[Any],
    state: Any,
    position: TrackPosition,
    prospects: Prospects,
    company: str,
    rng: random.Random,
) -> list[tuple[TrackPosition, Layout]]:
    """Some positions with one more tile or marker as they are made from the one there is, with their
    layouts."""
    layout: Layout = state.layout
    board = ruleset.components.board
    found = []
    builder = ruleset.builder
    joined = [
        (site.hex, fit)
        for site in builder.sites(state, company)
        for fit in builder.connected(state, company, site.hex, site.fits)
    ]
    for hex, fit in rng.sample(joined, min(3, len(joined))):
        laid = Laid(fit.tile, fit.rotation)
        found.append((prospects.with_tile(position, hex, laid), with_tile(layout, hex, fit)))
    vacant = [stop for stop in sorted(position.reach(company).stops) if position.vacant(stop)]
    for number in rng.sample(vacant, min(1, len(vacant))):
        place, stop = divmod(number, PER_HEX)
        station = Station(company, board.names[place], stop)
        marked = prospects.with_station(position, *station)
        found.append((marked, Layout(layout.tiles, [*layout.stations, station])))
    return found


def with_tile(layout: Layout, hex: str, fit: Fit) -> Layout:
    """Markers go where the fit says."""
    stations = [
        station._replace(stop=fit.stops[station.stop]) if station.hex == hex else station
        for station in layout.stations
    ]
    return Layout({**layout.tiles, hex: Laid(fit.tile, fit.rotation)}, stations)


def check_ways(known: Distances, layout: Layout, stage: int, rng: random.Random) -> None:
    """How far it is between cities of 1853."""
    fresh = Distances(TITLE_1853.ruleset.components, known.values)
    position = TITLE_1853.ruleset.components.track.position(layout, stage)
    fresh_copy = anew_of(TITLE_1853.ruleset, layout, stage, mixed=False)
    for _ in range(4):
        one, other = rng.sample(sorted(known.place_of), 2)
        assert known.between(position, one, other) == fresh.between(fresh_copy, one, other)


@pytest.mark.parametrize("seed", range(6))
def test_on_random_maps(seed: int) -> None:
    """One tile after another, laid on any hex, seen by a company with a few stations."""
    rng = random.Random(seed)
    components = (TITLE_1835 if seed % 2 else TITLE_1853).ruleset.components
    board, track = components.board, components.track
    prospects, fresh = Prospects(components), Prospects(components)
    layout = randomnet.layout(track, rng, rng.randint(20, 200), rng.randint(1, 3), 6)
    position = track.position(layout, 1)
    for _ in range(20):
        base = prospects.sight(position, "X")
        hexes = [station.hex for station in layout.stations]
        hexes += [board.names[place] for place in base.places]
        hex = rng.choice(hexes)
        found = list(fits(board, layout.tiles, hex, unlimited=True))
        if not found:
            continue
        fit = rng.choice(found)
        there = prospects.with_tile(position, hex, Laid(fit.tile, fit.rotation))
        after = with_tile(layout, hex, fit)
        fresh_copy = TrackMap(board).position(after, 1)
        assert network(there.network("X")) == network(fresh_copy.network("X"))
        check_sight(prospects, prospects.sight(there, "X", base), fresh, fresh_copy, "X", ["2"])
        if rng.random() < 0.4:
            layout, position = after, there if rng.random() < 0.5 else track.position(after, 1)


@pytest.mark.parametrize("seed", range(4))
def test_in_any_phase_with_one_gauge_or_more(seed: int) -> None:
    """Something changes on a map, near or far; then it is asked about in turns by phase and gauges."""
    rng = random.Random(seed)
    track = TrackMap((TITLE_1835 if seed % 2 else TITLE_1853).ruleset.components.board)
    layout = randomnet.layout(track, rng, rng.randint(60, 200), 2, 8)
    for _ in range(12):
        for phase, mixed in rng.sample(
            [(n, mixed) for n in range(3) for mixed in (False, True)], 6
        ):
            position = track.position(layout, phase, mixed=mixed)
            fresh_copy = TrackMap(track.board).position(layout, phase, mixed=mixed)
            assert network(position.network("X")) == network(fresh_copy.network("X"))
            assert reached(position.reach("X")) == reached(fresh_copy.reach("X"))
        stations = [one for one in layout.stations if one.company == "X" or rng.random() < 0.9]
        hex = rng.choice(track.board.names)
        found = list(fits(track.board, layout.tiles, hex, unlimited=True))
        layout = (
            with_tile(layout, hex, rng.choice(found)) if found else Layout(layout.tiles, stations)
        )


@pytest.mark.parametrize("title", ["1835", "1853"])
@pytest.mark.parametrize(
    ("bot", "first", "every"),
    [("random", 150, 83), pytest.param("greedy", 60, 61, marks=pytest.mark.long)],
)
def test_along_games(title: str, bot: str, first: int, every: int) -> None:
    rng = random.Random(title + bot)
    game = kursbuch.new(title, list("ABCD"), seed=5)
    chooses = make(bot, seed=3)
    looks = 0
    while not game.over:
        if len(game.moves) >= first and len(game.moves) % every == 0:
            check(game, rng)
            looks += 1
        game.apply(chooses.choose(game.view(game.pending[0].seat)))
    assert looks > 6


@pytest.mark.parametrize(
    "name",
    [peer.KNOWN[0], *(pytest.param(name, marks=pytest.mark.long) for name in peer.KNOWN[1:])],
)
def test_along_recorded_games(name: str) -> None:
    path = peer.FOLDER / f"{name}.rails"
    if not path.exists():
        pytest.skip("the recorded games (../shared/peer) are missing")
    recorded = import_rails(TITLE_1835, path.read_bytes()).game
    rng = random.Random(name)
    game = Game(recorded.title, recorded.names, recorded.options, seed=recorded.seed)
    for number, move in enumerate(recorded.moves):
        if number % 90 == 80:
            check(game, rng)
        game.apply(move.action)


@pytest.mark.parametrize("title", ["1835", "1853"])
@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.long)])
def test_choices_along_random_games(title: str, seed: int) -> None:
    """Two games take turns on one map; every eleventh time each is asked about on a map without
    answers, too."""
    games = [kursbuch.new(title, list("ABC"), seed=10 * seed + number) for number in range(2)]
    bot = make("random", seed)
    for turn in range(120):
        for game in games:
            if game.over:
                continue
            if turn % 11 == 10:
                seat = game.pending[0].seat
                known = game.legal_actions(seat)
                ruleset: Any = game.title.ruleset  # type: ignore[attr-defined]
                joined = [] if title == "1835" else [connections(ruleset, game.state)]
                ruleset.components.track.forget()
                assert game.legal_actions(seat) == known
                if joined:
                    assert joined == [connections(ruleset, game.state)]
            for _ in range(8):
                if not game.over:
                    game.apply(bot.choose(game.view(game.pending[0].seat)))
    assert all(len(game.moves) > 400 for game in games)
