/** Tabs beside the board; below it on a small screen. */

import { closest, PART, remember, remembered } from "../dom";
import { pressed } from "../keys";

export class Tabs {
  /** Up to which message the reader had read before coming to the chat. */
  private seen = -1;

  constructor(private readonly live: HTMLElement) {
    live.addEventListener("click", (event) => {
      const tab = closest(event, '[role="tab"]');
      if (tab) this.select(tab);
    });
    live.addEventListener("keydown", (event) => {
      const tab = closest(event, '[role="tab"]');
      const step = pressed(event, "tabOn") ? 1 : pressed(event, "tabBack") ? -1 : 0;
      if (!tab || !step) return;
      event.preventDefault();
      event.stopPropagation();
      const all = [...live.querySelectorAll<HTMLElement>('[role="tab"]')];
      const next = all[(all.indexOf(tab) + step + all.length) % all.length];
      if (!next) return;
      this.select(next);
      next.focus();
    });
    // What is said in the background is read as soon as the reader comes back.
    document.addEventListener("visibilitychange", () => this.apply());
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
    this.unread(chosen?.id === "tab-chat" && document.visibilityState === "visible");
  }

  /** How much others have said since this reader last looked, here or on another device. */
  private unread(looking: boolean): void {
    const count = this.live.querySelector("#unread");
    const chat = this.live.querySelector<HTMLElement>("#chat");
    if (!count || !chat) return;
    const url = this.live.dataset["url"] ?? "";
    const key = `kursbuch-read ${url}`;
    const lines = [...chat.querySelectorAll<HTMLElement>("li[data-id]")];
    const known = Math.max(Number(chat.dataset["read"] ?? 0), Number(remembered(key) ?? 0));
    const last = Math.max(0, ...lines.map(number));
    const fresh = lines.filter((line) => number(line) > known && !line.classList.contains("mine"));
    if (!looking || this.seen < 0) this.seen = known;
    // What was new when the reader came here stays marked.
    for (const line of lines) line.classList.toggle("new", number(line) > this.seen && !line.classList.contains("mine"));
    if (looking && last > known) {
      remember(key, String(last));
      if (chat.dataset["plays"]) tell(`${url}/chat/read`, last);
    }
    count.textContent = fresh.length && !looking ? String(fresh.length) : "";
    count.classList.toggle("to-me", fresh.some((line) => line.classList.contains("to-me")));
  }
}

function tell(url: string, last: number): void {
  const body = new URLSearchParams({ last: String(last) });
  void fetch(url, { method: "POST", keepalive: true, headers: { ...PART }, body }).catch(() => undefined);
}

function number(line: HTMLElement): number {
  return Number(line.dataset["id"]);
}
