"""Imagined courses of a game from a position on, and what they say of everybody's prospects."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from contextlib import suppress
from statistics import NormalDist, mean, stdev
from typing import Any

import msgspec

from kursbuch.bots.base import others, settled
from kursbuch.bots.estimates import standard_error
from kursbuch.bots.mcts import Search
from kursbuch.bots.playouts import INTERRUPTION, deciding, deciding_judged, judged_reply
from kursbuch.core.actions import Action
from kursbuch.core.events import Event, Payment
from kursbuch.core.game import View
from kursbuch.core.position import Endless, Position
from kursbuch.core.title import Title
from kursbuch.core.words import LANGUAGES, Words

#: The seat of nobody: everybody guesses what is hidden from him.
NOBODY = -1


class Future(msgspec.Struct, frozen=True):
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
    foreseen = settled(position, judge.foresee)
    more = mean(evaluated) - mean(foreseen)
    return tuple(value + more for value in foreseen)


class Imagining:
    """Plays on from positions of one moment of a game; what was seen in one course helps in others."""

    def __init__(self, view: View, decisions: int, knower: int = NOBODY) -> None:
        self.title: Title[Any] = view.title
        #: A course ends after so many decisions of all seats, interruptions counted only in titles that
        #: judge actions by themselves.
        self.decisions = decisions
        self.search = Search(random.Random(0), view, knower)
        self.voices = [self.title.voice(Words(language, view.names)) for language in LANGUAGES]

    def play_on(
        self, position: Position[Any], rng: random.Random, action: Action | None = None
    ) -> Future:
        """A course from a position on, beginning with an action if one is given. Changes the position."""
        events: list[Event] = []
        # After corrections a game may go round for ever: it is taken as it was by then.
        with suppress(Endless):
            if action is not None:
                events += position.perform(action).events
            if self.title.judge.judges_actions:
                # Everybody takes what the title judges best, or nearly so.
                for seat in deciding_judged(position, self.decisions):
                    events += position.perform(judged_reply(position, seat, rng)).events
            else:
                # Everybody takes what gains most one step ahead.
                for seat in deciding(position, self.decisions, INTERRUPTION * self.decisions):
                    events += position.perform(self.search.reply(position, seat, rng)).events
        winners: tuple[int, ...] = ()
        if position.over:
            result = position.result
            assert result is not None
            values, winners = tuple(map(float, result.scores)), result.winners
        else:
            values = expected(position)
        return Future(values, winners, self._paid(events))

    def _paid(self, events: Sequence[Event]) -> dict[tuple[str, ...], tuple[int, ...]]:
        found: dict[tuple[str, ...], list[int]] = {}
        for event in events:
            if isinstance(event, Payment) and any(event.amounts) and not event.EXCHANGE:
                labels = tuple(voice.source(event) for voice in self.voices)
                row = found.setdefault(labels, [0] * len(event.amounts))
                for seat, amount in enumerate(event.amounts):
                    row[seat] += amount
        return {labels: tuple(row) for labels, row in found.items()}


def results(futures: Sequence[Future]) -> tuple[float, ...]:
    """What everybody has at the end on average."""
    return tuple(map(mean, zip(*(future.values for future in futures), strict=True)))


def errors(futures: Sequence[Future]) -> tuple[float, ...]:
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


def chances(futures: Sequence[Future], unsure: float) -> tuple[float, ...]:
    """Everybody's chance to win: who is ahead by little may be overtaken, the more easily the more the
    courses scatter and the more `unsure` they are, in the unit of the score.

    >>> [round(chance, 2) for chance in chances([Future((100.0, 98.0), (), {})], 2)]
    [0.84, 0.16]
    >>> chances([Future((100.0, 98.0), (), {})], 0)
    (1.0, 0.0)

    Equal scores at the end are decided as the title does it:

    >>> chances([Future((98.0, 98.0), (1,), {})], 2)
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
