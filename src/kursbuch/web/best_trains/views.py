"""The best-trains page."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

import msgspec
from markupsafe import Markup

from kursbuch.core import planner as core
from kursbuch.core.planner import Earned, Planner
from kursbuch.core.title import Title
from kursbuch.core.voice import Voice
from kursbuch.core.words import Words
from kursbuch.web.best_trains.query import PageState
from kursbuch.web.labels import Fact, FieldChoice


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


def routes_page(
    title: Title[Any],
    planner: Planner[Any],
    shown: PageState,
    found: dict[str, Earned],
    words: Words,
    server: str,
    error: str = "",
) -> RoutesPage:
    """The page for what is shown, on a server with that address; `found` are the best runs by company."""
    earned = best = found.get(shown.company)
    if best is not None and best.saved is not None and shown.aim == "save":
        earned = best.saved
    names = {one.id: one.name for one in planner.companies}
    label = words._("Map of {title}", title=title.name)
    query = urlencode({name: text for name, text in shown.query().items() if name != "hex"})
    return RoutesPage(
        title=title.id,
        title_name=title.name,
        action=f"/routes/{title.id}",
        url=shown.url(),
        link=server + shown.url(),
        export_url=f"/routes/{title.id}/position.toml?{query}",
        fields=[Fact(name, value) for name, value in shown.query().items() if name != "hex"],
        hex=shown.hex,
        board_svg=Markup(planner.draw(shown.plan, earned, shown.hex, label)),
        phases=_phases(planner, shown),
        companies=_companies(planner, shown, found),
        company_name=names[shown.company],
        trains=_trains(planner, shown),
        duties=[_duty(shown, place, words) for place in shown.plan.duties.get(shown.company, ())],
        panel=_hex(planner, shown, words),
        best=_runs(planner, earned, title.voice(words)),
        aims=_aims(best, shown, title.voice(words)),
        error=error,
    )


def _phases(planner: Planner[Any], shown: PageState) -> list[FieldChoice]:
    return [
        FieldChoice(f"phase {phase}", str(phase), phase == shown.plan.phase)
        for phase in planner.phases
    ]


def _companies(
    planner: Planner[Any], shown: PageState, found: dict[str, Earned]
) -> list[CompanyChip]:
    return [
        CompanyChip(
            do=f"company {company.id}",
            id=company.id,
            name=company.name,
            selected=company.id == shown.company,
            total=str(found[company.id].total) if company.id in found else "",
        )
        for company in planner.companies
    ]


def _trains(planner: Planner[Any], shown: PageState) -> list[TrainButton]:
    held = shown.plan.trains.get(shown.company, ())
    return [
        TrainButton(
            train=train,
            count=held.count(train),
            add=f"train {shown.company} {train}" if len(held) < core.MOST_TRAINS else "",
            remove=f"untrain {shown.company} {train}" if train in held else "",
        )
        for train in planner.trains
    ]


def _tiles(planner: Planner[Any], found: core.Hex, words: Words) -> list[TileButton]:
    buttons = []
    for choice in found.tiles:
        here = choice.tile == found.tile
        turns = sorted(choice.rotations)
        turn = found.rotation if here else choice.rotations[0]
        following = turns[(turns.index(turn) + 1) % len(turns)] if here else turn
        label = words._("Tile {tile}", tile=choice.tile)
        buttons.append(
            TileButton(
                do=f"tile {found.id} {choice.tile} {following}",
                tile=choice.tile,
                label=label,
                # Drawings escape every text they contain.
                svg=Markup(planner.draw_tile(found.id, choice.tile, turn, label)),
                selected=here,
                left=max(0, choice.left + here),
            )
        )
    return buttons


def _duty(shown: PageState, place: str, words: Words) -> FieldChoice:
    """The button that asks for a run of the chosen company to a place."""
    return FieldChoice(
        f"duty {shown.company} {place}",
        words._("A train of {company} has to come to {place}", company=shown.company, place=place),
        place in shown.plan.duties.get(shown.company, ()),
    )


def _hex(planner: Planner[Any], shown: PageState, words: Words) -> HexPanel | None:
    if not shown.hex:
        return None
    found = planner.hex(shown.plan, shown.hex)
    buttons = _tiles(planner, found, words)
    back = ""
    turns = next((sorted(one.rotations) for one in found.tiles if one.tile == found.tile), [])
    if len(turns) > 1:
        before = turns[(turns.index(found.rotation) - 1) % len(turns)]
        back = f"tile {found.id} {found.tile} {before}"
    return HexPanel(
        id=found.id,
        name=found.name,
        tiles=buttons,
        duty=_duty(shown, found.id, words) if planner.has_duties else None,
        turn=next((one.do for one in buttons if one.selected), "") if back else "",
        turn_back=back,
        remove=f"tile {found.id}" if found.tile else "",
        spots=[
            SpotPanel(
                label=words._("City {number}", number=number)
                if len(found.spots) > 1
                else words._("City"),
                value=spot.value,
                spaces=spot.spaces,
                markers=[
                    FieldChoice(f"station {company} {found.id} {spot.stop}", company)
                    for company in spot.markers
                ],
                free_for=[
                    FieldChoice(
                        f"station {company} {found.id} {spot.stop}",
                        company,
                        company == shown.company,
                    )
                    for company in sorted(spot.free_for, key=lambda one: one != shown.company)
                ],
            )
            for number, spot in enumerate(found.spots, 1)
        ],
    )


def _aims(best: Earned | None, shown: PageState, voice: Voice[Any]) -> list[FieldChoice]:
    """The choice between the runs to pay the revenue out and those to save it, where these are others."""
    if best is None or best.saved is None:
        return []
    saves = shown.aim == "save"
    return [
        FieldChoice(
            "aim pay",
            voice.words._("Pay out {amount}", amount=voice.money(best.total - best.mail)),
            not saves,
        ),
        FieldChoice(
            "aim save",
            voice.words._("Withhold {amount}", amount=voice.money(best.saved.total)),
            saves,
        ),
    ]


def _runs(planner: Planner[Any], earned: Earned | None, voice: Voice[Any]) -> BestRuns:
    words = voice.words
    if earned is None:
        return BestRuns("", "", [], [], words._("Choose trains for this company."))
    sentence = ""
    if not earned.stations:
        sentence = words._(
            "There is no station of this company on the map. Choose a city and place one."
        )
    elif earned.unmet:
        sentence = words._("No trains can run so that one of them comes where it has to.")
    elif not earned.runs:
        sentence = words._(
            "No train can run: a run goes over at least two stops, one of them with an own station."
        )
    return BestRuns(
        total=voice.money(earned.total),
        parts=words._(
            "{revenue} revenue and {mail} mail",
            revenue=voice.money(earned.total - earned.mail),
            mail=voice.money(earned.mail),
        )
        if earned.mail
        else "",
        runs=[
            RunLine(
                number=number,
                sample=Markup(planner.draw_run(number)),
                train=run.train,
                calls=[
                    Fact(f"{call.name} {call.hex}".strip(), str(call.value)) for call in run.calls
                ],
                ferry=run.ferry,
                mail=run.mail,
                value=words.number(run.value),
            )
            for number, run in enumerate(earned.runs)
        ],
        idle=list(earned.idle),
        sentence=sentence,
    )
