"""Imports run one way, as docs/architecture.md draws them."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import kursbuch

SOURCE = Path(__file__).parents[1] / "src" / "kursbuch"

#: What each package may import besides itself.
ALLOWED = {
    "core": set(),
    "hexmap": {"core"},
    "bots": {"core"},
    "web": {"core", "bots"},
    "cli": {"core", "bots", "web"},
}
GAME = {"core", "hexmap"}

PACKAGES = sorted(path.name for path in SOURCE.iterdir() if (path / "__init__.py").exists())


def imported(package: str) -> dict[str, str]:
    """The packages of ours that a package imports, each with a file that does."""
    found: dict[str, str] = {}
    for path in (SOURCE / package).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.module:
                names = [node.module] + [f"{node.module}.{alias.name}" for alias in node.names]
            for name in names:
                parts = name.split(".")
                if parts[0] == "kursbuch" and len(parts) > 1 and parts[1] in PACKAGES:
                    found[parts[1]] = str(path)
    found.pop(package, None)
    return found


@pytest.mark.parametrize("package", PACKAGES)
def test_imports_run_one_way(package: str) -> None:
    allowed = ALLOWED.get(package, GAME)
    wrong = {name: path for name, path in imported(package).items() if name not in allowed}
    assert not wrong


def test_the_public_face_imports_only_the_core() -> None:
    tree = ast.parse((SOURCE / "__init__.py").read_text(encoding="utf-8"))
    modules = [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    ours = {module.split(".")[1] for module in modules if module.startswith("kursbuch.")}
    assert ours == {"core"}


def test_pages_and_their_scripts_name_no_title() -> None:
    """Neither as a word of code nor as a class or an attribute of a drawing."""
    packages = {
        part for title in kursbuch.titles().values() for part in title.package.split(".")[1:]
    }
    names = "|".join(sorted(packages | set(kursbuch.titles())))
    named = re.compile(rf"[\"'`.]({names})\b")
    folders = [SOURCE.parents[1] / "frontend" / "src", SOURCE / "web"]
    files = [path for folder in folders for path in folder.rglob("*") if path.is_file()]
    kinds = {".ts", ".css", ".py", ".html"}
    looked = [path for path in files if path.suffix in kinds and "dist" not in path.parts]
    assert len(looked) > 40
    assert not [str(path) for path in looked if named.search(path.read_text("utf-8"))]
