import { equal } from "node:assert/strict";
import { test } from "node:test";

import { ARRIVAL, chime, startChime } from "../src/table/chime";

const page = new EventTarget();
globalThis.document = page as Document;

/** What sounds as it does in Safari: it is let go on only while the reader does something, or if it once was. */
let acting = false;
let sounded = 0;
globalThis.AudioContext = class {
  currentTime = 0;
  private allowed = false;
  private readonly waiting: (() => void)[] = [];
  async resume(): Promise<void> {
    this.allowed ||= acting;
    if (!this.allowed) return new Promise((go) => this.waiting.push(go));
    for (const go of this.waiting) go();
  }
  async suspend(): Promise<void> {}
  createOscillator(): unknown {
    return { frequency: {}, connect: (next: unknown) => next, start: () => sounded++, stop: () => {} };
  }
  createGain(): unknown {
    const gain = { setValueAtTime() {}, linearRampToValueAtTime() {}, exponentialRampToValueAtTime() {} };
    return { gain, connect() {} };
  }
} as unknown as typeof AudioContext;

function act(): void {
  acting = true;
  page.dispatchEvent(new Event("pointerup"));
  acting = false;
}

test("a turn is heard later if the reader has done something before", async () => {
  let now = 0;
  Date.now = () => now;
  startChime(() => true);
  const early = chime();
  now = 5000;
  act();
  await early;
  equal(sounded, 0);
  await chime();
  equal(sounded, 2);
  await chime(ARRIVAL);
  equal(sounded, 2 + ARRIVAL.length);
});
