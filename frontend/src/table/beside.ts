/** Where something lies beside something else without covering it. */

export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

interface Size {
  width: number;
  height: number;
}

const GAP = 12;

/** The place for a card of a size about a box, on a screen: to the right of it if there is room, else to the
 * left, below or above; where nowhere is room, in the corner that is farthest away. */
export function beside(about: Box, card: Size, screen: Size): { x: number; y: number } {
  const within = (value: number, size: number, all: number): number =>
    Math.max(GAP, Math.min(value, all - size - GAP));
  const y = within((about.top + about.bottom - card.height) / 2, card.height, screen.height);
  if (about.right + GAP + card.width + GAP <= screen.width) return { x: about.right + GAP, y };
  if (about.left - GAP - card.width >= GAP) return { x: about.left - GAP - card.width, y };
  const x = within((about.left + about.right - card.width) / 2, card.width, screen.width);
  if (about.bottom + GAP + card.height + GAP <= screen.height) return { x, y: about.bottom + GAP };
  if (about.top - GAP - card.height >= GAP) return { x, y: about.top - GAP - card.height };
  return {
    x: about.left > screen.width - about.right ? GAP : screen.width - card.width - GAP,
    y: about.top > screen.height - about.bottom ? GAP : screen.height - card.height - GAP,
  };
}
