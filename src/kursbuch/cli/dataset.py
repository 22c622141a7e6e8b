"""`kursbuch dataset`: games between computer opponents as Parquet."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence

import click

from kursbuch.bots.matches import Match
from kursbuch.cli.common import (
    common_options,
    data_option,
    emit_json,
    option_option,
    output_option,
    parse_options,
    progress,
    read_data,
)
from kursbuch.cli.working import needing, working, working_options
from kursbuch.core import registry
from kursbuch.core.errors import KursbuchError
from kursbuch.core.words import Words


@click.command("dataset")
@click.argument("title")
@output_option("FILE", "The file to write (Parquet).")
@click.option("--players", type=int, metavar="N", help="Number of players; else that of --bots.")
@click.option("--games", type=click.IntRange(1, 1_000_000), default=100, show_default=True)
@click.option("--seed", default="1", show_default=True, help="Same seed, same games.")
@click.option(
    "--bots", default="random", show_default=True, metavar="A,B,…", help="As for `kursbuch match`."
)
@working_options
@option_option
@data_option
@common_options
def command(
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
    """Write games between computer opponents as a data set.

    A row for every small choice: what the player knew, what could be chosen and what was. The games are
    those of `kursbuch match` with the same options. Needs kursbuch[dataset].
    """
    with needing("dataset"):
        from kursbuch.interop import dataset
    if output == "-":
        raise KursbuchError(
            "A data set needs a file of its own: {path} cannot be written to.", path=output
        )
    chosen = registry.title(title)
    match = Match(chosen, bots.split(","), players, seed, parse_options(options), read_data(data))
    started = time.perf_counter()
    with working(on, jobs) as workers, progress(words._("Playing")) as advance:
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
