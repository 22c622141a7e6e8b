/** Corrections: what can be chosen next is fetched whenever a field has been filled in. */

import { closest, PART } from "./dom";

/** The number of the last question: an answer to an earlier one comes too late. */
let asked = 0;

export function startCorrect(): void {
  document.addEventListener("change", (event) => {
    const form = closest<HTMLFormElement>(event, "form.correct-fields");
    const place = form?.closest<HTMLElement>(".correct");
    if (form && place) void refill(form, place).catch(() => form.submit());
  });
}

async function refill(form: HTMLFormElement, place: HTMLElement): Promise<void> {
  const fields = new URLSearchParams();
  for (const [name, value] of new FormData(form)) {
    if (typeof value === "string") fields.append(name, value);
  }
  const number = ++asked;
  const url = `${form.action}?${fields.toString()}`;
  const answer = await fetch(url, { headers: { ...PART, Accept: "text/html" } });
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  const filled = new DOMParser().parseFromString(await answer.text(), "text/html");
  if (number !== asked) return;
  const focus = document.activeElement?.id;
  place.replaceChildren(...(filled.querySelector(".correct")?.childNodes ?? []));
  // Whoever has filled a field in goes on with the next one, or with the button.
  const controls = [...place.querySelectorAll<HTMLElement>("select, input:not([type=hidden]), button.main")];
  const next = controls.findIndex((control) => control.id === focus) + 1;
  (controls[next] ?? controls[next - 1])?.focus();
}
