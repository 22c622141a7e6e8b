"""Bot matches: their games, result files and ratings."""

from __future__ import annotations

import hashlib
import math
import pkgutil
import random
import re
import sqlite3
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import combinations_with_replacement, permutations
from math import factorial
from operator import mul
from statistics import mean, stdev
from typing import Any, Protocol

import msgspec

from kursbuch.bots import registry as bot_registry
from kursbuch.bots.bot import Bot, volunteered
from kursbuch.bots.estimates import Estimate, Z, average, clustered_rate
from kursbuch.bots.worker_pool import WorkerPool
from kursbuch.core.errors import KursbuchError
from kursbuch.core.game import Game, check_seed
from kursbuch.core.registry import title_with_data
from kursbuch.core.replay_cache import program_id
from kursbuch.core.title import Result, Title

#: A longer game counts as it stands. Random players of 1853, who rarely play on for ever, usually need about 1,000.
MOST_MOVES = 10_000

#: Specification of a bot of one's own.
_CLASS = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*")

#: Creates the bot for a game from its specification and seed.
Seating = Callable[[Game, str, int], Bot]


class Task(msgspec.Struct, frozen=True):
    """One game to play; `bots` are specifications by seat."""

    number: int
    title: str
    seed: str
    options: dict[str, str]
    #: Corrected component data (file content).
    data: bytes | None
    bots: tuple[str, ...]


class Outcome(msgspec.Struct, frozen=True):
    """Outcome of a game; all but `moves` by seat. `error` is empty if it was completed."""

    number: int
    bots: tuple[str, ...]
    moves: int
    scores: tuple[int, ...] = ()
    winners: tuple[int, ...] = ()
    #: Number of decisions and total seconds of computing by seat.
    decisions: tuple[int, ...] = ()
    seconds: tuple[float, ...] = ()
    error: str = ""


def derived_seed(*parts: object) -> int:
    """A seed derived from these parts, the same on every machine."""
    text = "bot " + " ".join(str(part) for part in parts)
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")


def new_game(task: Task) -> Game:
    """The game of a task before its first move."""
    title = title_with_data(task.title, task.data)
    names = [f"{spec}-{seat}" for seat, spec in enumerate(task.bots, 1)]
    return Game(title, names, task.options, seed=task.seed)


def make(spec: str, seed: int | None = None) -> Bot:
    """Create a bot of the registry, or one of your own: `module:Class`, a subclass of `Bot` created with this name and
    a seed.

    >>> make("kursbuch.bots:Oracle")
    Traceback (most recent call last):
        ...
    kursbuch.core.errors.KursbuchError: The bot kursbuch.bots:Oracle cannot be created: \
module 'kursbuch.bots' has no attribute 'Oracle'
    """
    if _CLASS.fullmatch(spec) is None:
        return bot_registry.make(spec, seed)
    try:
        bot = pkgutil.resolve_name(spec)(spec, seed)
    except Exception as error:
        raise KursbuchError(
            "The bot {spec} cannot be created: {error}", spec=spec, error=str(error)
        ) from error
    if not isinstance(bot, Bot):
        raise KursbuchError("{spec} is no subclass of kursbuch.bots.Bot.", spec=spec)
    return bot


def check(spec: str) -> str:
    """Normalise a specification; raises like `make`."""
    spec = spec.strip()
    name = make(spec).name
    return spec if _CLASS.fullmatch(spec) else name


def seated(game: Game, spec: str, seed: int) -> Bot:
    """Create the bot of a specification."""
    return make(spec, seed)


def as_it_stands(game: Game) -> Result:
    """The result if the game ended now."""
    scores = tuple(worth or 0 for worth in game.title.worth(game.state))
    return Result(scores, tuple(seat for seat, score in enumerate(scores) if score == max(scores)))


