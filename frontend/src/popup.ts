/** The one dialog of a page: rules, explanations of payments, and other cards. */

import { closest, complain, fieldsOf, PART } from "./dom";
import { postOnce } from "./once";
import { fetchPart } from "./part";
import { say } from "./words";

/** Told on the document when a form of a card has been sent. */
export const CARD_SENT = "kursbuch-card";

function dialog(): HTMLDialogElement | null {
  return document.querySelector<HTMLDialogElement>("dialog#popup");
}

/** Counts what has been asked for: an answer to something earlier comes too late. */
let asked = 0;

/** What has been typed into a card and not been sent, and what stood there before, if the form says that. */
interface Draft {
  value: string;
  seen: string;
}

/** By form and field. */
const drafts = new Map<string, Draft>();

function draftOf(field: HTMLTextAreaElement): string {
  return `${field.form?.getAttribute("action") ?? ""} ${field.name}`;
}

/** The hidden field that tells the server what stood in a field when something was typed into it. */
function seenOf(field: HTMLTextAreaElement): HTMLTextAreaElement | null {
  return field.form?.querySelector<HTMLTextAreaElement>("textarea[name=seen]") ?? null;
}

/** Shows a card, with what was typed into it before. */
function show(body: HTMLElement, html: string): void {
  body.innerHTML = html;
  for (const field of body.querySelectorAll("textarea")) {
    const draft = drafts.get(draftOf(field));
    if (!draft) continue;
    field.value = draft.value;
    const seen = seenOf(field);
    if (seen) seen.value = draft.seen;
  }
}

/** Shows what lies at an address; the server answers with a card instead of a page. */
async function open(url: string): Promise<void> {
  const popup = dialog();
  const body = popup?.querySelector<HTMLElement>("#popup-body");
  if (!popup || !body) return;
  const number = ++asked;
  const { html, refused } = await fetchPart(url);
  if (number !== asked) return;
  if (html !== null) {
    show(body, html);
  } else if (refused) {
    location.assign(url);
    return;
  } else {
    // To go there would leave the table for a page of the browser's.
    if (!popup.open) body.replaceChildren();
    complain(body, say("failed"));
  }
  if (popup.open) focusOn(body, null);
  else popup.showModal();
  popup.scrollTop = 0;
}

/** What had the focus has been replaced: what stands in its place has it, or the card itself. */
function focusOn(body: HTMLElement, name: string | null): void {
  const control = name && [...body.querySelectorAll<HTMLElement>("[name], button")].find((one) => nameOf(one) === name);
  if (!control) body.tabIndex = -1;
  (control || body).focus({ preventScroll: true });
}

function nameOf(control: Element): string {
  return control.getAttribute("name") ?? control.textContent ?? "";
}

/** Forms that the browser sends by itself: the page they lead to without scripts says what is wrong. */
const plain = new WeakSet<HTMLFormElement>();

/** Sends a form of a card; the server answers with the card as it is then. If it cannot be reached, the form stays. */
async function send(form: HTMLFormElement, submitter: HTMLElement | null): Promise<void> {
  // A field may be called "action", too.
  const address = form.getAttribute("action") ?? "";
  const place = dialog()?.querySelector<HTMLElement>("#popup-body");
  if (!place) return;
  const number = ++asked;
  const sent = [...form.querySelectorAll("textarea")].map((field) => [draftOf(field), field.value] as const);
  const headers = { ...PART, "Content-Type": "application/x-www-form-urlencoded", Accept: "text/html" };
  const answer = await postOnce(address, fieldsOf(form, submitter).toString(), headers).catch(() => null);
  if (!answer || answer.status >= 500) {
    if (number === asked) complain(place, say("failed"));
    return;
  }
  if (!answer.ok) {
    plain.add(form);
    form.requestSubmit(submitter);
    return;
  }
  const html = await answer.text();
  // What has been typed meanwhile has not been sent.
  for (const [name, value] of sent) {
    const draft = drafts.get(name);
    if (draft?.value === value) drafts.delete(name);
    else if (draft) draft.seen = value;
  }
  if (number === asked) {
    const focus = place.contains(document.activeElement) ? document.activeElement : null;
    const name = focus && nameOf(focus);
    show(place, html);
    if (focus) focusOn(place, name);
  }
  document.dispatchEvent(new Event(CARD_SENT));
}

/** Links with `data-card` open in the dialog; with a modifier key they open as usual. */
export function startPopup(): void {
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || !("card" in form.dataset) || !form.closest("#popup")) return;
    if (plain.has(form)) return;
    event.preventDefault();
    void send(form, event.submitter);
  });
  document.addEventListener("input", (event) => {
    const field = closest<HTMLTextAreaElement>(event, "#popup textarea");
    if (field) drafts.set(draftOf(field), { value: field.value, seen: seenOf(field)?.value ?? "" });
  });
  // Marking text and releasing beside the card is no click beside it.
  let down: EventTarget | null = null;
  document.addEventListener("pointerdown", (event) => {
    down = event.target;
  });
  document.addEventListener("click", (event) => {
    const link = closest<HTMLAnchorElement>(event, "a[data-card]");
    if (link && dialog() && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
      event.preventDefault();
      void open(link.href);
      return;
    }
    const opener = closest(event, "[data-opens]");
    if (opener) {
      const target = document.getElementById(opener.dataset["opens"] ?? "");
      // One dialog leads to another in its place.
      closest<HTMLDialogElement>(event, "dialog")?.close();
      if (target instanceof HTMLDialogElement) target.showModal();
      return;
    }
    const shown = closest<HTMLDialogElement>(event, "dialog");
    if (shown && ((event.target === shown && down === shown) || closest(event, "[data-close]"))) shown.close();
  });
}
