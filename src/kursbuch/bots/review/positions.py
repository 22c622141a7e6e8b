"""Review of single positions: expected results, and the move compared with alternatives."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from statistics import NormalDist, mean, stdev
from typing import Any

import msgspec

from kursbuch.bots.bot import advantage, candidates, gains, others, settled, worthwhile
from kursbuch.bots.estimates import lead, standard_error
from kursbuch.bots.mcts import Search
from kursbuch.bots.playouts import (
    INTERRUPTION,
    deciding_seats,
    deciding_seats_evaluated,
    evaluated_reply,
    play_out,
)
from kursbuch.core.actions import Action
from kursbuch.core.chance import SeededChance
from kursbuch.core.corrections import Correct
from kursbuch.core.events import Event, Payment
from kursbuch.core.game import View
from kursbuch.core.position import Endless, Position
from kursbuch.core.registry import title_with_data
from kursbuch.core.title import Title
from kursbuch.core.words import LANGUAGES, Words

#: Seat of a playout in which all guess what is hidden from them.
NOBODY = -1


class PlayoutResult(msgspec.Struct, frozen=True):
    """Result of a playout: values of all seats, and payments during it by source in every language."""

    values: tuple[float, ...]
    #: Winners, if the playout reached the end of the game.
    winners: tuple[int, ...]
    paid: dict[tuple[str, ...], tuple[int, ...]]


def expected(position: Position[Any]) -> tuple[float, ...]:
    """Expected result of every seat: differences from the leaf values, the mean from the evaluation. Changes the
    position."""
    evaluator = position.title.evaluator
    evaluated = settled(position.clone(), evaluator.evaluate)
    foreseen = settled(position, evaluator.leaf_value)
    more = mean(evaluated) - mean(foreseen)
    return tuple(value + more for value in foreseen)


class Playouts:
    """Playouts from positions of one moment; they share cached gains."""

    def __init__(self, view: View, decisions: int, knower: int = NOBODY) -> None:
        self.title: Title[Any] = view.title
        #: Length in decisions of all seats; interruptions count only in titles that evaluate actions directly.
        self.decisions = decisions
        self.search = Search(random.Random(0), view, knower)
        self.voices = [self.title.voice(Words(language, view.names)) for language in LANGUAGES]

    def run(
        self, position: Position[Any], rng: random.Random, action: Action | None = None
    ) -> PlayoutResult:
        """Play on from a position, optionally with a first action. Changes the position."""
        events: list[Event] = []
        # Corrections can cause endless games; value the state reached.
        with suppress(Endless):
            if action is not None:
                events += position.perform(action).events
            if self.title.evaluator.evaluates_actions:
                # All play about the best action by evaluation.
                for seat in deciding_seats_evaluated(position, self.decisions):
                    events += position.perform(evaluated_reply(position, seat, rng)).events
            else:
                # All play the best action one step ahead.
                for seat in deciding_seats(position, self.decisions, INTERRUPTION * self.decisions):
                    events += position.perform(self.search.reply(position, seat, rng)).events
        winners: tuple[int, ...] = ()
        if position.over:
            result = position.result
            assert result is not None
            values, winners = tuple(map(float, result.scores)), result.winners
        else:
            values = expected(position)
        return PlayoutResult(values, winners, self._paid(events))

    def _paid(self, events: Sequence[Event]) -> dict[tuple[str, ...], tuple[int, ...]]:
        found: dict[tuple[str, ...], list[int]] = {}
        for event in events:
            if isinstance(event, Payment) and any(event.amounts) and not event.EXCHANGE:
                labels = tuple(voice.source(event) for voice in self.voices)
                row = found.setdefault(labels, [0] * len(event.amounts))
                for seat, amount in enumerate(event.amounts):
                    row[seat] += amount
        return {labels: tuple(row) for labels, row in found.items()}


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

    >>> [round(chance, 2) for chance in chances([PlayoutResult((100.0, 98.0), (), {})], 2)]
    [0.84, 0.16]
    >>> chances([PlayoutResult((100.0, 98.0), (), {})], 0)
    (1.0, 0.0)

    Ties at the end are broken by the title:

    >>> chances([PlayoutResult((98.0, 98.0), (1,), {})], 2)
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


#: Share of a line's gain below which a difference is not reported.
TOLD_FROM = 0.1

#: Maximum number of reasons.
REASONS = 3


class Depth(msgspec.Struct, frozen=True):
    """Effort of evaluating a position."""

    #: Playouts for expected results.
    playouts: int
    #: Number of best actions compared with the move made, and playouts for each.
    rivals: int
    rounds: int
    #: Decisions per playout.
    decisions: int


class Point(msgspec.Struct, frozen=True):
    """A position and the move made in it (None at the end)."""

    number: int
    title: str
    data: bytes | None
    names: tuple[str, ...]
    state: bytes
    action: dict[str, Any] | None
    #: Whether the move involved chance.
    drawn: bool
    #: Uncertainty of playouts from here, in the unit of the score.
    unsure: float
    depth: Depth
    #: Number of full playouts from here, to estimate final scores.
    games: int = 0


class Line(msgspec.Struct, frozen=True):
    """An action and the expected results after it."""

    action: dict[str, Any]
    results: tuple[float, ...]
    chances: tuple[float, ...]
    #: Standard errors of each seat's lead over the mean of the others.
    errors: tuple[float, ...] = ()


class Difference(msgspec.Struct, frozen=True):
    """Difference of a seat's payments of one kind between two lines, with the source by language."""

    labels: tuple[str, ...]
    seat: int
    amount: float
    #: Whether it is an expense in both lines, so that more means paying less.
    spent: bool = False

    def favours(self, seat: int) -> bool:
        """Whether it is good for a seat: more for itself, or less for another."""
        return (self.amount > 0) == (self.seat == seat)


