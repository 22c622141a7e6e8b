"""A wheel from a clean checkout has everything in it: installing it needs neither npm nor Node."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
import time
import tomllib
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.services import free_port, in_ci

ROOT = Path(__file__).parent.parent

#: The uv of this environment, which installs from its cache what the tests themselves use.
UV = Path(sys.executable).parent / ("uv.exe" if os.name == "nt" else "uv")

#: What uv and npm say when they reach no one.
NO_NETWORK = re.compile("error sending request|ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ENETUNREACH")


def run(*command: str | Path, where: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        cwd=where,
        env={**os.environ, **variables},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )


def copy_tracked_files(target: Path) -> None:
    """A checkout in which nothing was built, with what has been changed but not committed."""
    listed = run("git", "ls-files", "-z", where=ROOT)
    if listed.returncode and not in_ci():
        pytest.skip("this is not a checkout of the repository")
    assert listed.returncode == 0, listed.stdout
    for name in filter(None, listed.stdout.split("\0")):
        if (ROOT / name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, target / name)


def locked_versions() -> str:
    """The versions of uv.lock, as constraints: this test is of our package, not of the newest of others."""
    versions: dict[str, set[str]] = {}
    for package in tomllib.loads((ROOT / "uv.lock").read_text("utf-8"))["package"]:
        versions.setdefault(package["name"], set()).add(package["version"])
    return "\n".join(
        f"{name}=={version}" for name, (version, *more) in versions.items() if not more
    )


def succeed(done: subprocess.CompletedProcess[str]) -> None:
    if done.returncode:
        if NO_NETWORK.search(done.stdout) and not in_ci():
            pytest.skip("the package indexes cannot be reached")
        pytest.fail(done.stdout, pytrace=False)


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the programs of an environment in which there is nothing but Kursbuch."""
    folder = tmp_path_factory.mktemp("wheel")
    copy_tracked_files(folder / "checkout")
    (folder / "constraints.txt").write_text(locked_versions(), "utf-8")
    succeed(run(UV, "venv", "--quiet", "--python", sys.executable, "empty", where=folder))
    programs = folder / "empty" / ("Scripts" if os.name == "nt" else "bin")
    succeed(run(UV, "build", "--quiet", "--wheel", "--out-dir", ".", "checkout", where=folder))
    (wheel,) = folder.glob("kursbuch-*-py3-none-any.whl")
    shutil.rmtree(folder / "checkout")
    options = ("--quiet", "--python", programs / "python", "--constraint", "constraints.txt")
    succeed(run(UV, "pip", "install", *options, wheel, where=folder, PATH=str(programs)))
    return programs


@pytest.fixture
def address(programs: Path, tmp_path: Path) -> Iterator[str]:
    """The address of `kursbuch serve`."""
    port = free_port()
    with (tmp_path / "log").open("w") as log:
        command = [str(programs / "kursbuch"), "serve", "--port", str(port)]
        process = subprocess.Popen(command, cwd=tmp_path, stdout=log, stderr=log)
    try:
        deadline = time.monotonic() + 120
        while True:
            try:
                socket.create_connection(("127.0.0.1", port), timeout=5).close()
                break
            except OSError:
                if process.poll() is not None or time.monotonic() > deadline:
                    pytest.fail((tmp_path / "log").read_text(), pytrace=False)
                time.sleep(0.1)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(timeout=60)


def test_a_wheel_from_a_clean_checkout_serves_its_pages(address: str) -> None:
    german = urllib.request.Request(f"{address}/", headers={"Accept-Language": "de"})
    with urllib.request.urlopen(german, timeout=60) as answer:
        page = answer.read().decode()
    assert "Du bist dran" in page  # so the catalogue was compiled, too
    files = re.findall(r'(?:src|href)="(/static/[^"]+\.(?:js|css)[^"]*)"', page)
    assert {name for file in files for name in ("main.js", "style.css") if name in file} == {
        "main.js",
        "style.css",
    }
    for file in files:
        with urllib.request.urlopen(address + file, timeout=60) as answer:
            assert answer.status == 200
            content = answer.read()
            assert len(content) > 0
        fonts = re.findall(r"\./([\w-]+\.woff2\?v=[\d.]+)", content.decode())
        assert len(fonts) == (2 if "style.css" in file else 0)
        for font in fonts:
            with urllib.request.urlopen(f"{address}/static/dist/{font}", timeout=60) as answer:
                assert answer.headers["Content-Type"] == "font/woff2"
                assert "immutable" in answer.headers["Cache-Control"]
                assert answer.read(4) == b"wOF2"


def test_the_command_names_its_version_and_its_static_files(programs: Path, tmp_path: Path) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    shown = run(programs / "kursbuch", "--version", where=tmp_path)
    assert shown.stdout == f"{project['version']}\n"
    folder = Path(run(programs / "kursbuch", "static-folder", where=tmp_path).stdout.strip())
    assert folder.is_relative_to(programs.parent)
    assert (folder / "dist" / "main.js").is_file()
