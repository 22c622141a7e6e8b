"""What commands share: options, files, output, and where games are played."""

from __future__ import annotations

import functools
import json
import os
import re
import stat
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn, TextIO, TypeVar

import click
import msgspec
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from kursbuch.bots.worker_pool import LocalPool, WorkerPool
from kursbuch.core.errors import IllegalAction, KursbuchError, RecordError
from kursbuch.core.voice import Panel
from kursbuch.core.words import LANGUAGES, Words

MOST_BYTES = 20_000_000

#: The exit code that tells mail servers and systemd to try again later (EX_TEMPFAIL).
LATER = 75

#: The exit code of programs ended by a broken pipe.
BROKEN_PIPE = 141
FunctionT = TypeVar("FunctionT", bound=Callable[..., Any])


def language_of_environment() -> str:
    """The language of the reader's environment, English if it is none of ours."""
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if os.environ.get(variable):
            found = os.environ[variable][:2].lower()
            return found if found in LANGUAGES else "en"
    return "en"


def common_options(function: FunctionT) -> FunctionT:
    """Adds `--json` and `--language`; the command gets `as_json` and `words`."""

    @click.option("--json", "as_json", is_flag=True, help="Print the result as one JSON object.")
    @click.option("--language", type=click.Choice(LANGUAGES), help="Language of all texts.")
    @click.pass_context
    @functools.wraps(function)
    def run(
        context: click.Context, /, *, as_json: bool, language: str | None, **given: Any
    ) -> object:
        words = Words(language or context.obj or language_of_environment())
        try:
            if as_json and given.get("output") == "-":
                raise KursbuchError(
                    "With --json, -o needs a file: both cannot go to standard output."
                )
            return function(as_json=as_json, words=words, **given)
        except KursbuchError as error:
            if as_json:
                emit_json(error_json(error, words))
            raise
        except BrokenPipeError:
            return left_alone()

    return run  # type: ignore[return-value]


def option_option(function: FunctionT) -> FunctionT:
    """Adds `--option name=value`, which may be given several times."""
    return click.option(
        "--option",
        "options",
        multiple=True,
        metavar="NAME=VALUE",
        help="Set an option of the title. Can be used multiple times.",
    )(function)


def data_option(function: FunctionT) -> FunctionT:
    """Adds `--data FILE`."""
    return click.option("--data", metavar="FILE", help="Use the component data in this file.")(
        function
    )


def filled(context: click.Context, option: click.Parameter, value: str | None) -> str | None:
    """The name of a file, which an option gives or leaves out, but not an empty one."""
    if value == "":
        raise click.BadOptionUsage(option.opts[-1], "", context)
    return value


def output_option(
    metavar: str, help: str, *, required: bool = True
) -> Callable[[FunctionT], FunctionT]:
    """Adds `-o FILE`, what a command writes to."""
    return click.option(
        "-o", "--output", required=required, callback=filled, metavar=metavar, help=help
    )


#: Adds `-o RECORD`.
record_option = output_option("RECORD", "Write the record to this file; - for standard output.")


def parse_options(given: Sequence[str]) -> dict[str, str]:
    """The options of a title from their form on the command line.

    >>> parse_options(["money=hidden"])
    {'money': 'hidden'}
    """
    found: dict[str, str] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise KursbuchError("{text} is not of the form NAME=VALUE.", text=repr(text))
        found[name.strip()] = value.strip()
    return found


def emit_json(value: object) -> None:
    """Print one JSON object."""
    try:
        text = msgspec.json.encode(value).decode()
    except UnicodeEncodeError:  # the name of a file that is not text
        text = json.dumps(msgspec.to_builtins(value))
    write_text(text + "\n")


def write_text(text: str) -> None:
    """Write to standard output in UTF-8, whatever the terminal has, for other programs to read."""
    sys.stdout.flush()
    sys.stdout.buffer.write(text.encode())
    sys.stdout.buffer.flush()


def one_line(text: str) -> str:
    """A text for the terminal, on one line and without the control characters that a file or an
    argument may have brought in.

    >>> one_line("There is no file a\\nb\\x1b[31m.")
    'There is no file a?b?[31m.'
    """
    return "".join(char if char.isprintable() else "?" for char in text)


