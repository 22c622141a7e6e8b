/**
 * Cards: what the element pointed at is, why nothing can be done with it, and what a choice would bring.
 * They open when a pointer rests, when a finger stays, with the key I, and when a click leads to nothing.
 */

import { button, closest, make, PART, typing } from "../dom";
import { pressed } from "../keys";
import { say } from "../words";
import { beside, type Box } from "./beside";
import type { Choice } from "./choices";
import type { Foresight } from "./foresight";

/** What the reader points at: the keys up to it, and the choice to which that leads. */
export interface Way {
  keys: readonly string[];
  choice: Choice | null;
}

/** So long a pointer rests, and a finger stays, before a card opens. */
const REST = 450;
const HOLD = 500;
/** A finger that moves further than this does not stay. */
const SLACK = 10;
const ASKED = "[data-choice], [data-entry], [data-pick], [data-key]";
/** Where a card lies at the bottom of the screen instead of beside what it is about. */
const SHEET = matchMedia("(max-width: 640px), (pointer: coarse)");

export class Cards {
  private readonly box = make("aside", { id: "asked", class: "asked", tabindex: "-1", "aria-live": "polite", hidden: true });
  private readonly known = new Map<string, Promise<string>>();
  private version = "";
  private about = "";
  private timer: number | undefined;
  private anchor: Element | null = null;
  /** What the pointer rests on. */
  private under: Element | null = null;
  /** Where that was when the card opened. */
  private from = { x: 0, y: 0 };
  /** A card that was asked for stays until something else is done. */
  private stays = false;
  private request = 0;
  private finger: { x: number; y: number } | null = null;
  private held = false;

  constructor(
    private readonly live: HTMLElement,
    private readonly foresight: Foresight,
    private readonly way: (element: Element) => Way | null,
  ) {
    this.box.setAttribute("aria-label", say("about"));
    document.body.append(this.box);
    live.addEventListener("pointerover", (event) => this.over(event));
    live.addEventListener("pointerout", (event) => this.out(event));
    live.addEventListener("pointerdown", (event) => this.down(event));
    live.addEventListener("pointermove", (event) => this.move(event));
    for (const name of ["pointerup", "pointercancel"] as const) {
      live.addEventListener(name, () => this.release());
    }
    live.addEventListener("contextmenu", (event) => {
      if (this.finger || this.held) event.preventDefault();
    });
    // The click that ends a long press is none.
    live.addEventListener("click", (event) => this.swallow(event), { capture: true });
    document.addEventListener("keydown", (event) => this.key(event), { capture: true });
    // Before anything else is begun with it.
    document.addEventListener(
      "pointerdown",
      (event) => {
        if (!this.box.contains(event.target as Node)) this.close();
      },
      { capture: true },
    );
    for (const name of ["wheel", "scroll"] as const) {
      document.addEventListener(name, () => requestAnimationFrame(() => this.follow()), { capture: true, passive: true });
    }
  }

  /** A card is about the table as it was when it opened. */
  refresh(): void {
    const { version = "", position = "", past = "", face = "" } = this.live.dataset;
    if (version !== this.version) this.known.clear();
    this.version = version;
    const now = `${position} ${past} ${face}`;
    if (now === this.about) return;
    this.about = now;
    this.known.clear();
    if (!this.box.contains(document.activeElement)) this.close();
  }

  /** Says why pointing at an element led to nothing. */
  explain(element: Element, keys: readonly string[]): void {
    void this.open(element, { keys, choice: null }, true);
  }

  close(): void {
    clearTimeout(this.timer);
    this.request += 1;
    if (this.box.hidden) return;
    const focused = this.box.contains(document.activeElement);
    this.box.hidden = true;
    this.box.replaceChildren();
    if (focused && (this.anchor instanceof HTMLElement || this.anchor instanceof SVGElement)) {
      this.anchor.focus({ preventScroll: true });
    }
    this.anchor = null;
    this.stays = false;
  }

  /** A card beside something that has moved away would be about something else. */
  private follow(): void {
    if (this.box.hidden || !this.anchor || this.box.classList.contains("sheet")) return;
    const { left, top } = this.anchor.getBoundingClientRect();
    if (Math.hypot(left - this.from.x, top - this.from.y) > SLACK) this.close();
  }

  // ---- when a card opens

  private over(event: PointerEvent): void {
    const element = closest<Element>(event, ASKED);
    if (!element || event.pointerType !== "mouse" || event.buttons) return;
    hush(element);
    this.under = element;
    if (element === this.anchor) return;
    this.later(() => {
      const way = this.way(element);
      if (way) void this.open(element, way, false, { x: event.clientX, y: event.clientY });
    }, REST);
  }

  private out(event: PointerEvent): void {
    const element = closest<Element>(event, ASKED);
    const to = event.relatedTarget;
    if (!element || (to instanceof Node && element.contains(to))) return;
    unhush(element);
    if (element === this.under) this.under = null;
    clearTimeout(this.timer);
    if (!this.stays) this.close();
  }

