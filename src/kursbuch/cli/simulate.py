"""`kursbuch simulate`: many games between computer opponents."""

from __future__ import annotations

import math
import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import click
import msgspec

import kursbuch
from kursbuch import bots as opponents
from kursbuch.cli.common import (
    common_options,
    data_option,
    derived_seed,
    emit_json,
    option_option,
    parse_options,
    progress,
    read_data,
)
from kursbuch.core import registry
from kursbuch.core.errors import KursbuchError
from kursbuch.core.game import check_seed
from kursbuch.core.words import Words

MOST_MOVES = 100_000


class Task(msgspec.Struct, frozen=True):
    """One game to be played: `bots` in the order of the seats, `seats` the number of each bot."""

    number: int
    title: str
    seed: str
    options: dict[str, str]
    data: bytes | None
    bots: tuple[str, ...]
    seats: tuple[int, ...]


class Outcome(msgspec.Struct, frozen=True):
    """How a game went. `error` is empty for one that was finished."""

    number: int
    seats: tuple[int, ...]
    moves: int
    scores: tuple[int, ...] = ()
    winners: tuple[int, ...] = ()
    error: str = ""


@click.command("simulate")
@click.argument("title")
@click.option("--players", type=int, metavar="N", help="Number of players; else that of --bots.")
@click.option("--games", type=click.IntRange(1, 1_000_000), default=100, show_default=True)
@click.option("--seed", default="1", show_default=True, help="Same seed, same games.")
@click.option(
    "--bots",
    "given_bots",
    default="random",
    show_default=True,
    metavar="A,B,…",
    help="random, careless, greedy, mcts, mcts:1000ms, mcts:400; repeated if there are more players.",
)
@click.option("--processes", type=click.IntRange(1, 256), metavar="P", help="Else one per core.")
@option_option
@data_option
@common_options
def command(
    title: str,
    players: int | None,
    games: int,
    seed: str,
    given_bots: str,
    processes: int | None,
    options: Sequence[str],
    data: str | None,
    as_json: bool,
    words: Words,
) -> int:
    """Play many games between computer opponents.

    From game to game every bot moves one seat on, so that no bot profits from its place. With the
    same seed the games are the same, except for bots with a time limit.
    """
    chosen = registry.title(title)
    listed = [opponents.check(spec) for spec in given_bots.split(",")]
    count = players if players is not None else max(len(listed), chosen.seats[0])
    chosen.check_seats(count)
    if len(listed) > count:
        raise KursbuchError(
            "{bots} bots are too many for {players} players.", bots=len(listed), players=count
        )
    content = read_data(data)
    if content is not None:
        chosen = chosen.with_data(content)
    values = chosen.option_values(parse_options(options))
    specs = [listed[number % len(listed)] for number in range(count)]
    tasks = [_task(number, title, seed, values, content, specs) for number in range(games)]
    check_seed(tasks[-1].seed)
    started = time.perf_counter()
    with progress(words._("Playing")) as advance:
        outcomes = run(tasks, processes or os.cpu_count() or 1, advance)
    report = summary(outcomes, specs, time.perf_counter() - started)
    report = {"title": title, "players": count, "seed": seed, "options": values, **report}
    if as_json:
        emit_json(report)
    else:
        _print(report, words)
    if report["errors"]:
        print(words._("The first error: {error}", error=report["first_error"]), file=sys.stderr)
    return 1 if report["errors"] else 0


def _task(
    number: int,
    title: str,
    seed: str,
    options: dict[str, str],
    data: bytes | None,
    specs: Sequence[str],
) -> Task:
    """Game `number`: bot i sits i + `number` seats from the first."""
    count = len(specs)
    seats = tuple((seat - number) % count for seat in range(count))
    return Task(
        number,
        title,
        f"{seed}-{number + 1}",
        options,
        data,
        tuple(specs[bot] for bot in seats),
        seats,
    )


def play_game(task: Task) -> Outcome:
    """Play one game to its end."""
    moves = 0
    try:
        bots = [
            opponents.make(spec, derived_seed(task.seed, seat))
            for seat, spec in enumerate(task.bots)
        ]
        names = [f"{spec}-{seat}" for seat, spec in enumerate(task.bots, 1)]
        game = kursbuch.new(task.title, names, task.seed, task.options, task.data)
        while not game.over:
            if moves >= MOST_MOVES:
                raise KursbuchError("The game does not end: {moves} moves.", moves=moves)
            action = opponents.volunteered(game, dict(enumerate(bots)))
            if action is None:
                seat = game.pending[0].seat
                action = bots[seat].choose(game.view(seat))
            game.apply(action)
            moves += 1
        result = game.result
        assert result is not None
    except Exception as error:
        # Whatever goes wrong in one game must not stop the others; it is counted and reported.
        return Outcome(
            task.number,
            task.seats,
            moves,
            error=f"game {task.number + 1}, move {moves + 1}: {type(error).__name__}: {error}",
        )
    return Outcome(task.number, task.seats, moves, result.scores, result.winners)


