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
    corrections = {each.id: each for each in game.title.rules.corrections}
    for number, move in enumerate(game.moves):
        if move.edition == game.title.edition:
            continue
        position = game.at(number)
        older = list(position.state.uncorrected)
        as_it_was = effect(position, move.action, older)
        if effect(position, move.action, []) == as_it_was:
            continue
        alone = [
            (name, effect(position, move.action, [each for each in older if each != name]))
            for name in older
        ]
        # Where only several corrections together make a difference, all of them are named.
        for name, outcome in [each for each in alone if each[1] != as_it_was] or alone:
            refusal = outcome if isinstance(outcome, KursbuchError) else None
            yield Difference(number + 1, corrections[name], refusal)


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
