/**
 * Every key the pages answer to. Listeners for a key ask `pressed`, and the list that readers see is
 * made from the same table, so that it is always true. Each has a sentence in `base.html`: "key_" and its
 * name, and "keys_" and the name of its group.
 */

import { closest, make, typing } from "./dom";
import { say } from "./words";

const ARROWS = ["ArrowLeft", "ArrowUp", "ArrowDown", "ArrowRight"];

export const KEYS = {
  board: {
    arrows: ARROWS,
    toBoard: ["b"],
    choose: ["Enter", " "],
    cancel: ["Escape"],
    card: ["i", "ContextMenu"],
    whyNot: ["Enter"],
    zoomIn: ["+", "="],
    zoomOut: ["-"],
    zoomAll: ["0"],
  },
  tiles: {
    turnRight: ["r"],
    turnLeft: ["Shift+R"],
    trayRight: ["ArrowRight"],
    trayLeft: ["ArrowLeft"],
    lay: ["Enter"],
    remove: ["Delete", "Backspace"],
  },
  offered: {
    number: ["1-9"],
  },
  moves: {
    back: ["ArrowLeft"],
    on: ["ArrowRight"],
    turnBack: ["Shift+ArrowLeft"],
    turnOn: ["Shift+ArrowRight"],
    present: ["Escape"],
    undo: ["Ctrl+z"],
    redo: ["Ctrl+Shift+Z", "Ctrl+y"],
  },
  tabs: {
    tabBack: ["ArrowLeft"],
    tabOn: ["ArrowRight"],
  },
  page: {
    send: ["Enter"],
    larger: ["ArrowUp"],
    smaller: ["ArrowDown"],
    keys: ["?"],
  },
} as const satisfies Record<string, Record<string, readonly string[]>>;

type Groups = typeof KEYS;
export type KeyName = { [Group in keyof Groups]: keyof Groups[Group] }[keyof Groups];

const BY_NAME = new Map<string, readonly string[]>(
  Object.values(KEYS).flatMap((group): [string, readonly string[]][] => Object.entries(group)),
);

/** What is printed on keys; on those named here in words, "sign_" and the name says it. */
const SIGNS: Record<string, string> = { ArrowLeft: "←", ArrowUp: "↑", ArrowDown: "↓", ArrowRight: "→", Shift: "⇧", "-": "−", "1-9": "1–9" };
const NAMED = ["Enter", "Escape", "Ctrl", "Delete", "Backspace", "ContextMenu", " "];

type Pressed = Pick<KeyboardEvent, "key" | "shiftKey" | "ctrlKey" | "metaKey" | "altKey">;

/** Whether an event is one of these keys. Shift counts where a key has another meaning with it. */
export function pressed(event: Pressed, ...names: KeyName[]): boolean {
  return names.some((name) => (BY_NAME.get(name) ?? []).some((key) => is(event, key)));
}

function is(event: Pressed, wanted: string): boolean {
  const held = parts(wanted);
  const key = held.pop() ?? "";
  const control = event.ctrlKey || event.metaKey;
  if (control !== held.includes("Ctrl") || event.altKey) return false;
  // With Ctrl, systems do not agree on whether Shift makes a capital letter.
  if (control) return event.key.toLowerCase() === key.toLowerCase() && event.shiftKey === held.includes("Shift");
  if (key === "1-9") return /^[1-9]$/.test(event.key);
  if (event.key !== key) return false;
  // A sign such as "+" or "?" needs Shift on some keyboards and not on others.
  return !key.startsWith("Arrow") || event.shiftKey === held.includes("Shift");
}

/** The keys of a combination, such as "Shift+R"; the sign "+" is one of its own. */
function parts(key: string): string[] {
  return key.split(/\+(?=.)/);
}

/** What is printed on the keys of a combination. */
export function signs(key: string): string[] {
  return parts(key).map((part) =>
    NAMED.includes(part) ? say(`sign_${part.trim() || "Space"}`) : (SIGNS[part] ?? part.toUpperCase()),
  );
}

/** A line of the list. */
function row(keys: readonly string[], meaning: string): HTMLElement {
  const written = keys.map((key) => make("span", {}, ...signs(key).map((sign) => make("kbd", {}, sign))));
  return make("div", {}, make("dt", {}, ...written), make("dd", {}, meaning));
}

/** A list of all keys, by group. */
function list(): Node[] {
  return Object.entries(KEYS).flatMap(([group, names]) => {
    const rows = Object.entries(names).map(([name, keys]) => row(keys, say(`key_${name}`)));
    return [make("h3", {}, say(`keys_${group}`)), make("dl", { class: "keys" }, ...rows)];
  });
}

/** The dialog that lists the keys, with one key of its own. */
export function startKeys(): void {
  const dialog = document.querySelector<HTMLDialogElement>("dialog[data-keys]");
  if (!dialog) return;
  dialog.querySelector("[data-keys-list]")?.replaceChildren(...list());
  document.addEventListener("keydown", (event) => {
    if (!pressed(event, "keys") || typing(event) || closest(event, "dialog[open]")) return;
    event.preventDefault();
    if (!document.querySelector("dialog[open]")) dialog.showModal();
  });
}
