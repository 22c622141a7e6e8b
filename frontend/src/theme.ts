/** Light, dark, or as the system says. `/static/theme.js` applies the choice before the first paint. */

import { closest, remember, remembered } from "./dom";

const KEY = "kursbuch-theme";

function dark(): boolean {
  const chosen = document.documentElement.dataset["theme"];
  return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

function show(): void {
  for (const toggle of document.querySelectorAll("[data-theme-toggle]")) {
    toggle.setAttribute("aria-pressed", String(dark()));
  }
}

export function startTheme(): void {
  document.addEventListener("click", (event) => {
    if (!closest(event, "[data-theme-toggle]")) return;
    const theme = dark() ? "light" : "dark";
    document.documentElement.dataset["theme"] = theme;
    remember(KEY, theme);
    show();
  });
  const stored = remembered(KEY);
  if (stored) document.documentElement.dataset["theme"] = stored;
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", show);
  show();
}
