"""Shared by commands: options, files, output and worker pools."""

from __future__ import annotations

import functools
import json
import os
import re
import stat
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TextIO, TypeVar

import click
import msgspec

from kursbuch.core.errors import IllegalAction, KursbuchError, RecordError
from kursbuch.core.voice import Panel
from kursbuch.core.words import LANGUAGES, Words

if TYPE_CHECKING:
    from kursbuch.bots.worker_pool import WorkerPool

MOST_BYTES = 20_000_000

#: Exit code for a temporary failure, retried by mail servers and systemd (EX_TEMPFAIL).
LATER = 75

#: Exit code of a program ended by a broken pipe.
BROKEN_PIPE = 141
FunctionT = TypeVar("FunctionT", bound=Callable[..., Any])


def language_of_environment() -> str:
    """The language of the environment; English if unsupported."""
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if os.environ.get(variable):
            found = os.environ[variable][:2].lower()
            return found if found in LANGUAGES else "en"
    return "en"


def common_options(function: FunctionT) -> FunctionT:
    """Add `--json` and `--language`; the command receives `as_json` and `words`."""

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
                    "With --json, -o needs a file: they cannot both go to standard output."
                )
            return function(as_json=as_json, words=words, **given)
        except KursbuchError as error:
            if as_json:
                emit_json(error_json(error, words))
            raise
        except BrokenPipeError:
            return handle_broken_pipe()

    return run  # type: ignore[return-value]


def options_option(function: FunctionT) -> FunctionT:
    """Add `--option name=value`, which may be repeated."""
    return click.option(
        "--option",
        "options",
        multiple=True,
        metavar="NAME=VALUE",
        help="Set an option of the title. Can be used multiple times.",
    )(function)


def data_option(function: FunctionT) -> FunctionT:
    """Add `--data FILE`."""
    return click.option("--data", metavar="FILE", help="Use the component data in this file.")(
        function
    )


def refuse_empty(context: click.Context, option: click.Parameter, value: str | None) -> str | None:
    """Callback of a file option that refuses an empty name."""
    if value == "":
        raise click.BadOptionUsage(option.opts[-1], "", context)
    return value


def output_option(
    metavar: str, help: str, *, required: bool = True
) -> Callable[[FunctionT], FunctionT]:
    """Add `-o FILE`, the output file."""
    return click.option(
        "-o", "--output", required=required, callback=refuse_empty, metavar=metavar, help=help
    )


#: Adds `-o RECORD`.
record_option = output_option("RECORD", "Write the record to this file; - for standard output.")


def parse_options(given: Sequence[str]) -> dict[str, str]:
    """Parse options given as name=value.

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
    except UnicodeEncodeError:  # a file name that is not valid Unicode
        text = json.dumps(msgspec.to_builtins(value))
    write_text(text + "\n")


def print_report(as_json: bool, report: object, lines: Iterable[str]) -> None:
    """Print a report as JSON, or its lines."""
    if as_json:
        emit_json(report)
    else:
        print("\n".join(lines))


def write_text(text: str) -> None:
    """Write UTF-8 to standard output regardless of the terminal's encoding."""
    sys.stdout.flush()
    sys.stdout.buffer.write(text.encode())
    sys.stdout.buffer.flush()


def one_line(text: str) -> str:
    """A text on one line without control characters, which files and arguments may contain.

    >>> one_line("There is no file a\\nb\\x1b[31m.")
    'There is no file a?b?[31m.'
    """
    return "".join(char if char.isprintable() else "?" for char in text)


def error_json(error: KursbuchError, words: Words) -> dict[str, object]:
    """An error as JSON: the sentence, and the rule and line if any."""
    found: dict[str, object] = {"error": error.text(words)}
    if isinstance(error, IllegalAction) and error.rule:
        found["rule"] = error.reference
    if isinstance(error, RecordError):
        found["line"] = error.line
        found["rule"] = error.rule or None
    return found


