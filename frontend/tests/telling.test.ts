import assert from "node:assert/strict";
import { test } from "node:test";

import { clearest, movers } from "../src/table/badges";
import { fresh, type Line } from "../src/table/telling";

function line(move: number, mover: number | null, text: string, announced = false): Line {
  return { move, mover, announced, text };
}

test("what others did is told in its order, own moves are not", () => {
  const lines = [line(4, 1, "d"), line(3, 0, "c"), line(2, 1, "b"), line(1, 1, "a")];
  const told = fresh(lines, 1, new Set([0])).map((one) => one.text);
  assert.deepEqual(told, ["b", "d"]);
});

test("what concerns all players is announced to all", () => {
  const lines = [line(2, 0, "the round is over", true), line(2, 0, "mine")];
  assert.deepEqual(fresh(lines, 1, new Set([0])).map((one) => one.text), ["the round is over"]);
});

test("who moved twice at a place stands there once", () => {
  const marks: [string, number][] = [["hex:A1", 2], ["hex:A1", 1], ["hex:A1", 2], ["hex:B2", 0]];
  assert.deepEqual([...movers(marks)], [["hex:A1", [2, 1]], ["hex:B2", [0]]]);
});

test("a badge stands where it covers no lettering", () => {
  const place = (x: number, y: number): { x: number; y: number; width: number; height: number } => ({ x, y, width: 16, height: 16 });
  const lettering = { x: 0, y: 0, width: 40, height: 10 };
  assert.deepEqual(clearest([place(20, 0), place(20, 8), place(20, 30), place(0, 30)], [lettering]), place(20, 30));
  assert.deepEqual(clearest([place(20, 0), place(20, 8)], [lettering]), place(20, 8));
});
