"""`kursbuch review`: what turned a finished game, and what would have been better."""

from __future__ import annotations

from collections.abc import Sequence

import click
import msgspec

import kursbuch
from kursbuch.bots.review import DEPTHS, Plan, Review, carry_out
from kursbuch.bots.review.text import luck_of, reasons, turned, worth_of
from kursbuch.cli.common import (
    common_options,
    data_option,
    emit_json,
    progress,
    read_data,
    read_text,
    worker_options,
    worker_pool,
)
from kursbuch.core.errors import KursbuchError
from kursbuch.core.game import Game
from kursbuch.core.words import Words


@click.command("review")
@click.argument("files", metavar="FILE …", nargs=-1, required=True)
@click.option(
    "--depth",
    type=click.Choice(list(DEPTHS)),
    default="normal",
    show_default=True,
    help="How thoroughly.",
)
@worker_options
@data_option
@common_options
def command(
    files: Sequence[str],
    depth: str,
    jobs: int | None,
    on: str,
    data: str | None,
    as_json: bool,
    words: Words,
) -> int:
    """Say what games were like, as far as they came: what turned them, and what would have been better.

    Every position is played on many times by the computer. The same record has the same review. The JSON of
    several games is an object with a review for every file.
    """
    content = read_data(data)
    plans = {file: _plan(file, depth, content) for file in files}
    found: dict[str, Review] = {}
    with worker_pool(on, jobs) as workers:
        for file, plan in plans.items():
            with progress(words._("Reviewing")) as advance:
                found[file] = carry_out(plan, workers, advance)
            if not as_json:
                if len(plans) > 1:
                    print(f"\n== {file}")
                for line in told(found[file], plan.game, words):
                    print(line)
    if as_json:
        emit_json(msgspec.to_builtins(found if len(plans) > 1 else found[files[0]]))
    return 0


def _plan(file: str, depth: str, data: bytes | None) -> Plan:
    text = read_text(file)
    try:
        return Plan(kursbuch.load(text, data), depth, data)
    except KursbuchError as error:
        raise KursbuchError("{path}: {error}", path=file, error=error) from None


def told(found: Review, game: Game, words: Words) -> list[str]:
    """The review as lines for people."""
    voice = game.title.voice(Words(words.language, game.names))

    def line(number: int) -> str:
        return f"{number}. {game.format(game.moves[number - 1].action)}"

    lines = []
    for player in found.players:
        accuracy = "–" if player.accuracy is None else f"{100 * player.accuracy:.0f} %"
        said = words._(
            "{name}: accuracy {accuracy} in {decisions} decisions",
            name=voice.name(player.seat),
            accuracy=accuracy,
            decisions=player.decisions,
        )
        if player.luck is not None:
            said += ", " + words._("luck in draws {luck}", luck=luck_of(player, voice))
        lines.append(said)
    if not game.over:
        lines += ["", words._("When it was broken off")]
        now = found.moments[-1]
        for seat, (result, chance) in enumerate(zip(now.results, now.chances, strict=True)):
            lines.append(
                words._(
                    "{name}: about {result} expected at the end, chance to win {chance}",
                    name=voice.name(seat),
                    result=voice.written_score(round(result)),
                    chance=f"{100 * chance:.0f} %",
                )
            )
    lines += ["", words._("Turning points")]
    for turn in found.turns:
        lines += [line(turn.number), f"    {turned(turn, voice)}"]
    lines += ["", words._("Costliest mistakes")]
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
