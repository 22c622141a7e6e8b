"""Tournaments between computer opponents: which games are played, and when that is enough.

Games come in blocks. All games of a block have the same seed, so the same cards are dealt in them, and
in them the opponents sit in all orders: whoever has luck in one has it against himself in another.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import combinations_with_replacement, permutations
from math import factorial
from typing import Any

from kursbuch.bots import registry as bot_registry
from kursbuch.bots.match_games import Outcome, Results, Task, play_game
from kursbuch.bots.ratings import Standings, precision, standings
from kursbuch.bots.worker_pool import WorkerPool
from kursbuch.core.errors import KursbuchError
from kursbuch.core.game import check_seed
from kursbuch.core.replay_cache import program_id
from kursbuch.core.title import Title

#: With more orders than this, each block has only one of them, moved round the table.
MOST_ORDERS = 24

#: More games than this with one seed are none that anybody waits for, and would not fit into memory.
MOST_IN_A_BLOCK = 10_000

#: No match is over before so many blocks: the intervals of fewer mean little.
LEAST_BLOCKS = 8


class Match:
    """A tournament: who plays what. The same match has the same games.

    If `bots` are fewer than players they are repeated; if they are more, all groups of them play. `check`
    gives a specification as it will be shown, or raises.

    >>> import kursbuch
    >>> rocket = kursbuch.title("rocket")
    >>> match = Match(rocket, ["greedy", "random", "random"])
    >>> [task.bots.index("greedy") for task in match.block(0)]
    [0, 1, 2]
    >>> len(Match(rocket, ["greedy", "careless", "random"], players=2).block(0))
    6
    """

    def __init__(
        self,
        title: Title[Any],
        bots: Sequence[str],
        players: int | None = None,
        seed: str = "1",
        options: Mapping[str, str] | None = None,
        data: bytes | None = None,
        check: Callable[[str], str] = bot_registry.check,
    ) -> None:
        self.title = title if data is None else title.with_data(data)
        self.data = data
        listed = [check(spec) for spec in bots]
        self.players = max(len(listed), title.seats[0]) if players is None else players
        title.check_seats(self.players)
        if len(listed) < self.players:
            listed = [listed[seat % len(listed)] for seat in range(self.players)]
        # The same ones stand together, so that each group of them is named once.
        self.bots = tuple(sorted(listed, key=listed.index))
        self.seed = check_seed(seed)
        check_seed(f"{seed}-1000000")
        self.options = self.title.option_values(options or {})
        if self.size > MOST_IN_A_BLOCK:
            raise KursbuchError(
                "All groups and orders of so many opponents make {games} games with one seed, more than "
                "{most}: name fewer.",
                games=self.size,
                most=MOST_IN_A_BLOCK,
            )

    @cached_property
    def size(self) -> int:
        """How many games a block has, counted without making them."""
        # The groups so far by their number of members and by how many orders of these look the same.
        groups = Counter({(0, 1): 1})
        for count in Counter(self.bots).values():
            larger: Counter[tuple[int, int]] = Counter()
            for (members, same), number in groups.items():
                for more in range(min(count, self.players - members) + 1):
                    larger[members + more, same * factorial(more)] += number
            groups = larger
        size = 0
        for (members, same), number in groups.items():
            if members == self.players:
                orders = factorial(members) // same
                size += number * (orders if orders <= MOST_ORDERS else members)
        return size

    @cached_property
    def groups(self) -> list[tuple[str, ...]]:
        """Who sits at a table together."""
        there = Counter(self.bots)
        return [
            group
            for group in combinations_with_replacement(there, self.players)
            if Counter(group) <= there
        ]

    def block(self, number: int) -> list[Task]:
        """The games with one seed."""
        seed = f"{self.seed}-{number + 1}"
        orders = [order for group in self.groups for order in _orders(group, seed)]
        first = number * len(orders)
        return [
            Task(first + place, self.title.id, seed, self.options, self.data, order)
            for place, order in enumerate(orders)
        ]

    @property
    def terms(self) -> dict[str, object]:
        """What makes it this match and no other: another program may have other opponents under the same names."""
        return {
            "title": self.title.id,
            "edition": self.title.edition,
            "data": self.title.data_hash,
            "options": self.options,
            "players": self.players,
            "bots": list(self.bots),
            "seed": self.seed,
            "program": program_id(self.title)[:12],
        }


def _orders(group: Sequence[str], seed: str) -> list[tuple[str, ...]]:
    """The orders in which a group sits: all, or where these are many, one drawn and moved round."""
    found: dict[tuple[str, ...], None] = {}
    for order in permutations(group):
        found[order] = None
        if len(found) > MOST_ORDERS:
            break
    else:
        return list(found)
    drawn = list(group)
    random.Random(seed).shuffle(drawn)
    return [(*drawn[first:], *drawn[:first]) for first in range(len(drawn))]


def play(
    match: Match,
    games: int,
    workers: WorkerPool,
    results: Results,
    within: float | None = None,
    advance: Callable[[int, int], None] = lambda done, total: None,
) -> Standings:
    """Play a match of at least so many games, or until the interval of every share of wins reaches
    no further than `within` (0.05 for five percent) to either side. What `results` hold already is
    not played again; which games count does not depend on how many are played at a time."""
    size = match.size
    total = -(-games // size)
    known: dict[int, Outcome] = results.load(match)
    blocks: list[list[Outcome]] = []
    failed: list[Outcome] = []

    def enough() -> bool:
        """Take up the blocks that are complete, in their order; whether they are enough."""
        while len(blocks) < total:
            numbers = range(len(blocks) * size, (len(blocks) + 1) * size)
            if not all(number in known for number in numbers):
                return False
            found = [known[number] for number in numbers]
            failed.extend(outcome for outcome in found if outcome.error)
            blocks.append(found)
            whole = _whole(blocks)
            if (
                within is not None
                and len(whole) >= LEAST_BLOCKS
                and precision(match.bots, whole) <= within
            ):
                break
        return True

    def tasks() -> Iterator[Task]:
        for number in range(len(blocks), total):
            yield from (task for task in match.block(number) if task.number not in known)

    advance(len(known), total * size)
    if not enough():
        for outcome in workers.each(play_game, tasks()):
            known[outcome.number] = outcome
            results.add(outcome)
            advance(len(known), total * size)
            if enough():
                break
    if not _whole(blocks):
        raise KursbuchError("With no seed were all games finished: {error}.", error=failed[0].error)
    return standings(match.bots, _whole(blocks), failed)


def _whole(blocks: Sequence[Sequence[Outcome]]) -> list[Sequence[Outcome]]:
    """The blocks of which every game was finished; only they are fair to everybody."""
    return [block for block in blocks if not any(outcome.error for outcome in block)]
