import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";

import { amountIn, countGroups, follow, goesOn, groups, more, nearest, possible, sending, tree, written } from "../src/table/choices";
import { amounts, choice } from "./make";

const all = [
  choice("line:A hex:1"),
  choice("line:A hex:2", { group: "far" }),
  choice("line:B"),
  choice("line:B hex:3"),
  choice(""),
];

test("the keys of the choices make a tree", () => {
  const root = tree(all);
  deepEqual([...root.next.keys()], ["line:A", "line:B"]);
  deepEqual([...(follow(root, ["line:A"])?.next.keys() ?? [])], ["hex:1", "hex:2"]);
  deepEqual(follow(root, ["line:B"])?.here, [all[2]]);
  deepEqual(root.here, [all[4]]);
  equal(follow(root, ["line:A"])?.count, 2);
  equal(follow(root, ["line:A"])?.first, all[0]);
  equal(follow(root, []), root);
  equal(follow(root, ["line:A", "hex:3"]), undefined);
  equal(follow(root, ["nothing", "hex:1"]), undefined);
});

test("groups keep the order in which they came", () => {
  deepEqual([...groups(all).keys()], ["moves", "far"]);
  deepEqual(groups(all).get("far"), [all[1]]);
  const counts = new Map<string, number>();
  countGroups(tree(all), counts);
  deepEqual([...counts].sort(), [
    ["far", 1],
    ["moves", 4],
  ]);
});

test("an amount is read however it is written", () => {
  for (const text of ["1050", "1.050", "1,050", "1'050", "1\u202f050", " $1,050 ", "£1 050", "1.050 M"]) equal(amountIn(text), 1050);
  for (const text of ["", "1.05", "50,0", "10.50", "1.0500", "-5", "x", "1e3", "12 $ 3x"]) equal(amountIn(text), NaN);
});

test("an amount is one of the steps between the lowest and the highest", () => {
  const amount = amounts(60, 90, 10);
  deepEqual(
    [50, 60, 65, 80, 90, 100].map((value) => possible(amount, value)),
    [false, true, false, true, true, false],
  );
  deepEqual(
    [0, 64, 66, 1000, NaN].map((value) => nearest(amount, value)),
    [60, 60, 70, 90, 60],
  );
  // The highest need not be a whole number of steps away.
  equal(nearest({ ...amount, high: 88 }, 88), 80);
});

test("a choice goes on among new ones if it is the same and its amount still possible", () => {
  const amount = amounts(60, 90, 10);
  const bid = choice("seat:1", { amount, label: "Bid 60 or more" });
  const dearer = choice("seat:1", { amount: { ...amount, low: 70 }, label: "Bid 70 or more" });
  equal(goesOn(bid, dearer, 70), true);
  equal(goesOn(bid, dearer, 60), false);
  equal(goesOn(bid, choice("seat:2", { amount, action: bid.action }), 70), false);
  equal(goesOn(choice("a"), choice("a"), 0), true);
  equal(goesOn(choice("a"), choice("a", { confirm: true }), 0), false);
});

test("quick amounts say how much more than the least they are", () => {
  const bids = amounts(750, 5000, 50, 750, 800, 950);
  deepEqual(bids.quick.map((one) => more(bids, one)), ["", "+50", "+200"]);
  equal(sending(bids, 1050, "en"), "Bid $1,050");
  equal(written(bids, 1050, "de"), "$1.050");
});
