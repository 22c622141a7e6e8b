"""Where games are played: `--jobs` and `--on`, for commands that play many or one again and again."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import click

from kursbuch.bots.workers import Local, Workers
from kursbuch.core.errors import KursbuchError

FunctionT = TypeVar("FunctionT", bound=Callable[..., Any])

LOCAL = "local"

#: Ray fills in what is missing in an address, and waits half a minute for what is not there.
_CLUSTER = re.compile(r"ray://[^/\s]+:\d{1,5}", re.ASCII)

#: Adds `--jobs`, which `Local` takes.
jobs_option = click.option(
    "--jobs", type=click.IntRange(1, 256), metavar="P", help="Processes; one per core."
)


def working_options(function: FunctionT) -> FunctionT:
    """Adds `--jobs` and `--on`, which `working` takes."""
    function = click.option(
        "--on",
        default=LOCAL,
        show_default=True,
        metavar="WHERE",
        help="local: the processes of this machine; ray://HOST:PORT: a cluster of Ray; ray: one that is "
        "started here.",
    )(function)
    return jobs_option(function)


@contextmanager
def working(on: str, jobs: int | None) -> Iterator[Workers]:
    """Whoever plays the games; `KursbuchError` if that cannot be understood or reached."""
    if on == LOCAL:
        yield Local(jobs)
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
