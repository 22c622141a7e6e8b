import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";

import { Composing } from "../src/table/composing";
import { choice } from "./make";

const compose = { field: "runs", parts: ["first train", "second train"], prefix: "stop:", label: "Run so" };
const pay = choice("pay", { compose });
const composing = (): Composing => new Composing([pay], compose);

test("stops are added to the train that is being made", () => {
  const runs = composing();
  equal(runs.empty, true);
  runs.toggle("stop:A1");
  runs.toggle("stop:B2");
  runs.current = 1;
  runs.toggle("stop:C3");
  deepEqual(runs.keys(0), ["stop:A1", "stop:B2"]);
  deepEqual(runs.action(pay), { action: "pay", runs: [["A1", "B2"], ["C3"]] });
  equal(runs.empty, false);
});

test("the last stop again takes it back, an earlier one is passed again", () => {
  const runs = composing();
  for (const stop of ["A1", "B2", "B2", "C3", "A1"]) runs.toggle(`stop:${stop}`);
  deepEqual(runs.keys(0), ["stop:A1", "stop:C3", "stop:A1"]);
});

test("only stops fit", () => {
  equal(composing().fits("stop:A1"), true);
  equal(composing().fits("hex:A1"), false);
});
