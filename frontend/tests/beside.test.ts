import { equal } from "node:assert/strict";
import { test } from "node:test";

import { beside, type Box } from "../src/table/beside";

const SCREEN = { width: 1000, height: 700 };
const CARD = { width: 300, height: 200 };

function covers(place: { x: number; y: number }, about: Box): boolean {
  const right = place.x + CARD.width;
  const bottom = place.y + CARD.height;
  return place.x < about.right && right > about.left && place.y < about.bottom && bottom > about.top;
}

test("a card lies to the right, else to the left, below or above, and never over what it is about", () => {
  const boxes: [Box, string][] = [
    [{ left: 100, top: 300, right: 140, bottom: 340 }, "right"],
    [{ left: 900, top: 300, right: 940, bottom: 340 }, "left"],
    [{ left: 100, top: 20, right: 900, bottom: 60 }, "below"],
    [{ left: 100, top: 640, right: 900, bottom: 680 }, "above"],
  ];
  for (const [about, side] of boxes) {
    const place = beside(about, CARD, SCREEN);
    equal(covers(place, about), false);
    const found =
      place.x >= about.right ? "right"
      : place.x + CARD.width <= about.left ? "left"
      : place.y >= about.bottom ? "below"
      : "above";
    equal(found, side);
  }
});

test("a card stays on the screen at its corners", () => {
  for (const left of [0, 960]) {
    for (const top of [0, 660]) {
      const about = { left, top, right: left + 40, bottom: top + 40 };
      const { x, y } = beside(about, CARD, SCREEN);
      equal(x >= 0 && y >= 0 && x + CARD.width <= SCREEN.width && y + CARD.height <= SCREEN.height, true);
      equal(covers({ x, y }, about), false);
    }
  }
});
