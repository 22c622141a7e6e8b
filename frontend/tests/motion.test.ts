import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";

import { between, duration, moves } from "../src/table/motion";

test("motion is as long as was chosen, and none where less is asked for", () => {
  equal(duration("none", false), 0);
  equal(duration("slow", true), 0);
  const usual = duration("", false);
  equal(usual >= 300 && usual <= 600, true);
  equal(duration("slow", false), 2 * usual);
});

test("amounts are counted in the way they are written", () => {
  equal(between("£1,000", "£3,000", 0), "£1,000");
  equal(between("£1,000", "£3,000", 0.5), "£2,000");
  equal(between("£1,000", "£3,000", 1), "£3,000");
  equal(between("900 M", "1.100 M", 0.5), "1.000 M");
  equal(between("1 000", "0", 0.1), "900");
  equal(between("7", "5", 0.5), "6");
});

test("what is no single amount is not counted", () => {
  equal(between("–", "£3,000", 0.5), "£3,000");
  equal(between("2 of 5", "3 of 5", 0.5), "3 of 5");
  equal(between("£5", "5 £", 0.5), "5 £");
});

test("pieces appear or come from where they were", () => {
  const before = new Map([["still", { x: 1, y: 1 }], ["goes", { x: 0, y: 0 }], ["gone", { x: 5, y: 5 }]]);
  const after = new Map([["still", { x: 1, y: 1.5 }], ["goes", { x: 30, y: 10 }], ["fresh", { x: 2, y: 2 }]]);
  deepEqual([...moves(before, after)], [["goes", { is: "moved", x: -30, y: -10 }], ["fresh", { is: "new" }]]);
});
