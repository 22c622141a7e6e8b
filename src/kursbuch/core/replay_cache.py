"""Games as bytes with all replayed data, to load them without a replay, from the database or another process.
Readable only by the same program with the same rules."""

from __future__ import annotations

import hashlib
import importlib
import zlib
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from kursbuch.core.chance import ContinuedChance, RecordedChance
from kursbuch.core.game import Game, Move, Reading
from kursbuch.core.record_format import Copied, Former
from kursbuch.core.title import Title

#: Number of moves between stored states.
STATES_EVERY = 50

#: File extensions of the program's sources.
_SOURCES = (".py", ".json", ".toml")


class _Typed(msgspec.Struct, frozen=True, array_like=True):
    """An event or action: type number and fields."""

    kind: int
    data: msgspec.Raw


class _Move(msgspec.Struct, frozen=True, array_like=True):
    action: _Typed
    events: list[_Typed]
    draws: list[tuple[int, int]]
    edition: int


class _Cached(msgspec.Struct, array_like=True):
    kinds: list[str]
    moves: list[_Move]
    #: Distinct readings, and the index of the reading of each position.
    readings: list[Reading]
    read: list[int]
    states: dict[int, bytes]
    state: bytes


class Dump:
    """A snapshot of a game for writing; the game may continue. With `readings`, missing readings are computed, which
    takes about as long as a replay."""

    def __init__(self, game: Game, *, readings: bool = True) -> None:
        self._moves = list(game.moves)
        self._readings = list(game.readings) if readings else []
        self._states = dict(game.states)
        self._state = game.title.encode(game.state)
        self.number = len(self._moves)

    def written(self) -> bytes:
        """The bytes for `load_dump`."""
        encode = msgspec.msgpack.Encoder().encode
        kinds: dict[str, int] = {}

        def typed(value: msgspec.Struct) -> _Typed:
            name = f"{type(value).__module__}:{type(value).__qualname__}"
            return _Typed(kinds.setdefault(name, len(kinds)), msgspec.Raw(encode(value)))

        moves = [
            _Move(
                typed(move.action),
                [typed(event) for event in move.events],
                list(move.draws),
                move.edition,
            )
            for move in self._moves
        ]
        readings: list[Reading] = []
        read: list[int] = []
        for reading in self._readings:
            if not readings or reading is not readings[-1]:
                readings.append(reading)
            read.append(len(readings) - 1)
        states = {n: data for n, data in self._states.items() if n and n % STATES_EVERY == 0}
        kept = _Cached(list(kinds), moves, readings, read, states, self._state)
        return zlib.compress(encode(kept), 3)


def load_dump(game: Game, data: bytes) -> None:
    """Restore a dump into a game that has just begun."""
    kept = msgspec.msgpack.decode(zlib.decompress(data), type=_Cached)
    decoders = [msgspec.msgpack.Decoder(_struct(name)) for name in kept.kinds]

    def typed(value: _Typed) -> Any:
        return decoders[value.kind].decode(value.data)

    moves = [
        Move(
            typed(move.action),
            tuple(typed(event) for event in move.events),
            tuple(move.draws),
            move.edition,
        )
        for move in kept.moves
    ]
    game.restore(
        game.title.decode(kept.state), moves, [kept.readings[n] for n in kept.read], kept.states
    )


class _Pack(msgspec.Struct, array_like=True):
    names: tuple[str, ...]
    options: dict[str, str]
    edition: int
    seed: str | None
    seed_hash: str
    copied: list[tuple[int, str]]
    draws: list[tuple[int, int]]
    salt: str | None
    former: tuple[Former, ...]
    kept: bytes


def pack(game: Game) -> bytes:
    """A game without its title as bytes, for another process of this program; plain data."""
    return msgspec.msgpack.encode(
        _Pack(
            game.names,
            game.options,
            game.edition,
            game.seed,
            game.seed_hash,
            [(part.moves, part.seed_hash) for part in game.copied],
            list(game.draws()),
            game.salt,
            game.former,
            Dump(game, readings=False).written(),
        )
    )


def unpack(title: Title[Any], data: bytes) -> Game:
    """The game written by `pack`.

    >>> import kursbuch
    >>> game = kursbuch.load(kursbuch.title("rocket").specimen)
    >>> unpack(game.title, pack(game)).record() == game.record()
    True
    """
    found = msgspec.msgpack.decode(data, type=_Pack)
    game = Game(
        title,
        found.names,
        found.options,
        seed=found.seed,
        seed_hash=found.seed_hash,
        chance=RecordedChance(found.draws),
        edition=found.edition,
        copied=[Copied(moves, seed_hash) for moves, seed_hash in found.copied],
        salt=found.salt,
        former=found.former,
    )
    load_dump(game, found.kept)
    if found.seed is not None:
        game.position.chance = ContinuedChance(found.draws[: game.copied_draws()], found.seed)
    game.adopt_newest_edition()
    return game


def _struct(name: str) -> type[msgspec.Struct]:
    """The struct type of that name; other types are refused."""
    module, _, inside = name.partition(":")
    found: Any = importlib.import_module(module)
    for part in inside.split("."):
        found = getattr(found, part)
    if not (isinstance(found, type) and issubclass(found, msgspec.Struct)):
        raise TypeError(f"{name} is no event or action")
    return found


@cache
def program_id(title: Title[Any]) -> str:
    """Identifier of the program and a title's rules, to reject dumps of other versions."""
    folders = {Path(__file__).parents[1]}
    module = importlib.import_module(type(title).__module__.partition(".")[0])
    folders.update(Path(place) for place in getattr(module, "__path__", ()))
    digest = hashlib.sha256(f"{title.id} {title.edition} {title.data_hash}".encode())
    for folder in sorted(folders):
        digest.update(_sources(folder))
    return digest.hexdigest()[:32]


@cache
def _sources(folder: Path) -> bytes:
    digest = hashlib.sha256()
    for file in sorted(file for file in folder.rglob("*") if file.suffix in _SOURCES):
        digest.update(file.relative_to(folder).as_posix().encode())
        digest.update(file.read_bytes())
    return digest.digest()
