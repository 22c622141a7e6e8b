/** What every page runs. Pages work from the server's HTML; this adds what must be immediate. */

import { startCodes } from "./codes";
import { startComponents } from "./components";
import { startCopy } from "./copy";
import { startCorrect } from "./correct";
import { startKeys } from "./keys";
import { startLearning } from "./learn";
import { startMessages } from "./messages";
import { startNames } from "./names";
import { startNewTable } from "./newtable";
import { startOnce } from "./once";
import { startPopup } from "./popup";
import { startRoutes } from "./routes";
import { startSettings } from "./settings";
import { startTable } from "./table";
import { localTimes, tellZone } from "./times";
import { startGrowing, startMyTables } from "./waiting";

tellZone();
startSettings();
startPopup();
startKeys();
startCopy();
startCodes();
startCorrect();
startOnce();

const live = document.getElementById("live");
if (live) startTable(live);

if (document.querySelector(".page.home")) startMyTables();

const growing = document.querySelector<HTMLElement>("[data-growing]");
if (growing) startGrowing(growing);

const learning = document.querySelector<HTMLElement>("[data-learn]");
if (learning) startLearning(learning);

const routes = document.querySelector<HTMLElement>("[data-routes]");
if (routes) startRoutes(routes);

const components = document.querySelector<HTMLElement>("[data-components]");
if (components) startComponents(components);

for (const form of document.querySelectorAll<HTMLFormElement>("form[data-new-table]")) {
  startNewTable(form);
}

for (const control of document.querySelectorAll<HTMLSelectElement>("select[data-submit]")) {
  control.addEventListener("change", () => control.form?.requestSubmit());
}

startMessages();
startNames();
localTimes(document);
