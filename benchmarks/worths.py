"""Fit what 18xx bots know from earlier games: track, and in 1835 the worths of the start packet.

    python -m benchmarks.worths tracks --title 1835 --games 8 --seed 1
    python -m benchmarks.worths tracks --title 1853 --games 8 --seed 1
    python -m benchmarks.worths packet --players 4 --games 500 --seed 1
    python -m benchmarks.worths seats --players 4 --games 100 --seed 1
    python -m benchmarks.worths setup --players 4

The first three write a file of a package; repeat them when bots play differently. The others only measure: wins in
imagined games in which all buy the packet as greedy does, and each seat's optimal result of the packet by these
worths.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

import kursbuch
from kursbuch.bots import make
from kursbuch.bots.estimates import rate
from kursbuch.bots.playouts import reply
from kursbuch.core.actions import Action
from kursbuch.core.game import View
from kursbuch.core.position import Position
from kursbuch.games.g18xx import g1835, g1853
from kursbuch.games.g18xx.actions import BuyPaper, Done, LayTile, PlaceStation
from kursbuch.games.g18xx.evaluation import Track
from kursbuch.games.g18xx.g1835.ai import Draft
from kursbuch.games.g18xx.g1835.ai import worths as worths_of
from kursbuch.games.g18xx.g1835.components import standard
from kursbuch.games.g18xx.g1835.state import PacketTurn

FOLDERS = {
    name: Path(str(part.__file__)).parent for name, part in (("1835", g1835), ("1853", g1853))
}

#: Maximum number of positions of the start packet examined.
MOST_POSITIONS = 3_000_000

#: Probability of passing in random packets.
PASSES = 0.1


def drawn(position: Position[Any], seat: int, rng: random.Random) -> BuyPaper | Done:
    """A random decision about the start packet."""
    offered = [choice.action for choice in position.legal_actions(seat)]
    papers = [action for action in offered if isinstance(action, BuyPaper)]
    return rng.choice(papers) if papers and rng.random() > PASSES else Done(seat)


def reference(title: str, seed: str, players: int) -> Track:
    """Track built by the companies in a greedy game, in 1835 with a random start packet."""
    rng = random.Random(seed)
    game = kursbuch.new(title, [f"P{seat}" for seat in range(players)], seed)
    bot = make("greedy", rng.getrandbits(32))
    tiles: dict[str, list[tuple[str, str, int]]] = {}
    tokens: dict[str, list[tuple[str, int]]] = {}
    while not game.over:
        seat, step = game.pending[0].seat, game.state.agenda[-1]
        if isinstance(step, PacketTurn):
            game.apply(drawn(game.position, seat, rng))
            continue
        action = bot.choose(game.view(seat))
        if isinstance(action, LayTile):
            tiles.setdefault(step.company, []).append((action.hex, action.tile, action.rotation))
        elif isinstance(action, PlaceStation):
            tokens.setdefault(step.company, []).append((action.hex, action.stop))
        game.apply(action)
    print(seed, game.result.scores if game.result else None, file=sys.stderr)
    return Track(
        {name: tuple(laid) for name, laid in tiles.items()},
        {name: tuple(placed) for name, placed in tokens.items()},
    )


def imagined(
    seed: str, players: int, options: Mapping[str, str], *, by_chance: bool
) -> tuple[list[set[str]], tuple[int, ...]]:
    """Papers bought by each seat in the start packet, at random or as greedy does, and the result of an imagined
    game after it."""
    rng = random.Random(seed)
    game = kursbuch.new("1835", [f"P{seat}" for seat in range(players)], seed, dict(options))
    position = game.position.clone()
    bot = make("greedy", rng.getrandbits(32))
    policy = position.title.evaluator.playout_policy(position.state, rng)
    assert policy is not None
    owned: list[set[str]] = [set() for _ in range(players)]
    while not position.over:
        seat = position.deciders()[0]
        if isinstance(position.state.agenda[-1], PacketTurn):
            action: Action = drawn(position, seat, rng)
            if not by_chance:
                action = bot.choose(View(position.title, position.state, seat, game.names))
            if isinstance(action, BuyPaper):
                owned[seat].add(action.paper)
        else:
            action = reply(position, seat, policy)
        position.perform(action)
    assert position.result is not None
    return owned, position.result.scores


def worths(players: int, games: int, seed: str) -> dict[str, tuple[int, int]]:
    """Value of each paper beyond its price with its 95 % interval: least squares over imagined games, relative to
    the players' mean."""
    papers = [*standard().packet]
    rows, results = [], []
    for number in range(games):
        owned, scores = imagined(f"packet-{players}-{seed}-{number}", players, {}, by_chance=True)
        middle = sum(scores) / players
        for seat in range(players):
            rows.append([(paper in owned[seat]) - 1 / players for paper in papers])
            results.append(scores[seat] - middle)
    table, found = np.array(rows), np.array(results)
    inverse = np.linalg.inv(table.T @ table + np.eye(len(papers)))
    worth = inverse @ table.T @ found
    rest = found - table @ worth
    spread = np.sqrt(np.diag(inverse) * (rest @ rest) / (len(rows) - games - len(papers)))
    explained = 1 - (rest @ rest) / (found @ found)
    print(f"{players} players, {games} games: {explained:.0%} explained", file=sys.stderr)
    return {
        paper: (round(float(one)), round(1.96 * float(reach)))
        for paper, one, reach in zip(papers, worth, spread, strict=True)
    }


