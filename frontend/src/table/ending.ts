/** The end of a game: the page shows it from its beginning, sounds, and moves once. */

import { setting } from "../settings";
import { ARRIVAL, chime } from "./chime";

export class Ending {
  private over: boolean;

  constructor(private readonly live: HTMLElement) {
    this.over = this.shown;
  }

  private get shown(): boolean {
    return this.live.querySelector("#result") !== null;
  }

  /** After every refresh. What was seen before a look at the past does not move again. */
  apply(): void {
    const before = this.over;
    if (this.live.dataset["past"] !== undefined) {
      document.documentElement.classList.toggle("arrived", before);
      return;
    }
    this.over = this.shown;
    if (before === this.over) return;
    document.documentElement.classList.remove("arrived");
    if (!this.over) return;
    scrollTo(0, 0);
    this.live.querySelector(".doing")?.scrollTo(0, 0);
    if (setting("sound") === "on") void chime(ARRIVAL);
  }
}
