/**
 * Choosing by pointing: on the board, with the buttons beside it, and from the list. What a player is
 * about to do is a `Mode`; this is what makes one mode follow another, and what is sent in the end.
 */

import { closest, covered, typing } from "../dom";
import { pressed } from "../keys";
import { setting } from "../settings";
import { Bar } from "./bar";
import type { BoardView } from "./board";
import type { Way } from "./cards";
import type { Choice } from "./choices";
import type { Composing } from "./composing";
import type { Foresight } from "./foresight";
import { startNumbers } from "./keycaps";
import { elements, mark, type Mark } from "./marks";
import { aimed, beginning, groupOf, IDLE, pathOf, pointed, reached, resumed, stopOf, type Mode } from "./mode";
import { neighbour } from "./neighbour";
import { Offer } from "./offer";
import { keyOf, rove, showChoices } from "./pickable";
import type { Several } from "./several";
import { Tray } from "./tray";

type Send = (action: Record<string, unknown>) => Promise<void>;

export class Picker {
  private offer = new Offer([]);
  private mode: Mode = IDLE;
  /** What the page offered when it was looked at last. */
  private source = "";
  /** Counts what has been sent; `busy` until the answer, or until there is something new to choose. */
  private sent = 0;
  private busy = false;
  private readonly tray: Tray;
  private readonly bar: Bar;

  constructor(
    private readonly live: HTMLElement,
    private readonly view: BoardView,
    private readonly send: Send,
    foresight: Foresight,
    /** Called with what was clicked at, and the keys up to it, if that leads to nothing. */
    private readonly refused: (element: Element, keys: readonly string[]) => void,
  ) {
    this.tray = new Tray(live, view, {
      send: (choice) => this.submit(choice, 0),
      cancel: () => this.cancel(),
      foresee: (place, choice) => foresight.fill(place, actionOf(choice, 0)),
    });
    this.bar = new Bar(live, {
      take: (key) => this.take(key),
      choose: (choice) => this.choose(choice),
      once: (choice, amount) => this.submit(choice, amount),
      cancel: () => this.cancel(),
      become: (mode) => this.become(mode),
      submit: (choice, amount) => this.submit(choice, amount),
      // What would be laborious to point at again is kept until it has been accepted.
      compose: (composing, choice) => this.post(composing.action(choice)),
      foresee: (place, choice, amount) => foresight.fill(place, actionOf(choice, amount)),
    });
    view.moved = () => this.tray.settle();
    view.choices = () => this.svg?.querySelectorAll(".can-pick") ?? [];
    live.addEventListener("click", (event) => this.click(event));
    live.addEventListener("keydown", (event) => this.key(event));
    document.addEventListener("keydown", (event) => {
      const nothing = this.mode.is === "idle" && this.mode.group === null;
      if (!pressed(event, "cancel") || nothing || event.isComposing || covered()) return;
      // In a field elsewhere, the key is about what is typed there.
      if (typing(event) && !closest(event, "#action-bar, #tray")) return;
      event.preventDefault();
      this.cancel();
    });
    document.addEventListener("keydown", (event) => {
      if (!pressed(event, "toBoard") || typing(event) || covered()) return;
      event.preventDefault();
      this.focusBoard();
    });
    startNumbers(live);
    for (const name of ["pointerover", "focusin"] as const) {
      live.addEventListener(name, (event) => this.point(event));
    }
    for (const name of ["pointerout", "focusout"] as const) {
      live.addEventListener(name, (event) => {
        if (closest(event, "[data-key], [data-keys]")) this.show([]);
      });
    }
  }

  private get svg(): SVGSVGElement | null {
    return this.live.querySelector<SVGSVGElement>("#board-now > svg");
  }

  get all(): readonly Choice[] {
    return this.offer.all;
  }

  /** Takes over the choices of the page as it is now; what was begun goes on if it still can. */
  load(): void {
    const text = this.live.querySelector<HTMLElement>("#choices")?.dataset["choices"] ?? "[]";
    // The same choices in another position are new ones.
    const source = `${this.live.dataset["position"] ?? ""} ${text}`;
    if (source === this.source) {
      // The buttons stay as they are, with what is being typed: a click on one that is just being
      // replaced would be lost.
      this.renderBoard();
      if (this.tray.lost) this.renderTray();
      this.markEntry();
      return;
    }
    this.source = source;
    if (this.offer.hasQuick) this.bar.hold();
    this.setBusy(false);
    this.offer = new Offer(JSON.parse(text) as Choice[]);
    this.become(resumed(this.mode, this.offer));
  }

  /** What pointing at an element means now. */
  wayTo(element: Element): Way | null {
    const number = element.getAttribute("data-choice") ?? element.getAttribute("data-entry");
    if (number !== null) {
      const choice = this.offer.all[Number(number)];
      return choice ? { keys: [], choice } : null;
    }
    const key = keyOf(element) || (element.getAttribute("data-key") ?? "");
    if (!key) return null;
    const keys = this.keysTo(key);
    const { mode } = this;
    if (mode.is === "marking" || mode.is === "composing") return { keys, choice: null };
    return { keys, choice: reached(pointed(mode, key, this.offer), this.offer) };
  }

