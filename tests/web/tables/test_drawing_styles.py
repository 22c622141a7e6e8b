"""Pages that show a drawing bring along the style sheet of its title."""

from __future__ import annotations

import re

import pytest

import kursbuch
from tests.web.visitors import Browser

pytestmark = pytest.mark.asyncio(loop_scope="module")

SHEET = re.compile(r'<link rel="stylesheet" href="(/titles/[^"]*)">')


@pytest.mark.parametrize("name", sorted(kursbuch.titles()))
async def test_pages_bring_the_style_of_the_drawing(anna: Browser, name: str) -> None:
    title = kursbuch.titles()[name]
    others = [f"hotseat Guest {seat}" for seat in range(1, title.seats.start)]
    table = await anna.open("me Anna", *others, title=name)
    pages = [table, f"{table}?move=0"] + ([f"/routes/{name}"] if title.planner else [])
    for path in pages:
        (address,) = SHEET.findall(await anna.page(path))
        answer = await anna.client.get(address)
        assert answer.status_code == 200
        assert answer.headers["content-type"].startswith("text/css")
        # What follows are the colours of its companies.
        assert answer.text.startswith(title.style)
    assert "light-dark(" in title.style
    # Pages and what they fetch into themselves carry no style that stands in an element.
    for path in (*pages, f"{table}/live", f"{table}/pieces.svg", f"/legend/{name}", f"/aid/{name}"):
        assert not re.search(r"""<style|\sstyle=["']""", (await anna.client.get(path)).text), path
    policy = (await anna.client.get(table)).headers["content-security-policy"]
    assert "style-src 'self';" in policy
    assert "unsafe" not in policy
    # Files need nothing else, and are light.
    drawn = (await anna.client.get(f"{table}/board.svg")).text
    assert "<svg" in drawn
    assert not re.search("light-dark|<style|var\\(", drawn)


async def test_other_pages_have_none(anna: Browser) -> None:
    assert not SHEET.search(await anna.page("/"))
    assert "There is no title" in await anna.page("/titles/nothing/drawing.css", 404)
