/** Panning and zooming the board. */

import { button, closest, typing } from "../dom";
import { pressed } from "../keys";
import { middle, type Point } from "./neighbour";

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** One of several drawings on one picture (`data-sheets`): its name and its sizes. */
interface Sheet {
  name: string;
  label: string;
  wide: [number, number];
  narrow: [number, number];
  /** How high its smallest lettering is, and what is to be read only from nearby. */
  letters?: number;
  near?: number;
  /** Whether it has lines, whose beginning says what they are about. */
  lines?: boolean;
}

/** Sheets lie so far apart that none is seen beside another. */
const FAR = 20_000;

/** Screens on which a drawing is arranged as it says in its `data-narrow`, if it does. */
const NARROW = matchMedia("(max-width: 640px)");
/** Screens on which the board has a zone of its own. */
const WIDE = matchMedia("(min-width: 1200px)");
const DRAWING = "#board-now > svg";
const MOST = 8;
/** Elements of this size on the screen are easily hit. */
const CLOSE = 40;
const STEP = 1.4;
/** Lettering is at least so high on the screen, if the page chooses what is seen. */
const READABLE = 10;
/** Nor does the page look much more closely than is needed for that. */
const CLOSER = 1.35;
/** Where it shows all that can be chosen only so, lettering on a map may be as small as this. */
const LEGIBLE = 3.8;
/** A pointer that moves less than this is a click. */
const SLACK = 6;

/**
 * The window through which a board is seen. It is kept in numbers relative to the whole drawing, so
 * that it survives a new drawing, and is shown by changing the drawing's `viewBox`.
 */
export class BoardView {
  private scale = 1;
  private centre: Point = { x: 0.5, y: 0.5 };
  private readonly pointers = new Map<number, Point>();
  private travelled = 0;
  private dragging = false;
  /** The sheet chosen by hand, until the game turns to another one. */
  private chosen: string | null = null;
  private proposed = "";
  private readonly windows = new Map<string, [number, Point]>();
  /** Sheets of which the reader has chosen what to see. */
  private readonly byHand = new Set<string>();
  /** What was seen before something was looked at closely. */
  private before: [number, Point] | null = null;
  /** The elements of the board that can be chosen. */
  choices: () => Iterable<Element> = () => [];
  /** Called whenever another part of the board is seen. */
  moved: () => void = () => undefined;
  /** Called whenever the parts of the drawing may stand elsewhere. */
  rearranged: () => void = () => undefined;

  constructor(private readonly root: HTMLElement) {
    root.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    root.addEventListener("pointerdown", (event) => this.down(event));
    root.addEventListener("pointermove", (event) => this.move(event));
    for (const name of ["pointerup", "pointercancel"] as const) {
      root.addEventListener(name, (event) => this.up(event));
    }
    // A drag that ends on an element of the board must not choose it.
    root.addEventListener("click", (event) => this.swallow(event), { capture: true });
    root.addEventListener("click", (event) => {
      const control = closest(event, "[data-zoom]");
      if (control) this.command(control.dataset["zoom"] ?? "");
    });
    document.addEventListener("keydown", (event) => this.key(event));
    addEventListener("resize", () => this.refit());
    // Safari says what fits the screen only after it has told that this was resized.
    for (const screen of [NARROW, WIDE]) {
      screen.addEventListener("change", () => {
        this.refit();
        this.rearranged();
      });
    }
  }

  private refit(): void {
    this.show();
    this.open();
  }

