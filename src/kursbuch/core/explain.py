"""Explanations for players: why an action is illegal, what it would bring, and the guided first game.

All of them work from a view, so a player learns nothing that is hidden from them.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import islice, takewhile
from typing import Any

import msgspec

from kursbuch.core import record
from kursbuch.core.actions import Action
from kursbuch.core.errors import IllegalAction, KursbuchError
from kursbuch.core.events import Event, visible_to
from kursbuch.core.game import View
from kursbuch.core.play import GAME_END, Play, StepRules
from kursbuch.core.position import Position
from kursbuch.core.title import Title
from kursbuch.core.tutorial import Guide, GuideJump
from kursbuch.core.voice import Pick, Voice

#: Number of guesses of hidden information that have to agree.
SAMPLES = 4

#: More actions than this are not tried to find out why nothing can be done.
MOST_ATTEMPTS = 500

#: More answers than this are not asked from those who may object.
MOST_REFUSALS = 20


class _Unknown(KursbuchError):
    """Chance has its say."""


class _NoChance:
    def draw(self, counter: int, sides: int) -> int:
        raise _Unknown("Chance decides what follows.")


def why_illegal(view: View, voice: Voice[Any], keys: Sequence[str]) -> IllegalAction | None:
    """Why pointing at these elements, in their order, leads to nothing; None if it leads to something.

    Everything that may have been meant is tried. The answer is the most general reason that holds for
    all of it; if the reasons differ, that of what came nearest to being allowed.
    """
    position = Position(view.title, view.state, _NoChance())
    found = _refusal(position, view, voice, tuple(keys))
    return None if found is None else position.cited(found)


def _refusal(
    position: Position[Any], view: View, voice: Voice[Any], way: tuple[str, ...]
) -> IllegalAction | None:
    state, seat = view.state, view.seat
    if position.over:
        return IllegalAction(GAME_END, "The game is over.")
    step, rules = position.top()
    if seat is None:
        # No one who only watches has a seat of which a step could say more.
        return StepRules.not_asked(rules, state, step, Action(state.seats))
    if not position.may_act(seat):
        return rules.not_asked(state, step, Action(seat))
    picks = [voice.pick(state, choice.action) for choice in position.legal_actions(seat)]
    if any(not pick.several and pick.keys[: len(way)] == way for pick in picks):
        return None
    for pick in picks if len(way) == 1 else ():
        if way[-1] in pick.keys and not pick.several:
            return _begins(state, voice, pick)
    # Attempts made of a key that no drawing has are malformed.
    found = _tried(
        position,
        voice,
        (
            action
            for action in rules.attempts(state, step, seat, way)
            if view.title.malformed(action) is None
        ),
    )
    if found is not None:
        return found
    if any(pick.several and set(way) <= set(pick.keys) for pick in picks):
        return None
    likely, loose = [], []
    for choice in rules.candidates(state, step, seat):
        keys = voice.pick(state, choice.action).keys
        if keys[: len(way)] == way:
            likely.append(choice.action)
        elif way[-1] in keys:
            loose.append(choice.action)
    # What is said to an action of no kind at all is what the step asks.
    return (
        _tried(position, voice, likely)
        or _tried(position, voice, loose)
        or rules.problem(state, step, Action(seat))
        or IllegalAction(*rules.refusal)
    )


def _begins(state: Any, voice: Voice[Any], pick: Pick) -> IllegalAction:
    """What is said of what is possible, but begins with another element."""
    first = voice.card(state, pick.keys[0])
    return IllegalAction(
        "",
        "“{action}” is possible; it begins with {first}.",
        action=pick.label,
        first=first.title if first else pick.group,
    )


def _tried(
    position: Position[Any], voice: Voice[Any], actions: Iterable[Action]
) -> IllegalAction | None:
    """Why none of these actions is allowed, a reason for each kind of them; None if there are none.
    If one is allowed, where it begins."""
    refused: dict[type[Action], list[tuple[Action, IllegalAction]]] = {}
    for action in islice(actions, MOST_ATTEMPTS):
        problem = position.problem(action)
        if problem is not None:
            refused.setdefault(type(action), []).append((action, problem))
            continue
        pick = voice.pick(position.state, action)
        if not pick.several:
            return _begins(position.state, voice, pick)
    found: dict[str, IllegalAction] = {}
    for kind in refused.values():
        reason = _reason(position.state, voice, kind)
        found.setdefault(str(reason), reason)
    if not found:
        return None
    said, *others = found.values()
    for other in others:
        said = IllegalAction(said.rule, "{one} {other}", one=said, other=other)
    return said


def _reason(
    state: Any, voice: Voice[Any], refused: Sequence[tuple[Action, IllegalAction]]
) -> IllegalAction:
    """Why none of these actions of one kind is allowed. What is checked first is most general: if all
    fail there, that is the reason. If they differ, it is that of the action that came furthest, told of
    all of them where the rules can (`IllegalAction.without`), else with the name of that action."""
    action, best = max(refused, key=lambda one: one[1].passed)
    fields = {
        field
        for field in action.__struct_fields__
        if any(getattr(other, field) != getattr(action, field) for other, _ in refused)
    }
    general = best.in_general(fields)
    if general is not None:
        return general
    if all(str(problem) == str(best) for _, problem in refused):
        return best
    label = voice.pick(state, action).label
    return IllegalAction(best.rule, "“{action}” comes closest. {reason}", action=label, reason=best)


class Preview(msgspec.Struct, frozen=True):
    """What an action brings for certain, and what follows if then no one objects."""

    certain: tuple[Event, ...] = ()
    unopposed: tuple[Event, ...] = ()


def preview(view: View, action: Action) -> Preview:
    """What is certain to follow from an action that is allowed: up to the first draw and the first
    decision, as far as the viewer may know it. What is hidden is guessed, and only what follows from
    every guess is told."""
    title = view.title
    guesses = 1 if type(title).view is Title.view else SAMPLES
    found = [_outcome(view, action, random.Random(number)) for number in range(guesses)]
    certain = _common([one.certain for one in found])
    whole = all(len(one.certain) == len(certain) for one in found)
    return Preview(certain, _common([one.unopposed for one in found]) if whole else ())


def _common(courses: Sequence[tuple[Event, ...]]) -> tuple[Event, ...]:
    """How all of them begin."""
    first = courses[0]
    for length, event in enumerate(first):
        if any(course[length : length + 1] != (event,) for course in courses):
            return first[:length]
    return first


def _outcome(view: View, action: Action, rng: random.Random) -> Preview:
    title = view.title
    state = title.determinize(title.clone(view.state), view.seat, rng)
    position = Position(title, state, _NoChance())
    if position.problem(action) is not None:
        return Preview()
    events, stopped = _perform(position, action)
    certain = _known(title, events, view.seat)
    return Preview(certain, () if stopped else _unopposed(title, position, action, view.seat))


def _unopposed(
    title: Title[Any], position: Position[Any], action: Action, seat: int | None
) -> tuple[Event, ...]:
    """What follows if everybody else who may object lets it stand (`Title.standing_refusal`)."""
    found: list[Event] = []
    for _ in range(MOST_REFUSALS):
        others = [decision for decision in position.pending() if decision.seat != action.seat]
        offer = title.standing_refusal(position.state, others[0]) if others else None
        if offer is None:
            break
        events, stopped = _perform(position, offer[1])
        found += events
        if stopped:
            break
    return _known(title, found, seat)


def _perform(position: Position[Any], action: Action) -> tuple[list[Event], bool]:
    """Carry out an action as far as it can be known, and whether it had to stop before the next
    decision."""
    state, title = position.state, position.title
    play: Play[Any] = Play(state, position.chance, title.rules.stated)
    step, rules = position.top()
    try:
        rules.perform(state, step, action, play)
        if rules.secretive:
            return play.events[:1], True
        title.after_step(play)
        while state.agenda:
            step, rules = position.top()
            if rules.secretive:
                return play.events, True
            if rules.deciders(state, step):
                return play.events, False
            before = len(play.events)
            rules.run(state, step, play)
            title.after_step(play)
            if not state.agenda and type(title).view is not Title.view:
                # The end shows what was secret.
                return play.events[:before], True
    except _Unknown:
        return play.events, True
    return play.events, False


def _known(title: Title[Any], events: Sequence[Event], seat: int | None) -> tuple[Event, ...]:
    """Those that the seat may know, up to the first that shows what is secret."""
    found = takewhile(lambda event: not title.shows([event]), events)
    return tuple(event for event in found if visible_to(event, seat))


#: Seat of the guided player.
LEARNER = 0


class GuidedGame:
    """The course of a guided game, replayed."""

    def __init__(self, title: Title[Any], guide: Guide) -> None:
        self.guide = guide
        self.game = game = record.read(guide.record, lambda name: _same(title, name))
        if (game.seed, game.names[1:]) != (guide.seed, guide.players):
            raise KursbuchError(
                "The record of the guided game of {title} has another seed or other names.",
                title=title.name,
            )
        if title.option_values(guide.options) != dict(game.options):
            raise KursbuchError(
                "The record of the guided game of {title} was played with other options.",
                title=title.name,
            )
        moves = game.moves[: guide.stop]
        own = [
            number
            for number, move in enumerate(moves)
            if move.action.seat == LEARNER and self.jump(number) is None
        ]
        if len(moves) < guide.stop or own != [step.at for step in guide.step]:
            raise KursbuchError(
                "The steps of the guided game of {title} must stand at {own}, where the reader decides.",
                title=title.name,
                own=", ".join(map(str, own)),
            )

    def followed(self, actions: Sequence[Action]) -> int:
        """How many moves of a game with these actions are those of the guide, which says nothing after
        its last one."""
        pairs = zip(actions, self.game.moves[: self.guide.stop], strict=False)
        return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1].action, pairs))

    def on_course(self, actions: Sequence[Action]) -> bool:
        """Whether all of these are moves of the guide, so that the position is one of its own."""
        return self.followed(actions) == len(actions)

    def jump(self, number: int) -> GuideJump | None:
        """The automatic stretch of the guide after a number of moves; None outside of one."""
        return next((jump for jump in self.guide.jump if jump.at <= number < jump.to), None)

    def next(self, number: int) -> Action | None:
        """The move of the guide after a number of moves; None at its end and in automatic stretches."""
        if number >= self.guide.stop or self.jump(number) is not None:
            return None
        return self.game.moves[number].action

    def jumped(self, number: int) -> list[Action]:
        """The moves from here to the end of the automatic stretch."""
        jump = self.jump(number)
        return [move.action for move in self.game.moves[number : jump.to]] if jump else []


def _same(title: Title[Any], name: str) -> Title[Any]:
    if name != title.id:
        raise KursbuchError("This is a record of {name}.", name=name)
    return title


@cache
def guided_game(title: Title[Any]) -> GuidedGame | None:
    """The guided game of a title, if it has one; `KursbuchError` says what is wrong with its record."""
    guide = title.lessons.guide if title.lessons is not None else None
    return None if guide is None else GuidedGame(title, guide)
