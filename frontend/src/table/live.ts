/** Keeps the table on the page equal to the table on the server. */

import { Idiomorph } from "idiomorph";

import { say } from "../words";
import type { Motion } from "./motion";
import { patched, type Script } from "./patch";
import { PICKING } from "./pickable";
import { Streams } from "./streams";

const FIRST_WAIT = 500;
const LONGEST_WAIT = 8000;

/** Milliseconds of silence after which the connection is dead, whatever the browser thinks: a
 * living one says something every fifteen seconds (`HEARTBEAT` in `web/live/streams.py`). */
const DEAF = 40_000;

/** So often that is looked at. */
const LISTENING = 5000;

/** So often a page asks whose stream had to give way to those of others, in milliseconds. */
const ASKING = 20_000;

/** Milliseconds that news may take until it is requested. */
const PUSH_WAIT = 2000;

/** The form of what is pushed (`FORM` in `web/live/fragments.py`): a server that knows another only says that there is
 * something new. */
const FORM = 2;

const FOLLOWING = Node.DOCUMENT_POSITION_FOLLOWING;

/** Where drawings are cut (`CUT` in `web/tables/boards.py`). */
const CUT = "<g";

/** Stands where the drawing goes, and instead of one that the page has. */
const PLACE = "<!-- board -->";
const SAME = "<!-- same -->";

interface Changed {
  version: number;
}

/** What is new on the page since the update before (`web/live/fragments.py`). */
interface Update {
  version: number;
  number: number;
  page: Script;
  /** None if the drawing is the same. */
  board: Script | null;
}

interface Present {
  seats: number[];
  watching: number;
}

/** Seconds for which the server is unavailable. */
class Busy extends Error {
  constructor(readonly seconds: number) {
    super();
  }
}

export class Live {
  private source: EventSource | null = null;
  private running: Promise<boolean> | null = null;
  private again = false;
  private wait = FIRST_WAIT;
  private timer: number | undefined;
  private lost = false;
  private readonly streams = new Streams(
    () => this.source !== null,
    () => this.rest(),
  );
  /** Whether the page only asks now and then. */
  private resting = false;
  /** When the server was heard last; a computer that sleeps hears nothing. */
  private heard = 0;
  /** What the server said last. */
  private shown = "";
  /** What was pushed of the page, in lines, of the drawing, cut at its groups, and of which version it is. */
  private lines: string[] = [];
  private pieces: string[] | null = null;
  private pushed = -1;
  /** Called whenever the page was brought up to date or the connection was lost. */
  private readonly awaiting = new Set<() => void>();
  /** The seats whose people look at the table, once the server has said so. */
  private present: Present | null = null;