def error_json(error: KursbuchError, words: Words) -> dict[str, object]:
    """An error as JSON: the sentence, and the rule and line where there are any."""
    found: dict[str, object] = {"error": error.text(words)}
    if isinstance(error, IllegalAction) and error.rule:
        found["rule"] = error.reference
    if isinstance(error, RecordError):
        found["line"] = error.line
        found["rule"] = error.rule or None
    return found


@contextmanager
def progress(label: str) -> Iterator[Callable[[int, int], None]]:
    """A progress bar on standard error, shown only on a terminal. Gives a function to be called
    with what is done and what there is to do."""
    if not sys.stderr.isatty():
        yield lambda done, total: None
        return
    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    ) as bar:
        task = bar.add_task(label, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def left_alone() -> int:
    """Handle a broken pipe: buffered output must not raise at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return BROKEN_PIPE


def read_bytes(path: str) -> bytes:
    """The content of a file; `KursbuchError` says why it cannot be read."""
    try:
        with open(path, "rb") as file:
            content = file.read(MOST_BYTES + 1)
    except FileNotFoundError:
        raise KursbuchError("There is no file {path}.", path=path) from None
    except IsADirectoryError:
        raise KursbuchError("{path} is a directory, not a file.", path=path) from None
    except (OSError, ValueError) as error:
        raise KursbuchError("{path} cannot be read: {why}.", path=path, why=_why(error)) from None
    if len(content) > MOST_BYTES:
        raise KursbuchError("{path} is larger than {most} MB.", path=path, most=MOST_BYTES // 10**6)
    return content


def read_text(path: str) -> str:
    """The content of a text file; `KursbuchError` says why it cannot be read."""
    content = read_bytes(path)
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        raise KursbuchError("{path} is not a text file.", path=path) from None
    if "\0" in text:
        raise KursbuchError("{path} is not a text file.", path=path)
    return text


def read_data(path: str | None) -> bytes | None:
    """The content of a file of component data, if one is given."""
    return None if path is None else read_bytes(path)


def write_file(path: str, content: bytes) -> None:
    """Write a file whole: an old one is replaced only when the new one is complete, and keeps who may read it. A link
    is followed, and what is no file (a pipe, a device) is written to at once."""
    try:
        target = Path(os.path.realpath(path))
    except ValueError as error:
        raise KursbuchError(
            "{path} cannot be written: {why}.", path=path, why=_why(error)
        ) from None
    if target.is_dir():
        raise KursbuchError("{path} is a directory, not a file.", path=path)
    try:
        if target.exists() and not target.is_file():
            target.write_bytes(content)
            return
        mode = 0o666 & ~_umask()
        if target.exists():
            target.open("ab").close()  # one that may not be written is not replaced
            mode = stat.S_IMODE(target.stat().st_mode)
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name[:40]}.")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content)
            os.chmod(name, mode)
            os.replace(name, target)
        except BaseException:
            os.unlink(name)
            raise
    except (OSError, ValueError) as error:
        raise KursbuchError(
            "{path} cannot be written: {why}.", path=path, why=_why(error)
        ) from None


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _why(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


def usage_sentence(error: click.ClickException, words: Words) -> str:
    """What is wrong with the command line, as one sentence."""
    hint = ""
    if isinstance(error, click.UsageError) and error.ctx is not None:
        hint = " " + words._("See {command} --help.", command=error.ctx.command_path)
    return _usage(error, words) + hint


def _usage(error: click.ClickException, words: Words) -> str:
    match error:
        case click.NoSuchOption():
            return words._("There is no option {name}.", name=error.option_name)
        case click.MissingParameter(param=click.Argument() as parameter):
            return words._("{name} is missing.", name=parameter.make_metavar(error.ctx or _none()))
        case click.MissingParameter(param=click.Option() as parameter):
            return words._("The option {name} is missing.", name=parameter.opts[-1])
        case click.BadParameter(param=click.Option() as parameter):
            return words._(
                "Invalid value for {name}: {why}",
                name=parameter.opts[-1],
                why=_wanted(parameter.type, words) or _sentence(error.message),
            )
        case click.BadParameter(param=click.Argument() as parameter):
            return words._(
                "Invalid {name}: {why}",
                name=parameter.make_metavar(error.ctx or _none()),
                why=_wanted(parameter.type, words) or _sentence(error.message),
            )
        case click.BadOptionUsage():
            return words._("The option {name} needs a value.", name=error.option_name)
    if found := re.fullmatch(r"No such command '(.*)'\.", error.message, re.DOTALL):
        return words._("There is no command {name}.", name=found[1])
    if found := re.match(r"Got unexpected extra arguments? \((.*)\)", error.message, re.DOTALL):
        return words._("Unexpected arguments: {text}.", text=found[1])
    return _sentence(error.message)


def _wanted(kind: click.ParamType[Any], words: Words) -> str:
    """What the value of an option must be."""
    match kind:
        case click.IntRange(min=low, max=None):
            return words._("It must be a whole number, at least {low}.", low=low)
        case click.IntRange(min=low, max=high):
            return words._("It must be a whole number from {low} to {high}.", low=low, high=high)
        case click.FloatRange(min=low, max=high):
            return words._("It must be a number from {low} to {high}.", low=low, high=high)
        case click.Choice(choices=choices):
            return words._("Possible are: {known}.", known=", ".join(choices))
    return words._("It must be a whole number.") if kind is click.INT else ""


def _none() -> NoReturn:
    raise AssertionError("a missing argument without a command")


def _sentence(text: str) -> str:
    text = " ".join(text.split())
    return text if text.endswith((".", "?", "!")) else text + "."


def summary(panel: Panel, *, notes: bool) -> str:
    """A list of holdings in one line, with the notes for their owner."""
    parts = [
        f"{row.label} {row.value}" + (f" ({row.note})" if notes and row.note else "")
        for row in panel.rows
    ]
    return f"  {panel.title}: " + " · ".join(parts)


def aligned(rows: Sequence[Sequence[str]], *, numbers: bool = False) -> list[str]:
    """Rows of cells as lines of text with straight columns; those of numbers, all but the first, stand to the
    right.

    >>> aligned([["", "BY"], ["Anna", "20 %"]])
    ['      BY', 'Anna  20 %']
    >>> aligned([["seat", "wins"], ["1", "7"]], numbers=True)
    ['seat  wins', '1        7']
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell.rjust(width) if numbers and place else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


class Style:
    """Bold and faint text, where the output is a terminal that has them and the reader has not asked for
    none (NO_COLOR)."""

    def __init__(self, out: TextIO) -> None:
        plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
        self.on = out.isatty() and not plain

    def strong(self, text: str) -> str:
        """What the player has to see."""
        return click.style(text, bold=True) if self.on else text

    def faint(self, text: str) -> str:
        """What stands beside it."""
        return click.style(text, dim=True) if self.on else text


LOCAL = "local"

#: Ray fills in what is missing in an address, and waits half a minute for what is not there.
_CLUSTER = re.compile(r"ray://[^/\s]+:\d{1,5}", re.ASCII)

#: Adds `--jobs`, which `LocalPool` takes.
jobs_option = click.option(
    "--jobs",
    type=click.IntRange(1, 256),
    metavar="P",
    help="Number of processes. [default: one per core]",
)


def worker_options(function: FunctionT) -> FunctionT:
    """Adds `--jobs` and `--on`, which `worker_pool` takes."""
    function = click.option(
        "--on",
        default=LOCAL,
        show_default=True,
        metavar="WHERE",
        help="Where games run: local (this machine), ray://HOST:PORT (a Ray cluster), or ray (start one "
        "here).",
    )(function)
    return jobs_option(function)


@contextmanager
def worker_pool(on: str, jobs: int | None) -> Iterator[WorkerPool]:
    """Worker pool for `--on`; `KursbuchError` if it is unknown or unreachable."""
    if on == LOCAL:
        yield LocalPool(jobs)
        return
    if on != "ray" and not _CLUSTER.fullmatch(on):
        raise KursbuchError(
            "Games are played on local, ray or ray://HOST:PORT, not on {on}.", on=on
        )
    with needing("ray"):
        from kursbuch.interop.cluster import Cluster
    with Cluster(on, jobs) as cluster:
        yield cluster


@contextmanager
def needing(extra: str) -> Iterator[None]:
    """Around the import of what an optional extra brings: says how to get it."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise KursbuchError(
            "This needs another package: {command}, in the folder of the source.",
            command=f"pip install '.[{extra}]'",
        ) from error
