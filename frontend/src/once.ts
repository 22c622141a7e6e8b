/** Requests that may be sent again: each carries a key, and the server carries out what has one only once. So a
 * lost answer or a double tap never plays twice. */

/** How long to wait before a request is sent again, in milliseconds: a server that starts again takes some seconds. */
const WAITS = [300, 1200, 3000];

/** What a proxy or the server answers while it cannot do anything. */
const AWAY = [502, 503, 504];

/** Keys of requests without a clear answer so far, by what they ask for. */
const pending = new Map<string, string>();

/** A unique key. (`crypto.randomUUID` exists only where the page came over TLS.) */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Posts text under a key, again if no answer comes. As long as it is unknown whether it was carried out,
 * the same request keeps its key. Throws if the server cannot be reached. */
export async function postOnce(
  url: string,
  body: string,
  headers: Record<string, string>,
  waits: readonly number[] = WAITS,
): Promise<Response> {
  const about = `${url} ${body}`;
  const key = pending.get(about) ?? newKey();
  pending.set(about, key);
  for (let tries = 0; ; tries++) {
    const wait = waits[tries];
    try {
      const response = await fetch(url, { method: "POST", body, headers: { ...headers, "Idempotency-Key": key } });
      if (!AWAY.includes(response.status)) {
        pending.delete(about);
        return response;
      }
      if (wait === undefined) return response;
    } catch (error) {
      if (wait === undefined) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
}

/** Gives every form that is sent by the browser itself a key, until the page is shown again. */
export function startOnce(): void {
  let keys = new WeakMap<HTMLFormElement, string>();
  window.addEventListener("pageshow", () => {
    keys = new WeakMap();
  });
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || form.method !== "post" || event.defaultPrevented) return;
    const key = keys.get(form) ?? newKey();
    keys.set(form, key);
    let field = form.querySelector<HTMLInputElement>("input[type=hidden][name=key]");
    if (!field) {
      field = document.createElement("input");
      field.type = "hidden";
      field.name = "key";
      form.append(field);
    }
    field.value = key;
  });
}
