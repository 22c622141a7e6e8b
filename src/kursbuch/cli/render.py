"""`kursbuch render`: the board of a record as a picture."""

from __future__ import annotations

import re
from pathlib import Path

import click
import resvg_py

from kursbuch.cli.common import (
    common_options,
    data_option,
    emit_json,
    output_option,
    read_text,
    write_file,
    write_text,
)
from kursbuch.cli.replay import load
from kursbuch.core.errors import KursbuchError
from kursbuch.core.game import Game
from kursbuch.core.words import Words

KINDS = ("svg", "png")
DEFAULT_WIDTH = 1200


@click.command("render")
@click.argument("file")
@click.option("--move", type=click.IntRange(0), metavar="N", help="After N moves; else the last.")
@output_option("OUT", "board.svg, board.png, or - for SVG.")
@click.option(
    "--width", type=click.IntRange(16, 10_000), metavar="PIXELS", help="Width of the picture."
)
@data_option
@common_options
def command(
    file: str,
    move: int | None,
    output: str,
    width: int | None,
    data: str | None,
    as_json: bool,
    words: Words,
) -> None:
    """Draw the board of a record as everybody at the table may see it."""
    kind = picture_kind(output)
    game = load(read_text(file), data, words)
    number = len(game.moves) if move is None else move
    svg = board(game, number, Words(words.language, game.names))
    content = picture(svg, kind, width)
    if output == "-":
        write_text(content.decode())
        return
    write_file(output, content)
    if as_json:
        emit_json({"file": output, "format": kind, "move": number, "bytes": len(content)})
    else:
        print(words._("{file} shows the board after move {number}.", file=output, number=number))


def picture_kind(output: str) -> str:
    """`svg` or `png`, by the name of the file."""
    kind = "svg" if output == "-" else Path(output).suffix[1:].lower()
    if kind not in KINDS:
        raise KursbuchError(
            "The picture must be a file ending in .svg or .png; {output} does not.", output=output
        )
    return kind


def board(game: Game, number: int, words: Words) -> str:
    """The board after a move as SVG, with what the move changed pointed out."""
    title = game.title
    state = title.view(game.at(number).state, None)
    marks = title.marks(game.moves[number - 1].events) if number else []
    return title.draw(state, words, marks)


def picture(svg: str, kind: str, width: int | None) -> bytes:
    """The content of the picture file."""
    if kind == "png":
        return bytes(resvg_py.svg_to_bytes(svg_string=svg, width=width or DEFAULT_WIDTH))
    return (svg if width is None else _with_width(svg, width)).encode()


def _with_width(svg: str, width: int) -> str:
    """The drawing with a width of its own; the height follows from its view box.

    >>> _with_width('<svg width="3" height="2" viewBox="0 0 3 2"/>', 300)
    '<svg width="300" viewBox="0 0 3 2"/>'
    """
    head, bracket, rest = svg.partition(">")
    start = head.rindex("<svg")
    tag = re.sub(r'\s(?:width|height)="[^"]*"', "", head[start:])
    return f'{head[:start]}<svg width="{width}"{tag[4:]}{bracket}{rest}'
