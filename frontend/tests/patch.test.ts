import { deepEqual } from "node:assert/strict";
import { test } from "node:test";

import { patched } from "../src/table/patch";

test("what stays is taken from the text before", () => {
  deepEqual(patched(["a", "b", "c", "d"], [0, 1, "x-y", 2, 2], "-"), ["a", "x", "y", "c", "d"]);
});

test("the first text comes whole", () => {
  deepEqual(patched([], ["a-b"], "-"), ["a", "b"]);
});

test("pieces may be empty, come twice, or be gone", () => {
  deepEqual(patched(["a", "", "b"], [2, 1, "-", 0, 1, 0, 1], "-"), ["b", "", "", "a", "a"]);
});
