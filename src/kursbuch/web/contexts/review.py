"""The review of a game."""

from __future__ import annotations

import msgspec
from markupsafe import Markup


class ReviewPlayer(msgspec.Struct, frozen=True):
    """What a player did: numbers as they are read."""

    seat: int
    name: str
    decisions: int
    accuracy: str
    luck: str


class ReviewTurn(msgspec.Struct, frozen=True):
    """A turning point: move `number`, and the table before and after it."""

    number: int
    label: str
    sentence: str
    before_url: str
    after_url: str


class ReviewCostly(msgspec.Struct, frozen=True):
    """A move in the place of which `better` would have been better, and why."""

    number: int
    seat: int
    label: str
    better: str
    worth: str
    reasons: list[str]
    before_url: str


class ReviewMove(msgspec.Struct, frozen=True):
    """A move with what everybody could expect after it: chances to win and final results."""

    number: int
    label: str
    url: str
    cells: list[tuple[str, str]]


class ReviewPage(msgspec.Struct, frozen=True):
    """review.html. `state` is "none", "running" (so many parts of `total` are `done` in a pass, the `stage`; `left`
    says how long it will take) or "done". `depths` are those that can be asked for, by name and label. `drawn` says
    whether chance had a say in the game."""

    table_url: str
    url: str
    title_name: str
    state: str
    depths: list[tuple[str, str]]
    depth: str = ""
    stage: int = 1
    done: int = 0
    total: int = 0
    left: str = ""
    may_stop: bool = False
    charts: list[Markup] = []
    seats: list[tuple[int, str]] = []
    players: list[ReviewPlayer] = []
    drawn: bool = False
    turns: list[ReviewTurn] = []
    costly: list[ReviewCostly] = []
    moves: list[ReviewMove] = []
