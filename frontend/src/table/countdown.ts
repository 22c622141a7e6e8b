/** The time left to object, counted down between refreshes. */

export class Countdown {
  private ends = 0;
  private text = "";

  constructor(private readonly live: HTMLElement) {
    setInterval(() => this.show(), 500);
  }

  /** Takes over the seconds the server says are left. */
  apply(): void {
    const place = this.live.querySelector<HTMLElement>("[data-seconds]");
    this.ends = place ? Date.now() + Number(place.dataset["seconds"]) * 1000 : 0;
    this.show();
  }

  private show(): void {
    const place = this.live.querySelector<HTMLElement>("[data-seconds]");
    if (!place || !this.ends) return;
    const left = Math.max(0, Math.ceil((this.ends - Date.now()) / 1000));
    const minutes = Math.floor(left / 60);
    const text = `${minutes}:${String(left % 60).padStart(2, "0")}`;
    if (text === this.text && place.textContent === text) return;
    this.text = text;
    place.textContent = text;
  }
}
