"""The drawing of every game is light or dark, as the reader wants it."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

import kursbuch
from tests.browser.table import open_table, pick, take_device

#: The colours of the page and those in the drawing, by class.
COLOURS = """() => {
  const found = {'the page': getComputedStyle(document.querySelector('.board-view')).backgroundColor};
  for (const element of document.querySelectorAll('#board-now svg [class]:not(.sign)')) {
    const { fill, stroke } = getComputedStyle(element);
    found[element.getAttribute('class')] = `${fill} ${stroke}`;
  }
  return found;
}"""


def colours(page: Page) -> dict[str, str]:
    found: dict[str, str] = page.evaluate(COLOURS)
    return found


def opened(visit: Any, title: str) -> Page:
    """A new game at one device, in light colours."""
    page: Page = visit()
    others = kursbuch.title(title).seats.start - 1
    open_table(page, *["hotseat"] * others, title=title)
    take_device(page)
    expect(page.locator("#board-now > svg")).to_be_visible()
    return page


@pytest.mark.parametrize("title", sorted(kursbuch.titles()))
def test_drawings_are_light_or_dark(visit: Any, title: str) -> None:
    page = opened(visit, title)
    light = colours(page)
    page.emulate_media(color_scheme="dark")
    dark = colours(page)
    assert light["the page"] != dark["the page"]
    # Enough of the drawing to be read in the dark.
    assert sum(light[key] != dark[key] for key in light if key != "the page") >= 4


def test_the_reader_chooses_between_them(visit: Any) -> None:
    page = opened(visit, "nimm")
    light = colours(page)
    pick(page, "Colours", "dark")
    dark = colours(page)
    assert light["the page"] != dark["the page"]
    pick(page, "Colours", "light")
    assert colours(page) == light

    # As the system has it, unless the reader has chosen.
    pick(page, "Colours", "same as the device")
    page.emulate_media(color_scheme="dark")
    page.reload()
    take_device(page)
    expect(page.locator("#board-now > svg")).to_be_visible()
    assert colours(page)["the page"] == dark["the page"]
