"""The best runs of a position that a person sets up, for people who play with cardboard.

A `Plan` says what lies on the map and which trains there are; it has a text form (docs/routes.md).
A title that can find best runs has a `Planner`, which checks a plan, changes it, computes and draws it.
"""

from __future__ import annotations

import json
import re
import tomllib
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, Generic, TypeVar

import msgspec

from kursbuch.core.errors import KursbuchError
from kursbuch.core.words import N_, Words

StateT_contra = TypeVar("StateT_contra", contravariant=True)

#: A company cannot be given more trains, which bounds the time of the search.
MOST_TRAINS = 6

#: Nor more places one of its runs has to come to.
MOST_DUTIES = 3

#: A list of a plan cannot have more entries.
MOST_ENTRIES = 400
#: Nor a line more dots.
MOST_DOTS = 40


class Plan(msgspec.Struct, frozen=True):
    """A position: the title, the phase (None: the first of the title), tiles ("F14 57 0": hex, tile,
    rotation), stations ("BY O15 0": company, hex, number of the stop on it), the trains of companies,
    and for each company where one of its runs has to come ("F14": the hex, "F14 0": a stop on it).

    A station may leave out the number of the stop where there is no doubt.
    """

    title: str
    phase: int | None = None
    tiles: tuple[str, ...] = ()
    stations: tuple[str, ...] = ()
    trains: Mapping[str, tuple[str, ...]] = {}
    duties: Mapping[str, tuple[str, ...]] = {}


class PlanError(KursbuchError):
    """Something about a plan that cannot be: `field` is the part of the plan, `entry` what stands
    there, `line` the line of the file, if it is known."""

    def __init__(self, field: str, entry: str, why: KursbuchError, line: int = 0) -> None:
        self.field = field
        self.entry = entry
        self.why = why
        self.line = line
        if line and not field:
            super().__init__(N_("Line {line}: {why}"), line=line, why=why)
        elif line:
            super().__init__(N_("Line {line}, {field}: {why}"), line=line, field=field, why=why)
        else:
            super().__init__(N_("{field}: {why}"), field=field, why=why)

    def in_text(self, text: str) -> PlanError:
        """The same error with the line of the text the entry stands in."""
        if not self.entry:
            return self
        quoted = json.dumps(self.entry, ensure_ascii=False)
        for number, line in enumerate(text.splitlines(), 1):
            if quoted in line or line.lstrip().startswith(self.entry):
                return PlanError(self.field, self.entry, self.why, number)
        return self


# ---- what a planner tells


class PlanCompany(msgspec.Struct, frozen=True):
    """A company with trains."""

    id: str
    name: str


class TileChoice(msgspec.Struct, frozen=True):
    """A tile that may lie on a hex: its rotations, one for each look, the one that joins most track
    first, and how many are left in the box."""

    tile: str
    colour: str
    rotations: tuple[int, ...]
    left: int


class Spot(msgspec.Struct, frozen=True):
    """A city of a hex: the number of the stop, its value, its station spaces, the companies in them,
    and those that may still place a marker."""

    stop: int
    value: int
    spaces: int
    markers: tuple[str, ...]
    free_for: tuple[str, ...]


class Hex(msgspec.Struct, frozen=True):
    """A hex: what lies there and what may. `tile` is empty if there is none."""

    id: str
    name: str
    tile: str
    rotation: int
    tiles: tuple[TileChoice, ...]
    spots: tuple[Spot, ...]


class Call(msgspec.Struct, frozen=True):
    """A stop of a run: the hex, the name of the place, the number of the stop, what it counts for."""

    hex: str
    name: str
    stop: int
    value: int


class TrainRun(msgspec.Struct, frozen=True):
    """What one train does. `ferry` is taken off the sum of the calls; `track` are the sides between
    hexes it crosses. `mail` is what it earns beside its value if it carries the mail."""

    train: str
    value: int
    calls: tuple[Call, ...]
    ferry: int
    track: tuple[tuple[str, str], ...]
    mail: int = 0

    def text(self, words: Words) -> str:
        """The run in plain words, with its sum."""
        parts = [
            f"{call.name} {call.hex} ({call.value})" if call.name else f"{call.hex} ({call.value})"
            for call in self.calls
        ]
        sum_ = " – ".join(parts)
        if self.ferry:
            sum_ = words._("{calls}, less {ferry} for the ferry", calls=sum_, ferry=self.ferry)
        text = f"{sum_} = {self.value}"
        if self.mail:
            return words._("{run}, and {mail} for the mail", run=text, mail=self.mail)
        return text


