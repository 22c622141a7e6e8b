"""Rate the levels of each title and the baselines (`docs/opponents.md`).

    python -m benchmarks.ladder nimm --games 400 --write
    python -m benchmarks.ladder nimm --games 400 --bot mine:First

The baselines are `random`, and in Stephenson's Rocket `Learned`. Ratings are against `greedy`. Neighbours meet in every
block; a group with a level skipped, another in each block, ties the ladder together. A bot of your own, a class in a
module here, meets all levels. With `--playouts` levels with a time limit are searches with that many playouts, so that
games can be repeated; with 0 they are left out. `--results` keeps the games of each title in a file of a folder, from
which a later call goes on.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Sequence
from functools import cached_property
from itertools import combinations
from pathlib import Path
from statistics import mean
from typing import Any, NamedTuple

import click

import kursbuch
from kursbuch.bots.bot import GreedyBot, Valuation
from kursbuch.bots.estimates import Estimate, clustered_rate
from kursbuch.bots.match import Block, Match, Results, beaten, elo, played, seat_orders
from kursbuch.bots.registry import strengths
from kursbuch.bots.worker_pool import LocalPool
from kursbuch.cli.common import aligned, jobs_option, progress
from kursbuch.core.errors import KursbuchError
from kursbuch.core.game import View
from kursbuch.core.title import Title

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "opponents.md"

#: Learned baselines by title, with the level below.
LEARNED = {"rocket": ("greedy", "benchmarks.ladder:Learned")}


class Learned(GreedyBot):
    """Looks one action ahead by the learned value of the title (`python -m benchmarks.prospects`)."""

    def __init__(self, name: str, seed: int | None = None) -> None:
        super().__init__(seed)
        self.name = name

    def valuation(self, view: View) -> Valuation:
        return view.title.evaluator.leaf_value


class Ladder(Match):
    """A tournament of bots in order of strength, in which neighbours meet most; `guests` meet all.

    >>> ladder = Ladder(kursbuch.title("rocket"), ["random", "careless", "greedy"], 2)
    >>> [task.bots for task in ladder.block(0)][::2]
    [('random', 'careless'), ('careless', 'greedy'), ('random', 'greedy')]
    """

    def __init__(
        self,
        title: Title[Any],
        levels: Sequence[str],
        players: int,
        seed: str = "1",
        guests: Sequence[str] = (),
    ) -> None:
        self.levels, self.guests = list(levels), list(guests)
        super().__init__(title, [*levels, *guests], players, seed)

    @cached_property
    def neighbours(self) -> list[tuple[str, ...]]:
        """The groups of every block."""
        levels, players = self.levels, self.players
        return [
            *_windows(levels, players),
            *((*group, guest) for guest in self.guests for group in _windows(levels, players - 1)),
        ]

    @cached_property
    def skipping(self) -> list[tuple[str, ...]]:
        """The groups with one level skipped."""
        return [
            (window[0], *between, window[-1])
            for window in _windows(self.levels, self.players + 1)
            for between in combinations(window[1:-1], self.players - 2)
        ]

    @cached_property
    def size(self) -> int:
        return self.players * (len(self.neighbours) + 1)

    def orders(self, number: int, seed: str) -> list[tuple[str, ...]]:
        """Every group moves round the table."""
        groups = [*self.neighbours, self.skipping[number % len(self.skipping)]]
        return [order for group in groups for order in seat_orders(group, seed, self.players)]

    @property
    def terms(self) -> dict[str, object]:
        return {**super().terms, "guests": self.guests}


def _windows(levels: Sequence[str], size: int) -> list[tuple[str, ...]]:
    return [tuple(levels[first : first + size]) for first in range(len(levels) - size + 1)]


class Rung(NamedTuple):
    """A bot on the ladder: rating against greedy, share of games ahead of the level below, number of games, and
    seconds of thinking in a game."""

    bot: str
    elo: Estimate
    ahead: Estimate | None
    games: int
    seconds: float


def rungs(ladder: Ladder, blocks: Sequence[Block]) -> list[Rung]:
    """The levels, weakest first, then the guests."""
    ratings = elo(ladder.bots, blocks, "greedy")
    below = [None, *ladder.levels[:-1], *(None for _ in ladder.guests)]
    found = []
    for bot, rating, lower in zip(ladder.bots, ratings, below, strict=True):
        assert rating is not None
        games = [outcome for block in blocks for outcome in block if bot in outcome.bots]
        seconds = mean(outcome.seconds[outcome.bots.index(bot)] for outcome in games)
        ahead = None if lower is None else _ahead(bot, lower, ladder, blocks)
        found.append(Rung(bot, rating, ahead, len(games), seconds))
    return found


def _ahead(bot: str, lower: str, ladder: Ladder, blocks: Sequence[Block]) -> Estimate:
    """Share of meetings in which a bot finished ahead of another."""
    one, two = ladder.bots.index(bot), ladder.bots.index(lower)
    tables = [beaten(ladder.bots, block) for block in blocks]
    meetings = [(each[one][two], each[one][two] + each[two][one]) for each in tables]
    shares = [ahead / games for ahead, games in meetings]
    return clustered_rate(shares, round(sum(games for _, games in meetings)))


def table(found: Sequence[Rung]) -> list[list[str]]:
    """The rows for people, headings first."""
    rows = [["bot", "Elo", "ahead of the one above", "games", "seconds a game"]]
    for bot, rating, ahead, games, seconds in found:
        value = "0" if bot == "greedy" else f"{rating.value:+.0f} (± {rating.reach:.0f})"
        share = "" if ahead is None else _percent(ahead)
        rows.append([bot, value.replace("-", "−"), share, str(games), f"{seconds:.2g}"])
    return rows


def _percent(estimate: Estimate) -> str:
    assert estimate.low is not None
    assert estimate.high is not None
    return f"{100 * estimate.value:.0f} %, {100 * estimate.low:.0f} to {100 * estimate.high:.0f} %"


def written(page: str, name: str, lines: Sequence[str]) -> str:
    """A page with new lines between the marks of a name.

    >>> written("a\\n<!-- ladder nimm -->\\nold\\n<!-- end -->\\nb", "nimm", ["new"])
    'a\\n<!-- ladder nimm -->\\nnew\\n<!-- end -->\\nb'
    """
    marked = re.compile(rf"(<!-- ladder {name} -->\n).*?(<!-- end -->)", re.DOTALL)
    if not marked.search(page):
        raise KursbuchError("The page has no marks for {title}.", title=name)
    text = "".join(f"{line}\n" for line in lines)
    return marked.sub(lambda found: found[1] + text + found[2], page)


def markdown(
    title: Title[Any], players: int, rows: Sequence[Sequence[str]], command: str
) -> list[str]:
    """The table of a title with its command and the commit of the program."""
    asked = ["git", "-C", str(ROOT), "log", "-1", "--format=%h", "--abbrev=8", "--", "src"]
    commit = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
    heading, *rest = rows
    return [
        f"**{title.name}**, {players} players (`{command}`; commit {commit}):",
        "",
        f"| {' | '.join(heading)} |",
        "| --- | --- | --- | --- | --- |",
        *(f"| {' | '.join(row)} |".replace("|  |", "| |") for row in rest),
    ]


def levels(title: Title[Any], playouts: int | None) -> list[str]:
    """The baselines and the levels of a title, weakest first; levels with a time limit as searches with playouts, or
    not at all."""
    found = ["random"]
    for level, _ in strengths(title):
        if playouts is None or not level.endswith("ms"):
            found.append(level)
        elif playouts:
            found.append(f"mcts:{playouts}")
    if title.id in LEARNED:
        below, learned = LEARNED[title.id]
        found.insert(found.index(below) + 1, learned)
    return found


@click.command(help=__doc__)
@click.argument("titles", nargs=-1, metavar="[TITLE]…")
@click.option("--games", type=click.IntRange(1), default=400, show_default=True)
@click.option("--players", type=int, help="[default: as few as can play]")
@click.option("--seed", default="1", show_default=True)
@click.option("--playouts", type=click.IntRange(0), metavar="N")
@click.option("--bot", "guests", multiple=True, metavar="BOT", help="As for kursbuch match.")
@jobs_option
@click.option("--results", "folder", metavar="FOLDER", type=click.Path(path_type=Path))
@click.option("--write", is_flag=True, help=f"Write the tables into docs/{PAGE.name}.")
def main(
    titles: Sequence[str],
    games: int,
    players: int | None,
    seed: str,
    playouts: int | None,
    guests: Sequence[str],
    jobs: int | None,
    folder: Path | None,
    write: bool,
) -> None:
    try:
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
        for name in titles or sorted(kursbuch.titles()):
            title = kursbuch.title(name)
            seats = players or title.seats[0]
            ladder = Ladder(title, levels(title, playouts), seats, seed, guests)
            path = None if folder is None else str(folder / f"{name}.sqlite")
            with Results(path) as results, progress(title.name) as advance:
                blocks, failed = played(ladder, games, LocalPool(jobs), results, advance=advance)
            rows = table(rungs(ladder, blocks))
            print(f"{title.name}, {seats} players, {len(blocks)} blocks of {ladder.size} games")
            print(*aligned(rows, numbers=True), "", sep="\n")
            if failed:
                print(f"{len(failed)} games failed: {failed[0].error}", file=sys.stderr)
            if write:
                given = {"games": games, "players": players, "seed": seed, "playouts": playouts}
                said = [
                    f"--{option} {value}" for option, value in given.items() if value is not None
                ]
                command = " ".join(["python -m benchmarks.ladder", name, *said])
                lines = markdown(title, seats, rows, command)
                page = PAGE.read_text(encoding="utf-8")
                PAGE.write_text(written(page, name, lines), encoding="utf-8")
    except KursbuchError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main(prog_name="python -m benchmarks.ladder")
