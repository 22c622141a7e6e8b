"""`kursbuch replay`, `render`, `review` and `import`: commands for records."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import click
import msgspec

import kursbuch
from kursbuch.bots.registry import MOST_PLAYOUTS
from kursbuch.bots.review import (
    BUDGETS,
    DEPTHS,
    Budget,
    Costly,
    Examination,
    Line,
    Review,
    Turn,
    Verdict,
    budget_of,
    carry_out,
)
from kursbuch.bots.review.sentences import luck_of, lucky, reasons, turned, worth_of
from kursbuch.cli.common import (
    common_options,
    data_option,
    emit_json,
    error_json,
    one_line,
    output_option,
    print_report,
    progress,
    read_bytes,
    read_data,
    read_text,
    record_option,
    worker_options,
    worker_pool,
    write_file,
    write_text,
)
from kursbuch.core.errors import IllegalAction, KursbuchError, RecordError
from kursbuch.core.game import Game
from kursbuch.core.png import png
from kursbuch.core.processes import Failure, Limits, Sandbox
from kursbuch.core.registry import Imported, Importer, OtherGame, Progress, importers
from kursbuch.core.replay_cache import pack, unpack
from kursbuch.core.stats import GameStats
from kursbuch.core.verification import Difference, Verification, differences
from kursbuch.core.voice import Voice
from kursbuch.core.words import Words


@click.command("replay")
@click.argument("file")
@click.option("--move", type=click.IntRange(0), metavar="N", help="Show the game after N moves.")
@click.option("--log", is_flag=True, help="Print the log of the game.")
@click.option("--verify", is_flag=True, help="Check that the record is unaltered.")
@click.option(
    "--head", metavar="HASH", help="Check against this hash, noted at the table. Implies --verify."
)
@data_option
@common_options
def replay_command(
    file: str,
    move: int | None,
    log: bool,
    verify: bool,
    head: str | None,
    data: str | None,
    as_json: bool,
    words: Words,
) -> int:
    """Check a record move by move and show its result."""
    text = read_text(file)
    found: Verification | None = None
    try:
        if verify or head is not None:
            with progress(words._("Replaying")) as advance:
                found = kursbuch.verify(text, head, read_data(data), advance)
            game = found.game
        else:
            game = load(text, data, words)
    except RecordError as error:
        return _refused(text, error, as_json, words)
    words = Words(words.language, game.names)
    if found is not None and isinstance(found.refusal, RecordError):
        return _refused(text, found.refusal, as_json, words, found)
    ended = 0 if found is None or not found.changes else 2
    number = len(game.moves) if move is None else move
    position = game.at(number)
    changed = list(differences(game))
    if as_json:
        emit_json(
            {
                "ok": found is None or not found.changes,
                "title": game.title.id,
                "players": game.names,
                "options": game.options,
                "moves": len(game.moves),
                "over": game.over,
                **result_json(game, words),
                "seed_verified": game.seed is not None,
                "edition": game.edition,
                "corrections": [difference_json(each, game, words) for each in changed],
                "move": number,
                "scores": game.title.scores(position.state),
                **({"log": log_lines(game, words, number)} if log else {}),
                **({} if found is None else verification_json(found, words)),
            }
        )
        return ended
    if log:
        print("\n".join(log_lines(game, words, number)))
    if changed:
        sentence = words.ngettext(
            "{title}: {n} move, by the rules of its edition.",
            "{title}: {n} moves, all by the rules of their edition.",
            len(game.moves),
            title=game.title.name,
        )
    else:
        sentence = words.ngettext(
            "{title}: {n} move, all by the rules.",
            "{title}: {n} moves, all by the rules.",
            len(game.moves),
            title=game.title.name,
        )
    print(sentence)
    for each in changed:
        print(difference_line(each, game, words))
    if game.seed is not None:
        print(words._("The seed is the one promised, and every draw comes from it."))
    if found is not None:
        print("\n".join(verification_lines(found, words)))
    if number < len(game.moves) or not game.over:
        print(words._("After move {number}:", number=number))
        voice = game.title.voice(words)
        for seat, score in enumerate(game.title.scores(position.state)):
            print(f"  {words.name(seat)}: {voice.written_score(score)}")
    else:
        print("\n".join(result_lines(game, words)))
    return ended


def verification_lines(found: Verification, words: Words) -> list[str]:
    """The verification as text."""
    if found.changes:
        return [
            words._("Changed:"),
            *(f"  {one_line(change.text(words))}" for change in found.changes),
        ]
    if found.open_points:
        points = [f"  {point.text(words)}" for point in found.open_points]
        return [words._("Consistent, not proven:"), *points]
    return [
        words._("Proven: this is the game whose hash was noted, from the header to the last move.")
    ]


def verification_json(found: Verification, words: Words) -> dict[str, object]:
    """The verification as JSON."""
    return {
        "verdict": found.verdict,
        "changed": [change.text(words) for change in found.changes],
        "open_points": [point.text(words) for point in found.open_points],
        "proven_moves": found.proven,
    }


def difference_line(difference: Difference, game: Game, words: Words) -> str:
    """How a move of an older edition differs under today's rules."""
    refusal, correction = difference.refusal, difference.correction
    text = correction.in_language("text", words.language)
    move = {"move": difference.move, "text": game.format(game.moves[difference.move - 1].action)}
    if refusal is None:
        return words._(
            "Move {move} ({text}) would have another effect today: {correction} (rule {rule})",
            **move,
            correction=text,
            rule=game.title.rules.reference(correction.rule),
        )
    return words._(
        "Move {move} ({text}) would be refused today: {why} (rule {rule}) {correction}",
        **move,
        why=refusal.text(words),
        rule=refused_by(difference, game),
        correction=text,
    )


