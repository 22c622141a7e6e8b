"""The installed titles and importers, found by entry point, so that other packages can add their own."""

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
    """The installed titles. Each is imported when it is asked for."""

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
    """All installed titles by id, in the order of their ids. A title is imported when it is asked for.

    >>> {id_: title.name for id_, title in titles().items()}
    {'1835': '1835', '1853': '1853', 'dice': 'Railroad Dice', 'nimm': 'Nimm den Zug', 'rocket': "Stephenson's Rocket"}
    """
    return _Titles()


def title(name: str) -> Title[Any]:
    """The title with that id; `KursbuchError` names those that exist.

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
    """The title with that id, with corrected component data (the content of a file) if there are any."""
    return title(name) if data is None else _corrected(name, data)


@lru_cache(maxsize=32)
def _corrected(name: str, data: bytes) -> Title[Any]:
    return title(name).with_data(data)


IMPORTER_GROUP = "kursbuch.importers"

#: Called with how much has been done, and of how much.
Progress = Callable[[int, int], None]


class OtherGame(KursbuchError):
    """The file is a game of another title."""


class Remark(NamedTuple):
    """A remark for the person who imports a game: a translatable sentence, and the numbers of the
    file's actions it is about (empty: the whole game)."""

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
    """A game made from the file of another program.

    `actions` are the actions in the file, numbered from 0, of which the first `done` have been
    carried out; `stopped` says why not all. `reached` has for the number of each of these (some may
    be left out as changing nothing) how many of our moves lead to where theirs stood after it.
    `ahead` are those after which ours is already further, because it does by itself what theirs does
    with the next action.
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


@lru_cache
def importers() -> dict[str, dict[str, Importer]]:
    """All installed importers: by the ending of files (".rails"), and then by the title's id.

    >>> list(importers()[".rails"])
    ['1835']
    """
    found: dict[str, dict[str, Importer]] = {}
    for entry in sorted(entry_points(group=IMPORTER_GROUP), key=lambda entry: entry.name):
        title, _, ending = entry.name.rpartition(".")
        found.setdefault(f".{ending}", {})[title] = entry.load()
    return found