def play_game(task: Task, seating: Seating = seated) -> Outcome:
    """Play one game. Bots without a time limit repeat the same game."""
    count = len(task.bots)
    moves, decisions, seconds = 0, [0] * count, [0.0] * count
    try:
        game = new_game(task)
        bots = [
            seating(game, spec, derived_seed(task.seed, seat))
            for seat, spec in enumerate(task.bots)
        ]
        while not game.over and moves < MOST_MOVES:
            action = volunteered(game, dict(enumerate(bots)))
            if action is None:
                seat = game.pending[0].seat
                started = time.thread_time()
                action = bots[seat].choose(game.view(seat))
                seconds[seat] += time.thread_time() - started
                decisions[seat] += 1
            game.apply(action)
            moves += 1
        result = game.result or as_it_stands(game)
    except Exception as error:
        # An error in one game must not stop the others; it is reported.
        what = f"game {task.number + 1}, move {moves + 1}: {type(error).__name__}: {error}"
        return Outcome(task.number, task.bots, moves, error=what)
    return Outcome(
        task.number,
        task.bots,
        moves,
        result.scores,
        result.winners,
        tuple(decisions),
        tuple(round(spent, 4) for spent in seconds),
    )


class Named(Protocol):
    """The owner of a result file."""

    @property
    def terms(self) -> dict[str, object]: ...


class Results:
    """A file of completed games (SQLite: `match` holds the terms as JSON, `game` one row each), or memory without a
    path. Failed games are not stored, so they are replayed."""

    def __init__(self, path: str | None = None) -> None:
        self.path = path
        try:
            self.file = sqlite3.connect(path or ":memory:")
            tables = {row[0] for row in self.file.execute("SELECT name FROM sqlite_master")}
            if tables not in (set(), {"match", "game"}):
                raise KursbuchError(
                    "{path} holds something other than the games of a match.", path=str(path)
                )
            with self.file:
                self.file.execute("CREATE TABLE IF NOT EXISTS match (terms TEXT NOT NULL)")
                self.file.execute(
                    "CREATE TABLE IF NOT EXISTS game (number INTEGER PRIMARY KEY, bots TEXT NOT NULL, "
                    "moves INTEGER NOT NULL, scores TEXT NOT NULL, winners TEXT NOT NULL, "
                    "decisions TEXT NOT NULL, seconds TEXT NOT NULL)"
                )
        except sqlite3.Error as error:
            raise _unusable(path, error) from None

    def __enter__(self) -> Results:
        return self

    def __exit__(self, *_: object) -> None:
        self.file.close()

    def load(self, match: Named) -> dict[int, Outcome]:
        """The stored games of a match by number; refuses the file of another match."""
        terms = msgspec.json.encode(match.terms, order="sorted").decode()
        try:
            games = self.file.execute(
                "SELECT number, bots, moves, scores, winners, decisions, seconds FROM game"
            ).fetchall()
            kept = self.file.execute("SELECT terms FROM match").fetchall()
            if not kept:
                with self.file:
                    self.file.execute("INSERT INTO match VALUES (?)", (terms,))
            elif kept != [(terms,)]:
                raise KursbuchError(
                    "{path} holds the games of another match: {terms}.",
                    path=str(self.path),
                    terms=_told(msgspec.json.decode(kept[0][0], type=dict[str, Any]), match.terms),
                )
            return {row[0]: _outcome(row) for row in games}
        except (sqlite3.Error, msgspec.MsgspecError) as error:
            raise _unusable(self.path, error) from None

    def add(self, outcome: Outcome) -> None:
        """Store a game."""
        if outcome.error:
            return
        parts = (outcome.scores, outcome.winners, outcome.decisions, outcome.seconds)
        row = (outcome.number, _packed(outcome.bots), outcome.moves, *map(_packed, parts))
        try:
            with self.file:
                self.file.execute("INSERT OR REPLACE INTO game VALUES (?, ?, ?, ?, ?, ?, ?)", row)
        except sqlite3.Error as error:
            raise _unusable(self.path, error) from None


def _packed(values: object) -> str:
    return msgspec.json.encode(values).decode()


def _outcome(row: tuple[int, str, int, str, str, str, str]) -> Outcome:
    number, bots, moves, *rest = row
    scores, winners, decisions = (
        msgspec.json.decode(text, type=tuple[int, ...]) for text in rest[:3]
    )
    names = msgspec.json.decode(bots, type=tuple[str, ...])
    seconds = msgspec.json.decode(rest[3], type=tuple[float, ...])
    lengths = {len(part) for part in (names, scores, decisions, seconds)}
    if lengths != {len(names)} or not all(0 <= seat < len(names) for seat in winners):
        raise msgspec.ValidationError(f"game {number} is no result of a match")
    return Outcome(number, names, moves, scores, winners, decisions, seconds)


