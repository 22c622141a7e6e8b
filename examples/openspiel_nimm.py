"""OpenSpiel's own information set Monte Carlo tree search plays Nimm den Zug against random choices.

    python examples/openspiel_nimm.py --games 20 --simulations 30

It needs the extra `kursbuch[openspiel]`. The search knows the game only through OpenSpiel: legal actions, chance
nodes, information states, and positions drawn from what its player knows (money and target tiles of the
other are hidden).
"""

from __future__ import annotations

import argparse
import random
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.algorithms import ismcts, mcts

from kursbuch.interop.openspiel import KursbuchState


def resampled(seed: int) -> Any:
    """Draws positions that a player takes for possible."""
    rng = random.Random(seed)

    def resample(state: KursbuchState, player: int) -> KursbuchState:
        return state.resample_from_infostate(player, rng.random)

    return resample


def play(searcher: int, simulations: int, seed: int) -> list[float]:
    """One game of two players, one of whom searches; what both get for it."""
    game = pyspiel.load_game("kursbuch_nimm")
    rng = np.random.RandomState(seed)
    evaluator = mcts.RandomRolloutEvaluator(n_rollouts=1, random_state=rng)
    bot = ismcts.ISMCTSBot(game, evaluator, 1.4, simulations, random_state=rng)
    bot.set_resampler(resampled(seed))
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choice(outcomes, p=chances))
        elif state.current_player() == searcher:
            state.apply_action(bot.step(state))
        else:
            state.apply_action(rng.choice(state.legal_actions()))
    returns: list[float] = state.returns()
    return returns


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--simulations", type=int, default=20, help="a choice")
    given = parser.parse_args()
    won = 0.0
    for number in range(given.games):
        searcher = number % 2
        got = play(searcher, given.simulations, number)[searcher]
        won += (got + 1) / 2
        print(f"game {number + 1}: {got:+.0f}, {won:g} of {number + 1} won", flush=True)


if __name__ == "__main__":
    main()
