/** Asking for an amount, or for confirmation, before a choice is sent. */

import { button, make } from "../dom";
import { pressed } from "../keys";
import { say } from "../words";
import { amountIn, nearest, possible, sending, written, type Amount, type Choice } from "./choices";
import type { Asking } from "./mode";

interface Acts {
  submit(choice: Choice, amount: number): void;
  cancel(): void;
  foresee(place: HTMLElement, choice: Choice, amount: number): void;
}

export function question(asking: Asking, acts: Acts): Node[] {
  const { choice } = asking;
  // With a field in focus, a phone would cover the board with its keyboard.
  const touch = matchMedia("(pointer: coarse)").matches;
  // There is no field where only one amount is possible.
  const field = choice.amount !== null && choice.amount.low < choice.amount.high;
  const send = button(say("confirm"), () => acts.submit(choice, asking.amount), {
    class: "main",
    "data-first": !field || touch,
    "data-name": "confirm",
  });
  const cancel = button(say("cancel"), () => acts.cancel(), { "data-name": "cancel" });
  // Below the buttons, so that these stay where they are when it comes.
  const brings = make("div", { class: "brings", "aria-live": "polite" });
  const foresee = (): void => acts.foresee(brings, choice, asking.amount);
  const nodes: Node[] = [make("p", { class: "what" }, choice.label)];
  if (choice.ask) nodes.push(make("p", { class: "how" }, choice.ask));
  if (choice.amount) nodes.push(amountField(asking, choice.amount, send, acts, foresee));
  else if (choice.confirm && choice.final) nodes.push(make("p", { class: "how" }, say("final")));
  foresee();
  nodes.push(make("div", { class: "buttons" }, send, cancel), brings);
  return nodes;
}

/** The amount: typed, moved, or one of those that are usual; `changed` is called whenever it is another one. */
function amountField(
  asking: Asking,
  amount: Amount,
  send: HTMLButtonElement,
  acts: Acts,
  changed: () => void,
): HTMLElement {
  const { low, high, step } = amount;
  const text = (value: number): string => written(amount, value, language());
  const limits = { min: low, max: high, step };
  // No number field: in those of browsers "1.050" is no number, or another one.
  const number = make("input", {
    role: "spinbutton",
    inputmode: "numeric",
    autocomplete: "off",
    "aria-valuemin": low,
    "aria-valuemax": high,
    id: "amount",
    "data-first": !matchMedia("(pointer: coarse)").matches,
    "data-name": "amount",
    "aria-label": say("amount"),
  });
  const slider = make("input", { type: "range", ...limits, "aria-label": say("amount"), "data-name": "slider" });
  const less = button("−", () => set(asking.amount - step), { class: "step", "aria-label": say("less"), "data-name": "less" });
  const more = button("+", () => set(asking.amount + step), { class: "step", "aria-label": say("more"), "data-name": "more" });
  const show = (): void => {
    slider.value = String(asking.amount);
    less.disabled = asking.amount <= low;
    more.disabled = asking.amount >= high;
    send.textContent = sending(amount, asking.amount, language());
  };
  const put = (wanted: number): void => {
    asking.amount = nearest(amount, wanted);
    asking.typed = null;
    number.value = String(asking.amount);
    number.setAttribute("aria-valuenow", number.value);
    number.removeAttribute("aria-invalid");
    send.disabled = false;
    show();
  };
  const set = (wanted: number): void => {
    put(wanted);
    changed();
  };
  /** What has been typed may be no amount, or not yet. */
  const read = (): void => {
    const wanted = amountIn(number.value);
    const valid = possible(amount, wanted);
    number.setAttribute("aria-invalid", String(!valid));
    send.disabled = !valid;
    asking.typed = valid ? null : number.value;
    if (valid) asking.amount = wanted;
    show();
  };
  slider.addEventListener("input", () => set(Number(slider.value)));
  number.addEventListener("input", () => {
    read();
    if (asking.typed === null) changed();
  });
  number.addEventListener("change", () => {
    const wanted = amountIn(number.value);
    set(Number.isNaN(wanted) ? asking.amount : wanted);
  });
  number.addEventListener("keydown", (event) => {
    if (pressed(event, "send") && !send.disabled) acts.submit(asking.choice, asking.amount);
    const steps = Number(pressed(event, "larger")) - Number(pressed(event, "smaller"));
    if (steps === 0) return;
    event.preventDefault();
    set(asking.amount + steps * step);
  });
  const { typed } = asking;
  put(asking.amount);
  if (typed !== null && low < high) {
    number.value = typed;
    read();
  }
  if (low === high) {
    const only = make("span", { class: "range" }, say("onlyAmount", { amount: text(low) }));
    return make("div", { class: "amount" }, only);
  }
  const range = make("span", { class: "range" }, say("between", { low: text(low), high: text(high) }));
  const field = make("div", { class: "amount" }, less, number, more, slider, range);
  if (amount.quick.length < 2) return field;
  const quick = amount.quick.map((one) =>
    button(text(one), () => set(one), { class: "quick", "data-name": `quick ${String(one)}` }),
  );
  return make("div", {}, make("div", { class: "buttons quicks" }, ...quick), field);
}

function language(): string {
  return document.documentElement.lang;
}
