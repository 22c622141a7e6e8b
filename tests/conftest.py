"""What the tests use from the machine, as fixtures; `tests/services.py` finds and starts it."""

from __future__ import annotations

import contextlib
import gc
import os
from collections.abc import Iterator

import pytest

from kursbuch.core.processes import GC_THRESHOLD
from tests import services
from tests.podman import Podman, own_podman

#: Folders with the slowest tests, which start first; the order of the others stays.
SLOW = ("tests/browser/", "tests/web/")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--long`, which also runs what the mark `long` leaves out: whole games, soaks, sweeps."""
    parser.addoption("--long", action="store_true", help="run the tests marked long too")


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
    """Leave out long tests, and start the slow ones first if there are several test processes."""
    if not config.getoption("long"):
        left_out = [item for item in items if item.get_closest_marker("long")]
        if left_out:
            items[:] = [item for item in items if not item.get_closest_marker("long")]
            config.hook.pytest_deselected(items=left_out)
    if hasattr(config, "workerinput"):
        places = {folder: place for place, folder in enumerate(SLOW)}
        items.sort(
            key=lambda item: next(
                (place for folder, place in places.items() if item.nodeid.startswith(folder)),
                len(SLOW),
            )
        )


def address(service: services.Service) -> Iterator[str]:
    with having(service) as place:
        yield place


@contextlib.contextmanager
def having(service: services.Service) -> Iterator[str]:
    """Yield the address of a service; a test is skipped without it, but fails in CI."""
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


@pytest.fixture(scope="session")
def nginx_path() -> Iterator[str]:
    """The path of the nginx program."""
    yield from address(services.NGINX)


@pytest.fixture(scope="session")
def caddy_path() -> Iterator[str]:
    """The path of the Caddy program."""
    yield from address(services.CADDY)


@pytest.fixture(scope="session")
def podman(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Podman]:
    """Podman with a storage of its own."""
    with contextlib.ExitStack() as stack:
        program = stack.enter_context(having(services.PODMAN))
        debootstrap = stack.enter_context(having(services.DEBOOTSTRAP))
        if os.geteuid() != 0 and not services.in_ci():
            pytest.skip("debootstrap needs root")
        folder = tmp_path_factory.mktemp("podman")
        yield stack.enter_context(own_podman(program, debootstrap, folder))


@pytest.fixture(scope="session")
def long(request: pytest.FixtureRequest) -> bool:
    """Whether tests run in their long form (`--long`)."""
    return bool(request.config.getoption("long"))
