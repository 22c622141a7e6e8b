/** Choosing several things of a kind by marking them: what is given back, what is replaced. */

import type { Choice } from "./choices";

/** One of the elements with a key. */
interface Marked {
  key: string;
  index: number;
}

export class Several {
  marked: Marked[] = [];
  /** Every key that can be marked, with how often one choice has it at most. */
  readonly keys = new Map<string, number>();
  readonly least: number;
  readonly most: number;

  constructor(
    readonly group: string,
    readonly choices: readonly Choice[],
  ) {
    for (const choice of choices) {
      for (const [key, count] of counted(choice.keys)) {
        this.keys.set(key, Math.max(count, this.keys.get(key) ?? 0));
      }
    }
    const sizes = choices.map((choice) => choice.keys.length);
    this.least = Math.min(...sizes);
    this.most = Math.max(...sizes);
  }

  has(key: string, index: number): boolean {
    return this.marked.some((one) => one.key === key && one.index === index);
  }

  toggle(key: string, index: number): void {
    const others = this.marked.filter((one) => one.key !== key || one.index !== index);
    if (others.length === this.marked.length) {
      others.push({ key, index });
      // Where there is no room for one more, what was marked first makes room.
      while (others.length > 1 && !this.possible(others)) others.shift();
    }
    this.marked = others;
  }

  /** Marks what a choice is about. */
  mark(choice: Choice): void {
    this.marked = [...counted(choice.keys)].flatMap(([key, count]) =>
      Array.from({ length: count }, (_, index) => ({ key, index })),
    );
  }

  /** Takes over what was marked before, as far as that is still possible. */
  keep(marked: readonly Marked[]): void {
    if (this.possible(marked)) this.marked = [...marked];
  }

  /** The choice that is about exactly what is marked. */
  chosen(): Choice | undefined {
    const found = counted(this.marked.map((one) => one.key));
    return this.choices.find(
      (choice) => choice.keys.length === this.marked.length && within(found, counted(choice.keys)),
    );
  }

  private possible(marked: readonly Marked[]): boolean {
    const found = counted(marked.map((one) => one.key));
    return this.choices.some((choice) => within(found, counted(choice.keys)));
  }
}

function counted(keys: readonly string[]): Map<string, number> {
  const found = new Map<string, number>();
  for (const key of keys) found.set(key, (found.get(key) ?? 0) + 1);
  return found;
}

function within(part: Map<string, number>, whole: Map<string, number>): boolean {
  return [...part].every(([key, count]) => count <= (whole.get(key) ?? 0));
}
