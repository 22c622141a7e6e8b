"""Best-run calculator for positions set up by hand, for cardboard games.

A `Plan` holds the map and the trains, and has a text form (docs/routes.md). A title that can find best runs has a
`Planner`, which checks, edits, solves and draws a plan.
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

#: Maximum number of trains of a company, to bound the search.
MOST_TRAINS = 6

#: Maximum number of mandatory stops of a company.
MOST_DUTIES = 3

#: Maximum number of entries in a list of a plan.
MOST_ENTRIES = 400
#: Maximum number of dots on a line.
MOST_DOTS = 40


class Plan(msgspec.Struct, frozen=True):
    """A position: the title, the phase (None: the first), tiles ("F14 57 0": hex, tile, rotation), stations ("BY O15
    0": company, hex, stop number), each company's trains, and its mandatory stops ("F14": a hex, "F14 0": a stop on
    it).

    A station may omit the stop number where it is unambiguous.
    """

    title: str
    phase: int | None = None
    tiles: tuple[str, ...] = ()
    stations: tuple[str, ...] = ()
    trains: Mapping[str, tuple[str, ...]] = {}
    duties: Mapping[str, tuple[str, ...]] = {}


class PlanError(KursbuchError):
    """An invalid plan: `field` is the part of the plan, `entry` the invalid entry, `line` its line in the file if
    known."""

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
        """The same error with the line of `text` that contains the entry."""
        if not self.entry:
            return self
        quoted = json.dumps(self.entry, ensure_ascii=False)
        for number, line in enumerate(text.splitlines(), 1):
            if quoted in line or line.lstrip().startswith(self.entry):
                return PlanError(self.field, self.entry, self.why, number)
        return self


# ---- what a planner returns


class PlanCompany(msgspec.Struct, frozen=True):
    id: str
    name: str


class TileChoice(msgspec.Struct, frozen=True):
    """A tile that may be laid on a hex: its distinct rotations, best connected first, and how many are left."""

    tile: str
    colour: str
    rotations: tuple[int, ...]
    left: int


class Spot(msgspec.Struct, frozen=True):
    """A city of a hex: stop number, value, station spaces, the companies in them, and those that may place a token."""

    stop: int
    value: int
    spaces: int
    markers: tuple[str, ...]
    free_for: tuple[str, ...]


class Hex(msgspec.Struct, frozen=True):
    """A hex: its tile (empty if none) and what may be placed on it."""

    id: str
    name: str
    tile: str
    rotation: int
    tiles: tuple[TileChoice, ...]
    spots: tuple[Spot, ...]


class Call(msgspec.Struct, frozen=True):
    """A stop of a run: hex, name, stop number and value."""

    hex: str
    name: str
    stop: int
    value: int


class TrainRun(msgspec.Struct, frozen=True):
    """The run of one train. `ferry` is subtracted from the sum of the calls, `track` are the crossed hex sides, and
    `mail` is the extra income if it carries the mail."""

    train: str
    value: int
    calls: tuple[Call, ...]
    ferry: int
    track: tuple[tuple[str, str], ...]
    mail: int = 0

    def text(self, words: Words) -> str:
        """The run in words, with its sum."""
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
    """The best payout of a company: the total, its mail part, the runs, and the trains that cannot run. `stations`
    counts its tokens on the map; `unmet` means that no runs meet the mandatory stops. `saved` is the best result when
    withholding, where mail makes other runs better."""

    company: str
    total: int
    runs: tuple[TrainRun, ...]
    idle: tuple[str, ...]
    stations: int
    mail: int = 0
    unmet: bool = False
    saved: Earned | None = None


class Planner(ABC, Generic[StateT_contra]):
    """A title's best-run calculator for positions set up by hand.

    Every method raises `PlanError` for an invalid plan.
    """

    title: str
    companies: tuple[PlanCompany, ...]
    trains: tuple[str, ...]
    #: Numbers of the phases to choose from, in order.
    phases: tuple[int, ...]
    #: Whether runs can have mandatory stops.
    has_duties: bool

    @abstractmethod
    def of_state(self, state: StateT_contra) -> Plan:
        """The plan of a game's position."""

    @abstractmethod
    def check(self, plan: Plan) -> Plan:
        """The plan in canonical form."""

    @abstractmethod
    def hex(self, plan: Plan, name: str) -> Hex:
        """What may be placed on a hex."""

    @abstractmethod
    def lay(self, plan: Plan, name: str, tile: str, rotation: int) -> Plan:
        """The plan with another tile on a hex, none if `tile` is empty. Tokens follow the track of the old tile."""

    @abstractmethod
    def best(self, plan: Plan, company: str) -> Earned:
        """The best runs of a company."""

    @abstractmethod
    def draw(self, plan: Plan, earned: Earned | None, chosen: str, label: str) -> str:
        """The map as SVG with the runs of a company; `chosen` is a highlighted hex. Hexes have `data-pick="hex:F14"`,
        the track of the n-th run the class `run-n`."""

    @abstractmethod
    def draw_tile(self, name: str, tile: str, rotation: int, label: str) -> str:
        """A tile as SVG, as it would lie on a hex."""

    @abstractmethod
    def draw_run(self, number: int) -> str:
        """A short track sample as SVG, in the style of the n-th run."""

    # ---- shared by all titles

    def empty(self) -> Plan:
        """An empty map in the first phase."""
        return self.check(Plan(self.title))

    def station(self, plan: Plan, company: str, name: str, stop: int) -> Plan:
        """The plan with one token added, or removed if it is there already."""
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
        """The plan with a mandatory stop of a company ("F14" or "F14 0") added, or removed if it is there already."""
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
    """Read a plan in JSON or TOML; `kind` is "json" or "toml" if known. `PlanError` names the line and field."""
    for number, row in enumerate(text.splitlines(), 1):
        if row.count(".") > MOST_DOTS:
            # tomllib takes quadratic time in the number of dots in a key.
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
    except ValueError:  # Python limits the digits of whole numbers
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
    """Write the plan in TOML, for `read_plan`."""
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
