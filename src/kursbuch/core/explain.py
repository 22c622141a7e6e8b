"""Explanations for players: why an action is illegal, a preview of its effect, and the guided first game.

They work on views, so nothing hidden is revealed.
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
from kursbuch.core.state import State
from kursbuch.core.title import Title
from kursbuch.core.tutorial import Guide, GuideJump
from kursbuch.core.voice import Pick, Voice

#: Number of guesses of hidden information that must agree.
SAMPLES = 4

#: Maximum number of illegal actions tried to find a reason.
MOST_ATTEMPTS = 500

#: Maximum number of standing refusals played in a preview.
MOST_REFUSALS = 20


class _Unknown(KursbuchError):
    """The outcome depends on chance."""


class _NoChance:
    def draw(self, counter: int, sides: int) -> int:
        raise _Unknown("Chance decides what follows.")


def why_illegal(view: View, voice: Voice[Any], keys: Sequence[str]) -> IllegalAction | None:
    """Explain why selecting these elements in order leads to no action; None if it does.

    Every action that may be meant is tried. The answer is the most general reason that fits them all, otherwise the
    reason of the action that came closest to being legal.
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
        # Spectators have no seat that a step could refuse.
        return StepRules.not_asked(rules, state, step, Action(state.seats))
    if not position.may_act(seat):
        return rules.not_asked(state, step, Action(seat))
    picks = [voice.pick(state, choice.action) for choice in position.legal_actions(seat)]
    if any(not pick.several and pick.keys[: len(way)] == way for pick in picks):
        return None
    for pick in picks if len(way) == 1 else ():
        if way[-1] in pick.keys and not pick.several:
            return _begins(state, voice, pick)
    # Keys without a drawing make malformed attempts.
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
    # A bare Action gets the general refusal of the step.
    return (
        _tried(position, voice, likely)
        or _tried(position, voice, loose)
        or rules.problem(state, step, Action(seat))
        or IllegalAction(*rules.refusal)
    )


def _begins(state: Any, voice: Voice[Any], pick: Pick) -> IllegalAction:
    """Say that an action is possible but starts with another element."""
    first = voice.card(state, pick.keys[0])
    return IllegalAction(
        "",
        "“{action}” is possible: choose {first} first.",
        action=pick.label,
        first=first.title if first else pick.group,
    )


def _tried(
    position: Position[Any], voice: Voice[Any], actions: Iterable[Action]
) -> IllegalAction | None:
    """Why all of these actions are illegal, with one reason per action type; None if there are none. For a legal
    action, say where it begins."""
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
    """Why these actions of one type are illegal: the reason they share, else that of the action that passed most
    checks. It is stated generally where possible (`IllegalAction.without`), otherwise with that action's name."""
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
    """Certain events of an action, and those that follow if no one objects. `after` is the state right after the
    action, with hidden information guessed; None if the action is illegal or its effect unknown."""

    certain: tuple[Event, ...] = ()
    unopposed: tuple[Event, ...] = ()
    after: State[Any] | None = None


def preview(view: View, action: Action) -> Preview:
    """Events that are certain to follow a legal action, up to the first draw or decision, as far as the viewer may
    see them. Hidden information is guessed several times; only common events are kept."""
    title = view.title
    guesses = 1 if type(title).view is Title.view else SAMPLES
    found = [_outcome(view, action, random.Random(number)) for number in range(guesses)]
    certain = _common([one.certain for one in found])
    whole = all(len(one.certain) == len(certain) for one in found)
    unopposed = _common([one.unopposed for one in found]) if whole else ()
    return Preview(certain, unopposed, _after(view, action))


def _common(courses: Sequence[tuple[Event, ...]]) -> tuple[Event, ...]:
    """Common prefix of these sequences."""
    first = courses[0]
    for length, event in enumerate(first):
        if any(course[length : length + 1] != (event,) for course in courses):
            return first[:length]
    return first


def _guess(view: View, rng: random.Random) -> Position[Any]:
    """A position the viewer may be in, in which every draw is unknown."""
    title = view.title
    state = title.determinize(title.clone(view.state), view.seat, rng)
    return Position(title, state, _NoChance())


def _outcome(view: View, action: Action, rng: random.Random) -> Preview:
    title, position = view.title, _guess(view, rng)
    if position.problem(action) is not None:
        return Preview()
    events, stopped = _perform(position, action)
    certain = _known(title, events, view.seat)
    return Preview(certain, () if stopped else _unopposed(title, position, action, view.seat))


def _after(view: View, action: Action) -> State[Any] | None:
    """The state right after an action, before automatic steps; None if it is illegal or its effect unknown."""
    position = _guess(view, random.Random(0))
    state, (step, rules) = position.state, position.top()
    if rules.secretive or position.problem(action) is not None:
        return None
    play: Play[Any] = Play(state, position.chance, view.title.rules.stated)
    try:
        rules.perform(state, step, action, play)
    except _Unknown:
        return None
    return state  # type: ignore[no-any-return]


def _unopposed(
    title: Title[Any], position: Position[Any], action: Action, seat: int | None
) -> tuple[Event, ...]:
    """Events that follow if all others decline to object (`Title.standing_refusal`)."""
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
    """Perform an action as far as its effect is known; also whether that stopped before the next decision."""
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
                # The end of the game reveals secrets.
                return play.events[:before], True
    except _Unknown:
        return play.events, True
    return play.events, False


def _known(title: Title[Any], events: Sequence[Event], seat: int | None) -> tuple[Event, ...]:
    """Events visible to the seat, up to the first that reveals a secret."""
    found = takewhile(lambda event: not title.shows([event]), events)
    return tuple(event for event in found if visible_to(event, seat))


#: Seat of the guided player.
LEARNER = 0


class GuidedGame:
    """A guided game with its record replayed."""

    def __init__(self, title: Title[Any], guide: Guide) -> None:
        self.guide = guide
        self.game = game = record.read(guide.record, lambda name: _same(title, name))
        if (game.seed, game.names[1:]) != (guide.seed, guide.players):
            raise KursbuchError(
                (
                    "The record of the guided game of {title} has a different seed or "
                    "different names."
                ),
                title=title.name,
            )
        if title.option_values(guide.options) != dict(game.options):
            raise KursbuchError(
                ("The record of the guided game of {title} was played with different options."),
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
                (
                    "The steps of the guided game of {title} must be at {own}, where the "
                    "reader decides."
                ),
                title=title.name,
                own=", ".join(map(str, own)),
            )

    def followed(self, actions: Sequence[Action]) -> int:
        """Number of leading moves that follow the guide."""
        pairs = zip(actions, self.game.moves[: self.guide.stop], strict=False)
        return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1].action, pairs))

    def on_course(self, actions: Sequence[Action]) -> bool:
        """Whether all moves follow the guide."""
        return self.followed(actions) == len(actions)

    def jump(self, number: int) -> GuideJump | None:
        """The automatic stretch that contains this move number, if any."""
        return next((jump for jump in self.guide.jump if jump.at <= number < jump.to), None)

    def next(self, number: int) -> Action | None:
        """The guide's move after `number` moves; None at the end and in automatic stretches."""
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
    """The guided game of a title, if it has one; `KursbuchError` if its record does not fit."""
    guide = title.lessons.guide if title.lessons is not None else None
    return None if guide is None else GuidedGame(title, guide)
