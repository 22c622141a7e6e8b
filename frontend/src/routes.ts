/** The page that finds the best trains: every change is sent at once, the answer takes the page's place. */

import { Idiomorph } from "idiomorph";

import { closest, PART, typing } from "./dom";
import { pressed } from "./keys";
import { BoardView } from "./table/board";
import { neighbour } from "./table/neighbour";
import { say } from "./words";

/** A pointer that picks a hex or a city of one. */
const PLACES = '[data-pick^="hex:"], [data-pick^="stop:"]';

export function startRoutes(root: HTMLElement): void {
  new RoutesPage(root);
}

class RoutesPage {
  private readonly view: BoardView;
  /** The latest request: answers to earlier ones come too late. */
  private latest = 0;
  private sending: Promise<void> = Promise.resolve();
  /** The hex being asked for: the enter key both changes the field and submits the form. */
  private asked: string | null = null;

  constructor(private readonly root: HTMLElement) {
    this.view = new BoardView(root);
    root.addEventListener("submit", (event) => this.submit(event));
    root.addEventListener("click", (event) => this.click(event));
    root.addEventListener("pointerover", (event) => this.point(event));
    root.addEventListener("pointerleave", () => this.emphasize(null));
    document.addEventListener("keydown", (event) => this.key(event));
    addEventListener("popstate", () => void this.show(location.href, false));
    root.addEventListener("change", (event) => {
      const input = event.target;
      if (!(input instanceof HTMLInputElement)) return;
      if (input.type === "file") input.form?.submit();
      else if (input.name === "hex") this.choose(input.value);
    });
    this.prepare();
  }

  private get form(): HTMLFormElement | null {
    return this.root.querySelector<HTMLFormElement>("#routes-form");
  }

  private get hexField(): HTMLInputElement | null {
    return this.root.querySelector<HTMLInputElement>('input[name="hex"]');
  }

  // ---- what is done

  private submit(event: SubmitEvent): void {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || form !== this.form) return;
    event.preventDefault();
    const pressed = event.submitter;
    if (pressed instanceof HTMLButtonElement && pressed.name === "do") void this.send(pressed.value);
    else this.choose(this.hexField?.value ?? "");
  }

  /** Sends what is to be done after what has been sent before. */
  private send(wanted: string): Promise<void> {
    this.sending = this.sending.then(() => {
      const form = this.form;
      if (!form) return;
      const query = new URLSearchParams();
      for (const [name, value] of new FormData(form)) {
        if (typeof value === "string" && value) query.set(name, value);
      }
      if (wanted) query.set("do", wanted);
      return this.show(`${form.getAttribute("action") ?? ""}?${query.toString()}`, wanted !== "");
    });
    return this.sending;
  }

  private choose(hex: string): void {
    const input = this.hexField;
    const name = hex.trim().toUpperCase();
    if (!input || name === this.asked) return;
    input.value = name;
    this.asked = name;
    void this.send("").then(() => {
      if (this.asked === name) this.asked = null;
    });
  }

  /** Shows what the server says about an address. */
  private async show(url: string, changed: boolean): Promise<void> {
    const number = ++this.latest;
    const typed = this.hexField?.value;
    const address = new URL(url, location.href);
    let html: string;
    try {
      const answer = await fetch(address, { headers: { Accept: "text/html", ...PART } });
      if (!answer.ok) {
        const said = (await answer.json().catch(() => ({}))) as { error?: string };
        this.complain(said.error ?? say("failed"));
        return;
      }
      html = await answer.text();
    } catch {
      // No answer, or one that has broken off.
      this.complain(say("failed"));
      return;
    }
    if (number !== this.latest) return;
    const fresh = new DOMParser().parseFromString(html, "text/html").getElementById(this.root.id);
    if (!fresh) return;
    const focus = document.activeElement?.closest("[data-pick]")?.getAttribute("data-pick");
    const hex = this.hexField;
    const wanted = fresh.querySelector<HTMLInputElement>('input[name="hex"]')?.value ?? "";
    Idiomorph.morph(this.root, fresh, { morphStyle: "outerHTML", ignoreActiveValue: false });
    if (hex && hex.value === typed) hex.value = wanted;
    const shown = this.root.dataset["url"] ?? location.href;
    if (shown !== location.pathname + location.search) {
      if (changed) history.pushState(null, "", shown);
      else history.replaceState(null, "", shown);
    }
    this.prepare();
    if (focus) {
      this.root
        .querySelector<SVGElement>(`[data-pick="${CSS.escape(focus)}"]`)
        ?.focus({ preventScroll: true });
    }
  }

  private complain(sentence: string): void {
    const place = this.root.querySelector<HTMLElement>("#routes-error");
    if (!place) return;
    place.textContent = sentence;
    place.hidden = false;
    const hex = this.hexField;
    if (hex) hex.value = hex.defaultValue;
  }

  // ---- the map

  /** Hexes can be reached by keyboard: one of them by the tab key, the others from there by arrows. */
  private prepare(): void {
    this.view.show();
    const chosen = this.hexField?.value;
    const hexes = [...this.root.querySelectorAll<SVGElement>('[data-pick^="hex:"]')];
    const entry = hexes.find((one) => one.dataset["pick"] === `hex:${chosen}`) ?? hexes[0];
    for (const place of hexes) {
      place.setAttribute("role", "button");
      place.setAttribute("tabindex", place === entry ? "0" : "-1");
      place.setAttribute("aria-pressed", String(place.dataset["pick"] === `hex:${chosen}`));
      place.classList.add("can-pick");
    }
    for (const stop of this.root.querySelectorAll<SVGElement>('[data-pick^="stop:"]')) {
      stop.classList.add("can-pick");
    }
  }

  private click(event: Event): void {
    const place = closest<SVGElement>(event, PLACES);
    if (place) this.choose(this.hexOf(place));
  }

  private hexOf(place: SVGElement): string {
    return (place.dataset["pick"] ?? "").replace(/^(hex|stop):/, "").replace(/\/.*$/, "");
  }

  private key(event: KeyboardEvent): void {
    if (typing(event) || document.querySelector("dialog[open]")) return;
    const name = (["turnRight", "turnLeft", "remove"] as const).find((one) => pressed(event, one));
    const control = this.root.querySelector<HTMLButtonElement>(`button[data-press="${name}"]`);
    if (control) {
      event.preventDefault();
      void this.send(control.value);
      return;
    }
    const place = closest<SVGElement>(event, '[data-pick^="hex:"]');
    if (!place) return;
    if (pressed(event, "choose")) {
      event.preventDefault();
      this.choose(this.hexOf(place));
      return;
    }
    if (!pressed(event, "arrows")) return;
    const next = neighbour(place, this.root.querySelectorAll('[data-pick^="hex:"]'), event.key);
    if (next instanceof SVGElement) {
      event.preventDefault();
      place.setAttribute("tabindex", "-1");
      next.setAttribute("tabindex", "0");
      next.focus({ preventScroll: true });
      this.view.reveal(next);
    }
  }

  /** The run of the line under the pointer stands out on the map. */
  private point(event: Event): void {
    this.emphasize(closest(event, "[data-run]")?.dataset["run"] ?? null);
  }

  private emphasize(run: string | null): void {
    for (const line of this.root.querySelectorAll('.board-view [class^="run-"]')) {
      line.classList.toggle("faded", run !== null && !line.classList.contains(`run-${run}`));
    }
  }
}
