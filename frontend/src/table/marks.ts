/**
 * Marks on the board: drawn above it (but below what is `data-above`) as outlines of the elements
 * themselves, so that every game's drawing is marked in the same way, and told apart by their shape,
 * not only by colour.
 */

export type Mark = "can" | "faint" | "target" | "picked" | "point" | "hint";

const SVG = "http://www.w3.org/2000/svg";
const SHAPES = "path, polygon, polyline, circle, ellipse, rect";

/** All elements with a key, within the drawing of the present. */
export function elements(root: ParentNode, key: string, attribute = "data-pick"): Element[] {
  return [...root.querySelectorAll(`[${attribute}="${CSS.escape(key)}"]`)];
}

/** Replaces the marks of one layer; layers are independent of each other. */
export function mark(svg: SVGSVGElement, layer: string, marks: Iterable<[Element, Mark]>): void {
  const drawn: Element[] = [];
  for (const [element, kind] of marks) {
    if (element instanceof SVGGraphicsElement && svg.contains(element)) {
      drawn.push(...outline(svg, element, kind));
    }
  }
  draw(svg, layer, drawn, svg.querySelector(":scope > [data-above]"));
}

/** Replaces what is drawn in a layer, which lies above the board, or below something of it. */
export function draw(svg: SVGSVGElement, layer: string, drawn: Element[], above: Element | null = null): void {
  let group = svg.querySelector<SVGGElement>(`:scope > g[data-layer="${layer}"]`);
  if (!group) {
    if (!drawn.length) return;
    group = document.createElementNS(SVG, "g");
    group.dataset["layer"] = layer;
    group.setAttribute("aria-hidden", "true");
    group.classList.add("signs");
    svg.insertBefore(group, above);
  }
  group.replaceChildren(...drawn);
}

/** Lines that lead from element to element, one for each list. */
export function trace(svg: SVGSVGElement, lines: readonly (readonly Element[])[]): void {
  const drawn: Element[] = [];
  for (const [number, stops] of lines.entries()) {
    const points = stops.map((stop) => centre(svg, stop)).join(" ");
    for (const kind of ["halo", `trace-${number % 6}`]) {
      const way = document.createElementNS(SVG, "polyline");
      way.setAttribute("points", points);
      way.setAttribute("class", `trace ${kind}`);
      drawn.push(way);
    }
  }
  draw(svg, "trace", drawn);
}

/** The middle of the outline of an element, in the drawing. */
function centre(svg: SVGSVGElement, element: Element): string {
  const shape = element instanceof SVGGraphicsElement ? (element.querySelector<SVGGraphicsElement>(SHAPES) ?? element) : null;
  const matrix = shape && placed(svg, shape);
  if (!shape || !matrix) return "";
  const { x, y, width, height } = shape.getBBox();
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = matrix.replace(/[^-\d.e ]/g, "").split(" ").map(Number);
  const [cx, cy] = [x + width / 2, y + height / 2];
  return `${a * cx + c * cy + e},${b * cx + d * cy + f}`;
}

/** A frame for a part of a drawing outside of it, in which it keeps the colours of the drawing. */
export function frame(svg: SVGSVGElement, box: readonly number[]): SVGSVGElement {
  const made = document.createElementNS(SVG, "svg");
  made.setAttribute("viewBox", box.join(" "));
  made.setAttribute("aria-hidden", "true");
  // The colours hang on these.
  made.setAttribute("class", svg.getAttribute("class") ?? "");
  const title = svg.dataset["title"];
  if (title) made.dataset["title"] = title;
  return made;
}

/** A picture of an element for use outside the drawing. */
export function picture(svg: SVGSVGElement, element: SVGGraphicsElement): SVGSVGElement {
  const { x, y, width, height } = element.getBBox();
  const made = frame(svg, [x, y, width, height]);
  // As large as a finger needs it, or as can be read.
  const tall = Math.min(64, Math.max(40, height * 0.7));
  made.setAttribute("width", String((tall * width) / height));
  made.setAttribute("height", String(tall));
  const copy = element.cloneNode(true) as Element;
  for (const name of ["transform", "data-pick", "tabindex", "role", "aria-label", "aria-pressed"]) {
    copy.removeAttribute(name);
  }
  copy.classList.remove("can-pick", "target", "picked");
  for (const name of copy.querySelectorAll("title")) name.remove();
  made.append(copy);
  return made;
}

