import { deepEqual } from "node:assert/strict";
import { test } from "node:test";

import { successors } from "../src/table/successors";

test("a stop becomes the one to which its track leads", () => {
  deepEqual(successors([[0, 3]], [[1, 2], [0, 3, 4]]), [1]);
  deepEqual(successors([[5]], [[1, 2], [0, 3]]), []);
});

test("two stops become two, even where one of them fits both", () => {
  deepEqual(successors([[0], [0, 3]], [[0, 3], [0, 1]]), [1, 0]);
  // Stops without track take whatever is left.
  deepEqual(successors([[], [2]], [[2, 4], [1, 5]]), [1, 0]);
});

test("fewer stops than before take in several", () => {
  deepEqual(successors([[0], [3], [5]], [[0, 3]]), [0, 0, -1]);
});
