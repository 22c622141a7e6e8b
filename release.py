"""Makes a release: `python3 run.py release VERSION`.

Sets the version, dates the top section of CHANGELOG.md, builds the wheel and the source archive in
`dist`, commits and tags. Nothing is pushed; if a step fails, all files are as before.
"""

from __future__ import annotations

import datetime
import re
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent
CHANGED = ("CHANGELOG.md", "pyproject.toml", "uv.lock")
UNRELEASED = "## Unreleased\n"


class Problem(Exception):
    """The release cannot be made; the message says why in one sentence."""


def release(version: str, root: Path = ROOT) -> None:
    """Make a release in the checkout *root*."""
    if git(root, "status", "--porcelain"):
        raise Problem("There are changes that are not committed.")
    check_version(version, root)
    changelog = root / "CHANGELOG.md"
    text = dated(changelog.read_text("utf-8"), version, datetime.date.today())
    try:
        changelog.write_text(text, "utf-8")
        uv(root, "version", "--no-sync", version)
        uv(root, "build", "--out-dir", "dist")
        git(root, "commit", "--all", "--allow-empty", "--message", f"Release {version}")
    except (Problem, KeyboardInterrupt):
        git(root, "checkout", "HEAD", "--", *CHANGED)
        raise
    git(root, "tag", "--annotate", f"v{version}", "--message", f"Kursbuch {version}")


def check_version(version: str, root: Path) -> None:
    """Raise `Problem` unless a version may follow the one of `pyproject.toml`."""
    if not re.fullmatch(r"\d+\.\d+\.\d+", version):
        raise Problem(f"{version!r} is not a version such as 1.2.3.")
    if git(root, "tag", "--list", f"v{version}"):
        raise Problem(f"There is a release {version} already.")
    now = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    if numbers(version) < numbers(now):
        raise Problem(f"{version} is older than {now}.")


def numbers(version: str) -> list[int]:
    return [int(number) for number in version.split(".")]


def dated(changelog: str, version: str, day: datetime.date) -> str:
    """Turn the section *Unreleased* into that of a version, below a new empty one.

    >>> print(dated("## Unreleased\\n\\n- Faster.\\n", "1.2.3", datetime.date(2026, 12, 1)))
    ## Unreleased
    <BLANKLINE>
    ## 1.2.3 (2026-12-01)
    <BLANKLINE>
    - Faster.
    <BLANKLINE>
    """
    before, found, after = changelog.partition(UNRELEASED)
    if not found or not after.partition("\n## ")[0].strip():
        raise Problem("CHANGELOG.md says nothing under “Unreleased”.")
    return f"{before}{UNRELEASED}\n## {version} ({day})\n{after}"


def git(root: Path, *arguments: str) -> str:
    return run(root, "git", *arguments)


def uv(root: Path, *arguments: str) -> str:
    return run(root, sys.executable, "-m", "uv", *arguments)


def run(root: Path, *command: str) -> str:
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Problem(f"{' '.join(command)} failed: {(done.stderr or done.stdout).strip()}")
    return done.stdout.strip()


def main(arguments: list[str]) -> int:
    if len(arguments) != 1 or arguments[0].startswith("-"):
        print("python3 run.py release VERSION", file=sys.stderr)
        return 2
    (version,) = arguments
    try:
        release(version)
    except Problem as problem:
        print(problem, file=sys.stderr)
        return 1
    print(f"Release {version} is in dist. To publish it: git push --follow-tags")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
