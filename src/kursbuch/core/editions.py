"""What corrections of the rules would change in a game that was played by an older edition.

A game goes on when a rule is corrected: moves made by an older edition are replayed as they were, and
new ones follow the corrected rules (docs/records.md). Rules ask `State.corrected` exactly where a
correction forbids or changes something.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from kursbuch.core.actions import Action
from kursbuch.core.errors import KursbuchError
from kursbuch.core.game import Game
from kursbuch.core.position import Position
from kursbuch.core.rules import Correction


class Difference(msgspec.Struct, frozen=True):
    """A move that a correction would refuse now, or that would have another effect."""

    move: int
    correction: Correction
    refusal: KursbuchError | None


def differences(game: Game) -> Iterator[Difference]:
    """The moves, in their order, that would not be what they were by today's rules."""
    position = game.at(0)
    for number, move in enumerate(game.moves, 1):
        position.edition = move.edition
        if position.state.uncorrected:
            for correction, refusal in _changed(position, move.action):
                yield Difference(number, correction, refusal)
        position.perform(move.action)


def _changed(
    position: Position[Any], action: Action
) -> Iterator[tuple[Correction, KursbuchError | None]]:
    """The corrections that make a difference to an action of an older edition."""
    older = list(position.state.uncorrected)
    as_it_was = effect(position, action, older)
    if effect(position, action, []) == as_it_was:
        return
    corrections = {each.id: each for each in position.title.rules.corrections}
    alone = [
        (name, effect(position, action, [each for each in older if each != name])) for name in older
    ]
    # Where only several corrections together make a difference, all of them are named.
    for name, outcome in [each for each in alone if each[1] != as_it_was] or alone:
        yield corrections[name], outcome if isinstance(outcome, KursbuchError) else None


def effect(
    position: Position[Any], action: Action, uncorrected: Sequence[str]
) -> tuple[bytes, object] | KursbuchError:
    """What an action leads to without some corrections: the state and the events, or a refusal."""
    trial = position.clone()
    trial.state.uncorrected = list(uncorrected)
    try:
        trial.check(action)
        events = trial.perform(action).events
    except KursbuchError as error:
        # A draw that the record does not have is as good as a refusal.
        return error
    trial.state.uncorrected = []
    return trial.title.encode(trial.state), events
