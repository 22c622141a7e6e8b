/**
 * How many pages of this browser listen to tables. Without TLS a browser has six connections to a server; when pages
 * in the background hold them all, no page loads any more. So those of them that are too many ask now and then instead.
 */

/** Maximum number of listening pages. */
export const MOST = 4;

/** How long the other pages have for an answer, in milliseconds. */
const ANSWERING = 200;

export interface Listener {
  id: string;
  hidden: boolean;
}

/** Which of the pages that listen stop, so that no more than `MOST` do; visible ones go on. */
export function tooMany(listeners: readonly Listener[]): string[] {
  const over = Math.max(0, listeners.length - MOST);
  const hidden = listeners.filter((one) => one.hidden).map((one) => one.id);
  return hidden.sort().slice(0, over);
}

type Message = { kind: "who"; by: string } | { kind: "here"; to: string; listener: Listener } | { kind: "more" };

export class Streams {
  private readonly id = Array.from(crypto.getRandomValues(new Uint32Array(2)), String).join("-");
  private readonly channel: BroadcastChannel | null =
    typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel("kursbuch-streams");
  private readonly found = new Map<string, Listener>();
  private counting = false;
  private again = false;

  constructor(
    private readonly listens: () => boolean,
    private readonly stop: () => void,
    private readonly hidden = (): boolean => document.visibilityState === "hidden",
  ) {
    this.channel?.addEventListener("message", (event) => {
      const message = (event as MessageEvent<Message>).data;
      if (message.kind === "here") {
        if (message.to === this.id) this.found.set(message.listener.id, message.listener);
      } else if (this.listens()) {
        if (message.kind === "who") this.post({ kind: "here", to: message.by, listener: this.own });
        else if (this.hidden()) void this.count();
      }
    });
  }

  private get own(): Listener {
    return { id: this.id, hidden: this.hidden() };
  }

  private post(message: Message): void {
    this.channel?.postMessage(message);
  }

  /** Counts the pages that listen, and gives way if there are too many; again if another one has begun meanwhile. */
  private async count(): Promise<void> {
    this.again = true;
    if (this.counting) return;
    this.counting = true;
    while (this.again) {
      this.again = false;
      await this.giveWay();
    }
    this.counting = false;
  }

  private async giveWay(): Promise<void> {
    this.found.clear();
    this.post({ kind: "who", by: this.id });
    await new Promise((resolve) => setTimeout(resolve, ANSWERING));
    const all = [...this.found.values(), this.own];
    if (this.listens() && tooMany(all).includes(this.id)) this.stop();
  }

  /** Tells the others that this page listens now. */
  begun(): void {
    this.post({ kind: "more" });
    if (this.hidden()) void this.count();
  }
}
