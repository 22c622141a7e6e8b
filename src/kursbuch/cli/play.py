"""`kursbuch play` and `kursbuch set-up`: games in the terminal."""

from __future__ import annotations

import os
import re
import secrets
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TextIO, TypeVar

import click

import kursbuch
from kursbuch import bots
from kursbuch.bots import estimates
from kursbuch.bots.match import derived_seed
from kursbuch.bots.review.sentences import reasons
from kursbuch.cli.common import (
    Style,
    aligned,
    common_options,
    data_option,
    emit_json,
    options_option,
    parse_options,
    print_report,
    read_data,
    read_text,
    record_option,
    summary,
    write_file,
)
from kursbuch.cli.records import board, picture, picture_kind, result_json, result_lines
from kursbuch.cli.titles import overview, whole_rule
from kursbuch.core import registry
from kursbuch.core.actions import Choice
from kursbuch.core.corrections import NOBODY
from kursbuch.core.errors import IllegalAction, KursbuchError
from kursbuch.core.game import Game
from kursbuch.core.record import setup_position
from kursbuch.core.registry import title_with_data
from kursbuch.core.words import N_, Words

#: Bot for hints, and seconds for comparing its best two actions.
ADVISER, COMPARING = "mcts:150ms", 0.15
HINTS = 3
REASONS = 2

#: Maximum length of a list of choices; longer ones are grouped.
MOST_LISTED = 12
COLUMN = 30
COLUMNS = 3
EntryT = TypeVar("EntryT")


class Leave(Exception):
    """The player leaves; the game is not over."""


