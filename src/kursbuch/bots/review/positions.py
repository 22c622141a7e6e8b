"""Evaluation of single positions for reviews and hints: expected results, and a move compared with alternatives.

A decision is compared by plans: a move is as good as the best plan that begins with it, either the actions that
followed it in the game, or what the computer would do next. All plans meet the same guesses and the same chance.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from statistics import NormalDist, mean, stdev
from typing import Any

import msgspec

from kursbuch.bots.bot import (
    advantage,
    candidates,
    decline,
    gains,
    is_likely,
    nearly_best,
    others,
    settled,
    worthwhile,
)
from kursbuch.bots.estimates import lead, standard_error, student
from kursbuch.bots.game_tree import Tree
from kursbuch.bots.mcts import Search
from kursbuch.bots.playouts import (
    INTERRUPTION,
    MOST_DECISIONS,
    deciding_seats,
    deciding_seats_evaluated,
    evaluated_reply,
)
from kursbuch.core.actions import Action
from kursbuch.core.chance import Chance, SeededChance
from kursbuch.core.corrections import Correct
from kursbuch.core.evaluator import Plan, PlayoutPolicy
from kursbuch.core.events import Event
from kursbuch.core.game import View
from kursbuch.core.play import Play
from kursbuch.core.position import Endless, Position
from kursbuch.core.registry import title_with_data
from kursbuch.core.tally import Key, Tally
from kursbuch.core.title import Title
from kursbuch.core.words import LANGUAGES, Words

#: Seat of a playout in which all guess what is hidden from them.
NOBODY = -1

#: Share of the best action's gain over the mean by which an action played in a playout may fall behind.
VARIETY = 0.05

#: Maximum number of the seat's following actions in the game that belong to its plan.
LONGEST_PLAN = 12

#: Number of alternatives compared at first: the best action, plans, and the next best actions.
RIVALS = 3

#: Error of an evaluation, as a share of the larger gain compared.
DOUBT = 0.3

#: Playouts after which alternatives that are behind are dropped.
SEEN = 2

#: Share of the cost, and standard errors, from which a difference of money is named as a cause; standard errors of a
#: count, of which there are more; least part of a count that differs; maximum number of causes of each kind.
TOLD_FROM = 0.15
CLEARLY = 2.0
SURELY = 3.0
COUNTED_FROM = 0.2
CAUSES = 2

#: Positions searched for the alternatives of a decision, where the replies are those of a tree; for the replies to each
#: plan, per playout and at most; and positions that take as long as a playout.
SEARCHED = 40
ANSWERED = 8
ANSWERED_AT_MOST = 128
PER_PLAYOUT = 3

#: Actions of one seat in a row.
Row = tuple[Action, ...]

#: Actions as JSON.
Written = tuple[dict[str, Any], ...]


class PlayoutResult(msgspec.Struct, frozen=True):
    """Result of a playout: values of all seats, and what happened during it."""

    values: tuple[float, ...]
    #: Winners, if the playout reached the end of the game.
    winners: tuple[int, ...]
    tally: Tally


def expected(position: Position[Any]) -> tuple[float, ...]:
    """Expected result of every seat: differences from the leaf values, the mean from the evaluation. Changes the
    position."""
    evaluator = position.title.evaluator
    evaluated = settled(position.clone(), evaluator.evaluate)
    foreseen = settled(position, evaluator.leaf_value)
    more = mean(evaluated) - mean(foreseen)
    return tuple(value + more for value in foreseen)


class Recorded(Position[Any]):
    """A position that collects the events of what is performed on it, but not on its clones."""

    __slots__ = ("events",)

    def __init__(self, title: Title[Any], state: Any, chance: Chance) -> None:
        super().__init__(title, state, chance)
        self.events: list[Event] = []

    def perform(self, action: Action) -> Play[Any]:
        play = super().perform(action)
        self.events += play.events
        return play


class Playouts:
    """Playouts from positions of one moment; they share cached gains.

    Without `decisions`, a game is played on as far as its title allows: to the end by its policy, by its own playouts,
    or for the title's `foresight`.
    """

    def __init__(
        self,
        view: View,
        decisions: int | None = None,
        knower: int = NOBODY,
        tree: Tree | None = None,
    ) -> None:
        self.title: Title[Any] = view.title
        #: Length in decisions of all seats; interruptions count only in titles that evaluate actions directly.
        self.decisions = decisions
        self.search = Search(random.Random(0), view, knower)
        #: Replies found by a search, if any.
        self.tree = tree

    def run(
        self, position: Position[Any], rng: random.Random, seat: int = NOBODY, plan: Row = ()
    ) -> PlayoutResult:
        """Play on from a position, first by a plan of a seat as far as it is possible. Changes the position."""
        position = Recorded(position.title, position.state, position.chance)
        values: Sequence[float] | None = None
        # Corrections can cause endless games; value the state reached.
        with suppress(Endless):
            values = self._played(position, rng, seat, plan)
        winners: tuple[int, ...] = ()
        if position.over:
            result = position.result
            assert result is not None
            values, winners = result.scores, result.winners
        elif values is None:
            values = expected(position)
        tally = self.title.tally(position.state, position.events)
        return PlayoutResult(tuple(map(float, values)), winners, tally)

    def _played(
        self, position: Position[Any], rng: random.Random, seat: int, plan: Row
    ) -> Sequence[float] | None:
        """Play on; the values if the title's own playout knows them."""
        evaluator = self.title.evaluator
        policy = own = None
        if self.decisions is None:
            policy = evaluator.playout_policy(position.state, rng)
            own = None if policy is not None else evaluator.playout(position.state, rng)

        def answer(asked: int) -> Action | None:
            if own is not None:
                return own.action(position.state, asked)
            if policy is not None:
                return _varied_reply(position, asked, policy, rng)
            if evaluator.evaluates_actions:
                return evaluated_reply(position, asked, rng)
            if self.tree is not None and (found := self.tree.reply(position, rng)) is not None:
                return found
            return self._varied(position, asked, rng)

        # Plans of any length are valued after equally many decisions.
        left = evaluator.foresight if self.decisions is None else self.decisions + len(plan)
        for action in plan:
            while not position.over and position.deciders()[0] != seat:
                given = answer(position.deciders()[0])
                if given is None:
                    break
                position.perform(given)
                left -= 1
            if position.over or position.problem(action) is not None:
                break
            position.perform(action)
            left -= 1
        if policy is not None or own is not None:
            for _ in range(MOST_DECISIONS):
                if position.over:
                    break
                given = answer(position.deciders()[0])
                if given is None:
                    assert own is not None
                    return own.worth(position.state)
                position.perform(given)
            return None
        seats = (
            deciding_seats_evaluated(position, left)
            if evaluator.evaluates_actions
            else deciding_seats(position, left, INTERRUPTION * left)
        )
        for asked in seats:
            given = answer(asked)
            assert given is not None
            position.perform(given)
        # What is begun is finished: values of interruptions do not say where they come from.
        for _ in range(INTERRUPTION):
            decline(position)
            if position.over or not evaluator.unsettled(position.state):
                break
            asked = position.deciders()[0]
            given = answer(asked)
            assert given is not None
            position.perform(given)
        return None

    def _varied(self, position: Position[Any], seat: int, rng: random.Random) -> Action:
        """One of the seat's best actions: if all always played the best, playouts would agree by accident."""
        best, known = self.search.reply(position, seat, rng), self.search.known[seat]
        actions = candidates(position.legal_actions(seat), position)
        actions = [
            action for action in actions if known.get(action, math.inf) <= known.get(best, 0)
        ]
        if len(actions) < 2:
            return best
        return rng.choice(nearly_best(actions, [known[each] for each in actions], VARIETY))


