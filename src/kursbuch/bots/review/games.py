"""Review of a whole game: which positions are evaluated how thoroughly, the findings, and their sentences."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise
from statistics import mean, median
from typing import Any

import msgspec

from kursbuch.bots.bot import others
from kursbuch.bots.estimates import rounded
from kursbuch.bots.review.positions import Depth, Difference, Point, Verdict, Weighed, above, weigh
from kursbuch.bots.worker_pool import WorkerPool
from kursbuch.core.errors import KursbuchError
from kursbuch.core.game import Game
from kursbuch.core.voice import Voice
from kursbuch.core.words import LANGUAGES, N_

#: Number of decisions above which longer games are evaluated less thoroughly.
USUAL_LENGTH = 250

#: Uncertainty of the evaluation per move to the end of the game, as a share of the highest score.
UNCERTAINTY = 0.01

#: Number of positions at which the mean final score is estimated, and number of full playouts each, where possible;
#: in between it is interpolated.
LEVELS = 30
GAMES = 2

#: Neighbouring positions on each side for averaging win chances.
AROUND = 1

#: Minimum change of a win chance at a turning point.
TURN = 0.12

#: Maximum number of turning points and costly moves, and minimum distance of turning points.
MOST_TURNS = 6
MOST_COSTLY = 8
APART = 4

#: Standard errors a cost must exceed, and share of the mean spread of decisions.
CLEARLY = 2.0
LEAST_ERROR = 0.5
OF_SPREAD = 0.1


class Thoroughness(msgspec.Struct, frozen=True):
    """Effort of a review: for all positions, and for the most important ones."""

    name: str
    label: str
    usual: Depth
    closer: Depth
    #: Number of costly moves and turning points examined closely.
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
    """Expected final result and win chance of each player after a number of moves."""

    number: int
    results: tuple[float, ...]
    chances: tuple[float, ...]


class Turn(msgspec.Struct, frozen=True):
    """A move that changed a player's win chance considerably: before and after."""

    number: int
    seat: int
    before: float
    after: float
    #: Part of the change due to lucky draws.
    luck: float


class Costly(msgspec.Struct, frozen=True):
    """A move with a better alternative."""

    number: int
    verdict: Verdict


class Player(msgspec.Struct, frozen=True):
    """Summary of a seat: number of decisions, share without a clearly better alternative (None without decisions),
    and luck in draws relative to the others in the unit of the score, with its standard error (None without draws)."""

    seat: int
    decisions: int
    accuracy: float | None
    luck: float | None
    luck_error: float = 0.0


class Review(msgspec.Struct, frozen=True):
    """A reviewed game."""

    depth: str
    moves: int
    moments: tuple[Moment, ...]
    turns: tuple[Turn, ...]
    costly: tuple[Costly, ...]
    players: tuple[Player, ...]


def thoroughness(name: str) -> Thoroughness:
    """The effort of that name; `KursbuchError` lists the valid ones."""
    if name not in DEPTHS:
        raise KursbuchError(
            "There is no depth {name}. Available: {known}.",
            name=repr(name[:40]),
            known=", ".join(DEPTHS),
        )
    return DEPTHS[name]


class Plan:
    """The points to evaluate: first all, then the most important ones again. The result does not depend on the order
    of evaluation."""

    def __init__(self, game: Game, depth: str = "normal", data: bytes | None = None) -> None:
        if not game.moves:
            raise KursbuchError("There is nothing in this game to review yet.")
        self.game = game
        state = game.state
        sums = [
            *game.title.scores(state),
            *(() if game.over else game.title.evaluator.evaluate(state)),
        ]
        #: Highest final score or, in an unfinished game, expected score.
        self._most = max(map(abs, sums))
        self.depth = thoroughness(depth)
        self.data = data
        #: Results by number of moves.
        self.found: dict[int, Weighed] = {}
        #: Numbers of moves evaluated closely.
        self.closely: set[int] = set()
        #: Mean final scores of full playouts, by number of moves.
        self._levels: dict[int, float] = {}

    def first(self) -> list[Point]:
        """The first points: every position with a decision, a draw or a change of turn."""
        usual = self.depth.usual
        share = min(1.0, USUAL_LENGTH / max(1, len(self.game.moves)))
        depth = msgspec.structs.replace(
            usual,
            playouts=max(2, round(usual.playouts * share)),
            rounds=max(3, round(usual.rounds * share)),
        )
        count = len(self.game.moves) + 1
        every = math.ceil(count / LEVELS)
        games = GAMES if self.game.title.evaluator.supports_plans else 0
        # The end of a finished game is known.
        imagined = {*range(0, count, every)} | (set() if self.game.over else {count - 1})
        return [
            self._point(number, depth, games if number in imagined else 0)
            for number in range(count)
        ]

    def second(self) -> list[Point]:
        """The most important points, to be evaluated closely."""
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
        """Store a result; closer ones take precedence."""
        self.found[weighed.number] = weighed
        if weighed.level is not None:
            self._levels[weighed.number] = weighed.level

    def _point(self, number: int, depth: Depth, games: int = 0) -> Point:
        game = self.game
        # The length of an unfinished game is unknown.
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
            UNCERTAINTY * self._most * math.sqrt(left),
            depth,
            games,
        )

    # ---- findings

    def review(self) -> Review:
        """The review, once all points are evaluated."""
        moments = self._moments()
        costly = [
            Costly(number + 1, weighed.verdict)
            for number, weighed in self.found.items()
            if weighed.verdict is not None and self._counts(weighed.verdict)
        ]
        # Playouts are more reliable than evaluations.
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
        """Mean spread of decisions, the scale of significant differences."""
        spreads = [verdict.spread for verdict in self._verdicts]
        return max(mean(spreads) if spreads else 0.0, 1e-9)

    @property
    def _noise(self) -> float:
        """Lower bound of the standard error of a cost, which few playouts underestimate."""
        errors = [verdict.error for verdict in self._verdicts if verdict.error > 0]
        return LEAST_ERROR * median(errors) if errors else 0.0

    @property
    def _verdicts(self) -> list[Verdict]:
        ordered = (self.found[number] for number in sorted(self.found))
        return [weighed.verdict for weighed in ordered if weighed.verdict is not None]

    def _counts(self, verdict: Verdict) -> bool:
        """Whether a cost is significant."""
        return verdict.better is not None and verdict.cost > max(
            CLEARLY * max(verdict.error, self._noise), OF_SPREAD * self._scale
        )

    def _expected(self) -> list[tuple[float, ...]]:
        """Expected result of each player after every move: differences come from short playouts, the mean from full
        playouts where games can be played out."""
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
        """Gain of a seat over the others by the draws of a move, and its variance; None without draws."""
        decided, after = self.found[number - 1].decided, self.found[number]
        if decided is None:
            return None
        gain = above(after.results, seat) - above(decided.results, seat)
        return gain, sum(each[seat] ** 2 for each in (decided.errors, after.errors) if each)

    def _turns(self, moments: Sequence[Moment]) -> list[Turn]:
        """Moves that changed a win chance most, largest first. With reliable chances only the move itself counts,
        otherwise its neighbourhood."""
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


