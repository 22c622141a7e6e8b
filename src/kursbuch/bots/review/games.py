"""The review of a whole game: which positions are weighed how thoroughly, and what comes of it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise
from statistics import mean, median

import msgspec

from kursbuch.bots.review.positions import Depth, Point, Verdict, Weighed, above, weigh
from kursbuch.bots.worker_pool import WorkerPool
from kursbuch.core.errors import KursbuchError
from kursbuch.core.game import Game
from kursbuch.core.words import N_

#: A game of more decisions than this is weighed the less thoroughly the longer it is.
USUAL_LENGTH = 250

#: No one plays as the computer imagines: with every move to the end of the game it may be off by so much
#: of the highest score.
UNSURE = 0.01

#: How much everybody would have on average at the end is found out at about this many positions of a game, in this many
#: games imagined to it, where that is possible: they take long, and in between it changes evenly.
LEVELS = 30
GAMES = 2

#: Neighbouring positions on each side over which chances are averaged.
AROUND = 1

#: A change of a player's chance to win by less than this turns no game.
TURN = 0.12

#: Turning points and costly moves that are told at most, and how far turning points are apart.
MOST_TURNS = 6
MOST_COSTLY = 8
APART = 4

#: A cost counts if it exceeds this number of standard errors, and more than this part of what decisions
#: of the game differ by on average.
CLEARLY = 2.0
LEAST_ERROR = 0.5
OF_SPREAD = 0.1


class Thoroughness(msgspec.Struct, frozen=True):
    """How thoroughly a game is reviewed: all positions, and those that matter most."""

    name: str
    label: str
    usual: Depth
    closer: Depth
    #: How many costly moves and turning points are looked at more closely.
    costly: int


DEPTHS = {
    depth.name: depth
    for depth in (
        Thoroughness("quick", N_("quick"), Depth(3, 1, 3, 12), Depth(8, 1, 8, 24), 4),
        Thoroughness("normal", N_("normal"), Depth(8, 3, 4, 40), Depth(32, 2, 24, 60), 10),
        Thoroughness("deep", N_("thorough"), Depth(24, 5, 12, 60), Depth(96, 3, 64, 90), 16),
    )
}


class Moment(msgspec.Struct, frozen=True):
    """What every player could expect after a number of moves: the final result, and the chance to win."""

    number: int
    results: tuple[float, ...]
    chances: tuple[float, ...]


class Turn(msgspec.Struct, frozen=True):
    """A move that changed a player's chance to win by much: from what to what."""

    number: int
    seat: int
    before: float
    after: float
    #: How much of that was luck in draws.
    luck: float


class Costly(msgspec.Struct, frozen=True):
    """A move in the place of which another would have been better."""

    number: int
    verdict: Verdict


class Player(msgspec.Struct, frozen=True):
    """What a seat did in a game: how many decisions it had, in which part of them nothing was clearly
    better than what it did (None without decisions), and what luck in draws gained or took in the unit of
    the score, against the others, with its standard error (None where nothing was drawn)."""

    seat: int
    decisions: int
    accuracy: float | None
    luck: float | None
    luck_error: float = 0.0


class Review(msgspec.Struct, frozen=True):
    """A game, reviewed."""

    depth: str
    moves: int
    moments: tuple[Moment, ...]
    turns: tuple[Turn, ...]
    costly: tuple[Costly, ...]
    players: tuple[Player, ...]


def thoroughness(name: str) -> Thoroughness:
    """The thoroughness of that name; `KursbuchError` names those that exist."""
    if name not in DEPTHS:
        raise KursbuchError(
            "There is no depth {name}; possible are {known}.",
            name=repr(name[:40]),
            known=", ".join(DEPTHS),
        )
    return DEPTHS[name]


