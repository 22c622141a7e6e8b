import { deepEqual, equal, ok } from "node:assert/strict";
import { test } from "node:test";

import { Composing } from "../src/table/composing";
import { aimed, beginning, IDLE, nextStops, pickedOf, pointed, reached, resumed, type Idle, type Mode, type Pointing } from "../src/table/mode";
import type { Choice } from "../src/table/choices";
import { Offer } from "../src/table/offer";
import { amounts, choice } from "./make";

const near = choice("line:A hex:1");
const far = choice("line:A hex:2", { group: "far" });
const token = choice("town:T", { group: "tokens", confirm: true });
const offer = new Offer([near, far, token]);

/** Pointing at one key after the other. */
function path(from: Idle | Pointing, ...keys: string[]): Idle | Pointing {
  return keys.reduce((mode, key) => pointed(mode, key, offer), from);
}

test("pointing leads from key to key until a choice is reached", () => {
  const begun = path(IDLE, "line:A");
  deepEqual(begun, { is: "pointing", path: ["line:A"], group: null });
  equal(reached(begun, offer), null);
  equal(reached(path(begun, "hex:2"), offer), far);
  equal(reached(path(IDLE, "town:T"), offer), token);
});

test("where a choice is complete and another one goes on, both are offered", () => {
  const both = new Offer([choice("line:A"), near]);
  const begun = pointed(IDLE, "line:A", both);
  equal(reached(begun, both), null);
  equal(reached(pointed(begun, "hex:1", both), both), near);
  // While the first one is asked for, pointing does not go on to the other.
  const asking = { is: "asking", choice: choice("line:A"), amount: 0, typed: null, group: null } as const;
  deepEqual(pointed(asking, "hex:1", both), IDLE);
});

test("pointing at the first element again lets it go", () => {
  deepEqual(path(IDLE, "line:A", "line:A"), IDLE);
});

test("pointing at another beginning begins there, at anything else gives up", () => {
  deepEqual(path(IDLE, "line:A", "town:T"), { is: "pointing", path: ["town:T"], group: null });
  deepEqual(path(IDLE, "line:A", "hex:9"), IDLE);
  deepEqual(path(IDLE, "hex:1"), IDLE);
});

test("while something is asked, pointing begins again", () => {
  const asking = { is: "asking", choice: near, amount: 0, typed: null, group: null } as const;
  deepEqual(pointed(asking, "town:T", offer), { is: "pointing", path: ["town:T"], group: null });
  deepEqual(pointed(asking, "line:A", offer), IDLE);
});

test("a group that was asked for is the only one that is open", () => {
  const group: Idle = { is: "idle", group: "far" };
  deepEqual(nextStops(IDLE, offer).map(([key]) => key), ["line:A", "town:T"]);
  deepEqual(nextStops(group, offer).map(([key]) => key), ["line:A"]);
  equal(path(group, "line:A").group, "far");
  // A choice of another group is not taken for the one that was asked for.
  equal(reached(path({ is: "idle", group: "tokens" }, "line:A", "hex:1"), offer), null);
});

test("nothing can be pointed at while something else is asked", () => {
  deepEqual(nextStops({ is: "asking", choice: token, amount: 0, typed: null, group: null }, offer), []);
});

test("pointing goes on among new choices as long as it leads somewhere", () => {
  const begun = path({ is: "idle", group: "far" }, "line:A");
  deepEqual(resumed(begun, new Offer([near])), { is: "pointing", path: ["line:A"], group: null });
  deepEqual(resumed(begun, new Offer([far])), begun);
  deepEqual(resumed(begun, new Offer([token])), IDLE);
});

test("an amount that has become impossible begins again", () => {
  const amount = amounts(10, 50, 5);
  const bid = choice("seat:1", { amount });
  const asking: Mode = { is: "asking", choice: bid, amount: 20, typed: null, group: null };
  const dearer = choice("seat:1", { amount: { ...amount, low: 15 } });
  deepEqual(resumed(asking, new Offer([dearer])), { ...asking, choice: dearer });
  const tooDear = choice("seat:1", { amount: { ...amount, low: 25 } });
  deepEqual(resumed(asking, new Offer([tooDear])), IDLE);
});

test("a question that is the same stays, with what is being typed", () => {
  const bid = (low: number): Choice => choice("seat:1", { amount: amounts(low, 1500, 50) });
  const asking: Mode = { is: "asking", choice: bid(0), amount: 0, typed: "14", group: null };
  const again = bid(0);
  equal(resumed(asking, new Offer([again])), asking);
  equal(asking.choice, again);
  // What is no amount yet may become one that is still possible.
  const dearer = bid(50);
  deepEqual(resumed(asking, new Offer([dearer])), { ...asking, choice: dearer });
  deepEqual(resumed({ ...asking, typed: null }, new Offer([dearer])), IDLE);
});

test("marking is where one begins if there is nothing else to do", () => {
  const dice = ["red", "blue"].map((keys) => choice(keys, { several: true, group: "dice" }));
  const only = beginning(new Offer(dice));
  equal(only.is, "marking");
  const mode = beginning(new Offer([...dice, token]));
  deepEqual(mode, IDLE);
});

test("what is marked stays marked among new choices, and is let go by beginning again", () => {
  const dice = (...all: string[]): Offer =>
    new Offer(all.map((keys) => choice(keys, { several: true, group: "dice" })));
  const before = beginning(dice("red", "blue"));
  ok(before.is === "marking");
  before.several.toggle("red", 0);
  const fresh = dice("red", "green");
  const after = resumed(before, fresh);
  ok(after.is === "marking" && after.several === fresh.ways[0]);
  deepEqual(after.several.marked, [{ key: "red", index: 0 }]);
  const gone = resumed(before, dice("green"));
  ok(gone.is === "marking");
  deepEqual(gone.several.marked, []);
  beginning(fresh);
  deepEqual(after.several.marked, []);
});

test("what was being added to a choice ends with that choice", () => {
  const compose = { field: "runs", parts: ["train"], prefix: "stop:", label: "" };
  const pay = choice("pay", { compose });
  const adding: Mode = { is: "composing", composing: new Composing([pay], compose) };
  deepEqual(resumed(adding, new Offer([pay])), IDLE);
  deepEqual(new Offer([near, pay]).composable, [pay]);
});

const targets = new Offer([
  choice("line:A hex:1"),
  choice("line:A hex:2"),
  choice("line:B hex:2"),
  choice("hex:3 tile:7 turn:0"),
  choice("hex:3 tile:7 turn:1"),
  choice("one", { several: true }),
]);

test("the only way to a target is taken", () => {
  const mode = aimed("hex:1", targets);
  deepEqual(mode, { is: "pointing", path: ["line:A", "hex:1"], group: null });
  equal(mode && reached(mode, targets), targets.all[0]);
  deepEqual(aimed("tile:7", targets), { is: "pointing", path: ["hex:3", "tile:7"], group: null });
  equal(aimed("hex:4", targets), null);
  equal(aimed("one", targets), null);
});

test("a target with several ways to it asks where to begin", () => {
  const mode = aimed("hex:2", targets) ?? IDLE;
  deepEqual(mode, { is: "idle", group: null, target: "hex:2" });
  deepEqual(pickedOf(mode), ["hex:2"]);
  deepEqual(nextStops(mode, targets).map(([key]) => key), ["line:A", "line:B"]);
  const next = pointed(mode, "line:B", targets);
  equal(reached(next, targets), targets.all[2]);
  deepEqual(pointed(mode, "hex:3", targets), { is: "pointing", path: ["hex:3"], group: null });
});