class Earned(msgspec.Struct, frozen=True):
    """The best a company can earn to pay it out: the total, the part of it that is mail, the runs, and
    the trains that cannot run. `stations` counts its markers on the map; `unmet` says that no runs come
    where they have to. `saved` is the best to save it, where other runs earn more with the mail."""

    company: str
    total: int
    runs: tuple[TrainRun, ...]
    idle: tuple[str, ...]
    stations: int
    mail: int = 0
    unmet: bool = False
    saved: Earned | None = None


class Planner(ABC, Generic[StateT_contra]):
    """What a title knows about positions set up by hand.

    Every method that takes a plan raises `PlanError` for one that cannot be.
    """

    title: str
    companies: tuple[PlanCompany, ...]
    trains: tuple[str, ...]
    #: The numbers of the phases that can be chosen, in order.
    phases: tuple[int, ...]
    #: Whether a run may have to come somewhere.
    has_duties: bool

    @abstractmethod
    def of_state(self, state: StateT_contra) -> Plan:
        """The position of a game."""

    @abstractmethod
    def check(self, plan: Plan) -> Plan:
        """The plan in its usual form."""

    @abstractmethod
    def hex(self, plan: Plan, name: str) -> Hex:
        """What may be done on a hex."""

    @abstractmethod
    def lay(self, plan: Plan, name: str, tile: str, rotation: int) -> Plan:
        """The plan with another tile on a hex, none if `tile` is empty. Stations stay where the track
        of the old tile leads to on the new one."""

    @abstractmethod
    def best(self, plan: Plan, company: str) -> Earned:
        """The best runs of a company."""

    @abstractmethod
    def draw(self, plan: Plan, earned: Earned | None, chosen: str, label: str) -> str:
        """The map as SVG with the runs of a company; `chosen` is a hex to point out. Every hex has
        `data-pick="hex:F14"`, the way of the n-th run the class `run-n`."""

    @abstractmethod
    def draw_tile(self, name: str, tile: str, rotation: int, label: str) -> str:
        """A tile as SVG, as it would lie on a hex."""

    @abstractmethod
    def draw_run(self, number: int) -> str:
        """A short piece of line as SVG, drawn like the n-th run on the map."""

    # ---- what every title shares

    def empty(self) -> Plan:
        """Nothing but what is printed on the map, in the first phase."""
        return self.check(Plan(self.title))

    def station(self, plan: Plan, company: str, name: str, stop: int) -> Plan:
        """The plan with one marker more, or one less if the company has one there."""
        entry = f"{company} {name} {stop}"
        stations = [one for one in plan.stations if one != entry]
        if len(stations) == len(plan.stations):
            stations.append(entry)
        return self.check(msgspec.structs.replace(plan, stations=tuple(stations)))

    def with_trains(self, plan: Plan, company: str, trains: Sequence[str]) -> Plan:
        """The plan with other trains of a company."""
        given = {**plan.trains, company: tuple(trains)}
        return self.check(msgspec.structs.replace(plan, trains=given))

    def duty(self, plan: Plan, company: str, where: str) -> Plan:
        """The plan with one place more where a run of a company has to come ("F14" or "F14 0"), or
        one less if it is such a place already."""
        given = [one for one in plan.duties.get(company, ()) if one != where]
        if len(given) == len(plan.duties.get(company, ())):
            given.append(where)
        duties = {**plan.duties, company: tuple(given)}
        return self.check(msgspec.structs.replace(plan, duties=duties))

    def with_phase(self, plan: Plan, phase: int) -> Plan:
        """The plan in another phase."""
        return self.check(msgspec.structs.replace(plan, phase=phase))


# ---- the text form


