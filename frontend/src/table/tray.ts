/**
 * Choosing a piece at the place where it will lie: the pieces that fit appear beside the place, the
 * one chosen lies on it at once and can be turned before it is sent.
 *
 * Works for every choice whose keys go on with a piece of the title and then with "turn:N".
 */

import { button, closest, covered, make, typing } from "../dom";
import { KEYS, pressed } from "../keys";
import { say } from "../words";
import type { BoardView } from "./board";
import type { Choice, Stop } from "./choices";
import { cap, number } from "./keycaps";
import { frame } from "./marks";
import { successors } from "./successors";

const SVG = "http://www.w3.org/2000/svg";
/** A piece is drawn around the origin. */
const PIECE = [-48, -48, 96, 96];
/** How far from the place and its neighbours the tray stands. */
const AWAY = 6;
/** Where the neighbours of a place end, as parts of its width and height from its middle. */
const RING: readonly [number, number] = [1.5, 1.25];
/** Screens on which the tray is a strip below the board. */
const STRIP = matchMedia("(max-width: 640px)");
const TOUCH = matchMedia("(pointer: coarse)");

interface Hooks {
  send: (choice: Choice) => void;
  cancel: () => void;
  /** Fills a place with what a choice would bring. */
  foresee: (place: HTMLElement, choice: Choice) => void;
}

export class Tray {
  private drawn: Document | null = null;
  private asking = false;
  private stop: Stop | null = null;
  private place: Element | null = null;
  private key = "";
  private turn = "";

  constructor(
    private readonly live: HTMLElement,
    private readonly view: BoardView,
    private readonly hooks: Hooks,
  ) {
    // Before the keys that leaf through the history.
    document.addEventListener("keydown", (event) => this.keyDown(event), { capture: true });
    document.addEventListener("scroll", () => this.settle(), { passive: true });
    const below = live.querySelector(".console");
    if (below) new ResizeObserver(() => this.settle()).observe(below);
    this.fetch();
  }

  get focused(): boolean {
    return this.element?.contains(document.activeElement) ?? false;
  }

  get open(): boolean {
    return this.stop !== null;
  }

  /** Whether the place is no longer on the board. */
  get lost(): boolean {
    return this.place !== null && !this.place.isConnected;
  }

  private get element(): HTMLElement | null {
    return this.live.querySelector<HTMLElement>("#tray");
  }

  /** How much of the board is hidden behind what stands at the bottom of a small screen. */
  private get hidden(): number {
    const board = this.element?.closest(".board-view")?.getBoundingClientRect();
    const below = this.live.querySelector(".console")?.getBoundingClientRect();
    return board && below ? Math.max(0, board.bottom - below.top) : 0;
  }

  /** Whether the ways on from here are pieces to be turned. */
  fits(stop: Stop): boolean {
    const keys = [...stop.next];
    // Without pictures, the pieces are offered as buttons, this time.
    if (!this.drawn) this.fetch();
    return (
      this.drawn !== null &&
      keys.length > 0 &&
      keys.every(([key, next]) => this.piece(key) && [...next.next.keys()].every((way) => way.startsWith("turn:")))
    );
  }

  /** Opens beside an element of the board, or goes on there. */
  show(stop: Stop, place: Element): void {
    const fresh = this.place?.getAttribute("data-pick") !== place.getAttribute("data-pick");
    this.stop = stop;
    this.place = place;
    const only = stop.next.size === 1 ? ([...stop.next.keys()][0] ?? "") : "";
    if (fresh || !stop.next.has(this.key)) this.key = only;
    if (!this.turns().includes(this.turn)) this.turn = this.turns()[0] ?? "";
    this.render(fresh);
    const covered = STRIP.matches ? (this.element?.offsetHeight ?? 0) + this.hidden : 0;
    if (fresh && (covered || TOUCH.matches)) this.view.approach(place, covered);
  }

  hide(): void {
    if (!this.stop) return;
    this.stop = null;
    this.place = null;
    this.key = "";
    this.turn = "";
    this.preview();
    const tray = this.element;
    if (tray) {
      tray.hidden = true;
      tray.replaceChildren();
    }
    this.view.withdraw();
  }