  /** Applies the window to the drawing. */
  show(): void {
    this.propose();
    this.renderSheets();
    const svg = this.drawing();
    const whole = svg && this.whole(svg);
    if (svg && whole) {
      // Measured before anything is changed, so that the page is laid out only once.
      const near = (this.shown(svg)?.near ?? 0) * this.fit(svg, whole) * this.scale >= READABLE;
      const width = whole.width / this.scale;
      const height = whole.height / this.scale;
      const x = whole.x + whole.width * this.centre.x - width / 2;
      const y = whole.y + whole.height * this.centre.y - height / 2;
      svg.setAttribute("viewBox", `${x} ${y} ${width} ${height}`);
      svg.classList.toggle("near", near);
    }
    for (const view of this.root.querySelectorAll<HTMLElement>(".board-view")) {
      view.classList.toggle("zoomed", this.scale > 1.01);
    }
    for (const control of this.root.querySelectorAll<HTMLButtonElement>("[data-zoom]")) {
      const name = control.dataset["zoom"];
      control.disabled = name === "in" ? this.scale >= MOST - 0.01 : this.scale <= 1.01;
    }
    this.moved();
  }

  // ---- sheets

  /** Follows the game to the sheet it is about now. */
  private propose(): void {
    const proposed = this.drawing()?.dataset["sheet"] ?? "";
    if (proposed === this.proposed) return;
    this.keep();
    this.proposed = proposed;
    this.chosen = null;
    this.recall();
  }

  private keep(): void {
    const name = this.current;
    if (name) this.windows.set(name, [this.scale, this.centre]);
  }

  private recall(): void {
    [this.scale, this.centre] = this.windows.get(this.current) ?? [1, { x: 0.5, y: 0.5 }];
    this.before = null;
  }

  private choose(name: string): void {
    this.keep();
    this.chosen = name;
    this.recall();
    this.show();
    this.open();
  }

  private sheet(svg: SVGSVGElement, all: readonly Sheet[]): number {
    for (const wanted of [this.chosen, svg.dataset["sheet"]]) {
      const found = all.findIndex((sheet) => sheet.name === wanted);
      if (found >= 0) return found;
    }
    return 0;
  }

  private renderSheets(): void {
    const place = this.root.querySelector<HTMLElement>("#sheets");
    const svg = this.drawing();
    if (!place || !svg) return;
    const all = sheets(svg);
    const current = all[this.sheet(svg, all)]?.name;
    const wanted = JSON.stringify([all.map((sheet) => sheet.label), current]);
    if (place.dataset["shown"] === wanted) return;
    place.dataset["shown"] = wanted;
    const held = place.contains(document.activeElement) ? document.activeElement : null;
    const name = held?.getAttribute("data-sheet-name");
    place.replaceChildren(
      ...all.map((sheet) =>
        button(sheet.label, () => this.choose(sheet.name), {
          "aria-pressed": String(sheet.name === current),
          "data-sheet-name": sheet.name,
        }),
      ),
    );
    if (name) place.querySelector<HTMLElement>(`[data-sheet-name="${CSS.escape(name)}"]`)?.focus();
  }

  /** Brings the sheet that has an element into view. */
  turnTo(element: Element): void {
    const part = element.closest<SVGElement>("[data-part]")?.dataset["part"];
    const svg = this.drawing();
    if (!part || !svg) return;
    const all = sheets(svg);
    if (all[this.sheet(svg, all)]?.name !== part) this.choose(part);
  }

  /** Turns to the sheet that has some keys on it, and looks closely at the last of them. */
  find(keys: readonly string[]): void {
    const svg = this.drawing();
    if (!svg) return;
    const found = keys.flatMap((key) => [...svg.querySelectorAll(`[data-pick="${CSS.escape(key)}"]`)]);
    const last = found.at(-1);
    if (!last) return;
    this.turnTo(last);
    this.approach(last);
  }

  /**
   * Looks at what can be chosen, so closely that it can be read, if the whole sheet is too small for
   * that; unless the reader has chosen what to see.
   */
  open(): void {
    const svg = this.drawing();
    const whole = svg && this.whole(svg);
    if (!svg || !whole || this.before || this.byHand.has(this.current)) return;
    const needed = READABLE / ((this.shown(svg)?.letters ?? READABLE) * this.fit(svg, whole));
    // With room for the whole board, nothing that can be chosen now or next is left out.
    // A drawing that is arranged for narrow screens is as high as it needs to be, and readable.
    const closer = needed > 1 && !WIDE.matches && !svg.closest(".board-view.tall");
    const box = closer ? this.around(svg, this.choices()) : null;
    const [scale, centre] = this.window(svg, whole, box, needed);
    if (scale === this.scale && centre.x === this.centre.x && centre.y === this.centre.y) return;
    this.scale = scale;
    this.centre = centre;
    this.clamp();
    this.show();
  }

