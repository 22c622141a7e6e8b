"""The group of all commands, and what runs them."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence

import click

from kursbuch.cli import admin, check, import_, match, play, records, routes, server, titles
from kursbuch.cli.common import (
    LATER,
    language_of_environment,
    left_alone,
    one_line,
    usage_sentence,
)
from kursbuch.core.errors import KursbuchError, NotNow
from kursbuch.core.words import LANGUAGES, Words

WRONG_INPUT = 2


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="kursbuch", message="%(version)s")
@click.option(
    "--language", type=click.Choice(LANGUAGES), help="Language of all texts. [default: from LANG]"
)
@click.pass_context
def cli(context: click.Context, language: str | None) -> None:
    """Railway board games played exactly by their rulebooks."""
    context.obj = language or language_of_environment()


for command in (
    titles.command,
    titles.rules_command,
    check.command,
    play.play_command,
    play.setup_command,
    match.command,
    match.dataset_command,
    records.replay_command,
    records.review_command,
    records.render_command,
    routes.command,
    import_.command,
    server.serve_command,
    server.static_folder,
    server.mail,
):
    cli.add_command(command)
admin.admin.add_command(admin.accounts)
admin.admin.add_command(admin.invitations)
cli.add_command(admin.admin)
cli.add_command(server.backup)
cli.add_command(server.restore)


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    words = Words(_language_in(given))
    # Without standard output there is no one to tell.
    sys.stdout = sys.stdout or open(os.devnull, "w")  # noqa: SIM115 - until the program ends
    sys.stderr = sys.stderr or open(os.devnull, "w")  # noqa: SIM115
    sys.stdin = sys.stdin or open(os.devnull)  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        # Where the terminal knows fewer letters than we do, a "?" stands for the others.
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
        return left_alone()
    except OSError as error:
        name = f"{error.filename}: " if error.filename else ""
        return _refuse(f"{name}{error.strerror or error}.")


def _language_in(arguments: Sequence[str]) -> str:
    """The language asked for, also where the arguments as a whole cannot be understood."""
    for argument, following in zip(arguments, [*arguments, ""][1:], strict=True):
        if argument == "--language" and following in LANGUAGES:
            return following
        if argument.startswith("--language="):
            return argument.partition("=")[2]
    return language_of_environment()


def _refuse(sentence: str, code: int = WRONG_INPUT) -> int:
    print(one_line(sentence), file=sys.stderr)
    return code
