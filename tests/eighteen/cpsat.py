"""The best routes as models for CP-SAT, written without a look at the solver of the package.

`network_total` models a network of stops and segments. `map_total` models the map itself, hex by hex,
and so also checks how the network is made from it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ortools.sat.python import cp_model

from kursbuch.eighteen.map.board import STOP, Board
from kursbuch.eighteen.map.routes import Network, Train
from kursbuch.eighteen.map.tiles import shown
from kursbuch.eighteen.map.track import Layout

SECONDS = 30.0


class Unproven(AssertionError):
    """The time was not enough: `value` is the best that was found, but there may be better."""

    def __init__(self, value: int) -> None:
        super().__init__(f"{value} found in {SECONDS:.0f} seconds, but not proven to be best")
        self.value = value


def solve(model: cp_model.CpModel) -> int:
    """The optimum of a model."""
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.max_time_in_seconds = SECONDS
    status = solver.solve(model)
    value = round(solver.objective_value)
    if status != cp_model.OPTIMAL:
        raise Unproven(value)
    return value


def network_total(network: Network, trains: Sequence[Train]) -> int:
    """The best total on a network."""
    model = cp_model.CpModel()
    stops, segments = network.stops, network.segments
    earned: list[Any] = []
    users: dict[int, list[Any]] = {}
    for train in trains:
        # A route is a circuit through node 0, which stands for being off the track.
        arcs: list[tuple[int, int, Any]] = []
        idle = model.new_bool_var("idle")
        arcs.append((0, 0, idle))
        visited = []
        for node, stop in enumerate(stops, 1):
            on = model.new_bool_var("on")
            first, last = model.new_bool_var("first"), model.new_bool_var("last")
            arcs += [(0, node, first), (node, 0, last), (node, node, ~on)]
            model.add_implication(idle, ~on)  # or a closed ring would do
            visited.append(on)
            earned.append(stop.value * on)
            if train.ends:
                earned += [stop.value * first, stop.value * last]
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
                earned.append(-stop.toll * crossed)
    for used in users.values():
        model.add(sum(used) <= 1)
    model.maximize(sum(earned))
    return solve(model)


def map_total(
    board: Board, layout: Layout, phase: int, company: str, trains: Sequence[tuple[int, int]]
) -> int:
    """The best total of a company of 1835 on the map; a train is (stations, further towns).

    Every border between two hexes has a node on each side. A run that comes to a border must cross it,
    or it would turn round there.
    """
    model = cp_model.CpModel()
    faces = [shown(board, layout.tiles, name) for name in board.names]
    earned: list[Any] = []
    crossings: dict[tuple[int, int], list[Any]] = {}
    markers = {
        (board.index[station.hex], station.stop): [
            other.company for other in layout.stations if other[1:] == station[1:]
        ]
        for station in layout.stations
    }
    for reach, towns in trains:
        arcs: list[tuple[int, int, Any]] = []
        nodes: dict[tuple[int, int], int] = {}
        for place, face in enumerate(faces):
            for end in range(6):
                if face.edges() >> end & 1:
                    nodes[place, end] = len(nodes) + 1
            for stop in range(len(face.stops)):
                nodes[place, STOP + stop] = len(nodes) + 1
        idle = model.new_bool_var("idle")
        arcs.append((0, 0, idle))
        on = {key: model.new_bool_var("on") for key in nodes}
        arcs += [(node, node, ~on[key]) for key, node in nodes.items()]
        for used in on.values():
            model.add_implication(idle, ~used)  # or a closed ring would do
        own, all_stops, cities = [], [], []
        red: dict[str, list[Any]] = {}
        banks: dict[tuple[int, int], list[Any]] = {}
        for place, face in enumerate(faces):
            for path in face.paths:
                one, two = nodes[place, path.a], nodes[place, path.b]
                there, back = model.new_bool_var("there"), model.new_bool_var("back")
                arcs += [(one, two, there), (two, one, back)]
                if face.ferry:
                    bank = face.ferry.sides[min(path[:2])]
                    banks.setdefault((place, bank), []).append(there + back)
            for edge in range(6):
                other, opposite = board.neighbours[place][edge], (edge + 3) % 6
                if (place, edge) not in nodes:
                    continue
                if (other, opposite) not in nodes:
                    model.add(on[place, edge] == 0)
                elif place < other:
                    one, two = nodes[place, edge], nodes[other, opposite]
                    there, back = model.new_bool_var("there"), model.new_bool_var("back")
                    arcs += [(one, two, there), (two, one, back)]
                    crossings.setdefault((place, edge), []).extend([there, back])
                    model.add(there + back == on[place, edge])
                    model.add(there + back == on[other, opposite])
        for place, face in enumerate(faces):
            record = board.records[place]
            for number, shown_stop in enumerate(face.stops):
                key = (place, STOP + number)
                value = shown_stop.values[phase] if shown_stop.values else shown_stop.value
                first, last = model.new_bool_var("first"), model.new_bool_var("last")
                arcs += [(0, nodes[key], first), (nodes[key], 0, last)]
                model.add_implication(first, ~last)
                if not value:
                    model.add(on[key] == 0)
                all_stops.append(on[key])
                earned.append(value * on[key])
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
                    red.setdefault(record.connection or record.id, []).append(on[key])
            if face.ferry:
                crossed = model.new_bool_var("crossed")
                for north in banks[place, 0]:
                    for south in banks[place, 1]:
                        model.add(crossed >= north + south - 1)
                earned.append(-face.ferry.toll * crossed)
        model.add_circuit(arcs)
        model.add(sum(cities) <= reach)
        model.add(sum(all_stops) <= reach + towns)
        model.add(sum(own) >= 1).only_enforce_if(~idle)
        for group in red.values():
            model.add(sum(group) <= 1)
    for shared in crossings.values():
        model.add(sum(shared) <= 1)
    model.maximize(sum(earned))
    return solve(model)
