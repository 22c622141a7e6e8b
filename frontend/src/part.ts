/** Parts of pages, which the server sends instead of the whole page. */

import { PART } from "./dom";

interface Part {
  /** Null if there is no answer, or another one. */
  html: string | null;
  /** Whether the page itself says why there is none; otherwise there is no one to say it. */
  refused: boolean;
}

/** What lies at an address. */
export async function fetchPart(url: string): Promise<Part> {
  const answer = await fetch(url, { headers: { ...PART, Accept: "text/html" } }).catch(() => null);
  const html = answer?.ok ? await answer.text().catch(() => null) : null;
  return { html, refused: answer !== null && !answer.ok && answer.status < 500 };
}
