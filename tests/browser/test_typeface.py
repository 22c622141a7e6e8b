"""Pages and drawings are lettered in our own typeface, as wide as the drawings reckon."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from kursbuch.hexmap.svg import BOLD, width
from tests.browser.positions import place, sit_down
from tests.games.overlaps import boxes
from tests.games.test_maps import map_of

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


#: The drawing without what pages lay on it.
DRAWING = """() => {
  const drawing = document.querySelector('#board-now > svg').cloneNode(true);
  for (const laid of drawing.querySelectorAll('.signs, [data-layer]')) laid.remove();
  return drawing.outerHTML;
}"""

#: The boxes of the lettering of the map from nearby, in its units: text, left, top, right, bottom.
BOXES = """async () => {
  await document.fonts.ready;
  const svg = document.querySelector('#board-now > svg');
  const near = svg.getScreenCTM().inverse();
  return [...svg.querySelectorAll('text')].filter(text => text.getBBox().width).map(text => {
    const { x, y, width, height } = text.getBBox();
    const matrix = near.multiply(text.getScreenCTM());
    const [from, to] = [new DOMPoint(x, y), new DOMPoint(x + width, y + height)]
      .map(point => point.matrixTransform(matrix));
    return [text.textContent, from.x, from.y, to.x, to.y];
  });
}"""


@pytest.mark.parametrize(
    ("title", "size"), [("1835", (390, 844)), ("1853", (1440, 900)), ("rocket", (390, 844))]
)
def test_lettering_lies_where_drawings_reckon(
    visit: Any, database: Path, title: str, size: tuple[int, int]
) -> None:
    """So what covers nothing by its reckoned boxes covers nothing on the screen."""
    page = visit(size=size)
    sit_down(page, database, place(database, title, "late"))
    expect(page.locator("#board-now > svg")).to_be_visible()
    if title != "rocket":
        page.get_by_role("button", name="Map", exact=True).click()
    reckoned = boxes(map_of(page.evaluate(DRAWING)), near=True)
    found: dict[str, list[tuple[float, ...]]] = {}
    for text, *box in page.evaluate(BOXES):
        found.setdefault(text, []).append(tuple(box))
    seen = 0
    for one in reckoned:
        if one.kind in ("disc", "piece") or one.text not in found:
            continue
        seen += 1
        # Real letters are hardly wider than reckoned, and stand on the same line. Small ones are rounded.
        slack = 2.5 + 0.04 * (one.right - one.left)
        assert any(
            left > one.left - slack
            and right < one.right + slack
            and top < one.top < one.bottom < bottom
            for left, top, right, bottom in found[one.text]
        ), (one, found[one.text])
    assert seen > 30
