"""Reviews of games with planted mistakes: does a review find the blunder, and does it name what it cost?

python -m benchmarks.mistakes 1835 --positions 50 --seed 1

Greedy plays games. At a position drawn by lot the player makes a clear blunder instead: of some kind that the title
has (a directorship sold, a train not bought, revenue withheld, ...), or the worst of its actions. Greedy plays on for
a while, and the game is reviewed. It is found if it is among the three costliest moves. Its mechanism is told if a
cause is about what the blunder or the better plan is about (a company, a line, a locomotive) or about the player.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

import kursbuch
from kursbuch.bots import make
from kursbuch.bots.bot import advantage, candidates, gains
from kursbuch.bots.estimates import rate
from kursbuch.bots.review import Budget, Verdict, review
from kursbuch.bots.worker_pool import LocalPool
from kursbuch.core.actions import Action
from kursbuch.core.game import Game
from kursbuch.games.g18xx.actions import BuyShare, BuyTrain, Dividend, Done, LayTile, SellShares

#: Loss from which an action is a clear blunder, as a share of what the leader can expect: of a kind, and without one.
CLEAR = 0.05
CLEARER = 0.15

#: Kind of a blunder that is only the worst of its actions.
WORST = "takes the worst"

#: Playouts of a review by title: about 30 seconds of processor time.
PLAYOUTS = {"1835": 400, "1853": 200, "dice": 500, "nimm": 10_000, "rocket": 500}

#: Moves after the blunder.
AFTERWARDS = 30

#: Blunders planted into one game.
PLANTED = 5


class Blunder(msgspec.Struct, frozen=True):
    """A blunder: kind, number of moves before it, and what it is about."""

    kind: str
    number: int
    about: frozenset[str]


class Found(msgspec.Struct, frozen=True):
    """What a review made of a blunder: its place among the costliest moves (None if it is not there), and whether its
    mechanism is told."""

    kind: str
    place: int | None
    told: bool


def played(title: str, players: int, seed: str) -> Game:
    """A game of greedy bots."""
    game = kursbuch.new(title, [f"P{seat + 1}" for seat in range(players)], seed)
    play_on(game, seed, 100_000)
    return game


def play_on(game: Game, seed: str, moves: int) -> None:
    """Let greedy bots play on."""
    bots = [
        make("greedy", random.Random(f"{seed} {seat}").getrandbits(32))
        for seat in range(len(game.names))
    ]
    while moves > 0 and not game.over:
        seat = game.pending[0].seat
        game.apply(bots[seat].choose(game.view(seat)))
        moves -= 1


def kind_of(made: Action, worse: Action) -> str | None:
    """The kind of blunder if `worse` is done instead; empty for none in particular."""
    match made, worse:
        case _, SellShares(certificates=sold) if any(name.endswith("P") for name in sold):
            return "sells a directorship"
        case BuyTrain(), Done():
            return "buys no train"
        case Dividend(pays=True), Dividend(pays=False):
            return "withholds"
        case BuyShare(), Done():
            return "buys no share"
        case LayTile(), Done() | LayTile():
            return "spoils its track"
    return None


def blunders(game: Game, number: int, rng: random.Random) -> Iterator[tuple[str, Action, Action]]:
    """Clear blunders at a position, with the better action: those of a kind first, then the worst action."""
    made = game.moves[number].action
    view = game.branch(number).view(made.seat)
    if made.seat not in [decision.seat for decision in view.pending]:
        return
    evaluator = game.title.evaluator
    actions = candidates(view.legal_actions(), view)
    if made not in actions or len(actions) < 2:
        return
    position = view.determinize(rng)
    now = advantage(evaluator.leaf_value(position.state), made.seat)
    found = gains(position, made.seat, actions, now, evaluator.leaf_value)
    least = CLEAR * max(map(abs, evaluator.evaluate(position.state)))
    clear = [action for action in actions if found[made] - found[action] > least]
    rng.shuffle(clear)
    for action in clear:
        kind = kind_of(made, action)
        if kind:
            yield kind, action, made
    worst = min(actions, key=found.__getitem__)
    if found[made] - found[worst] > least * CLEARER / CLEAR:
        yield WORST, worst, made


def about(game: Game, number: int, *actions: Action) -> frozenset[str]:
    """What these actions are about: names in them and in the step, and the player."""
    names = {str(actions[0].seat)}
    step = game.at(number).state.agenda[-1]
    for part in (*actions, step):
        names |= {
            value
            for field in part.__struct_fields__
            if isinstance(value := getattr(part, field), str)
        }
    return frozenset(names)


def planted(game: Game, number: int, seed: str) -> tuple[Game, Blunder] | None:
    """The game with a blunder after this number of moves, if there is one."""
    for kind, action, made in blunders(game, number, random.Random(seed)):
        again = game.branch(number)
        again.apply(action)
        play_on(again, seed, AFTERWARDS)
        return again, Blunder(kind, number + 1, about(game, number, action, made))
    return None


def judged(game: Game, blunder: Blunder, budget: Budget) -> Found:
    """What a review makes of it."""
    found = review(game, LocalPool(1), budget)
    costly = [each.number for each in found.costly]
    if blunder.number not in costly:
        return Found(blunder.kind, None, False)
    place = costly.index(blunder.number)
    return Found(blunder.kind, place, _told(found.costly[place].verdict, blunder))


def _told(verdict: Verdict, blunder: Blunder) -> bool:
    return any(
        cause.seat == verdict.seat or not blunder.about.isdisjoint(cause.key[1:])
        for cause in verdict.causes
    )


def positions(title: str, players: int, seed: str) -> Iterator[tuple[Game, Blunder]]:
    """Games with a blunder each, at positions drawn by lot. Kinds that are rare so far come first."""
    kinds: Counter[str] = Counter()
    number = 0
    while True:
        game = played(title, players, f"{seed} {number}")
        rng = random.Random(f"{seed} {number}")
        numbers = list(range(len(game.moves) // 8, len(game.moves) - 4))
        rng.shuffle(numbers)
        made = 0
        for place in numbers:
            if made == PLANTED:
                break
            found = planted(game, place, f"{seed} {number} {place}")
            if found is None or (len(kinds) > 1 and kinds[found[1].kind] > sum(kinds.values()) / 3):
                continue
            kinds[found[1].kind] += 1
            made += 1
            yield found
        number += 1


def report(found: list[Found]) -> Mapping[str, Any]:
    """The rates, altogether and by kind."""
    rows = {}
    for kind in ("all", *sorted({each.kind for each in found})):
        some = [each for each in found if kind in ("all", each.kind)]
        rows[kind] = (
            rate(sum(each.place is not None and each.place < 3 for each in some), len(some)),
            rate(sum(each.told for each in some), len(some)),
            len(some),
        )
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.mistakes", description=__doc__)
    parser.add_argument("title")
    parser.add_argument("--positions", type=int, default=20)
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--playouts", type=int)
    parser.add_argument("--seed", default="1")
    given = parser.parse_args()
    budget = Budget("playouts", "", playouts=given.playouts or PLAYOUTS[given.title])
    found: list[Found] = []
    source = positions(given.title, given.players, given.seed)
    for game, blunder in (next(source) for _ in range(given.positions)):
        found.append(judged(game, blunder, budget))
        print(f"{blunder.number}. {blunder.kind}: {found[-1].place}, {found[-1].told}", flush=True)
    for kind, (among, told, count) in report(found).items():
        print(
            f"{kind}: {count} blunders, {percent(among)} among the three costliest, "
            f"{percent(told)} with their mechanism"
        )


def percent(estimate: Any) -> str:
    return f"{estimate.value:.0%} ({estimate.low:.0%} to {estimate.high:.0%})"


if __name__ == "__main__":
    main()
