import { deepEqual } from "node:assert/strict";
import { test } from "node:test";

import { call } from "../src/table/countdown";

test("in the last seconds is called out that the time runs out", () => {
  const calls = ["twice", "once"];
  deepEqual(
    [9, 5, 4, 3, 2, 1, 0].map((left) => call(calls, left)),
    ["", "", "once", "once", "twice", "twice", ""],
  );
  deepEqual(call([], 1), "");
});