  /** The window on a box within the whole drawing. */
  private window(svg: SVGSVGElement, whole: Box, box: Box | null, needed: number): [number, Point] {
    if (!box) return [1, { x: 0.5, y: 0.5 }];
    const lines = this.shown(svg)?.lines ?? false;
    const wide = lines ? box.x + box.width : box.width;
    const fitting = 0.9 / Math.max(wide, box.height);
    // What can be read across the whole width is not cut at its sides.
    const full = svg.clientWidth / (whole.width * this.fit(svg, whole));
    const most = needed <= full ? full : MOST;
    // Nothing that can be chosen is out of sight, if it can still be made out then.
    const all = Math.max(1, fitting);
    const least = lines || all < (needed * LEGIBLE) / READABLE ? needed : Math.min(needed, all);
    const scale = Math.min(most, Math.max(least, Math.min(fitting, needed * CLOSER)));
    // More than the window is seen where the drawing does not fill its place.
    const { clientWidth, clientHeight } = svg;
    const fit = this.fit(svg, whole) * scale;
    const [across, down] = [clientWidth / (whole.width * fit), clientHeight / (whole.height * fit)];
    // What does not fit is seen from the top and in the middle, lines from their beginning, and what fits as a whole is
    // not cut.
    const x = across >= 1 ? 0.5 : lines ? Math.min(wide, across) / 2 : box.x + wide / 2;
    const top = box.y + (box.height > down ? down / 2 - 0.02 : box.height / 2);
    return [scale, { x, y: down >= 1 ? 0.5 : top }];
  }

  /** The box around elements of the sheet that is seen, relative to the whole drawing. */
  private around(svg: SVGSVGElement, elements: Iterable<Element>): Box | null {
    let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
    for (const element of elements) {
      const part = element.closest<SVGElement>("[data-part]")?.dataset["part"];
      if (part !== undefined && part !== this.shown(svg)?.name) continue;
      const { x, y, width, height } = element.getBoundingClientRect();
      const [one, other] = [this.relative(svg, { x, y }), this.relative(svg, { x: x + width, y: y + height })];
      [left, top] = [Math.min(left, one.x), Math.min(top, one.y)];
      [right, bottom] = [Math.max(right, other.x), Math.max(bottom, other.y)];
    }
    return left < right ? { x: left, y: top, width: right - left, height: bottom - top } : null;
  }

  /** How large a unit of the drawing is on the screen when the whole is seen. */
  private fit(svg: SVGSVGElement, whole: Box): number {
    return Math.min(svg.clientWidth / whole.width, svg.clientHeight / whole.height);
  }

  private get current(): string {
    return this.chosen ?? this.proposed;
  }

  private shown(svg: SVGSVGElement): Sheet | undefined {
    const all = sheets(svg);
    return all[this.sheet(svg, all)];
  }

  /** Looks at an element and its neighbours so closely that it can be hit with a finger; so much of the
   * height of the board is covered below. */
  approach(element: Element, covered = 0): void {
    const svg = this.drawing();
    const size = element.getBoundingClientRect().width;
    if (!svg || !size || (size >= CLOSE && !covered)) return;
    this.before ??= [this.scale, this.centre];
    const whole = this.whole(svg);
    this.centre = this.relative(svg, middle(element));
    this.scale = Math.min(MOST, Math.max(this.scale, (this.scale * CLOSE * 1.4) / size));
    if (covered && whole) this.centre.y += covered / 2 / (whole.height * this.fit(svg, whole) * this.scale);
    this.clamp(covered > 0);
    this.show();
  }

