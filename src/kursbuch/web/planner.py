"""The page that finds the best trains on a position set up by hand.

The position is in the address of the page, in a short form: `tiles=F14.57.0_G9.9.1`. Whatever is
changed on the page is a request with what is to be `do`ne, so that the page works without scripts too.
"""

from __future__ import annotations

import asyncio
from concurrent.futures.process import BrokenProcessPool
from typing import Any
from urllib.parse import urlencode

import msgspec
from litestar import Response, get, post
from litestar.datastructures import UploadFile
from litestar.params import FromPath
from litestar.response import Redirect, Template
from litestar.status_codes import HTTP_200_OK, HTTP_303_SEE_OTHER
from markupsafe import Markup

from kursbuch.core import planner as core
from kursbuch.core.errors import KursbuchError
from kursbuch.core.planner import Earned, Plan, Planner, read_plan, write_plan
from kursbuch.core.title import Title
from kursbuch.core.voice import Voice
from kursbuch.core.words import N_, Words
from kursbuch.web import contexts, thinking
from kursbuch.web.errors import Forbidden, NotFound, Refused, Unavailable
from kursbuch.web.filling import find_title, page
from kursbuch.web.limits import COSTLY
from kursbuch.web.looking import viewer
from kursbuch.web.recent import Recent
from kursbuch.web.requests import AnyRequest, base_url, read, wants_part, who, words_for
from kursbuch.web.thinkers import Thinkers

#: How long somebody waits for the result at most, in seconds, other people's requests included.
PATIENCE = 20.0

#: An address cannot be longer.
MOST_QUERY = 8000

#: A position file cannot be larger.
MOST_FILE = 100_000


class Results:
    """What has been computed lately."""

    def __init__(self, most: int = 500) -> None:
        self._kept = Recent[tuple[object, ...], Earned](most)

    async def best(self, thinkers: Thinkers, plan: Plan, visitor: str) -> dict[str, Earned]:
        """The best runs of every company that has trains, for somebody who asks."""
        keys = {
            company: (
                *(plan.title, plan.phase, plan.tiles, plan.stations, company, trains),
                plan.duties.get(company, ()),
            )
            for company, trains in plan.trains.items()
        }
        known = {company: self._kept.get(key) for company, key in keys.items()}
        found = {company: earned for company, earned in known.items() if earned is not None}
        missing = tuple(company for company in keys if company not in found)
        if missing:
            try:
                async with thinkers.asking(visitor), asyncio.timeout(PATIENCE):
                    fresh = await thinkers.think(
                        thinking.best_trains, thinking.PlanJob(plan, missing)
                    )
            except TimeoutError:
                raise Unavailable(
                    N_("Finding the best runs takes too long here: try with fewer trains.")
                ) from None
            except BrokenProcessPool as error:
                raise Unavailable(N_("The best runs cannot be found just now.")) from error
            for earned in fresh:
                found[earned.company] = self._kept.put(keys[earned.company], earned)
        return found


RESULTS = Results()


class Shown(msgspec.Struct, frozen=True):
    """What the page is about: the plan, the company being looked at, the hex being changed."""

    plan: Plan
    company: str
    hex: str = ""

    def query(self) -> dict[str, str]:
        """The short form in addresses."""
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
        }
        return {name: value for name, value in fields.items() if value}

    def url(self) -> str:
        """The address of the page."""
        return f"/routes/{self.plan.title}?{urlencode(self.query())}"


def read_query(title: Title[Any], planner: Planner[Any], fields: dict[str, str]) -> Shown:
    """What an address means; `KursbuchError` says what is wrong with it."""

    def entries(name: str) -> list[str]:
        return [part for part in fields.get(name, "").split("_") if part]

    if sum(map(len, fields.values())) > MOST_QUERY:
        raise Refused(N_("The address is too long for a position."))
    phase = fields.get("phase", "")
    if phase and (not phase.isdecimal() or len(phase) > 3):
        raise Refused(N_("The field {name} is not a whole number."), name="phase")
    trains = {}
    for part in entries("trains"):
        company, *held = part.split(".")
        trains[company] = tuple(held)
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
    return Shown(plan, company, name)


def change(planner: Planner[Any], shown: Shown, wanted: str) -> Shown:
    """What is shown after a change such as "tile F14 57 0", "tile F14" (none), "station BY F14 0" (on
    or off), "train BY 2", "untrain BY 2", "duty BY F14 0" (to run there; on or off), "phase 2",
    "company BY" or "clear"."""
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
            return Shown(plan, company, shown.hex)
        case ["clear"]:
            return Shown(planner.empty(), shown.company)
        case _:
            raise Refused(
                N_("The page does not understand this change: {change}."), change=wanted[:80]
            )
    return Shown(plan, shown.company, shown.hex)


# ---- what the template gets


def _phases(planner: Planner[Any], shown: Shown) -> list[contexts.FieldChoice]:
    return [
        contexts.FieldChoice(f"phase {phase}", str(phase), phase == shown.plan.phase)
        for phase in planner.phases
    ]


