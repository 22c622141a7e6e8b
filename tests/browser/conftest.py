"""A server for these tests, of their own where they need one, and browsers that visit it."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, Page, Playwright, expect, sync_playwright

ROOT = Path(__file__).parents[2]

ARGUMENTS = (
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # Pages of the browser's own that no one sees; every window would have two of them.
    "--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup",
)

START = """
import sys
from kursbuch.web import serve
serve(port=int(sys.argv[1]), database=sys.argv[2])
"""


def seeded(seed: str) -> str:
    """What a server process runs whose tables all have the same seed."""
    return _with_seeds(f'itertools.repeat("{seed}")')


def numbered() -> str:
    """What a server process runs whose tables have one seed after the other."""
    return _with_seeds("map(str, itertools.count(1))")


def _with_seeds(seeds: str) -> str:
    return f"""
import itertools
from kursbuch.web.tables import store
from tests.seeds import Seeds

store.secrets = Seeds({seeds})
{START}"""


#: What a server process runs: its games are the same in every run.
SERVE = seeded("1")

#: An address of the server with next to nothing to show, for those who have not gone anywhere yet.
DOORSTEP = "/health"

#: A busy machine is slow.
expect.set_options(timeout=60_000)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def clean_environment() -> dict[str, str]:
    """The environment without settings of a server."""
    return {k: v for k, v in os.environ.items() if not k.startswith("KURSBUCH_")}


class Serving(NamedTuple):
    """A server that runs."""

    address: str
    database: Path


@contextmanager
def serving(program: str, folder: Path) -> Iterator[Serving]:
    """A server with an empty database; what its process runs gets a port and the database as its arguments."""
    database, port = folder / "tables.sqlite3", free_port()
    with (folder / "log").open("w") as log:
        process = subprocess.Popen(
            [sys.executable, "-c", program, str(port), str(database)],
            stdout=log,
            stderr=log,
            cwd=ROOT,
            env={**clean_environment(), "PYTHONUNBUFFERED": "1"},
        )
    url = f"http://127.0.0.1:{port}"
    try:
        deadline = time.monotonic() + 300
        while True:
            try:
                urllib.request.urlopen(url, timeout=5).close()
                break
            except OSError:
                if process.poll() is not None or time.monotonic() > deadline:
                    pytest.fail((folder / "log").read_text(), pytrace=False)
                time.sleep(0.1)
        yield Serving(url, database)
    finally:
        process.terminate()
        try:
            process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@pytest.fixture(scope="session")
def common_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """The server of all files that need none of their own: everybody there is a stranger to the others."""
    with serving(SERVE, tmp_path_factory.mktemp("server")) as found:
        yield found


@pytest.fixture(scope="module")
def program() -> str:
    """What the process of the server runs; empty for the server that files share."""
    return ""


@pytest.fixture(scope="module")
def server(
    program: str, request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Serving]:
    """The server of a file of tests."""
    if program:
        with serving(program, tmp_path_factory.mktemp("server")) as found:
            yield found
    else:
        yield request.getfixturevalue("common_server")


@pytest.fixture(scope="module")
def database(server: Serving) -> Path:
    """Where the server keeps its tables."""
    return server.database


@pytest.fixture(scope="module")
def address(server: Serving) -> str:
    """The address of the server."""
    return server.address


@pytest.fixture(scope="package")
def playwright() -> Iterator[Playwright]:
    """Starts browsers. It ends with the tests of this package: while it is there, no other test can run an event
    loop."""
    with sync_playwright() as started:
        yield started


@pytest.fixture(scope="package")
def browser(playwright: Playwright, chromium_path: str) -> Iterator[Browser]:
    """One browser; every test opens contexts in it, which share nothing. It is Chromium without what only people
    see, if the machine has that: it is twice as fast."""
    program = shutil.which("chromium-headless-shell") or chromium_path
    browser = playwright.chromium.launch(executable_path=program, args=list(ARGUMENTS))
    yield browser
    browser.close()


@pytest.fixture(scope="module")
def whole_browser(playwright: Playwright, chromium_path: str) -> Iterator[Browser]:
    """Chromium with everything, such as notifications."""
    browser = playwright.chromium.launch(executable_path=chromium_path, args=list(ARGUMENTS))
    yield browser
    browser.close()


Visit = Callable[..., Page]


@pytest.fixture
def visit(browser: Browser, address: str) -> Iterator[Visit]:
    """Opens an address as someone new; what goes wrong in the page fails the test. Without an address it is one from
    where to go on by `goto`.

    `size`, `theme`, `language` and whether there may be `motion` are those of the visitor's device.
    """
    contexts = []
    problems: list[str] = []

    def open_page(
        path: str = DOORSTEP,
        size: tuple[int, int] = (1280, 800),
        theme: str = "light",
        language: str = "en",
        motion: bool = False,
    ) -> Page:
        context = browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            color_scheme="dark" if theme == "dark" else "light",
            locale=language,
            # Nothing is read while it moves.
            reduced_motion="no-preference" if motion else "reduce",
            has_touch=size[0] < 600,
            base_url=address,
        )
        contexts.append(context)
        context.set_default_timeout(60_000)
        page = context.new_page()
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on(
            "console",
            lambda message: (
                problems.append(message.text)
                if message.type == "error" and "Failed to load resource" not in message.text
                else None
            ),
        )
        page.goto(path)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert not problems
