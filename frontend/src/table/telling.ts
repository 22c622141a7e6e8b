/** Tells of what others have done: spoken for screen readers, and shown for a while if it concerns all. */

import { make } from "../dom";

/** A line of the log as it stands on the page. */
export interface Line {
  move: number;
  mover: number | null;
  announced: boolean;
  text: string;
}

/** So much is spoken at once. */
const SPOKEN = 6;
const TOASTS = 3;
const SHOWN_FOR = 7000;

/** The lines that came after a move and are not about what the reader did, the oldest first. */
export function fresh(lines: readonly Line[], after: number, own: ReadonlySet<number>): Line[] {
  return lines
    .filter((line) => line.move > after && (line.announced || line.mover === null || !own.has(line.mover)))
    .reverse();
}

export class Telling {
  private told: number;

  constructor(private readonly live: HTMLElement) {
    this.told = this.number;
  }

  private get number(): number {
    return Number(this.live.dataset["number"] ?? 0);
  }

  /** Tells what has come since the last time. In the past, it waits. */
  apply(): void {
    if (this.live.dataset["past"] !== undefined) return;
    const before = this.told;
    this.told = this.number;
    if (this.told <= before) return;
    const announcer = document.getElementById("announcer");
    const result = this.live.querySelector("#result");
    if (result) {
      // The end stands on top of the page: nothing may cover it.
      const said = [...result.querySelectorAll("h2, .margin")].map((part) => part.textContent.trim()).join(" ");
      if (announcer) announcer.textContent = said;
      document.getElementById("toasts")?.replaceChildren();
      return;
    }
    const news = fresh(this.lines(), before, this.own());
    if (announcer) announcer.textContent = news.slice(-SPOKEN).map((line) => line.text).join(" ");
    for (const line of news.filter((one) => one.announced).slice(-TOASTS)) this.toast(line.text);
  }

  private lines(): Line[] {
    return [...this.live.querySelectorAll<HTMLElement>("#log > li")].map((item) => {
      const mover = item.dataset["mover"];
      return {
        move: Number(item.dataset["move"]),
        mover: mover === undefined ? null : Number(mover),
        announced: "announced" in item.dataset,
        text: item.querySelector(".said")?.textContent?.trim() ?? "",
      };
    });
  }

  private own(): Set<number> {
    const seats = this.live.querySelectorAll<HTMLElement>(".seat.own");
    return new Set([...seats].map((seat) => Number(seat.id.replace("seat-", ""))));
  }

  /** Shows a sentence for a while. */
  toast(text: string): void {
    const place = document.getElementById("toasts");
    if (!place) return;
    const toast = make("p", { class: "toast" }, text);
    place.append(toast);
    while (place.children.length > TOASTS) place.firstElementChild?.remove();
    setTimeout(() => toast.remove(), SHOWN_FOR);
  }
}