class Plan:
    """Which points of a game are weighed: first all, then those that seem to matter most again. What
    they come to does not depend on who weighs them in which order."""

    def __init__(self, game: Game, depth: str = "normal", data: bytes | None = None) -> None:
        if not game.moves:
            raise KursbuchError("In this game nothing has been played that could be reviewed.")
        self.game = game
        state = game.state
        sums = [*game.title.scores(state), *(() if game.over else game.title.judge.evaluate(state))]
        #: What a player has at the end, or, in a game that was broken off, may expect by then.
        self._most = max(map(abs, sums))
        self.depth = thoroughness(depth)
        self.data = data
        #: What has been found out, by number of moves.
        self.found: dict[int, Weighed] = {}
        #: The numbers of moves that were weighed more closely.
        self.closely: set[int] = set()
        #: What everybody has on average at the end of imagined games, by number of moves.
        self._levels: dict[int, float] = {}

    def first(self) -> list[Point]:
        """The points to weigh first: every position in which something was decided, drawn, or in
        which another player's turn came."""
        usual = self.depth.usual
        share = min(1.0, USUAL_LENGTH / max(1, len(self.game.moves)))
        depth = msgspec.structs.replace(
            usual,
            courses=max(2, round(usual.courses * share)),
            rounds=max(3, round(usual.rounds * share)),
        )
        count = len(self.game.moves) + 1
        every = math.ceil(count / LEVELS)
        games = GAMES if self.game.title.judge.supports_lines else 0
        # At the end of a game it is known.
        imagined = {*range(0, count, every)} | (set() if self.game.over else {count - 1})
        return [
            self._point(number, depth, games if number in imagined else 0)
            for number in range(count)
        ]

    def second(self) -> list[Point]:
        """Those that seem to matter most, to be weighed again and more closely."""
        last = len(self.game.moves)
        numbers = {
            number
            for turn in self._turns(self._moments())
            for number in range(turn.number - 1 - AROUND, turn.number + AROUND + 1)
            if 0 <= number <= last
        }
        costs = sorted(
            (
                (weighed.verdict.cost, number)
                for number, weighed in self.found.items()
                if weighed.verdict is not None and weighed.verdict.cost > 0
            ),
            reverse=True,
        )
        for _, number in costs[: self.depth.costly]:
            numbers |= {number, number + 1}
        self.closely = numbers
        return [self._point(number, self.depth.closer) for number in sorted(numbers)]

    def take(self, weighed: Weighed) -> None:
        """Keep what was found out about a point; what was weighed more closely counts."""
        self.found[weighed.number] = weighed
        if weighed.level is not None:
            self._levels[weighed.number] = weighed.level

    def _point(self, number: int, depth: Depth, games: int = 0) -> Point:
        game = self.game
        # No one knows how long an unfinished game would have gone on.
        left = len(game.moves) - number + (0 if game.over else USUAL_LENGTH)
        move = game.moves[number] if number < len(game.moves) else None
        return Point(
            number,
            game.title.id,
            self.data,
            game.names,
            game.title.encode(game.at(number).state),
            None if move is None else game.title.action_to_json(move.action),
            move is not None and bool(move.draws),
            UNSURE * self._most * math.sqrt(left),
            depth,
            games,
        )

    # ---- what comes of it

    def review(self) -> Review:
        """The review, when all points have been weighed."""
        moments = self._moments()
        costly = [
            Costly(number + 1, weighed.verdict)
            for number, weighed in self.found.items()
            if weighed.verdict is not None and self._counts(weighed.verdict)
        ]
        # What was played on is surer than what is only judged.
        costly.sort(
            key=lambda each: (not each.verdict.played.results, -each.verdict.cost, each.number)
        )
        return Review(
            self.depth.name,
            len(self.game.moves),
            moments,
            tuple(sorted(self._turns(moments)[:MOST_TURNS], key=lambda turn: turn.number)),
            tuple(costly[:MOST_COSTLY]),
            tuple(self._player(seat) for seat in range(len(self.game.names))),
        )

    @property
    def _scale(self) -> float:
        """What decisions differ by on average: smaller differences are nothing."""
        spreads = [verdict.spread for verdict in self._verdicts]
        return max(mean(spreads) if spreads else 0.0, 1e-9)

    @property
    def _noise(self) -> float:
        """The least standard error of a cost: with few courses it is sometimes found too small."""
        errors = [verdict.error for verdict in self._verdicts if verdict.error > 0]
        return LEAST_ERROR * median(errors) if errors else 0.0

    @property
    def _verdicts(self) -> list[Verdict]:
        ordered = (self.found[number] for number in sorted(self.found))
        return [weighed.verdict for weighed in ordered if weighed.verdict is not None]

    def _counts(self, verdict: Verdict) -> bool:
        """Whether a cost is more than noise."""
        return verdict.better is not None and verdict.cost > max(
            CLEARLY * max(verdict.error, self._noise), OF_SPREAD * self._scale
        )

    def _expected(self) -> list[tuple[float, ...]]:
        """Everybody's expected result after every move: by how much they differ is what short courses came to; how much
        there is in all shows at the end of a game only, where games can be imagined to it."""
        found = [self.found[number].results for number in range(len(self.game.moves) + 1)]
        if not self._levels:
            return found
        last = len(found) - 1
        levels = {last: mean(found[last]), **self._levels}
        for (start, before), (end, after) in pairwise(sorted(levels.items())):
            for number in range(start, end + (end == last)):
                level = before + (after - before) * (number - start) / (end - start)
                more = level - mean(found[number])
                found[number] = tuple(result + more for result in found[number])
        return found

    def _moments(self) -> tuple[Moment, ...]:
        expected = self._expected()
        last = len(self.game.moves)
        found = []
        for number in range(last + 1):
            reach = min(AROUND, number, last - number)
            span = range(number - reach, number + reach + 1)
            near = [self.found[each] for each in span]
            chances = tuple(map(mean, zip(*(each.chances for each in near), strict=True)))
            results = tuple(map(mean, zip(*(expected[each] for each in span), strict=True)))
            found.append(Moment(number, results, chances))
        return tuple(found)

    def _luck(self, number: int, seat: int) -> tuple[float, float] | None:
        """By how much the draws of a move brought a seat ahead of the others, and the variance of that; None if it had
        none."""
        decided, after = self.found[number - 1].decided, self.found[number]
        if decided is None:
            return None
        gain = above(after.results, seat) - above(decided.results, seat)
        return gain, sum(each[seat] ** 2 for each in (decided.errors, after.errors) if each)

    def _turns(self, moments: Sequence[Moment]) -> list[Turn]:
        """The moves that changed a player's chance to win most, the greatest change first. Where chances are known
        well enough, they are those before and after the very move; elsewhere those of its neighbourhood."""
        last = len(moments) - 1
        exact = [
            _jump(number, self.found[number - 1].chances, self.found[number].chances)
            for number in range(1, last + 1)
            if {number - 1, number} <= self.closely
        ]
        sure = {jump[1] for jump in exact if jump[0] >= TURN}
        around = [
            _jump(
                number,
                moments[max(0, number - 1 - AROUND)].chances,
                moments[min(last, number + AROUND)].chances,
            )
            for number in range(1, last + 1)
            if sure.isdisjoint(range(number - 1 - AROUND, number + AROUND + 2))
        ]
        jumps = [*exact, *around]
        found: list[Turn] = []
        for size, number, seat, before_, after_ in sorted(
            jumps, key=lambda jump: (-jump[0], jump[1])
        ):
            if size < TURN or len(found) == self.depth.costly:
                break
            if all(abs(turn.number - number) > APART for turn in found):
                decided = self.found[number - 1].decided
                luck = (
                    0.0
                    if decided is None
                    else self.found[number].chances[seat] - decided.chances[seat]
                )
                found.append(Turn(number, seat, before_, after_, luck))
        return found

    def _player(self, seat: int) -> Player:
        verdicts = [verdict for verdict in self._verdicts if verdict.seat == seat]
        mistakes = sum(self._counts(verdict) for verdict in verdicts)
        accuracy = 1 - mistakes / len(verdicts) if verdicts else None
        draws = [
            found
            for number in range(1, len(self.game.moves) + 1)
            if (found := self._luck(number, seat)) is not None
        ]
        if not draws:
            return Player(seat, len(verdicts), accuracy, None)
        luck = sum(gain for gain, _ in draws)
        error = math.sqrt(sum(variance for _, variance in draws))
        return Player(seat, len(verdicts), accuracy, luck, error)


#: By how much a move changed a player's chance to win, the move, who that is, and the chance before and after it.
_Jump = tuple[float, int, int, float, float]


def _jump(number: int, before: Sequence[float], after: Sequence[float]) -> _Jump:
    """Whose chance to win changed most."""
    changes = [now - then for now, then in zip(after, before, strict=True)]
    seat = max(range(len(changes)), key=lambda each: abs(changes[each]))
    return abs(changes[seat]), number, seat, before[seat], after[seat]


def carry_out(
    plan: Plan, workers: WorkerPool, advance: Callable[[int, int], None] = lambda done, total: None
) -> Review:
    """Weigh all points of a plan."""
    done = 0
    for points in (plan.first, plan.second):
        work = points()
        total = done + len(work)
        advance(done, total)
        for weighed in workers.each(weigh, work):
            plan.take(weighed)
            done += 1
            advance(done, total)
    return plan.review()


def review(
    game: Game,
    workers: WorkerPool,
    depth: str = "normal",
    data: bytes | None = None,
    advance: Callable[[int, int], None] = lambda done, total: None,
) -> Review:
    """Review a game; one that was broken off as far as it came."""
    return carry_out(Plan(game, depth, data), workers, advance)
