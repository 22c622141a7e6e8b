"""The end of a game, and numbers over time: readable on every screen, in light and dark."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

import kursbuch
from tests.browser.positions import place, sit_down, whole_game
from tests.browser.test_accessibility import violations

TITLES = sorted(kursbuch.titles())
SCREENS = [
    ((390, 844), "light"),
    pytest.param((390, 844), "dark", marks=pytest.mark.long),
    pytest.param((1440, 900), "light", marks=pytest.mark.long),
    ((1440, 900), "dark"),
]

#: The size of the letters of drawings that are shown, and their contrast.
LETTERS = """() => {
  const light = color => {
    const [red, green, blue] = color.match(/[\\d.]+/g).slice(0, 3).map(value => {
      const part = Number(value) / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const found = [];
  for (const text of document.querySelectorAll('svg.chart text')) {
    const chart = text.closest('svg');
    if (!chart.getClientRects().length) continue;
    const [bright, dark] = [getComputedStyle(text).fill, getComputedStyle(chart).backgroundColor]
      .map(light).sort((a, b) => b - a);
    found.push({
      size: parseFloat(getComputedStyle(text).fontSize) * chart.getScreenCTM().a,
      contrast: (bright + 0.05) / (dark + 0.05),
    });
  }
  return found;
}"""


def readable(page: Page) -> None:
    """Nothing is wider than the screen; letters of drawings are large and clear enough."""
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    letters = page.evaluate(LETTERS)
    assert len(letters) > 5
    assert min(letter["size"] for letter in letters) >= 11
    assert min(letter["contrast"] for letter in letters) >= 4.5


@pytest.mark.parametrize(("size", "theme"), SCREENS)
def test_the_end_of_a_game(visit: Any, database: Path, size: tuple[int, int], theme: str) -> None:
    page = visit(size=size, theme=theme)
    for title in TITLES:
        game = whole_game(title)
        sit_down(page, database, place(database, title, "end"))
        result = page.locator(".result")
        seats = len(game.names)
        expect(result.locator(".ranking li")).to_have_count(seats)
        expect(result.locator(".ranking .bar-of-parts")).to_have_count(seats)
        expect(result.locator(".why-over")).to_contain_text("The game is over")
        expect(result.locator(".sources tbody").first).to_be_visible()
        expect(result.locator(".highlights div").first).to_be_visible()
        readable(page)
        if size[0] < 600:
            # It comes after the board and before what everybody has.
            tops = [
                page.locator(part).first.bounding_box()["y"]
                for part in (".board-column", ".console", ".seats")
            ]
            assert tops == sorted(tops)
        result.get_by_role("link", name="Replay from the start").click()
        expect(page.locator("#live")).to_have_attribute("data-past", "0")


@pytest.mark.parametrize(("size", "theme"), SCREENS)
def test_numbers_over_time(visit: Any, database: Path, size: tuple[int, int], theme: str) -> None:
    page = visit(size=size, theme=theme)
    for title in TITLES:
        path = place(database, title, "late")
        sit_down(page, database, f"{path}/numbers")
        # Each curve is drawn for wide and for small screens, and one of them is shown.
        drawn = page.locator("svg.chart").count()
        expect(page.locator("svg.chart:visible")).to_have_count(drawn // 2)
        readable(page)
        assert violations(page) == []
    with page.expect_download() as download:
        page.get_by_role("link", name="All numbers for a spreadsheet").click()
    assert download.value.path().read_text("utf-8-sig").startswith("Sheet,Line,Move,Column,Value")
    # A line of a sheet leads to the table as it was then.
    link = page.locator(".sheet tbody th a").first
    number = str(link.get_attribute("href")).rsplit("=", 1)[1]
    link.click()
    expect(page.locator("#live")).to_have_attribute("data-past", number)
