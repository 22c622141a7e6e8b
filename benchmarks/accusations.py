"""Whom a review accuses: bots and people in the same positions.

    python -m benchmarks.accusations 1835 --bots greedy,mcts:40 --looks 20
    python -m benchmarks.accusations 1835 --game ../shared/peer/1835_Stoll_12.rails
    python -m benchmarks.accusations rocket --player mcts:30 --bots "" --games 10 --looks 10

Decisions of each game are drawn by lot, among those with an alternative that playing out may find better. The review
judges what was played and what each bot would do instead. The game is a record or one of a bot against itself. A move
is accurate unless another one is clearly better, and accused if it has cost more than a tenth of the winner's margin
over the mean of the others.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator
from pathlib import Path

import msgspec

from benchmarks.mistakes import percent, played
from benchmarks.people import read
from kursbuch.bots import make
from kursbuch.bots.estimates import rate
from kursbuch.bots.review import Budget, Costly, Examination, Look, weigh
from kursbuch.bots.review.positions import Written, above
from kursbuch.core.game import Game

#: Part of the winner's margin from which a cost is large.
LARGE = 0.1

#: Looks at a decision.
LOOKS = 2

#: Budget of the review that the looks are taken from, in playouts.
PLAYOUTS = 1000

#: Name of what was played.
PLAYED = "played"


def surveyed(game: Game) -> Examination:
    """A review that has looked at no decision yet."""
    examination = Examination(game, Budget("playouts", "", playouts=PLAYOUTS))
    for wave in examination.waves():
        if any(isinstance(task, Look) for task in wave):
            break
        for task in wave:
            examination.take(weigh(task))
    return examination


def decisions(ready: Examination) -> list[int]:
    """The decisions with an alternative that playing out may find better."""
    return [number for number, rated in sorted(ready.rated.items()) if rated.open]


def choice(game: Game, number: int, bot: str, seed: str) -> Written:
    """What a bot would do in place of a move: the actions of its plan."""
    seat = game.moves[number].action.seat
    view = game.branch(number).view(seat)
    best = make(bot, random.Random(seed).getrandbits(32)).rank(view)[0]
    actions = (best.action,) if best.plan is None else best.plan.actions
    return tuple(map(game.title.action_to_json, actions))


def accusation(game: Game, ready: Examination, number: int, plan: Written) -> Costly | None:
    """What the review says against a move."""
    examination = Examination(game, ready.budget)
    examination.rated.update(ready.rated)
    for each in range(LOOKS):
        look = examination.look(number)
        if not each and plan:
            look = msgspec.structs.replace(look, at=msgspec.structs.replace(look.at, plan=plan))
        examination.take(weigh(look))
    return next(iter(examination.review().costly), None)


def accusations(
    game: Game, ready: Examination, bots: list[str], looks: int, seed: str
) -> Iterator[tuple[int, str, Costly | None]]:
    """For decisions drawn by lot: number, who, and what is said against the move."""
    numbers = decisions(ready)
    for number in random.Random(seed).sample(numbers, min(looks, len(numbers))):
        said = accusation(game, ready, number, ())
        yield number, PLAYED, said
        known = {game.title.action_from_json(ready.look(number).at.plan[0]): said}
        for bot in bots:
            plan = choice(game, number, bot, f"{seed} {number}")
            first = game.title.action_from_json(plan[0])
            if first not in known:
                known[first] = accusation(game, ready, number, plan)
            yield number, bot, known[first]


def margin(game: Game) -> float:
    """The winner's lead over the mean of the others."""
    scores = game.title.scores(game.state)
    return max(above(scores, seat) for seat in range(len(scores)))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.accusations", description=__doc__)
    parser.add_argument("title")
    parser.add_argument("--game", type=Path)
    parser.add_argument("--player", default="greedy")
    parser.add_argument("--bots", default="greedy,mcts:40")
    parser.add_argument("--games", type=int, default=1)
    parser.add_argument("--looks", type=int, default=20)
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--seed", default="1")
    given = parser.parse_args()
    bots = [bot for bot in given.bots.split(",") if bot]
    #: For each bot what its choices cost, and whether it is much.
    found: dict[str, list[tuple[float, bool]]] = {}
    moves = alternatives = 0
    for each in range(given.games):
        seed = f"{given.seed} {each}" if each else given.seed
        game = (
            read(given.game)
            if given.game
            else played(given.title, given.players, seed, given.player)
        )
        large = LARGE * margin(game)
        ready = surveyed(game)
        moves += len(game.moves)
        alternatives += len(decisions(ready))
        for number, who, costly in accusations(game, ready, bots, given.looks, seed):
            cost = costly.verdict.cost if costly is not None else 0.0
            found.setdefault(who, []).append((cost, cost > large))
            if costly is not None:
                action = game.title.action_from_json(costly.verdict.played.action)
                print(
                    f"{number + 1}. {who}: {game.format(action)} costs {cost:.0f} "
                    f"(a tenth of the margin: {large:.0f})",
                    flush=True,
                )
    print(f"{alternatives} of {moves} moves were such decisions")
    for who, costs in found.items():
        right = rate(sum(not cost for cost, _ in costs), len(costs))
        accused = rate(sum(large for _, large in costs), len(costs))
        print(
            f"{who}: {len(costs)} decisions, {percent(right)} accurate, {percent(accused)} accused"
        )


if __name__ == "__main__":
    main()