  /** The way to a key: on from what has been pointed at, unless something else begins with it. */
  private keysTo(key: string): readonly string[] {
    const { mode, offer } = this;
    if (mode.is !== "pointing") return [key];
    if (mode.path.includes(key)) return mode.path.slice(0, mode.path.indexOf(key) + 1);
    const begins = !stopOf(mode, offer).next.has(key) && offer.root.next.has(key);
    return begins ? [key] : [...mode.path, key];
  }

  // ---- what is chosen

  /** What the list or a hint says has been chosen; an amount is still asked for, beginning with this. */
  choose(choice: Choice, amount?: number): void {
    if (!choice.several) {
      this.finish(choice, amount);
      return;
    }
    const several = this.offer.ways.find((way) => way.choices.includes(choice));
    several?.mark(choice);
    this.become(several ? { is: "marking", several } : IDLE);
    this.bar.focus();
  }

  /** Does what a hint says, without a question: that it was asked for is enough. */
  carryOut(choice: Choice, amount = choice.amount?.low ?? 0): void {
    this.submit(choice, amount);
  }

  cancel(): void {
    this.become(beginning(this.offer));
  }

  private become(mode: Mode): void {
    this.mode = mode;
    this.render();
  }

  private take(key: string): void {
    const { mode } = this;
    if (this.busy || mode.is === "marking" || mode.is === "composing") return;
    const next = pointed(mode, key, this.offer);
    const choice = reached(next, this.offer);
    if (choice) this.finish(choice);
    else this.become(next);
  }

  /** Marks an element of the board, or lets it go. */
  private toggle(several: Several, element: Element): void {
    const svg = this.svg;
    if (!svg || this.busy) return;
    const key = keyOf(element);
    const all = elements(svg, key);
    // One element may stand for more of its kind than are drawn: it is marked once more each time.
    const count = several.keys.get(key) ?? 0;
    const free = Array.from({ length: count }, (_, n) => n).find((n) => !several.has(key, n)) ?? 0;
    several.toggle(key, all.length < count ? free : all.indexOf(element));
    this.render();
  }

  private add(composing: Composing, key: string): void {
    if (!composing.fits(key)) return;
    composing.toggle(key);
    this.render();
  }

  private finish(choice: Choice, amount = choice.amount?.low ?? 0): void {
    if (choice.amount || asks(choice)) {
      this.become({ is: "asking", choice, amount, typed: null, group: groupOf(this.mode) });
      this.bar.focus();
    } else {
      this.submit(choice, 0);
    }
  }

  // ---- sending

  /** Sends a choice. What was begun is given up at once, because by the time of the answer something
   * else may have been begun. */
  private submit(choice: Choice, amount: number): void {
    if (this.busy) return;
    const action = actionOf(choice, amount);
    const focused = this.tray.focused;
    this.cancel();
    this.post(action, focused);
  }

  /** Sends an action. What had the focus may have gone with it: then what comes next has it. */
  private post(action: Record<string, unknown>, focus = false): void {
    if (this.busy) return;
    const number = ++this.sent;
    this.setBusy(true);
    void this.send(action).finally(() => {
      if (number === this.sent) this.setBusy(false);
      const free = document.activeElement === document.body;
      if (focus && free) this.live.querySelector<HTMLElement>("#prompt")?.focus({ preventScroll: true });
    });
  }

  private setBusy(busy: boolean): void {
    this.busy = busy;
    this.bar.busy = busy;
  }

  // ---- pointing

  private click(event: MouseEvent): void {
    const { mode } = this;
    const under = elementsUnder(event);
    if (mode.is === "composing") {
      const key = under.map(keyOf).find((one) => mode.composing.fits(one));
      if (key) this.add(mode.composing, key);
      return;
    }
    if (mode.is === "marking") {
      const element = under.find((one) => mode.several.keys.has(keyOf(one)));
      if (element) this.toggle(mode.several, element);
      else this.refuse(under[0]);
      return;
    }
    const keys = under.map(keyOf);
    const key = this.keyUnder(keys);
    if (!key && this.aim(keys)) return;
    if (!key) this.refuse(under[0] ?? entryOf(event));
    if (key && this.tray.open && this.tray.holding && key === pathOf(mode).at(-1)) {
      this.tray.rotate(1);
    } else if (key) {
      this.take(key);
    } else if (closest(event, "#board-now") && mode.is !== "idle" && mode.group === null) {
      this.cancel();
    }
  }

  /** Takes what is pointed at first as the target of a choice; returns whether it is one. */
  private aim(keys: readonly string[]): boolean {
    const { mode, offer } = this;
    if (mode.is !== "idle" || this.busy) return false;
    const next = keys.map((key) => aimed(key, offer)).find((one) => one !== null);
    if (!next) return false;
    const choice = reached(next, offer);
    if (choice) this.finish(choice);
    else this.become(next);
    return true;
  }

  /** Nothing can be done with an element: why not? */
  private refuse(element: Element | null | undefined): void {
    const way = element && this.wayTo(element);
    if (way) this.refused(element, way.keys);
  }

