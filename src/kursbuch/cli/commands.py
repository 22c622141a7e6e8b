"""The command group and its runner."""

from __future__ import annotations

import importlib
import io
import os
import sys
from collections.abc import Sequence
from typing import NamedTuple

import click

from kursbuch.cli.common import (
    LATER,
    handle_broken_pipe,
    language_of_environment,
    one_line,
    usage_sentence,
)
from kursbuch.core.errors import KursbuchError, NotNow
from kursbuch.core.words import LANGUAGES, Words

WRONG_INPUT = 2


class Entry(NamedTuple):
    """Where a command is, and the first sentence of its help."""

    module: str
    attribute: str
    help: str


#: Commands by name.
COMMANDS = {
    "admin": Entry("admin", "admin", "Administer a server: tables, accounts, announcements."),
    "backup": Entry(
        "server", "backup", "Back up the database to a file, even while the server runs."
    ),
    "check": Entry(
        "check",
        "command",
        "Check a title: its rules, data, notation, texts, drawings, views and corrections.",
    ),
    "dataset": Entry(
        "match", "dataset_command", "Write games between computer opponents as a dataset."
    ),
    "import": Entry(
        "records", "import_command", "Convert a game of another program into a record."
    ),
    "mail": Entry("server", "mail", "Handle replies to the mails of the server."),
    "match": Entry("match", "command", "Play a tournament between computer opponents."),
    "play": Entry("play", "play_command", "Play a game in the terminal."),
    "render": Entry(
        "records", "render_command", "Draw the board of a record, as every player sees it."
    ),
    "replay": Entry(
        "records", "replay_command", "Check a record move by move and show its result."
    ),
    "restore": Entry(
        "server", "restore", "Restore a database from a backup of any database kind and version."
    ),
    "review": Entry(
        "records", "review_command", "Review games: their turning points and better moves."
    ),
    "routes": Entry("routes", "command", "Find the best runs on a position."),
    "rules": Entry(
        "titles",
        "rules_command",
        "Show the rules of a title, or one rule with its ruling and example.",
    ),
    "serve": Entry("server", "serve_command", "Start the web server."),
    "set-up": Entry("play", "setup_command", "Set up a position from a file of corrections."),
    "static-folder": Entry(
        "server",
        "static_folder",
        "Print the folder of the static files, for a proxy that serves them itself.",
    ),
    "titles": Entry("titles", "command", "List the titles with their player counts and options."),
}


class Commands(click.Group):
    """A group that imports a command when it is used: some take long to import."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command."""
        found = COMMANDS.get(cmd_name)
        if found is None:
            return None
        module = importlib.import_module(f"kursbuch.cli.{found.module}")
        command: click.Command = getattr(module, found.attribute)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry.help) for name, entry in COMMANDS.items()])


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="kursbuch", message="%(version)s")
@click.option(
    "--language", type=click.Choice(LANGUAGES), help="Language of all texts. [default: from LANG]"
)
@click.pass_context
def cli(context: click.Context, language: str | None) -> None:
    """Railway board games played exactly by their rulebooks."""
    context.obj = language or language_of_environment()


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return the exit code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    words = Words(_language_in(given))
    # Streams may be closed.
    sys.stdout = sys.stdout or open(os.devnull, "w")  # noqa: SIM115 - until the program ends
    sys.stderr = sys.stderr or open(os.devnull, "w")  # noqa: SIM115
    sys.stdin = sys.stdin or open(os.devnull)  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        # Replace characters the terminal cannot show by "?".
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        code = cli.main(given, prog_name="kursbuch", standalone_mode=False)
        sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        return WRONG_INPUT
    except click.ClickException as error:
        return _refuse(usage_sentence(error, words))
    except NotNow as error:
        return _refuse(error.text(words), LATER)
    except KursbuchError as error:
        return _refuse(error.text(words))
    except click.Abort:
        raise KeyboardInterrupt from None
    except BrokenPipeError:
        return handle_broken_pipe()
    except OSError as error:
        name = f"{error.filename}: " if error.filename else ""
        return _refuse(f"{name}{error.strerror or error}.")


def _language_in(arguments: Sequence[str]) -> str:
    """The requested language, even if the arguments are invalid."""
    for argument, following in zip(arguments, [*arguments, ""][1:], strict=True):
        if argument == "--language" and following in LANGUAGES:
            return following
        if argument.startswith("--language="):
            return argument.partition("=")[2]
    return language_of_environment()


def _refuse(sentence: str, code: int = WRONG_INPUT) -> int:
    print(one_line(sentence), file=sys.stderr)
    return code
