"""Measures every text of a drawing as it is on the screen: how large, and how well it stands out."""

from __future__ import annotations

from typing import NamedTuple

from playwright.sync_api import Page

#: Every visible text of the drawing: its letters, its size in pixels, and its contrast against what is painted
#: below its middle, or against its halo.
MEASURE = """() => {
  const light = (value) => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  const colour = (text) => {
    const parts = (text.match(/[\\d.]+(?:e-?\\d+)?/g) ?? []).map(Number);
    const [r, g, b, a = 1] = text.startsWith('color(')
      ? [parts[0] * 255, parts[1] * 255, parts[2] * 255, parts[3]] : parts;
    return { parts: [r, g, b], a };
  };
  const over = (top, below) => top.parts.map((part, n) => part * top.a + below[n] * (1 - top.a));
  const luminance = ([r, g, b]) =>
    0.2126 * light(r / 255) + 0.7152 * light(g / 255) + 0.0722 * light(b / 255);
  const contrast = (one, other) => {
    const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  };
  const svg = document.querySelector('#board-now > svg');
  const style = new CSSStyleSheet();
  style.replaceSync('#board-now svg * { pointer-events: all !important; }');
  document.adoptedStyleSheets.push(style);
  const found = [];
  for (const text of svg.querySelectorAll('text')) {
    text.scrollIntoView({ block: 'center' });
    const frame = svg.closest('.board-view').getBoundingClientRect();
    const box = text.getBoundingClientRect();
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const shown = getComputedStyle(text);
    const hidden = shown.visibility === 'hidden' || shown.display === 'none' || !box.width;
    const out = x < frame.left || x > frame.right || y < frame.top || y > frame.bottom;
    if (hidden || out) continue;
    const matrix = text.getScreenCTM();
    const size = parseFloat(shown.fontSize) * Math.hypot(matrix.a, matrix.b);
    let ground = colour(getComputedStyle(svg.closest('.board-view')).backgroundColor).parts;
    const halo = shown.paintOrder.startsWith('stroke') && parseFloat(shown.strokeWidth) > 1;
    if (halo) {
      ground = colour(shown.stroke).parts;
    } else {
      for (const element of document.elementsFromPoint(x, y).reverse()) {
        if (!svg.contains(element) || element.matches('text, tspan, .sign, .sign *, g, svg')) continue;
        // What is painted after the text lies above it.
        if (!(element.compareDocumentPosition(text) & Node.DOCUMENT_POSITION_FOLLOWING)) continue;
        const look = getComputedStyle(element);
        if (look.fill === 'none' || look.fill.startsWith('url')) continue;
        const paint = colour(look.fill);
        paint.a *= parseFloat(look.fillOpacity) * parseFloat(look.opacity);
        ground = over(paint, ground);
      }
    }
    found.push([text.textContent, size, contrast(over(colour(shown.fill), ground), ground)]);
  }
  document.adoptedStyleSheets.pop();
  return found;
}"""


class Lettering(NamedTuple):
    """A text of a drawing."""

    letters: str
    size: float
    contrast: float


def lettering(page: Page) -> list[Lettering]:
    """Every text of the drawing on a page."""
    return [Lettering(*one) for one in page.evaluate(MEASURE)]