def _companies(
    planner: Planner[Any], shown: Shown, found: dict[str, Earned]
) -> list[contexts.CompanyChip]:
    return [
        contexts.CompanyChip(
            do=f"company {company.id}",
            id=company.id,
            name=company.name,
            selected=company.id == shown.company,
            total=str(found[company.id].total) if company.id in found else "",
        )
        for company in planner.companies
    ]


def _trains(planner: Planner[Any], shown: Shown) -> list[contexts.TrainButton]:
    held = shown.plan.trains.get(shown.company, ())
    return [
        contexts.TrainButton(
            train=train,
            count=held.count(train),
            add=f"train {shown.company} {train}" if len(held) < core.MOST_TRAINS else "",
            remove=f"untrain {shown.company} {train}" if train in held else "",
        )
        for train in planner.trains
    ]


def _tiles(planner: Planner[Any], found: core.Hex, words: Words) -> list[contexts.TileButton]:
    buttons = []
    for choice in found.tiles:
        here = choice.tile == found.tile
        turns = sorted(choice.rotations)
        turn = found.rotation if here else choice.rotations[0]
        following = turns[(turns.index(turn) + 1) % len(turns)] if here else turn
        label = words._("Tile {tile}", tile=choice.tile)
        buttons.append(
            contexts.TileButton(
                do=f"tile {found.id} {choice.tile} {following}",
                tile=choice.tile,
                label=label,
                # Drawings escape every text they contain.
                svg=Markup(planner.draw_tile(found.id, choice.tile, turn, label)),
                selected=here,
                left=choice.left + here,
            )
        )
    return buttons


def _duty(shown: Shown, place: str, words: Words) -> contexts.FieldChoice:
    """The button that asks for a run of the chosen company to a place."""
    return contexts.FieldChoice(
        f"duty {shown.company} {place}",
        words._("A train of {company} has to come to {place}", company=shown.company, place=place),
        place in shown.plan.duties.get(shown.company, ()),
    )


def _hex(planner: Planner[Any], shown: Shown, words: Words) -> contexts.HexPanel | None:
    if not shown.hex:
        return None
    found = planner.hex(shown.plan, shown.hex)
    buttons = _tiles(planner, found, words)
    back = ""
    turns = next((sorted(one.rotations) for one in found.tiles if one.tile == found.tile), [])
    if len(turns) > 1:
        before = turns[(turns.index(found.rotation) - 1) % len(turns)]
        back = f"tile {found.id} {found.tile} {before}"
    return contexts.HexPanel(
        id=found.id,
        name=found.name,
        tiles=buttons,
        duty=_duty(shown, found.id, words) if planner.has_duties else None,
        turn=next((one.do for one in buttons if one.selected), "") if back else "",
        turn_back=back,
        remove=f"tile {found.id}" if found.tile else "",
        spots=[
            contexts.SpotPanel(
                label=words._("City {number}", number=number)
                if len(found.spots) > 1
                else words._("City"),
                value=spot.value,
                spaces=spot.spaces,
                markers=[
                    contexts.FieldChoice(f"station {company} {found.id} {spot.stop}", company)
                    for company in spot.markers
                ],
                free_for=[
                    contexts.FieldChoice(
                        f"station {company} {found.id} {spot.stop}",
                        company,
                        company == shown.company,
                    )
                    for company in sorted(spot.free_for, key=lambda one: one != shown.company)
                ],
                duty=_duty(shown, f"{found.id} {spot.stop}", words)
                if planner.has_duties and len(found.spots) > 1
                else None,
            )
            for number, spot in enumerate(found.spots, 1)
        ],
    )