def refused_by(difference: Difference, game: Game) -> str:
    """The rule that refuses or changes a move today."""
    refusal = difference.refusal
    if isinstance(refusal, IllegalAction) and refusal.rule:
        return refusal.reference
    return game.title.rules.reference(difference.correction.rule)


def difference_json(difference: Difference, game: Game, words: Words) -> dict[str, object]:
    """A move of an older edition that differs today, as JSON."""
    return {
        "move": difference.move,
        "correction": difference.correction.id,
        "rule": refused_by(difference, game),
        "refused": difference.refusal is not None,
        "text": difference_line(difference, game, words),
    }


def load(text: str, data: str | None, words: Words) -> Game:
    """Load a record with a progress bar."""
    with progress(words._("Replaying")) as advance:
        return kursbuch.load(text, data=read_data(data), progress=advance)


def result_lines(game: Game, words: Words) -> list[str]:
    """The scores of a finished game, best first, with sources and the reason for the end."""
    result = game.result
    if result is None:
        return []
    seats = sorted(range(len(result.scores)), key=lambda seat: -result.scores[seat])
    voice = game.title.voice(words)
    numbers = GameStats(game, voice)
    lines = [words._("Result:")]
    for seat in seats:
        won = f"  ({words._('winner')})" if seat in result.winners else ""
        lines.append(f"  {words.name(seat)}: {voice.written_score(result.scores[seat])}{won}")
        sources = [
            f"{account.label}: {voice.written_score(account.amounts[seat])}"
            for account in numbers.accounts
            if account.amounts[seat]
        ]
        if sources:
            lines.append(f"    {'; '.join(sources)}")
    if numbers.ending is not None:
        rule = game.title.rules.reference(numbers.ending.rule)
        lines.append(f"{numbers.ending.text} ({rule})")
    return lines


def result_json(game: Game, words: Words) -> dict[str, object]:
    """The result of a finished game as JSON, with sources and the reason for the end; empty before."""
    if game.result is None:
        return {"result": None}
    numbers = GameStats(game, game.title.voice(words))
    ending = numbers.ending
    return {
        "result": game.result,
        "sources": [
            {"label": account.label, "amounts": account.amounts} for account in numbers.accounts
        ],
        "ended": ending and {"text": ending.text, "rule": game.title.rules.reference(ending.rule)},
    }


def log_lines(game: Game, words: Words, until: int) -> list[str]:
    """Events up to a move, one per line with the move number."""
    voice = game.title.voice(words)
    return [
        f"{number:>4}  {voice.describe(event)}"
        for number, event in game.events()
        if number <= until
    ]


