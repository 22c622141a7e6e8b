"""A game as bytes, with everything that replaying its moves has brought to light: for going on without replaying
them, in the database and from one process to another. Only the same program with the same rules may read it again."""

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

#: Moves between two states kept for going back.
STATES_EVERY = 50

#: What belongs to the program, by the endings of its files.
_SOURCES = (".py", ".json", ".toml")


class _Typed(msgspec.Struct, frozen=True, array_like=True):
    """An event or action: its type (by number) and its fields."""

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
    #: The readings that differ, and for every position which one it is.
    readings: list[Reading]
    read: list[int]
    states: dict[int, bytes]
    state: bytes


class Dump:
    """What is needed to write a game, taken at one moment: the game may go on meanwhile. Readings that are not known
    yet are made if `readings` is true, which takes about as long as replaying the moves."""

    def __init__(self, game: Game, *, readings: bool = True) -> None:
        self._moves = list(game.moves)
        self._readings = list(game.readings) if readings else []
        self._states = dict(game.states)
        self._state = game.title.encode(game.state)
        self.number = len(self._moves)

    def written(self) -> bytes:
        """The bytes that `load_dump` reads."""
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
    """Let a game that has just begun go on from where one was written down."""
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
    game.go_on_from(
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
    """A whole game but for its title, for another process of this program: data and nothing that is carried out."""
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
    """The game from `pack`.

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
    game.come_over()
    return game


def _struct(name: str) -> type[msgspec.Struct]:
    """The type of that name; nothing else can be named."""
    module, _, inside = name.partition(":")
    found: Any = importlib.import_module(module)
    for part in inside.split("."):
        found = getattr(found, part)
    if not (isinstance(found, type) and issubclass(found, msgspec.Struct)):
        raise TypeError(f"{name} is no event or action")
    return found


@cache
def program_id(title: Title[Any]) -> str:
    """Names the program and the rules of a title: another one must not read what this one wrote."""
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