function outline(svg: SVGSVGElement, element: SVGGraphicsElement, kind: Mark): Element[] {
  const shape = largest(element);
  const fills = shape !== null && (shape === element || isSpace(svg, element));
  // On some drawings a dot would look like a station.
  if (kind === "faint" && !(fills && svg.dataset["faint"] === "outline")) return [dot(svg, shape ?? element)];
  // A piece made of several shapes gets a frame around all of them.
  const base = fills ? shape : element;
  const ring = fills ? bare(shape) : box(element);
  const matrix = placed(svg, base);
  if (matrix) ring.setAttribute("transform", `${matrix} ${fitted(svg, base)}`);
  ring.setAttribute("class", `sign ${kind}`);
  const halo = ring.cloneNode() as Element;
  halo.setAttribute("class", `sign halo ${kind}`);
  return [halo, ring];
}

/** The shape that gives an element its outline. */
function largest(element: SVGGraphicsElement): SVGGraphicsElement | null {
  if (element.matches(SHAPES)) return element;
  let best: SVGGraphicsElement | null = null;
  let most = 0;
  for (const shape of element.querySelectorAll<SVGGraphicsElement>(SHAPES)) {
    const size = area(shape);
    if (size > most) {
      most = size;
      best = shape;
    }
  }
  return best;
}

/** The width of the whole drawing, whatever part of it is seen. */
function wide(svg: SVGSVGElement): number {
  const box = svg.dataset["whole"] ?? svg.getAttribute("viewBox") ?? "";
  return Number(box.split(/[\s,]+/)[2]) || 800;
}

/** Whether an element is a space of the board rather than a piece that lies on one. */
function isSpace(svg: SVGSVGElement, element: SVGGraphicsElement): boolean {
  return element.getBBox().width > wide(svg) / 20;
}

function area(element: SVGGraphicsElement): number {
  const { width, height } = element.getBBox();
  return width * height;
}

/** A copy of a shape without anything but its geometry. */
function bare(shape: Element): Element {
  const copy = document.createElementNS(SVG, shape.localName);
  for (const name of ["d", "points", "cx", "cy", "r", "rx", "ry", "x", "y", "width", "height"]) {
    const value = shape.getAttribute(name);
    if (value !== null) copy.setAttribute(name, value);
  }
  return copy;
}

function box(element: SVGGraphicsElement): Element {
  const { x, y, width, height } = element.getBBox();
  const rect = document.createElementNS(SVG, "rect");
  for (const [name, value] of Object.entries({ x, y, width, height, rx: 6 })) {
    rect.setAttribute(name, String(value));
  }
  return rect;
}

function dot(svg: SVGSVGElement, element: SVGGraphicsElement): Element {
  const { x, y, width, height } = element.getBBox();
  const circle = document.createElementNS(SVG, "circle");
  circle.setAttribute("cx", String(x + width / 2));
  circle.setAttribute("cy", String(y + height / 2));
  circle.setAttribute("r", String(Math.max(width, height) / 14));
  const matrix = placed(svg, element);
  if (matrix) circle.setAttribute("transform", matrix);
  circle.setAttribute("class", "sign faint");
  return circle;
}

/**
 * Draws the outline of a small piece around it, so that its lettering stays readable, and that of a
 * whole space a little inside, so that marked neighbours stay apart.
 */
function fitted(svg: SVGSVGElement, shape: SVGGraphicsElement): string {
  const { x, y, width, height } = shape.getBBox();
  if (!width || !height) return "";
  const unit = wide(svg) / 800;
  // A low line of lettering has no room for it inside.
  const inside = width > 4 * height ? 0 : -3.5 * unit;
  const change = isSpace(svg, shape) ? inside : 6 * unit;
  const [a, d] = [1 + change / width, 1 + change / height];
  const [cx, cy] = [x + width / 2, y + height / 2];
  const round = (value: number): number => Math.round(value * 1e4) / 1e4;
  return `matrix(${[a, 0, 0, d, cx * (1 - a), cy * (1 - d)].map(round).join(" ")})`;
}

/** How an element is moved and scaled within its drawing, whatever part of it is seen now. */
function placed(svg: SVGSVGElement, element: SVGGraphicsElement): string | null {
  const whole = svg.getScreenCTM();
  const own = element.getScreenCTM();
  if (!whole || !own) return null;
  const { a, b, c, d, e, f } = whole.inverse().multiply(own);
  const round = (value: number): number => Math.round(value * 1e4) / 1e4;
  return `matrix(${[a, b, c, d, e, f].map(round).join(" ")})`;
}
