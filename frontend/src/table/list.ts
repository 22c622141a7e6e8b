/** The same choices as a list, for the keyboard, for screen readers and for small screens. */

import { make } from "../dom";
import { say } from "../words";
import { groups, type Choice } from "./choices";

/** Groups up to this size are open from the start. */
const SHORT = 8;

export class ChoiceList {
  private shown: readonly Choice[] = [];
  /** Which groups were opened or closed by hand. */
  private readonly opened = new Map<string, boolean>();

  constructor(
    private readonly live: HTMLElement,
    private readonly choose: (choice: Choice) => void,
  ) {
    live.addEventListener("click", (event) => {
      const entry = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-entry]") : null;
      const choice = this.shown[Number(entry?.dataset["entry"] ?? -1)];
      if (choice) this.choose(choice);
    });
  }

  render(choices: readonly Choice[]): void {
    const place = this.live.querySelector<HTMLElement>("#choice-list");
    if (!place || (choices === this.shown && place.childElementCount)) return;
    this.shown = choices;
    const held = place.contains(document.activeElement);
    const group = held ? document.activeElement?.closest<HTMLElement>("[data-group]")?.dataset["group"] : null;
    const typed = held && document.activeElement instanceof HTMLInputElement ? document.activeElement : null;
    const numbers = new Map(choices.map((choice, number) => [choice, number]));
    const found = groups(choices);
    place.replaceChildren(
      ...[...found].map(([name, members]) => this.group(name, members, found.size === 1, numbers)),
    );
    if (!held) return;
    // The entry that was in focus is gone; its group, or the first one, is near enough.
    const summaries = [...place.querySelectorAll<HTMLElement>("summary")];
    const same = summaries.find((one) => one.parentElement?.dataset["group"] === group);
    (same ?? summaries[0])?.focus({ preventScroll: true });
    const filter = typed && same?.parentElement?.querySelector<HTMLInputElement>("input.filter");
    if (!filter) return;
    // Who is about to search goes on.
    filter.value = typed.value;
    filter.dispatchEvent(new Event("input"));
    filter.focus({ preventScroll: true });
    filter.setSelectionRange(typed.selectionStart, typed.selectionEnd);
  }

  private group(
    name: string,
    members: Choice[],
    only: boolean,
    numbers: Map<Choice, number>,
  ): HTMLElement {
    const details = make("details", { class: "group", "data-group": name });
    const summary = make("summary", {}, name, make("span", { class: "count" }, String(members.length)));
    details.append(summary);
    const fill = (): void => {
      if (details.childElementCount > 1) return;
      const list = make("ul", { class: "entries" });
      const draw = (wanted: string): void => {
        const words = wanted.toLocaleLowerCase().split(/\s+/).filter(Boolean);
        const fitting = members.filter((choice) => {
          const label = choice.label.toLocaleLowerCase();
          return words.every((word) => label.includes(word));
        });
        list.replaceChildren(
          ...fitting.map((choice) =>
            make(
              "li",
              {},
              make(
                "button",
                {
                  type: "button",
                  "data-entry": numbers.get(choice) ?? -1,
                  "data-keys": JSON.stringify(choice.keys),
                },
                choice.label,
              ),
            ),
          ),
        );
        if (!fitting.length) list.replaceChildren(make("li", { class: "none" }, say("nothingFits")));
      };
      if (members.length > SHORT) {
        const filter = make("input", {
          type: "search",
          class: "filter",
          placeholder: say("filter"),
          "aria-label": say("filterGroup", { group: name }),
        });
        filter.addEventListener("input", () => draw(filter.value));
        details.append(filter);
      }
      draw("");
      details.append(list);
    };
    summary.addEventListener("click", () => this.opened.set(name, !details.open));
    details.addEventListener("toggle", () => {
      if (details.open) fill();
    });
    if (this.opened.get(name) ?? (only || members.length <= SHORT)) {
      fill();
      details.open = true;
    }
    return details;
  }
}
