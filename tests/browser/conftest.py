"""A server of its own for these tests, and browsers that visit it."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

ARGUMENTS = (
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)

START = """
import sys
from kursbuch.web import serve
serve(port=int(sys.argv[1]), database=sys.argv[2])
"""


def seeded(seed: str) -> str:
    """What a server process runs whose tables all have the same seed."""
    return f"""
import secrets
from kursbuch.web import tables

class Seeded:
    def __getattr__(self, name):
        return (lambda _: "{seed}") if name == "token_hex" else getattr(secrets, name)

tables.secrets = Seeded()
{START}"""


#: What a server process runs: its games are the same in every run.
SERVE = seeded("1")

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


@pytest.fixture(scope="module")
def program() -> str:
    """What the server process runs, with a port and a database as its arguments."""
    return SERVE


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the server keeps its tables."""
    return tmp_path_factory.mktemp("server") / "tables.sqlite3"


@pytest.fixture(scope="module")
def address(database: Path, program: str) -> Iterator[str]:
    """The address of a running server with an empty database."""
    folder = database.parent
    port = free_port()
    with (folder / "log").open("w") as log:
        process = subprocess.Popen(
            [sys.executable, "-c", program, str(port), str(database)],
            stdout=log,
            stderr=log,
            env={**clean_environment(), "PYTHONUNBUFFERED": "1"},
        )
    url = f"http://127.0.0.1:{port}"
    try:
        deadline = time.monotonic() + 60
        while True:
            try:
                urllib.request.urlopen(url, timeout=5).close()
                break
            except OSError:
                if process.poll() is not None or time.monotonic() > deadline:
                    pytest.fail((folder / "log").read_text(), pytrace=False)
                time.sleep(0.1)
        yield url
    finally:
        process.terminate()
        try:
            process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@pytest.fixture(scope="module")
def browser(chromium_path: str) -> Iterator[Browser]:
    """One browser; every test opens contexts in it, which share nothing."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path, args=list(ARGUMENTS))
        yield browser
        browser.close()


Visit = Callable[..., Page]


@pytest.fixture
def visit(browser: Browser, address: str) -> Iterator[Visit]:
    """Opens an address as somebody new; what goes wrong in the page fails the test.

    `size`, `theme`, `language` and whether there may be `motion` are those of the visitor's device.
    """
    contexts = []
    problems: list[str] = []

    def open_page(
        path: str = "/",
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
