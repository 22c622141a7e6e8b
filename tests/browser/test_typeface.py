"""Pages and drawings are lettered in our own typeface, as wide as the drawings reckon."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from kursbuch.hexmap.svg import BOLD, width
from tests.browser.positions import place, sit_down

#: Text, font size, whether bold, and width without what squeezes it, of all lettering of a drawing.
READ = """async () => {
  await document.fonts.ready;
  return [...document.querySelectorAll('#board-now > svg text:not([textLength])')]
    .filter(text => text.textContent.trim())
    .map(text => [
      text.textContent, parseFloat(getComputedStyle(text).fontSize),
      getComputedStyle(text).fontWeight >= 600, text.getComputedTextLength(),
    ]);
}"""

LOADED = """async () => {
  await document.fonts.ready;
  return [...document.fonts].filter(font => font.family === 'Barlow').map(font => font.status);
}"""

FIGURES = """() => ['1111', '8888', '4707'].map(figures => {
  const text = document.createElement('span');
  text.textContent = figures;
  document.querySelector('main').append(text);
  return text.getBoundingClientRect().width;
})"""


@pytest.mark.parametrize("title", ["1835", "1853", "dice", "nimm", "rocket"])
def test_drawings_reckon_with_the_widths_of_the_typeface(
    visit: Any, database: Path, title: str
) -> None:
    page = visit(size=(1440, 900))
    sit_down(page, database, place(database, title, "late"))
    expect(page.locator("#board-now > svg")).to_be_visible()
    assert page.evaluate(LOADED) == ["loaded"] * 2
    found = page.evaluate(READ)
    assert len(found) > 20
    for text, size, bold, wide in found:
        if "★" in text or "⚡" in text:  # from another typeface
            continue
        reckoned = width(text, size) * (BOLD if bold else 1)
        assert 0.8 * reckoned - 1 < wide < 1.04 * reckoned + 1, text


def test_figures_stand_below_each_other(visit: Any) -> None:
    page = visit("/")
    assert page.evaluate(LOADED) == ["loaded"] * 2
    assert len(set(page.evaluate(FIGURES))) == 1