  constructor(
    private readonly root: HTMLElement,
    private readonly changed: (asked: number) => void,
    /** What the server is asked for besides, such as a move of the past. */
    private readonly query: () => string,
    /** The connection is back after it was lost. */
    private readonly restored: () => void,
    private readonly motion: Motion,
    /** Makes what the page is to become as the scripts leave it. */
    private readonly prepare: (fresh: HTMLElement) => void,
  ) {
    addEventListener("offline", () => this.lose());
    addEventListener("online", () => this.connect());
    addEventListener("pagehide", () => this.close());
    // A page taken back from the browser's memory has missed everything in between.
    addEventListener("pageshow", (event) => {
      if (event.persisted) this.connect();
    });
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState !== "visible") return;
      this.listen();
      if (this.lost || this.resting) this.connect();
    });
    setInterval(() => this.listen(), LISTENING);
    this.connect();
  }

  private get url(): string {
    return this.root.dataset["url"] ?? location.pathname;
  }

  private get version(): number {
    return Number(this.root.dataset["version"] ?? -1);
  }

  private get number(): number {
    return Number(this.root.dataset["number"] ?? 0);
  }

  /** Which drawing the page has. */
  private get board(): string {
    return this.root.querySelector<HTMLElement>("#board-now")?.dataset["board"] ?? "";
  }

  /** What the server is asked for that it does not push. */
  private get asked(): string {
    const log = this.root.dataset["log"] === "all" ? "log=all" : "";
    return [this.query(), log].filter(Boolean).join("&");
  }

  // ---- connection

  /** A connection that only seems to be there is given up. */
  private listen(): void {
    if (this.source && Date.now() - this.heard > DEAF) this.lose();
  }

  /** Leaves the browser's few connections to visible pages. */
  private rest(): void {
    this.close();
    this.resting = true;
    this.timer = setTimeout(() => {
      void this.refresh().then((fresh) => {
        if (fresh && this.resting) this.rest();
      });
    }, ASKING);
  }

  private connect(): void {
    this.close();
    this.resting = false;
    const source = new EventSource(`${this.url}/events?push=${FORM}&board=${this.board}`);
    this.source = source;
    this.heard = Date.now();
    for (const kind of ["open", "changed", "page", "present", "quiet"]) {
      source.addEventListener(kind, () => {
        this.heard = Date.now();
      });
    }
    this.streams.begun();
    this.lines = [];
    this.pieces = null;
    this.pushed = -1;
    source.addEventListener("open", () => {
      if (!this.lost) {
        // At first there is nothing to fetch: the server begins by saying which version it has.
        this.wait = FIRST_WAIT;
        return;
      }
      // What happened while no one listened is fetched now. Only then is the table up to date again.
      void this.refresh().then((fresh) => {
        if (!fresh) return;
        this.wait = FIRST_WAIT;
        this.banner(false);
        this.restored();
      });
    });
    source.addEventListener("changed", (event) => {
      const data = JSON.parse((event as MessageEvent<string>).data) as Changed;
      if (data.version > this.version) void this.refresh();
    });
    source.addEventListener("page", (event) => this.take(JSON.parse((event as MessageEvent<string>).data) as Update));
    source.addEventListener("present", (event) => {
      this.present = JSON.parse((event as MessageEvent<string>).data) as Present;
      this.showAway();
    });
    source.addEventListener("error", () => {
      if (source.readyState !== EventSource.CLOSED) {
        this.lose();
        return;
      }
      // Why it is refused, the table itself says.
      this.retry(this.wait);
      void this.refresh().then((fresh) => {
        if (fresh && !this.source) this.lose();
      });
    });
  }

  /** Says of everybody else whether they are away, and how many look on. */
  private showAway(): void {
    if (!this.present) return;
    for (const mark of document.querySelectorAll<HTMLElement>("[data-away]")) {
      mark.hidden = this.present.seats.includes(Number(mark.dataset["away"]));
    }
    const { watching } = this.present;
    const place = document.querySelector<HTMLElement>("[data-watching]");
    if (!place) return;
    place.hidden = !watching;
    const said = place.dataset[watching === 1 ? "one" : "many"] ?? "";
    place.textContent = said.replace("{n}", String(watching));
  }

  private close(): void {
    clearTimeout(this.timer);
    this.source?.close();
    this.source = null;
  }

  /** The browser's own retries stop for good after some errors, so ours replace them. A `busy` server says after
   * how many seconds. */
  private lose(busy?: number): void {
    this.retry(busy ? busy * 1000 : this.wait);
    this.banner(true, busy);
    for (const tell of this.awaiting) tell();
  }

  private retry(wait: number): void {
    this.close();
    this.resting = false;
    this.timer = setTimeout(() => {
      // Not before: a proxy without its server refuses both the stream and the table, which is one attempt.
      this.wait = Math.min(LONGEST_WAIT, this.wait * 2);
      this.connect();
    }, wait);
  }

  private banner(lost: boolean, busy?: number): void {
    this.lost = lost;
    const said = busy ? say("serverBusy", { n: busy }) : say("connectionLost");
    // Emptied as well as hidden: screen readers announce the text when it comes back.
    const text = lost ? said : "";
    const banner = document.getElementById("connection");
    // Said once: screen readers would announce it with every attempt.
    if (!banner || banner.textContent === text) return;
    banner.hidden = !lost;
    banner.textContent = text;
  }

  // ---- content

  /** Shows what was pushed. */
  private take(update: Update): void {
    this.lines = patched(this.lines, update.page, "\n");
    if (update.board) this.pieces = patched(this.pieces ?? [], update.board, CUT);
    this.pushed = update.version;
    // What was fetched meanwhile may be newer.
    if (update.version < this.version) return;
    const html = this.lines.join("\n");
    const same = html.includes(`data-board="${this.board}"`);
    if (this.asked || !(same || this.pieces)) void this.refresh();
    else this.morph(html.replace(PLACE, () => (same ? SAME : (this.pieces ?? []).join(CUT))), performance.now());
  }

  /** Resolves when the page shows a move after the first `number`, which its reader has just made. */
  async beyond(number: number): Promise<void> {
    if (this.source?.readyState === EventSource.OPEN && this.number <= number) {
      await new Promise<void>((resolve) => {
        const tell = (): void => {
          if (this.source && this.number <= number) return;
          this.awaiting.delete(tell);
          clearTimeout(timer);
          resolve();
        };
        const timer = setTimeout(() => {
          this.awaiting.delete(tell);
          resolve();
        }, PUSH_WAIT);
        this.awaiting.add(tell);
      });
    }
    if (this.number <= number) await this.refresh();
  }

  /** Fetches the table again; calls while a fetch is under way become one more fetch. Whether it
   * succeeded. */
  refresh(): Promise<boolean> {
    if (this.running) {
      this.again = true;
      return this.running;
    }
    this.running = this.fetch();
    return this.running;
  }

  private async fetch(): Promise<boolean> {
    try {
      do {
        this.again = false;
        await this.fetchOnce();
      } while (this.again);
      return true;
    } catch (error) {
      this.lose(error instanceof Busy ? error.seconds : undefined);
      return false;
    } finally {
      // At once: what is asked for from here on is another fetch.
      this.running = null;
    }
  }

  private async fetchOnce(): Promise<void> {
    const asked = performance.now();
    const pushed = this.pushed;
    const has = this.board && `board=${this.board}`;
    const query = [this.asked, has].filter(Boolean).join("&");
    const response = await fetch(`${this.url}/live?${query}`, { headers: { Accept: "text/html" } });
    // A reader who may no longer watch sees the access page, and if the table is gone that is said.
    if ([403, 404, 410].includes(response.status)) location.reload();
    const after = Number(response.headers.get("Retry-After"));
    if (!response.ok) throw after > 0 ? new Busy(after) : new Error(`status ${response.status}`);
    const html = await response.text();
    // Something newer may have been pushed meanwhile.
    if (this.pushed > pushed && versionOf(html) < this.pushed) this.again = true;
    else this.morph(html, asked);
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
    // What is equal by then need not be looked into.
    this.prepare(fresh);
    closeRanks(fresh);
    const focused = document.activeElement;
    const within = this.root.contains(focused);
    const status = this.root.dataset["status"];
    this.motion.before();
    const layersBack = withoutLayers(this.root, fresh);
    Idiomorph.morph(this.root, fresh, {
      morphStyle: "outerHTML",
      // What is being typed stays; the content of anything else in focus, such as the prompt, is brought
      // up to date.
      ignoreActiveValue: focused?.matches("input, textarea, select") ?? false,
      restoreFocus: true,
      callbacks: {
        // The inside of these belongs to the scripts.
        beforeNodeMorphed: (old, fresh) =>
          !(old instanceof HTMLElement && ("keep" in old.dataset || same(fresh))) && !old.isEqualNode(fresh),
        beforeAttributeUpdated: (name, element) => !ours(name, element),
      },
    });
    layersBack();
    this.motion.after();
    this.showAway();
    // An element that was moved about has lost the focus on the way.
    if (focusable(focused) && focused !== document.activeElement && focused.isConnected) {
      focused.focus({ preventScroll: true });
    }
    // When the game begins, the page is another one.
    if (status === "lobby" && this.root.dataset["status"] !== status) scrollTo(0, 0);
    this.changed(asked);
    // What had the focus may be gone: keyboard users continue from the prompt.
    if (within && document.activeElement === document.body) {
      this.root.querySelector<HTMLElement>("#prompt, #doing:not(:has(#prompt))")?.focus({ preventScroll: true });
    }
    for (const tell of this.awaiting) tell();
  }
}

