/** Asking for an amount, or for confirmation, before a choice is sent. */

import { button, make } from "../dom";
import { say } from "../words";
import { nearest, possible, type Amount, type Choice } from "./choices";
import type { Asking } from "./mode";

interface Acts {
  submit(choice: Choice, amount: number): void;
  cancel(): void;
}

export function question(asking: Asking, acts: Acts): Node[] {
  const { choice } = asking;
  // With a field in focus, a phone would cover the board with its keyboard.
  const touch = matchMedia("(pointer: coarse)").matches;
  const send = button(say("confirm"), () => acts.submit(choice, asking.amount), {
    class: "main",
    "data-first": !choice.amount || touch,
    "data-name": "confirm",
  });
  const cancel = button(say("cancel"), () => acts.cancel(), { "data-name": "cancel" });
  const nodes: Node[] = [make("p", { class: "what" }, choice.label)];
  if (choice.ask) nodes.push(make("p", { class: "how" }, choice.ask));
  if (choice.amount) nodes.push(amountField(asking, choice.amount, send, acts));
  else nodes.push(make("p", { class: "how" }, say("final")));
  nodes.push(make("div", { class: "buttons" }, send, cancel));
  return nodes;
}

function amountField(asking: Asking, amount: Amount, send: HTMLButtonElement, acts: Acts): HTMLElement {
  const { low, high, step } = amount;
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
  const less = button("−", () => set(asking.amount - step), { class: "step", "aria-label": say("less") });
  const more = button("+", () => set(asking.amount + step), { class: "step", "aria-label": say("more") });
  const show = (): void => {
    slider.value = String(asking.amount);
    less.disabled = asking.amount <= low;
    more.disabled = asking.amount >= high;
    send.textContent = say("confirmAmount", { amount: written(asking.amount) });
  };
  const set = (wanted: number): void => {
    asking.amount = nearest(amount, wanted);
    number.value = String(asking.amount);
    show();
  };
  slider.addEventListener("input", () => set(Number(slider.value)));
  number.addEventListener("input", () => {
    const valid = number.value !== "" && possible(amount, Number(number.value));
    number.setAttribute("aria-invalid", String(!valid));
    send.disabled = !valid;
    if (valid) {
      asking.amount = Number(number.value);
      show();
    }
  });
  number.addEventListener("change", () => {
    set(Number(number.value));
    number.removeAttribute("aria-invalid");
    send.disabled = false;
  });
  number.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !send.disabled) acts.submit(asking.choice, asking.amount);
  });
  set(asking.amount);
  if (low === high) {
    const only = make("span", { class: "range" }, say("onlyAmount", { amount: written(low) }));
    return make("div", { class: "amount" }, only);
  }
  const range = make("span", { class: "range" }, say("between", { low: written(low), high: written(high) }));
  return make("div", { class: "amount" }, less, number, more, slider, range);
}

/** A number as the reader's language writes it. */
function written(value: number): string {
  return value.toLocaleString(document.documentElement.lang);
}