def _varied_reply(
    position: Position[Any], seat: int, policy: PlayoutPolicy[Any], rng: random.Random
) -> Action:
    """A seat's action by a policy, or one of its best."""
    found = policy.action(position.state, seat)
    if found is not None:
        return found
    actions = candidates(position.legal_actions(seat), position)
    if len(actions) == 1:
        return actions[0]
    judged = policy.action_values(position.state, seat, actions)
    if judged is None:
        judged = position.title.evaluator.action_values(position.state, seat, actions)
    assert judged is not None
    best = actions[max(range(len(actions)), key=judged.__getitem__)]
    equal = nearly_best(actions, judged, VARIETY)
    # Offers that gain nothing would double the decisions of a playout.
    likely = [each for each in equal if each == best or is_likely(position.title, each)]
    return rng.choice(likely)


def results(futures: Sequence[PlayoutResult]) -> tuple[float, ...]:
    """Mean values of all seats."""
    return tuple(map(mean, zip(*(future.values for future in futures), strict=True)))


def errors(futures: Sequence[PlayoutResult]) -> tuple[float, ...]:
    """Standard errors of each seat's lead over the mean of the others."""
    if len(futures) < 2:
        return (0.0,) * len(futures[0].values)
    return tuple(
        standard_error([above(future.values, seat) for future in futures])
        for seat in range(len(futures[0].values))
    )


