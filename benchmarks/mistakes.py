"""Reviews of games with planted mistakes: does a review find the blunder, and does it name what it cost?

python -m benchmarks.mistakes 1835 --positions 50 --seed 1

Greedy plays games, a search those of the family titles. At a position drawn by lot the player makes a clear blunder
instead, of a kind of the title (`benchmarks.blunders`): a directorship sold, a train not bought, revenue withheld, ...
It is clear if both the title's judgement and imagined games with a seed of their own say so. The game goes on for a
while and is then reviewed. The blunder is found if it is among the three costliest moves. Its mechanism is told if a
cause belongs to the kind and is about the same company.
"""

from __future__ import annotations

import argparse
import math
import random
import time
from collections import Counter
from collections.abc import Container, Iterator, Mapping
from typing import Any

import msgspec

import kursbuch
from benchmarks.blunders import EIGHTEEN, Kind
from benchmarks.family_blunders import DICE, NIMM, ROCKET
from kursbuch.bots import make
from kursbuch.bots.bot import advantage, candidates, gains
from kursbuch.bots.estimates import rate
from kursbuch.bots.review import Asked, Budget, Look, Looked, review, weigh
from kursbuch.bots.worker_pool import LocalPool
from kursbuch.core.actions import Action
from kursbuch.core.game import Game

#: Pairs of imagined games that must confirm a blunder: first a few, then more.
CHECKS = (4, 12)

#: Playouts of a review by title: at most 30 seconds of processor time.
PLAYOUTS = {"1835": 240, "1853": 120, "dice": 1400, "nimm": 10_000, "rocket": 500}

#: Kinds of blunders by title.
KINDS = {"1835": EIGHTEEN, "1853": EIGHTEEN, "dice": DICE, "nimm": NIMM, "rocket": ROCKET}

#: Who plays the games, if not greedy: where greedy makes clear mistakes itself, they would hide those put in.
PLAYER = {"dice": "mcts:24", "nimm": "mcts:24", "rocket": "mcts:24"}

#: Moves after the blunder.
AFTERWARDS = 30

#: Blunders planted into one game.
PLANTED = 5

#: Positions of a game for a blunder after which frequent kinds are planted as well.
SCARCE = 40

#: Blunders of a kind more refuted by imagined games than confirmed from which it is given up in a game.
REFUTED = 3


class Blunder(msgspec.Struct, frozen=True):
    """A blunder: kind, number of moves with it, and what it is about."""

    kind: Kind
    number: int
    about: frozenset[str]


class Found(msgspec.Struct, frozen=True):
    """What a review made of a blunder: its place among the costliest moves (None if it is not there), and whether its
    mechanism is told."""

    kind: str
    place: int | None
    told: bool


def played(title: str, players: int, seed: str, player: str | None = None) -> Game:
    """A game of computer opponents."""
    game = kursbuch.new(title, [f"P{seat + 1}" for seat in range(players)], seed)
    play_on(game, seed, 100_000, player)
    return game


def play_on(game: Game, seed: str, moves: int, player: str | None = None) -> None:
    """Let computer opponents play on, if no other is named that of the title (`PLAYER`)."""
    player = player or PLAYER.get(game.title.id, "greedy")
    bots = [
        make(player, random.Random(f"{seed} {seat}").getrandbits(32))
        for seat in range(len(game.names))
    ]
    while moves > 0 and not game.over:
        seat = game.pending[0].seat
        game.apply(bots[seat].choose(game.view(seat)))
        moves -= 1


def blunders(
    game: Game, number: int, rng: random.Random, unwanted: Container[str] = ()
) -> Iterator[tuple[Kind, Action, Action]]:
    """Blunders in place of the move after this number of moves, by the title's judgement: kind, action, and the better
    one."""
    made = game.moves[number].action
    view = game.branch(number).view(made.seat)
    if made.seat not in [decision.seat for decision in view.pending]:
        return
    evaluator = game.title.evaluator
    choices = view.legal_actions()
    # Among all amounts, not only those worth considering.
    actions = [*dict.fromkeys((*candidates(choices, view), *candidates(choices)))]
    if made not in actions or len(actions) < 2:
        return
    position = view.determinize(rng)
    now = advantage(evaluator.leaf_value(position.state), made.seat)
    found = gains(position, made.seat, actions, now, evaluator.leaf_value)
    rng.shuffle(actions)
    whole = leading(game, number)
    for kind in KINDS[game.title.id]:
        for action in actions:
            if (
                kind.name not in unwanted
                and found[made] - found[action] > kind.least * whole
                and kind.fits(position, made, action)
            ):
                yield kind, action, made
                break


