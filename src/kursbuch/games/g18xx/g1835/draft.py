"""The start packet played through in thought: what every purchase comes to when the packet is sold.

What a paper adds to the final result beyond its price has been found out in imagined games with random
packets (`draft.json`, made by `python -m benchmarks.worths packet`). The player's own purchases are tried in every
order, to the last paper; the others are taken to buy what is worth most of what is on offer.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib import resources

import msgspec

from kursbuch.core.actions import Action
from kursbuch.games.g18xx.actions import BuyPaper
from kursbuch.games.g18xx.g1835.book import Book1835
from kursbuch.games.g18xx.g1835.packet import next_seat, paper_price
from kursbuch.games.g18xx.g1835.state import State1835

#: What a turn without a purchase costs. Whoever would end the round by it with papers unsold does not wait
#: at all if he can pay for one, nor does anybody with something on offer that is worth as much as that:
#: otherwise everybody would wait for the others for rounds.
WAITING = 15.0
NEVER = 100.0
TEMPTING = 200.0

#: The whole packet is played through; beyond so many positions what is on offer is judged by itself.
MOST_POSITIONS = 8_000

#: By how much players think differently of a paper (standard deviation), so that packets differ.
OPINION = 60.0


@lru_cache
def worths(players: int) -> Mapping[str, float]:
    """What every paper is worth beyond its price; with the number of players nearest to this one
    that has been measured."""
    data = (resources.files("kursbuch.games.g18xx.g1835") / "draft.json").read_bytes()
    known = msgspec.json.decode(data, type=dict[int, dict[str, tuple[float, float]]])
    nearest = min(known, key=lambda number: (abs(number - players), number))
    return {paper: worth for paper, (worth, _) in known[nearest].items()}


#: What is left, whose turn it is, the turns so far, the turns since a purchase, everybody's cash.
_Place = tuple[tuple[tuple[int, ...], ...], int, int, int, tuple[int, ...]]


class Draft:
    """The rest of the start packet; with `rng` as a player sees it who has an opinion of his own of what
    papers are worth."""

    def __init__(self, book: Book1835, state: State1835, rng: random.Random | None = None) -> None:
        self.state = state
        self.seats = state.seats
        known = worths(state.seats)
        rows = [
            [paper for paper in row if book.in_packet(state, paper)] for row in book.components.rows
        ]
        papers = [paper for row in rows for paper in row]
        self.numbers = {paper.id: number for number, paper in enumerate(papers)}
        self.prices = [paper_price(book, state, paper) for paper in papers]
        # Cheaper papers are worth more by as much; papers of another box nothing special.
        self.worth = [
            known.get(paper.id, 0.0) + paper.price - price
            for paper, price in zip(papers, self.prices, strict=True)
        ]
        if rng is not None:
            self.worth = [rng.gauss(worth, OPINION) for worth in self.worth]
        self.rows = tuple(tuple(self.numbers[paper.id] for paper in row) for row in rows if row)
        self.all_at_once = state.house.packet == "clemens"
        # Whose turn it is after so many turns, where that does not go round.
        self.order = [
            self._turn(state, book, turns)
            for turns in range(state.packet_turns, state.packet_turns + 3 * state.seats)
        ]
        self.known: dict[_Place, tuple[float, ...]] = {}
        #: Who is taken to play the packet through, and after how many positions that ends.
        self.minds: set[int] = set()
        self.most = MOST_POSITIONS
        self.cash = tuple(book.cash(state, seat) for seat in range(state.seats))

    def _turn(self, state: State1835, book: Book1835, turns: int) -> int | None:
        if state.round.number != 1 or state.house.packet == "standard":
            return None
        before, state.packet_turns = state.packet_turns, turns
        try:
            return next_seat(book, state, 0)
        finally:
            state.packet_turns = before

    def gains(self, seat: int, actions: Sequence[Action]) -> list[float]:
        """What each action comes to for a seat, against the others in the mean."""
        place: _Place = (self.rows, seat, 0, len(self.state.round.idle), self.cash)
        self.known.clear()
        self.minds = {seat}
        found = []
        for action in actions:
            number = self.numbers[action.paper] if isinstance(action, BuyPaper) else None
            found.append(self._ahead(self._after(place, number), seat))
        if not self._waits(place):
            least = min(found) - NEVER
            found = [
                gain if isinstance(action, BuyPaper) else least
                for action, gain in zip(actions, found, strict=True)
            ]
        return found

    def prospects(self, seat: int, most: int) -> tuple[float, ...]:
        """What every seat gets if all of them play the packet through, as far as so many positions allow;
        it is the turn of `seat`."""
        self.known.clear()
        self.minds = set(range(self.seats))
        self.most = most
        return self._played((self.rows, seat, 0, len(self.state.round.idle), self.cash))

    def _able(self, place: _Place) -> list[int]:
        """What a player can pay for."""
        rows, seat, _, _, cash = place
        return [number for number in self._offered(rows) if self.prices[number] <= cash[seat]]

    def _waits(self, place: _Place) -> bool:
        """Whether a player may think of waiting."""
        rows, seat, _, idle, cash = place
        able = self._able(place)
        if not able:
            return True
        least = min(self.prices[number] for number in self._offered(rows))
        others = [cash[(seat + turn) % self.seats] for turn in range(1, self.seats - idle)]
        last = all(money < least for money in others)
        return not last and max(self.worth[number] for number in able) <= TEMPTING

    def _ahead(self, values: Sequence[float], seat: int) -> float:
        others = sum(values) - values[seat]
        return values[seat] - others / max(len(values) - 1, 1)

    def _offered(self, rows: tuple[tuple[int, ...], ...]) -> Sequence[int]:
        if self.all_at_once:
            return [number for row in rows for number in row]
        below = rows[1][:1] if len(rows[0]) == 1 and len(rows) > 1 else ()
        return (*rows[0], *below)

    def _after(self, place: _Place, number: int | None) -> tuple[float, ...]:
        """What all get from a purchase or a pass and what follows it."""
        rows, seat, turns, idle, cash = place
        gained, price = -WAITING, 0
        if number is not None:
            gained, price, idle = self.worth[number], self.prices[number], 0
            left = (tuple(one for one in row if one != number) for row in rows)
            rows = tuple(row for row in left if row)
        else:
            idle += 1
        if not rows:
            rest: tuple[float, ...] = (0.0,) * self.seats
        elif idle >= self.seats:
            rest = (0.0,) * self.seats
        else:
            paid = (*cash[:seat], cash[seat] - price, *cash[seat + 1 :])
            turns += 1
            following = self.order[turns] if turns < len(self.order) else None
            if following is None:
                following = (seat + 1) % self.seats
            rest = self._played((rows, following, min(turns, len(self.order)), idle, paid))
        return (*rest[:seat], rest[seat] + gained, *rest[seat + 1 :])

    def _played(self, place: _Place) -> tuple[float, ...]:
        """What all get in the rest of the packet."""
        found = self.known.get(place)
        if found is not None:
            return found
        seat, able = place[1], self._able(place)
        waits = self._waits(place)
        if seat not in self.minds or len(self.known) > self.most:
            best = max(able, key=self.worth.__getitem__) if able else None
            chosen = (
                best if best is not None and not (waits and self.worth[best] < -WAITING) else None
            )
            result = self._after(place, chosen)
        else:
            tried = [self._after(place, number) for number in able]
            if waits:
                tried.append(self._after(place, None))
            result = max(tried, key=lambda values: self._ahead(values, seat))
        self.known[place] = result
        return result