  /** Goes back to what was seen before `approach`. */
  withdraw(): void {
    if (!this.before) return;
    [this.scale, this.centre] = this.before;
    this.before = null;
    this.show();
  }

  /** Makes what the page is to become as the page is now: what is not changed need not be drawn again. */
  prepare(fresh: HTMLElement): void {
    const svg = fresh.querySelector<SVGSVGElement>(DRAWING);
    if (!svg) return;
    this.arrange(svg);
    svg.classList.toggle("near", this.drawing()?.classList.contains("near") ?? false);
  }

  /** Puts the parts of a drawing where they belong on a screen as wide as this one. */
  private arrange(svg: SVGSVGElement): void {
    const { narrow, wide } = svg.dataset;
    const all = sheets(svg);
    const current = this.sheet(svg, all);
    const shown = all[current];
    if (shown) {
      const [width, height] = NARROW.matches ? shown.narrow : shown.wide;
      svg.dataset["whole"] = `${current * FAR} 0 ${width} ${height}`;
      for (const part of svg.querySelectorAll<SVGElement>("[data-part]")) {
        const place = all.findIndex((sheet) => sheet.name === part.dataset["part"]);
        put(part, `translate(${place * FAR} 0)`);
      }
    } else if (narrow && wide) {
      svg.dataset["whole"] = NARROW.matches ? narrow : wide;
    } else {
      return;
    }
    for (const part of svg.querySelectorAll<SVGElement>("[data-narrow]")) {
      part.dataset["wide"] ??= part.getAttribute("transform") ?? "";
      const where = NARROW.matches ? part.dataset["narrow"] : part.dataset["wide"];
      put(part, where ?? "");
    }
    if (!shown) svg.closest(".board-view")?.classList.toggle("tall", NARROW.matches);
  }

  /** The size of the whole drawing, remembered on the element when it is first seen. */
  private whole(svg: SVGSVGElement): Box | null {
    this.arrange(svg);
    const text = svg.dataset["whole"] ?? svg.getAttribute("viewBox");
    if (!text) return null;
    svg.dataset["whole"] = text;
    const [x = 0, y = 0, width = 1, height = 1] = text.split(/[\s,]+/).map(Number);
    return { x, y, width, height };
  }

  private drawing(): SVGSVGElement | null {
    return this.root.querySelector<SVGSVGElement>(DRAWING);
  }

  /** A point of the screen relative to the whole drawing. */
  private relative(svg: SVGSVGElement, at: Point): Point {
    const matrix = svg.getScreenCTM();
    const whole = this.whole(svg);
    if (!matrix || !whole) return this.centre;
    const point = new DOMPoint(at.x, at.y).matrixTransform(matrix.inverse());
    return { x: (point.x - whole.x) / whole.width, y: (point.y - whole.y) / whole.height };
  }

  /** Zooms so that what is under `at` stays there. */
  private zoom(factor: number, at?: Point): void {
    const svg = this.drawing();
    const scale = Math.min(MOST, Math.max(1, this.scale * factor));
    if (svg && at) {
      const under = this.relative(svg, at);
      const part = this.scale / scale;
      this.centre = {
        x: under.x + (this.centre.x - under.x) * part,
        y: under.y + (this.centre.y - under.y) * part,
      };
    }
    this.scale = scale;
    this.clamp();
    this.show();
  }

  private clamp(beyond = false): void {
    const half = 0.5 / this.scale;
    const within = (value: number, more: number): number => Math.min(1 + more - half, Math.max(half, value));
    this.centre = { x: within(this.centre.x, 0), y: within(this.centre.y, beyond ? half : 0) };
  }

  private pan(x: number, y: number): void {
    this.centre = { x: this.centre.x + x, y: this.centre.y + y };
    this.clamp();
    this.show();
  }

  private command(name: string): void {
    this.byHand.add(this.current);
    if (name === "in") this.zoom(STEP);
    else if (name === "out") this.zoom(1 / STEP);
    else this.zoom(0);
  }

