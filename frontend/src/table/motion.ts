/**
 * What has changed moves for a moment: amounts (`data-count`) are counted up or down, pieces on the board
 * (`data-piece`) that are new appear, and those that stand elsewhere slide there. Nothing moves for readers who
 * wants none, and nothing of it is needed to know what has happened.
 */

import { setting } from "../settings";

const USUAL = 450;

/** How long something moves, in milliseconds, for the speed that was chosen. */
export function duration(speed: string, reduced: boolean): number {
  if (reduced || speed === "none") return 0;
  return speed === "slow" ? 2 * USUAL : USUAL;
}

const NUMBER = /\d+(?:[.,\u00a0\u202f' ]\d{3})*/g;

/**
 * A text on the way from one to another that differs only in its one number; the other text if it
 * differs in more than that. The number is written as in the other text.
 */
export function between(from: string, to: string, part: number): string {
  const [before, after] = [from.match(NUMBER) ?? [], to.match(NUMBER) ?? []];
  const [one, other] = [before[0], after[0]];
  if (before.length !== 1 || after.length !== 1 || one === undefined || other === undefined) return to;
  if (from.replace(one, "#") !== to.replace(other, "#")) return to;
  const [low, high] = [amount(one), amount(other)];
  const now = Math.round(low + (high - low) * Math.min(1, Math.max(0, part)));
  const separator = /\D/.exec(one + other)?.[0] ?? "";
  return to.replace(other, () => String(now).replace(/\B(?=(\d{3})+$)/g, separator));
}

function amount(text: string): number {
  return Number(text.replace(/\D/g, ""));
}

interface Place {
  x: number;
  y: number;
}

export type Move = { is: "new" } | { is: "moved"; x: number; y: number };

/** What has happened to pieces, by key, that are drawn now; what stands still is left out. */
export function moves(before: ReadonlyMap<string, Place>, after: ReadonlyMap<string, Place>): Map<string, Move> {
  const found = new Map<string, Move>();
  for (const [key, { x, y }] of after) {
    const old = before.get(key);
    if (!old) found.set(key, { is: "new" });
    else if (Math.hypot(old.x - x, old.y - y) > 1) found.set(key, { is: "moved", x: old.x - x, y: old.y - y });
  }
  return found;
}

export class Motion {
  private counts = new Map<string, string>();
  private places = new Map<string, Place>();
  private number = 0;
  private running = 0;
  /** Amounts on their way, with the text they come to. */
  private readonly under = new Map<HTMLElement, string>();

  constructor(private readonly live: HTMLElement) {}

  private get time(): number {
    return duration(setting("motion"), matchMedia("(prefers-reduced-motion: reduce)").matches);
  }

  /** Before the page is brought up to date. */
  before(): void {
    cancelAnimationFrame(this.running);
    for (const [element, text] of this.under) element.textContent = text;
    this.under.clear();
    this.number = this.now;
    this.counts = new Map([...this.counted()].map(([key, element]) => [key, element.textContent]));
    this.places = new Map([...this.pieces()].map(([key, element]) => [key, middle(element)]));
  }

  /** Afterwards; only for what happens while the page is visible, not for steps through the past. */
  after(): void {
    const { time } = this;
    if (!time || !(this.now > this.number) || document.visibilityState !== "visible") return;
    this.slide(time);
    this.count(time);
  }

  /** The number of the last move; none while the past is shown. */
  private get now(): number {
    return this.live.dataset["past"] === undefined ? Number(this.live.dataset["number"]) : NaN;
  }

  // ---- amounts

  /** Every amount by what it is: of whom, under which name. */
  private *counted(): Generator<[string, HTMLElement]> {
    for (const element of this.live.querySelectorAll<HTMLElement>("[data-count]")) {
      // A note inside an amount is a text of its own.
      if (element.firstElementChild) continue;
      const label = element.previousElementSibling?.matches("dt") ? element.previousElementSibling.textContent : "";
      yield [`${element.closest("[id]")?.id ?? ""} ${label}`, element];
    }
  }

  private count(time: number): void {
    for (const [key, element] of this.counted()) {
      const from = this.counts.get(key);
      const to = element.textContent;
      if (from !== undefined && from !== to && between(from, to, 0) !== to) {
        this.under.set(element, to);
        element.textContent = between(from, to, 0);
      }
    }
    if (!this.under.size) return;
    const texts = [...this.under].map(([element, to]) => ({ element, from: element.textContent, to }));
    const began = performance.now();
    const step = (): void => {
      const part = (performance.now() - began) / time;
      for (const { element, from, to } of texts) element.textContent = part < 1 ? between(from, to, part) : to;
      if (part < 1) this.running = requestAnimationFrame(step);
      else this.under.clear();
    };
    this.running = requestAnimationFrame(step);
  }

  // ---- pieces

  private *pieces(): Generator<[string, SVGGraphicsElement]> {
    for (const element of this.live.querySelectorAll<SVGGraphicsElement>("#board-now > svg [data-piece]")) {
      yield [element.dataset["piece"] ?? "", element];
    }
  }

  private slide(time: number): void {
    const pieces = new Map(this.pieces());
    const now = new Map([...pieces].map(([key, element]) => [key, middle(element)]));
    for (const [key, move] of moves(this.places, now)) {
      const from = move.is === "new" ? { opacity: 0 } : { transform: `translate(${move.x}px, ${move.y}px)` };
      pieces.get(key)?.animate([from, {}], { duration: time, easing: "ease-out" });
    }
  }
}

/** The middle of a piece in the units of its drawing. */
function middle(element: SVGGraphicsElement): Place {
  const box = element.getBBox();
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}