def _told(kept: Mapping[str, object], wanted: Mapping[str, object]) -> str:
    """How the terms of another match differ."""
    wanted = msgspec.to_builtins(wanted)
    other = [name for name in wanted if kept.get(name) != wanted[name]]
    return ", ".join(f"{name} {kept.get(name, '–')}" for name in other or kept)


def _unusable(path: str | None, error: Exception) -> KursbuchError:
    return KursbuchError("{path} cannot be used: {why}.", path=str(path), why=str(error))


Block = Sequence[Outcome]

#: Number of times each specification finished ahead of each other.
Beaten = list[list[float]]

#: Number of bootstrap samples for the Elo intervals.
RESAMPLES = 200

#: Convergence of the rating fit: largest step in Elo at its end, largest on the way, and maximum number of steps.
NEAR = 0.001
STRIDE = 400.0
ROUNDS = 100

#: Elo per unit of the logarithm of odds.
UNIT = 400 / math.log(10)


class Standing(msgspec.Struct, frozen=True):
    """Results of a specification over all seats."""

    bot: str
    games: int
    #: Share of wins in its games (a shared win counts in parts), and the expected share among equals.
    wins: Estimate
    equal: float
    #: Lead over the mean of the others, in the unit of the score.
    margin: Estimate | None
    score: Estimate
    place: Estimate
    #: Rating against the mean of all; 400 more is odds of ten to one.
    elo: Estimate | None
    #: Mean computing time per decision.
    milliseconds: float


class SeatStanding(msgspec.Struct, frozen=True):
    """Results of one seat over all bots."""

    seat: int
    wins: Estimate
    score: Estimate


class Standings(msgspec.Struct, frozen=True):
    """Results of a match."""

    games: int
    blocks: int
    moves: int
    bots: tuple[Standing, ...]
    seats: tuple[SeatStanding, ...]
    errors: int = 0
    first_error: str = ""


def standings(
    bots: Sequence[str], blocks: Sequence[Block], failed: Sequence[Outcome] = ()
) -> Standings:
    """Evaluate blocks. Games within a block are dependent, so intervals come from whole blocks."""
    specs = list(dict.fromkeys(bots))
    games = [outcome for block in blocks for outcome in block]
    ratings = elo(specs, blocks)
    return Standings(
        len(games),
        len(blocks),
        sum(outcome.moves for outcome in games),
        tuple(_standing(spec, blocks, ratings[place]) for place, spec in enumerate(specs)),
        tuple(_seat(seat, blocks) for seat in range(len(games[0].bots))),
        len(failed),
        failed[0].error if failed else "",
    )


def precision(bots: Sequence[str], blocks: Sequence[Block]) -> float:
    """Half the widest interval of a share of wins: of the bots, or of the seats if there is only one bot."""
    specs = list(dict.fromkeys(bots))
    if len(specs) > 1:
        wins = [_wins(spec, _played(spec, blocks)) for spec in specs]
    else:
        wins = [_seat_wins(seat, blocks) for seat in range(len(blocks[0][0].bots))]
    return max(each.reach for each in wins)


def _played(spec: str, blocks: Sequence[Block]) -> list[list[Outcome]]:
    return [[outcome for outcome in block if spec in outcome.bots] for block in blocks]


def _wins(spec: str, played: Sequence[Block]) -> Estimate:
    shares = [mean(_won(each, spec) for each in block) for block in played]
    return clustered_rate(shares, sum(map(len, played)))


def _seat_wins(seat: int, blocks: Sequence[Block]) -> Estimate:
    shares = [mean(_share(outcome, seat) for outcome in block) for block in blocks]
    return clustered_rate(shares, sum(map(len, blocks)))