class Verdict(msgspec.Struct, frozen=True):
    """Value of a decision compared with the best alternative, given the seat's information."""

    seat: int
    played: Line
    better: Line | None
    #: Gain of the better line as a lead in the unit of the score, with its standard error, and as a win chance.
    cost: float
    error: float
    chance: float
    #: Gain of the best action over the mean of all.
    spread: float
    differences: tuple[Difference, ...] = ()


class Weighed(msgspec.Struct, frozen=True):
    """Evaluation of a point."""

    number: int
    results: tuple[float, ...]
    chances: tuple[float, ...]
    #: Expected results after the decision and before its draws, if there are any.
    decided: Line | None = None
    verdict: Verdict | None = None
    #: Standard errors of each seat's lead over the mean of the others; empty at the end of the game.
    errors: tuple[float, ...] = ()
    #: Mean final score of full playouts.
    level: float | None = None


def weigh(point: Point) -> Weighed:
    """Evaluate a point; deterministic."""
    title = title_with_data(point.title, point.data)
    state = title.decode(point.state)
    position = Position(title, state, SeededChance("0"))
    if position.over:
        result = position.result
        assert result is not None
        won = 1 / len(result.winners)
        shares = tuple(won if seat in result.winners else 0.0 for seat in range(state.seats))
        return Weighed(point.number, tuple(map(float, result.scores)), shares)
    open_view = View(title, state, None, point.names)
    playouts = Playouts(open_view, point.depth.decisions)

    def playout(number: int, action: Action | None = None) -> PlayoutResult:
        # A closer look uses new playouts, since the selection favours lucky ones.
        seed = f"{point.number}-{point.depth.playouts}-{number}"
        copy = position.clone(SeededChance(seed))
        return playouts.run(copy, random.Random(seed), action)

    numbers = range(point.depth.playouts)
    futures = [playout(number) for number in numbers]
    decided = verdict = None
    action = None if point.action is None else title.action_from_json(point.action)
    if action is not None and not isinstance(action, Correct):
        assert point.action is not None
        if point.drawn:
            after = [playout(number, action) for number in numbers]
            decided = Line(
                point.action, results(after), chances(after, point.unsure), errors(after)
            )
        if action.seat in position.deciders():
            verdict = _judged(point, title, position, action)
    return Weighed(
        point.number,
        results(futures),
        chances(futures, point.unsure),
        decided,
        verdict,
        errors(futures),
        _level(point, position),
    )


def _level(point: Point, position: Position[Any]) -> float | None:
    """Mean final score of full playouts."""
    ends = []
    for number in range(point.games):
        copy = position.clone(SeededChance(str(number)))
        policy = position.title.evaluator.playout_policy(copy.state, random.Random(number))
        assert policy is not None
        if play_out(copy, policy):
            assert copy.result is not None
            ends.append(mean(copy.result.scores))
    return mean(ends) if ends else None


