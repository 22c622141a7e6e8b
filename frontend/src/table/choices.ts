/** What may be done now, arranged by how it is pointed at. */

/** The amounts from the lowest to the highest, in steps. */
export interface Steps {
  low: number;
  high: number;
  step: number;
}

/** What an action counts, and from where to where it may go. */
export interface Amount extends Steps {
  field: string;
  /** The text of the button that sends an amount, which stands in it as {amount}. */
  send: string;
  /** An amount as it is written, where {amount} stands for its number. */
  written: string;
  /** Amounts with a button of their own, the least first. */
  quick: number[];
  /** Whether such a button sends the amount without asking again. */
  atOnce: boolean;
}

/** What may be added to an action by pointing: parts made of elements whose keys begin alike. */
export interface Compose {
  field: string;
  parts: string[];
  prefix: string;
  label: string;
}

export interface Choice {
  action: Record<string, unknown>;
  keys: string[];
  label: string;
  group: string;
  /** Whether the keys are marked in any order, each element for itself. */
  several: boolean;
  /** What it costs, if pieces are offered by that. */
  cost: string;
  amount: Amount | null;
  confirm: boolean;
  /** Whether other people may be asked before it is taken back. */
  final: boolean;
  /** What may be added by pointing. */
  compose: Compose | null;
  /** What the amount counts, if the label does not say it. */
  ask: string;
}

/** A place on the way to a choice: what can follow, and the choices that are complete here. */
export class Stop {
  readonly next = new Map<string, Stop>();
  readonly here: Choice[] = [];
  /** A choice somewhere below, to name a key that is not on the board. */
  first: Choice | undefined;
  count = 0;
}

/** The tree of all ways: its edges are keys. */
export function tree(choices: readonly Choice[]): Stop {
  const root = new Stop();
  for (const choice of choices) {
    let stop = root;
    for (const key of choice.keys) {
      let next = stop.next.get(key);
      if (!next) stop.next.set(key, (next = new Stop()));
      next.first ??= choice;
      next.count += 1;
      stop = next;
    }
    stop.here.push(choice);
  }
  return root;
}

/** Where a path leads, or undefined if a key on it is not possible. */
export function follow(root: Stop, path: readonly string[]): Stop | undefined {
  let stop: Stop | undefined = root;
  for (const key of path) stop = stop?.next.get(key);
  return stop;
}

/** The choices by their group, in the order in which they came. */
export function groups(choices: readonly Choice[]): Map<string, Choice[]> {
  const found = new Map<string, Choice[]>();
  for (const choice of choices) {
    const group = found.get(choice.group);
    if (group) group.push(choice);
    else found.set(choice.group, [choice]);
  }
  return found;
}

/** Adds up how many choices of each group lie on the ways from a stop. */
export function countGroups(stop: Stop, counts: Map<string, number>): void {
  for (const { group } of stop.here) counts.set(group, (counts.get(group) ?? 0) + 1);
  for (const next of stop.next.values()) countGroups(next, counts);
}

/** Whether an amount may be given. */
export function possible({ low, high, step }: Steps, amount: number): boolean {
  return amount >= low && amount <= high && (amount - low) % step === 0;
}

/** The amount typed, also with signs of money and between thousands; NaN if it is none. */
export function amountIn(text: string): number {
  const bare = text.replace(/[\s$£M]/g, "");
  return /^\d{1,3}([.,'’]\d{3})+$|^\d+$/.test(bare) ? Number(bare.replace(/\D/g, "")) : NaN;
}

/** The possible amount that is nearest to one that was wanted. */
export function nearest({ low, high, step }: Steps, wanted: number): number {
  const within = Math.min(high, Math.max(low, Number.isFinite(wanted) ? wanted : low));
  return low + Math.min(Math.round((within - low) / step), Math.floor((high - low) / step)) * step;
}

/** How much more than the least quick amount one of them is: "+50"; empty for the least. */
export function more({ quick }: Amount, amount: number): string {
  const [least = amount] = quick;
  return amount > least ? `+${String(amount - least)}` : "";
}

/** An amount as it is written in a language: "$1,050". */
export function written(amount: Amount, value: number, language: string): string {
  return amount.written.replace("{amount}", value.toLocaleString(language));
}

/** What the button says that sends an amount: "Bid $1,050". */
export function sending(amount: Amount, value: number, language: string): string {
  return amount.send.replace("{amount}", written(amount, value, language));
}

/** Whether two choices are the same in everything. */
export function same(one: Choice, other: Choice): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Whether a choice that was begun, with this amount if there is one yet, is still there among new ones. */
export function goesOn(begun: Choice, choice: Choice, amount: number | null): boolean {
  if (!begun.amount || !choice.amount) return same(begun, choice);
  const { field } = choice.amount;
  const alike = ({ action, keys }: Choice): string => JSON.stringify([{ ...action, [field]: 0 }, keys]);
  return alike(begun) === alike(choice) && (amount === null || possible(choice.amount, amount));
}
