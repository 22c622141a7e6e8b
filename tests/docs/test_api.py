"""docs/api.md says what the docstrings say, and its examples run."""

from __future__ import annotations

import doctest
import re

import kursbuch
from tests.api_page import PAGE, SECTIONS, page

BLOCK = re.compile(r"^```pycon\n(.*?)^```$", re.M | re.S)


def test_the_page_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "python -m tests.api_page writes it anew"


def test_everything_public_is_on_it() -> None:
    names = {name for _, described in SECTIONS.values() for name in described}
    assert {f"kursbuch.{name}" for name in kursbuch.__all__} <= names


def test_its_examples_run() -> None:
    parser = doctest.DocTestParser()
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    blocks = BLOCK.findall(PAGE.read_text(encoding="utf-8"))
    assert len(blocks) > 20
    # A reader goes through the page from the top: what was imported once stays there.
    known: dict[str, object] = {}
    for number, block in enumerate(blocks):
        test = parser.get_doctest(block, known, f"block {number}", str(PAGE), 0)
        runner.run(test, clear_globs=False)
        known = test.globs
    assert runner.summarize(verbose=False).failed == 0