def _refused(
    text: str,
    error: RecordError,
    as_json: bool,
    words: Words,
    found: Verification | None = None,
) -> int:
    """Report where a record breaks the rules, with the move on that line and earlier changes."""
    lines = text.splitlines()
    line = lines[error.line - 1].strip() if 0 < error.line <= len(lines) else ""
    move = re.match(r"(\d+)\. ", line)
    if as_json:
        emit_json(
            {
                "ok": False,
                **error_json(error, words),
                "move": int(move[1]) if move else None,
                **({} if found is None else verification_json(found, words)),
            }
        )
    elif found is not None:
        print("\n".join(verification_lines(found, words)))
    sentence = error.text(words)
    if move is not None:
        sentence = words._(
            "Move {move} ({text}) is refused. {why}",
            move=move[1],
            text=line[move.end() :][:80],
            why=sentence,
        )
    print(one_line(sentence), file=sys.stderr)
    return 2


KINDS = ("svg", "png")
DEFAULT_WIDTH = 1200


@click.command("render")
@click.argument("file")
@click.option(
    "--move",
    type=click.IntRange(0),
    metavar="N",
    help="Draw the board after N moves. [default: all]",
)
@output_option("OUT", "Picture to write (.svg or .png); - prints SVG.")
@click.option(
    "--width",
    type=click.IntRange(16, 10_000),
    metavar="PIXELS",
    help="Width of the picture in pixels.",
)
@data_option
@common_options
def render_command(
    file: str,
    move: int | None,
    output: str,
    width: int | None,
    data: str | None,
    as_json: bool,
    words: Words,
) -> None:
    """Draw the board of a record, as every player sees it."""
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
    """`svg` or `png`, by file name."""
    kind = "svg" if output == "-" else Path(output).suffix[1:].lower()
    if kind not in KINDS:
        raise KursbuchError(
            "The picture must be a file ending in .svg or .png; {output} does not.", output=output
        )
    return kind


def board(game: Game, number: int, words: Words) -> str:
    """The board after a move as SVG, with the move's changes highlighted."""
    title = game.title
    state = title.view(game.at(number).state, None)
    marks = title.marks(game.moves[number - 1].events) if number else []
    return title.draw(state, words, marks)


def picture(svg: str, kind: str, width: int | None) -> bytes:
    """The content of the picture file."""
    if kind == "png":
        return png(svg, width or DEFAULT_WIDTH)
    return (svg if width is None else _with_width(svg, width)).encode()


def _with_width(svg: str, width: int) -> str:
    """Set the width of a drawing; the height follows from its view box.

    >>> _with_width('<svg width="3" height="2" viewBox="0 0 3 2"/>', 300)
    '<svg width="300" viewBox="0 0 3 2"/>'
    """
    head, bracket, rest = svg.partition(">")
    start = head.rindex("<svg")
    tag = re.sub(r'\s(?:width|height)="[^"]*"', "", head[start:])
    return f'{head[:start]}<svg width="{width}"{tag[4:]}{bracket}{rest}'


@click.command("review")
@click.argument("files", metavar="FILE …", nargs=-1, required=True)
@click.option(
    "--budget",
    type=click.Choice(list(BUDGETS)),
    default="3min",
    show_default=True,
    help="Processor time of one core for each game.",
)
@click.option(
    "--playouts",
    type=click.IntRange(1, MOST_PLAYOUTS),
    help="Playouts for each game instead of time: the same record then gives the same review.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the playouts.")
@click.option("--depth", type=click.Choice(list(DEPTHS)), help="Earlier names of the budgets.")
@worker_options
@data_option
@common_options
def review_command(
    files: Sequence[str],
    budget: str,
    playouts: int | None,
    seed: int,
    depth: str | None,
    jobs: int | None,
    on: str,
    data: str | None,
    as_json: bool,
    words: Words,
) -> int:
    """Review games: their turning points and better moves.

    The computer plays out positions many times, and prints what it finds as it finds it. Ctrl-C stops and
    keeps it. With --json, several games give an object with one review per file.
    """
    content = read_data(data)
    effort = budget_of(depth or budget)
    if playouts is not None:
        effort = Budget("playouts", "", playouts=playouts)
    examinations = {file: _examination(file, effort, content, seed) for file in files}
    found: dict[str, Review] = {}
    with worker_pool(on, jobs) as workers:
        for file, examination in examinations.items():
            teller = Teller(examination.game, words, silent=as_json)
            if len(examinations) > 1:
                teller.say(f"\n== {file}")
            with progress(words._("Reviewing")) as advance, suppress(KeyboardInterrupt):
                for part in carry_out(examination, workers):
                    advance(round(100 * part.share), 100)
                    teller.tell(part)
            examination.stop()
            found[file] = examination.review()
            for line in review_lines(found[file], examination.game, words):
                teller.say(line)
    if as_json:
        emit_json(msgspec.to_builtins(found if len(found) > 1 else found[files[0]]))
    return 0


