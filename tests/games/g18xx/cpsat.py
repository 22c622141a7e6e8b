"""The best routes as models for CP-SAT, written without a look at the solver of the package.

`network_total` models a network of stops and segments. `map_total` models the map itself, hex by hex,
and so also checks how the network is made from it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any, NamedTuple

from ortools.sat.python import cp_model

from kursbuch.games.g18xx.map.board import STOP, Board, Face
from kursbuch.games.g18xx.map.revenue import Obligation
from kursbuch.games.g18xx.map.routes import Network, Train
from kursbuch.games.g18xx.map.tiles import shown
from kursbuch.games.g18xx.map.track import Layout

SECONDS = 30.0


class Unproven(AssertionError):
    """The time was not enough: `value` is the best that was found, but there may be better."""

    def __init__(self, value: int) -> None:
        super().__init__(f"{value} found in {SECONDS:.0f} seconds, but not proven to be best")
        self.value = value


class Impossible(AssertionError):
    """Nothing fulfils all conditions."""


def solve(model: cp_model.CpModel) -> int:
    """The optimum of a model."""
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.max_time_in_seconds = SECONDS
    status = solver.solve(model)
    if status == cp_model.INFEASIBLE:
        raise Impossible("nothing fulfils all conditions")
    value = round(solver.objective_value)
    if status != cp_model.OPTIMAL:
        raise Unproven(value)
    return value


def network_total(network: Network, trains: Sequence[Train], *, mail: bool = False) -> int:
    """The best total on a network, with the mail of one train if there is any; the weights of trains
    count."""
    model = cp_model.CpModel()
    stops, segments = network.stops, network.segments
    earned: list[Any] = []
    users: dict[int, list[Any]] = {}
    carriers: list[Any] = []
    for train in trains:
        # A route is a circuit through node 0, which stands for being off the track.
        arcs: list[tuple[int, int, Any]] = []
        idle = model.new_bool_var("idle")
        arcs.append((0, 0, idle))
        carriers.append(model.new_bool_var("carries"))
        visited = []
        for node, stop in enumerate(stops, 1):
            on = model.new_bool_var("on")
            first, last = model.new_bool_var("first"), model.new_bool_var("last")
            arcs += [(0, node, first), (node, 0, last), (node, node, ~on)]
            model.add_implication(idle, ~on)  # or a closed ring would do
            visited.append(on)
            earned.append(train.weight * stop.value * on)
            if train.ends:
                earned.append(train.ends * stop.value * (first + last))
            if mail:
                earned.append(stop.value * _letters(model, carriers[-1], first + last))
            if stop.end:
                model.add(first + last >= 1).only_enforce_if(on)
            model.add_implication(first, ~last)  # at least two stops
        at: list[list[tuple[Any, int]]] = [[] for _ in stops]
        for number, segment in enumerate(segments):
            if segment.a == segment.b or not segment.gauges & train.gauges:
                continue
            there, back = model.new_bool_var("there"), model.new_bool_var("back")
            arcs += [(segment.a + 1, segment.b + 1, there), (segment.b + 1, segment.a + 1, back)]
            users.setdefault(-1 - number, []).extend([there, back])
            for bit in range(segment.track.bit_length()):
                if segment.track >> bit & 1:
                    users.setdefault(bit, []).extend([there, back])
            at[segment.a].append((there + back, segment.bank_a))
            at[segment.b].append((there + back, segment.bank_b))
        model.add_circuit(arcs)
        model.add(
            sum(on for on, stop in zip(visited, stops, strict=True) if not stop.town) <= train.stops
        )
        model.add(sum(visited) <= train.stops + train.towns)
        model.add(
            sum(on for on, stop in zip(visited, stops, strict=True) if stop.own) >= 1
        ).only_enforce_if(~idle)
        for group in {stop.group for stop in stops if stop.group >= 0}:
            model.add(
                sum(on for on, stop in zip(visited, stops, strict=True) if stop.group == group) <= 1
            )
        for stop, ways in zip(stops, at, strict=True):
            if stop.toll:
                crossed = model.new_bool_var("crossed")
                for one, bank in ways:
                    for two, other in ways:
                        if bank < other:
                            model.add(crossed >= one + two - 1)
                earned.append(-train.weight * stop.toll * crossed)
    for used in users.values():
        model.add(sum(used) <= 1)
    model.add(sum(carriers) <= 1)
    model.maximize(sum(earned))
    return solve(model)


def map_total(
    board: Board,
    layout: Layout,
    phase: int,
    company: str,
    trains: Sequence[Train],
    *,
    mail: bool = False,
    duties: Sequence[Obligation] = (),
    weights: tuple[int, int] = (1, 1),
) -> int | None:
    """The best total of a company on the map, with the mail of one train if there is any, where revenue
    and mail count by these weights; None if no runs meet all duties.

    Every border between two hexes has a node on each side. A run that comes to a border must cross it,
    or it would turn round there. A junction has no node: every two of its arms are one piece of track.
    """
    model = cp_model.CpModel()
    faces = [shown(board, layout.tiles, name) for name in board.names]
    earned: list[Any] = []
    #: What can be used once by all trains together.
    pieces: dict[object, list[Any]] = {}
    carriers: list[Any] = []
    met: list[list[Any]] = [[] for _ in duties]
    markers = {
        (board.index[station.hex], station.stop): [
            other.company for other in layout.stations if other[1:] == station[1:]
        ]
        for station in layout.stations
    }
    for train in trains:
        tracks = [
            [track for track in _tracks(face, place) if track.gauge & train.gauges]
            for place, face in enumerate(faces)
        ]
        inside = _joined(
            board, tracks, [board.index[s.hex] for s in layout.stations if s.company == company]
        )
        arcs: list[tuple[int, int, Any]] = []
        nodes: dict[tuple[int, int], int] = {}
        for place, face in enumerate(faces):
            if place not in inside:
                tracks[place] = []
                continue
            sides = {end for track in tracks[place] for end in track.ends}
            for end in sorted(end for end in sides if end < STOP):
                nodes[place, end] = len(nodes) + 1
            for stop, shown_stop in enumerate(face.stops):
                if shown_stop.kind != "junction":
                    nodes[place, STOP + stop] = len(nodes) + 1
        idle = model.new_bool_var("idle")
        arcs.append((0, 0, idle))
        on = {key: model.new_bool_var("on") for key in nodes}
        arcs += [(node, node, ~on[key]) for key, node in nodes.items()]
        for used in on.values():
            model.add_implication(idle, ~used)  # or a closed ring would do
        carries = model.new_bool_var("carries")
        carriers.append(carries)
        own, all_stops, cities = [], [], []
        ends: list[Any] = []
        once: dict[str, list[Any]] = {}
        banks: dict[tuple[int, int], list[Any]] = {}
        over: dict[int, list[Any]] = {}
        for place, face in enumerate(faces):
            for track in tracks[place]:
                one, two = (nodes[place, end] for end in track.ends)
                there, back = model.new_bool_var("there"), model.new_bool_var("back")
                arcs += [(one, two, there), (two, one, back)]
                if track.piece is not None:
                    pieces.setdefault(track.piece, []).extend([there, back])
                if min(track.ends) >= STOP:
                    over.setdefault(place, []).extend([there, back])
                if face.ferry:
                    bank = face.ferry.sides[min(track.ends)]
                    banks.setdefault((place, bank), []).append(there + back)
            for edge in range(6):
                other, opposite = board.neighbours[place][edge], (edge + 3) % 6
                if (place, edge) not in nodes:
                    continue
                over.setdefault(place, []).append(on[place, edge])
                if (other, opposite) not in nodes:
                    model.add(on[place, edge] == 0)
                elif place < other:
                    one, two = nodes[place, edge], nodes[other, opposite]
                    there, back = model.new_bool_var("there"), model.new_bool_var("back")
                    arcs += [(one, two, there), (two, one, back)]
                    pieces.setdefault((place, edge), []).extend([there, back])
                    model.add(there + back == on[place, edge])
                    model.add(there + back == on[other, opposite])
        for place, face in enumerate(faces):
            record = board.records[place]
            for number, shown_stop in enumerate(face.stops):
                key = (place, STOP + number)
                if key not in nodes:
                    continue
                value = shown_stop.values[phase] if shown_stop.values else shown_stop.value
                first, last = model.new_bool_var("first"), model.new_bool_var("last")
                arcs += [(0, nodes[key], first), (nodes[key], 0, last)]
                model.add_implication(first, ~last)
                ends.append(nodes[key] * (last - first))
                if not value:
                    model.add(on[key] == 0)
                all_stops.append(on[key])
                earned.append(weights[0] * value * on[key])
                if mail:
                    earned.append(weights[1] * value * _letters(model, carries, first + last))
                if shown_stop.kind != "town":
                    cities.append(on[key])
                here = markers.get((place, number), [])
                if company in here:
                    own.append(on[key])
                elif shown_stop.kind == "offboard" or (
                    shown_stop.kind == "city" and len(here) >= shown_stop.slots
                ):
                    model.add(first + last >= 1).only_enforce_if(on[key])
                if record.connection or record.one_stop_per_route:
                    once.setdefault(record.connection or record.id, []).append(on[key])
            if face.ferry and place in inside:
                crossed = model.new_bool_var("crossed")
                for north in banks[place, 0]:
                    for south in banks[place, 1]:
                        model.add(crossed >= north + south - 1)
                earned.append(-weights[0] * face.ferry.toll * crossed)
        model.add_circuit(arcs)
        model.add(sum(ends) >= 0)  # of the two directions one is enough
        model.add(sum(cities) <= train.stops)
        model.add(sum(all_stops) <= train.stops + train.towns)
        model.add(sum(own) >= 1).only_enforce_if(~idle)
        for group in once.values():
            model.add(sum(group) <= 1)
        for duty, meeting in zip(duties, met, strict=True):
            meets = model.new_bool_var("meets")
            meeting.append(meets)
            place = board.number(duty.hex)
            goal = (place, STOP + duty.stop)
            ways = over.get(place, []) if duty.stop < 0 else [on[goal]] if goal in on else []
            model.add(sum(ways) >= 1).only_enforce_if(meets)
            if duty.by:
                calls = [(board.number(hex), STOP + stop) for hex, stop in duty.by]
                model.add(sum(on[key] for key in calls if key in on) >= 1).only_enforce_if(meets)
    for shared in pieces.values():
        model.add(sum(shared) <= 1)
    for meeting in met:
        model.add(sum(meeting) >= 1)
    model.add(sum(carriers) <= 1)
    model.maximize(sum(earned))
    try:
        return solve(model)
    except Impossible:
        return None


def _joined(board: Board, tracks: Sequence[Sequence[_Track]], places: Sequence[int]) -> set[int]:
    """The hexes to which track leads from some, over whatever lies on the way."""
    sides = [{end for track in on_hex for end in track.ends} for on_hex in tracks]
    waiting, seen = list(places), set(places)
    while waiting:
        place = waiting.pop()
        for edge in range(6):
            other = board.neighbours[place][edge]
            if edge in sides[place] and (edge + 3) % 6 in sides[other] and other not in seen:
                seen.add(other)
                waiting.append(other)
    return seen


def _letters(model: cp_model.CpModel, carries: Any, end: Any) -> Any:
    """Whether a stop is an end of the run that carries the mail."""
    letters = model.new_bool_var("letters")
    model.add(letters <= end)
    model.add_implication(letters, carries)
    return letters


class _Track(NamedTuple):
    """A piece of track of a hex between two edges or stops. Of all with the same `piece` only one can
    be used; without one, the borders it leads to say enough."""

    ends: tuple[int, int]
    gauge: int
    piece: object = None


def _tracks(face: Face, place: int) -> list[_Track]:
    """The track of a face, with every way over its junctions."""
    found = []
    arms: dict[int, list[tuple[int, int]]] = {}
    for number, (a, b, gauge) in enumerate(face.paths):
        a, b = min(a, b), max(a, b)
        if b >= STOP and face.stops[b - STOP].kind == "junction":
            arms.setdefault(b, []).append((a, gauge))
        else:
            found.append(_Track((a, b), gauge, ("path", place, number) if a >= STOP else None))
    for junction, around in arms.items():
        piece = ("junction", place, junction) if face.stops[junction - STOP].exclusive else None
        for (a, one), (b, two) in combinations(around, 2):
            if one & two:
                found.append(_Track((a, b), one & two, piece))
    return found
