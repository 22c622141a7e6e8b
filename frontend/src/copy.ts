/** Buttons that copy a link, or hand it to the device's own "share" where there is one. */

import { closest } from "./dom";
import { say } from "./words";

export function startCopy(): void {
  document.addEventListener("click", (event) => {
    const control = closest(event, "[data-copy]");
    if (!control) return;
    const source = document.getElementById(control.dataset["copy"] ?? "");
    if (!(source instanceof HTMLInputElement)) return;
    void put(source).then(() => {
      const label = control.textContent ?? "";
      if (label === say("copied")) return;
      control.textContent = say("copied");
      setTimeout(() => {
        control.textContent = label;
      }, 2000);
    });
  });
}

async function put(source: HTMLInputElement): Promise<void> {
  source.select();
  try {
    await navigator.clipboard.writeText(source.value);
  } catch {
    // Without a secure connection there is no clipboard; the text is selected for copying by hand.
    document.execCommand("copy");
  }
}