  /** Turns the chosen piece by one of its positions. */
  rotate(step: number): void {
    const all = this.turns();
    if (!all.length) return;
    this.turn = all[(all.indexOf(this.turn) + step + all.length) % all.length] ?? "";
    this.render(false);
  }

  get holding(): boolean {
    return this.key !== "";
  }

  /**
   * Stands beside the neighbours of the place, which matter for the rotation: where there is room for it,
   * as near as can be; else where it covers the least of them. On a small screen it is a strip below.
   */
  settle(): void {
    const tray = this.element;
    if (!tray || !this.place || tray.hidden) return;
    const frame = tray.closest(".board-view")?.getBoundingClientRect();
    if (!frame) return;
    tray.classList.toggle("strip", STRIP.matches);
    if (STRIP.matches) {
      tray.style.removeProperty("left");
      tray.style.removeProperty("top");
      tray.style.bottom = `${this.hidden}px`;
      return;
    }
    tray.style.removeProperty("bottom");
    const spot = this.place.getBoundingClientRect();
    const [width, height] = [tray.offsetWidth, tray.offsetHeight];
    const x = spot.left - frame.left + spot.width / 2;
    const y = spot.top - frame.top + spot.height / 2;
    const [dx, dy] = [spot.width * RING[0], spot.height * RING[1]];
    const within = (value: number, size: number, most: number): number =>
      Math.max(4, Math.min(most - size - 4, value));
    const level = within(y - height / 2, height, frame.height);
    const centred = within(x - width / 2, width, frame.width);
    const corners = [
      [x + dx + AWAY, level],
      [x - dx - AWAY - width, level],
      [centred, y + dy + AWAY],
      [centred, y - dy - AWAY - height],
    ].map(([left = 0, top = 0]): [number, number] => [
      within(left, width, frame.width),
      within(top, height, frame.height),
    ]);
    const covered = ([left, top]: [number, number]): number =>
      Math.max(0, Math.min(left + width, x + dx) - Math.max(left, x - dx)) *
      Math.max(0, Math.min(top + height, y + dy) - Math.max(top, y - dy));
    const [best] = corners.toSorted((one, other) => covered(one) - covered(other));
    if (!best) return;
    tray.style.left = `${best[0]}px`;
    tray.style.top = `${best[1]}px`;
  }

  // ---- the pieces

  private fetch(): void {
    const url = this.live.dataset["pieces"] ?? "";
    if (!url || this.asking) return;
    this.asking = true;
    void fetch(url)
      .then(async (response) => {
        if (!response.ok) throw new Error(`status ${response.status}`);
        this.drawn = new DOMParser().parseFromString(await response.text(), "image/svg+xml");
      })
      .catch(() => {
        this.asking = false;
      });
  }

  private piece(key: string): Element | null {
    return this.drawn?.querySelector(`[data-piece="${CSS.escape(key)}"]`) ?? null;
  }

  /** A drawing of a piece, turned clockwise by sixths; its lettering stays upright. */
  private turned(key: string, turn: string): SVGGElement | null {
    const found = this.piece(key);
    if (!found) return null;
    const copy = document.importNode(found, true) as unknown as SVGGElement;
    copy.removeAttribute("id");
    const angle = 60 * Number(turn.slice("turn:".length) || 0);
    copy.setAttribute("transform", `rotate(${angle})`);
    for (const text of copy.querySelectorAll("text")) {
      const [x, y] = [Number(text.getAttribute("x")), Number(text.getAttribute("y"))];
      const size = Number(text.getAttribute("font-size")) * 0.35;
      text.setAttribute("transform", `rotate(${-angle} ${x} ${y - size})`);
    }
    return copy;
  }

  private turns(key = this.key): string[] {
    return [...(this.stop?.next.get(key)?.next.keys() ?? [])];
  }

  /** Everything that can be sent with the piece as it lies. */
  private choices(): Choice[] {
    const found: Choice[] = [];
    const collect = (stop: Stop | undefined): void => {
      if (!stop) return;
      found.push(...stop.here);
      for (const next of stop.next.values()) collect(next);
    };
    collect(this.stop?.next.get(this.key)?.next.get(this.turn));
    return found;
  }