class TerminalTable:
    """A game with its human players and bots."""

    def __init__(
        self, game: Game, specs: dict[int, str], words: Words, out: TextIO, record: str | None
    ) -> None:
        self.game = game
        self.words = words
        self.voice = game.title.voice(words)
        self.out = out
        self.record = record
        self.ink = Style(out)
        self.specs = specs
        self.people = [seat for seat in range(len(game.names)) if seat not in specs]
        self.bots = {
            seat: bots.make(spec, derived_seed("play", game.seed, len(game.moves), seat))
            for seat, spec in specs.items()
        }
        #: Number of the last move shown; -1 before the set-up.
        self.shown = -1 if not game.moves else len(game.moves)
        self.announced: tuple[int, int] | None = None
        self.commands: dict[str, Callable[[int, str], None]] = {
            N_("help"): self.show_help,
            N_("board"): self.show_board,
            N_("undo"): self.undo,
            N_("log"): self.show_log,
            N_("rules"): self.show_rules,
            N_("hint"): self.show_hint,
            N_("save"): self.save_as,
            N_("quit"): self.leave,
        }
        # Accept commands in English and the player's language.
        translated = {words._(name).casefold(): act for name, act in self.commands.items()}
        self.commands |= translated

    def say(self, text: str = "") -> None:
        print(text, file=self.out)

    # ---- the game

    def run(self) -> bool:
        """Play until the game is over (True) or a player leaves (False)."""
        if self.people:
            self.say(
                self.words._(
                    "Type `board` for a picture of the board in a file, `hint` for advice, `rules` for the rules."
                )
            )
        self.show_news()
        try:
            while not self.game.over:
                volunteered = bots.volunteered(self.game, self.bots)
                if volunteered is not None:
                    self.move(volunteered)
                    continue
                waiting = [decision.seat for decision in self.game.pending]
                bot = next((seat for seat in waiting if seat in self.bots), None)
                if bot is not None:
                    self.move(self.bots[bot].choose(self.game.view(bot)))
                else:
                    self.ask(waiting[0])
        except Leave:
            self.save()
            if self.record:
                self.say(
                    self.words._(
                        "The game is saved in {file}; the same command continues it.",
                        file=self.record,
                    )
                )
            else:
                self.say(self.words._("The game is not over."))
            return False
        self.say()
        for line in result_lines(self.game, self.words):
            self.say(line)
        return True

    def move(self, action: kursbuch.Action) -> None:
        """Perform an action, save, and show the events. An action that cannot be saved is not made."""
        self.game.apply(action)
        try:
            self.save()
        except KursbuchError:
            self.game.undo()
            raise
        self.show_news()

    def save(self) -> None:
        """Save the record with its seed, so that it can be continued."""
        if self.record is not None:
            write_file(self.record, self.game.record(reveal=True).encode())

    def show_news(self) -> None:
        """Show the new log lines visible to all, or to a sole human player."""
        viewer = self.people[0] if len(self.people) == 1 else None
        lines = [
            self.voice.describe(event)
            for number, event in self.game.events(viewer)
            if number > self.shown
        ]
        self.shown = len(self.game.moves)
        for line in lines:
            self.say(self.ink.faint("·") + f" {line}")

    # ---- decisions of a person

    def ask(self, seat: int) -> None:
        """Ask a person until the game changes."""
        here = (seat, len(self.game.moves))
        if self.announced != here:
            self.announced = here
            self.introduce(seat)
        line = self.read(f"{self.words.name(seat)}> ")
        try:
            self.answer(seat, line)
        except KursbuchError as error:
            self.say(refusal(error, self.words))

    def read(self, prompt: str) -> str:
        """Read a line of input; its end means leaving."""
        print(prompt, end="", file=self.out, flush=True)
        line = sys.stdin.readline()
        if not line:
            self.say()
            raise Leave
        if not sys.stdin.isatty():
            self.say(line.rstrip("\n"))
        return " ".join(line.split())

    def introduce(self, seat: int) -> None:
        """Show what a person needs to decide: holdings, question, choices."""
        game, words = self.game, self.words
        view = game.view(seat)
        decision = next(each for each in game.pending if each.seat == seat)
        self.say()
        for line in self.voice.status(view.state).splitlines():
            self.say(self.ink.faint(line))
        for panel in self.voice.panels(view.state):
            if panel.seat is not None:
                self.say(summary(panel, notes=panel.seat == seat))
        for panel in self.voice.board_text(view.state):
            if len(panel.rows) <= MOST_LISTED:
                self.say(summary(panel, notes=True))
        self.say(self.ink.strong(f"{words.name(seat)}: {self.voice.prompt(view.state, decision)}"))
        self.menu(seat)

    def answer(self, seat: int, line: str) -> None:
        """Handle a line of input."""
        if not line:
            self.menu(seat)
            return
        word, _, rest = line.partition(" ")
        command = self.commands.get(word.casefold())
        if command is not None:
            command(seat, rest)
        elif line.isdecimal():
            self.choose(seat, int(line))
        else:
            self.move(self.parse(seat, line))

    def parse(self, seat: int, line: str) -> kursbuch.Action:
        """Parse a line of notation with or without the player's name."""
        name = self.game.names[seat]
        if line.casefold().startswith(name.casefold() + " "):
            line = line[len(name) + 1 :]
        return self.game.title.parse_in(self.words.language, line, seat, self.game.state)

    # ---- numbered choices

    def groups(self, seat: int) -> dict[str, list[tuple[str, Choice]]]:
        """The choices with their texts, by group."""
        found: dict[str, list[tuple[str, Choice]]] = {}
        view = self.game.view(seat)
        for choice in view.legal_actions():
            pick = self.voice.pick(view.state, choice.action)
            found.setdefault(pick.group, []).append((pick.label, choice))
        return found

    def menu(self, seat: int) -> None:
        """The numbered choices, or numbered groups if there are many."""
        groups = self.groups(seat)
        entries = [label for group in groups.values() for label, _ in group]
        if len(entries) <= MOST_LISTED:
            self.listing(entries)
        else:
            self.listing([f"{group} ({len(each)})" for group, each in groups.items()])
        self.say(self.words._("Type a number or a move; `help` explains more."))

    def listing(self, entries: Sequence[str]) -> None:
        """Print numbered entries, in columns if there are many."""
        cells = [f"{number:>4}  {entry}" for number, entry in enumerate(entries, 1)]
        columns = COLUMNS if len(cells) > MOST_LISTED else 1
        rows = -(-len(cells) // columns)
        for row in range(rows):
            self.say("".join(f"{cell:<{COLUMN}}" for cell in cells[row::rows]).rstrip())

    def choose(self, seat: int, number: int) -> None:
        """Choose a number of the menu, or open its group."""
        groups = self.groups(seat)
        everything = [entry for group in groups.values() for entry in group]
        if len(everything) <= MOST_LISTED:
            self.take(nth(everything, number)[1])
            return
        group = nth(list(groups), number)
        self.say(f"{group}:")
        self.listing([label for label, _ in groups[group]])
        line = self.read(self.words._("Number, or Enter to go back: "))
        if not line:
            self.menu(seat)
        elif line.isdecimal():
            self.take(nth(groups[group], int(line))[1])
        else:
            self.answer(seat, line)

    def take(self, choice: Choice) -> None:
        """Perform a choice, asking for its amount if it has a range."""
        if choice.amount is None:
            self.move(choice.action)
            return
        low, high, step = choice.amount.low, choice.amount.high, choice.amount.step
        if low == high:
            self.move(choice.with_amount(low))
            return
        limits = {"low": low, "high": high, "step": step}
        what = self.voice.amount_label(choice.action) or self.words._("How many")
        question = N_("{what} ({low} to {high})? ")
        if step > 1:
            question = N_("{what} ({low} to {high} in steps of {step})? ")
        line = self.read(self.words._(question, what=what, **limits))
        if step > 1 and (not line.isdecimal() or int(line) not in choice.amount):
            raise KursbuchError(
                "{text} is not possible: from {low} to {high} in steps of {step}.",
                text=repr(line),
                **limits,
            )
        if not line.isdecimal() or int(line) not in choice.amount:
            raise KursbuchError(
                "{text} is not a number from {low} to {high}.", text=repr(line), low=low, high=high
            )
        self.move(choice.with_amount(int(line)))

    # ---- commands

    def show_help(self, seat: int, rest: str) -> None:
        words = self.words
        for name, text in (
            (words._("a number"), words._("choose from the list")),
            (words._("Enter"), words._("show the list again")),
            (self.example(seat), words._("a move, as in the record of the game")),
            (f"{words._('board')} [FILE]", words._("holdings, and the board as a picture")),
            (words._("undo"), words._("take back a human player's last move")),
            (words._("log"), words._("everything that happened")),
            (
                f"{words._('rules')} [ID]",
                words._("the rules, or one of them; also words found in them"),
            ),
            (words._("hint"), words._("what a computer opponent would do")),
            (f"{words._('save')} FILE", words._("save the record of the game")),
            (words._("quit"), words._("leave the game")),
        ):
            self.say(f"  {name:<22}  {text}")

    def example(self, seat: int) -> str:
        """An example of a legal move in notation."""
        action = self.game.view(seat).legal_actions()[-1].action
        return self.game.title.format_in(self.words.language, action)

    def show_board(self, seat: int, rest: str) -> None:
        """Show the table as text, and save the board as a picture."""
        file = rest or str(Path(tempfile.gettempdir()) / f"kursbuch-{os.getpid()}.png")
        kind = picture_kind(file)
        words = self.words
        view = self.game.view(seat)
        for panel in [*self.voice.panels(view.state), *self.voice.board_text(view.state)]:
            self.say(self.ink.strong(f"  {panel.title}"))
            for row in panel.rows:
                note = self.ink.faint(f"  ({row.note})") if row.note else ""
                self.say(f"    {row.label}: {row.value}{note}")
        for grid in self.voice.tables(view.state):
            self.say(self.ink.strong(f"  {grid.title}"))
            for line in aligned([grid.head, *([cell.text for cell in row] for row in grid.rows)]):
                self.say(f"    {line}")
        write_file(file, picture(board(self.game, len(self.game.moves), words), kind, None))
        self.say(words._("Picture of the board: {file}", file=file))

    def undo(self, seat: int, rest: str) -> None:
        """Return to before the last human move."""
        seats = [move.action.seat for move in self.game.moves]
        # Keep the corrections of the set-up.
        begins = next((n for n, seat in enumerate(seats) if seat != NOBODY), len(seats))
        own = [n for n, seat in enumerate(seats) if n >= begins and seat not in self.bots]
        if not own:
            raise KursbuchError("There is no move to undo.")
        self.game.rewind(own[-1])
        self.shown = own[-1]
        self.announced = None
        self.save()
        self.say(self.words._("Back to before move {number}.", number=own[-1] + 1))

    def show_log(self, seat: int, rest: str) -> None:
        for number, event in self.game.events(seat):
            self.say(f"{number:>4}  {self.voice.describe(event)}")

    def show_rules(self, seat: int, rest: str) -> None:
        index = self.game.title.rules
        if not rest:
            found = list(index)
        elif index.is_citation(rest):
            self.say(whole_rule(index, index.find(rest), self.words))
            return
        else:
            found = index.search(rest)
            if not found:
                raise KursbuchError(
                    "No rule of {title} contains {words}.",
                    title=self.game.title.name,
                    words=repr(rest),
                )
        self.say("\n".join(overview(found, self.words)))

    def show_hint(self, seat: int, rest: str) -> None:
        """A bot's best action, the expected lead after it, and the reason."""
        view = self.game.view(seat)
        advice = bots.advise(view, ADVISER, seconds=COMPARING)
        best = advice.choices[0][1]
        noise = estimates.noise(view, [value for _, value in advice.choices])
        for number, (data, worth) in enumerate(advice.choices[:HINTS]):
            action = self.game.title.action_from_json(data)
            # Show actions about as good as the best with the same value.
            value = estimates.rounded(best if best - worth <= noise else worth)
            distance = self.voice.written_score(abs(value))
            label = self.voice.pick(view.state, action).label
            text = (
                self.words._("{move}: then about {amount} ahead", move=label, amount=distance)
                if value >= 0
                else self.words._("{move}: then about {amount} behind", move=label, amount=distance)
            )
            written = self.game.title.format_in(self.words.language, action)
            self.say(f"  {text}  ({written})")
            if number == 0 and advice.plan:
                self.say(self.ink.faint(f"    {advice.plan[self.words.language]}"))
            if number == 0 and advice.verdict is not None:
                for sentence in reasons(advice.verdict, self.voice)[:REASONS]:
                    self.say(self.ink.faint(f"    {sentence}"))

    def save_as(self, seat: int, rest: str) -> None:
        if not rest:
            raise KursbuchError("The name of the file is missing: save FILE.")
        write_file(rest, self.game.record(reveal=True).encode())
        self.say(self.words._("Saved in {file}.", file=rest))

    def leave(self, seat: int, rest: str) -> None:
        raise Leave


def nth(entries: Sequence[EntryT], number: int) -> EntryT:
    """The entry with a number of the menu."""
    if not 1 <= number <= len(entries):
        raise KursbuchError(
            "There is no number {number}; the list goes from 1 to {last}.",
            number=number,
            last=len(entries),
        )
    return entries[number - 1]


def refusal(error: KursbuchError, words: Words) -> str:
    """The reason of a refusal, with its rule."""
    text = error.text(words)
    if isinstance(error, IllegalAction) and error.rule:
        return f"{text} ({words._('rule {rule}', rule=error.reference)})"
    return text


_BOT_NAME = re.compile(r"((?:random|careless|greedy|mcts)(?::[0-9]+(?:ms)?)?)-[0-9]+")


@click.command("play")
@click.argument("title")
@click.option(
    "--players",
    metavar="NAMES",
    help="Player names in seat order, such as Anna,Bernd,bot:greedy. [default: you against one bot]",
)
@click.option("--seed", help="Seed of all chance. [default: random and secret]")
@options_option
@data_option
@click.option(
    "--record",
    metavar="FILE",
    help="Save the game here after every move, or resume it if the file exists.",
)
@common_options
def play_command(
    title: str,
    players: str | None,
    seed: str | None,
    options: Sequence[str],
    data: str | None,
    record: str | None,
    as_json: bool,
    words: Words,
) -> None:
    """Play a game in the terminal.

    Type `help` during the game to list the commands.
    """
    out = sys.stderr if as_json else sys.stdout
    registry.title(title)
    if record is not None and Path(record).exists():
        if seed is not None or options:
            raise KursbuchError(
                ("{file} is a game already under way: its seed and its options cannot be changed."),
                file=record,
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
    """Player names, and bots by seat."""
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
    """The game of a record with its bots, known by their names."""
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
            ("{file} does not contain the seed of its game, so the game cannot be continued."),
            file=record,
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
    help="Player names in seat order, such as Anna,bot:greedy.",
)
@record_option
@click.option("--seed", help="Seed of all chance. [default: random and secret]")
@options_option
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
    """Set up a position from a file of corrections.

    FILE has one correction per line. The position is written as a record that can be continued.
    """
    found = title_with_data(title, read_data(data))
    names, _ = seats(players, words)
    chance = secrets.token_hex(16) if seed is None else seed
    game = Game(found, names, parse_options(options), seed=chance)
    made = setup_position(game, read_text(file), language=words.language)
    record = game.record(reveal=True).encode()
    if output == "-":
        sys.stdout.buffer.write(record)
        return
    write_file(output, record)
    report = {"file": output, "title": found.id, "players": names, "corrections": len(made)}
    said = words.ngettext(
        "{file}: {n} correction.", "{file}: {n} corrections.", len(made), file=output
    )
    print_report(as_json, report, [said])
