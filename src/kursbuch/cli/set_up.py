"""`kursbuch set-up`: a game begun on cardboard goes on as a record."""

from __future__ import annotations

import secrets
import sys

import click

from kursbuch.cli.common import (
    common_options,
    data_option,
    emit_json,
    option_option,
    parse_options,
    read_data,
    read_text,
    record_option,
    write_file,
)
from kursbuch.cli.play import seats
from kursbuch.core.game import Game
from kursbuch.core.registry import title_with_data
from kursbuch.core.setting import set_up
from kursbuch.core.words import Words


@click.command("set-up")
@click.argument("title")
@click.argument("file")
@click.option(
    "--players",
    required=True,
    metavar="NAMES",
    help="Names in order of the seats, or bot:greedy: Anna,Bernd.",
)
@record_option
@click.option("--seed", help="Same seed, same chance; else drawn in secret.")
@option_option
@data_option
@common_options
def command(
    title: str,
    file: str,
    players: str,
    output: str,
    seed: str | None,
    options: tuple[str, ...],
    data: str | None,
    as_json: bool,
    words: Words,
) -> None:
    """Set a position up from a file of corrections, one a line, and write it as a record to go on with."""
    found = title_with_data(title, read_data(data))
    names, _ = seats(players, words)
    chance = secrets.token_hex(16) if seed is None else seed
    game = Game(found, names, parse_options(options), seed=chance)
    made = set_up(game, read_text(file))
    record = game.record(reveal=True).encode()
    if output == "-":
        sys.stdout.buffer.write(record)
        return
    write_file(output, record)
    if as_json:
        emit_json({"file": output, "title": found.id, "players": names, "corrections": len(made)})
        return
    print(
        words.ngettext(
            "{file}: {n} correction.", "{file}: {n} corrections.", len(made), file=output
        )
    )
