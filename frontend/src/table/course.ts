/** Going back and on by keys: what is to go is read before it goes. */

import { covered, typing } from "../dom";
import { pressed } from "../keys";

export function startCourse(live: HTMLElement): void {
  document.addEventListener("keydown", (event) => {
    const wanted = pressed(event, "undo") ? "undo" : pressed(event, "redo") ? "redo" : null;
    if (wanted === null || typing(event) || event.repeat) return;
    const control = live.querySelector<HTMLButtonElement>(`[data-${wanted}]`);
    if (!control || covered()) return;
    event.preventDefault();
    control.click();
  });
}
