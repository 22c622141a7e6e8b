"""The board in words, for readers who do not see the drawing."""

from __future__ import annotations

import html
import re

import pytest

import kursbuch
from tests.web.visitors import Browser

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.mark.parametrize("title", sorted(kursbuch.titles()))
async def test_every_element_has_its_words(anna: Browser, title: str) -> None:
    others = ["bot random"] * (kursbuch.title(title).seats.start - 1)
    table = await anna.open("me Anna", *others, title=title)
    page = await anna.page(f"{table}/places")
    drawing = (await anna.client.get(f"{table}/board.svg")).text
    keys = set(re.findall(r'data-pick="([^"]+)"', drawing))
    named = re.findall("<li[^>]*><strong>(.*?)</strong>", page)
    assert len(named) == len(keys)
    assert all(html.unescape(name).strip() for name in named)
    popup = await anna.client.get(f"{table}/places", headers={"x-part": "true"})
    assert "<html" not in popup.text
    assert popup.text.count("<li") == len(named)


async def test_the_board_in_words_as_of_any_move(anna: Browser, clara: Browser) -> None:
    table = await anna.open("me Anna", "hotseat Bernd")
    before = await clara.page(f"{table}/places?move=0")
    await anna.move(table)
    assert await clara.page(f"{table}/places?move=0") != await clara.page(f"{table}/places")
    assert "Manchester" in before
    assert (await clara.client.get(f"{table}/places?move=9")).status_code == 422
    lobby = await anna.open("me Anna", "open")
    assert "has not begun" in await clara.page(f"{lobby}/places", status=409)
