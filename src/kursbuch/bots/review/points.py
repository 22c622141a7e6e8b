"""One position of a game and the move made in it, weighed: what everybody could expect, what else could
have been done, and how much of what came was luck. Everything goes in and comes out as plain data."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from statistics import mean
from typing import Any

import msgspec

from kursbuch.bots.base import advantage, candidates, gains, worthwhile
from kursbuch.bots.estimates import lead
from kursbuch.bots.playouts import play_out
from kursbuch.bots.review.futures import Future, Imagining, chances, errors, results
from kursbuch.core.actions import Action
from kursbuch.core.chance import SeededChance
from kursbuch.core.corrections import Correct
from kursbuch.core.game import View
from kursbuch.core.position import Position
from kursbuch.core.registry import title_with_data
from kursbuch.core.title import Title

#: A difference of less than this part of what a line gains is not worth telling.
TOLD_FROM = 0.1

#: So many reasons are told.
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
    #: So many games are imagined to their end from here on, for how much everybody would have then.
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
    imagining = Imagining(open_view, point.depth.decisions)

    def course(number: int, action: Action | None = None) -> Future:
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
    now = advantage(title.judge.foresee(guess.state), seat)
    found = gains(guess, seat, offered, now, title.judge.foresee)
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
) -> dict[Action, list[Future]]:
    """For every seed a course of so many decisions from each of the viewer's actions on, with the same
    guesses and the same chance for all."""
    assert view.seat is not None
    imagining = Imagining(view, decisions, view.seat)
    lines: dict[Action, list[Future]] = {each: [] for each in actions}
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


def _after(imagining: Imagining, view: View, action: Action, seed: int) -> Future | None:
    rng = random.Random(seed)
    position = view.determinize(rng)
    if position.problem(action) is not None:
        return None
    return imagining.play_on(position, rng, action)


def compared(
    title: Title[Any],
    action: Action,
    lines: Mapping[Action, list[Future]],
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
    better: Sequence[Future], played: Sequence[Future], seat: int, least: float
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