def _judged(
    point: Point, title: Title[Any], position: Position[Any], action: Action
) -> Verdict | None:
    """The verdict on a decision; None if there was none."""
    seat = action.seat
    view = View(title, title.view(position.state, seat), seat, point.names)
    offered = candidates(view.legal_actions(), view)
    if action not in offered:
        offered.append(action)
    if len(offered) < 2:
        return None
    guess = view.determinize(random.Random(point.number))
    now = advantage(title.evaluator.leaf_value(guess.state), seat)
    found = gains(guess, seat, offered, now, title.evaluator.leaf_value)
    spread = max(found.values()) - mean(found.values())
    order = [each for each in worthwhile(title, found) if each != action]
    debatable = set(title.evaluator.debatable(guess.state, found))
    if action not in debatable or not order:
        return verdict_by_evaluation(title, found, order, action, spread)
    rivals = [each for each in order if each in debatable][: point.depth.rivals]
    seeds = (
        random.Random(f"{point.number} {point.depth.rounds} {number}").getrandbits(64)
        for number in range(point.depth.rounds)
    )
    lines = run_playouts(view, [action, *rivals], point.depth.decisions, seeds)
    if not lines[action]:
        return None
    return verdict_by_playouts(title, action, lines, spread, point.unsure)


def run_playouts(
    view: View, actions: Sequence[Action], decisions: int, seeds: Iterable[int]
) -> dict[Action, list[PlayoutResult]]:
    """Playouts of a number of decisions after each of the viewer's actions, one per seed, with the same guesses and
    chance for all."""
    assert view.seat is not None
    playouts = Playouts(view, decisions, view.seat)
    lines: dict[Action, list[PlayoutResult]] = {each: [] for each in actions}
    for seed in seeds:
        futures = [_after(playouts, view, each, seed) for each in lines]
        if any(future is None for future in futures):
            continue  # impossible with this guess
        for each, future in zip(lines, futures, strict=True):
            assert future is not None
            lines[each].append(future)
    return lines


def verdict_by_evaluation(
    title: Title[Any],
    found: dict[Action, float],
    order: Sequence[Action],
    action: Action,
    spread: float,
) -> Verdict:
    """A verdict by the title's evaluation alone."""
    played = Line(title.action_to_json(action), (), ())
    cost = found[order[0]] - found[action] if order else 0.0
    better = Line(title.action_to_json(order[0]), (), ()) if cost > 0 else None
    return Verdict(action.seat, played, better, max(0.0, cost), 0.0, 0.0, spread)


def _after(playouts: Playouts, view: View, action: Action, seed: int) -> PlayoutResult | None:
    rng = random.Random(seed)
    position = view.determinize(rng)
    if position.problem(action) is not None:
        return None
    return playouts.run(position, rng, action)


def verdict_by_playouts(
    title: Title[Any],
    action: Action,
    lines: Mapping[Action, list[PlayoutResult]],
    spread: float,
    unsure: float,
) -> Verdict:
    """A verdict by playouts of each action."""
    seat = action.seat

    def line(each: Action) -> Line:
        futures = lines[each]
        return Line(title.action_to_json(each), results(futures), chances(futures, unsure))

    def ahead(each: Action) -> list[float]:
        return [advantage(future.values, seat) for future in lines[each]]

    own = ahead(action)
    best = max(lines, key=lambda each: sum(ahead(each)))
    cost, error = lead(ahead(best), own)
    played = line(action)
    if best == action:
        return Verdict(seat, played, None, 0.0, error, 0.0, spread)
    better = line(best)
    chance = max(0.0, better.chances[seat] - played.chances[seat])
    told = _differences(lines[best], lines[action], seat, TOLD_FROM * cost)
    return Verdict(seat, played, better, cost, error, chance, spread, told)


def _differences(
    better: Sequence[PlayoutResult], played: Sequence[PlayoutResult], seat: int, least: float
) -> tuple[Difference, ...]:
    """Differences of payments of at least `least` and two standard errors that favour the better line: first those
    of the seat, then of the others."""
    labels = dict.fromkeys(key for future in (*better, *played) for key in future.paid)
    nothing = (0,) * len(better[0].values)
    told = []
    for key in labels:
        rows = [
            [future.paid.get(key, nothing) for future in futures] for futures in (better, played)
        ]
        for place in range(len(nothing)):
            ours, theirs = ([float(row[place]) for row in part] for part in rows)
            amount, error = lead(ours, theirs)
            if abs(amount) >= max(least, 0.5) and abs(amount) > 2 * error:
                spent = max(map(mean, (ours, theirs))) <= 0
                told.append(Difference(key, place, amount, spent))
    told.sort(key=lambda each: (not each.favours(seat), each.seat != seat, -abs(each.amount)))
    return tuple(told[:REASONS])
