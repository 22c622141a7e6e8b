/** The one dialog of a page: rules, explanations of payments, and other cards. */

import { closest, fieldsOf, make, PART } from "./dom";
import { postOnce } from "./once";
import { say } from "./words";

/** Told on the document when a form of a card has been sent. */
export const CARD_SENT = "kursbuch-card";

function dialog(): HTMLDialogElement | null {
  return document.querySelector<HTMLDialogElement>("dialog#popup");
}

/** Shows what lies at an address; the server answers with a card instead of a page. */
async function open(url: string): Promise<void> {
  const popup = dialog();
  const body = popup?.querySelector("#popup-body");
  if (!popup || !body) return;
  const answer = await fetch(url, { headers: { ...PART, Accept: "text/html" } });
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  body.innerHTML = await answer.text();
  if (!popup.open) popup.showModal();
  popup.scrollTop = 0;
}

/** Forms that the browser sends by itself: the page they lead to without scripts says what is wrong. */
const plain = new WeakSet<HTMLFormElement>();

/** Sends a form of a card; the server answers with the card as it is then. If it cannot be reached, the form stays. */
async function send(form: HTMLFormElement, submitter: HTMLElement | null): Promise<void> {
  // A field may be called "action", too.
  const address = form.getAttribute("action") ?? "";
  const place = dialog()?.querySelector("#popup-body");
  const headers = { ...PART, "Content-Type": "application/x-www-form-urlencoded", Accept: "text/html" };
  const answer = await postOnce(address, fieldsOf(form, submitter).toString(), headers).catch(() => null);
  if (!answer || answer.status >= 500) {
    place?.querySelector(".alert")?.remove();
    place?.prepend(make("p", { class: "alert", role: "alert" }, say("failed")));
    return;
  }
  if (!answer.ok) {
    plain.add(form);
    form.requestSubmit(submitter);
    return;
  }
  if (place) place.innerHTML = await answer.text();
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
  // Whoever marks text and lets go beside the card has not clicked beside it.
  let down: EventTarget | null = null;
  document.addEventListener("pointerdown", (event) => {
    down = event.target;
  });
  document.addEventListener("click", (event) => {
    const link = closest<HTMLAnchorElement>(event, "a[data-card]");
    if (link && dialog() && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
      event.preventDefault();
      void open(link.href).catch(() => location.assign(link.href));
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
