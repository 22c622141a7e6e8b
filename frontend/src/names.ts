/** The name a reader plays under is remembered in this browser and filled in next time. */

import { remember, remembered } from "./dom";

const KEY = "kursbuch-name";

export function startNames(): void {
  const name = remembered(KEY);
  const fields = [...document.querySelectorAll<HTMLInputElement>("input[data-name-field]")];
  for (const field of fields) if (name && !field.value && !field.disabled) field.value = name;
  document.addEventListener("submit", (event) => {
    if (!(event.target instanceof HTMLFormElement)) return;
    const field = event.target.querySelector<HTMLInputElement>("input[data-name-field]");
    if (field && !field.disabled && field.value.trim()) remember(KEY, field.value.trim());
  });
}
