"""What the files of Rails-18xx do not say, and how it is found out.

Where our game asks for a choice that is not in the file, any answer is taken and noted as an open
point. If the game then cannot be played along the file, the points are come back to: one with another
answer at first, the one about the same company and the newest before others, then two together. An
answer that leads further stays, and can be come back to itself. If none does, and the action breaks a rule,
that program has broken it: what it made of it is taken over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations, islice, product
from typing import NamedTuple, Protocol, Self, TypeVar

from kursbuch.core.errors import KursbuchError
from kursbuch.core.registry import Progress

#: So many times a game is played again from an open point.
MOST_ATTEMPTS = 200

#: And so many before an action is taken over against a rule, or passed over.
MOST_BEFORE_BROKEN = 20

#: The choice at a point: where in the file it came up, what it was about, which of several there.
Key = tuple[int, str, int]

#: The number of the answer taken at points; the first where nothing is said.
Picks = Mapping[Key, int]


class Point(NamedTuple):
    """A choice that is not in the file: how many answers there are, and which was taken."""

    key: Key
    answers: int
    taken: int


class Needs(Exception):
    """The game cannot be played along the file without an option."""

    def __init__(self, option: str) -> None:
        self.option = option


class CannotTake(KursbuchError):
    """An action cannot be taken over, however the game has gone."""


class DoesNotFit(CannotTake):
    """An action cannot be taken over as the game has gone. `perhaps` are options that may be the
    reason; `broken` is the rule it breaks, if it could be taken over against it; `near` says that only
    points about the same company can help then. An action that is `empty` may decide nothing."""

    perhaps: tuple[str, ...] = ()
    broken: str = ""
    near: bool = False
    empty: bool = False


class Attempt(Protocol):
    """A game played along a file. `picks` are the answers at points, `points` those met, `head` is the
    place of the first action not taken over, `about` what that action is about."""

    @property
    def picks(self) -> Picks: ...

    @property
    def points(self) -> Sequence[Point]: ...

    @property
    def head(self) -> int: ...

    @property
    def about(self) -> str: ...

    def run(self, progress: Progress | None) -> KursbuchError | None:
        """Go on to the end; returns why it could not."""
        ...

    def again(self, picks: Picks) -> Self:
        """The same up to the first of these points, with these answers."""
        ...

    def overrule(self) -> Self:
        """The same, where the next action is taken over even against a rule, or passed over if it is empty."""
        ...


AttemptT = TypeVar("AttemptT", bound=Attempt)

#: Begins anew with an option and the answers found so far; None if it cannot be set.
Restart = Callable[[AttemptT, str], AttemptT | None]


def search(
    attempt: AttemptT, restart: Restart[AttemptT], progress: Progress | None
) -> tuple[AttemptT, KursbuchError | None]:
    """The attempt that comes furthest, and why it could not go on."""
    attempt, stopped = _run(attempt, restart, progress)
    left = MOST_ATTEMPTS
    overruled: set[tuple[int, str]] = set()
    while isinstance(stopped, DoesNotFit):
        most = min(left, MOST_BEFORE_BROKEN) if stopped.broken or stopped.empty else left
        for trial in islice(_trials(attempt, stopped, restart), most):
            left -= 1
            found, why = _run(trial, restart, progress)
            if why is None or found.head > attempt.head:
                attempt, stopped = found, why
                break
        else:
            here = (attempt.head, stopped.broken)
            if not (stopped.broken or stopped.empty) or here in overruled:
                break
            overruled.add(here)
            attempt, stopped = _run(attempt.overrule(), restart, progress)
    return attempt, stopped


def _run(
    attempt: AttemptT, restart: Restart[AttemptT], progress: Progress | None
) -> tuple[AttemptT, KursbuchError | None]:
    """Play to the end, with the options that takes."""
    while True:
        try:
            return attempt, attempt.run(progress)
        except Needs as needs:
            anew = restart(attempt, needs.option)
            assert anew is not None, "an option that is set already is not needed"
            attempt = anew


def _trials(
    attempt: AttemptT, stopped: DoesNotFit, restart: Restart[AttemptT]
) -> Iterator[AttemptT]:
    """What may lead further, the likeliest first: another option, another answer at one point, at
    two of the same company, at any two."""
    for option in stopped.perhaps:
        anew = restart(attempt, option)
        if anew is not None:
            yield anew
    newest = attempt.points[::-1]
    related = [point for point in newest if point.key[1] == attempt.about]
    order = related + [point for point in newest if point.key[1] != attempt.about]
    if stopped.near:
        order = related
    pairs = () if stopped.broken else (*combinations(related, 2), *combinations(order, 2))
    for group in (*combinations(order, 1), *pairs):
        others = ([n for n in range(point.answers) if n != point.taken] for point in group)
        for taken in product(*others):
            picks = zip((point.key for point in group), taken, strict=True)
            yield attempt.again(dict(picks))
