/** The bar beside the board: what cannot be pointed at, and what is asked before a choice is sent. */

import { button, make } from "../dom";
import { KEYS } from "../keys";
import { say } from "../words";
import { question } from "./asking";
import { countGroups, more, sending, written, type Choice, type Stop } from "./choices";
import { Composing } from "./composing";
import { cap, number } from "./keycaps";
import { elements, picture } from "./marks";
import { stopOf, type Idle, type Mode } from "./mode";
import type { Offer } from "./offer";
import { keyOf, titleOf } from "./pickable";
import type { Several } from "./several";

/** What the buttons do. */
export interface Acts {
  take(key: string): void;
  choose(choice: Choice): void;
  /** Sends an amount with one tap. */
  once(choice: Choice, amount: number): void;
  cancel(): void;
  become(mode: Mode): void;
  submit(choice: Choice, amount: number): void;
  compose(composing: Composing, choice: Choice): void;
  /** Fills a place with what a choice would bring. */
  foresee(place: HTMLElement, choice: Choice, amount: number): void;
}

/** Maximum number of choices of a kind offered as buttons. */
const FEW = 6;

/** A tap so soon (in milliseconds) after the offer has changed was meant for the one before: another
 * bid has just come in, and the button under the finger has become a dearer one. */
const TOO_SOON = 400;

export class Bar {
  private offer: Offer | null = null;
  /** What the bar is about. */
  private shown: Mode | null = null;
  private heldUntil = 0;

  constructor(
    private readonly live: HTMLElement,
    private readonly acts: Acts,
  ) {}

  private get element(): HTMLElement | null {
    return this.live.querySelector<HTMLElement>("#action-bar");
  }

  set busy(busy: boolean) {
    this.element?.setAttribute("aria-busy", String(busy));
  }

  /** Lets a moment pass before an amount can be sent with one tap. */
  hold(): void {
    this.heldUntil = performance.now() + TOO_SOON;
    setTimeout(() => this.showHeld(), TOO_SOON);
  }

  private showHeld(): void {
    const held = performance.now() < this.heldUntil;
    for (const control of this.element?.querySelectorAll("[data-once]") ?? []) {
      if (held) control.setAttribute("aria-disabled", "true");
      else control.removeAttribute("aria-disabled");
    }
  }

  /** Gives the focus to what is to be answered first. */
  focus(): void {
    this.element?.querySelector<HTMLElement>("[data-first]")?.focus({ preventScroll: true });
  }

  /** With the tray open, the bar leaves the ways on to it. */
  render(svg: SVGSVGElement | null, offer: Offer, mode: Mode, tray: boolean): void {
    const bar = this.element;
    if (!bar) return;
    const focus = document.activeElement;
    const name = focus && bar.contains(focus) ? focus.getAttribute("data-name") : null;
    this.offer = offer;
    const brings = bar.querySelector<HTMLElement>(".brings");
    if (mode.is === "asking" && mode === this.shown && brings) {
      // What is being typed stays; what it would bring may be something else by now.
      this.acts.foresee(brings, mode.choice, mode.amount);
      return;
    }
    const before = this.shown;
    this.shown = mode;
    const content = this.content(svg, offer, mode, tray);
    bar.replaceChildren(...content);
    number(bar.querySelectorAll<HTMLElement>('.buttons button:not([data-name="cancel"])'));
    this.showHeld();
    bar.classList.toggle("empty", content.length === 0);
    bar.classList.toggle("asking", mode.is === "asking" || mode.is === "marking");
    if (mode.is !== "idle" && mode !== before) reveal(bar);
    if (!name) return;
    const same = bar.querySelector<HTMLElement>(`[data-name="${CSS.escape(name)}"]`);
    const other = bar.querySelector<HTMLElement>("button") ?? this.live.querySelector<HTMLElement>("#prompt, #doing:not(:has(#prompt))");
    (same ?? other)?.focus({ preventScroll: true });
  }

  private content(svg: SVGSVGElement | null, offer: Offer, mode: Mode, tray: boolean): Node[] {
    switch (mode.is) {
      case "idle":
        return this.beginnings(svg, offer, mode);
      case "pointing":
        return tray ? [] : this.middle(svg, stopOf(mode, offer));
      case "marking":
        return this.marking(svg, offer, mode.several);
      case "composing":
        return this.composing(svg, mode, mode.composing);
      case "asking":
        return question(mode, this.acts);
    }
  }

