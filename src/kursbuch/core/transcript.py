"""Writing records: one text file per game, which is save file, export and mail attachment.

The format is described in docs/records.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kursbuch.core.title import Result

if TYPE_CHECKING:
    from kursbuch.core.game import Game

HEADING = "Kursbuch record 1"


def write(game: Game, reveal: bool) -> str:
    """The record of a game; with `reveal` the seed is in it."""
    lines = [HEADING, f"title: {game.title.id}"]
    if game.edition > 1:
        lines.append(f"edition: {game.edition}")
    lines += [f"option {name}: {value}" for name, value in game.options.items()]
    lines += [f"seat {number}: {name}" for number, name in enumerate(game.names, 1)]
    lines += [f"data: {game.title.data_hash}", f"seed hash: {game.seed_hash}"]
    if reveal and game.seed is not None:
        lines.append(f"seed: {game.seed}")
    lines.append("")
    lines += _draws(game.opening_draws)
    edition = game.edition
    for number, move in enumerate(game.moves, 1):
        if move.edition != edition:
            edition = move.edition
            lines.append(f"edition {edition}")
        lines.append(f"{number}. {game.format(move.action)}")
        lines += _draws(move.draws)
    if game.result is not None:
        lines.append(f"result: {format_result(game.result, game.names)}")
    return "\n".join(lines) + "\n"


def _draws(draws: tuple[tuple[int, int], ...]) -> list[str]:
    return [f"draw {value + 1} of {sides}" for value, sides in draws]


def format_result(result: Result, names: tuple[str, ...]) -> str:
    """The result line: every player's score, winners marked.

    >>> format_result(Result((5, 3), (0,)), ("Anna", "Bernd"))
    'Anna 5 (winner), Bernd 3'
    """
    return ", ".join(
        f"{name} {score}{' (winner)' if seat in result.winners else ''}"
        for seat, (name, score) in enumerate(zip(names, result.scores, strict=True))
    )
