"""Components of 1835, read from `board.json`, where every record names its source."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from importlib import resources
from typing import ClassVar

import msgspec

from kursbuch.core.components import completed
from kursbuch.core.errors import KursbuchError
from kursbuch.core.title import parse_data
from kursbuch.games.g18xx.components import (
    Components,
    EighteenFile,
    LimitRecord,
    PhaseRecord,
    certificate,
    paper_item,
)


class WithRecord(msgspec.Struct, frozen=True):
    """The certificate that comes with a paper."""

    company: str
    percent: int
    director: bool = False


class PacketRecord(msgspec.Struct, frozen=True):
    """A paper of the start packet: a private, a minor, or a certificate of `company`."""

    item: str
    price: int
    with_: WithRecord | None = msgspec.field(default=None, name="with")
    company: str = ""
    percent: int = 0
    director: bool = False


class StartPacketRecord(msgspec.Struct, frozen=True):
    """The start packet in rows."""

    rows: list[list[PacketRecord]]


class Limit1835(LimitRecord, frozen=True):
    """Train limit by kind of company; Prussia has its own."""

    prussia: int | None = None


class Phase1835(PhaseRecord, frozen=True):
    """A phase: what holds from the first purchase of its train."""

    train_limit: Limit1835


class File1835(EighteenFile, frozen=True, kw_only=True):
    """The data file of 1835."""

    phases: tuple[Phase1835, ...]
    start_packet: StartPacketRecord


class Paper:
    """A paper of the start packet. `item` is its ledger item; `free` is the certificate that comes
    with it, as company and short form."""

    def __init__(self, record: PacketRecord, row: int) -> None:
        self.id = record.item
        self.price = record.price
        self.row = row
        self.company = record.company
        self.certificate = certificate(record.percent, record.director) if record.company else ""
        self.item = f"{self.company}:{self.certificate}" if self.company else paper_item(self.id)
        self.free = (
            (record.with_.company, certificate(record.with_.percent, record.with_.director))
            if record.with_ is not None
            else None
        )


class Components1835(Components):
    """The components of 1835 with the start packet."""

    file: File1835
    city_values: ClassVar[Mapping[str, int]] = {"Y": 40, "XX": 45, "B": 50, "HH": 60}

    def __init__(self, data: bytes) -> None:
        file = parse_data(completed(data, "1835", standard_data()), File1835)
        super().__init__(file)
        self.rows = tuple(
            tuple(Paper(record, row) for record in papers)
            for row, papers in enumerate(file.start_packet.rows)
        )
        self.packet = {paper.id: paper for row in self.rows for paper in row}
        for paper in self.packet.values():
            names = [paper.free[0]] if paper.free else []
            if paper.company:
                names.append(paper.company)
            elif paper.id not in self.minors and paper.id not in self.privates:
                names.append(paper.id)
            for name in names:
                if name not in self.public:
                    raise KursbuchError(
                        "The start packet names {id}, but the file has no such railway.",
                        id=repr(name),
                    )


@lru_cache
def standard_data() -> bytes:
    """The data file in the package."""
    return (resources.files("kursbuch.games.g18xx.g1835") / "board.json").read_bytes()


@lru_cache
def standard() -> Components1835:
    """The components of the file in the package.

    >>> standard().train("6+6")
    Train(stops=6, towns=6, gauges=1, ends=0, via=(), weight=1)
    >>> standard().distance("O15", "H20"), standard().distance("O15", "H16")
    (8, 7)
    """
    return Components1835(standard_data())
