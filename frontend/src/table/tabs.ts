/** Tabs beside the board; below it on a small screen. */

import { closest, remember, remembered } from "../dom";

export class Tabs {
  constructor(private readonly live: HTMLElement) {
    live.addEventListener("click", (event) => {
      const tab = closest(event, '[role="tab"]');
      if (tab) this.select(tab);
    });
    live.addEventListener("keydown", (event) => {
      const tab = closest(event, '[role="tab"]');
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!tab || !step) return;
      event.preventDefault();
      event.stopPropagation();
      const all = [...live.querySelectorAll<HTMLElement>('[role="tab"]')];
      const next = all[(all.indexOf(tab) + step + all.length) % all.length];
      if (!next) return;
      this.select(next);
      next.focus();
    });
    this.apply();
  }

  private select(tab: HTMLElement): void {
    this.live.dataset["tab"] = tab.getAttribute("aria-controls") ?? "";
    this.apply();
  }

  /** Shows the chosen tab again after the page was refreshed. */
  apply(): void {
    const tabs = [...this.live.querySelectorAll<HTMLElement>('[role="tab"]')];
    const wanted = this.live.dataset["tab"];
    const chosen = tabs.find((tab) => tab.getAttribute("aria-controls") === wanted) ?? tabs[0];
    for (const tab of tabs) {
      const selected = tab === chosen;
      tab.setAttribute("aria-selected", String(selected));
      tab.tabIndex = selected ? 0 : -1;
      const panel = document.getElementById(tab.getAttribute("aria-controls") ?? "");
      panel?.classList.toggle("shown", selected);
    }
    this.unread(chosen?.id === "tab-chat");
  }

  /** How much others have said since this reader last looked. */
  private unread(looking: boolean): void {
    const count = this.live.querySelector("#unread");
    if (!count) return;
    const key = `kursbuch-chat ${this.live.dataset["url"] ?? ""}`;
    const times = [...this.live.querySelectorAll<HTMLTimeElement>("#chat li:not(.mine) time")];
    const said = times.map((time) => time.dateTime);
    if (looking) remember(key, said.reduce((one, other) => (one > other ? one : other), ""));
    const seen = remembered(key) ?? "";
    const fresh = said.filter((time) => time > seen).length;
    count.textContent = fresh ? String(fresh) : "";
  }
}
