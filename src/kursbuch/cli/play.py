"""`kursbuch play` and `kursbuch set-up`: play at the terminal."""

from __future__ import annotations

import re
import secrets
import sys
from collections.abc import Sequence
from pathlib import Path

import click

import kursbuch
from kursbuch import bots
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
from kursbuch.cli.replay import result_json
from kursbuch.cli.terminal import TerminalTable
from kursbuch.core import registry
from kursbuch.core.errors import KursbuchError
from kursbuch.core.game import Game
from kursbuch.core.record import setup_position
from kursbuch.core.registry import title_with_data
from kursbuch.core.words import Words

_BOT_NAME = re.compile(r"((?:random|careless|greedy|mcts)(?::[0-9]+(?:ms)?)?)-[0-9]+")


@click.command("play")
@click.argument("title")
@click.option(
    "--players",
    metavar="NAMES",
    help="Names in order of the seats, such as Anna,Bernd,bot:greedy; else you against one bot.",
)
@click.option("--seed", help="Same seed, same chance; else drawn in secret.")
@option_option
@data_option
@click.option(
    "--record", metavar="FILE", help="Save after every move; go on from there if it exists."
)
@common_options
def command(
    title: str,
    players: str | None,
    seed: str | None,
    options: Sequence[str],
    data: str | None,
    record: str | None,
    as_json: bool,
    words: Words,
) -> None:
    """Play in the terminal. Type `help` during the game for what can be typed."""
    out = sys.stderr if as_json else sys.stdout
    registry.title(title)
    if record is not None and Path(record).exists():
        if seed is not None or options:
            raise KursbuchError(
                "{file} is a game that has begun: its seed and its options stay.", file=record
            )
        game, specs = resume(title, record, players, data)
    else:
        names, specs = seats(players, words)
        game = kursbuch.new(title, names, seed, parse_options(options), read_data(data))
    table = TerminalTable(game, specs, Words(words.language, game.names), out, record)
    table.save()
    finished = table.run()
    if as_json:
        emit_json(
            {
                "title": game.title.id,
                "players": game.names,
                "finished": finished,
                "moves": len(game.moves),
                **result_json(game, words),
                "scores": game.title.scores(game.view(None).state),
                "record": record,
            }
        )


def seats(given: str | None, words: Words) -> tuple[list[str], dict[int, str]]:
    """The names of the players and the bots among them, by seat."""
    entries = [words._("Player"), "bot:greedy"] if given is None else given.split(",")
    names: list[str] = []
    specs: dict[int, str] = {}
    for seat, entry in enumerate(entries):
        kind, colon, spec = entry.strip().partition(":")
        if kind == "bot" and colon:
            specs[seat] = bots.check(spec)
            names.append(f"{specs[seat]}-{seat + 1}")
        else:
            names.append(entry.strip())
    return names, specs


def resume(
    title: str, record: str, players: str | None, data: str | None
) -> tuple[Game, dict[int, str]]:
    """The game of a record, and its bots: they are known by their names."""
    game = kursbuch.load(read_text(record), data=read_data(data))
    if game.title.id != title:
        raise KursbuchError(
            "{file} is a game of {found}, not of {title}.",
            file=record,
            found=game.title.id,
            title=title,
        )
    if game.seed is None and not game.over:
        raise KursbuchError(
            "{file} does not have the seed of its game, so the game cannot go on.", file=record
        )
    if players is not None:
        names, specs = seats(players, Words())
        if tuple(names) != game.names:
            raise KursbuchError(
                "{file} is a game of {found}, not of {players}.",
                file=record,
                found=", ".join(game.names),
                players=", ".join(names),
            )
        return game, specs
    found = {seat: _BOT_NAME.fullmatch(name) for seat, name in enumerate(game.names)}
    return game, {seat: match[1] for seat, match in found.items() if match}


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
def setup_command(
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
    made = setup_position(game, read_text(file))
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
