import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";

import { Several } from "../src/table/several";
import { choice } from "./make";

/** Two dice are given back, of two red ones and a blue one. */
const pairs = ["red red", "red blue"].map((keys) => choice(keys, { several: true }));
const dice = (): Several => new Several("Give back", pairs);

test("a key counts as often as one choice has it", () => {
  const several = dice();
  deepEqual([...several.keys], [["red", 2], ["blue", 1]]);
  deepEqual([several.least, several.most], [2, 2]);
});

test("what is marked makes a choice, in any order", () => {
  const several = dice();
  several.toggle("blue", 0);
  equal(several.chosen(), undefined);
  several.toggle("red", 1);
  equal(several.chosen(), pairs[1]);
  equal(several.has("red", 1), true);
  equal(several.has("red", 0), false);
});

test("what is marked twice is let go", () => {
  const several = dice();
  several.toggle("red", 0);
  several.toggle("red", 0);
  deepEqual(several.marked, []);
});

test("what was marked first makes room", () => {
  const several = dice();
  several.toggle("red", 0);
  several.toggle("blue", 0);
  several.toggle("red", 1);
  deepEqual(several.marked, [{ key: "blue", index: 0 }, { key: "red", index: 1 }]);
});

test("a choice from the list marks its elements", () => {
  const several = dice();
  several.mark(choice("red red"));
  deepEqual(several.marked, [{ key: "red", index: 0 }, { key: "red", index: 1 }]);
  equal(several.chosen(), pairs[0]);
});

test("marks are kept among new choices only where they are possible", () => {
  const several = dice();
  several.keep([{ key: "red", index: 1 }]);
  equal(several.marked.length, 1);
  several.keep([{ key: "green", index: 0 }]);
  deepEqual(several.marked, [{ key: "red", index: 1 }]);
});
