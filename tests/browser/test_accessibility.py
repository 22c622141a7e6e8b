"""What a checker of accessibility finds on every page, in both themes: nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

import kursbuch
from tests.browser.positions import place, sit_down

AXE = Path(__file__).parents[2] / "node_modules" / "axe-core" / "axe.min.js"
TITLES = sorted(kursbuch.titles())


def violations(page: Page, *rules: str) -> list[str]:
    """Every rule (of these, if some are named) that is broken, with the elements that break it.
    What is lettered on a drawing need not be part of the names of what can be pointed at there:
    coordinates are, the rest is a picture."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text("utf-8"))
    found: list[str] = page.evaluate(
        """async rules => (await axe.run(document, {
               resultTypes: ['violations'], ...(rules.length ? { runOnly: rules } : {}) })).violations
               .map(one => one.id === 'label-content-name-mismatch'
                 ? { ...one, nodes: one.nodes.filter(node => !/board-now/.test(node.target.join())
                     && !/^<g /.test(node.html)) } : one)
               .filter(one => one.nodes.length)
               .map(one => `${one.id}: ${one.nodes.slice(0, 3).map(node => node.html.slice(0, 160))}`)""",
        list(rules),
    )
    return found


def in_both_themes(page: Page) -> list[str]:
    """What is broken as the page stands: all rules in the light theme, those of colours in the dark one, too."""
    found = violations(page)
    page.emulate_media(color_scheme="dark")
    found += [f"dark: {one}" for one in violations(page, "color-contrast")]
    page.emulate_media(color_scheme="light")
    return found


#: Titles draw differently in the middle of a game; what all pages show at the end is made alike.
MOMENTS = [
    *((title, "late") for title in TITLES),
    ("rocket", "end"),
    *(
        pytest.param(title, moment, marks=pytest.mark.long)
        for title in TITLES
        for moment in ("early", "end")
        if (title, moment) != ("rocket", "end")
    ),
]


@pytest.mark.parametrize(("title", "moment"), MOMENTS)
def test_a_table(visit: Any, database: Path, title: str, moment: str) -> None:
    page = visit(language="de" if moment == "late" else "en")
    sit_down(page, database, place(database, title, moment))
    assert in_both_themes(page) == []


def test_the_other_pages(visit: Any, long: bool) -> None:
    page = visit()
    # Those of all titles are made alike.
    titles = TITLES if long else ["rocket"]
    paths = [
        "/",
        "/nothing",
        *(f"/{kind}/{title}" for title in titles for kind in ("rules", "learn", "aid")),
        *(f"/new?title={title}" for title in (titles if long else ["1835"])),
        *(f"/components/{title}" for title in (titles if long else ["rocket", "dice"])),
    ]
    planned = [title for title in TITLES if kursbuch.title(title).planner is not None]
    paths += [f"/routes/{title}" for title in (planned if long else planned[:1])]
    for path in paths:
        page.goto(path)
        assert in_both_themes(page) == [], path