  // ---- showing

  private render(fresh: boolean): void {
    const tray = this.element;
    if (!tray || !this.stop) return;
    const focus = tray.contains(document.activeElement) ? document.activeElement : null;
    const name = focus?.getAttribute("data-name");
    tray.hidden = false;
    const pieces = [...this.stop.next.keys()].map((key) => this.button(key));
    number(pieces);
    tray.replaceChildren(make("div", { class: "tray-pieces" }, ...pieces), ...this.controls());
    this.preview();
    this.settle();
    const wanted = name
      ? tray.querySelector<HTMLElement>(`[data-name="${CSS.escape(name)}"]`)
      : null;
    if (wanted) wanted.focus({ preventScroll: true });
    else if (fresh || focus) pieces[0]?.focus({ preventScroll: true });
  }

  private button(key: string): HTMLButtonElement {
    const chosen = key === this.key;
    const turn = chosen ? this.turn : (this.turns(key)[0] ?? "");
    const label = key.slice(key.indexOf(":") + 1);
    const stock = this.live.querySelector(`#panel-holdings [data-key="${CSS.escape(key)}"] small`)?.textContent ?? "";
    const cost = this.stop?.next.get(key)?.first?.cost ?? "";
    const control = button("", () => this.take(key), {
      class: "piece",
      "aria-pressed": String(chosen),
      "aria-label": [label, cost, stock].filter(Boolean).join(", "),
      "data-name": key,
    });
    const board = this.live.querySelector<SVGSVGElement>("#board-now > svg");
    const drawn = this.turned(key, turn);
    if (board && drawn) {
      const picture = frame(board, PIECE);
      picture.append(drawn);
      control.append(picture);
    }
    control.append(make("span", {}, label), make("small", {}, stock));
    if (cost) control.append(make("small", { class: "cost" }, cost));
    return control;
  }

  private take(key: string): void {
    if (key === this.key) {
      this.rotate(1);
      return;
    }
    this.key = key;
    if (!this.turns().includes(this.turn)) this.turn = this.turns()[0] ?? "";
    this.render(false);
  }

  private controls(): Node[] {
    const cancel = button("✕", () => this.hooks.cancel(), {
      class: "icon",
      "data-name": "cancel",
      "aria-label": say("cancel"),
      title: say("cancel"),
    });
    if (!this.key) {
      return [make("div", { class: "tray-controls" }, make("p", {}, say(TOUCH.matches ? "pickPieceByTouch" : "pickPiece")), cancel)];
    }
    const all = this.turns();
    const nodes: Node[] = [];
    if (all.length > 1) {
      for (const [sign, step, label] of [
        ["⟲", -1, say(TOUCH.matches ? "turnLeftByTouch" : "turnLeft")],
        ["⟳", 1, say(TOUCH.matches ? "turnRightByTouch" : "turnRight")],
      ] as const) {
        const turn = button(sign, () => this.rotate(step), {
          class: "icon",
          "data-name": `turn ${step}`,
          "aria-label": label,
          title: label,
        });
        cap(turn, (step < 0 ? KEYS.tiles.turnLeft : KEYS.tiles.turnRight)[0]);
        nodes.push(turn);
      }
    }
    const choices = this.choices();
    const [only] = choices;
    const send = choices.map((choice) =>
      button(choice === only && choices.length === 1 ? `✓ ${say("lay")}` : choice.label, () => this.hooks.send(choice), {
        class: choice === only ? "main" : "",
        "data-name": choice === only ? "confirm" : choice.label,
      }),
    );
    if (send[0]) cap(send[0], KEYS.tiles.lay[0]);
    const text = make("p", { class: "what", role: "status" }, choices.length === 1 && only ? only.label : "");
    const brings = make("div", { class: "brings", "aria-live": "polite" });
    if (only) this.hooks.foresee(brings, only);
    return [text, brings, make("div", { class: "tray-controls" }, ...nodes, ...send, cancel)];
  }