function versionOf(html: string): number {
  return Number(/data-version="(\d+)"/.exec(html)?.[1] ?? 0);
}

function focusable(element: Element | null): element is HTMLElement | SVGElement {
  return element instanceof HTMLElement || element instanceof SVGElement;
}

/** The server sends no drawing that the page has. */
function same(fresh: Node): boolean {
  return fresh instanceof HTMLElement && fresh.id === "board-now" && fresh.firstChild instanceof Comment;
}

/**
 * Takes what the scripts have drawn out of the drawing, which then is made like the new one; what is returned puts it
 * back. Otherwise one group would be taken for another, and all that is in them drawn again.
 */
function withoutLayers(root: HTMLElement, fresh: HTMLElement): () => void {
  const svg = root.querySelector("#board-now > svg");
  const layers = svg && fresh.querySelector("#board-now > svg") ? [...svg.querySelectorAll(":scope > g.signs")] : [];
  const above = svg?.querySelector(":scope > [data-above]") ?? null;
  const below = new Set(above ? layers.filter((layer) => layer.compareDocumentPosition(above) & FOLLOWING) : []);
  for (const layer of layers) layer.remove();
  return () => {
    if (!svg?.isConnected) return;
    const now = svg.querySelector(":scope > [data-above]");
    for (const layer of layers) svg.insertBefore(layer, below.has(layer) ? now : null);
  };
}

/** Lists without the room between their entries: where an entry comes before others, each of them would be moved. */
function closeRanks(fresh: HTMLElement): void {
  for (const list of fresh.querySelectorAll("ol, ul, dl, tbody")) {
    for (const node of [...list.childNodes]) if (node instanceof Text) node.remove();
  }
}

/** Attributes that hold what this reader has done with the page. */
function ours(name: string, element: Element): boolean {
  if (PICKING.has(name) && element.matches("#board-now [data-pick]")) return true;
  if (name === "open") return element.matches("details, dialog");
  if (name === "viewBox" || name === "data-whole") return element.matches(".board-view > * > svg");
  if (name === "aria-pressed") return element.matches("[data-seat-filter]");
  if (name === "data-tab" || name === "data-log") return element.id === "live";
  // A panel that vanished for a moment would lose the focus.
  return name === "class" && element.matches('[role="tabpanel"]');
}
