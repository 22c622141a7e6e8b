/** Adding something to a choice by pointing: the stops of every train, in their order. */

import type { Choice, Compose } from "./choices";

export class Composing {
  readonly parts: string[][];
  current = 0;

  /** `choices` are those to which the same can be added. */
  constructor(
    readonly choices: readonly Choice[],
    readonly compose: Compose,
  ) {
    this.parts = compose.parts.map(() => []);
  }

  fits(key: string): boolean {
    return key.startsWith(this.compose.prefix);
  }

  /** Adds an element to the part that is being made, or takes it back if it was the last one. */
  toggle(key: string): void {
    const part = this.parts[this.current];
    const name = key.slice(this.compose.prefix.length);
    if (!part) return;
    if (part.at(-1) === name) part.pop();
    else part.push(name);
  }

  /** The elements of a part. */
  keys(part: number): string[] {
    return (this.parts[part] ?? []).map((name) => this.compose.prefix + name);
  }

  get empty(): boolean {
    return this.parts.every((part) => part.length === 0);
  }

  action(choice: Choice): Record<string, unknown> {
    return { ...choice.action, [this.compose.field]: this.parts };
  }
}
