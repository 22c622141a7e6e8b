/** The pictures of the page to read in five minutes: a close look at what each is about. */

import { elements, mark, type Mark } from "./table/marks";

/** What is looked at fills at most so much of a picture, and at least so much of the sheet is seen. */
const FILLED = 0.45;
const LEAST = 0.4;
/** Where more of the width would be seen, all of it is: nothing is cut off at its edge. */
const NEARLY_ALL = 0.85;
const SHAPE = 4 / 3;

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export function startLearning(page: HTMLElement): void {
  for (const figure of page.querySelectorAll<HTMLElement>(".learn-picture")) {
    const svg = figure.querySelector<SVGSVGElement>("svg");
    if (svg) look(svg, figure);
  }
}

function look(svg: SVGSVGElement, figure: HTMLElement): void {
  // Nothing can be done here: for those who cannot see it, the caption says what there is to see.
  for (const part of svg.querySelectorAll("[tabindex]")) part.removeAttribute("tabindex");
  const keys = JSON.parse(figure.dataset["focus"] ?? "[]") as string[];
  const found = keys.flatMap((key) => {
    const picked = elements(svg, key);
    return picked.length ? picked : elements(svg, key.replace(/^hex:/, ""), "data-hex");
  });
  const sheet = sheetOf(svg, found[0], keys);
  const seen = found.length && !("whole" in figure.dataset) ? near(svg, found, sheet) : sheet;
  svg.setAttribute("viewBox", [seen.x, seen.y, seen.width, seen.height].join(" "));
  mark(
    svg,
    "hint",
    found.map((element): [Element, Mark] => [element, "hint"]),
  );
}

/** The sheet that is looked at, in a drawing of several; otherwise all of it. */
function sheetOf(svg: SVGSVGElement, element: Element | undefined, keys: readonly string[]): Box {
  const text = svg.dataset["sheets"];
  const [x = 0, y = 0, width = 1, height = 1] = (svg.getAttribute("viewBox") ?? "").split(/[\s,]+/).map(Number);
  if (!text) return { x, y, width, height };
  const asked = keys.find((key) => key.startsWith("sheet:"))?.slice("sheet:".length);
  const name = asked ?? element?.closest<SVGElement>("[data-part]")?.dataset["part"] ?? svg.dataset["sheet"];
  const sheet = (JSON.parse(text) as { name: string; wide: [number, number] }[]).find((one) => one.name === name);
  const part = svg.querySelector<SVGGElement>(`[data-part="${CSS.escape(name ?? "")}"]`);
  if (!sheet || !part) return { x, y, width, height };
  const left = part.transform.baseVal.consolidate()?.matrix.e ?? 0;
  return { x: left, y: 0, width: sheet.wide[0], height: sheet.wide[1] };
}

/** A window around elements, within the sheet. */
function near(svg: SVGSVGElement, found: readonly Element[], sheet: Box): Box {
  const matrix = svg.getScreenCTM()?.inverse();
  if (!matrix) return sheet;
  const boxes = found.map((element) => element.getBoundingClientRect());
  const corner = (x: number, y: number): DOMPoint => new DOMPoint(x, y).matrixTransform(matrix);
  const first = corner(Math.min(...boxes.map((box) => box.left)), Math.min(...boxes.map((box) => box.top)));
  const last = corner(Math.max(...boxes.map((box) => box.right)), Math.max(...boxes.map((box) => box.bottom)));
  const needed = Math.max((last.x - first.x) / FILLED, ((last.y - first.y) / FILLED) * SHAPE, sheet.width * LEAST);
  const width = Math.min(needed, sheet.width, sheet.height * SHAPE);
  if (width > sheet.width * NEARLY_ALL) return sheet;
  const height = width / SHAPE;
  const within = (value: number, low: number, room: number): number => Math.min(low + room, Math.max(low, value));
  return {
    x: within((first.x + last.x - width) / 2, sheet.x, sheet.width - width),
    y: within((first.y + last.y - height) / 2, sheet.y, sheet.height - height),
    width,
    height,
  };
}