def above(values: Sequence[float], seat: int) -> float:
    """A seat's lead over the mean of the others."""
    return values[seat] - mean(others(values, seat) or [0.0])


def chances(futures: Sequence[PlayoutResult], unsure: float) -> tuple[float, ...]:
    """Win chance of each seat. The smaller a lead compared with the spread of the playouts and `unsure`, in the unit
    of the score, the less it counts.

    >>> [round(chance, 2) for chance in chances([PlayoutResult((100.0, 98.0), (), Tally(2))], 2)]
    [0.84, 0.16]
    >>> chances([PlayoutResult((100.0, 98.0), (), Tally(2))], 0)
    (1.0, 0.0)

    Ties at the end are broken by the title:

    >>> chances([PlayoutResult((98.0, 98.0), (1,), Tally(2))], 2)
    (0.0, 1.0)
    """
    found = []
    for seat in range(len(futures[0].values)):
        leads = [_lead(future.values, seat) for future in futures]
        scatter = stdev(leads) if len(leads) > 1 else 0.0
        width = math.hypot(0.9 * scatter * len(leads) ** -0.2, unsure)
        found.append(
            mean(
                _tied(future.winners, seat) if lead == 0 and future.winners else _ahead(lead, width)
                for lead, future in zip(leads, futures, strict=True)
            )
        )
    whole = sum(found)
    return tuple(chance / whole for chance in found)


def _lead(values: Sequence[float], seat: int) -> float:
    return values[seat] - max(others(values, seat), default=0.0)


def _tied(winners: Sequence[int], seat: int) -> float:
    return 1 / len(winners) if seat in winners else 0.0


def _ahead(lead: float, width: float) -> float:
    if width > 0:
        return NormalDist().cdf(lead / width)
    return 0.5 if lead == 0 else float(lead > 0)


# ---- what is found


class Line(msgspec.Struct, frozen=True):
    """A plan and the expected results after it."""

    actions: Written
    results: tuple[float, ...]
    chances: tuple[float, ...]
    #: Standard errors of each seat's lead over the mean of the others.
    errors: tuple[float, ...] = ()
    #: What the plan is, by language; empty for plain actions.
    said: dict[str, str] = {}

    @property
    def action(self) -> dict[str, Any]:
        """The first action."""
        return self.actions[0]


class Cause(msgspec.Struct, frozen=True):
    """What differs between two lines (`Title.tally`): money of a seat, or a count (`seat` is None); the means after
    the better line and after the move played."""

    key: Key
    better: float
    played: float
    seat: int | None = None


