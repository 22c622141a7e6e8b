"""Best trains."""

from __future__ import annotations

import msgspec
from markupsafe import Markup

from kursbuch.web.contexts.common import Fact, FieldChoice


class CompanyChip(msgspec.Struct, frozen=True):
    """A company to choose; `total` is what it earns, empty if it has no trains."""

    do: str
    id: str
    name: str
    selected: bool
    total: str


class TrainButton(msgspec.Struct, frozen=True):
    """A kind of train of the chosen company; an empty `add` or `remove` cannot be done."""

    train: str
    count: int
    add: str
    remove: str


class TileButton(msgspec.Struct, frozen=True):
    """A tile for the chosen hex; the one that lies there is turned by choosing it."""

    do: str
    tile: str
    label: str
    svg: Markup
    selected: bool
    left: int


class SpotPanel(msgspec.Struct, frozen=True):
    """A city of the chosen hex; the values of `markers` take one away, those of `free_for` place
    one, that of the chosen company being selected."""

    label: str
    value: int
    spaces: int
    markers: list[FieldChoice]
    free_for: list[FieldChoice]


class HexPanel(msgspec.Struct, frozen=True):
    """The chosen hex; `duty` asks for a run over it, if the title knows such a duty."""

    id: str
    name: str
    tiles: list[TileButton]
    duty: FieldChoice | None
    turn: str
    turn_back: str
    remove: str
    spots: list[SpotPanel]


class RunLine(msgspec.Struct, frozen=True):
    """The run of a train; `calls` are its stops with their values, `mail` is what it earns beside
    them for the mail."""

    number: int
    sample: Markup
    train: str
    calls: list[Fact]
    ferry: int
    value: str
    mail: int


class BestRuns(msgspec.Struct, frozen=True):
    """What the chosen company earns, or a sentence why nothing. `parts` says how much of it is mail,
    empty if nothing is."""

    total: str
    parts: str
    runs: list[RunLine]
    idle: list[str]
    sentence: str


class RoutesPage(msgspec.Struct, frozen=True):
    """routes.html and parts/routes.html: best trains on a position.

    The form is sent by GET with `fields` (the position), `hex` and, from a button, `do`. `aims` choose between
    the best runs to pay out and to withhold, where these are others.
    """

    title: str
    title_name: str
    action: str
    url: str
    link: str
    export_url: str
    fields: list[Fact]
    hex: str
    board_svg: Markup
    phases: list[FieldChoice]
    companies: list[CompanyChip]
    company_name: str
    trains: list[TrainButton]
    duties: list[FieldChoice]
    panel: HexPanel | None
    best: BestRuns
    aims: list[FieldChoice]
    error: str