def leading(game: Game, number: int) -> float:
    """What the leader can expect."""
    return max(map(abs, game.title.evaluator.evaluate(game.at(number).state)))


def is_clear(game: Game, number: int, kind: Kind, action: Action, made: Action) -> bool:
    """Whether imagined games confirm a blunder."""
    least = kind.least * leading(game, number)
    write = game.title.action_to_json
    at = Asked(number, game.title.encode(game.at(number).state), (write(action),))
    for rounds in CHECKS:
        look = Look(
            title=game.title.id,
            data=None,
            names=game.names,
            seed="check",
            at=at,
            rounds=rounds,
            unsure=0.0,
            rival=(write(made),),
        )
        found = weigh(look)
        assert isinstance(found, Looked)
        verdict = found.verdict
        if verdict is None or verdict.gain < least or (rounds == CHECKS[-1] and not verdict.clear):
            return False
    return True


def planted(
    game: Game, number: int, seed: str, refuted: Counter[str], unwanted: Container[str] = ()
) -> tuple[Game, Blunder] | None:
    """The game with a blunder after this number of moves, if there is one. Counts those refuted by kind."""
    for kind, action, made in blunders(game, number, random.Random(seed), unwanted):
        if not is_clear(game, number, kind, action, made):
            refuted[kind.name] += 1
            continue
        refuted[kind.name] -= 1
        again = game.branch(number)
        again.apply(action)
        play_on(again, seed, AFTERWARDS)
        about = kind.about(game.at(number), made, action)
        return again, Blunder(kind, number + 1, about)
    return None


def judged(game: Game, blunder: Blunder, budget: Budget) -> Found:
    """What a review makes of it."""
    found = review(game, LocalPool(1), budget)
    costly = [each.number for each in found.costly]
    if blunder.number not in costly:
        return Found(blunder.kind.name, None, False)
    place = costly.index(blunder.number)
    told = blunder.kind.told(found.costly[place].verdict, blunder.about)
    return Found(blunder.kind.name, place, told)


def positions(title: str, players: int, seed: str) -> Iterator[tuple[Game, Blunder]]:
    """Games with a blunder each, at positions drawn by lot. Frequent kinds wait until others are hard to find."""
    counts = Counter({kind.name: 0 for kind in KINDS[title]})
    number = 0
    while True:
        game = played(title, players, f"{seed} {number}")
        rng = random.Random(f"{seed} {number}")
        numbers = list(range(len(game.moves) // 3, len(game.moves) - 4))
        rng.shuffle(numbers)
        refuted: Counter[str] = Counter()
        made = 0
        for tried, place in enumerate(numbers):
            if made == PLANTED:
                break
            often = max(2.0, 2 * counts.total() / len(counts))
            if tried > SCARCE * (made + 1):
                often = math.inf
            unwanted = {name for name in counts if counts[name] > often or refuted[name] >= REFUTED}
            found = planted(game, place, f"{seed} {number} {place}", refuted, unwanted)
            if found is None:
                continue
            counts[found[1].kind.name] += 1
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
        started = time.process_time()
        found.append(judged(game, blunder, budget))
        place, told = found[-1].place, found[-1].told
        print(
            f"{blunder.number}. {game.format(game.moves[blunder.number - 1].action)} "
            f"({blunder.kind.name}): place {None if place is None else place + 1}, "
            f"mechanism {'told' if told else 'not told'}, {time.process_time() - started:.0f} s",
            flush=True,
        )
    for kind, (among, told, count) in report(found).items():
        print(
            f"{kind}: {count} blunders, {percent(among)} among the three costliest, "
            f"{percent(told)} with their mechanism"
        )


def percent(estimate: Any) -> str:
    return f"{estimate.value:.0%} ({estimate.low:.0%} to {estimate.high:.0%})"


if __name__ == "__main__":
    main()
