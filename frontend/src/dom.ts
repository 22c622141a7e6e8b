/** Small helpers around the document. */

/** Sent along when the answer is to be put into the page. */
export const PART = { "X-Part": "true" };

type Attributes = Record<string, string | number | boolean>;

/** Makes an element; attributes that are `false` are left out. */
export function make<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) {
    if (value !== false) element.setAttribute(attribute, value === true ? "" : String(value));
  }
  element.append(...children);
  return element;
}

/** A button that does something. */
export function button(label: string, act: () => void, attributes: Attributes = {}): HTMLButtonElement {
  const element = make("button", { type: "button", ...attributes }, label);
  element.addEventListener("click", act);
  return element;
}

/** The closest ancestor of an event's target that fits. */
export function closest<T extends Element = HTMLElement>(event: Event, selector: string): T | null {
  return event.target instanceof Element ? event.target.closest<T>(selector) : null;
}

/** Says at the top of a place what went wrong, instead of what went wrong before. */
export function complain(place: Element, sentence: string): void {
  place.querySelector(":scope > .alert")?.remove();
  place.prepend(make("p", { class: "alert", role: "alert" }, sentence));
}

/** Whether keys typed now belong to a form control rather than to the page. */
export function typing(event: KeyboardEvent): boolean {
  return closest(event, "input, textarea, select, [contenteditable]") !== null;
}

/** Whether something lies over the page that keys are meant for first. */
export function covered(): boolean {
  return document.querySelector("dialog[open], [popover]:popover-open") !== null;
}

/** What stands in the fields of a form, with the button that sends it. */
export function fieldsOf(form: HTMLFormElement, submitter: HTMLElement | null = null): URLSearchParams {
  const fields = new URLSearchParams();
  for (const [name, value] of new FormData(form, submitter)) {
    if (typeof value === "string") fields.append(name, value);
  }
  return fields;
}

/** Something remembered in this browser; private windows may refuse it. */
export function remember(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // Without storage the choice holds for this page only.
  }
}

/** What `remember` kept. */
export function remembered(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}
