/**
 * What is lettered on a drawing is a picture: screen readers hear the names of what can be pointed at, and
 * of nothing on sheets that are not shown. The board in words has a page of its own.
 */
export function quiet(live: HTMLElement): void {
  silence(live);
  const pressed = live.querySelector<HTMLElement>('#sheets [aria-pressed="true"]');
  const shown = pressed?.dataset["sheetName"];
  for (const part of live.querySelectorAll<SVGElement>("#board-now > svg > [data-part]")) {
    const away = shown !== undefined && part.dataset["part"] !== shown;
    if (away) part.setAttribute("aria-hidden", "true");
    else part.removeAttribute("aria-hidden");
  }
}

/** The lettering of the drawing, of the page or of what it is to become. */
export function silence(live: HTMLElement): void {
  for (const text of live.querySelectorAll("#board-now > svg text:not([aria-hidden])")) {
    text.setAttribute("aria-hidden", "true");
  }
}
