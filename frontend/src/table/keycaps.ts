/** The keys for what is offered now: numbers for the first buttons, and signs on what has a key of its own. */

import { covered, typing } from "../dom";
import { pressed, signs } from "../keys";

const MOST = 9;

/** Shows on an element by which key it can be reached, where there is a keyboard and room. */
export function cap(element: HTMLElement, key: string): void {
  element.dataset["keycap"] = key === "Enter" ? "⏎" : signs(key).join("");
  element.setAttribute("aria-keyshortcuts", key);
}

/** Numbers the first buttons of a place. */
export function number(buttons: Iterable<HTMLElement>): void {
  let count = 0;
  for (const one of buttons) if (++count <= MOST) cap(one, String(count));
}

/** A number presses the button that has it; what is pressed so has the focus, as if it had been clicked. */
export function startNumbers(live: HTMLElement): void {
  document.addEventListener("keydown", (event) => {
    if (!pressed(event, "number") || event.repeat || typing(event) || covered()) return;
    const wanted = `[aria-keyshortcuts="${event.key}"]`;
    const control = live.querySelector<HTMLButtonElement>(`#tray ${wanted}, #action-bar ${wanted}`);
    if (!control || control.disabled) return;
    event.preventDefault();
    control.focus({ preventScroll: true });
    control.click();
  });
}
