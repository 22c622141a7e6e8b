"""`kursbuch match` and `kursbuch dataset`: games between bots."""

from __future__ import annotations

import math
import os
import sys
import time
from collections.abc import Sequence

import click

from kursbuch.bots import match as bot_matches
from kursbuch.bots.estimates import Estimate
from kursbuch.bots.match import Match, Results, Standings
from kursbuch.cli.common import (
    aligned,
    common_options,
    data_option,
    emit_json,
    optional_extra,
    options_option,
    output_option,
    parse_options,
    print_report,
    progress,
    read_data,
    refuse_empty,
    worker_options,
    worker_pool,
)
from kursbuch.core import registry
from kursbuch.core.errors import KursbuchError
from kursbuch.core.words import Words, sign


def _refuse_nan(
    context: click.Context, option: click.Parameter, value: float | None
) -> float | None:
    """Refuse NaN, which passes the bounds check."""
    if value is not None and math.isnan(value):
        raise click.BadParameter("", context, option)
    return value


players_option = click.option(
    "--players", type=int, metavar="N", help="Number of players. [default: the number of --bots]"
)
seed_option = click.option(
    "--seed",
    default="1",
    show_default=True,
    help="Seed of the games; the same seed gives the same games.",
)


def _match(
    title: str,
    bots: str,
    players: int | None,
    seed: str,
    options: Sequence[str],
    data: str | None,
) -> Match:
    """The match of these options."""
    # Modules with bots are looked for here, too.
    sys.path.append(os.getcwd())
    return Match(
        registry.title(title),
        bots.split(","),
        players,
        seed,
        parse_options(options),
        read_data(data),
    )


@click.command("match")
@click.argument("title")
@players_option
@click.option(
    "--games",
    type=click.IntRange(1, 1_000_000),
    default=100,
    show_default=True,
    help="Minimum number of games. All games of one seed are played: every group of opponents in every "
    "seat order.",
)
@seed_option
@click.option(
    "--bots",
    "given_bots",
    default="random",
    show_default=True,
    metavar="A,B,…",
    help="Bots: random, careless, greedy, mcts, mcts:1000ms, mcts:400, or a class of your own "
    "(module:Class). They repeat if there are more players; if there are fewer, every group plays.",
)
@click.option(
    "--until",
    "precision",
    type=click.FloatRange(0.1, 50),
    callback=_refuse_nan,
    metavar="PERCENT",
    help="Stop early once every win rate is known to within this margin.",
)
@worker_options
@click.option(
    "--results",
    callback=refuse_empty,
    metavar="FILE",
    help="Store the games in this SQLite file, and resume from the games it holds.",
)
@options_option
@data_option
@common_options
def command(
    title: str,
    players: int | None,
    games: int,
    seed: str,
    given_bots: str,
    precision: float | None,
    jobs: int | None,
    on: str,
    results: str | None,
    options: Sequence[str],
    data: str | None,
    as_json: bool,
    words: Words,
) -> int:
    """Play a tournament between computer opponents.

    Each seed is played in every seat order, or rotated round the table if there are more than 24, so
    that no bot profits from its seat or from luck. The same seed gives the same games, except for bots
    with a time limit. Intervals are 95 % confidence intervals.
    """
    match = _match(title, given_bots, players, seed, options, data)
    if match.size > games:
        number = words.number(match.size)
        said = words._("All groups and seat orders make {games} games per seed.", games=number)
        print(said, file=sys.stderr)
    started = time.perf_counter()
    with (
        Results(results) as kept,
        worker_pool(on, jobs) as workers,
        progress(words._("Playing")) as advance,
    ):
        found = bot_matches.play(
            match,
            games,
            workers,
            kept,
            None if precision is None else precision / 100,
            advance,
        )
    seconds = time.perf_counter() - started
    report = {**match.terms, "took": round(seconds, 3), **standings_json(found)}
    print_report(as_json, report, standings_lines(found, match, seconds, words))
    if found.errors:
        print(words._("The first error: {error}", error=found.first_error), file=sys.stderr)
    return 1 if found.errors else 0


def standings_json(found: Standings) -> dict[str, object]:
    """The standings as JSON; bot names are keys."""
    return {
        "games": found.games,
        "blocks": found.blocks,
        "moves": found.moves,
        "errors": found.errors,
        "first_error": found.first_error or None,
        "by_bot": {standing.bot: standing for standing in found.bots},
        "by_seat": found.seats,
    }


