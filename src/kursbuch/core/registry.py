"""Installed titles and importers, found by entry point."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from importlib.metadata import entry_points
from typing import Any, NamedTuple, Protocol

from kursbuch.core.errors import LAZY, KursbuchError, Plural
from kursbuch.core.game import Game
from kursbuch.core.title import Title
from kursbuch.core.words import Words

TITLE_GROUP = "kursbuch.titles"


class _Titles(Mapping[str, Title[Any]]):
    """The installed titles, each imported on first use."""

    def __init__(self) -> None:
        entries = sorted(entry_points(group=TITLE_GROUP), key=lambda entry: entry.name)
        self._entries = {entry.name: entry for entry in entries}
        self._loaded: dict[str, Title[Any]] = {}

    def __getitem__(self, name: str) -> Title[Any]:
        if name not in self._loaded:
            self._loaded[name] = self._entries[name].load()
        return self._loaded[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)


@lru_cache
def titles() -> Mapping[str, Title[Any]]:
    """All installed titles, sorted by id. A title is imported on first use.

    >>> {id_: title.name for id_, title in titles().items()}
    {'1835': '1835', '1853': '1853', 'dice': 'Railroad Dice', 'nimm': 'Nimm den Zug', 'rocket': "Stephenson's Rocket"}
    """
    return _Titles()


def title(name: str) -> Title[Any]:
    """The title with that id; `KursbuchError` lists the installed ones.

    >>> title("nimm").seats
    range(2, 7)
    """
    try:
        return titles()[name]
    except KeyError:
        raise KursbuchError(
            "There is no title {name}; installed are: {known}.",
            name=name,
            known=", ".join(titles()),
        ) from None


def title_with_data(name: str, data: bytes | None) -> Title[Any]:
    """The title with that id, with corrected component data (file content) if given."""
    return title(name) if data is None else _corrected(name, data)


@lru_cache(maxsize=32)
def _corrected(name: str, data: bytes) -> Title[Any]:
    return title(name).with_data(data)


IMPORTER_GROUP = "kursbuch.importers"

#: Called with the amount done and the total.
Progress = Callable[[int, int], None]


class OtherGame(KursbuchError):
    """The file belongs to another title."""


class Remark(NamedTuple):
    """A remark on an imported game: a translatable sentence, and the numbers of the file's actions it refers to
    (empty: the whole game)."""

    actions: tuple[int, ...]
    template: str | Plural
    params: Mapping[str, object]

    def text(self, words: Words) -> str:
        """The sentence in the language of `words`; {actions} are the numbers."""
        params = {
            name: value.text(words) if isinstance(value, LAZY) else value
            for name, value in self.params.items()
        }
        params["actions"] = ", ".join(map(str, self.actions))
        if isinstance(self.template, Plural):
            return words.ngettext(*self.template, len(self.actions), **params)
        return words._(self.template, **params)


class Imported(NamedTuple):
    """A game imported from another program's file.

    The first `done` of the file's `actions`, numbered from 0, were imported; `stopped` says why not all. `reached`
    maps action numbers to the number of our moves that lead to the same position; actions without effect may be
    missing. `ahead` are the actions after which our game is further, because it performs the file's next action
    automatically.
    """

    game: Game
    actions: int
    done: int
    reached: Mapping[int, int]
    ahead: frozenset[int]
    remarks: tuple[Remark, ...]
    stopped: KursbuchError | None


class Importer(Protocol):
    """Reads a game of another program. With `partial` it stops at the first action it cannot import and returns the
    game so far; otherwise it raises `KursbuchError`."""

    def __call__(
        self,
        title: Title[Any],
        data: bytes,
        *,
        partial: bool = False,
        progress: Progress | None = None,
    ) -> Imported: ...


@lru_cache
def importers() -> dict[str, dict[str, Importer]]:
    """All installed importers by file extension (".rails") and title id.

    >>> list(importers()[".rails"])
    ['1835']
    """
    found: dict[str, dict[str, Importer]] = {}
    for entry in sorted(entry_points(group=IMPORTER_GROUP), key=lambda entry: entry.name):
        title, _, ending = entry.name.rpartition(".")
        found.setdefault(f".{ending}", {})[title] = entry.load()
    return found
