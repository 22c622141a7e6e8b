"""Review of a whole game: which positions are looked at, in which order, and what is found.

An `Examination` hands out tasks in waves: first a coarse curve of the game and the title's own evaluation of all
decisions, then the decisions that may matter most, closer and closer, and the curve where it swings. After each wave
there is a review of what has been found so far.
"""

from __future__ import annotations

import math
import random
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any, cast

import msgspec

from kursbuch.bots.review.positions import (
    LONGEST_PLAN,
    Answer,
    Asked,
    Look,
    Looked,
    Rated,
    Sample,
    Sampled,
    Survey,
    Surveyed,
    Verdict,
    Written,
    above,
    together,
    weigh,
)
from kursbuch.bots.worker_pool import WorkerPool
from kursbuch.core.errors import KursbuchError
from kursbuch.core.game import Game
from kursbuch.core.words import N_

#: A part of a review.
AnyTask = Sample | Survey | Look

#: Positions of the first, coarse curve, and playouts of each.
COARSE = 6
SAMPLED = 2

#: Largest share of what has been used for more positions of the curve.
CURVE_SHARE = 0.2

#: Positions of a survey task.
SURVEYED = 25

#: Share of the budget that the survey of all decisions may take.
SURVEY_SHARE = 0.3

#: Decisions looked at in a wave, the most of them that are looked at closer, those drawn by lot, and positions added to
#: the curve.
LOOKS = 6
CLOSER_LOOKS = 3
BY_LOT = 1
REFINED = 2

#: Playouts of each plan at the first look at a decision, and the most at all closer ones; each look has this many times
#: those of the one before.
FIRST_LOOK = 2
LAST_LOOK = 64
CLOSER = 4

#: Playouts that the title's evaluation counts for in the order of closer looks.
JUDGED = 2

#: Part of a good move's gain that a closer look at it is worth, as it is no mistake.
GOOD = 0.3

#: Largest part of the budget for a closer look, which has at least this many playouts.
LOOK_SHARE = 0.06
CLOSER_AT_LEAST = 6

#: Minimum change of a win chance by a turning point or a draw.
TURN = 0.1

#: Maximum number of turning points, costly moves and lucky draws, and least distance in moves
#: of the turning points of a player.
MOST_TURNS = 6
MOST_COSTLY = 8
MOST_LUCKY = 3
APART = 20

#: A cost counts from this share of the highest score.
OF_WORTH = 0.005


class Budget(msgspec.Struct, frozen=True):
    """How much a review may do: processor time of one core, or playouts."""

    name: str
    label: str
    seconds: float | None = None
    playouts: int | None = None


BUDGETS = {
    budget.name: budget
    for budget in (
        Budget("30s", N_("30 seconds"), 30),
        Budget("3min", N_("3 minutes"), 180),
        Budget("15min", N_("15 minutes"), 900),
    )
}

#: Names of earlier versions.
DEPTHS = {"quick": "30s", "normal": "3min", "deep": "15min"}


class Moment(msgspec.Struct, frozen=True):
    """Expected final result and win chance of each player after a number of moves."""

    number: int
    results: tuple[float, ...]
    chances: tuple[float, ...]


class Turn(msgspec.Struct, frozen=True):
    """A decision with a clear effect on the chances to win: those of all players after the move made, and after the
    alternative."""

    number: int
    verdict: Verdict

    @property
    def seat(self) -> int:
        """The player who decided."""
        return self.verdict.seat

    def change(self, seat: int) -> float:
        """What the move changed for a player."""
        assert self.verdict.rival is not None
        return self.verdict.played.chances[seat] - self.verdict.rival.chances[seat]


class Costly(msgspec.Struct, frozen=True):
    """A move with a better alternative."""

    number: int
    verdict: Verdict


class Lucky(msgspec.Struct, frozen=True):
    """A move whose draws changed the chance of a player: before and after them."""

    number: int
    seat: int
    before: float
    after: float


class Player(msgspec.Struct, frozen=True):
    """Summary of a seat: number of decisions and of those looked at, share without a clearly better alternative (None
    if too few were looked at), and luck in draws relative to the others in the unit of the score, with its standard
    error (None without draws)."""

    seat: int
    decisions: int
    looked_at: int
    accuracy: float | None
    luck: float | None
    luck_error: float = 0.0


