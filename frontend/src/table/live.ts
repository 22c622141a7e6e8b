/** Keeps the table on the page equal to the table on the server. */

import { Idiomorph } from "idiomorph";

import { say } from "../words";
import { PICKING } from "./pickable";

const FIRST_WAIT = 500;
const LONGEST_WAIT = 8000;

interface Changed {
  version: number;
}

export class Live {
  private source: EventSource | null = null;
  private running: Promise<void> | null = null;
  private again = false;
  private wait = FIRST_WAIT;
  private timer: number | undefined;
  private lost = false;
  /** What the server said last. */
  private shown = "";

  constructor(
    private readonly root: HTMLElement,
    private readonly changed: (asked: number) => void,
    /** What the server is asked for besides, such as a move of the past. */
    private readonly query: () => string,
  ) {
    addEventListener("offline", () => this.lose());
    addEventListener("online", () => this.connect());
    addEventListener("pagehide", () => this.close());
    // A page taken back from the browser's memory has missed everything in between.
    addEventListener("pageshow", (event) => {
      if (event.persisted) this.connect();
    });
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "visible" && this.lost) this.connect();
    });
    this.connect();
  }

  private get url(): string {
    return this.root.dataset["url"] ?? location.pathname;
  }

  private get version(): number {
    return Number(this.root.dataset["version"] ?? -1);
  }

  // ---- connection

  private connect(): void {
    this.close();
    const source = new EventSource(`${this.url}/events`);
    this.source = source;
    source.addEventListener("open", () => {
      this.wait = FIRST_WAIT;
      // What happened while nobody listened is fetched now.
      void this.refresh().then(() => this.banner(false));
    });
    source.addEventListener("changed", (event) => {
      const data = JSON.parse((event as MessageEvent<string>).data) as Changed;
      if (data.version > this.version) void this.refresh();
    });
    source.addEventListener("error", () => this.lose());
  }

  private close(): void {
    clearTimeout(this.timer);
    this.source?.close();
    this.source = null;
  }

  /** The browser's own retries stop for good after some errors, so ours replace them. */
  private lose(): void {
    this.close();
    this.banner(true);
    this.timer = setTimeout(() => this.connect(), this.wait);
    this.wait = Math.min(LONGEST_WAIT, this.wait * 2);
  }

  private banner(lost: boolean): void {
    this.lost = lost;
    const banner = document.getElementById("connection");
    if (!banner) return;
    // Emptied as well as hidden: screen readers announce the text when it comes back.
    banner.hidden = !lost;
    banner.textContent = lost ? say("connectionLost") : "";
  }

  // ---- content

  /** Fetches the table anew; calls while a fetch is under way become one more fetch. */
  refresh(): Promise<void> {
    if (this.running) {
      this.again = true;
      return this.running;
    }
    this.running = this.fetch().finally(() => {
      this.running = null;
    });
    return this.running;
  }

  private async fetch(): Promise<void> {
    do {
      this.again = false;
      const asked = performance.now();
      try {
        const log = this.root.dataset["log"] === "all" ? "log=all" : "";
        const query = [this.query(), log].filter(Boolean).join("&");
        const response = await fetch(`${this.url}/live?${query}`, { headers: { Accept: "text/html" } });
        if (!response.ok) throw new Error(`status ${response.status}`);
        this.morph(await response.text(), asked);
      } catch {
        this.lose();
        return;
      }
    } while (this.again);
  }

  private morph(html: string, asked: number): void {
    // Nothing is touched without need: a click on something that is just being replaced is lost.
    if (html === this.shown) {
      this.changed(asked);
      return;
    }
    this.shown = html;
    const fresh = new DOMParser().parseFromString(html, "text/html").getElementById("live");
    if (!fresh) return;
    const focused = document.activeElement;
    const status = this.root.dataset["status"];
    Idiomorph.morph(this.root, fresh, {
      morphStyle: "outerHTML",
      // What is being typed stays; the content of anything else in focus, such as the prompt, is brought
      // up to date.
      ignoreActiveValue: focused?.matches("input, textarea, select") ?? false,
      restoreFocus: true,
      callbacks: {
        // The inside of these belongs to the scripts.
        beforeNodeMorphed: (old) => !(old instanceof HTMLElement && "keep" in old.dataset),
        beforeNodeRemoved: (node) => !(node instanceof Element && node.matches("g.signs")),
        beforeAttributeUpdated: (name, element) => !ours(name, element),
      },
    });
    // An element that was moved about has lost the focus on the way.
    if (focusable(focused) && focused !== document.activeElement && focused.isConnected) {
      focused.focus({ preventScroll: true });
    }
    // When the game begins, the page is another one.
    if (status === "lobby" && this.root.dataset["status"] !== status) scrollTo(0, 0);
    this.changed(asked);
  }
}

function focusable(element: Element | null): element is HTMLElement | SVGElement {
  return element instanceof HTMLElement || element instanceof SVGElement;
}

/** Attributes that hold what this reader has done with the page. */
function ours(name: string, element: Element): boolean {
  if (PICKING.has(name) && element.matches("#board-now [data-pick]")) return true;
  if (name === "open") return element.matches("details, dialog");
  if (name === "viewBox" || name === "data-whole") return element.matches(".board-view > * > svg");
  if (name === "data-tab" || name === "data-log") return element.id === "live";
  // A panel that vanished for a moment would lose the focus.
  return name === "class" && element.matches('[role="tabpanel"]');
}
