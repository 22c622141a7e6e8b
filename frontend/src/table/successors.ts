/**
 * For every old stop, known by the edges to which its track leads, the number of the new one that
 * takes its place: where its track leads, and each a different one as long as there are enough.
 */
export function successors(old: readonly number[][], fresh: readonly number[][]): readonly number[] {
  const possible = old.map((ends) =>
    [...fresh.keys()].filter((number) => ends.every((end) => fresh[number]?.includes(end))),
  );
  if (fresh.length < old.length) return possible.map((numbers) => numbers[0] ?? -1);
  const matching = (taken: number[]): number[] | null => {
    if (taken.length === old.length) return taken;
    for (const number of possible[taken.length] ?? []) {
      const found = taken.includes(number) ? null : matching([...taken, number]);
      if (found) return found;
    }
    return null;
  };
  return matching([]) ?? [];
}
