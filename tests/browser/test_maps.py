"""The maps and sheets of the 18xx titles can be read: full maps, in the light and in the dark, on screens of
several sizes."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import SERVE
from tests.browser.table import open_table, take_device

#: The map of every new game is as full as at the end of one.
FULL = """
import kursbuch
from tests.games.g18xx.late import LATE, layout

for name in LATE:
    kind = type(kursbuch.titles()[name])

    def setup(self, seats, options, usual=kind.setup, name=name):
        state = usual(self, seats, options)
        state.layout = layout(name)
        return state

    kind.setup = setup
"""

#: For every text that is seen: how high its letters are, and its contrast to what is around it.
READ = """() => {
  const colour = (text) => {
    const found = text.match(/rgba?\\(([^)]*)\\)/);
    return found ? found[1].split(/[ ,/]+/).map(Number) : null;
  };
  const over = (top, below, opacity) => {
    const alpha = (top[3] ?? 1) * opacity;
    return below.map((value, index) => top[index] * alpha + value * (1 - alpha));
  };
  const light = ([r, g, b]) => [r, g, b].map((value) => value / 255)
    .map((value) => (value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
    .reduce((sum, value, index) => sum + value * [0.2126, 0.7152, 0.0722][index], 0);
  const contrast = (one, other) => {
    const [high, low] = [light(one), light(other)].sort((a, b) => b - a);
    return (high + 0.05) / (low + 0.05);
  };
  const view = document.querySelector('.board-view');
  const ground = colour(getComputedStyle(view).backgroundColor).slice(0, 3);
  const style = new CSSStyleSheet();
  style.replaceSync('#board-now svg * { pointer-events: all !important; } .legend-link { display: none; }');
  document.adoptedStyleSheets.push(style);
  const frame = view.getBoundingClientRect();
  const found = [];
  for (const text of document.querySelectorAll('#board-now svg text')) {
    const look = getComputedStyle(text);
    const box = text.getBoundingClientRect();
    if (look.visibility === 'hidden' || !box.width || !text.textContent.trim()) continue;
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    if (x < frame.left || x > frame.right || y < frame.top || y > frame.bottom) continue;
    const matrix = text.getScreenCTM();
    const size = parseFloat(look.fontSize) * Math.hypot(matrix.c, matrix.d);
    let around = look.paintOrder.startsWith('stroke') ? colour(look.stroke) : null;
    if (!around) {
      around = ground;
      const below = document.elementsFromPoint(x, y)
        .filter((element) => element.closest('#board-now svg') && element.localName !== 'text');
      for (const element of below.reverse()) {
        const shape = getComputedStyle(element);
        const fill = element.localName === 'svg' ? null : colour(shape.fill);
        if (fill) around = over(fill, around, Number(shape.fillOpacity));
      }
    }
    found.push([text.textContent, size, contrast(colour(look.fill), around)]);
  }
  document.adoptedStyleSheets.pop();
  return found;
}"""


@pytest.fixture(scope="module")
def program() -> str:
    """A server of full maps."""
    return FULL + SERVE


def full(visit: Any, title: str, **visitor: Any) -> Page:
    """A table with a full map."""
    page: Page = visit(**visitor)
    open_table(page, *["hotseat"] * 3, title=title)
    take_device(page)
    expect(page.locator("#board-now > svg")).to_be_visible()
    return page


@pytest.mark.parametrize("title", ["1835", "1853"])
def test_everything_is_large_and_clear_enough(visit: Any, title: str) -> None:
    page = full(visit, title, size=(1440, 900))
    sheets = page.locator("#sheets button")
    for number in range(sheets.count()):
        sheets.nth(number).click()
        name = sheets.nth(number).inner_text()
        expect(sheets.nth(number)).to_have_attribute("aria-pressed", "true")
        for theme in ("light", "dark"):
            page.emulate_media(color_scheme=theme)
            texts = page.evaluate(READ)
            assert len(texts) > (100 if name == "Map" else 12), name
            small = [(text, size) for text, size, _ in texts if size < 10]
            assert not small, (name, small)
            faint = [(text, contrast) for text, _, contrast in texts if contrast < 4.5]
            assert not faint, (name, theme, faint)


def test_the_page_shows_or_hides_what_the_reader_wants(visit: Any) -> None:
    page = full(visit, "1835", size=(1440, 900))
    page.get_by_role("button", name="Map", exact=True).click()
    name = page.locator("#board-now .name", has_text="Hannover")
    number = page.locator("#board-now .rim", has_text="K").first
    expect(name).to_be_visible()
    expect(number).to_be_visible()
    for setting, element in (("names", name), ("numbers", number)):
        page.evaluate(
            "name => document.documentElement.setAttribute(name, 'off')", f"data-map-{setting}"
        )
        expect(element).to_be_hidden()
    # The numbers within hexes and those of tiles are shown from nearby.
    tile = page.locator("#board-now .tile-id").first
    assert tile.evaluate("one => getComputedStyle(one).visibility") == "hidden"
    for _ in range(4):
        page.keyboard.press("+")
    assert tile.evaluate("one => getComputedStyle(one).visibility") == "visible"
    page.evaluate("document.documentElement.setAttribute('data-map-tiles', 'off')")
    assert tile.evaluate("one => getComputedStyle(one).display") == "none"


def test_the_legend_opens_over_the_board(visit: Any) -> None:
    page = full(visit, "1853", size=(1440, 900))
    page.get_by_role("link", name="Legend").click()
    card = page.locator("dialog[open] .legend")
    expect(card).to_contain_text("metre gauge")
    expect(card).to_contain_text("chosen")
    page.keyboard.press("Escape")
    expect(page.locator("dialog[open]")).to_have_count(0)