  private wheel(event: WheelEvent): void {
    if (!closest(event, ".board-view")) return;
    // At full size, turning the wheel further out scrolls the page.
    if (this.scale === 1 && event.deltaY > 0) return;
    event.preventDefault();
    this.byHand.add(this.current);
    const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 20 : 1;
    this.zoom(Math.exp(-event.deltaY * unit * 0.0015), { x: event.clientX, y: event.clientY });
  }

  private down(event: PointerEvent): void {
    if (!closest(event, ".board-view") || closest(event, "button")) return;
    if (event.pointerType === "mouse" && event.button !== 0) return;
    this.pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (this.pointers.size === 1) {
      this.travelled = 0;
      this.dragging = false;
    }
  }

  private move(event: PointerEvent): void {
    // A button may have been let go where nothing is heard of it.
    if (event.pointerType === "mouse" && !event.buttons) this.up(event);
    const before = this.pointers.get(event.pointerId);
    const svg = this.drawing();
    if (!before || !svg) return;
    const now = { x: event.clientX, y: event.clientY };
    const others = [...this.pointers].filter(([id]) => id !== event.pointerId);
    this.pointers.set(event.pointerId, now);
    this.travelled += Math.hypot(now.x - before.x, now.y - before.y);
    if (this.travelled > SLACK && !this.dragging) {
      this.dragging = true;
      closest(event, ".board-view")?.setPointerCapture(event.pointerId);
    }
    if (!this.dragging) return;
    this.byHand.add(this.current);
    const from = this.relative(svg, before);
    const to = this.relative(svg, now);
    const other = others[0]?.[1];
    if (other) {
      const was = Math.hypot(before.x - other.x, before.y - other.y);
      const is = Math.hypot(now.x - other.x, now.y - other.y);
      const middle = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 };
      this.pan((from.x - to.x) / 2, (from.y - to.y) / 2);
      if (was > 0) this.zoom(is / was, middle);
    } else if (this.scale > 1) {
      this.pan(from.x - to.x, from.y - to.y);
    }
  }

  private up(event: PointerEvent): void {
    this.pointers.delete(event.pointerId);
    if (this.pointers.size === 0 && this.dragging) {
      // The click that belongs to this drag comes at once, if it comes.
      setTimeout(() => {
        this.dragging = false;
      }, 0);
    }
  }

  private swallow(event: MouseEvent): void {
    if (this.dragging && closest(event, ".board-view") && event.detail > 0) {
      event.stopPropagation();
      event.preventDefault();
    }
  }

  private key(event: KeyboardEvent): void {
    if (typing(event) || document.querySelector("dialog[open]") || !this.drawing()) return;
    if (pressed(event, "zoomIn")) this.command("in");
    else if (pressed(event, "zoomOut")) this.command("out");
    else if (pressed(event, "zoomAll")) this.command("all");
    else return;
    event.preventDefault();
  }

  /** Brings an element into the window, for keyboard users. */
  reveal(element: Element): void {
    const svg = this.drawing();
    const view = svg?.closest(".board-view");
    if (!svg || !view || this.scale <= 1.01) return;
    const frame = view.getBoundingClientRect();
    const box = element.getBoundingClientRect();
    const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    const margin = 40;
    const inside =
      middle.x > frame.left + margin &&
      middle.x < frame.right - margin &&
      middle.y > frame.top + margin &&
      middle.y < frame.bottom - margin;
    if (inside) return;
    this.centre = this.relative(svg, middle);
    this.clamp();
    this.show();
  }
}

function sheets(svg: SVGSVGElement): readonly Sheet[] {
  const text = svg.dataset["sheets"];
  return text ? (JSON.parse(text) as Sheet[]) : [];
}

/** Moves a part of a drawing, unless it is there. */
function put(part: SVGElement, where: string): void {
  if (part.getAttribute("transform") !== where) part.setAttribute("transform", where);
}
