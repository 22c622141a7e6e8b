/** Shows only those lines of the log that are looked for. */

import { closest } from "../dom";

export class LogFilter {
  constructor(
    private readonly live: HTMLElement,
    private readonly whole: () => void,
  ) {
    live.addEventListener("input", (event) => {
      if (closest(event, "#log-filter")) this.changed();
    });
    live.addEventListener("click", (event) => {
      const seat = closest(event, "[data-seat-filter]");
      if (!seat) return;
      seat.setAttribute("aria-pressed", String(seat.getAttribute("aria-pressed") !== "true"));
      this.changed();
    });
  }

  private get text(): string {
    return this.live.querySelector<HTMLInputElement>("#log-filter input")?.value.trim().toLowerCase() ?? "";
  }

  private get seats(): Set<string> {
    const pressed = this.live.querySelectorAll<HTMLElement>('[data-seat-filter][aria-pressed="true"]');
    return new Set([...pressed].map((seat) => seat.dataset["seatFilter"] ?? ""));
  }

  /** What is looked for may be among the lines that are not on the page yet. */
  private changed(): void {
    this.apply();
    if ((this.text || this.seats.size) && this.live.querySelector("#log-earlier")) this.whole();
  }

  /** Hides again what does not fit, after the page was refreshed. */
  apply(): void {
    const { text, seats } = this;
    let found = 0;
    for (const line of this.live.querySelectorAll<HTMLElement>("#log > li")) {
      const fits =
        (!text || (line.textContent ?? "").toLowerCase().includes(text)) &&
        (!seats.size || seats.has(line.dataset["mover"] ?? ""));
      line.hidden = !fits;
      if (fits) found += 1;
    }
    const none = this.live.querySelector<HTMLElement>("#log-none");
    if (none) none.hidden = found > 0 || !(text || seats.size);
  }
}
