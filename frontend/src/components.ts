/** The page that corrects component data: every change is sent at once, the answer takes the page's place. */

import { Idiomorph } from "idiomorph";

import { button, closest, fieldsOf, make, PART, remember, remembered } from "./dom";
import { BoardView } from "./table/board";
import { say } from "./words";

/** Changes that follow each other so quickly, in milliseconds, are sent together. */
const PAUSE = 300;

export function startComponents(root: HTMLElement): void {
  new ComponentsPage(root);
}

class ComponentsPage {
  private readonly view: BoardView | null;
  private readonly key: string;
  /** The latest request: answers to earlier ones come too late. */
  private latest = 0;
  /** The timer of a change that has not been sent yet; an answer to earlier ones would undo it. */
  private waiting = 0;
  /** The field for a place on the map that was last in use. */
  private place: HTMLInputElement | null = null;
  /** The component that was last looked for. */
  private chosen = "";

  constructor(private readonly root: HTMLElement) {
    this.key = `components-${root.dataset["components"] ?? ""}`;
    this.view = root.querySelector("#board-now") ? new BoardView(root) : null;
    root.addEventListener("submit", (event) => this.submit(event));
    root.addEventListener("change", (event) => this.change(event));
    root.addEventListener("focusin", (event) => {
      const field = closest<HTMLInputElement>(event, "input");
      if (field) this.place = field.matches("[data-place]") ? field : null;
    });
    root.addEventListener("click", (event) => this.click(event));
    this.prepare();
    // What a table uses is looked at, not one's own.
    if (location.search) return;
    const kept = remembered(this.key);
    if (this.draft?.value) remember(this.key, this.draft.value);
    else if (kept) void this.send(new URLSearchParams({ draft: kept }));
  }

  private get form(): HTMLFormElement | null {
    return this.root.querySelector<HTMLFormElement>("#components-form");
  }

  private get draft(): HTMLTextAreaElement | null {
    return this.root.querySelector<HTMLTextAreaElement>("[data-draft]");
  }

  private submit(event: SubmitEvent): void {
    const pressed = event.submitter;
    if (event.target !== this.form || !this.form) return;
    const wanted = pressed instanceof HTMLButtonElement ? pressed.value : "";
    // A file and a new table come as answers of their own.
    if (wanted === "download" || wanted === "use") return;
    event.preventDefault();
    void this.send(fieldsOf(this.form, pressed));
  }

  private change(event: Event): void {
    const input = event.target;
    if (input instanceof HTMLInputElement && input.type === "file" && input.form) {
      void this.send(new FormData(input.form));
      input.value = "";
    } else this.sendSoon();
  }

  private sendSoon(): void {
    clearTimeout(this.waiting);
    this.waiting = window.setTimeout(() => {
      this.waiting = 0;
      if (this.form) void this.send(fieldsOf(this.form));
    }, PAUSE);
  }

  private async send(fields: URLSearchParams | FormData): Promise<void> {
    clearTimeout(this.waiting);
    this.waiting = 0;
    const number = ++this.latest;
    const answer = await fetch(this.form?.action ?? "", {
      method: "POST",
      body: fields,
      headers: { Accept: "text/html", ...PART },
    }).catch(() => null);
    const html = answer?.ok ? await answer.text().catch(() => null) : null;
    if (number !== this.latest || this.waiting) return;
    if (html === null) {
      const said = (await answer?.json().catch(() => null)) as { error?: string } | null;
      this.complain(said?.error ?? say("failed"));
      return;
    }
    const fresh = new DOMParser().parseFromString(html, "text/html").getElementById(this.root.id);
    if (!fresh) return;
    Idiomorph.morph(this.root, fresh, {
      morphStyle: "outerHTML",
      ignoreActiveValue: true,
      callbacks: { beforeAttributeUpdated: (name: string) => name !== "open" },
    });
    if (this.draft) remember(this.key, this.draft.value || null);
    this.prepare();
  }

  private complain(sentence: string): void {
    const place = this.root.querySelector<HTMLElement>("#components-error");
    if (!place) return;
    place.textContent = sentence;
    place.hidden = false;
  }

  // ---- the map

  private prepare(): void {
    this.view?.show();
    this.mark();
    for (const place of this.root.querySelectorAll("[data-hex].place, [data-pick^='hex:']")) {
      place.classList.add("can-pick");
    }
    for (const grid of this.root.querySelectorAll<HTMLTextAreaElement>("textarea[data-letters]")) this.squares(grid);
  }

  private click(event: Event): void {
    const link = closest<HTMLAnchorElement>(event, "a[href^='#']");
    if (link) {
      event.preventDefault();
      this.go(document.getElementById(decodeURIComponent(link.hash.slice(1))));
      return;
    }
    const place = closest<SVGElement>(event, "#board-now [data-hex], #board-now [data-pick]");
    if (!place) return;
    const hex = place.dataset["hex"] ?? (place.dataset["pick"] ?? "").replace(/^\w+:/, "").replace(/\/.*$/, "");
    const card = this.root.querySelector<HTMLElement>(`.component[data-hex="${CSS.escape(hex)}"]`);
    if (card) this.go(card);
    else if (this.place?.isConnected) {
      this.place.value = hex;
      this.place.focus({ preventScroll: true });
      this.sendSoon();
    }
  }

  /** Shows a component, and puts the cursor into its first field. */
  private go(card: HTMLElement | null): void {
    if (!card) return;
    const others = card.closest("details");
    if (others) others.open = true;
    card.scrollIntoView({ block: "center" });
    card.querySelector<HTMLElement>("input:not([type=hidden]), select, textarea")?.focus({ preventScroll: true });
    this.chosen = card.id;
    this.mark();
  }

  private mark(): void {
    for (const one of this.root.querySelectorAll(".component")) one.classList.toggle("chosen", one.id === this.chosen);
  }

  // ---- squares of a tile

  /** Buttons instead of letters: each click gives a square its next letter. */
  private squares(field: HTMLTextAreaElement): void {
    const letters = field.dataset["letters"] ?? "";
    const rows = field.value.split("\n");
    const grid = make("div", { class: "squares", role: "group" });
    rows.forEach((row, down) => {
      const line = make("div", {});
      [...row].forEach((letter, right) => {
        const square = button(letter, () => {
          const now = field.value.split("\n").map((one) => [...one]);
          const cells = now[down];
          if (!cells) return;
          cells[right] = letters[(letters.indexOf(cells[right] ?? "") + 1) % letters.length] ?? "";
          field.value = now.map((one) => one.join("")).join("\n");
          square.textContent = cells[right] ?? "";
          square.dataset["letter"] = cells[right] ?? "";
          this.sendSoon();
        });
        square.dataset["letter"] = letter;
        square.setAttribute("aria-label", `${String.fromCharCode(97 + right)}${String(down + 1)} ${letter}`);
        line.append(square);
      });
      grid.append(line);
    });
    const place = field.closest(".entry");
    place?.querySelector(".squares")?.remove();
    place?.append(grid);
  }
}
