/** "Your turn": in the title of the page, as a notification, with a sound. */

import { closest } from "../dom";
import { choose, CHOSEN, setting } from "../settings";
import type { Waits } from "../waiting";
import { say } from "../words";
import { chime, startChime } from "./chime";

export class Notifier {
  private readonly title = document.title.replace(/^● [^–]*– /, "");
  private mine = false;
  private waits: Waits = { count: 0, elsewhere: 0, stamp: "" };

  constructor(private readonly live: HTMLElement) {
    this.mine = this.turn;
    startChime(() => this.sounds);
    live.addEventListener("click", (event) => {
      if (closest(event, "[data-notify]")) this.ask();
      if (closest(event, "[data-ring]")) choose("sound", this.sounds ? "" : "on");
    });
    document.addEventListener(CHOSEN, (event) => {
      if ((event as CustomEvent<string>).detail === "sound" && this.sounds) void chime();
      this.apply();
    });
    this.apply();
  }

  /** Of the past the page does not say whose turn it is now. */
  private get past(): boolean {
    return this.live.dataset["past"] !== undefined;
  }

  private get turn(): boolean {
    return this.past ? this.mine : this.live.dataset["turn"] === "true";
  }

  private ask(): void {
    if (typeof Notification === "undefined") return;
    void Notification.requestPermission().then(() => this.apply());
  }

  private get sounds(): boolean {
    return setting("sound") === "on";
  }

  /** Number of tables that wait for this reader. */
  tell(waits: Waits): void {
    this.waits = waits;
    if (this.past) this.turned(waits.count > waits.elsewhere);
    this.apply();
  }

  private turned(mine: boolean): void {
    if (mine && !this.mine) this.announce();
    this.mine = mine;
  }

  /** After every refresh: has the turn come to this reader? */
  apply(): void {
    const { count, elsewhere } = this.waits;
    const many = elsewhere ? ` (${count})` : "";
    document.title = this.turn
      ? `● ${say("yourTurn")}${many} – ${this.title}`
      : `${elsewhere ? `(${elsewhere}) ` : ""}${this.title}`;
    const now = document.getElementById("turn-now");
    if (now) now.hidden = !this.turn;
    const next = document.getElementById("next-table");
    if (next) {
      next.hidden = !elsewhere;
      document.body.classList.toggle("waited-for", elsewhere > 0);
      next.querySelector("[data-elsewhere]")?.replaceChildren(String(elsewhere));
    }
    for (const control of this.live.querySelectorAll<HTMLButtonElement>("[data-notify]")) {
      const state = typeof Notification === "undefined" ? "denied" : Notification.permission;
      control.disabled = state !== "default";
      control.textContent = say(`notify_${state}`);
    }
    for (const control of this.live.querySelectorAll("[data-ring]")) {
      control.setAttribute("aria-pressed", String(this.sounds));
    }
    this.turned(this.turn);
  }

  private announce(): void {
    if (this.sounds) void chime();
    if (document.visibilityState === "visible" || typeof Notification === "undefined") return;
    if (Notification.permission !== "granted") return;
    try {
      const prompt = this.live.querySelector("#prompt")?.textContent?.trim() ?? "";
      const note = new Notification(`${say("yourTurn")} – ${this.title}`, {
        body: prompt,
        tag: location.pathname,
        icon: "/static/icon.svg",
      });
      note.addEventListener("click", () => {
        window.focus();
        note.close();
      });
    } catch {
      // Some phones show notifications only for installed pages.
    }
  }
}