def _examination(file: str, budget: Budget, data: bytes | None, seed: int) -> Examination:
    text = read_text(file)
    try:
        return Examination(kursbuch.load(text, data), budget, data, seed)
    except KursbuchError as error:
        raise KursbuchError("{path}: {error}", path=file, error=error) from None


class Teller:
    """Prints what a review finds while it is under way: the curve, then each turning point and costly move once."""

    def __init__(self, game: Game, words: Words, *, silent: bool) -> None:
        self.game = game
        self.silent = silent
        self.voice = game.title.voice(Words(words.language, game.names))
        self.told: set[int] = set()
        self.has_curve = False

    def say(self, line: str) -> None:
        """Print a line at once."""
        if not self.silent:
            print(line, flush=True)

    def tell(self, found: Review) -> None:
        """Print what is new."""
        if not self.has_curve:
            self.has_curve = True
            for line in self._curve(found):
                self.say(line)
        moves: list[Turn | Costly] = [*found.turns, *found.costly]
        for each in moves:
            if each.number not in self.told:
                self.told.add(each.number)
                line = move_line(self.game, each.number, self.voice)
                worth = worth_of(each.verdict, self.voice)
                if each.verdict.better is None:
                    worth = self.voice._("a good move")
                self.say(self.voice._("Found: {move} ({worth})", move=line, worth=worth))

    def _curve(self, found: Review) -> list[str]:
        voice = self.voice
        lines = [voice._("Chances to win in percent, by moves made")]
        moments = found.moments
        width = max(len(str(found.moves)), 4)
        names = max(len(voice.name(seat)) for seat in range(len(self.game.names)))
        lines.append(" " * names + "".join(f"{each.number:>{width + 1}}" for each in moments))
        for seat in range(len(self.game.names)):
            row = (f"{round(100 * each.chances[seat]):>{width + 1}}" for each in moments)
            lines.append(f"{voice.name(seat):<{names}}" + "".join(row))
        return [*lines, ""]


def move_line(game: Game, number: int, voice: Voice[Any]) -> str:
    """A move with its number."""
    action = game.moves[number - 1].action
    text = game.title.format_in(voice.words.language, action)
    return f"{number}. {voice.name(action.seat)} {text}"


def plan_text(game: Game, line: Line, language: str) -> str:
    """A line of play: what its plan is, or its actions."""
    if line.said.get(language):
        return line.said[language].rstrip(".")
    return " · ".join(
        game.title.format_in(language, game.title.action_from_json(action))
        for action in line.actions
    )


def review_lines(found: Review, game: Game, words: Words) -> list[str]:
    """The review as text."""
    voice = game.title.voice(Words(words.language, game.names))
    lines = [""]
    for player in found.players:
        accuracy = "–" if player.accuracy is None else f"{100 * player.accuracy:.0f} %"
        said = words._(
            "{name}: accuracy {accuracy} in {decisions} decisions, {looked_at} of them examined",
            name=voice.name(player.seat),
            accuracy=accuracy,
            decisions=player.decisions,
            looked_at=player.looked_at,
        )
        if player.luck is not None:
            said += ", " + words._("luck in draws {luck}", luck=luck_of(player, voice))
        lines.append(said)
    if not game.over:
        lines += ["", words._("When it stopped")]
        now = found.moments[-1]
        for seat, (result, chance) in enumerate(zip(now.results, now.chances, strict=True)):
            lines.append(
                words._(
                    ("{name}: about {result} expected at the end, chance of winning {chance}"),
                    name=voice.name(seat),
                    result=voice.written_score(round(result)),
                    chance=f"{100 * chance:.0f} %",
                )
            )

    def explained(verdict: Verdict) -> list[str]:
        if verdict.better is None:
            assert verdict.rival is not None
            text = plan_text(game, verdict.rival, words.language)
            return ["    " + words._("A good move. The alternative: {action}.", action=text)]
        text = plan_text(game, verdict.better, words.language)
        better = words._("Better: {action} ({worth}).", action=text, worth=worth_of(verdict, voice))
        return [f"    {better}", *(f"    {reason}" for reason in reasons(verdict, voice))]

    lines += ["", words._("Turning points")]
    for turn in found.turns:
        lines += [move_line(game, turn.number, voice), f"    {turned(turn, voice)}"]
        lines += explained(turn.verdict)
    if found.lucky:
        lines += ["", words._("Lucky and unlucky draws")]
        for draw in found.lucky:
            lines += [move_line(game, draw.number, voice), f"    {lucky(draw, voice)}"]
    lines += ["", words._("Costliest mistakes")]
    for costly in found.costly:
        lines += [move_line(game, costly.number, voice), *explained(costly.verdict)]
    return lines