class Verdict(msgspec.Struct, frozen=True):
    """Value of a decision compared with the best alternative, given the seat's information."""

    seat: int
    played: Line
    #: The best alternative. It is `better` only if `cost` is positive.
    rival: Line | None
    #: What the alternative gains over the move played, as a lead in the unit of the score; negative if the move is
    #: better. `error` is its standard error, infinite for a single playout, and `chance` the gain in win chance.
    gain: float
    error: float = 0.0
    chance: float = 0.0
    #: Playouts of each line; 0 for a verdict by evaluation alone.
    rounds: int = 0
    causes: tuple[Cause, ...] = ()

    @property
    def better(self) -> Line | None:
        """The alternative, if it is better."""
        return self.rival if self.gain > 0 else None

    @property
    def cost(self) -> float:
        """What the move lost against the alternative."""
        return max(0.0, self.gain)

    @property
    def clear(self) -> bool:
        """Whether the difference is statistically significant (95 %, paired)."""
        if self.rounds == 0:
            return True
        if self.rounds == 1:
            return False
        return abs(self.gain) > student(self.rounds - 1) * self.error


def run_playouts(
    view: View, actions: Sequence[Action], decisions: int, seeds: Iterable[int]
) -> dict[Action, list[PlayoutResult]]:
    """Playouts of a number of decisions after each of the viewer's actions, one per seed, with the same guesses and
    chance for all."""
    assert view.seat is not None
    playouts = Playouts(view, decisions, view.seat)
    lines: dict[Action, list[PlayoutResult]] = {each: [] for each in actions}
    for seed in seeds:
        futures = [_after(playouts, view, (each,), seed) for each in lines]
        if any(future is None for future in futures):
            continue  # impossible with this guess
        for each, future in zip(lines, futures, strict=True):
            assert future is not None
            lines[each].append(future)
    return lines


def _after(playouts: Playouts, view: View, plan: Row, seed: int) -> PlayoutResult | None:
    assert view.seat is not None
    rng = random.Random(seed)
    position = view.determinize(rng)
    if position.problem(plan[0]) is not None:
        return None
    return playouts.run(position, rng, view.seat, plan)


def verdict_by_evaluation(
    title: Title[Any], found: Mapping[Action, float], order: Sequence[Action], action: Action
) -> Verdict:
    """A verdict by the title's evaluation alone."""
    played = Line((title.action_to_json(action),), (), ())
    if not order:
        return Verdict(action.seat, played, None, 0.0)
    rival = Line((title.action_to_json(order[0]),), (), ())
    return Verdict(action.seat, played, rival, found[order[0]] - found[action])


def verdict_by_playouts(
    title: Title[Any],
    seat: int,
    own: Mapping[Row, Sequence[PlayoutResult]],
    rivals: Mapping[Row, Sequence[PlayoutResult]],
    unsure: float,
) -> Verdict:
    """A verdict by paired playouts: the best plan with the move played against the best rival. Rivals dropped early
    are compared over the same playouts, and come first only if none is left."""

    def ahead(futures: Sequence[PlayoutResult]) -> list[float]:
        return [advantage(future.values, seat) for future in futures]

    def line(plan: Row, futures: Sequence[PlayoutResult]) -> Line:
        written = tuple(title.action_to_json(each) for each in plan)
        return Line(written, results(futures), chances(futures, unsure), errors(futures))

    best = max(own, key=lambda plan: sum(ahead(own[plan])))
    mine = own[best]
    if not rivals:
        return Verdict(seat, line(best, mine), None, 0.0)

    def gain(plan: Row) -> tuple[int, float]:
        futures = rivals[plan]
        return len(futures), lead(ahead(futures), ahead(mine[: len(futures)]))[0]

    rival = max(rivals, key=gain)
    theirs = rivals[rival]
    mine = mine[: len(theirs)]
    difference, error = lead(ahead(theirs), ahead(mine))
    played, other = line(best, mine), line(rival, theirs)
    chance = other.chances[seat] - played.chances[seat]
    causes = _causes(theirs, mine, seat, TOLD_FROM * abs(difference))
    return Verdict(seat, played, other, difference, error, chance, len(theirs), causes)


