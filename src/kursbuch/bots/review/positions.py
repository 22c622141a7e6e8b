"""Reviews of single positions: what every player could expect, and how the move compares with others."""

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

#: The seat of no one: everybody guesses what is hidden from him.
NOBODY = -1


class Rollout(msgspec.Struct, frozen=True):
    """What a course came to: what everybody has or may still expect, and what was paid on the way, by
    what it was for in every language."""

    values: tuple[float, ...]
    #: Who has won, if the course came to the end of the game.
    winners: tuple[int, ...]
    paid: dict[tuple[str, ...], tuple[int, ...]]


def expected(position: Position[Any]) -> tuple[float, ...]:
    """What every seat can expect: by how much they differ is foreseen, how much there is in all evaluated. Changes
    the position."""
    judge = position.title.judge
    evaluated = settled(position.clone(), judge.evaluate)
    foreseen = settled(position, judge.leaf_value)
    more = mean(evaluated) - mean(foreseen)
    return tuple(value + more for value in foreseen)


class Rollouts:
    """Plays on from positions of one moment of a game; what was seen in one course helps in others."""

    def __init__(self, view: View, decisions: int, knower: int = NOBODY) -> None:
        self.title: Title[Any] = view.title
        #: A course ends after this number of decisions of all seats, interruptions counted only in titles that
        #: judge actions by themselves.
        self.decisions = decisions
        self.search = Search(random.Random(0), view, knower)
        self.voices = [self.title.voice(Words(language, view.names)) for language in LANGUAGES]

    def play_on(
        self, position: Position[Any], rng: random.Random, action: Action | None = None
    ) -> Rollout:
        """A course from a position on, beginning with an action if one is given. Changes the position."""
        events: list[Event] = []
        # After corrections a game may go round for ever: it is taken as it was by then.
        with suppress(Endless):
            if action is not None:
                events += position.perform(action).events
            if self.title.judge.evaluates_actions:
                # Everybody takes what the title judges best, or nearly so.
                for seat in deciding_seats_evaluated(position, self.decisions):
                    events += position.perform(evaluated_reply(position, seat, rng)).events
            else:
                # Everybody takes what gains most one step ahead.
                for seat in deciding_seats(position, self.decisions, INTERRUPTION * self.decisions):
                    events += position.perform(self.search.reply(position, seat, rng)).events
        winners: tuple[int, ...] = ()
        if position.over:
            result = position.result
            assert result is not None
            values, winners = tuple(map(float, result.scores)), result.winners
        else:
            values = expected(position)
        return Rollout(values, winners, self._paid(events))

    def _paid(self, events: Sequence[Event]) -> dict[tuple[str, ...], tuple[int, ...]]:
        found: dict[tuple[str, ...], list[int]] = {}
        for event in events:
            if isinstance(event, Payment) and any(event.amounts) and not event.EXCHANGE:
                labels = tuple(voice.source(event) for voice in self.voices)
                row = found.setdefault(labels, [0] * len(event.amounts))
                for seat, amount in enumerate(event.amounts):
                    row[seat] += amount
        return {labels: tuple(row) for labels, row in found.items()}


def results(futures: Sequence[Rollout]) -> tuple[float, ...]:
    """What everybody has at the end on average."""
    return tuple(map(mean, zip(*(future.values for future in futures), strict=True)))


def errors(futures: Sequence[Rollout]) -> tuple[float, ...]:
    """The standard errors of how far everybody is ahead of the others' mean."""
    if len(futures) < 2:
        return (0.0,) * len(futures[0].values)
    return tuple(
        standard_error([above(future.values, seat) for future in futures])
        for seat in range(len(futures[0].values))
    )


def above(values: Sequence[float], seat: int) -> float:
    """How far a seat is above the mean of the others."""
    return values[seat] - mean(others(values, seat) or [0.0])


def chances(futures: Sequence[Rollout], unsure: float) -> tuple[float, ...]:
    """Everybody's chance to win: who is ahead by little may be overtaken, the more easily the more the
    courses scatter and the more `unsure` they are, in the unit of the score.

    >>> [round(chance, 2) for chance in chances([Rollout((100.0, 98.0), (), {})], 2)]
    [0.84, 0.16]
    >>> chances([Rollout((100.0, 98.0), (), {})], 0)
    (1.0, 0.0)

    Equal scores at the end are decided as the title does it:

    >>> chances([Rollout((98.0, 98.0), (1,), {})], 2)
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


#: A difference of less than this part of what a line gains is not worth telling.
TOLD_FROM = 0.1

#: Maximum number of reasons.
REASONS = 3


class Depth(msgspec.Struct, frozen=True):
    """How thoroughly a position is weighed."""

    #: Courses for what everybody can expect.
    courses: int
    #: How many of the best actions are compared with the one that was done, and in how many courses.
    rivals: int
    rounds: int
    #: How many decisions a course has.
    decisions: int


class Point(msgspec.Struct, frozen=True):
    """A position, and the move that was made in it (none at the end)."""

    number: int
    title: str
    data: bytes | None
    names: tuple[str, ...]
    state: bytes
    action: dict[str, Any] | None
    #: Whether chance had its say in the move.
    drawn: bool
    #: How far courses from here on may be off, in the unit of the score.
    unsure: float
    depth: Depth
    #: Number of games imagined to their end from here, to estimate the final results.
    games: int = 0


class Line(msgspec.Struct, frozen=True):
    """An action, and what everybody could expect after it."""

    action: dict[str, Any]
    results: tuple[float, ...]
    chances: tuple[float, ...]
    #: How sure it is how far everybody would be above the others' mean: standard errors.
    errors: tuple[float, ...] = ()


class Difference(msgspec.Struct, frozen=True):
    """Of what a seat receives or pays so much more in one line than in another: for what, by language."""

    labels: tuple[str, ...]
    seat: int
    amount: float
    #: Whether it is paid in both, so that more of it means that less is paid.
    spent: bool = False

    def favours(self, seat: int) -> bool:
        """Whether that is good for a seat: more of its own, or less of another's."""
        return (self.amount > 0) == (self.seat == seat)