def _runs(planner: Planner[Any], earned: Earned | None, voice: Voice[Any]) -> contexts.BestRuns:
    words = voice.words
    if earned is None:
        return contexts.BestRuns("", "", [], [], words._("Choose trains for this company."))
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
    return contexts.BestRuns(
        total=voice.money(earned.total),
        parts=words._(
            "{revenue} revenue and {mail} mail",
            revenue=voice.money(earned.total - earned.mail),
            mail=voice.money(earned.mail),
        )
        if earned.mail
        else "",
        runs=[
            contexts.RunLine(
                number=number,
                sample=Markup(planner.draw_run(number)),
                train=run.train,
                calls=[
                    contexts.Fact(f"{call.name} {call.hex}".strip(), str(call.value))
                    for call in run.calls
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


async def routes_page(
    request: AnyRequest, title: Title[Any], shown: Shown, words: Words, error: str = ""
) -> contexts.RoutesPage:
    """The page for what is shown."""
    planner = planner_of(title)
    found: dict[str, Earned] = {}
    try:
        found = await RESULTS.best(request.app.state.thinkers, shown.plan, who(request).id)
    except KursbuchError as problem:
        error = error or problem.text(words)
    earned = found.get(shown.company)
    names = {one.id: one.name for one in planner.companies}
    label = words._("Map of {title}", title=title.name)
    query = urlencode({name: text for name, text in shown.query().items() if name != "hex"})
    return contexts.RoutesPage(
        title=title.id,
        title_name=title.name,
        action=f"/routes/{title.id}",
        url=shown.url(),
        link=base_url(request) + shown.url(),
        export_url=f"/routes/{title.id}/position.toml?{query}",
        fields=[
            contexts.Fact(name, value) for name, value in shown.query().items() if name != "hex"
        ],
        hex=shown.hex,
        board_svg=Markup(planner.draw(shown.plan, earned, shown.hex, label)),
        phases=_phases(planner, shown),
        companies=_companies(planner, shown, found),
        company_name=names[shown.company],
        trains=_trains(planner, shown),
        duties=[_duty(shown, place, words) for place in shown.plan.duties.get(shown.company, ())],
        panel=_hex(planner, shown, words),
        best=_runs(planner, earned, title.voice(words)),
        error=error,
    )


# ---- requests


def planner_of(title: Title[Any]) -> Planner[Any]:
    """The planner of a title."""
    if title.planner is None:
        raise NotFound(N_("{title} is not a game of trains that run on track."), title=title.name)
    return title.planner


@get("/routes/{title:str}", include_in_schema=False, opt={"cost": COSTLY})
async def routes(request: AnyRequest, title: FromPath[str]) -> Response[Any] | Template:
    """The page, or the part of it that changes."""
    found = find_title(title)
    planner = planner_of(found)
    words = words_for(request)
    fragment = wants_part(request)
    fields = dict(request.query_params)
    if "table" in fields:
        return Redirect(
            (await _of_table(request, found, fields)).url(), status_code=HTTP_303_SEE_OTHER
        )
    shown = Shown(planner.empty(), planner.companies[0].id)
    error, status = "", HTTP_200_OK
    try:
        shown = read_query(found, planner, fields)
        if "do" in fields:
            shown = change(planner, shown, fields["do"])
            if not fragment:
                return Redirect(shown.url(), status_code=HTTP_303_SEE_OTHER)
    except KursbuchError as problem:
        if fragment:
            raise
        error, status = problem.text(words), getattr(problem, "status", 422)
    struct = await routes_page(request, found, shown, words, error)
    name = "parts/routes.html" if fragment else "routes.html"
    return page(request, name, struct, words, status)


async def _of_table(request: AnyRequest, title: Title[Any], fields: dict[str, str]) -> Shown:
    """The position of a table."""
    shown = await viewer(request, fields["table"][:60])
    table = shown.table
    if table.title != title.id or shown.game is None:
        raise Refused(N_("There is no game of {title} at this table."), title=title.name)
    if not table.help:
        raise Forbidden(N_("This table does not allow help."))
    if table.data_hash is not None:
        raise Refused(N_("This table is played with other component data than the page has."))
    move = fields.get("move", "")
    last = len(shown.game.moves)
    view = shown.view_at(int(move) if move.isdecimal() and len(move) < 9 else last)
    planner = planner_of(title)
    plan = planner.of_state(view.state)
    return Shown(plan, next(iter(plan.trains), planner.companies[0].id))


@get("/routes/{title:str}/position.toml", include_in_schema=False)
async def export(request: AnyRequest, title: FromPath[str]) -> Response[str]:
    """The position as a file."""
    found = find_title(title)
    shown = read_query(found, planner_of(found), dict(request.query_params))
    headers = {"content-disposition": f'attachment; filename="{found.id}-position.toml"'}
    return Response(
        write_plan(shown.plan), headers=headers, media_type="application/toml; charset=utf-8"
    )


@post(
    "/routes/{title:str}/import", include_in_schema=False, request_max_body_size=MOST_FILE + 10_000
)
async def import_file(request: AnyRequest, title: FromPath[str]) -> Response[Any] | Template:
    """Show the position of a file."""
    found = find_title(title)
    planner = planner_of(found)
    words = words_for(request)
    upload = (await read(request)).fields.get("file")
    content = await upload.read() if isinstance(upload, UploadFile) else b""
    try:
        if not content:
            raise Refused(N_("Choose a position file first."))
        try:
            plan = read_plan(content[:MOST_FILE].decode("utf-8"))
        except UnicodeDecodeError:
            raise Refused(N_("The file is not a text file.")) from None
        try:
            plan = planner.check(plan)
        except core.PlanError as error:
            raise error.in_text(content.decode("utf-8")) from None
    except KursbuchError as error:
        shown = Shown(planner.empty(), planner.companies[0].id)
        struct = await routes_page(request, found, shown, words, error.text(words))
        return page(request, "routes.html", struct, words, 422)
    shown = Shown(plan, next(iter(plan.trains), planner.companies[0].id))
    return Redirect(shown.url(), status_code=HTTP_303_SEE_OTHER)


HANDLERS = [routes, export, import_file]
