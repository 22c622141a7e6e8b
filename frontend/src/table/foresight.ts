/** What an action would bring, asked before it is sent. */

import { make } from "../dom";

/** What the server foresees: what is certain, and what follows if no one objects. */
interface Foreseen {
  lines: string[];
  unopposed: string[];
  if_unopposed: string;
  totals: string;
}

export class Foresight {
  private readonly known = new Map<string, Promise<Foreseen | null>>();
  private position = "";

  constructor(private readonly live: HTMLElement) {}

  /** The lines for an action, null if nothing is certain. */
  async lines(action: Record<string, unknown>): Promise<HTMLElement | null> {
    const found = await this.ask(action);
    if (!found || !(found.lines.length || found.unopposed.length)) return null;
    const list = (lines: readonly string[]): HTMLElement => make("ul", {}, ...lines.map((line) => make("li", {}, line)));
    const block = make("div", { class: "foreseen" });
    if (found.lines.length) block.append(list(found.lines));
    if (found.unopposed.length) block.append(make("p", {}, found.if_unopposed), list(found.unopposed));
    if (found.totals) block.append(make("p", { class: "totals" }, found.totals));
    return block;
  }

  /** Puts the lines for an action into a place, unless something else is asked there by then. */
  fill(place: HTMLElement, action: Record<string, unknown>): void {
    const asked = JSON.stringify(action);
    place.dataset["foresees"] = asked;
    void this.lines(action).then((block) => {
      if (place.dataset["foresees"] === asked) place.replaceChildren(...(block ? [block] : []));
    });
  }

  private ask(action: Record<string, unknown>): Promise<Foreseen | null> {
    const position = this.live.dataset["position"] ?? "";
    if (position !== this.position) this.known.clear();
    this.position = position;
    const key = JSON.stringify(action);
    const known = this.known.get(key) ?? this.fetch(action);
    this.known.set(key, known);
    // Without an answer it is asked again the next time.
    void known.then((found) => {
      if (!found && this.known.get(key) === known) this.known.delete(key);
    });
    return known;
  }

  private async fetch(action: Record<string, unknown>): Promise<Foreseen | null> {
    const { url = "", number = "0", version = "0" } = this.live.dataset;
    try {
      const response = await fetch(`${url}/foresee`, {
        method: "POST",
        headers: { "Content-Type": "application/json", Accept: "application/json" },
        body: JSON.stringify({ number: Number(number), version: Number(version), action }),
      });
      return response.ok ? ((await response.json()) as Foreseen) : null;
    } catch {
      // Nothing is done here; what is sent later says if the server cannot be reached.
      return null;
    }
  }
}
