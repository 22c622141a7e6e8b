"""Verification of records, and differences between rule editions."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import msgspec

from kursbuch.core.actions import Action
from kursbuch.core.errors import KursbuchError
from kursbuch.core.game import Game
from kursbuch.core.position import Position
from kursbuch.core.record import FORMER, Record
from kursbuch.core.record_format import CHECKS_A_LINE, LEAST_DIGITS, Checks
from kursbuch.core.rulebook import Correction
from kursbuch.core.title import Title

PROVEN, CONSISTENT, CHANGED = "proven", "consistent", "changed"
_HEAD = re.compile(r"([0-9a-f]+)(?:-(\d{1,9}))?", re.ASCII)


class Verification(NamedTuple):
    """Whether a record is the game that was played.

    `changes` lists alterations, `open_points` the reasons why it is not fully proven. The first `proven` moves are
    proven; None if none are. `refusal` says why replaying stopped, which only happens after a change; `game` then
    holds the moves up to there.
    """

    game: Game
    changes: tuple[KursbuchError, ...] = ()
    open_points: tuple[KursbuchError, ...] = ()
    proven: int | None = None
    refusal: KursbuchError | None = None

    @property
    def verdict(self) -> str:
        """The verdict as a word."""
        if self.changes:
            return CHANGED
        return CONSISTENT if self.open_points else PROVEN


def verify(
    text: str,
    find: Callable[[str], Title[Any]],
    head: str | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Verification:
    """Replay a record and compare it with its hash chain, and with a `head` noted at the table. `KursbuchError` if
    the record cannot be read although it is unchanged."""
    noted = None if head is None else _noted(head)
    record = Record(text, find)
    game = record.game
    try:
        record.replay(progress)
    except KursbuchError as error:
        changes = tuple(_changes(game, record.checks, whole=False))
        if not changes:
            raise
        return Verification(game, changes, refusal=error)
    changes = tuple(_changes(game, record.checks, whole=True))
    proven = None if noted is None else _proven(game, *noted)
    if noted is not None and proven is None and game.salt is not None:
        changes += (
            KursbuchError(
                "No position of this game has the hash that was noted: something was changed, or the moves that led "
                "there were taken back."
            ),
        )
    return Verification(
        game, changes, tuple(_open_points(game, record.checks, noted, proven)), proven
    )


def _noted(head: str) -> tuple[str, int]:
    """Parse a noted head: its digits, and the counter of moves taken back."""
    found = _HEAD.fullmatch("".join(head.split()).lower())
    if not found or not LEAST_DIGITS <= len(found[1]) <= 64:
        raise KursbuchError(
            "A hash of the chain has {least} to 64 digits from 0 to f.", least=LEAST_DIGITS
        )
    return found[1], int(found[2] or 0)


def _proven(game: Game, digits: str, rewound: int) -> int | None:
    """Number of moves after which the game has this head, with the names of that time; None if never."""
    if game.salt is None:
        return None
    for names, numbers in _named(game):
        for number in reversed(numbers):
            head = game.head(number, names, rewound)
            if head is not None and head.startswith(digits):
                return number
    return None


def _named(game: Game) -> Iterator[tuple[Sequence[str], range]]:
    """Player names with the range of move numbers they apply to, latest first."""
    names, last = list(game.names), len(game.moves)
    for one in reversed(game.former):
        first = min(one.moves, last)
        yield tuple(names), range(first, last + 1)
        names[one.seat], last = one.name, first
    yield tuple(names), range(last + 1)


def _open_points(
    game: Game, checks: Checks, noted: tuple[str, int] | None, proven: int | None
) -> Iterator[KursbuchError]:
    """Reasons why an unchanged record is not fully proven."""
    if game.seed is None:
        yield KursbuchError("Without the seed the draws cannot be checked.")
    if noted is None:
        if checks == Checks():
            yield KursbuchError("The record has no chain of hashes: an older program wrote it.")
        else:
            yield KursbuchError(
                "A changed record can get a new chain: only a hash that was noted at the table proves it."
            )
    elif game.salt is None:
        yield KursbuchError("Without the seed the hash that was noted cannot be compared.")
    elif proven is not None and proven < len(game.moves):
        yield KursbuchError(
            "The hash that was noted proves the game up to move {number} of {moves}.",
            number=proven,
            moves=len(game.moves),
        )


def _changes(game: Game, found: Checks, *, whole: bool) -> Iterator[KursbuchError]:
    """Changes made to a record, of which the `whole` or only the beginning was read."""
    if found == Checks():
        return
    for name in ("seed", "salt"):
        told = found.fields is not None and name in found.fields
        if told and (game.seed if name == "seed" else game.salt) is None:
            yield _missing(name)
    if game.salt is None:
        return
    own = game.checks(reveal=found.fields is not None and "seed" in found.fields)
    if whole and own.head == found.head:
        # The game matches its chain, so only the other check lines can be wrong.
        if own.moves != found.moves:
            yield _changed("chain")
        yield from _wrong_checks(own, found)
        return
    fields, move = _changed_fields(own, found), _changed_move(own, found)
    yield from map(_changed, fields)
    if move is not None:
        if move:
            text = game.format(game.moves[move - 1].action)
            yield KursbuchError(
                "Move {move} ({text}) or what was drawn then was changed.", move=move, text=text
            )
        elif not fields:
            yield KursbuchError("Something before the first move was changed.")
        return
    if not whole or fields:
        return
    moves = max(found.states, default=len(game.moves)) if found.moves is None else found.moves
    if moves > len(game.moves):
        yield KursbuchError(
            "The moves from number {number} on are missing; there were {moves}.",
            number=len(game.moves) + 1,
            moves=moves,
        )
    elif moves < len(game.moves):
        yield KursbuchError("The moves from number {number} on were added.", number=moves + 1)
    else:
        yield _missing("chain") if found.head is None else _changed("chain")


def _changed(name: str) -> KursbuchError:
    return KursbuchError('The line "{name}" was changed, added or left out.', name=name)


def _missing(name: str) -> KursbuchError:
    return KursbuchError('The line "{name}" is missing.', name=name)


def _wrong_checks(own: Checks, found: Checks) -> Iterator[KursbuchError]:
    """Check lines that do not match an unchanged game."""
    if found.fields is None:
        yield _missing("check header")
    fields = _changed_fields(own, found)
    # A head includes only the names of its time.
    former = [name for name in fields if FORMER.fullmatch(name)]
    yield from map(_changed, former)
    if len(former) < len(fields):
        yield _changed("check header")
    numbers = sorted(own.states.keys() | found.states)
    wrong = {n - n % CHECKS_A_LINE for n in numbers if own.states.get(n) != found.states.get(n)}
    for first in sorted(wrong):
        yield _changed(f"check {first}")


def _changed_fields(own: Checks, found: Checks) -> list[str]:
    """Header lines that were changed."""
    if own.fields is None or found.fields is None:
        return []
    one, other = own.fields, found.fields
    # The seed may be revealed later; a missing one is reported elsewhere.
    told = {name for name in ("seed", "salt") if name not in one or name not in other}
    names = dict.fromkeys(name for name in (*one, *other) if name not in told)
    return [name for name in names if one.get(name) != other.get(name)]


def _changed_move(own: Checks, found: Checks) -> int | None:
    """The first move after which the chain differs; 0 for the beginning."""
    for number, check in own.states.items():
        if found.states.get(number, check) != check:
            return number
    return None


class Difference(msgspec.Struct, frozen=True):
    """A move that a rule correction would now refuse or give another effect."""

    move: int
    correction: Correction
    refusal: KursbuchError | None


def differences(game: Game) -> Iterator[Difference]:
    """Moves that would differ under today's rules, in order."""
    position = game.at(0)
    for number, move in enumerate(game.moves, 1):
        position.edition = move.edition
        if position.state.uncorrected:
            for correction, refusal in _changed_by_corrections(position, move.action):
                yield Difference(number, correction, refusal)
        position.perform(move.action)


def _changed_by_corrections(
    position: Position[Any], action: Action
) -> Iterator[tuple[Correction, KursbuchError | None]]:
    """The corrections that change an action of an older edition."""
    older = list(position.state.uncorrected)
    as_it_was = effect(position, action, older)
    if effect(position, action, []) == as_it_was:
        return
    corrections = {each.id: each for each in position.title.rules.corrections}
    alone = [
        (name, effect(position, action, [each for each in older if each != name])) for name in older
    ]
    # If only several corrections together make a difference, name all of them.
    for name, outcome in [each for each in alone if each[1] != as_it_was] or alone:
        yield corrections[name], outcome if isinstance(outcome, KursbuchError) else None


def effect(
    position: Position[Any], action: Action, uncorrected: Sequence[str]
) -> tuple[bytes, object] | KursbuchError:
    """The state and events after an action without these corrections, or its refusal."""
    trial = position.clone()
    trial.state.uncorrected = list(uncorrected)
    try:
        trial.check(action)
        events = trial.perform(action).events
    except KursbuchError as error:
        # A draw missing from the record counts as a refusal.
        return error
    trial.state.uncorrected = []
    return trial.title.encode(trial.state), events
