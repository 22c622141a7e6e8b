"""Income of locomotives in phase two of Nimm den Zug: bots play rounds with random locomotives and no target tiles;
the income is regressed on the multipliers, best first, and the place in the order (`LOADS` and `PLACE_OF_TWO` in
`games/nimm/evaluation.py`).

    python -m benchmarks.loads --players 2 --rounds 1500 --seed 1
"""

from __future__ import annotations

import argparse
import random

import numpy as np

from kursbuch.bots import make
from kursbuch.bots.bot import Bot
from kursbuch.core.chance import SeededChance
from kursbuch.core.game import View
from kursbuch.core.play import Play
from kursbuch.core.position import Position
from kursbuch.games.nimm import TITLE
from kursbuch.games.nimm.holdings import money
from kursbuch.games.nimm.state import NimmState, PhaseTwo, Train, auction_item, loco_item, owner

NAMES = ("best multiplier", "second", "third", "place in the order", "constant")


def dealt(seats: int, rng: random.Random) -> Position[NimmState]:
    """Start of phase two of a first round with random locomotives."""
    state = TITLE.setup(seats, TITLE.option_values({}))
    state.round, state.auction = 1, "turn"
    state.ledger.move(auction_item("turn"), "pool", "table")
    each = TITLE.cards.setup.locomotives_per_player
    locos = rng.sample(list(TITLE.cards.locomotive), each * seats)
    for number, loco in enumerate(locos):
        seat = number // each
        state.ledger.move(loco_item(loco), "unseen", owner(seat))
        state.trains[seat].append(Train(loco, []))
    for seat in range(seats):
        state.ledger.move("money", "bank", owner(seat), TITLE.cards.setup.start_money)
    position = Position(TITLE, state, SeededChance(str(rng.getrandbits(64))))
    state.agenda = [PhaseTwo()]
    position.run(Play(state, position.chance))
    return position


def observed(position: Position[NimmState], bots: list[Bot]) -> list[tuple[list[float], int]]:
    """Play the round; return explanatory variables and income of each seat."""
    state, seats = position.state, range(position.state.seats)
    names = tuple(str(seat) for seat in seats)
    known = [
        [
            *sorted((TITLE.cards.locomotive[t.loco].multiplier for t in trains), reverse=True),
            float(state.order.index(seat)),
            1.0,
        ]
        for seat, trains in enumerate(state.trains)
    ]
    before = [money(state, seat) for seat in seats]
    while state.round == 1:
        seat = position.deciders()[0]
        position.perform(bots[seat].choose(View(TITLE, TITLE.view(state, seat), seat, names)))
    return [(known[seat], money(state, seat) - before[seat]) for seat in seats]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.loads", description=__doc__)
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=1500)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--bot", default="greedy")
    given = parser.parse_args()
    rng = random.Random(given.seed)
    bots = [make(given.bot, rng.getrandbits(64)) for _ in range(given.players)]
    rows = [row for _ in range(given.rounds) for row in observed(dealt(given.players, rng), bots)]
    known, brought = np.array([row[0] for row in rows]), np.array([row[1] for row in rows])
    found, *_ = np.linalg.lstsq(known, brought, rcond=None)
    spread = (brought - known @ found).var() * np.linalg.inv(known.T @ known).diagonal()
    for name, value, reach in zip(NAMES, found, 1.96 * np.sqrt(spread), strict=True):
        print(f"{name}: {value:,.0f} ± {reach:,.0f}")


if __name__ == "__main__":
    main()
