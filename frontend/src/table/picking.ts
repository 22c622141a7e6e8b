/**
 * Choosing by pointing: on the board, with the buttons beside it, and from the list; and the bar
 * that asks for an amount and for confirmation before a choice is sent.
 */

import { button, closest, make, typing } from "../dom";
import { say } from "../words";
import { neighbour, type BoardView } from "./board";
import { follow, groups, tree, type Choice, type Stop } from "./choices";
import { elements, mark, picture, trace as line, type Mark } from "./marks";
import { Composing } from "./composing";
import { Several } from "./several";
import { Tray } from "./tray";

/** More ways to begin than this are marked faintly, until one group of them is asked for. */
const MANY = 14;

type Send = (action: Record<string, unknown>) => Promise<void>;

export class Picker {
  private choices: Choice[] = [];
  private source = "";
  private root: Stop = tree([]);
  private path: string[] = [];
  private group: string | null = null;
  private chosen: Choice | null = null;
  /** The choices that are made by marking several elements, by their group; and the one under way. */
  private ways: Several[] = [];
  private several: Several | null = null;
  private amount = 0;
  /** Counts what has been sent; `busy` until the answer, or until there is something new to choose. */
  private sent = 0;
  private busy = false;
  private readonly tray: Tray;
  /** What is being added to a choice. */
  private composing: Composing | null = null;

