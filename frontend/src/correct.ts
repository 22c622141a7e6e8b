/** Corrections: what can be chosen next is fetched whenever a field has been filled in. */

import { closest, complain, fieldsOf } from "./dom";
import { fetchPart } from "./part";
import { say } from "./words";

/** Milliseconds after the last key until a number counts as complete. */
const PAUSE = 400;

/** The number of the last question: an answer to an earlier one comes too late. */
let asked = 0;

/** The address of what is on the page. */
let shown = "";

let pause = 0;

export function startCorrect(): void {
  document.addEventListener("change", (event) => {
    clearTimeout(pause);
    ask(event, false);
  });
  // A number need not be left for what it does to be shown.
  document.addEventListener("input", (event) => {
    clearTimeout(pause);
    // What stands there now is not what was filled in before.
    enable(event.target, false);
    if (event.target instanceof HTMLInputElement) pause = window.setTimeout(() => ask(event, true), PAUSE);
  });
}

/** Let a correction be sent, or not, beside the fields of which a control is one. */
function enable(control: EventTarget | null, possible: boolean): void {
  const place = control instanceof Element ? control.closest(".correct-fields")?.parentElement : null;
  for (const button of place?.querySelectorAll<HTMLButtonElement>(".correct-send button") ?? []) button.disabled = !possible;
}

function ask(event: Event, typing: boolean): void {
  const form = closest<HTMLFormElement>(event, "form.correct-fields");
  const place = form?.closest<HTMLElement>(".correct");
  if (form && place) void refill(form, place, typing);
}

async function refill(form: HTMLFormElement, place: HTMLElement, typing: boolean): Promise<void> {
  const filledIn = fieldsOf(form).toString();
  const url = `${form.action}?${filledIn}`;
  if (url === shown && place.querySelector("button.main")) {
    enable(form, true);
    return;
  }
  const number = ++asked;
  const left = document.activeElement?.id;
  const { html, refused } = await fetchPart(url);
  if (number !== asked) return;
  if (html === null) {
    if (refused) form.submit();
    else complain(place, say("failed"));
    return;
  }
  // More has been filled in meanwhile.
  if (fieldsOf(form).toString() !== filledIn) return refill(form, place, true);
  const filled = new DOMParser().parseFromString(html, "text/html");
  shown = url;
  const nodes = [...(filled.querySelector(".correct")?.childNodes ?? [])];
  if (typing) {
    // The field that is typed in stays as it is.
    const fresh = nodes.findIndex((node) => node instanceof HTMLElement && node.matches("form.correct-fields"));
    for (const node of [...place.childNodes]) if (node !== form) node.remove();
    form.before(...nodes.slice(0, fresh));
    form.after(...nodes.slice(fresh + 1));
    return;
  }
  const focus = document.activeElement?.id;
  place.replaceChildren(...nodes);
  // After filling in a field, the reader continues with the next one or with the button.
  const controls = [...place.querySelectorAll<HTMLElement>("select, input:not([type=hidden]), button.main")];
  const at = controls.findIndex((control) => control.id === focus);
  const next = focus === left ? at + 1 : at;
  (controls[next] ?? controls[at])?.focus();
}
