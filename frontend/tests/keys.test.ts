import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";

import { pressed, signs } from "../src/keys";

function event(key: string, held: { shift?: boolean; ctrl?: boolean; alt?: boolean } = {}) {
  const { shift = false, ctrl = false, alt = false } = held;
  return { key, shiftKey: shift, ctrlKey: ctrl, metaKey: false, altKey: alt };
}

test("keys are known by their names", () => {
  equal(pressed(event("ArrowLeft"), "back"), true);
  equal(pressed(event("ArrowLeft"), "on"), false);
  equal(pressed(event("ArrowLeft"), "on", "back"), true);
});

test("Shift makes another key of an arrow or a letter, but not of a sign", () => {
  equal(pressed(event("ArrowLeft", { shift: true }), "back"), false);
  equal(pressed(event("ArrowLeft", { shift: true }), "turnBack"), true);
  equal(pressed(event("R", { shift: true }), "turnLeft"), true);
  equal(pressed(event("r"), "turnLeft"), false);
  equal(pressed(event("+", { shift: true }), "zoomIn"), true);
  equal(pressed(event("?", { shift: true }), "keys"), true);
});

test("with Ctrl a letter is small or not, and Shift tells two keys apart", () => {
  equal(pressed(event("z", { ctrl: true }), "undo"), true);
  for (const key of ["z", "Z"]) {
    equal(pressed(event(key, { ctrl: true, shift: true }), "redo"), true);
    equal(pressed(event(key, { ctrl: true, shift: true }), "undo"), false);
  }
  equal(pressed(event("y", { ctrl: true }), "redo"), true);
  equal(pressed(event("z"), "undo"), false);
});

test("what the browser does with Ctrl and Alt is left to it", () => {
  equal(pressed(event("0", { ctrl: true }), "zoomAll"), false);
  equal(pressed(event("ArrowLeft", { alt: true }), "back"), false);
});

test("the list shows what is printed on the keys", () => {
  deepEqual(signs("Shift+ArrowLeft"), ["⇧", "←"]);
  deepEqual(signs("Shift+R"), ["⇧", "R"]);
  deepEqual(signs("+"), ["+"]);
  deepEqual(signs("r"), ["R"]);
});
