/** Small forms of the table (chat, undo, hint …) that are sent without leaving the page. */

import { fieldsOf, PART } from "../dom";
import { postOnce } from "../once";
import { say } from "../words";
import type { Refusal } from "./send";

interface Hooks {
  refresh: () => Promise<unknown>;
  fail: (error: string, rule?: string, name?: string) => void;
  hint: (html: string) => void;
}

export function startForms(live: HTMLElement, hooks: Hooks): void {
  live.addEventListener("submit", (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || !("quiet" in form.dataset)) return;
    event.preventDefault();
    void send(form, event.submitter, hooks);
  });
}

async function send(form: HTMLFormElement, submitter: HTMLElement | null, hooks: Hooks): Promise<void> {
  const body = fieldsOf(form, submitter).toString();
  const controls = form.querySelectorAll<HTMLButtonElement>("button");
  form.setAttribute("aria-busy", "true");
  for (const control of controls) control.setAttribute("aria-disabled", "true");
  hooks.fail("");
  try {
    const response = await postOnce(form.action, body, {
      ...PART,
      "Content-Type": "application/x-www-form-urlencoded",
      Accept: "text/html, application/json",
    });
    const text = await response.text();
    if (!response.ok) {
      const refusal = parsed(text);
      hooks.fail(refusal.error ?? say("failed"), refusal.rule, refusal.rule_name);
      return;
    }
    // What has been typed in the meantime stays.
    if ("reset" in form.dataset && fieldsOf(form, submitter).toString() === body) form.reset();
    form.closest<HTMLElement>("[popover]")?.hidePopover();
    if ("hint" in form.dataset) hooks.hint(text);
    else await hooks.refresh();
  } catch {
    hooks.fail(say("failed"));
  } finally {
    form.removeAttribute("aria-busy");
    for (const control of controls) control.removeAttribute("aria-disabled");
  }
}

function parsed(text: string): Refusal {
  try {
    return JSON.parse(text) as Refusal;
  } catch {
    return {};
  }
}
