/** Finding one's way on the board with the arrow keys. */

export interface Point {
  x: number;
  y: number;
}

const DIRECTIONS: Record<string, Point> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

/** The element that lies next in the direction of an arrow key. */
export function neighbour(from: Element, all: Iterable<Element>, key: string): Element | null {
  const direction = DIRECTIONS[key];
  if (!direction) return null;
  const start = middle(from);
  let best: Element | null = null;
  let shortest = Infinity;
  for (const element of all) {
    if (element === from) continue;
    const to = middle(element);
    const ahead = (to.x - start.x) * direction.x + (to.y - start.y) * direction.y;
    const aside = Math.abs((to.x - start.x) * direction.y) + Math.abs((to.y - start.y) * direction.x);
    if (ahead < 1) continue;
    // What lies well aside of the way comes last, but everything can be reached.
    const distance = ahead + aside * 2.5;
    if (distance < shortest) {
      shortest = distance;
      best = element;
    }
  }
  return best;
}

/** The middle of an element on the screen. */
export function middle(element: Element): Point {
  const box = element.getBoundingClientRect();
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}