def seats(players: int, games: int, seed: str, packet: str) -> None:
    """Print how often each seat wins imagined games in which all buy the start packet as greedy does, how they end,
    and the surplus value of its papers."""
    won, totals, lines = [0.0] * players, [0] * players, set()
    bought, known = [0.0] * players, worths_of(players)
    for number in range(games):
        owned, scores = imagined(f"{seed}-{number}", players, {"packet": packet}, by_chance=False)
        lines.add(str([sorted(papers) for papers in owned]))
        best = [seat for seat in range(players) if scores[seat] == max(scores)]
        for seat in range(players):
            won[seat] += (seat in best) / len(best)
            totals[seat] += scores[seat]
            bought[seat] += sum(known[paper] for paper in owned[seat])
    for seat in range(players):
        found = rate(won[seat], games)
        print(
            f"seat {seat + 1}: {found.value:.0%} ({found.low:.0%} to {found.high:.0%}), "
            f"{totals[seat] / games:,.0f} M, papers {bought[seat] / games:+,.0f} M"
        )
    print(f"{len(lines)} different packets")


def setup(players: int, packet: str) -> None:
    """Print each seat's possible result of the start packet."""
    position = kursbuch.new(
        "1835", [f"P{seat}" for seat in range(players)], "1", {"packet": packet}
    ).position
    draft = Draft(g1835.TITLE.ruleset, position.state)
    found = draft.prospects(position.deciders()[0], MOST_POSITIONS)
    known = "" if len(draft.known) < MOST_POSITIONS else " (not all lines were played through)"
    print(f"{packet}, {players} players: {' '.join(f'{worth:+.0f}' for worth in found)} M{known}")


def written(file: Path, content: Any) -> None:
    """Write a file of a package."""
    data = msgspec.json.format(msgspec.json.encode(content), indent=0)
    file.write_bytes(data.replace(b"},{", b"},\n{") + b"\n")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.worths", description=__doc__)
    parser.add_argument("what", choices=("tracks", "packet", "seats", "setup"))
    parser.add_argument("--title", choices=FOLDERS, default="1835")
    parser.add_argument("--players", type=int, nargs="+", default=range(3, 8))
    parser.add_argument("--games", type=int, default=8)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--packet", choices=("standard", "clemens", "snake"), default="standard")
    given = parser.parse_args()
    if given.what == "tracks":
        seeds = [f"track-{given.seed}-{number}" for number in range(given.games)]
        games = [reference(given.title, seed, 4) for seed in seeds]
        written(FOLDERS[given.title] / "tracks.json", games)
        return
    if given.what == "setup":
        for players in given.players:
            setup(players, given.packet)
        return
    if given.what == "seats":
        for players in given.players:
            seats(players, given.games, given.seed, given.packet)
        return
    file = FOLDERS["1835"] / "draft.json"
    known = msgspec.json.decode(file.read_bytes()) if file.exists() else {}
    for players in given.players:
        known[str(players)] = worths(players, given.games, given.seed)
        written(file, dict(sorted(known.items())))


if __name__ == "__main__":
    main()