class Review(msgspec.Struct, frozen=True):
    """What has been found about a game; `share` of the budget has been used."""

    budget: str
    share: float
    moves: int
    playouts: int
    moments: tuple[Moment, ...]
    turns: tuple[Turn, ...]
    costly: tuple[Costly, ...]
    lucky: tuple[Lucky, ...]
    players: tuple[Player, ...]

    @property
    def done(self) -> bool:
        """Whether the budget has been used."""
        return self.share >= 1


def budget_of(name: str) -> Budget:
    """The budget of that name; `KursbuchError` lists the valid ones.

    >>> budget_of("quick").seconds, budget_of("3min").seconds
    (30, 180)
    """
    found = BUDGETS.get(DEPTHS.get(name, name))
    if found is None:
        raise KursbuchError(
            "A review cannot take {name}. Available: {known}.",
            name=repr(name[:40]),
            known=", ".join((*BUDGETS, *DEPTHS)),
        )
    return found


#: Decisions looked at from which an accuracy is given.
FEWEST = 3

#: Decisions by lot without a mistake that are assumed besides.
CAUTION = 8


class Examination:
    """The review of a game under way.

    With a budget of playouts and a seed the same game gives the same review, however many processes work; with a
    budget of time it depends on the machine.
    """

    def __init__(
        self, game: Game, budget: Budget, data: bytes | None = None, seed: int = 0
    ) -> None:
        if not game.moves:
            raise KursbuchError("There is nothing in this game to review yet.")
        self.game = game
        self.budget = budget
        self.data = data
        self.seed = seed
        state = game.state
        sums = [
            *game.title.scores(state),
            *(() if game.over else game.title.evaluator.evaluate(state)),
        ]
        #: Highest final score or, in an unfinished game, expected score.
        self._most = max(map(abs, sums))
        #: Least cost that counts: half a unit of the score would be rounded to nothing.
        self._least = max(OF_WORTH * self._most, 0.5)
        self._plans = _plans(game)
        self._samples: dict[int, Sampled] = {}
        #: Decisions by the title's evaluation, by number of moves before them.
        self.rated: dict[int, Rated] = {}
        #: Numbers of looks at decisions, and the verdicts so far.
        self._looks: dict[int, int] = {}
        self._found: dict[int, Verdict | None] = {}
        self._by_lot: list[int] = []
        #: Stretches of the curve at the beginning of the wave.
        self._swings: list[tuple[float, int, int]] = []
        self._seconds = 0.0
        self._playouts = 0
        #: Share of the budget used for the curve.
        self._for_curve = 0.0
        self._wave = 0
        self._ended = False

    @property
    def share(self) -> float:
        """The part of the budget that has been used; 1 if nothing is left to do."""
        return 1.0 if self._ended else min(1.0, self._part(self._seconds, self._playouts))

    def _part(self, seconds: float, playouts: int) -> float:
        """A part of the budget."""
        if self.budget.seconds is not None:
            return seconds / self.budget.seconds
        assert self.budget.playouts is not None
        return playouts / self.budget.playouts

    def stop(self) -> None:
        """End the examination."""
        self._ended = True

    def waves(self) -> Iterator[Sequence[AnyTask]]:
        """The tasks, in waves. All answers to a wave must be taken before the next, unless the budget is used up."""
        yield self._coarse()
        self._swings = self._stretches()
        yield from self._surveys()
        while self.share < 1:
            self._swings = self._stretches()
            wave: list[AnyTask] = [*self._closer(), *self._refined()]
            if not wave:
                break
            self._wave += 1
            yield wave
        self.stop()

    def take(self, answer: Answer) -> None:
        """Store an answer."""
        self._seconds += answer.seconds
        self._playouts += answer.playouts
        match answer:
            case Sampled():
                self._samples[answer.number] = answer
                self._for_curve += self._part(answer.seconds, answer.playouts)
            case Surveyed():
                self.rated.update((each.number, each) for each in answer.rated)
            case Looked():
                looks = self._looks[answer.number] = self._looks.get(answer.number, 0) + 1
                found = answer.verdict
                earlier = self._found.get(answer.number)
                # The choice among several favours the lucky one: only later playouts decide about it.
                if found is not None and earlier is not None and looks > 2:
                    found = together(earlier, found)
                self._found[answer.number] = found

    # ---- tasks

    def _asked(self, number: int) -> Asked:
        game = self.game
        plan = self._plans[number] if number < len(game.moves) else ()
        return Asked(number, game.title.encode(game.at(number).state), plan)

    def _common(self) -> dict[str, Any]:
        game = self.game
        return {
            "title": game.title.id,
            "data": self.data,
            "names": game.names,
            "seed": str(self.seed),
        }

    def _unsure(self, number: int) -> float:
        """Uncertainty of the end of the game after a number of moves, in the unit of the score."""
        last = len(self.game.moves)
        left = (last - number) / last if self.game.over else 1.0
        return self.game.title.evaluator.uncertainty * self._most * math.sqrt(left)

    def _sample(self, number: int) -> Sample:
        moves = self.game.moves
        drew = number < len(moves) and bool(moves[number].draws)
        return Sample(
            at=self._asked(number),
            playouts=SAMPLED * (2 if drew else 1),
            unsure=self._unsure(number),
            drew=drew,
            **self._common(),
        )

    def _coarse(self) -> list[AnyTask]:
        """The curve at evenly spaced positions."""
        last = len(self.game.moves)
        numbers = {round(last * part / COARSE) for part in range(COARSE + 1)}
        return [self._sample(number) for number in sorted(numbers)]

    def _surveys(self) -> Iterator[list[AnyTask]]:
        """All decisions, those first where the curve swings most. In a long game with little time, the rest is left
        out."""
        parts = [
            range(start, min(start + SURVEYED, len(self.game.moves)))
            for start in range(0, len(self.game.moves), SURVEYED)
        ]
        parts.sort(key=lambda part: -self._swing(part[len(part) // 2]))
        begun = self._seconds
        for some in range(0, len(parts), 4):
            seconds = self.budget.seconds
            if seconds is not None and self._seconds - begun > SURVEY_SHARE * seconds:
                return
            yield [
                Survey(at=tuple(map(self._asked, part)), **self._common())
                for part in parts[some : some + 4]
            ]

    def _swing(self, number: int) -> float:
        """How much the leads change per move between the known positions around a move."""
        place = bisect_right(self._swings, number, key=lambda stretch: stretch[1]) - 1
        if place < 0:
            return 0.0
        size, start, end = self._swings[place]
        return size / (end - start)

    def _stretches(self) -> list[tuple[float, int, int]]:
        """The stretches between known positions, and the largest change of a lead in each."""
        known, seats = self._samples, range(len(self.game.names))
        return [
            (
                max(
                    abs(above(known[end].results, s) - above(known[start].results, s))
                    for s in seats
                ),
                start,
                end,
            )
            for start, end in pairwise(sorted(known))
        ]

    def _refined(self) -> list[Sample]:
        """More positions of the curve, in the middle of the largest swings, and where most was drawn."""
        if self._for_curve > CURVE_SHARE * self.share:
            return []
        stretches = sorted(
            (stretch for stretch in self._swings if stretch[2] - stretch[1] > 1),
            key=lambda stretch: (-stretch[0], stretch[1]),
        )
        numbers = [(start + end) // 2 for _, start, end in stretches[:REFINED]]
        for start in (self._next_draw(),):
            if start is not None:
                numbers += [start, start + 1]
        return [
            self._sample(number) for number in dict.fromkeys(numbers) if number not in self._samples
        ]

    def _next_draw(self) -> int | None:
        """A move with draws whose luck is not known yet; they are spread over the game."""
        unknown = [
            number
            for number, move in enumerate(self.game.moves)
            if move.draws and not {number, number + 1} <= self._samples.keys()
        ]
        return random.Random(f"{self.seed} {self._wave}").choice(unknown) if unknown else None

    def _closer(self) -> list[Look]:
        """The decisions to look at next: closer at those that seem to have cost most, for the first time at those that
        may have, and a few by lot."""
        closer = self._most_promising(self._looks)[:CLOSER_LOOKS]
        fresh = self.rated.keys() - self._looks.keys()
        chosen = self._most_promising({*closer, *fresh})[: LOOKS - BY_LOT]
        lot = self._drawn_by_lot(fresh - set(chosen))
        self._by_lot += lot
        return [self.look(number) for number in (*chosen, *lot)]

    def _drawn_by_lot(self, numbers: Iterable[int]) -> list[int]:
        """Decisions of the player of whom fewest have been looked at."""
        rest: dict[int, list[int]] = {}
        for number in sorted(numbers):
            if self.rated[number].open:
                rest.setdefault(self.rated[number].seat, []).append(number)
        if not rest:
            return []
        looked = Counter(self.rated[number].seat for number in self._looks)
        some = rest[min(rest, key=lambda seat: (looked[seat], seat))]
        rng = random.Random(f"{self.seed} {self._wave} lot")
        return rng.sample(some, min(BY_LOT, len(some)))

    def _most_promising(self, numbers: Iterable[int]) -> list[int]:
        """The decisions where a playout may bring most for its price."""
        promises = {
            number: self._prospect(number) / max(self._price(number), 1e-9) for number in numbers
        }
        order = sorted(promises, key=lambda number: (-promises[number], number))
        return [number for number in order if promises[number] > 0]

    def _prospect(self, number: int) -> float:
        """What a decision may have cost, in the unit of the score; 0 if no look is worth while."""
        rated = self.rated[number]
        if number not in self._looks:
            # Evaluations are less reliable than playouts, and say little where the choice was the first.
            doubt = self._swing(number) * (0.2 if rated.first else 1.0) if rated.open else 0.0
            return rated.hope + doubt
        verdict = self._found[number]
        if (
            verdict is None
            or verdict.rounds >= LAST_LOOK
            or (verdict.clear and self._confirmed(number))
        ):
            return 0.0
        good = 0.0
        if verdict.gain < 0 and not rated.first and -verdict.chance >= TURN:
            good = -GOOD * verdict.gain / self._looks[number]
        expected = verdict.rounds * verdict.gain + JUDGED * rated.regret
        most = expected / (verdict.rounds + JUDGED) + verdict.error
        return max(good, most) if most > self._least else good

    def _price(self, number: int) -> float:
        """The part of the budget that a playout of both plans takes at a position."""
        if self.budget.playouts is not None:
            return 2 / self.budget.playouts
        assert self.budget.seconds is not None
        place = bisect_right(self._swings, number, key=lambda stretch: stretch[1]) - 1
        sample = self._samples[self._swings[max(place, 0)][1]]
        return 2 * sample.seconds / max(sample.playouts, 1) / self.budget.seconds

    def _rounds(self, number: int) -> int:
        """Playouts of each plan at the next look: more than at the last, as far as the budget allows."""
        looks = self._looks.get(number, 0)
        if not looks:
            return FIRST_LOOK
        most = int(LOOK_SHARE / max(self._price(number), 1e-9))
        wanted: int = FIRST_LOOK * CLOSER**looks
        return min(LAST_LOOK, wanted, max(most, CLOSER_AT_LEAST))

    def look(self, number: int) -> Look:
        """The next look at a decision."""
        verdict = self._found.get(number)
        at, rival = self._asked(number), cast(Written, ())
        if verdict is not None and verdict.rival is not None:
            at = msgspec.structs.replace(at, plan=verdict.played.actions)
            rival = verdict.rival.actions
        return Look(
            at=at,
            rounds=self._rounds(number),
            unsure=self._unsure(number),
            rival=rival,
            earlier=self._looks.get(number, 0),
            **self._common(),
        )

    # ---- findings

    def review(self) -> Review:
        """What has been found so far."""
        costly = [
            Costly(number + 1, verdict)
            for number, verdict in self._verdicts()
            if self._confirmed(number) and self._counts(verdict)
        ]
        costly.sort(key=lambda each: (-each.verdict.cost, each.number))
        return Review(
            self.budget.name,
            self.share,
            len(self.game.moves),
            self._playouts,
            tuple(
                Moment(number, found.results, found.chances)
                for number, found in sorted(self._samples.items())
            ),
            tuple(self._turns()),
            tuple(costly[:MOST_COSTLY]),
            tuple(self._lucky()),
            tuple(self._player(seat) for seat in range(len(self.game.names))),
        )

    def _verdicts(self) -> Iterator[tuple[int, Verdict]]:
        """The verdict on each decision looked at."""
        for number, verdict in sorted(self._found.items()):
            if verdict is not None:
                yield number, verdict

    def _confirmed(self, number: int) -> bool:
        """Whether the alternative was found before the last look, so that it is no lucky choice among several."""
        return self._looks[number] > 1

    def _counts(self, verdict: Verdict) -> bool:
        """Whether a cost is significant."""
        return verdict.cost > self._least and verdict.clear

    def _turns(self) -> list[Turn]:
        """The decisions that changed the chances most: clear mistakes, and good moves that a glance does not find."""
        turns = [
            Turn(number + 1, verdict)
            for number, verdict in self._verdicts()
            if self._confirmed(number)
            and verdict.rival is not None
            and verdict.clear
            and abs(verdict.chance) >= TURN
            and (self._counts(verdict) or (verdict.gain < 0 and not self.rated[number].first))
        ]
        turns.sort(key=lambda turn: (-abs(turn.verdict.chance), turn.number))
        found: list[Turn] = []
        for turn in turns:
            if all(
                abs(turn.number - other.number) > (APART if turn.seat == other.seat else 0)
                for other in found
            ):
                found.append(turn)
        return sorted(found[:MOST_TURNS], key=lambda turn: turn.number)

    def _drawn(self) -> Iterator[tuple[int, Sampled, Sampled]]:
        """Draws whose luck is known: number of the move, and what was found before and after them."""
        for number, found in sorted(self._samples.items()):
            if found.decided is not None and number + 1 in self._samples:
                yield number + 1, found, self._samples[number + 1]

    def _lucky(self) -> list[Lucky]:
        found = []
        for number, before, after in self._drawn():
            assert before.decided is not None
            then, now = before.decided.chances, after.chances
            seat = max(range(len(now)), key=lambda each: abs(now[each] - then[each]))
            gain, error = self._luck(before, after, seat)
            if abs(now[seat] - then[seat]) >= TURN and abs(gain) > 2 * error:
                found.append(Lucky(number, seat, then[seat], now[seat]))
        found.sort(key=lambda each: -abs(each.after - each.before))
        return sorted(found[:MOST_LUCKY], key=lambda each: each.number)

    @staticmethod
    def _luck(before: Sampled, after: Sampled, seat: int) -> tuple[float, float]:
        """Gain of a seat over the others by draws, and its standard error."""
        assert before.decided is not None
        gain = above(after.results, seat) - above(before.decided.results, seat)
        return gain, math.hypot(
            *(each[seat] for each in (before.decided.errors, after.errors) if each)
        )

    def _player(self, seat: int) -> Player:
        decisions = [number for number, rated in self.rated.items() if rated.seat == seat]
        looked = [(number, verdict) for number, verdict in self._verdicts() if verdict.seat == seat]
        mistakes = {
            number
            for number, verdict in looked
            if self._confirmed(number) and self._counts(verdict)
        }
        unknown = sum(self.rated[number].open and number not in self._looks for number in decisions)
        drawn = [number for number in self._by_lot if number in dict(looked)]
        accuracy = None
        if len(looked) >= FEWEST:
            # What was not looked at is as good as what was looked at by lot.
            rate = sum(number in mistakes for number in drawn) / (len(drawn) + CAUTION)
            accuracy = 1 - (len(mistakes) + rate * unknown) / len(decisions)
        luck = [self._luck(before, after, seat) for _, before, after in self._drawn()]
        return Player(
            seat,
            len(decisions),
            len(looked),
            accuracy,
            sum(gain for gain, _ in luck) if luck else None,
            math.hypot(*(error for _, error in luck)),
        )


def _plans(game: Game) -> list[Written]:
    """For each move the actions of its seat in a row from there."""
    plans: list[Written] = []
    for number in range(len(game.moves) - 1, -1, -1):
        action = game.moves[number].action
        rest: Written = ()
        if plans and game.moves[number + 1].action.seat == action.seat:
            rest = plans[-1]
        plans.append((game.title.action_to_json(action), *rest)[:LONGEST_PLAN])
    plans.reverse()
    return plans


def carry_out(examination: Examination, workers: WorkerPool) -> Iterator[Review]:
    """Carry an examination out, and yield a review after each wave."""
    for wave in examination.waves():
        for answer in workers.each(weigh, wave):
            examination.take(answer)
            if examination.budget.seconds is not None and examination.share >= 1:
                break
        yield examination.review()
    yield examination.review()


def review(
    game: Game, workers: WorkerPool, budget: Budget, data: bytes | None = None, seed: int = 0
) -> Review:
    """Review a game, finished or not."""
    *_, found = carry_out(Examination(game, budget, data, seed), workers)
    return found
