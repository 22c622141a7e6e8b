/** How many tables wait for this reader: in the title of the tab, and behind the way to the next one. */

import { Idiomorph } from "idiomorph";

import { localTimes } from "./times";

/** So often the server is asked, in milliseconds. */
const PAUSE = 20_000;
/** The same for a part that grows. */
const GROWTH = 3_000;

export interface Waits {
  count: number;
  elsewhere: number;
  stamp: string;
}

/** Asks now, then every now and then, and whenever the returned function is called. */
export function watchWaiting(table: string, told: (waits: Waits) => void | Promise<void>): () => void {
  let timer: number | undefined;
  const ask = async (): Promise<void> => {
    clearTimeout(timer);
    try {
      // While the table is visible, no one need write that something has happened there.
      const seen = table && document.visibilityState === "visible" ? "&seen=1" : "";
      const answer = await fetch(`/waiting?table=${encodeURIComponent(table)}${seen}`, {
        headers: { Accept: "application/json" },
      });
      if (answer.ok) await told((await answer.json()) as Waits);
    } catch {
      // Without the server nothing can be said; it is asked again.
    }
    clearTimeout(timer);
    timer = setTimeout(() => void ask(), PAUSE);
  };
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") void ask();
  });
  void ask();
  return () => void ask();
}

/** The start page: the number in the title, and one's own tables as they are now. */
export function startMyTables(): void {
  const title = document.title;
  watchWaiting("", async (waits) => {
    document.title = waits.count ? `(${waits.count}) ${title}` : title;
    const shown = document.getElementById("my-tables");
    if (shown && shown.dataset["stamp"] !== waits.stamp) await renew(shown, "/");
  });
}

/** A page whose content grows on the server: it follows until nothing more is to come. */
export function startGrowing(part: HTMLElement): void {
  const follow = async (): Promise<void> => {
    if (document.visibilityState === "visible") await renew(part, location.href).catch(() => undefined);
    if ("growing" in part.dataset) setTimeout(() => void follow(), GROWTH);
  };
  setTimeout(() => void follow(), GROWTH);
}

/** Shows a part of this page as a page of the server has it now. */
async function renew(shown: HTMLElement, url: string): Promise<void> {
  const answer = await fetch(url, { headers: { Accept: "text/html" } });
  if (!answer.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const fresh = page.getElementById(shown.id);
  if (!fresh) return;
  Idiomorph.morph(shown, fresh, {
    morphStyle: "outerHTML",
    callbacks: {
      // What is folded open stays open.
      beforeAttributeUpdated: (name, element) => name !== "open" || !element.matches("details"),
    },
  });
  localTimes(document);
}
