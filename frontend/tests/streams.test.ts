import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";

import { MOST, Streams, tooMany } from "../src/table/streams";

const seen = (id: string) => ({ id, hidden: false });
const behind = (id: string) => ({ id, hidden: true });

test("as long as there are few all listen", () => {
  deepEqual(tooMany(["a", "b", "c", "d"].slice(0, MOST).map(behind)), []);
});

test("of many those in the background give way, the same ones wherever it is asked", () => {
  const all = [behind("e"), seen("a"), behind("c"), behind("b"), seen("d"), behind("f")];
  deepEqual(tooMany(all), ["b", "c"]);
  deepEqual(tooMany([...all].reverse()), ["b", "c"]);
});

test("visible pages go on listening", () => {
  deepEqual(tooMany(["a", "b", "c", "d", "e", "f"].map(seen)), []);
});

const opened: BroadcastChannel[] = [];
globalThis.BroadcastChannel = class extends BroadcastChannel {
  constructor(name: string) {
    super(name);
    opened.push(this);
  }
};

/** How many go on listening of a number of pages in the background when one that is seen begins. */
async function goOn(behind: number): Promise<number> {
  const pages = Array.from({ length: behind + 1 }, (_, number) => {
    const page = { listens: true };
    const streams = new Streams(
      () => page.listens,
      () => {
        page.listens = false;
      },
      () => number < behind,
    );
    return { page, streams };
  });
  pages.at(-1)?.streams.begun();
  await new Promise((resolve) => setTimeout(resolve, 600));
  for (const channel of opened.splice(0)) channel.close();
  return pages.filter(({ page }) => page.listens).length;
}

test("no page gives way without need, and no more than have to", async () => {
  equal(await goOn(MOST - 1), MOST);
  equal(await goOn(MOST), MOST);
  equal(await goOn(MOST + 3), MOST);
});
