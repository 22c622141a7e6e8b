"""Effect of the bond order in 1853: four equal bots play; wins, score and fulfilled contracts are reported by place.

python -m benchmarks.bonds --games 20 --seed 1 --bot greedy
python -m benchmarks.bonds --games 10 --seed 1 --bot benchmarks.bonds:Bidder
"""

from __future__ import annotations

import argparse
from statistics import mean

import msgspec

import kursbuch
from kursbuch.bots import make
from kursbuch.bots.bot import Bot, GreedyBot
from kursbuch.bots.estimates import average, rate
from kursbuch.bots.match import Match, Task, play_game, seated
from kursbuch.core.actions import Action
from kursbuch.core.game import Game, View
from kursbuch.games.g18xx.g1853.state import BidTurn, WriteBonds


class Bidder(GreedyBot):
    """Searches for its bond and contract, and plays on like greedy: a game of four searches takes too long to play
    many."""

    def __init__(self, name: str, seed: int | None = None) -> None:
        super().__init__(seed)
        self.name = name
        self.search = make("mcts:24", seed)

    def choose(self, view: View) -> Action:
        if isinstance(view.state.agenda[-1], WriteBonds | BidTurn):
            return self.search.choose(view)
        return super().choose(view)


class Place(msgspec.Struct, frozen=True):
    """Result of one place in the bond order: its share of the win, its score, and whether its contract was
    fulfilled."""

    won: float
    score: int
    fulfilled: bool


def played(task: Task) -> list[Place]:
    """Play a game; return results by bond order."""
    games: list[Game] = []

    def seating(game: Game, spec: str, seed: int) -> Bot:
        games.append(game)
        return seated(game, spec, seed)

    outcome = play_game(task, seating)
    if outcome.error:
        raise SystemExit(outcome.error)
    state = games[0].state
    return [
        Place(
            (seat in outcome.winners) / len(outcome.winners),
            outcome.scores[seat],
            state.contracts[seat].shown,
        )
        for seat in state.seating
    ]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.bonds", description=__doc__)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--bot", default="greedy")
    given = parser.parse_args()
    match = Match(kursbuch.title("1853"), [given.bot], 4, given.seed)
    games = [played(task) for number in range(given.games) for task in match.block(number)]
    for number, places in enumerate(zip(*games, strict=True), 1):
        won = rate(sum(place.won for place in places), len(games))
        score = mean(place.score for place in places)
        fulfilled = sum(place.fulfilled for place in places)
        print(
            f"place {number}: won {won.value:.0%} ({won.low:.0%} to {won.high:.0%}), £{score:,.0f}, "
            f"{fulfilled} contracts of {len(games)}"
        )
    contracts = [place.fulfilled for places in games for place in places]
    found = rate(sum(contracts), len(contracts))
    means = average([mean(place.score for place in places) for places in games])
    print(f"contracts: {found.value:.0%} ({found.low:.0%} to {found.high:.0%})")
    print(f"mean score: £{means.value:,.0f} ± {means.reach:,.0f}")


if __name__ == "__main__":
    main()
