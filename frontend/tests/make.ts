/** Choices as the server offers them. */

import type { Choice } from "../src/table/choices";

/** A choice that is pointed at with these keys. */
export function choice(keys: string, more: Partial<Choice> = {}): Choice {
  return {
    action: { action: keys },
    keys: keys.split(" ").filter(Boolean),
    label: keys,
    group: "moves",
    several: false,
    amount: null,
    confirm: false,
    compose: null,
    ask: "",
    ...more,
  };
}
