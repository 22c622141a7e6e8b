/** The numbers of those who moved somewhere since the reader's last move, on the board. */

import { draw, elements } from "./marks";

const SVG = "http://www.w3.org/2000/svg";
/** Their size on the screen, in pixels, when the board is seen as a whole. */
const RADIUS = 8;
/** What has a badge is at least so high on the screen. */
const ROOM = 20;
/** From one badge to the next in a row, in radii. */
const STEP = 1.9;

/** The seats that moved at each element, without repetition, in the order of their moves. */
export function movers(marks: readonly (readonly [string, number])[]): Map<string, number[]> {
  const found = new Map<string, number[]>();
  for (const [key, seat] of marks) {
    const seats = found.get(key) ?? [];
    if (!seats.includes(seat)) seats.push(seat);
    found.set(key, seats);
  }
  return found;
}

export interface Place {
  x: number;
  y: number;
  width: number;
  height: number;
}

function overlap(one: Place, other: Place): number {
  const across = Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x);
  const down = Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y);
  return across > 0 && down > 0 ? across * down : 0;
}

/** The first of the places that cover least of what is taken. */
export function clearest(places: readonly Place[], taken: readonly Place[]): Place | undefined {
  let best: Place | undefined;
  let least = Infinity;
  for (const place of places) {
    const covered = taken.reduce((sum, one) => sum + overlap(place, one), 0);
    if (covered >= least) continue;
    [best, least] = [place, covered];
  }
  return best;
}

/** Where a row of badges could stand at a shape: in its corners, across its edges, or beside it. */
function around(shape: Place, width: number, height: number): Place[] {
  const at = (across: number, down: number): Place => ({
    x: shape.x + across * shape.width - width / 2,
    y: shape.y + down * shape.height - height / 2,
    width,
    height,
  });
  const [beside, above] = [width / 2 / shape.width, height / 2 / shape.height];
  // In the very corners, even of something long; from there a row of several goes inwards, away from the
  // neighbours.
  const inset = 0.12 * Math.min(shape.width, shape.height);
  const [left, top] = [(inset + (width - height) / 2) / shape.width, inset / shape.height];
  return [
    at(1 - left, top),
    at(left, top),
    at(1 - left, 1 - top),
    at(left, 1 - top),
    at(1 - beside, -above),
    at(beside, -above),
    at(1 + beside, 0.5),
    at(-beside, 0.5),
  ];
}

export function showBadges(live: HTMLElement, svg: SVGSVGElement | null): void {
  if (!svg) return;
  const given = live.querySelector<HTMLElement>("#since")?.dataset["marks"] ?? "[]";
  const drawn: Element[] = [];
  const screen = svg.getScreenCTM();
  const places = movers(JSON.parse(given) as [string, number][]);
  if (screen && places.size) {
    const size = RADIUS / (screen.a || 1);
    const back = screen.inverse();
    const taken: Place[] = [...svg.querySelectorAll('text:not([data-layer="since"] text)')].map((text) =>
      text.getBoundingClientRect(),
    );
    for (const [key, seats] of places) {
      const [element] = elements(svg, key);
      if (!(element instanceof SVGGraphicsElement)) continue;
      const shape = element.querySelector<SVGGraphicsElement>("path, polygon, circle, rect") ?? element;
      const box = shape.getBoundingClientRect();
      // What is hardly larger would be covered by it.
      if (box.height < ROOM) continue;
      const row = clearest(around(box, RADIUS * (2 + STEP * (seats.length - 1)), RADIUS * 2), taken);
      if (!row) continue;
      taken.push(row);
      for (const [index, seat] of seats.entries()) {
        const at = new DOMPoint(row.x + RADIUS * (1 + STEP * index), row.y + RADIUS).matrixTransform(back);
        drawn.push(badge(at.x, at.y, size, seat));
      }
    }
  }
  draw(svg, "since", drawn);
}

function badge(x: number, y: number, size: number, seat: number): Element {
  const group = document.createElementNS(SVG, "g");
  group.setAttribute("class", `badge seat-${seat % 8}`);
  group.setAttribute("transform", `translate(${x} ${y}) scale(${size})`);
  const disc = document.createElementNS(SVG, "circle");
  disc.setAttribute("r", "1");
  const text = document.createElementNS(SVG, "text");
  text.setAttribute("y", "0.4");
  text.textContent = String(seat + 1);
  group.append(disc, text);
  return group;
}
