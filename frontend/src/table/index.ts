/** The page of a table: puts its parts together. */

import { closest, make } from "../dom";
import { say } from "../words";
import { BoardView } from "./board";
import { Countdown } from "./countdown";
import { startForms } from "./forms";
import { History } from "./history";
import { ChoiceList } from "./list";
import { Live } from "./live";
import { Notifier } from "./notify";
import { Picker } from "./picking";
import { post } from "./send";
import { Tabs } from "./tabs";

export function startTable(live: HTMLElement): void {
  const url = live.dataset["url"] ?? location.pathname;
  const view = new BoardView(live);
  const picker = new Picker(live, view, async (action) => {
    fail("", "");
    const number = Number(live.dataset["number"] ?? 0);
    const version = Number(live.dataset["version"] ?? 0);
    const answer = await post(`${url}/move`, { number, version, action }, say("failed"));
    if (answer.ok) {
      clearHint();
      await updates.refresh();
    } else {
      fail(answer.error, answer.rule);
      // The choice is as it was; if it is not any more, the page will say so.
      void updates.refresh();
    }
  });
  const list = new ChoiceList(live, (choice) => picker.choose(choice));
  const tabs = new Tabs(live);
  const history = new History(live, () => updates.refresh());
  const notifier = new Notifier(live);
  const countdown = new Countdown(live);

  let face = live.dataset["face"];
  let position = live.dataset["position"];

  function show(asked: number): void {
    // What the player before saw goes with that player.
    if (face !== live.dataset["face"]) {
      face = live.dataset["face"];
      picker.cancel();
      clearHint();
      fail("", "");
      if (live.dataset["past"] !== undefined) {
        history.leave();
        void updates.refresh();
      }
    }
    // A refusal was about the position it was given in.
    if (position !== live.dataset["position"]) {
      position = live.dataset["position"];
      fail("", "");
    }
    view.show();
    tabs.apply();
    picker.load();
    list.render(picker.all);
    history.apply();
    notifier.apply();
    countdown.apply(asked);
    hinted();
    localTimes();
  }

  /** The server sends times in UTC. */
  function localTimes(): void {
    const language = document.documentElement.lang;
    for (const place of live.querySelectorAll<HTMLTimeElement>("time[datetime]")) {
      const time = new Date(place.dateTime);
      if (Number.isNaN(time.getTime())) continue;
      place.textContent = time.toLocaleTimeString(language, { hour: "2-digit", minute: "2-digit" });
      place.title = time.toLocaleString(language);
    }
  }

  // ---- what was refused, in one sentence with its rule

  function fail(error: string, rule: string): void {
    const place = live.querySelector<HTMLElement>("#move-error");
    if (!place) return;
    place.replaceChildren();
    place.hidden = !error;
    if (!error) return;
    place.append(make("span", {}, error));
    const title = live.dataset["title"] ?? "";
    const id = rule.includes(":") ? rule.slice(rule.indexOf(":") + 1) : rule;
    if (id) {
      const href = `/rules/${encodeURIComponent(title)}/${encodeURIComponent(id)}`;
      place.append(" ", make("a", { href, "data-card": true, class: "rule" }, id));
    }
  }

  // ---- hints

  let hintFor = "";

  function hint(html: string): void {
    const place = live.querySelector<HTMLElement>("#hint");
    if (!place) return;
    place.innerHTML = html;
    hintFor = place.querySelector<HTMLElement>("[data-position]")?.dataset["position"] ?? "";
    hinted();
  }

  function clearHint(): void {
    live.querySelector("#hint")?.replaceChildren();
    hintFor = "";
    hinted();
  }

  /** Keeps the hint on the board as long as it is about the move that is due. */
  function hinted(): void {
    if (hintFor && hintFor !== live.dataset["position"]) clearHint();
    const keys = live.querySelector<HTMLElement>("#hint [data-hint-keys]")?.dataset["hintKeys"];
    picker.show(keys ? (JSON.parse(keys) as string[]) : [], "hint", "hint");
  }

  startForms(live, {
    refresh: () => updates.refresh(),
    fail,
    hint,
  });
  live.addEventListener("click", (event) => {
    if (!closest(event, "[data-whole-log]") || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    live.dataset["log"] = "all";
    void updates.refresh();
  });
  live.addEventListener("click", (event) => {
    const control = closest(event, "[data-play-hint]");
    if (!control) return;
    const wanted = JSON.parse(control.getAttribute("data-play-hint") ?? "{}") as Record<string, unknown>;
    for (const choice of picker.all) {
      // An amount is part of the action that is wanted, but not of the choice.
      const field = choice.amount?.field ?? "";
      const amount = Number(wanted[field]);
      if (!same({ ...choice.action, [field]: 0 }, { ...wanted, [field]: 0 })) continue;
      picker.choose(choice, choice.amount ? amount : undefined);
      return;
    }
  });

  if (new URLSearchParams(location.search).get("log") === "all") live.dataset["log"] = "all";
  const [page] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  show(page?.requestStart ?? 0);
  const updates = new Live(live, show, () => history.query);
}

function same(one: unknown, other: unknown): boolean {
  const ordered = (value: unknown): string =>
    JSON.stringify(Object.entries(value as Record<string, unknown>).sort());
  return ordered(one) === ordered(other);
}
