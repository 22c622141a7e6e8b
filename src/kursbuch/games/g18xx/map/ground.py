"""Where the track of one face on one hex leads.

Track is walked from border to border: every side between two hexes is one number, and a piece of track
is a set of borders, kept as bits. Two pieces of track on one hex that share an edge share track there;
pieces without a common edge are separate, even if they cross. So "no track twice" is "no border
twice" [track-once, runs-apart].
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator, Sequence
from operator import itemgetter

from kursbuch.games.g18xx.map.board import STOP, Board, Face
from kursbuch.games.g18xx.map.board import Stop as Shown
from kursbuch.games.g18xx.map.routes import Stop

#: A stop of the map is its hex times this plus its number on the hex.
PER_HEX = 16


class Ground:
    """Where the track of one face on one hex leads.

    `links` tells for every border with track the ways over this hex: the next border and the hex
    behind it, or a stop of the map as `~stop` and -1; and the gauges. `exits` are the same for
    each stop, with the bank of its ferry, and `leaves` those that lead to another hex, as hex, border and
    gauges.
    """

    __slots__ = ("_ways", "banks", "ends", "exits", "face", "leaves", "links", "place", "stops")

    def __init__(self, board: Board, place: int, face: Face) -> None:
        self.place = place
        self.face = face
        #: The stops at which every route ends, as bits.
        self.ends = sum(
            1 << number for number, stop in enumerate(face.stops) if stop.kind == "offboard"
        )
        self._ways: dict[tuple[int, bool], Onwards] = {}
        #: Its stops as routes see them: by number, phase, whether there is an own station, and whether those
        #: of others fill it.
        self.stops: dict[tuple[int, int, bool, bool], Stop] = {}
        self.exits: list[list[tuple[int, int, int, int]]] = [[] for _ in face.stops]
        borders, neighbours = board.borders[place], board.neighbours[place]
        links: dict[int, list[tuple[int, int, int]]] = {}

        def far(end: int) -> tuple[int, int]:
            if end >= STOP:
                return ~(place * PER_HEX + end - STOP), -1
            return borders[end], neighbours[end]

        inner = iter(board.inner[place])
        for a, b, gauges in face.paths:
            between = next(inner) if min(a, b) >= STOP else -1
            for here, there in ((a, b), (b, a)):
                if between >= 0:
                    links.setdefault(between, []).append((*far(there), gauges))
                    self.exits[here - STOP].append((between, place, gauges, 0))
                elif here < STOP:
                    links.setdefault(borders[here], []).append((*far(there), gauges))
                elif there < STOP:
                    bank = face.ferry.sides[there] if face.ferry else 0
                    self.exits[here - STOP].append((*far(there), gauges, bank))
        self.leaves = [
            [(behind, border, gauges) for border, behind, gauges, _ in exits if behind >= 0]
            for exits in self.exits
        ]
        self.links = {border: tuple(ways) for border, ways in links.items()}
        #: The bank of every border, where there is a ferry.
        self.banks = dict(zip(borders, face.ferry.sides, strict=True)) if face.ferry else {}

    def value(self, stop: int, phase: int) -> int:
        """What one of its stops is worth; `phase` counts from 0."""
        _, value, _, values, _ = self.face.stops[stop]
        return values[min(phase, len(values) - 1)] if values else value

    def ways(self, ends: int, mixed: bool) -> Onwards:
        """What follows on ways that enter this hex and cannot go on behind the stops `ends`, given as bits;
        `mixed`: the gauge may change on dual track. The same is asked again and again, in many
        positions."""
        found = self._ways.get((ends, mixed))
        if found is None:
            found = self._ways[ends, mixed] = Onwards(self, ends, mixed)
        return found

    def onward(self, border: int, gauges: int, ends: int, mixed: bool) -> Iterator[Onward]:
        """The same for a way that enters by one border with these gauges."""
        for end, beyond, allowed in self.links.get(border, ()):
            common = gauges & allowed
            if not common:
                continue
            if mixed:
                common = allowed
            if end >= 0:
                yield -1, end, beyond, common
                continue
            index, passed = ~end % PER_HEX, -1
            if self.face.stops[index].kind != "junction":
                passed = ~end
                yield passed, -1, -1, common
                if ends >> index & 1:
                    continue
            for onward, behind, allowed, _ in self.exits[index]:
                if onward != border and common & allowed:
                    yield passed, onward, behind, allowed if mixed else common & allowed


#: A step of a way over a hex: the stop passed or -1, the next border or -1, the hex behind it, gauges.
Onward = tuple[int, int, int, int]


class Onwards(dict[tuple[int, int], tuple[Onward, ...]]):
    """What follows on ways over one hex, by border and gauges; worked out when it is asked for."""

    def __init__(self, ground: Ground, ends: int, mixed: bool) -> None:
        self._ground, self._ends, self._mixed = ground, ends, mixed

    def __missing__(self, key: tuple[int, int]) -> tuple[Onward, ...]:
        found = self[key] = tuple(self._ground.onward(*key, self._ends, self._mixed))
        return found


def fills(shown: Shown, companies: Sequence[str], company: str) -> bool:
    """Whether markers of other companies take all places of a city [run-blocked]."""
    return shown.kind == "city" and len(companies) >= shown.slots and company not in companies


def showing(places: Collection[int]) -> Callable[[Sequence[Ground]], Hashable]:
    """A quick way to tell what some hexes show, to be compared with what they show later."""
    return itemgetter(*places) if places else lambda grounds: ()
