/** The server sends times in UTC; readers see them as their own clock shows them. */

import { cookieOf, keepCookie } from "./cookies";

const COOKIE = "kursbuch_zone";

/** Tells the server the reader's time zone, for the times that stand in mails. */
export function tellZone(): void {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (zone && cookieOf(COOKIE) !== zone) keepCookie(COOKIE, zone);
}

export function localTimes(root: ParentNode): void {
  const language = document.documentElement.lang;
  for (const place of root.querySelectorAll<HTMLTimeElement>("time[datetime]")) {
    const time = new Date(place.dateTime);
    if (Number.isNaN(time.getTime())) continue;
    const form: Intl.DateTimeFormatOptions =
      "moment" in place.dataset
        ? { weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" }
        : { hour: "2-digit", minute: "2-digit" };
    const told = time.toLocaleString(language, form);
    // What stays the same is not read out again.
    if (place.textContent !== told) place.textContent = told;
    place.title = time.toLocaleString(language);
  }
  for (const field of root.querySelectorAll<HTMLInputElement>('[data-zone] input[name="offset"]')) {
    field.value = String(new Date().getTimezoneOffset());
  }
}