def _standing(spec: str, blocks: Sequence[Block], rating: Estimate | None) -> Standing:
    played = _played(spec, blocks)
    games = [outcome for block in played for outcome in block]
    seconds = decisions = 0.0
    for outcome in games:
        for seat in _seats(outcome, spec):
            seconds += outcome.seconds[seat]
            decisions += outcome.decisions[seat]
    mixed = all(len(set(outcome.bots)) > 1 for outcome in games)
    return Standing(
        spec,
        len(games),
        _wins(spec, played),
        mean(len(_seats(outcome, spec)) / len(outcome.bots) for outcome in games),
        average([mean(_margin(each, spec) for each in block) for block in played])
        if mixed
        else None,
        average([mean(_score(each, spec) for each in block) for block in played]),
        average([mean(_place(each, spec) for each in block) for block in played]),
        rating,
        1000 * seconds / max(decisions, 1),
    )


def _seat(seat: int, blocks: Sequence[Block]) -> SeatStanding:
    scores = [mean(outcome.scores[seat] for outcome in block) for block in blocks]
    return SeatStanding(seat, _seat_wins(seat, blocks), average(scores))


def _seats(outcome: Outcome, spec: str) -> list[int]:
    return [seat for seat, other in enumerate(outcome.bots) if other == spec]


def _share(outcome: Outcome, seat: int) -> float:
    return 1 / len(outcome.winners) if seat in outcome.winners else 0.0


def _won(outcome: Outcome, spec: str) -> float:
    return sum(_share(outcome, seat) for seat in _seats(outcome, spec))


def _score(outcome: Outcome, spec: str) -> float:
    return mean(outcome.scores[seat] for seat in _seats(outcome, spec))


def _margin(outcome: Outcome, spec: str) -> float:
    others = [
        score for score, other in zip(outcome.scores, outcome.bots, strict=True) if other != spec
    ]
    return _score(outcome, spec) - mean(others)


def _rank(outcome: Outcome, seat: int) -> tuple[bool, int]:
    return seat in outcome.winners, outcome.scores[seat]


def _place(outcome: Outcome, spec: str) -> float:
    """Mean place of a specification; ties share places."""
    ranks = [_rank(outcome, seat) for seat in range(len(outcome.scores))]
    return mean(
        1
        + sum(other > ranks[seat] for other in ranks)
        + (sum(other == ranks[seat] for other in ranks) - 1) / 2
        for seat in _seats(outcome, spec)
    )


def elo(
    specs: Sequence[str], blocks: Sequence[Block], zero: str | None = None
) -> list[Estimate | None]:
    """Maximum-likelihood ratings (Bradley-Terry) against the mean of all, or against the specification `zero`, with one
    draw added between every two that met. Intervals come from resampled blocks and are no narrower than for
    independent games."""
    if len(specs) < 2:
        return [None] * len(specs)
    places = range(len(specs))
    found = [beaten(specs, block) for block in blocks]
    drawn = [
        [0.5 * any(each[one][two] + each[two][one] for each in found) for two in places]
        for one in places
    ]
    base = None if zero is None else specs.index(zero)

    def fitted(
        start: Sequence[float], counted: Sequence[Beaten]
    ) -> tuple[list[float], list[float]]:
        total = [
            [drawn[one][two] + sum(each[one][two] for each in counted) for two in places]
            for one in places
        ]
        return _fitted(start, total, base)

    ratings, errors = fitted([0.0] * len(specs), found)
    if len(found) < 2:
        return [Estimate(rating) for rating in ratings]
    rng = random.Random(0)
    samples = [fitted(ratings, rng.choices(found, k=len(found)))[0] for _ in range(RESAMPLES)]
    estimates: list[Estimate | None] = []
    for place, rating in enumerate(ratings):
        error = max(stdev(sample[place] for sample in samples), errors[place])
        estimates.append(Estimate(rating, rating - Z * error, rating + Z * error))
    return estimates


def beaten(specs: Sequence[str], block: Block) -> Beaten:
    """How often each specification finished ahead of each other."""
    number = {spec: place for place, spec in enumerate(specs)}
    found = [[0.0] * len(specs) for _ in specs]
    for outcome in block:
        ranks = [_rank(outcome, seat) for seat in range(len(outcome.bots))]
        for seat, bot in enumerate(outcome.bots):
            for other, rival in enumerate(outcome.bots):
                if bot != rival and ranks[seat] >= ranks[other]:
                    tied = ranks[seat] == ranks[other]
                    found[number[bot]][number[rival]] += 0.5 if tied else 1.0
    return found


