"""What a company takes in: its runs, and what they earn."""

from __future__ import annotations

from typing import Literal, NamedTuple

#: Runs as plain data: train, value, and hex, stop and value of every call.
Runs = tuple[tuple[str, int, tuple[tuple[str, int, int], ...]], ...]

#: What runs are the best for, where a train carries mail: to "pay" the most out, and with that to carry
#: the most mail; to "save" the most together with the mail, and of that as little by the mail as
#: possible; or the "sum" whatever it is made of.
Aim = Literal["pay", "save", "sum"]


class Call(NamedTuple):
    """A stop on a run: hex, number of the stop on it, and what it counts for."""

    hex: str
    stop: int
    value: int


class Run(NamedTuple):
    """What one train does; `track` are the borders it crosses, as bits. `mail` is what it earns
    beside its value if it carries the mail."""

    train: str
    value: int
    calls: tuple[Call, ...]
    track: int = 0
    mail: int = 0

    @property
    def ferry(self) -> int:
        """What crossing from bank to bank takes off the sum of the calls."""
        return sum(call.value for call in self.calls) - self.value

    def __str__(self) -> str:
        """
        >>> print(Run("2", 70, (Call("C11", 0, 60), Call("B12", 0, 10))))
        2: C11 (60), B12 (10) = 70
        """
        calls = ", ".join(f"{call.hex} ({call.value})" for call in self.calls)
        toll = f" - {self.ferry}" if self.ferry else ""
        return f"{self.train}: {calls}{toll} = {self.value}"


class Takings(NamedTuple):
    """What a company takes in: the revenue of its runs, and what its mail train earns beside it."""

    revenue: int
    runs: tuple[Run, ...]
    mail: int = 0

    def total(self) -> int:
        """Revenue and mail together."""
        return self.revenue + self.mail

    def plain(self) -> Runs:
        """The runs as plain data."""
        return tuple((run.train, run.value, run.calls) for run in self.runs)