#: Change of a win chance, move, seat, chance before and after.
_Jump = tuple[float, int, int, float, float]


def _jump(number: int, before: Sequence[float], after: Sequence[float]) -> _Jump:
    """The largest change of a win chance."""
    changes = [now - then for now, then in zip(after, before, strict=True)]
    seat = max(range(len(changes)), key=lambda each: abs(changes[each]))
    return abs(changes[seat]), number, seat, before[seat], after[seat]


def carry_out(
    plan: Plan, workers: WorkerPool, advance: Callable[[int, int], None] = lambda done, total: None
) -> Review:
    """Evaluate all points of a plan."""
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
    """Review a game, finished or not."""
    return carry_out(Plan(game, depth, data), workers, advance)


def reasons(verdict: Verdict, voice: Voice[Any]) -> list[str]:
    """Reasons for the better action: more income for the seat or less for others, otherwise the expected results."""
    found = [
        _difference(each, verdict.seat, voice)
        for each in verdict.differences
        if each.favours(verdict.seat)
    ]
    if found or verdict.better is None:
        return found
    before, after = verdict.played.results, verdict.better.results
    if not after:
        return [
            voice._("It is worth more in the long run, counting track, trains and share prices.")
        ]
    changes = [now - then for now, then in zip(after, before, strict=True)]
    own = rounded(changes[verdict.seat])
    rest = rounded(mean(others(changes, verdict.seat) or [0.0]))
    if own > 0 and rest > 0:
        return [
            voice._(
                (
                    "After this, {name} can expect about {amount} more, and the others "
                    "about {rest} more on average."
                ),
                name=voice.name(verdict.seat),
                amount=voice.written_score(own),
                rest=voice.written_score(rest),
            )
        ]
    seat = max(
        range(len(changes)),
        key=lambda each: changes[each] if each == verdict.seat else -changes[each],
    )
    amount = rounded(changes[seat])
    if not amount:
        return []
    given = {"name": voice.name(seat), "amount": voice.written_score(abs(amount))}
    if amount > 0:
        return [voice._("After this, {name} can expect about {amount} more.", **given)]
    return [voice._("After this, {name} can expect about {amount} less.", **given)]


def _difference(found: Difference, seat: int, voice: Voice[Any]) -> str:
    given = {
        "name": voice.name(found.seat),
        "amount": voice.written_score(rounded(abs(found.amount))),
        "source": found.labels[LANGUAGES.index(voice.words.language)],
    }
    if found.spent and found.seat == seat:
        return voice._("It costs about {amount} less ({source}).", **given)
    if found.spent:
        return voice._("{name} pays about {amount} more ({source}).", **given)
    if found.seat == seat:
        return voice._("It brings about {amount} more ({source}).", **given)
    return voice._("{name} gets about {amount} less ({source}).", **given)


def worth_of(verdict: Verdict, voice: Voice[Any]) -> str:
    """Gain of the better action."""
    amount = voice.written_score(rounded(verdict.cost))
    if verdict.chance >= 0.01:
        return voice.ngettext(
            "about {amount} better, chance to win {n} point higher",
            "about {amount} better, chance to win {n} points higher",
            round(100 * verdict.chance),
            amount=amount,
        )
    return voice._("about {amount} better", amount=amount)


def luck_of(player: Player, voice: Voice[Any]) -> str:
    """A player's luck in draws with its error."""
    if player.luck is None:
        return "–"
    luck = voice.difference(round(player.luck))
    error = round(player.luck_error)
    return f"{luck} ± {voice.written_score(error)}" if error else luck


def turned(turn: Turn, voice: Voice[Any]) -> str:
    """Change at a turning point, and the part luck played."""
    sentence = voice._(
        "The chance that {name} wins goes from {before} to {after} %.",
        name=voice.name(turn.seat),
        before=round(100 * turn.before),
        after=round(100 * turn.after),
    )
    luck = round(100 * turn.luck)
    if abs(luck) < 3:
        return sentence
    # The draws may outweigh or oppose the decision itself.
    if luck > 0:
        drawn = voice._("The draw was lucky: it raised the chance by {points} points.", points=luck)
    else:
        drawn = voice._(
            "The draw was unlucky: it lowered the chance by {points} points.", points=-luck
        )
    return f"{sentence} {drawn}"