def _fitted(
    start: Sequence[float], results: Beaten, base: int | None
) -> tuple[list[float], list[float]]:
    """Fit the ratings from `start` by Newton's method, against the mean or one of them. Also their standard errors if
    all games were independent."""
    places, ratings = range(len(start)), list(start)
    for _ in range(ROUNDS):
        ahead = [0.0 for _ in places]
        # Adding a constant leaves the mean of the ratings as it is.
        information = [[1.0 for _ in places] for _ in places]
        for one, two in permutations(places, 2):
            games = results[one][two] + results[two][one]
            expected = 1 / (1 + 10 ** ((ratings[two] - ratings[one]) / 400))
            ahead[one] += results[one][two] - games * expected
            information[one][one] += games * expected * (1 - expected)
            information[one][two] -= games * expected * (1 - expected)
        covariance = _inverse(information)
        steps = [UNIT * sum(map(mul, row, ahead)) for row in covariance]
        longest = max(map(abs, steps))
        part = min(1.0, STRIDE / max(longest, NEAR))
        ratings = [rating + part * step for rating, step in zip(ratings, steps, strict=True)]
        if longest < NEAR:
            break
    own = [covariance[place][place] for place in places]
    if base is None:
        middle = mean(ratings)
        variances = [each - 1 / len(places) ** 2 for each in own]
    else:
        middle = ratings[base]
        variances = [own[place] + own[base] - 2 * covariance[place][base] for place in places]
    errors = [UNIT * math.sqrt(max(0.0, each)) for each in variances]
    return [rating - middle for rating in ratings], errors


def _inverse(matrix: Sequence[Sequence[float]]) -> list[list[float]]:
    """Inverse of a positive definite matrix."""
    size = len(matrix)
    rows = [[*row, *(float(one == two) for two in range(size))] for one, row in enumerate(matrix)]
    for place, row in enumerate(rows):
        row[:] = [value / row[place] for value in row]
        for other in rows:
            if other is not row:
                factor = other[place]
                other[:] = [value - factor * less for value, less in zip(other, row, strict=True)]
    return [row[size:] for row in rows]


#: Maximum number of seat orders of a full block; above it, one order is rotated round the table.
MOST_ORDERS = 24

#: Maximum number of games in a block, to bound memory.
MOST_IN_A_BLOCK = 10_000

#: Minimum number of blocks in a match for meaningful intervals.
LEAST_BLOCKS = 8


class Match:
    """A tournament; the same match always has the same games.

    With fewer `bots` than players they are repeated, with more all groups play. `check` normalises a specification or
    raises.

    >>> import kursbuch
    >>> rocket = kursbuch.title("rocket")
    >>> match = Match(rocket, ["greedy", "random", "random"])
    >>> [task.bots.index("greedy") for task in match.block(0)]
    [0, 1, 2]
    >>> len(Match(rocket, ["greedy", "careless", "random"], players=2).block(0))
    6
    """

    def __init__(
        self,
        title: Title[Any],
        bots: Sequence[str],
        players: int | None = None,
        seed: str = "1",
        options: Mapping[str, str] | None = None,
        data: bytes | None = None,
        check: Callable[[str], str] = check,
    ) -> None:
        self.title = title if data is None else title.with_data(data)
        self.data = data
        listed = [check(spec) for spec in bots]
        self.players = max(len(listed), title.seats[0]) if players is None else players
        title.check_seats(self.players)
        if len(listed) < self.players:
            listed = [listed[seat % len(listed)] for seat in range(self.players)]
        # Group equal bots, so that each combination is listed once.
        self.bots = tuple(sorted(listed, key=listed.index))
        self.seed = check_seed(seed)
        check_seed(f"{seed}-1000000")
        self.options = self.title.option_values(options or {})
        if self.size > MOST_IN_A_BLOCK:
            raise KursbuchError(
                "All groups and seat orders of these opponents make {games} games per seed, more "
                "than {most}: name fewer.",
                games=self.size,
                most=MOST_IN_A_BLOCK,
            )

    @cached_property
    def size(self) -> int:
        """Number of games in a block, without creating them."""
        # Partial groups by size and number of equal seat orders.
        groups = Counter({(0, 1): 1})
        for count in Counter(self.bots).values():
            larger: Counter[tuple[int, int]] = Counter()
            for (members, same), number in groups.items():
                for more in range(min(count, self.players - members) + 1):
                    larger[members + more, same * factorial(more)] += number
            groups = larger
        size = 0
        for (members, same), number in groups.items():
            if members == self.players:
                orders = factorial(members) // same
                size += number * (orders if orders <= MOST_ORDERS else members)
        return size

    @cached_property
    def groups(self) -> list[tuple[str, ...]]:
        """The groups that sit at a table together."""
        there = Counter(self.bots)
        return [
            group
            for group in combinations_with_replacement(there, self.players)
            if Counter(group) <= there
        ]

    def orders(self, number: int, seed: str) -> list[tuple[str, ...]]:
        """The bots by seat in the games of a block."""
        return [order for group in self.groups for order in seat_orders(group, seed)]

    def block(self, number: int) -> list[Task]:
        """The games with one seed."""
        seed = f"{self.seed}-{number + 1}"
        orders = self.orders(number, seed)
        first = number * len(orders)
        return [
            Task(first + place, self.title.id, seed, self.options, self.data, order)
            for place, order in enumerate(orders)
        ]

    @property
    def terms(self) -> dict[str, object]:
        """Identity of the match; other programs may have other bots of the same name."""
        return {
            "title": self.title.id,
            "edition": self.title.edition,
            "data": self.title.data_hash,
            "options": self.options,
            "players": self.players,
            "bots": list(self.bots),
            "seed": self.seed,
            "program": program_id(self.title)[:12],
        }


