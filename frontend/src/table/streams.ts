/**
 * How many pages of this browser listen to tables. Without TLS a browser has six connections to a server; when pages
 * in the background hold them all, no page loads any more. So those of them that are too many ask now and then instead.
 */

/** So many pages may listen. */
export const MOST = 4;

/** How long the other pages have for an answer, in milliseconds. */
const ANSWERING = 200;

export interface Listener {
  id: string;
  hidden: boolean;
}

/** Which of the pages that listen stop, so that no more than `MOST` do; those that somebody sees go on. */
export function tooMany(listeners: readonly Listener[]): string[] {
  const over = Math.max(0, listeners.length - MOST);
  const hidden = listeners.filter((one) => one.hidden).map((one) => one.id);
  return hidden.sort().slice(0, over);
}

type Message = { kind: "who" } | { kind: "here"; listener: Listener } | { kind: "more" };

export class Streams {
  private readonly id = Array.from(crypto.getRandomValues(new Uint32Array(2)), String).join("-");
  private readonly channel = new BroadcastChannel("kursbuch-streams");
  private found: Listener[] = [];

  constructor(
    private readonly listens: () => boolean,
    private readonly stop: () => void,
  ) {
    this.channel.addEventListener("message", (event) => {
      const message = (event as MessageEvent<Message>).data;
      if (message.kind === "here") this.found.push(message.listener);
      else if (this.listens()) {
        if (message.kind === "who") this.post({ kind: "here", listener: this.own });
        else if (this.own.hidden) void this.giveWay();
      }
    });
  }

  private get own(): Listener {
    return { id: this.id, hidden: document.visibilityState === "hidden" };
  }

  private post(message: Message): void {
    this.channel.postMessage(message);
  }

  /** The other pages that listen. */
  private async others(): Promise<Listener[]> {
    this.found = [];
    this.post({ kind: "who" });
    await new Promise((resolve) => setTimeout(resolve, ANSWERING));
    return this.found;
  }

  private async giveWay(): Promise<void> {
    const all = [...(await this.others()), this.own];
    if (this.listens() && tooMany(all).includes(this.id)) this.stop();
  }

  /** Tells the others that this page listens now. */
  begun(): void {
    this.post({ kind: "more" });
    if (this.own.hidden) void this.giveWay();
  }
}
