import { equal } from "node:assert/strict";
import { test } from "node:test";

import { neighbour } from "../src/table/neighbour";

/** Something of two by two in the plane. */
function at(x: number, y: number): Element {
  return { getBoundingClientRect: () => ({ x: x - 1, y: y - 1, width: 2, height: 2 }) } as Element;
}

test("an arrow leads to what lies next in its direction", () => {
  const [here, right, below, far] = [at(0, 0), at(10, 0), at(0, 10), at(30, 0)] as const;
  const all = [here, far, right, below];
  equal(neighbour(here, all, "ArrowRight"), right);
  equal(neighbour(right, all, "ArrowRight"), far);
  equal(neighbour(far, all, "ArrowLeft"), right);
  equal(neighbour(here, all, "ArrowDown"), below);
  equal(neighbour(here, all, "ArrowUp"), null);
  equal(neighbour(here, all, "Enter"), null);
});

test("what lies aside of the way comes last", () => {
  const [here, aside, ahead] = [at(0, 0), at(5, 12), at(20, 0)] as const;
  equal(neighbour(here, [aside, ahead], "ArrowRight"), ahead);
  equal(neighbour(here, [aside], "ArrowRight"), aside);
});
