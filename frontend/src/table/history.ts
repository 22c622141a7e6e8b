/** Looking back: the board after any move. */

import { Idiomorph } from "idiomorph";

import { closest, typing } from "../dom";
import { say } from "../words";
import type { BoardView } from "./board";

export class History {
  private at: number | null = null;
  private request = 0;
  /** Another one when moves were taken back: a number may then stand for another move. */
  private past: string | undefined;

  constructor(
    private readonly live: HTMLElement,
    private readonly view: BoardView,
  ) {
    live.addEventListener("click", (event) => {
      const control = closest(event, "[data-history]");
      if (!control) return;
      event.preventDefault();
      this.command(control.dataset["history"] ?? "");
    });
    live.addEventListener("input", (event) => {
      const slider = closest<HTMLInputElement>(event, "input[data-slider]");
      if (slider) this.go(Number(slider.value));
    });
    document.addEventListener("keydown", (event) => this.key(event));
  }

  private get last(): number {
    return Number(this.live.dataset["number"] ?? 0);
  }

  private command(name: string): void {
    const now = this.at ?? this.last;
    if (name === "first") this.go(0);
    else if (name === "back") this.go(now - 1);
    else if (name === "on") this.go(now + 1);
    else if (name === "now") this.go(this.last);
    else this.go(Number(name));
  }

  private key(event: KeyboardEvent): void {
    if (typing(event) || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    if (closest(event, '[role="tab"], [data-pick], dialog')) return;
    if (!this.live.querySelector("[data-slider]")) return;
    if (event.key === "ArrowLeft") this.command("back");
    else if (event.key === "ArrowRight") this.command("on");
    else if (event.key === "Escape" && this.at !== null) this.command("now");
    else return;
    event.preventDefault();
  }

  /** Back to now, leaving nothing of the past on the page. */
  leave(): void {
    this.at = null;
    this.request++;
    for (const id of ["board-past", "past-text"]) document.getElementById(id)?.replaceChildren();
  }

  private go(wanted: number): void {
    const number = Math.max(0, Math.min(this.last, wanted));
    this.at = number === this.last ? null : number;
    this.apply();
    if (this.at !== null) void this.fetch(this.at);
  }

  private async fetch(number: number): Promise<void> {
    const request = ++this.request;
    const url = `${this.live.dataset["url"] ?? ""}/at/${number}`;
    try {
      const response = await fetch(url, { headers: { Accept: "text/html" } });
      // While the slider is dragged, only the last answer counts.
      if (!response.ok || request !== this.request || this.at !== number) return;
      const text = await response.text();
      const fresh = new DOMParser().parseFromString(text, "text/html");
      this.put("board-past", fresh);
      this.put("past-text", fresh);
      this.view.show();
    } catch {
      // The banner of the lost connection says it already.
    }
  }

  private put(id: string, fresh: Document): void {
    const place = document.getElementById(id);
    const content = fresh.getElementById(id);
    if (!place || !content) return;
    Idiomorph.morph(place, content.innerHTML, {
      morphStyle: "innerHTML",
      callbacks: { beforeAttributeUpdated: (name) => name !== "viewBox" && name !== "data-whole" },
    });
  }

  /** Shows where we are, also after the game has gone on meanwhile. */
  apply(): void {
    if (this.at !== null && this.at >= this.last) this.at = null;
    const past = this.live.dataset["position"]?.split(".")[0];
    if (past !== this.past && this.at !== null) void this.fetch(this.at);
    this.past = past;
    const now = this.at ?? this.last;
    if (this.at === null) delete this.live.dataset["past"];
    else this.live.dataset["past"] = String(this.at);
    const slider = this.live.querySelector<HTMLInputElement>("input[data-slider]");
    if (slider) {
      slider.max = String(this.last);
      slider.value = String(now);
      slider.setAttribute("aria-valuetext", say("moveOf", { number: now, last: this.last }));
    }
    const place = this.live.querySelector("#past-place");
    if (place) place.textContent = say("moveOf", { number: now, last: this.last });
    for (const control of this.live.querySelectorAll<HTMLButtonElement>("button[data-history]")) {
      const name = control.dataset["history"];
      if (name === "first" || name === "back") control.disabled = now === 0;
      if (name === "on" || name === "now") control.disabled = this.at === null;
    }
    for (const line of this.live.querySelectorAll<HTMLElement>("#log [data-move]")) {
      line.classList.toggle("seen", this.at !== null && Number(line.dataset["move"]) === this.at);
    }
  }
}
