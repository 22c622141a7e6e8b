/** The page of a table: puts its parts together. */

import { closest, make } from "../dom";
import { fillNames } from "../names";
import { CARD_SENT } from "../popup";
import { localTimes } from "../times";
import { watchWaiting } from "../waiting";
import { say } from "../words";
import { showBadges } from "./badges";
import { bringUp } from "./bar";
import { BoardView } from "./board";
import { Cards } from "./cards";
import { sending } from "./choices";
import { Countdown } from "./countdown";
import { startCourse } from "./course";
import { Ending } from "./ending";
import { Foresight } from "./foresight";
import { startForms } from "./forms";
import { History } from "./history";
import { ChoiceList } from "./list";
import { Live } from "./live";
import { LogFilter } from "./logfilter";
import { Motion } from "./motion";
import { Notifier } from "./notify";
import { Picker } from "./picking";
import { quiet, silence } from "./quiet";
import { post } from "./send";
import { Tabs } from "./tabs";
import { Telling } from "./telling";

export function startTable(live: HTMLElement): void {
  const url = live.dataset["url"] ?? location.pathname;
  const view = new BoardView(live);
  const foresight = new Foresight(live);
  const send = async (action: Record<string, unknown>): Promise<void> => {
    fail("");
    const number = Number(live.dataset["number"] ?? 0);
    const version = Number(live.dataset["version"] ?? 0);
    const answer = await post(`${url}/move`, { number, version, action }, say("failed"));
    if (answer.ok) {
      clearHint();
      await updates.beyond(number);
    } else {
      fail(answer.error, answer.rule, answer.ruleName);
      // The choice is as it was; if it is not any more, the page will say so.
      void updates.refresh();
    }
  };
  const picker = new Picker(live, view, send, foresight, (element, keys) => cards.explain(element, keys));
  const cards = new Cards(live, foresight, (element) => picker.wayTo(element));
  const list = new ChoiceList(live, (choice) => picker.choose(choice));
  const tabs = new Tabs(live);
  const history = new History(live, () => updates.refresh());
  const notifier = new Notifier(live);
  const waiting = watchWaiting(url.split("/").pop() ?? "", (waits) => notifier.tell(waits));
  const countdown = new Countdown(live);
  const telling = new Telling(live);
  const ending = new Ending(live);
  const filter = new LogFilter(live, () => {
    live.dataset["log"] = "all";
    void updates.refresh();
  });

  let face = live.dataset["face"];
  let position = live.dataset["position"];
  /** The keys that the guide points at. */
  let guidedTo: string | undefined;
  /** What the guide said last. */
  let told: string | undefined;

  function show(asked: number): void {
    // What the player before saw goes with that player.
    if (face !== live.dataset["face"]) {
      face = live.dataset["face"];
      picker.cancel();
      clearHint();
      fail("");
      if (live.dataset["past"] !== undefined) {
        history.leave();
        void updates.refresh();
      }
    }
    // A refusal was about the position it was given in.
    if (position !== live.dataset["position"]) {
      position = live.dataset["position"];
      waiting();
      fail("");
    }
    cards.refresh();
    view.show();
    tabs.apply();
    picker.load();
    list.render(picker.all);
    history.apply();
    notifier.apply();
    countdown.apply(asked);
    hinted();
    guided();
    fillNames();
    filter.apply();
    telling.apply();
    ending.apply();
    // What only adorns the board can wait: it follows when the rest has been painted.
    requestAnimationFrame(() => setTimeout(adorn));
  }

  function adorn(): void {
    quiet(live);
    showBadges(live, live.querySelector("#board-now > svg"));
  }

  // What marks elements of the board is where these were.
  view.rearranged = () => {
    picker.load();
    adorn();
  };

  /** Points out on the board what the guide asks for, as long as the reader wants to be shown it. */
  function guided(): void {
    const shown = live.querySelector<HTMLElement>("#guide details[open]")?.dataset["guideKeys"];
    const keys = shown ? (JSON.parse(shown) as string[]) : [];
    picker.show(keys, "hint", "guide");
    // A new step is read from its beginning.
    const said = live.querySelector("#guide .guide-do, #guide-jump, #guide-end")?.textContent ?? told;
    if (said !== told) for (const part of live.querySelectorAll(".console, .doing")) part.scrollTop = 0;
    told = said;
    if (shown === guidedTo) return;
    guidedTo = shown;
    if (shown) view.find(keys);
    else view.withdraw();
  }

  // ---- what was refused, in one sentence with its rule

  function fail(error: string, rule = "", name = ""): void {
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
      place.append(" ", make("a", { href, title: rule, "data-card": true, class: "rule" }, name || id));
    }
  }

  /** That the server could not be reached is said no longer when it can be. */
  function reached(): void {
    const said = live.querySelector("#move-error")?.textContent ?? "";
    if (said === say("failed")) fail("");
  }

  // ---- hints

  let hintFor = "";
  /** What could be done when the hint was given: as long as that stays, it fits, even if others answer. */
  let hintOffer = "";

  function hint(html: string): void {
    const place = live.querySelector<HTMLElement>("#hint");
    if (!place) return;
    place.innerHTML = html;
    hintFor = place.querySelector<HTMLElement>("[data-position]")?.dataset["position"] ?? "";
    hintOffer = "";
    // It may be about a position this page does not know yet.
    if (hintFor !== live.dataset["position"]) void updates.refresh();
    else hinted();
    bringUp(place);
  }

  function clearHint(): void {
    live.querySelector("#hint")?.replaceChildren();
    hintFor = "";
    hinted();
  }

  /** Keeps the hint on the board as long as it is about the move that is due. */
  function hinted(): void {
    const offer = live.querySelector<HTMLElement>("#choices")?.dataset["choices"] ?? "";
    const now = live.dataset["position"] ?? "";
    if (hintFor === now) hintOffer = offer;
    else if (hintFor && (offer !== hintOffer || takenBack(hintFor) !== takenBack(now))) clearHint();
    const keys = live.querySelector<HTMLElement>("#hint [data-hint-keys]")?.dataset["hintKeys"];
    picker.show(keys ? (JSON.parse(keys) as string[]) : [], "hint", "hint");
  }

  startCourse(live);
  // This event does not bubble.
  live.addEventListener("toggle", () => guided(), { capture: true });
  // Another sheet is another picture.
  live.addEventListener("click", (event) => {
    if (closest(event, "#sheets")) quiet(live);
  });

  // What is fixed ahead in the popup stands on the page, too.
  document.addEventListener(CARD_SENT, () => void updates.refresh());

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
      picker.carryOut(choice, choice.amount ? amount : undefined);
      const done = choice.amount ? sending(choice.amount, amount, document.documentElement.lang) : choice.label;
      telling.toast(say("didIt", { action: done }));
      return;
    }
  });

  if (new URLSearchParams(location.search).get("log") === "all") live.dataset["log"] = "all";
  const [page] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  show(page?.requestStart ?? 0);
  const updates = new Live(live, show, () => history.query, reached, new Motion(live), (fresh) => {
    view.prepare(fresh);
    silence(fresh);
    localTimes(fresh);
  });
}

/** How often moves had been taken back at a position, which its name begins with. */
function takenBack(position: string): string | undefined {
  return position.split(".", 1)[0];
}

function same(one: unknown, other: unknown): boolean {
  const ordered = (value: unknown): string =>
    JSON.stringify(Object.entries(value as Record<string, unknown>).sort());
  return ordered(one) === ordered(other);
}
