"""Save files of the program Rails-18xx: Java serializations of version, date, format, name of the game,
options, players, and one object per action."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from kursbuch.core.errors import KursbuchError

#: Modes of actions that some versions write as numbers.
NULL_MODES = ("DONE", "PASS", "SKIP", "AUTOPASS", "START_GAME")
GAME_MODES = ("SAVE", "LOAD", "UNDO", "FORCED_UNDO", "REDO", "EXPORT", "RELOAD")


#: A list of players cannot be longer.
MOST_PLAYERS = 20


class Act(msgspec.Struct, frozen=True):
    """One action: its number in the file from 0, the name of its class without the package, who
    made it (the seat, -1 if nobody), and its fields by name."""

    number: int
    kind: str
    seat: int
    fields: Mapping[str, Any]

    def __getitem__(self, name: str) -> Any:
        return self.fields.get(name)

    @property
    def mode(self) -> str:
        """The mode of an action without any other content."""
        mode = self["mode"]
        if isinstance(mode, int):
            names = GAME_MODES if self.kind == "GameAction" else NULL_MODES
            return names[mode] if 0 <= mode < len(names) else str(mode)
        return str(mode or "")

    @property
    def company(self) -> str:
        """The company it is about, as that program calls it."""
        return str(self["companyName"] or "")


class Save(NamedTuple):
    """A save file."""

    game: str
    options: dict[str, str]
    players: list[str]
    actions: list[Act]


def read(data: bytes) -> Save:
    """The content of a save file; `KursbuchError` says if it is none."""
    from kursbuch.games.g18xx.rails.java import (
        TooMuch,
        values,  # slow to import
    )

    try:
        parts = values(data)
    except TooMuch:
        raise KursbuchError(
            "This save file of Rails-18xx holds more than a game can have."
        ) from None
    except (Exception, RecursionError):  # whatever goes wrong inside means the same
        raise KursbuchError("This is not a save file of Rails-18xx.") from None
    head, rest = parts[:6], parts[6:]
    if (
        len(head) < 6
        or not all(isinstance(head[place], str) for place in (0, 1, 3))
        or not isinstance(head[4], dict)
        or not isinstance(head[5], list)
        or len(head[5]) > MOST_PLAYERS
        or not all(isinstance(name, str) for name in head[5])
    ):
        raise KursbuchError("This is not a save file of Rails-18xx.")
    players: list[str] = head[5]
    options = {str(name): str(value) for name, value in head[4].items()}
    return Save(head[3], options, players, list(_actions(rest, players)))


def _actions(parts: Sequence[Any], players: list[str]) -> Iterator[Act]:
    from kursbuch.games.g18xx.rails.java import JavaObject

    number = 0
    for part in parts:
        # Old files have one list of all actions; comments follow in a map.
        for found in part if isinstance(part, list) else [part]:
            if not isinstance(found, JavaObject):
                continue
            name = found.fields.get("playerName")
            seat = players.index(name) if name in players else found.fields.get("playerIndex")
            yield Act(number, found.kind, seat if isinstance(seat, int) else -1, found.fields)
            number += 1


def settled(actions: Sequence[Act], shift: int = 0) -> list[Act]:
    """The actions without those that were taken back; what was taken back can come again.

    Without an index the last move is meant. An index counts the moves that are kept; versions may
    count from another number, which `shift` adds.
    """
    kept: list[Act] = []
    undone: list[Act] = []
    for act in actions:
        if act.kind != "GameAction":
            kept.append(act)
            undone.clear()
        elif act.mode in ("UNDO", "FORCED_UNDO", "REDO"):
            source, target = (undone, kept) if act.mode == "REDO" else (kept, undone)
            index = act["moveStackIndex"]
            count = 1
            if isinstance(index, int) and index >= 0:
                count = abs(len(kept) - max(index + shift, 0))
                if (index + shift > len(kept)) != (act.mode == "REDO"):
                    count = 0
            if not 0 < count <= len(source):
                raise KursbuchError(
                    "Action {number} ({mode}) takes back or repeats moves that are not there.",
                    number=act.number,
                    mode=act.mode,
                )
            for _ in range(count):
                target.append(source.pop())
    return kept


def readings(actions: Sequence[Act]) -> list[list[Act]]:
    """The actions without those that were taken back, in every way the numbers of moves can be
    meant, the likeliest first. `KursbuchError` names the action where none makes sense."""
    found: list[list[Act]] = []
    problem: KursbuchError | None = None
    for shift in (0, 1, -1):
        try:
            kept = settled(actions, shift)
        except KursbuchError as error:
            problem = problem or error
            continue
        if kept not in found:
            found.append(kept)
    if not found and problem is not None:
        raise problem
    return found
