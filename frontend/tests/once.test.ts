import assert from "node:assert/strict";
import { test } from "node:test";

import { postOnce } from "../src/once";

/** Lets requests end as told and notes the keys they carry. */
function answering(...ends: readonly (number | null)[]): string[] {
  const keys: string[] = [];
  globalThis.fetch = (_url, init) => {
    keys.push((init?.headers as Record<string, string>)["Idempotency-Key"] ?? "");
    const end = ends[keys.length - 1] ?? null;
    return end === null ? Promise.reject(new TypeError("lost")) : Promise.resolve(new Response(null, { status: end }));
  };
  return keys;
}

test("what gets no answer is sent again under the same key", async () => {
  const keys = answering(null, 503, 204);
  assert.equal((await postOnce("/move", "a", {}, [0, 0])).status, 204);
  assert.equal(keys.length, 3);
  assert.equal(new Set(keys).size, 1);
  assert.match(keys[0] ?? "", /^[0-9a-f]{32}$/);
});

test("a request keeps its key until it is answered, another one has its own", async () => {
  const keys = answering(null, 204, 422, 204);
  await assert.rejects(postOnce("/move", "b", {}, []));
  await postOnce("/move", "b", {}, []);
  await postOnce("/move", "b", {}, []);
  await postOnce("/move", "c", {}, []);
  assert.equal(keys[0], keys[1]);
  assert.equal(new Set(keys).size, 3);
});

test("while the server is away, its last answer is what one gets", async () => {
  const keys = answering(503, 503);
  assert.equal((await postOnce("/move", "d", {}, [0])).status, 503);
  assert.equal(keys[0], keys[1]);
});