  /** The chosen piece lies on its place. */
  private preview(): void {
    const svg = this.live.querySelector<SVGSVGElement>("#board-now > svg");
    if (!svg) return;
    svg.querySelector('g[data-layer="preview"]')?.remove();
    const drawn = this.key ? this.turned(this.key, this.turn) : null;
    const matrix = svg.getScreenCTM();
    if (!drawn || !matrix || !(this.place instanceof SVGGraphicsElement)) return;
    const shape = this.place.querySelector<SVGGraphicsElement>("polygon, circle, rect") ?? this.place;
    const box = shape.getBBox();
    const own = shape.getScreenCTM();
    if (!own) return;
    const at = new DOMPoint(box.x + box.width / 2, box.y + box.height / 2)
      .matrixTransform(own)
      .matrixTransform(matrix.inverse());
    const group = document.createElementNS(SVG, "g");
    group.setAttribute("class", "signs preview");
    group.dataset["layer"] = "preview";
    group.setAttribute("aria-hidden", "true");
    group.setAttribute("transform", `translate(${at.x} ${at.y})`);
    group.append(drawn, ...this.markers(svg, drawn));
    svg.append(group);
  }

  /** The markers that lie on the place, where they will lie on the chosen piece. */
  private markers(svg: SVGSVGElement, drawn: SVGGElement): SVGElement[] {
    const place = (this.place?.getAttribute("data-pick") ?? "").replace(/^\w+:/, "");
    const old = [...svg.querySelectorAll<SVGGElement>(`g.stop[data-pick^="stop:${CSS.escape(place)}/"]`)];
    const fresh = [...drawn.querySelectorAll<SVGGElement>("g.stop")];
    const turn = Number(this.turn.slice("turn:".length) || 0);
    const becomes = successors(old.map((one) => edges(one, 0)), fresh.map((one) => edges(one, turn)));
    const angle = (Math.PI / 3) * turn;
    const taken = fresh.map(() => 0);
    const found: SVGElement[] = [];
    for (const [index, stop] of old.entries()) {
      const number = becomes[index] ?? -1;
      const spaces = fresh[number]?.querySelectorAll("circle.city") ?? [];
      let from: Element | null = null;
      for (const part of stop.querySelectorAll<SVGElement>("circle.city, .marker, .marker-text, .reserved")) {
        if (part.matches(".city")) {
          from = part;
          continue;
        }
        if (part.matches(".marker, .reserved")) taken[number] = (taken[number] ?? 0) + 1;
        const to = spaces[(taken[number] ?? 1) - 1];
        if (!from || !to) continue;
        const [x, y] = [Number(to.getAttribute("cx")), Number(to.getAttribute("cy"))];
        const right = x * Math.cos(angle) - y * Math.sin(angle) - Number(from.getAttribute("cx"));
        const down = x * Math.sin(angle) + y * Math.cos(angle) - Number(from.getAttribute("cy"));
        const copy = part.cloneNode(true) as SVGElement;
        copy.setAttribute("transform", `translate(${right} ${down})`);
        found.push(copy);
      }
    }
    return found;
  }

  private keyDown(event: KeyboardEvent): void {
    if (!this.stop || typing(event)) return;
    if (covered()) return;
    // What has other keys of its own keeps them.
    const mine = event.target === document.body || closest(event, "#tray") || closest<Element>(event, "[data-pick]") === this.place;
    const right = pressed(event, "turnRight") || (mine && pressed(event, "trayRight"));
    const left = pressed(event, "turnLeft") || (mine && pressed(event, "trayLeft"));
    const step = right ? 1 : left ? -1 : 0;
    const other = closest(event, 'button:not([aria-pressed="true"])');
    if (step && this.key) {
      this.rotate(step);
    } else if (mine && !other && pressed(event, "lay") && this.key) {
      const [first] = this.choices();
      if (first) this.hooks.send(first);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }
}

/** The edges of a hex to which the track of a stop leads, when turned by sixths. */
function edges(stop: Element, turn: number): number[] {
  return [...(stop.getAttribute("data-edges") ?? "")].map((edge) => (Number(edge) + turn) % 6);
}