def together(one: Verdict, two: Verdict) -> Verdict:
    """The verdict of the playouts of two verdicts on the same plans.

    >>> line = Line(({},), (0.0,), (1.0,), (0.0,))
    >>> found = together(
    ...     Verdict(0, line, line, 1.0, 0.5, rounds=4), Verdict(0, line, line, 4.0, 0.5, rounds=8)
    ... )
    >>> found.rounds, round(found.gain, 2), round(found.error, 2)
    (12, 3.0, 0.56)
    """
    assert one.rival is not None
    assert two.rival is not None
    rounds = one.rounds + two.rounds
    part = one.rounds / rounds
    gain = part * one.gain + (1 - part) * two.gain
    squares = sum(
        each.rounds * ((each.rounds - 1) * each.error**2 + (each.gain - gain) ** 2)
        for each in (one, two)
    )

    def mixed(first: Sequence[float], second: Sequence[float]) -> tuple[float, ...]:
        return tuple(part * a + (1 - part) * b for a, b in zip(first, second, strict=True))

    def line(first: Line, second: Line) -> Line:
        return msgspec.structs.replace(
            second,
            results=mixed(first.results, second.results),
            chances=mixed(first.chances, second.chances),
            errors=tuple(
                math.hypot(part * a, (1 - part) * b)
                for a, b in zip(first.errors, second.errors, strict=True)
            ),
        )

    return msgspec.structs.replace(
        two,
        played=line(one.played, two.played),
        rival=line(one.rival, two.rival),
        gain=gain,
        error=math.sqrt(squares / (rounds * max(rounds - 1, 1))),
        chance=part * one.chance + (1 - part) * two.chance,
        rounds=rounds,
        causes=_both(one.causes, two.causes),
    )


def _both(one: Sequence[Cause], two: Sequence[Cause]) -> tuple[Cause, ...]:
    """The causes found twice, or by the later playouts if there are none."""
    keys = {(cause.key, cause.seat) for cause in one}
    return tuple(cause for cause in two if (cause.key, cause.seat) in keys) or tuple(two or one)


def _causes(
    better: Sequence[PlayoutResult], played: Sequence[PlayoutResult], seat: int, least: float
) -> tuple[Cause, ...]:
    """The largest significant differences of money that favour the one or the other line, and the counts that go with
    them: what is about the same company first."""
    seats = len(better[0].values)
    keys = dict.fromkeys(key for future in (*better, *played) for key in future.tally.money)
    gained = mean(advantage(future.values, seat) for future in better) - mean(
        advantage(future.values, seat) for future in played
    )
    nothing = [0.0] * seats
    money: list[tuple[float, Cause]] = []
    for key in keys:
        ours, theirs = (
            [future.tally.money.get(key, nothing) for future in futures]
            for futures in (better, played)
        )
        for place in range(seats):
            one, two = [row[place] for row in ours], [row[place] for row in theirs]
            amount, error = lead(one, two)
            share = amount if place == seat else -amount / max(1, seats - 1)
            # Players ask first what a move cost themselves.
            enough = least / 2 if place == seat else least
            if abs(amount) <= CLEARLY * error or abs(share) < enough or share * gained <= 0:
                continue
            money.append((abs(share), Cause(key, mean(one), mean(two), place)))
    money.sort(key=lambda each: -each[0])
    found = [cause for _, cause in money[:CAUSES]]
    own = next((cause for _, cause in money if cause.seat == seat), None)
    if own is not None and own not in found:
        found[-1] = own
    about = {cause.key[1] for cause in found if len(cause.key) > 1}
    counted: list[tuple[float, Cause]] = []
    for key in dict.fromkeys(key for future in (*better, *played) for key in future.tally.counts):
        if about and len(key) > 1 and key[1] not in about:
            continue
        one, two = (
            [future.tally.counts.get(key, 0.0) for future in futures]
            for futures in (better, played)
        )
        amount, error = lead(one, two)
        size = abs(amount) / max(abs(mean(one)), abs(mean(two)), 1e-9)
        if abs(amount) > SURELY * error and size >= COUNTED_FROM:
            counted.append((size, Cause(key, mean(one), mean(two))))
    counted.sort(key=lambda each: -each[0])
    return (*found, *(cause for _, cause in counted[:CAUSES]))


# ---- tasks


class Asked(msgspec.Struct, frozen=True):
    """A position of the game reviewed, after a number of moves, and the seat's actions from there."""

    number: int
    state: bytes
    plan: Written = ()


