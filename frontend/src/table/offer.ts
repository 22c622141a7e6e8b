/** Everything that may be chosen now, by the ways in which it is chosen. */

import { groups, tree, type Choice, type Stop } from "./choices";
import { Several } from "./several";

export class Offer {
  /** The ways to all choices but those that are made by marking several elements. */
  readonly root: Stop;
  /** The choices that are made by marking several elements, by their group. */
  readonly ways: readonly Several[];
  /** The choices to which something may be added by pointing. */
  readonly composable: readonly Choice[];

  constructor(readonly all: readonly Choice[]) {
    this.root = tree(all.filter((choice) => !choice.several));
    this.ways = [...groups(all.filter((choice) => choice.several))].map(
      ([group, members]) => new Several(group, members),
    );
    this.composable = all.filter((choice) => choice.compose);
  }

  /** Whether any amount is sent with one tap. */
  get hasQuick(): boolean {
    return this.all.some(({ amount }) => amount?.atOnce && amount.quick.length);
  }

  /** Marking several elements, if there is nothing else to do. */
  get only(): Several | null {
    const [way] = this.ways;
    return way && this.ways.length === 1 && !this.root.here.length && !this.root.next.size ? way : null;
  }
}
