"""A position in the query string of the best-trains page: `tiles=F14.57.0_G9.9.1`."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

import msgspec

from kursbuch.core.planner import Plan, Planner
from kursbuch.core.title import Title
from kursbuch.core.words import N_
from kursbuch.web.http.errors import Refused

#: An address cannot be longer.
MOST_QUERY = 8000


class PageState(msgspec.Struct, frozen=True):
    """What the page is about: the plan, the company being looked at, the hex being changed. `aim` is "save" if
    the runs to save the revenue are shown where they are others than those to pay it out."""

    plan: Plan
    company: str
    hex: str = ""
    aim: str = ""

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
            "aim": self.aim,
        }
        return {name: value for name, value in fields.items() if value}

    def url(self) -> str:
        """The address of the page."""
        return f"/routes/{self.plan.title}?{urlencode(self.query())}"


def read_query(title: Title[Any], planner: Planner[Any], fields: dict[str, str]) -> PageState:
    """What an address means; `KursbuchError` says what is wrong with it."""

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
    """What is shown after a change such as "tile F14 57 0", "tile F14" (none), "station BY F14 0" (on
    or off), "train BY 2", "untrain BY 2", "duty BY F14 0" (to run there; on or off), "phase 2",
    "company BY", "aim save" (or "pay": which runs are shown) or "clear"."""
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
            raise Refused(
                N_("The page does not understand this change: {change}."), change=wanted[:80]
            )
    return PageState(plan, shown.company, shown.hex, shown.aim)