class Task(msgspec.Struct, frozen=True, kw_only=True):
    """A part of a review, which can be done in any process."""

    title: str
    data: bytes | None
    names: tuple[str, ...]
    seed: str


class Sample(Task, frozen=True, kw_only=True, tag=True):
    """Expected results at a position, and after its move before the draws if it `drew`."""

    at: Asked
    playouts: int
    unsure: float
    drew: bool = False


class Survey(Task, frozen=True, kw_only=True, tag=True):
    """The title's evaluation of the decisions at several positions."""

    at: tuple[Asked, ...]


class Look(Task, frozen=True, kw_only=True, tag=True):
    """A decision compared with its alternatives; or the best plan found earlier for the move with the best rival."""

    at: Asked
    rounds: int
    unsure: float
    rival: Written = ()
    #: Looks before this one, which had other chance.
    earlier: int = 0


class Sampled(msgspec.Struct, frozen=True, tag=True):
    """What a sample found."""

    number: int
    results: tuple[float, ...]
    chances: tuple[float, ...]
    #: Standard errors of each seat's lead over the mean of the others; empty at the end of the game.
    errors: tuple[float, ...] = ()
    #: The same after the move and before its draws.
    decided: Line | None = None
    playouts: int = 0
    seconds: float = 0.0


class Rated(msgspec.Struct, frozen=True):
    """A decision by the title's evaluation: what the best choice gains over the one made, and whether the choice made
    is the best; what another choice may gain, as evaluations err; and whether playouts are open to find another one
    than the evaluation."""

    number: int
    seat: int
    regret: float
    first: bool
    hope: float
    open: bool


class Surveyed(msgspec.Struct, frozen=True, tag=True):
    """The decisions among the positions of a survey."""

    rated: tuple[Rated, ...]
    playouts: int = 0
    seconds: float = 0.0


class Looked(msgspec.Struct, frozen=True, tag=True):
    """The verdict on a decision, None if it cannot be compared."""

    number: int
    verdict: Verdict | None
    playouts: int = 0
    seconds: float = 0.0


Answer = Sampled | Surveyed | Looked


def weigh(task: Sample | Survey | Look) -> Answer:
    """Do a part of a review. The answer depends on nothing else, except for the seconds it took."""
    started = time.thread_time()
    title = title_with_data(task.title, task.data)
    found: Answer
    match task:
        case Sample():
            found = _sampled(task, title)
        case Survey():
            found = Surveyed(
                tuple(rated for at in task.at if (rated := _rated(task, title, at)) is not None)
            )
        case Look():
            found = _looked(task, title)
    return msgspec.structs.replace(found, seconds=time.thread_time() - started)


def _sampled(task: Sample, title: Title[Any]) -> Sampled:
    state, number = title.decode(task.at.state), task.at.number
    position = Position(title, state, SeededChance("0"))
    if position.over:
        result = position.result
        assert result is not None
        won = 1 / len(result.winners)
        shares = tuple(won if seat in result.winners else 0.0 for seat in range(state.seats))
        return Sampled(number, tuple(map(float, result.scores)), shares)
    playouts = Playouts(View(title, state, None, task.names))

    def futures(made: Action | None = None) -> list[PlayoutResult]:
        found = []
        for each in range(task.playouts):
            rng = random.Random(f"{task.seed} {number} {each}")
            copy = position.clone(SeededChance(str(rng.getrandbits(64))))
            if made is not None:
                with suppress(Endless):
                    copy.perform(made)
            found.append(playouts.run(copy, rng))
        return found

    now = futures()
    decided = None
    if task.drew:
        after = futures(title.action_from_json(task.at.plan[0]))
        decided = Line(task.at.plan[:1], results(after), chances(after, task.unsure), errors(after))
    return Sampled(
        number,
        results(now),
        chances(now, task.unsure),
        errors(now),
        decided,
        task.playouts * (1 + task.drew),
    )


