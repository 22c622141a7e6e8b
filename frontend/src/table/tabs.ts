/** Tabs beside the board; below it on a small screen. */

import { closest } from "../dom";

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
      if (selected) tab.querySelector(".unread")?.remove();
    }
  }
}
