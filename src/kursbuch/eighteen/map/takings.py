"""What a company takes in, as plain data."""

from __future__ import annotations

from typing import NamedTuple

#: Runs as plain data: train, value, and hex, stop and value of every call.
Runs = tuple[tuple[str, int, tuple[tuple[str, int, int], ...]], ...]


class Takings(NamedTuple):
    """What a company takes in: the revenue of its runs, and what its mail train earns beside it."""

    revenue: int
    runs: Runs
    mail: int = 0

    def total(self) -> int:
        """Revenue and mail together."""
        return self.revenue + self.mail