#: Limits on reading a file; the longest game takes some seconds.
IMPORT_LIMITS = Limits(seconds=60.0, clock=600.0, memory=1_000_000_000)


@click.command("import")
@click.argument("file")
@record_option
@click.option(
    "--partial", is_flag=True, help="Import up to the first action that cannot be imported."
)
@common_options
def import_command(file: str, output: str, partial: bool, as_json: bool, words: Words) -> None:
    """Convert a game of another program into a record.

    Options that allow more than the rulebook are set only if the game needs them. The actions that need
    them are listed, numbered from 0 as in the file.
    """
    data = read_bytes(file)
    with progress(words._("Importing")) as advance:
        found = import_game(Path(file).suffix.lower(), data, partial, advance)
    record = found.game.record().encode()
    if output == "-":
        sys.stdout.buffer.write(record)
        for line in import_lines(output, found, words):
            print(line, file=sys.stderr)
        return
    write_file(output, record)
    print_report(as_json, import_json(output, found, words), import_lines(output, found, words))


def import_game(suffix: str, data: bytes, partial: bool, advance: Progress) -> Imported:
    """Import a file by the first importer that accepts it."""
    readers = importers().get(suffix, {})
    if not readers:
        raise KursbuchError(
            "Files ending in {ending} cannot be imported; only these can: {known}.",
            ending=suffix or "-",
            known=", ".join(sorted(importers())) or "-",
        )
    with Sandbox() as sandbox:
        try:
            title, found, game = sandbox.run(
                read_import, readers, data, partial, limits=IMPORT_LIMITS, progress=advance
            )
        except Failure as failure:
            raise KursbuchError("This file cannot be read.") from failure
    return Imported(game=unpack(kursbuch.title(title), game), **found)


def read_import(
    readers: dict[str, Importer], data: bytes, partial: bool, *, progress: Progress
) -> tuple[str, dict[str, Any], bytes]:
    """Read a file in a child process: the title, the other fields of `Imported`, and the game (`pack`)."""
    other: OtherGame | None = None
    for title, reader in readers.items():
        try:
            found = reader(kursbuch.title(title), data, partial=partial, progress=progress)
        except OtherGame as error:
            other = other or error
        else:
            rest = found._asdict()
            del rest["game"]
            return title, rest, pack(found.game)
    assert other is not None
    raise other


def import_json(output: str, found: Imported, words: Words) -> dict[str, object]:
    """The result as JSON."""
    game = found.game
    return {
        "file": output,
        "title": game.title.id,
        "players": game.names,
        "options": game.options,
        "actions": found.actions,
        "imported": found.done,
        "moves": len(game.moves),
        "over": game.over,
        "remarks": [
            {"actions": remark.actions, "text": remark.text(words)} for remark in found.remarks
        ],
        "stopped": None if found.stopped is None else error_json(found.stopped, words),
    }


def import_lines(output: str, found: Imported, words: Words) -> list[str]:
    """The result as text."""
    game = found.game
    text = [
        words._(
            "{file}: {done} of {actions} actions as {moves} moves of {title}.",
            file=output,
            done=found.done,
            actions=found.actions,
            moves=len(game.moves),
            title=game.title.name,
        )
    ]
    for option in game.title.options:
        if game.options[option.name] != option.values[0]:
            value = option.labels[option.values.index(game.options[option.name])]
            text.append(
                words._(
                    "Option {name}: {label}, {value}.",
                    name=option.name,
                    label=words._(option.label),
                    value=words._(value),
                )
            )
    text += [remark.text(words) for remark in found.remarks]
    if found.stopped is not None:
        text.append(found.stopped.text(words))
    return text
