"""Text for the terminal: rows with straight columns, lists on one line, bold and faint."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TextIO

import click

from kursbuch.core.voice import Panel


def summary(panel: Panel, *, notes: bool) -> str:
    """A list of holdings in one line, with what is noted on them for whoever they belong to."""
    parts = [
        f"{row.label} {row.value}" + (f" ({row.note})" if notes and row.note else "")
        for row in panel.rows
    ]
    return f"  {panel.title}: " + " · ".join(parts)


def aligned(rows: Sequence[Sequence[str]], *, numbers: bool = False) -> list[str]:
    """Rows of cells as lines of text with straight columns; those of numbers, all but the first, stand to the
    right.

    >>> aligned([["", "BY"], ["Anna", "20 %"]])
    ['      BY', 'Anna  20 %']
    >>> aligned([["seat", "wins"], ["1", "7"]], numbers=True)
    ['seat  wins', '1        7']
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell.rjust(width) if numbers and place else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


class Ink:
    """Bold and faint text, where the output is a terminal that has them and the reader has not asked for
    none (NO_COLOR)."""

    def __init__(self, out: TextIO) -> None:
        plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
        self.on = out.isatty() and not plain

    def strong(self, text: str) -> str:
        """What the player has to see."""
        return click.style(text, bold=True) if self.on else text

    def faint(self, text: str) -> str:
        """What stands beside it."""
        return click.style(text, dim=True) if self.on else text