@contextmanager
def progress(label: str) -> Iterator[Callable[[int, int], None]]:
    """A progress bar on standard error, only on a terminal. Yields a callback for the amount done and the total."""
    if not sys.stderr.isatty():
        yield lambda done, total: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

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


def handle_broken_pipe() -> int:
    """Handle a broken pipe, so that buffered output does not raise at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return BROKEN_PIPE


def read_bytes(path: str) -> bytes:
    """Read a file; `KursbuchError` if it cannot be read."""
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
    """Read a text file; `KursbuchError` if it cannot be read."""
    content = read_bytes(path)
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        raise KursbuchError("{path} is not a text file.", path=path) from None
    if "\0" in text:
        raise KursbuchError("{path} is not a text file.", path=path)
    return text


def read_data(path: str | None) -> bytes | None:
    """Read a file of component data, if given."""
    return None if path is None else read_bytes(path)


def write_file(path: str, content: bytes) -> None:
    """Write a file atomically, keeping its permissions. Links are followed; pipes and devices are written directly."""
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
            target.open("ab").close()  # fails if it is not writable
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
    """An error of the command line as one sentence."""
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
    """Description of the values an option takes."""
    match kind:
        case click.IntRange(min=low, max=None):
            return words._("It must be a whole number, at least {low}.", low=low)
        case click.IntRange(min=low, max=high):
            return words._("It must be a whole number from {low} to {high}.", low=low, high=high)
        case click.FloatRange(min=low, max=high):
            return words._("It must be a number from {low} to {high}.", low=low, high=high)
        case click.Choice(choices=choices):
            return words._("Choose from: {known}.", known=", ".join(choices))
    return words._("It must be a whole number.") if kind is click.INT else ""


def _none() -> NoReturn:
    raise AssertionError("a missing argument without a command")


def _sentence(text: str) -> str:
    text = " ".join(text.split())
    return text if text.endswith((".", "?", "!")) else text + "."


def summary(panel: Panel, *, notes: bool) -> str:
    """A list of holdings in one line, with notes for their owner."""
    parts = [
        f"{row.label} {row.value}" + (f" ({row.note})" if notes and row.note else "")
        for row in panel.rows
    ]
    return f"  {panel.title}: " + " · ".join(parts)


def aligned(rows: Sequence[Sequence[str]], *, numbers: bool = False) -> list[str]:
    """Rows of cells as lines with aligned columns; with `numbers` all but the first are right-aligned.

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
    """Bold and faint text on terminals that support it, unless NO_COLOR is set."""

    def __init__(self, out: TextIO) -> None:
        plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
        self.on = out.isatty() and not plain

    def strong(self, text: str) -> str:
        """Important text."""
        return click.style(text, bold=True) if self.on else text

    def faint(self, text: str) -> str:
        """Secondary text."""
        return click.style(text, dim=True) if self.on else text


LOCAL = "local"

#: Ray completes partial addresses and waits half a minute for unreachable ones.
_CLUSTER = re.compile(r"ray://[^/\s]+:\d{1,5}", re.ASCII)

#: Adds `--jobs` for `LocalPool`.
jobs_option = click.option(
    "--jobs",
    type=click.IntRange(1, 256),
    metavar="P",
    help="Number of processes. [default: one per core]",
)


def worker_options(function: FunctionT) -> FunctionT:
    """Add `--jobs` and `--on` for `worker_pool`."""
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
        from kursbuch.bots.worker_pool import LocalPool

        with LocalPool(jobs) as pool:
            yield pool
        return
    if on != "ray" and not _CLUSTER.fullmatch(on):
        raise KursbuchError(
            "Games are played on local, ray or ray://HOST:PORT, not on {on}.", on=on
        )
    with optional_extra("ray"):
        from kursbuch.interop.cluster import Cluster
    with Cluster(on, jobs) as cluster:
        yield cluster


@contextmanager
def optional_extra(extra: str) -> Iterator[None]:
    """Wrap the import of an optional dependency, explaining how to install it if it is missing."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise KursbuchError(
            "This needs another package: run {command} in the source folder.",
            command=f"pip install '.[{extra}]'",
        ) from error