  constructor(
    private readonly live: HTMLElement,
    private readonly view: BoardView,
    private readonly send: Send,
  ) {
    this.tray = new Tray(live, view, {
      send: (choice) => this.submit(choice, 0),
      cancel: () => this.cancel(),
    });
    view.moved = () => this.tray.settle();
    live.addEventListener("click", (event) => this.click(event));
    live.addEventListener("keydown", (event) => this.key(event));
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && !document.querySelector("dialog[open]") && this.active) {
        event.preventDefault();
        this.cancel();
      }
    });
    for (const name of ["pointerover", "focusin"] as const) {
      live.addEventListener(name, (event) => this.point(event));
    }
    for (const name of ["pointerout", "focusout"] as const) {
      live.addEventListener(name, (event) => {
        if (closest(event, "[data-key], [data-keys]")) this.show([]);
      });
    }
  }

  private get active(): boolean {
    return this.path.length > 0 || this.chosen !== null || this.group !== null || this.several !== null || this.composing !== null;
  }

  private get svg(): SVGSVGElement | null {
    return this.live.querySelector<SVGSVGElement>("#board-now > svg");
  }

  private get bar(): HTMLElement | null {
    return this.live.querySelector<HTMLElement>("#action-bar");
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
    this.setBusy(false);
    this.choices = JSON.parse(text) as Choice[];
    this.root = tree(this.choices.filter((choice) => !choice.several));
    this.composing = null;
    this.ways = [...groups(this.choices.filter((choice) => choice.several))].map(
      ([group, members]) => new Several(group, members),
    );
    const marked = this.several?.marked ?? [];
    this.several = this.ways.find((way) => way.group === this.several?.group) ?? this.only();
    this.several?.keep(marked);
    if (!follow(this.root, this.path)) this.path = [];
    const { chosen } = this;
    this.chosen = (chosen && this.choices.find((choice) => goesOn(chosen, choice, this.amount))) ?? null;
    // An amount that has become impossible begins anew; it never turns into another by itself.
    if (chosen && !this.chosen) this.path = [];
    if (!this.choices.some((choice) => choice.group === this.group)) this.group = null;
    this.render();
  }

  get all(): readonly Choice[] {
    return this.choices;
  }

  /** Marking several elements, if there is nothing else to do. */
  private only(): Several | null {
    const [way] = this.ways;
    return way && this.ways.length === 1 && !this.root.here.length && !this.root.next.size ? way : null;
  }

  /** What the list or a hint says has been chosen; an amount is still asked for, beginning with this. */
  choose(choice: Choice, amount?: number): void {
    if (choice.several) {
      this.cancel();
      this.several = this.ways.find((way) => way.choices.includes(choice)) ?? null;
      this.several?.mark(choice);
      this.render();
      this.bar?.querySelector<HTMLElement>("[data-first]")?.focus({ preventScroll: true });
      return;
    }
    this.several = null;
    this.path = [...choice.keys];
    this.finish(choice, amount);
  }

  cancel(): void {
    this.path = [];
    this.chosen = null;
    this.group = null;
    this.composing = null;
    this.several = this.only();
    if (this.several) this.several.marked = [];
    this.render();
  }

  /** Points elements out, such as those of an entry of the list or of a hint. */
  show(keys: readonly string[], kind: Mark = "point", layer = "point"): void {
    const svg = this.svg;
    if (!svg) return;
    const marks: [Element, Mark][] = [];
    for (const key of new Set(keys)) {
      let found = elements(svg, key);
      // Of those that are marked one by one, only as many as are meant.
      if (this.ways.some((way) => way.keys.has(key))) {
        found = found.slice(0, keys.filter((one) => one === key).length);
      }
      for (const element of found) marks.push([element, kind]);
    }
    mark(svg, layer, marks);
  }

  private point(event: Event): void {
    const entry = closest(event, "[data-key], [data-keys]");
    if (!entry) return;
    const keys = entry.dataset["keys"];
    this.show(keys ? (JSON.parse(keys) as string[]) : [entry.dataset["key"] ?? ""]);
  }

  // ---- pointing

  private stop(): Stop {
    return follow(this.root, this.path) ?? this.root;
  }

  /** Whether a way that goes on with this key is open in the group that was asked for. */
  private open(stop: Stop): boolean {
    if (this.group === null) return true;
    if (stop.here.some((choice) => choice.group === this.group)) return true;
    return [...stop.next.values()].some((next) => this.open(next));
  }

  private nextKeys(): [string, Stop][] {
    const stop = this.stop();
    return [...stop.next].filter(([, next]) => this.path.length > 0 || this.open(next));
  }

  private click(event: Event): void {
    if (this.composing) {
      const under = event instanceof MouseEvent ? this.elementsUnder(event) : [];
      const key = under.map((one) => one.getAttribute("data-pick") ?? "").find((one) => this.composing?.fits(one));
      if (key) this.add(key);
      return;
    }
    if (this.several) {
      const under = event instanceof MouseEvent ? this.elementsUnder(event) : [];
      const element = under.find((one) => this.several?.keys.has(one.getAttribute("data-pick") ?? ""));
      if (element) this.toggle(element);
      return;
    }
    const key = event instanceof MouseEvent ? this.keyUnder(event) : null;
    if (key && this.tray.open && this.tray.holding && key === this.path.at(-1)) {
      this.tray.rotate(1);
    } else if (key) {
      this.take(key);
    } else if (closest(event, "#board-now") && this.active && this.group === null) {
      this.cancel();
    }
  }

  /** The key pointed at: of what lies on top, unless only something below it can be chosen. */
  private keyUnder(event: MouseEvent): string | null {
    if (!closest(event, "#board-now")) return null;
    const keys = this.elementsUnder(event).map((element) => element.getAttribute("data-pick") ?? "");
    const next = keys.find((key) => this.stop().next.has(key) && !this.chosen);
    return next ?? keys.find((key) => this.root.next.has(key)) ?? null;
  }

  private elementsUnder(event: MouseEvent): Element[] {
    if (!closest(event, "#board-now")) return [];
    return document
      .elementsFromPoint(event.clientX, event.clientY)
      .map((element) => element.closest("#board-now [data-pick]"))
      .filter((element) => element !== null);
  }

  /** Marks an element of the board, or lets it go. */
  private toggle(element: Element): void {
    const key = element.getAttribute("data-pick") ?? "";
    const svg = this.svg;
    if (!svg || !this.several || this.busy) return;
    const all = elements(svg, key);
    let index = all.indexOf(element);
    // One element may stand for more of its kind than are drawn: it is marked once more each time.
    const count = this.several.keys.get(key) ?? 0;
    if (all.length < count) {
      const free = Array.from({ length: count }, (_, n) => n).find((n) => !this.several?.has(key, n));
      index = free ?? 0;
    }
    this.several.toggle(key, index);
    this.render();
  }

  private add(key: string): void {
    if (!this.composing?.fits(key)) return;
    this.composing.toggle(key);
    this.render();
  }

  private take(key: string): void {
    if (this.busy) return;
    if (this.chosen || !this.stop().next.has(key)) {
      const again = this.path[0] === key;
      this.path = [];
      this.chosen = null;
      // Pointing at the first element again lets it go.
      if (again || !this.root.next.has(key)) {
        this.render();
        return;
      }
    }
    this.path.push(key);
    const stop = this.stop();
    const here = stop.here.filter((choice) => this.group === null || choice.group === this.group);
    const only = here.length === 1 && stop.next.size === 0 ? here[0] : undefined;
    if (only) this.finish(only);
    else this.render();
  }

  private finish(choice: Choice, amount?: number): void {
    if (choice.amount || choice.confirm) {
      this.chosen = choice;
      this.amount = amount ?? choice.amount?.low ?? 0;
      this.render();
      this.bar?.querySelector<HTMLElement>("[data-first]")?.focus({ preventScroll: true });
    } else {
      this.submit(choice, 0);
    }
  }

  private submit(choice: Choice, amount: number): void {
    if (this.busy) return;
    const action = { ...choice.action };
    if (choice.amount) action[choice.amount.field] = amount;
    this.post(action);
  }

  /** Sends; what was begun is given up at once, because by the time of the answer something else may
   * have been begun. `keep` keeps what would be laborious to point at again. */
  private post(action: Record<string, unknown>, keep = false): void {
    if (this.busy) return;
    const number = ++this.sent;
    if (!keep) this.cancel();
    this.setBusy(true);
    void this.send(action).finally(() => {
      if (number === this.sent) this.setBusy(false);
    });
  }

  private setBusy(busy: boolean): void {
    this.busy = busy;
    this.bar?.setAttribute("aria-busy", String(busy));
  }

  private key(event: KeyboardEvent): void {
    const element = closest<Element>(event, "#board-now [data-pick]");
    if (!element || typing(event)) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      if (this.several) {
        this.toggle(element);
        return;
      }
      if (this.composing) {
        this.add(element.getAttribute("data-pick") ?? "");
        return;
      }
      this.take(element.getAttribute("data-pick") ?? "");
      if (!this.chosen) this.focusBoard();
      return;
    }
    const svg = this.svg;
    if (!svg) return;
    const to = neighbour(element, svg.querySelectorAll("[data-pick][tabindex]"), event.key);
    if (to instanceof SVGElement) {
      event.preventDefault();
      this.rove(to);
      to.focus({ preventScroll: true });
      this.view.reveal(to);
    }
  }

  /** The board is one stop of the Tab key; the arrow keys move on within it. */
  private rove(to: Element): void {
    for (const element of this.svg?.querySelectorAll("[data-pick][tabindex]") ?? []) {
      element.setAttribute("tabindex", element === to ? "0" : "-1");
    }
  }

  private focusBoard(): void {
    const element = this.svg?.querySelector<SVGElement>('[data-pick][tabindex="0"]');
    element?.focus({ preventScroll: true });
    if (element) this.view.reveal(element);
  }

  // ---- showing

  render(): void {
    this.renderBoard();
    this.renderTray();
    this.renderBar();
    this.markEntry();
  }

  /** Marks the entry of the list that has been chosen. */
  private markEntry(): void {
    for (const entry of this.live.querySelectorAll<HTMLElement>("[data-entry]")) {
      const current = this.chosen !== null && this.choices[Number(entry.dataset["entry"])] === this.chosen;
      entry.toggleAttribute("aria-current", current);
    }
  }

  private renderBoard(): void {
    const svg = this.svg;
    if (!svg) return;
    const focused = document.activeElement;
    const held = focused && svg.contains(focused) ? focused : null;
    for (const element of svg.querySelectorAll("[data-pick]")) {
      element.classList.remove("can-pick", "target", "picked");
      for (const name of ["tabindex", "role", "aria-label", "aria-pressed"]) {
        if (element !== held || name !== "tabindex") element.removeAttribute(name);
      }
    }
    const marks: [Element, Mark][] = [];
    const possible: Element[] = [];
    for (const key of this.several?.keys.keys() ?? []) {
      for (const [index, element] of elements(svg, key).entries()) {
        const marked = this.several?.has(key, index) ?? false;
        element.classList.add(marked ? "picked" : "can-pick");
        marks.push([element, marked ? "picked" : "can"]);
        possible.push(element);
        element.setAttribute("role", "button");
        element.setAttribute("aria-pressed", String(marked));
        element.setAttribute("aria-label", element.querySelector(":scope > title")?.textContent ?? key);
        element.setAttribute("tabindex", "-1");
      }
    }
    trace(svg, this.composing);
    if (this.composing) {
      const picked = new Set(this.composing.keys(this.composing.current));
      for (const element of svg.querySelectorAll("[data-pick]")) {
        const key = element.getAttribute("data-pick") ?? "";
        if (!this.composing.fits(key)) continue;
        element.classList.add(picked.has(key) ? "picked" : "can-pick");
        if (picked.has(key)) marks.push([element, "picked"]);
        possible.push(element);
        element.setAttribute("role", "button");
        element.setAttribute("aria-pressed", String(picked.has(key)));
        element.setAttribute("aria-label", element.querySelector(":scope > title")?.textContent ?? key);
        element.setAttribute("tabindex", "-1");
      }
    }
    const next = this.chosen || this.several || this.composing ? [] : this.nextKeys();
    const large = new Set<string>();
    if (this.path.length === 0 && this.group === null) {
      const counts = new Map<string, number>();
      for (const [, stop] of next) {
        const group = stop.first?.group ?? "";
        counts.set(group, (counts.get(group) ?? 0) + 1);
      }
      for (const [group, count] of counts) if (count > MANY) large.add(group);
    }
    for (const [key, stop] of next) {
      const begun = this.path.length > 0;
      const kind: Mark = begun ? "target" : large.has(stop.first?.group ?? "") ? "faint" : "can";
      for (const element of elements(svg, key)) {
        element.classList.add(begun ? "target" : "can-pick");
        marks.push([element, kind]);
        possible.push(element);
        element.setAttribute("role", "button");
        const choice = stop.first;
        const label = stop.count === 1 && choice ? choice.label : "";
        const title = element.querySelector(":scope > title")?.textContent ?? key;
        const what = label || (choice && stop.next.size ? choice.group : "");
        element.setAttribute("aria-label", [what, title].filter(Boolean).join(", "));
        element.setAttribute("tabindex", "-1");
      }
    }
    for (const key of this.path) {
      for (const element of elements(svg, key)) {
        element.classList.add("picked");
        element.setAttribute("aria-pressed", "true");
        marks.push([element, "picked"]);
      }
    }
    if (this.path.length === 1) for (const [element] of marks.slice(-1)) this.view.turnTo(element);
    const current = held && possible.includes(held) ? held : possible[0];
    current?.setAttribute("tabindex", "0");
    if (held && current !== held) {
      held.removeAttribute("tabindex");
      if (current instanceof SVGElement && !this.chosen) current.focus({ preventScroll: true });
    }
    mark(svg, "choices", marks);
    svg.classList.toggle("choosing", this.path.length > 0);
  }

  /** Where a piece is to be laid, the pieces are offered at that place. */
  private renderTray(): void {
    const key = this.path.at(-1);
    const stop = this.stop();
    const [place] = this.svg && key && !this.chosen ? elements(this.svg, key) : [];
    if (place && this.tray.fits(stop)) this.tray.show(stop, place);
    else this.tray.hide();
  }

  private renderBar(): void {
    const bar = this.bar;
    if (!bar) return;
    const focus = document.activeElement;
    const name = focus && bar.contains(focus) ? focus.getAttribute("data-name") : null;
    const content = this.composing
      ? this.composed(this.composing)
      : this.several
      ? this.marking(this.several)
      : this.chosen
      ? this.question(this.chosen)
      : this.path.length > 0
        ? this.middle()
        : this.beginnings();
    bar.replaceChildren(...content);
    bar.classList.toggle("empty", content.length === 0);
    bar.classList.toggle("asking", this.chosen !== null || this.several !== null);
    if (name) {
      const same = bar.querySelector<HTMLElement>(`[data-name="${CSS.escape(name)}"]`);
      const other = bar.querySelector<HTMLElement>("button") ?? this.live.querySelector<HTMLElement>("#prompt");
      (same ?? other)?.focus({ preventScroll: true });
    }
  }

  /** Nothing has been chosen: what cannot be pointed at, and the kinds of what can. */
  private beginnings(): Node[] {
    const svg = this.svg;
    const direct: Node[] = [];
    const kinds = new Map<string, number>();
    for (const [key, stop] of this.root.next) {
      const choice = stop.first;
      if (!choice) continue;
      if (svg && elements(svg, key).length) {
        this.count(stop, kinds);
      } else {
        direct.push(this.stepButton(key, stop));
      }
    }
    for (const choice of this.root.here) direct.push(this.choiceButton(choice));
    for (const way of this.ways) {
      const begin = (): void => {
        this.cancel();
        this.several = way;
        this.render();
      };
      direct.push(button(`${way.group} …`, begin, { "data-name": `several ${way.group}` }));
    }
    const composable = this.choices.filter((choice) => choice.compose);
    const [first] = composable;
    if (first?.compose) {
      const { compose } = first;
      const begin = (): void => {
        this.composing = new Composing(composable, compose);
        this.render();
      };
      direct.push(button(say("byHand"), begin, { class: "plain", "data-name": "compose" }));
    }
    const chips = [...kinds].map(([group, count]) => {
      const pressed = group === this.group;
      const chip = button("", () => this.filter(group), {
        class: "chip",
        "aria-pressed": String(pressed),
        "data-name": `group ${group}`,
      });
      chip.append(group, make("span", { class: "count" }, String(count)));
      return chip;
    });
    const nodes: Node[] = [];
    if (chips.length > 1) nodes.push(make("div", { class: "chips", role: "group" }, ...chips));
    if (kinds.size) {
      const text = this.group === null ? say("pickHere") : say("pickGroup", { group: this.group });
      nodes.push(make("p", { class: this.group === null ? "how anything" : "how" }, text));
    }
    if (direct.length) nodes.push(make("div", { class: "buttons" }, ...direct));
    return nodes;
  }

  private count(stop: Stop, found: Map<string, number>): void {
    for (const { group } of stop.here) found.set(group, (found.get(group) ?? 0) + 1);
    for (const next of stop.next.values()) this.count(next, found);
  }

  private filter(group: string): void {
    this.group = this.group === group ? null : group;
    this.render();
  }

  /** Something has been pointed at: how it can go on. */
  private middle(): Node[] {
    const svg = this.svg;
    const stop = this.stop();
    const here = stop.here.map((choice) => this.choiceButton(choice));
    const off = [...stop.next].filter(([key]) => !svg || !elements(svg, key).length);
    // The tray has its own buttons.
    if (this.tray.open) return [];
    const buttons = [
      ...here,
      ...off.map(([key, next]) => this.stepButton(key, next)),
      button(say("cancel"), () => this.cancel(), { "data-name": "cancel" }),
    ];
    const onBoard = stop.next.size > off.length;
    const text = onBoard ? say("pickNext") : say("whichOne");
    return [make("p", { class: "how" }, text), make("div", { class: "buttons" }, ...buttons)];
  }

  /** Something is being added to a choice: what there is of it, and the choices. */
  private composed(composing: Composing): Node[] {
    const svg = this.svg;
    const named = (key: string): string =>
      (svg && elements(svg, key)[0]?.querySelector(":scope > title")?.textContent?.split(",")[0]) ?? key;
    const parts = composing.parts.map((_, index) => {
      const stops = composing.keys(index).map(named).join(" – ") || say("nothingYet");
      const pick = (): void => {
        composing.current = index;
        this.render();
      };
      const chip = button("", pick, {
        class: "part",
        "aria-pressed": String(index === composing.current),
        "data-name": `part ${index}`,
      });
      chip.append(make("strong", {}, composing.compose.parts[index] ?? ""), ` ${stops}`);
      return chip;
    });
    const sends = composing.choices.map((choice) =>
      button(choice.compose?.label ?? choice.label, () => this.post(composing.action(choice), true), {
        class: choice === composing.choices[0] ? "main" : "",
        disabled: composing.empty,
        "data-name": choice.compose?.label ?? choice.label,
      }),
    );
    const cancel = button(say("cancel"), () => this.cancel(), { "data-name": "cancel" });
    return [
      make("p", { class: "how" }, say("composing")),
      make("div", { class: "parts" }, ...parts),
      make("div", { class: "buttons" }, ...sends, cancel),
    ];
  }

  /** Several elements are being marked: they are shown here as well, which a small board is glad of. */
  private marking(several: Several): Node[] {
    const svg = this.svg;
    const controls: Node[] = [];
    // In the order in which they are drawn.
    const order = [...(svg?.querySelectorAll("[data-pick]") ?? [])].map((one) => one.getAttribute("data-pick"));
    const keys = [...several.keys].sort(([one], [other]) => order.indexOf(one) - order.indexOf(other));
    for (const [key, most] of keys) {
      const drawn = svg ? elements(svg, key) : [];
      const named = several.choices.find((choice) => choice.keys.length === 1 && choice.keys[0] === key);
      for (let index = 0; index < Math.max(most, drawn.length); index++) {
        const element = drawn[Math.min(index, drawn.length - 1)];
        const title = element?.querySelector(":scope > title")?.textContent ?? named?.label ?? key;
        const act = (): void => {
          several.toggle(key, index);
          this.render();
        };
        const control = button("", act, {
          class: "markable",
          "aria-pressed": String(several.has(key, index)),
          "aria-label": title,
          title,
          "data-name": `mark ${key} ${index}`,
        });
        control.append(svg && element instanceof SVGGraphicsElement ? picture(svg, element) : title);
        controls.push(control);
      }
    }
    const marked = several.marked.length;
    const chosen = several.chosen();
    const missing = Math.max(1, several.least - marked);
    const send = button(chosen ? chosen.label : say("markMore", { n: missing }), () => chosen && this.submit(chosen, 0), {
      class: "main",
      disabled: !chosen,
      "data-first": chosen !== undefined,
      "data-name": "confirm",
    });
    const exact = several.least === several.most;
    const count = exact ? say("markedOf", { n: marked, most: several.most }) : say("marked", { n: marked });
    const buttons = [send];
    if (marked > 0 || several !== this.only()) {
      buttons.push(button(say("cancel"), () => this.cancel(), { "data-name": "cancel" }));
    }
    return [
      make("p", { class: "how" }, say("markHere"), " ", make("strong", { role: "status", class: "marked" }, count)),
      make("div", { class: "markables", role: "group", "aria-label": several.group }, ...controls),
      make("div", { class: "buttons" }, ...buttons),
    ];
  }

  private stepButton(key: string, stop: Stop): HTMLElement {
    const only = stop.count === 1 ? stop.first : undefined;
    if (only) return this.choiceButton(only);
    const label = stop.first?.group ?? key;
    return button(label, () => this.take(key), { "data-name": `key ${key}` });
  }

  private choiceButton(choice: Choice): HTMLElement {
    return button(choice.label, () => this.choose(choice), {
      "data-keys": JSON.stringify(choice.keys),
      "data-name": choice.label,
    });
  }

  /** A choice that wants an amount or a confirmation before it is sent. */
  private question(choice: Choice): Node[] {
    // With a field in focus, a phone would cover the board with its keyboard.
    const touch = matchMedia("(pointer: coarse)").matches;
    const send = button(say("confirm"), () => this.submit(choice, this.amount), {
      class: "main",
      "data-first": !choice.amount || touch,
      "data-name": "confirm",
    });
    const cancel = button(say("cancel"), () => this.cancel(), {
      "data-name": "cancel",
    });
    const nodes: Node[] = [make("p", { class: "what" }, choice.label)];
    if (choice.ask) nodes.push(make("p", { class: "how" }, choice.ask));
    if (choice.amount) nodes.push(this.amountField(choice, send));
    else nodes.push(make("p", { class: "how" }, say("final")));
    nodes.push(make("div", { class: "buttons" }, send, cancel));
    return nodes;
  }

  private amountField(choice: Choice, send: HTMLButtonElement): HTMLElement {
    const { low, high, step } = choice.amount ?? { low: 0, high: 0, step: 1 };
    const limits = { min: low, max: high, step };
    const number = make("input", {
      type: "number",
      inputmode: "numeric",
      ...limits,
      id: "amount",
      "data-first": !matchMedia("(pointer: coarse)").matches,
      "data-name": "amount",
      "aria-label": say("amount"),
    });
    const slider = make("input", { type: "range", ...limits, "aria-label": say("amount"), "data-name": "slider" });
    const less = button("−", () => set(this.amount - step), { class: "step", "aria-label": say("less") });
    const more = button("+", () => set(this.amount + step), { class: "step", "aria-label": say("more") });
    const show = (): void => {
      slider.value = String(this.amount);
      less.disabled = this.amount <= low;
      more.disabled = this.amount >= high;
      send.textContent = say("confirmAmount", { amount: written(this.amount) });
    };
    const set = (wanted: number): void => {
      const within = Math.min(high, Math.max(low, Number.isFinite(wanted) ? wanted : low));
      this.amount = low + Math.round((within - low) / step) * step;
      number.value = String(this.amount);
      show();
    };
    slider.addEventListener("input", () => set(Number(slider.value)));
    number.addEventListener("input", () => {
      const typed = Number(number.value);
      const valid = number.value !== "" && typed >= low && typed <= high && (typed - low) % step === 0;
      number.setAttribute("aria-invalid", String(!valid));
      send.disabled = !valid;
      if (valid) {
        this.amount = typed;
        show();
      }
    });
    number.addEventListener("change", () => {
      set(Number(number.value));
      number.removeAttribute("aria-invalid");
      send.disabled = false;
    });
    number.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && !send.disabled) this.submit(choice, this.amount);
    });
    set(this.amount);
    const range = make("span", { class: "range" }, say("between", { low: written(low), high: written(high) }));
    if (low === high) return make("div", { class: "amount" }, make("span", { class: "range" }, say("onlyAmount", { amount: written(low) })));
    return make("div", { class: "amount" }, less, number, more, slider, range);
  }
}

/** Shows the parts of what is being added as lines; what the drawing itself shows of them steps back. */
function trace(svg: SVGSVGElement, composing: Composing | null): void {
  const parts = composing ? composing.parts.map((_, index) => composing.keys(index)) : [];
  line(svg, parts.map((keys) => keys.flatMap((key) => elements(svg, key).slice(0, 1))));
  for (const run of svg.querySelectorAll('[class^="run-"], .halo-run')) run.classList.toggle("faded", composing !== null);
}

/** A number as the reader's language writes it. */
function written(value: number): string {
  return value.toLocaleString(document.documentElement.lang);
}

/** Whether a choice that was begun, with this amount, is still there among new ones. */
function goesOn(begun: Choice, choice: Choice, amount: number): boolean {
  if (!begun.amount || !choice.amount) return JSON.stringify(begun) === JSON.stringify(choice);
  const { field, low, high, step } = choice.amount;
  const alike = ({ action, keys }: Choice): string => JSON.stringify([{ ...action, [field]: 0 }, keys]);
  return alike(begun) === alike(choice) && amount >= low && amount <= high && (amount - low) % step === 0;
}