def seat_orders(group: Sequence[str], seed: str, most: int = MOST_ORDERS) -> list[tuple[str, ...]]:
    """Seat orders of a group: all, or one random order rotated if there are too many."""
    found: dict[tuple[str, ...], None] = {}
    for order in permutations(group):
        found[order] = None
        if len(found) > most:
            break
    else:
        return list(found)
    drawn = list(group)
    random.Random(seed).shuffle(drawn)
    return [(*drawn[first:], *drawn[:first]) for first in range(len(drawn))]


def play(
    match: Match,
    games: int,
    workers: WorkerPool,
    results: Results,
    within: float | None = None,
    advance: Callable[[int, int], None] = lambda done, total: None,
) -> Standings:
    """Play at least `games` games, or until all intervals of win shares are within ±`within` (0.05 for five percent).
    Stored `results` are reused. The games counted do not depend on parallelism."""
    blocks, failed = played(match, games, workers, results, within, advance)
    return standings(match.bots, blocks, failed)


def played(
    match: Match,
    games: int,
    workers: WorkerPool,
    results: Results,
    within: float | None = None,
    advance: Callable[[int, int], None] = lambda done, total: None,
) -> tuple[list[Block], list[Outcome]]:
    """Play as `play` does; the blocks with all games completed, and the games that failed."""
    size = match.size
    total = -(-games // size)
    known: dict[int, Outcome] = results.load(match)
    blocks: list[list[Outcome]] = []
    failed: list[Outcome] = []

    def enough() -> bool:
        """Add complete blocks in order; return whether there are enough."""
        while len(blocks) < total:
            numbers = range(len(blocks) * size, (len(blocks) + 1) * size)
            if not all(number in known for number in numbers):
                return False
            found = [known[number] for number in numbers]
            failed.extend(outcome for outcome in found if outcome.error)
            blocks.append(found)
            whole = _whole(blocks)
            if (
                within is not None
                and len(whole) >= LEAST_BLOCKS
                and precision(match.bots, whole) <= within
            ):
                break
        return True

    def tasks() -> Iterator[Task]:
        for number in range(len(blocks), total):
            yield from (task for task in match.block(number) if task.number not in known)

    advance(len(known), total * size)
    if not enough():
        for outcome in workers.each(play_game, tasks()):
            known[outcome.number] = outcome
            results.add(outcome)
            advance(len(known), total * size)
            if enough():
                break
    if not _whole(blocks):
        raise KursbuchError("No seed finished all games: {error}.", error=failed[0].error)
    return _whole(blocks), failed


def _whole(blocks: Sequence[Sequence[Outcome]]) -> list[Sequence[Outcome]]:
    """Blocks with all games completed; others would be biased."""
    return [block for block in blocks if not any(outcome.error for outcome in block)]
