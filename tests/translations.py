"""The texts of the program and their German forms.

`python -m tests.translations` brings the catalogue up to date: texts that are no longer used go, new
ones are added without a translation and listed.
"""

from __future__ import annotations

import ast
import io
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, cast

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "kursbuch"
GERMAN = SOURCE / "locale" / "de" / "LC_MESSAGES" / "kursbuch.po"

#: Functions that take a template, with the index of that argument.
TEMPLATES = {
    "_": 0,
    "N_": 0,
    "ngettext": 0,
    "KursbuchError": 0,
    "UnknownRule": 0,
    "NotNow": 0,
    "OtherGame": 0,
    "CannotTake": 0,
    "DoesNotFit": 0,
    "cannot": 0,
    "IllegalAction": 1,
    "without": 1,
    "TooLittle": 1,
    "RecordError": 2,
    "_malformed": 1,
    "WrongDraw": 1,
    "_require": 1,
    "require": 1,
    "Plural": 0,
    "PickSpec": 0,
    "Sentence": 0,
    "Line": 0,
    "Form": 0,
    "Name": 0,
    "Number": 0,
}

Text = str | tuple[str, str]


def in_python(path: Path) -> Iterator[Text]:
    """The templates in a Python file, those inside f-strings included."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call):
            continue
        name = getattr(node.func, "id", getattr(node.func, "attr", ""))
        yield from filter(None, in_values(name, node))
        index = TEMPLATES.get(name)
        if index is None or len(node.args) <= index:
            continue
        given = [arg.value for arg in node.args[index:] if isinstance(arg, ast.Constant)]
        texts = [value for value in given if isinstance(value, str)]
        if texts and isinstance(node.args[index], ast.Constant):
            plural = name in ("ngettext", "Plural") or (
                name in ("Sentence", "Line") and len(texts) > 1
            )
            yield (texts[0], texts[1]) if plural else texts[0]


def in_values(name: str, node: ast.Call) -> Iterator[str]:
    """The words of a move or correction that a value is written with."""
    if name == "OneOf" and isinstance(node.args[0], ast.Dict):
        yield from map(constant, node.args[0].keys)
    if name == "Field" and node.args:
        yield constant(node.args[0]).upper()
    yield from (constant(each.value) for each in node.keywords if each.arg == "nothing")


def constant(node: ast.expr | None) -> str:
    """The text of a literal; empty for anything else."""
    value = node.value if isinstance(node, ast.Constant) else ""
    return value if isinstance(value, str) else ""


def texts() -> dict[Text, str]:
    """Every text of the program with a file it is in."""
    found: dict[Text, str] = {}
    for path in sorted(SOURCE.rglob("*.py")):
        for text in in_python(path):
            found.setdefault(text, str(path.relative_to(SOURCE)))
    for name, _, message, _, _ in extract_from_dir(SOURCE, [("web/**.html", "jinja2")]):
        text = (message[0], message[1]) if isinstance(message, tuple) else message
        if text:
            found.setdefault(text, name)
    return found


def forms(text: object) -> list[str]:
    """All forms of a text or of its translation."""
    return [text] if isinstance(text, str) else [str(form) for form in cast("list[str]", text)]


def key(text: object) -> str:
    """The English singular, by which the catalogue finds a text."""
    return forms(text)[0]


def catalogue() -> Catalog:
    """The German catalogue."""
    with GERMAN.open("rb") as file:
        return read_po(file, locale="de")


def write(translations: Mapping[str, Any]) -> list[Text]:
    """Write the catalogue with these translations by English singular; returns what is missing."""
    new = Catalog(locale="de", fuzzy=False)
    found = {}
    for text in texts():
        if key(text) not in found or not isinstance(text, str):
            found[key(text)] = text
    for name, text in found.items():
        new.add(text, translations.get(name, "" if isinstance(text, str) else ("", "")))
    body = io.BytesIO()
    write_po(body, new, sort_output=True, omit_header=True, width=100)
    header = GERMAN.read_bytes().split(b"\n\n")[0]
    GERMAN.write_bytes(header + b"\n\n" + body.getvalue().strip() + b"\n")
    return [text for name, text in found.items() if not any(forms(translations.get(name, "")))]


if __name__ == "__main__":
    known = {key(message.id): message.string for message in catalogue() if message.id}
    for missing in write(known):
        print(f"not translated: {missing}")
