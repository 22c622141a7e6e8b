"""Games of other programs: what a title that can read them gives back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, Protocol

from kursbuch.core.errors import KursbuchError
from kursbuch.core.game import Game
from kursbuch.core.title import Title
from kursbuch.core.words import Words

Progress = Callable[[int, int], None]


class OtherGame(KursbuchError):
    """The file is a game of another title."""


class Remark(NamedTuple):
    """What whoever imports a game should know: a translatable sentence, and the numbers of the
    file's actions it is about (empty: the whole game)."""

    actions: tuple[int, ...]
    template: str
    params: Mapping[str, object]

    def text(self, words: Words) -> str:
        """The sentence in the language of `words`; {actions} are the numbers."""
        numbers = ", ".join(map(str, self.actions))
        return words._(self.template, **self.params, actions=numbers)


class Imported(NamedTuple):
    """A game made from the file of another program.

    `actions` are the actions in the file, numbered from 0, of which the first `done` have been
    carried out; `stopped` says why not all. `reached` has for the number of each of these (some may
    be left out as changing nothing) how many of our moves lead to where theirs stood after it.
    `ahead` are those after which ours is already further, because it does by itself what theirs
    does with the next action.
    """

    game: Game
    actions: int
    done: int
    reached: Mapping[int, int]
    ahead: frozenset[int]
    remarks: tuple[Remark, ...]
    stopped: KursbuchError | None


class Importer(Protocol):
    """Reads a game of another program. With `partial` it stops at the first action that cannot be
    taken over and gives the game up to there; otherwise it raises `KursbuchError`."""

    def __call__(
        self,
        title: Title[Any],
        data: bytes,
        *,
        partial: bool = False,
        progress: Progress | None = None,
    ) -> Imported: ...
