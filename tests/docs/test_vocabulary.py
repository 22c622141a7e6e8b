"""Docstrings, comments, pages and English texts avoid words that make a sentence read like a translation."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.translations import forms, texts

ROOT = Path(__file__).parents[2]
BANNED = re.compile(r"\b(somebody|nobody|whoever|anew|so many)\b", re.IGNORECASE)
CODE = ("src", "tests", "benchmarks", "examples", "run.py", "release.py", "hatch_build.py")
#: Comments of scripts, style sheets and templates.
COMMENT = re.compile(r"/\*.*?\*/|(?<![:\"'`])//[^\n]*|\{#.*?#\}", re.DOTALL)


def files(*patterns: str) -> list[Path]:
    """Files of the project that match one of these patterns, without what is built or installed."""
    found = [path for pattern in patterns for path in ROOT.glob(pattern) if path.is_file()]
    built = {"node_modules", "dist", ".venv"}
    return sorted(path for path in found if not built & set(path.parts))


def prose(source: str) -> Iterator[tuple[int, str]]:
    """The docstrings and comments of a Python file, each with its line.

    >>> list(prose('\"\"\"A module.\"\"\"\\nx = "text"  # a comment'))
    [(1, 'A module.'), (2, '# a comment')]
    """
    kinds = ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, kinds) and (text := ast.get_docstring(node)):
            yield (node.body[0].lineno, text)
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield (token.start[0], token.string)


def found(path: Path, texts: Iterator[tuple[int, str]]) -> list[str]:
    """What is wrong in these texts of a file."""
    return [
        f"{path.relative_to(ROOT)}:{line}: {match[0]}"
        for line, text in texts
        for match in BANNED.finditer(text)
        if path != Path(__file__)
    ]


def lines(text: str) -> Iterator[tuple[int, str]]:
    yield from enumerate(text.splitlines(), 1)


@pytest.mark.parametrize("place", CODE)
def test_docstrings_and_comments(place: str) -> None:
    paths = files(f"{place}/**/*.py") or files(place)
    assert paths
    assert not [line for path in paths for line in found(path, prose(path.read_text("utf-8")))]


def test_comments_of_pages() -> None:
    paths = files("frontend/**/*.ts", "frontend/**/*.css", "src/**/*.html", "src/**/*.css")
    assert len(paths) > 100
    comments = {path: " ".join(COMMENT.findall(path.read_text("utf-8"))) for path in paths}
    assert not [line for path, text in comments.items() for line in found(path, lines(text))]


def test_documents() -> None:
    paths = files("README.md", "CHANGELOG.md", "docs/*.md", "src/**/*.txt", "deploy/**/*")
    assert len(paths) > 15
    prose = {path: re.sub(r"`[^`\n]+`", "", path.read_text("utf-8")) for path in paths}
    assert not [line for path, text in prose.items() for line in found(path, lines(text))]


def test_english_texts() -> None:
    wrong = {form for text in texts() for form in forms(text) if BANNED.search(form)}
    assert wrong == {"nobody"}, "only as a value in the notation of Railroad Dice"