def read_plan(text: str, kind: str = "") -> Plan:
    """A plan in JSON or TOML; `kind` is "json" or "toml", if it is known. `PlanError` names the line
    and the field that is wrong."""
    for number, row in enumerate(text.splitlines(), 1):
        if row.count(".") > MOST_DOTS:
            # The library takes the square of their number for a key.
            why = KursbuchError("A line of a position file has too many dots.")
            raise PlanError("", "", why, number)
    if kind not in ("json", "toml"):
        kind = "json" if text.lstrip("\ufeff").lstrip().startswith("{") else "toml"
    try:
        found = (json.loads if kind == "json" else tomllib.loads)(text.removeprefix("\ufeff"))
    except json.JSONDecodeError as error:
        why = KursbuchError("This is not JSON: {why}.", why=error.msg)
        raise PlanError("", "", why, error.lineno) from None
    except tomllib.TOMLDecodeError as error:
        line = re.search(r"at line (\d+)", str(error))
        why = KursbuchError(
            "This is not a position file: {why}.", why=re.sub(r" \(at .*\)", "", str(error))
        )
        raise PlanError("", "", why, int(line[1]) if line else len(text.splitlines())) from None
    except RecursionError:
        raise KursbuchError("The position file is nested too deeply.") from None
    except ValueError:  # Python reads whole numbers up to some thousand digits
        raise KursbuchError("The position file has a number that is too large.") from None
    try:
        json.dumps(found, ensure_ascii=False, default=str).encode()
    except UnicodeEncodeError:
        raise KursbuchError("The position file has a character that is none.") from None
    try:
        return _plan(found)
    except PlanError as error:
        raise error.in_text(text) from None


def _plan(found: object) -> Plan:
    if not isinstance(found, dict):
        raise KursbuchError("A position file has fields such as title, phase and tiles.")
    known = Plan.__struct_fields__
    for name in found:
        if name not in known:
            raise PlanError(
                str(name)[:40],
                str(name),
                KursbuchError(
                    "There is no such field; there are: {known}.", known=", ".join(known)
                ),
            )
    title = found.get("title")
    if not isinstance(title, str) or not title:
        raise PlanError("title", "title", KursbuchError("It must be the name of a title."))
    phase = found.get("phase")
    if phase is not None and (isinstance(phase, bool) or not isinstance(phase, int)):
        raise PlanError("phase", "phase", KursbuchError("It must be a whole number."))
    trains, duties = found.get("trains", {}), found.get("duties", {})
    if not isinstance(trains, dict):
        raise PlanError(
            "trains", "trains", KursbuchError("It must name companies with their trains.")
        )
    if not isinstance(duties, dict):
        why = KursbuchError("It must name companies with the places one of their runs comes to.")
        raise PlanError("duties", "duties", why)
    return Plan(
        title,
        phase,
        _texts(found.get("tiles", []), "tiles"),
        _texts(found.get("stations", []), "stations"),
        _by_company(trains, "trains"),
        _by_company(duties, "duties"),
    )


def _by_company(found: dict[Any, Any], field: str) -> dict[str, tuple[str, ...]]:
    return {str(name): _texts(given, f"{field}.{name}") for name, given in found.items()}


def _texts(found: Any, field: str) -> tuple[str, ...]:
    if not isinstance(found, list) or not all(isinstance(one, str) for one in found):
        raise PlanError(field, field.split(".")[-1], KursbuchError("It must be a list of texts."))
    if len(found) > MOST_ENTRIES:
        why = KursbuchError("It has more than {most} entries.", most=MOST_ENTRIES)
        raise PlanError(field, field.split(".")[-1], why)
    return tuple(found)


def write_plan(plan: Plan) -> str:
    """The plan in TOML; `read_plan` gives it back."""
    lines = [f"title = {json.dumps(plan.title)}"]
    if plan.phase is not None:
        lines.append(f"phase = {plan.phase}")
    for name, entries in (("tiles", plan.tiles), ("stations", plan.stations)):
        lines += [f"{name} = [", *(f"  {json.dumps(entry)}," for entry in entries), "]"]
    for name, given in (("trains", plan.trains), ("duties", plan.duties)):
        if given or name == "trains":
            lines += ["", f"[{name}]"]
        for company, listed in given.items():
            lines.append(f"{json.dumps(company)} = {json.dumps(list(listed))}")
    return "\n".join(lines) + "\n"
