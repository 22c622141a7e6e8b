"""What a mail says about a turn."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import islice
from typing import Any
from xml.etree import ElementTree

import msgspec
import resvg_py

from kursbuch.core.actions import Choice, Range
from kursbuch.core.title import Title
from kursbuch.core.words import Words
from kursbuch.web.db.models import Premove
from kursbuch.web.tables.boards import GROUND
from kursbuch.web.tables.decision_view import prompt
from kursbuch.web.tables.history_view import since
from kursbuch.web.tables.premove_routes import plan_line
from kursbuch.web.tables.viewer import Viewer

#: So many possible answers of a kind are listed, and so many lines of what happened.
MOST_CHOICES = 12
MOST_LINES = 40
_NUMBER = re.compile(r"\d+")

#: The width of the picture of the board, in pixels.
PICTURE = 1000


class TurnReport(msgspec.Struct, frozen=True):
    """What somebody is told whose turn it is: what is to be done, what has happened since the own last move, and
    what can be answered, in the notation of moves."""

    prompt: str
    since: str = ""
    lines: tuple[str, ...] = ()
    scores: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()


def turn_told(shown: Viewer) -> TurnReport:
    """What is told to somebody whose turn it is."""
    found = since(shown)
    lines = [line.text for line in found.lines if line.text] if found is not None else []
    possible = (
        shown.view.legal_actions() if shown.view is not None and shown.acting is not None else []
    )
    scores = [
        f"{seat.name}: {score}" for seat in shown.seats if (score := shown.score(seat.number))
    ]
    return TurnReport(
        prompt(shown),
        found.sentence if found is not None else "",
        tuple(lines[-MOST_LINES:]),
        tuple(scores),
        tuple(_listed(shown, possible)),
    )


def not_carried_out(shown: Viewer, rows: Collection[int]) -> tuple[str, ...]:
    """Those of these moves planned ahead that were not made, with why; nobody at a shared device is told of those of
    others."""
    lines = [plan_line(shown, row) for row in left_undone(shown, rows) if row.seat in shown.here]
    return tuple(f"{line.text} – {line.note}" if line.note else line.text for line in lines)


def left_undone(shown: Viewer, rows: Collection[int]) -> list[Premove]:
    """Those of these moves planned ahead that were not made and of which their player still has to read."""
    return [row for row in shown.ahead if row.dropped and row.id in rows]


def _listed(shown: Viewer, possible: Sequence[Choice]) -> Iterator[str]:
    """The choices by kind, and of each kind not too many."""
    kinds: dict[type, dict[str, None]] = {}
    for choice in possible:
        lines = answers(shown.title, shown.words, choice)
        kinds.setdefault(type(choice.action), {}).update(dict.fromkeys(lines))
    for found in kinds.values():
        lines = list(found)
        more = len(lines) - MOST_CHOICES
        yield from lines if more < 2 else lines[:MOST_CHOICES]
        if more > 1:
            yield shown.words.ngettext(
                "… and {n} more like these", "… and {n} more like these", more
            )


def answers(title: Title[Any], words: Words, choice: Choice) -> list[str]:
    """How a choice is written in an answer, with the amounts that are possible."""
    amounts = choice.amount
    if amounts is None or len(amounts) < 2:
        return [title.format(choice.action)]
    low, second = (title.format(choice.with_amount(amount)) for amount in islice(amounts, 2))
    if _NUMBER.sub("", low) == _NUMBER.sub("", second):
        return [_ranged(words, low, amounts)]
    # The lowest is left out in the notation, and would not show how others are written.
    others = Range(amounts.low + amounts.step, amounts.high, amounts.step)
    return [low, second if len(others) == 1 else _ranged(words, second, others)]


def _ranged(words: Words, move: str, amounts: Range) -> str:
    return words._(
        "{move} (amounts from {low} to {high})", move=move, low=amounts.low, high=amounts.high
    )


def others(shown: Viewer, seat: int) -> str:
    """The names of the others at a table."""
    return shown.words.join([one.name for one in shown.seats if one.number != seat])


def picture(svg: str) -> bytes:
    """A drawn board as a picture for mails; of a drawing of several sheets, the first."""
    root = ElementTree.fromstring(svg)
    frames = msgspec.json.decode(root.get("data-sheets", "[]"))
    if frames:
        name = "http://www.w3.org/2000/svg"
        width, height = frames[0]["wide"]
        root.set("viewBox", f"0 0 {width} {height}")
        for part in root.findall(f"{{{name}}}g[@data-part]"):
            if part.get("data-part") != frames[0]["name"]:
                root.remove(part)
        svg = ElementTree.tostring(root, encoding="unicode")
    # Without a ground of its own it could not be read on the dark one of some mail programs.
    ground = GROUND["light"]
    return bytes(resvg_py.svg_to_bytes(svg_string=svg, width=PICTURE, background=ground))


def drawn(shown: Viewer) -> str:
    """The board as the one who is written to may see it, with the last move pointed out; empty before the
    game."""
    if shown.view is None:
        return ""
    marks = shown.title.marks([event for number, event in shown.events(shown.number) if number])
    return shown.title.draw(shown.view.state, shown.words, marks)
