"""The best-trains page, and the position in its query string: `tiles=F14.57.0_G9.9.1`."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

import msgspec
from markupsafe import Markup

from kursbuch.core import planner as core
from kursbuch.core.planner import Earned, Plan, Planner
from kursbuch.core.title import Title
from kursbuch.core.voice import Voice
from kursbuch.core.words import N_, Words
from kursbuch.web.http.errors import Refused
from kursbuch.web.labels import Fact, FieldChoice

#: Maximum length of the query string.
MOST_QUERY = 8000


class PageState(msgspec.Struct, frozen=True):
    """The state of the page: plan, chosen company and hex. `aim` is "save" to show the runs for
    withholding, where they differ from those for paying out."""

    plan: Plan
    company: str
    hex: str = ""
    aim: str = ""

    def query(self) -> dict[str, str]:
        """Return the fields of the query string."""
        plan = self.plan
        fields = {
            "phase": str(plan.phase),
            "tiles": "_".join(entry.replace(" ", ".") for entry in plan.tiles),
            "stations": "_".join(entry.replace(" ", ".") for entry in plan.stations),
            "trains": "_".join(".".join((name, *held)) for name, held in plan.trains.items()),
            "duties": "_".join(
                f"{name}.{place.replace(' ', '.')}"
                for name, places in plan.duties.items()
                for place in places
            ),
            "company": self.company,
            "hex": self.hex,
            "aim": self.aim,
        }
        return {name: value for name, value in fields.items() if value}

    def url(self) -> str:
        """Return the URL of the page."""
        return f"/routes/{self.plan.title}?{urlencode(self.query())}"


def read_query(title: Title[Any], planner: Planner[Any], fields: dict[str, str]) -> PageState:
    """Parse a query string; raise `KursbuchError` if it is wrong."""

    def entries(name: str) -> list[str]:
        return [part for part in fields.get(name, "").split("_") if part]

    if sum(map(len, fields.values())) > MOST_QUERY:
        raise Refused(N_("The address is too long for a position."))
    phase = fields.get("phase", "")
    if phase and (not phase.isdecimal() or len(phase) > 3):
        raise Refused(N_("The field {name} is not a whole number."), name="phase")
    trains: dict[str, tuple[str, ...]] = {}
    for part in entries("trains"):
        company, *held = part.split(".")
        trains[company] = (*trains.get(company, ()), *held)
    duties: dict[str, tuple[str, ...]] = {}
    for part in entries("duties"):
        company, *where = part.split(".")
        duties[company] = (*duties.get(company, ()), " ".join(where))
    plan = planner.check(
        Plan(
            title.id,
            int(phase) if phase else None,
            tuple(part.replace(".", " ") for part in entries("tiles")),
            tuple(part.replace(".", " ") for part in entries("stations")),
            trains,
            duties,
        )
    )
    company = fields.get("company") or next(iter(plan.trains), planner.companies[0].id)
    if company not in {one.id for one in planner.companies}:
        raise Refused(N_("There is no company {company}."), company=repr(company[:40]))
    name = fields.get("hex", "").strip().upper()
    if name:
        planner.hex(plan, name[:10])
    return PageState(plan, company, name, "save" if fields.get("aim") == "save" else "")


def change(planner: Planner[Any], shown: PageState, wanted: str) -> PageState:
    """Apply a change such as "tile F14 57 0", "tile F14" (none), "station BY F14 0" (toggle),
    "train BY 2", "untrain BY 2", "duty BY F14 0" (a required stop; toggle), "phase 2", "company
    BY", "aim save" (or "pay") or "clear"."""
    plan, parts = shown.plan, wanted.split()
    match parts:
        case ["tile", name]:
            plan = planner.lay(plan, name, "", 0)
        case ["tile", name, tile, turn] if turn.isdecimal() and len(turn) == 1:
            plan = planner.lay(plan, name, tile, int(turn))
        case ["station", company, name, stop] if stop.isdecimal() and len(stop) == 1:
            plan = planner.station(plan, company, name, int(stop))
        case ["train", company, train]:
            plan = planner.with_trains(plan, company, [*plan.trains.get(company, ()), train])
        case ["untrain", company, train] if train in plan.trains.get(company, ()):
            held = list(plan.trains[company])
            held.remove(train)
            plan = planner.with_trains(plan, company, held)
        case ["duty", company, *where] if where:
            plan = planner.duty(plan, company, " ".join(where))
        case ["phase", phase] if phase.isdecimal() and len(phase) < 4:
            plan = planner.with_phase(plan, int(phase))
        case ["company", company] if any(company == one.id for one in planner.companies):
            return PageState(plan, company, shown.hex, shown.aim)
        case ["aim", aim] if aim in ("pay", "save"):
            return PageState(plan, shown.company, shown.hex, "save" if aim == "save" else "")
        case ["clear"]:
            return PageState(planner.empty(), shown.company)
        case _:
            raise Refused(N_("Unknown change: {change}."), change=wanted[:80])
    return PageState(plan, shown.company, shown.hex, shown.aim)


class CompanyChip(msgspec.Struct, frozen=True):
    """A company to choose; `total` is its income, empty without trains."""

    do: str
    id: str
    name: str
    selected: bool
    total: str


class TrainButton(msgspec.Struct, frozen=True):
    """A train type of the chosen company; an empty `add` or `remove` is not possible."""

    train: str
    count: int
    add: str
    remove: str


class TileButton(msgspec.Struct, frozen=True):
    """A tile for the chosen hex; choosing the present one turns it."""

    do: str
    tile: str
    label: str
    svg: Markup
    selected: bool
    left: int


class SpotPanel(msgspec.Struct, frozen=True):
    """A city of the chosen hex. `markers` remove a station, `free_for` place one; that of the
    chosen company is selected."""

    label: str
    value: int
    spaces: int
    markers: list[FieldChoice]
    free_for: list[FieldChoice]


class HexPanel(msgspec.Struct, frozen=True):
    """The chosen hex; `duty` requires a run to it, if the title has such duties."""

    id: str
    name: str
    tiles: list[TileButton]
    duty: FieldChoice | None
    turn: str
    turn_back: str
    remove: str
    spots: list[SpotPanel]


class RunLine(msgspec.Struct, frozen=True):
    """The run of a train. `calls` are its stops with values; `mail` is paid in addition."""

    number: int
    sample: Markup
    train: str
    calls: list[Fact]
    ferry: int
    value: str
    mail: int


class BestRuns(msgspec.Struct, frozen=True):
    """The income of the chosen company, or the reason for none. `parts` splits it into revenue and
    mail, empty without mail."""

    total: str
    parts: str
    runs: list[RunLine]
    idle: list[str]
    sentence: str


class RoutesPage(msgspec.Struct, frozen=True):
    """routes.html and parts/routes.html: best trains on a position.

    The form sends GET with `fields` (the position), `hex` and, from a button, `do`. `aims` choose
    between the best runs for paying out and for withholding, where they differ.
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
    """Return the page for a state; `found` are the best runs by company."""
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
    """Return the button that requires a run of the chosen company to a place."""
    return FieldChoice(
        f"duty {shown.company} {place}",
        words._("A train of {company} must reach {place}", company=shown.company, place=place),
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
    """Return the choice between runs for paying out and for withholding, where they differ."""
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
        sentence = words._("This company has no station on the map. Choose a city and place one.")
    elif earned.unmet:
        sentence = words._("No set of routes reaches every required place.")
    elif not earned.runs:
        sentence = words._(
            "No train can run: a route needs at least two stops, one of them with the company's "
            "station."
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