  /** The key pointed at: of what lies on top, unless only something below it can be chosen. */
  private keyUnder(keys: readonly string[]): string | undefined {
    const { root } = this.offer;
    const stop = this.mode.is === "asking" ? root : stopOf(this.mode, this.offer);
    return keys.find((key) => stop.next.has(key)) ?? keys.find((key) => root.next.has(key));
  }

  private key(event: KeyboardEvent): void {
    const entry = entryOf(event);
    if (entry && entry === event.target && pressed(event, "whyNot")) this.refuse(entry);
    const element = closest<Element>(event, "#board-now [data-pick]");
    const svg = this.svg;
    if (!element || !svg || typing(event)) return;
    if (pressed(event, "choose")) {
      event.preventDefault();
      this.press(element);
      return;
    }
    if (!pressed(event, "arrows")) return;
    const to = neighbour(element, svg.querySelectorAll("[data-pick][tabindex]"), event.key);
    if (to instanceof SVGElement) {
      event.preventDefault();
      rove(svg, to);
      to.focus({ preventScroll: true });
      this.view.reveal(to);
    }
  }

  private press(element: Element): void {
    const { mode } = this;
    if (mode.is === "marking") {
      this.toggle(mode.several, element);
    } else if (mode.is === "composing") {
      this.add(mode.composing, keyOf(element));
    } else {
      this.take(keyOf(element));
      if (this.mode.is !== "asking") this.focusBoard();
    }
  }

  private focusBoard(): void {
    const element = this.svg?.querySelector<SVGElement>('[data-pick][tabindex="0"]');
    // What goes on beside the board is answered there.
    (element ?? this.live.querySelector<HTMLElement>("#action-bar button"))?.focus({ preventScroll: true });
    if (element) this.view.reveal(element);
  }

  // ---- showing

  /** Points elements out, such as those of an entry of the list or of a hint. */
  show(keys: readonly string[], kind: Mark = "point", layer = "point"): void {
    const svg = this.svg;
    if (!svg) return;
    const marks: [Element, Mark][] = [];
    for (const key of new Set(keys)) {
      let found = elements(svg, key);
      // Of those that are marked one by one, only as many as are meant.
      if (this.offer.ways.some((way) => way.keys.has(key))) {
        found = found.slice(0, keys.filter((one) => one === key).length);
      }
      for (const element of found) marks.push([element, kind]);
    }
    mark(svg, layer, marks);
    if (layer === "point") showAreas(svg, keys);
  }

  private point(event: Event): void {
    const entry = closest(event, "[data-key], [data-keys]");
    if (!entry) return;
    const keys = entry.dataset["keys"];
    this.show(keys ? (JSON.parse(keys) as string[]) : [entry.dataset["key"] ?? ""]);
  }

  private render(): void {
    this.renderBoard();
    this.renderTray();
    this.bar.render(this.svg, this.offer, this.mode, this.tray.open);
    this.markEntry();
  }

  private renderBoard(): void {
    if (!this.svg) return;
    showChoices(this.svg, this.offer, this.mode, this.view);
    if (this.mode.is === "idle") this.view.open();
  }

  /** Where a piece is to be laid, the pieces are offered at that place. */
  private renderTray(): void {
    const key = this.mode.is === "pointing" ? this.mode.path.at(-1) : undefined;
    const stop = stopOf(this.mode, this.offer);
    const [place] = this.svg && key ? elements(this.svg, key) : [];
    if (place && this.tray.fits(stop)) this.tray.show(stop, place);
    else this.tray.hide();
  }

  /** Marks the entry of the list that has been chosen. */
  private markEntry(): void {
    const chosen = this.mode.is === "asking" ? this.offer.all.indexOf(this.mode.choice) : -1;
    for (const entry of this.live.querySelectorAll<HTMLElement>("[data-entry]")) {
      entry.toggleAttribute("aria-current", Number(entry.dataset["entry"]) === chosen);
    }
  }
}

/** What is sent for a choice. */
function actionOf(choice: Choice, amount: number): Record<string, unknown> {
  return choice.amount ? { ...choice.action, [choice.amount.field]: amount } : choice.action;
}

/** An entry of the holdings, which stands for an element of the board. */
function entryOf(event: Event): Element | null {
  return closest<Element>(event, "[data-key]:not(button, a)");
}

/** Whether the reader wants to be asked before such a move. */
function asks(choice: Choice): boolean {
  const wanted = setting("confirm");
  return wanted === "always" || (choice.confirm && wanted !== "never");
}

/** Shows the borders of what belongs to the companies pointed at. */
function showAreas(svg: SVGSVGElement, keys: readonly string[]): void {
  for (const area of svg.querySelectorAll<SVGElement>("[data-area-of]")) {
    area.classList.toggle("pointed", keys.includes(`company:${area.dataset["areaOf"]}`));
  }
}

/** The elements of the board that lie under the pointer, the topmost first. */
function elementsUnder(event: MouseEvent): Element[] {
  if (!closest(event, "#board-now")) return [];
  return document
    .elementsFromPoint(event.clientX, event.clientY)
    .map((element) => element.closest("#board-now [data-pick]"))
    .filter((element) => element !== null);
}