  /** Nothing has been chosen: what cannot be pointed at, and the kinds of what can. */
  private beginnings(svg: SVGSVGElement | null, offer: Offer, { group }: Idle): Node[] {
    const members = offer.all.filter((choice) => choice.group === group && !choice.several);
    const few = members.length <= FEW ? members : [];
    const direct: Node[] = few.map((choice) => this.choiceButtons(choice));
    const kinds = new Map<string, number>();
    for (const [key, stop] of offer.root.next) {
      if (svg && elements(svg, key).length) countGroups(stop, kinds);
      else if (stop.count > 1 || !stop.first || !few.includes(stop.first)) direct.push(this.stepButton(key, stop));
    }
    for (const choice of offer.root.here) if (!few.includes(choice)) direct.push(this.choiceButtons(choice));
    for (const several of offer.ways) {
      const begin = (): void => this.acts.become({ is: "marking", several });
      direct.push(button(`${several.group} …`, begin, { "data-name": `several ${several.group}` }));
    }
    const compose = offer.composable[0]?.compose;
    if (compose) {
      const begin = (): void =>
        this.acts.become({ is: "composing", composing: new Composing(offer.composable, compose) });
      direct.push(button(say("byHand"), begin, { class: "plain", "data-name": "compose" }));
    }
    const chips = [...kinds].map(([kind, count]) => this.chip(kind, count, kind === group));
    const nodes: Node[] = [];
    if (chips.length > 1) nodes.push(make("div", { class: "chips", role: "group" }, ...chips));
    if (kinds.size) {
      const text = group === null ? say("pickHere") : say("pickGroup", { group });
      const how = make("p", { class: group === null ? "how anything" : "how" }, text);
      cap(how, KEYS.board.toBoard[0]);
      nodes.push(how);
    }
    if (direct.length) nodes.push(make("div", { class: "buttons" }, ...direct));
    return nodes;
  }

  /** A button that marks only one group on the board, or all again. */
  private chip(group: string, count: number, pressed: boolean): HTMLButtonElement {
    const chip = button("", () => this.acts.become({ is: "idle", group: pressed ? null : group }), {
      class: "chip",
      "aria-pressed": String(pressed),
      "data-name": `group ${group}`,
    });
    chip.append(group, make("span", { class: "count" }, String(count)));
    return chip;
  }

  /** Something has been pointed at: how it can go on. */
  private middle(svg: SVGSVGElement | null, stop: Stop): Node[] {
    const off = [...stop.next].filter(([key]) => !svg || !elements(svg, key).length);
    const answers = [
      ...stop.here.map((choice) => this.choiceButtons(choice)),
      ...off.map(([key, next]) => this.stepButton(key, next)),
    ];
    if (answers.length === 1 && stop.count === 1) answers[0]?.classList.add("main");
    const buttons = [...answers, this.cancelButton()];
    const ways = make("div", { class: "buttons" }, ...buttons);
    const onBoard = stop.next.size > off.length;
    // One way on and the way back need no question.
    if (!onBoard && stop.here.length + off.length < 2) return [ways];
    return [make("p", { class: "how" }, say(onBoard ? "pickNext" : "whichOne")), ways];
  }

  /** Something is being added to a choice: what there is of it, and the choices. */
  private composing(svg: SVGSVGElement | null, mode: Mode, composing: Composing): Node[] {
    const named = (key: string): string =>
      (svg && titleOf(elements(svg, key)[0])?.split(",")[0]) ?? key;
    const parts = composing.parts.map((_, index) => {
      const stops = composing.keys(index).map(named).join(" – ") || say("nothingYet");
      const pick = (): void => {
        composing.current = index;
        this.acts.become(mode);
      };
      const part = button("", pick, {
        class: "part",
        "aria-pressed": String(index === composing.current),
        "data-name": `part ${index}`,
      });
      part.append(make("strong", {}, composing.compose.parts[index] ?? ""), ` ${stops}`);
      return part;
    });
    const sends = composing.choices.map((choice, index) => {
      const label = choice.compose?.label ?? choice.label;
      return button(label, () => this.acts.compose(composing, choice), {
        class: index === 0 ? "main" : "",
        disabled: composing.empty,
        "data-name": label,
      });
    });
    return [
      make("p", { class: "how" }, say("composing")),
      make("div", { class: "parts" }, ...parts),
      make("div", { class: "buttons" }, ...sends, this.cancelButton()),
    ];
  }

