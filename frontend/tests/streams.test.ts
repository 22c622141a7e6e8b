import { deepEqual } from "node:assert/strict";
import { test } from "node:test";

import { MOST, tooMany } from "../src/table/streams";

const seen = (id: string) => ({ id, hidden: false });
const behind = (id: string) => ({ id, hidden: true });

test("as long as there are few all listen", () => {
  deepEqual(tooMany(["a", "b", "c", "d"].slice(0, MOST).map(behind)), []);
});

test("of many those in the background give way, the same ones wherever it is asked", () => {
  const all = [behind("e"), seen("a"), behind("c"), behind("b"), seen("d"), behind("f")];
  deepEqual(tooMany(all), ["b", "c"]);
  deepEqual(tooMany([...all].reverse()), ["b", "c"]);
});

test("pages that somebody sees go on listening", () => {
  deepEqual(tooMany(["a", "b", "c", "d", "e", "f"].map(seen)), []);
});
