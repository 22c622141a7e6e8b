"""What the tests use from the machine, as fixtures; `tests/services.py` finds and starts it."""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterator

import pytest

from kursbuch.core.processes import GC_THRESHOLD
from tests import services

#: The folders whose tests take longest; the order of the others stays.
LONG = ("tests/browser/", "tests/web/")


def pytest_configure() -> None:
    """Cycles are looked for as seldom as in a server: what thousands of tests keep is much to look through."""
    gc.set_threshold(GC_THRESHOLD, *gc.get_threshold()[1:])


def pytest_report_header() -> str | None:
    missing = [service for service in services.ALL if service.missing]
    return f"{services.lacking(missing)}: tests that need that are skipped" if missing else None


def pytest_sessionstart(session: pytest.Session) -> None:
    """With several test processes (pytest-xdist) everything is started once, before them."""
    config = session.config
    if config.getoption("numprocesses", None) and not hasattr(config, "workerinput"):
        stack = contextlib.ExitStack()
        config.add_cleanup(stack.close)
        try:
            stack.enter_context(services.for_all_processes())
        except services.Problem as problem:
            pytest.exit(str(problem), returncode=pytest.ExitCode.INTERNAL_ERROR)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """With several test processes long tests begin, so that at the end none is left alone with one."""
    if hasattr(config, "workerinput"):
        places = {folder: place for place, folder in enumerate(LONG)}
        items.sort(
            key=lambda item: next(
                (place for folder, place in places.items() if item.nodeid.startswith(folder)),
                len(LONG),
            )
        )


def address(service: services.Service) -> Iterator[str]:
    with contextlib.ExitStack() as stack:
        try:
            place = stack.enter_context(service.running())
        except services.Problem as problem:
            if services.in_ci() or not service.missing:
                pytest.fail(str(problem), pytrace=False)
            pytest.skip(str(problem))
        yield place


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    """An SQLAlchemy URL of a PostgreSQL database, shared by all tests and test processes."""
    yield from address(services.POSTGRES)


@pytest.fixture(scope="session")
def redis_url() -> Iterator[str]:
    """The URL of a Redis server, shared by all tests and test processes."""
    yield from address(services.REDIS)


@pytest.fixture(scope="session")
def chromium_path() -> Iterator[str]:
    """The path of the Chromium program."""
    yield from address(services.CHROMIUM)