def run(
    tasks: Sequence[Task], processes: int, advance: Callable[[int, int], None]
) -> list[Outcome]:
    """Play all games, in several processes if there are, and give them in their order."""
    found: list[Outcome] = []
    for outcome in _played(tasks, min(processes, len(tasks))):
        found.append(outcome)
        advance(len(found), len(tasks))
    return sorted(found, key=lambda outcome: outcome.number)


def _played(tasks: Sequence[Task], processes: int) -> Iterator[Outcome]:
    if processes == 1:
        yield from map(play_game, tasks)
        return
    with _interrupts_later():
        started = multiprocessing.Pool(processes, _leave_interrupts)
    # Leaving the pool ends its processes, also in the middle of a game.
    with started as pool:
        yield from pool.imap_unordered(play_game, tasks)


@contextmanager
def _interrupts_later() -> Iterator[None]:
    """Ctrl-C takes effect at the end: a pool interrupted while it starts may wait for ever."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _leave_interrupts() -> None:
    """Ctrl-C is for the main process alone, which then ends the others."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


# ---- the report


class Tally(msgspec.Struct):
    """What a bot achieved. Playing in two seats of a game it has two `seats` and may win either."""

    seats: int = 0
    wins: float = 0.0
    points: int = 0


def interval(wins: float, games: int) -> tuple[float, float]:
    """The 95 % confidence interval of a rate (Wilson).

    >>> [round(end, 3) for end in interval(190, 200)]
    [0.91, 0.973]
    """
    if not games:
        return 0.0, 1.0
    z = 1.96
    rate = wins / games
    middle = rate + z * z / (2 * games)
    reach = z * math.sqrt(rate * (1 - rate) / games + z * z / (4 * games * games))
    whole = 1 + z * z / games
    return max(0.0, (middle - reach) / whole), min(1.0, (middle + reach) / whole)


def summary(outcomes: Sequence[Outcome], specs: Sequence[str], seconds: float) -> dict[str, object]:
    """The report. A shared victory counts as an equal part of one for each of the winners."""
    count = len(specs)
    finished = [outcome for outcome in outcomes if not outcome.error]
    failed = [outcome for outcome in outcomes if outcome.error]
    wins, totals = [0.0] * count, [0] * count
    tallies = {spec: Tally() for spec in specs}
    for outcome in finished:
        for seat, score in enumerate(outcome.scores):
            tally = tallies[specs[outcome.seats[seat]]]
            won = 1 / len(outcome.winners) if seat in outcome.winners else 0.0
            wins[seat] += won
            totals[seat] += score
            tally.seats += 1
            tally.wins += won
            tally.points += score
    games = max(len(finished), 1)
    return {
        "games": len(outcomes),
        "finished": len(finished),
        "errors": len(failed),
        "first_error": failed[0].error if failed else None,
        "moves": sum(outcome.moves for outcome in outcomes),
        "seconds": round(seconds, 3),
        "wins": [round(won, 4) for won in wins],
        "scores": [round(total / games, 1) for total in totals],
        "bots": list(specs),
        "by_bot": {
            spec: {
                "seats": tally.seats,
                "wins": round(tally.wins, 4),
                "rate": round(tally.wins / games, 4),
                "interval": [round(end, 4) for end in interval(tally.wins, len(finished))],
                "score": round(tally.points / max(tally.seats, 1), 1),
            }
            for spec, tally in tallies.items()
        },
    }


def _print(report: dict[str, object], words: Words) -> None:
    print(
        words._(
            "{title}: {finished} of {games} games finished, {errors} errors, {moves} moves in {seconds} s.",
            **{name: report[name] for name in ("title", "finished", "games", "errors", "moves")},
            seconds=report["seconds"],
        )
    )
    by_bot, wins, scores = report["by_bot"], report["wins"], report["scores"]
    assert isinstance(by_bot, dict)
    assert isinstance(wins, list)
    assert isinstance(scores, list)
    for spec, tally in by_bot.items():
        low, high = tally["interval"]
        print(
            "  "
            + words._(
                "{bot}: {wins} wins ({rate} %; 95 % interval {low} to {high} %), mean score {score}",
                bot=f"{spec:<12}",
                wins=f"{tally['wins']:g}",
                rate=f"{100 * tally['rate']:.1f}",
                low=f"{100 * low:.1f}",
                high=f"{100 * high:.1f}",
                score=words.number(round(tally["score"])),
            )
        )
    for seat, (won, score) in enumerate(zip(wins, scores, strict=True), 1):
        print(
            "  "
            + words._(
                "seat {seat}: {wins} wins, mean score {score}",
                seat=seat,
                wins=f"{won:g}",
                score=words.number(round(score)),
            )
        )
