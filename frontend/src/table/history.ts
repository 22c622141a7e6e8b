/** Looking back: the table after any move, which has an address of its own. */

import { closest, covered, typing } from "../dom";
import { pressed } from "../keys";
import { say } from "../words";

export class History {
  /** The number of moves after which the table is wanted, null for now. */
  private wanted: number | null = null;

  constructor(
    private readonly live: HTMLElement,
    private readonly refresh: () => Promise<unknown>,
  ) {
    this.wanted = this.shown;
    live.addEventListener("click", (event) => {
      const control = closest(event, "[data-history]");
      if (!control || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      this.follow(control);
    });
    live.addEventListener("input", (event) => {
      const slider = closest<HTMLInputElement>(event, "input[data-slider]");
      if (slider) this.go(Number(slider.value), true);
    });
    addEventListener("popstate", () => {
      const move = new URLSearchParams(location.search).get("move");
      this.wanted = move === null ? null : Number(move);
      void this.refresh();
    });
    document.addEventListener("keydown", (event) => this.key(event));
  }

  /** What the server is asked for besides. */
  get query(): string {
    return this.wanted === null ? "" : `move=${this.wanted}`;
  }

  private get last(): number {
    return Number(this.live.dataset["number"] ?? 0);
  }

  /** What the page shows: the past it is in, if it is in one. */
  private get shown(): number | null {
    const past = this.live.dataset["past"];
    return past === undefined ? null : Number(past);
  }

  private follow(control: HTMLElement): void {
    if (control.getAttribute("aria-disabled") === "true") return;
    const name = control.dataset["history"] ?? "";
    this.go(name === "now" ? this.last : Number(name));
  }

  private key(event: KeyboardEvent): void {
    if (typing(event) || closest(event, '[role="tab"], [data-pick], dialog')) return;
    if (covered()) return;
    const control = closest(event, "[data-history]");
    if (control && pressed(event, "choose")) this.follow(control);
    else if (pressed(event, "back")) this.step("back", event.repeat);
    else if (pressed(event, "on")) this.step("on", event.repeat);
    else if (pressed(event, "turnBack")) this.step("turn-back");
    else if (pressed(event, "turnOn")) this.step("turn-on");
    else if (pressed(event, "present") && this.wanted !== null) this.go(this.last);
    else return;
    event.preventDefault();
  }

  private step(name: string, passing = false): void {
    const place = this.wanted ?? this.last;
    // One move at a time need not wait for the page.
    if (name === "back") this.go(place - 1, passing);
    else if (name === "on") this.go(place + 1, passing);
    else {
      const control = this.live.querySelector<HTMLElement>(`[data-step="${name}"]`);
      if (control) this.follow(control);
    }
  }

  /** Back to now, without a trace of the past. */
  leave(): void {
    if (this.wanted === null) return;
    this.wanted = null;
    history.replaceState(null, "", location.pathname);
  }

  /** Go to the position after a number of moves. What is only passed by on the way is no step for the browser to go back. */
  private go(number: number, passing = false): void {
    const place = Math.max(0, Math.min(this.last, number));
    const wanted = place === this.last ? null : place;
    if (wanted === this.wanted) return;
    const before = this.wanted;
    this.wanted = wanted;
    const address = wanted === null ? location.pathname : `${location.pathname}?move=${wanted}`;
    if (passing && before !== null && wanted !== null) history.replaceState(null, "", address);
    else history.pushState(null, "", address);
    this.slide();
    void this.refresh();
  }

  /** Follows the page: a move that was taken back is no more. */
  apply(): void {
    if (this.wanted !== null && this.shown === null && this.wanted >= this.last) this.leave();
    this.slide();
  }

  private slide(): void {
    const slider = this.live.querySelector<HTMLInputElement>("input[data-slider]");
    if (!slider) return;
    const place = this.wanted ?? this.last;
    slider.max = String(this.last);
    slider.value = String(place);
    slider.setAttribute("aria-valuetext", say("moveOf", { number: place, last: this.last }));
  }
}
