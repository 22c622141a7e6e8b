"""What searching plans gains at each kind of decision, in imagined games.

    python -m benchmarks.plans 1835 --positions 20 --playouts 16 --seed 1
    python -m benchmarks.plans 1835 --step packet --positions 20

At positions from games of four greedy bots, the search chooses a plan. If it is not that of the evaluation, both are
played out again with new guesses and chance; their mean difference is the gain. Where it is not above 0, the title
should not have plans (`Evaluator.plans`).
"""

from __future__ import annotations

import argparse
import random
import time
from collections import Counter, defaultdict
from statistics import mean

import kursbuch
from kursbuch.bots import make
from kursbuch.bots.bot import candidates, gains, worthwhile
from kursbuch.bots.estimates import average
from kursbuch.bots.mcts import PlanSearch, with_own
from kursbuch.core.evaluator import Plan
from kursbuch.core.game import View

#: Playouts that value a change, and positions of one kind taken from a game.
CHECKED = 8
PER_GAME = 4


def gain(view: View, playouts: int, rng: random.Random) -> tuple[float, float] | None:
    """Gain of the search over the evaluation's choice, and its thinking time; None if there is nothing to compare."""
    assert view.seat is not None
    title, position = view.title, view.determinize(rng)
    actions = candidates(view.legal_actions(), view)
    found = gains(position, view.seat, actions, 0.0, title.evaluator.evaluate)
    first = worthwhile(title, found)[0]
    plans = with_own(title.evaluator.plans(position.state, view.seat, found) or (), first)
    if len(plans) < 2:
        return None
    started = time.thread_time()
    search = PlanSearch(view, view.seat, rng, lambda played: played / playouts)
    chosen, own = search.best(plans), plans[0]
    took = time.thread_time() - started
    if chosen == own:
        return 0.0, took
    return mean(_differences(view, chosen, own, rng)), took


def _differences(view: View, chosen: Plan, own: Plan, rng: random.Random) -> list[float]:
    assert view.seat is not None
    search = PlanSearch(view, view.seat, rng, lambda played: 0.0)
    found = []
    for seed in (rng.getrandbits(64) for _ in range(CHECKED)):
        one, other = search.value(chosen, seed), search.value(own, seed)
        if one is not None and other is not None:
            found.append(one - other)
    return found or [0.0]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.plans", description=__doc__)
    parser.add_argument("title", choices=("1835", "1853"))
    parser.add_argument("--step", help="only this kind of decision")
    parser.add_argument("--positions", type=int, default=20, help="of each kind")
    parser.add_argument("--playouts", type=int, default=16)
    parser.add_argument("--games", type=int, default=20, help="at most")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    rng = random.Random(given.seed)
    found: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for number in range(given.games):
        game = kursbuch.new(given.title, list("ABCD"), seed=f"plans-{given.seed}-{number}")
        bot = make("greedy", rng.getrandbits(32))
        taken: Counter[str] = Counter()
        while not game.over:
            decision = game.pending[0]
            view = game.view(decision.seat)
            kind = decision.step
            if given.step and taken[given.step] >= PER_GAME:
                break
            # Positions are spread over the game.
            wanted = given.step in (None, kind)
            if (
                wanted
                and taken[kind] < PER_GAME
                and len(found[kind]) < given.positions
                and rng.random() < 0.1
            ):
                result = gain(view, given.playouts, rng)
                if result is not None:
                    found[kind].append(result)
                    taken[kind] += 1
            game.apply(bot.choose(view))
        if found and all(len(each) >= given.positions for each in found.values()):
            break
    print("| decision | number | changed | gain | seconds |")
    print("| --- | --- | --- | --- | --- |")
    for kind, results in sorted(found.items()):
        if results:
            gained = [each for each, _ in results]
            estimate = average(gained)
            print(
                f"| {kind} | {len(gained)} | {sum(each != 0 for each in gained)} | "
                f"{estimate.value:.0f} (± {estimate.reach:.0f}) | "
                f"{mean(took for _, took in results):.1f} |"
            )


if __name__ == "__main__":
    main()
