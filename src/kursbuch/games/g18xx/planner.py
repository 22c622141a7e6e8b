"""Best runs of positions set up by hand, for every 18xx title."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import msgspec

from kursbuch.core import planner
from kursbuch.core.errors import KursbuchError
from kursbuch.core.planner import Earned, Hex, Plan, PlanError, Planner, Spot, TileChoice, TrainRun
from kursbuch.games.g18xx.components import Components, train_item
from kursbuch.games.g18xx.drawing.faces import draw_tile, token_colours
from kursbuch.games.g18xx.drawing.look import PLAIN, MapLook
from kursbuch.games.g18xx.drawing.map import Way, draw_run_sample, map_parts
from kursbuch.games.g18xx.map.board import COLOURS, Face
from kursbuch.games.g18xx.map.revenue import Aim, Obligation, Revenue, Run, best_runs
from kursbuch.games.g18xx.map.tiles import fits, follow, shown, supply
from kursbuch.games.g18xx.map.track import Laid, Layout, Station
from kursbuch.games.g18xx.ruleset import Ruleset
from kursbuch.games.g18xx.state import EighteenState, OfCompany
from kursbuch.hexmap import svg


class EighteenPlanner(Planner[EighteenState[Any]]):
    """Planner of a title."""

    def __init__(self, title: str, ruleset: Ruleset[Any], look: MapLook = PLAIN) -> None:
        self.title = title
        self.ruleset = ruleset
        self.look = look
        self.looks = token_colours(ruleset)
        components: Components = ruleset.components
        self.components = components
        self.board = components.board
        file = components.file
        names = {record.id: record.name for record in file.companies.minors}
        names |= {record.id: record.name for record in file.companies.public}
        self.companies = tuple(planner.PlanCompany(name, names[name]) for name in names)
        self.trains = components.train_order
        self.has_duties = ruleset.policy.run_duty
        self.phases = tuple(sorted({record.number for record in file.phases}))
        #: Tile colours by phase.
        self.colours = {
            phase: {
                colour
                for record in file.phases
                if record.number == phase
                for colour in record.tiles
            }
            for phase in self.phases
        }
        self.markers = {record.id: record.station_markers for record in file.companies.public}
        self.markers |= {record.id: 1 for record in file.companies.minors}
        self.may_lie = lru_cache(maxsize=None)(self._may_lie)

    # ---- plans

    def of_state(self, state: EighteenState[Any]) -> Plan:
        held = {
            company.id: tuple(
                train
                for train in self.trains
                for _ in range(state.ledger.held(train_item(train), company.id))
            )
            for company in self.companies
        }
        phase = self.components.phases[state.phase].number
        acting = [step.company for step in state.agenda if isinstance(step, OfCompany)][-1:]
        duties = {
            company: [_duty_text(duty) for duty in self.ruleset.depot.duties(state, company)]
            for company in acting
        }
        return self.plan(state.layout, phase, held, duties)

    def plan(
        self,
        layout: Layout,
        phase: int,
        trains: Mapping[str, Sequence[str]],
        duties: Mapping[str, Sequence[str]] | None = None,
    ) -> Plan:
        """A plan in its usual form: in the order of the map and of the companies."""
        duties = duties or {}
        index = self.board.index
        ids = [company.id for company in self.companies]
        return Plan(
            title=self.title,
            phase=phase,
            tiles=tuple(
                f"{name} {laid.tile} {laid.rotation}"
                for name, laid in sorted(layout.tiles.items(), key=lambda item: index[item[0]])
            ),
            stations=tuple(
                f"{company} {name} {stop}"
                for company, name, stop in sorted(
                    layout.stations, key=lambda one: (ids.index(one.company), index[one.hex])
                )
            ),
            trains={
                company: tuple(sorted(trains[company], key=self.trains.index))
                for company in ids
                if trains.get(company)
            },
            duties={company: tuple(duties[company]) for company in ids if duties.get(company)},
        )

    def check(self, plan: Plan) -> Plan:
        return self._with(plan, self.layout(plan))

    def _with(self, plan: Plan, layout: Layout) -> Plan:
        """The plan with another layout."""
        duties = {
            company: list(
                dict.fromkeys(
                    _duty_text(self._read_duty(layout, company, entry)) for entry in given
                )
            )
            for company, given in plan.duties.items()
        }
        return self.plan(layout, self.phase(plan), plan.trains, duties)

    def phase(self, plan: Plan) -> int:
        """Phase of a plan; raise `PlanError` if it does not exist."""
        phase = self.phases[0] if plan.phase is None else plan.phase
        if phase not in self.phases:
            why = KursbuchError(
                "The phases are {first} to {last}.",
                first=self.phases[0],
                last=self.phases[-1],
            )
            raise PlanError("phase", "phase", why)
        return phase

    def layout(self, plan: Plan) -> Layout:
        """Layout of a plan; raise `PlanError` if it is impossible."""
        if plan.title != self.title:
            raise PlanError(
                "title",
                plan.title,
                KursbuchError("This is a position of {title}.", title=plan.title[:40]),
            )
        self.phase(plan)
        layout = Layout()
        for entry in plan.tiles:
            with _Place("tiles", entry):
                layout = self._read_tile(entry, layout)
        for entry in plan.stations:
            with _Place("stations", entry):
                layout = self._read_station(entry, layout)
        for company, trains in plan.trains.items():
            with _Place("trains", company):
                self._known(company)
                if len(trains) > planner.MOST_TRAINS:
                    raise KursbuchError(
                        "{company} has more than {most} trains.",
                        company=self.ruleset.label(company),
                        most=planner.MOST_TRAINS,
                    )
            for train in trains:
                with _Place(f"trains.{company}", train):
                    self.components.train(train[:20])
        for company, duties in plan.duties.items():
            with _Place("duties", company):
                self._known(company)
            if len(duties) > planner.MOST_DUTIES:
                why = KursbuchError("It has more than {most} entries.", most=planner.MOST_DUTIES)
                raise PlanError(f"duties.{company}", duties[-1], why)
            for entry in duties:
                with _Place(f"duties.{company}", entry):
                    self._read_duty(layout, company, entry)
        return layout

    def _read_tile(self, entry: str, layout: Layout) -> Layout:
        parts = entry.split()
        if len(parts) != 3 or not _is_number(parts[2]):
            raise KursbuchError(
                "{entry} is not a tile such as F14 57 0: hex, tile, rotation.", entry=_quoted(entry)
            )
        name, tile, rotation = parts[0].upper(), parts[1], int(parts[2])
        self.board.number(name)
        if name in layout.tiles:
            raise KursbuchError("There is more than one tile on {hex}.", hex=name)
        found = self.board.tile(tile)
        possible = self.may_lie(name).get(tile)
        if possible is None:
            raise KursbuchError("Tile {tile} can never be laid on {hex}.", tile=tile, hex=name)
        if rotation > 5 or found.lowest[rotation] not in possible:
            raise KursbuchError(
                ("Tile {tile} can be laid on {hex} in rotations {possible}, not {rotation}."),
                tile=tile,
                hex=name,
                possible=", ".join(map(str, possible)),
                rotation=rotation,
            )
        return layout.with_tile(name, Laid(tile, rotation), ())

    def _read_station(self, entry: str, layout: Layout) -> Layout:
        parts = entry.split()
        if len(parts) not in (2, 3) or not all(map(_is_number, parts[2:])):
            raise KursbuchError(
                "{entry} is not a station such as BY O15 0: company, hex, number of the city on it.",
                entry=_quoted(entry),
            )
        company, name = parts[0], parts[1].upper()
        self._known(company)
        face = shown(self.board, layout.tiles, name)
        cities = [number for number, stop in enumerate(face.stops) if stop.kind == "city"]
        if not cities:
            raise KursbuchError("There is no city on {hex}.", hex=name)
        if len(parts) == 3:
            stop = int(parts[2])
        else:
            homes = self.components.homes[company]
            usual = next((home.number for home in homes if home.hex == name), None)
            stop = cities[0] if len(cities) == 1 else -1 if usual is None else usual
        if stop not in cities:
            raise KursbuchError(
                "{hex} has the cities {cities}: say which, as in {example}.",
                hex=name,
                cities=", ".join(map(str, cities)),
                example=f"{company} {name} {cities[0]}",
            )
        # [station-space]
        if any((one.company, one.hex) == (company, name) for one in layout.stations):
            raise KursbuchError(
                "{company} has more than one token on {hex}.",
                company=self.ruleset.label(company),
                hex=name,
            )
        here = [one for one in layout.stations if (one.hex, one.stop) == (name, stop)]
        if len(here) >= face.stops[stop].slots:
            raise KursbuchError(
                "City {stop} of {hex} has no room for that many stations.",
                stop=stop,
                hex=name,
            )
        if sum(one.company == company for one in layout.stations) >= self.markers[company]:
            raise KursbuchError(
                "{company} has fewer station tokens than that: only {most}.",
                company=self.ruleset.label(company),
                most=self.markers[company],
            )
        return layout.with_station(Station(company, name, stop))

    def _read_duty(self, layout: Layout, company: str, entry: str) -> Obligation:
        parts = entry.split()
        if len(parts) not in (1, 2) or not all(map(_is_number, parts[1:])):
            raise KursbuchError(
                "{entry} is not a place such as F14 or F14 0: hex, number of the stop on it.",
                entry=_quoted(entry),
            )
        name = parts[0].upper()
        face = shown(self.board, layout.tiles, name)
        stop = int(parts[1]) if len(parts) == 2 else -1
        if stop >= 0 and not _is_stop(face, stop):
            raise KursbuchError(
                "There is no stop {stop} on {hex}.", stop=_quoted(parts[1]), hex=name
            )
        return self.ruleset.depot.duty_at(layout, company, name, stop)

    def _known(self, company: str) -> None:
        if company not in self.markers:
            raise KursbuchError(
                "There is no company {company}; the companies are {known}.",
                company=_quoted(company),
                known=", ".join(self.markers),
            )

    # ---- tiles

    def _may_lie(self, name: str) -> dict[str, tuple[int, ...]]:
        """Tiles that can ever lie on a hex, with rotations, found by upgrading tile after tile
        [upgrade, track-kept, upgrade-table]."""
        found: dict[str, set[int]] = {}
        waiting: list[dict[str, Laid]] = [{}]
        while waiting:
            for fit in fits(self.board, waiting.pop(), name, unlimited=True):
                rotations = found.setdefault(fit.tile, set())
                if fit.rotation not in rotations:
                    rotations.add(fit.rotation)
                    waiting.append({name: Laid(fit.tile, fit.rotation)})
        return {tile: tuple(sorted(rotations)) for tile, rotations in found.items()}

    def hex(self, plan: Plan, name: str) -> Hex:
        layout = self.layout(plan)
        name = name.upper()
        place = self.board.number(name)
        record = self.board.records[place]
        left = supply(self.board, layout.tiles)
        colours = self.colours[self.phase(plan)]
        laid = layout.tiles.get(name)
        choices = [
            TileChoice(
                tile,
                self.board.tiles[tile].colour,
                tuple(sorted(rotations, key=lambda turn: -self._joins(layout, place, tile, turn))),
                left[tile],
            )
            for tile, rotations in self.may_lie(name).items()
            if self.board.tiles[tile].colour in colours
        ]
        choices.sort(key=lambda one: (COLOURS.index(one.colour), len(one.tile), one.tile))
        return Hex(
            id=name,
            name=record.name or record.place,
            tile=laid.tile if laid else "",
            rotation=self.board.tiles[laid.tile].lowest[laid.rotation] if laid else 0,
            tiles=tuple(choices),
            spots=tuple(self._spots(layout, name)),
        )

    def _joins(self, layout: Layout, place: int, tile: str, rotation: int) -> int:
        """Number of a tile's borders that meet track of its neighbours."""
        edges = self.board.tiles[tile].faces[rotation].edges()
        return sum(
            edges >> edge & 1
            and other >= 0
            and shown(self.board, layout.tiles, self.board.names[other]).edges() >> (edge + 3) % 6
            & 1
            for edge, other in enumerate(self.board.neighbours[place])
        )

    def _spots(self, layout: Layout, name: str) -> list[Spot]:
        spots = []
        for number, stop in enumerate(shown(self.board, layout.tiles, name).stops):
            if stop.kind != "city":
                continue
            here = [one.company for one in layout.stations if (one.hex, one.stop) == (name, number)]
            used = [one.company for one in layout.stations]
            there = {one.company for one in layout.stations if one.hex == name}
            spots.append(
                Spot(
                    number,
                    stop.value,
                    stop.slots,
                    tuple(here),
                    tuple(
                        company
                        for company, most in self.markers.items()
                        if len(here) < stop.slots
                        and company not in there
                        and used.count(company) < most
                    ),
                )
            )
        return spots

    def lay(self, plan: Plan, name: str, tile: str, rotation: int) -> Plan:
        layout = self.layout(plan)
        name = name.upper()
        self.board.number(name)
        old = shown(self.board, layout.tiles, name)
        stations = layout.stations
        layout = Layout({hex: laid for hex, laid in layout.tiles.items() if hex != name})
        if tile:
            with _Place("tiles", f"{name} {tile} {rotation}"):
                layout = self._read_tile(f"{name} {tile} {rotation}", layout)
        new = shown(self.board, layout.tiles, name)
        layout = Layout(layout.tiles, _moved(stations, name, old, new))
        duties = {
            company: tuple(
                entry
                for entry in given
                if not (parts := entry.split())[1:]
                or parts[0].upper() != name
                or _is_stop(new, int(parts[1]))
            )
            for company, given in plan.duties.items()
        }
        return self._with(msgspec.structs.replace(plan, duties=duties), layout)

    # ---- runs and drawings

    def best(self, plan: Plan, company: str) -> Earned:
        layout = self.layout(plan)
        with _Place("company", company):
            self._known(company)
        position = self.components.track.position(layout, self.phase(plan) - 1)
        trains = plan.trains.get(company, ())
        duties = [self._read_duty(layout, company, entry) for entry in plan.duties.get(company, ())]
        mail = self.ruleset.policy.mail

        def runs_for(aim: Aim) -> Revenue:
            return best_runs(
                self.components, position, company, trains, mail=mail, aim=aim, duties=duties
            )

        def earned(found: Revenue) -> Earned:
            idle = list(trains)
            for run in found.runs:
                idle.remove(run.train)
            return Earned(
                company=company,
                total=found.total(),
                runs=tuple(self._run(run) for run in found.runs),
                idle=tuple(idle),
                stations=sum(one.company == company for one in layout.stations),
                mail=found.mail,
                unmet=bool(duties) and not found.runs,
            )

        paid, saved = runs_for("pay"), runs_for("save")
        best = earned(paid)
        if saved == paid:
            return best
        return msgspec.structs.replace(best, saved=earned(saved))

    def _run(self, run: Run) -> TrainRun:
        return TrainRun(
            train=run.train,
            value=run.value,
            calls=tuple(
                planner.Call(call.hex, self.place_name(call.hex), call.stop, call.value)
                for call in run.calls
            ),
            ferry=run.ferry,
            track=self.board.crossed(run.track),
            mail=run.mail,
        )

    def draw(self, plan: Plan, earned: Earned | None, chosen: str, label: str) -> str:
        width, height, content, above = map_parts(
            self.board,
            self.layout(plan),
            self.phase(plan) - 1,
            [self._way(run) for run in earned.runs] if earned else (),
            looks=self.looks,
            marks=[f"hex:{chosen}"],
            look=self.look,
        )
        return svg.document(
            width,
            height,
            [*content, *above],
            label=label,
            class_="eighteen",
            data_title=self.title,
        )

    def _way(self, run: TrainRun) -> Way:
        return Way(run.track, {(call.hex, call.stop) for call in run.calls})

    def draw_tile(self, name: str, tile: str, rotation: int, label: str) -> str:
        return draw_tile(self.board.tile(tile).faces[rotation], label, self.look.sizes)

    def draw_run(self, number: int) -> str:
        return draw_run_sample(number)

    def place_name(self, name: str) -> str:
        """Name of the place on a hex, or empty."""
        record = self.board.records[self.board.number(name)]
        return record.name or record.place


