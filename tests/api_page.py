"""The page docs/api.md, made from docstrings: `python -m tests.api_page` writes it again."""

from __future__ import annotations

import ast
import doctest
import importlib
import inspect
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "api.md"

#: The sections of the page, each with what it is about, and what is described in it.
SECTIONS = {
    "Games": (
        "Start, load, verify and inspect games.",
        [
            "kursbuch.new",
            "kursbuch.load",
            "kursbuch.verify",
            "kursbuch.title",
            "kursbuch.titles",
            "kursbuch.Game",
            "kursbuch.View",
            "kursbuch.Move",
            "kursbuch.Copied",
            "kursbuch.Former",
            "kursbuch.Verification",
        ],
    ),
    "Decisions": (
        "Pending decisions, legal choices and actions.",
        [
            "kursbuch.Decision",
            "kursbuch.Choice",
            "kursbuch.Range",
            "kursbuch.Action",
            "kursbuch.Result",
        ],
    ),
    "Errors": (
        "All of them are `ValueError`s with one sentence for the person who gave the input.",
        ["kursbuch.KursbuchError", "kursbuch.IllegalAction", "kursbuch.RecordError"],
    ),
    "Words and drawings": (
        "Texts and drawings of a title; not needed to play.",
        [
            "kursbuch.Words",
            "kursbuch.core.voice.Voice",
            "kursbuch.core.voice.Pick",
            "kursbuch.core.voice.Compose",
            "kursbuch.core.voice.Panel",
            "kursbuch.core.voice.Row",
            "kursbuch.core.voice.Grid",
            "kursbuch.core.voice.Cell",
        ],
    ),
    "Computer opponents": (
        "See [opponents.md](opponents.md) for how they think.",
        [
            "kursbuch.bots.make",
            "kursbuch.bots.strengths",
            "kursbuch.bots.advise",
            "kursbuch.bots.Advice",
            "kursbuch.bots.Bot",
            "kursbuch.bots.Ranked",
            "kursbuch.core.evaluator.Evaluator",
            "kursbuch.core.evaluator.Plan",
        ],
    ),
    "Titles": (
        "What a game declares; [adding-a-game.md](adding-a-game.md) makes one.",
        [
            "kursbuch.Title",
            "kursbuch.core.title.Option",
            "kursbuch.core.title.ObjectionTexts",
            "kursbuch.core.state.State",
            "kursbuch.core.state.Step",
            "kursbuch.core.play.StepRules",
            "kursbuch.core.play.Play",
            "kursbuch.core.position.Position",
            "kursbuch.core.events.Event",
            "kursbuch.core.events.Payment",
            "kursbuch.core.state.Ledger",
        ],
    ),
}


@cache
def source(module: str) -> tuple[ast.Module, list[str]]:
    """A module's tree and its lines."""
    text = Path(str(importlib.import_module(module).__file__)).read_text(encoding="utf-8")
    return ast.parse(text), text.splitlines()


def page() -> str:
    """The whole page."""
    parts = [
        "# The API in Python",
        "This page is made from the docstrings (`python -m tests.api_page`); tests run its examples.",
        markdown(ast.get_docstring(source("kursbuch")[0]) or "", "kursbuch"),
    ]
    for title, (about, names) in SECTIONS.items():
        parts += [f"## {title}", about]
        for name in names:
            parts += described(name)
    return "\n\n".join(parts) + "\n"


def described(name: str) -> Iterator[str]:
    """A function, or a class with all that is public in it."""
    module, _, last = name.rpartition(".")
    found = getattr(importlib.import_module(module), last)
    tree, lines = source(inspect.unwrap(found).__module__)
    node = next(
        one
        for one in tree.body
        if isinstance(one, ast.ClassDef | ast.FunctionDef) and one.name == found.__name__
    )
    if isinstance(node, ast.FunctionDef):
        yield f"### `{module}.{signature(node)}`"
        yield documented(node, name, module)
        return
    yield f"### `{name}`"
    yield documented(node, name, module)
    fields = [one for one in node.body if isinstance(one, ast.AnnAssign)]
    if fields:
        yield "\n".join(attribute(one, lines) for one in fields)
    for one in node.body:
        if isinstance(one, ast.FunctionDef) and re.match(r"[a-z]|_$", one.name):
            kinds = {ast.unparse(each) for each in one.decorator_list}
            if any(kind.endswith(".setter") for kind in kinds):
                continue
            plain = kinds & {"property", "cached_property"}
            shown = f"{one.name}: {ast.unparse(one.returns)}" if plain and one.returns else ""
            yield f"#### `{shown or signature(one)}`"
            yield documented(one, f"{name}.{one.name}", module)


def attribute(node: ast.AnnAssign, lines: list[str]) -> str:
    """A field or an attribute, with the comments `#:` above it."""
    last = node.lineno - 1
    first = last
    while lines[first - 1].strip().startswith("#:"):
        first -= 1
    comment = " ".join(line.strip().removeprefix("#:").strip() for line in lines[first:last])
    return f"- `{ast.unparse(node)}`" + (f": {comment}" if comment else "")


def signature(node: ast.FunctionDef) -> str:
    """The first line of a function, without `def` and `self`."""
    given = re.sub(r"^self(, )?", "", ast.unparse(node.args))
    given = re.sub(r"(?<=[\w\]])=", " = ", given).replace("_contra", "")
    return f"{node.name}({given})" + (f" -> {ast.unparse(node.returns)}" if node.returns else "")


def documented(node: ast.ClassDef | ast.FunctionDef, name: str, module: str) -> str:
    """The docstring, which must be there."""
    docstring = ast.get_docstring(node)
    if not docstring:
        raise ValueError(f"{name} has no docstring")
    return markdown(docstring, module)


def markdown(docstring: str, module: str) -> str:
    """A docstring with its examples as blocks of code. In the source, examples may use what stands in
    the same module; on the page the first of them imports it."""
    examples = doctest.DocTestParser().get_examples(docstring)
    nodes = [node for example in examples for node in ast.walk(ast.parse(example.source))]
    names = [node for node in nodes if isinstance(node, ast.Name)]
    used = {node.id for node in names if isinstance(node.ctx, ast.Load)}
    used -= {node.id for node in names if isinstance(node.ctx, ast.Store)}
    used &= vars(importlib.import_module(module)).keys()
    for node in nodes:
        if isinstance(node, ast.Import | ast.ImportFrom):
            used -= {alias.name for alias in node.names}
    paragraphs = docstring.split("\n\n")
    for index, text in enumerate(paragraphs):
        if text.startswith(">>>"):
            needed = f">>> from {module} import {', '.join(sorted(used))}\n" if used else ""
            used = set()
            paragraphs[index] = f"```pycon\n{needed}{text}\n```"
    return "\n\n".join(paragraphs)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
