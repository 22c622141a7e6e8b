/** Choices as the server offers them. */

import type { Amount, Choice } from "../src/table/choices";

/** A choice that is pointed at with these keys. */
export function choice(keys: string, more: Partial<Choice> = {}): Choice {
  return {
    action: { action: keys },
    keys: keys.split(" ").filter(Boolean),
    label: keys,
    group: "moves",
    several: false, cost: "",
    amount: null,
    confirm: false,
    final: false,
    compose: null,
    ask: "",
    ...more,
  };
}

/** Amounts from the lowest to the highest; `quick` ones have buttons. */
export function amounts(low: number, high: number, step: number, ...quick: number[]): Amount {
  return { field: "price", low, high, step, send: "Bid {amount}", written: "${amount}", quick, atOnce: quick.length > 0 };
}
