"""Finds a game of an older edition in which a correction makes a difference, and writes its record.

    python -m tests.editions.find TITLE CORRECTION [--players N] [--option NAME=VALUE] [--bots SPEC]

Games are played by the edition before the correction, at random or by a kind of opponent, until a
move would be refused or have another effect with the correction alone. The record up to that move is
written to `tests/editions/records/TITLE/CORRECTION.txt`, where `test_editions.py` expects one for every
correction. Rare ones are better written by hand: `Game(title, names, seed="1", edition=1)` and
`game.replay(action, 1)` play by the first edition, and a record needs no seed but only draws.
"""

from __future__ import annotations

import argparse
import random
import sys
from pathlib import Path

import kursbuch
from kursbuch import bots
from kursbuch.core.actions import Action
from kursbuch.core.game import Game
from kursbuch.core.verification import effect

RECORDS = Path(__file__).parent / "records"
NAMES = ("Anna", "Bernd", "Clara", "Dirk", "Emil", "Frieda", "Georg", "Hanna")


def random_action(game: Game, rng: random.Random) -> Action:
    """A legal action of someone who has to decide, every kind being equally likely."""
    legal = game.legal_actions(rng.choice(game.pending).seat)
    kinds = sorted({type(choice.action).__name__ for choice in legal})
    kind = rng.choice(kinds)
    choice = rng.choice([each for each in legal if type(each.action).__name__ == kind])
    return (
        choice.action if choice.amount is None else choice.with_amount(rng.choice([*choice.amount]))
    )


def differs(game: Game, action: Action, correction: str) -> bool:
    """Whether a correction alone makes a difference to an action of the older edition."""
    older = game.state.uncorrected
    without = effect(game.position, action, older)
    return effect(game.position, action, [each for each in older if each != correction]) != without


def search(title: str, correction: str, args: argparse.Namespace) -> Game | None:
    """The first game with such a move at its end."""
    chosen = kursbuch.title(title)
    edition = next(each.edition for each in chosen.rules.corrections if each.id == correction) - 1
    options = dict(each.split("=", 1) for each in args.option)
    for seed in range(args.games):
        rng = random.Random(seed)
        game = Game(chosen, NAMES[: args.players], options, seed=str(seed), edition=edition)
        player = bots.make(args.bots, seed=seed) if args.bots else None
        for _ in range(args.moves):
            if game.over:
                break
            if player is None or rng.random() < args.random:
                action = random_action(game, rng)
            else:
                action = player.choose(game.view(game.pending[0].seat))
            found = differs(game, action, correction)
            game.replay(action, edition)
            if found:
                return game
    return None


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("title")
    parser.add_argument("correction")
    parser.add_argument("--players", type=int, default=3)
    parser.add_argument("--option", action="append", default=[])
    parser.add_argument("--bots", default="")
    parser.add_argument("--random", type=float, default=0.1)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--moves", type=int, default=2000)
    args = parser.parse_args()
    game = search(args.title, args.correction, args)
    if game is None:
        print("No game found.", file=sys.stderr)
        return 1
    path = RECORDS / args.title / f"{args.correction}.txt"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(game.record(reveal=True), encoding="utf-8")
    print(f"{path}: {len(game.moves)} moves")
    return 0


if __name__ == "__main__":
    sys.exit(main())
