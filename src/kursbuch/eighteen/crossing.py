"""Whether a company could run a route over a hex if the hex showed other track [1835: 5.5.1.14b].

A way from a station of the company to the hex is the same whatever the hex shows, and so is a way from
the hex onwards. What is asked again and again is therefore worked out once for every pair of borders of
the hex: can a way that enters by one and leaves by the other come to one more station?
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import IntEnum

from kursbuch.eighteen.track import PER_HEX, Ground, Position

#: A way: hex to be entered, border, track used, stops passed, gauges.
_Way = tuple[int, int, int, frozenset[int], int]


class _Leads(IntEnum):
    """Whether a way comes to a station. One that comes back to the hex it is about leaves it open."""

    NO = 0
    YES = 1
    OPEN = 2


def crossing(position: Position, company: str) -> Crossing:
    """What is known of a company in a position."""
    found = position.memo.get(company)
    if not isinstance(found, Crossing):
        found = position.memo[company] = Crossing(position, company)
    return found


class Crossing:
    """The routes of one company over the hexes of a position."""

    def __init__(self, position: Position, company: str) -> None:
        self.position = position
        self.company = company
        self.reach = position.reach(company)
        self.known: dict[tuple[int, int, int, int], _Leads] = {}

    def now(self, place: int) -> bool:
        """Whether a route can run over a hex as it is."""
        if self.reach.run & self.position.around[place]:
            return True
        return self.runs_over(place, self.position.grounds[place])

    def runs_over(self, place: int, ground: Ground, became: Sequence[int] | None = None) -> bool:
        """Whether a route of at least two stations could use track of a hex that shows `ground`;
        `became` says which stop each of its stops is then."""
        if not ground.links:
            return False
        results = set()
        for stop in self.position.stations(self.company):
            if stop // PER_HEX == place:
                now = stop % PER_HEX if became is None else became[stop % PER_HEX]
                for border, behind, gauges, _ in ground.exits[now]:
                    results.add(self.leaves(place, stop, border, behind, gauges))
        for border, links in ground.links.items():
            if (place, border) not in self.reach.borders:
                continue
            for end, beyond, gauges in links:
                if end >= 0:
                    results.add(self.passes(place, border, end, beyond, gauges))
                elif ground.face.stops[~end % PER_HEX].kind != "junction":
                    results.add(self.ends(place, border, ~end, gauges))
                else:
                    for onward, behind, allowed, _ in ground.exits[~end % PER_HEX]:
                        if onward != border and gauges & allowed:
                            results.add(
                                self.passes(place, border, onward, behind, gauges & allowed)
                            )
        if _Leads.YES in results:
            return True
        return _Leads.OPEN in results and self.certainly(place, ground, became)

    # ---- the parts of an answer

    def leaves(self, place: int, stop: int, border: int, behind: int, gauges: int) -> _Leads:
        """A way from an own station on the hex."""
        key = (place, ~stop, border, gauges)
        if key not in self.known:
            passed = frozenset({self.position.stop_key(stop)})
            self.known[key] = self.comes(place, (behind, border, 1 << border, passed, gauges))
        return self.known[key]

    def passes(self, place: int, border: int, onward: int, beyond: int, gauges: int) -> _Leads:
        """A way that enters by one border and leaves by another."""
        key = (place, border, onward, gauges)
        if key not in self.known:

            def leads(track: int, passed: frozenset[int], common: int) -> _Leads:
                if track >> onward & 1 or not common & gauges:
                    return _Leads.NO
                way = (beyond, onward, track | 1 << onward, passed, common & gauges)
                return self.comes(place, way)

            self.known[key] = self.entering(place, border, leads)
        return self.known[key]

    def ends(self, place: int, border: int, stop: int, gauges: int) -> _Leads:
        """A way that enters by a border and comes to a station on the hex."""
        own = self.position.stop_key(stop)
        key = (place, border, ~own, gauges)
        if key not in self.known:

            def leads(track: int, passed: frozenset[int], common: int) -> _Leads:
                return _Leads(own not in passed and common & gauges > 0)

            self.known[key] = self.entering(place, border, leads)
        return self.known[key]

    def entering(
        self, place: int, border: int, leads: Callable[[int, frozenset[int], int], _Leads]
    ) -> _Leads:
        """Whether a way that enters the hex for the first time by this border leads to a station."""
        around = self.position.around[place]

        def best(ways: dict[tuple[int, int], list[tuple[int, frozenset[int], int]]]) -> _Leads:
            found = _Leads.NO
            for track, passed, gauges in ways.get((place, border), ()):
                if track & around == 1 << border:
                    result = leads(track, passed, gauges)
                    if result == _Leads.YES:
                        return result
                    found = max(found, result)
            return found

        found = best(self.reach.ways)
        # If no way at all could, whatever it has used, the others need not be looked for.
        if found == _Leads.NO and leads(1 << border, frozenset(), ~0) != _Leads.NO:
            found = best(self.position.every_way(self.company))
        return found

    def comes(self, place: int, way: _Way) -> _Leads:
        """Whether a way comes to a station it has not passed, not over the hex it is about."""
        position, company = self.position, self.company
        found = _Leads.NO
        ways = [way] if way[0] >= 0 else []
        while ways:
            here, border, track, passed, gauges = ways.pop()
            if here == place:
                found = _Leads.OPEN
                continue
            for stop, onward, beyond, common in position.onward(here, border, gauges, company):
                if stop >= 0:
                    if position.stop_key(stop) not in passed and position.value(stop):
                        return _Leads.YES
                elif beyond >= 0 and not track >> onward & 1:
                    ways.append((beyond, onward, track | 1 << onward, passed, common))
        return found

    def certainly(self, place: int, ground: Ground, became: Sequence[int] | None) -> bool:
        """The same question by looking at the changed position: for ways that come back to the hex."""
        after = self.position.changed(place, ground, became)
        return bool(after.reach(self.company).run & self.position.around[place])
