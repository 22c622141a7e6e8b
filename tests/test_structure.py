"""Imports run one way, as docs/architecture.md draws them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import kursbuch

SOURCE = Path(__file__).parents[1] / "src" / "kursbuch"

#: What each package may import besides itself.
ALLOWED = {
    "core": set(),
    "hexmap": {"core"},
    "games": {"core", "hexmap"},
    "bots": {"core"},
    "interop": {"core", "bots"},
    "web": {"core", "bots"},
    "cli": {"core", "bots", "interop", "web"},
}
PACKAGES = sorted(path.name for path in SOURCE.iterdir() if (path / "__init__.py").exists())


def named(path: Path) -> Iterator[tuple[str, str]]:
    """Every module a file imports from, wherever that stands in it (for types only, in a function),
    with the name it takes from there; empty if it imports the module itself."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from ((node.module, alias.name) for alias in node.names)


def imported(package: str) -> dict[str, str]:
    """The packages of ours that a package imports, each with a file that does."""
    found: dict[str, str] = {}
    for path in (SOURCE / package).rglob("*.py"):
        for module, name in named(path):
            parts = f"{module}.{name}".split(".")
            if parts[0] == "kursbuch" and parts[1] in PACKAGES:
                found[parts[1]] = str(path)
    found.pop(package, None)
    return found


def modules(source: Path) -> dict[str, set[str]]:
    """All modules of the package that stands in that folder, each with those of them it imports."""
    paths = {}
    for path in source.rglob("*.py"):
        parts = (source.name, *path.relative_to(source).with_suffix("").parts)
        paths[".".join(parts).removesuffix(".__init__")] = path
    found = {}
    for module, path in paths.items():
        needed = {
            f"{other}.{name}" if f"{other}.{name}" in paths else other
            for other, name in named(path)
        }
        found[module] = (needed & paths.keys()) - {module}
    return found


def circle(graph: dict[str, set[str]]) -> list[str]:
    """Modules that import each other in a circle, the first again at the end; empty if there are none."""
    done: set[str] = set()

    def follow(name: str, way: list[str]) -> list[str]:
        if name in way:
            return [*way[way.index(name) :], name]
        if name in done:
            return []
        for other in sorted(graph[name]):
            found = follow(other, [*way, name])
            if found:
                return found
        done.add(name)
        return []

    return next((found for name in sorted(graph) if (found := follow(name, []))), [])


def scripts(folder: Path) -> dict[str, set[str]]:
    """The scripts of a folder and those that each imports, if only for a type."""
    paths = {path.resolve() for path in folder.rglob("*.ts")}
    found: dict[str, set[str]] = {}
    for path in paths:
        wanted = re.findall(r'from "(\.[^"]+)"', path.read_text("utf-8"))
        places = [(path.parent / name).resolve() for name in wanted]
        files = [place.with_name(f"{place.name}.ts") for place in places]
        files += [place / "index.ts" for place in places]
        found[str(path)] = {str(file) for file in files if file in paths}
    return found


@pytest.mark.parametrize("package", PACKAGES)
def test_imports_run_one_way(package: str) -> None:
    found = imported(package)
    assert not {name: path for name, path in found.items() if name not in ALLOWED[package]}


def test_games_do_not_know_each_other() -> None:
    """The titles of the 18xx family stand in one package; `test_citations.py` looks inside."""
    games = SOURCE / "games"
    packages = {path.name for path in games.iterdir() if (path / "__init__.py").exists()}
    assert len(packages) > 3
    for package in packages:
        for path in (games / package).rglob("*.py"):
            parts = {tuple(f"{module}.{name}".split(".")[1:3]) for module, name in named(path)}
            others = {
                name for top, name in (one for one in parts if len(one) == 2) if top == "games"
            }
            assert others <= {package}, path


def test_nothing_imports_in_a_circle() -> None:
    assert not circle(modules(SOURCE))


def test_a_circle_is_found(tmp_path: Path) -> None:
    """Also one of three files of which one needs another only for a type."""
    package = tmp_path / "package"
    package.mkdir()
    for name, text in {
        "__init__": "",
        "a": "from package import b\n",
        "b": "def f():\n    from package.c import g\n",
        "c": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import package.a\n",
    }.items():
        (package / f"{name}.py").write_text(text)
    assert circle(modules(package)) == ["package.a", "package.b", "package.c", "package.a"]
    (package / "c.py").write_text("")
    assert not circle(modules(package))


def test_scripts_import_in_no_circle() -> None:
    graph = scripts(SOURCE.parents[1] / "frontend" / "src")
    assert sum(map(len, graph.values())) > 40
    assert not circle(graph)


def test_the_public_face_imports_only_the_core() -> None:
    tree = ast.parse((SOURCE / "__init__.py").read_text(encoding="utf-8"))
    modules = [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    ours = {module.split(".")[1] for module in modules if module.startswith("kursbuch.")}
    assert ours == {"core"}


def test_pages_and_their_scripts_name_no_title() -> None:
    """Neither as a word of code nor as a class or an attribute of a drawing."""
    packages = {
        part for title in kursbuch.titles().values() for part in title.package.split(".")[2:]
    }
    names = "|".join(sorted(packages | set(kursbuch.titles())))
    named = re.compile(rf"[\"'`.]({names})\b")
    folders = [SOURCE.parents[1] / "frontend" / "src", SOURCE / "web"]
    files = [path for folder in folders for path in folder.rglob("*") if path.is_file()]
    kinds = {".ts", ".css", ".py", ".html"}
    looked = [path for path in files if path.suffix in kinds and "dist" not in path.parts]
    assert len(looked) > 40
    assert not [str(path) for path in looked if named.search(path.read_text("utf-8"))]


#: Nouns in -ing: terms of the field.
NOUNS = {"drawing", "encoding", "lettering", "templating"}


def test_modules_are_nouns() -> None:
    """No module or package is named by a gerund."""
    names = {part for module in modules(SOURCE) for part in module.split(".")}
    assert not {name for name in names if name.endswith("ing")} - NOUNS
