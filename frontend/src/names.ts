/** The name a reader plays under is remembered in this browser and filled in next time. */

import { remember, remembered } from "./dom";

const KEY = "kursbuch-name";

/** What has been typed and not yet sent. */
let typed = "";

export function startNames(): void {
  fillNames(remembered(KEY) ?? "");
  document.addEventListener("input", ({ target }) => {
    if (target instanceof HTMLInputElement && "nameField" in target.dataset) typed = target.value;
  });
  document.addEventListener("submit", (event) => {
    if (!(event.target instanceof HTMLFormElement)) return;
    const field = event.target.querySelector<HTMLInputElement>("input[data-name-field]");
    if (!field) return;
    typed = "";
    if (!field.disabled && field.value.trim()) remember(KEY, field.value.trim());
  });
}

/** Fills empty fields with a name: what was typed beside a seat that another player has taken meanwhile is
 * not lost. */
export function fillNames(name = typed): void {
  if (!name) return;
  for (const field of document.querySelectorAll<HTMLInputElement>("input[data-name-field]")) {
    if (!field.value && !field.disabled) field.value = name;
  }
}
