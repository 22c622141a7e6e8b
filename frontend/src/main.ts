/** What every page runs. Pages work from the server's HTML; this adds what must be immediate. */

import htmx from "htmx.org";

import { startCopy } from "./copy";
import { startNames } from "./names";
import { startNewTable } from "./newtable";
import { startPopup } from "./popup";
import { startRoutes } from "./routes";
import { startTable } from "./table";
import { startTheme } from "./theme";

// Nothing the server sends is to be run as code: no inline handlers, no eval in attributes.
htmx.config.allowEval = false;
htmx.config.allowScriptTags = false;
htmx.config.selfRequestsOnly = true;
// The style sheet has what is needed of these, and the content security policy allows no others.
htmx.config.includeIndicatorStyles = false;

startTheme();
startPopup();
startCopy();

const live = document.getElementById("live");
if (live) startTable(live);

const routes = document.querySelector<HTMLElement>("[data-routes]");
if (routes) startRoutes(routes);

for (const form of document.querySelectorAll<HTMLFormElement>("form[data-new-table]")) {
  startNewTable(form);
}

for (const control of document.querySelectorAll<HTMLSelectElement>("select[data-submit]")) {
  control.addEventListener("change", () => control.form?.requestSubmit());
}

startNames();