class Verdict(msgspec.Struct, frozen=True):
    """What a decision was worth beside the best that was found for the seat, knowing what it knew."""

    seat: int
    played: Line
    better: Line | None
    #: What the better line gains in the unit of the score (ahead of the others), with its standard
    #: error, and in chances to win.
    cost: float
    error: float
    chance: float
    #: How much the best action gains over the mean of all.
    spread: float
    differences: tuple[Difference, ...] = ()


class Weighed(msgspec.Struct, frozen=True):
    """What was found out about a point."""

    number: int
    results: tuple[float, ...]
    chances: tuple[float, ...]
    #: What everybody could expect once the move was decided and chance had not yet spoken; only where
    #: it had a say.
    decided: Line | None = None
    verdict: Verdict | None = None
    #: How sure it is how far everybody is above the others' mean: standard errors;
    #: empty at the end of the game.
    errors: tuple[float, ...] = ()
    #: What everybody has on average at the end of games that were imagined to it.
    level: float | None = None


def weigh(point: Point) -> Weighed:
    """Weigh a point: with the same point always the same."""
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
    imagining = Rollouts(open_view, point.depth.decisions)

    def course(number: int, action: Action | None = None) -> Rollout:
        # What is looked at more closely is seen in courses of its own: that it stood out among others was partly luck.
        seed = f"{point.number}-{point.depth.courses}-{number}"
        copy = position.clone(SeededChance(seed))
        return imagining.play_on(copy, random.Random(seed), action)

    numbers = range(point.depth.courses)
    futures = [course(number) for number in numbers]
    decided = verdict = None
    action = None if point.action is None else title.action_from_json(point.action)
    if action is not None and not isinstance(action, Correct):
        assert point.action is not None
        if point.drawn:
            after = [course(number, action) for number in numbers]
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
    """What everybody would have on average at the end of games that are imagined to it."""
    ends = []
    for number in range(point.games):
        copy = position.clone(SeededChance(str(number)))
        course = position.title.judge.course(copy.state, random.Random(number))
        assert course is not None
        if play_out(copy, course):
            assert copy.result is not None
            ends.append(mean(copy.result.scores))
    return mean(ends) if ends else None


def _judged(
    point: Point, title: Title[Any], position: Position[Any], action: Action
) -> Verdict | None:
    """What a decision was worth; None where there was nothing to decide."""
    seat = action.seat
    view = View(title, title.view(position.state, seat), seat, point.names)
    offered = candidates(view.legal_actions(), view)
    if action not in offered:
        offered.append(action)
    if len(offered) < 2:
        return None
    guess = view.determinize(random.Random(point.number))
    now = advantage(title.judge.leaf_value(guess.state), seat)
    found = gains(guess, seat, offered, now, title.judge.leaf_value)
    spread = max(found.values()) - mean(found.values())
    order = [each for each in worthwhile(title, found) if each != action]
    debatable = set(title.judge.debatable(guess.state, found))
    if action not in debatable or not order:
        return by_judgement(title, found, order, action, spread)
    rivals = [each for each in order if each in debatable][: point.depth.rivals]
    seeds = (
        random.Random(f"{point.number} {point.depth.rounds} {number}").getrandbits(64)
        for number in range(point.depth.rounds)
    )
    lines = courses(view, [action, *rivals], point.depth.decisions, seeds)
    if not lines[action]:
        return None
    return compared(title, action, lines, spread, point.unsure)


def courses(
    view: View, actions: Sequence[Action], decisions: int, seeds: Iterable[int]
) -> dict[Action, list[Rollout]]:
    """For every seed a course of that many decisions from each of the viewer's actions on, with the same
    guesses and the same chance for all."""
    assert view.seat is not None
    imagining = Rollouts(view, decisions, view.seat)
    lines: dict[Action, list[Rollout]] = {each: [] for each in actions}
    for seed in seeds:
        futures = [_after(imagining, view, each, seed) for each in lines]
        if any(future is None for future in futures):
            continue  # impossible with this guess of what is hidden
        for each, future in zip(lines, futures, strict=True):
            assert future is not None
            lines[each].append(future)
    return lines


def by_judgement(
    title: Title[Any],
    found: dict[Action, float],
    order: Sequence[Action],
    action: Action,
    spread: float,
) -> Verdict:
    """A verdict by what the title judges alone."""
    played = Line(title.action_to_json(action), (), ())
    cost = found[order[0]] - found[action] if order else 0.0
    better = Line(title.action_to_json(order[0]), (), ()) if cost > 0 else None
    return Verdict(action.seat, played, better, max(0.0, cost), 0.0, 0.0, spread)


def _after(imagining: Rollouts, view: View, action: Action, seed: int) -> Rollout | None:
    rng = random.Random(seed)
    position = view.determinize(rng)
    if position.problem(action) is not None:
        return None
    return imagining.play_on(position, rng, action)


def compared(
    title: Title[Any],
    action: Action,
    lines: Mapping[Action, list[Rollout]],
    spread: float,
    unsure: float,
) -> Verdict:
    """A verdict from courses that began with each of the actions."""
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
    better: Sequence[Rollout], played: Sequence[Rollout], seat: int, least: float
) -> tuple[Difference, ...]:
    """What is received and paid otherwise, by at least so much and more than two standard errors: first what speaks
    for the better line, by the seat itself and then by others."""
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
