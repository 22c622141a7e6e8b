/** The time left to object, counted down between refreshes. */

/** Seconds from one call to the next. */
const BETWEEN_CALLS = 2;

/** What is announced with how many seconds left; the last call comes first. */
export function call(calls: readonly string[], left: number): string {
  if (left <= 0) return "";
  return calls[Math.ceil(left / BETWEEN_CALLS) - 1] ?? "";
}

export class Countdown {
  private ends = 0;
  private text = "";

  constructor(private readonly live: HTMLElement) {
    setInterval(() => this.show(), 500);
  }

  /**
   * Takes over the seconds that were left by the clock of the server. They count from when the page
   * was asked for: however slow the connection, what is shown is never more than what is left.
   */
  apply(asked: number): void {
    const place = this.live.querySelector<HTMLElement>("[data-seconds]");
    this.ends = place ? asked + Number(place.dataset["seconds"]) * 1000 : 0;
    this.show();
  }

  private show(): void {
    const place = this.live.querySelector<HTMLElement>("[data-seconds]");
    if (!place || !this.ends) return;
    const left = Math.max(0, Math.ceil((this.ends - performance.now()) / 1000));
    const minutes = Math.floor(left / 60);
    const text = `${minutes}:${String(left % 60).padStart(2, "0")}`;
    if (text === this.text && place.textContent === text) return;
    this.text = text;
    place.textContent = text;
    const called = this.live.querySelector<HTMLElement>("[data-call]");
    const calls = JSON.parse(place.dataset["calls"] ?? "[]") as string[];
    if (called) called.textContent = call(calls, left);
  }
}