class _Choice(msgspec.Struct, frozen=True):
    """A decision with a real alternative: the view, gains of the actions, the guess they hold for, and the one made."""

    view: View
    guess: Position[Any]
    gains: dict[Action, float]
    made: Action

    @property
    def order(self) -> list[Action]:
        """The alternatives worth considering, best first."""
        title = self.view.title
        return [each for each in worthwhile(title, self.gains) if each != self.made]


def _choice(task: Task, title: Title[Any], at: Asked) -> _Choice | None:
    made = title.action_from_json(at.plan[0])
    seat = made.seat
    position = Position(title, title.decode(at.state), SeededChance("0"))
    if isinstance(made, Correct) or seat not in position.deciders():
        return None
    view = View(title, title.view(position.state, seat), seat, task.names)
    offered = candidates(view.legal_actions(), view)
    if made not in offered:
        offered.append(made)
    if len(offered) < 2:
        return None
    guess = view.determinize(random.Random(at.number))
    now = advantage(title.evaluator.leaf_value(guess.state), seat)
    return _Choice(view, guess, gains(guess, seat, offered, now, title.evaluator.leaf_value), made)


def _rated(task: Task, title: Title[Any], at: Asked) -> Rated | None:
    choice = _choice(task, title, at)
    if choice is None or not (order := choice.order):
        return None
    best, made = choice.gains[order[0]], choice.gains[choice.made]
    regret = hope = best - made
    is_open = choice.made in title.evaluator.debatable(choice.guess.state, choice.gains)
    if is_open:
        hope = hoped(regret, DOUBT * max(abs(best), abs(made)))
    return Rated(
        at.number, choice.made.seat, max(0.0, regret), regret <= 0, max(0.0, hope), is_open
    )


def hoped(gain: float, doubt: float) -> float:
    """Mean of a normally distributed gain where it is positive.

    >>> round(hoped(100, 0)), round(hoped(0, 100)), round(hoped(-100, 50)), round(hoped(100, 50))
    (100, 40, 0, 100)
    """
    if doubt <= 0:
        return max(0.0, gain)
    normal = NormalDist()
    return gain * normal.cdf(gain / doubt) + doubt * normal.pdf(gain / doubt)


def _looked(task: Look, title: Title[Any]) -> Looked:
    at = task.at
    choice = _choice(task, title, at)
    if choice is None:
        return Looked(at.number, None)
    whole = tuple(map(title.action_from_json, at.plan))
    given = tuple(map(title.action_from_json, task.rival))
    tree, order = _searched(choice, bool(given))
    plans = _rivals(choice, order)
    rivals = [given] if given else list(plans)
    own = [whole] if given else list(dict.fromkeys((whole, whole[:1])))
    if not rivals:
        return Looked(at.number, None)
    if not given and whole[1:] and not title.evaluator.supports_plans:
        # What followed the move could have followed the best alternative.
        rivals.append((*rivals[0], *whole[1:]))
    values = _explored(task, choice, tree, (*own, *rivals)) if tree is not None else {}
    lines, played = _paired(task, choice.view, own, rivals, tree)
    if not lines[whole]:
        return Looked(at.number, None, played)
    mine = {row: lines[row] for row in own}
    theirs = {row: lines[row] for row in rivals}
    verdict = verdict_by_playouts(title, choice.made.seat, mine, theirs, task.unsure)
    assert verdict.rival is not None
    best = tuple(map(title.action_from_json, verdict.rival.actions))
    plan = plans.get(best)
    if plan is not None and plan.SENTENCE is not None:
        said = {
            language: title.voice(Words(language, task.names)).plan(plan) for language in LANGUAGES
        }
        rival = msgspec.structs.replace(verdict.rival, said=said)
        verdict = msgspec.structs.replace(verdict, rival=rival)
    gain = verdict.gain
    if values:
        gain = _agreed(gain, values[best[0]] - values[choice.made])
    elif choice.made not in title.evaluator.debatable(choice.guess.state, choice.gains):
        # What the title judges better itself is a mistake only if both say so, and costs the lesser of both.
        gain = min(gain, max(choice.gains.values()) - choice.gains[choice.made])
    verdict = msgspec.structs.replace(verdict, gain=gain)
    return Looked(at.number, verdict, played)