  private down(event: PointerEvent): void {
    clearTimeout(this.timer);
    this.held = false;
    const element = closest<Element>(event, ASKED);
    this.finger = null;
    if (event.pointerType === "mouse" || !element || !event.isPrimary) return;
    this.finger = { x: event.clientX, y: event.clientY };
    this.later(() => {
      const way = this.way(element);
      this.finger = null;
      if (!way) return;
      this.held = true;
      void this.open(element, way, true);
    }, HOLD);
  }

  private move(event: PointerEvent): void {
    const { finger } = this;
    if (finger && Math.hypot(event.clientX - finger.x, event.clientY - finger.y) > SLACK) this.release();
  }

  private release(): void {
    if (!this.finger) return;
    this.finger = null;
    clearTimeout(this.timer);
  }

  private swallow(event: MouseEvent): void {
    if (!this.held) return;
    this.held = false;
    event.stopPropagation();
    event.preventDefault();
  }

  private key(event: KeyboardEvent): void {
    if (pressed(event, "cancel") && !this.box.hidden && !document.querySelector("dialog[open]")) {
      event.preventDefault();
      event.stopPropagation();
      this.close();
      return;
    }
    if (!pressed(event, "card") || typing(event) || document.querySelector("dialog[open]")) return;
    const element = closest<Element>(event, `#live :is(${ASKED})`) ?? this.under;
    const way = element && this.way(element);
    if (!way) return;
    event.preventDefault();
    void this.open(element, way, true).then(() => this.box.focus({ preventScroll: true }));
  }

  private later(act: () => void, wait: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(act, wait);
  }

  // ---- what it shows

  private async open(element: Element, way: Way, stays: boolean, at?: { x: number; y: number }): Promise<void> {
    clearTimeout(this.timer);
    const number = (this.request += 1);
    const [html, brings] = await Promise.all([
      way.keys.length ? this.card(way.keys) : "",
      way.choice ? this.foresight.lines(actionOf(way.choice)) : null,
    ]);
    if (number !== this.request || !element.isConnected) return;
    const card = new DOMParser().parseFromString(html, "text/html").querySelector(".element-card");
    if (!brings && !card?.childElementCount) {
      this.close();
      return;
    }
    const content: Node[] = [];
    if (way.choice && brings) content.push(make("h3", {}, way.choice.label), brings);
    if (card?.childElementCount) content.push(card);
    this.box.replaceChildren(...content);
    this.box.classList.toggle("sheet", SHEET.matches);
    this.box.classList.toggle("passing", !stays);
    if (stays || SHEET.matches) {
      this.box.prepend(button("✕", () => this.close(), { class: "icon close-card", "aria-label": say("close") }));
    }
    this.box.hidden = false;
    this.anchor = element;
    this.stays = stays;
    if (SHEET.matches) this.box.removeAttribute("style");
    else this.place(element, at);
  }

  private place(element: Element, at?: { x: number; y: number }): void {
    const room = { width: innerWidth, height: innerHeight };
    const { left, top, right, bottom } = element.getBoundingClientRect();
    this.from = { x: left, y: top };
    let about: Box = { left, top, right, bottom };
    // Of something as large as a line on a map only the place that is pointed at is left free.
    const large = (right - left) * (bottom - top) > (room.width * room.height) / 16;
    if (large && at) about = { left: at.x - 20, top: at.y - 20, right: at.x + 20, bottom: at.y + 20 };
    const { width, height } = this.box.getBoundingClientRect();
    const place = beside(about, { width, height }, room);
    this.box.style.left = `${place.x}px`;
    this.box.style.top = `${place.y}px`;
  }

  private card(keys: readonly string[]): Promise<string> {
    this.refresh();
    const name = JSON.stringify(keys);
    const known = this.known.get(name) ?? this.fetch(keys);
    this.known.set(name, known);
    return known;
  }

  private async fetch(keys: readonly string[]): Promise<string> {
    const { url = "", past } = this.live.dataset;
    const query = new URLSearchParams(keys.map((key) => ["key", key]));
    if (past !== undefined) query.set("move", past);
    try {
      const response = await fetch(`${url}/why?${query}`, { headers: { ...PART } });
      return response.ok ? await response.text() : "";
    } catch {
      return "";
    }
  }
}

/** The action of a choice, with its lowest amount. */
function actionOf(choice: Choice): Record<string, unknown> {
  return choice.amount ? { ...choice.action, [choice.amount.field]: choice.amount.low } : choice.action;
}

/** The browser's own tooltip would lie over the card. */
function hush(element: Element): void {
  const title = element.querySelector(":scope > title");
  if (!title?.textContent) return;
  element.setAttribute("data-named", title.textContent);
  title.textContent = "";
}

function unhush(element: Element): void {
  const named = element.getAttribute("data-named");
  const title = element.querySelector(":scope > title");
  if (named === null) return;
  if (title) title.textContent = named;
  element.removeAttribute("data-named");
}
