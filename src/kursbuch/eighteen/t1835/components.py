"""The components of 1835 (`board.json`, where every record carries the mark of its source)."""

from __future__ import annotations

from functools import lru_cache
from importlib import resources

import msgspec

from kursbuch.core.errors import KursbuchError
from kursbuch.eighteen.components import Board, BoardFile, parse
from kursbuch.eighteen.routes import Train
from kursbuch.eighteen.track import TrackMap


class RangeRecord(msgspec.Struct, frozen=True):
    """What a train reaches: stations of any kind, and further small towns [5.5.3.4]."""

    any: int
    towns: int = 0


class TrainRecord(msgspec.Struct, frozen=True):
    """A kind of train."""

    id: str
    count: int
    price: int
    range: RangeRecord


class File1835(BoardFile, frozen=True):
    """What is read of the file so far."""

    trains: list[TrainRecord] = msgspec.field()


class Components:
    """The map, the tiles and the trains of one file of component data."""

    def __init__(self, data: bytes) -> None:
        file = parse(data, File1835)
        self.board = Board(file)
        self.track = TrackMap(self.board)
        self.trains = {
            record.id: Train(record.range.any, record.range.towns) for record in file.trains
        }

    def train(self, name: str) -> Train:
        """The range of a train, for the search of routes.

        >>> standard().train("6+6")
        Train(stops=6, towns=6, gauges=1, ends=False)
        """
        try:
            return self.trains[name]
        except KeyError:
            raise KursbuchError("There is no train {id}.", id=repr(name)) from None


@lru_cache
def standard() -> Components:
    """The components in the package."""
    return Components((resources.files("kursbuch.eighteen.t1835") / "board.json").read_bytes())
