"""Where locomotives and stations may go, and which lines are isolated."""

from __future__ import annotations

from collections.abc import Iterator

from kursbuch.core.errors import IllegalAction, first_refusal
from kursbuch.games.rocket.components import Board
from kursbuch.games.rocket.state import RocketState


class Boards:
    """The board a state is played on: with or without the optional railway towns."""

    def __init__(self, usual: Board, wide: Board) -> None:
        self.usual = usual
        self.wide = wide

    def of(self, state: RocketState) -> Board:
        """The board of that game."""
        return self.wide if state.wide else self.usual


def directions(state: RocketState, line: int) -> tuple[int, ...]:
    """The edges over which the locomotive of a line may leave its hex [move-4, move-5]."""
    return turns(state.facing[line])


def turns(facing: int) -> tuple[int, ...]:
    """The edges a locomotive may leave over that came in with this facing [move-4, move-5]."""
    return (0, 1, 2, 3, 4, 5) if facing < 0 else ((facing + 5) % 6, facing, (facing + 1) % 6)


def touched_lines(state: RocketState, board: Board, line: int, place: int) -> set[int]:
    """The other lines with a hex next to `place` [merge-1]."""
    owner = state.owner
    found = {owner[n] for n in board.around[place]}
    found.discard(-1)
    found.discard(line)
    return found


def is_open(state: RocketState, board: Board, place: int) -> bool:
    """Whether a locomotive could stand on the hex as far as the hex itself goes [move-2]."""
    return place >= 0 and state.owner[place] < 0 and board.town_at[place] < 0


def destinations(state: RocketState, board: Board, line: int) -> list[int]:
    """The hexes the locomotive of a line may be moved to [move-2, move-4, move-5, move-6]."""
    origin = state.locomotive[line]
    if origin < 0:
        return []
    row = board.neighbours[origin]
    return [
        row[edge]
        for edge in directions(state, line)
        if is_open(state, board, row[edge])
        and len(touched_lines(state, board, line, row[edge])) < 2
    ]


def no_hex(name: str) -> IllegalAction:
    """There is no hex of that name."""
    return IllegalAction("setup-1", "There is no hex {hex} on the map.", hex=name)


def closed_to(state: RocketState, board: Board, line: int, name: str) -> IllegalAction | None:
    """Why the locomotive of a line cannot go to a hex; None if it can."""
    return first_refusal(_move_checks(state, board, line, name))


def _move_checks(
    state: RocketState, board: Board, line: int, name: str
) -> Iterator[IllegalAction | None]:
    place = board.hex_index.get(name)
    if place is None:
        yield no_hex(name)
        return
    origin = state.locomotive[line]
    names = {"line": board.lines[line].id, "hex": name}
    if place not in board.neighbours[origin]:
        yield IllegalAction("move-2", "{hex} is not next to the locomotive of {line}.", **names)
    yield None
    if board.neighbours[origin].index(place) not in directions(state, line):
        yield IllegalAction(
            "move-5",
            "The locomotive of {line} can only go straight on or gently left or right, not to {hex}.",
            **names,
        )
    yield None
    if not is_open(state, board, place):
        yield IllegalAction("move-2", "{hex} is not free.", **names)
    yield None
    if len(touched_lines(state, board, line, place)) > 1:
        yield IllegalAction(
            "move-6", "{hex} is next to two or more other lines: they cannot all merge.", **names
        )


def blocked(state: RocketState, board: Board) -> dict[int, int]:
    """For every hex next to a locomotive or station: how many such pieces are next to it."""
    counts: dict[int, int] = {}
    for place in (*state.stations, *state.locomotive):
        if place >= 0:
            for n in board.around[place]:
                counts[n] = counts.get(n, 0) + 1
    return counts


def free_hexes(state: RocketState, board: Board) -> list[int]:
    """Land without town, track tile, locomotive or station [def-free]."""
    owner, towns, stations = state.owner, board.town_at, state.stations
    return [n for n in range(len(owner)) if owner[n] < 0 and towns[n] < 0 and n not in stations]


def new_towns(state: RocketState, board: Board, line: int, place: int) -> int:
    """The bit mask of metropolises and railway towns a line would newly be connected to on `place`.

    A start town is never a new connection: it belongs to its line, so it is a contact [merge-4].
    """
    return board.near_towns[place] & ~state.connected[line] & ~board.start_towns


def is_isolated(state: RocketState, board: Board, line: int) -> bool:
    """Whether no sequence of moves of this locomotive alone makes a new connection or a merger [iso-1].

    A shortest way is found quickly if it may cross itself, which track does not allow. If it does,
    it enters some hex twice. A way that does not cross itself makes the one entry and no other into
    that hex, or not this one: the search goes on with the one, and with the other.
    """
    waiting: list[frozenset[tuple[int, int]]] = [frozenset()]
    while waiting:
        closed = waiting.pop()
        way = _shortest_way(state, board, line, closed)
        if way is None:
            continue
        entered: set[int] = set()
        for place, facing in way:
            if place in entered:
                waiting.append(closed | {(place, facing)})
                waiting.append(closed | {(place, edge) for edge in range(6) if edge != facing})
                break
            entered.add(place)
        else:
            return False
    return True


def _leads_on(state: RocketState, board: Board, line: int, place: int) -> bool | None:
    """Whether a locomotive on `place` has found something new; None if it may not go there."""
    touched = touched_lines(state, board, line, place)
    if len(touched) > 1:
        return None
    return bool(touched) or bool(new_towns(state, board, line, place))


def _shortest_way(
    state: RocketState, board: Board, line: int, closed: frozenset[tuple[int, int]]
) -> list[tuple[int, int]] | None:
    """A shortest way to something new, as hexes with the facing they are entered in. It may cross
    itself, but makes none of the `closed` entries."""
    start = (state.locomotive[line], state.facing[line])
    before: dict[tuple[int, int], tuple[int, int] | None] = {start: None}
    edge_of_search = [start]
    while edge_of_search:
        following = []
        for here in edge_of_search:
            row = board.neighbours[here[0]]
            for edge in turns(here[1]):
                place = row[edge]
                there = (place, edge)
                if there in before or there in closed or not is_open(state, board, place):
                    continue
                found = _leads_on(state, board, line, place)
                if found is None:
                    continue
                before[there] = here
                if found:
                    way = []
                    step: tuple[int, int] | None = there
                    while step is not None:
                        way.append(step)
                        step = before[step]
                    return way
                following.append(there)
        edge_of_search = following
    return None
