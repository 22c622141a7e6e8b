/** What a player is about to do, and how that changes. */

import { follow, goesOn, same, type Choice, type Stop } from "./choices";
import type { Composing } from "./composing";
import type { Offer } from "./offer";
import type { Several } from "./several";

/** Nothing has been chosen; perhaps only one group of choices is marked on the board, or only the ways
 * to a `target` that has been pointed at first. */
export interface Idle {
  readonly is: "idle";
  readonly group: string | null;
  readonly target?: string;
}

/** Something has been pointed at, and there are ways on from there. */
export interface Pointing {
  readonly is: "pointing";
  readonly path: readonly string[];
  readonly group: string | null;
}

/** Several elements are being marked. */
export interface Marking {
  readonly is: "marking";
  readonly several: Several;
}

/** Something is being added to a choice. */
export interface Adding {
  readonly is: "composing";
  readonly composing: Composing;
}

/** An amount or a confirmation is asked for before a choice is sent. */
export interface Asking {
  readonly is: "asking";
  choice: Choice;
  readonly group: string | null;
  amount: number;
  /** What stands in the field, as long as it is no amount. */
  typed: string | null;
}

export type Mode = Idle | Pointing | Marking | Adding | Asking;

export const IDLE: Idle = { is: "idle", group: null };

/** With nothing begun. */
export function beginning({ only }: Offer): Mode {
  if (!only) return IDLE;
  only.marked = [];
  return { is: "marking", several: only };
}

/** What was begun, among new choices, as far as it can go on. */
export function resumed(mode: Mode, offer: Offer): Mode {
  const before = mode.is === "marking" ? mode.several : null;
  const several = offer.ways.find((way) => way.group === before?.group) ?? offer.only;
  if (several) {
    several.keep(before?.marked ?? []);
    return { is: "marking", several };
  }
  const group = offer.all.some((choice) => choice.group === groupOf(mode)) ? groupOf(mode) : null;
  if (mode.is === "pointing" && follow(offer.root, mode.path)) return { ...mode, group };
  if (mode.is === "asking") {
    // An amount that has become impossible begins again; it never turns into another by itself.
    const { amount, typed } = mode;
    const choice = offer.all.find((one) => goesOn(mode.choice, one, typed === null ? amount : null));
    if (choice && group === mode.group && same(mode.choice, choice)) {
      mode.choice = choice;
      return mode;
    }
    if (choice) return { ...mode, choice, group };
  }
  return { is: "idle", group };
}

/** Pointing at a key. What was begun is given up if the key does not lead on. */
export function pointed(mode: Idle | Pointing | Asking, key: string, offer: Offer): Idle | Pointing {
  const { group } = mode;
  if (mode.is === "idle" && mode.target !== undefined && follow(offer.root, [key, mode.target])) {
    return { is: "pointing", path: [key, mode.target], group };
  }
  const onward = mode.is !== "asking" && stopOf(mode, offer).next.has(key);
  if (onward) return { is: "pointing", path: [...pathOf(mode), key], group };
  // Pointing at the first element again lets it go.
  if (pathOf(mode)[0] === key || !offer.root.next.has(key)) return { is: "idle", group };
  return { is: "pointing", path: [key], group };
}

/** Pointing at something with which no choice begins, as a target: on the only way there, or on to the
 * ways there; null if no choice leads there. */
export function aimed(target: string, offer: Offer): Idle | Pointing | null {
  const paths = offer.all
    .filter((choice) => !choice.several && choice.keys.includes(target))
    .map((choice) => choice.keys.slice(0, choice.keys.indexOf(target) + 1));
  const [path] = paths;
  if (!path) return null;
  if (paths.every((one) => one.join(" ") === path.join(" "))) return { is: "pointing", path, group: null };
  return paths.every((one) => one.length === 2) ? { is: "idle", group: null, target } : null;
}

/** The choice to which pointing has led, if there is nothing left to decide. */
export function reached(mode: Idle | Pointing, offer: Offer): Choice | null {
  const { here, next } = stopOf(mode, offer);
  const open = here.filter((choice) => mode.group === null || choice.group === mode.group);
  return mode.is === "pointing" && open.length === 1 && !next.size ? (open[0] ?? null) : null;
}

/** The keys that have been pointed at. */
export function pathOf(mode: Mode): readonly string[] {
  if (mode.is === "pointing") return mode.path;
  return mode.is === "asking" ? mode.choice.keys : [];
}

/** The keys that are marked as chosen. */
export function pickedOf(mode: Mode): readonly string[] {
  return mode.is === "idle" && mode.target !== undefined ? [mode.target] : pathOf(mode);
}

/** The group that was asked for. */
export function groupOf(mode: Mode): string | null {
  return "group" in mode ? mode.group : null;
}

/** How far pointing has come. */
export function stopOf(mode: Mode, offer: Offer): Stop {
  return follow(offer.root, pathOf(mode)) ?? offer.root;
}

/** What can be pointed at next, in the group that was asked for. */
export function nextStops(mode: Mode, offer: Offer): [string, Stop][] {
  if (mode.is === "pointing") return [...stopOf(mode, offer).next];
  if (mode.is !== "idle") return [];
  const { group, target } = mode;
  return [...offer.root.next].filter(
    ([, stop]) => (group === null || leads(stop, group)) && (target === undefined || stop.next.has(target)),
  );
}

/** Whether a way leads to a choice of a group. */
function leads(stop: Stop, group: string): boolean {
  return stop.here.some((choice) => choice.group === group) || [...stop.next.values()].some((next) => leads(next, group));
}
