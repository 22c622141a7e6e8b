/**
 * What the reader has chosen for this browser: attributes of the root element, and a cookie with which the
 * server puts them into the next page. What can be chosen, the server says (`web/http/preferences.py`); the value ""
 * is what is usual.
 */

import { cookieOf, keepCookie } from "./cookies";
import { closest } from "./dom";

const COOKIE = "kursbuch_settings";
/** Told to the document whenever something was chosen, with its name as detail. */
export const CHOSEN = "kursbuch:chosen";

/** What has been chosen, "" if it is as usual. */
export function setting(name: string): string {
  return document.documentElement.getAttribute(`data-${name}`) ?? "";
}

/** Chooses something, at once and for every page to come. */
export function choose(name: string, value: string): void {
  const chosen = new Map(read(document.cookie));
  if (value) chosen.set(name, value);
  else chosen.delete(name);
  keepCookie(COOKIE, write(chosen));
  if (document.documentElement.hasAttribute("data-account")) keep(write(chosen));
  show(name, value);
}

/** Keeps what has been chosen with the account, for other devices too. */
function keep(settings: string): void {
  const body = JSON.stringify({ settings });
  const headers = { "content-type": "application/json" };
  void fetch("/account/settings", { method: "POST", keepalive: true, headers, body }).catch(() => {});
}

function show(name: string, value: string): void {
  const root = document.documentElement;
  if (value) root.setAttribute(`data-${name}`, value);
  else root.removeAttribute(`data-${name}`);
  for (const control of controls()) {
    if (control.name === name) control.checked = control.value === value;
  }
  document.dispatchEvent(new CustomEvent(CHOSEN, { detail: name }));
}

function controls(): Iterable<HTMLInputElement> {
  return document.querySelectorAll<HTMLInputElement>("[data-settings] input");
}

/** What may have been chosen on another page in the meantime. */
function follow(): void {
  const chosen = new Map(read(document.cookie));
  const offered = new Map<string, Set<string>>();
  for (const { name, value } of controls()) {
    offered.set(name, (offered.get(name) ?? new Set()).add(value));
  }
  for (const [name, values] of offered) {
    const value = chosen.get(name) ?? "";
    const wanted = values.has(value) ? value : "";
    if (wanted !== setting(name)) show(name, wanted);
  }
}

/** The choices in all the cookies of a page. */
export function read(cookies: string): [string, string][] {
  const parts = (cookieOf(COOKIE, cookies) ?? "").split(".");
  return parts.map((part): [string, string] => {
    const [name = "", value = ""] = part.split(":");
    return [name, value];
  }).filter(([name, value]) => name && value);
}

/** The cookie for these choices. */
export function write(chosen: ReadonlyMap<string, string>): string {
  return [...chosen].map(([name, value]) => `${name}:${value}`).join(".");
}

export function startSettings(): void {
  document.addEventListener("change", (event) => {
    const control = closest<HTMLInputElement>(event, "[data-settings] input");
    if (control?.checked) choose(control.name, control.value);
  });
  addEventListener("pageshow", (event) => {
    if (event.persisted) follow();
  });
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") follow();
  });
}
