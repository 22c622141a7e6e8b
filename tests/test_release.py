"""The version, the changelog, and the command that makes a release."""

from __future__ import annotations

import datetime
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from importlib.metadata import version
from pathlib import Path

import pytest

import release
from tests.services import in_ci
from tests.test_wheel import NO_NETWORK, ROOT, copy_tracked_files


def test_the_changelog_begins_with_the_newest() -> None:
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert text.count(release.UNRELEASED) == 1
    headings = re.findall(r"^## (.*)$", text, re.M)
    assert headings[0] == "Unreleased"
    found = [re.fullmatch(r"(\d+\.\d+\.\d+) \((\d{4}-\d\d-\d\d)\)", line) for line in headings[1:]]
    assert all(found)
    versions = [release.numbers(one[1]) for one in found if one]
    assert versions == sorted(versions, reverse=True)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert not versions or versions[0] == release.numbers(project["version"])
    assert version("kursbuch") == project["version"]


def test_a_release_needs_something_to_say() -> None:
    day = datetime.date(2026, 12, 1)
    for text in ("", "# Changes\n", "## Unreleased\n\n## 0.1.0 (2026-11-30)\n\n- New.\n"):
        with pytest.raises(release.Problem, match="nothing under"):
            release.dated(text, "0.2.0", day)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A clean checkout of the project as it is."""
    folder = tmp_path / "checkout"
    copy_tracked_files(folder)
    for command in (
        ("init", "--quiet"),
        ("config", "user.name", "Anna"),
        ("config", "user.email", "anna@example.org"),
        ("add", "--all"),
        ("commit", "--quiet", "--message", "Begin"),
    ):
        release.git(folder, *command)
    return folder


def test_a_release_is_refused(checkout: Path) -> None:
    release.git(checkout, "tag", "v7.0.0")
    for wrong, why in {"1.2": "such as 1.2.3", "0.0.1": "older", "7.0.0": "already"}.items():
        with pytest.raises(release.Problem, match=why):
            release.release(wrong, checkout)
    (checkout / "README.md").write_text("Changed.")
    with pytest.raises(release.Problem, match="not committed"):
        release.release("9.0.0", checkout)


def test_a_release_that_cannot_be_built_changes_nothing(
    checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(root: Path, command: str, *arguments: str) -> str:
        if command == "build":
            raise release.Problem("No.")
        (root / "pyproject.toml").write_text("changed")
        return ""

    monkeypatch.setattr(release, "uv", fail)
    with pytest.raises(release.Problem, match=r"No\."):
        release.release("9.0.0", checkout)
    assert not release.git(checkout, "status", "--porcelain")
    assert not release.git(checkout, "tag")


@pytest.mark.long
def test_a_release_is_built_committed_and_tagged(checkout: Path, tmp_path: Path) -> None:
    try:
        release.release("9.0.0", checkout)
    except release.Problem as problem:
        if NO_NETWORK.search(str(problem)) and not in_ci():
            pytest.skip("the package indexes cannot be reached")
        raise
    assert not release.git(checkout, "status", "--porcelain")
    assert release.git(checkout, "describe") == "v9.0.0"
    assert release.git(checkout, "log", "-1", "--format=%s") == "Release 9.0.0"
    changed = release.git(checkout, "show", "--format=", "--name-only").split()
    assert sorted(changed) == sorted(release.CHANGED)
    today = datetime.date.today()
    assert f"## 9.0.0 ({today})\n" in (checkout / "CHANGELOG.md").read_text("utf-8")
    wheel = checkout / "dist" / "kursbuch-9.0.0-py3-none-any.whl"
    names = zipfile.ZipFile(wheel).namelist()
    assert "kursbuch/web/static/dist/main.js" in names
    assert "kursbuch/locale/de/LC_MESSAGES/kursbuch.mo" in names
    assert not [name for name in names if "node_modules" in name]
    with tarfile.open(checkout / "dist" / "kursbuch-9.0.0.tar.gz") as archive:
        named = {name.partition("/")[2] for name in archive.getnames()}
    assert {"Containerfile", "compose.yaml", "deploy/kursbuch.env", "docs/server.md"} <= named
    assert not [name for name in named if name.startswith(("node_modules", ".venv", "dist"))]
    # As people run it who have nothing but uv, in a system without Node.
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    programs = tmp_path / "programs"
    programs.mkdir()
    for name in ("dirname", "realpath"):
        (programs / name).symlink_to(shutil.which(name) or name)
    uv = shutil.which("uv", path=str(Path(sys.executable).parent))
    assert uv
    command = [uv, "tool", "run", "--from", str(wheel), "kursbuch", "--version"]
    own = {**os.environ, "PATH": str(programs), "UV_PYTHON": sys.executable}
    own.pop("PYTHONPATH", None)
    done = subprocess.run(command, cwd=folder, env=own, capture_output=True, text=True, check=False)
    assert done.stdout == "9.0.0\n", done.stderr