def _agreed(one: float, other: float) -> float:
    """The lesser of two gains of the same sign; 0 if they contradict each other.

    >>> _agreed(50, 30), _agreed(-10, -30), _agreed(20, -5)
    (30, -10, 0.0)
    """
    if one * other <= 0:
        return 0.0
    return min(one, other, key=abs)


def _searched(choice: _Choice, known: bool) -> tuple[Tree | None, list[Action]]:
    """A search tree, if the title's search is one, and the alternatives, best first. If the best one is known, nothing
    is searched yet."""
    title, seat, guess = choice.view.title, choice.made.seat, choice.guess
    evaluator = title.evaluator
    if not evaluator.certain or guess.state.seats != 2:
        return None, choice.order
    tree = Tree(
        seat, evaluator.leaf_value, lambda looked_at: 1.0 if known else looked_at / SEARCHED
    )
    now = advantage(evaluator.leaf_value(guess.state), seat)
    worth = {action: now + gain for action, gain in choice.gains.items()}
    ranking = tree.ranking(guess.clone(), worth, worthwhile(title, choice.gains))
    return tree, [ranked.action for ranked in ranking if ranked.action != choice.made]


def _rivals(choice: _Choice, order: Sequence[Action]) -> dict[Row, Plan]:
    """Alternatives to compare, by their actions: the best ones, and plans of the title."""
    seat, title = choice.made.seat, choice.view.title
    plans = title.evaluator.plans(choice.guess.state, seat, choice.gains) or ()
    declared = [plan for plan in plans if plan.first != choice.made]
    actions = [Plan((action,)) for action in order]
    found: dict[Row, Plan] = {}
    for plan in (*actions[:1], *declared, *actions[1:]):
        if len(found) == RIVALS:
            break
        found.setdefault(plan.actions, plan)
    # A title's own plans say what they are.
    found.update((plan.actions, plan) for plan in declared if plan.actions in found)
    return found


def _explored(task: Look, choice: _Choice, tree: Tree, plans: Iterable[Row]) -> dict[Action, float]:
    """Values of the first actions of plans, each searched equally long."""
    found = {}
    for first in dict.fromkeys(plan[0] for plan in plans):
        after = choice.guess.clone()
        after.perform(first)
        found[first] = tree.explore(after, min(ANSWERED * task.rounds, ANSWERED_AT_MOST))
    return found


def _paired(
    task: Look, view: View, own: Sequence[Row], rivals: Sequence[Row], tree: Tree | None
) -> tuple[dict[Row, list[PlayoutResult]], int]:
    """Playouts of all plans with the same guesses and chance, and their number. Rivals that are behind are dropped,
    unless the one rival is given."""
    assert view.seat is not None
    playouts = Playouts(view, None, view.seat, tree)
    lines: dict[Row, list[PlayoutResult]] = {plan: [] for plan in (*own, *rivals)}
    left, rounds = list(rivals), 0
    played = 0 if tree is None else tree.looked_at // PER_PLAYOUT
    for number in range(2 * task.rounds):
        if rounds == task.rounds or not left:
            break
        seed = random.Random(f"{task.seed} {task.at.number} {task.earlier} {number}").getrandbits(
            64
        )
        futures = {plan: _after(playouts, view, plan, seed) for plan in (*own, *left)}
        played += len(futures)
        if any(future is None for future in futures.values()):
            continue  # impossible with this guess
        rounds += 1
        for plan, future in futures.items():
            assert future is not None
            lines[plan].append(future)
        if not task.rival and rounds >= SEEN:
            left = [plan for plan in left if _may_be_better(lines, own, plan, view.seat)]
    return lines, played


def _may_be_better(
    lines: Mapping[Row, Sequence[PlayoutResult]], own: Sequence[Row], plan: Row, seat: int
) -> bool:
    """Whether a plan is not yet behind the best plan with the move played."""
    values = {each: [advantage(future.values, seat) for future in lines[each]] for each in lines}
    best = max((values[each] for each in own), key=sum)
    ahead, error = lead(values[plan], best)
    return (error > 0 and ahead > -error) or ahead > 0
