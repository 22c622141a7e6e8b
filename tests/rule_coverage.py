"""Which rules have a test: `python tests/rule_coverage.py` reports it.

A test says which rules it shows with `@pytest.mark.rule("rocket:move-6", ...)`, on a function, a
class, a parameter set (`pytest.param(..., marks=pytest.mark.rule(...))`) or, as `pytestmark`, on a
module. The marks are read from the sources, so that the answer does not depend on which tests are
run, or in how many processes. Marks of tests that are always skipped, or run only with `--long`,
do not count.
"""

from __future__ import annotations

import ast
import sys
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from kursbuch.core.rulebook import RuleIndex, parse_reference

ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class Mark:
    """One rule named by one mark. `reference` is empty if the mark cannot be read."""

    reference: str
    place: str


@dataclass
class Coverage:
    """What the tests show of one title's index."""

    index: RuleIndex
    tested: set[str] = field(default_factory=set)

    @property
    def excused(self) -> list[str]:
        """Rules with a stated reason why no test is possible."""
        return [rule.id for rule in self.index if rule.untested and rule.id not in self.tested]

    @property
    def gaps(self) -> list[str]:
        """Rules with neither a test nor a reason."""
        return [rule.id for rule in self.index if not rule.untested and rule.id not in self.tested]

    @property
    def needless(self) -> list[str]:
        """Rules said to be untestable that have a test all the same."""
        return [rule.id for rule in self.index if rule.untested and rule.id in self.tested]

    def __str__(self) -> str:
        excused = f", {len(self.excused)} cannot be tested" if self.excused else ""
        return f"{self.index.game.id}: {len(self.tested)} of {len(self.index)} rules{excused}"


def indexes(source: Path = ROOT / "src") -> dict[str, RuleIndex]:
    """The rule indexes of all titles, by title."""
    found = {}
    for path in sorted(source.glob("kursbuch/**/rules.toml")):
        index = RuleIndex.parse(path.read_text("utf-8"), path.relative_to(source).as_posix())
        found[index.game.id] = index
    return found


def playable(root: Path = ROOT) -> set[str]:
    """The titles with an entry point. The rules of one that is still being written need no test."""
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    return set(project["entry-points"]["kursbuch.titles"])


def marks(tests: Path = ROOT / "tests") -> list[Mark]:
    """Every rule mark in the test modules of a directory."""
    found: list[Mark] = []
    for path in sorted(tests.rglob("test_*.py")):
        found.extend(marks_in(path.read_text("utf-8"), path.relative_to(tests.parent).as_posix()))
    return found


def marks_in(source: str, name: str) -> Iterator[Mark]:
    """Every rule mark in the source of a module."""
    tree = ast.parse(source, name)
    skipped = set(_never_run(tree))
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _mark(node.func) == "rule" and node not in skipped:
            place = f"{name}:{node.lineno}"
            if not node.args or node.keywords:
                yield Mark("", place)
            for argument in node.args:
                match argument:
                    case ast.Constant(value=str(reference)):
                        yield Mark(reference, place)
                    case _:
                        yield Mark("", place)


def _mark(node: ast.expr) -> str:
    """The name of the mark in `pytest.mark.NAME`, empty for any other expression."""
    if isinstance(node, ast.Call):
        return _mark(node.func)
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Attribute):
        owner = node.value
        if owner.attr == "mark" and isinstance(owner.value, ast.Name):
            return node.attr if owner.value.id == "pytest" else ""
    return ""


def _never_run(tree: ast.Module) -> Iterator[ast.AST]:
    """All nodes of functions, classes and parameter sets that the usual run leaves out."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            marks: list[ast.expr] = node.decorator_list
        elif isinstance(node, ast.Call):
            given = [keyword.value for keyword in node.keywords if keyword.arg == "marks"]
            marks = [mark for one in given for mark in getattr(one, "elts", [one])]
        else:
            continue
        if any(_mark(mark) in ("skip", "xfail", "long") for mark in marks):
            yield from ast.walk(node)


def check(
    known: dict[str, RuleIndex], found: Iterable[Mark]
) -> tuple[dict[str, Coverage], list[str]]:
    """The coverage of each title, and the complaints about marks that name no rule."""
    coverage = {title: Coverage(index) for title, index in known.items()}
    complaints = []
    for mark in found:
        if not mark.reference:
            complaints.append(f"{mark.place}: a rule mark takes plain strings and nothing else")
            continue
        try:
            title, id_ = parse_reference(mark.reference)
        except ValueError as error:
            complaints.append(f"{mark.place}: {error}")
            continue
        if title not in coverage:
            complaints.append(f"{mark.place}: {mark.reference}: there is no rule index of {title}")
        elif id_ not in coverage[title].index:
            complaints.append(f"{mark.place}: {mark.reference}: there is no such rule")
        else:
            coverage[title].tested.add(id_)
    return coverage, complaints


def main() -> int:
    """Print the report; 1 if a rule has no test or a mark names no rule."""
    coverage, complaints = check(indexes(), marks())
    demanded = {title: covered for title, covered in coverage.items() if title in playable()}
    for title, covered in coverage.items():
        print(covered, "" if title in demanded else "(not a title yet)")
    for title, covered in demanded.items():
        for id_ in covered.gaps:
            print(f"  no test: {title}:{id_}")
        for id_ in covered.needless:
            print(f"  has a test, yet is said to need none: {title}:{id_}")
    for complaint in complaints:
        print(complaint)
    return int(bool(complaints) or any(c.gaps or c.needless for c in demanded.values()))


if __name__ == "__main__":
    sys.exit(main())