  /** Several elements are being marked: they are shown here as well, which a small board is glad of. */
  private marking(svg: SVGSVGElement | null, offer: Offer, several: Several): Node[] {
    const marked = several.marked.length;
    const chosen = several.chosen();
    const missing = Math.max(1, several.least - marked);
    const send = button(
      chosen ? chosen.label : say("markMore", { n: missing }),
      () => chosen && this.acts.submit(chosen, 0),
      { class: "main", disabled: !chosen, "data-first": chosen !== undefined, "data-name": "confirm" },
    );
    const buttons = [send];
    if (marked > 0 || several !== offer.only) buttons.push(this.cancelButton());
    return [
      make("p", { class: "how" }, say("markHere"), " ", make("strong", { role: "status", class: "marked" }, counted(several))),
      make("div", { class: "markables", role: "group", "aria-label": several.group }, ...this.markables(svg, several)),
      make("div", { class: "buttons" }, ...buttons),
    ];
  }

  /** A button for each element that can be marked, in the order in which they are drawn. */
  private markables(svg: SVGSVGElement | null, several: Several): Node[] {
    const order = [...(svg?.querySelectorAll("[data-pick]") ?? [])].map(keyOf);
    const keys = [...several.keys].sort(([one], [other]) => order.indexOf(one) - order.indexOf(other));
    return keys.flatMap(([key, most]) => {
      const drawn = svg ? elements(svg, key) : [];
      const named = several.choices.find((choice) => choice.keys.length === 1 && choice.keys[0] === key);
      return Array.from({ length: Math.max(most, drawn.length) }, (_, index) => {
        const element = drawn[Math.min(index, drawn.length - 1)];
        const title = titleOf(element) ?? named?.label ?? key;
        const mark = (): void => {
          several.toggle(key, index);
          this.acts.become({ is: "marking", several });
        };
        const control = button("", mark, {
          class: "markable",
          "aria-pressed": String(several.has(key, index)),
          "aria-label": title,
          title,
          "data-name": `mark ${key} ${index}`,
        });
        control.append(svg && element instanceof SVGGraphicsElement ? picture(svg, element) : title);
        return control;
      });
    });
  }

  private stepButton(key: string, stop: Stop): HTMLElement {
    const only = stop.count === 1 ? stop.first : undefined;
    if (only) return this.choiceButtons(only);
    return button(stop.first?.group ?? key, () => this.acts.take(key), { "data-name": `key ${key}` });
  }

  /** One thing to do: a button, or several where amounts are sent with one tap. */
  private choiceButtons(choice: Choice): HTMLElement {
    const { amount } = choice;
    if (!amount?.atOnce || !amount.quick.length) return this.choiceButton(choice);
    const language = document.documentElement.lang;
    const buttons = amount.quick.map((one) => {
      const label = sending(amount, one, language);
      const step = more(amount, one);
      const once = (): void => {
        if (!send.hasAttribute("aria-disabled")) this.acts.once(choice, one);
      };
      const short = written(amount, one, language);
      const send = button(step ? short : label, once, {
        "data-once": true,
        class: step ? "quick" : "main",
        "aria-label": step ? `${short} ${step}: ${label}` : label,
        "data-keys": JSON.stringify(choice.keys),
        "data-name": `quick ${step}`,
      });
      if (step) send.append(" ", make("small", {}, step));
      return send;
    });
    const other = button(say("otherAmount"), () => this.acts.choose(choice), {
      class: "plain",
      "data-name": choice.label,
    });
    return make("div", { class: "bids", role: "group", "aria-label": choice.label }, ...buttons, other);
  }

  private choiceButton(choice: Choice): HTMLButtonElement {
    return button(choice.label, () => this.acts.choose(choice), {
      "data-keys": JSON.stringify(choice.keys),
      "data-choice": this.offer?.all.indexOf(choice) ?? -1,
      "data-name": choice.label,
    });
  }

  private cancelButton(): HTMLButtonElement {
    return button(say("cancel"), () => this.acts.cancel(), { "data-name": "cancel" });
  }
}

/** Brings what is asked into sight if its buttons are below what the panel shows: below a long text of
 * the guide no one would look for them. The page itself stays where it is. */
function reveal(bar: HTMLElement): void {
  const buttons = [...bar.querySelectorAll(".buttons")].at(-1);
  if (buttons) bringUp(bar, buttons);
}

/** Scrolls a part of the panel to its top, unless it is in sight down to an element. */
export function bringUp(part: Element, last: Element = part): void {
  for (const panel of [part.closest(".doing"), part.closest(".console")]) {
    if (!panel) continue;
    const shown = panel.getBoundingClientRect();
    if (last.getBoundingClientRect().bottom <= shown.bottom) continue;
    panel.scrollTop += part.getBoundingClientRect().top - shown.top;
  }
}

/** How much has been marked; of a single thing the reader sees that by itself. */
function counted(several: Several): string {
  if (several.most === 1) return "";
  const n = several.marked.length;
  return several.least === several.most ? say("markedOf", { n, most: several.most }) : say("marked", { n });
}