class _Place:
    """Adds the place in the plan to errors."""

    def __init__(self, field: str, entry: str) -> None:
        self.field = field
        self.entry = entry

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, KursbuchError) and not isinstance(error, PlanError):
            raise PlanError(self.field, self.entry, error) from None


def _is_stop(face: Face, number: int) -> bool:
    """Whether a face has a stop of this number at which trains call."""
    return number < len(face.stops) and face.stops[number].kind != "junction"


def _duty_text(duty: Obligation) -> str:
    return duty.hex if duty.stop < 0 else f"{duty.hex} {duty.stop}"


def _is_number(text: str) -> bool:
    return text.isdecimal() and len(text) <= 3


def _quoted(text: str) -> str:
    return repr(text[:40])


def _moved(stations: Sequence[Station], name: str, old: Face, new: Face) -> list[Station]:
    """Tokens after another tile has been laid: where the old track leads if the tile keeps it, else
    in the city of the same number; those without room are removed."""
    becomes = follow(old, new)
    found: list[Station] = []
    for station in stations:
        if station.hex == name:
            stop = becomes[station.stop]
            if stop >= len(new.stops) or new.stops[stop].kind != "city":
                continue
            moved = station._replace(stop=stop)
            room = new.stops[stop].slots - sum(
                one.hex == name and one.stop == stop for one in found
            )
            if room < 1:
                continue
            station = moved
        found.append(station)
    return found
