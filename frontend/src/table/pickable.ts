/** Shows on the board what can be chosen and what has been chosen, also to those who cannot see it. */

import type { BoardView } from "./board";
import type { Stop } from "./choices";
import type { Composing } from "./composing";
import { elements, mark, trace, type Mark } from "./marks";
import { nextStops, pickedOf, type Mode } from "./mode";
import type { Offer } from "./offer";
import type { Several } from "./several";

/** More ways to begin than this are marked faintly, until one group of them is asked for. */
const MANY = 14;

/** What the picker puts on elements of the board; one that loses its `tabindex` loses the focus. */
export const PICKING: ReadonlySet<string> = new Set(["tabindex", "role", "aria-label", "aria-pressed"]);

export function showChoices(svg: SVGSVGElement, offer: Offer, mode: Mode, view: BoardView): void {
  const focused = document.activeElement;
  const held = focused && svg.contains(focused) ? focused : null;
  clear(svg, held);
  const found = new Pickable(svg);
  if (mode.is === "marking") found.mark(mode.several);
  if (mode.is === "composing") found.add(mode.composing);
  showParts(svg, mode.is === "composing" ? mode.composing : null);
  found.lead(nextStops(mode, offer), mode);
  const path = pickedOf(mode);
  found.pass(path);
  const last = found.marks.at(-1);
  if (path.length === 1 && last) view.turnTo(last[0]);
  found.focus(held, mode.is === "asking");
  mark(svg, "choices", found.marks);
  stepBack(svg, found.marks, offer);
  svg.classList.toggle("choosing", path.length > 0);
}

/** The key of an element. */
export function keyOf(element: Element): string {
  return element.getAttribute("data-pick") ?? "";
}

/** The tooltip of an element. */
export function titleOf(element: Element | undefined): string | null {
  // While a card may open, the browser's own tooltip is kept away (`cards.ts`).
  return element?.getAttribute("data-named") ?? element?.querySelector(":scope > title")?.textContent ?? null;
}

/** The board is one stop of the Tab key; the arrow keys move on within it. */
export function rove(svg: SVGSVGElement, to: Element): void {
  for (const element of svg.querySelectorAll("[data-pick][tabindex]")) {
    element.setAttribute("tabindex", element === to ? "0" : "-1");
  }
}

function clear(svg: SVGSVGElement, held: Element | null): void {
  for (const element of svg.querySelectorAll("[data-pick]")) {
    element.classList.remove("can-pick", "target", "picked");
    for (const name of PICKING) {
      if (element !== held || name !== "tabindex") element.removeAttribute(name);
    }
  }
}

/** Shows the parts of what is being added as lines; what the drawing itself shows of them steps back. */
function showParts(svg: SVGSVGElement, composing: Composing | null): void {
  const parts = composing ? composing.parts.map((_, index) => composing.keys(index)) : [];
  trace(svg, parts.map((keys) => keys.flatMap((key) => elements(svg, key).slice(0, 1))));
  for (const run of svg.querySelectorAll('[class^="run-"], .halo-run')) {
    run.classList.toggle("faded", composing !== null);
  }
}

/** What is of the kind that can be chosen but cannot be chosen itself steps back; at the end of a way, what
 * could have been chosen in its place does not. */
function stepBack(svg: SVGSVGElement, marks: readonly [Element, Mark][], offer: Offer): void {
  let open = marks.filter(([, kind]) => kind === "can" || kind === "faint" || kind === "target").map(([element]) => element);
  if (!open.length) open = [...offer.root.next.keys()].flatMap((key) => elements(svg, key));
  const kinds = new Set(open.map(kindOf));
  const kept = new Set([...open, ...marks.map(([element]) => element)]);
  for (const element of svg.querySelectorAll("[data-pick]")) {
    element.classList.toggle("out", kinds.has(kindOf(element)) && !kept.has(element));
  }
}

function kindOf(element: Element): string {
  return keyOf(element).split(":", 1)[0] ?? "";
}

/** The elements that are marked, and those of them that can be pointed at. */
class Pickable {
  readonly marks: [Element, Mark][] = [];
  private readonly possible: Element[] = [];

  constructor(private readonly svg: SVGSVGElement) {}

  /** Elements that are marked one by one. */
  mark(several: Several): void {
    for (const key of several.keys.keys()) {
      for (const [index, element] of elements(this.svg, key).entries()) {
        const marked = several.has(key, index);
        this.marks.push([element, marked ? "picked" : "can"]);
        this.toggle(element, marked);
      }
    }
  }

  /** Elements that are added to a choice. */
  add(composing: Composing): void {
    const picked = new Set(composing.keys(composing.current));
    for (const element of this.svg.querySelectorAll("[data-pick]")) {
      const key = keyOf(element);
      if (!composing.fits(key)) continue;
      if (picked.has(key)) this.marks.push([element, "picked"]);
      this.toggle(element, picked.has(key));
    }
  }

  /** Elements with which a choice begins or goes on. */
  lead(next: readonly [string, Stop][], mode: Mode): void {
    const begun = mode.is === "pointing";
    const large = mode.is === "idle" && mode.group === null ? many(next) : new Set();
    for (const [key, stop] of next) {
      const choice = stop.first;
      const kind: Mark = begun ? "target" : large.has(choice?.group ?? "") ? "faint" : "can";
      const label = stop.count === 1 && choice ? choice.label : "";
      const what = label || (choice && stop.next.size ? choice.group : "");
      for (const element of elements(this.svg, key)) {
        element.classList.add(begun ? "target" : "can-pick");
        this.marks.push([element, kind]);
        this.offer(element, [what, titleOf(element) ?? key].filter(Boolean).join(", "));
      }
    }
  }

  /** Elements that have been pointed at. */
  pass(path: readonly string[]): void {
    for (const key of path) {
      for (const element of elements(this.svg, key)) {
        element.classList.add("picked");
        element.setAttribute("aria-pressed", "true");
        this.marks.push([element, "picked"]);
      }
    }
  }

  /** The element that had the focus keeps it, if it can still be pointed at; else another one has it. */
  focus(held: Element | null, asking: boolean): void {
    const current = held && this.possible.includes(held) ? held : this.possible[0];
    current?.setAttribute("tabindex", "0");
    if (!held || current === held) return;
    held.removeAttribute("tabindex");
    if (current instanceof SVGElement && !asking) current.focus({ preventScroll: true });
  }

  private toggle(element: Element, on: boolean): void {
    element.classList.add(on ? "picked" : "can-pick");
    element.setAttribute("aria-pressed", String(on));
    this.offer(element, titleOf(element) ?? keyOf(element));
  }

  private offer(element: Element, label: string): void {
    this.possible.push(element);
    element.setAttribute("role", "button");
    element.setAttribute("aria-label", label);
    element.setAttribute("tabindex", "-1");
  }
}

/** The groups that have too many ways to begin for all of them to stand out. */
function many(next: readonly [string, Stop][]): Set<string> {
  const counts = new Map<string, number>();
  for (const [, stop] of next) {
    const group = stop.first?.group ?? "";
    counts.set(group, (counts.get(group) ?? 0) + 1);
  }
  return new Set([...counts].filter(([, count]) => count > MANY).map(([group]) => group));
}
