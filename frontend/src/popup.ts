/** The one dialog of a page: rules, explanations of payments, and other cards. */

import htmx from "htmx.org";

import { closest } from "./dom";

function dialog(): HTMLDialogElement | null {
  return document.querySelector<HTMLDialogElement>("dialog#popup");
}

/** Shows what lies at an address; the server answers with a card instead of a page. */
async function open(url: string): Promise<void> {
  const popup = dialog();
  const body = popup?.querySelector("#popup-body");
  if (!popup || !body) return;
  await htmx.ajax("get", url, { target: body, swap: "innerHTML" });
  if (!body.firstElementChild) return;
  if (!popup.open) popup.showModal();
  popup.scrollTop = 0;
}

/** Links with `data-card` open in the dialog; with a modifier key they open as usual. */
export function startPopup(): void {
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
      if (target instanceof HTMLDialogElement) target.showModal();
      return;
    }
    const shown = closest<HTMLDialogElement>(event, "dialog");
    if (shown && (event.target === shown || closest(event, "[data-close]"))) shown.close();
  });
}