def standings_lines(
    found: Standings, match: bot_matches.Match, seconds: float, words: Words
) -> list[str]:
    """The standings as text."""
    lines = [
        words._(
            "{title}: games {games}, seeds {seeds}, errors {errors}, moves {moves}, in {seconds} s.",
            title=match.title.name,
            games=found.games,
            seeds=found.blocks,
            errors=found.errors,
            moves=words.number(found.moves),
            seconds=f"{seconds:.0f}",
        )
    ]
    several = len(found.bots) > 1
    rows = [
        [
            words._("bot"),
            words._("games"),
            *(
                [words._("wins in %"), words._("among equals"), words._("margin")]
                if several
                else []
            ),
            words._("score"),
            words._("place"),
            *([words._("Elo")] if several else []),
            words._("ms per decision"),
        ]
    ]
    for bot in found.bots:
        rows.append(
            [
                bot.bot,
                str(bot.games),
                *(
                    [_percent(bot.wins), f"{100 * bot.equal:.0f}", _signed(bot.margin)]
                    if several
                    else []
                ),
                _around(bot.score, 1),
                _around(bot.place, 2),
                *([_signed(bot.elo)] if several else []),
                f"{bot.milliseconds:.3g}",
            ]
        )
    lines += aligned(rows, numbers=True)
    rows = [[words._("seat"), words._("wins in %"), words._("score")]]
    rows += [
        [str(seat.seat + 1), _percent(seat.wins), _around(seat.score, 1)] for seat in found.seats
    ]
    return [*lines, "", *aligned(rows, numbers=True)]


def _percent(estimate: Estimate) -> str:
    assert estimate.low is not None
    assert estimate.high is not None
    return f"{100 * estimate.value:.1f} ({100 * estimate.low:.0f}–{100 * estimate.high:.0f})"


def _signed(estimate: Estimate | None) -> str:
    if estimate is None:
        return "–"
    value = _difference(estimate.value)
    if estimate.low is None or estimate.high is None:
        return value
    return f"{value} ({_difference(estimate.low)} … {_difference(estimate.high)})"


def _difference(value: float) -> str:
    whole = round(value)
    return f"{sign(whole)}{abs(whole)}"


def _around(estimate: Estimate, digits: int) -> str:
    if estimate.low is None:
        return f"{estimate.value:.{digits}f}"
    return f"{estimate.value:.{digits}f} ± {estimate.reach:.{digits}f}"


@click.command("dataset")
@click.argument("title")
@output_option("FILE", "Parquet file to write.")
@players_option
@click.option(
    "--games",
    type=click.IntRange(1, 1_000_000),
    default=100,
    show_default=True,
    help="Minimum number of games.",
)
@seed_option
@click.option(
    "--bots",
    default="random",
    show_default=True,
    metavar="A,B,…",
    help="Bots, as for `kursbuch match`.",
)
@worker_options
@options_option
@data_option
@common_options
def dataset_command(
    title: str,
    output: str,
    players: int | None,
    games: int,
    seed: str,
    bots: str,
    jobs: int | None,
    on: str,
    options: Sequence[str],
    data: str | None,
    as_json: bool,
    words: Words,
) -> int:
    """Write games between computer opponents as a dataset.

    The dataset has one row per small choice: what the player knew, the options, and the choice. The
    games are those of `kursbuch match` with the same options. Requires kursbuch[dataset].
    """
    with optional_extra("dataset"):
        from kursbuch.interop import dataset
    if output == "-":
        raise KursbuchError(
            "A data set needs a file of its own: {path} cannot be written to.", path=output
        )
    match = _match(title, bots, players, seed, options, data)
    started = time.perf_counter()
    with worker_pool(on, jobs) as workers, progress(words._("Playing")) as advance:
        report = dataset.write(output, match, games, workers, advance)
    seconds = time.perf_counter() - started
    if as_json:
        emit_json({**match.terms, "took": round(seconds, 3), **report._asdict()})
    else:
        print(
            words.ngettext(
                "{title}: {n} game in {seconds} s, {rows} rows in {path}.",
                "{title}: {n} games in {seconds} s, {rows} rows in {path}.",
                report.games,
                title=match.title.name,
                seconds=f"{seconds:.0f}",
                rows=words.number(report.rows),
                path=output,
            )
        )
    if report.errors:
        print(words._("The first error: {error}", error=report.first_error), file=sys.stderr)
    return 1 if report.errors else 0
