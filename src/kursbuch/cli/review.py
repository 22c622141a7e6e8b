"""`kursbuch review`: what turned a finished game, and what would have been better."""

from __future__ import annotations

import click
import msgspec

import kursbuch
from kursbuch.bots.review import DEPTHS, Review, review
from kursbuch.bots.review.sentences import reasons, turned, worth_of
from kursbuch.bots.workers import Local
from kursbuch.cli.common import (
    common_options,
    data_option,
    emit_json,
    progress,
    read_data,
    read_text,
)
from kursbuch.cli.working import jobs_option
from kursbuch.core.game import Game
from kursbuch.core.words import Words


@click.command("review")
@click.argument("file", metavar="FILE")
@click.option(
    "--depth",
    type=click.Choice(list(DEPTHS)),
    default="normal",
    show_default=True,
    help="How thoroughly.",
)
@jobs_option
@data_option
@common_options
def command(
    file: str, depth: str, jobs: int | None, data: str | None, as_json: bool, words: Words
) -> int:
    """Say what a finished game was like: what turned it, and what would have been better.

    Every position is played on many times by the computer. The same record has the same review.
    """
    content = read_data(data)
    game = kursbuch.load(read_text(file), content)
    with progress(words._("Reviewing")) as advance:
        found = review(game, Local(jobs), depth, content, advance)
    if as_json:
        emit_json(msgspec.to_builtins(found))
    else:
        for line in told(found, game, words):
            print(line)
    return 0


def told(found: Review, game: Game, words: Words) -> list[str]:
    """The review as lines for people."""
    voice = game.title.voice(Words(words.language, game.names))

    def line(number: int) -> str:
        return f"{number}. {game.format(game.moves[number - 1].action)}"

    lines = []
    for player in found.players:
        accuracy = "–" if player.accuracy is None else f"{100 * player.accuracy:.0f} %"
        lines.append(
            words._(
                "{name}: accuracy {accuracy} in {decisions} decisions, luck in draws {luck}",
                name=voice.name(player.seat),
                accuracy=accuracy,
                decisions=player.decisions,
                luck=voice.difference(round(player.luck)),
            )
        )
    lines += ["", words._("Turning points")]
    for turn in found.turns:
        lines += [line(turn.number), f"    {turned(turn, voice)}"]
    lines += ["", words._("What cost most")]
    for costly in found.costly:
        assert costly.verdict.better is not None
        better = game.title.action_from_json(costly.verdict.better.action)
        lines.append(line(costly.number))
        lines.append(
            "    "
            + words._(
                "Better: {action} ({worth}).",
                action=game.format(better),
                worth=worth_of(costly.verdict, voice),
            )
        )
        lines += [f"    {reason}" for reason in reasons(costly.verdict, voice)]
    return lines
